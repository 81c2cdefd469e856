"""`vitruvian modes`: the modes in which a bone bends, drawn, and what each does under a static load."""

from __future__ import annotations

from pathlib import Path

import typer


def command(
    name: str = typer.Argument(help="Name of a ready scenario, or a TOML file."),
    bone: str = typer.Option("", "--bone", help="Body that bends, as left_shank; the first one unless given."),
    modes: str = typer.Option(
        "", "--modes", help='Modes in use: 6, 1,2,5, "2 kHz" or "1 %"; those of the scenario unless given.'
    ),
    without: list[int] = typer.Option([], "--without", help="Number of a mode that is switched off; may be repeated."),
    run: bool = typer.Option(False, "--run", help="Simulate, and take the loads at the largest bending moment."),
    out: Path | None = typer.Option(None, "--out", help="Folder for modes.html and a picture of every mode."),
    changes: list[str] = typer.Option([], "--set", metavar="PATH=VALUE", help="Any other change of the scenario."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of the table."),
) -> None:
    """Print the modes of a bone and the error of leaving some out, and draw every mode.

    The load is a force on the middle of the bone, or with --run that of a run.
    """
    from dataclasses import asdict

    from ..scenario import Scenario, read_changes
    from ..study.bone_modes import bone_modes
    from ..view.mode_page import HEADINGS, mode_rows, summary, write_mode_page
    from . import screen

    scenario = Scenario.load(name, read_changes(changes))
    found = bone_modes(scenario, bone, modes=_choice(modes), without=tuple(without), run=run)
    files = [] if out is None else write_mode_page(found, out)
    if json:
        rows = [asdict(row) for row in found.rows]
        errors = {"energy": found.energy, "displacement": found.displacement}
        screen.print_json({"bone": found.bone, "load": found.load, **errors, "modes": rows})
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title=f"Modes of {found.bone}", title_justify="left")
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading in ("motion", "in use") else "right")
    for row in mode_rows(found):
        table.add_row(*row)
    screen.console().print(table)
    screen.say(summary(found))
    if files:
        print(f"Written: {files[0]}")


def _choice(text: str) -> int | tuple[int, ...] | str | None:
    """Return the modes of an option: a number, several with commas, or words that are read later."""
    parts = [part.strip() for part in text.split(",")]
    if not text:
        return None
    if all(part.isdecimal() for part in parts):
        numbers = tuple(map(int, parts))
        return numbers[0] if len(numbers) == 1 else numbers
    return text
