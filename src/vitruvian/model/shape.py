"""Convex solids that bodies carry and that touch. Axes of the shape: its own frame, length along z. SI units.

Every shape is of the support family of `kernels.support`. A capsule, cylinder or box is a Minkowski sum of
ellipsoids, a slender one for each straight edge, so that its edges are blended, by a hundredth of the smallest half
dimension; its extreme dimensions are exact. Volume and inertia are those of the sharp solid.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import Field, dataclass
from functools import cached_property
from itertools import product
from math import pi, sqrt
from typing import Any, ClassVar

import numpy as np

from ..errors import InputError
from ..kernels import layout
from .field import field_of
from .frame import IDENTITY, ZERO, Quaternion, Vector
from .tissue import Soft, Tissue
from .validation import finite_vector, positive, rotation
from .value import Components, Count, Rotation

EDGE = 0.01  # blend of edges, share of the smallest half dimension
MOST_POINTS = 2000  # on the surface of an ellipsoid


def spiral(number: int) -> np.ndarray:
    """Points of the unit sphere (number, 3) along the golden spiral, each with the same area round it."""
    if number < 4:
        raise InputError(f"{number} points do not make a surface; give 4 or more.")
    k = np.arange(number)
    z = 1.0 - (2.0 * k + 1.0) / number
    angle = pi * (3.0 - np.sqrt(5.0)) * k
    ring = np.sqrt(1.0 - z * z)
    return np.column_stack([ring * np.cos(angle), ring * np.sin(angle), z])


# kind and meaning of the fields that all shapes share
OFFSET = (Components("length"), "of its centre from the centre of mass, body frame")
ROTATION = (Rotation(), "of its axes in the body frame")
STIFFNESS = ("stiffness", "of its tissue, linear, in series with the surface it meets; inf is rigid")


class Shape(ABC):
    """Base of all shapes; each is a frozen dataclass with these fields and its own dimensions.

    material  name of what it is made of, or None
    tissue    that hardens towards its thickness, instead of the linear one of `stiffness`, or None
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    offset: Vector
    rotation: Quaternion
    stiffness: float
    material: str | None
    tissue: Tissue | None

    @property
    def kind(self) -> str:
        """Name of the shape in sentences and scenarios."""
        return type(self).__name__.lower()

    def _check(self, **lengths: float) -> None:
        object.__setattr__(self, "offset", finite_vector(self.offset, f"{self.kind} offset"))
        object.__setattr__(self, "rotation", rotation(self.rotation, f"{self.kind} rotation"))
        positive(self.stiffness, f"{self.kind} stiffness", "N/m")
        for name, value in lengths.items():
            positive(value, f"{self.kind} {name}", "m")
            if not np.isfinite(value):
                raise InputError(f"{self.kind} {name} is {value} m; it must be finite.")

    @property
    def soft(self) -> Soft:
        """Return the layers that give way when the shape touches, or its stiffness [N/m]."""
        return self.stiffness if self.tissue is None else (self.tissue,)

    def _check_vector(self, name: str) -> None:
        value = finite_vector(getattr(self, name), f"{self.kind} {name}")
        object.__setattr__(self, name, value)
        if min(value) <= 0.0:
            raise InputError(f"{self.kind} {name} are {value} m; all three must be greater than zero.")

    @property
    @abstractmethod
    def half_size(self) -> Vector:
        """Half the sides of the box about the shape, along its axes [m]."""

    @property
    @abstractmethod
    def volume(self) -> float:
        """Volume [m3]."""

    @abstractmethod
    def inertia(self, mass: float) -> np.ndarray:
        """Principal moments of the solid of a mass [kg] about its centre, along its axes [kg m2]."""

    @property
    @abstractmethod
    def bound(self) -> float:
        """Radius of a sphere about the centre that holds the shape [m]."""

    @property
    @abstractmethod
    def terms(self) -> tuple[int, float, tuple[Vector, ...]]:
        """Code, radius [m] and triples of semi-axes [m] of the support function."""

    @property
    def standing_points(self) -> tuple[Shape, ...]:
        """The shapes that stand for it against a plane: itself, unless it would have to stand on one point."""
        return (self,)

    def support_row(self, carrier: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows of model.shape_kind and model.shape for a body number."""
        code, radius, terms = self.terms
        kind = np.zeros(layout.shape_kind.COUNT, dtype=np.int64)
        row = np.zeros(layout.shape.COUNT)
        kind[layout.shape_kind.CODE], kind[layout.shape_kind.CARRIER] = code, carrier
        kind[layout.shape_kind.ALIGNED] = self.offset == ZERO and self.rotation[0] == 1.0
        row[layout.shape.PLACE : layout.shape.PLACE + 3] = self.offset
        row[layout.shape.TURN : layout.shape.TURN + 9] = self.turn.ravel()
        row[layout.shape.BOUND], row[layout.shape.ROUND] = self.bound, radius
        flat = np.ravel(terms)
        row[layout.shape.TERM : layout.shape.TERM + len(flat)] = flat
        return kind, row

    @cached_property
    def turn(self) -> np.ndarray:
        """Rotation matrix from the shape's axes to the body frame [-]; read only."""
        from .pose import rotation_matrix

        found = rotation_matrix(self.rotation)
        found.setflags(write=False)
        return found

    def _spheres(self, centres: Iterable[Vector], radius: float) -> tuple[Sphere, ...]:
        """Balls at places in the shape's axes [m], of the same stiffness and material."""
        places = (tuple((self.offset + self.turn @ centre).tolist()) for centre in centres)
        own = self.stiffness, self.material, self.tissue
        return tuple(Sphere(radius, place, IDENTITY, *own) for place in places)

    def reach(self, direction: np.ndarray) -> np.ndarray:
        """How far the shape reaches from its centre along unit vectors (..., 3) in its own axes [m]."""
        _, radius, terms = self.terms
        if direction.ndim == 1:
            x, y, z = direction.tolist()
            squares = [((a * x) * (a * x) + (b * y) * (b * y)) + (c * z) * (c * z) for a, b, c in terms]
            return np.asarray(radius + sum(map(sqrt, squares)))[()]
        return radius + sum(np.linalg.norm(np.array(axes) * direction, axis=-1) for axes in terms)


@dataclass(frozen=True)
class Ellipsoid(Shape):
    """An ellipsoid.

    With points, their stiffness adds up: it grows with their number (E051).
    """

    semi_axes: Vector = field_of(Components("length"), "half its extent along x, y and z")
    offset: Vector = field_of(*OFFSET, default=ZERO)
    rotation: Quaternion = field_of(*ROTATION, default=IDENTITY)
    stiffness: float = field_of(*STIFFNESS, default=float("inf"), infinite=True)
    material: str | None = None
    tissue: Tissue | None = None
    points: int = field_of(
        Count(),
        "touches planes at so many points of its surface, each with a force of its own (thesis, section 5.3), 4 to "
        f"{MOST_POINTS}; at the deepest point unless given",
        default=0,
        implied=True,
    )

    def __post_init__(self) -> None:
        self._check_vector("semi_axes")
        self._check()
        if self.points and not 4 <= self.points <= MOST_POINTS:
            raise InputError(f"ellipsoid points is {self.points}; accepted 0 (the deepest point), 4 to {MOST_POINTS}.")

    @property
    def standing_points(self) -> tuple[Shape, ...]:
        if self.points == 0:
            return (self,)
        tiny = 1e-3 * min(self.semi_axes)
        inner = np.array(self.semi_axes) - tiny
        return self._spheres([tuple(inner * direction) for direction in spiral(self.points)], tiny)

    @property
    def half_size(self) -> Vector:
        return self.semi_axes

    @property
    def volume(self) -> float:
        a, b, c = self.semi_axes
        return 4.0 / 3.0 * pi * a * b * c

    def inertia(self, mass: float) -> np.ndarray:
        return ellipsoid_inertia(mass, self.semi_axes)

    @property
    def bound(self) -> float:
        return max(self.semi_axes)

    @property
    def terms(self) -> tuple[int, float, tuple[Vector, ...]]:
        return layout.shape_type.ELLIPSOID, 0.0, (self.semi_axes,)


@dataclass(frozen=True)
class Sphere(Shape):
    """A ball."""

    radius: float = field_of("length", "of its circle or ball")
    offset: Vector = field_of(*OFFSET, default=ZERO)
    rotation: Quaternion = field_of(*ROTATION, default=IDENTITY)
    stiffness: float = field_of(*STIFFNESS, default=float("inf"), infinite=True)
    material: str | None = None
    tissue: Tissue | None = None

    def __post_init__(self) -> None:
        self._check(radius=self.radius)

    @property
    def semi_axes(self) -> Vector:
        """Three times the radius [m]."""
        return self.radius, self.radius, self.radius

    @property
    def half_size(self) -> Vector:
        return self.semi_axes

    @property
    def volume(self) -> float:
        return 4.0 / 3.0 * pi * self.radius**3

    def inertia(self, mass: float) -> np.ndarray:
        return ellipsoid_inertia(mass, self.semi_axes)

    @property
    def bound(self) -> float:
        return self.radius

    @property
    def terms(self) -> tuple[int, float, tuple[Vector, ...]]:
        return layout.shape_type.ELLIPSOID, 0.0, (self.semi_axes,)


@dataclass(frozen=True)
class Capsule(Shape):
    """A cylinder with half a ball at each end; the whole is longer than its length by two radii."""

    radius: float = field_of("length", "of its circle or ball")
    length: float = field_of("length", "along z; of a capsule between the centres of its balls")
    offset: Vector = field_of(*OFFSET, default=ZERO)
    rotation: Quaternion = field_of(*ROTATION, default=IDENTITY)
    stiffness: float = field_of(*STIFFNESS, default=float("inf"), infinite=True)
    material: str | None = None
    tissue: Tissue | None = None

    def __post_init__(self) -> None:
        self._check(radius=self.radius, length=self.length)

    @property
    def half_size(self) -> Vector:
        return self.radius, self.radius, 0.5 * self.length + self.radius

    @property
    def volume(self) -> float:
        return pi * self.radius**2 * (self.length + 4.0 / 3.0 * self.radius)

    def inertia(self, mass: float) -> np.ndarray:
        """Cylinder and two half balls, whose centres of mass lie 3/8 r beyond the ends of the cylinder."""
        r, half = self.radius, 0.5 * self.length
        middle = mass * self.length / (self.length + 4.0 / 3.0 * r)
        ends = mass - middle
        axial = middle * r**2 / 2.0 + ends * 0.4 * r**2
        across = middle * (r**2 / 4.0 + self.length**2 / 12.0) + ends * (0.4 * r**2 + half**2 + 0.75 * half * r)
        return np.array([across, across, axial])

    @property
    def bound(self) -> float:
        return 0.5 * self.length + self.radius

    @property
    def terms(self) -> tuple[int, float, tuple[Vector, ...]]:
        edge = EDGE * min(self.radius, 0.5 * self.length)
        return layout.shape_type.SUM, self.radius - edge, ((edge, edge, 0.5 * self.length + edge),)

    @property
    def standing_points(self) -> tuple[Shape, ...]:
        return self.end_spheres

    @property
    def end_spheres(self) -> tuple[Sphere, ...]:
        """The balls at its ends, fixed to the same body: the two points on which it lies on a plane."""
        return self._spheres([(0.0, 0.0, z) for z in (-0.5 * self.length, 0.5 * self.length)], self.radius)


@dataclass(frozen=True)
class Cylinder(Shape):
    """A circular cylinder."""

    radius: float = field_of("length", "of its circle or ball")
    length: float = field_of("length", "along z")
    offset: Vector = field_of(*OFFSET, default=ZERO)
    rotation: Quaternion = field_of(*ROTATION, default=IDENTITY)
    stiffness: float = field_of(*STIFFNESS, default=float("inf"), infinite=True)
    material: str | None = None
    tissue: Tissue | None = None

    def __post_init__(self) -> None:
        self._check(radius=self.radius, length=self.length)

    @property
    def half_size(self) -> Vector:
        return self.radius, self.radius, 0.5 * self.length

    @property
    def volume(self) -> float:
        return pi * self.radius**2 * self.length

    def inertia(self, mass: float) -> np.ndarray:
        across = mass * (self.radius**2 / 4.0 + self.length**2 / 12.0)
        return np.array([across, across, mass * self.radius**2 / 2.0])

    @property
    def bound(self) -> float:
        return float(np.hypot(self.radius, 0.5 * self.length))

    @property
    def terms(self) -> tuple[int, float, tuple[Vector, ...]]:
        half = 0.5 * self.length
        e = EDGE * min(self.radius, half)
        return layout.shape_type.SUM, e, ((self.radius - 2.0 * e, self.radius - 2.0 * e, e), (e, e, half - 2.0 * e))


@dataclass(frozen=True)
class Box(Shape):
    """A rectangular block."""

    size: Vector = field_of(Components("length"), "its three full sides")
    offset: Vector = field_of(*OFFSET, default=ZERO)
    rotation: Quaternion = field_of(*ROTATION, default=IDENTITY)
    stiffness: float = field_of(*STIFFNESS, default=float("inf"), infinite=True)
    material: str | None = None
    tissue: Tissue | None = None

    def __post_init__(self) -> None:
        self._check_vector("size")
        self._check()

    @property
    def half_size(self) -> Vector:
        a, b, c = self.size
        return 0.5 * a, 0.5 * b, 0.5 * c

    @property
    def volume(self) -> float:
        a, b, c = self.size
        return a * b * c

    def inertia(self, mass: float) -> np.ndarray:
        a, b, c = self.size
        return mass / 12.0 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])

    @property
    def bound(self) -> float:
        return float(np.linalg.norm(self.half_size))

    @property
    def edge(self) -> float:
        """Radius of its blended edges [m]."""
        return EDGE * min(self.half_size)

    @property
    def terms(self) -> tuple[int, float, tuple[Vector, ...]]:
        a, b, c = self.half_size
        e = self.edge
        return layout.shape_type.SUM, e, ((a - 3.0 * e, e, e), (e, b - 3.0 * e, e), (e, e, c - 3.0 * e))

    @property
    def standing_points(self) -> tuple[Shape, ...]:
        return self.corner_spheres

    @property
    def corner_spheres(self) -> tuple[Sphere, ...]:
        """Small balls in its corners, fixed to the same body: the points on which it stands on a plane."""
        inner = np.array(self.half_size) - self.edge
        return self._spheres([tuple(inner * signs) for signs in product((-1.0, 1.0), repeat=3)], self.edge)


def ellipsoid_inertia(mass: float, semi_axes: Vector) -> np.ndarray:
    """Principal moments of a solid ellipsoid [kg m2]: m/5 (b2 + c2) and so on (thesis eq. 4.2)."""
    a, b, c = semi_axes
    return mass / 5.0 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
