"""Passive resistance of the joints of a body of any size. SI units."""

from __future__ import annotations

from .. import data
from ..model import Resistance

HEIGHT_REFERENCE = 1.80  # [m], the body the table is made for
MASS_REFERENCE = 80.0  # [kg]


def joint_resistance(joint: str, height: float, mass: float, law: str) -> Resistance:
    """The resistance of a midline or right joint.

    height  of the body [m]; damping goes with mass x height
    mass    of the body [kg]; stiffness goes with it
    law     "rotation_vector" or "swing_twist"
    """
    row = data.values("joint_resistance")[joint]
    heavier, taller = mass / MASS_REFERENCE, height / HEIGHT_REFERENCE

    def axes(quantity: str, scale: float = 1.0) -> tuple[float, ...]:
        return tuple(row[f"{quantity}_{axis}"] * scale for axis in "xyz")

    return Resistance(
        law=law,
        limit_minus=axes("limit_minus"),
        limit_plus=axes("limit_plus"),
        stiffness=axes("stiffness", heavier),
        stiffness_minus=axes("stiffness_minus", heavier),
        stiffness_plus=axes("stiffness_plus", heavier),
        damping=axes("damping", heavier * taller),
    )


def hinge_resistance(resistance: Resistance, axis: str) -> Resistance:
    """The part of a spherical joint's resistance that a revolute joint about that axis keeps, as its coordinate."""
    place = "xyz".index(axis)

    def first(values: tuple[float, ...], rest: float) -> tuple[float, float, float]:
        return (values[place], rest, rest)

    infinite = float("inf")
    return Resistance(
        law="coordinate",
        limit_minus=first(resistance.limit_minus, -infinite),
        limit_plus=first(resistance.limit_plus, infinite),
        stiffness=first(resistance.stiffness, 0.0),
        stiffness_minus=first(resistance.stiffness_minus, 0.0),
        stiffness_plus=first(resistance.stiffness_plus, 0.0),
        damping=first(resistance.damping, 0.0),
        rest=first(resistance.rest, 0.0),
    )
