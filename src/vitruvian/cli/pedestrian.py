"""`vitruvian pedestrian`: a person, a car, a speed; the answer in one line, a small table and a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .describe import described, number
from .simulation import Output, simulated_and_shown
from .spread import CASES, SEED, SPREAD

if TYPE_CHECKING:
    from ..scenario import Scenario

#: from where the car comes -> ready scenario and heading of the person, in the plane
PLANAR = {"front": ("pedestrian-2d", "180 deg"), "behind": ("pedestrian-2d", "0 deg")}
#: the same in 3D
SPATIAL = {
    "side": "pedestrian-side-left",
    "left": "pedestrian-side-left",
    "right": "pedestrian-side-right",
    "front": "pedestrian-front",
    "behind": "pedestrian-behind",
}


def command(
    context: typer.Context,
    car: str = typer.Option("sedan", "--car", help="small-car, sedan, suv, van, bus, tram, or a file of your own."),
    speed: str = typer.Option("40 km/h", "--speed", help='Speed of the car, as in "40 km/h"; a bare number is in m/s.'),
    side: str | None = typer.Option(
        None, "--from", help="Side that the car comes from: front or behind; in 3D also side (left) or right."
    ),
    three_d: bool = typer.Option(False, "--three-d", help="17 segments in 3D instead of 11 in the plane."),
    to_rest: bool = typer.Option(False, "--to-rest", help="Brake the car and continue until rest: throw distance."),
    changes: list[str] = typer.Option([], "--set", metavar="PATH=VALUE", help="Any other change of the scenario."),
    out: Path | None = typer.Option(None, "--out", help="Folder for the files; out/pedestrian unless given."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of the table."),
    files: bool = typer.Option(
        True, "--files/--no-files", help="Write motion.png, scenario.toml, result.nc and outcome.json."
    ),
    report: bool = typer.Option(False, "--report", help="Also write report.html (one more second)."),
    spread: bool = SPREAD,
    cases: int = CASES,
    seed: int = SEED,
) -> None:
    """Strike a pedestrian, 50M unless a person is given: head impact, injury criteria, throw."""
    from ..scenario import read_changes
    from ..scenario.pedestrian import pedestrian_outcome

    given = described(context)
    side = side or ("side" if three_d else "front")
    ready = _ready(side, three_d)
    scenario = _scenario(ready, car, speed, given or {"preset": "50M"}, to_rest, read_changes(changes))
    place = out or Path("out") / "pedestrian"
    output = Output(place, files, report, json, spread=(cases, seed) if spread else None)
    simulated_and_shown(context, scenario, output, outcome_of=pedestrian_outcome, notes=_unit_note(speed))


def _ready(side: str, three_d: bool) -> Scenario:
    """Return the ready scenario of a side; an impact from the side is in 3D only."""
    from ..errors import InputError, nearest
    from ..scenario import Scenario

    if side not in SPATIAL:
        raise InputError(f'--from is "{side}"; accepted: {", ".join(SPATIAL)}.{nearest(side, SPATIAL)}')
    if three_d or side not in PLANAR:
        return Scenario.load(SPATIAL[side])
    name, heading = PLANAR[side]
    return Scenario.load(name, {"human.start.heading": heading})


def _scenario(
    ready: Scenario, car: str, speed: str, who: dict[str, Any], to_rest: bool, changes: dict[str, Any]
) -> Scenario:
    """Return the ready scenario with this person and this car."""
    from ..scenario import Scenario
    from ..scenario.grid import as_person

    said: dict[str, Any] = {"human": as_person(ready, who), "vehicle.front": car, "vehicle.speed": number(speed)}
    bare = {**ready.data, "name": "pedestrian", "title": "", "description": ""}  # both describe the ready scenario
    made = Scenario(bare, name="pedestrian").replace(said)
    made = (made.to_rest() if to_rest else made).replace(changes)
    return made if made.title else made.replace({"title": _title(made)})


def _title(scenario: Scenario) -> str:
    """Return who is struck by what, how fast and from where, as the scenario has it."""
    from ..injury.story import coming, side_of
    from ..scenario.build import person_words

    person, vehicle = scenario.table.human[0], scenario.table.vehicle[0]
    front = vehicle.front if isinstance(vehicle.front, str) else vehicle.front.get("name", "its vehicle")
    way = coming(side_of(person.start.heading, vehicle.heading))
    words = person_words(person).capitalize()
    return f"{words} struck {way} by {Path(front).stem} at {3.6 * vehicle.speed:.4g} km/h"


def _unit_note(speed: str) -> tuple[str, ...]:
    """Return the note on a speed without a unit, if it has none."""
    given = number(speed)
    if not isinstance(given, float):
        return ()
    return (
        f"--speed {speed} has no unit and is taken as {given:g} m/s ({3.6 * given:.4g} km/h); write "
        f"--speed '{speed} km/h' if that is meant.",
    )
