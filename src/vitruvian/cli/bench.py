"""`vitruvian bench`: measure the speed on this machine."""

from __future__ import annotations

import typer


def command(
    json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    peers: bool = typer.Option(
        False, "--peers", help="Compare with MuJoCo and Pinocchio, as ratios from the same run."
    ),
) -> None:
    """Measure the speed on this machine. A time that misses its target is no error: the machine may be busy."""
    from dataclasses import asdict

    from ..lab.bench import engine
    from . import screen

    with screen.busy() as progress:
        rows = engine.run(peers, progress)
    if json:
        screen.print_json({"rows": [asdict(row) for row in rows]})
    else:
        screen.print_times(rows)
