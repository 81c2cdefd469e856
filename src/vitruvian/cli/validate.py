"""`vitruvian validate`: published measurements of people and cadavers compared with simulated values."""

from __future__ import annotations

from pathlib import Path

import typer


def command(
    names: list[str] = typer.Argument(None, help="Names of cases, or all. Without a name: one table of all targets."),
    calibrate: str = typer.Option(
        None, "--calibrate", metavar="NAME", help="Repeat a calibration and print its values."
    ),
    body: str = typer.Option(
        "measured", "--body", help="Body of the people: measured, or previous (earlier versions)."
    ),
    listing: bool = typer.Option(False, "--list", help="List the cases and the calibrations."),
    out: Path = typer.Option(Path("out/validate"), "--out", help="Folder for the files, one inside it for each name."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    files: bool = typer.Option(True, "--files/--no-files", help="Write the rows as CSV and the figures as PNG."),
) -> None:
    """Compare published measurements with simulated values, and report which values lie inside the measured range.

    Without a name every case runs and one table shows every target and the score. Exit code 1: a value that was inside
    its published interval is outside.
    """
    from ..lab.validate import VALIDATIONS, validate
    from ..lab.validate.body import choose
    from .reports import show

    choose(body)
    if calibrate is not None:
        _calibrate(calibrate, json)
    elif listing:
        _list(json)
    elif names:
        show("validate", VALIDATIONS, validate, names, out if files else None, json)
    else:
        _score(json)


def _score(json: bool) -> None:
    """Print every target with our value, and the score."""
    from ..lab.validate.score import HEADINGS, score
    from . import screen

    with screen.counted("validate") as progress:
        found = score(progress=progress)
    if json:
        screen.print_json(found.record())
    else:
        screen.print_table(HEADINGS, [row.cells() for row in found.rows])
        print(found.line, flush=True)
    for case, change in found.changes:
        if not change.fails:
            typer.echo(f"not stored: {case}: {change.sentence}", err=True)
    if found.fallen:
        typer.echo("Rows that were inside:\n" + "\n".join(found.fallen), err=True)
        raise typer.Exit(1)


def _calibrate(name: str, json: bool) -> None:
    """Print fitted values next to those of the tables, and the targets of the fit."""
    from ..lab.validate.calibration import CALIBRATIONS, calibrate
    from ..lab.validate.target import targets
    from . import screen

    found = calibrate(name)
    if json:
        screen.print_json(found.record(name))
        return
    print(CALIBRATIONS[name].title)
    screen.print_table(("value", "fitted", "in the tables", "remark"), [row.cells() for row in found.values])
    rows = []
    for target in CALIBRATIONS[name].targets:
        ours = f"{found.answers[target]:.4g}" if target in found.answers else ""
        rows.append((targets()[target].name, targets()[target].interval, ours, targets()[target].use))
    screen.print_table(("target", "published", "fitted model", "use"), rows)
    for note in found.notes:
        print(note)


def _list(json: bool) -> None:
    """Print the names of the cases and of the calibrations."""
    from ..lab.validate import VALIDATIONS
    from ..lab.validate.calibration import CALIBRATIONS
    from . import screen

    titles = {
        "cases": {name: entry.title for name, entry in VALIDATIONS.items()},
        "calibrations": {name: fit.title for name, fit in CALIBRATIONS.items()},
    }
    if json:
        screen.print_json(titles)
        return
    for kind, found in titles.items():
        screen.print_table((kind, "title"), list(found.items()))
