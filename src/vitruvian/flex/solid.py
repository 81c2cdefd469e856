"""Solids of finite elements by scikit-fem, from meshes of its own or from files that meshio reads. SI units.

Quadratic elements on tetrahedra and hexahedra. Coordinates are x, y and z of every node in order, as in `imported`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..errors import InputError, optional
from .cross_section import Material
from .structure import Structure, imported

CELLS = {"tetra": ("MeshTet", "ElementTetP2"), "hexahedron": ("MeshHex", "ElementHex2")}  # that meshes may have


def solid(points: np.ndarray, cells: np.ndarray, material: Material, kind: str = "hexahedron") -> Structure:
    """Return the structure of a solid.

    points    corners of the elements (n, 3) [m]
    cells     corners of every element (m, 4 or 8), in the order of meshio
    material  isotropic, with a density
    kind      "tetra" or "hexahedron"
    """
    fem = optional("skfem", "solid", "to make solids of finite elements", "scikit-fem")
    if kind not in CELLS:
        raise InputError(f"elements of kind {kind!r} are not supported; accepted: {', '.join(CELLS)}.")
    points, cells = np.asarray(points, float), np.asarray(cells)
    if points.ndim != 2 or points.shape[1] != 3 or not len(cells):
        raise InputError(f"a solid has points of the shape {points.shape} and {len(cells)} elements; give x, y, z.")
    corners = {"tetra": 4, "hexahedron": 8}[kind]
    if cells.ndim != 2 or cells.shape[1] != corners:
        raise InputError(f"elements of kind {kind!r} have {corners} corners; got cells of the shape {cells.shape}.")
    if cells.min() < 0 or cells.max() >= len(points):
        raise InputError(f"an element has the corner {cells.max()}; there are points 0 to {len(points) - 1}.")
    mesh = _mesh(fem, points, cells, kind)
    basis = fem.Basis(mesh, getattr(fem, CELLS[kind][1])())
    rows = basis.element_dofs.T  # (m, nodes of an element)
    value = np.array([np.broadcast_to(np.asarray(shape[0]), basis.dx.shape) for shape in basis.basis])
    slope = np.array([shape[0].grad for shape in basis.basis])  # (node, direction, element, point)
    mass = material.density * np.einsum("ieq,jeq,eq->eij", value, value, basis.dx, optimize=True)
    product = np.einsum("iaeq,jbeq,eq->eiajb", slope, slope, basis.dx, optimize=True)
    first, second = material.shear * 2.0 * material.poisson / (1.0 - 2.0 * material.poisson), material.shear
    stiffness = first * product + second * product.swapaxes(2, 4)  # lambda and mu of Lame
    stiffness += second * np.einsum("eicjc,ab->eiajb", product, np.eye(3))
    coordinates = (3 * rows[:, :, None] + np.arange(3)).reshape(len(rows), -1)
    whole = _assembled(stiffness.reshape(len(rows), *[coordinates.shape[1]] * 2), coordinates, 3 * basis.N)
    return imported(sp.kron(_assembled(mass, rows, basis.N), sp.eye(3)), whole, basis.doflocs.T)


def _assembled(matrices: np.ndarray, rows: np.ndarray, size: int) -> Any:
    """Return the sum of the matrices of all elements (m, k, k) at their rows (m, k), as one of a given size."""
    across = np.repeat(rows, rows.shape[1], axis=1).ravel(), np.tile(rows, (1, rows.shape[1])).ravel()
    return sp.coo_matrix((matrices.ravel(), across), shape=(size, size)).tocsc()


def read_solid(path: str | Path, material: Material) -> Structure:
    """Return the structure of a mesh file that meshio reads (Gmsh, Abaqus, VTK and others); lengths in metres."""
    meshio = optional("meshio", "solid", "to read mesh files")
    try:
        mesh = meshio.read(path)
    except Exception as error:
        raise InputError(f"{path}: no mesh can be read ({error}).") from None
    volumes = [block for block in mesh.cells if block.dim == 3]
    known = [block for block in volumes if block.type in CELLS]
    if len(volumes) != 1 or not known:
        found = ", ".join(block.type for block in mesh.cells) or "none"
        raise InputError(f"{path} has elements of the kinds {found}; accepted: one block of {' or '.join(CELLS)}.")
    used, cells = np.unique(known[0].data, return_inverse=True)
    return solid(mesh.points[used], cells.reshape(known[0].data.shape), material, known[0].type)


def tube_mesh(outer: float, inner: float, length: float, counts: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return points (n, 3) [m] and hexahedra (m, 8) of a tube along x; counts: round it, through its wall, along it."""
    around, through, along = counts
    angle = 2.0 * np.pi * np.arange(around) / around
    radius, x = np.linspace(inner, outer, through + 1), np.linspace(0.0, length, along + 1)
    grid = np.array([(a, r * np.cos(t), r * np.sin(t)) for a in x for r in radius for t in angle])

    def node(i: int, j: int, k: int) -> int:
        return (i * (through + 1) + j) * around + k % around

    cells = [
        [node(i + a, j + b, k + c) for a in (0, 1) for b, c in ((0, 0), (1, 0), (1, 1), (0, 1))]
        for i in range(along)
        for j in range(through)
        for k in range(around)
    ]
    return grid, np.array(cells)


def _mesh(fem: Any, points: np.ndarray, cells: np.ndarray, kind: str) -> Any:
    """Return the mesh of scikit-fem, whose hexahedra have another order of corners than those of meshio."""
    order = [0, 4, 3, 1, 7, 5, 2, 6] if kind == "hexahedron" else [0, 1, 2, 3]
    return getattr(fem, CELLS[kind][0])(np.ascontiguousarray(points.T), np.ascontiguousarray(cells[:, order].T))
