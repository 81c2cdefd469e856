"""Triangulated surfaces from files: STL, OBJ, PLY and OFF. SI units, z is up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, located, optional
from ..model import Contact, Mesh
from ..model.field import field_of
from ..model.value import Choice, File
from ..units import UNITS
from .surface import contact

#: farthest vertex [m]
LARGEST = 1e6
SUFFIXES = (".stl", ".obj", ".ply", ".off")


@dataclass(frozen=True)
class MeshFile:
    """The file of a surface, and how its coordinates are meant."""

    file: str = field_of(File(), "STL, OBJ, PLY or OFF; looked up from the folder of the scenario")
    unit: str = field_of(Choice(tuple(UNITS["length"])), "of the coordinates of the file", default="m", implied=True)
    scale: float = field_of("dimensionless", "further factor", default=1.0, implied=True)


def read_mesh(
    file: str | Path,
    name: str | None = None,
    contact_of: str | Mapping[str, Any] | Contact = "concrete",
    *,
    unit: str = "m",
    scale: float = 1.0,
    turn: Sequence[Sequence[float]] | None = None,
    merge: float = 1e-6,
    open: bool = False,
    **more: Any,
) -> Mesh:
    """Return a surface from a file.

    file        STL, OBJ, PLY or OFF
    name        of the surface; the file's name unless given
    contact_of  a row of the surface table, a table of parameters, or a Contact
    unit        of the file's coordinates: "m", "mm", "in", ...; STL and OBJ files do not contain it
    scale       further factor [-]
    turn        3x3 rotation from the file's axes to x forward, y left, z up
    merge       vertices nearer to each other than this are one [m]
    open        whether the surface may have a rim
    more        carrier, place, rotation, rounding, backing, crease, only: see vitruvian.model.FacetSurface
    """
    path = Path(file)
    lengths = UNITS["length"]
    if unit not in lengths:
        raise InputError(f"mesh {path.name}: unit is {unit!r}; accepted: {', '.join(lengths)}.")
    if not (np.isfinite(scale) and scale > 0.0):
        raise InputError(f"mesh {path.name}: scale is {scale}; it must be greater than zero.")
    vertices, triangles = _read(path)
    if turn is not None:
        matrix = np.array(turn, dtype=float)
        if (
            matrix.shape != (3, 3)
            or not np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-9)
            or np.linalg.det(matrix) < 0
        ):
            raise InputError(f"mesh {path.name}: turn is not a rotation matrix of 3x3 numbers.")
        vertices = vertices @ matrix.T
    bad = ~np.isfinite(vertices).all(axis=1)
    if bad.any():
        vertex = int(np.argmax(bad))
        face = int(np.argmax((triangles == vertex).any(axis=1)))
        raise InputError(
            f"mesh {path.name}: face {face} has the vertex {vertices[vertex].tolist()}; every number must be finite."
        )
    vertices = lengths[unit] * scale * vertices
    if np.abs(vertices).max(initial=0.0) > LARGEST:
        raise InputError(f"mesh {path.name}: a vertex is over {LARGEST:g} m from the origin; check unit and scale.")
    vertices, triangles = merged(vertices, triangles, merge)
    law = contact(contact_of)
    with located(f"mesh {path.name}"):
        return Mesh(name or path.stem, vertices=vertices, triangles=triangles, contact=law, open=open, **more)


def merged(vertices: np.ndarray, triangles: np.ndarray, distance: float) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices with duplicates merged, and triangles without degenerate and repeated ones.

    distance  up to which two vertices count as one [m]
    """
    from scipy.spatial import cKDTree

    first = np.arange(len(vertices))
    for i, j in sorted(map(tuple, cKDTree(vertices).query_pairs(distance, output_type="ndarray").tolist())):
        first[j] = min(first[j], first[i])
    kept, number = np.unique(first, return_inverse=True)
    faces = number[triangles]
    whole = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    faces = faces[whole]
    start = np.argmin(faces, axis=1)
    turned = np.take_along_axis(faces, (start[:, None] + np.arange(3)) % 3, axis=1)
    _, once = np.unique(turned, axis=0, return_index=True)
    return vertices[kept], faces[np.sort(once)]


def _read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices [unit of the file] and triangles of a file."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"mesh {path.name}: the ending {path.suffix!r} is not known; accepted: {', '.join(SUFFIXES)}.")
    if not path.is_file():
        raise InputError(f"mesh {path}: there is no such file.")
    trimesh = optional("trimesh", "mesh", "reading a mesh")
    try:
        loaded: Any = trimesh.load(path, force="mesh", process=False)
    except Exception as error:  # trimesh raises all kinds of errors
        raise InputError(f"mesh {path.name}: trimesh cannot read it; is it a whole {path.suffix} file?") from error
    vertices, triangles = np.array(loaded.vertices, dtype=float), np.array(loaded.faces, dtype=np.int64)
    if triangles.ndim != 2 or len(triangles) == 0:
        raise InputError(f"mesh {path.name}: the file holds no triangles.")
    return vertices, triangles
