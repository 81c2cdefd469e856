"""`vitruvian contacts`: every contact of a run, with peak force, impulse and energy."""

from __future__ import annotations

from pathlib import Path

import typer


def command(
    result: Path = typer.Argument(help="result.nc of a run, or its folder."),
    csv: Path | None = typer.Option(None, "--csv", help="Write the table to this file as well, in SI units."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of the table."),
) -> None:
    """Print the contact audit of a run: start, peak force, impulse, energy, penetration and path of each contact."""
    from dataclasses import asdict

    from .._files import refuse_inputs
    from ..sim.audit import write_csv
    from ..sim.failure import KINDS
    from . import screen

    if csv is not None:
        refuse_inputs(csv, screen.files_of(result))
    run = screen.loaded(result)
    rows = run.contacts()
    if csv is not None:
        write_csv(rows, csv)
    if json:
        failed = [event for event in run.recording.events if event.kind in KINDS]
        screen.print_json({"contacts": [asdict(row) for row in rows], "failures": [asdict(event) for event in failed]})
    else:
        screen.print_contacts(rows, run.notes)
        if csv is not None:
            print(f"Written: {csv}")
