"""A straight beam element with two nodes and twelve local coordinates.

Local coordinates of a node: displacement x, y, z [m], then rotation about x, y, z [rad]. The interpolation of bending
is the static solution of a Timoshenko beam (friedman1993). With an infinite shear
stiffness it becomes the cubic of Euler and Bernoulli.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from .cross_section import Material, Section

THEORIES = ("euler-bernoulli", "timoshenko")
GAUSS = tuple((0.5 * (1.0 + x), 0.5 * w) for x, w in zip(*np.polynomial.legendre.leggauss(4), strict=True))


@dataclass(frozen=True)
class Element:
    """A beam element of a structure.

    nodes     indices of both nodes
    length    [m]
    rotation  C of 2.69: columns are the local axes in the frame of the body (3, 3)
    line_mass [kg/m]
    rotary    whether mass off the axis counts: rotary and torsional inertia
    """

    nodes: tuple[int, int]
    length: float
    rotation: np.ndarray
    section: Section
    material: Material
    theory: str
    line_mass: float
    rotary: bool

    @property
    def shear_numbers(self) -> tuple[float, float]:
        """12 EI / (k G A L^2) of bending in the planes xy and xz [-]; 0 for Euler-Bernoulli."""
        if self.theory == "euler-bernoulli":
            return 0.0, 0.0
        section, scale = self.section, 12.0 * self.material.young / (self.material.shear * self.length**2)
        return (
            scale * section.inertia_z / (section.shear_y * section.area),
            scale * section.inertia_y / (section.shear_z * section.area),
        )

    def interpolation(self, xi: float) -> tuple[np.ndarray, np.ndarray]:
        """Return displacement and rotation of the section at xi in [0, 1], and their slopes along x (6, 12)."""
        length = self.length
        value, slope = np.zeros((6, 12)), np.zeros((6, 12))
        for row in (0, 3):
            value[row, [row, row + 6]] = 1.0 - xi, xi
            slope[row, [row, row + 6]] = -1.0 / length, 1.0 / length
        in_xy, in_xz = self.shear_numbers
        for columns, signs, deflection, turn, number in (
            ([1, 5, 7, 11], np.ones(4), 1, 5, in_xy),
            ([2, 4, 8, 10], np.array([1.0, -1.0, 1.0, -1.0]), 2, 4, in_xz),
        ):
            v, dv, g, dg = bending(xi, length, number)
            value[deflection, columns], slope[deflection, columns] = signs * v, signs * dv
            value[turn, columns], slope[turn, columns] = signs[1] * signs * g, signs[1] * signs * dg
        return value, slope

    def strains(self, xi: float) -> np.ndarray:
        """Return stretch, shear along y and z, twist, curvature about y and z, by local coordinate (6, 12)."""
        value, slope = self.interpolation(xi)
        rows = slope.copy()
        rows[1] -= value[5]
        rows[2] += value[4]
        return rows

    @property
    def rigidity(self) -> np.ndarray:
        """EA, kGA_y, kGA_z, GJ, EI_y and EI_z [N, N, N, N m2, N m2, N m2]; shear is 0 for Euler-Bernoulli."""
        section, young, shear = self.section, self.material.young, self.material.shear
        sheared = 0.0 if self.theory == "euler-bernoulli" else shear * section.area
        return np.array(
            [
                young * section.area,
                section.shear_y * sheared,
                section.shear_z * sheared,
                shear * section.torsion,
                young * section.inertia_y,
                young * section.inertia_z,
            ]
        )

    def stiffness(self) -> np.ndarray:
        """Return the stiffness matrix in local coordinates (12, 12)."""
        total = np.zeros((12, 12))
        for xi, weight in GAUSS:
            rows = self.strains(xi)
            total += weight * self.length * rows.T @ (self.rigidity[:, None] * rows)
        return total

    def geometric_stiffness(self) -> np.ndarray:
        """Return the stiffness of a unit tension, the integral of v'^2 + w'^2, in local coordinates (12, 12) [1/m]."""
        total = np.zeros((12, 12))
        for xi, weight in GAUSS:
            slope = self.interpolation(xi)[1][1:3]
            total += weight * self.length * slope.T @ slope
        return total

    def mass_points(self) -> list[tuple[float, np.ndarray, np.ndarray]]:
        """Return mass [kg], local place (3,) and interpolation (3, 12) of points that carry the inertia exactly."""
        section = self.section
        places = [(0.0, 0.0)]
        if self.rotary:
            y, z = (2.0 * section.inertia_z / section.area) ** 0.5, (2.0 * section.inertia_y / section.area) ** 0.5
            places = [(y, 0.0), (-y, 0.0), (0.0, z), (0.0, -z)]
        points: list[tuple[float, np.ndarray, np.ndarray]] = []
        for xi, weight in GAUSS:
            value, _ = self.interpolation(xi)
            mass = weight * self.length * self.line_mass / len(places)
            points += [(mass, np.array([xi * self.length, y, z]), lever(y, z) @ value) for y, z in places]
        return points

    def turned(self) -> np.ndarray:
        """Return the matrix that turns body axes into local axes, for both nodes (12, 12)."""
        return np.kron(np.eye(4), self.rotation.T)

    def boolean(self, dofs: np.ndarray, size: int) -> Any:
        """Return B of 2.70, which picks the coordinates of both nodes, in body axes, out of all (12, size)."""
        picked = dofs[list(self.nodes)].ravel()
        rows = np.flatnonzero(picked >= 0)
        return sp.csr_matrix((np.ones(len(rows)), (rows, picked[rows])), shape=(12, size))


def bending(xi: float, length: float, number: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return deflection, its slope, rotation and its slope of an element, by deflection and rotation of both ends.

    number  12 EI / (k G A L^2) [-]; 0 gives the cubic of Euler-Bernoulli
    """
    x2, x3, n = xi * xi, xi**3, number
    scale = 1.0 / (1.0 + n)
    v = np.array(
        [
            1.0 - 3.0 * x2 + 2.0 * x3 + n * (1.0 - xi),
            length * (xi - 2.0 * x2 + x3 + 0.5 * n * (xi - x2)),
            3.0 * x2 - 2.0 * x3 + n * xi,
            length * (x3 - x2 + 0.5 * n * (x2 - xi)),
        ]
    )
    dv = np.array(
        [
            (6.0 * (x2 - xi) - n) / length,
            1.0 - 4.0 * xi + 3.0 * x2 + n * (0.5 - xi),
            (6.0 * (xi - x2) + n) / length,
            3.0 * x2 - 2.0 * xi + n * (xi - 0.5),
        ]
    )
    g = np.array(
        [
            6.0 * (x2 - xi) / length,
            1.0 - 4.0 * xi + 3.0 * x2 + n * (1.0 - xi),
            6.0 * (xi - x2) / length,
            3.0 * x2 - 2.0 * xi + n * xi,
        ]
    )
    dg = np.array(
        [
            (12.0 * xi - 6.0) / length**2,
            (6.0 * xi - 4.0 - n) / length,
            (6.0 - 12.0 * xi) / length**2,
            (6.0 * xi - 2.0 + n) / length,
        ]
    )
    return scale * v, scale * dv, scale * g, scale * dg


def lever(y: float, z: float) -> np.ndarray:
    """Return the displacement of a point at y, z of a section by displacement and rotation of the section (3, 6)."""
    return np.array([[1.0, 0, 0, 0, z, -y], [0, 1.0, 0, -z, 0, 0], [0, 0, 1.0, y, 0, 0]])
