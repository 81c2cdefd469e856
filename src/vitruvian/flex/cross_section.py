"""Cross-sections and materials of beams. SI units."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, pi

from ..errors import InputError


@dataclass(frozen=True)
class Material:
    """A linear isotropic material.

    young    Young's modulus [Pa]
    poisson  Poisson's ratio [-]
    density  [kg/m3]
    """

    young: float
    poisson: float
    density: float

    def __post_init__(self) -> None:
        for name in ("young", "density"):
            value = getattr(self, name)
            if not (isfinite(value) and value > 0.0):
                raise InputError(f"the {name} of a material is {value!r}; accepted: a positive number in SI units.")
        if not -1.0 < self.poisson < 0.5:
            raise InputError(f"Poisson's ratio is {self.poisson!r}; accepted: more than -1 and less than 0.5.")

    @property
    def shear(self) -> float:
        """Shear modulus [Pa]."""
        return self.young / (2.0 * (1.0 + self.poisson))


@dataclass(frozen=True)
class Section:
    """A cross-section with its principal axes along the local y and z of the beam.

    area      [m2]
    inertia_y integral of z^2, bending about local y [m4]
    inertia_z integral of y^2, bending about local z, the axis of planar bending [m4]
    torsion   torsion constant [m4]
    shear_y   part of the area that carries shear along y [-]
    shear_z   part of the area that carries shear along z [-]
    hollow    whether transverse shear flows as in a thin circular tube
    """

    area: float
    inertia_y: float
    inertia_z: float
    torsion: float
    shear_y: float = 5.0 / 6.0
    shear_z: float = 5.0 / 6.0
    hollow: bool = False

    def __post_init__(self) -> None:
        for name in ("area", "inertia_y", "inertia_z", "torsion", "shear_y", "shear_z"):
            value = getattr(self, name)
            if not (isfinite(value) and value > 0.0):
                raise InputError(f"{name} of a section is {value!r}; accepted: a positive number in SI units.")


def tube(outer: float, inner: float, poisson: float = 0.3) -> Section:
    """Return a circular tube; an inner radius of 0 gives a solid circle. Shear coefficient of cowper1966.

    outer, inner  radii [m]
    poisson       Poisson's ratio, which enters the shear coefficient [-]
    """
    if not 0.0 <= inner < outer:
        raise InputError(f"the radii of a tube are {outer!r} and {inner!r} m; accepted: outer > inner >= 0.")
    second = 0.25 * pi * (outer**4 - inner**4)
    ratio = (1.0 + (inner / outer) ** 2) ** 2
    thin = (inner / outer) ** 2
    shear = 6.0 * (1.0 + poisson) * ratio / ((7.0 + 6.0 * poisson) * ratio + (20.0 + 12.0 * poisson) * thin)
    return Section(pi * (outer**2 - inner**2), second, second, 2.0 * second, shear, shear, inner > 0.5 * outer)
