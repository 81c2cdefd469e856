"""A sled: a body that carries seats and surfaces, with a prescribed motion or free against a barrier. SI units.

The frame of the sled has x forward, y left and z up; its origin is on the floor. On rails (infinite mass) every axis of
its six degrees of freedom is held or follows a pulse. A free sled slides along its forward axis and is stopped by two
energy absorbers on a rigid barrier.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite

import numpy as np

from ..errors import InputError
from ..model import Body, Configuration, Contact, Joint, Plane, Shape, Sphere, System, Table, constant
from ..model.field import field_of
from ..model.frame import IDENTITY, ZERO, Quaternion, Vector
from ..model.joint import frame_with_z
from ..model.pose import Pose, quaternion_product, rotation_matrix, segment_poses
from ..model.system import Surface
from ..model.table import ramp
from ..model.value import Choice, Components, Name, Of, Rotation, Rows
from .pulse import Pulse

#: names of the degrees of freedom, in the order of the coordinates of a free joint
AXES = ("pulse", "y", "z", "roll", "pitch", "yaw")
ABSORBER_RADIUS = 0.05  # of the ends of the absorbers, which meet a plane [m]


@dataclass(frozen=True)
class Barrier:
    """A rigid barrier in front of a free sled, which meets it with two equal energy absorbers."""

    curve: tuple[tuple[float, float], ...] = field_of(
        Rows(("length", "force"), "rows of crush and force: [[0, 0], [0.05, 3e4]]"), "crush and force of one absorber"
    )
    unloading_stiffness: float = field_of(
        "stiffness",
        "of an absorber on the way back; 200 times the steepest piece of its curve unless given",
        default=0.0,
    )
    distance: float = field_of("length", "from the absorbers to the barrier at the start", default=0.0)
    ahead: float = field_of("length", "of the ends of the absorbers from the origin of the sled", default=1.5)
    spread: float = field_of("length", "of the absorbers to the left and right of the middle", default=0.4)

    def contact(self) -> Contact:
        """Return the law of one absorber: its crush dissipates all work but what the unloading returns."""
        steep = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(self.curve[:-1], self.curve[1:], strict=True)]
        back = self.unloading_stiffness or 200.0 * max(steep, default=1.0)
        return Contact(law="curve", curve=self.curve, unloading_stiffness=back, friction=0.0)


@dataclass(frozen=True, kw_only=True)
class Sled:
    """A sled, cabin or vehicle that carries seats and surfaces."""

    name: str = field_of(Name(), "of its body", default="sled")
    position: Vector = field_of(Components("length"), "of its origin at the start", default=ZERO)
    orientation: Quaternion = field_of(Rotation(), "of its frame at the start", default=IDENTITY)
    axes: str = field_of(
        Choice(("sled", "world")),
        "along which it moves: those of the sled at the start, or of the world",
        default="sled",
    )
    velocity: Vector = field_of(Components("velocity"), "at the start, along the axes", default=ZERO)
    pulse: Pulse | None = field_of(
        Of(Pulse), "motion along x, forward; a ready pulse, a CSV file or a table", default=None
    )
    y: Pulse | None = field_of(Of(Pulse), "motion along y, to the left", default=None)
    z: Pulse | None = field_of(Of(Pulse), "motion along z, upwards", default=None)
    roll: Pulse | None = field_of(Of(Pulse), "rotation about x", default=None)
    pitch: Pulse | None = field_of(Of(Pulse), "rotation about y, nose down", default=None)
    yaw: Pulse | None = field_of(Of(Pulse), "rotation about z, to the left", default=None)
    pivot: Vector = field_of(Components("length"), "about which it turns, sled frame", default=ZERO)
    mass: float = field_of("mass", "inf is on rails: nothing slows it", default=inf, above=0.0, infinite=True)
    barrier: Barrier | None = field_of(Of(Barrier), "that stops a free sled", default=None)

    def __post_init__(self) -> None:
        driven = [axis for axis in AXES if getattr(self, axis) is not None]
        if not self.mass > 0.0:
            raise InputError(f"mass is {self.mass} kg; it must be greater than zero, or inf for a sled on rails.")
        if isfinite(self.mass) and driven:
            raise InputError(f"{driven[0]} prescribes the motion, and mass makes the sled free; give one of them.")
        if isfinite(self.mass) and any(self.velocity[1:]):
            raise InputError("velocity: a free sled slides along its forward axis x only.")
        if not isfinite(self.mass) and self.barrier is not None:
            raise InputError("barrier stops a free sled; give its mass.")
        if self.barrier is not None and self.axes == "world":
            raise InputError('axes: a free sled moves along its own; leave axes = "world" out.')

    @property
    def body(self) -> Body:
        """Its body; the absorbers are balls of it."""
        if not isfinite(self.mass):
            return Body(self.name, 1.0, np.ones(3))  # its motion is prescribed, so its mass has no effect
        shapes: tuple[Shape, ...] = ()
        if self.barrier is not None:
            reach, side = self.barrier.ahead - ABSORBER_RADIUS, self.barrier.spread
            shapes = tuple(Sphere(ABSORBER_RADIUS, (reach, y, ABSORBER_RADIUS)) for y in (side, -side))
        return Body(self.name, self.mass, np.full(3, self.mass), shapes)

    @property
    def joint(self) -> Joint:
        """The joint that guides it."""
        name = f"{self.name}_rail"
        if isfinite(self.mass):
            forward = frame_with_z((1.0, 0.0, 0.0))
            along = quaternion_product(self.orientation, forward)
            return Joint(name, "prismatic", None, self.name, self.position, ZERO, along, forward)
        motion = tuple(self._way(k, axis) for k, axis in enumerate(AXES))
        axes, own = (self.orientation, IDENTITY) if self.axes == "sled" else (IDENTITY, _inverse(self.orientation))
        place = np.array(self.position) + rotation_matrix(self.orientation) @ self.pivot
        x, y, z = place.tolist()
        return Joint(name, "free", None, self.name, (x, y, z), self.pivot, axes, own, motion=motion)

    def _way(self, k: int, axis: str) -> Table:
        """Return the displacement or angle over time along one axis."""
        pulse, velocity = getattr(self, axis), self.velocity[k] if k < 3 else 0.0
        if pulse is None:
            return ramp(0.0, velocity) if velocity else constant(0.0)
        try:
            found: Table = pulse.table(velocity)
        except InputError as error:
            raise InputError(f"{axis}: {error}") from None
        return found

    @property
    def start(self) -> Configuration:
        """Coordinates and rates of a free sled."""
        rail = f"{self.name}_rail"
        return Configuration({rail: (0.0,)}, {rail: (self.velocity[0],)}) if isfinite(self.mass) else Configuration()

    @property
    def surfaces(self) -> tuple[Surface, ...]:
        """The barrier, which only the sled meets."""
        if self.barrier is None:
            return ()
        turn = rotation_matrix(self.orientation)
        x, y, z = (np.array(self.position) + turn[:, 0] * (self.barrier.ahead + self.barrier.distance)).tolist()
        nx, ny, nz = (-turn[:, 0]).tolist()
        return (Plane("barrier", (x, y, z), (nx, ny, nz), self.barrier.contact(), (self.name,)),)

    @property
    def pose(self) -> Pose:
        """Position of the origin [m] and rotation matrix at the start."""
        return segment_poses(System((self.body,), (self.joint,)), self.start)[self.name]

    def velocity_at(self, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return velocity [m/s] of a place of the sled [m, world] and angular velocity [rad/s] at the start."""
        if isfinite(self.mass):
            return rotation_matrix(self.orientation)[:, 0] * self.velocity[0], np.zeros(3)
        joint = self.joint
        axes = rotation_matrix(joint.frame_parent)
        rates = np.array([_rate(table) for table in joint.motion or ()])
        angle = np.array([float(table.at(np.zeros(1))[0]) for table in (joint.motion or ())[3:]])
        if np.any(angle):
            raise InputError("roll, pitch and yaw must be zero at 0 s; turn the sled by its orientation.")
        origin, turn = self.pose
        spin = axes @ rates[3:]
        return axes @ rates[:3] + np.cross(spin, place - origin - turn @ self.pivot), spin


def _rate(table: Table) -> float:
    """Return the rate of a function at 0 s, from the piece that follows."""
    knots, pieces = table.polynomials()
    piece = int(np.searchsorted(knots, 0.0, side="right"))
    since = 0.0 - knots[max(piece - 1, 0)]
    _, b, c, d = pieces[piece]
    return float(b + since * (2.0 * c + since * 3.0 * d))


def _inverse(quaternion: Quaternion) -> Quaternion:
    w, x, y, z = quaternion
    return (w, -x, -y, -z)
