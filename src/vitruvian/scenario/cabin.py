"""From the tables of a sled and its seats to the model, and people on seats. SI units.

A person is seated in the frame of the carrier: pelvis and thighs on the pan, the torso on the back, the feet on the
floor if they reach it. To settle, the posture is held as one piece and the person sinks into the seat under gravity,
until it rests; then the place is found at which nothing accelerates, springs along the body included (`human.held`).
The joints are free from time zero on. The pose then moves with the sled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import cos, radians, sin
from typing import Any, NamedTuple

import numpy as np

from .. import human, model, world
from ..errors import InputError, nearest
from ..human.held import at_rest, piece
from ..model import Configuration
from ..model.pose import Pose, quaternion_product, segment_poses
from ..model.system import GRAVITY, Surface
from ..sim.recording import Recording
from .assembly import named
from .definition import Row

SINKING = 0.8  # time in which a held posture comes to rest on a seat [s]
FIRST_MOTION = 0.01  # interval over which the acceleration after the release of the joints is measured [s]
RESTS = 0.05  # speed below which a person that sank into a seat is at rest [m/s]
SITTING = ("pelvis", "thigh", "left_thigh", "right_thigh")  # segments on the pan
LEANING = ("pelvis", "abdomen", "thorax", "left_upper_arm", "right_upper_arm")  # segments before the back
LEGS = ("foot", "left_foot", "right_foot", "left_shank", "right_shank")


class Cabin(NamedTuple):
    """Sled and seats of a scenario, with their bodies, joints and surfaces."""

    sled: world.Sled | None
    seats: tuple[world.Seat, ...]
    bodies: tuple[model.Body, ...]
    joints: tuple[model.Joint, ...]
    surfaces: tuple[Surface, ...]
    start: Configuration

    def seat_of(self, person: str) -> world.Seat | None:
        """Return the seat of a person, or None."""
        return next((seat for seat in self.seats if seat.occupant == person), None)


@dataclass(frozen=True)
class Seated:
    """A person on a seat: start in the frame of the carrier, and the mean acceleration after the release [m/s2]."""

    seat: str
    start: Configuration
    acceleration: tuple[float, float, float] | None

    @property
    def note(self) -> str:
        """Return the residual acceleration in words; "" if the person was not settled."""
        if self.acceleration is None:
            return ""
        x, y, z = (round(float(part), 1) + 0.0 for part in self.acceleration)
        size = float(np.linalg.norm(self.acceleration))
        return (
            f"Settled on {self.seat}. Only passive resistance holds the posture: in the first {1e3 * FIRST_MOTION:g} "
            f"ms on the seat at rest the centre of mass accelerates with {size:.2g} m/s2 (forward {x:.1f}, "
            f"left {y:.1f}, up {z:.1f})."
        )


def cabin(table: Row) -> Cabin:
    """Return sled and seats of a scenario."""
    sled = None if table.sled is None else named("sled", sled_of, table.sled)
    bodies = [] if sled is None else [sled.body]
    joints = [] if sled is None else [sled.joint]
    surfaces = [] if sled is None else list(sled.surfaces)
    seats: list[world.Seat] = []
    people = [row.name for row in table.human]
    for row in table.seat:
        where = f"seat.{row.name}"
        given = row.given("recliner", "head_restraint")
        given |= {"recliner": row.recliner and world.Recliner(**row.recliner.given())}
        given |= {"head_restraint": row.head_restraint and world.HeadRestraint(**row.head_restraint.given())}
        seat = named(where, world.Seat, **given)
        if seat.occupant and seat.occupant not in people:
            raise InputError(
                f"{where}.occupant: there is no person {seat.occupant!r}.{nearest(seat.occupant, people)} "
                'An empty seat has occupant = "".'
            )
        if any(other.occupant == seat.occupant for other in seats if seat.occupant):
            raise InputError(f"{where}.occupant: {seat.occupant} sits on another seat already.")
        carrier = seat.carrier or (sled.name if sled else None)
        hinged = seat.hinged(carrier)
        if hinged is None:
            surfaces += seat.surfaces(carrier, carrier)
        else:
            body, joint, centre = hinged
            bodies.append(body)
            joints.append(joint)
            surfaces += seat.surfaces(carrier, body.name, centre)
        seats.append(seat)
    start = Configuration() if sled is None else sled.start
    return Cabin(sled, tuple(seats), tuple(bodies), tuple(joints), tuple(surfaces), start)


def sled_of(row: Row) -> world.Sled:
    """Return the sled of a row."""
    given = row.given(*world.sled.AXES, "barrier")
    for axis in world.sled.AXES:
        pulse = getattr(row, axis)
        if pulse is not None:
            given[axis] = named(axis, world.Pulse, **pulse.given())
    if row.barrier is not None:
        given["barrier"] = world.Barrier(**row.barrier.given())
        named("barrier.curve", given["barrier"].contact)
    return world.Sled(**given)


def seated(place: Cabin, seat: world.Seat, person: human.Human, row: Row) -> tuple[Configuration, Seated]:
    """Return the start of a person on a seat, in the world and in the frame of the carrier."""
    _refuse_start(row)
    local = _sat(person, seat, row.posture)
    acceleration = None
    if row.start.settle:
        # the legs are kept off the floor while the person sinks, and bent again afterwards
        for _ in range(2):
            local = _sat(person, seat, row.posture, _sunk(person, replace(seat, floor=False), local))
        acceleration = _released(person, seat, local)
    return _carried(place.sled, person, seat, local), Seated(seat.name, local, acceleration)


def _refuse_start(row: Row) -> None:
    where = "human" if row.name == "human" else f"human.{row.name}"
    for key in ("clearance", "position", "heading", "velocity", "angular_velocity"):
        if np.any(getattr(row.start, key)):
            raise InputError(f"{where}.start.{key}: the person sits on a seat, which gives the start; leave it out.")
    if row.start.push:
        raise InputError(f"{where}.start.push: the person sits on a seat, which gives the start; leave it out.")
    if row.model == "pedestrian11":
        raise InputError(f"{where}.model: a planar person cannot sit on a seat; use human17 or occupant12.")


def _posture(seat: world.Seat, given: Any, knee: float) -> Any:
    """Return the posture on a seat: the torso along the back, thighs along the pan, the head upright."""
    if given not in ("standing", "seated"):
        return given
    lean = seat.back_angle if seat.back else 0.0
    return {
        "base": "seated",
        "orientation": {"pitch": -lean},
        "joints": {
            "hip": {"flexion": radians(90.0) - lean + seat.pan_angle, "abduction": radians(6.0)},
            "knee": {"flexion": knee},
            "lower_neck": {"flexion": 0.5 * lean},
            "upper_neck": {"flexion": 0.5 * lean},
        },
    }


def _sat(person: human.Human, seat: world.Seat, posture: Any, rests: Configuration | None = None) -> Configuration:
    """Return a person who just touches pan and back; its knees are bent as far as floor and pan allow.

    rests  where the person has come to rest, of which only the knees change
    """

    def sat(knee: float) -> Configuration:
        begun = human.place(person, _posture(seat, posture, knee))
        if rests is None:
            return _moved(begun, person, _onto(person, seat, segment_poses(person.system, begun)))
        return rests.replace({name: begun.coordinates[name] for name in begun.coordinates if "knee" in name})

    def clear(knee: float) -> float:
        return _clear(person, seat, segment_poses(person.system, sat(knee)))

    hanging = radians(90.0) + seat.pan_angle  # flexion at which the shanks are vertical
    if posture not in ("standing", "seated"):
        return rests or sat(hanging)
    knees = np.linspace(hanging, 0.0, 16)
    first = next((k for k, knee in enumerate(knees) if clear(knee) >= 0.0), None)
    if first is None:
        raise InputError(
            f"{seat.name}: the legs of {person.prefix.rstrip('.') or 'the person'} would be "
            f"{-1e3 * clear(0.0):.0f} mm inside the floor or the pan; raise place, shorten the pan, or leave the floor "
            "out."
        )
    return sat(hanging if first == 0 else _bent(clear, knees[first], knees[first - 1]))


def _onto(person: human.Human, seat: world.Seat, poses: dict[str, Pose]) -> np.ndarray:
    """Return the shift [m] that brings a person to the middle of a seat, just touching pan and back."""
    bight, shift = np.array(seat.place), np.array([0.0, seat.place[1], 0.0])
    rows, gaps = [seat.pan_normal], [_gap(person, poses, SITTING, bight, seat.pan_normal)]
    if seat.back:
        rows.append(seat.back_normal)
        gaps.append(_gap(person, poses, LEANING, bight, seat.back_normal))
    level = np.array(rows)[:, [0, 2]]
    shift[[0, 2]] -= np.linalg.lstsq(level, np.array(gaps), rcond=None)[0]
    return shift


def _clear(person: human.Human, seat: world.Seat, poses: dict[str, Pose]) -> float:
    """Return the least distance [m] of shanks and feet from the floor and from the pan.

    A leg is clear of the pan if a plane through its front edge, between its upper face and the vertical, separates
    them. Above the pan a leg may be as deep in the cushion as what sits on it.
    """
    bight, normal, up = np.array(seat.place), seat.pan_normal, np.array([0.0, 0.0, 1.0])
    edge = bight + seat.length * np.array([normal[2], 0.0, -normal[0]])
    sunk = min(0.0, _gap(person, poses, SITTING, bight, normal))
    tilts = np.linspace(-seat.pan_angle, radians(90.0), 19)
    planes = [np.array([sin(tilt), 0.0, cos(tilt)]) for tilt in tilts]
    found = []
    for name in LEGS:
        if person.prefix + name in poses:
            above, *before = (_gap(person, poses, (name,), edge, plane) for plane in planes)
            found.append(max(above - sunk, *before))
            if seat.floor:
                found.append(_gap(person, poses, (name,), np.zeros(3), up))
    return min(found)


def _bent(clear: Callable[[float], float], least: float, most: float) -> float:
    """Return the largest flexion of the knees [rad] at which the legs are clear, by bisection."""
    for _ in range(20):
        knee = 0.5 * (least + most)
        least, most = (knee, most) if clear(knee) >= 0.0 else (least, knee)
    return least


def _gap(
    person: human.Human, poses: dict[str, Pose], names: Iterable[str], point: np.ndarray, normal: np.ndarray
) -> float:
    """Return the least distance of some segments from a plane [m]; negative inside."""
    found = []
    for name in names:
        if person.prefix + name not in poses:
            continue
        position, turn = poses[person.prefix + name]
        for shape in person.system.body(person.prefix + name).shapes:
            centre = position + turn @ np.array(shape.offset) - point
            found.append(float(normal @ centre - shape.reach((turn @ shape.turn).T @ normal)))
    return min(found)


def _moved(start: Configuration, person: human.Human, shift: np.ndarray) -> Configuration:
    root = f"{person.prefix}root"
    coordinates = start.coordinates[root]
    place = np.array(coordinates[:3]) + shift
    return start.replace({root: (*place.tolist(), *coordinates[3:])})


def alone(person: human.Human, seat: world.Seat) -> model.System:
    """Return a person and a seat that is fixed in the world."""
    return person.system.replace(surfaces=replace(seat, recliner=None).surfaces(None, None), gravity=GRAVITY)


def _sunk(person: human.Human, seat: world.Seat, start: Configuration) -> Configuration:
    """Return where a person who holds the posture as one piece rests on the seat: it sinks, then balance is sought.

    In balance the seat is smooth, because friction grows only once something slides: a run starts without any. On a
    seat that does not hold the person without friction, the place to which it sank is taken.
    """
    root = f"{person.prefix}root"
    system = piece(alone(person, seat), start, root)
    sunk, speed = _sinking(system, Configuration({root: start.coordinates[root]}), root)
    if speed > RESTS:
        raise InputError(
            f"{seat.name}: the person does not come to rest on the seat (still {speed:.2g} m/s after {SINKING:g} s); "
            "raise the pan angle or the friction, or leave settle out."
        )
    smooth = tuple(_smooth(surface) for surface in system.surfaces)
    giving = piece(alone(person, seat), start, root, slides=True).replace(surfaces=smooth)
    rests = at_rest(giving, sunk, root) or sunk
    return start.replace(rests.coordinates)


def _smooth(surface: Surface) -> Surface:
    contact = surface.contact
    assert isinstance(contact, model.Contact)  # a seat has one for each surface
    return replace(surface, contact=contact.replace(friction=0.0))


def _sinking(system: model.System, start: Configuration, root: str) -> tuple[Configuration, float]:
    """Return where a held posture is after sinking into a seat and its speed there [m/s]."""
    from ..sim.simulate import simulate

    run = simulate(system, start, duration=SINKING, rate=1.0 / SINKING, pose_rate=1.0 / SINKING)
    pelvis = run.bodies.index(system.joint(root).child)
    place, turn = run.position[-1, pelvis], run.orientation[-1, pelvis]
    speed = float(np.linalg.norm(run.velocity[-1, pelvis]))
    return start.replace({root: (*place.tolist(), *turn.tolist())}), speed


def _released(person: human.Human, seat: world.Seat, start: Configuration) -> tuple[float, float, float]:
    """Return the mean acceleration [m/s2] of the centre of mass over the first milliseconds with free joints."""
    from ..sim.simulate import simulate

    system = alone(person, seat)
    rate = 1.0 / FIRST_MOTION
    run = simulate(model.held_at(system, start), start, duration=FIRST_MOTION, rate=rate, pose_rate=rate)
    velocity = _centre_velocity(system, run)
    x, y, z = ((velocity[-1] - velocity[0]) / FIRST_MOTION).tolist()
    return (x, y, z)


def _centre_velocity(system: model.System, run: Recording) -> np.ndarray:
    """Return the velocity of the centre of mass over time (n, 3) [m/s]."""
    mass = np.array([system.body(name).mass for name in run.bodies])
    share: np.ndarray = mass / mass.sum()
    return np.einsum("b,tbk->tk", share, run.velocity)


def _carried(sled: world.Sled | None, person: human.Human, seat: world.Seat, local: Configuration) -> Configuration:
    """Return the start in the world of a person that rests in the frame of the sled."""
    if sled is None or seat.carrier not in (None, sled.name):
        return local
    root = f"{person.prefix}root"
    coordinates = local.coordinates[root]
    origin, turn = sled.pose
    place = origin + turn @ np.array(coordinates[:3])
    velocity, spin = named("sled", sled.velocity_at, place)
    pose = (*place.tolist(), *quaternion_product(sled.orientation, coordinates[3:]))
    return local.replace({root: pose}, {root: (*velocity.tolist(), *spin.tolist())})
