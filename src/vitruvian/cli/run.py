"""`vitruvian run`: simulate, print the table, write the files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .simulation import Outcome, Output, simulated_and_shown
from .spread import CASES, SEED, SPREAD

if TYPE_CHECKING:
    from ..scenario import Scenario
    from ..sim.result import Result


def command(
    context: typer.Context,
    name: str | None = typer.Argument(None, help="Name of a ready scenario, or a TOML file."),
    changes: list[str] = typer.Option(
        [],
        "--set",
        metavar="PATH=VALUE",
        help='Change a value, as in human.height="165 cm". May be given several times.',
    ),
    out: Path | None = typer.Option(None, "--out", help="Folder for the files; out/NAME unless given."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of the table."),
    files: bool = typer.Option(
        True, "--files/--no-files", help="Write result.nc, scenario.toml, motion.png and report.html."
    ),
    report: bool = typer.Option(True, "--report/--no-report", help="Include report.html in the files."),
    contacts: bool = typer.Option(False, "--contacts", help="Print the contact audit as well."),
    earlier: Path | None = typer.Option(
        None,
        "--continue",
        metavar="RESULT",
        help='result.nc of a run, or its folder: continue from its end; --set solver.duration="3 s" sets the new end.',
    ),
    to_rest: bool = typer.Option(
        False, "--to-rest", help="Continue until everything is at rest; vehicles without a brake get one."
    ),
    spread: bool = SPREAD,
    cases: int = CASES,
    seed: int = SEED,
) -> None:
    """Simulate a scenario, print a summary and write the files."""
    from .._files import plain_name
    from . import screen

    # everything that can be wrong is found before anything runs or is written
    scenario, resume = _asked(name, changes, earlier)
    scenario = scenario.to_rest() if to_rest else scenario
    scenario.check()
    if out is not None:
        place = out
    elif earlier is not None and (earlier.is_dir() or earlier.name == "result.nc"):
        place = screen.folder_of(earlier)
    else:
        place = Path("out") / plain_name(scenario.name, "run")

    output = Output(place, files, report, json, contacts, (cases, seed) if spread else None)
    struck = bool(scenario.table.vehicle) and len(scenario.table.human) == 1
    simulated_and_shown(context, scenario, output, outcome_of=_struck(scenario) if struck else None, resume=resume)


def _struck(scenario: Scenario) -> Callable[[Result], Outcome]:
    """Return the outcome of a vehicle that strikes the only person of a scenario."""
    from ..scenario.pedestrian import pedestrian_outcome

    return lambda result: pedestrian_outcome(result, person=scenario.table.human[0].name)


def _asked(name: str | None, changes: list[str], earlier: Path | None) -> tuple[Scenario, Result | None]:
    """Return the scenario to run, and the result whose end it continues, if any."""
    from ..errors import InputError
    from ..scenario import Scenario, read_changes
    from . import screen

    if earlier is None:
        if name is None:
            raise InputError(
                'which scenario? Give a name or file, as in "vitruvian run fall-4m"; "vitruvian list" shows the names.'
            )
        return Scenario.load(name, read_changes(changes)), None
    if name is not None:
        raise InputError(f"both {name} and --continue {earlier} are given; the scenario is in the result already.")
    result = screen.loaded(earlier)
    if not result.scenario:
        raise InputError(f"{earlier} holds no scenario; only a run of a scenario can be continued.")
    scenario = Scenario.from_toml(result.scenario, name=result.name, label=str(earlier))
    return scenario.replace(read_changes(changes)), result
