"""The drawable scene of a result: the one description that pictures, films, reports, glTF and the studio share. SI.

    scene = Scene(result)
    scene.parts             rigid solids and surfaces, each in the frame of one body (or of the world, body -1)
    scene.place(frame)      pose of every body: positions (body, 3) [m] and unit quaternions (body, 4)
    scene.glow(frame)       contact force on every body over the largest of the run (body,); `colour.lit` colours it
    scene.arrows(frame)     contact forces as lines (n, 2, 3) [m] and their sizes (n,) [N]
    scene.flesh(frame)      people as continuous meshes, see `skin.py`
    scene.stretched         webbing, airbags and loops: meshes that each frame stretches
    scene.strained(frame)   numbers of the joints well past a limit (n,); `scene.joints(frame)` gives their points
    scene.impacts           where heads struck something that a body carries, in the frame of that body
    scene.snapshot(frame)   everything in world axes, for `renderer.py`

Frames are the pose samples of the recording, `scene.time` their times. `live.py` (studio), `replay.py` (report) and
`gltf.py` draw the parts; `viewpoint.py` draws snapshots. A new rigid thing is one more `Part`. A thing that changes its
shape, such as webbing, is one more entry of `stretched`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..errors import InputError
from ..model.pose import rotation_matrix
from ..model.shape import Ellipsoid, Sphere
from ..sim.recording import Recording
from ..sim.result import Result
from .colour import CLOTH, body_forces, lit
from .part import Part, parts
from .renderer import Ellipsoids, Plane, Triangles
from .skin import Skin, vertex_normals
from .stretched import Stretched, stretched
from .viewpoint import Snapshot

ARROW = 0.8  # [m], length of the arrow of the largest force; others by the square root of the force
LEAST = 0.003  # of the largest force: less is not drawn
MARKED = np.radians(5.0)  # past its limit from which a joint is marked; limits are soft


@dataclass(frozen=True)
class Impact:
    """The first contact of a head with a surface that a body carries, or with another body.

    point  in the frame of that body [m]
    """

    head: str
    other: str
    time: float
    body: int
    point: tuple[float, float, float]


def drawable(result: Result) -> bool:
    """Return whether a result has something to draw: a geometry, and at least one valid pose."""
    return result.geometry is not None and len(result.sound.recording.pose_time) > 0


def subjects(recording: Recording) -> list[int]:
    """Return the bodies that a picture is about: the segments of people, or all bodies if there are no people."""
    return recording.roster.segments(recording.bodies) or list(range(len(recording.bodies)))


class Scene:
    """All frames of a result.

    skin  draw people as they look, instead of the shapes that the engine uses for contact
    """

    def __init__(self, result: Result, *, skin: bool = False) -> None:
        if result.geometry is None:
            raise InputError("the result holds no geometry to draw; make it with Result(recording, system=...).")
        self.result = result
        self.name, self.title = result.name, result.title
        self.recording, self.geometry = result.sound.recording, result.geometry
        #: how far each joint is past a limit (frame, joint) [rad], or None
        self.excess = result.sound.joint_excess
        self.time = self.recording.pose_time
        self.frames = len(self.time)
        if not self.frames:
            raise InputError("the result holds no pose to draw.")
        self.bodies = self.recording.bodies
        self.subjects = subjects(self.recording)
        #: places of the segments of people among the bodies
        self.segments = self.recording.roster.segments(self.bodies)
        self.people = bool(self.segments)
        skinned = {name for person in self.recording.roster.people for name in person.segments.values()}
        #: further bodies of people, inside the segments
        self.links = [self.bodies.index(name) for person in self.recording.roster.people for name in person.links]
        #: those with a shape of their own: distal pieces of bones that may break
        self.pieces = [body for body in self.links if body in self.geometry.shape_body]
        #: those that a skin can cover; a body of a mechanism may have the name of a segment
        self.covered = [body for body in self.segments if self.bodies[body] in skinned] + self.pieces
        self.skin = skin
        level = (self.geometry.surface_normal[:, 2] > 0.3) & (self.geometry.surface_body < 0)
        #: number of the first plane of the world that faces upwards (a leaning wall too), or None
        self.ground_row = int(np.argmax(level)) if level.any() else None

    # what never changes

    @cached_property
    def parts(self) -> list[Part]:
        """Everything that is drawn, bodies first."""
        return parts(self)

    @cached_property
    def skins(self) -> list[Skin]:
        """The skin of each person, drawn instead of their shapes where that is wanted."""
        from .skinning import skins

        return skins(self)

    @cached_property
    def stretched(self) -> list[Stretched]:
        """Everything that changes its shape: webbing, airbags, loops."""
        return stretched(self)

    @cached_property
    def centre(self) -> np.ndarray:
        """The centre of mass of the subjects at every frame (frame, 3) [m]."""
        mass = self.geometry.body_mass[self.subjects]
        return np.average(self.recording.position[:, self.subjects], axis=1, weights=mass)

    @cached_property
    def reach(self) -> float:
        """A radius [m] round the centre that holds all subjects at any frame."""
        apart = self.recording.position[:, self.subjects] - self.centre[:, None]
        shapes = np.isin(self.geometry.shape_body, self.subjects)
        size = float(self.geometry.shape_semi_axes[shapes].max(initial=0.05))
        return float(np.linalg.norm(apart, axis=2).max()) + size

    @cached_property
    def cloud(self) -> np.ndarray:
        """Points that the subjects passed through (n, 3) [m]: bodies, and joints of mechanisms."""
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
        """The largest contact force of a pair in the run [N]; zero without contact."""
        return float(np.nan_to_num(np.linalg.norm(self.recording.contact_force, axis=2)).max(initial=0.0))

    @cached_property
    def impacts(self) -> list[Impact]:
        """The points where heads first struck each surface that is carried by a body, or another body."""
        found: dict[tuple[str, str], Impact] = {}
        carriers = self.geometry.carriers() | {name: body for body, name in enumerate(self.bodies)}
        for pair, (body, other) in enumerate(self.recording.pairs):
            touching = np.flatnonzero(self.recording.contact_force[:, pair].any(axis=1))
            carrier = carriers[other]
            if self.recording.roster.role(body) != "head" or carrier < 0 or not len(touching):
                continue
            frame = int(touching[0])
            turn = rotation_matrix(self.recording.orientation[frame, carrier])
            point = turn.T @ (self.recording.contact_point[frame, pair] - self.recording.position[frame, carrier])
            x, y, z = point.tolist()
            impact = Impact(body, other, float(self.time[frame]), carrier, (x, y, z))
            earlier = found.get((body, other))
            if np.isfinite(point).all() and (earlier is None or impact.time < earlier.time):
                found[body, other] = impact
        return sorted(found.values(), key=lambda impact: impact.time)

    # what a frame shows

    def frame_at(self, time: float) -> int:
        """Return the frame nearest to a time [s]."""
        return int(np.argmin(abs(self.time - time)))

    def place(self, frame: int) -> tuple[np.ndarray, np.ndarray]:
        """Return positions (body, 3) [m] and unit quaternions (body, 4), body to world."""
        return self.recording.position[frame], self.recording.orientation[frame]

    def glow(self, frame: int) -> np.ndarray:
        """Return the contact force on every body over the largest of the run (body,), 0 to 1; see `colour.lit`."""
        most = self.pressed.max(initial=0.0)
        return self.pressed[frame] / most if most > 0.0 else np.zeros(len(self.bodies))

    def arrows(self, frame: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the contact forces as lines from the point of contact (n, 2, 3) [m], and their sizes (n,) [N]."""
        force, point = self.recording.contact_force[frame], self.recording.contact_point[frame]
        drawn = self.drawn_contacts(frame)
        force, point = force[drawn], point[drawn]
        size = np.linalg.norm(force, axis=1)
        length = ARROW * np.sqrt(size / max(self.largest, 1e-300))
        tip = point + force * (length / np.maximum(size, 1e-300))[:, None]
        return np.stack([point, tip], axis=1), size

    def drawn_contacts(self, frame: int | np.ndarray) -> np.ndarray:
        """Return which pairs have a contact force worth drawing at a frame or at several (..., pair)."""
        size = np.linalg.norm(self.recording.contact_force[frame], axis=-1)
        known = np.isfinite(self.recording.contact_point[frame]).all(axis=-1) & np.isfinite(size)
        return (size > LEAST * self.largest) & known

    def joints(self, frame: int) -> np.ndarray:
        """Return the points of all joints (joint, 3) [m]; joint i leads to body i."""
        position, orientation = self.place(frame)
        return position + np.einsum("nij,nj->ni", rotation_matrix(orientation), self.geometry.joint_point_child)

    def strained(self, frame: int) -> np.ndarray:
        """Return the numbers of the joints well past a limit (n,); none if the result holds no limits."""
        return np.flatnonzero([] if self.excess is None else self.excess[frame] > MARKED)

    def snapshot(self, frame: int, *, full_force: float = 0.0, fixed: bool = True) -> Snapshot:
        """Return everything in world axes.

        full_force  bodies are coloured by the contact force on them up to this force [N]; 0 for their own colours
        fixed       with the surfaces that stand still in the world
        """
        position, orientation = self.place(frame)
        # the world is the last row, number -1
        places, turns = np.vstack([position, np.zeros(3)]), np.concatenate([rotation_matrix(orientation), [np.eye(3)]])
        body, offset, axes, semi_axes, colour = self._round
        axes = turns[body] @ axes
        centre = places[body] + np.einsum("nij,nj->ni", turns[body], offset)
        ellipsoids = Ellipsoids(centre, np.einsum("nik,nk,njk->nij", axes, semi_axes**2, axes), colour)
        (solids, carrier), (surfaces, of_surface) = self._meshes
        solids = solids.moved(turns[carrier], places[carrier])
        if full_force > 0.0:
            share = self.pressed[frame] / full_force
            ellipsoids = replace(ellipsoids, colour=lit(ellipsoids.colour, share[body]))
            solids = replace(solids, colour=lit(solids.colour, share[carrier]))
        flesh = self.flesh(frame, full_force=full_force) if self.skin else []
        solids = Triangles.joined([solids, *flesh, *(_triangles(thing, frame) for thing in self.stretched)])
        shown = np.full(len(of_surface), True) if fixed else of_surface >= 0
        surfaces = surfaces.only(shown).moved(turns[of_surface[shown]], places[of_surface[shown]])
        return Snapshot(float(self.time[frame]), ellipsoids, solids, surfaces, self._ground_plane(position))

    def flesh(self, frame: int, *, full_force: float = 0.0) -> list[Triangles]:
        """Return the skin of each person in world axes, coloured by the contact force as in `snapshot`."""
        cloth, found = np.array(list(CLOTH.values())), []
        for skin in self.skins:
            vertices = skin.deformed(*self.place(frame))
            normals = vertex_normals(vertices, skin.triangles)
            colour = cloth[skin.cloth]
            if full_force > 0.0:
                colour = lit(colour, self.pressed[frame][skin.segment[skin.triangles[:, 0]]] / full_force)
            found.append(Triangles(vertices[skin.triangles], normals[skin.triangles], colour))
        return found

    @cached_property
    def _round(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Body, offset [m], axes, semi-axes [m] and colour of the parts that the renderer draws as ellipsoids."""
        found = [(part, part.solid) for part in self.parts if isinstance(part.solid, Ellipsoid | Sphere)]
        return (
            np.array([part.body for part, _ in found], dtype=np.int64),
            np.array([solid.offset for _, solid in found]).reshape(-1, 3),
            rotation_matrix(np.array([solid.rotation for _, solid in found]).reshape(-1, 4)),
            np.array([solid.semi_axes for _, solid in found]).reshape(-1, 3),
            np.array([part.colour for part, _ in found]).reshape(-1, 3),
        )

    @cached_property
    def _meshes(self) -> list[tuple[Triangles, np.ndarray]]:
        """Triangles in the frames of their bodies, and those bodies: of solids that are no ellipsoids, of surfaces."""
        found = []
        for kinds in (("segment", "body", "rod"), ("surface", "cover")):
            parts = [
                p for p in self.parts if p.kind in kinds and not p.under and not isinstance(p.solid, Ellipsoid | Sphere)
            ]
            counts = [len(part.triangles) for part in parts]
            made = [
                Triangles(part.vertices[part.triangles], part.normals[part.triangles], np.tile(part.colour, (count, 1)))
                for part, count in zip(parts, counts, strict=True)
            ]
            bodies = np.repeat(np.array([part.body for part in parts], dtype=np.int64), counts)
            found.append((Triangles.joined(made), bodies))
        return found

    def _ground_plane(self, position: np.ndarray) -> Plane | None:
        """The ground, drawn below the subjects."""
        if self.ground_row is None:
            return None
        point, normal = self.geometry.surface_point[self.ground_row], self.geometry.surface_normal[self.ground_row]
        position = position[self.subjects]
        middle = position.mean(axis=0)
        reach = np.linalg.norm(position - middle, axis=1).max()
        centre = middle - ((middle - point) @ normal) * normal
        return Plane(point, normal, centre, radius=max(1.1, 1.9 * reach))


def _triangles(thing: Stretched, frame: int) -> Triangles:
    """Return the triangles of something that changes its shape, in world axes."""
    box, part = thing.boxes(frame), thing.part
    corner = box[:, None, 3] + np.einsum("vk,nkx->nvx", part.vertices, box[:, :3])
    turn = np.cross(box[:, [1, 2, 0]], box[:, [2, 0, 1]])  # normals are stretched by the cofactors
    normal = np.einsum("vk,nkx->nvx", part.normals, turn)
    normal = normal / np.maximum(np.linalg.norm(normal, axis=2, keepdims=True), 1e-300)
    points, normals = (item[:, part.triangles].reshape(-1, 3, 3) for item in (corner, normal))
    return Triangles(points, normals, np.tile(part.colour, (len(points), 1)))
