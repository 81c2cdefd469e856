"""`vitruvian list`: the ready scenarios."""

from __future__ import annotations

import typer


def command(json: bool = typer.Option(False, "--json", help="Print one JSON object.")) -> None:
    """List the ready scenarios."""
    from ..scenario import Scenario, library
    from . import screen

    titles = {name: Scenario.load(name).title for name in library()}
    if json:
        screen.print_json(titles)
        return
    screen.listed(titles.items())
    print()
    screen.wrapped(
        'Run one with "vitruvian run NAME". "vitruvian show NAME" prints it, to be changed and kept as your own file.'
    )
