"""What stands where at a moment of a result: shapes, surfaces, rods and the ground, ready to be drawn. SI units.

Ellipsoids and spheres are drawn as such. All other shapes and the surfaces become triangles once, in the frame of the
body that carries them, and go with it from moment to moment.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace

import numpy as np

from ..errors import InputError
from ..model.shape import mesh
from ..sim.geometry import SHAPE_KINDS, Geometry
from ..sim.recording import Recording
from ..sim.result import Result
from .glow import body_forces, lit
from .renderer import Camera, Ellipsoids, Plane, Triangles, across

_SKIN, _TRUNK, _ARM, _LEG = (0.93, 0.70, 0.53), (0.30, 0.50, 0.70), (0.45, 0.68, 0.62), (0.46, 0.47, 0.62)
#: colours of the regions of a body, red, green, blue, 0 to 1
REGION: dict[str, tuple[float, float, float]] = {
    "head": _SKIN,
    "neck": (0.88, 0.64, 0.48),
    "thorax": _TRUNK,
    "abdomen": (0.36, 0.56, 0.75),
    "pelvis": (0.24, 0.42, 0.61),
    "upper_arm": _ARM,
    "forearm": (0.53, 0.75, 0.68),
    "hand": _SKIN,
    "thigh": _LEG,
    "shank": (0.55, 0.56, 0.71),
    "foot": (0.33, 0.33, 0.42),
}
_FIXED, _MOVING = (0.86, 0.85, 0.81), (0.86, 0.87, 0.89)  # surfaces of the world and of bodies
#: colours of parts of a vehicle
_PARTS = {"windscreen": (0.62, 0.72, 0.80), "bumper": (0.66, 0.67, 0.69)}
_DENSITY = 2000.0  # [kg/m3], of the ball that stands for a body without shape and surface
_ROUND = [SHAPE_KINDS.index(kind) for kind in ("ellipsoid", "sphere")]
_SIDES = 40  # of the mesh of a shape, round its axis
CREASE = np.radians(30.0)  # triangles of a shape that meet at less are shaded as one curved surface
_MARGIN = 0.5  # [m], of a plane beyond its contact points


@dataclass(frozen=True)
class Moment:
    """Everything at one time, in the world.

    time      [s]
    balls     ellipsoids and spheres of the bodies
    solids    their other shapes
    surfaces  surfaces of faces, and the finite parts that are drawn of planes other than the ground
    rods      lines (n, 2, 3) [m]
    ground    or None
    """

    time: float
    balls: Ellipsoids
    solids: Triangles
    surfaces: Triangles
    rods: np.ndarray
    ground: Plane | None

    def extent(self, camera: Camera) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest coordinates of the bodies in the axes of the picture [m]."""
        low, high = self.balls.seen(camera).extent()
        points = np.concatenate([self.rods.reshape(-1, 3), self.solids.corner.reshape(-1, 3)])
        if not len(low) + len(points):  # every body is nothing but the carrier of a surface
            points = self.surfaces.corner.reshape(-1, 3)
        points = points @ camera.axes.T
        return np.vstack([low, points]).min(axis=0), np.vstack([high, points]).max(axis=0)

    @property
    def height(self) -> float | None:
        """The lowest point of all bodies above the ground [m]; None where there is no such thing."""
        if self.ground is None or not len(self.balls.centre) + len(self.solids.corner):
            return None
        normal = self.ground.normal
        reach = np.sqrt(np.einsum("i,nij,j->n", normal, self.balls.spread, normal))
        levels = [(self.balls.centre - self.ground.point) @ normal - reach]
        levels.append(((self.solids.corner - self.ground.point) @ normal).ravel())
        return float(np.concatenate(levels).min())


class Stage:
    """All moments of a result."""

    def __init__(self, result: Result, *, full_force: float = 0.0, skin: bool = False) -> None:
        """With a full force [N] bodies are coloured by the contact force on them; people may have a skin."""
        if result.geometry is None:
            raise InputError("the result holds no geometry to draw; make it with Result(recording, system=...).")
        self.recording, self.geometry = result.sound.recording, result.geometry
        self._ground_row = ground_row(self.geometry)
        dressed = set(subjects(self.recording)) if skin and _has_people(self.recording) else set()
        self._shown = np.array([body not in dressed for body in self.geometry.shape_body.tolist()], dtype=bool)
        self._solids, self._solid_body = _solids(self.recording, self.geometry, self._shown)
        if dressed:
            self._dress(result)
        self._surfaces, self._surface_body = _surfaces(self.recording, self.geometry, self._ground_row)
        drawn = {*self.geometry.shape_body, *self.geometry.surface_body, *self.geometry.triangle_body}
        self._bare = [body for body in range(len(self.recording.bodies)) if body not in drawn]
        self._glow = body_forces(self.recording) / full_force if full_force > 0.0 else None

    def at(self, sample: int) -> Moment:
        """The moment of a pose sample."""
        position, turn = self.recording.position[sample], rotation_matrices(self.recording.orientation[sample])
        # the world is the last row, number -1
        places, turns = np.vstack([position, np.zeros(3)]), np.concatenate([turn, np.eye(3)[None]])
        balls, ball_body = self._balls(position, turn)
        solids = self._solids.moved(turns[self._solid_body], places[self._solid_body])
        if self._glow is not None:
            balls = replace(balls, colour=lit(balls.colour, self._glow[sample, ball_body]))
            solids = replace(solids, colour=lit(solids.colour, self._glow[sample, self._solid_body]))
        return Moment(
            time=float(self.recording.pose_time[sample]),
            balls=balls,
            solids=solids,
            surfaces=self._surfaces.moved(turns[self._surface_body], places[self._surface_body]),
            rods=self._rods(position, turn),
            ground=self._ground(position),
        )

    def _balls(self, position: np.ndarray, turn: np.ndarray) -> tuple[Ellipsoids, np.ndarray]:
        """Ellipsoids and spheres, and their bodies; one with neither shape nor surface is a ball of its mass."""
        geometry, bare = self.geometry, self._bare
        radius = mass_radius(geometry.body_mass[bare])
        rows = np.flatnonzero(np.isin(geometry.shape_kind, _ROUND) & self._shown)
        body = np.concatenate([geometry.shape_body[rows], np.array(bare, dtype=np.int64)])
        semi_axes = np.concatenate([geometry.shape_semi_axes[rows], np.repeat(radius[:, None], 3, axis=1)])
        offset = np.concatenate([geometry.shape_offset[rows], np.zeros((len(bare), 3))])
        rotation = np.concatenate([geometry.shape_rotation[rows], np.tile([1.0, 0.0, 0.0, 0.0], (len(bare), 1))])
        axes = turn[body] @ rotation_matrices(rotation)
        centre = position[body] + np.einsum("nij,nj->ni", turn[body], offset)
        spread = np.einsum("nik,nk,njk->nij", axes, semi_axes**2, axes)
        colours = np.array([colour_of(self.recording, int(index)) for index in body])
        return Ellipsoids(centre, spread, colours.reshape(-1, 3)), body

    def _dress(self, result: Result) -> None:
        """Add the skins of people to the solids."""
        from .theatre import Theatre

        for part in Theatre(result, skin=True).parts:
            if part.kind == "segment":
                colour = np.tile(part.colour, (len(part.triangles), 1))
                made = Triangles(part.vertices[part.triangles], part.normals[part.triangles], colour)
                self._solids = Triangles.joined([self._solids, made])
                self._solid_body = np.concatenate([self._solid_body, np.full(len(part.triangles), part.body)])

    def _rods(self, position: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Lines from joint points to centres of mass of bodies other than segments and carriers (n, 2, 3) [m]."""
        geometry, lines = self.geometry, []
        carriers = {*geometry.surface_body, *geometry.triangle_body}
        people = self.recording.roster.segments(self.recording.bodies)
        for body, joint in enumerate(self.recording.joint_types):
            if joint == "free" or body in people or body in carriers:
                continue
            centre = position[body]
            lines.append([centre + turn[body] @ geometry.joint_point_child[body], centre])
            parent = geometry.joint_parent[body]
            if parent >= 0:
                origin = position[parent]
                lines.append([origin, origin + turn[parent] @ geometry.joint_point_parent[body]])
        return np.array(lines).reshape(-1, 2, 3)

    def _ground(self, position: np.ndarray) -> Plane | None:
        """The ground, drawn below whom the picture is about."""
        if self._ground_row is None:
            return None
        point, normal = self.geometry.surface_point[self._ground_row], self.geometry.surface_normal[self._ground_row]
        position = position[subjects(self.recording)]
        middle = position.mean(axis=0)
        reach = np.linalg.norm(position - middle, axis=1).max()
        centre = middle - ((middle - point) @ normal) * normal
        return Plane(point, normal, centre, radius=max(1.1, 1.9 * reach))


def _has_people(recording: Recording) -> bool:
    return bool(recording.roster.segments(recording.bodies))


def subjects(recording: Recording) -> list[int]:
    """The bodies that a picture is about: the segments of people, or all bodies where there are no people."""
    return recording.roster.segments(recording.bodies) or list(range(len(recording.bodies)))


# triangles in the frames of the bodies that carry them, and the numbers of those bodies


def _solids(recording: Recording, geometry: Geometry, shown: np.ndarray) -> tuple[Triangles, np.ndarray]:
    """The shapes that are no ellipsoids, of those that are shown."""
    parts, carriers = [], []
    for row in np.flatnonzero(~np.isin(geometry.shape_kind, _ROUND) & shown).tolist():
        body = int(geometry.shape_body[row])
        parts.append(Triangles.of(*mesh(geometry.shape(row), _SIDES), colour_of(recording, body), CREASE))
        carriers += [body] * len(parts[-1].corner)
    return Triangles.joined(parts), np.array(carriers, dtype=np.int64)


def _surfaces(recording: Recording, geometry: Geometry, ground: int | None) -> tuple[Triangles, np.ndarray]:
    """Surfaces of faces, flat as the engine has them, and rectangles of all planes but the ground."""
    parts, carriers = [], [geometry.triangle_body]
    faces = Triangles.of(geometry.vertex_position, geometry.triangle_vertices, _FIXED)
    for row, (body, part) in enumerate(zip(geometry.triangle_body, geometry.triangle_part, strict=True)):
        label = geometry.part_name[part] if part >= 0 else ""
        faces.colour[row] = surface_colour(recording.roster.surface_part(label), int(body))
    parts.append(faces)
    for row, body in enumerate(geometry.surface_body.tolist()):
        if row != ground:
            corners = rectangle(recording, geometry, row)
            colour = surface_colour(recording.roster.surface_part(geometry.surface_name[row]), body)
            parts.append(Triangles.of(corners, np.array([[0, 1, 2], [0, 2, 3]]), colour))
            carriers.append(np.array([body, body]))
    return Triangles.joined(parts), np.concatenate(carriers)


def rectangle(recording: Recording, geometry: Geometry, row: int) -> np.ndarray:
    """Four corners of a plane round where it was touched, or round its own point [m], in its carrier's frame (4, 3)."""
    point, normal, body = geometry.surface_point[row], geometry.surface_normal[row], int(geometry.surface_body[row])
    pairs = [pair for pair, (_, surface) in enumerate(recording.pairs) if surface == geometry.surface_name[row]]
    sample, pair = np.nonzero(recording.contact_force[:, pairs].any(axis=2))
    points = recording.contact_point[sample, np.array(pairs, dtype=np.int64)[pair]]
    if body >= 0:
        points = np.einsum(
            "nji,nj->ni",
            rotation_matrices(recording.orientation[sample, body]),
            points - recording.position[sample, body],
        )
    points = points[np.isfinite(points).all(axis=1)]
    plane = across(normal)
    inside = (points - point) @ plane.T if len(points) else np.zeros((1, 2))
    (low_p, low_q), (high_p, high_q) = inside.min(axis=0) - _MARGIN, inside.max(axis=0) + _MARGIN
    return point + np.array([(low_p, low_q), (high_p, low_q), (high_p, high_q), (low_p, high_q)]) @ plane


def ground_row(geometry: Geometry) -> int | None:
    """Number of the first plane of the world that looks upwards; a leaning wall too."""
    level = (geometry.surface_normal[:, 2] > 0.3) & (geometry.surface_body < 0)
    return int(np.argmax(level)) if level.any() else None


# names, colours, rotations


def mass_radius(mass: np.ndarray) -> np.ndarray:
    """Radius [m] of the ball that stands for a body of a mass [kg] without shape and surface."""
    return np.cbrt(3.0 * mass / (4.0 * np.pi * _DENSITY))


def colour_of(recording: Recording, place: int) -> tuple[float, float, float]:
    """By region; the left side a little darker. Bodies that are no segments take turns through the hues."""
    region, side = recording.roster.part(recording.bodies[place])
    if region not in REGION:
        return colorsys.hls_to_rgb((0.58 + 0.17 * place) % 1.0, 0.58, 0.40)
    red, green, blue = REGION[region]
    scale = 0.87 if side == "left" else 1.0
    return red * scale, green * scale, blue * scale


def surface_colour(part: str, body: int) -> tuple[float, float, float]:
    """Of a part of a surface, on a body or (-1) in the world."""
    return _FIXED if body < 0 else _PARTS.get(part, _MOVING)


def rotation_matrices(quaternion: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4)."""
    w, x, y, z = np.moveaxis(quaternion, -1, 0)
    rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))
