"""Outcome of a sled test: change of velocity, injury criteria, excursions, belt forces and contacts. SI units.

from vitruvian import Scenario
from vitruvian.scenario.occupant import occupant_outcome

outcome = occupant_outcome(Scenario.load("sled-frontal-50kmh").run())
"""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, nearest
from ..injury.assessment import of_result
from ..injury.strike import FirstContact, first_contacts
from ..units import STANDARD_GRAVITY
from .pedestrian import path_on_vehicle

if TYPE_CHECKING:
    from ..sim.recording import Recording
    from ..sim.result import Result

#: criterion -> its place, and how a line of the table names it
CRITERIA = {
    "HIC15": ("head", "HIC15"),
    "HIC36": ("head", "HIC36"),
    "head 3ms": ("head", "head 3 ms"),
    "Nij": ("upper_neck", "Nij"),
    "NIC": ("T1", "NIC"),
    "chest 3ms": ("thorax", "chest 3 ms, CFC 180"),
    "pelvis acceleration": ("pelvis", "pelvis peak"),
    "femur force": ("femur", "femur force"),
}
LEAST_PUSH = 10.0  # force of an airbag that counts [N]
SITTING = 0.01  # contacts that begin before are those of the person at rest [s]


@dataclass(frozen=True)
class OccupantOutcome:
    """A sled test in numbers.

    change      of velocity of the sled, along its forward axis [m/s]; `peak` its largest acceleration over 3 ms [g]
    criteria    name -> value and unit
    excursion   segment -> largest displacement forward, to the left, to the right, and upwards in the sled [m]
    belts       belt -> largest force [N]; of a belt in parts, of each span over a segment, as in belt over thorax
    pressed     segment -> how far belts press it in [m], skin and flesh included
    airbags     airbag and segment -> largest force on it [N] and when the bag first pushes it [s]
    submarining time at which the lap belt leaves the pelvis upwards [s], or None
    contacts    first touch of every segment with every surface, after the start
    head        name of the head
    """

    change: float
    peak: float
    criteria: dict[str, tuple[float, str]]
    excursion: dict[str, tuple[float, float, float, float]]
    belts: dict[str, float]
    pressed: dict[str, float]
    airbags: dict[str, tuple[float, float]]
    submarining: float | None
    contacts: tuple[FirstContact, ...]
    head: str = "head"

    @property
    def line(self) -> str:
        """The answer in one sentence."""
        words = [f"HIC15 {self.criteria['HIC15'][0]:.0f}"] if "HIC15" in self.criteria else []
        words += [f"chest 3 ms {self.criteria['chest 3ms'][0]:.0f} g"] if "chest 3ms" in self.criteria else []
        words.append(f"head {_way(self.excursion['head'])}")
        if self.belts:
            name = max(self.belts, key=self.belts.__getitem__)
            words.append(f"{name} {1e-3 * self.belts[name]:.1f} kN")
        head = next((contact for contact in self.contacts if contact.body == self.head), None)
        if self.submarining is not None:
            words.append(f"submarining at {1e3 * self.submarining:.0f} ms")
        words.append(
            "the head strikes nothing" if head is None else f"head on {head.surface} after {1e3 * head.time:.0f} ms"
        )
        return f"Sled with {3.6 * self.change:+.1f} km/h, {self.peak:.1f} g: {', '.join(words)}."

    def rows(self) -> list[tuple[str, str]]:
        """Names and values, for a table."""
        found = [
            (CRITERIA[name][1], f"{value:.3g} {unit.replace('-', '')}".strip())
            for name, (value, unit) in self.criteria.items()
        ]
        found += [(f"{name} excursion", _way(way)) for name, way in self.excursion.items()]
        found += [(f"{name} force", f"{1e-3 * force:.2f} kN") for name, force in self.belts.items()]
        found += [(f"{name} under belt", f"{1e3 * far:.0f} mm pressed in") for name, far in self.pressed.items()]
        found += [
            (f"{name} force", f"{1e-3 * force:.2f} kN, from {1e3 * first:.0f} ms on")
            for name, (force, first) in self.airbags.items()
        ]
        order = [f"{contact.body} on {contact.surface}".replace("_", " ") for contact in self.contacts]
        found.append(("contacts after the start", ", ".join(order) or "none"))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        found = asdict(self)
        found.pop("head")
        found["contacts"] = [contact._asdict() for contact in self.contacts]
        return found


def _way(way: tuple[float, float, float, float]) -> str:
    """Return the largest displacements in words; those below 1 cm are left out."""
    words = ("forward", "left", "right", "up")
    far = [f"{100.0 * size:.0f} cm {word}" for size, word in zip(way, words, strict=True) if size >= 0.01]
    return ", ".join(far) or "stays"


def occupant_outcome(result: Result, person: str = "human") -> OccupantOutcome:
    """Return the outcome of a run of a scenario with a sled and a person.

    person  name of the person
    """
    result.raise_if_empty()
    recording = result.recording
    sled = sled_name(result)
    people = {who.name: who for who in result.roster.people}
    if person not in people:
        raise InputError(f"there is no person {person!r} in {result.name or 'the run'}.{nearest(person, people)}")
    who = people[person]
    own = set(who.segments.values())
    found = of_result(result, only=tuple(CRITERIA)).findings
    change, peak = sled_pulse(recording, sled)
    criteria = {}
    for name, (place, _) in CRITERIA.items():
        at = [f for f in found if f.criterion == name and f.place.startswith(who.prefix) and place in f.place]
        if at and (name != "NIC" or change > 0.0):  # NIC is that of rear impacts
            worst = max(at, key=lambda f: f.value)
            criteria[name] = (worst.value, worst.unit)
    return OccupantOutcome(
        change=change,
        peak=peak,
        criteria=criteria,
        excursion={part: _excursion(result, who.segment(part), sled) for part in ("head", "thorax", "pelvis")},
        belts=belt_forces(recording),
        pressed={name: max(0.0, float(depth.max())) for name, depth in recording.pressed.items()},
        airbags=airbag_forces(recording),
        submarining=min((e.time for e in recording.events if e.kind == "submarining"), default=None),
        contacts=tuple(first_contacts(e for e in recording.events if e.body in own and e.time > SITTING)),
        head=who.segment("head"),
    )


def belt_forces(recording: Recording) -> dict[str, float]:
    """Return the largest tension next to each segment that a belt lies on [N]: "belt over thorax" -> 5200."""
    found: dict[str, float] = {}
    for k, label in enumerate(recording.webbing):
        if not recording.webbing_over(label):
            continue
        part = label.rpartition("-")[2]
        sides = recording.belt_force[:, [k - 1, k]]
        found[f"{recording.belt_of(label)} over {part}"] = float(np.nanmax(sides, initial=0.0))
    return found


def airbag_forces(recording: Recording) -> dict[str, tuple[float, float]]:
    """Return the largest force [N] of each airbag on each segment that it pushes, and when it first does [s]."""
    found: dict[str, tuple[float, float]] = {}
    for k, label in enumerate(recording.dips):
        force = np.linalg.norm(recording.airbag_force[:, k], axis=1)
        if force.max(initial=0.0) > LEAST_PUSH:
            bag, segment = label.split("-", 1)
            first = float(recording.pose_time[np.argmax(force > LEAST_PUSH)])
            found[f"{bag} on {segment}"] = (float(force.max()), first)
    return found


def sled_name(result: Result) -> str:
    """Return the name of the sled of a run."""
    table = tomllib.loads(result.scenario) if result.scenario else {}
    if "sled" not in table:
        raise InputError(f"{result.name or 'the run'} has no [sled] in its scenario; an outcome needs one.")
    return str(table["sled"]["name"])


def sled_pulse(recording: Recording, sled: str) -> tuple[float, float]:
    """Return the change of velocity [m/s] of a sled along its first forward axis, and its peak acceleration [g].

    The change is the one that is largest in size. The acceleration is the mean over 3 ms, of all directions.
    """
    from ..model.pose import rotation_matrix

    body = recording.bodies.index(sled)
    forward = rotation_matrix(recording.orientation[0, body])[:, 0]
    velocity, time = recording.velocity[:, body], recording.pose_time
    along = (velocity - velocity[0]) @ forward
    mean = max(1, round(3e-3 / float(time[1] - time[0])))
    steps = np.linalg.norm(velocity[mean:] - velocity[:-mean], axis=1) / (time[mean:] - time[:-mean])
    return float(along[np.argmax(abs(along))]), float(steps.max(initial=0.0)) / STANDARD_GRAVITY


def _excursion(result: Result, body: str, sled: str) -> tuple[float, float, float, float]:
    """Return the largest displacement forward, left, right and upwards of a body in the sled [m]."""
    _, path = path_on_vehicle(result, body, sled)
    moved = path - path[0]
    far, least = moved.max(axis=0), moved.min(axis=0)
    return float(far[0]), float(far[1]), float(-least[1]), float(far[2])
