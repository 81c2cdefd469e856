"""Surfaces of flat faces: a facet, a profile drawn out to a surface, a triangulated surface. SI units.

Each lies in a frame of its own, which the world or a body carries. Faces are one-sided: their corners stand
anticlockwise as seen from outside.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property

import numpy as np

from ..errors import InputError, nearest
from .contact import Contact
from .facet_table import CREASE, Patches
from .field import field_of
from .frame import IDENTITY, ZERO, Quaternion, Vector
from .pieces import Face, Faces, edges
from .polygon import checked_points, convex_faces, flattened, inset, refuse_crossings, refuse_repeats
from .same_shape import SameShape, patches_of, solids_of
from .solid import Solid, can_close, solids
from .validation import finite_vector, not_negative, positive, rotation
from .value import Components, Flag, ListOf, Name, Rotation, Rows, Text

COPLANAR = 1e-6  # share of the size of a facet by which its corners may leave its plane


@dataclass(frozen=True)
class FacetSurface(ABC):
    """Base of all surfaces of flat faces.

    contact   its law, or a law for each part by name
    """

    name: str = field_of(Name(), "of its own")
    _: KW_ONLY
    contact: Contact | Mapping[str, Contact] = field(default_factory=Contact)
    only: tuple[str, ...] | None = field_of(
        ListOf(Text()), "the bodies that may touch it; all unless given", default=None
    )
    carrier: str | None = field_of(Text(), "body that carries it; the world unless given", default=None)
    place: Vector = field_of(
        Components("length"), "origin of its frame in that of the carrier", default=ZERO, implied=True
    )
    rotation: Quaternion = field_of(Rotation(), "of its frame in that of the carrier", default=IDENTITY, implied=True)
    rounding: float = field_of(
        "length",
        "radius by which it grows, which rounds its edges and corners",
        default=0.0,
        implied=True,
    )
    backing: float = field_of(
        "length",
        "depth to which it is solid: a shape that is wholly behind it and deeper does not touch it, unless it came in "
        "from outside",
        default=0.0,
        implied=True,
    )
    crease: float = field_of(
        "angle",
        "angle of a valley about which its two sides change from sharing the load to pushing each alone",
        default=CREASE,
        implied=True,
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "place", finite_vector(self.place, f"{self.where}: place"))
        object.__setattr__(self, "rotation", rotation(self.rotation, f"{self.where}: rotation"))
        not_negative(self.rounding, f"{self.where}: rounding", "m")
        not_negative(self.backing, f"{self.where}: backing", "m")
        if not 0.0 <= self.crease <= np.pi:
            raise InputError(f"{self.where}: crease is {self.crease} rad; accepted 0 to pi.")
        self._check()
        for part in self.parts:
            self.contact_of(part)

    @property
    def where(self) -> str:
        """How messages name it."""
        return f"surface {self.name!r}"

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the parts, which may have laws of their own; the surface's own name if it is all of one."""
        return (self.name,)

    @property
    def labels(self) -> tuple[str, ...]:
        """How outputs name the parts."""
        return tuple(self.label(part) for part in self.parts)

    def label(self, part: str) -> str:
        """How outputs name a part: "front.bonnet"; by the surface's own name if it is all of one."""
        return part if part == self.name else f"{self.name}.{part}"

    def contact_of(self, part: str) -> Contact:
        """The law of a part."""
        if isinstance(self.contact, Contact):
            return self.contact
        if part not in self.contact:
            raise InputError(
                f"{self.where}: contact has no law for the part {part!r}; it has {', '.join(map(repr, self.contact))}."
                f"{nearest(part, self.contact)}"
            )
        return self.contact[part]

    @abstractmethod
    def _check(self) -> None:
        """Refuse what is no surface."""

    @abstractmethod
    def _faces(self) -> Faces:
        """Faces in its own frame."""

    @cached_property
    def faces(self) -> Faces:
        """Flat convex faces in its own frame, each with the number of its part."""
        return self._faces()

    @property
    def core(self) -> tuple[Faces, float]:
        """Faces that touch, and the radius [m] by which they grow in contact."""
        return self.faces, self.rounding

    @property
    def solids(self) -> tuple[Solid, ...]:
        """Convex regions of the solid behind the core; none if it is a surface with a backing only. Made once."""
        return solids_of(self.same_shape)

    def _regions(self) -> tuple[Solid, ...]:
        """Make the regions of `solids`."""
        return ()

    @cached_property
    def patches(self) -> Patches:
        """Tables of its patches for the kernels; made once for all surfaces of one shape."""
        return patches_of(self.same_shape)

    @cached_property
    def same_shape(self) -> SameShape:
        """Key that surfaces of one shape share, whatever their names, laws and places."""
        return SameShape.of(self)

    @property
    def part_numbers(self) -> tuple[int, ...]:
        """Number of the part of each segment, whatever the parts are called; none if it is all of one."""
        return ()


@dataclass(frozen=True)
class Facet(FacetSurface):
    """A flat polygon with its edges and corners, solid below."""

    corners: tuple[Vector, ...] = field_of(
        Rows(("length",) * 3, "rows of 3 lengths"),
        "at least three, anticlockwise seen from outside [m]",
        default=(),
        needed=True,
    )

    def _check(self) -> None:
        points = checked_points(self.corners, 3, f"{self.where}: corners", least=3)
        object.__setattr__(self, "corners", tuple(map(tuple, points.tolist())))
        size = float(np.ptp(points, axis=0).max())
        refuse_repeats(points, size, f"{self.where}: corner", closed=True)
        normal = np.sum(np.cross(points, np.roll(points, -1, axis=0)), axis=0)
        if np.linalg.norm(normal) <= 1e-9 * size**2:
            raise InputError(f"{self.where}: the corners lie on a line or their polygon has no area.")
        normal /= np.linalg.norm(normal)
        off = np.abs((points - points.mean(axis=0)) @ normal)
        if off.max() > COPLANAR * size:
            row = int(np.argmax(off))
            raise InputError(
                f"{self.where}: corner {row} lies {off[row]:.3g} m off the plane of the others; "
                "a facet is flat (take a Mesh, or split it)."
            )
        refuse_crossings(flattened(points, normal), f"{self.where}: edge", closed=True)

    def _faces(self) -> Faces:
        points = np.array(self.corners)
        normal = np.sum(np.cross(points, np.roll(points, -1, axis=0)), axis=0)
        faces = convex_faces(flattened(points, normal / np.linalg.norm(normal)))
        return Faces(points, tuple(faces), (0,) * len(faces))


@dataclass(frozen=True)
class Extrusion(FacetSurface):
    """An open polygon in the x-z plane drawn out along y: the front of a vehicle, a kerb, a stair.

    plan      how the profile is shifted along x over the width, as seen from above: rows (y, shift) [m] from one side
              to the other. The faces stay flat. Straight if None
    solid     length along x to which the profile is closed by an underside, a roof and a rear [m] (`model.solid`); open
              if 0, with a plan, or if the first corner is not the lowest

    A shape that is deeper than the edge radius and its own radius of curvature finds two equally short ways out at a
    ridge, and the direction of the force changes at once there. The edge radius of a solid grows with the depth, which
    nearly doubles that limit (`kernels.patch`).
    """

    profile: tuple[tuple[float, float], ...] = field_of(
        Rows(("length",) * 2, "rows of 2 lengths"),
        "corners (x, z), at least two, with the outside on the right where x points to the right and z up: a front "
        "that looks along x is given from below upwards and back [m]",
        default=(),
        needed=True,
    )
    width: float = field_of("length", "along y, half of it to each side", default=0.0, needed=True)
    segments: tuple[str, ...] | None = field_of(
        ListOf(Text()),
        "name of the part of each segment, for laws of their own and for the audit; one part unless given",
        default=None,
    )
    plan: tuple[tuple[float, float], ...] | None = None
    edge_radius: float = field_of(
        "length",
        "radius of its ridges and ends, inside the profile: faces stay in place",
        default=0.0,
        implied=True,
    )
    solid: float = field(default=0.0, kw_only=True)

    def _check(self) -> None:
        points = checked_points(self.profile, 2, f"{self.where}: profile", least=2)
        object.__setattr__(self, "profile", tuple(map(tuple, points.tolist())))
        positive(self.width, f"{self.where}: width", "m")
        if not np.isfinite(self.width):
            raise InputError(f"{self.where}: width is infinite; take a Plane, or a finite width [m].")
        size = float(np.ptp(points, axis=0).max())
        refuse_repeats(points, size, f"{self.where}: profile row", closed=False)
        refuse_crossings(points, f"{self.where}: profile segment", closed=False)
        if self.segments is not None:
            object.__setattr__(self, "segments", tuple(self.segments))
            if len(self.segments) != len(points) - 1:
                raise InputError(
                    f"{self.where}: {len(self.segments)} names of segments for {len(points) - 1} segments; "
                    "give one for each."
                )
        if self.plan is not None:
            self._check_plan()
        not_negative(self.solid, f"{self.where}: solid", "m")
        not_negative(self.edge_radius, f"{self.where}: edge_radius", "m")
        if self.edge_radius:
            self._check_edges(points)

    def _check_edges(self, points: np.ndarray) -> None:
        """Refuse an edge radius at which a segment of the profile, or the width, has no flat part left."""
        before, after = np.diff(points, axis=0), np.diff(inset(points, self.edge_radius), axis=0)
        gone = np.flatnonzero(np.sum(before * after, axis=1) <= 0.0)
        if gone.size:
            raise InputError(
                f"{self.where}: edge_radius is {self.edge_radius:g} m, and segment {gone[0]} of the profile, "
                f"{np.linalg.norm(before[gone[0]]):.3g} m long, has no flat part left; take a smaller radius."
            )
        rows = [y for y, _ in self.plan] if self.plan else [-0.5 * self.width, 0.5 * self.width]
        if min(rows[1] - rows[0], rows[-1] - rows[-2]) <= self.edge_radius * (2 if len(rows) == 2 else 1):
            raise InputError(f"{self.where}: edge_radius is {self.edge_radius:g} m, too large for its width or plan.")

    def _check_plan(self) -> None:
        plan = checked_points(self.plan, 2, f"{self.where}: plan", least=2)
        object.__setattr__(self, "plan", tuple(map(tuple, plan.tolist())))
        if (np.diff(plan[:, 0]) <= 0.0).any():
            row = int(np.argmax(np.diff(plan[:, 0]) <= 0.0)) + 1
            raise InputError(
                f"{self.where}: plan row {row} is at y = {plan[row, 0]:g} m; rows must continue to the left."
            )
        half = 0.5 * self.width
        if abs(plan[0, 0] + half) > 1e-9 or abs(plan[-1, 0] - half) > 1e-9:
            raise InputError(
                f"{self.where}: plan goes from y = {plan[0, 0]:g} m to {plan[-1, 0]:g} m; with this width it must go "
                f"from {-half:g} m to {half:g} m."
            )

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the parts in order of the profile."""
        return (self.name,) if self.segments is None else tuple(dict.fromkeys(self.segments))

    @property
    def part_numbers(self) -> tuple[int, ...]:
        """Number of the part of each segment, whatever the parts are called; none if it is all of one."""
        return tuple(self.parts.index(name) for name in self.segments or ())

    def _faces(self) -> Faces:
        return self._drawn_out(np.array(self.profile), 0.5 * self.width)

    @property
    def core(self) -> tuple[Faces, float]:
        """Faces inside the profile by the edge radius, and the radius [m] by which they grow in contact."""
        if self.edge_radius == 0.0:
            return self.faces, self.rounding
        return self._drawn_out(self._inside, 0.5 * self.width - self.edge_radius), self.rounding + self.edge_radius

    @property
    def _inside(self) -> np.ndarray:
        """Profile [m] inside by the edge radius."""
        profile = np.array(self.profile)
        return inset(profile, self.edge_radius) if self.edge_radius else profile

    def _regions(self) -> tuple[Solid, ...]:
        """Make the convex regions of the solid behind the core; none if it is open."""
        if self.plan is not None or not can_close(self._inside, self.solid):
            return ()
        half = 0.5 * self.width - self.edge_radius
        return solids(self._inside, self.core[0].part, self.solid, half, self.backing)

    def _drawn_out(self, profile: np.ndarray, half: float) -> Faces:
        """Return the faces of a profile drawn out along y to both sides [m]."""
        count = len(profile)
        plan = self.plan or ((-half, 0.0), (half, 0.0))
        points = np.array([(x + shift, min(max(y, -half), half), z) for y, shift in plan for x, z in profile])
        starts = [count * strip for strip in range(len(plan) - 1)]
        faces = tuple((i + k, i + count + k, i + count + k + 1, i + k + 1) for i in starts for k in range(count - 1))
        names = self.segments or (self.name,) * (count - 1)
        return Faces(points, faces, tuple(self.parts.index(name) for name in names) * len(starts))


@dataclass(frozen=True)
class Mesh(FacetSurface):
    """A triangulated surface, closed unless it says that it is open.

    vertices   (n, 3) [m]
    triangles  (m, 3) rows of vertices, anticlockwise seen from outside
    """

    vertices: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    triangles: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), dtype=np.int64))
    open: bool = field_of(Flag(), "whether it may have a rim", default=False, implied=True)

    def _check(self) -> None:
        vertices = checked_points(self.vertices, 3, f"{self.where}: vertices", least=3, row="vertex")
        triangles = np.array(self.triangles)
        if triangles.ndim != 2 or triangles.shape[1] != 3 or len(triangles) == 0:
            raise InputError(
                f"{self.where}: triangles has the shape {triangles.shape}; expected rows of three vertices."
            )
        if not np.issubdtype(triangles.dtype, np.integer):
            raise InputError(f"{self.where}: triangles holds {triangles.dtype} numbers; expected rows of vertices.")
        vertices.setflags(write=False)
        triangles.setflags(write=False)
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "triangles", triangles)
        wrong = ((triangles < 0) | (triangles >= len(vertices))).any(axis=1)
        if wrong.any():
            face = int(np.argmax(wrong))
            raise InputError(
                f"{self.where}: face {face} names the vertices {triangles[face].tolist()}; there are {len(vertices)}."
            )
        self._check_faces(vertices, triangles)
        self._check_edges()

    def _check_faces(self, vertices: np.ndarray, triangles: np.ndarray) -> None:
        corners = vertices[triangles]
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
        double = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        flat = double <= 1e-6 * sides.max(axis=1) ** 2
        if flat.any():
            face = int(np.argmax(flat))
            raise InputError(
                f"{self.where}: face {face} (vertices {triangles[face].tolist()}) has no area, its sides are "
                f"{', '.join(f'{s:.3g}' for s in sides[face])} m; {np.count_nonzero(flat)} such. Remove them."
            )

    def _check_edges(self) -> None:
        owner: dict[tuple[int, int], int] = {}
        for f, face in enumerate(self.triangles.tolist()):
            for edge in edges(tuple(face)):
                if edge in owner:
                    raise InputError(
                        f"{self.where}: faces {owner[edge]} and {f} pass the edge between vertices {edge[0]} and "
                        f"{edge[1]} in the same sense: one of them is wound the wrong way round, or more than two "
                        "faces meet there."
                    )
                owner[edge] = f
        rim = [(edge, f) for edge, f in owner.items() if (edge[1], edge[0]) not in owner]
        if rim and not self.open:
            edge, f = rim[0]
            raise InputError(
                f"{self.where} has a hole: the edge between vertices {edge[0]} and {edge[1]} of face {f} has no face "
                f"on its other side; {len(rim)} such edges. Close it, or say open=True for a surface with a rim."
            )
        if not rim:
            corners = self.vertices[self.triangles]
            volume = float(np.sum(corners[:, 0] * np.cross(corners[:, 1], corners[:, 2]))) / 6.0
            if volume <= 0.0:
                raise InputError(
                    f"{self.where} is inside out: it encloses {volume:.3g} m3. Reverse the order of the vertices "
                    "of every face."
                )

    def _faces(self) -> Faces:
        faces: tuple[Face, ...] = tuple(tuple(face) for face in self.triangles.tolist())
        return Faces(self.vertices, faces, (0,) * len(faces))
