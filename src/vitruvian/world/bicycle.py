"""A bicycle that fits its rider: frame with bar, top tube and pedals, a saddle, and two rolling wheels. SI units.

The rider is placed first. Saddle, pedals and bar then touch pelvis, feet and hands from below, and the wheels follow
from crank, bar and ground. The frame is that of the rider's heading: x forward, y left, z up, ground at z = 0. The
wheels do not steer. Shapes, masses and stiffness are estimates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..model import Body, Capsule, Cylinder, Ellipsoid, Joint, Sphere
from ..model.field import field_of
from ..model.frame import Vector
from ..model.joint import frame_with_z
from ..model.pose import quaternion_of_vector
from ..model.shape import Shape
from ..model.value import Name, Text

# all estimated
WHEEL = 0.34  # radius of the wheels of an adult [m]; 28 inches
GROWN = 1.55  # stature below which wheels shrink in proportion [m]; 24 inches at 1.38 m, 20 at 1.2 m
BEHIND, AHEAD = 1.372, 0.31  # rear hub behind the crank, front hub ahead of the bar, in radii of the wheels [-]
CENTRE = (-0.0143, 0.2)  # centre of mass of the frame, ahead of and above the middle of the hubs, in wheelbases [-]
WHEELBASE = 1.05  # for which the inertia of the frame is given [m]
SHARES = {"frame": 10.7 / 14.0, "saddle": 0.3 / 14.0, "wheel": 1.5 / 14.0}  # of the mass [-]
FRAME_INERTIA, SADDLE_INERTIA, WHEEL_INERTIA = (0.6, 1.6, 1.2), (1e-3, 1e-3, 1e-3), (0.07, 0.14, 0.07)  # [kg m2]
MASS = 14.0  # of a bicycle with these [kg]
SADDLE = (0.12, 0.07, 0.03)  # semi-axes [m]
BAR, TUBE, PEDAL = 0.015, 0.02, 0.02  # radii [m]; the top tube is thinner between legs that leave less space
THINNEST = 0.005  # radius of a top tube [m]
GRIP = 0.063  # of the bar beyond the middle of a hand [m]
TUBE_RISE = 0.61  # height of the top tube between crank and saddle [-]
TUBE_END = 0.03  # of the top tube behind the bar [m]
FRAME_STIFFNESS, SADDLE_STIFFNESS, WHEEL_STIFFNESS = 3e5, 1e5, 1.5e5  # [N/m]
ACROSS = quaternion_of_vector((0.5 * pi, 0.0, 0.0))  # turns the long axis of a shape from z to y
ALONG = quaternion_of_vector((0.0, 0.5 * pi, 0.0))  # and from z to x


class Grip(NamedTuple):
    """A point of a rider's skin [m], and the direction out of it, in which a part of the bicycle touches."""

    point: np.ndarray
    out: np.ndarray

    def centre(self, radius: float) -> np.ndarray:
        """Return the centre of a round part of a radius [m] that touches here."""
        return self.point + radius * self.out


class Rider(NamedTuple):
    """Places of a rider that a bicycle fits, and the stature [m].

    clear  distance of thighs and shanks from a line along x through a point [m]
    """

    pelvis: Grip
    hands: tuple[Grip, Grip]
    feet: tuple[Grip, Grip]
    stature: float
    clear: Callable[[np.ndarray], float]


class Parts(NamedTuple):
    """Bodies and joints of a bicycle, the place of its frame [m], and the radius of its wheels [m]."""

    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    place: np.ndarray
    radius: float


@dataclass(frozen=True, kw_only=True)
class Bicycle:
    """A bicycle under a person, fitted to the person's posture."""

    name: str = field_of(Name(), "of its own, and of its frame", default="bicycle")
    rider: str = field_of(Text(), "name of the person who rides it", default="human")
    mass: float = field_of("mass", "of the whole bicycle", default=MASS, above=0.0, drag=("kg", 8, 30, 0.5))
    wheel_radius: float | None = field_of(
        "length", "34 cm unless given, less for riders below 1.55 m", default=None, above=0.0
    )
    friction: float = field_of(
        "dimensionless", "between the rider and saddle, pedals, bar and frame", default=0.8, drag=("", 0, 1.5, 0.01)
    )

    @property
    def saddle(self) -> str:
        """Name of the body of the saddle, on which only the pelvis sits, because the thighs straddle it."""
        return f"{self.name}_saddle"

    @property
    def wheels(self) -> tuple[str, str]:
        """Names of the rear and the front wheel."""
        return f"{self.name}_rear_wheel", f"{self.name}_front_wheel"

    def fitted(self, rider: Rider) -> Parts:
        """Return the bicycle under a rider."""
        radius = self.wheel_radius or WHEEL * min(1.0, rider.stature / GROWN)
        saddle = rider.pelvis.centre(SADDLE[2])
        pedals = np.array([foot.centre(PEDAL) for foot in rider.feet])
        bar, crank = np.mean([hand.centre(BAR) for hand in rider.hands], axis=0), pedals.mean(axis=0)
        rear = np.array([crank[0] - BEHIND * radius, 0.0, radius])
        front = np.array([bar[0] + AHEAD * radius, 0.0, radius])
        self._check(saddle, pedals, bar, float(front[0] - radius - crank[0]))
        base = front[0] - rear[0]
        place = 0.5 * (rear + front) + base * np.array([CENTRE[0], 0.0, CENTRE[1]])
        place[1] = saddle[1]
        reach = max(abs(float(hand.point[1] - place[1])) for hand in rider.hands)
        tube = np.array([saddle[0], saddle[1], crank[2] + TUBE_RISE * (saddle[2] - crank[2])])
        ahead = float(bar[0] - TUBE_END - saddle[0])

        def at(point: np.ndarray) -> Vector:
            x, y, z = (point - place).tolist()
            return (x, y, z)

        def middle(x: float, z: float) -> Vector:
            return at(np.array([x, place[1], z]))

        shapes: tuple[Shape, ...] = (
            Capsule(BAR, 2.0 * (reach + GRIP), middle(bar[0], bar[2]), ACROSS, FRAME_STIFFNESS),
            Capsule(
                min(TUBE, max(rider.clear(tube), THINNEST)),
                ahead,
                middle(tube[0] + 0.5 * ahead, tube[2]),
                ALONG,
                FRAME_STIFFNESS,
            ),
            *(Sphere(PEDAL, at(pedal), stiffness=FRAME_STIFFNESS) for pedal in pedals),
        )
        size = self.mass / MASS * (base / WHEELBASE) ** 2
        turning = np.array(WHEEL_INERTIA) * self.mass / MASS * (radius / WHEEL) ** 2
        disc = Cylinder(radius, 0.04, rotation=ACROSS, stiffness=WHEEL_STIFFNESS)
        seat = Ellipsoid(SADDLE, stiffness=SADDLE_STIFFNESS)
        wheel = self.mass * SHARES["wheel"]
        bodies = (
            Body(self.name, self.mass * SHARES["frame"], np.array(FRAME_INERTIA) * size, shapes),
            Body(self.saddle, self.mass * SHARES["saddle"], np.array(SADDLE_INERTIA) * self.mass / MASS, (seat,)),
            *(Body(name, wheel, turning, (disc,)) for name in self.wheels),
        )
        axis = frame_with_z((0.0, 1.0, 0.0))
        hubs = zip(self.wheels, (rear, front), strict=True)
        joints = (
            Joint(self.root, "free", None, self.name),
            Joint(f"{self.name}_seat_post", "rigid", self.name, self.saddle, at(saddle)),
            *(
                Joint(self.axle(name), "revolute", self.name, name, middle(hub[0], hub[2]), (0.0, 0.0, 0.0), axis, axis)
                for name, hub in hubs
            ),
        )
        return Parts(bodies, joints, place, radius)

    @property
    def root(self) -> str:
        """Name of the free joint of the frame."""
        return f"{self.name}_root"

    @staticmethod
    def axle(wheel: str) -> str:
        """Return the name of the joint of a wheel."""
        return f"{wheel}_axle"

    def _check(self, saddle: np.ndarray, pedals: np.ndarray, bar: np.ndarray, space: float) -> None:
        """Refuse a rider under whom there is no bicycle."""
        low = float(pedals[:, 2].min()) - PEDAL
        if low < 0.0:
            raise InputError(
                f"the lower pedal would be {-1e3 * low:.0f} mm below the ground; raise human.start.clearance."
            )
        if saddle[2] <= pedals[:, 2].mean() or bar[0] - TUBE_END <= saddle[0]:
            raise InputError(
                "the posture of the rider fits no bicycle: the pedals must be below the pelvis and the hands in front "
                'of it. Use posture = "cycling".'
            )
        if space <= 0.0:
            raise InputError(
                f"the front wheel would be {-1e3 * space:.0f} mm behind the crank; use a smaller wheel_radius, or a "
                "posture with the hands farther forward."
            )
