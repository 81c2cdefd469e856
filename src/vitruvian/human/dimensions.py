"""The dimensions of a person: masses, sizes, positions and inertia of the segments. SI units.

Standing frame: x forward from the ankle line, y left from the midline, z up from the floor. Paired segments and joints
are the right ones; the left ones are their mirror images.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum
from types import MappingProxyType

import numpy as np

from ..errors import InputError
from . import segment_size as size
from .mass import SegmentMass, count, segment_masses, total
from .measured import Measured
from .proportion import STACK, Proportions, childhood, proportions, stretched

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Dimensions:
    """Every dimension of a person.

    height     standing [m]
    mass       [kg]
    age        [years]; None is an adult
    masses     segment -> mass [kg], one side; with both sides they sum to the mass of the body
    by_law     segment -> mass that the law gave, before the remainder was distributed [kg], one side
    centre     segment -> centre of mass, which is the centre of its ellipsoid, standing frame [m]
    semi_axes  segment -> semi-axes x, y, z of its ellipsoid [m]
    place      joint -> its point, standing frame [m]
    length     segment -> from joint to joint along z [m]; foot, shank, thigh, pelvis, abdomen, thorax, neck and head
               sum to the height
    moments    segment -> principal moments of inertia about x, y, z through its centre of mass [kg m2]
    """

    height: float
    mass: float
    sex: str
    age: float | None
    mass_law: str
    geometry: str
    inertia: str
    masses: Mapping[str, float] = field(repr=False)
    by_law: Mapping[str, float] = field(repr=False)
    centre: Mapping[str, Vector] = field(repr=False)
    semi_axes: Mapping[str, Vector] = field(repr=False)
    place: Mapping[str, Vector] = field(repr=False)
    length: Mapping[str, float] = field(repr=False)
    moments: Mapping[str, np.ndarray] = field(repr=False)

    @property
    def segments(self) -> tuple[str, ...]:
        """The names of the segments, paired ones once."""
        return tuple(self.masses)

    @cached_property
    def mass_remainder(self) -> float:
        """Mass of the body minus the sum of the segment masses of the law [kg]."""
        return self.mass - total(self.by_law)

    def mass_table(self) -> tuple[SegmentMass, ...]:
        """Return segment, count, mass by the law and mass in the model [kg]; paired segments share a row."""
        return tuple(
            SegmentMass(segment, count(segment), self.by_law[segment], mass) for segment, mass in self.masses.items()
        )


def dimensions(
    height: float,
    mass: float,
    sex: str = "male",
    age: float | None = None,
    *,
    mass_law: str = "by-age",
    geometry: str = "build",
    inertia: str = "ellipsoid",
    measured: Measured | None = None,
) -> Dimensions:
    """Return the dimensions of a person of a height [m], mass [kg], sex and age [years]; None is an adult.

    mass_law  "by-age", "by-age-heads", "zatsiorsky" or "fractions" (human.mass)
    geometry  "build" or "height-only" (human.geometry)
    inertia   "ellipsoid", "zatsiorsky" or "deleva" (human.geometry)
    measured  dimensions measured on the person; the others follow the laws
    """
    measured = measured or Measured()
    shape = _fitted(proportions(sex, age), measured.lengths, height)
    rows = segment_masses(height, mass, mass_law, sex, age)
    masses = _weighed({row.segment: row.mass for row in rows}, measured.masses, mass)
    centre = {name: _times(point, height) for name, point in shape.centre.items()}
    axes = {
        name: size.semi_axes(name, _times(shape.semi_axes[name], height), m, sex, geometry, childhood(age))
        for name, m in masses.items()
    } | dict(measured.semi_axes)
    if (childhood(age) and geometry == "build") or "foot" in measured.semi_axes:  # the sole stays on the floor
        centre["foot"] = (*centre["foot"][:2], axes["foot"][2])
    apart = centre["head"][2] - centre["neck"][2]
    if inertia == "ellipsoid":
        moments = size.inertia_ellipsoid(masses, axes)
    elif inertia == "zatsiorsky":
        moments = size.inertia_regression(masses, axes, apart, height, mass)
    else:
        moments = size.inertia_gyration(masses, axes, apart, height, sex)
    moments |= {name: np.array(values) for name, values in measured.moments.items()}
    return Dimensions(
        height=height,
        mass=mass,
        sex=sex,
        age=age,
        mass_law=mass_law,
        geometry=geometry,
        inertia=inertia,
        masses=MappingProxyType(masses),
        by_law=MappingProxyType({row.segment: row.by_law for row in rows}),
        centre=MappingProxyType(centre),
        semi_axes=MappingProxyType(axes),
        place=MappingProxyType({name: _times(point, height) for name, point in shape.place.items()}),
        length=MappingProxyType({name: value * height for name, value in shape.length.items()}),
        moments=MappingProxyType(moments),
    )


def _fitted(shape: Proportions, given: Mapping[str, float], height: float) -> Proportions:
    """Return proportions with some lengths given [m]; the others of the stack share the rest of the height [m]."""
    if not given:
        return shape
    lengths = {name: value / height for name, value in given.items()}
    stack = [name for name, _ in STACK]
    free = fsum(shape.length[name] for name in stack if name not in lengths)
    taken = fsum(lengths[name] for name in stack if name in lengths)
    left = 1.0 - taken
    if free and left <= 0.0:
        raise InputError(
            f"the parts that were measured are {taken * height:.4g} m long, and the person is {height:.4g} m tall; "
            "check lengths and height (lengths go from joint to joint)."
        )
    stretch = {name: left / free if free else 1.0 for name in stack}
    return stretched(shape, stretch | {name: value / shape.length[name] for name, value in lengths.items()})


def _weighed(masses: dict[str, float], given: Mapping[str, float], mass: float) -> dict[str, float]:
    """Return masses with some given [kg]; the others share the rest of the body mass in proportion."""
    if not given:
        return masses
    others = {name: m for name, m in masses.items() if name not in given}
    left = mass - total(given)
    if others and left <= 0.0:
        raise InputError(
            f"the parts that were measured weigh {total(given):.4g} kg, both sides counted, and the person "
            f"{mass:.4g} kg; check the masses (of paired segments that of one side)."
        )
    scale = left / total(others) if others else 1.0
    return {name: given.get(name, m * scale) for name, m in masses.items()}


def _times(point: Vector, height: float) -> Vector:
    return point[0] * height, point[1] * height, point[2] * height
