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
INERTIA_LAWS = ("ellipsoid", "zatsiorsky", "deleva")


def semi_axes(
    segment: str, scaled: Vector, mass: float, sex: str = "male", law: str = "build", childhood: float = 0.0
) -> Vector:
    """Return the semi-axes of a segment's ellipsoid [m].

    scaled  semi-axes that scale with the height [m]: their fractions of the stature times the stature
    mass    of the segment [kg]
    law     "build": lengths scale with the height, cross-sections are such that volume x density = mass;
            "height-only": every dimension scales with the height, after spicka2020
    childhood  share of the law of children [-]: their feet, which are heavy for their length, grow in height too
    """
    x, y, z = scaled
    if law == "height-only":
        return x, y, z
    stretch = mass / (density(segment, sex) * 4.0 / 3.0 * pi * x * y * z)
    if segment == "foot":  # its length scales with stature, that of an adult also its height
        higher = stretch ** (0.5 * childhood)
        return x, y * stretch / higher, z * higher
    return x * sqrt(stretch), y * sqrt(stretch), z


def density(segment: str, sex: str = "male") -> float:
    """Return the density of a segment [kg/m3]."""
    return data.values("segment_geometry", sex)[segment]["density"]


def inertia_ellipsoid(masses: Mapping[str, float], axes: Mapping[str, Vector]) -> dict[str, np.ndarray]:
    """Return principal moments of solid ellipsoids [kg m2] (spicka2020 eq. 4.2), by segment."""
    return {segment: ellipsoid_inertia(mass, axes[segment]) for segment, mass in masses.items()}


def inertia_regression(
    masses: Mapping[str, float], axes: Mapping[str, Vector], apart: float, height: float, mass: float
) -> dict[str, np.ndarray]:
    """Return principal moments after the regression of zatsiorsky2002 [kg m2], by segment.

    masses  of the segments [kg]; the moments scale with them, at the radii of gyration of the regression
    axes    semi-axes [m], for head and neck
    apart   distance between the centres of head and neck [m]
    height  [m]
    mass    of the whole body [kg]

    """
    by_law = mass_regression(height, mass)
    wanted = {}
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
            wanted[segment] = regression * ((masses["head"] + masses["neck"]) / (by_law["head"] + by_law["neck"]))
        else:
            wanted[segment] = regression * masses[segment] / by_law[segment]
    return _with_neck(wanted, inertia_ellipsoid(masses, axes), masses, apart)


def inertia_gyration(
    masses: Mapping[str, float], axes: Mapping[str, Vector], apart: float, height: float, sex: str
) -> dict[str, np.ndarray]:
    """Return principal moments I = m (r l H)^2 [kg m2] after the radii of gyration r of deleva1996, by segment.

    masses  of the segments [kg]
    axes    semi-axes [m], for head and neck
    apart   distance between the centres of head and neck [m]
    height  H [m]; l H is the length of the segment in the source
    """
    wanted = {}
    for segment, row in data.values("segment_mass", sex).items():
        if "gyration_x" in row:
            radii = np.array([row[f"gyration_{axis}"] for axis in "xyz"]) * row["gyration_length"] * height
            whole = masses["head"] + masses["neck"] if segment == "head" else masses[segment]
            wanted[segment] = whole * radii**2
    return _with_neck(wanted, inertia_ellipsoid(masses, axes), masses, apart)


def _with_neck(
    wanted: dict[str, np.ndarray], solid: dict[str, np.ndarray], masses: Mapping[str, float], apart: float
) -> dict[str, np.ndarray]:
    """Return the moments of all segments, where the source has head and neck as one, under "head".

    The moments of both ellipsoids are stretched, axis by axis, so that the two together have the moments wanted.
    """
    distant = masses["head"] * masses["neck"] / (masses["head"] + masses["neck"]) * apart**2
    stretch = (wanted["head"] - np.array([distant, distant, 0.0])) / (solid["head"] + solid["neck"])
    return solid | wanted | {"head": solid["head"] * stretch, "neck": solid["neck"] * stretch}
