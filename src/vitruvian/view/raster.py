"""Triangles on a grid of rays: which rays meet which triangle, and normals that make facets look round. Plain numpy.

All triangles go at once: first into rows, then the rows into rays. The work follows the area covered, not the count.
"""

from __future__ import annotations

import numpy as np


def covered(corners: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each hit of a ray: triangle, row and column; a ray on a common edge hits one of the two triangles.

    corners  (n, 3, 2) in the plane of the picture [m]
    x, y     of the columns and of the rows of rays, evenly spaced [m]
    """
    if len(x) < 2 or len(y) < 2:  # too narrow for a spacing
        none = np.zeros(0, dtype=np.int64)
        return none, none, none
    u, v = (corners[..., 0] - x[0]) / (x[1] - x[0]), (corners[..., 1] - y[0]) / (y[1] - y[0])
    span, row = _runs(_from(v.min(axis=1), len(y)), _from(v.max(axis=1), len(y)))

    # a row between the corners of a triangle crosses two of its edges
    left, right = np.full(len(span), np.inf), np.full(len(span), -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        rise = v[span, b] - v[span, a]
        crossed = (v[span, a] <= row) != (v[span, b] <= row)
        at = u[span, a] + (row - v[span, a]) / np.where(crossed, rise, 1.0) * (u[span, b] - u[span, a])
        left = np.where(crossed, np.minimum(left, at), left)
        right = np.where(crossed, np.maximum(right, at), right)
    item, column = _runs(_from(left, len(x)), _from(right, len(x)))
    return span[item], row[item], column


def weights(corners: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Shares of the three corners (n, 3, 2) in points x, y (n,) of their triangles: (n, 3), sum 1 [-]."""
    (bx, by), (cx, cy) = (corners[:, 1] - corners[:, 0]).T, (corners[:, 2] - corners[:, 0]).T
    dx, dy = x - corners[:, 0, 0], y - corners[:, 0, 1]
    area = bx * cy - cx * by
    second, third = (dx * cy - cx * dy) / area, (bx * dy - dx * by) / area
    return np.stack([1.0 - second - third, second, third], axis=-1)


def corner_normals(vertices: np.ndarray, triangles: np.ndarray, crease: float) -> np.ndarray:
    """Return unit normals at the corners (n, 3, 3): means over the triangles that meet there, by their angles.

    crease  triangles that meet at a larger angle keep an edge [rad]; 0 for flat triangles
    """
    corner = vertices[triangles]
    ahead, back = _units(np.roll(corner, -1, axis=1) - corner), _units(np.roll(corner, 1, axis=1) - corner)
    angle = np.arccos(np.clip((ahead * back).sum(axis=2), -1.0, 1.0)).ravel()
    normal = _units(np.cross(ahead[:, 0], back[:, 0]))
    vertex = triangles.ravel()
    order = np.argsort(vertex, kind="stable")
    grouped = vertex[order]
    at, place = _runs(np.searchsorted(grouped, vertex), np.searchsorted(grouped, vertex, side="right"))
    other = order[place]
    smooth = np.einsum("ij,ij->i", normal[at // 3], normal[other // 3]) > np.cos(crease) - 1e-9
    at, other = at[smooth], other[smooth]
    parts = angle[other, None] * normal[other // 3]
    total = np.stack([np.bincount(at, parts[:, axis], len(vertex)) for axis in range(3)], axis=-1)
    return _units(total).reshape(-1, 3, 3)


def shaded(vertices: np.ndarray, triangles: np.ndarray, crease: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return vertices, their normals and triangles; a vertex on an edge occurs once for each side of the edge."""
    normals = corner_normals(vertices, triangles, crease).reshape(-1, 3)
    keys = np.column_stack([triangles.ravel(), np.round(normals, 4)])
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return vertices[triangles.ravel()[first]], normals[first], inverse.reshape(-1, 3)


def _units(vectors: np.ndarray) -> np.ndarray:
    """Made unit vectors (..., 3); none of the zero vector."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-300)


def _from(bound: np.ndarray, count: int) -> np.ndarray:
    """The first of a number of rays that is not below a bound."""
    return np.clip(np.ceil(bound), 0, count).astype(np.int64)


def _runs(first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers from each first up to, without, its last, in one row: to which run they belong, and the numbers."""
    count = np.maximum(last - first, 0)
    run = np.repeat(np.arange(len(count)), count)
    return run, np.arange(len(run)) + (first - np.cumsum(count) + count)[run]
