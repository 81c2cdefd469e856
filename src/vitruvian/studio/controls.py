"""Controls of a scenario in the page: sliders and choices, bound to dotted paths.

A scenario shows only the controls it needs: a drop height if a person starts above a surface, a speed if a person
moves, a car if there is one. Unit, bounds and meaning of a slider are those of the field it changes. The scenario
itself decides which values it accepts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .. import data, human
from ..human import WHO, postures, presets
from ..human.anthropometry import SEXES
from ..human.posture import clinical_angles, joint_names, posture
from ..model import Contact
from ..scenario import Scenario
from ..scenario.definition import Row, table_of
from ..units import parse_unit
from ..world import fronts

#: dotted path -> value, as `Scenario.replace` takes them
Changes = dict[str, Any]

PERSON, START, SURROUNDINGS, RUN = "Person", "Start", "Surroundings", "Length of the run"
GROUPS = (PERSON, START, SURROUNDINGS, RUN)
OUTRIGHT, BY_PERCENTILE = "height and mass", "percentile"  # how a person's size is given, in addition to the presets
ADULT = 35.0  # [years], where a percentile is asked for and no age is given


@dataclass(frozen=True)
class Slider:
    """A slider for a number.

    key    names it among the controls of a scenario
    unit   of low, high, step and value
    write  value -> changes of the scenario
    """

    key: str
    group: str
    label: str
    unit: str
    low: float
    high: float
    step: float
    value: float
    write: Callable[[float], Changes]
    hint: str = ""


@dataclass(frozen=True)
class Choice:
    """One of some words."""

    key: str
    group: str
    label: str
    options: tuple[str, ...]
    value: str
    write: Callable[[str], Changes]
    hint: str = ""


Control = Slider | Choice


def controls(scenario: Scenario) -> tuple[Control, ...]:
    """Everything that the page offers to change in a scenario, posture apart."""
    found = [*_people(scenario), *_vehicles(scenario), *_surfaces(scenario), *_mechanism(scenario), *_run(scenario)]
    return tuple(found)


def changed(scenario: Scenario, changes: Mapping[str, Any]) -> Scenario:
    """The scenario with changes; a table before what it holds, so that both count."""
    return scenario.replace({path: changes[path] for path in sorted(changes, key=lambda path: path.count("."))})


def words(control: Control, value: Any) -> str:
    """Return the label and value of a control as the page shows them: height 165 cm."""
    if isinstance(control, Choice):
        return f"{control.label} {value}"
    return f"{control.label} {value:g} {control.unit}".strip()


def _slider(
    row: Row,
    name: str,
    path: str,
    group: str,
    label: str,
    *,
    value: float | None = None,
    hint: str | None = None,
    write: Callable[[float], Changes] | None = None,
) -> Slider:
    """Return a slider for a field of a row, with unit, bounds and meaning of its definition.

    path   of the field; the value is written there with its unit, unless `write` says otherwise
    value  [SI]; that of the row unless given
    hint   what the page says of it; the meaning unless given
    """
    entry = row.entry(name)
    assert entry.drag is not None, f"{name} has no slider"
    unit, low, high, step = entry.drag
    dimension = getattr(entry.kind, "dimension", "angle" if unit == "deg" else "dimensionless")
    si = getattr(row, name) if value is None else value
    shown = round(si / parse_unit(unit, dimension)[0], 9)

    def at_path(now: float) -> Changes:
        return {path: f"{now:.10g} {unit}" if unit not in ("", "years") else float(now)}

    bounds = (min(low, shown), max(high, shown), step)
    return Slider(path, group, label, unit, *bounds, shown, write or at_path, entry.doc if hint is None else hint)


def _choice(
    key: str,
    group: str,
    label: str,
    options: tuple[str, ...],
    value: str,
    hint: str = "",
    write: Callable[[str], Changes] | None = None,
) -> Choice:
    every = options if value in options else (value, *options)
    return Choice(key, group, label, every, value, write or (lambda word: {key: word}), hint)


# people


def _people(scenario: Scenario) -> Iterator[Control]:
    people = scenario.table.human
    for row in people:
        path = "human" if len(people) == 1 else f"human.{row.name}"
        who = "" if len(people) == 1 else f"{row.name}: "
        yield from _size(row, path, who)
        yield from _start(scenario, row, path, who)


def _size(row: Any, path: str, who: str) -> Iterator[Control]:
    """Height and mass, given or as they follow from sex, age and percentile or from a preset."""
    meant = human.person_of(vars(row))
    age = ADULT if meant.age is None else meant.age

    def write(word: str) -> Changes:
        size: dict[str, Any] = dict.fromkeys(name for name in WHO if name not in ("measured", "added"))
        if word == BY_PERCENTILE:
            size |= {"sex": meant.sex, "age": age, "percentile": 50.0}
        elif word == OUTRIGHT:
            size |= {"sex": meant.sex, "age": meant.age, "height": meant.height, "mass": meant.mass}
        else:
            size["preset"] = word
        return {f"{path}.{name}": value for name, value in size.items()}

    now = row.preset or (BY_PERCENTILE if row.percentile is not None else OUTRIGHT)
    if row.measured is None:
        words = (OUTRIGHT, BY_PERCENTILE, *presets())
        yield _choice(f"{path}.size", PERSON, f"{who}size", words, now, "of people, or of a crash-test dummy", write)

    def sized(name: str, value: float, hint: str | None = None) -> Slider:
        return _slider(row, name, f"{path}.{name}", PERSON, f"{who}{name}", value=value, hint=hint)

    yield sized("height", meant.height, meant.height_from)
    yield sized("mass", meant.mass, meant.mass_from)
    if row.percentile is not None:
        yield sized("percentile", row.percentile)
    if row.preset is None:
        yield _choice(f"{path}.sex", PERSON, f"{who}sex", SEXES, meant.sex)
        yield sized("age", age, "an adult; no age is given" if meant.age is None else None)


def _start(scenario: Scenario, row: Any, path: str, who: str) -> Iterator[Control]:
    start = row.start
    if scenario.table.surface:
        level = _is_level(scenario.table.surface[0])
        label = "drop height" if level else "distance"
        yield _slider(start, "clearance", f"{path}.start.clearance", START, who + label)
    yield from _vector(start, "velocity", f"{path}.start.velocity", f"{who}speed")
    yield from _vector(start, "angular_velocity", f"{path}.start.angular_velocity", f"{who}turning")
    for place, push in enumerate(start.push):
        where = f"{path}.start.push[{place}].velocity"
        yield from _vector(push, "velocity", where, f"{who}push of {', '.join(push.segments)}")
    yield _slider(start, "heading", f"{path}.start.heading", START, f"{who}heading")


def _vector(row: Row, name: str, path: str, label: str) -> Iterator[Control]:
    """The size of a vector that is not zero; its direction stays."""
    vector = getattr(row, name)
    size = math.hypot(*vector)
    if size == 0.0:
        return
    direction = tuple(part / size for part in vector)

    def write(now: float) -> Changes:
        return {path: [now * part for part in direction]}

    along = ", ".join(f"{part:.3g}" for part in direction)
    yield _slider(row, name, path, START, label, value=size, hint=f"along ({along})", write=write)


def _is_level(surface: Any) -> bool:
    """Return whether a person can stand on the surface."""
    if surface.incline is not None:
        return bool(abs(surface.incline) < math.radians(60.0))
    return surface.normal is None or surface.normal[2] > 0.5


# postures


def posture_choice(scenario: Scenario, which: int = 0) -> Choice | None:
    """Return the choice of ready postures; None without a person."""
    if not scenario.table.human:
        return None
    held = scenario.table.human[which].posture
    path = _person_path(scenario, which)
    now = held if isinstance(held, str) else str(held.get("name", "custom"))
    return _choice(f"{path}.posture", PERSON, "posture", postures(), now)


def joint_sliders(scenario: Scenario, joint: str, which: int = 0) -> tuple[Slider, ...]:
    """The angles of a joint in the posture with which a person starts, in clinical words."""
    path = f"{_person_path(scenario, which)}.posture.joints.{joint}"
    angles = clinical_angles(joint, posture(scenario.table.human[which].posture).rotation(joint))
    shown = {word: round(math.degrees(angle), 6) + 0.0 for word, angle in angles.items()}

    def slider(word: str) -> Slider:
        def write(now: float) -> Changes:
            return {path: {name: f"{now if name == word else angle:.10g} deg" for name, angle in shown.items()}}

        label, now = word.replace("_", " "), shown[word]
        low, high = min(-180.0, now), max(180.0, now)
        return Slider(f"{path}.{word}", PERSON, label, "deg", low, high, 1.0, now, write)

    return tuple(slider(word) for word in shown)


def joints() -> tuple[str, ...]:
    """The joints of a person."""
    return joint_names()


def _person_path(scenario: Scenario, which: int) -> str:
    people = scenario.table.human
    return "human" if len(people) == 1 else f"human.{people[which].name}"


# surroundings


def _vehicles(scenario: Scenario) -> Iterator[Control]:
    vehicles = scenario.table.vehicle
    for vehicle in vehicles:
        path = "vehicle" if len(vehicles) == 1 else f"vehicle.{vehicle.name}"
        which = "" if len(vehicles) == 1 else f"{vehicle.name}: "
        if isinstance(vehicle.front, str):
            yield _choice(f"{path}.front", SURROUNDINGS, f"{which}car", fronts(), vehicle.front)
        yield _slider(vehicle, "speed", f"{path}.speed", START, f"{which}car speed")
        yield _slider(vehicle, "lateral", f"{path}.lateral", START, f"{which}car aside")


def _surfaces(scenario: Scenario) -> Iterator[Control]:
    written = _rows(scenario.data.get("surface"))
    for row, surface in zip(written, scenario.table.surface, strict=True):
        path = f"surface.{surface.name}"
        contact = row.get("contact")
        if surface.incline is not None:
            yield _slider(surface, "incline", f"{path}.incline", SURROUNDINGS, f"{surface.name}: slope")
        if isinstance(contact, str):
            yield _choice(f"{path}.contact", SURROUNDINGS, surface.name, data.surfaces(), contact)
        elif isinstance(contact, dict) and "base" in contact:
            yield _choice(f"{path}.contact.base", SURROUNDINGS, surface.name, data.surfaces(), str(contact["base"]))
        law = surface.contact
        given = table_of(Contact).read(data.surface(law), path) if isinstance(law, str) else law
        yield _slider(given, "friction", f"{path}.contact.friction", SURROUNDINGS, f"{surface.name}: friction")


def _rows(written: Any) -> list[dict[str, Any]]:
    """The tables of a list of tables; one alone may stand without a list."""
    return [written] if isinstance(written, dict) else list(written or [])


def _mechanism(scenario: Scenario) -> Iterator[Control]:
    """Starts of bodies and joints that are no person's."""
    for body in scenario.table.body:
        if body.start is not None:
            yield from _vector(body.start, "velocity", f"body.{body.name}.start.velocity", f"{body.name}: speed")
    for joint in scenario.table.joint:
        if joint.type != "revolute" or joint.start is None or joint.start.coordinates is None:
            continue
        path = f"joint.{joint.name}.start.coordinates"
        angle = joint.start.coordinates[0]
        listed = _listed(path, "deg")
        yield _slider(joint.start, "coordinates", path, START, f"{joint.name}: angle", value=angle, write=listed)


def _listed(path: str, unit: str) -> Callable[[float], Changes]:
    return lambda now: {path: [f"{now:.10g} {unit}"]}


def _run(scenario: Scenario) -> Iterator[Control]:
    yield _slider(scenario.table.solver, "duration", "solver.duration", RUN, "duration")
