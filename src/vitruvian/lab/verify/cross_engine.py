"""Comparison with MuJoCo (and Pinocchio): accelerations at random states, and a free flight. SI units."""

from __future__ import annotations

import numpy as np

from ...errors import MissingExtra
from ...human import human
from ...model import System
from ...model.compile import compile_system
from ..bench import peers
from ..evidence import Check
from ..example_system import ends, evaluate, every_joint, random_configuration
from .momentum import flying_human

STATES = 200


def systems() -> dict[str, System]:
    """Return the systems: all joint types, and the person with spherical and with revolute hinges, without torque."""
    return {
        "all joint types": every_joint(),
        "person": human(1.8, 80.0, joints=None).system,
        "person with revolute hinges": human(1.65, 60.0, joints=None, hinges="revolute").system,
    }


def accelerations() -> list[Check]:
    """Accelerations of all bodies at 200 random states of the same model in MuJoCo."""
    return [_compared(name, system, STATES) for name, system in systems().items()]


def _compared(name: str, system: System, states: int) -> Check:
    label = f"accelerations against MuJoCo, {name}"
    try:
        theirs = peers.Mujoco(system)
    except MissingExtra as error:
        return Check.skip(label, f"needs the extra {error.extra}")
    rng, compiled, worst = np.random.default_rng(17), compile_system(system), 0.0
    for _ in range(states):
        start = random_configuration(system, rng)
        theirs.place(start)
        worst = max(worst, peers.difference(evaluate(compiled, start), theirs.accelerations()))
    return Check.close(label, 0.0, worst, 1e-9, "-", f"largest relative difference at {states} states")


def pinocchio() -> list[Check]:
    """Accelerations agree with Pinocchio, a second oracle."""
    rows = []
    for name, system in systems().items():
        if name == "all joint types":
            continue
        label = f"accelerations against Pinocchio, {name}"
        try:
            theirs = peers.Pinocchio(system)
        except MissingExtra as error:
            rows.append(Check.skip(label, f"needs the extra {error.extra}"))
            continue
        rng, compiled, worst = np.random.default_rng(19), compile_system(system), 0.0
        for _ in range(STATES):
            start = random_configuration(system, rng)
            worst = max(worst, peers.difference(evaluate(compiled, start), theirs.accelerations(start)))
        rows.append(Check.close(label, 0.0, worst, 1e-9, "-", f"largest relative difference at {STATES} states"))
    return rows


def free_flight() -> list[Check]:
    """A person turning in all joints flies for 1 s, here and in MuJoCo by its RK4 at 0.1 ms."""
    system, start = flying_human()
    label = "free flight against MuJoCo, 1 s"
    try:
        theirs = peers.Mujoco(system)
    except MissingExtra as error:
        return [Check.skip(label, f"needs the extra {error.extra}")]
    theirs.place(start)
    theirs.run(1.0, 1e-4)
    ours = ends(system, start, 1.0, method="dormand-prince", tolerance=1e-11, max_step=0.01)
    off = float(abs(ours.position[-1] - theirs.positions()).max())
    return [Check.close(label, 0.0, off, 1e-6, "m", "largest difference of segment positions")]
