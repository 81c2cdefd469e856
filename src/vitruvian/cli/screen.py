"""What commands share: JSON, tables and the folder for files."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError

if TYPE_CHECKING:
    from ..evidence.check import Check
    from ..sim.result import Result

#: an energy balance error above which a run is not to be trusted [-]
_DOUBTFUL = 0.01


def print_json(value: Any) -> None:
    """One JSON object on the standard output; what is not a finite number is null."""
    print(json.dumps(_finite(value), indent=2, ensure_ascii=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def refuse_unwritable(folder: Path) -> None:
    """Refuse a folder that cannot be made or written, without making anything."""
    at = folder.absolute()
    while not os.path.lexists(at):
        at = at.parent
    if not at.is_dir():
        reason = f"{at} is not a folder"
    elif not os.access(at, os.W_OK | os.X_OK):
        reason = f"{at} may not be written"
    else:
        return
    raise InputError(f"the output folder {folder} cannot be made: {reason}. Choose another one with --out.")


def print_result(result: Result) -> None:
    """The table of a run."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    summary = result.summary()
    table = Table(box=box.SIMPLE_HEAD, show_header=False, title_justify="left", title_style="bold", padding=(0, 1))
    table.title = Text(summary["title"] or summary["name"])
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for name, peak in summary["peaks"].items():
        if peak["acceleration_g"] is None:
            continue
        table.add_row(f"{name} peak acceleration", f"{peak['acceleration_g']:.1f} g", f"at {peak['time']:.4f} s")
        for criterion in ("HIC15", "HIC36"):
            if criterion in peak:
                found = peak[criterion]
                table.add_row(
                    f"{name} {criterion}", f"{found['value']:.0f}", f"from {found['t1']:.4f} to {found['t2']:.4f} s"
                )
    table.add_section()
    contacts = _together(summary["first_contacts"])
    several = len({surface for _, surface, _, _ in contacts}) > 1
    for place, (names, surface, time, speed) in enumerate(contacts):
        where = f" on {surface}" if several else ""
        table.add_row("" if place else "first contacts", f"{time:.4f} s", Text(f"{names}{where} at {speed:.2f} m/s"))
    table.add_section()
    error = summary["balance_error"]
    doubt = Text("too large: reduce solver.tolerance or solver.step", style="bold red") if error > _DOUBTFUL else ""
    table.add_row("energy balance error", f"{100.0 * error:.3g} %", doubt)
    table.add_row("steps", f"{summary['steps']}", f"{summary['rejected']} rejected, {summary['method']}")
    factor = summary["real_time_factor"]
    table.add_row("wall time", f"{summary['wall_time']:.3f} s", f"{factor:.3g} x real time" if factor else "")
    Console(highlight=False).print(table)


def _together(contacts: list[dict[str, Any]]) -> list[tuple[str, str, float, float]]:
    """Bodies, surface, time and speed; contacts of left and right at one moment in one row."""
    rows: list[tuple[str, str, float, float]] = []
    for contact in contacts:
        body, surface, time = contact["body"], contact["surface"], contact["time"]
        same = rows and abs(rows[-1][2] - time) < 5e-5 and rows[-1][1] == surface
        if same and rows[-1][0] in (body.replace("left_", "right_"), body.replace("right_", "left_")):
            rows[-1] = (body.replace("left_", "right_").replace("right_", "left_/right_"), *rows[-1][1:])
        else:
            rows.append((body, surface, time, max(contact["speed"], 0.0)))
    return rows


def print_checks(rows: Iterable[Check], title: str) -> bool:
    """A table of checks; True if none failed."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold")
    table.add_column("name", overflow="fold")
    for heading in ("expected", "got", "tolerance"):
        table.add_column(heading, justify="right", overflow="fold")
    table.add_column("verdict", overflow="fold")
    failed = False
    for row in rows:
        unit = "" if row.unit == "-" else f" {row.unit}"
        verdict = Text(row.verdict, style="bold red" if row.failed else "yellow" if row.skipped else "green")
        if row.note and not row.passed:
            verdict.append(f": {row.note}", style="default")
        numbers = ("" if row.skipped else f"{value:.6g}{unit}" for value in (row.expected, row.got, row.tolerance))
        table.add_row(Text(row.name), *numbers, verdict)
        failed = failed or row.failed
    Console(highlight=False).print(table)
    return not failed
