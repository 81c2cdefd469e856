"""`vitruvian pedestrian`: a person, a car, a speed; the answer in one line, a small table and a picture."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .describe import described, number
from .spread import CASES, SEED, SPREAD, spread_of
from .typed import command_line

if TYPE_CHECKING:
    from ..scenario import Scenario
    from ..scenario.impact_outcome import Outcome

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
BRAKING = 7.0  # deceleration of a car whose impact is followed to rest [m/s2]


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
    from json import dumps as json_text

    from .._files import MARK, write_text
    from ..scenario import read_changes
    from ..scenario.pedestrian import pedestrian_outcome
    from . import folder, screen
    from .run import finish, simulated

    given = described(context)
    side = side or ("side" if three_d else "front")
    ready = _ready(side, three_d)
    scenario = _scenario(ready, car, speed, given or {"preset": "50M"}, side, to_rest, read_changes(changes))
    place = out or Path("out") / "pedestrian"
    failures: list[str] = []
    written: dict[str, Path] = {}
    with folder.reserved(place, scenario.to_toml()) if files else nullcontext():
        result = simulated(scenario, None, quiet=json)
        outcome = screen.attempt(failures, "the outcome", lambda: pedestrian_outcome(result))
        result.command, result.headline = command_line(context), outcome.line if outcome else ""
        if files:
            written["result"] = folder.save(result, place)
        if outcome is not None and not json:
            notes = (*_unit_note(speed), *result.notes)
            screen.attempt(failures, "the table", lambda: _print(scenario.title, outcome, notes))
        if files:
            written |= folder.write_rest(result, place, failures, report=report, drawn=None if json else _drawn)
            if outcome is not None:
                text = json_text({"generator": MARK, **outcome.to_dict()}, indent=2, ensure_ascii=False) + "\n"
                path = screen.attempt(failures, "outcome.json", lambda: write_text(place / "outcome.json", text))
                written |= {} if path is None else {"outcome": path}
    intervals = {"spread": spread_of(scenario, cases, seed, quiet=json)} if spread else {}
    finish(result, failures, written, place, ((outcome.to_dict() if outcome else {}) | intervals) if json else None)


def _drawn(picture: Path) -> None:
    print(f"Picture: {picture}", flush=True)


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
    ready: Scenario, car: str, speed: str, who: dict[str, Any], side: str, to_rest: bool, changes: dict[str, Any]
) -> Scenario:
    """Return the ready scenario with this person and this car."""
    from ..scenario import Scenario
    from ..scenario.build import person_words
    from ..scenario.grid import as_person

    said: dict[str, Any] = {"human": as_person(ready, who), "vehicle.front": car, "vehicle.speed": number(speed)}
    if to_rest:
        solver = {key: value for key, value in ready.data["solver"].items() if key != "duration"}
        said |= {"solver": {**solver, "stop": "at rest"}, "vehicle.brake": {"deceleration": BRAKING}}
    bare = {**ready.data, "name": "pedestrian", "title": "", "description": ""}  # both describe the ready scenario
    made = Scenario(bare, name="pedestrian").replace({**said, **changes})
    if made.title:
        return made
    person, vehicle = made.table.human[0], made.table.vehicle[0]
    front = vehicle.front if isinstance(vehicle.front, str) else vehicle.front.get("name", "its vehicle")
    words = person_words(person)
    way = {"side": "the left", "behind": "behind"}.get(side, f"the {side}")
    title = f"{words.capitalize()} struck from {way} by {Path(front).stem} at {3.6 * vehicle.speed:.4g} km/h"
    return made.replace({"title": title})


def _unit_note(speed: str) -> tuple[str, ...]:
    """Return the note on a speed without a unit, if it has none."""
    if not isinstance(number(speed), float):
        return ()
    return (f'--speed {speed} is in m/s, as it has no unit; write "{speed} km/h" if that is meant.',)


def _print(title: str, outcome: Outcome, notes: tuple[str, ...]) -> None:
    from rich import box
    from rich.table import Table

    from .._files import one_line
    from . import screen

    screen.say(f"{one_line(title)}\n{outcome.line}")
    table = Table(box=box.SIMPLE_HEAD, show_header=False, padding=(0, 1))
    for name, value in outcome.rows():
        table.add_row(name, value)
    order = list(dict.fromkeys(contact.body for contact in outcome.contacts))
    table.add_row("first contacts", ", ".join(order[:8]) + (" ..." if len(order) > 8 else ""))
    screen.console().print(table)
    for note in notes:
        screen.say(f"Note: {note}")
