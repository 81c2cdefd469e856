"""A profile closed to a solid: convex regions that cover it, and the parts that share the load of each. SI units.

The solid is bounded by the profile, by a level underside behind its first corner, by a level roof behind its last
corner, and by an upright rear. It is the union of convex regions, one for each stretch of the profile between valleys.
Under a valley a region continues by a reach and ends there at a wall across its last segment, so that regions overlap.

A region and its parts are convex prisms. Every normal in the plane of the profile is one of theirs, so the depth has a
potential for a shape at any place, also below and behind the profile. A part is what lies behind its segments, between
walls across them, down to the underside: its law also holds for what is below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from .pieces import FLAT, Faces

Plane = tuple[np.ndarray, np.ndarray]  # normal out of the solid in the x-z plane, a point on it [m]
SMALL = 1e-9  # [m], sides that are shorter are left out


class Solid(NamedTuple):
    """A convex region of a solid drawn out along y.

    whole  all its sides
    inset  by how much these can move inwards until one of them has vanished between its neighbours [m]
    shift  by which each vertex of `whole` then moves inwards, and the ends too, over that of the sides [-]
    outer  only its segments of the profile, with what continues under valleys
    parts  number and sides of each of its parts, in order
    """

    whole: Faces
    inset: float
    shift: np.ndarray
    outer: Faces
    parts: tuple[tuple[int, Faces], ...]


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
                sides.append((along[segments[-1]], points[segments[-1] + 1]))
            parts.append((k, prism(_clipped(whole, sides), half)))
        inset, shift = _inset(whole)
        outer = prism(drawn, half, closed=False)
        found.append(Solid(prism(whole, half), min(half, inset), shift, outer, tuple(parts)))
    return tuple(found)


def _inset(outline: np.ndarray) -> tuple[float, np.ndarray]:
    """Return by how much the sides of a convex outline can move inwards until one of them has no length left [m], and
    the way of each vertex of its prism over that of the sides [-]; the ends move too."""
    along = np.roll(outline, -1, axis=0) - outline
    length = np.linalg.norm(along, axis=1)
    along /= length[:, None]
    before = np.roll(along, 1, axis=0)
    tangent = (before + along) / (1.0 + np.sum(before * along, axis=1))[:, None]
    shift = np.array([(t[1], y, -t[0]) for y in (-1.0, 1.0) for t in tangent])
    lost = _cross(tangent, along)  # of both sides at each corner, per inset: the tangent of half its angle
    return float(np.min(length / (lost + np.roll(lost, -1)))), shift


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
        kept = np.array(found)
        outline = kept[np.linalg.norm(kept - np.roll(kept, 1, axis=0), axis=1) > SMALL]
    return outline


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
