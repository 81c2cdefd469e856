"""Structures of finite elements: beams, and imported mass and stiffness matrices. SI units, frame of the body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..errors import InputError
from .cross_section import Material, Section
from .element import THEORIES, Element

PLANAR = (0, 1, 5)  # coordinates of a node that bends in the plane xy


@dataclass(frozen=True)
class Structure:
    """Finite elements with their mass, stiffness and mass points.

    Mass points are weighted by the root of their mass m: every integral of rho f g dV is a plain sum of products.

    nodes      places of the nodes (n, 3) [m]
    dofs       number of each coordinate of a node, -1 where it is absent (n, 6)
    mass       (N, N), sparse
    stiffness  (N, N), sparse
    root       sqrt(m) of the mass points (g,)
    place      sqrt(m) times their places (g, 3)
    field      sqrt(m) times their displacement by coordinate (3 g, N), sparse; row 3 g + i is direction i
    elements   the beams; () for imported matrices
    """

    nodes: np.ndarray
    dofs: np.ndarray
    mass: Any
    stiffness: Any
    root: np.ndarray
    place: np.ndarray
    field: Any
    elements: tuple[Element, ...] = ()

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return int(self.mass.shape[0])

    def rigid_modes(self) -> np.ndarray:
        """Return the rigid motions of the coordinates: translations, then rotations about the origin (N, 3 or 6)."""
        present = self.dofs >= 0
        motions = []
        for axis in range(6) if present[:, 2].any() else PLANAR:
            unit, field = np.eye(3)[axis % 3], np.zeros((len(self.nodes), 6))
            field[:, :3] = unit if axis < 3 else np.cross(unit, self.nodes)
            field[:, 3:] = 0.0 if axis < 3 else unit
            motion = np.zeros(self.size)
            motion[self.dofs[present]] = field[present]
            motions.append(motion)
        return np.array(motions).T

    def load(self, node: int, force: Sequence[float] = (0, 0, 0), torque: Sequence[float] = (0, 0, 0)) -> np.ndarray:
        """Return the load vector (N,) of a force [N] and a torque [N m] on a node."""
        vector = np.zeros(self.size)
        for dof, value in zip(self.dofs[node], (*force, *torque), strict=True):
            if dof >= 0:
                vector[dof] = value
        return vector

    def geometric(self, tension: np.ndarray) -> Any:
        """Return the geometric stiffness (N, N), sparse, of the tension of each element [N]."""
        matrices = [n * e.geometric_stiffness() for n, e in zip(tension, self.elements, strict=True)]
        return _assembled(self.elements, matrices, self.dofs, self.size)

    def tension(self, displacement: np.ndarray) -> np.ndarray:
        """Return the tension of each element [N] of a displacement (N,)."""
        found = []
        for element in self.elements:
            local = element.turned() @ (element.boolean(self.dofs, self.size) @ displacement)
            found.append(element.rigidity[0] * (local[6] - local[0]) / element.length)
        return np.array(found)


def beam(
    nodes: np.ndarray,
    section: Section | Sequence[Section],
    material: Material,
    *,
    planar: bool = False,
    theory: str = "timoshenko",
    rotary: bool = True,
    line_mass: Sequence[float] | None = None,
    pairs: Sequence[tuple[int, int]] | None = None,
) -> Structure:
    """Return a structure of beams.

    nodes      places (n, 3) [m]; in the plane xy if planar
    section    of all elements, or one for each
    planar     only the displacements along x and y and the rotation about z
    theory     "timoshenko" or "euler-bernoulli"
    rotary     whether rotary inertia counts; needed in space, because torsion has no inertia without it
    line_mass  of each element [kg/m]; density times area unless given
    pairs      nodes of each element; consecutive nodes unless given
    """
    nodes = np.asarray(nodes, float)
    if theory not in THEORIES:
        raise InputError(f"there is no beam theory {theory!r}; accepted: {', '.join(THEORIES)}.")
    if nodes.ndim != 2 or nodes.shape[1] != 3 or len(nodes) < 2:
        raise InputError(f"the nodes of a beam have the shape {nodes.shape}; accepted: at least two rows of x, y, z.")
    if planar and np.ptp(nodes[:, 2]) > 0.0:
        raise InputError("the nodes of a planar beam have different z; give all the same z, or use planar=False.")
    if not (planar or rotary):
        raise InputError(
            "a spatial beam without rotary inertia has no inertia in torsion; use rotary=True or planar=True."
        )
    pairs = pairs or [(i, i + 1) for i in range(len(nodes) - 1)]
    sections = [section] * len(pairs) if isinstance(section, Section) else list(section)
    masses = [material.density * s.area for s in sections] if line_mass is None else list(line_mass)
    if not len(sections) == len(masses) == len(pairs):
        raise InputError(
            f"{len(pairs)} elements need as many sections and line masses; got {len(sections)} and {len(masses)}."
        )
    if min(masses) <= 0.0:
        raise InputError("an element has no mass; give every element a positive density or line_mass.")
    dofs = np.full((len(nodes), 6), -1)
    active = PLANAR if planar else range(6)
    dofs[:, list(active)] = np.arange(len(nodes) * len(active)).reshape(len(nodes), -1)
    elements = []
    for (i, j), shape, mass in zip(pairs, sections, masses, strict=True):
        length, axes = element_axes(nodes[i], nodes[j])
        elements.append(Element((i, j), length, axes, shape, material, theory, float(mass), rotary))
    return _structure(nodes, dofs, tuple(elements))


def straight(length: float, count: int, start: float = 0.0) -> np.ndarray:
    """Return the nodes of a straight beam along x with `count` elements, from x = start [m]."""
    return np.column_stack([start + np.linspace(0.0, length, count + 1), np.zeros((count + 1, 2))])


def element_axes(start: np.ndarray, end: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the length [m] and C of 2.69: local x along the element, local z closest to body z (else body x)."""
    length = float(np.linalg.norm(end - start))
    if length == 0.0:
        raise InputError(f"an element at {start.tolist()} m has no length; give its nodes different places.")
    x = (end - start) / length
    up = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.999 else np.array([1.0, 0.0, 0.0])
    y = np.cross(up, x)
    y /= np.linalg.norm(y)
    return length, np.column_stack([x, y, np.cross(x, y)])


def imported(mass: Any, stiffness: Any, nodes: np.ndarray) -> Structure:
    """Return a structure of mass and stiffness matrices of another program: solids with x, y, z of every node in order.

    The mass matrix must act in x, y and z alike and not couple them, as that of every solid element does.
    """
    nodes = np.asarray(nodes, float)
    size = 3 * len(nodes)
    mass, stiffness = sp.csc_matrix(mass), sp.csc_matrix(stiffness)
    for name, matrix in (("mass", mass), ("stiffness", stiffness)):
        if matrix.shape != (size, size):
            raise InputError(
                f"the {name} matrix is {matrix.shape[0]} x {matrix.shape[1]}; {len(nodes)} nodes need {size} x {size}."
            )
        if abs(matrix - matrix.T).max() > 1e-8 * abs(matrix).max():
            raise InputError(f"the {name} matrix is not symmetric; export both triangles.")
    scalar = mass[::3, ::3]
    apart = sp.kron(scalar, sp.eye(3)) - mass
    if abs(apart).max() > 1e-8 * abs(mass).max():
        raise InputError(
            "the mass matrix couples directions; accepted: solid elements with x, y, z of every node in order."
        )
    try:
        factor = np.linalg.cholesky(scalar.toarray()).T
    except np.linalg.LinAlgError:
        raise InputError("the mass matrix is not positive definite; give every element a density.") from None
    dofs = np.full((len(nodes), 6), -1)
    dofs[:, :3] = np.arange(size).reshape(-1, 3)
    field = sp.kron(sp.csr_matrix(factor), sp.eye(3)).tocsr()
    return Structure(nodes, dofs, mass, stiffness, factor.sum(axis=1), factor @ nodes, field)


def read_structure(mass: str | Path, stiffness: str | Path, nodes: str | Path) -> Structure:
    """Return the structure of three files: mass matrix, stiffness matrix, and places of the nodes (n, 3) [m]."""
    places = read_matrix(nodes)
    return imported(read_matrix(mass), read_matrix(stiffness), places.toarray() if sp.issparse(places) else places)


def read_matrix(path: str | Path) -> Any:
    """Return a matrix of a Matrix Market file (.mtx), a NumPy file (.npy) or a sparse one of SciPy (.npz)."""
    from scipy.io import mmread

    path = Path(path)
    readers = {".mtx": mmread, ".npy": np.load, ".npz": sp.load_npz}
    if path.suffix not in readers:
        raise InputError(f"{path}: matrices are read from Matrix Market (.mtx) and NumPy (.npy, .npz) files.")
    try:
        return readers[path.suffix](path)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: no matrix can be read ({error}).") from None


def _structure(nodes: np.ndarray, dofs: np.ndarray, elements: tuple[Element, ...]) -> Structure:
    size = int(dofs.max()) + 1
    root, place, fields = [], [], []
    for element in elements:
        points = element.mass_points()
        weight = np.sqrt([mass for mass, _, _ in points])
        local = np.array([where for _, where, _ in points])
        shape = element.rotation @ np.array([matrix for _, _, matrix in points]) @ element.turned()
        root.append(weight)
        place.append(weight[:, None] * (nodes[element.nodes[0]] + local @ element.rotation.T))
        fields.append((weight[:, None, None] * shape).reshape(-1, 12))
    field = (sp.block_diag(fields, "csr") @ _boolean(elements, dofs, size)).tocsr()
    stiffness = _assembled(elements, [element.stiffness() for element in elements], dofs, size)
    mass = (field.T @ field).tocsc()
    return Structure(nodes, dofs, mass, stiffness, np.concatenate(root), np.concatenate(place), field, elements)


def _assembled(elements: tuple[Element, ...], matrices: list[np.ndarray], dofs: np.ndarray, size: int) -> Any:
    """Return the sum of B^T C k C^T B over the elements."""
    picked = _boolean(elements, dofs, size)
    turns = [element.turned() for element in elements]
    turned = [turn.T @ matrix @ turn for turn, matrix in zip(turns, matrices, strict=True)]
    return (picked.T @ sp.block_diag(turned, "csr") @ picked).tocsc()


def _boolean(elements: tuple[Element, ...], dofs: np.ndarray, size: int) -> Any:
    """Return the Boolean maps of all elements, one below the other (12 elements, N)."""
    picked = dofs[[element.nodes for element in elements]].ravel()
    rows = np.flatnonzero(picked >= 0)
    return sp.csr_matrix((np.ones(len(rows)), (rows, picked[rows])), shape=(len(picked), size))
