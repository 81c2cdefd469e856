"""A result as a play in three dimensions: parts that move with bodies, and what they show at a moment. SI units.

One description for all screens: `live.py` sets it on a viser scene (the studio), `replay.py` packs it into a page that
plays without Python (the report), and anything else can draw it from the same three things.

    play = Theatre(result)
    play.parts          meshes, each rigid in the frame of one body (or of the world, body -1)
    play.place(frame)   where every body is: positions (body, 3) [m] and unit quaternions (body, 4)
    play.glow(frame)    how hard every body is pressed by contacts (body,), 0 to 1; `glow.lit` gives its colour
    play.arrows(frame)  contact forces as lines (n, 2, 3) [m] and their sizes (n,) [N]
    play.strained(frame)  joints that are past a limit: their numbers (n,); `play.joints(frame)` says where they are
    play.impacts        where heads struck something that a body carries, in the frame of that body
    play.frame_at(t)    the frame of a time [s]

Frames are the pose samples of the recording, `play.time` their times. Contact shapes are what the engine sees; with
`skin=True` the segments of people are drawn as in `skin.py` in their place.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import InputError
from ..model.shape import Sphere, mesh
from ..sim.geometry import SHAPE_KINDS, Geometry
from ..sim.recording import Recording
from ..sim.result import Result
from .glow import body_forces
from .raster import corner_normals
from .renderer import across
from .stage import (
    CREASE,
    colour_of,
    ground_row,
    mass_radius,
    rectangle,
    rotation_matrices,
    subjects,
    surface_colour,
)

Colour = tuple[float, float, float]

FORCE: Colour = (0.82, 0.10, 0.26)  # arrows of contact forces
STRAINED: Colour = (0.86, 0.10, 0.60)  # joints past their limits
IMPACT: Colour = (0.98, 0.75, 0.05)  # where a head struck
GROUND: Colour = (0.93, 0.93, 0.91)

ARROW = 0.8  # [m], length of the arrow of the largest force; others by the square root of the force
LEAST = 0.003  # of the largest force: less is not drawn
_SIDES = 28  # of the mesh of a shape, round its axis
_ROD = 0.008  # [m], radius
_ROUND = [SHAPE_KINDS.index(kind) for kind in ("ellipsoid", "sphere")]


@dataclass(frozen=True)
class Part:
    """A mesh that moves with a body.

    name       unique in its theatre; "head", "head.2", "front"
    kind       "segment" (of a person), "body" (of anything else), "surface", "ground", "rod"
    body       number of the body that carries it, -1 for the world
    vertices   (n, 3) in the frame of that body, from its centre of mass [m]
    normals    (n, 3) unit vectors out of the solid
    triangles  (m, 3) anticlockwise from outside
    colour     red, green, blue, 0 to 1
    """

    name: str
    kind: str
    body: int
    vertices: np.ndarray
    normals: np.ndarray
    triangles: np.ndarray
    colour: Colour


@dataclass(frozen=True)
class Impact:
    """The first touch of a head with a surface that a body carries, or with another body.

    point  in the frame of that body [m]
    """

    head: str
    other: str
    time: float
    body: int
    point: tuple[float, float, float]


def drawable(result: Result) -> bool:
    """Whether a result has something to draw: a geometry, and a pose of numbers."""
    return result.geometry is not None and len(result.sound.recording.pose_time) > 0


class Theatre:
    """All frames of a result."""

    def __init__(self, result: Result, *, skin: bool = False) -> None:
        if result.geometry is None:
            raise InputError("the result holds no geometry to draw; make it with Result(recording, system=...).")
        self.name, self.title = result.name, result.title
        self.recording: Recording = result.sound.recording
        self.geometry: Geometry = result.geometry
        #: how far each joint is past a limit (frame, joint) [rad], or None
        self.excess = result.sound.joint_excess
        self.time = self.recording.pose_time
        self.frames = len(self.time)
        if not self.frames:
            raise InputError("the result holds no pose to draw.")
        self.bodies = self.recording.bodies
        self.subjects = subjects(self.recording)
        #: the places of the segments of people among the bodies
        self.segments = self.recording.roster.segments(self.bodies)
        self.people = bool(self.segments)
        self._skin = skin

    # what never changes

    @cached_property
    def parts(self) -> list[Part]:
        """Everything that is drawn, bodies first."""
        skins = self.skins if self._skin else []
        return [*skins, *self._shapes(), *self._bare(), *self._rods(), *self._surfaces(), *self._ground()]

    @cached_property
    def skins(self) -> list[Part]:
        """The segments of people with their skin, drawn in place of their shapes where it is wanted."""
        from .skin import skin

        shaped = [body for body in self.segments if body in self.geometry.shape_body]
        return [self._part(self.bodies[body], "segment", body, *skin(self, body)) for body in shaped]

    @cached_property
    def centre(self) -> np.ndarray:
        """The centre of mass of whom the pictures are about, at every frame (frame, 3) [m]."""
        mass = self.geometry.body_mass[self.subjects]
        return np.average(self.recording.position[:, self.subjects], axis=1, weights=mass)

    @cached_property
    def reach(self) -> float:
        """A radius [m] round the centre that holds all of them at any frame."""
        apart = self.recording.position[:, self.subjects] - self.centre[:, None]
        shapes = np.isin(self.geometry.shape_body, self.subjects)
        size = float(self.geometry.shape_semi_axes[shapes].max(initial=0.05))
        return float(np.linalg.norm(apart, axis=2).max()) + size

    @cached_property
    def cloud(self) -> np.ndarray:
        """Where they were in the course of the run (n, 3) [m]: bodies, and joints of mechanisms."""
        frames = np.unique(np.linspace(0, self.frames - 1, 200).astype(np.int64))
        points = [self.recording.position[frames][:, self.subjects].reshape(-1, 3)]
        if not self.people:
            points += [self.joints(int(frame)) for frame in frames]
        return np.concatenate(points)

    @cached_property
    def pressed(self) -> np.ndarray:
        """The resultant of all contact forces on every body (frame, body) [N]."""
        return body_forces(self.recording)

    @cached_property
    def largest(self) -> float:
        """The largest contact force of a pair in the run [N]; zero if nothing touched."""
        force = np.nan_to_num(np.linalg.norm(self.recording.contact_force, axis=2))
        return float(force.max(initial=0.0))

    @cached_property
    def impacts(self) -> list[Impact]:
        """Where heads first struck each surface that is carried by a body, or another body."""
        found: dict[tuple[str, str], Impact] = {}
        carriers = self.geometry.carriers() | {name: body for body, name in enumerate(self.bodies)}
        for pair, (body, other) in enumerate(self.recording.pairs):
            touching = np.flatnonzero(self.recording.contact_force[:, pair].any(axis=1))
            carrier = carriers.get(other, -1)  # of a part of an old file it is not known
            if self.recording.roster.role(body) != "head" or carrier < 0 or not len(touching):
                continue
            frame = int(touching[0])
            turn = rotation_matrices(self.recording.orientation[frame, carrier])
            point = turn.T @ (self.recording.contact_point[frame, pair] - self.recording.position[frame, carrier])
            x, y, z = point.tolist()
            impact = Impact(body, other, float(self.time[frame]), carrier, (x, y, z))
            earlier = found.get((body, other))
            if np.isfinite(point).all() and (earlier is None or impact.time < earlier.time):
                found[body, other] = impact
        return sorted(found.values(), key=lambda impact: impact.time)

    # what a frame shows

    def frame_at(self, time: float) -> int:
        """The frame nearest to a time [s]."""
        after = int(np.clip(np.searchsorted(self.time, time), 1, max(self.frames - 1, 1)))
        if self.frames == 1:
            return 0
        return after - int(time - self.time[after - 1] < self.time[after] - time)

    def place(self, frame: int) -> tuple[np.ndarray, np.ndarray]:
        """Positions (body, 3) [m] and unit quaternions (body, 4), body to world."""
        return self.recording.position[frame], self.recording.orientation[frame]

    def glow(self, frame: int) -> np.ndarray:
        """How hard every body is pressed (body,): its force over the largest of the run, 0 to 1; see `glow.lit`."""
        most = self.pressed.max(initial=0.0)
        return self.pressed[frame] / most if most > 0.0 else np.zeros(len(self.bodies))

    def arrows(self, frame: int) -> tuple[np.ndarray, np.ndarray]:
        """Contact forces on the bodies of pairs: lines from the point of contact (n, 2, 3) [m], sizes (n,) [N]."""
        force, point = self.recording.contact_force[frame], self.recording.contact_point[frame]
        size = np.linalg.norm(force, axis=1)
        drawn = (size > LEAST * self.largest) & np.isfinite(point).all(axis=1) & np.isfinite(size)
        force, point, size = force[drawn], point[drawn], size[drawn]
        length = ARROW * np.sqrt(size / max(self.largest, 1e-300))
        tip = point + force * (length / np.maximum(size, 1e-300))[:, None]
        return np.stack([point, tip], axis=1), size

    def joints(self, frame: int) -> np.ndarray:
        """The points of all joints (joint, 3) [m]; joint i leads to body i."""
        position, turn = self.place(frame)[0], rotation_matrices(self.place(frame)[1])
        return position + np.einsum("nij,nj->ni", turn, self.geometry.joint_point_child)

    def strained(self, frame: int) -> np.ndarray:
        """Numbers of the joints that are past a limit (n,); none if the result does not know its limits."""
        if self.excess is None:
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero(self.excess[frame] > 0.0)

    # the parts

    def _shapes(self) -> list[Part]:
        geometry, parts = self.geometry, []
        names: dict[int, int] = {}
        for row, body in enumerate(geometry.shape_body.tolist()):
            segment = body in self.segments
            if segment and self._skin:
                continue
            names[body] = names.get(body, 0) + 1
            name = self.bodies[body] + (f".{names[body]}" if names[body] > 1 else "")
            crease = np.pi if geometry.shape_kind[row] in _ROUND else CREASE
            made = mesh(geometry.shape(row), _SIDES)
            parts.append(self._part(name, "segment" if segment else "body", body, *made, crease=crease))
        return parts

    def _bare(self) -> list[Part]:
        """A ball of its mass for a body with neither shape nor surface."""
        geometry = self.geometry
        drawn = {*geometry.shape_body, *geometry.surface_body, *geometry.triangle_body}
        balls = [
            (body, Sphere(float(mass_radius(geometry.body_mass[body]))))
            for body in range(len(self.bodies))
            if body not in drawn
        ]
        return [self._part(self.bodies[body], "body", body, *mesh(ball, _SIDES)) for body, ball in balls]

    def _rods(self) -> list[Part]:
        """Thin rods from joint points to centres of mass of bodies other than segments and carriers."""
        geometry, parts = self.geometry, []
        carriers = {*geometry.surface_body, *geometry.triangle_body}
        for body, (name, joint) in enumerate(zip(self.bodies, self.recording.joint_types, strict=True)):
            if joint == "free" or body in self.segments or body in carriers:
                continue
            ends = [(body, geometry.joint_point_child[body])]
            parent = int(geometry.joint_parent[body])
            if parent >= 0 and parent not in self.segments:
                ends.append((parent, geometry.joint_point_parent[body]))
            for place, (carrier, point) in enumerate(ends):
                if np.linalg.norm(point) > 2.0 * _ROD:
                    label = f"rod.{name}.{place + 1}"
                    parts.append(self._part(label, "rod", carrier, *bar(point), colour=(0.45, 0.46, 0.48)))
        return parts

    def _surfaces(self) -> list[Part]:
        """The parts of surfaces of faces, and rectangles of all planes but the ground."""
        geometry, parts = self.geometry, []
        owner = np.column_stack([geometry.triangle_body, geometry.triangle_part])
        for body, part in np.unique(owner, axis=0).tolist():
            mine = geometry.triangle_vertices[(owner == (body, part)).all(axis=1)]
            used, triangles = np.unique(mine, return_inverse=True)
            label = geometry.part_name[part] if part >= 0 else "faces" if body < 0 else f"{self.bodies[body]}.faces"
            made = geometry.vertex_position[used], triangles.reshape(-1, 3)
            colour = surface_colour(self.recording.roster.surface_part(label), body)
            parts.append(self._part(label, "surface", body, *made, crease=0.0, colour=colour))
        ground = ground_row(geometry)
        for row, body in enumerate(geometry.surface_body.tolist()):
            if row != ground:
                corners = rectangle(self.recording, geometry, row)
                made = corners, np.array([[0, 1, 2], [0, 2, 3]])
                name = geometry.surface_name[row]
                colour = surface_colour(self.recording.roster.surface_part(name), body)
                parts.append(self._part(name, "surface", body, *made, colour=colour))
        return parts

    def _ground(self) -> list[Part]:
        """The ground below the whole motion."""
        row = ground_row(self.geometry)
        if row is None:
            return []
        point, normal = self.geometry.surface_point[row], self.geometry.surface_normal[row]
        plane = across(normal)
        spots = self.recording.position.reshape(-1, 3)
        inside = (spots - point) @ plane.T
        margin = max(8.0, 5.0 * self.reach)
        (low_p, low_q), (high_p, high_q) = inside.min(axis=0) - margin, inside.max(axis=0) + margin
        corners = point + np.array([(low_p, low_q), (high_p, low_q), (high_p, high_q), (low_p, high_q)]) @ plane
        triangles = np.array([[0, 1, 2], [0, 2, 3]])
        return [self._part(self.geometry.surface_name[row], "ground", -1, corners, triangles, colour=GROUND)]

    def _part(
        self,
        name: str,
        kind: str,
        body: int,
        vertices: np.ndarray,
        triangles: np.ndarray,
        *,
        crease: float = np.pi,
        colour: Colour | None = None,
    ) -> Part:
        if colour is None:
            colour = colour_of(self.recording, body)
        return Part(name, kind, body, *_shaded(vertices, triangles, crease), colour)


def _shaded(vertices: np.ndarray, triangles: np.ndarray, crease: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertices, their normals and triangles; a vertex on an edge is there once for each side of the edge."""
    normals = corner_normals(vertices, triangles, crease).reshape(-1, 3)
    keys = np.column_stack([triangles.ravel(), np.round(normals, 4)])
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return vertices[triangles.ravel()[first]], normals[first], inverse.reshape(-1, 3)


def bar(point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A bar of six sides from the origin to a point [m]."""
    along = point / np.linalg.norm(point)
    angle = np.pi / 3.0 * np.arange(6)
    ring = _ROD * np.column_stack([np.cos(angle), np.sin(angle)]) @ across(along)
    i, j = np.arange(6), (np.arange(6) + 1) % 6
    sides = np.concatenate([np.column_stack([i, j, 6 + j]), np.column_stack([i, 6 + j, 6 + i])])
    return np.concatenate([ring, ring + point]), sides
