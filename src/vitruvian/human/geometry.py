"""Size and inertia of the segments. SI units. Sources: gordon2014, spicka2020, zatsiorsky2002, deleva1996.

Paired segments are the right ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import pi, sqrt

import numpy as np

from .. import data
from ..model import ellipsoid_inertia
from .mass import mass_regression

Vector = tuple[float, float, float]

GEOMETRY_LAWS = ("build", "height-only")
INERTIA_LAWS = ("ellipsoid", "zatsiorsky")


def semi_axes(segment: str, scaled: Vector, mass: float, sex: str = "male", law: str = "build") -> Vector:
    """Semi-axes of a segment's ellipsoid [m].

    scaled  semi-axes that go with the height [m]: their fractions of the stature times the stature
    mass    of the segment [kg]
    law     "build": lengths go with the height, cross-sections are such that volume x density = mass;
            "height-only": every dimension goes with the height, after spicka2020
    """
    x, y, z = scaled
    if law == "height-only":
        return x, y, z
    stretch = mass / (density(segment, sex) * 4.0 / 3.0 * pi * x * y * z)
    if segment == "foot":  # both its height and its length go with stature
        return x, y * stretch, z
    return x * sqrt(stretch), y * sqrt(stretch), z


def density(segment: str, sex: str = "male") -> float:
    """Density of a segment [kg/m3]."""
    return data.values("segment_geometry", sex)[segment]["density"]


def inertia_ellipsoid(masses: Mapping[str, float], axes: Mapping[str, Vector]) -> dict[str, np.ndarray]:
    """Principal moments of solid ellipsoids [kg m2] (spicka2020 eq. 4.2), by segment."""
    return {segment: ellipsoid_inertia(mass, axes[segment]) for segment, mass in masses.items()}


def inertia_regression(
    masses: Mapping[str, float], axes: Mapping[str, Vector], apart: float, height: float, mass: float
) -> dict[str, np.ndarray]:
    """Principal moments after the regression of zatsiorsky2002 [kg m2], by segment.

    masses  of the segments [kg]; the moments go with them, at the radii of gyration of the regression
    axes    semi-axes [m], for head and neck
    apart   distance between the centres of head and neck [m]
    height  [m]
    mass    of the whole body [kg]

    The source has head and neck as one segment: the moments of both ellipsoids are stretched, axis by axis, so that the
    two together have the regression's moments.
    """
    by_law = mass_regression(height, mass)
    moments = inertia_ellipsoid(masses, axes)
    for segment, row in data.values("segment_mass").items():
        if "inertia_x_constant" not in row:
            continue
        regression = np.array(
            [
                row[f"inertia_{axis}_constant"]
                + row[f"inertia_{axis}_per_kg"] * mass
                + row[f"inertia_{axis}_per_cm"] * height * 100.0
                for axis in "xyz"
            ]
        )
        if segment == "head":
            pair = masses["head"] + masses["neck"]
            regression *= pair / (by_law["head"] + by_law["neck"])
            distant = masses["head"] * masses["neck"] / pair * apart**2
            stretch = (regression - np.array([distant, distant, 0.0])) / (moments["head"] + moments["neck"])
            moments["head"] = moments["head"] * stretch
            moments["neck"] = moments["neck"] * stretch
        else:
            moments[segment] = regression * masses[segment] / by_law[segment]
    return moments
