"""The person built from height and mass: masses, sizes, inertia, joints, and what is refused."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from vitruvian import data
from vitruvian.errors import InputError
from vitruvian.human import Human, human, place
from vitruvian.human.mass import mass_regression
from vitruvian.model import Ellipsoid, System
from vitruvian.model.pose import Pose, centre_of_mass, lowest_distance, segment_poses

# spicka2020 Table 4.2 [kg]; the heading of its third column repeats 100 kg, 200 cm
TABLE_42 = {
    (1.80, 80.0): [9.1, 13.1, 12.6, 0.7, 4.5, 2.2, 1.3, 0.5, 11.5, 3.5, 1.1],
    (2.00, 100.0): [12.1, 16.3, 15.2, 0.8, 5.1, 2.7, 1.5, 0.6, 14.7, 4.4, 1.4],
    (1.50, 50.0): [4.7, 8.4, 8.8, 0.6, 3.7, 1.3, 0.8, 0.3, 6.7, 2.1, 0.7],
}

# link of a spring along the body -> parent of its joint, and the segment that slides on it
LINKS = {
    "lumbar_link": ("pelvis", "abdomen"),
    "left_knee_link": ("left_thigh", "left_shank"),
    "right_knee_link": ("right_thigh", "right_shank"),
}

bodies_of_people = st.tuples(st.floats(1.45, 2.10), st.floats(15.0, 45.0))


def build(size: tuple[float, float], **options: str) -> Human:
    height, bmi = size
    mass = bmi * height**2
    assume(40.0 <= mass <= 160.0 and 15.0 <= mass / height**2 <= 45.0)
    return human(height, mass, **options)  # type: ignore[arg-type]


def standing(person: Human) -> dict[str, Pose]:
    return segment_poses(person.system, place(person, "standing"))


def whole_inertia(system: System, poses: dict[str, Pose]) -> np.ndarray:
    """About the centre of mass of the whole body, world axes [kg m2]."""
    centre = centre_of_mass(system, poses)
    total = np.zeros((3, 3))
    for body in system.bodies:
        position, turn = poses[body.name]
        arm = position - centre
        total += turn @ body.inertia @ turn.T + body.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return total


# masses


@pytest.mark.parametrize("size", [(1.80, 80.0), (2.00, 100.0)])
def test_masses_of_the_thesis_to_the_printed_digit(size: tuple[float, float]) -> None:
    got = [round(mass, 1) for mass in mass_regression(*size).values()]
    assert got == TABLE_42[size]


def test_masses_of_the_small_body_in_eight_of_eleven_rows() -> None:
    """Arm, forearm and calf are printed as 1.3, 0.8 and 2.1 where the coefficients give 1.35, 0.87 and 2.03."""
    got = mass_regression(1.50, 50.0)
    wrong = [
        segment
        for (segment, mass), printed in zip(got.items(), TABLE_42[1.50, 50.0], strict=True)
        if round(mass, 1) != printed
    ]
    assert wrong == ["upper_arm", "forearm", "shank"]
    assert (got["upper_arm"], got["forearm"], got["shank"]) == pytest.approx((1.3515, 0.87, 2.031))


def test_remainder_is_reported_and_distributed_in_proportion() -> None:
    person = human(1.80, 80)
    table = person.mass_table()
    assert person.mass_remainder == pytest.approx(-0.1762)
    assert sum(row.number * row.by_law for row in table) + person.mass_remainder == pytest.approx(80.0, abs=1e-12)
    assert np.ptp([row.mass / row.by_law for row in table]) < 1e-15
    assert human(1.80, 80, mass_law="fractions").mass_remainder == pytest.approx(0.0, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(bodies_of_people, st.sampled_from(["zatsiorsky", "fractions"]))
def test_mass_is_the_one_asked_for(size: tuple[float, float], law: str) -> None:
    person = build(size, mass_law=law)
    assert abs(person.system.mass - person.mass) <= 1e-13 * person.mass
    assert all(body.mass > 0.0 for body in person.system.bodies)


def test_a_link_takes_its_mass_from_the_segment_that_slides_on_it() -> None:
    rigid, compliant = (human(1.80, 80, axial=axial).system for axial in ("rigid", "compliant"))
    for link, (_, segment) in LINKS.items():
        assert compliant.body(segment).mass + compliant.body(link).mass == pytest.approx(rigid.body(segment).mass)
        assert compliant.body(link).mass == pytest.approx(0.05 * rigid.body(segment).mass)
    for body in rigid.bodies:
        if body.name not in {segment for _, segment in LINKS.values()}:
            assert compliant.body(body.name).mass == body.mass


# sizes


@settings(max_examples=40, deadline=None)
@given(bodies_of_people, st.sampled_from(["build", "height-only"]))
def test_standing_height_is_the_one_asked_for(size: tuple[float, float], geometry: str) -> None:
    person = build(size, geometry=geometry)
    poses = standing(person)
    top = -lowest_distance(person.system, poses, (0.0, 0.0, 0.0), (0.0, 0.0, -1.0))
    bottom = lowest_distance(person.system, poses, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert abs(top - bottom - person.height) < 1e-3
    assert top == pytest.approx(poses["head"][0][2] + person.dimensions.semi_axes["head"][2])


@settings(max_examples=40, deadline=None)
@given(bodies_of_people)
def test_volume_times_density_is_mass_for_any_build(size: tuple[float, float]) -> None:
    person = build(size, axial="rigid")  # a link takes a part of the mass of its segment
    geometry = data.values("segment_geometry")
    for body in person.system.bodies:
        plain = body.name.removeprefix("left_").removeprefix("right_")
        volume = Ellipsoid(person.dimensions.semi_axes[plain]).volume
        assert volume * geometry[plain]["density"] == pytest.approx(body.mass, rel=1e-12)


def test_height_only_scales_every_dimension_alike() -> None:
    small, tall = (human(height, 70, geometry="height-only") for height in (1.60, 1.92))
    for segment in small.segments:
        one, other = small.system.body(segment), tall.system.body(segment)
        assert np.array(other.shapes[0].semi_axes) / one.shapes[0].semi_axes == pytest.approx(1.2, rel=1e-12)


def test_foot_keeps_its_length_when_the_body_is_heavier() -> None:
    light, heavy = (human(1.80, mass).dimensions.semi_axes["foot"] for mass in (60, 110))
    assert light[0] == heavy[0] and light[2] == heavy[2] and light[1] < heavy[1]


def overlap(person: Human, joint: str, poses: dict[str, Pose]) -> float:
    """The Perram-Wertheim contact function of the two ellipsoids at a joint [-]; below 1 they overlap."""
    connected = person.system.joint(joint)
    matrices, centres = [], []
    for name in (connected.parent, connected.child):
        position, turn = poses[str(name)]
        axes = np.array(person.dimensions.semi_axes[str(name).removeprefix("left_").removeprefix("right_")])
        matrices.append(turn @ np.diag(axes**2) @ turn.T)
        centres.append(position)
    apart = centres[1] - centres[0]
    first, second = matrices
    shares = np.linspace(0.001, 0.999, 200)
    return max(float(s * (1 - s) * apart @ np.linalg.solve((1 - s) * first + s * second, apart)) for s in shares)


@pytest.mark.parametrize(("height", "mass"), [(1.80, 80), (1.50, 50), (1.75, 110), (2.05, 65)])
def test_neighbouring_ellipsoids_overlap(height: float, mass: float) -> None:
    person = human(height, mass, axial="rigid")
    poses = standing(person)
    slender = (
        mass / height**2 < 22.0
    )  # the ribs of a slender body do not reach the arm; the shoulder girdle has no shape
    for joint in person.system.joints[1:]:
        if not (slender and joint.name.endswith("shoulder")):
            assert overlap(person, joint.name, poses) < 1.0, joint.name


@pytest.mark.parametrize("age", [2, 3, 6, 10, 14, 17, 35, 80])
@pytest.mark.parametrize("sex", ["male", "female"])
def test_neighbouring_ellipsoids_of_any_age_overlap(sex: str, age: float) -> None:
    person = human(sex=sex, age=age, percentile=50, axial="rigid")
    poses = standing(person)
    for joint in person.system.joints[1:]:
        if not joint.name.endswith("shoulder"):
            assert overlap(person, joint.name, poses) < 1.0, joint.name


# the whole body


def test_centre_of_mass_and_inertia_of_the_whole_body() -> None:
    """The known human range: centre of mass at 0.548 of the height; about y, z, x 12.7, 0.96, 13.2 kg m2."""
    person = human(1.80, 80)
    poses = standing(person)
    centre = centre_of_mass(person.system, poses)
    assert centre[2] / person.height == pytest.approx(0.548, abs=0.001)
    assert centre[1] == pytest.approx(0.0, abs=1e-15)
    inertia = whole_inertia(person.system, poses)
    assert inertia.diagonal() == pytest.approx([13.2, 12.7, 0.96], rel=0.01)


def test_centre_of_mass_of_a_segment_is_not_the_middle_of_its_joints() -> None:
    system = human(1.80, 80).system
    upper, lower = system.joint("left_hip").point_child[2], system.joint("left_knee").point_parent[2]
    assert upper == pytest.approx(0.105 * 1.80) and lower == pytest.approx(-0.135 * 1.80)


def test_ankle_lies_behind_the_centre_of_the_foot() -> None:
    assert human(1.80, 80).system.joint("right_ankle").point_child[0] == pytest.approx(-0.034 * 1.80)


@settings(max_examples=20, deadline=None)
@given(bodies_of_people, st.sampled_from(["spherical", "revolute"]))
def test_left_is_the_mirror_image_of_right(size: tuple[float, float], hinges: str) -> None:
    person = build(size, hinges=hinges)
    poses = standing(person)
    for segment in person.segments:
        if segment.startswith("left_"):
            right = segment.replace("left_", "right_")
            one, other = person.system.body(segment), person.system.body(right)
            assert one.mass == other.mass and (one.inertia == other.inertia).all() and one.shapes == other.shapes
            assert np.abs(poses[segment][0] * [1, -1, 1] - poses[right][0]).max() < 1e-15
    for joint in person.system.joints:
        if joint.name.startswith("left_"):
            twin = person.system.joint(joint.name.replace("left_", "right_"))
            assert joint.point_parent == (twin.point_parent[0], -twin.point_parent[1], twin.point_parent[2])
            assert joint.resistance is not None and twin.resistance is not None
            one, other = joint.resistance, twin.resistance
            keeps = (0, 1, 2) if joint.type == "revolute" else (1,)
            for axis in range(3):
                if axis in keeps:
                    assert (one.limit_minus[axis], one.limit_plus[axis]) == (
                        other.limit_minus[axis],
                        other.limit_plus[axis],
                    )
                else:
                    assert (one.limit_minus[axis], one.limit_plus[axis]) == (
                        -other.limit_plus[axis],
                        -other.limit_minus[axis],
                    )
                    assert one.stiffness_plus[axis] == other.stiffness_minus[axis]


# joints


@pytest.mark.parametrize(("axial", "sliding"), [("rigid", {}), ("compliant", LINKS)])
def test_tree_and_names(axial: str, sliding: dict[str, tuple[str, str]]) -> None:
    person = human(1.80, 80, axial=axial)
    system, (entry,) = person.system, person.system.roster.people
    assert len(person.segments) == len(entry.segments) == len(entry.joints) == 17
    assert len(system.bodies) == len(system.joints) == 17 + len(sliding) and entry.links == tuple(sliding)
    for link, (parent, child) in sliding.items():
        joint, slide = system.joint(link.removesuffix("_link")), system.joint(link.replace("_link", "_slide"))
        assert (joint.parent, joint.child, slide.parent, slide.child) == (parent, link, link, child)
        assert slide.type == ("prismatic" if parent == "pelvis" else "translational") and slide.name not in entry.joints
    assert system.joint("root").type == "free" and system.joint("root").child == "pelvis"
    parents = {joint.child: joint.parent for joint in system.joints}
    assert parents["head"] == "neck" and parents["neck"] == "thorax" and parents["thorax"] == "abdomen"
    assert parents["left_upper_arm"] == "thorax" and parents["left_hand"] == "left_forearm"
    assert parents["right_thigh"] == "pelvis" and parents["right_foot"] == "right_shank"
    assert [sensor.name for sensor in system.sensors] == ["head", "thorax", "pelvis", "T1", "T12"]
    assert {joint.name for joint in system.joints if joint.resistance and joint.resistance.law == "swing_twist"} == {
        "left_shoulder",
        "right_shoulder",
        "left_hip",
        "right_hip",
    }


def test_a_named_person_has_a_prefix() -> None:
    person = human(1.80, 80, name="anna")
    system = person.system
    assert all(item.name.startswith("anna.") for item in (*system.bodies, *system.joints, *system.sensors))
    assert system.joint("anna.left_knee").parent == "anna.left_thigh"
    assert system.joint("anna.root").parent is None
    assert "left_thigh" in person.segments
    both = human(1.80, 80, name="ben").system.merged(system)
    assert len(both.roster.people) == 2 and all(len(entry.segments) == 17 for entry in both.roster.people)
    assert {name for entry in both.roster.people for name in entry.bodies} == {body.name for body in both.bodies}


def test_hinges_keep_the_flexion_of_the_table() -> None:
    """Rotation about +y: the knee flexes to +138 degrees, the elbow to -145, on both sides."""
    system = human(1.80, 80, hinges="revolute").system
    for side in ("left", "right"):
        for joint, low, high in (("knee", -1, 138), ("elbow", -145, 1), ("ankle", -13, 55)):
            hinge = system.joint(f"{side}_{joint}")
            assert hinge.type == "revolute" and hinge.resistance is not None
            limits = (hinge.resistance.limit_minus[0], hinge.resistance.limit_plus[0])
            assert np.degrees(limits) == pytest.approx((low, high))
            assert hinge.resistance.stiffness_plus[1:] == (0.0, 0.0)
    assert sum(joint.type == "revolute" for joint in system.joints) == 6


def test_resistance_grows_with_the_body() -> None:
    one, other = (human(*size).system.joint("left_hip").resistance for size in ((1.80, 80), (1.98, 120)))
    assert one is not None and other is not None
    assert np.array(other.stiffness) / one.stiffness == pytest.approx(1.5)
    assert np.array(other.damping) / one.damping == pytest.approx(1.5 * 1.1)
    assert other.limit_plus == one.limit_plus


def test_joints_can_turn_freely() -> None:
    assert all(joint.resistance is None for joint in human(1.80, 80, joints=None).system.joints)


def test_tissue_stiffness_is_that_of_the_table() -> None:
    system = human(1.80, 80).system
    assert system.body("head").shapes[0].stiffness == 1e6
    assert system.body("left_foot").shapes[0].stiffness == 1.5e5


# inertia


def test_inertia_of_solid_ellipsoids() -> None:
    body = human(1.80, 80).system.body("left_thigh")
    a, b, c = body.shapes[0].semi_axes
    assert body.inertia.diagonal() == pytest.approx(
        body.mass / 5 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    )


def test_inertia_by_regression() -> None:
    """The thigh at 80 kg and 180 cm by hand; head and neck together have the moment of the source's head."""
    person = human(1.80, 80, inertia="zatsiorsky")
    system, scale = person.system, 80.0 / (80.0 - person.mass_remainder)
    by_hand = (-3690 + 32.02 * 80 + 19.24 * 180) * 1e-4
    assert system.body("left_thigh").inertia[1, 1] == pytest.approx(by_hand * scale)
    head, neck = system.body("head"), system.body("neck")
    apart = standing(person)["head"][0][2] - standing(person)["neck"][0][2]
    pair = head.inertia[1, 1] + neck.inertia[1, 1] + head.mass * neck.mass / (head.mass + neck.mass) * apart**2
    assert pair == pytest.approx((-112 + 1.43 * 80 + 1.73 * 180) * 1e-4 * scale)


def test_radii_of_gyration_agree_with_the_regression() -> None:
    """Two laws out of one set of measurements, at 1.80 m and 80 kg: head and neck within 8 %, all others within 6 %."""
    regression, radii = (human(1.80, 80, inertia=law).dimensions.moments for law in ("zatsiorsky", "deleva"))
    for segment, moments in regression.items():
        close = 0.08 if segment in ("head", "neck") else 0.06
        assert moments == pytest.approx(radii[segment], rel=close), segment


def test_inertia_of_a_woman_by_radii_of_gyration() -> None:
    """The thigh by hand: 36.9 % of 0.2124 of the stature about x."""
    body = human(1.66, 62, sex="female", inertia="deleva").system.body("left_thigh")
    assert body.inertia[0, 0] == pytest.approx(body.mass * (0.369 * 0.2124 * 1.66) ** 2)


@pytest.mark.parametrize(("height", "mass"), [(1.60, 60), (1.95, 60), (1.60, 100), (1.95, 100)])
def test_inertia_by_regression_is_physical_at_the_corners(height: float, mass: float) -> None:
    human(height, mass, inertia="zatsiorsky")  # the bodies check positive moments and the triangle inequality


# input


def test_units_in_text() -> None:
    assert human("180 cm", "80 kg").height == pytest.approx(1.80)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((180, 80), {}, 'human.height is 180 m; accepted 1.45 m to 2.10 m for adults. Did you mean "180 cm"?'),
        ((1800, 80), {}, 'Did you mean "1800 mm"?'),
        ((1.2, 40), {}, "human.height is 1.2 m; accepted 1.45 m to 2.10 m"),
        ((1.8, 20), {}, "human.mass is 20 kg; accepted 40 kg to 160 kg"),
        ((1.8, 176), {}, 'Did you mean "176 lb"?'),
        ((2.1, 45), {}, "body mass index of 10.2"),
        ((1.5, 150), {}, "accepted 15 to 45"),
        ((float("nan"), 80), {}, "finite"),
        ((1.8, "80 N"), {}, "human.mass"),
        ((2.05, 80), {"sex": "female"}, "human.height is 2.05 m; accepted 1.35 m to 2.00 m for women"),
        ((1.3, 40), {}, "For a child, give its age."),
        ((1.8, 80), {"sex": "mael"}, 'Did you mean "male"?'),
        ((1.8, 80), {"age": 8}, "human.height is 1.8 m; accepted 1.06 m to 1.52 m at 8 years."),
        ((1.28, 80), {"age": 8}, "human.mass is 80 kg; accepted 16.3 kg to 53.5 kg at 8 years."),
        ((1.8, 80), {"age": 1.5}, "Infants cannot stand"),
        ((1.8, 80), {"age": 91}, "accepted 2 to 90 years"),
        (
            (1.28, 26),
            {"age": 8, "mass_law": "zatsiorsky"},
            'a law of adults, and the person is 8 years old; use "by-age"',
        ),
        ((1.7, 70), {"sex": "female", "mass_law": "zatsiorsky"}, "the regression of men"),
        ((1.7, 70), {"sex": "female", "inertia": "zatsiorsky"}, "holds for men"),
        ((1.8, 80), {"mass_law": "zatsiorski"}, 'Did you mean "zatsiorsky"?'),
        ((1.8, 80), {"geometry": "height"}, "human.geometry"),
        ((1.8, 80), {"inertia": "box"}, "accepted: ellipsoid, zatsiorsky, deleva"),
        ((1.28, 26), {"age": 8, "inertia": "deleva"}, "radii of gyration of adults"),
        ((1.8, 110), {"inertia": "zatsiorsky"}, "60 kg to 100 kg"),
        ((1.8, 80), {"hinges": "hinge"}, "accepted: spherical, revolute"),
        ((1.8, 80), {"joints": "stiff"}, "recommended"),
        ((1.8, 80), {"name": "a.b"}, "without a dot"),
        ((180, 80), {"name": "anna"}, "human 'anna': height"),
    ],
)
def test_bad_input_says_what_is_accepted(arguments: tuple, options: dict, message: str) -> None:
    with pytest.raises(InputError) as error:
        human(*arguments, **options)
    assert message in str(error.value)


def test_age_of_an_adult_changes_joint_limits_only() -> None:
    aged, plain = human(1.80, 80, age=40), human(1.80, 80)
    assert aged.age == 40 and aged.flexibility == "age" and plain.flexibility == "reference"
    for one, other in zip(aged.system.bodies, plain.system.bodies, strict=True):
        assert one.mass == other.mass and (one.inertia == other.inertia).all() and one.shapes == other.shapes
    for one, other in zip(aged.system.joints, plain.system.joints, strict=True):
        assert one.point_parent == other.point_parent and one.point_child == other.point_child


def test_data_and_human_do_not_import_heavy_packages() -> None:
    code = (
        "import sys, vitruvian.human, vitruvian.data;"
        "print([m for m in ('scipy', 'xarray', 'pydantic', 'matplotlib', 'tomli_w') if m in sys.modules])"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )
