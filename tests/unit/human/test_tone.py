"""Muscle tone holds the posture within the strength of the joints, lets go when told, and its work is audited."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.human.tone import holding_torques
from vitruvian.kernels import layout
from vitruvian.model import Body, Configuration, Joint, System
from vitruvian.model.pose import segment_poses
from vitruvian.model.tone import HeldJoint, Tone
from vitruvian.scenario import cabin
from vitruvian.scenario.build import build
from vitruvian.sim.simulate import simulate

STANDING = {
    "schema": 1,
    "human": {"height": 1.8, "mass": 80, "tone": "standing", "start": {"settle": True}},
    "surface": [{"name": "ground", "contact": "asphalt"}],
    "solver": {"duration": "0.05 s"},
}
MUSCLE = layout.work_class.MUSCLE
GRAVITY = 9.80665


def arm(kind: str = "revolute") -> System:
    """Two rods in a row along x, hinged about y, 1 m and 2 kg each."""
    inertia = np.array([0.001, 0.17, 0.17])
    bodies = (Body("one", 2.0, inertia), Body("two", 2.0, inertia))
    half = np.sqrt(0.5)
    frame = (half, -half, 0.0, 0.0) if kind == "revolute" else (1.0, 0.0, 0.0, 0.0)  # z of the joint along y
    joints = (
        Joint("a", kind, None, "one", (0.0, 0.0, 0.0), (-0.5, 0.0, 0.0), frame_parent=frame, frame_child=frame),
        Joint("b", kind, "one", "two", (0.5, 0.0, 0.0), (-0.5, 0.0, 0.0), frame_parent=frame, frame_child=frame),
    )
    return System(bodies, joints)


@pytest.mark.parametrize("kind", ["revolute", "spherical"])
def test_holding_torques_carry_two_rods(kind):
    found = holding_torques(arm(kind), Configuration(), ("a", "b"))
    axis = 0 if kind == "revolute" else 1
    weight = 2.0 * GRAVITY
    assert found["b"][axis] == pytest.approx(-weight * 0.5)  # about y, against the weight
    assert found["a"][axis] == pytest.approx(-weight * (0.5 + 1.5))


@pytest.mark.parametrize(
    "model",
    [{"model": "pedestrian11"}, {"body": "previous"}, {"body": "measured"}, {"body": "measured", "wobble": True}],
)
@pytest.mark.parametrize("posture", ["standing", "walking"])
@pytest.mark.parametrize("who", [{"preset": "50M"}, {"preset": "5F"}, {"preset": "6YO"}])
def test_a_standing_person_stands(model, posture, who):
    human = {**model, "posture": posture, **who, "tone": "standing", "start": {"settle": True}}
    scenario = Scenario({**STANDING, "human": human})
    run = scenario.run().recording
    mass = np.array([scenario.build()[0].body(name).mass for name in run.bodies])
    speed = run.velocity[:, :, 2] @ mass / mass.sum()
    assert abs(np.gradient(speed, run.pose_time)).max() < 0.05  # [m/s2], what the issue of the body asks for
    carried = run.contact_force[:, :, 2].sum(axis=1)
    assert carried == pytest.approx(mass.sum() * GRAVITY, rel=0.01)


def held_arm(strength: float, **tone) -> System:
    torques = holding_torques(arm(), Configuration(), ("a", "b"))
    joints = tuple(
        HeldJoint(name, (0.0,), torques[name], (400.0, 0, 0), (12.0, 0, 0), (strength, 0, 0)) for name in ("a", "b")
    )
    return arm().replace(tones=(Tone("arm", joints, **tone),))


def test_the_arm_stays_until_its_muscles_let_go():
    run = simulate(held_arm(100.0, until=0.1, fade=0.05), duration=0.3)
    angle = run.joint_rotation[:, 0, 0]
    before = run.pose_time <= 0.1
    assert abs(angle[before]).max() < 1e-12
    # after the fading it falls freely: the energy of the muscles does not change any more
    limp = run.pose_time >= 0.151
    assert np.ptp(run.work[limp, MUSCLE]) < 1e-9
    assert abs(angle[-1]) > 0.05
    assert run.balance_error < 1e-5


def test_torque_stays_within_the_strength():
    strong = 30.0  # less than the 39 N m that the first joint needs
    run = simulate(held_arm(strong), duration=1.0)
    torque = abs(run.joint_torque[1:, :, 0])
    assert torque.max() <= strong * (1.0 + 1e-6)
    assert abs(run.joint_rotation[-1, 0, 0]) > 0.1  # it sinks
    assert run.balance_error < 1e-5


def test_a_contact_ends_the_tone_but_the_ground_under_the_feet_does_not():
    tone = Tone("p", (), bodies=("torso", "left_foot"), feet=("left_foot",))
    assert not tone.ends_with("left_foot", "ground", resting=True)
    assert tone.ends_with("torso", "ground", resting=True)
    assert tone.ends_with("left_foot", "bumper", resting=False)
    assert not tone.ends_with("torso", "left_foot", resting=False)  # the person touches itself
    assert not tone.ends_with("other", "ground", resting=True)


def test_a_car_ends_the_tone():
    result = Scenario.load("pedestrian-front", {"human.tone": "standing", "human.tone_fade": "20 ms"}).run()
    run = result.recording
    first = min(event.time for event in run.events if event.kind == "touch" and "foot" not in event.body)
    later = run.pose_time > first + 0.025
    assert np.ptp(run.work[later, MUSCLE]) < 1e-9
    assert run.work[-1, MUSCLE] != 0.0
    assert run.balance_error < 1e-3


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"human.tone": "tense"}, "limp, relaxed, standing"),
        ({"human.tone_until": "never"}, "contact"),
        ({"human.tone_fade": "-1 s"}, "fade"),
        ({"human.tone_until": "-1 s"}, "at least zero"),
        ({"human.tone": "limp", "human.tone_until": "50 ms"}, "human.tone is limp"),
        ({"human.tone": "limp", "human.tone_until": "end"}, "human.tone is limp"),
    ],
)
def test_bad_input_is_refused(change, match):
    with pytest.raises(InputError, match=match):
        Scenario(STANDING).replace(change).run()


def test_muscles_hold_a_body_with_passive_muscles_over_two_joints():
    human = {**STANDING["human"], "joints": "recommended-2"}
    run = Scenario({**STANDING, "human": human}).run().recording
    carried = run.contact_force[:, :, 2].sum(axis=1)
    assert carried == pytest.approx(80.0 * GRAVITY, rel=0.01)


@pytest.mark.parametrize("name", ["sled-frontal-50kmh", "child-seat"])
def test_a_seated_person_of_the_measured_body_sits_still(name):
    """On a rigid seat and on a cushion: seat, back and floor carry the weight, and the springs of the spine sag."""
    changes = {"human.body": "measured", "human.tone": "standing", "human.tone_until": "end"}
    built = build(Scenario.load(name, changes).table)
    (one,), seat = built.people, cabin.cabin(Scenario.load(name).table).seats[0]
    system = cabin.alone(one.person, seat).replace(tones=(one.tone,))
    run = simulate(system, one.balance.start, duration=0.05)
    mass = np.array([system.body(body).mass for body in run.bodies])
    velocity = np.einsum("b,tbk->tk", mass / mass.sum(), run.velocity)
    assert abs(np.gradient(velocity, run.pose_time, axis=0)).max() < 0.05
    assert run.contact_force[:, :, 2].sum(axis=1) == pytest.approx(system.mass * GRAVITY, rel=0.01)


def test_the_spine_sags_by_what_it_carries():
    system, start = Scenario({**STANDING, "human": {**STANDING["human"], "body": "measured"}}).build()
    above = [name for name in (body.name for body in system.bodies) if name in UPPER or "arm" in name or "hand" in name]
    weight = GRAVITY * sum(system.body(name).mass for name in above)
    stiffness = system.joint("lumbar_slide").resistance.stiffness[0]
    upright = segment_poses(system, start)["abdomen"][1][2, 2]  # the body leans a little
    assert -start.coordinates["lumbar_slide"][0] == pytest.approx(upright * weight / stiffness, rel=1e-6)


UPPER = ("abdomen", "thorax", "neck", "head")
