"""Support functions and the depth of convex shapes, points and lines."""

import numpy as np
import pytest
from scipy.optimize import minimize

from vitruvian.kernels import layout, nearest, support

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
NONE = (0.0, 0.0, 0.0)


def table(*rows):
    """model.shape_kind and model.shape of rows (code, radius, terms, exponents, blend)."""
    kind = np.zeros((len(rows), layout.shape_kind.COUNT), dtype=np.int64)
    shape = np.zeros((len(rows), layout.shape.COUNT))
    for i, (code, radius, terms, exponents, blend) in enumerate(rows):
        kind[i, layout.shape_kind.CODE] = code
        shape[i, layout.shape.ROUND] = radius
        shape[i, layout.shape.BOUND] = 1.0
        flat = np.ravel(terms)
        shape[i, layout.shape.TERM : layout.shape.TERM + len(flat)] = flat
        shape[i, layout.shape.EXPONENT_1], shape[i, layout.shape.EXPONENT_2] = exponents
        shape[i, layout.shape.BLEND] = blend
    return kind, shape


FAMILY = table(
    (layout.shape_type.ELLIPSOID, 0.0, [(0.1, 0.2, 0.05)], (2, 2), 0.0),
    (layout.shape_type.SUM, 0.05, [(0.002, 0.002, 0.2)], (2, 2), 0.0),
    (layout.shape_type.SUM, 0.001, [(0.1, 0.002, 0.002), (0.002, 0.2, 0.002), (0.002, 0.002, 0.05)], (2, 2), 0.0),
    (layout.shape_type.SUPERELLIPSOID, 0.0, [(0.1, 0.2, 0.05)], (4 / 3, 4 / 3), 1e-3),
    (layout.shape_type.SUPERELLIPSOID, 0.0, [(0.1, 0.2, 0.05)], (20 / 19, 2.0), 1e-3),
    (layout.shape_type.SUPERELLIPSOID, 0.0, [(0.1, 0.2, 0.05)], (3.0, 3.0), 1e-3),
)


def unit(v):
    return v / np.linalg.norm(v)


@pytest.mark.parametrize("s", range(len(FAMILY[0])))
def test_point_and_curvature_are_the_derivatives_of_the_support_value(s):
    rng = np.random.default_rng(s)
    e = 1e-6

    def reach(n):
        # h is homogeneous of the first degree
        return np.linalg.norm(n) * support.point(*FAMILY, s, tuple(unit(n)))[0]

    def place(n):
        return np.array(support.point(*FAMILY, s, tuple(unit(n)))[1])

    for _ in range(30):
        n = unit(rng.normal(size=3))
        t = unit(np.cross(n, rng.normal(size=3)))
        u = np.cross(n, t)
        h, x, tt, tu, uu = support.curved(*FAMILY, s, tuple(n), tuple(t), tuple(u))
        assert (h, *x) == pytest.approx((reach(n), *place(n)), abs=1e-15)
        for axis in np.eye(3):
            assert axis @ x == pytest.approx((reach(n + e * axis) - reach(n - e * axis)) / (2 * e), abs=1e-8)
        along, across = ((place(n + e * v) - place(n - e * v)) / (2 * e) for v in (t, u))
        assert (tt, tu, uu) == pytest.approx((along @ t, along @ u, across @ u), rel=1e-6, abs=1e-7)
        # the mirror image
        assert place(-n) == pytest.approx(-place(n))


def test_point_in_a_ball_and_beside_an_ellipsoid():
    ball = table((layout.shape_type.SUM, 0.3, [], (2, 2), 0.0))
    for c in ((0.1, -0.2, 0.05), (1.0, 2.0, 3.0)):
        depth, normal, _ = nearest.to_point(*ball, 0, IDENTITY, c, NONE)
        assert depth == pytest.approx(0.3 - np.linalg.norm(c), abs=1e-15)
        assert normal == pytest.approx(unit(np.array(c)), abs=1e-12)
    # above the pole of an ellipsoid, and from inside towards its thinnest side
    for height in (0.4, 0.01):
        depth, normal, _ = nearest.to_point(*FAMILY, 0, IDENTITY, (0.0, 0.0, -height), NONE)
        assert depth == pytest.approx(0.05 - height, abs=1e-15)
        assert normal == pytest.approx((0, 0, -1), abs=1e-12)


@pytest.mark.parametrize("s", range(len(FAMILY[0])))
def test_no_direction_is_lower(s):
    rng = np.random.default_rng(s)
    for _ in range(20):
        rotation, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        if np.linalg.det(rotation) < 0.0:
            rotation = -rotation
        between = rng.normal(size=3) * rng.choice([0.02, 0.1, 0.5])
        other = int(rng.integers(len(FAMILY[0])))
        nine, c = tuple(rotation.ravel()), tuple(between)

        def phi(n, turn=rotation, c=between):
            return support.point(*FAMILY, s, tuple(turn.T @ n))[0] - n @ c

        def both(n, b=other):
            return phi(n) + support.point(*FAMILY, b, tuple(n))[0]

        directions = [unit(v) for v in rng.normal(size=(100, 3))]
        point = nearest.to_point(*FAMILY, s, nine, c, NONE)
        pair = nearest.convex(*FAMILY, s, other, nine, IDENTITY, c, NONE)
        for (depth, normal, *_), value in ((point, phi), (pair, both)):
            assert depth == pytest.approx(value(np.array(normal)), abs=1e-13)
            assert depth <= min(value(n) for n in directions) + 1e-13


# --- two ellipsoids


def turned(rng):
    rotation, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return rotation * np.sign(np.linalg.det(rotation))


def random_pair(rng, reach):
    axes = 0.3 * 20.0 ** -rng.uniform(size=(2, 3))
    return axes[0], turned(rng), axes[1], turned(rng), reach * unit(rng.normal(size=3))


def depth_of(a, turn_a, b, turn_b, c, guess=NONE):
    return nearest.ellipsoids(tuple(a), tuple(turn_a.ravel()), tuple(b), tuple(turn_b.ravel()), tuple(c), tuple(guess))


def test_distance_is_that_of_the_nearest_points():
    # scipy's SLSQP in the space of points: nothing of ours
    rng = np.random.default_rng(1)
    for _ in range(20):
        a, turn_a, b, turn_b, c = random_pair(rng, 0.9)
        depth, _, _ = depth_of(a, turn_a, b, turn_b, c)
        form_a, form_b = turn_a * a, turn_b * b

        def gap(x, form_a=form_a, form_b=form_b, c=c):
            return c + form_a @ x[:3] - form_b @ x[3:]

        limits = [{"type": "ineq", "fun": lambda x, k=k: 1.0 - x[k : k + 3] @ x[k : k + 3]} for k in (0, 3)]
        best = minimize(
            lambda x, gap=gap: gap(x) @ gap(x), np.zeros(6), constraints=limits, options={"ftol": 1e-15, "maxiter": 500}
        )
        assert max(0.0, -depth) == pytest.approx(np.linalg.norm(gap(best.x)), abs=1e-6)


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_balls(size):
    rng = np.random.default_rng(2)
    for reach in (0.0, 0.2, 0.5, 3.0):
        c = size * reach * unit(rng.normal(size=3))
        depth, normal, _ = depth_of(size * np.full(3, 0.2), np.eye(3), size * np.full(3, 0.3), turned(rng), c)
        assert depth == pytest.approx(size * (0.5 - reach), abs=1e-14 * size)
        assert np.linalg.norm(normal) == pytest.approx(1.0)
        if reach > 0.0:
            assert normal == pytest.approx(unit(c), abs=1e-9)


@pytest.mark.parametrize("axes", [(0.2, 0.2, 0.01), (0.01, 0.2, 0.2), (0.01, 0.01, 0.2), (0.1, 0.2, 0.05)])
def test_identical_concentric_ellipsoids_part_along_their_thinnest_side(axes):
    turn = turned(np.random.default_rng(4))
    depth, normal, _ = depth_of(axes, turn, axes, turn, (0.0, 0.0, 0.0))
    assert depth == pytest.approx(2.0 * min(axes), abs=1e-15)
    assert support.point(*table((layout.shape_type.ELLIPSOID, 0.0, [axes], (2, 2), 0.0)), 0, tuple(turn.T @ normal))[
        0
    ] == (pytest.approx(min(axes)))


def test_a_guess_on_a_saddle_or_a_top_is_left():
    axes = (0.3, 0.2, 0.1)
    for guess in np.vstack([np.eye(3), -np.eye(3)]):
        depth, normal, _ = depth_of(axes, np.eye(3), axes, np.eye(3), (0.0, 0.0, 0.0), guess)
        assert depth == pytest.approx(0.2, abs=1e-15)
        assert abs(normal[2]) == pytest.approx(1.0)


def test_a_guess_on_the_wrong_side_does_not_hold_parted_shapes_together():
    # a ball that went through a thin disc
    disc, ball = (0.4, 0.4, 0.01), (0.05, 0.05, 0.05)
    for c in ((0.0, 0.0, 0.1), (0.36, 0.0, 0.08), (0.36, 0.1, 0.065)):
        right, normal, _ = depth_of(ball, np.eye(3), disc, np.eye(3), c)
        wrong, same, _ = depth_of(ball, np.eye(3), disc, np.eye(3), c, (0.0, 0.0, -1.0))
        assert right < 0.0
        assert wrong == pytest.approx(right, abs=1e-15)
        assert same == pytest.approx(normal, abs=1e-9)


def test_any_guess_gives_the_distance():
    rng = np.random.default_rng(6)
    for _ in range(50):
        pair = random_pair(rng, 0.8)
        depth, normal, count = depth_of(*pair)
        if depth < 0.0:
            again, same, fewer = depth_of(*pair, normal)
            assert fewer == 1 <= count
            assert again == pytest.approx(depth, abs=1e-15)
            assert same == pytest.approx(normal, abs=1e-12)
            for _ in range(5):
                assert depth_of(*pair, unit(rng.normal(size=3)))[0] == pytest.approx(depth, abs=1e-14)


def test_the_family_agrees_with_the_path_for_ellipsoids():
    rng = np.random.default_rng(7)
    for reach in (0.05, 0.4, 0.9):
        a, turn_a, b, turn_b, c = random_pair(rng, reach)
        rows = table(*((layout.shape_type.ELLIPSOID, 0.0, [axes], (2, 2), 0.0) for axes in (a, b)))
        depth, normal, _ = nearest.convex(*rows, 0, 1, tuple(turn_a.ravel()), tuple(turn_b.ravel()), tuple(c), NONE)
        other, same, _ = depth_of(a, turn_a, b, turn_b, c)
        assert depth == pytest.approx(other, abs=1e-15)
        assert normal == pytest.approx(same, abs=1e-12)


@pytest.mark.parametrize("between", [(0.0, 0.0, 0.0), (1e-300, 0.0, 0.0), (1e-17, 1e-17, 0.0), (1e6, 0.0, 0.0)])
@pytest.mark.parametrize("guess", [NONE, (1.0, 0.0, 0.0), (1e-9, 0.0, 0.0)])
def test_never_nan(between, guess):
    for a in range(len(FAMILY[0])):
        for b in range(len(FAMILY[0])):
            depth, normal, _ = nearest.convex(*FAMILY, a, b, IDENTITY, IDENTITY, between, guess)
            assert np.isfinite(depth) and np.linalg.norm(normal) == pytest.approx(1.0)
        depth, normal, _ = nearest.to_point(*FAMILY, a, IDENTITY, between, guess)
        assert np.isfinite(depth) and np.linalg.norm(normal) == pytest.approx(1.0)


def test_middle_of_two_balls():
    rows = table((layout.shape_type.SUM, 0.3, [], (2, 2), 0.0), (layout.shape_type.SUM, 0.2, [], (2, 2), 0.0))
    depth, normal, _ = nearest.convex(*rows, 0, 1, IDENTITY, IDENTITY, (0.0, 0.0, 1.0), NONE)
    middle = nearest.middle(*rows, 1, IDENTITY, (1.0, 2.0, 3.0), depth, normal)
    assert middle == pytest.approx((1.0, 2.0, 3.0 + 0.2 + 0.25))
