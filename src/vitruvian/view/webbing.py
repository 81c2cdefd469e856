"""Webbing and muscles as boxes along their paths, for every way of drawing. SI units."""

from __future__ import annotations

import numpy as np

from ..model.belt_tissue import SUFFIX
from ..sim.recording import Recording

WIDTH, THICKNESS = 0.047, 0.004  # [m]; real webbing is 1.2 mm thick, which would sink into round bodies
MUSCLE_WIDTH = 0.014  # of a muscle, drawn square [m]
PIECES = 8  # of an arc on a segment

#: a box of unit sides about the origin: corners (8, 3), triangles (12, 3) anticlockwise from outside
CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
TRIANGLES = np.array(
    [
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ]
)  # fmt: skip


def boxes(recording: Recording, frame: int) -> np.ndarray:
    """Return the boxes of all webbing at a frame (n, 4, 3): length, width and thickness as vectors, and centre [m].

    Their number is the same at all frames. Segments are drawn as they are without load, so webbing that presses one in
    is drawn on its skin, moved outwards by the compression; otherwise the skin would hide it.
    """
    nodes, position = recording.belt_path[frame].copy(), recording.position[frame]
    for segment in recording.pressed:
        front, whole = (recording.bodies.index(name) for name in (segment + SUFFIX, segment))
        rows = [row for row, label in enumerate(recording.webbing) if label.rpartition("-")[2] == segment]
        nodes[rows] += position[whole] - position[front]
    return _boxes(recording.webbing, nodes, WIDTH, THICKNESS)


def muscle_boxes(recording: Recording, frame: int) -> np.ndarray:
    """Return the boxes of all muscles at a frame (n, 4, 3) [m], as those of webbing."""
    return _boxes(recording.muscle_points, recording.muscle_path[frame], MUSCLE_WIDTH, MUSCLE_WIDTH)


def _boxes(labels: tuple[str, ...], nodes: np.ndarray, width: float, thickness: float) -> np.ndarray:
    """Return the boxes of bands whose nodes (row, 3, 3) [m] and labels, `lap.1-pelvis`, are given."""
    found = [np.zeros((0, 4, 3))]
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(labels):
        rows.setdefault(Recording.belt_of(label), []).append(row)
    for band in rows.values():
        over = [Recording.webbing_over(labels[row]) for row in band]
        if np.isfinite(nodes[band]).all():
            found.append(_band(nodes[band], over, width, thickness))
    return np.concatenate(found)


def _band(nodes: np.ndarray, over: list[bool], width: float, thickness: float) -> np.ndarray:
    """Return the boxes of one band from entry, guide and exit at the places of its path (w, 3, 3) [m]."""
    points, outs = [], []
    for (entry, guide, leave), lies in zip(nodes, over, strict=True):
        arc = _arc(entry, guide, leave) if lies else entry[None]
        bulge = guide - 0.5 * (entry + leave)
        points.append(arc)
        outs.append(np.tile(bulge if lies and np.linalg.norm(bulge) > 1e-6 else np.full(3, np.nan), (len(arc), 1)))
    path, out = np.concatenate(points), np.concatenate(outs)
    out = 0.5 * (out[1:] + out[:-1])
    known = np.flatnonzero(np.isfinite(out).all(axis=1))
    nearest = known[np.abs(np.arange(len(out))[:, None] - known).argmin(axis=1)] if len(known) else None
    out = out[nearest] if nearest is not None else np.tile((0.0, 0.0, 1.0), (len(out), 1))
    along = np.diff(path, axis=0)
    way = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    across = np.cross(out, way)
    flat = np.linalg.norm(across, axis=1) < 1e-9
    across[flat] = np.cross((1.0, 0.0, 0.0), way[flat]) + np.array([0.0, 1e-9, 0.0])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    up = np.cross(way, across)
    return np.stack([along, width * across, thickness * up, 0.5 * (path[1:] + path[:-1])], axis=1)


def _arc(first: np.ndarray, middle: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Return points of the circle through three points, or of the lines between them (PIECES + 1, 3) [m]."""
    share = np.linspace(0.0, 1.0, PIECES // 2 + 1)[:, None]
    lines = np.concatenate([first + share * (middle - first), (middle + share * (last - middle))[1:]])
    a, b = first - middle, last - middle
    normal = np.cross(a, b)
    size = normal @ normal
    if size < 1e-16:
        return lines
    centre = middle + np.cross((a @ a) * b - (b @ b) * a, normal) / (2.0 * size)
    radius = np.linalg.norm(middle - centre)
    outward = lines - centre
    return centre + radius * outward / np.linalg.norm(outward, axis=1, keepdims=True)
