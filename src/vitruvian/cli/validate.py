"""`vitruvian validate`: published measurements of people and cadavers compared with simulated values."""

from __future__ import annotations

from pathlib import Path

import typer


def command(
    names: list[str] = typer.Argument(None, help="Names of validations, or all. Without a name: the list."),
    out: Path = typer.Option(Path("out/validate"), "--out", help="Folder for the files, one inside it for each name."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    files: bool = typer.Option(True, "--files/--no-files", help="Write the rows as CSV and the figures as PNG."),
) -> None:
    """Compare published measurements with simulated values, and report which values lie inside the measured range."""
    from ..lab.validate import VALIDATIONS, validate
    from .reports import show

    show("validate", VALIDATIONS, validate, names or [], out if files else None, json)
