"""Bones that break: two pieces with the inertia of the whole, a spring between them that becomes a hinge."""

from __future__ import annotations

from dataclasses import replace
from math import asin, cos, sin

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from vitruvian.errors import InputError
from vitruvian.flex.bone import bent
from vitruvian.kernels.joint_torque import quaternion_law
from vitruvian.kernels.layout import resistance
from vitruvian.model import Body, Configuration, Ellipsoid, Joint, Plane, Resistance, System
from vitruvian.model.body import Tube
from vitruvian.model.compile import compile_system
from vitruvian.model.fracture import DISTAL, FRACTURE, breakable
from vitruvian.model.pose import rotation_matrix, segment_poses
from vitruvian.scenario import Scenario
from vitruvian.sim.simulate import simulate

BONE = Tube(0.0126, 0.0071, failure=200.0, fall=np.radians(3.0))
LENGTH, MASS, ACROSS = 0.4, 3.0, 0.06
STIFFNESS = 3.0 * BONE.young * BONE.second / LENGTH
LINE = np.array([0.0, 0.0, 0.18]), np.array([0.0, 0.0, -0.22])


def limb(tube: Tube = BONE, damping: float = 1e-6) -> System:
    """Return a limb that is clamped at its upper end and may break."""
    body = Body("limb", MASS, np.array([ACROSS, ACROSS, 0.004]), (Ellipsoid((0.05, 0.05, 0.24)),))
    clamp = Joint("clamp", "rigid", None, "limb", (0.0, 0.0, 1.0), (0.0, 0.0, 0.18))
    return breakable(System((body,), (clamp,), gravity=(0.0, 0.0, 0.0)), "limb", tube, LINE, damping)


def test_the_pieces_have_mass_centre_and_inertia_of_the_whole():
    for section in (0.3, 0.5, 0.7):
        system = limb(replace(BONE, section=section))
        poses, inertia, centre = segment_poses(system), np.zeros((3, 3)), np.zeros(3)
        for body in system.bodies:
            place = poses[body.name][0] - (0.0, 0.0, 0.82)
            inertia += body.inertia + body.mass * (place @ place * np.eye(3) - np.outer(place, place))
            centre += body.mass * place
        assert system.mass == pytest.approx(MASS, rel=1e-12)
        assert np.abs(centre).max() < 1e-12
        assert inertia == pytest.approx(np.diag([ACROSS, ACROSS, 0.004]), abs=1e-12)
        assert poses["limb" + DISTAL][0][2] < poses["limb"][0][2]


def test_the_shapes_of_the_pieces_cover_the_whole():
    system = limb()
    ends = []
    for body in system.bodies:
        (shape,) = body.shapes
        place = segment_poses(system)[body.name][0] + shape.offset
        ends += [place[2] - shape.semi_axes[2], place[2] + shape.semi_axes[2]]
    assert (min(ends), max(ends)) == pytest.approx((0.82 - 0.24, 0.82 + 0.24))
    (tissue,) = system.common_tissues
    assert (tissue.one, tissue.other, tissue.share) == ("limb", "limb_distal", 0.9)


def test_the_torque_of_the_law_is_the_slope_of_its_energy():
    rng = np.random.default_rng(3)
    row = np.zeros((1, resistance.COUNT))
    row[0, resistance.STIFFNESS_IN : resistance.STIFFNESS_IN + 3] = 300.0, 500.0, 70.0
    sound = np.full((1, 6), 0.8)
    for _ in range(50):
        q = rng.normal(size=4)
        q /= np.linalg.norm(q)
        torque = np.array(quaternion_law(row, sound, 0, tuple(q))[1])
        for axis, expected in zip(np.eye(3), torque, strict=True):
            energies = []
            for turn in (1e-5, -1e-5):
                w, v = cos(turn / 2.0), sin(turn / 2.0) * axis
                turned = (w * q[0] - v @ q[1:], *(w * q[1:] + q[0] * v + np.cross(v, q[1:])))
                energies.append(quaternion_law(row, sound, 0, turned)[0])
            assert -(energies[0] - energies[1]) / 2e-5 == pytest.approx(expected, abs=1e-5)


def flung(rate: float, system: System, duration: float = 0.02):
    """Return the run of a limb whose distal piece starts to turn about the section [rad/s], and its bend [rad]."""
    start = Configuration(rates={"limb" + FRACTURE: (rate, 0.0, 0.0)})
    run = simulate(system, start, duration=duration, pose_rate=20000.0, rate=20000.0, tolerance=1e-9)
    at = [run.bodies.index(name) for name in ("limb", "limb" + DISTAL)]
    turn = rotation_matrix(run.orientation[:, at[1]])[:, 2, 2]
    return run, np.arccos(np.clip(turn, -1.0, 1.0))


def law(bend: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Return the moment [N m] at a bend, where the bend has been up to `most` [rad]: written again from the formula."""
    limit = asin(BONE.failure / STIFFNESS)
    falling = BONE.failure * (1.0 - (most - limit) / BONE.fall) / (STIFFNESS * np.sin(most))
    share = np.where(most <= limit, 1.0, np.maximum(BONE.least, falling))
    return share * STIFFNESS * np.sin(bend)


@pytest.mark.parametrize("rate", [15.0, 25.0, 60.0])
def test_an_independent_pendulum_breaks_alike(rate):
    """One rigid rod about a fixed section: it holds, breaks partly, and breaks off."""
    system = limb()
    distal = system.body("limb" + DISTAL)
    lever = np.array(system.joint("limb" + FRACTURE).point_child)
    inertia = distal.inertia[0, 0] + distal.mass * lever @ lever
    run, bend = flung(rate, system)

    def slope(_: float, y: np.ndarray) -> list[float]:
        moment = float(law(abs(y[0]), max(y[2], abs(y[0])))) * np.sign(y[0])
        return [y[1], -moment / inertia, max(0.0, y[1] * np.sign(y[0])) if abs(y[0]) >= y[2] else 0.0]

    own = solve_ivp(slope, (0.0, 0.02), [1e-12, rate, 0.0], t_eval=run.pose_time, max_step=2e-6, rtol=1e-9, atol=1e-12)
    assert bend == pytest.approx(abs(own.y[0]), abs=4e-3 * max(bend))
    limit = asin(BONE.failure / STIFFNESS)
    broken = [event for event in run.events if event.kind == "fracture"]
    assert bool(broken) == (bend.max() > limit)
    if broken:
        assert (broken[0].body, broken[0].value) == ("limb", pytest.approx(BONE.failure, rel=0.02))
    assert run.balance_error < 1e-5


def test_a_bone_breaks_alike_in_all_directions_and_takes_its_energy():
    """The work of the fall is the area below the line from the moment to zero, and what the spring held."""
    limit = asin(BONE.failure / STIFFNESS)
    area = STIFFNESS * (1.0 - cos(limit)) + 0.5 * BONE.failure * BONE.fall
    found = []
    for angle in (0.0, 0.4, 1.1, 2.5):
        system = limb(replace(BONE, least=1e-6))
        start = Configuration(rates={"limb" + FRACTURE: (60.0 * cos(angle), 60.0 * sin(angle), 0.0)})
        run = simulate(system, start, duration=0.01, pose_rate=1000.0, rate=1000.0, tolerance=1e-9)
        found.append(-run.work[-1, list(_works()).index("joint_dissipated")])
    assert found == pytest.approx([area] * 4, rel=0.01)


def _works():
    from vitruvian.sim.channel import WORK_CLASSES

    return WORK_CLASSES


@pytest.mark.parametrize("bends", [False, True])
def test_a_free_limb_that_breaks_keeps_its_momentum(bends):
    tube = replace(BONE, failure=80.0)
    body = Body("limb", MASS, np.diag([ACROSS, ACROSS, 0.004]), tube=tube if bends else None)
    foot = Body("foot", 1.0, np.diag([0.003, 0.004, 0.002]))
    root = Joint("root", "free", None, "limb", (0.0, 0.0, 0.0), (0.0, 0.0, 0.18))
    ankle = Joint("ankle", "spherical", "limb", "foot", (0.0, 0.0, -0.22), (0.0, 0.0, 0.05))
    system = breakable(System((body, foot), (root, ankle), gravity=(0.0, 0.0, 0.0)), "limb", tube, LINE, 0.05)
    if bends:
        system = bent(system, {})
    rates = {"limb" + FRACTURE: (35.0, 60.0, 8.0), "root": (1.0, 2.0, -1.0, 0.5, 3.0, 1.0), "ankle": (3.0, -4.0, 2.0)}
    run = simulate(system, Configuration(rates=rates), duration=0.03, pose_rate=1000.0, rate=1000.0, tolerance=1e-7)
    assert any(event.kind == "fracture" for event in run.events)
    linear, angular = np.zeros((2, len(run.pose_time), 3))
    for k, name in enumerate(run.bodies):
        own, turn = system.body(name), rotation_matrix(run.orientation[:, k])
        spin = np.einsum("pij,jk,plk,pl->pi", turn, own.inertia, turn, run.angular_velocity[:, k])
        linear += own.mass * run.velocity[:, k]
        angular += own.mass * np.cross(run.position[:, k], run.velocity[:, k]) + spin
    for momentum in (linear, angular):
        assert abs(momentum - momentum[0]).max() < 1e-5 * np.linalg.norm(momentum[0])
    assert run.balance_error < 1e-6


def test_people_have_pieces_only_if_bones_may_break():
    whole = Scenario.load("fall-4m").build()[0]
    system = Scenario.load("fall-4m", {"human.failure": True}).build()[0]
    assert not any(FRACTURE in joint.name for joint in whole.joints)
    assert sum(joint.name.endswith(FRACTURE) for joint in system.joints) == 8
    assert system.mass == pytest.approx(whole.mass)
    assert system.joint("left_ankle").parent == "left_shank" + DISTAL
    (person,) = system.roster.people
    assert "left_shank" + DISTAL in person.links


def test_flexible_bones_break_by_the_same_joint():
    options = {"human.flexible": ["left_shank"], "human.failure": True, "human.modes": [1, 2, 4]}
    system = Scenario.load("fall-4m", options).build()[0]
    for name in ("left_shank", "left_shank" + DISTAL):
        assert len(system.body(name).bend.stiffness) == 3
    spring, rigid = (system.joint(f"{side}_shank{FRACTURE}").resistance for side in ("left", "right"))
    assert spring.stiffness[0] == pytest.approx(300.0 * rigid.stiffness[0])
    for law_ in (spring, rigid):
        assert law_.stiffness[0] * sin(law_.fail_plus[0]) == pytest.approx(rigid.stiffness[0] * sin(rigid.fail_plus[0]))


def test_a_struck_leg_breaks_and_is_a_hinge():
    run = Scenario.load("pedestrian-side-left", {"human.failure": True, "solver.duration": "60 ms"}).run()
    broken = [event.body for event in run.recording.events if event.kind == "fracture"]
    assert "left_shank" in broken or "left_thigh" in broken
    assert any("bone fractured" in note and "bending moment" in note for note in run.notes)
    assert run.recording.balance_error < 1e-4
    assert not any("ends moved apart" in note for note in run.notes)


def test_bad_bones_are_refused():
    with pytest.raises(InputError, match="give a section nearer to the centre"):
        breakable(System((Body("b", 1.0, (1e-4, 1e-4, 1e-5)),), (Joint("j", "free", None, "b"),)), "b",
                  replace(BONE, section=0.9), LINE, 0.05)  # fmt: skip
    with pytest.raises(InputError, match="bend by more than a right angle"):
        limb(replace(BONE, failure=1e6))
    ground = Plane("seat", (0.0, 0.0, 1.0), carrier="limb")
    body = Body("limb", MASS, np.array([ACROSS, ACROSS, 0.004]))
    with pytest.raises(InputError, match="a surface rides on it"):
        breakable(System((body,), (Joint("j", "free", None, "limb"),), (ground,)), "limb", BONE, LINE, 0.05)
    with pytest.raises(InputError, match="takes stiffness and damping"):
        Resistance("quaternion", limit_plus=(1.0, np.inf, np.inf))


def test_the_break_is_found_within_one_per_cent_at_the_usual_tolerance():
    """A step that passes the moment at which a bone breaks by more is made shorter."""
    for rate in (30.0, 60.0, 90.0):
        start = Configuration(rates={"limb" + FRACTURE: (rate, 0.0, 0.0)})
        run = simulate(limb(), start, duration=0.01)
        (broken,) = (event for event in run.events if event.kind == "fracture")
        assert BONE.failure <= broken.value <= 1.0101 * BONE.failure


@pytest.mark.parametrize("name", ["aircraft-14g", "sled-frontal-50kmh", "child-seat"])
def test_bones_of_occupants_may_break(name):
    """The knee of a seated person is a shape of its own on the thigh; the flesh of both halves counts once."""
    system, _ = Scenario.load(name, {"human.failure": True}).build()
    compiled = compile_system(system, rest=False)
    halves = [item for item in system.common_tissues if item.name == "left_thigh" + FRACTURE]
    assert len(halves) == 1 and halves[0].first
    for body in ("left_thigh", "left_thigh" + DISTAL):
        assert isinstance(system.body(body).shapes[0], Ellipsoid)
    assert "left_thigh" + DISTAL in {body for body, _ in compiled.pairs}


def test_the_arms_of_a_driver_are_whole_when_his_hands_take_the_wheel():
    """The start is closed by whole bones; before, the hinges of the pieces bent by more than 90 degrees."""
    scene = Scenario.load("sled-frontal-driver", {"human.failure": True, "solver.duration": "2 ms"})
    run = scene.run(check=False).recording
    assert not [event for event in run.events if event.kind == "fracture"]
    bends = [k for k, name in enumerate(run.joints) if name.endswith(FRACTURE)]
    assert abs(run.joint_rotation[0, bends]).max() < 1e-6
