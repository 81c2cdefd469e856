"""What was simulated, in words for a reader who does not know the scenario language."""

from __future__ import annotations

from typing import Any

from ..sim.result import Result
from .scene import subjects
from .sources import entries, scenario_of
from .words import percent


def facts(result: Result) -> list[tuple[str, str]]:
    """What was simulated, in words."""
    scenario, recording = scenario_of(result), result.recording
    found: list[tuple[str, str]] = []
    people = entries(scenario, "human")
    for person in people:
        found.append((_name(person), _person(person, _mass(result, person, alone=len(people) == 1))))
        if start := _start(person.get("start", {})):
            found.append(("Start", start))
    if surfaces := [_surface(surface) for surface in entries(scenario, "surface")]:
        found.append(("Surfaces", "; ".join(surfaces)))
    if vehicles := [_vehicle(vehicle) for vehicle in entries(scenario, "vehicle")]:
        found.append(("Vehicles", "; ".join(vehicles)))
    if not people:
        count = len(recording.bodies)
        found.append(("Bodies", f"{count}: {', '.join(recording.bodies[:8])}{', …' if count > 8 else ''}"))
    found.append(("Simulated", f"{recording.end_time:.4g} s, {result.status.replace('_', ' ')}"))
    error = recording.balance_error
    found.append(("Energy accounted for", f"within {percent(error)}" if error < 1.0 else "no: the run went astray"))
    return found


def _name(person: dict[str, Any]) -> str:
    name = str(person.get("name", "human"))
    return "Person" if name == "human" else f"Person {name}"


def _mass(result: Result, person: dict[str, Any], *, alone: bool) -> float | None:
    """Of all segments of a person [kg]; None without a geometry."""
    if result.geometry is None:
        return None
    whose = subjects(result.recording)
    if not alone:
        whose = [body for body in whose if result.recording.bodies[body].startswith(f"{person.get('name')}.")]
    return float(result.geometry.body_mass[whose].sum())


def _person(person: dict[str, Any], mass: float | None) -> str:
    words = []
    if isinstance(person.get("height"), float | int):
        words.append(f"{person['height']:.2f} m")
    if mass:
        words.append(f"{mass:.1f} kg")
    words += [str(person[key]) for key in ("sex",) if key in person]
    if isinstance(person.get("age"), float | int):
        words.append(f"{person['age']:.0f} years")
    if isinstance(person.get("percentile"), float | int):
        words.append(f"percentile {person['percentile']:g}")
    if person.get("preset"):
        words.append(f"size of the dummy {person['preset']}")
    posture = person.get("posture", "standing")
    words.append(f"posture {posture if isinstance(posture, str) else 'of its own'}")
    return ", ".join(words)


def _start(start: dict[str, Any]) -> str:
    words = []
    if isinstance(start.get("clearance"), float | int):
        height = start["clearance"]
        words.append(f"{height:.3g} m above the ground" if height > 0.0 else "on the ground")
    for key, name, unit in (("velocity", "velocity", "m/s"), ("angular_velocity", "turning at", "rad/s")):
        vector = start.get(key, [])
        if isinstance(vector, list) and any(vector):
            words.append(f"{name} ({', '.join(f'{part:.3g}' for part in vector)}) {unit}")
    return ", ".join(words)


def _surface(surface: dict[str, Any]) -> str:
    contact = surface.get("contact")
    what = contact if isinstance(contact, str) else surface.get("shape", "plane")
    on = f" on {surface['carrier']}" if surface.get("carrier") else ""
    return f"{surface.get('name', 'surface')} ({what}{on})"


def _vehicle(vehicle: dict[str, Any]) -> str:
    words = [str(vehicle[key]) for key in ("name", "front") if vehicle.get(key) and vehicle[key] != "vehicle"]
    if isinstance(vehicle.get("speed"), float | int):
        words.append(f"{vehicle['speed']:.3g} m/s ({3.6 * vehicle['speed']:.3g} km/h)")
    brake = vehicle.get("brake", {})
    if isinstance(brake, dict) and isinstance(brake.get("deceleration"), float | int):
        words.append(f"braking at {brake['deceleration']:.3g} m/s2")
    return ", ".join(dict.fromkeys(words))
