"""Folds of a skin: triangles that blending turns over are turned back, and overstretched vertices pulled in. SI units.

Blended bones squeeze the skin inside a bend (armpit, groin) and can turn a triangle over there. The signed area of a
triangle is its area along the normal that the blended rotations give it, over its area in the rest posture. As long
as one signed area is below `Rule.least`, each triangle below `Rule.aim` moves its vertices along the gradient of its
signed area, and displacements are averaged over neighbours, less from pass to pass. A vertex farther from its bone
than `Rule.farthest` times its distance in the rest posture is moved back to there. `assets/folds.js` is the same for
pages.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Rule(NamedTuple):
    """How folds are opened; pages get the same numbers.

    least, aim        signed area [-] below which folds are opened, and up to where
    farthest          distance from the bone, of that in the rest posture [-]
    passes            at most
    step              of a vertex, over the mean of the steps of its triangles [-]
    averaged, fading  share of the averaging in the first pass, and its factor from pass to pass [-]
    round             least square of a gradient, of the area [-]: keeps the steps of thin triangles short
    """

    least: float = 0.02
    aim: float = 0.15
    farthest: float = 1.49
    passes: int = 300
    step: float = 1.4
    averaged: float = 0.3
    fading: float = 0.97
    round: float = 0.05


RULE = Rule()


class Folds:
    """Part of a skin that can fold, with its rest posture.

    vertex   number of each of its vertices in the skin (k,)
    corner   places of the corners of its triangles among these (m, 3)
    free     1 for vertices inside, 0 at the border, where they stay (k, 1)
    """

    def __init__(self, vertices: np.ndarray, triangles: np.ndarray, folding: np.ndarray, distance: np.ndarray) -> None:
        """Take the vertices [m] and triangles of a skin, the triangles that can fold, distances to the bones [m]."""
        inside, others = triangles[folding], triangles[~folding]
        self.vertex, corner = np.unique(inside, return_inverse=True)
        self.corner = corner.reshape(-1, 3)
        self.free = (~np.isin(self.vertex, others)).astype(float)[:, None]
        self._area = _areas(vertices[self.vertex], self.corner)
        self._size = np.linalg.norm(self._area, axis=1)
        self._reach = RULE.farthest * distance[self.vertex]
        edges = np.sort(np.concatenate([self.corner[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))]), axis=1)
        edges = np.unique(edges, axis=0)
        self._start, self._end = np.concatenate([edges, edges[:, ::-1]]).T

    def opened(self, at: np.ndarray, turn: np.ndarray, home: np.ndarray) -> np.ndarray:
        """Return the vertices of the part (k, 3) [m], moved so that no triangle is turned over.

        at    vertices of the part as the bones place them (k, 3) [m]
        turn  blended rotation of each (k, 3, 3)
        home  place of the bone that each follows most (k, 3) [m]
        """
        out = np.einsum("nij,nj->ni", turn[self.corner].mean(axis=1), self._area)
        out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-300)
        first = at = self._pulled_in(at, home)
        share = RULE.averaged
        for _ in range(RULE.passes):
            signed = np.einsum("ni,ni->n", _areas(at, self.corner), out) / self._size
            if signed.min(initial=1.0) >= RULE.least:
                break
            low = np.flatnonzero(signed < RULE.aim)
            shift = at - first + self.free * self._steps(at, low, out[low], RULE.aim - signed[low])
            shift += share * self.free * (self._mean(shift[self._end], self._start) - shift)
            at, share = self._pulled_in(first + shift, home), share * RULE.fading
        return at

    def _steps(self, at: np.ndarray, low: np.ndarray, out: np.ndarray, lack: np.ndarray) -> np.ndarray:
        """Return the step [m] of each vertex that gives some triangles the signed areas [-] that they lack."""
        corner, size = self.corner[low], self._size[low]
        a, b, c = (at[corner[:, k]] for k in range(3))
        slope = np.stack([np.cross(b - c, out), np.cross(c - a, out), np.cross(a - b, out)], axis=1)
        rate = lack * size / np.maximum((slope**2).sum(axis=(1, 2)), RULE.round * size)
        return RULE.step * self._mean((rate[:, None, None] * slope).reshape(-1, 3), corner.ravel())

    def _mean(self, values: np.ndarray, vertex: np.ndarray) -> np.ndarray:
        """Return the mean (k, 3) of the values (n, 3) that belong to each vertex; zero where there is none."""
        many = np.maximum(np.bincount(vertex, minlength=len(self.vertex)), 1)
        total = [np.bincount(vertex, values[:, axis], len(self.vertex)) for axis in range(3)]
        return np.stack(total, axis=1) / many[:, None]

    def _pulled_in(self, at: np.ndarray, home: np.ndarray) -> np.ndarray:
        """Return vertices no farther from their bones than they may be [m]."""
        away = at - home
        return home + away * np.minimum(self._reach / np.maximum(np.linalg.norm(away, axis=1), 1e-300), 1.0)[:, None]


def _areas(vertices: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """Return the normals of triangles, as long as twice their areas (m, 3) [m²]."""
    a, b, c = (vertices[corner[:, k]] for k in range(3))
    return np.cross(b - a, c - a)
