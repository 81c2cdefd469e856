"""Consistent initial conditions, and the mass-orthogonal projection that makes them.

Poses and velocities that violate the joints are moved by the smallest change in the norm of the mass matrix:

    positions    s <- s - M^-1 J' (J M^-1 J')^-1 C      repeated until |C| is below the tolerance (ERRATA E020)
    velocities   v <- v - M^-1 J' (J M^-1 J')^-1 dC/dt  once, as dC/dt is linear in v (eq. 3.98 with M)

s and v are displacement and rotation of the centres of mass, so that |p| = 1 and the shape of natural coordinates hold
by themselves and every formulation is projected in the same way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...errors import SimulationError
from .constraint import Constraints, Rows
from .mechanism import Motion
from .orientation import Array, angle_between, exponential, product

ITERATIONS = 50


class Consistency(NamedTuple):
    """Inconsistency of a start: largest |C| [m, -] and |dC/dt| [m/s, 1/s] before and after, and the corrections.

    shift, turn    largest change of a position [m] and of an orientation [rad]
    push           largest change of a velocity [m/s];  spin: of an angular velocity [rad/s]
    """

    position: float
    velocity: float
    position_after: float
    velocity_after: float
    shift: float
    turn: float
    push: float
    spin: float

    @property
    def sentence(self) -> str:
        """Return the message for the user."""
        text = f"the start violated the joints by {self.position:.3g} in position and {self.velocity:.3g} in velocity"
        if self.position_after == self.position and self.velocity_after == self.velocity:
            return text + " and was kept."
        return text + (
            f"; it was projected: positions moved by up to {self.shift:.3g} m and {self.turn:.3g} rad, velocities "
            f"by {self.push:.3g} m/s and {self.spin:.3g} rad/s."
        )


def _correction(constraints: Constraints, rows: Rows, motion: Motion, residual: Array) -> Array:
    """Return -M^-1 J' (J M^-1 J')^-1 residual as displacement and rotation of every body (n, 6)."""
    mechanism = constraints.mechanism
    n, body = mechanism.n, constraints.body
    inverse = np.zeros((n + 1, 6, 6))  # the world does not move
    inverse[:n, [0, 1, 2], [0, 1, 2]] = 1.0 / mechanism.mass[:, None]
    turn = motion.rotation
    inverse[:n, 3:, 3:] = turn @ np.linalg.inv(mechanism.inertia) @ np.swapaxes(turn, 1, 2)
    jacobian = np.concatenate((rows.linear, rows.angular), axis=2)  # (m, 2, 6)
    reply = np.einsum("msk,mskl->msl", jacobian, inverse[body])
    full, replies = (np.zeros((len(rows.value), n + 1, 6)) for _ in range(2))
    each = np.arange(len(rows.value))
    for side in (0, 1):
        full[each, body[:, side]] = jacobian[:, side]
        replies[each, body[:, side]] = reply[:, side]
    schur = full.reshape(len(each), -1) @ replies.reshape(len(each), -1).T
    try:
        multiplier = np.linalg.solve(schur, residual)
        if not np.isfinite(multiplier).all() or abs(schur @ multiplier - residual).max() > 1e-6 * abs(residual).max():
            raise np.linalg.LinAlgError
    except np.linalg.LinAlgError:
        multiplier = np.linalg.lstsq(schur, residual, rcond=1e-12)[0]
    return -np.einsum("mbk,m->bk", replies, multiplier)[:n]


def projected_positions(constraints: Constraints, motion: Motion, time: float, tolerance: float = 1e-13) -> Motion:
    """Return the motion with poses that satisfy all joints to `tolerance` [m, -]."""
    if not constraints.m:
        return motion
    last = np.inf
    for _ in range(ITERATIONS):
        rows = constraints.rows(motion, time)
        worst = float(abs(rows.value).max())
        # done, or as good as rounding lets it become
        if worst <= tolerance or (worst < 1e-11 and worst >= 0.5 * last):
            return motion
        last = worst
        change = _correction(constraints, rows, motion, rows.value)
        motion = replace(
            motion,
            position=motion.position + change[:, :3],
            orientation=product(exponential(change[:, 3:]), motion.orientation),
        )
    worst_row = int(abs(rows.value).argmax())
    raise SimulationError(
        f"the bodies cannot be brought together: {constraints.label(worst_row)} stays off by {worst:.3g}. "
        "Start closer to a position in which all joints meet, or check the lengths."
    )


def projected_velocities(constraints: Constraints, motion: Motion, time: float) -> Motion:
    """Return the motion with velocities that satisfy all joints."""
    if not constraints.m:
        return motion
    rows = constraints.rows(motion, time)
    if not abs(rows.rate).max() > 0.0:
        return motion
    change = _correction(constraints, rows, motion, rows.rate)
    return replace(motion, velocity=motion.velocity + change[:, :3], spin=motion.spin + change[:, 3:])


def projected(constraints: Constraints, motion: Motion, time: float) -> Motion:
    """Return the motion with projected positions, then projected velocities."""
    return projected_velocities(constraints, projected_positions(constraints, motion, time), time)


def consistent(
    constraints: Constraints, motion: Motion, time: float = 0.0, *, project: bool = True
) -> tuple[Motion, Consistency]:
    """Return a start that satisfies the joints (or the start unchanged), and its inconsistency."""

    def largest(values: Array) -> float:
        return float(abs(values).max()) if values.size else 0.0

    before = constraints.rows(motion, time)
    moved = projected(constraints, motion, time) if project else motion
    after = constraints.rows(moved, time)
    return moved, Consistency(
        largest(before.value),
        largest(before.rate),
        largest(after.value),
        largest(after.rate),
        largest(moved.position - motion.position),
        largest(angle_between(motion.orientation, moved.orientation)),
        largest(moved.velocity - motion.velocity),
        largest(moved.spin - motion.spin),
    )
