"""The detection tests of the sources, against each other, an optimiser and the engine's kernel."""

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.lab.bench.ellipsoid_tests import engine_gap
from vitruvian.lab.impact import detection
from vitruvian.lab.impact.detection import Placed
from vitruvian.lab.verify.ellipsoid_contact import random_pair


@pytest.mark.parametrize("gap", [1.0, 1e-3, -1e-3, -1.0])
def test_two_spheres(gap):
    a, b = Placed((1.0,) * 3), Placed((2.0,) * 3, (0.0, 3.0 + gap, 0.0))
    assert detection.wang(a, b).apart == (gap > 0.0)
    assert detection.eberly(a, b) == (gap > 0.0)
    assert detection.eberly_walk(a, b)[0] == (gap > 0.0)
    found, direction = detection.signed_gap(a, b)
    assert found == pytest.approx(gap, abs=1e-12)
    assert direction == pytest.approx([0.0, 1.0, 0.0], abs=1e-6)


def test_roots_of_two_unit_spheres_are_those_of_the_polynomial():
    """At the distance d: (lambda + 1)^2 (lambda^2 + (2 - d^2) lambda + 1) = 0, the roots 1 where they touch."""
    for d in (2.5, 3.0, 10.0):
        expected = np.sort(np.roots([1.0, 2.0 - d * d, 1.0]))
        assert detection.wang(Placed((1.0,) * 3), Placed((1.0,) * 3, (d, 0.0, 0.0))).roots == pytest.approx(expected)


def test_a_solid_inside_the_other_is_not_apart():
    a, b = Placed((3.0, 2.0, 2.0)), Placed((0.2, 0.1, 0.3), (0.5, 0.2, 0.0))
    for one, other in ((a, b), (b, a)):
        assert not detection.wang(one, other).apart
        assert not detection.eberly(one, other)
        assert not detection.eberly_walk(one, other)[0]
        assert detection.separating_plane(one, other) is None
        assert detection.point_to_point(one, other) == 0.0


def test_separating_plane_of_spheres_lies_between_them():
    normal, level = detection.separating_plane(Placed((1.0,) * 3), Placed((2.0,) * 3, (5.0, 0.0, 0.0)))
    assert normal == pytest.approx([1.0, 0.0, 0.0])
    assert 1.0 < level < 3.0


def test_the_optimiser_and_the_engine_agree_and_do_not_depend_on_the_frame():
    rng = np.random.default_rng(7)
    for _ in range(8):
        a, b = random_pair(rng)
        gap, direction = detection.signed_gap(a, b)
        assert engine_gap(a, b) == pytest.approx(gap, abs=1e-9)
        assert detection.signed_gap(b, a)[0] == pytest.approx(gap, abs=1e-9)
        # the shapes moved by the gap touch
        b.centre = b.centre - gap * direction
        assert engine_gap(a, b) == pytest.approx(0.0, abs=1e-6)


def test_point_to_point_is_never_too_small_and_gets_better():
    a, b = Placed((0.3, 0.5, 0.2)), Placed((0.4, 0.2, 0.3), (1.0, 0.3, 0.2))
    gap, _ = detection.signed_gap(a, b)
    errors = [detection.point_to_point(a, b, number) - gap for number in (100, 1000, 10_000)]
    assert min(errors) >= 0.0
    assert errors[0] > errors[1] > errors[2]


def test_sampled_points_lie_on_the_surface_and_their_areas_add_up():
    shape = Placed((0.2, 0.3, 0.1), (1.0, 0.0, 0.0), (0.8, 0.6, 0.0, 0.0))
    assert abs(shape.value(shape.points(500))).max() < 1e-12
    # a plane far above: every depth is the plane's height over the point, its mean that over the centre
    sphere = Placed((0.5,) * 3)
    found = detection.sampled_depth(sphere, (0.0, 0.0, 2.0), (0.0, 0.0, 3.0), 2000)
    assert found.even == pytest.approx(2.0 * np.pi, rel=1e-6)
    assert found.inside == 2000


def test_plane_depth_is_the_limit_of_sampled_points():
    shape = Placed((0.2, 0.3, 0.1), (0.0, 0.0, 0.15), (0.8, 0.6, 0.0, 0.0))
    exact = detection.plane_depth(shape, (0.0, 0.0, 0.0), (0.1, 0.0, 1.0))
    assert 0.0 <= exact - detection.sampled_depth(shape, (0.0, 0.0, 0.0), (0.1, 0.0, 1.0), 100_000).depth < 1e-4


def test_bad_input():
    with pytest.raises(InputError, match="greater than zero"):
        Placed((1.0, 0.0, 1.0))
    with pytest.raises(InputError, match="finite"):
        Placed((1.0, 1.0, 1.0), (0.0, float("nan"), 0.0))
    with pytest.raises(InputError, match="zero vector"):
        detection.sampled_depth(Placed((1.0,) * 3), (0.0,) * 3, (0.0,) * 3, 100)
    with pytest.raises(InputError, match="3 points"):
        Placed((1.0,) * 3).points(3)
