"""The surface where a field on a regular grid is zero, as one closed mesh of triangles (surface nets). Plain numpy.

Each cell of the grid that the surface crosses has one vertex, the mean of the crossings on its edges. Each edge of
the grid that the surface crosses joins the vertices of the four cells around it. The mesh has no gaps by construction.
"""

from __future__ import annotations

import numpy as np

_CORNERS = np.array([(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)])
_EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(_CORNERS[a] - _CORNERS[b]).sum() == 1]


def isosurface(field: np.ndarray, origin: np.ndarray, spacing: float) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices (n, 3) [m] and triangles (m, 3), anticlockwise from outside.

    field    (i, j, k), positive inside, negative at the border of the grid
    origin   first point of the grid [m]
    spacing  of the grid [m]
    """
    inside = field > 0.0
    count = sum(_shifted(inside, corner).astype(np.int8) for corner in _CORNERS)
    cells = np.argwhere((count > 0) & (count < 8))
    number = np.full(np.array(field.shape) - 1, -1, dtype=np.int64)
    number[tuple(cells.T)] = np.arange(len(cells))

    corner = np.stack([field[tuple((cells + step).T)] for step in _CORNERS], axis=1)
    total, hits = np.zeros((len(cells), 3)), np.zeros(len(cells))
    for a, b in _EDGES:
        crossed = (corner[:, a] > 0.0) != (corner[:, b] > 0.0)
        share = corner[:, a] / np.where(crossed, corner[:, a] - corner[:, b], 1.0)
        point = _CORNERS[a] + share[:, None] * (_CORNERS[b] - _CORNERS[a])
        total += np.where(crossed[:, None], point, 0.0)
        hits += crossed
    vertices = origin + spacing * (cells + total / hits[:, None])
    return vertices, _triangles(vertices, inside, number)


def _triangles(vertices: np.ndarray, inside: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Return two triangles for each edge of the grid that the surface crosses, split along the shorter diagonal."""
    quads = []
    for axis in range(3):
        low = np.take(inside, range(inside.shape[axis] - 1), axis=axis)
        high = np.take(inside, range(1, inside.shape[axis]), axis=axis)
        edge = np.argwhere(low != high)
        one, two = np.eye(3, dtype=np.int64)[[(axis + 1) % 3, (axis + 2) % 3]]
        around = [number[tuple((edge - step).T)] for step in (one + two, two, 0 * one, one)]
        quad = np.stack(around, axis=1)
        leaves = low[tuple(edge.T)]  # the surface is left along the axis
        quads.append(np.where(leaves[:, None], quad, quad[:, ::-1]))
    quad = np.concatenate(quads)
    a, b, c, d = (vertices[quad[:, place]] for place in range(4))
    first = np.linalg.norm(a - c, axis=1) < np.linalg.norm(b - d, axis=1)
    halves = np.where(first[:, None], quad[:, [0, 1, 2, 0, 2, 3]], quad[:, [1, 2, 3, 1, 3, 0]])
    return halves.reshape(-1, 3)


def _shifted(values: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return the values at one corner of every cell."""
    return values[tuple(slice(s, size - 1 + s) for s, size in zip(step, values.shape, strict=True))]
