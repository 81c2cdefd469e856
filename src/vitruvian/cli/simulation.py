"""The last part of `run`, `pedestrian` and `sled`: simulate, print the answer, write the files, exit."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import typer

from .spread import print_spread, spread_of
from .typed import command_line

if TYPE_CHECKING:
    from ..scenario import Scenario
    from ..sim.result import Result
    from ..study import Spread


class Outcome(Protocol):
    """The outcome of one kind of impact: a sentence, rows of a table, plain values."""

    @property
    def line(self) -> str: ...
    def rows(self) -> list[tuple[str, str]]: ...
    def to_dict(self) -> dict[str, Any]: ...


class Output(NamedTuple):
    """Where the output of a run goes: the folder, whether it is written, with the report, and JSON instead of text.

    contacts  whether the contact audit is printed too
    spread    number of cases and seed of a spread, or None for none
    """

    place: Path
    files: bool
    report: bool
    json: bool
    contacts: bool = False
    spread: tuple[int, int] | None = None


def simulated_and_shown(
    context: typer.Context,
    scenario: Scenario,
    output: Output,
    *,
    outcome_of: Callable[[Result], Outcome | None] | None = None,
    resume: Result | None = None,
    notes: Iterable[str] = (),
) -> None:
    """Simulate, print the answer and the tables, write the files, and exit with the exit code of the run.

    outcome_of  the outcome of this kind of impact; its line is the headline, its table replaces that of the run
    notes       further lines below the table
    """
    from . import folder, run_table, screen

    place, failures = output.place, list[str]()
    written: dict[str, Path] = {}
    spread: Spread | None = None
    intervals: dict[str, Any] | None = None
    with folder.reserved(place, scenario.to_toml()) if output.files else nullcontext():
        result = simulated(scenario, resume, quiet=output.json)
        outcome = None
        if outcome_of is not None and result.fine:
            outcome = screen.attempt(failures, "the outcome", lambda: outcome_of(result))
        result.command, result.headline = command_line(context), outcome.line if outcome else ""
        if output.files:
            written["result"] = folder.save(result, place)
        if output.spread is not None:
            cases, seed = output.spread
            spread, intervals = spread_of(scenario, cases, seed, quiet=output.json)
            outcomes = intervals["outcomes"].items()
            result.intervals = {name: (found["p5"], found["p95"]) for name, found in outcomes}
            result.bands = spread.bands
        if not output.json:
            screen.attempt(failures, "the table", lambda: run_table.print_result(result, outcome))
            if spread is not None:
                found = spread
                screen.attempt(failures, "the spread", lambda: print_spread(found))
            for note in notes:
                screen.say(f"Note: {note}")
            if output.contacts:
                rows = result.contacts()
                screen.attempt(failures, "the contact audit", lambda: screen.print_contacts(rows, result.notes))
        if output.files:
            drawn = None if output.json else lambda picture: print(f"Picture: {picture}", flush=True)
            ghosts = spread.ghosts() if spread is not None and output.report else ()
            written |= folder.write_rest(result, place, failures, report=output.report, drawn=drawn, against=ghosts)
            written |= _outcome_file(outcome, place, failures)
    summary = screen.attempt(failures, "the summary", lambda: _summary(result, outcome)) if output.json else None
    if summary is not None and intervals is not None:
        summary["spread"] = intervals
    finish(result, failures, written, place, summary)


def _outcome_file(outcome: Outcome | None, place: Path, failures: list[str]) -> dict[str, Path]:
    """Write outcome.json, if there is an outcome."""
    from json import dumps

    from .._files import MARK, write_text
    from . import screen

    if outcome is None:
        return {}
    text = dumps({"generator": MARK, **outcome.to_dict()}, indent=2, ensure_ascii=False) + "\n"
    path = screen.attempt(failures, "outcome.json", lambda: write_text(place / "outcome.json", text))
    return {} if path is None else {"outcome": path}


def _summary(result: Result, outcome: Outcome | None) -> dict[str, Any]:
    """Return the object that --json prints: the outcome or the summary, and the answer."""
    made = result.summary() if outcome is None else outcome.to_dict()
    return {**made, "answer": result.answer().to_dict()}


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
