"""Strain and stress at points of a beam from its modal coordinates. SI units; tension is positive."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2

import numpy as np

from ..errors import InputError
from .element import Element
from .structure import Structure


@dataclass(frozen=True)
class State:
    """Strain and stress at one point over time, in the axes of the bone: x along it, s along the circumference.

    The surface carries a stress along x and a shear stress; the other stresses are zero.

    strain, stress                          along x [-], [Pa]
    lateral                                 strain along s [-]
    shear                                   shear stress [Pa]
    shear_strain                            engineering shear strain [-]
    principal_strain_max, ..._min           in the surface [-]
    principal_stress_max, ..._min           [Pa]
    von_mises                               [Pa]
    """

    strain: np.ndarray
    stress: np.ndarray
    lateral: np.ndarray
    shear: np.ndarray
    shear_strain: np.ndarray
    principal_strain_max: np.ndarray
    principal_strain_min: np.ndarray
    principal_stress_max: np.ndarray
    principal_stress_min: np.ndarray
    von_mises: np.ndarray

    def turned(self, angle: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return stress along X, along Y and shear XY [Pa] in axes in which the bone's x axis has that angle [rad].

        The surface point must be one whose normal is perpendicular to the plane, or whose shear is zero; the axial
        stress alone is turned otherwise.
        """
        c, s = np.cos(angle), np.sin(angle)
        return self.stress * c * c, self.stress * s * s, self.stress * c * s

    def turned_strain(self, angle: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return strain along X, along Y and engineering shear XY [-] in axes as those of `turned`."""
        c, s = np.cos(angle), np.sin(angle)
        along, across = self.strain, self.lateral
        return along * c * c + across * s * s, along * s * s + across * c * c, 2.0 * (along - across) * c * s


@dataclass(frozen=True)
class Gauge:
    """A point of a beam at which strain is recovered.

    rows     stretch, shears, twist and curvatures of the section by modal coordinate (6, n)
    place    y and z in the section [m]
    element  that contains it
    """

    rows: np.ndarray
    place: tuple[float, float]
    element: Element

    def forces(self, modal: np.ndarray) -> np.ndarray:
        """Return tension, shear y, shear z [N], torque, moment y and moment z [N m] of the section (..., 6)."""
        found: np.ndarray = (modal @ self.rows.T) * self.element.rigidity
        return found

    def strain(self, modal: np.ndarray) -> np.ndarray:
        """Return the strain along the axis [-] of modal coordinates (..., n)."""
        y, z = self.place
        row = self.rows[0] - y * self.rows[5] + z * self.rows[4]
        found: np.ndarray = modal @ row
        return found

    def state(self, modal: np.ndarray) -> State:
        """Return strain and stress of modal coordinates (..., n)."""
        material, section = self.element.material, self.element.section
        strain = self.strain(modal)
        stress = material.young * strain
        y, z = self.place
        forces = self.forces(modal)
        shear = forces[..., 3] * float(np.hypot(y, z)) / section.torsion
        if section.hollow:  # V / A times 2 sin of the angle from the direction of the force
            angle = atan2(z, y)
            shear = shear + 2.0 / section.area * (np.cos(angle) * forces[..., 2] - np.sin(angle) * forces[..., 1])
        lateral, slide = -material.poisson * strain, shear / material.shear
        radius = np.hypot(0.5 * (strain - lateral), 0.5 * slide)
        middle = 0.5 * (strain + lateral)
        circle = np.hypot(0.5 * stress, shear)
        return State(
            strain,
            stress,
            lateral,
            shear,
            slide,
            middle + radius,
            middle - radius,
            0.5 * stress + circle,
            0.5 * stress - circle,
            np.sqrt(stress**2 + 3.0 * shear**2),
        )


def gauge(structure: Structure, shapes: np.ndarray, along: float, place: tuple[float, float]) -> Gauge:
    """Return the gauge of a beam along x.

    shapes  the modes (N, n)
    along   x [m]; inside the beam
    place   y and z in the section [m]
    """
    for element in structure.elements:
        start = structure.nodes[element.nodes[0]]
        xi = float((np.array([along, start[1], start[2]]) - start) @ element.rotation[:, 0]) / element.length
        if -1e-9 <= xi <= 1.0 + 1e-9:
            local = element.turned() @ (element.boolean(structure.dofs, structure.size) @ shapes)
            return Gauge(element.strains(xi) @ local, place, element)
    raise InputError(f"a gauge at x = {along:g} m lies outside the beam.")
