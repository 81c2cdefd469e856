"""Support functions and the depth of convex shapes, points and lines."""

import numpy as np
import pytest

from vitruvian.kernels import nearest, support, types

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
NONE = (0.0, 0.0, 0.0)


def table(*rows):
    """model.shape_kind and model.shape of rows (code, radius, terms, exponents, blend)."""
    kind = np.zeros((len(rows), types.N_SHAPE_KIND), dtype=np.int64)
    shape = np.zeros((len(rows), types.N_SHAPE))
    for i, (code, radius, terms, exponents, blend) in enumerate(rows):
        kind[i, types.SHAPE] = code
        shape[i, types.ROUND] = radius
        shape[i, types.BOUND] = 1.0
        flat = np.ravel(terms)
        shape[i, types.TERM : types.TERM + len(flat)] = flat
        shape[i, types.EXPONENT_1], shape[i, types.EXPONENT_2] = exponents
        shape[i, types.BLEND] = blend
    return kind, shape


FAMILY = table(
    (types.ELLIPSOID, 0.0, [(0.1, 0.2, 0.05)], (2, 2), 0.0),
    (types.SUM, 0.05, [(0.002, 0.002, 0.2)], (2, 2), 0.0),
    (types.SUM, 0.001, [(0.1, 0.002, 0.002), (0.002, 0.2, 0.002), (0.002, 0.002, 0.05)], (2, 2), 0.0),
    (types.SUPERELLIPSOID, 0.0, [(0.1, 0.2, 0.05)], (4 / 3, 4 / 3), 1e-3),
    (types.SUPERELLIPSOID, 0.0, [(0.1, 0.2, 0.05)], (20 / 19, 2.0), 1e-3),
    (types.SUPERELLIPSOID, 0.0, [(0.1, 0.2, 0.05)], (3.0, 3.0), 1e-3),
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
    ball = table((types.SUM, 0.3, [], (2, 2), 0.0))
    for c in ((0.1, -0.2, 0.05), (1.0, 2.0, 3.0)):
        depth, normal, _ = nearest.to_point(*ball, 0, IDENTITY, c, NONE)
        assert depth == pytest.approx(0.3 - np.linalg.norm(c), abs=1e-15)
        assert normal == pytest.approx(unit(np.array(c)), abs=1e-12)
    # above the pole of an ellipsoid, and from inside towards its thinnest side
    for height in (0.4, 0.01):
        depth, normal, _ = nearest.to_point(*FAMILY, 0, IDENTITY, (0.0, 0.0, -height), NONE)
        assert depth == pytest.approx(0.05 - height, abs=1e-15)
        assert normal == pytest.approx((0, 0, -1), abs=1e-12)


def test_line_beside_an_ellipsoid():
    # a line along x sees the ellipse of y and z: below, beside
    for between, depth, normal in (
        ((0.03, 0.0, 0.2), -0.15, (0, 0, 1)),
        ((-0.02, 0.5, 0.0), -0.3, (0, 1, 0)),
        ((0.03, 0.0, 0.01), 0.04, (0, 0, 1)),
    ):
        got = nearest.to_edge(*FAMILY, 0, IDENTITY, between, (1.0, 0.0, 0.0), NONE)
        assert got[0] == pytest.approx(depth, abs=1e-15)
        assert got[1] == pytest.approx(normal, abs=1e-9)
        assert got[2] == pytest.approx(between[0], abs=1e-9)


@pytest.mark.parametrize("s", range(len(FAMILY[0])))
def test_no_direction_is_lower(s):
    rng = np.random.default_rng(s)
    for _ in range(20):
        rotation, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        if np.linalg.det(rotation) < 0.0:
            rotation = -rotation
        between = rng.normal(size=3) * rng.choice([0.02, 0.1, 0.5])
        edge = unit(rng.normal(size=3))
        other = int(rng.integers(len(FAMILY[0])))
        nine, c = tuple(rotation.ravel()), tuple(between)

        def phi(n, turn=rotation, c=between):
            return support.point(*FAMILY, s, tuple(turn.T @ n))[0] - n @ c

        def both(n, b=other):
            return phi(n) + support.point(*FAMILY, b, tuple(n))[0]

        directions = [unit(v) for v in rng.normal(size=(100, 3))]
        across = [unit(n - edge * (edge @ n)) for n in directions]
        point = nearest.to_point(*FAMILY, s, nine, c, NONE)
        line = nearest.to_edge(*FAMILY, s, nine, c, tuple(edge), NONE)
        pair = nearest.convex(*FAMILY, s, other, nine, IDENTITY, c, NONE)
        for (depth, normal, *_), value, tried in (
            (point, phi, directions),
            (line, phi, across),
            (pair, both, directions),
        ):
            assert depth == pytest.approx(value(np.array(normal)), abs=1e-13)
            assert depth <= min(value(n) for n in tried) + 1e-13
