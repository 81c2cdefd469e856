"""A person as one continuous mesh that the segments deform. SI units.

The round solids of `body_form` are joined smoothly in a rest posture with the limbs apart, and one closed surface is
laid around them. Each vertex follows up to eight bones: the segments, and bones at each joint that turn by a part of
the rotation of the joint. A vertex follows the bones near it (linear blend skinning), and the folds of shoulders and
hips are opened (`folds`). The skin is drawn only; contact uses the shapes of the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..model.pose import rotation_matrix
from .folds import Folds

_FOLDING = 0.1  # share of the bones at shoulders and hips from which a vertex is in a fold [-]
_CONJUGATE = np.array([1.0, -1.0, -1.0, -1.0])


class Bones(NamedTuple):
    """The bones of a skin: segments first, then those at joints.

    body         number of each segment (s,)
    pair         for each bone at a joint the places among the segments of the one above and the one below (j, 2)
    point        its joint in the frames of these two [m] (j, 2, 3)
    part         how far it turns from the segment above to the one below (j,), 0 to 1 [-]
    rest_place   of all bones in the rest posture (b, 3) [m]
    rest_turn    of the segments in the rest posture (s, 4)
    """

    body: np.ndarray
    pair: np.ndarray
    point: np.ndarray
    part: np.ndarray
    rest_place: np.ndarray
    rest_turn: np.ndarray


@dataclass(frozen=True)
class Skin:
    """The skin of one person in its rest posture.

    vertices   (n, 3) [m]
    triangles  (m, 3), anticlockwise from outside
    cloth      what covers each triangle (m,): number in `colour.CLOTH`
    bone       bones that a vertex follows, the nearest first (n, 8)
    weight     their shares (n, 8), sum 1 [-]
    """

    name: str
    vertices: np.ndarray
    triangles: np.ndarray
    cloth: np.ndarray
    bone: np.ndarray
    weight: np.ndarray
    bones: Bones

    @cached_property
    def normals(self) -> np.ndarray:
        """Unit vectors out of the body at the vertices (n, 3)."""
        return vertex_normals(self.vertices, self.triangles)

    @cached_property
    def segment(self) -> np.ndarray:
        """The number of the body whose segment a vertex follows most (n,); of joints the one below."""
        owner = np.concatenate([self.bones.body, self.bones.body[self.bones.pair[:, 1]]])
        return owner[self.bone[:, 0]]

    @cached_property
    def folding(self) -> np.ndarray:
        """Whether each triangle (m,) is at a shoulder or hip, whose joints have more than one bone."""
        _, joint, bones = np.unique(self.bones.pair, axis=0, return_inverse=True, return_counts=True)
        ball = np.concatenate([np.full(len(self.bones.body), False), bones[joint.ravel()] > 1])
        share = (self.weight * ball[self.bone]).sum(axis=1)
        return (share[self.triangles] > _FOLDING).any(axis=1)

    @cached_property
    def folds(self) -> Folds:
        """The part that can fold."""
        distance = np.linalg.norm(self.vertices - self.bones.rest_place[self.bone[:, 0]], axis=1)
        return Folds(self.vertices, self.triangles, self.folding, distance)

    def led_by(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Return bones and shares of the nearest `count` bones of each vertex (n, count), for programs that take fewer.

        The share of the next bone is subtracted from all, so that the shares have no jump along the surface.
        """
        if count >= self.bone.shape[1]:
            return self.bone, self.weight
        weight = self.weight[:, :count] - self.weight[:, count : count + 1]
        return self.bone[:, :count], weight / weight.sum(axis=1, keepdims=True)

    def pose(self, position: np.ndarray, orientation: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the places [m] (b, 3) and the turns from the rest posture (b, 4) of the bones.

        position, orientation  of all bodies (body, 3) [m], (body, 4)
        """
        bones = self.bones
        place, turn = position[bones.body], orientation[bones.body]
        delta = product(turn, bones.rest_turn * _CONJUGATE)
        above, below = bones.pair.T
        sign = np.where((delta[above] * delta[below]).sum(axis=1) < 0.0, -1.0, 1.0)
        between = (1.0 - bones.part)[:, None] * delta[above] + (sign * bones.part)[:, None] * delta[below]
        between /= np.linalg.norm(between, axis=1, keepdims=True)
        ends = [
            place[side] + np.einsum("nij,nj->ni", rotation_matrix(turn[side]), bones.point[:, end])
            for end, side in enumerate((above, below))
        ]
        return np.vstack([place, 0.5 * (ends[0] + ends[1])]), np.vstack([delta, between])

    def deformed(self, position: np.ndarray, orientation: np.ndarray) -> np.ndarray:
        """Return the vertices (n, 3) [m] in the world for a pose of all bodies."""
        vertices, turn, home = self.blended(position, orientation)
        part = self.folds.vertex
        vertices[part] = self.folds.opened(vertices[part], turn[part], home[part])
        return vertices

    def blended(self, position: np.ndarray, orientation: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the vertices as the bones place them (n, 3) [m], with folds that may be turned over.

        Also return the blended rotation of each (n, 3, 3) and the place of the bone that it follows most (n, 3) [m].
        """
        place, delta = self.pose(position, orientation)
        turn = rotation_matrix(delta)
        shift = place - np.einsum("nij,nj->ni", turn, self.bones.rest_place)
        affine = np.concatenate([turn, shift[:, :, None]], axis=2)
        mixed = np.einsum("nk,nkij->nij", self.weight, affine[self.bone])
        vertices = np.einsum("nij,nj->ni", mixed[:, :, :3], self.vertices) + mixed[:, :, 3]
        return vertices, mixed[:, :, :3], place[self.bone[:, 0]]


def vertex_normals(vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Return unit normals at the vertices (n, 3): means over the triangles that meet there, by their areas."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    area = np.cross(b - a, c - a)
    total = np.stack(
        [np.bincount(triangles.ravel(), np.repeat(area[:, axis], 3), len(vertices)) for axis in range(3)], axis=1
    )
    return total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-12)


def product(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the products of quaternions (n, 4)."""
    (a, b, c, d), (e, f, g, h) = first.T, second.T
    return np.stack(
        [
            a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        ],
        axis=1,
    )
