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
    table.add_column(no_wrap=True)
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
    for first, contact in enumerate(_together(summary["first_contacts"])):
        names, surface, time, speed = contact
        table.add_row(
            "first contacts" if first == 0 else "", f"{time:.4f} s", Text(f"{names} on {surface} at {speed:.2f} m/s")
        )
    table.add_section()
    table.add_row("energy balance error", f"{100.0 * summary['balance_error']:.3g} %", "")
    table.add_row("steps", f"{summary['steps']}", f"{summary['rejected']} rejected, {summary['method']}")
    factor = summary["real_time_factor"]
    table.add_row("wall time", f"{summary['wall_time']:.3f} s", f"{factor:.3g} x real time" if factor else "")
    Console(highlight=False).print(table)


def _together(contacts: list[dict[str, Any]]) -> Iterable[tuple[str, str, float, float]]:
    """Contacts of left and right at one moment in one row."""
    rows: list[list[Any]] = []
    for contact in contacts:
        last = rows[-1] if rows else None
        if (
            last
            and abs(last[2] - contact["time"]) < 5e-5
            and last[1] == contact["surface"]
            and _other(last[0]) == contact["body"]
        ):
            last[0] = (
                "both "
                + contact["body"].replace("left_", "").replace("right_", "")
                + ("" if contact["body"].endswith("foot") else "s")
            )
            last[0] = last[0].replace("both foot", "both feet")
        else:
            rows.append([contact["body"], contact["surface"], contact["time"], contact["speed"]])
    return [(names, surface, time, speed) for names, surface, time, speed in rows]


def _other(name: str) -> str:
    """The same on the other side."""
    return name.replace("left_", "right_") if "left_" in name else name.replace("right_", "left_")


def print_checks(rows: Iterable[Check], title: str) -> bool:
    """A table of checks, each as soon as it is there; True if all passed."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold")
    for heading, side in (
        ("name", "left"),
        ("expected", "right"),
        ("got", "right"),
        ("tolerance", "right"),
        ("verdict", "left"),
    ):
        table.add_column(heading, justify=side, overflow="fold")  # type: ignore[arg-type]
    passed = True
    for row in rows:
        unit = "" if row.unit == "-" else f" {row.unit}"
        verdict = Text("ok", style="green") if row.passed else Text("FAILED", style="bold red")
        if row.note and not row.passed:
            verdict.append(f" {row.note}")
        numbers = (f"{value:.6g}{unit}" for value in (row.expected, row.got, row.tolerance))
        table.add_row(Text(row.name), *numbers, verdict)
        passed = passed and row.passed
    Console(highlight=False).print(table)
    return passed
