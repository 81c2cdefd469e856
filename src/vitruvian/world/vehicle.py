"""A vehicle that strikes: a front on rails, at constant speed or braking, of infinite or finite mass. SI units.

The body frame is at the foremost point of the front on the ground, x forward, y left, z up. On rails (infinite mass)
the motion is prescribed; with a finite mass the vehicle slides along the same line and contact forces slow it down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import cos, inf, isfinite, sin
from typing import Any

import numpy as np

from ..errors import InputError
from ..model import Body, Configuration, Joint, Load, Resistance, Shape, Table, constant, roster
from ..model.field import field_of
from ..model.frame import IDENTITY, Quaternion
from ..model.joint import frame_with_z
from ..model.pose import Pose, quaternion_of_vector, quaternion_product
from ..model.system import Surface
from ..model.table import ramp
from ..model.value import Choice, Name, Of
from .front import Front

#: how bodies meet the front -> the surfaces of a front, given their name and carrier
RULES: dict[str, Callable[[Front, str, str], tuple[Surface, ...]]] = {
    "surface": lambda front, name, carrier: (
        front.surface(name, carrier=carrier),
        *front.strips(name, carrier=carrier),
    ),
    "lines": lambda front, name, carrier: (front.lines(name, carrier=carrier),),
    "lines-nearest": lambda front, name, carrier: (front.lines(name, "nearest", carrier=carrier),),
}

TOUCHING = 1e-3  # gap of a vehicle that is just not touching [m]
RISE = 0.2  # of the deceleration when the brakes come on during a run [s]; recalled: 0.1 to 0.3 s
PITCH_TIME = 0.2  # of the pitch motion when the brakes come on during a run [s]
PITCH_POINT = (-2.0, 0.0, 0.5)  # about which it turns, from the foremost point on the ground [m]; estimated
DIRECTIONS = 181  # of the half circle along which the outline of a shape is found
HEIGHTS = 201  # at which a front and an outline are compared
_FORWARD = frame_with_z((1.0, 0.0, 0.0))
_LEFT = quaternion_of_vector((-0.5 * np.pi, 0.0, 0.0))  # z of the joint frame along y, x of it along x


@dataclass(frozen=True)
class Brake:
    """How a vehicle brakes: with a deceleration from a time on, until it stands."""

    deceleration: float = field_of("acceleration", "until it stands")
    start: float = field_of("time", "when the brakes come on", default=0.0, key="from")
    rise: float = field_of(
        "time", "in which the deceleration builds up linearly, if the brakes come on during the run", default=RISE
    )
    pitch: float = field_of("angle", "by which the nose goes down, of a vehicle on rails", default=0.0)

    def __post_init__(self) -> None:
        if not 0.0 < self.deceleration < inf:
            raise InputError(f"brake.deceleration is {self.deceleration} m/s2; it must be greater than zero.")
        if not 0.0 <= self.start < inf:
            raise InputError(f"brake.from is {self.start} s; it must not be negative (start slower instead).")
        if not 0.0 < self.rise <= 2.0:
            raise InputError(f"brake.rise is {self.rise:g} s; accepted above 0, up to 2 s.")
        if not 0.0 <= self.pitch <= 0.2:
            raise InputError(f"brake.pitch is {self.pitch:g} rad; accepted 0 to 0.2 rad (11 deg), nose down.")


@dataclass(frozen=True, kw_only=True)
class Drive:
    """A vehicle that moves along a straight way with its front ahead."""

    name: str = field_of(Name(), "of its body; the surface of the first is front", default="vehicle")
    speed: float = field_of("velocity", "at the start", drag=("km/h", 5, 100, 1))
    heading: float = field_of("angle", "of its way, to the left about the vertical; 0 is along x", default=0.0)
    lateral: float = field_of(
        "length", "of its way to the left of the origin", default=0.0, drag=("m", -1.5, 1.5, 0.05)
    )
    gap: float | None = field_of(
        "length",
        "from the front to the first that it meets, at the start; just not touching",
        default=None,
    )
    position: float | None = field_of(
        "length", "of its foremost point along the way at the start, instead of gap", default=None
    )
    mass: float = field_of("mass", "inf is on rails: nothing slows it", default=inf, above=0.0, infinite=True)
    brake: Brake | None = field_of(Of(Brake), "how it brakes", default=None)
    rule: str = field_of(
        Choice(tuple(RULES)),
        "of contact: with the drawn out surface, or line by line for motion in a plane: lines (along the normal of the "
        "line) or lines-nearest (the nearer tangent counts, as in the 2D paper)",
        default="surface",
    )


@dataclass(frozen=True)
class Vehicle:
    """A vehicle, ready to be placed in a scene.

    position  of its foremost point along its path at the start [m]
    start     coordinates and rates of its joint
    entry     of the roster of a system
    """

    name: str
    front: Front
    position: float
    body: Body
    joint: Joint
    surfaces: tuple[Surface, ...]
    loads: tuple[Load, ...]
    start: Configuration
    entry: roster.Vehicle


def vehicle(front: Front, speed: float, position: float, **options: Any) -> Vehicle:
    """Return a vehicle on a straight path.

    speed     [m/s]
    position  of its foremost point along the path at time zero [m]; see `positions` and `placed`
    options   further fields of `Drive`, in SI: name, heading, lateral, mass, brake, rule
    """
    drive = Drive(speed=speed, position=position, **options)
    name, heading, mass, brake = drive.name, drive.heading, drive.mass, drive.brake
    if drive.gap is not None:
        raise InputError("a vehicle starts at its position; find that of a gap with vitruvian.world.placed.")
    if not 0.0 <= speed < inf:
        raise InputError(f"speed is {speed:g} m/s; it must not be negative. Turn the vehicle by its heading.")
    if not mass > 0.0:
        raise InputError(f"mass is {mass} kg; it must be greater than zero, or inf for a vehicle on rails.")
    if brake is not None and speed == 0.0:
        raise InputError("brake: the vehicle stands already, its speed is 0.")
    surfaces = RULES[drive.rule](front, f"{name}_front" if name != "vehicle" else "front", name)
    entry = roster.Vehicle(
        name,
        body=name,
        surface=surfaces[0].name,
        sides=tuple(surface.name for surface in surfaces[1:]),
        front=front.name,
        speed=speed,
        heading=heading,
        mass=mass if isfinite(mass) else None,
        deceleration=None if brake is None else brake.deceleration,
        profile=front.profile,
    )
    path = _Path(name, heading, origin(heading, drive.lateral))
    if not isfinite(mass):
        body = Body(name, 1.0, np.ones(3))  # its motion is prescribed, so its mass has no effect
        joint = path.on_rails(_way(position, speed, brake), brake)
        return Vehicle(name, front, position, body, joint, surfaces, (), Configuration(), entry)
    if brake is not None and brake.pitch:
        raise InputError("brake.pitch goes with a vehicle on rails; leave mass out, or pitch.")
    drag = None if brake is None else Resistance(law="coordinate", friction=mass * brake.deceleration)
    joint = path.slide(resistance=drag)
    start = Configuration({joint.name: (position,)}, {joint.name: (speed,)})
    body = Body(name, mass, np.full(3, mass))
    return Vehicle(name, front, position, body, joint, surfaces, path.engine(mass, brake), start, entry)


def origin(heading: float, lateral: float) -> tuple[float, float, float]:
    """Return the origin [m] of a path with a heading [rad] that is displaced to its left [m]."""
    return -sin(heading) * lateral, cos(heading) * lateral, 0.0


@dataclass(frozen=True)
class _Path:
    """The straight path of a vehicle: heading [rad], and origin on the ground [m]."""

    name: str
    heading: float
    origin: tuple[float, float, float]

    @property
    def turn(self) -> Quaternion:
        return quaternion_of_vector((0.0, 0.0, self.heading))

    def slide(self, **options: Any) -> Joint:
        """Return the prismatic joint along the path."""
        return Joint(
            f"{self.name}_rail", "prismatic", None, self.name, self.origin, (0.0, 0.0, 0.0),
            quaternion_product(self.turn, _FORWARD), _FORWARD, **options,
        )  # fmt: skip

    def on_rails(self, way: Table, brake: Brake | None) -> Joint:
        """Return the joint whose position along the path is prescribed, with the pitch of a braking vehicle."""
        if brake is None or brake.pitch == 0.0:
            return self.slide(motion=(way,))
        ahead, (x, y, z) = self.heading, PITCH_POINT
        pivot = (
            self.origin[0] + cos(ahead) * x - sin(ahead) * y,
            self.origin[1] + sin(ahead) * x + cos(ahead) * y,
            self.origin[2] + z,
        )
        return Joint(
            f"{self.name}_rail", "planar", None, self.name, pivot, PITCH_POINT,
            quaternion_product(self.turn, _LEFT), _LEFT, motion=(way, constant(0.0), _nose(brake)),
        )  # fmt: skip

    def engine(self, mass: float, brake: Brake | None) -> tuple[Load, ...]:
        """Return the force that compensates the friction of the wheels until the brakes come on."""
        if brake is None or brake.start == 0.0:
            return ()
        push = mass * brake.deceleration
        knots = (0.0, brake.start, brake.start + brake.rise)
        along = [Table(knots, (push * way, push * way, 0.0)) for way in (cos(self.heading), sin(self.heading))]
        return (Load(f"{self.name}_engine", self.name, (*along, constant(0.0))),)


def positions(
    front: Front,
    bodies: Iterable[tuple[str, Iterable[Shape], Pose]],
    *,
    heading: float = 0.0,
    lateral: float = 0.0,
    first: bool = False,
) -> dict[str, float]:
    """Return body -> position of the foremost point along the path at which the front first touches the body [m].

    bodies  name, shapes and pose of each; those outside the width or height of the front are left out
    first   True to leave out bodies that are certainly met after another

    The outline of a shape in the plane of the path, bounded by its tangents along many directions, is compared with the
    profile at many heights. A front with receding sides (plan) is taken as straight, so the real gap may be larger.
    """
    from ..kernels import front_gap

    ahead, left = np.array([cos(heading), sin(heading), 0.0]), np.array([-sin(heading), cos(heading), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    angle = np.linspace(0.5 * np.pi, 1.5 * np.pi, DIRECTIONS)[1:-1]  # towards the front
    sine, cosine = np.sin(angle), np.cos(angle)
    normal = cosine[:, None] * ahead + sine[:, None] * up
    corners = np.array([z for _, z in front.profile])
    shapes: list[tuple[float, int, str, Shape, np.ndarray, np.ndarray]] = []
    for name, some, (place, turn) in bodies:
        for shape in some:
            axes = turn if shape.rotation == IDENTITY else turn @ shape.turn
            centre = place + turn @ np.array(shape.offset)
            shapes.append(
                (float(centre @ ahead - shape.reach(-(axes.T @ ahead))), len(shapes), name, shape, axes, centre)
            )
    found: dict[str, float] = {}
    for nearest, _, name, shape, axes, centre in sorted(shapes) if first else shapes:
        if first and found and nearest > min(found.values()):
            break  # no front is ahead of its foremost point
        side, tall = (float(shape.reach(axes.T @ way)) for way in (left, up))
        if abs(centre @ left - lateral) >= side + 0.5 * front.width:
            continue
        height = np.concatenate([np.linspace(centre[2] - tall, centre[2] + tall, HEIGHTS), corners])
        height = height[abs(height - centre[2]) <= tall]
        gap = front_gap.nearest(
            shape.reach(normal @ axes), sine, cosine, height, centre[2], float(centre @ ahead), front.pieces
        )
        if isfinite(gap):
            found[name] = min(found.get(name, inf), gap)
    return found


def placed(touching: Mapping[str, float], *, gap: float | None = None, position: float | None = None) -> float:
    """Return the start of the foremost point of the front along its path [m]: at a gap before the first body, or given.

    touching  body -> position at which the front first touches it [m], from `positions`
    gap       [m]; 1 mm if neither is given
    position  [m], instead of the gap; refused if the front then starts inside a body
    """
    if gap is not None and position is not None:
        raise InputError("both gap and position are given; give one of them.")
    if position is not None:
        inside = {name: position - place for name, place in touching.items() if position > place + 1e-9}
        if inside:
            name = max(inside, key=inside.__getitem__)
            raise InputError(
                f"position is {position:g} m, and there the front starts {inside[name]:.3g} m inside {name}; accepted "
                f"up to {min(touching.values()):.4g} m, or give a gap."
            )
        return position
    if not touching:
        raise InputError(
            "no person is in the path of the vehicle; it passes without contact. Change lateral, or give a position."
        )
    if gap is not None and gap < 0.0:
        raise InputError(f"gap is {gap:g} m: the vehicle would start inside the person; it must not be negative.")
    return min(touching.values()) - (TOUCHING if gap is None else gap)


# --- motion


def _way(position: float, speed: float, brake: Brake | None) -> Table:
    """Return the position over time of a vehicle on rails."""
    if brake is None:
        return ramp(position, speed)
    slow, time = brake.deceleration, speed / brake.deceleration
    if brake.start == 0.0:
        return Table((0.0, time), (-slow, -slow), "acceleration", position, speed)
    rise = brake.rise
    if time <= 0.5 * rise:  # stands before the brakes pull fully
        most, rise = (2.0 * speed * slow / rise) ** 0.5, (2.0 * speed * rise / slow) ** 0.5
        return Table((0.0, brake.start, brake.start + rise), (0.0, 0.0, -most), "acceleration", position, speed)
    knots = (0.0, brake.start, brake.start + rise, brake.start + 0.5 * rise + time)
    return Table(knots, (0.0, 0.0, -slow, -slow), "acceleration", position, speed)


def _nose(brake: Brake) -> Table:
    """Return the pitch over time, nose down positive: constant, or a smooth motion when the brakes come on."""
    if brake.start == 0.0:
        return constant(brake.pitch)
    # piecewise linear angular acceleration, whose double integral is the pitch
    quarter = 0.25 * PITCH_TIME
    peak = brake.pitch / (2.0 * quarter * quarter)
    knots = tuple(brake.start + quarter * share for share in (0.0, 1.0, 3.0, 4.0))
    return Table(knots, (0.0, peak, -peak, 0.0), "acceleration")
