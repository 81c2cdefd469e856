"""Passive muscles that cross one or two joints of the leg, and what fails in a joint. SI units.

The moments of silder2007 at hip, knee and ankle have a potential in common to within the scatter of the curves: a sum
of exponentials of stretches, each of one or two flexion angles. So the muscles between two joints couple them. Their
curves end at 30 degrees of plantarflexion and 20 of dorsiflexion; the dorsiflexors are those of riener1999, and the
Achilles tendon ends dorsiflexion where people who stand on the foot are stopped. All of them lose energy when they are
stretched and let go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf

from .. import data
from ..errors import InputError
from ..model import Resistance, Tendon
from .resistance import MASS_REFERENCE, TABLES, table_of

FLEXION = {"hip": "flexion", "knee": "flexion", "ankle": "dorsiflexion"}
INJURY = {
    "knee": "ligaments torn",
    "ankle": "ligaments torn",
    "wrist": "scaphoid fractured",
    "upper_neck": "ligaments torn",
    "lower_neck": "ligaments torn",
}


def passive_muscles(
    joints: str | None,
    mass: float,
    prefix: str = "",
    *,
    sides: tuple[str, ...] = ("left_", "right_"),
    number: float = 1.0,
) -> tuple[Tendon, ...]:
    """Return the passive muscles of the legs of a joint set.

    mass    of the body [kg]; torques scale with it
    sides   prefixes of the joints: ("",) for legs that are lumped together, then `number` is 2
    """
    if joints is None or table_of(joints) == TABLES["recommended-1"]:
        return ()
    found = []
    rows, losses = muscle_rows()
    for side in sides:
        for name, row in rows.items():
            ends = []
            for joint, movement in FLEXION.items():
                if f"{joint}_arm" in row:
                    axis, sign = data.movements()[joint][movement]
                    assert axis == 1
                    ends.append((f"{prefix}{side}{joint}", sign * row[f"{joint}_arm"]))
            (joint, arm), (other, other_arm) = ends[0], ends[1] if len(ends) > 1 else (None, 0.0)
            torque = number * row["torque"] * mass / MASS_REFERENCE
            most = max(torque, number * row.get("most", MOST) * mass / MASS_REFERENCE)
            muscle = f"{prefix}{side}{name}"
            found.append(Tendon(muscle, joint, arm, torque, 1.0 / row["span"], 0.0, other, other_arm, most, **losses))
    return tuple(found)


def muscle_rows() -> tuple[dict[str, Mapping[str, float]], Mapping[str, float]]:
    """Return muscle -> its numbers, and the numbers of energy loss that all muscles have in common."""
    rows = dict(data.values("passive_muscle"))
    return rows, rows.pop("all")


MOST = 150.0  # torque from which on a muscle pulls straight [N m]: twice the largest measured one, estimated


def failing(resistance: Resistance, joint: str, table: str) -> Resistance:
    """Return the resistance of a midline or right joint that fails beyond its limits.

    The distance from a limit to its failure is that of the table, so that a wider range of motion fails later.
    """
    row = data.values(table)[joint]
    if table == TABLES["recommended-1"]:
        raise InputError(
            "human.failure needs limits of failure, which this joint set does not have; "
            'use joints = "recommended-2", or leave failure out.'
        )
    if "fail_width" not in row:
        return resistance

    def ends(side: str, limits: tuple[float, ...], never: float) -> tuple[float, ...]:
        return tuple(
            limit + row[f"fail_{side}_{axis}"] - row[f"limit_{side}_{axis}"] if f"fail_{side}_{axis}" in row else never
            for axis, limit in zip("xyz", limits, strict=True)
        )

    return replace(
        resistance,
        fail_minus=ends("minus", resistance.limit_minus, -inf),
        fail_plus=ends("plus", resistance.limit_plus, inf),
        fail_width=(row["fail_width"],) * 3,
        fail_share=(row["fail_share"],) * 3,
        injury=(INJURY[joint],) * 3,
    )
