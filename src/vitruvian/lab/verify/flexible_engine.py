"""Flexible bodies in the engine, against the laboratory's floating frame, closed forms and conserved quantities."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from ...flex import (
    FlexibleBody,
    Interface,
    Modes,
    Structure,
    beam,
    bone,
    craig_bampton,
    eigenmodes,
    flexible,
    reduced,
    straight,
    truncation,
)
from ...flex import tube as section_of
from ...model import Body, Configuration, Joint, Load, System, Table
from ...model.body import Tube
from ...model.fracture import STIFF
from ...model.pose import rotation_matrix
from ...model.table import constant
from ...scenario import Scenario
from ...sim.channel import WORK_CLASSES
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ..evidence import Check
from ..flexible import Mechanism, Pin, PlanarBody, SpatialBody, Turn
from .flexible_motion import ROD, SPIN, SPIN_LENGTH, SPIN_MATERIAL, points, rod

GRAVITY = (0.0, -9.81, 0.0)
_MODE_WORK = [WORK_CLASSES.index(name) for name in ("mode_elastic", "mode_dissipated")]


def _tree(
    structure: Structure, modes: Modes, joint: Joint, *, gravity: tuple[float, float, float], **options: Any
) -> System:
    """Return a system of one flexible body with an interface at its last node."""
    system = System((Body("rod", 1.0, np.ones(3)),), (joint,), gravity=gravity)
    return flexible(system, "rod", structure, modes, interfaces={"tip": Interface(len(structure.nodes) - 1)}, **options)


def _tip(recording: Recording) -> np.ndarray:
    found: np.ndarray = recording.position[:, recording.bodies.index("rod.tip")]
    return found


def _reduced(structure: Structure, modes: Modes, **options: Any) -> FlexibleBody:
    last = len(structure.nodes) - 1
    return reduced("rod", structure, modes, interfaces={"top": Interface(0), "tip": Interface(last)}, **options)


def pendulum() -> list[Check]:
    """A flexible pendulum of the engine moves like that of the laboratory, to 1e-6 m."""
    rows = []
    structure = rod(1e11, 2, rotary=False)
    modes = eigenmodes(structure, count=3, reference="cantilever")
    system = _tree(structure, modes, Joint("top", "revolute", None, "rod"), gravity=GRAVITY)
    run = simulate(system, duration=0.1, tolerance=1e-8, pose_rate=50.0, rate=50.0)
    body = PlanarBody(_reduced(structure, modes))
    mechanism = Mechanism((body,), (Pin(0, body.body.marker("top"), None, np.zeros(2)),))
    motion = mechanism.move(np.zeros(body.coordinates), np.zeros(body.velocities), run.pose_time, 1e-11, "DOP853")
    apart = float(abs(_tip(run)[:, :2] - points(mechanism, motion, "tip")).max())
    bend = float(abs(motion.q[:, 3:] @ body.body.marker("tip").shape[1]).max())
    rows.append(Check.at_most("plane: distance of the tips", 1e-6, apart, "m", f"deflection up to {bend:.3g} m"))
    rows.append(Check.at_most("energy not accounted for", 1e-6, run.balance_error))
    return rows


def free_body() -> list[Check]:
    """A free flexible body in space that was struck keeps momentum and energy, and moves as in the laboratory."""
    structure = rod(1e10, 1, planar=False)
    modes = eigenmodes(structure, count=4)
    fine, coarse = (_struck(structure, modes, step) for step in (2e-5, 4e-5))
    _, run, momentum = fine
    body = SpatialBody(_reduced(structure, modes))
    q, v, tip = np.zeros(body.coordinates), np.zeros(body.velocities), body.body.marker("tip")
    q[3], v[:3], v[3:6] = 1.0, SPEED, SPIN_RATES
    free = Mechanism((body,), gravity=np.zeros(3))
    struck = replace(free, forces=(lambda parts: parts.point(0, tip)[1].T @ np.array(STRIKE),))
    early = run.pose_time[run.pose_time <= STRUCK + 1e-9]
    first = struck.move(q, v, early, 1e-11, "DOP853")
    late = free.move(first.q[-1], first.v[-1], run.pose_time[len(early) - 1 :], 1e-11, "DOP853")
    apart = float(abs(_tip(run)[len(early) - 1 :] - points(free, late, "tip")).max())
    stored = -run.work[:, _MODE_WORK].sum(axis=1)
    total = (run.kinetic + stored)[len(early) :]
    return [
        Check.at_most("distance of the tips", 1e-6, apart, "m"),
        Check.at_most("momentum, linear and angular", 1e-9, momentum, "kg m/s, kg m2/s", "steps of 20 us"),
        Check.at_least("fall of its error for half the step", 5.0, coarse[2] / momentum, "-", "third order: 8"),
        Check.at_most("kinetic and elastic energy, relative", 1e-6, float(np.ptp(total) / total[0])),
        Check.measured("largest elastic energy", float(stored.max()), "J", f"of {total[0]:.3g} J"),
    ]


SPEED, SPIN_RATES = (0.3, -0.2, 0.1), (0.5, 3.0, 5.0)  # of the free body at the start [m/s], [rad/s]
STRIKE, STRUCK = (0.0, 40.0, 25.0), 0.01  # force on its tip [N] up to a time [s]


def _struck(structure: Structure, modes: Modes, step: float) -> tuple[System, Recording, float]:
    """Return the free body, its run with fixed steps [s], and how far its momentum changes after the strike."""
    system = _tree(structure, modes, Joint("free", "free", None, "rod"), gravity=(0.0, 0.0, 0.0))
    start = Configuration({"free": (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)}, {"free": (*SPEED, *SPIN_RATES)})
    strike = tuple(Table((0.0, STRUCK), (value, 0.0), "step") for value in STRIKE)
    system = system.replace(loads=(Load("strike", "rod.tip", strike),))
    run = simulate(system, start, duration=0.05, step=step, adaptive=False, pose_rate=1.0 / step, rate=100.0)
    mass = np.array([system.body(name).mass for name in run.bodies])
    after = run.pose_time > STRUCK + 1e-9
    linear = np.einsum("b,tbi->ti", mass, run.velocity[after])
    angular = np.einsum("b,tbi->ti", mass, np.cross(run.position[after], run.velocity[after]))
    return system, run, float(max(np.ptp(linear, axis=0).max(), np.ptp(angular, axis=0).max()))


def rigid_limit() -> list[Check]:
    """With E times one million a flexible pendulum moves like a rigid one, to 1e-6 m."""
    structure = rod(1e16, 2, rotary=False)
    modes = eigenmodes(structure, count=2, reference="cantilever")
    joint = Joint("top", "revolute", None, "rod")
    flexed = simulate(
        _tree(structure, modes, joint, gravity=GRAVITY, damping=0.5), duration=0.5, tolerance=1e-8, pose_rate=10.0
    )
    inertia = np.array([1e-9, 0.5 / 12.0, 0.5 / 12.0])
    stiff = System((Body("rod", 0.5, inertia),), (replace(joint, point_child=(-0.5, 0.0, 0.0)),), gravity=GRAVITY)
    run = simulate(stiff, duration=0.5, tolerance=1e-8, pose_rate=10.0)
    tip = 2.0 * run.position[:, 0]
    return [Check.at_most("distance of the tips", 1e-6, float(abs(_tip(flexed) - tip).max()), "m", "rigid body")]


def spin_up() -> list[Check]:
    """A beam that is spun up lags as in the laboratory, with geometric stiffening and without it."""
    structure = beam(straight(SPIN_LENGTH, 2), SPIN, SPIN_MATERIAL, planar=True, theory="euler-bernoulli", rotary=False)
    modes = eigenmodes(structure, count=3, reference="cantilever")
    rate, rows, lags = 0.4, [], []
    motion = (Table((0.0, 100.0), (rate, rate), "acceleration"),)
    for stiffened in (True, False):
        joint = Joint("hub", "revolute", None, "rod", motion=motion)
        system = _tree(structure, modes, joint, gravity=(0.0, 0.0, 0.0), stiffening=stiffened)
        run = simulate(system, duration=6.0, tolerance=1e-7, pose_rate=4.0, rate=10.0)
        body = PlanarBody(_reduced(structure, modes, stiffening=stiffened))
        turn = Turn(0, lambda t: (0.5 * rate * t * t, rate * t, rate))
        pin = Pin(0, body.body.marker("top"), None, np.zeros(2))
        mechanism = Mechanism((body,), (pin, turn), gravity=np.zeros(2))
        state = np.zeros(body.coordinates)
        found = mechanism.move(state, state, run.pose_time, 1e-10, "DOP853")
        apart = float(abs(_tip(run)[:, :2] - points(mechanism, found, "tip")).max())
        word = "with" if stiffened else "without"
        rows.append(Check.at_most(f"{word} stiffening, distance of the tips", 1e-5, apart, "m"))
        lags.append(float(abs(found.q[:, 3:] @ body.body.marker("tip").shape[1]).max()))
    rows.append(Check.measured("largest lag up to 2.4 rad/s, without over with stiffening", lags[1] / lags[0], "-"))
    return rows


def static() -> list[Check]:
    """A clamped rod bends under a force at its end as in the closed form, and its reaction balances it."""
    structure = rod(1e10, 2, rotary=False)
    modes = craig_bampton(structure, [2], count=1, clamped=[0])
    force, bending = 0.5, 1e10 * ROD.inertia_z
    system = _tree(structure, modes, Joint("clamp", "rigid", None, "rod"), gravity=(0.0, 0.0, 0.0), damping=1.0)
    load = Load("push", "rod.tip", (constant(0.0), constant(force), constant(0.0)))
    run = simulate(system.replace(loads=(load,)), duration=4.0, pose_rate=10.0, rate=10.0)
    deflection = float(_tip(run)[-1, 1])
    clamp = run.joints.index("clamp")
    exact = force / (3.0 * bending)
    return [
        Check.close("deflection of the end", exact, deflection, 1e-6 * exact, "m", "F L^3 / 3 EI"),
        Check.close("moment in the clamp", force, -float(run.joint_moment[-1, clamp, 2]), 1e-6, "N m", "F L"),
    ]


TIBIA = 0.4  # length between the supports [m]
STATIC = (0.1, 0.3, 0.95)  # of the force at which the tibia breaks


def three_point() -> list[Check]:
    """A tibia in three-point bending carries F L / 4, bends as in the closed form, and becomes a hinge.

    With s = F L^2 / 16 EI the slope at the supports, equilibrium of two linear halves that turn with their inner ends
    changes the moment by -s^2 / 6 and the deflection F L^3 / 48 EI not at all, to second order. Shear adds its own, and
    the joint between the halves 1/STIFF of the bending.
    """
    run, system = _pressed()
    tube = system.body("tibia").tube
    assert tube is not None
    force, moved = _press(run, system)
    front = run.channels["bending_moment"][:, run.points.index("tibia.90-front")] / 0.9  # of the proximal half
    bending = TIBIA**3 / (48.0 * tube.young * tube.second)
    shear = 0.25 * TIBIA / (tube.young / 2.6 * section_of(tube.outer, tube.inner, 0.3).shear_y * tube.area)
    rows = []
    for share in STATIC:
        at = int(np.argmax(force >= share * 4.0 * tube.failure / TIBIA))
        slope = force[at] * TIBIA**2 / (16.0 * tube.young * tube.second)
        exact = 0.25 * force[at] * TIBIA * (1.0 - slope**2 / 6.0)
        note = f"slope at the supports {slope:.3f} rad"
        rows.append(
            Check.close(
                f"moment at {share:g} of failure, F L / 4", -exact, float(front[at]), 0.003 * exact, "N m", note
            )
        )
        exact = 1e3 * force[at] * (bending * (1.0 + 1.0 / STIFF) + shear)
        rows.append(
            Check.close(f"deflection at {share:g} of failure", exact, 1e3 * float(moved[at]), 0.01 * exact, "mm", note)
        )
    rows.append(_left_out(tube))
    broken = next(event for event in run.events if event.kind == "fracture")
    rows.append(Check.close("bending moment at the fracture", tube.failure, broken.value, 0.02 * tube.failure, "N m"))
    rows.append(Check.measured("time of the fracture", broken.time, "s", "standard deviation of the moment 69 N m"))
    left = run.time[: len(front)] > broken.time + 0.02
    rows.append(Check.at_most("moment that is left 20 ms later", 0.25 * tube.failure, float(-front[left].min()), "N m"))
    rows.append(Check.at_most("energy not accounted for", 1e-5, run.balance_error))
    return rows


def _pressed(modes: int = 12, **changes: Any) -> tuple[Recording, System]:
    """Return the run of the tibia in three-point bending with so many modes, and its system.

    changes  of its tube: fall = inf leaves it whole
    """
    scene = Scenario.load("tibia-three-point-bending")
    tibia = next(body for body in scene.data["body"] if body["name"] == "tibia")
    tibia["tube"] = tibia["tube"] | {"modes": modes} | changes
    system, start = Scenario(scene.data, name=scene.name).build()
    return simulate(system, start, duration=0.1, rate=4000.0, pose_rate=4000.0), system


def _press(run: Recording, system: System) -> tuple[np.ndarray, np.ndarray]:
    """Return the force of the ram [N] and the deflection of the middle [m] over time."""
    force = np.linalg.norm(run.contact_force[:, 0], axis=1)
    if "tibia_distal" not in run.bodies:
        return force, -run.position[:, run.bodies.index("tibia.surface"), 0]
    distal = run.bodies.index("tibia_distal")
    lever = rotation_matrix(run.orientation[:, distal]) @ np.array(system.joint("tibia_fracture").point_child)
    return force, -(run.position[:, distal] + lever)[:, 0]


def _left_out(tube: Tube) -> Check:
    """Compare what six modes of a whole tibia leave out of the deflection with the static error of these modes."""
    found = []
    for modes in (6, 12):
        run, system = _pressed(modes, fall=inf)
        force, moved = _press(run, system)
        rising = slice(0, int(np.argmax(force)) + 1)
        found.append(float(np.interp(0.3 * 4.0 * tube.failure / TIBIA, force[rising], moved[rising])))
    shaft = bone.Shaft(tube, np.array([-0.5 * TIBIA, 0.0, 0.0]), np.array([0.5 * TIBIA, 0.0, 0.0]))
    structure = bone.shaft_beam(shaft, 0.26, np.diag([3e-5, 0.00348, 0.00348]))
    load = bone.middle_load(structure)
    missing = [truncation(structure, bone.chosen(structure, modes), load).energy for modes in (6, 12)]
    return Check.close(
        "part of the deflection that six modes leave out, twelve do not",
        missing[0] - missing[1],
        1.0 - found[0] / found[1],
        0.001,
        "-",
        "static error of the modes",
    )
