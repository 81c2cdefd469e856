"""One case of a study: from the values of a row to the numbers that come out. SI units unless a unit is in the name.

A case that cannot be built is a row with the status `rejected`; a case that ends early is a row with the status of the
run. Both have a reason.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, VitruvianError
from ..injury.assessment import assess
from ..injury.channels import from_result
from ..injury.finding import criteria as known_criteria
from ..injury.head_contact import HEAD_FILTER
from ..injury.risk import curves
from ..injury.rule import bodies_of, cuts_of
from ..injury.subject import subjects
from ..model.compile import compile_system, initial_state
from ..model.law_fill import UnfillableError
from ..scenario import Scenario
from ..scenario.overlap import refuse_starts
from ..scenario.pedestrian import head_strike, hic_by_contact, thrown, touches
from ..sim.runner import Runner, lean
from ..units import STANDARD_GRAVITY
from . import factor, quick
from .template import Template, full

if TYPE_CHECKING:
    from ..injury.assessment import Assessment
    from ..injury.channels import Channels
    from ..kernels.types import State
    from ..model.compile import Compiled
    from ..sim.geometry import Geometry
    from ..sim.recording import Recording
    from ..sim.result import Result

#: criteria of a study unless it names others
CRITERIA = ("HIC15", "HIC36", "head 3ms", "BrIC", "chest 3ms")
#: touches that follow each other faster than this count as one moment [s]
SAME_MOMENT = 1e-3
REJECTED = "rejected"
#: columns of an impact by a vehicle, all of them numbers but the part
STRUCK = (
    "head_time", "head_speed", "wrap_around_distance", "HIC15_vehicle", "HIC15_ground", "throw", "head_part",
)  # fmt: skip

#: where a person lies at the end of a run that comes to rest: displacement of the pelvis [m], heading of the trunk
#: [rad], and the side of the trunk that is down
REST = ("rest_x", "rest_y", "rest_heading", "rest_side")

Row = dict[str, Any]


def columns(scenario: Scenario, criteria: Sequence[str]) -> dict[str, type]:
    """Return the columns of the outcomes, the same for every case: name -> float or str."""
    found: dict[str, type] = {"status": str, "reason": str, "end_time": float}
    for person in people(scenario):
        for name in criteria:
            found[f"{person}{name}"] = float
            found |= {f"{person}{curve}": float for curve in _risk_columns(name)}
        found[f"{person}head_contact_time"] = float
        found[f"{person}contacts"] = str
        found |= {f"{person}{name}": str if name == "rest_side" else float for name in REST}
    found |= {f"{row.name} peak [g]": float for row in scenario.table.sensor}
    if is_struck(scenario):
        found |= {name: str if name == "head_part" else float for name in STRUCK}
    return found | {"balance_error": float, "wall_time": float}


#: units of the columns that are no criteria
UNITS = {
    "rest_x": "m",
    "rest_y": "m",
    "rest_heading": "rad",
    "head_contact_time": "s",
    "head_time": "s",
    "head_speed": "m/s",
    "wrap_around_distance": "m",
    "throw": "m",
}


def unit(column: str) -> str:
    """Return the unit of a column of outcomes; "" for numbers without one."""
    name = column.rpartition(".")[2]
    found = UNITS.get(name) or str(known_criteria().get(name, {}).get("unit", ""))
    return "" if found == "-" else found


def people(scenario: Scenario) -> list[str]:
    """Return the prefix of every person of a scenario: "" or "anna."."""
    return ["" if row.name == "human" else f"{row.name}." for row in scenario.table.human]


def is_struck(scenario: Scenario) -> bool:
    """Return True if a vehicle strikes a single person."""
    return bool(scenario.table.vehicle) and len(scenario.table.human) == 1


def _risk_columns(criterion: str) -> list[str]:
    """Return the names of the outcomes of which curves give a risk: "HIC15 AIS3+"."""
    return list(dict.fromkeys(f"{criterion} {c.outcome}" for c in curves().values() if c.criterion == criterion))


def changed(base: Scenario, values: Mapping[str, Any]) -> tuple[Scenario, dict[str, float]]:
    """Return the scenario of a case and its factors."""
    factors = {path: factor.checked(path, value) for path, value in values.items() if factor.is_factor(path)}
    changes = {path: value for path, value in values.items() if path not in factors}
    return (base.replace(changes) if changes else base), factors


class Cases:
    """The cases of a scenario: a template that is filled, and the buffers of each thread.

    base      scenario from which all cases are made
    criteria  that are computed
    probes    values of some cases, with which the template is checked; without any, every case is built

    If `watched` is a list, the accelerations of heads of every case that ended well are added to it (`thinned`).
    """

    def __init__(self, base: Scenario, criteria: Sequence[str], probes: Sequence[Mapping[str, Any]] = ()) -> None:
        self.base, self.criteria = base, tuple(criteria)
        self.template = Template.of(base, probes, self._slim)
        self.columns = columns(base, criteria)
        self.cells = bool(cuts_of(self.criteria))
        self.own = threading.local()
        self.geometry: Geometry | None = None
        self.watched: list[dict[str, np.ndarray]] | None = None

    def row(self, values: Mapping[str, Any]) -> Row:
        """Simulate a case and return its outcomes; never raises an error of Vitruvian."""
        started = time.perf_counter()
        row: Row = dict.fromkeys(self.columns)
        try:
            row |= outcomes(self.result(values), self.base, self.criteria, self.watched)
        except InputError as error:
            row |= {"status": REJECTED, "reason": " ".join(str(error).split())}
        except (VitruvianError, ArithmeticError, np.linalg.LinAlgError) as error:
            row |= {"status": "failed", "reason": " ".join(str(error).split())}
        row["wall_time"] = time.perf_counter() - started
        return row

    def warm(self, values: Mapping[str, Any]) -> None:
        """Load the kernels on this thread, so that threads only read them."""
        if self.base.table.human and (is_struck(self.base) or set(self.criteria) <= quick.KNOWN):
            quick.warm()
        try:
            compiled, state, options = self.made(values)
            Runner(compiled, cells=self.cells, **options | {"duration": 1e-6}).run(compiled, state)
        except VitruvianError:  # the case is rejected, which is not an error of the study
            return

    def result(self, values: Mapping[str, Any]) -> Result:
        """Simulate a case and return what its outcomes need; valid until the next case of this thread."""
        from ..sim.result import Result

        compiled, state, options = self.made(values)
        recording = self.runner(compiled, options).run(compiled, state)
        geometry = self._geometry(compiled) if self.base.table.vehicle else None
        return Result(recording, geometry=geometry, name=self.base.name, provenance={})

    def _geometry(self, compiled: Compiled) -> Geometry:
        """Return the geometry of a case; that of a template is the same for all."""
        from ..sim.geometry import Geometry

        if self.template is None:
            return Geometry.of(compiled.system, compiled.bodies)
        if self.geometry is None:
            self.geometry = Geometry.of(compiled.system, compiled.bodies)
        return self.geometry

    def made(self, values: Mapping[str, Any]) -> tuple[Compiled, State, dict[str, Any]]:
        """Return the compiled system, its state at the start and the options of its run."""
        if self.template is not None:
            try:
                return *self.template.filled(values), self.base._settings()
            except UnfillableError:
                pass
        return *full(self.base, values, self._slim), changed(self.base, values)[0]._settings()

    def _slim(self, compiled: Compiled) -> Compiled:
        """Return a compiled system with the sensors that the outcomes need."""
        bodies = {"head", *bodies_of(self.criteria)}
        wanted = {row.name for row in self.base.table.sensor}
        own = {s.name for s in compiled.system.sensors if s.name.rpartition(".")[2] in bodies}
        return lean(compiled, wanted | own)

    def runner(self, compiled: Compiled, options: dict[str, Any]) -> Runner:
        """Return the buffers of this thread for a structure and options."""
        shape = (compiled.bodies, compiled.pairs, len(compiled.system.sensors), compiled.n_q, compiled.n_v)
        key = (shape, len(compiled.system.loops), len(compiled.model.waypoint), repr(options))
        if getattr(self.own, "key", None) != key:
            self.own.runner, self.own.key = Runner(compiled, cells=self.cells, **options), key
        runner: Runner = self.own.runner
        return runner


#: samples a second of the accelerations that are kept of every case [Hz]
WATCHED_RATE = 1000.0


def thinned(recording: Recording, channels: Channels) -> dict[str, np.ndarray]:
    """Return head -> filtered resultant acceleration [g] of a run: the largest of each millisecond, from zero on."""
    found = {}
    for person in recording.roster.people:
        head = person.segment("head")
        record = channels.get(f"{head}.acceleration", HEAD_FILTER)
        if record is not None:
            size = np.linalg.norm(record[0].samples, axis=1) / STANDARD_GRAVITY
            place = np.round(WATCHED_RATE * record[0].time).astype(np.int64)
            found[head] = np.maximum.reduceat(size, np.flatnonzero(np.diff(place, prepend=-1)))
    return found


def simulated(base: Scenario, values: Mapping[str, Any], title: str = "") -> Result:
    """Simulate a case and return all that a run records; without the notes of a single run."""
    from ..sim.result import Result
    from ..sim.simulate import simulate

    scenario, factors = changed(base, values)
    built = scenario._built()
    with scenario._labelled():
        compiled = factor.applied(compile_system(built.system), factors)
        refuse_starts(compiled, initial_state(compiled, built.start), built.seats)
        recording = simulate(compiled, built.start, **scenario._settings())
    return Result(recording, system=built.system, name=scenario.name, title=title, scenario=scenario.to_toml())


def outcomes(
    result: Result, base: Scenario, criteria: Sequence[str], watched: list[dict[str, np.ndarray]] | None = None
) -> Row:
    """Return the columns of a run; a criterion that cannot be computed is None.

    watched  receives the accelerations of heads of a run that ended well, see `thinned`
    """
    sound = result.sound
    recording = sound.recording
    row: Row = {
        "status": result.status,
        "reason": "" if result.fine else " ".join(result.message.split()),
        "end_time": recording.end_time,
        "balance_error": recording.balance_error,
    }
    if len(recording.time) < 3:
        return row
    for sensor in base.table.sensor:
        peak = float(np.nanmax(sound.resultant_g(sensor.name)[1]))
        row[f"{sensor.name} peak [g]"] = peak if np.isfinite(peak) else None
    if base.table.human:
        judged, channels = _judged(sound, people(base), criteria)
        row |= judged
        if watched is not None and result.fine:
            watched.append(thinned(recording, channels))
        for prefix in people(base):
            row |= _contacts(recording, prefix)
            if result.status in ("at_rest", "nearly_at_rest"):
                row |= _rest(recording, prefix)
        if is_struck(base):
            row |= _struck(sound, channels)
    return row


def _judged(sound: Result, prefixes: Sequence[str], criteria: Sequence[str]) -> tuple[Row, Channels]:
    """Return the criteria of all people with their risks, and channels with the accelerations of their heads."""
    people_of = subjects(sound.recording.roster.people)
    fast = quick.values(sound.recording, people_of, criteria)
    if fast is not None:
        return fast.row, fast.channels
    channels = from_result(sound, cuts=cuts_of(tuple(criteria)), bodies=("head", *bodies_of(tuple(criteria))))
    if not criteria:
        return {}, channels
    found = assess(channels, people=people_of, simulated=True, only=tuple(criteria))
    row: Row = {}
    for prefix in prefixes:
        row |= _criteria(found, prefix, criteria)
    return row, channels


def _criteria(assessment: Assessment, prefix: str, criteria: Sequence[str]) -> Row:
    """Return the largest value of each criterion of a person, and its risks."""
    row: Row = {}
    names = {finding.place for finding in assessment.findings}
    own = {place for place in names if place.startswith(prefix) and (prefix or "." not in place)}
    for name in criteria:
        found = [f for f in assessment.findings if f.criterion == name and f.place in own and np.isfinite(f.value)]
        if found:
            worst = max(found, key=lambda finding: finding.value)
            row[f"{prefix}{name}"] = float(worst.value)
            row |= {f"{prefix}{name} {risk.outcome}": float(risk.probability) for risk in worst.risks}
    return row


def _contacts(recording: Recording, prefix: str) -> Row:
    """Return the order in which segments first touch something, and when the head does [s]."""
    own = {body for p in recording.roster.people if p.prefix == prefix for body in p.segments.values()}
    first: dict[str, float] = {}
    for event in sorted(recording.events, key=lambda event: event.time):
        if event.kind == "touch" and event.body in own:
            first.setdefault(event.body, event.time)
    groups: list[tuple[float, list[str]]] = []
    for body, when in first.items():
        if groups and when - groups[-1][0] < SAME_MOMENT:
            groups[-1][1].append(body)  # both feet at once have no order
        else:
            groups.append((when, [body]))
    order = ", ".join(" + ".join(sorted(name.removeprefix(prefix) for name in names)) for _, names in groups)
    return {f"{prefix}contacts": order, f"{prefix}head_contact_time": first.get(f"{prefix}head")}


def _rest(recording: Recording, prefix: str) -> Row:
    """Return where a person lies at the end: displacement of the pelvis, heading of the trunk, side that is down."""
    from ..model.pose import rotation_matrix

    person = next(p for p in recording.roster.people if p.prefix == prefix)
    pelvis, trunk = (recording.bodies.index(person.segment(role)) for role in ("pelvis", "thorax"))
    moved = recording.position[-1, pelvis] - recording.position[0, pelvis]
    forward, left, up = rotation_matrix(tuple(recording.orientation[-1, trunk])).T
    sides = {"back": forward[2], "front": -forward[2], "right": left[2], "left": -left[2], "upright": up[2],
             "head": -up[2]}  # fmt: skip
    side = max(sides, key=lambda name: sides[name])
    along = up if side in ("back", "front", "left", "right") else forward  # where the head of a lying person is
    found = (float(moved[0]), float(moved[1]), float(np.arctan2(along[1], along[0])), side)
    return {f"{prefix}{name}": value for name, value in zip(REST, found, strict=True)}


def _struck(result: Result, channels: Channels) -> Row:
    """Return the columns of an impact by a vehicle; None where it did not happen."""
    recording = result.recording
    (who,), vehicle = recording.roster.people, recording.roster.vehicles[0]
    name = who.segment("head")
    contacts = touches(recording, set(who.segments.values()), vehicle)
    head = head_strike(recording, name, vehicle, contacts)
    hits = hic_by_contact(result, name, vehicle, channels, criterion=quick.hic15)
    throw = None
    if contacts and result.status in ("at_rest", "nearly_at_rest"):
        throw = thrown(result, who, vehicle, contacts[0].time).along
    return {
        "head_time": None if head is None else head.after,
        "head_speed": None if head is None else head.speed,
        "wrap_around_distance": None if head is None else head.wrap_around_distance,
        "head_part": None if head is None else head.part,
        "HIC15_vehicle": hits["vehicle"],
        "HIC15_ground": hits["ground"],
        "throw": throw,
    }
