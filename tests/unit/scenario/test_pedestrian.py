"""The planar pedestrian: segments between their joints, masses elsewhere, pairs as one, two scalings."""

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitruvian.errors import InputError
from vitruvian.human import human, pedestrian11, place
from vitruvian.human.added import Added
from vitruvian.human.flexibility import flexindex_ratio
from vitruvian.human.pedestrian11 import CHAIN, PAIRED, TREE, planar_segments, segment_scaled
from vitruvian.lab.formulations.planar import pedestrian_constraints
from vitruvian.model import Configuration
from vitruvian.model.pose import centre_of_mass, lowest_distance, segment_poses

PEOPLE = [{"preset": "5F"}, {"preset": "95M"}, {"preset": "6YO"}, {"sex": "female", "age": 75, "percentile": 50}]


@pytest.fixture(params=PEOPLE, ids=str)
def who(request):
    return request.param


def standing(person):
    """Poses of a person that stands on the ground."""
    return segment_poses(person.system, place(person))


def test_eleven_segments_ten_hinges_thirteen_freedoms(who):
    system = pedestrian11(**who).system
    assert [body.name for body in system.bodies] == list(CHAIN)
    assert sorted(joint.name for joint in system.joints) == sorted([*TREE, "root"])
    assert sum(joint.dof for joint in system.joints) == 13
    assert {joint.type for joint in system.joints if joint.name != "root"} == {"revolute"}


def test_it_weighs_and_balances_as_the_whole_person(who):
    """Same mass, centre of mass, and moment of inertia about the axis across the plane."""
    whole, flat = human(**who), pedestrian11(**who)
    poses = [standing(person) for person in (whole, flat)]
    assert flat.system.mass == pytest.approx(whole.system.mass)
    centres = [centre_of_mass(p.system, pose) for p, pose in zip((whole, flat), poses, strict=True)]
    assert centres[1][[0, 2]] == pytest.approx(centres[0][[0, 2]], abs=1e-3)  # the soles are not quite the same
    about = [
        sum(
            body.inertia[1, 1] + body.mass * np.sum((pose[body.name][0] - centre)[[0, 2]] ** 2)
            for body in person.system.bodies
        )
        for person, pose, centre in zip((whole, flat), poses, centres, strict=True)
    ]
    assert about[1] == pytest.approx(about[0])


def test_ellipses_lie_between_the_joints_and_the_mass_elsewhere(who):
    """Fig. 3: the ends of the long axis are the joints; the centre of mass is off the centre."""
    person = pedestrian11(**who)
    poses = standing(person)
    ends = {
        name: poses[child][0] + np.array(person.system.joint(name).point_child) for name, (_, child) in TREE.items()
    }
    off = 0
    for name, (first, last) in CHAIN.items():
        shape = person.system.body(name).shapes[0]
        centre = poses[name][0] + np.array(shape.offset)
        tip = shape.turn @ np.array([0.0, 0.0, shape.semi_axes[2]])
        for joint, sign in ((first, -1.0), (last, 1.0)):
            if joint is not None:
                assert centre + sign * tip == pytest.approx(ends[joint], abs=1e-12)
        off += np.linalg.norm(shape.offset) > 1e-3
    assert off >= 9
    assert ends["shoulder"][2] < ends["lower_neck"][2]  # its own place on the thorax
    # the vertex is the top, the soles stand on the floor, both of them
    head, foot = person.system.body("head"), person.system.body("foot")
    assert poses["head"][0][2] + head.shapes[0].offset[2] + head.shapes[0].semi_axes[2] == pytest.approx(person.height)
    for shape in foot.shapes:
        sole = poses["foot"][0][2] + shape.offset[2] - shape.reach(shape.turn.T @ np.array([0.0, 0.0, 1.0]))
        assert sole == pytest.approx(0.0, abs=1e-9)


WOMAN = pedestrian11(preset="5F")


@given(st.lists(st.floats(-3.0, 3.0), min_size=11, max_size=11), st.floats(-2.0, 2.0))
def test_the_constraints_of_the_paper_are_closed_in_every_posture(angles, height):
    """Eqs 4 to 15 with E109 and E110 corrected, for any angle of every hinge and of the whole."""
    coordinates = {name: (angle,) for name, angle in zip(TREE, angles, strict=False)}
    poses = segment_poses(WOMAN.system, Configuration({**coordinates, "root": (0.3, height, angles[-1])}))
    parts = planar_segments(WOMAN.dimensions)
    # in the plane x, -z, in which angles about y are counter-clockwise
    centre = np.array([poses[name][0][[0, 2]] * (1.0, -1.0) for name in CHAIN])
    axis = [poses[name][1] @ np.array([part.direction[0], 0.0, part.direction[1]]) for name, part in parts.items()]
    phi = [np.arctan2(-z, x) for x, _, z in axis]
    shoulder = parts["thorax"].local((WOMAN.dimensions.place["shoulder"][0], WOMAN.dimensions.place["shoulder"][2]))
    closed = pedestrian_constraints(
        np.concatenate([centre[:, 0], centre[:, 1], phi]),
        np.array([part.half_length for part in parts.values()]),
        np.array([part.offset for part in parts.values()]),
        np.array(shoulder),
    )
    assert abs(closed).max() < 1e-12


def test_pairs_have_twice_the_mass_and_the_stiffness():
    whole, flat = human(preset="50M"), pedestrian11(preset="50M")
    assert flat.system.body("thigh").mass == pytest.approx(2.0 * whole.system.body("right_thigh").mass)
    assert flat.system.body("thigh").shapes[0].stiffness == 2.0 * whole.system.body("right_thigh").shapes[0].stiffness
    for name in TREE:
        side = "right_" if name in PAIRED else ""
        one, hinge = whole.system.joint(side + name).resistance, flat.system.joint(name).resistance
        number = 2.0 if side else 1.0
        assert hinge.law == "coordinate"
        assert hinge.stiffness[0] == pytest.approx(number * one.stiffness[1])
        assert hinge.stiffness_plus[0] == pytest.approx(number * one.stiffness_plus[1])
        assert hinge.damping[0] == pytest.approx(number * one.damping[1])
        assert (hinge.limit_minus[0], hinge.limit_plus[0]) == (one.limit_minus[1], one.limit_plus[1])


def test_scaling_by_segments_is_that_of_the_paper():
    """Mass k^3, inertia k^5, lengths and depth k, joined at the joints; the mass does not follow the person (E121)."""
    small = human(preset="5F").dimensions
    average = human(sex="female", age=30, percentile=50).dimensions
    scaled = segment_scaled(small)
    for name in small.masses:
        k = small.length[name] / average.length[name]
        assert scaled.masses[name] == pytest.approx(k**3 * average.masses[name])
        assert scaled.moments[name] == pytest.approx(k**5 * average.moments[name])
        assert scaled.semi_axes[name][0] == pytest.approx(k * average.semi_axes[name][0])
        part, reference = planar_segments(scaled)[name], planar_segments(average)[name]
        if name != "foot":
            assert part.half_length == pytest.approx(k * reference.half_length)
            assert part.offset == pytest.approx(np.array(reference.offset) * k, abs=1e-12)
    assert scaled.place == small.place
    whole = pedestrian11(preset="5F", scaling="segments")
    assert whole.system.mass == pytest.approx(scaled.mass)
    assert abs(whole.system.mass - small.mass) > 1.0


def test_the_average_adult_is_not_changed_by_scaling():
    average = human(sex="male", age=30, percentile=50).dimensions
    assert segment_scaled(average).masses == pytest.approx(average.masses)
    assert segment_scaled(average).centre["thorax"] == pytest.approx(average.centre["thorax"])


@given(st.floats(5.0, 90.0), st.sampled_from(["male", "female"]))
def test_flexindex_scales_all_ranges(age, sex):
    size = {"height": 1.70, "mass": 70.0, "sex": sex} if age >= 18.0 else {"percentile": 50, "sex": sex}
    scaled = pedestrian11(age=age, flexibility="flexindex", **size)
    plain = pedestrian11(age=age, flexibility="reference", **size)
    for name in TREE:
        one, other = (person.system.joint(name).resistance for person in (scaled, plain))
        assert one.limit_plus[0] == pytest.approx(flexindex_ratio(age, sex) * other.limit_plus[0])


@pytest.mark.parametrize("heading", [0.0, pi, 0.7])
def test_it_stands_in_the_plane_of_its_heading(heading):
    person = pedestrian11(preset="50M", heading=heading)
    ahead = np.array([np.cos(heading), np.sin(heading), 0.0])
    poses = segment_poses(person.system, place(person, position=tuple(0.5 * ahead[:2])))
    assert lowest_distance(person.system, poses, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)) == pytest.approx(0.0, abs=1e-12)
    assert poses["pelvis"][0][:2] == pytest.approx(0.5 * ahead[:2])
    toes = poses["foot"][0] - poses["shank"][0]
    assert toes @ ahead > 0.04
    assert abs(toes @ np.array([-ahead[1], ahead[0], 0.0])) < 1e-12


def test_a_posture_in_the_plane():
    """Of a pair the mean of both sides; a walking person stands with its lumped legs together."""
    person = pedestrian11(preset="50M")
    start = place(person, {"joints": {"right_hip": {"flexion": "30 deg"}, "left_hip": {"flexion": "10 deg"}}})
    assert start.coordinates["hip"][0] == pytest.approx(-np.radians(20.0))
    moving = place(person, velocity=(1.0, 0.0, 0.5), angular_velocity=(0.0, 2.0, 0.0))
    assert moving.rates["root"][2] == pytest.approx(2.0)


def test_added_masses():
    """A backpack is there once, a shoe twice, and one shoe once."""
    bare = pedestrian11(preset="50M").system.mass
    for one, more in ((Added("thorax", 5.0), 5.0), (Added("foot", 0.5), 1.0), (Added("left_foot", 0.5), 0.5)):
        assert pedestrian11(preset="50M", added=[one]).system.mass - bare == pytest.approx(more)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scaling": "height"}, "scaling.*accepted: build, segments"),
        ({"joints": "silva"}, "cones are not hinges"),
        ({"flexibility": "young"}, "flexibility"),
        ({"age": 1}, "age"),
    ],
)
def test_bad_input(options, words):
    with pytest.raises(InputError, match=words):
        pedestrian11(**{"height": 1.8, "mass": 80, **options})


def test_what_leaves_the_plane_is_refused():
    person = pedestrian11(preset="50M")
    for wrong in ({"position": (0.0, 1.0)}, {"velocity": (0.0, 1.0, 0.0)}, {"angular_velocity": (1.0, 0.0, 0.0)}):
        with pytest.raises(InputError, match="leaves the plane"):
            place(person, **wrong)
    with pytest.raises(InputError, match="another"):
        place(person, heading=1.0)
    with pytest.raises(InputError, match="leaves the plane"):
        place(person, {"orientation": {"roll": "10 deg"}})
