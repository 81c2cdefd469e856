"""Sentences on what happened in a run, made from its recording and roster; no stored text is used. SI units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..sim.audit import spoken
from ..sim.channel import to_body_axes
from ..sim.rest import STILL, rests
from .head_contact import thing
from .moment import Moment, moments
from .subject import ADULT_AGE

if TYPE_CHECKING:
    from ..model.roster import Participant, Vehicle
    from ..sim.result import Result

TURNING = 0.05  # from which a person turns at the start [rad/s]
FACING = 0.5  # least horizontal part of the direction that a person faces, from which it has sides [-]


def story(result: Result) -> tuple[str, ...]:
    """Return what happened, sentence by sentence: who starts how, what strikes whom, heads, the end."""
    result = result.sound
    if not len(result.recording.pose_time):
        return ()
    happened = moments(result)
    found = []
    for person in result.roster.people:
        found += [_start(result, person), *_struck(result, person), *_carried(result, person)]
        found += _course(result, person, happened)
    if not result.roster.people:
        found += _bodies(result, happened)
    return (*found, *_end(result))


def person_noun(person: Participant) -> str:
    """Return a person in words: "a woman of 150 cm and 80 kg", "a boy of 3 years, 95 cm and 14.3 kg"."""
    child = person.age is not None and person.age < ADULT_AGE
    noun = {"male": ("man", "boy"), "female": ("woman", "girl")}[person.sex][child]
    years = "" if person.age is None else f"{person.age:.3g} years, "
    return f"a {noun} of {years}{100.0 * person.height:.0f} cm and {person.mass:.3g} kg"


def side_of(facing: float, way: float) -> str:
    """Return from where something comes that moves along `way`, for a person who faces `facing` [rad].

    "front", "behind", "left" or "right", by the nearest quarter of a turn.
    """
    turn = np.degrees(way + np.pi - facing) % 360.0
    return ("front", "left", "behind", "right")[int(((turn + 45.0) % 360.0) // 90.0)]


def coming(side: str) -> str:
    """Return a side in words: "from behind", "from the left"."""
    return "from behind" if side == "behind" else f"from the {side}"


def _named(person: Participant) -> str:
    """Return the person as the subject of a sentence."""
    words = person_noun(person)
    return words[0].upper() + words[1:] if person.name == "human" else f"{spoken(person.name)} ({words})"


def _start(result: Result, person: Participant) -> str:
    """Return who starts, in which posture, where and how fast."""
    recording = result.recording
    at = [recording.bodies.index(body) for body in person.segments.values()]
    posture = f"in the posture {person.posture}" if person.posture else "in a posture of its own"
    words = [f"{_named(person)} starts {posture}"]
    own = set(person.segments.values())
    held = dict.fromkeys(
        spoken(thing(recording.roster, other))
        for k, (body, other) in enumerate(recording.pairs)
        if body in own and recording.contact_depth[0, k] > 0.0
    )
    ground = next((s for s in recording.roster.surfaces if s.shape == "plane" and not s.carrier), None)
    if held:
        words.append(f"in contact with {', '.join(held)}")
    elif person.clearance is not None and ground is not None:
        material = f" ({ground.material})" if ground.material else ""
        gap = f"{person.clearance:.3g} m from" if person.clearance > 0.0 else "just above"
        words.append(f"{gap} {spoken(ground.name)}{material}")
    mass = np.ones(len(at)) if result.geometry is None else result.geometry.body_mass[at]
    velocity = np.average(recording.velocity[0, at], axis=0, weights=mass)
    fastest = float(np.linalg.norm(recording.velocity[0, at], axis=1).max())
    speed = float(np.linalg.norm(velocity))
    if fastest < STILL:
        words.append("at rest")
    else:
        words.append(f"moving at {speed:.2f} m/s ({_way(velocity)})" if speed >= STILL else "moving in its parts only")
    spin = float(np.linalg.norm(recording.angular_velocity[0, recording.bodies.index(person.segments["pelvis"])]))
    words += [f"turning at {spin:.2f} rad/s"] if spin >= TURNING else []
    return f"{', '.join(words)}."


def _way(velocity: np.ndarray) -> str:
    """Return a velocity by its horizontal and vertical parts."""
    level, up = float(np.hypot(*velocity[:2])), float(velocity[2])
    if abs(up) < 0.1 * level:
        return "level"
    if level < 0.1 * abs(up):
        return "upwards" if up > 0.0 else "downwards"
    return f"{level:.2f} level, {abs(up):.2f} {'upwards' if up > 0.0 else 'downwards'}"


def _struck(result: Result, person: Participant) -> Iterator[str]:
    """Yield how each vehicle meets the person."""
    recording = result.recording
    own = set(person.segments.values())
    for vehicle in recording.roster.vehicles:
        front = recording.roster.labels(*vehicle.surfaces)
        first = min(
            (e for e in recording.events if e.kind == "touch" and e.body in own and e.surface in front),
            key=lambda e: e.time,
            default=None,
        )
        what = "" if vehicle.front in ("", vehicle.name) else f" ({vehicle.front})"
        name = f"{spoken(vehicle.name)}{what} at {3.6 * vehicle.speed:.3g} km/h"
        if first is None:
            yield f"{_upper(name)} does not touch {_object(person)} in {recording.end_time:.3g} s."
            continue
        side = _side(result, person, vehicle)
        where = f" {coming(side)}" if side else ""
        part = spoken(first.body.removeprefix(person.prefix))
        yield f"{_upper(name)} strikes {_object(person)}{where}: {part} first, at {first.time:.3f} s."


def _object(person: Participant) -> str:
    return {"male": "him", "female": "her"}[person.sex] if person.name == "human" else spoken(person.name)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _side(result: Result, person: Participant, vehicle: Vehicle) -> str:
    """Return from which side of the person a vehicle comes at the start; "" for a person who does not face level."""
    recording = result.recording
    turn = recording.orientation[0, recording.bodies.index(person.segments["pelvis"])] * (1.0, -1.0, -1.0, -1.0)
    x, y, _ = to_body_axes(turn[None], np.array([[1.0, 0.0, 0.0]]))[0]
    if np.hypot(x, y) < FACING:
        return ""
    return side_of(float(np.arctan2(y, x)), vehicle.heading)


def _carried(result: Result, person: Participant) -> Iterator[str]:
    """Yield how a body that carries the seat of a person changes its velocity, as a sled does."""
    recording = result.recording
    roster = recording.roster
    own = set(person.segments.values())
    touched = {
        roster.surface(other)
        for k, (body, other) in enumerate(recording.pairs)
        if body in own and recording.contact_depth[0, k] > 0.0
    }
    carriers = dict.fromkeys(s.carrier for s in roster.surfaces if s.name in touched and s.carrier)
    for carrier in carriers:
        velocity = recording.velocity[:, recording.bodies.index(carrier)]
        change = np.linalg.norm(velocity - velocity[0], axis=1)
        at = int(np.argmax(change))
        if change[at] >= STILL:
            yield (
                f"{_upper(spoken(carrier))} changes its velocity by {3.6 * change[at]:.1f} km/h up to "
                f"{recording.pose_time[at]:.3f} s."
            )


def _course(result: Result, person: Participant, happened: tuple[Moment, ...]) -> Iterator[str]:
    """Yield the first contact of a person, and every strike of the head."""
    own = set(person.segments.values())
    mine = [moment for moment in happened if moment.body in own]
    first = next((moment for moment in mine if moment.kind in ("first contact", "head strike")), None)
    strikes = [moment for moment in mine if moment.kind == "head strike" and moment.rank == 1]
    if first is not None and first not in strikes:
        yield f"First contact at {first.time:.3f} s: {first.words.removeprefix(spoken(person.prefix))}."
    for strike in strikes:
        yield f"Head strike at {strike.time:.3f} s: {strike.words.removeprefix(spoken(person.prefix))}."
    if not strikes and "head" in person.segments:
        whose = {"male": "His", "female": "Her"}[person.sex] if person.name == "human" else f"{spoken(person.name)}'s"
        yield f"{whose} head strikes nothing in {result.recording.end_time:.3g} s."


def _bodies(result: Result, happened: tuple[Moment, ...]) -> Iterator[str]:
    """Yield what a scene without people consists of, and its first contact."""
    bodies = result.recording.bodies
    listed = ", ".join(map(spoken, bodies[:6])) + (f" and {len(bodies) - 6} more" if len(bodies) > 6 else "")
    yield f"{len(bodies)} {'body' if len(bodies) == 1 else 'bodies'}: {listed}."
    first = next((m for m in happened if m.kind in ("first contact", "head strike", "on the ground")), None)
    if first is not None:
        yield f"First contact at {first.time:.3f} s: {first.words}."


def _end(result: Result) -> Iterator[str]:
    """Yield where everything is at the end of the run, and how to follow it to rest."""
    at_end = [rest for rest in rests(result) if rest.kind != "body" or not result.roster.people]
    if not at_end:
        return
    alike: dict[str, list[str]] = {}
    for rest in at_end:
        alike.setdefault(rest.words, []).append(spoken(rest.name))
    listed = [f"{', '.join(names)} {words}" for words, names in alike.items()]
    more = f"; {len(listed) - 6} more" if len(listed) > 6 else ""
    yield f"End at {result.recording.end_time:.3f} s: {'; '.join(listed[:6])}{more}."
    if result.fine and result.status != "contact_stop" and any(r.since is None for r in at_end if r.kind == "person"):
        yield "The run ends before rest; --to-rest follows it to rest."
