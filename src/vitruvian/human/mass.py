"""How the mass of a body divides among its segments. SI units. Sources: spicka2020, deleva1996."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from typing import NamedTuple

from .. import data

PAIRED = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")

MASS_LAWS = ("zatsiorsky", "fractions")


class SegmentMass(NamedTuple):
    """The mass of one segment."""

    segment: str
    number: int  # 2 for a paired segment
    by_law: float  # what the law gives [kg]
    mass: float  # after the remainder is distributed [kg]


def mass_regression(height: float, mass: float) -> dict[str, float]:
    """Segment masses [kg] after Zatsiorsky and Seluyanov, as printed in spicka2020 Table 4.1, one side.

    height  [m]
    mass    of the whole body [kg]

    m_i = b0 + b1 m + b2 H. Their sum is not quite the mass of the body.
    """
    return {
        segment: row["mass_constant"] + row["mass_per_mass"] * mass + row["mass_per_height"] * height
        for segment, row in data.values("segment_mass").items()
    }


def mass_fractions(mass: float) -> dict[str, float]:
    """Segment masses [kg] as fixed fractions of the body mass [kg], after deleva1996, one side."""
    return {segment: row["mass_fraction"] * mass for segment, row in data.values("segment_mass").items()}


def segment_masses(height: float, mass: float, law: str = "zatsiorsky") -> tuple[SegmentMass, ...]:
    """The masses of all segments, which sum to the mass of the body [kg].

    height  [m]
    mass    of the whole body [kg]
    law     "zatsiorsky" or "fractions"

    What the law leaves over is distributed in proportion.
    """
    by_law = mass_regression(height, mass) if law == "zatsiorsky" else mass_fractions(mass)
    scale = mass / total(by_law)
    return tuple(SegmentMass(segment, count(segment), m, m * scale) for segment, m in by_law.items())


def total(masses: Mapping[str, float]) -> float:
    """The sum of segment masses [kg], paired segments twice."""
    return fsum(count(segment) * m for segment, m in masses.items())


def count(segment: str) -> int:
    """How many of that segment a body has [-]."""
    return 2 if segment in PAIRED else 1
