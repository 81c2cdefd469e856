"""`vitruvian list`: the ready scenarios."""

from __future__ import annotations

import typer


def command(json: bool = typer.Option(False, "--json", help="Print one JSON object.")) -> None:
    """List the ready scenarios."""
    from ..scenario import Scenario, library

    titles = {name: Scenario.load(name).title for name in library()}
    if json:
        from .screen import print_json

        print_json(titles)
        return
    width = max(map(len, titles))
    for name, title in titles.items():
        print(f"{name:<{width}}  {title}")
    print(
        '\nRun one with "vitruvian run NAME". "vitruvian show NAME" prints it, to be changed and kept as your own file.'
    )
