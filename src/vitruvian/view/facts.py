"""A description of the simulated scenario, for readers who do not know the scenario language."""

from __future__ import annotations

from ..model.roster import Participant, Surface, Vehicle
from ..sim.result import Result
from .words import percent


def facts(result: Result) -> list[tuple[str, str]]:
    """Return the facts of the simulated scenario as pairs of name and text."""
    roster, recording = result.roster, result.recording
    found: list[tuple[str, str]] = []
    for person in roster.people:
        name = "Person" if person.name == "human" else f"Person {person.name}"
        found.append((name, _person(person, _mass(result, person))))
    carried = {surface for vehicle in roster.vehicles for surface in vehicle.surfaces}
    if surfaces := [_surface(surface) for surface in roster.surfaces if surface.name not in carried]:
        found.append(("Surfaces", "; ".join(surfaces)))
    if vehicles := [_vehicle(vehicle) for vehicle in roster.vehicles]:
        found.append(("Vehicles", "; ".join(vehicles)))
    if not roster.people:
        count = len(recording.bodies)
        found.append(("Bodies", f"{count}: {', '.join(recording.bodies[:8])}{', …' if count > 8 else ''}"))
    found.append(("Simulated", f"{recording.end_time:.4g} s, {result.status.replace('_', ' ')}"))
    error = recording.balance_error
    found.append(("Energy accounted for", f"within {percent(error)}" if error < 1.0 else "no: the run went astray"))
    return found


def _mass(result: Result, person: Participant) -> float:
    """Return the mass of all bodies of a person with their load [kg]; without a geometry, of the body alone."""
    if result.geometry is None:
        return person.mass
    places = [result.recording.bodies.index(body) for body in person.bodies]
    return float(result.geometry.body_mass[places].sum())


def _person(person: Participant, mass: float) -> str:
    words = [f"{person.height:.2f} m", f"{mass:.1f} kg", person.sex]
    words += [f"{person.age:.0f} years"] if person.age is not None else []
    words += [f"percentile {person.percentile:g}"] if person.percentile is not None else []
    words += [f"size of the dummy {person.preset}"] if person.preset else []
    return ", ".join([*words, f"posture {person.posture or 'of its own'}"])


def _surface(surface: Surface) -> str:
    on = f" on {surface.carrier}" if surface.carrier else ""
    about = f", {surface.properties}" if surface.properties else ""
    return f"{surface.name} ({surface.material or surface.shape}{on}{about})"


def _vehicle(vehicle: Vehicle) -> str:
    words = [word for word in (vehicle.name, vehicle.front) if word != "vehicle"]
    words.append(f"{vehicle.speed:.3g} m/s ({3.6 * vehicle.speed:.3g} km/h)")
    if vehicle.deceleration is not None:
        words.append(f"braking at {vehicle.deceleration:.3g} m/s2")
    return ", ".join(dict.fromkeys(words))
