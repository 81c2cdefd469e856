"""Checks of every run: joint energy, energy balance, and that no segment is inside a vehicle. SI units.

Each check is a function of the recording that returns a finding or None. The first finding becomes the status of the
run, because a motion that creates energy is wrong however smoothly it ended. Add a check to CHECKS to have it in every
run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..model import Extrusion, System
from .channel import WORK_CLASSES, to_body_axes
from .recording import Recording
from .status import ASTRAY, fine

MOST_ERROR = 0.01  # of the energy that is checked [-]
LEAST = 1e-4  # of the energy put into the run or held by joints at its start, below which their error is none [-]
ROUNDING = 1e-9  # of the energies at hand, below which an error is rounding: a body at rest puts nothing in [-]
FLIP = 2.5  # change of a rotation vector between two samples that is a flip at half a turn [rad]

_ELASTIC, _LOST = WORK_CLASSES.index("joint_elastic"), WORK_CLASSES.index("joint_dissipated")
_PUT_IN = [WORK_CLASSES.index(name) for name in ("external", "prescribed", "muscle")]


class Finding(NamedTuple):
    """The finding of a check: the name of a status and a sentence with time, place and cause."""

    status: str
    sentence: str


def checked(recording: Recording, system: System) -> Recording:
    """Return the recording with the status and message of the first check that it fails, otherwise unchanged.

    A run that did not end well keeps its status, and the finding stands before its message.
    """
    finding = first_finding(recording.sound(), system)
    if finding is None:
        return recording
    if not fine(recording.status):
        return replace(recording, message=f"{finding.sentence} {recording.message}")
    return replace(recording, status=finding.status, message=finding.sentence)


def first_finding(recording: Recording, system: System) -> Finding | None:
    """Return the first finding of CHECKS."""
    if len(recording.pose_time) < 2:
        return None
    return next((finding for check in CHECKS if (finding := check(recording, system)) is not None), None)


def put_in(recording: Recording) -> float:
    """Return the energy put into a run [J]: kinetic at the start, range of the potential, external work."""
    external = abs(recording.work[:, _PUT_IN]).sum(axis=1).max()
    return float(recording.kinetic[0] + np.ptp(recording.potential) + external)


def joint_error(recording: Recording) -> np.ndarray:
    """Return the energy stored in all joints now minus at the start, plus the work they did (P) [J]: zero but for the
    integration error."""
    stored, work = recording.joint_energy.sum(axis=1), recording.work[:, _ELASTIC]
    return np.asarray(stored - stored[0] + work - work[0])


def joint_jump(recording: Recording, system: System) -> Finding | None:
    """Check that the joints store what they were given: a law whose energy jumps creates or destroys the difference."""
    error, stored = joint_error(recording), recording.joint_energy.sum(axis=1)
    through = np.ptp(stored) + np.ptp(recording.work[:, _LOST])
    held = float(stored[0])  # a run that begins in flight has little else for some time
    rounding = ROUNDING * float(abs(recording.potential).max() + stored.max())
    allowed = max(MOST_ERROR * through, LEAST * (put_in(recording) + held), rounding)
    worst = float(abs(error).max())
    if worst <= allowed:
        return None
    # the cause is the largest step of the error before it was too large for the first time, not what came of it
    begun = int(np.argmax(abs(error) > min(allowed, 0.5 * worst)))
    at = int(np.argmax(abs(np.diff(error[: begun + 1]))))
    changes = np.diff(recording.joint_energy[at : at + 2], axis=0)[0]
    place = int(np.argmax(abs(changes)))
    name, time = recording.joints[place], recording.pose_time[at + 1]
    found = f"The joints hold or gave back {worst:.3g} J that no torque put in."
    before, after = recording.joint_rotation[at : at + 2, place]
    resistance = system.joint(name).resistance
    if resistance is not None and resistance.law == "rotation_vector" and np.linalg.norm(after - before) > FLIP:
        return Finding(
            "joint_energy_jumped",
            f"{found} It began at {time:.4g} s: joint {name!r} turned past 180 degrees, where its law rotation_vector "
            f"changes sign, and its energy jumped by {changes[place]:+.3g} J. A smaller tolerance does not help. Take "
            f'joints without this law, as in human.joints = "recommended", or the law cardan_yxz or swing_twist.',
        )
    return Finding(
        "joint_energy_jumped",
        f"{found} It began at {time:.4g} s, when the energy of joint {name!r} changed by {changes[place]:+.3g} J. Its "
        f"law does not jump there, so the steps are too long for it: reduce solver.tolerance or solver.step.",
    )


def balance(recording: Recording, system: System) -> Finding | None:
    """Check that the kinetic energy is the work of all loads."""
    if recording.balance_error <= MOST_ERROR:
        return None
    at = int(np.argmax(abs(np.diff(recording.balance))))
    return Finding(
        "energy_unbalanced",
        f"The energy balance is off by {100.0 * recording.balance_error:.3g} % of the energy put in, most of it from "
        f"{recording.pose_time[at]:.4g} s on. The joints stored what they were given, so the steps are too long for a "
        f"contact, load or spring at that time: reduce solver.tolerance or solver.step.",
    )


def behind_front(recording: Recording, system: System) -> Finding | None:
    """Check that no segment got behind the end of a front, below its top, where an open front has no vehicle.

    Fronts that are closed solids (`Extrusion.solids`) cannot be entered there.
    """
    for surface in system.surfaces:
        if not isinstance(surface, Extrusion) or surface.carrier is None or not surface.solid or surface.solids:
            continue
        carriers = {other.carrier for other in system.surfaces}
        people = [i for i, name in enumerate(recording.bodies) if name not in carriers]
        car = recording.bodies.index(surface.carrier)
        between = recording.position[:, people] - recording.position[:, car, None]
        turn = np.broadcast_to(recording.orientation[:, car, None], (*between.shape[:2], 4))
        x, y, z = np.moveaxis(to_body_axes(turn, between) - surface.place, -1, 0)
        (_, low), (end, top) = surface.profile[0], surface.profile[-1]
        inside = (x < end) & (abs(y) < 0.5 * surface.width) & (z > low) & (z < top)
        if inside.any():
            at = int(np.argmax(inside.any(axis=1)))
            first = recording.bodies[people[int(np.argmax(inside[at]))]]
            return Finding(
                "passed_through",
                f"From {recording.pose_time[at]:.3f} s on {first} is behind the end of {surface.name!r} and below its "
                "top, where a real vehicle has a roof and this one ends: what follows is not an impact. Take a lower "
                "speed; a front without a plan, by the surface rule, is solid there.",
            )
    return None


CHECKS: tuple[Callable[[Recording, System], Finding | None], ...] = (joint_jump, balance, behind_front)


def kept(first: Recording, second: Recording) -> Recording:
    """Return the second part of a run with the status of the first where that went astray."""
    if first.status in ASTRAY:
        return replace(second, status=first.status, message=first.message)
    return second
