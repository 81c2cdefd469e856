"""Springs along the body: they fail in compression at the force of their table, and limp bent legs fold."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from vitruvian import Scenario, data
from vitruvian.human import human
from vitruvian.human.resistance import hinge_resistance
from vitruvian.model import Body, Configuration, Joint, System
from vitruvian.sim import simulate
from vitruvian.sim.failure import failed
from vitruvian.units import STANDARD_GRAVITY

pytestmark = pytest.mark.needs_jit


def pressed(name: str, speed: float, mass: float):
    """Run a mass that presses the spring of a slide of a broken person at a speed [m/s]; return run and system."""
    joint = human("175 cm", 77, failure=True).system.joint(f"{name}_slide")
    below = joint.point_child[2] > 0.0
    if joint.type == "translational":
        joint = replace(joint, resistance=hinge_resistance(joint.resistance, "z"))
    bodies = (Body("base", 1.0, np.full(3, 0.1)), Body("load", mass, np.full(3, 0.1)))
    joints = (
        Joint("root", "rigid", None, "base"),
        Joint(joint.name, "prismatic", "base", "load", resistance=joint.resistance),
    )
    system = System(bodies, joints, gravity=(0.0, 0.0, 0.0))
    start = Configuration(rates={joint.name: (speed if below else -speed,)})
    return simulate(system, start, duration=0.06, pose_rate=1e5), system


@pytest.mark.parametrize(
    ("name", "injury", "mass", "soft", "hard"),
    [("left_knee", "leg fractured", 20.0, 2.5, 5.0), ("lumbar", "vertebra fractured", 37.0, 3.0, 6.0)],
)
def test_a_spring_along_the_body_fails_at_its_force(name, injury, mass, soft, hard):
    """A softer blow leaves it whole; after a harder one the force falls, and the energy of the failure is counted."""
    row = data.values("axial")[name.removeprefix("left_")]
    whole, system = pressed(name, soft, mass)
    assert failed(whole, system) == ()
    run, system = pressed(name, hard, mass)
    (event,) = [event for event in run.events if event.kind == "failure"]
    assert failed(run, system)[0].startswith(f"Failure: {name.replace('_', ' ')}: {injury} at ")
    spring = system.joint(f"{name}_slide").resistance
    assert spring is not None
    place = abs(run.joint_rotation[:, run.joints.index(f"{name}_slide"), 0])
    inside, beyond = spring.limit_plus[0], np.maximum(0.0, place - spring.limit_plus[0])
    force = spring.stiffness[0] * np.minimum(place, inside) + spring.stiffness_plus[0] * beyond
    at = int(np.argmax(run.pose_time >= event.time))
    assert force[at] == pytest.approx(row["failure_force"], rel=0.1)
    lost = run.joint_loss[-1].sum() + run.joint_energy[-1].sum() + run.kinetic[-1]
    assert lost == pytest.approx(run.kinetic[0], rel=1e-3)
    assert run.balance_error < 1e-3


def sheared(way: tuple[float, float], speed: float, mass: float = 5.0):
    """Run a tibia that is pushed across under the femur along a way (forward, left) at a speed [m/s]."""
    joint = human("175 cm", 77, failure=True).system.joint("left_knee_slide")
    bodies = (Body("base", 1.0, np.full(3, 0.1)), Body("tibia", mass, np.full(3, 0.1)))
    joints = (
        Joint("root", "rigid", None, "base"),
        Joint(joint.name, "translational", "base", "tibia", resistance=joint.resistance),
    )
    system = System(bodies, joints, gravity=(0.0, 0.0, 0.0))
    start = Configuration(rates={joint.name: (speed * way[0], speed * way[1], 0.0)})
    return simulate(system, start, duration=0.05, pose_rate=1e5, max_step=1e-4), system


@pytest.mark.parametrize(
    ("way", "limit"), [((-1, 0), "back"), ((1, 0), "forward"), ((0, 1), "side"), ((0, -1), "side")]
)
def test_a_sheared_knee_tears_at_its_displacement(way, limit):
    """Own equation of one mass on the springs of the table, whole and torn; the energy of the failure is counted."""
    row = data.values("axial")["knee"]
    play, inside, beyond, damping, mass = *(row[f"shear_{k}"] for k in ("play", "inside", "stiffness", "damping")), 5.0
    tear = row[f"shear_failure_{limit}"]

    def force(x: float) -> float:
        return inside * x + (beyond - inside) * max(0.0, x - play)

    for speed, tears in ((1.0, False), (4.0, True)):
        run, system = sheared(way, speed, mass)
        told = failed(run, system)
        assert (len(told) == 1) is tears
        own = solve_ivp(
            lambda _, y: (y[1], -(force(y[0]) + damping * y[1]) / mass), (0.0, 0.02), (0.0, speed),
            rtol=1e-9, atol=1e-12, dense_output=True, events=lambda _, y: y[0] - tear,
        )  # fmt: skip
        place = run.joint_rotation[:, 1, :2] @ np.array(way, dtype=float)
        until = own.t_events[0][0] if tears else 0.02
        whole = run.pose_time < until
        assert place[whole] == pytest.approx(own.sol(run.pose_time[whole])[0], abs=2e-6)
        lost = run.joint_loss[-1].sum() + run.joint_energy[-1].sum() + run.kinetic[-1]
        assert lost == pytest.approx(run.kinetic[0], rel=1e-3)
        assert run.balance_error < 1e-3
        if tears:
            (event,) = [event for event in run.events if event.kind == "failure"]
            assert event.time == pytest.approx(until, abs=1.5e-4)  # a step
            assert told[0].startswith("Failure: left knee: ligaments torn at ")


@pytest.mark.parametrize("failure", [False, True])
def test_a_run_says_that_a_knee_was_sheared_too_far(failure):
    """A man who falls on his knees: without failure a warning, with failure torn ligaments."""
    changes = {"human.failure": failure, "solver.duration": 0.55}
    notes = Scenario.load("fall-standing-forward", changes).run().notes
    assert any("Sheared by more than 12 mm past the play: " in note for note in notes) is not failure
    assert any("left knee: ligaments torn" in note for note in notes) is failure


def test_a_relaxed_ankle_hangs_between_its_passive_muscles():
    """Without weight the foot of a limp man points down by some 36 degrees, inside its range, not at its end."""
    run = Scenario.load("fall-4m", {"solver.duration": 0.85}).run().recording
    ankle = np.degrees(run.joint_rotation[-1, run.joints.index("left_ankle"), 1])
    assert 30.0 < ankle < 45.0


def test_limp_bent_legs_fold_as_a_chain_of_rods():
    """Own equations of a planar chain, with the ground force of the engine: knee angle and speed of the hip."""
    scenario = Scenario.load("fall-4m", {"output.pose_rate": 1e4, "solver.duration": 0.95})
    system, _ = scenario.build()
    run = scenario.run().recording
    time = run.pose_time - run.events[0].time
    force = run.contact_force.sum(axis=1)
    first = int(np.searchsorted(time, 0.0)) - 1

    def point(name: str, i: int) -> np.ndarray:
        joint = system.joint(name)
        k = run.bodies.index(joint.parent)
        w, *u = run.orientation[i, k]
        arm = np.array(joint.point_parent)
        turned = arm + 2.0 * np.cross(u, np.cross(u, arm) + w * arm)
        return (run.position[i, k] + turned)[[0, 2]]

    def centre(names: list[str], i: int) -> np.ndarray:
        masses = np.array([system.body(name).mass for name in names])
        return masses @ run.position[i][[run.bodies.index(name) for name in names]][:, [0, 2]] / masses.sum()

    parts = [[f"{side}_{part}" for side in ("left", "right")] for part in ("foot", "shank", "thigh")]
    parts[1] += ["left_knee_link", "right_knee_link"]
    parts.append([name for name in run.bodies if not any(name in part for part in parts)])
    masses = [sum(system.body(name).mass for name in part) for part in parts]
    ends = [point(f"left_{name}", first) for name in ("ankle", "knee", "hip")]
    arms = [float(np.linalg.norm(centre(part, first) - end)) for part, end in zip(parts[1:], ends, strict=True)]
    long = [float(np.linalg.norm(ends[1] - ends[0])), float(np.linalg.norm(ends[2] - ends[1]))]
    trunk = run.position[first][[run.bodies.index(name) for name in parts[3]]][:, [0, 2]] - centre(parts[3], first)
    weights = np.array([system.body(name).mass for name in parts[3]])
    moments = [sum(system.body(name).inertia[1, 1] for name in part) for part in parts[1:]]
    moments[2] += float(weights @ (trunk**2).sum(axis=1))

    def coordinates(i: int) -> np.ndarray:
        ankle, knee, hip = (point(f"left_{name}", i) for name in ("ankle", "knee", "hip"))
        rods = (knee - ankle, hip - knee, centre(parts[3], i) - hip)
        return np.array([*ankle, *(np.arctan2(rod[0], rod[1]) for rod in rods)])

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        q, v = y[:5], y[5:]
        matrix, load = np.zeros((5, 5)), np.zeros(5)
        for n, mass in enumerate(masses):
            jacobian, bend = np.eye(2, 5), np.zeros(2)
            for k in range(n):
                length, angle = (arms[k] if k == n - 1 else long[k]), q[2 + k]
                jacobian[:, 2 + k] = length * np.cos(angle), -length * np.sin(angle)
                bend -= length * v[2 + k] ** 2 * np.array([np.sin(angle), np.cos(angle)])
            matrix += mass * jacobian.T @ jacobian
            load += jacobian.T @ (np.array([0.0, -mass * STANDARD_GRAVITY]) - mass * bend)
            if n:
                matrix[n + 1, n + 1] += moments[n - 1]
        load[:2] += [np.interp(t, time, force[:, 0]), np.interp(t, time, force[:, 2])]
        return np.concatenate([v, np.linalg.solve(matrix, load)])

    speeds = (coordinates(first) - coordinates(first - 20)) / (time[first] - time[first - 20])
    begin = np.concatenate([coordinates(first), speeds])
    chain = solve_ivp(rates, (time[first], 0.02), begin, rtol=1e-8, atol=1e-9, max_step=1e-4, dense_output=True).sol
    for t in (0.005, 0.01, 0.02):
        q, v = np.split(chain(t), 2)
        i = int(np.searchsorted(time, t))
        ours = coordinates(i)
        assert np.degrees(q[2] - q[3]) == pytest.approx(np.degrees(ours[2] - ours[3]), abs=1.5)
        fall = v[1] - long[0] * np.sin(q[2]) * v[2] - long[1] * np.sin(q[3]) * v[3]
        moved = (point("left_hip", i + 5) - point("left_hip", i - 5))[1] / (time[i + 5] - time[i - 5])
        assert fall == pytest.approx(moved, abs=0.25)
        assert moved < -8.5  # the legs do not hold
