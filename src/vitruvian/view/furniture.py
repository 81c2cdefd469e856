"""Covers of contact shapes, so that things look like themselves: wheels, bicycles, seats, stairs. SI units.

Everything here is drawn only and takes no part in contact. The shapes under it are a layer of the replay.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..model.shape import Capsule, Cylinder, Sphere
from .colour import FABRIC, FRAME, RIM, TYRE, Colour
from .part import Mesh, Part

if TYPE_CHECKING:
    from .scene import Scene

_FLAT = 5.0  # a cylinder whose radius is so many times its length is a wheel
_TUBE = 0.017  # radius of a tube of a bicycle [m]
_SPOKES = 14  # of a wheel of a bicycle
_THICK = 0.07  # of upholstery [m]


def wheels(scene: Scene) -> dict[int, Cylinder]:
    """Return the rows of the shapes that are wheels -> their cylinders."""
    found = {}
    for row, body in enumerate(scene.geometry.shape_body.tolist()):
        shape = scene.geometry.shape(row)
        if isinstance(shape, Cylinder) and shape.radius > _FLAT * shape.length and body not in scene.segments:
            found[row] = shape
    return found


def furniture(scene: Scene) -> list[Part]:
    """Return the covers of all wheels, bicycles, seats and stairs of a scene."""
    discs = wheels(scene)
    made = [part for row, disc in discs.items() for part in _wheel(scene, row, disc)]
    turning = {int(scene.geometry.shape_body[row]) for row in discs}
    for body in sorted({int(scene.geometry.joint_parent[wheel]) for wheel in turning} - {-1}):
        hubs = [wheel for wheel in turning if scene.geometry.joint_parent[wheel] == body]
        if len(hubs) == 2:
            made.append(_bicycle(scene, body, hubs))
    return [*made, *_solids(scene)]


def _wheel(scene: Scene, row: int, disc: Cylinder) -> Iterator[Part]:
    """Yield the tyre, and the rim with its spokes, of a disc about the z axis of its shape."""
    body = int(scene.geometry.shape_body[row])
    turn = disc.turn
    tube = 0.5 * disc.length
    ring = _torus(disc.radius - tube, tube)
    rim = _torus(disc.radius - 2.6 * tube, 0.5 * tube)
    angle = 2.0 * np.pi / _SPOKES * np.arange(_SPOKES)
    ends = (disc.radius - 2.6 * tube) * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(_SPOKES)])
    spokes = _joined([rim, *(_tube(np.zeros(3), end, 0.003) for end in ends)])
    name = scene.bodies[body]
    pieces: tuple[tuple[str, Colour, Mesh], ...] = (("tyre", TYRE, ring), ("rim", RIM, spokes))
    for piece, colour, (points, triangles) in pieces:
        placed = points @ turn.T + np.array(disc.offset)
        yield Part(f"{name}.{piece}", "cover", body, colour, (placed, triangles), crease=0.8)


def _bicycle(scene: Scene, body: int, hubs: list[int]) -> Part:
    """Return the tubes between hubs, saddle, crank and handlebar, in the frame of the bicycle."""
    geometry = scene.geometry
    rear, front = sorted((geometry.joint_point_parent[hub] for hub in hubs), key=lambda point: float(point[0]))
    rows = np.flatnonzero(geometry.shape_body == body).tolist()
    shapes = [geometry.shape(row) for row in rows]
    bars = [np.array(shape.offset) for shape in shapes if isinstance(shape, Capsule)]
    pedals = [np.array(shape.offset) for shape in shapes if isinstance(shape, Sphere)]
    above = [b for b in range(len(scene.bodies)) if geometry.joint_parent[b] == body and b not in hubs]
    between = 0.5 * (rear + front)
    crank = np.mean(pedals, axis=0) if pedals else between
    saddle = geometry.joint_point_parent[above[0]] if above else between + np.array([-0.15, 0.0, 0.6])
    bar = max(bars, key=lambda point: float(point[2])) if bars else between + np.array([0.4, 0.0, 0.6])
    head = front + 0.75 * (np.array([bar[0], 0.0, bar[2]]) - front)
    lines = [(rear, crank), (rear, saddle), (crank, saddle), (saddle, head), (crank, head), (head, front), (head, bar)]
    arms = [(crank, pedal) for pedal in pedals]
    mesh = _joined([*(_tube(a, b, _TUBE) for a, b in lines), *(_tube(a, b, 0.6 * _TUBE) for a, b in arms)])
    return Part(f"{scene.bodies[body]}.frame", "cover", body, FRAME, mesh, crease=0.8)


def _solids(scene: Scene) -> Iterator[Part]:
    """Yield what is behind bent surfaces: upholstery of those that a body carries, flanks of those of the world."""
    geometry, roster = scene.geometry, scene.recording.roster
    fronts = {vehicle.surface for vehicle in roster.vehicles}
    for surface in roster.surfaces:
        labels = [place for place, name in enumerate(geometry.part_name) if name in roster.labels(surface.name)]
        mine = np.isin(geometry.triangle_part, labels)
        if surface.shape != "extrusion" or surface.name in fronts or not mine.any():
            continue
        corners = geometry.vertex_position[geometry.triangle_vertices[mine]].reshape(-1, 3)
        body = int(geometry.triangle_body[mine][0])
        low = corners[:, 1].min()
        line = corners[np.isclose(corners[:, 1], low)][:, [0, 2]]
        _, first = np.unique(line.round(9), axis=0, return_index=True)
        profile, half = line[np.sort(first)], float(np.ptp(corners[:, 1])) / 2.0
        middle = float(low) + half
        if len(profile) < 2 or half <= 0.0:
            continue
        back = (
            _behind(profile)
            if body >= 0
            else np.column_stack([profile[:, 0], np.full(len(profile), profile[:, 1].min())])
        )
        colour = FABRIC if body >= 0 else _STONE
        yield Part(f"{surface.name}.solid", "cover", body, colour, _slab(profile, back, half, middle), crease=0.5)


_STONE: Colour = (0.62, 0.61, 0.58)


def _behind(profile: np.ndarray) -> np.ndarray:
    """Return a line (n, 2) behind a profile by the thickness of upholstery; solids are to the right of a profile."""
    way = np.diff(profile, axis=0)
    normal = np.column_stack([way[:, 1], -way[:, 0]]) / np.linalg.norm(way, axis=1)[:, None]
    mean = np.vstack([normal[:1], normal[:-1] + normal[1:], normal[-1:]])
    return profile - _THICK * mean / np.linalg.norm(mean, axis=1)[:, None]


def _slab(front: np.ndarray, back: np.ndarray, half: float, middle: float) -> Mesh:
    """Return the solid between two lines (n, 2) of x and z: its back, its two sides and its ends."""
    count = len(front)
    rows = []
    for y in (middle - half, middle + half):
        for line in (front, back):
            rows.append(np.column_stack([line[:, 0], np.full(count, y), line[:, 1]]))
    vertices = np.vstack(rows)  # front and back of one side, then of the other
    a = np.arange(count - 1)

    def quads(first: int, second: int) -> np.ndarray:
        one, two = first * count + a, second * count + a
        return np.vstack([np.column_stack([one, one + 1, two + 1]), np.column_stack([one, two + 1, two])])

    ends = []
    for end in (0, count - 1):
        p, q, r, s = (side * count + end for side in range(4))
        ends += [[p, q, s], [p, s, r]]
    triangles = np.vstack([quads(0, 1), quads(3, 2), quads(1, 3), np.array(ends)])
    # both ways round, because such a solid is seen from everywhere
    return vertices, np.vstack([triangles, triangles[:, ::-1]])


def _torus(radius: float, tube: float, around: int = 36, across: int = 10) -> Mesh:
    """Return a ring about the z axis."""
    u, v = np.meshgrid(2 * np.pi / around * np.arange(around), 2 * np.pi / across * np.arange(across), indexing="ij")
    out = radius + tube * np.cos(v)
    vertices = np.stack([out * np.cos(u), out * np.sin(u), tube * np.sin(v)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    a, b = i * across + j, (i + 1) % around * across + j
    c, d = (i + 1) % around * across + (j + 1) % across, i * across + (j + 1) % across
    quads = np.stack([a, b, c, d], axis=-1).reshape(-1, 4)
    return vertices, np.vstack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def _tube(start: np.ndarray, end: np.ndarray, radius: float, sides: int = 8) -> Mesh:
    """Return a tube between two points."""
    from .renderer import across

    way = np.asarray(end, dtype=float) - start
    plane = across(way / max(float(np.linalg.norm(way)), 1e-12))
    angle = 2.0 * np.pi / sides * np.arange(sides)
    ring = radius * np.column_stack([np.cos(angle), np.sin(angle)]) @ plane
    i, j = np.arange(sides), (np.arange(sides) + 1) % sides
    triangles = np.vstack([np.column_stack([i, j, sides + j]), np.column_stack([i, sides + j, sides + i])])
    return np.vstack([start + ring, start + way + ring]), triangles


def _joined(meshes: list[Mesh]) -> Mesh:
    first = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    triangles = [triangles + start for (_, triangles), start in zip(meshes, first, strict=False)]
    return np.vstack([vertices for vertices, _ in meshes]), np.vstack(triangles)
