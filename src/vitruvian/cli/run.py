"""`vitruvian run`: simulate, print the table, write the files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

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
    json: bool = typer.Option(False, "--json", help="Print one JSON object in place of the table."),
    files: bool = typer.Option(
        True, "--files/--no-files", help="Write result.nc, scenario.toml, motion.png and report.html."
    ),
    report: bool = typer.Option(True, "--report/--no-report", help="Write report.html among them."),
    contacts: bool = typer.Option(False, "--contacts", help="Print the contact audit as well."),
    earlier: Path | None = typer.Option(
        None,
        "--continue",
        metavar="RESULT",
        help='result.nc of a run, or its folder: go on from where it ended; --set solver.duration="3 s" says how far.',
    ),
) -> None:
    """Simulate a scenario, print what happened and write the files."""
    from . import screen

    # everything that can be wrong is found before anything runs or is written
    scenario, resume = _asked(name, changes, earlier)
    scenario.build()
    if out is not None:
        folder = out
    elif earlier is not None and (earlier.is_dir() or earlier.name == "result.nc"):
        folder = screen.folder_of(earlier)
    else:
        folder = Path("out") / scenario.name
    if files:
        screen.refuse_unwritable(folder)

    result = simulated(scenario, resume, quiet=json)
    result.command = command_line(context)
    if scenario.table.vehicle and len(scenario.table.human) == 1 and result.fine:
        from ..scenario.pedestrian import pedestrian_outcome

        result.headline = pedestrian_outcome(result, person=scenario.table.human[0].name).line
    if json:
        summary = result.summary()
        written = write_files(result, folder, report=report) if files else {}
        screen.print_json({**summary, "files": {key: str(path) for key, path in written.items()}})
    else:
        screen.print_result(result)  # before xarray and matplotlib are imported
        if contacts:
            screen.print_contacts(result.contacts())
        if files:
            written = write_files(result, folder, report=report)
            print(f"Files in {folder}: {', '.join(path.name for path in written.values())}", flush=True)
    if not result.fine:
        typer.echo(f"The simulation did not end well ({result.status}). {result.message}", err=True)
        if result.status == "cancelled" and files:
            typer.echo(f"Go on with: vitruvian run --continue {folder / 'result.nc'}", err=True)
        raise typer.Exit(1)


def _asked(name: str | None, changes: list[str], earlier: Path | None) -> tuple[Scenario, Result | None]:
    """The scenario that is to run, and the result from whose end it goes on."""
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
        raise InputError(f"{earlier} holds no scenario; only a run of a scenario can go on.")
    scenario = Scenario.from_toml(result.scenario, name=result.name, label=str(earlier))
    return scenario.replace(read_changes(changes)), result


def simulated(scenario: Scenario, resume: Result | None, *, quiet: bool) -> Result:
    """Run it: a note while kernels are compiled, a bar if it takes over a second, and Ctrl-C ends it in order."""
    import signal
    import sys
    import time

    from .._jit import cache_is_cold
    from ..kernels import loop

    if cache_is_cold(loop.advance):
        typer.echo("compiling kernels, once per machine, about 45 s", err=True)
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


def write_files(
    result: Result, folder: Path, *, report: bool = True, drawn: Callable[[Path], None] | None = None
) -> dict[str, Path]:
    """The files of a run, with or without its report; `drawn` is told the picture, which is written first."""
    from ..errors import InputError
    from ..view.frames import motion

    try:
        folder.mkdir(parents=True, exist_ok=True)
        scenario = folder / "scenario.toml"
        scenario.write_text(result.scenario, encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{folder} cannot be written ({error.strerror or error}). Choose another folder with --out."
        ) from error
    picture = motion(result, folder / "motion.png")
    if drawn is not None:
        drawn(picture)
    written = {"motion": picture, "scenario": scenario, "result": result.save(folder / "result.nc")}
    if report:
        written["report"] = result.report(folder / "report.html")
    return written
