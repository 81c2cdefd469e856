"""What the page offers to change: bound to the scenario, and only what it has."""

import math

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.human.posture import clinical_angles, joint_names, posture, postures
from vitruvian.model.pose import quaternion_of_vector
from vitruvian.scenario import Scenario, library
from vitruvian.studio.controls import Choice, Slider, changed, controls, joint_sliders, posture_choice


def offered(name, changes=None):
    return {control.key: control for control in controls(Scenario.load(name, changes))}


@pytest.mark.parametrize("name", library())
def test_writing_what_is_shown_leaves_the_scenario_as_it_is(name):
    """Every control reads and writes the same place, in the same unit."""
    scenario = Scenario.load(name)
    before = scenario.resolved()
    for control in controls(scenario):
        if control.key.endswith((".size", ".sex", ".age", ".friction")):
            continue  # sex and age are not there before if not given; friction makes a table of a row
        unsized = [row.name for row in scenario.table.human if row.height is None]
        if control.key.startswith("human.") and control.key.endswith((".height", ".mass")) and unsized:
            continue  # they follow from a percentile or a preset, and are given once they are dragged
        after = changed(scenario, control.write(control.value)).resolved()
        assert _close(after, before), control.key


@pytest.mark.parametrize("name", library())
def test_sliders_hold_their_value_and_keys_are_unique(name):
    found = controls(Scenario.load(name))
    assert len({control.key for control in found}) == len(found)
    for control in found:
        if isinstance(control, Slider):
            assert control.low <= control.value <= control.high and control.step > 0.0
        else:
            assert control.value in control.options


def test_a_scenario_shows_only_what_it_has():
    fall, pendulum, wall = offered("fall-4m"), offered("pendulum"), offered("wall-70-5ms")
    assert {"human.height", "human.mass", "human.sex", "human.age"} <= set(fall)
    assert fall["human.start.clearance"].label == "drop height"
    assert wall["human.start.clearance"].label == "distance"
    assert "human.start.velocity" not in fall and wall["human.start.velocity"].value == pytest.approx(5.0)
    assert not any(key.startswith("human") for key in pendulum)
    assert pendulum["joint.hinge.start.coordinates"].value == pytest.approx(60.0)
    assert posture_choice(Scenario.load("pendulum")) is None


def test_the_size_of_a_person_is_given_outright_by_percentile_or_as_that_of_a_dummy():
    scenario = Scenario.load("fall-4m")
    size = offered("fall-4m")["human.size"]
    assert size.value == "height and mass" and {"percentile", "50M", "5F", "95M", "6YO"} < set(size.options)
    for word in size.options:
        built = changed(scenario, size.write(word))
        built.build()
        now = {control.key: control.value for control in controls(built)}
        assert now["human.size"] == word
        assert ("human.percentile" in now) == (word == "percentile")
    # a girl of 6 years, then the same girl by height and mass
    changes = size.write("percentile") | {"human.age": 6.0, "human.sex": "female", "human.percentile": 50.0}
    girl = {control.key: control for control in controls(changed(scenario, changes))}
    assert 105.0 < girl["human.height"].value < 125.0
    same = changed(scenario, changes | girl["human.size"].write("height and mass"))
    one, other = (sum(body.mass for body in one.build()[0].bodies) for one in (same, changed(scenario, changes)))
    assert one == pytest.approx(other, rel=1e-12)


def test_a_pedestrian_has_a_car_and_its_speed():
    scenario, found = Scenario.load("pedestrian-side-left"), offered("pedestrian-side-left")
    assert found["vehicle.front"].value == "sedan" and "van" in found["vehicle.front"].options
    assert found["vehicle.speed"].value == pytest.approx(40.0)
    after = changed(scenario, found["vehicle.speed"].write(72.0) | found["vehicle.front"].write("van"))
    after.build()
    assert after.table.vehicle[0].speed == pytest.approx(20.0) and after.table.vehicle[0].front == "van"


def test_a_speed_keeps_its_direction():
    scenario = Scenario.load("fall-14m-rearward")
    control = offered("fall-14m-rearward")["human.start.push[0].velocity"]
    before = scenario.table.human[0].start.push[0].velocity
    after = changed(scenario, control.write(5.0)).table.human[0].start.push[0].velocity
    assert math.hypot(*after) == pytest.approx(5.0)
    assert np.cross(before, after) == pytest.approx(np.zeros(3)) and np.dot(before, after) > 0.0


def test_surface_and_its_friction_both_count_in_any_order():
    scenario = Scenario.load("fall-4m")
    changes = {"surface.ground.contact.friction": 0.25, "surface.ground.contact": "gym-mat"}
    for order in (changes, dict(reversed(changes.items()))):
        contact = changed(scenario, order).table.surface[0].contact
        mat = Scenario.load("fall-4m", {"surface.ground.contact": {"base": "gym-mat"}}).table.surface[0].contact
        assert contact.friction == 0.25 and contact.stiffness == mat.stiffness


def test_a_value_beyond_what_is_accepted_is_refused_by_the_scenario():
    scenario = Scenario.load("fall-4m")
    with pytest.raises(InputError, match=r"height is 9 m; accepted"):
        changed(scenario, offered("fall-4m")["human.height"].write(900.0)).build()


@pytest.mark.parametrize("name", postures())
def test_the_angles_of_a_posture_read_back_to_the_same_rotations(name):
    held = posture(name)
    again = posture({"joints": {joint: clinical_angles(joint, held.rotation(joint)) for joint in joint_names()}})
    for joint in joint_names():
        assert again.rotation(joint) == pytest.approx(held.rotation(joint), abs=1e-12)


def test_any_rotation_of_a_joint_reads_back_from_its_angles():
    rng = np.random.default_rng(7)
    for joint in joint_names():
        for vector in rng.normal(size=(20, 3)):
            vector *= rng.uniform(0.0, 3.0) / np.linalg.norm(vector)
            again = posture({"joints": {joint: clinical_angles(joint, tuple(vector))}}).rotation(joint)
            one, two = (np.array(quaternion_of_vector(tuple(v))) for v in (vector, again))
            assert min(abs(one - two).max(), abs(one + two).max()) < 1e-9


def test_one_angle_of_a_joint_moves_and_the_others_stay():
    scenario = Scenario.load("fall-ladder-3m")  # climbing: right hip flexed by 5, left hip by 55 degrees
    sliders = {slider.label: slider for slider in joint_sliders(scenario, "right_hip")}
    assert sliders["flexion"].value == pytest.approx(5.0)
    after = changed(scenario, sliders["abduction"].write(20.0))
    held = posture(after.table.human[0].posture)
    angles = {
        word: math.degrees(angle) for word, angle in clinical_angles("right_hip", held.rotation("right_hip")).items()
    }
    assert angles == pytest.approx({"flexion": 5.0, "abduction": 20.0, "internal_rotation": 0.0}, abs=1e-9)
    before = posture("climbing")
    for joint in set(joint_names()) - {"right_hip"}:
        assert held.rotation(joint) == pytest.approx(before.rotation(joint), abs=1e-12)


def test_the_posture_is_a_choice_of_the_ready_ones():
    choice = posture_choice(Scenario.load("fall-4m"))
    assert isinstance(choice, Choice) and choice.value == "standing-arms-spread"
    assert changed(Scenario.load("fall-4m"), choice.write("prone")).table.human[0].posture == "prone"


def _close(one, two):
    """Equal up to the digits of a number that is written in another unit."""
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(_close(one[key], two[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(_close(a, b) for a, b in zip(one, two, strict=True))
    if isinstance(one, float) and isinstance(two, float | int):
        return one == two or abs(one - two) < 1e-8 * (1.0 + abs(two))
    return one == two
