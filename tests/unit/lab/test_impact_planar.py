"""An ellipse against the lines of a polygon in the plane."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vitruvian.errors import InputError
from vitruvian.lab.impact import ellipse_polyline
from vitruvian.lab.impact.ellipse_polyline import Ellipse, line_contact, polyline_contacts

place = st.tuples(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5))
ellipses = st.builds(Ellipse, st.tuples(st.floats(0.05, 1.0), st.floats(0.05, 1.0)), place, st.floats(-4.0, 4.0))


def apart(p, q):
    return np.hypot(q[0] - p[0], q[1] - p[1]) > 0.05


@given(ellipses, place, place)
def test_depth_point_and_bottom(ellipse, p, q):
    assume(apart(p, q))
    found = line_contact(ellipse, p, q)
    assume(found is not None)
    # the point lies on the ellipse, below the bottom point by the depth along the normal
    assert np.array([*found.point, 1.0]) @ ellipse.matrix @ np.array([*found.point, 1.0]) == pytest.approx(
        0.0, abs=1e-6
    )
    assert found.bottom - found.depth * found.normal == pytest.approx(found.point, abs=1e-9)
    assert 0.0 <= found.place <= 1.0
    assert found.normal @ (np.array(q) - np.array(p)) == pytest.approx(0.0, abs=1e-12)


@given(ellipses, place, place, st.booleans())
def test_the_tangent_is_tangent_and_the_penetration_is_the_distance(ellipse, p, q, nearest):
    """Away from the ends: the parallel through C meets the ellipse in C alone, and lies as far off as the depth."""
    assume(apart(p, q))
    found = line_contact(ellipse, p, q, nearest=nearest)
    assume(found is not None and not found.edge)
    along = np.array(q) - np.array(p)
    tangent = (tuple(found.point), tuple(found.point + along))
    value, roots = ellipse_polyline.discriminant(ellipse, *tangent)
    scale = ellipse_polyline.discriminant(ellipse, tuple(ellipse.centre), tuple(np.array(ellipse.centre) + along))[0]
    assert abs(value) < 1e-9 * scale
    assert all(abs(t) < 1e-3 for t in roots)
    normal = np.array([-along[1], along[0]]) / np.hypot(*along)
    assert abs(normal @ (found.point - np.array(p))) == pytest.approx(found.depth, abs=1e-9)
    # of the two parallel tangents the nearer one
    other = ellipse.support(found.normal)
    if nearest:
        assert found.depth <= abs(normal @ (other - np.array(p))) + 1e-9


@given(ellipses, place, place)
def test_depth_is_the_deepest_place_of_the_line(ellipse, p, q):
    """The edge rule: along the line, the ellipse reaches deepest below the bottom point."""
    assume(apart(p, q))
    found = line_contact(ellipse, p, q)
    start, along = np.array(p), np.array(q) - np.array(p)
    normal = np.array([-along[1], along[0]]) / np.hypot(*along)
    deepest = max(ellipse_polyline._below(ellipse, start + t * along, normal)[0] for t in np.linspace(0.0, 1.0, 21))
    if found is None:
        assert deepest <= 1e-9
    else:
        assert found.depth >= deepest - 1e-9


@given(ellipses, place, place)
def test_the_discriminant_says_the_same(ellipse, p, q):
    assume(apart(p, q))
    value, roots = ellipse_polyline.discriminant(ellipse, p, q)
    assume(abs(value) > 1e-6)
    assume(all(abs(t - end) > 1e-6 for t in roots for end in (0.0, 1.0)))
    crossed = value > 0.0 and roots[0] < 1.0 and roots[1] > 0.0
    found = line_contact(ellipse, p, q, nearest=True)
    assert found is not None or not crossed
    assert found is None or value > 0.0


def test_the_printed_quadric_is_that_of_the_ellipse_turned_the_other_way():
    """E113: R^T A R puts the ellipse elsewhere; its inverse puts its points on the quadric."""
    ellipse = Ellipse((0.5, 0.2), (0.3, -0.4), 0.7)
    x = np.array([*(np.array(ellipse.centre) + ellipse.turn @ np.array([0.5, 0.0])), 1.0])
    move = np.eye(3)
    move[:2, :2], move[:2, 2] = ellipse.turn, ellipse.centre
    printed = move.T @ np.diag([4.0, 25.0, -1.0]) @ move
    assert x @ ellipse.matrix @ x == pytest.approx(0.0, abs=1e-12)
    assert abs(x @ printed @ x) > 1.0


def test_the_nearer_tangent_turns_the_force_round_when_the_centre_crosses():
    for height, sign in ((0.05, 1.0), (-0.05, -1.0)):
        ellipse = Ellipse((0.5, 0.2), (0.5, height))
        ours, paper = (line_contact(ellipse, (0.0, 0.0), (1.0, 0.0), nearest=rule) for rule in (False, True))
        assert ours.normal[1] == 1.0
        assert ours.depth == pytest.approx(0.2 - height)
        assert paper.normal[1] == sign
        assert paper.depth == pytest.approx(0.15)


def test_a_polygon_is_taken_line_by_line():
    bumper = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]  # a step: solid below the first and right of the second line
    found = polyline_contacts(Ellipse((0.3, 0.3), (0.8, 0.2)), bumper)
    assert [contact.line for contact in found] == [0, 1]
    assert found[0].depth == pytest.approx(0.1)
    assert found[1].depth == pytest.approx(0.1)
    assert found[1].normal == pytest.approx([-1.0, 0.0])
    assert polyline_contacts(Ellipse((0.3, 0.3), (-0.8, 2.0)), bumper) == ()


def test_load_pushes_out_and_rubs_against_the_slip():
    found = line_contact(Ellipse((0.5, 0.2), (0.6, 0.15)), (0.0, 0.0), (1.0, 0.0))
    force, moment = found.load(100.0, 0.3, 2.0, (0.6, 0.15))
    assert force == pytest.approx([-30.0, 100.0])
    assert moment == pytest.approx(-0.15 * 30.0)  # r x F with r straight down


def test_bad_input():
    with pytest.raises(InputError, match="greater than zero"):
        Ellipse((0.0, 1.0))
    with pytest.raises(InputError, match="finite"):
        Ellipse((1.0, 1.0), (float("nan"), 0.0))
    with pytest.raises(InputError, match="line 3: P and Q are the same"):
        line_contact(Ellipse((1.0, 1.0)), (0.0, 0.0), (0.0, 0.0), line=3)
    with pytest.raises(InputError, match="no line"):
        polyline_contacts(Ellipse((1.0, 1.0)), [(0.0, 0.0)])
