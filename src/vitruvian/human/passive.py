"""Passive moments of the literature as torque curves of one axis of a right or midline joint. SI units.

The moments of riener1999 couple neighbouring joints, because muscles cross two of them. At one joint alone such a
moment has no potential, and the published moments of two joints have none in common. A curve therefore holds the
neighbours at given angles: it has a potential, and the coupling is lost.
"""

from __future__ import annotations

from math import degrees, exp, log
from typing import Any

from .. import data
from ..errors import InputError, nearest
from ..model import Curve

SOURCES = ("anderson1999", "riener1999")
LARGEST_TORQUE = 200.0  # beyond it a curve is linear [N m]; the measured torques are far below
NEIGHBOURS = ("hip", "knee", "ankle")


def passive_curve(
    joint: str, axis: str, source: str = "anderson1999", *, hip: float = 0.0, knee: float = 0.0, ankle: float = 0.0
) -> Curve:
    """Return the torque dV/da [N m] over the angle a [rad] about x, y or z of a right joint.

    joint   "hip", "knee", "ankle" or "trunk"
    source  "anderson1999" (one axis each) or "riener1999" (flexion, with the neighbours held)
    hip, knee, ankle  flexion or dorsiflexion at which the neighbours are held [rad]; of riener1999
    """
    if source not in SOURCES:
        raise InputError(f"source is {source!r}; accepted: {', '.join(SOURCES)}.{nearest(source, SOURCES)}")
    joints = [name for name, value in data.tree("passive_moments")[source].items() if isinstance(value, dict)]
    if joint not in joints:
        raise InputError(f"{source} has no joint {joint!r}; accepted: {', '.join(joints)}.{nearest(joint, joints)}")
    axes = data.tree("passive_moments")[source][joint]
    if axis not in axes:
        raise InputError(f"{source} has no axis {axis!r} of the {joint}; accepted: {', '.join(axes)}.")
    row = axes[axis]
    terms = _plain(row) if source == "anderson1999" else _held(row, joint, {"hip": hip, "knee": knee, "ankle": ankle})
    # the moment M(q) resists with -M; our angle is a = sign q
    sign = float(row["sign"])
    ours = tuple((-sign * a, sign * b, sign * c) for a, b, c in terms)
    return Curve(_ends(ours), kind="exponential", terms=ours)


def _plain(row: dict[str, Any]) -> list[tuple[float, float, float]]:
    """Return A, B, C of the two terms of M(q)."""
    k1, k2, k3, k4 = row["k"]
    theta1, theta2 = row["theta"]
    return [(k1, k2, theta2), (k3, k4, theta1)]


def _held(row: dict[str, Any], joint: str, angles: dict[str, float]) -> list[tuple[float, float, float]]:
    """Return A, B, C of the terms of M(q) for exponentials of several angles; neighbours are held at `angles` [rad]."""
    found = [(row["offset"], 0.0, 0.0)]
    for term in row["terms"]:
        others = sum(term.get(name, 0.0) * degrees(angles[name]) for name in NEIGHBOURS if name != joint)
        found.append((term["factor"] * exp(term["constant"] + others), degrees(term[joint]), 0.0))
    return found


def _ends(terms: tuple[tuple[float, float, float], ...]) -> tuple[float, float]:
    """Return the angles at which the steepest terms of both sides reach the largest torque [rad]."""
    at = [(b > 0.0, c + log(LARGEST_TORQUE / abs(a)) / b) for a, b, c in terms if b != 0.0]
    return max(x for rising, x in at if not rising), min(x for rising, x in at if rising)
