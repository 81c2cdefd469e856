"""The rigid parts of a drawable scene: shapes, rods, surfaces and the ground. SI units."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..model.pose import rotation_matrix
from ..model.shape import Ellipsoid, Shape, Sphere
from ..model.shape_mesh import mesh
from .colour import GROUND, ROD, Colour, colour_of, surface_colour
from .raster import shaded
from .renderer import across

if TYPE_CHECKING:
    from .scene import Scene

FLAT = ("surface", "cover", "ground")  # kinds of parts that are seen from both sides
_SIDES = 28  # of the mesh of a shape, round its axis
_ROD = 0.008  # [m], radius
_CREASE = np.radians(30.0)  # triangles of a shape that meet at a smaller angle are shaded as one curved surface
_MARGIN = 0.5  # [m], of a plane beyond its contact points, and
_NEAR = 0.15  # beyond bodies whose centre is as near to it [m]
_DENSITY = 2000.0  # [kg/m3], of the ball drawn for a body without shape and surface
_RECTANGLE = np.array([[0, 1, 2], [0, 2, 3]])

Mesh = tuple[np.ndarray, np.ndarray]  # vertices (n, 3) [m] and triangles (m, 3), anticlockwise from outside


@dataclass(frozen=True)
class Part:
    """A solid or a surface that moves with a body.

    name    unique in its scene; "head", "head.2", "front"
    kind    "segment" (of a person), "body" (of anything else), "surface", "ground", "rod",
            "cover" (drawn around what is touched, such as the sides of a car)
    body    number of the body that carries it, -1 for the world
    colour  red, green, blue, 0 to 1
    solid   a shape, or a mesh, in the frame of that body, from its centre of mass [m]
    crease  triangles that meet at a larger angle keep an edge [rad]
    under   True for a contact shape that a cover hides
    """

    name: str
    kind: str
    body: int
    colour: Colour
    solid: Shape | Mesh
    crease: float = np.pi
    under: bool = False

    @property
    def vertices(self) -> np.ndarray:
        """Points (n, 3) [m]; a point on an edge occurs once for each side of the edge."""
        return self._shaded[0]

    @property
    def normals(self) -> np.ndarray:
        """Unit vectors out of the solid (n, 3)."""
        return self._shaded[1]

    @property
    def triangles(self) -> np.ndarray:
        """Rows of three vertices (m, 3), anticlockwise from outside."""
        return self._shaded[2]

    @cached_property
    def _shaded(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        vertices, triangles = mesh(self.solid, _SIDES) if isinstance(self.solid, Shape) else self.solid
        return shaded(vertices, triangles, self.crease)


def parts(scene: Scene) -> list[Part]:
    """Return every part of a scene, bodies first."""
    from .coachwork import coachwork
    from .furniture import furniture

    return [
        *_shapes(scene),
        *_bare(scene),
        *_rods(scene),
        *_surfaces(scene),
        *coachwork(scene),
        *furniture(scene),
        *_ground(scene),
    ]


def body_part(scene: Scene, name: str, body: int, solid: Shape | Mesh, crease: float = np.pi) -> Part:
    """Return a part of a body in the colour of that body."""
    kind = "segment" if body in (*scene.segments, *scene.covered) else "body"
    return Part(name, kind, body, colour_of(scene.recording, body), solid, crease)


def _shapes(scene: Scene) -> list[Part]:
    """Return the contact shapes, without those of people if they are drawn with their skin."""
    from .furniture import wheels

    hidden = wheels(scene)
    parts, count = [], dict.fromkeys(range(len(scene.bodies)), 0)
    for row, body in enumerate(scene.geometry.shape_body.tolist()):
        if scene.skin and body in scene.covered:
            continue
        count[body] += 1
        name = scene.bodies[body] + (f".{count[body]}" if count[body] > 1 else "")
        shape = scene.geometry.shape(row)
        crease = np.pi if isinstance(shape, Ellipsoid | Sphere) else _CREASE
        parts.append(replace(body_part(scene, name, body, shape, crease), under=row in hidden))
    return parts


def _bare(scene: Scene) -> list[Part]:
    """A ball of its mass for each body with neither shape nor surface, but for those inside people."""
    geometry = scene.geometry
    drawn = {*geometry.shape_body, *geometry.surface_body, *geometry.triangle_body, *scene.links}
    radius = np.cbrt(3.0 * geometry.body_mass / (4.0 * np.pi * _DENSITY)).tolist()
    bare = [body for body in range(len(scene.bodies)) if body not in drawn and radius[body] > 0.0]
    return [body_part(scene, scene.bodies[body], body, Sphere(radius[body])) for body in bare]


def _rods(scene: Scene) -> list[Part]:
    """Thin rods from joint points to centres of mass of bodies other than segments and carriers."""
    geometry, parts = scene.geometry, []
    inside = {*scene.segments, *scene.links}
    hidden = {*inside, *geometry.surface_body, *geometry.triangle_body}
    for body, (name, joint) in enumerate(zip(scene.bodies, scene.recording.joint_types, strict=True)):
        if joint in ("free", "modal") or body in hidden:
            continue
        ends = [(body, geometry.joint_point_child[body])]
        parent = int(geometry.joint_parent[body])
        if parent >= 0 and parent not in inside:
            ends.append((parent, geometry.joint_point_parent[body]))
        for place, (carrier, point) in enumerate(ends):
            if np.linalg.norm(point) > 2.0 * _ROD:
                parts.append(Part(f"rod.{name}.{place + 1}", "rod", carrier, ROD, _rod(point)))
    return parts


def _surfaces(scene: Scene) -> list[Part]:
    """The parts of surfaces of faces, flat as the engine has them, and rectangles of all planes but the ground."""
    geometry, parts = scene.geometry, []
    owner = np.column_stack([geometry.triangle_body, geometry.triangle_part])
    for body, part in np.unique(owner, axis=0).tolist():
        mine = geometry.triangle_vertices[(owner == (body, part)).all(axis=1)]
        used, triangles = np.unique(mine, return_inverse=True)
        label = geometry.part_name[part]
        made = geometry.vertex_position[used], triangles.reshape(-1, 3)
        colour = surface_colour(scene.recording.roster.surface_part(label), body)
        parts.append(Part(label, "surface", body, colour, made, crease=0.0))
    for row, body in enumerate(geometry.surface_body.tolist()):
        if row != scene.ground_row:
            name = geometry.surface_name[row]
            made = _rectangle(scene, row, _near_points(scene, row), _MARGIN)
            colour = surface_colour(scene.recording.roster.surface_part(name), body)
            parts.append(Part(name, "surface", body, colour, made))
    return parts


def _ground(scene: Scene) -> list[Part]:
    """The ground below the whole motion."""
    if scene.ground_row is None:
        return []
    made = _rectangle(scene, scene.ground_row, scene.recording.position.reshape(-1, 3), max(8.0, 5.0 * scene.reach))
    return [Part(scene.geometry.surface_name[scene.ground_row], "ground", -1, GROUND, made)]


def _rectangle(scene: Scene, row: int, points: np.ndarray, margin: float) -> Mesh:
    """A rectangle of a plane round some points [m], or round its own point, in the frame of its carrier."""
    point = scene.geometry.surface_point[row]
    plane = across(scene.geometry.surface_normal[row])
    inside = (points - point) @ plane.T if len(points) else np.zeros((1, 2))
    (low_p, low_q), (high_p, high_q) = inside.min(axis=0) - margin, inside.max(axis=0) + margin
    return point + np.array([(low_p, low_q), (high_p, low_q), (high_p, high_q), (low_p, high_q)]) @ plane, _RECTANGLE


def _near_points(scene: Scene, row: int) -> np.ndarray:
    """All contact points of a plane and all near centres of bodies that may touch it, in the frame of its carrier."""
    recording, name = scene.recording, scene.geometry.surface_name[row]
    pairs = np.array([pair for pair, (_, surface) in enumerate(recording.pairs) if surface == name], dtype=np.int64)
    sample, pair = np.nonzero(recording.contact_force[:, pairs].any(axis=2))
    touched = _carried(scene, row, sample, recording.contact_point[sample, pairs[pair]])
    bodies = [recording.bodies.index(body) for body, surface in recording.pairs if surface == name]
    sample = np.repeat(np.arange(len(recording.position)), len(bodies))
    centres = _carried(scene, row, sample, recording.position[:, bodies].reshape(-1, 3))
    height = (centres - scene.geometry.surface_point[row]) @ scene.geometry.surface_normal[row]
    points = np.concatenate([touched, centres[abs(height) < _NEAR]])
    return points[np.isfinite(points).all(axis=1)]


def _carried(scene: Scene, row: int, sample: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return world points (n, 3) [m] at samples (n,) in the frame of the carrier of a plane."""
    recording, body = scene.recording, int(scene.geometry.surface_body[row])
    if body < 0:
        return points
    turn = rotation_matrix(recording.orientation[sample, body])
    return np.asarray(np.einsum("nji,nj->ni", turn, points - recording.position[sample, body]))


def _rod(point: np.ndarray) -> Mesh:
    """A rod of six sides from the origin to a point [m]."""
    along = point / np.linalg.norm(point)
    angle = np.pi / 3.0 * np.arange(6)
    ring = _ROD * np.column_stack([np.cos(angle), np.sin(angle)]) @ across(along)
    i, j = np.arange(6), (np.arange(6) + 1) % 6
    sides = np.concatenate([np.column_stack([i, j, 6 + j]), np.column_stack([i, 6 + j, 6 + i])])
    return np.concatenate([ring, ring + point]), sides
