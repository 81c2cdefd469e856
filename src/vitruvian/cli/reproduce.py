"""`vitruvian reproduce`: printed tables and figures of the sources, compared with computed values."""

from __future__ import annotations

from pathlib import Path

import typer


def command(
    names: list[str] = typer.Argument(None, help="Names of reproductions, or all. Without a name: the list."),
    out: Path = typer.Option(Path("out/reproduce"), "--out", help="Folder for the files, one inside it for each name."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    files: bool = typer.Option(True, "--files/--no-files", help="Write the rows as CSV and the figures as PNG."),
) -> None:
    """Compare the printed numbers of the sources with ours; exit with 1 if a verdict is not the stored one."""
    from ..lab.reproduce import REPRODUCTIONS, reproduce
    from .reports import show

    show("reproduce", REPRODUCTIONS, reproduce, names or [], out if files else None, json)
