"""Triangles of shapes, for pictures and for export to meshes. SI units."""

from __future__ import annotations

from itertools import product
from math import pi

import numpy as np

from .shape import Box, Capsule, Cylinder, Shape
from .superellipsoid import Superellipsoid


def mesh(shape: Shape, n: int = 24) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (m, 3) in the body frame [m] and triangles (k, 3) of a shape, n of them round its axis."""
    vertices, faces = _own_mesh(shape, max(4, n))
    return np.array(shape.offset) + vertices @ shape.turn.T, faces


def _own_mesh(shape: Shape, n: int) -> tuple[np.ndarray, np.ndarray]:
    polar = np.linspace(0.0, pi, max(3, n // 2 + 1))
    round_ = np.column_stack([np.sin(polar), np.cos(polar)])
    if isinstance(shape, Capsule):
        upper, lower = (round_[round_[:, 1] >= 0.0], round_[round_[:, 1] <= 0.0])
        half = np.array([0.0, 0.5 * shape.length])
        return _revolved(np.vstack([shape.radius * upper + half, shape.radius * lower - half]), n)
    if isinstance(shape, Cylinder):
        r, h = shape.radius, 0.5 * shape.length
        return _revolved(np.array([(0.0, h), (r, h), (r, -h), (0.0, -h)]), n)
    if isinstance(shape, Box):
        return _block(np.array(shape.half_size))
    if isinstance(shape, Superellipsoid):
        e1, e2 = shape.roundness
        vertices, faces = _revolved(_signed_power(round_, e1), n, e2)
    else:
        vertices, faces = _revolved(round_, n)
    return vertices * shape.half_size, faces


def _signed_power(x: np.ndarray, e: float) -> np.ndarray:
    x = np.where(np.abs(x) < 1e-15, 0.0, x)
    return np.sign(x) * np.abs(x) ** e


def _revolved(profile: np.ndarray, n: int, e: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """A profile of (radius, z) from the upper pole to the lower one, turned about z; e the roundness of the turn."""
    turn = 2.0 * pi * np.arange(n) / n
    circle = _signed_power(np.column_stack([np.cos(turn), np.sin(turn)]), e)
    rings = profile[1:-1]
    ring = np.concatenate([np.column_stack([r * circle, np.full(n, z)]) for r, z in rings])
    vertices = np.vstack([[(0.0, 0.0, profile[0, 1])], ring, [(0.0, 0.0, profile[-1, 1])]])
    i = np.arange(n)
    j = (i + 1) % n
    faces = [np.column_stack([np.zeros(n, dtype=int), 1 + i, 1 + j])]
    for k in range(len(rings) - 1):
        a, b = 1 + k * n, 1 + (k + 1) * n
        faces += [np.column_stack([a + i, b + i, b + j]), np.column_stack([a + i, b + j, a + j])]
    last = 1 + (len(rings) - 1) * n
    faces.append(np.column_stack([last + i, np.full(n, len(vertices) - 1), last + j]))
    return vertices, np.concatenate(faces)


def _block(half: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    corners = np.array(list(product((-1.0, 1.0), repeat=3))) * half
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
