"""A profile closed to a solid: convex regions that cover it, and the parts that share the load of each. SI units.

The solid is bounded by the profile, by a level underside behind its first corner, by a level roof behind its last
corner, and by an upright rear. It is the union of convex regions, one for each stretch of the profile between valleys.
Under a valley a region continues by a reach and ends there at a wall across its last segment, so that regions overlap.

A region and its parts are convex prisms. Every normal in the plane of the profile is one of theirs, so the depth has a
potential for a shape at any place, also below and behind the profile. A part is what lies behind its segments, between
walls across them, down to the underside: its law also holds for what is below it. Above an undercut segment the wall
is level.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from .pieces import FLAT, Faces

Plane = tuple[np.ndarray, np.ndarray]  # normal out of the solid in the x-z plane, a point on it [m]
FALL = 0.15  # of a side that is too short: its way inwards beyond that of the others, over the increase [-]
INNER, WALL = 0.25, -0.25  # way inwards of sides of a region and of a part that are not of the profile, over that of
# the others [-]
ROOM = 100.0  # of the increase, for the corner of two walls that move outwards [-]
SMALL = 1e-9  # [m], sides that are shorter are left out


class Solid(NamedTuple):
    """A convex region of a solid drawn out along y.

    whole  all its sides
    outer  only its segments of the profile, with what continues under valleys
    parts  number and sides of each of its parts, in order
    """

    whole: Faces
    outer: Faces
    parts: tuple[tuple[int, Faces], ...]

    def rounder(self, most: float) -> tuple[float, tuple[np.ndarray, ...]]:
        """Return by how much the radius of its edges can grow [m], at most `most` [m], and the way of the vertices of
        `whole` and of each part inwards over that increase [-].

        Sides of the profile move inwards by the increase. The others are no way out for what came in through the
        profile: underside and inner walls of the region move by less, those of parts outwards. A side that is too
        short falls back and vanishes between its neighbours. The increase is so small that something is left of all,
        and that no side falls back by more than FALL times it, as the face of a thin nose would.
        """
        half = float(self.whole.vertices[-1, 1])
        prisms = [(self.whole, INNER), *((sides, WALL) for _, sides in self.parts)]
        for more in most * np.linspace(1.0, 0.05, 20) if most > 0.0 else ():
            ways = [self._inwards(prism, inner, more) for prism, inner in prisms] if more < half else [None]
            known = tuple(way for way in ways if way is not None)
            if len(known) == len(ways):
                return float(more), known
        return 0.0, tuple(np.zeros_like(prism.vertices) for prism, _ in prisms)

    def _inwards(self, prism: Faces, inner: float, more: float) -> np.ndarray | None:
        """Return the way of the vertices of a prism inwards over an increase [m] [-], None if that is too large.

        A vertex moves to the vertex of what is left that is farthest along its normals.
        """
        outline, normal = prism.vertices[: len(prism.vertices) // 2, [0, 2]], prism.normal[:, [0, 2]]
        drawn = np.array([self._in_profile(prism, f) for f in range(len(normal))])
        way = np.where(drawn, 1.0, inner)
        low, high = outline.min(axis=0) - ROOM * more, outline.max(axis=0) + ROOM * more
        box = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
        left = _clipped(box, [(n, p - more * w * n) for n, p, w in zip(normal, outline, way, strict=True)])
        if len(left) < 3:
            return None
        middle = normal + np.roll(normal, 1, axis=0)
        shift = (outline - left[np.argmax(middle @ left.T, axis=1)]) / more
        fall = np.minimum(np.sum(normal * shift, axis=1), np.sum(normal * np.roll(shift, -1, axis=0), axis=1)) - way
        if fall.max() > FALL:
            return None
        return np.array([(q[0], y, q[1]) for y in (-1.0, 1.0) for q in shift])

    def _in_profile(self, prism: Faces, f: int) -> bool:
        """Return whether face f of a prism lies in a segment of the profile."""
        normal, point = prism.normal[f], prism.vertices[prism.faces[f][0]]
        places = self.outer.vertices[[face[0] for face in self.outer.faces]]
        same = self.outer.normal @ normal > np.cos(FLAT)
        return bool((same & (np.abs((places - point) @ normal) < SMALL)).any())


def can_close(profile: np.ndarray, length: float) -> bool:
    """Return whether a solid of a length [m] along x has the profile: its first corner is the lowest, none is last."""
    lowest = profile[:, 1].min() >= profile[0, 1] - SMALL
    return bool(lowest and profile[:, 0].min() > profile[:, 0].max() - length)


def solids(profile: np.ndarray, part: Sequence[int], length: float, half: float, reach: float) -> tuple[Solid, ...]:
    """Return the convex regions of a solid.

    profile  corners (x, z) [m] with the outside on the right
    part     number of the part of each segment; the roof has that of the last one
    length   of the solid along x, from its foremost corner [m]
    half     half of the width along y [m]
    reach    by which a region continues under a valley [m]
    """
    rear = float(profile[:, 0].max()) - length
    points = np.concatenate([profile, [(rear, profile[-1, 1])]])
    number = [*part, part[-1]]
    along = np.diff(points, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    turn = np.arctan2(_cross(along[:-1], along[1:]), np.sum(along[:-1] * along[1:], axis=1))
    ends = [0, *(np.flatnonzero(turn < -FLAT) + 1), len(along)]
    corners = (points[:, 0].max() + reach, points[:, 1].max() + reach)
    box = np.array([(rear, points[0, 1]), (corners[0], points[0, 1]), corners, (rear, corners[1])])
    found = []
    for first, last in pairwise(ends):
        drawn = points[first : last + 1].copy()
        walls: list[Plane] = []
        if first > 0:
            drawn[0] -= reach * along[first]
            walls.append((-along[first], drawn[0]))
        if last < len(along):
            drawn[-1] += reach * along[last - 1]
            walls.append((along[last - 1], drawn[-1]))
        faces = [(np.array([t[1], -t[0]]), p) for t, p in zip(along[first:last], drawn[:-1], strict=True)]
        whole = _clipped(box, [*faces, *walls])
        parts = []
        for k, run in groupby(range(first, last), key=number.__getitem__):
            segments = list(run)
            sides: list[Plane] = []
            if segments[0] > first:
                sides.append((-along[segments[0]], points[segments[0]]))
            if segments[-1] + 1 < last:
                up = along[segments[-1]]  # of an undercut segment: a wall across it would lead up behind those above
                sides.append((up if up[0] <= 0.0 else np.array([0.0, 1.0]), points[segments[-1] + 1]))
            parts.append((k, prism(_clipped(whole, sides), half)))
        found.append(Solid(prism(whole, half), prism(drawn, half, closed=False), tuple(parts)))
    return tuple(found)


def prism(outline: np.ndarray, half: float, *, closed: bool = True) -> Faces:
    """Return an outline (x, z) [m], anticlockwise, drawn out along y to both sides by `half` [m]; its ends are open."""
    count = len(outline)
    points = np.array([(x, y, z) for y in (-half, half) for x, z in outline])
    pairs = [(k, (k + 1) % count) for k in range(count if closed else count - 1)]
    return Faces(points, tuple((i, i + count, j + count, j) for i, j in pairs), (0,) * len(pairs))


def _clipped(outline: np.ndarray, planes: Iterable[Plane]) -> np.ndarray:
    """Return what of a convex outline is behind all planes."""
    for normal, place in planes:
        height = (outline - place) @ normal
        found = []
        for k in range(len(outline)):
            before, after = height[k - 1], height[k]
            if before * after < 0.0:
                found.append(outline[k - 1] + before / (before - after) * (outline[k] - outline[k - 1]))
            if after <= 0.0:
                found.append(outline[k])
        kept = np.array(found).reshape(-1, 2)
        outline = kept[np.linalg.norm(kept - np.roll(kept, 1, axis=0), axis=1) > SMALL]
    return outline


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
