"""A run on the screen: the answer, and below it the table of its outcome or of its motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._files import one_line
from . import screen

if TYPE_CHECKING:
    from ..sim.result import Result
    from .simulation import Outcome

_WIDEST = 100  # of a line of the answer [characters]
_HUGE = 1e7  # from which numbers are printed with a power of ten


def print_result(result: Result, outcome: Outcome | None = None) -> None:
    """Print the answer of a run, and below it the table of its outcome or of its motion, and how it was computed.

    outcome  of a kind of impact; its table replaces that of the motion
    """
    from rich.text import Text

    from ..view.facts import facts

    console = screen.console()
    console.print(Text(one_line(result.title or result.name), style="bold"))
    if result.headline:
        console.print(Text(result.headline, style="bold"))
    for name, words in facts(result):
        if name.startswith(("Person", "Surface", "Vehicle")):
            console.print(Text(one_line(f"{name}: {words}")))
    screen.say(f"\n{result.answer().text(min(console.width, _WIDEST))}")
    console.print(_motion_table(result) if outcome is None else _outcome_table(outcome))
    summary = result.summary()
    found = [item for peak in summary["peaks"].values() for item in peak.values() if isinstance(item, dict)]
    for words in sorted({item["filter"] for item in found}):
        if "unfiltered" in words or "too slow" in words:
            print(f"Note: criteria of the head: {words}.")
    for criterion, reason in summary["missing"].items():
        screen.say(f"{criterion} is not computed: {reason.rstrip('.')}.")


def _rows_table() -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_header=False, padding=(0, 1))
    table.add_column(no_wrap=True)
    return table


def _outcome_table(outcome: Outcome) -> Any:
    """The table of the outcome of an impact."""
    from rich.text import Text

    table = _rows_table()
    for name, value in outcome.rows():
        table.add_row(name, Text(value))
    return table


def _motion_table(result: Result) -> Any:
    """The table of peaks, first contacts and how the run was computed."""
    from rich.text import Text

    from ..sim.audit import spoken, together
    from ..sim.conservation import MOST_ERROR

    summary = result.summary()
    table = _rows_table()
    table.add_column(justify="right", no_wrap=True)
    table.add_column()
    for name, peak in summary["peaks"].items():
        if peak["acceleration_g"] is not None:
            size = peak["acceleration_g"]
            peaked = f"{size:.1f} g" if size < _HUGE else f"{size:.3g} g"
            table.add_row(f"{name} peak acceleration", peaked, f"at {peak['time']:.4f} s")
        for criterion, found in peak.items():
            if isinstance(found, dict):
                value = f"{found['value']:.0f}" if 100.0 <= found["value"] < _HUGE else f"{found['value']:.3g}"
                unit = "" if found["unit"] == "-" else f" {found['unit']}"
                when = f"from {found['t1']:.4f} to" if found["t2"] > found["t1"] else "at"
                trust = f", {found['trust']}" if found["trust"] else ""
                table.add_row(f"{name} {criterion}", value + unit, f"{when} {found['t2']:.4f} s{trust}")
    table.add_section()
    contacts = together(summary["first_contacts"], result.roster)
    several = len({surface for _, surface, _, _ in contacts}) > 1
    for place, (names, surface, time, speed) in enumerate(contacts):
        where = f" on {spoken(surface)}" if several else ""
        words = f"{spoken(names)}{where} at {speed:.2f} m/s"
        table.add_row("" if place else "first contacts", f"{time:.4f} s", Text(words))
    table.add_section()
    error = summary["balance_error"]
    doubt = Text("too large: see above", style="bold red") if error > MOST_ERROR else ""
    table.add_row("energy balance error", f"{100.0 * error:.3g} %", doubt)
    table.add_row("steps", f"{summary['steps']}", f"{summary['rejected']} rejected, {summary['method']}")
    factor = summary["real_time_factor"]
    table.add_row("wall time", f"{summary['wall_time']:.3f} s", f"{factor:.3g} x real time" if factor else "")
    return table
