"""`vitruvian run`: simulate, print the table, write the files."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .spread import CASES, SEED, SPREAD, spread_of
from .typed import command_line

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
    spread: bool = SPREAD,
    cases: int = CASES,
    seed: int = SEED,
) -> None:
    """Simulate a scenario, print a summary and write the files."""
    from .._files import plain_name
    from . import folder, screen

    # everything that can be wrong is found before anything runs or is written
    scenario, resume = _asked(name, changes, earlier)
    scenario.build()
    if out is not None:
        place = out
    elif earlier is not None and (earlier.is_dir() or earlier.name == "result.nc"):
        place = screen.folder_of(earlier)
    else:
        place = Path("out") / plain_name(scenario.name, "run")

    failures: list[str] = []
    with folder.reserved(place, scenario.to_toml()) if files else nullcontext():
        result = simulated(scenario, resume, quiet=json)
        result.command = command_line(context)
        if scenario.table.vehicle and len(scenario.table.human) == 1 and result.fine:
            from ..scenario.pedestrian import pedestrian_outcome

            person = scenario.table.human[0].name
            outcome = screen.attempt(failures, "the outcome", lambda: pedestrian_outcome(result, person=person))
            result.headline = outcome.line if outcome else ""
        written = {"result": folder.save(result, place)} if files else {}
        if not json:
            screen.attempt(failures, "the table", lambda: screen.print_result(result))
            if contacts:
                screen.attempt(
                    failures, "the contact audit", lambda: screen.print_contacts(result.contacts(), result.notes)
                )
        if files:
            written |= folder.write_rest(result, place, failures, report=report)
    intervals = spread_of(scenario, cases, seed, quiet=json) if spread else None
    summary = screen.attempt(failures, "the summary", result.summary) if json else None
    if summary is not None and intervals is not None:
        summary["spread"] = intervals
    finish(result, failures, written, place, summary)


def finish(
    result: Result, failures: list[str], written: dict[str, Path], place: Path, summary: dict[str, Any] | None
) -> None:
    """Print the list of files, or the summary as JSON, and exit with the exit code of the run."""
    from . import screen

    if summary is not None:
        names = {key: str(path) for key, path in written.items()}
        screen.attempt(
            failures, "the JSON object", lambda: screen.print_json({**summary, "files": names, "failures": failures})
        )
    elif written:
        line = f"Files in {place}: {', '.join(path.name for path in written.values())}"
        screen.attempt(failures, "the list of files", lambda: screen.say(line))
    if not result.fine:
        screen.complain(f"The simulation did not end well ({result.status}). {result.message}")
        if result.status == "cancelled" and written:
            screen.complain(f"Continue with: vitruvian run --continue {shlex.quote(str(place / 'result.nc'))}")
    if not result.fine or failures:
        raise typer.Exit(130 if result.status == "cancelled" else 1)


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


def simulated(scenario: Scenario, resume: Result | None, *, quiet: bool) -> Result:
    """Run a scenario: a note while kernels compile, a bar if it takes over a second, an orderly end on Ctrl-C."""
    import signal
    import sys
    import time

    from .._jit import announcement, cache_is_cold
    from ..kernels import loop

    if cache_is_cold(loop.advance):
        typer.echo(announcement(), err=True)
        scenario.replace({"solver.duration": 1e-6}).run(check=False)  # so that the wall time is that of the simulation
    asked_to_stop = False

    def stop(*_: Any) -> None:
        nonlocal asked_to_stop
        asked_to_stop = True
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a second Ctrl-C ends it at once

    bar: Any = None
    task: Any = None
    started = time.perf_counter()
    before = scenario.table.solver.duration or 0.0

    def progress(now: float, end: float) -> bool:
        nonlocal bar, task
        if bar is None and not quiet and sys.stderr.isatty() and time.perf_counter() - started > 1.0:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            text = TextColumn("{task.completed:.3f} of {task.total:g} s")
            bar = Progress(BarColumn(), text, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
            task = bar.add_task("", total=before)
            bar.start()
        if bar is not None:
            bar.update(task, completed=now)
        return asked_to_stop

    handler = signal.signal(signal.SIGINT, stop)
    try:
        result = scenario.run(progress, resume=resume, check=False)
    finally:
        signal.signal(signal.SIGINT, handler)
        if bar is not None:
            bar.stop()
    result.raise_if_empty()
    return result
