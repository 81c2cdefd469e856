"""Outcome of a pedestrian impact: order of contacts, head impact, injury criteria, knee loads and throw distance.

    from vitruvian import Scenario
    from vitruvian.scenario.pedestrian import pedestrian_outcome

    outcome = pedestrian_outcome(Scenario.load("pedestrian-side-left").run())

Works on any result of a scenario with a person and a vehicle, saved ones too. SI units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, nearest
from ..injury import strike
from ..injury.assessment import of_result
from ..injury.channels import Channels, Record, from_result
from ..injury.head_contact import HEAD_FILTER, head_contacts
from ..injury.hic import hic
from ..injury.moment import last_touch
from ..injury.strike import FirstContact
from ..sim.channel import to_body_axes
from ..sim.load_cell import loads
from ..units import STANDARD_GRAVITY
from .impact_outcome import HeadStrike, KneeLoad, Launch, Outcome

if TYPE_CHECKING:
    from ..model.roster import Participant, Vehicle
    from ..sim.recording import Recording
    from ..sim.result import Result

LEG_FILTER = 600.0  # filter class of the loads of a leg [Hz]


def pedestrian_outcome(result: Result, *, person: str = "human", vehicle: str | None = None) -> Outcome:
    """The outcome of a run of a scenario with a person and a vehicle.

    person   name of the person
    vehicle  name of the vehicle; the first one unless given
    """
    result.raise_if_empty()
    striking, who = _vehicle(result, vehicle), _person(result, person)
    recording = result.recording
    own, prefix, head = set(who.segments.values()), who.prefix, who.segment("head")
    contacts = touches(recording, own, striking)
    first = contacts[0].time if contacts else None
    car = recording.bodies.index(striking.body)
    channels = from_result(result)
    injuries = of_result(result, only=("HIC36", "HIC15", "SI", "chest 3ms", "TI"))

    def largest(criterion: str, place: str) -> float:
        found = [f.value for f in injuries.findings if f.criterion == criterion and f.place == f"{prefix}{place}"]
        return max(found, default=float("nan"))

    tibias = {
        f.place.removeprefix(prefix): f.value
        for f in injuries.findings
        if f.criterion == "TI" and f.place.startswith(prefix)
    }
    centre, velocity = _centre(result, who)
    speed = float(np.linalg.norm(_at(recording.pose_time, recording.velocity[:, car], first or 0.0)))
    hits = hic_by_contact(result, head, striking, channels)
    throw = launch = None
    if first is not None:
        throw = thrown(result, who, striking, first)
        launch = _launch(recording, who, striking, centre, velocity, speed)
    return Outcome(
        vehicle=striking.front,
        speed=speed,
        first=first,
        contacts=tuple(contacts),
        head=head_strike(recording, head, striking, contacts),
        HIC=_hic(channels, head),
        HIC15=largest("HIC15", "head"),
        HIC36=largest("HIC36", "head"),
        SI=largest("SI", "head"),
        HIC15_vehicle=hits["vehicle"],
        HIC15_ground=hits["ground"],
        HIC15_free=hits["free"],
        chest_3ms=largest("chest 3ms", "thorax"),
        knees=_knees(recording, who, channels),
        tibias=tibias,
        tibia_missing="" if tibias else dict(injuries.missing).get("TI", ""),
        end=recording.end_time,
        rest=result.status in ("at_rest", "nearly_at_rest"),
        throw=throw,
        launch=launch,
    )


def path_on_vehicle(result: Result, body: str, vehicle: str = "vehicle") -> tuple[np.ndarray, np.ndarray]:
    """Time [s] and place of a body's centre of mass in the frame of the vehicle (n, 3) [m]: forward, left, up."""
    recording = result.recording
    for name in (body, vehicle):
        if name not in recording.bodies:
            raise InputError(f"there is no body {name!r}.{nearest(name, recording.bodies)}")
    car = recording.bodies.index(vehicle)
    apart = recording.position[:, _index(recording, body)] - recording.position[:, car]
    return recording.pose_time, to_body_axes(recording.orientation[:, car], apart)


# --- parts


def _vehicle(result: Result, name: str | None) -> Vehicle:
    """Return the vehicle of a name, or the first one."""
    vehicles = {vehicle.name: vehicle for vehicle in result.roster.vehicles}
    if not vehicles:
        raise InputError(f"{result.name or 'the run'} has no [vehicle] in its scenario; an outcome needs one.")
    chosen = next(iter(vehicles)) if name is None else name
    if chosen not in vehicles:
        raise InputError(f"there is no vehicle {chosen!r}.{nearest(chosen, vehicles)}")
    return vehicles[chosen]


def _person(result: Result, name: str) -> Participant:
    """Return the person of a name."""
    people = {person.name: person for person in result.roster.people}
    if name not in people or result.geometry is None:
        raise InputError(f"there is no person {name!r} in {result.name or 'the run'}.{nearest(name, people)}")
    return people[name]


def _centre(result: Result, who: Participant) -> tuple[np.ndarray, np.ndarray]:
    """Centre of mass of a person over time [m] and its velocity [m/s], (n, 3)."""
    recording = result.recording
    assert result.geometry is not None  # _segments has looked
    at = [recording.bodies.index(body) for body in who.bodies]
    mass = result.geometry.body_mass[at]
    share = (mass / mass.sum())[None, :, None]
    return (share * recording.position[:, at]).sum(axis=1), (share * recording.velocity[:, at]).sum(axis=1)


def thrown(result: Result, who: Participant, vehicle: Vehicle, first: float) -> strike.Throw:
    """Return how far a person moved from the first contact [s] to the end of the run."""
    time, centre = result.recording.pose_time, _centre(result, who)[0]
    way = (float(np.cos(vehicle.heading)), float(np.sin(vehicle.heading)))
    return strike.throw_distance(_at(time, centre, first), centre[-1], way)


def _at(time: np.ndarray, values: np.ndarray, when: float) -> np.ndarray:
    """Vectors (n, 3) at a time."""
    return np.array([np.interp(when, time, values[:, k]) for k in range(3)])


def touches(recording: Recording, own: set[str], vehicle: Vehicle) -> list[FirstContact]:
    """Return the first touch of each of some bodies, by name, with each part of a vehicle, in order."""
    front = recording.roster.labels(*vehicle.surfaces)
    return strike.first_contacts(e for e in recording.events if e.body in own and e.surface in front)


def head_strike(recording: Recording, head: str, vehicle: Vehicle, contacts: list[FirstContact]) -> HeadStrike | None:
    """Return how the head met the vehicle, or None.

    head      name of the body
    contacts  as `touches` gives them
    """
    car = recording.bodies.index(vehicle.body)
    touch = next((contact for contact in contacts if contact.body == head), None)
    if touch is None:
        return None
    impact = strike.head_impact(
        contacts[0].time,
        touch.time,
        _velocity_before(recording, head, touch.time),
        _at(recording.pose_time, recording.velocity[:, car], touch.time),
    )
    # the first sample at which the contact has a place
    pair = recording.pairs.index((head, touch.surface))
    known = np.isfinite(recording.contact_point[:, pair]).all(axis=1) & (recording.pose_time >= touch.time)
    sample = int(np.argmax(known)) if known.any() else len(known) - 1
    point = (
        recording.contact_point[sample, pair] if known.any() else recording.position[sample, _index(recording, head)]
    )
    arm = (point - recording.position[sample, car])[None]
    x, y, z = (float(value) for value in to_body_axes(recording.orientation[sample : sample + 1, car], arm)[0])
    outline = np.array([(-forward, up) for forward, up in vehicle.profile])
    distance = strike.wrap_around_distance(outline, (-x, z))
    part = recording.roster.surface_part(touch.surface)
    return HeadStrike(touch.time, impact.time, impact.value, impact.angle, part, (x, y, z), distance)


def _index(recording: Recording, body: str) -> int:
    return recording.bodies.index(body)


def _velocity_before(recording: Recording, body: str, when: float) -> np.ndarray:
    """Velocity of a body's centre at a touch [m/s]: that of the last pose, and its sensor's acceleration from there."""
    last = max(int(np.searchsorted(recording.pose_time, when, side="right")) - 1, 0)
    velocity = recording.velocity[last, _index(recording, body)].copy()
    if body in recording.sensors:
        since = (recording.time >= recording.pose_time[last]) & (recording.time <= when)
        samples = recording.sensor_acceleration[since, recording.sensors.index(body)]
        time = recording.time[since]
        if len(time) > 1 and np.isfinite(samples).all():
            velocity += np.trapezoid(samples, time, axis=0)
    return velocity


def hic_by_contact(
    result: Result, head: str, vehicle: Vehicle, channels: Channels, **options: Any
) -> dict[str, float | None]:
    """Return HIC15 of a head on a vehicle, on anything else ("ground") and without contact ("free") [-].

    None where there is no such contact, or no such time. The options are those of `head_contacts`.
    """
    found = head_contacts(result, head, channels, **options)
    kinds = {"vehicle": [one.value for one in found if one.other == vehicle.name]}
    kinds["free"] = [one.value for one in found if one.kind == "none"]
    kinds["ground"] = [one.value for one in found if one.kind != "none" and one.other != vehicle.name]
    return {kind: max(values, default=None) for kind, values in kinds.items()}


def _hic(channels: Channels, head: str) -> float:
    """Return the head injury criterion without a window [-]."""
    found = channels.get(f"{head}.acceleration", HEAD_FILTER)
    if found is None or len(found[0].time) < 3:
        return float("nan")
    return hic(found[0].time, found[0].samples / STANDARD_GRAVITY, None, assume_units=True).value


def _knees(recording: Recording, who: Participant, channels: Channels) -> dict[str, KneeLoad]:
    """Return the largest loads of each knee, in the axes of the shank and with their filter class, and its angles."""
    found = {}
    for role, joint in who.joints.items():
        if recording.roster.joint_part(joint).region != "knee":
            continue
        at = recording.joints.index(joint)
        turn = recording.orientation[:, at]
        load = loads(recording, joint)
        assert load is not None  # the joint is there, and so is its shank
        force, moment = (
            channels.filtered(Record(f"{joint}.{name}", load.time, samples), LEG_FILTER)[0].samples
            for name, samples in (("force", load.force), ("moment", load.moment))
        )
        thigh = _index(recording, recording.parents[at])
        # the shank's way down, seen from the thigh: forward of straight, and out of the plane in which it swings
        down = to_body_axes(turn * (1.0, -1.0, -1.0, -1.0), np.tile([0.0, 0.0, -1.0], (len(turn), 1)))
        forward, left, up = to_body_axes(recording.orientation[:, thigh], down).T
        found[role] = KneeLoad(
            float(np.nanmax(np.linalg.norm(force, axis=1))),
            float(np.nanmax(np.hypot(force[:, 0], force[:, 1]))),
            float(np.nanmax(np.hypot(moment[:, 0], moment[:, 1]))),
            float(np.nanmax(np.arcsin(np.clip(abs(left), 0.0, 1.0)))),
            max(0.0, float(np.nanmax(np.arctan2(forward, -up)))),
        )
    return found


def _launch(
    recording: Recording, who: Participant, vehicle: Vehicle, centre: np.ndarray, velocity: np.ndarray, speed: float
) -> Launch | None:
    """When the person left the vehicle for the last time; None if they touch up to the end."""
    last = last_touch(recording, who, vehicle)
    if last is None:
        return None
    horizontal = float(np.hypot(*velocity[last, :2]))
    way = centre[-1, :2] - centre[last, :2]
    return Launch(
        float(recording.pose_time[last]),
        horizontal,
        float(velocity[last, 2]),
        horizontal / speed if speed > 0.0 else float("nan"),
        float(centre[last, 2] - centre[-1, 2]),
        float(np.hypot(*way)),
    )
