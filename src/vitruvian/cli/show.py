"""`vitruvian show`: a scenario as text."""

from __future__ import annotations

import typer


def command(
    name: str = typer.Argument(help="Name of a ready scenario, or a TOML file."),
    resolved: bool = typer.Option(False, "--resolved", help="With every default, in SI units."),
) -> None:
    """Print a scenario as TOML, with its description."""
    from ..scenario import Scenario
    from ..scenario.reader import find

    print((Scenario.load(name).to_toml() if resolved else find(name).text).rstrip())
