"""`vitruvian sled`: a person on a seat, a pulse, a belt; the answer in one line, a small table and a picture."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .describe import described
from .spread import CASES, SEED, SPREAD, spread_of
from .typed import command_line

if TYPE_CHECKING:
    from ..scenario import Scenario
    from ..scenario.occupant import OccupantOutcome

READY = "sled-frontal-50kmh"
BELTS = ("none", "lap", "three-point", "four-point")
MODELS = ("human17", "occupant12")
AFTER = 0.075  # time that a run follows the end of the pulse [s]


def command(
    context: typer.Context,
    pulse: Path | None = typer.Option(
        None, "--pulse", help="CSV with time [ms] and acceleration [g] (frontal: negative), or an ISO-MME test."
    ),
    channel: str = typer.Option("", "--channel", help="Code of the channel of an ISO-MME test."),
    belt: str = typer.Option("three-point", "--belt", help="none, lap, three-point or four-point."),
    model: str = typer.Option("human17", "--model", help="human17 or occupant12."),
    changes: list[str] = typer.Option([], "--set", metavar="PATH=VALUE", help="Any other change of the scenario."),
    out: Path | None = typer.Option(None, "--out", help="Folder for the files; out/sled unless given."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of the table."),
    files: bool = typer.Option(
        True, "--files/--no-files", help="Write motion.png, scenario.toml, result.nc and outcome.json."
    ),
    report: bool = typer.Option(False, "--report", help="Also write report.html (one more second)."),
    spread: bool = SPREAD,
    cases: int = CASES,
    seed: int = SEED,
) -> None:
    """Test an occupant on a sled, 50M unless a person is given: injury criteria, excursions, belt forces."""
    from json import dumps as json_text

    from .._files import MARK, write_text
    from ..scenario import read_changes
    from ..scenario.occupant import occupant_outcome
    from . import folder, screen
    from .run import finish, simulated

    who = described(context) or {"preset": "50M"}
    scenario = _scenario(pulse, channel, belt, model, who, read_changes(changes))
    place = out or Path("out") / "sled"
    failures: list[str] = []
    written: dict[str, Path] = {}
    with folder.reserved(place, scenario.to_toml()) if files else nullcontext():
        result = simulated(scenario, None, quiet=json)
        outcome = screen.attempt(failures, "the outcome", lambda: occupant_outcome(result))
        result.command, result.headline = command_line(context), outcome.line if outcome else ""
        if files:
            written["result"] = folder.save(result, place)
        if outcome is not None and not json:
            screen.attempt(failures, "the table", lambda: _print(scenario.title, outcome, result.notes))
        if files:
            drawn = None if json else lambda picture: print(f"Picture: {picture}", flush=True)
            written |= folder.write_rest(result, place, failures, report=report, drawn=drawn)
            if outcome is not None:
                text = json_text({"generator": MARK, **outcome.to_dict()}, indent=2, ensure_ascii=False) + "\n"
                path = screen.attempt(failures, "outcome.json", lambda: write_text(place / "outcome.json", text))
                written |= {} if path is None else {"outcome": path}
    intervals = {"spread": spread_of(scenario, cases, seed, quiet=json)} if spread else {}
    finish(result, failures, written, place, {**(outcome.to_dict() if outcome else {}), **intervals} if json else None)


def _scenario(
    pulse: Path | None, channel: str, belt: str, model: str, who: dict[str, Any], changes: dict[str, Any]
) -> Scenario:
    """Return the ready scenario with this pulse, belt and person."""
    from ..errors import InputError, nearest
    from ..scenario import Scenario
    from ..scenario.build import person_words

    for option, word, accepted in (("belt", belt, BELTS), ("model", model, MODELS)):
        if word not in accepted:
            raise InputError(f'--{option} is "{word}"; accepted: {", ".join(accepted)}.{nearest(word, accepted)}')
    ready = Scenario.load(READY)
    human = {**who, "model": model, "start": {"settle": True}}
    data = {**ready.data, "name": "sled", "title": "", "description": "", "human": human}
    data.pop("belt", None)
    if belt != "none":
        data["belt"] = [_belt(belt, ready)]
    if pulse is not None:
        data["sled"] = {"pulse": _pulse(pulse, channel)}
    made = Scenario(data, name="sled").replace(changes)
    if pulse is not None and "solver.duration" not in changes:
        end = made.table.sled.pulse.times[-1] + AFTER
        made = made.replace({"solver.duration": max(0.05, end)})
    if made.title:
        return made
    words = person_words(made.table.human[0]).capitalize()
    strap = "no belt" if belt == "none" else f"a {belt} belt"
    return made.replace({"title": f"{words} on a sled with {strap}, {pulse.stem if pulse else READY}"})


def _belt(kind: str, ready: Scenario) -> dict[str, Any]:
    """Return the belt of the ready scenario as one of another kind."""
    return {"name": "belt", "type": kind, "carrier": "sled"}


def _pulse(path: Path, channel: str) -> dict[str, Any] | str:
    """Return the pulse of a file: a CSV by its name, a channel of an ISO-MME test as a table."""
    from ..errors import InputError
    from ..export.isomme import read_channel

    if path.suffix.lower() == ".mme" or path.is_dir():
        if not channel:
            raise InputError("--channel is missing: the code of the acceleration of the sled, as in 10SEATLERE00ACXA.")
        time, values = read_channel(path, channel, "acceleration")
        return {"times": time.tolist(), "values": values.tolist()}
    if channel:
        raise InputError(f"--channel goes with an ISO-MME test, not with {path.name}.")
    return str(path)


def _print(title: str, outcome: OccupantOutcome, notes: tuple[str, ...]) -> None:
    from rich import box
    from rich.table import Table

    from .._files import one_line
    from . import screen

    screen.say(f"{one_line(title)}\n{outcome.line}")
    table = Table(box=box.SIMPLE_HEAD, show_header=False, padding=(0, 1))
    for name, value in outcome.rows():
        table.add_row(name, value)
    order = [f"{contact.body} on {contact.surface}" for contact in outcome.contacts]
    table.add_row("contacts", ", ".join(order[:6]) + (" ..." if len(order) > 6 else "") or "none")
    screen.console().print(table)
    for note in notes:
        screen.say(f"Note: {note}")
