"""The mirror image in the xz plane, which makes the left side out of the right one.

A point changes the sign of y. A rotation vector is an axial vector: it keeps y and changes the signs of x and z.
"""

from __future__ import annotations

from dataclasses import replace

from ..model import Resistance

Vector = tuple[float, float, float]

_AXIAL = (-1.0, 1.0, -1.0)


def mirrored_point(point: Vector) -> Vector:
    """Return the mirror image of a point or velocity."""
    x, y, z = point
    return (x, 0.0 - y, z)


def mirrored_rotation(rotation: Vector) -> Vector:
    """Return the mirror image of a rotation vector or angular velocity."""
    x, y, z = rotation
    return (0.0 - x, y, 0.0 - z)


def mirrored_resistance(resistance: Resistance) -> Resistance:
    """Return the mirror image of a joint's resistance; reversed axes exchange their plus and minus sides."""
    limits = [_ends(*ends) for ends in zip(resistance.limit_minus, resistance.limit_plus, _AXIAL, strict=True)]
    beyond = [
        (plus, minus) if sign < 0.0 else (minus, plus)
        for minus, plus, sign in zip(resistance.stiffness_minus, resistance.stiffness_plus, _AXIAL, strict=True)
    ]
    failures = [_ends(*ends) for ends in zip(resistance.fail_minus, resistance.fail_plus, _AXIAL, strict=True)]
    below, above = resistance.limit_damping, resistance.limit_damping_plus or resistance.limit_damping
    damped = [ends[:: -1 if sign < 0.0 else 1] for *ends, sign in zip(below, above, _AXIAL, strict=True)]
    return replace(
        resistance,
        limit_damping=tuple(minus for minus, _ in damped),
        limit_damping_plus=resistance.limit_damping_plus and tuple(plus for _, plus in damped),
        limit_minus=tuple(minus for minus, _ in limits),
        limit_plus=tuple(plus for _, plus in limits),
        stiffness_minus=tuple(minus for minus, _ in beyond),
        stiffness_plus=tuple(plus for _, plus in beyond),
        rest=mirrored_rotation(resistance.rest),  # type: ignore[arg-type]
        curve=tuple(
            curve.mirrored() if curve is not None and sign < 0.0 else curve
            for curve, sign in zip(resistance.curve, _AXIAL, strict=True)
        ),
        cone=resistance.cone and resistance.cone.mirrored(),
        fail_minus=tuple(minus for minus, _ in failures),
        fail_plus=tuple(plus for _, plus in failures),
        held=resistance.held and mirrored_quaternion(resistance.held),
    )


def mirrored_quaternion(quaternion: tuple[float, ...]) -> tuple[float, ...]:
    """Return the mirror image of a rotation given as a unit quaternion."""
    w, x, y, z = quaternion
    return (w, 0.0 - x, y, 0.0 - z)


def plain_name(name: str) -> str:
    """Return a name without its side: knee for left_knee."""
    return name.removeprefix("left_").removeprefix("right_")


def mirrored_name(name: str) -> str:
    """Return a name with its side exchanged: left_knee for right_knee; midline names stay."""
    if name.startswith("right_"):
        return "left_" + name.removeprefix("right_")
    if name.startswith("left_"):
        return "right_" + name.removeprefix("left_")
    return name


def _ends(minus: float, plus: float, sign: float) -> tuple[float, float]:
    return (-plus, -minus) if sign < 0.0 else (minus, plus)
