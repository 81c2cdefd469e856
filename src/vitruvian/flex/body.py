"""A flexible body with few modal coordinates: all that dynamics needs, independent of the mesh. SI units.

With u = u_o + S q the place of a point in the body frame and rho the density, all integrals of the floating frame are
sums of products of mass points. They are computed once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import pi

import numpy as np

from ..errors import InputError, nearest
from .modes import Modes, static
from .recovery import Gauge, gauge
from .structure import Structure


@dataclass(frozen=True)
class Marker:
    """A point of a body to which joints and forces are attached.

    place     undeformed place in the body frame (3,) [m]
    shape     displacement by modal coordinate (3, n)
    rotation  rotation of the section by modal coordinate (3, n)
    """

    place: np.ndarray
    shape: np.ndarray
    rotation: np.ndarray


@dataclass(frozen=True)
class FlexibleBody:
    """Inertia, stiffness, interfaces and recovery of a body with n modal coordinates.

    mass       integral of rho dV [kg]
    moment     I_1, integral of rho u_o dV (3,) [kg m]
    second     integral of rho u_o,i u_o,j dV (3, 3) [kg m2]
    shift      S-bar, integral of rho S_i dV (3, n)
    mixed      integral of rho u_o,i S_j dV (3, 3, n)
    product    integral of rho S_i^T S_j dV (3, 3, n, n)
    stiffness  K_ff (n, n)
    damping    D_ff (n, n)
    geometric  stiffness for each product w_i w_j of the angular velocity (3, 3, n, n); zero unless requested
    markers    interface points by name
    gauges     points of strain recovery by name
    frequency  of the modes [Hz] (n,)
    """

    name: str
    mass: float
    moment: np.ndarray
    second: np.ndarray
    shift: np.ndarray
    mixed: np.ndarray
    product: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    geometric: np.ndarray
    markers: Mapping[str, Marker] = field(default_factory=dict)
    gauges: Mapping[str, Gauge] = field(default_factory=dict)
    frequency: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def count(self) -> int:
        """Number of modal coordinates."""
        return len(self.stiffness)

    @cached_property
    def modal_mass(self) -> np.ndarray:
        """m_ff, integral of rho S^T S dV (n, n)."""
        return np.einsum("iikl->kl", self.product)

    def marker(self, name: str) -> Marker:
        """Return a marker; raise InputError for an unknown name."""
        if name not in self.markers:
            known = ", ".join(self.markers) or "none"
            raise InputError(
                f'body "{self.name}" has no interface "{name}"; accepted: {known}.{nearest(name, self.markers)} '
                "Every joint and force needs an interface node."
            )
        return self.markers[name]


@dataclass(frozen=True)
class Interface:
    """The place of a marker: a node, and a rigid offset from it (3,) [m] in the body frame."""

    node: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)


def reduced(
    name: str,
    structure: Structure,
    modes: Modes,
    *,
    interfaces: Mapping[str, Interface] | None = None,
    gauges: Mapping[str, tuple[float, tuple[float, float]]] | None = None,
    damping: float = 0.0,
    stiffening: bool = False,
) -> FlexibleBody:
    """Return the flexible body of a structure in the coordinates of some modes.

    interfaces  markers by name
    gauges      strain recovery by name: x along the beam, and y, z in the section [m]
    damping     ratio of critical damping of every mode [-]
    stiffening  whether centrifugal tension stiffens bending
    """
    shapes = modes.shapes
    field_ = (structure.field @ shapes).reshape(len(structure.root), 3, modes.count)
    root, place = structure.root, structure.place
    stiffness = shapes.T @ (structure.stiffness @ shapes)
    product = np.einsum("gik,gjl->ijkl", field_, field_, optimize=True)
    mass = np.einsum("iikl->kl", product)
    return FlexibleBody(
        name=name,
        mass=float(root @ root),
        moment=root @ place,
        second=place.T @ place,
        shift=np.einsum("g,gik->ik", root, field_),
        mixed=np.einsum("gi,gjk->ijk", place, field_, optimize=True),
        product=product,
        stiffness=stiffness,
        damping=modal_damping(mass, stiffness, damping),
        geometric=_stiffening(structure, modes) if stiffening else np.zeros((3, 3, modes.count, modes.count)),
        markers={label: marker(structure, shapes, where) for label, where in (interfaces or {}).items()},
        gauges={label: gauge(structure, shapes, *where) for label, where in (gauges or {}).items()},
        frequency=modes.frequency,
    )


def rigid(
    name: str,
    mass: float,
    centre: tuple[float, float, float],
    inertia: np.ndarray,
    **places: tuple[float, float, float],
) -> FlexibleBody:
    """Return a body without modes.

    mass     [kg]
    centre   of mass in the body frame [m]
    inertia  tensor about the centre of mass, in the axes of the body (3, 3) [kg m2]
    places   markers by name [m]
    """
    where = np.asarray(centre, float)
    second = 0.5 * np.trace(inertia) * np.eye(3) - inertia + mass * np.outer(where, where)
    empty = np.zeros((3, 0))
    return FlexibleBody(
        name,
        mass,
        mass * where,
        second,
        empty,
        np.zeros((3, 3, 0)),
        np.zeros((3, 3, 0, 0)),
        np.zeros((0, 0)),
        np.zeros((0, 0)),
        np.zeros((3, 3, 0, 0)),
        {label: Marker(np.asarray(place, float), empty, empty) for label, place in places.items()},
    )


def marker(structure: Structure, shapes: np.ndarray, where: Interface) -> Marker:
    """Return the marker of an interface in the coordinates of some modes (N, n)."""
    padded = np.vstack([shapes, np.zeros((1, shapes.shape[1]))])  # the last row serves absent coordinates
    rows = padded[structure.dofs[where.node]]
    offset = np.asarray(where.offset, float)
    x, y, z = offset
    lever = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])
    return Marker(structure.nodes[where.node] + offset, rows[:3] + lever @ rows[3:], rows[3:])


def modal_damping(mass: np.ndarray, stiffness: np.ndarray, ratio: float) -> np.ndarray:
    """Return the matrix that damps every eigenmode of the body in these coordinates by the same ratio."""
    if ratio == 0.0 or not len(mass):
        return np.zeros_like(mass)
    import scipy.linalg as la

    values, vectors = la.eigh(stiffness, mass)
    left = mass @ vectors
    found: np.ndarray = left @ np.diag(2.0 * ratio * np.sqrt(np.maximum(values, 0.0))) @ left.T
    return found


def _stiffening(structure: Structure, modes: Modes) -> np.ndarray:
    """Return the reduced geometric stiffness of the tension that each product w_i w_j causes (3, 3, n, n)."""
    found = np.zeros((3, 3, modes.count, modes.count))
    for i in range(3):
        for j in range(i, 3):
            pair = np.zeros((3, 3))
            pair[i, j] = pair[j, i] = 0.5 if i != j else 1.0
            centripetal = pair - np.trace(pair) * np.eye(3)  # w w^T - w^2 1
            load = -structure.field.T @ (structure.place @ centripetal.T).ravel()
            tension = structure.tension(static(structure, load, modes.fixed))
            matrix = modes.shapes.T @ (structure.geometric(tension) @ modes.shapes)
            found[i, j] = found[j, i] = matrix
    return found


def critical(body: FlexibleBody) -> float:
    """Return the highest frequency of a body in its coordinates [Hz], which bounds explicit steps; 0 if it is rigid."""
    if not body.count:
        return 0.0
    values = np.linalg.eigvals(np.linalg.solve(body.modal_mass, body.stiffness))
    return float(np.sqrt(values.real.max())) / (2.0 * pi)
