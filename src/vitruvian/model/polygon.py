"""Polygons and profiles of surfaces: checks, triangles, and profiles with round ridges. SI units."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..errors import InputError
from .pieces import Face


def checked_points(value: object, columns: int, where: str, least: int, row: str = "row") -> np.ndarray:
    """Return the value as a table of finite numbers [m]."""
    try:
        points = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{where}: expected rows of {columns} numbers [m].") from None
    if points.ndim != 2 or points.shape[1] != columns:
        raise InputError(f"{where} has the shape {points.shape}; expected rows of {columns} numbers [m].")
    if len(points) < least:
        raise InputError(f"{where} has {len(points)} rows; at least {least} are needed.")
    wrong = ~np.isfinite(points).all(axis=1)
    if wrong.any():
        k = int(np.argmax(wrong))
        raise InputError(f"{where}: {row} {k} is {points[k].tolist()}; every number must be finite.")
    return points


def refuse_repeats(points: np.ndarray, size: float, where: str, closed: bool) -> None:
    """Refuse a corner in the place of the one before."""
    count = len(points)
    for k in range(count if closed else count - 1):
        if np.linalg.norm(points[(k + 1) % count] - points[k]) <= 1e-9 * size:
            raise InputError(f"{where} {(k + 1) % count} lies in the same place as {k}; leave one of them out.")


def refuse_crossings(points: np.ndarray, where: str, closed: bool) -> None:
    """Refuse a polyline in a plane that crosses or touches itself or folds back."""
    count = len(points) if closed else len(points) - 1
    ends = [(points[k], points[(k + 1) % len(points)]) for k in range(count)]
    for i in range(count):
        for j in range(i + 1, count):
            (a, b), (c, d) = ends[i], ends[j]
            adjacent = j == i + 1 or (closed and i == 0 and j == count - 1)
            if adjacent:
                one, two = (b - a, d - c) if j == i + 1 else (d - c, b - a)
                cosine = float(one @ two) / float(np.linalg.norm(one) * np.linalg.norm(two))
                if cosine < -1.0 + 1e-9:
                    raise InputError(f"{where} {j} folds back onto {i}; the outline must not cover itself.")
            elif _meet(a, b, c, d):
                raise InputError(f"{where} {j} crosses or touches {i}; the outline must not meet itself.")


def _meet(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> bool:
    """Whether the segments a b and c d in a plane have a point in common."""
    apart = (np.minimum(a, b) > np.maximum(c, d)).any() or (np.minimum(c, d) > np.maximum(a, b)).any()
    return not apart and (
        _cross(b - a, c - a) * _cross(b - a, d - a) <= 0.0 and _cross(d - c, a - c) * _cross(d - c, b - c) <= 0.0
    )


def _cross(a: np.ndarray, b: np.ndarray) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def flattened(points: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Return points in a plane by two coordinates, anticlockwise as seen against the normal [m]."""
    first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    first /= np.linalg.norm(first)
    return np.column_stack([points @ first, points @ np.cross(normal, first)])


def convex_faces(points: np.ndarray) -> Sequence[Face]:
    """Return the faces of a polygon in a plane: one if it is convex, otherwise triangles, by cutting off ears."""
    count = len(points)
    turn = [_cross(points[k] - points[k - 1], points[(k + 1) % count] - points[k]) for k in range(count)]
    if min(turn) >= 0.0:
        return [tuple(range(count))]
    faces: list[Face] = []
    rest = list(range(count))
    while len(rest) > 3:
        ears = []
        for k in range(len(rest)):
            a, b, c = rest[k - 1], rest[k], rest[(k + 1) % len(rest)]
            area = _cross(points[b] - points[a], points[c] - points[a])
            inside = any(
                _cross(points[b] - points[a], points[v] - points[a]) >= 0.0
                and _cross(points[c] - points[b], points[v] - points[b]) >= 0.0
                and _cross(points[a] - points[c], points[v] - points[c]) >= 0.0
                for v in rest
                if v not in (a, b, c)
            )
            if area > 0.0 and not inside:
                ears.append((area, k))
        k = max(ears)[1]
        faces.append((rest[k - 1], rest[k], rest[(k + 1) % len(rest)]))
        rest.pop(k)
    return [*faces, (rest[0], rest[1], rest[2])]


# --- profiles with round ridges


def inset(profile: np.ndarray, radius: float) -> np.ndarray:
    """Return a profile moved inwards by a radius [m], segment by segment, and shortened by it at both ends."""
    along, normal = _directions(profile)
    middle = np.concatenate([normal[:1], normal[:-1] + normal[1:], normal[-1:]])
    reach = np.sum(middle * np.concatenate([normal[:1], normal]), axis=1)
    inside = profile - radius * middle / reach[:, None]
    inside[0] += radius * along[0]
    inside[-1] -= radius * along[-1]
    return inside


def _directions(profile: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return unit vectors along the segments of a profile and out of the solid."""
    along = np.diff(profile, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    return along, np.stack([along[:, 1], -along[:, 0]], axis=1)


def rounded(profile: tuple[tuple[float, float], ...], radius: float) -> np.ndarray:
    """Return corners (x, z) [m] of a profile whose ridges and ends are round inside it, in steps of 2 degrees."""
    points = np.array(profile)
    if radius == 0.0:
        return points
    along, normal = _directions(points)
    normal = np.concatenate([-along[:1], normal, along[-1:]])
    inside = inset(points, radius)
    found = []
    for k, (before, after) in enumerate(pairwise(normal)):
        turn = np.arctan2(before[0] * after[1] - before[1] * after[0], before @ after)
        if turn <= 0.0:  # a valley stays sharp
            found.append(points[k : k + 1])
            continue
        angle = np.arctan2(before[1], before[0]) + np.linspace(0.0, turn, 2 + int(np.degrees(turn) / 2.0))
        found.append(inside[k] + radius * np.column_stack([np.cos(angle), np.sin(angle)]))
    return np.concatenate(found)
