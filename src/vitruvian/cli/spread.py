"""`--spread`: every outcome with an interval, for `run`, `pedestrian` and `sled`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from .study import bar

if TYPE_CHECKING:
    from ..scenario import Scenario
    from ..study import Spread

SPREAD = typer.Option(False, "--spread", help="Also run cases over the ranges of the data tables: an interval each.")
CASES = typer.Option(64, "--cases", min=8, help="With --spread: number of cases.")
SEED = typer.Option(0, "--seed", min=0, help="With --spread: seed of the cases.")


def spread_of(scenario: Scenario, cases: int, seed: int, *, quiet: bool) -> tuple[Spread, dict[str, Any]]:
    """Run the cases; return the spread, and its intervals as plain values."""
    from ..study import spread

    with bar("spread", quiet=quiet) as progress:
        found = spread(scenario, cases, seed, progress=progress)
    return found, found.to_dict()


def print_spread(found: Spread) -> None:
    from rich import box
    from rich.table import Table

    from ..study.case import unit
    from ..study.spread import short
    from . import screen

    table = Table(box=box.SIMPLE_HEAD, title=f"Spread of {len(found.rows)} cases", title_justify="left")
    for heading in ("outcome", "median", "5 to 95 %", "happens", "driven by (rank correlation)"):
        table.add_column(heading, justify="right" if heading in ("median", "happens") else "left", overflow="fold")
    for one in found.intervals:
        drivers = ", ".join(f"{short(driver.path)} {driver.correlation:+.2f}" for driver in one.drivers)
        name = f"{one.name} [{unit(one.name) or '-'}]" + " (chaotic)" * one.chaotic
        table.add_row(name, _number(one.median), f"{_number(one.low)} to {_number(one.high)}",
                      f"{100.0 * one.share:.0f} %", drivers or "none found")  # fmt: skip
    screen.show(table)
    for note in found.notes:
        screen.say(f"Note: {note}")


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100.0 else f"{value:.3g}"
