"""An ellipsoid against a line in the plane: the kernel against the reference of the contact laboratory."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vitruvian.errors import InputError
from vitruvian.kernels import integrate, layout, strip
from vitruvian.lab.impact.ellipse_polyline import Ellipse, discriminant, line_contact
from vitruvian.model import Body, Box, Configuration, Contact, Ellipsoid, Joint, Lines, System
from vitruvian.model.compile import compile_system, initial_state, make_work

place = st.tuples(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5))
ellipses = st.builds(Ellipse, st.tuples(st.floats(0.05, 1.0), st.floats(0.05, 1.0)), place, st.floats(-4.0, 4.0))


def turned(angle):
    """Rotation in the frame of a line by an angle from x towards z [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])


def touch(ellipse, p, q, nearest=False, middle=0.2):
    """Depth, bottom point and normal in the plane, and where it lies across, by the kernel."""
    start, along = np.array(p), np.array(q) - np.array(p)
    length = float(np.hypot(*along))
    axes = np.array([along / length, [-along[1] / length, along[0] / length]])  # along, normal
    x, z = axes @ (np.array(ellipse.centre) - start)
    tilt = ellipse.angle - np.arctan2(along[1], along[0])
    a, b = ellipse.semi_axes
    depth, at, across, *normal = strip.touch(
        (a, middle, b), tuple(turned(tilt).ravel()), (x, 0.3, z), length, np.int64(nearest)
    )
    return depth, start + at * axes[0], np.array(normal) @ axes, across


def apart(p, q):
    return np.hypot(q[0] - p[0], q[1] - p[1]) > 0.05


@pytest.mark.parametrize("nearest", [False, True])
@given(ellipses, place, place)
def test_the_kernel_is_the_rule_of_the_paper(nearest, ellipse, p, q):
    assume(apart(p, q))
    value, roots = discriminant(ellipse, p, q)
    assume(abs(value) > 1e-6)
    assume(all(abs(t - end) > 1e-6 for t in roots for end in (0.0, 1.0)))
    along, to = np.array(q) - np.array(p), np.array(ellipse.centre) - np.array(p)
    assume(not nearest or abs(along[0] * to[1] - along[1] * to[0]) > 1e-9)  # neither tangent is nearer
    found = line_contact(ellipse, p, q, nearest=nearest, crossed=True)
    depth, bottom, normal, across = touch(ellipse, p, q, nearest)
    assert (found is None) == (depth <= 0.0)
    if found is not None:
        assert depth == pytest.approx(found.depth, abs=1e-8)
        assert bottom == pytest.approx(found.bottom, abs=1e-7)
        assert normal == pytest.approx(found.normal, abs=1e-12)
        assert across == pytest.approx(0.3)  # an ellipsoid that is symmetric to the plane touches in it


@given(ellipses, place, place, st.floats(-1.0, 1.0), st.floats(0.0, 6.3))
def test_what_does_not_touch_is_at_least_so_far_away(ellipse, p, q, share, direction):
    """Moved by less than the gap, in any direction, it still does not touch."""
    assume(apart(p, q))
    depth, *_ = touch(ellipse, p, q)
    assume(depth < -1e-6)
    way = 0.999 * depth * share * np.array([np.cos(direction), np.sin(direction)])
    moved = Ellipse(ellipse.semi_axes, tuple(np.array(ellipse.centre) + way), ellipse.angle)
    assert line_contact(moved, p, q, crossed=True) is None


@given(ellipses, place, place)
def test_it_comes_closest_along_the_normal(ellipse, p, q):
    """A small way against the normal takes away of the gap, unless another one is as large."""
    assume(apart(p, q))
    depth, _, normal, _ = touch(ellipse, p, q)
    assume(depth < -1e-3)
    way = 1e-6 * normal
    nearer = Ellipse(ellipse.semi_axes, tuple(np.array(ellipse.centre) - way), ellipse.angle)
    assert np.linalg.norm(normal) == pytest.approx(1.0)
    left, _, then, _ = touch(nearer, p, q)
    if then == pytest.approx(normal, abs=1e-3):
        assert left > depth
    else:
        assert left >= depth - 1e-12


@given(st.floats(0.0, 3.0), st.floats(0.0, 3.0), st.floats(-0.2, 1.2), st.floats(-0.3, 0.3))
def test_the_shadow_of_a_turned_ellipsoid(one, two, x, z):
    """Out of the plane too: no point of the solid below the line, at the bottom point, is deeper."""
    axes = np.array([0.3, 0.1, 0.2])
    c, s = np.cos(two), np.sin(two)
    turn = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]) @ turned(one)
    depth, at, across, *normal = strip.touch(tuple(axes), tuple(turn.ravel()), (x, 0.0, z), 1.0, np.int64(0))
    assume(depth > 1e-3)
    assert normal == [0.0, 1.0]
    # the deepest point lies on the ellipsoid, and its normal there has no part along y
    local = turn.T @ (np.array([at, across, -depth]) - np.array([x, 0.0, z]))
    assert np.sum((local / axes) ** 2) == pytest.approx(1.0, abs=1e-7)
    assert (turn @ (local / axes**2))[1] == pytest.approx(0.0, abs=1e-5)


FRONT = ((0.0, 0.2), (0.0, 0.5), (-0.3, 0.7), (-1.2, 0.9))


def scene(**options):
    """A head before the front of a car that is carried by a driven body."""
    surface = Lines(
        "car", FRONT, segments=("bumper", "edge", "bonnet"), contact=Contact(stiffness=1e5), carrier="cart", **options
    )
    head = Body("head", 4.0, (0.02, 0.02, 0.02), (Ellipsoid((0.1, 0.07, 0.12)),))
    cart = Body("cart", 1.0, (1.0, 1.0, 1.0))
    joints = (Joint("head", "free", None, "head"), Joint("drive", "rigid", None, "cart", point_parent=(0.5, 0.0, 0.1)))
    return System((head, cart), joints, (surface,))


def state_of(system, position):
    compiled = compile_system(system)
    state = initial_state(compiled, Configuration({"head": (*position, 1.0, 0.0, 0.0, 0.0)}))
    work = make_work(compiled)
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    return compiled, work.pair


def test_lines_of_a_carried_profile():
    """Every line is a contact of its own, in the frame of the body that carries it, as the reference has it."""
    position = np.array([0.22, 0.0, 0.88])
    compiled, pair = state_of(scene(), position)
    assert [other for _, other in compiled.pairs] == ["car.bumper", "car.edge", "car.bonnet"]
    # the reference has the solid on the right of a line, a profile has it on the left: from Q to P
    points = np.array(FRONT) + np.array([0.5, 0.1])
    touching = 0
    for k in range(3):
        found = line_contact(
            Ellipse((0.1, 0.12), (position[0], position[2])), tuple(points[k + 1]), tuple(points[k]), crossed=True
        )
        assert (found is None) == (pair[k, layout.pair.DEPTH] <= 0.0)
        if found is not None:
            touching += 1
            assert pair[k, layout.pair.DEPTH] == pytest.approx(found.depth)
            x, y, z = pair[k, layout.pair.POINT : layout.pair.POINT + 3]
            assert (x, y, z) == pytest.approx((found.bottom[0], 0.0, found.bottom[1]))
            nx, ny, nz = pair[k, layout.pair.NORMAL : layout.pair.NORMAL + 3]
            assert (nx, ny, nz) == pytest.approx((found.normal[0], 0.0, found.normal[1]))
    assert touching == 2


def test_thickness_moves_the_line_out():
    thin, thick = scene(), scene()
    thick = thick.replace(
        surfaces=(Lines("car", FRONT, contact=Contact(stiffness=1e5, thickness=0.01), carrier="cart"),)
    )
    position = (0.5 + 0.08, 0.0, 0.45)  # before the bumper
    depths = [state_of(system, position)[1][0, layout.pair.DEPTH] for system in (thin, thick)]
    assert depths == pytest.approx([0.02, 0.03])


def test_what_lines_refuse():
    with pytest.raises(InputError, match="tangent is 'best'; accepted: outer, nearest"):
        Lines("car", FRONT, tangent="best")
    with pytest.raises(InputError, match="lines have no backing"):
        Lines("car", FRONT, backing=0.1)
    with pytest.raises(InputError, match="segment 2 crosses or touches 0"):
        Lines("car", ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (-1.0, 0.5)))
    box = scene()
    box = box.replace(bodies=(Body("head", 4.0, (0.02, 0.02, 0.02), (Box((0.1, 0.1, 0.1)),)), box.body("cart")))
    with pytest.raises(InputError, match="its lines touch ellipsoids, and 'head' has a shape of the kind box"):
        compile_system(box)
