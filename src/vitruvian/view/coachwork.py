"""The rest of a vehicle behind the front that people meet: sides, roof, rear, windows and wheels. SI units.

The front is drawn as the engine has it. Everything here is drawn only and takes no part in contact; lengths and
rears are typical of the kind of vehicle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .colour import GLASS, PAINT, TYRE, Colour
from .part import Mesh, Part

if TYPE_CHECKING:
    from ..model.roster import Vehicle
    from .scene import Scene

_STRIPS = 48  # of a side, along the vehicle
_SPOKES = 28  # sides of a wheel
_OUT = 0.004  # [m], by which glass stands out of the side
_BELT = 0.60  # lower edge of the windows over the height of the roof, where there is no windscreen


class Kind(NamedTuple):
    """A kind of vehicle: length [m], corners of its rear (x from the tail [m], z over the roof), wheel radius [m]."""

    length: float
    rear: tuple[tuple[float, float], ...]
    wheel: float = 0.31


_HATCH = ((0.55, 0.99), (0.12, 0.66), (0.0, 0.62))
_BOX = ((0.08, 1.0), (0.0, 0.97))
KINDS = {
    "small-car": Kind(3.7, _HATCH, 0.29),
    "sedan": Kind(4.6, ((1.30, 0.99), (0.75, 0.71), (0.05, 0.69), (0.0, 0.60))),
    "suv": Kind(4.6, _HATCH, 0.36),
    "van": Kind(4.9, _BOX, 0.33),
    "bus": Kind(11.5, _BOX, 0.48),
    "tram": Kind(14.0, _BOX, 0.33),
}


def coachwork(scene: Scene) -> list[Part]:
    """Return the drawn rest of every vehicle of a scene that has a front."""
    parts = []
    for vehicle in scene.recording.roster.vehicles:
        if len(vehicle.profile) > 2 and vehicle.body in scene.bodies:
            parts += _vehicle(scene, vehicle)
    return parts


def _vehicle(scene: Scene, vehicle: Vehicle) -> list[Part]:
    body = scene.bodies.index(vehicle.body)
    geometry = scene.geometry
    mine = np.unique(geometry.triangle_vertices[geometry.triangle_body == body])
    half = float(np.abs(geometry.vertex_position[mine, 1]).max(initial=0.85))
    kind = KINDS.get(vehicle.front, KINDS["sedan"])
    outline = _outline(np.array(vehicle.profile), kind)
    sill = float(vehicle.profile[0][1])
    made: list[tuple[str, Colour, Mesh]] = [
        ("side", PAINT, _both(_wall(outline, sill), half)),
        ("roof", PAINT, _strip(outline[outline[:, 0] <= vehicle.profile[-1][0] + 1e-9], half, sill)),
        ("window", GLASS, _both(_windows(scene, vehicle, outline), half + _OUT)),
        ("wheel", TYRE, _wheels(outline, kind, half)),
    ]
    return [
        Part(f"{vehicle.name}.{name}", "cover", body, colour, mesh, crease=0.6 if name == "wheel" else 0.0)
        for name, colour, mesh in made
        if len(mesh[1])
    ]


def _outline(profile: np.ndarray, kind: Kind) -> np.ndarray:
    """Return the upper edge of a side (n, 2): x [m] backwards, z [m]."""
    first = int(np.flatnonzero(profile[:, 0] == profile[:, 0].max())[-1])
    front, roof = profile[first:], float(profile[-1, 1])
    tail = min(-kind.length, float(profile[-1, 0]) - 0.6)
    rear = np.array([(tail + x, share * roof) for x, share in kind.rear])
    return np.vstack([front, rear[rear[:, 0] < front[-1, 0] - 0.05]])


def _height(outline: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.interp(-x, -outline[:, 0], outline[:, 1])


def _wall(outline: np.ndarray, sill: float) -> Mesh:
    """Return a side in the plane y = 0, facing y: from the sill up to the outline."""
    x = np.unique(np.concatenate([np.linspace(outline[0, 0], outline[-1, 0], _STRIPS), outline[:, 0]]))[::-1]
    return _ladder(np.column_stack([x, np.full(len(x), sill)]), np.column_stack([x, _height(outline, x)]))


def _ladder(low: np.ndarray, high: np.ndarray) -> Mesh:
    """Return the quads between two lines (n, 2) in the plane y = 0, facing y; lines go backwards."""
    count = len(low)
    points = np.vstack([low, high])
    vertices = np.column_stack([points[:, 0], np.zeros(2 * count), points[:, 1]])
    a = np.arange(count - 1)
    triangles = np.vstack([np.column_stack([a, a + 1, a + 1 + count]), np.column_stack([a, a + 1 + count, a + count])])
    return vertices, triangles


def _both(wall: Mesh, half: float) -> Mesh:
    """Return a wall on both sides of a vehicle, each facing outwards."""
    vertices, triangles = wall
    shift = np.array([0.0, half, 0.0])
    return np.vstack([vertices + shift, vertices - shift]), np.vstack([triangles, triangles[:, ::-1] + len(vertices)])


def _strip(outline: np.ndarray, half: float, sill: float) -> Mesh:
    """Return roof and rear across a vehicle, from the end of its front down to the sill."""
    line = np.vstack([outline, [outline[-1, 0], sill]])
    count = len(line)
    vertices = np.vstack([np.column_stack([line[:, 0], np.full(count, y), line[:, 1]]) for y in (half, -half)])
    a = np.arange(count - 1)
    triangles = np.vstack([np.column_stack([a, a + 1, a + 1 + count]), np.column_stack([a, a + 1 + count, a + count])])
    return vertices, triangles


def _windows(scene: Scene, vehicle: Vehicle, outline: np.ndarray) -> Mesh:
    """Return the windows of a side in the plane y = 0, with pillars between them."""
    geometry, roof = scene.geometry, float(outline[:, 1].max())
    labels = [place for place, name in enumerate(geometry.part_name) if name == f"{vehicle.surface}.windscreen"]
    screen = geometry.vertex_position[np.unique(geometry.triangle_vertices[np.isin(geometry.triangle_part, labels)])]
    belt = float(screen[:, 2].min()) if len(screen) else _BELT * roof
    belt = min(belt, 0.72 * roof) + 0.03
    start = (float(screen[:, 0].max()) if len(screen) else float(outline[0, 0])) - 0.10
    x = np.linspace(start, float(outline[-1, 0]) + 0.15, 400)
    high = np.minimum(_height(outline, x), roof) - 0.07
    glass = high > belt + 0.08
    meshes, at = [], x[glass]
    if not len(at):
        return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)
    panes = max(round(float(at[0] - at[-1]) / 1.1), 1)
    edges = np.linspace(float(at[0]), float(at[-1]), panes + 1)
    for front, back in zip(edges[:-1] - 0.035, edges[1:] + 0.035, strict=True):
        along = np.linspace(front, back, 14)
        top = np.maximum(np.minimum(_height(outline, along), roof) - 0.07, belt + 0.01)
        meshes.append(_ladder(np.column_stack([along, np.full(14, belt)]), np.column_stack([along, top])))
    vertices = np.vstack([mesh[0] for mesh in meshes])
    triangles = np.vstack([mesh[1] + 28 * place for place, mesh in enumerate(meshes)])
    return vertices, triangles


def _wheels(outline: np.ndarray, kind: Kind, half: float) -> Mesh:
    """Return four wheels on the ground, in the planes of the sides."""
    radius, nose, tail = kind.wheel, float(outline[0, 0]), float(outline[-1, 0])
    places = [(nose - 0.62 - radius, y) for y in (half, -half)] + [(tail + 0.55 + radius, y) for y in (half, -half)]
    vertices, triangles = [], []
    for number, (x, y) in enumerate(places):
        vertex, triangle = _wheel(radius, 0.21 * np.sign(y))
        vertices.append(vertex + np.array([x, y + 0.012 * np.sign(y), radius]))
        triangles.append(triangle + number * len(vertex))
    return np.vstack(vertices), np.vstack(triangles)


def _wheel(radius: float, inwards: float) -> Mesh:
    """Return a disc with its tread about the y axis; its outer face is at y = 0, the inner one at -inwards."""
    angle = 2.0 * np.pi / _SPOKES * np.arange(_SPOKES)
    ring = np.column_stack([radius * np.cos(angle), np.zeros(_SPOKES), radius * np.sin(angle)])
    vertices = np.vstack([ring, ring - [0.0, inwards, 0.0], np.zeros((1, 3))])
    i, j = np.arange(_SPOKES), np.roll(np.arange(_SPOKES), -1)
    disc = np.column_stack([np.full(_SPOKES, 2 * _SPOKES), j, i])
    tread = np.vstack([np.column_stack([i, j, j + _SPOKES]), np.column_stack([i, j + _SPOKES, i + _SPOKES])])
    triangles = np.vstack([disc, tread])
    return vertices, triangles if inwards > 0.0 else triangles[:, ::-1]
