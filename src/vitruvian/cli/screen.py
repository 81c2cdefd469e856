"""Output that commands share: JSON, tables, notes on failures and the folder for files."""

from __future__ import annotations

import errno
import json
import math
import os
import sys
import tempfile
import textwrap
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from .._files import shown
from ..errors import InputError, VitruvianError

if TYPE_CHECKING:
    from rich.console import Console

    from ..lab.evidence import Check
    from ..lab.formulations.comparison import Reference, Row
    from ..lab.verdict import Report
    from ..sim.audit import Contact
    from ..sim.result import Result

Made = TypeVar("Made")
#: whether --debug is given: tracebacks are shown
debug = False


def console(width: int = 110) -> Console:
    """Return the console for tables: as wide as the screen, or wide enough for the tables in a file or pipe."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))  # rich would end the process

    # names come from files: they are neither markup nor emoji
    return Screen(highlight=False, markup=False, emoji=False, width=None if _sized() else width)


def _sized() -> bool:
    """Return whether the output has a width: a screen, or COLUMNS; a file or pipe has none."""
    return sys.stdout.isatty() or "COLUMNS" in os.environ


def show(table: Any, width: int = 110) -> None:
    """Print a table whose columns are never narrower than a word; as one block for each row if that does not fit."""
    screen = console(width)
    words = []
    for column in table.columns:
        cells = [str(column.header), *map(str, column.cells)]
        long = max(
            (len(part) for cell in cells for part in (cell.splitlines() if column.no_wrap else cell.split())), default=0
        )
        words.append(long)
        column.min_width = long
    title = [table.title] if table.title else []
    if sum(words) + 2 * len(words) + 2 <= screen.width:
        table.padding = (0, 1)
        screen.print(table)
        return
    for part in title:
        screen.print(part)
    headings = [str(column.header) for column in table.columns]
    for row in zip(*(map(str, column.cells) for column in table.columns), strict=True):
        named = [f"{heading} {cell}".strip() for heading, cell in zip(headings[1:], row[1:], strict=True) if cell]
        for line, indent in ((f"{headings[0]} {row[0]}".strip(), ""), ("; ".join(named), "    ")):
            wrapped(line, indent, screen.width)


def wrapped(text: str, indent: str = "", width: int = 0) -> None:
    """Print text that may come from a file, broken between words at the width of the screen; a file gets it whole."""
    if not _sized():
        print(indent + shown(text))
        return
    room = width or console().width
    print(textwrap.fill(shown(text), room, initial_indent=indent, subsequent_indent=indent, break_long_words=False,
                        break_on_hyphens=False))  # fmt: skip


def listed(rows: Iterable[tuple[str, str]]) -> None:
    """Print names with a sentence each; the sentences are broken between words and stay in their column."""
    found = list(rows)
    wide = max((len(name) for name, _ in found), default=0) + 2
    room = max(console().width, wide + 30)
    for name, text in found:
        lines = textwrap.wrap(shown(text), room - wide, break_long_words=False, break_on_hyphens=False) or [""]
        print(f"{name:<{wide}}{lines[0]}")
        for line in lines[1:]:
            print(" " * wide + line)


def say(text: str) -> None:
    """Print text that may come from a file: keep line breaks, make control characters visible."""
    print(shown(text))


def complain(text: str) -> None:
    """Print text that may come from a file on the standard error; nothing if that is closed."""
    with suppress(OSError, ValueError):
        print(shown(text), file=sys.stderr, flush=True)


def flush() -> str | None:
    """Flush the output; return the reason if that fails, after which further output is dropped."""
    reason = _flushed(sys.stdout)
    if reason not in (None, os.strerror(errno.EPIPE)):  # a reader that has seen enough, such as head
        complain(f"The standard output cannot be written ({reason}).")
    _flushed(sys.stderr)
    return reason


def _flushed(stream: TextIO) -> str | None:
    """Flush a stream; if that fails, drop its output and return the reason."""
    try:
        stream.flush()
    except (OSError, ValueError) as error:
        _drop(stream)
        return str(getattr(error, "strerror", None) or error)
    return None


def _drop(stream: TextIO) -> None:
    """Drop all further output of a stream, or the interpreter tries again when it ends, and exits with 120."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        stream.flush()


def attempt(failures: list[str], what: str, do: Callable[[], Made]) -> Made | None:
    """Run a step that must not lose a result: a failure is added to the list and printed as a note.

    A reader that has seen enough, such as head, closes the standard output: a failure without a note.
    """
    try:
        made = do()
        if reason := flush():
            failures.append(f"{what}: the standard output cannot be written ({reason})")
        return made
    except BrokenPipeError as error:
        failures.append(f"{what}: the standard output cannot be written ({error.strerror})")
        _drop(sys.stdout)
        return None
    except Exception as error:
        if debug:
            traceback.print_exc()
        known = isinstance(error, VitruvianError | OSError)
        failures.append(f"{what}: {error if known else f'{type(error).__name__}: {error}'}")
        complain(f"Note: {what} could not be made: {failures[-1].partition(': ')[2]}")
        flush()
        return None


def print_json(value: Any) -> None:
    """Print one JSON object on the standard output; numbers that are not finite become null."""
    ascii_only = not (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    print(json.dumps(_finite(value), indent=2, ensure_ascii=ascii_only))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def loaded(path: Path) -> Result:
    """Return the result of a file, or of the folder of a run."""
    from ..errors import InputError
    from ..sim.result import Result

    if path.is_dir() and not (path / "result.nc").exists():
        measured = " Measured data (CSV, ISO-MME) are read by vitruvian assess and vitruvian compare."
        other = measured if [*path.glob("*.mme"), *path.glob("*.csv")] else ""
        raise InputError(f"{path} holds no result.nc; give the folder of a run.{other}")
    return Result.load(path / "result.nc" if path.is_dir() else path)


def files_of(path: Path) -> list[Path]:
    """Return the files that are read if this path is given: a result, or measured data."""
    if (path / "result.nc").exists():
        return [path / "result.nc"]
    folder = path if path.is_dir() else path.parent
    measured = path.is_dir() or path.suffix.lower() == ".mme"
    return [path, *folder.glob("*.*"), *folder.glob("[Cc]hannel/*")] if measured else [path]


def folder_of(path: Path) -> Path:
    """Return the folder of a result, given by its file or by its folder."""
    return path if path.is_dir() else path.parent


def refuse_unwritable(folder: Path) -> None:
    """Refuse a folder that cannot be made or written, leaving nothing behind."""
    at = folder.absolute()
    while not os.path.lexists(at):
        at = at.parent
    if not at.is_dir():
        reason = f"{at} is not a folder"
    else:
        try:
            with tempfile.TemporaryDirectory(dir=at):  # permissions alone do not tell: a full or a special file system
                return
        except OSError as error:
            reason = f"{at} cannot be written ({error.strerror or error})"
    raise InputError(f"the output folder {folder} cannot be made: {reason}. Choose another one with --out.")


def print_contacts(rows: list[Contact], notes: tuple[str, ...] = ()) -> None:
    """The contact audit as a table; of the notes of a run those on failed joints below it."""
    from rich.text import Text

    from ..sim.audit import spoken
    from ..sim.failure import SIGN

    if not rows:
        print("Nothing touched anything.")
        return
    table = _table("", "who on what", "first touch", "peak force", "impulse", "lost", "by friction", "depth, flesh")
    for row in rows:
        impulse = sum(part * part for part in row.impulse) ** 0.5
        table.add_row(
            f"{row.order}",
            Text(f"{spoken(row.body)} on {spoken(row.other)}"),
            f"{row.time:.4f} s, {max(row.speed, 0.0):.2f} m/s",
            f"{row.peak_force:.0f} N",
            f"{impulse:.1f} N s",
            f"{row.dissipated:.1f} J",
            f"{row.friction:.1f} J",
            f"{1e3 * row.depth:.1f} mm, {100.0 * row.share:.0f} %",
        )
    show(table, 130)
    for row in rows:
        if row.note:
            wrapped(f"Note: {spoken(row.body)} on {spoken(row.other)}: {row.note}.")
    for note in notes:
        if note.startswith(SIGN):
            say(note)


@contextmanager
def busy() -> Iterator[Callable[[str, int, int], None]]:
    """Show the current step in a line on the screen, removed at its end. Without a screen, print nothing."""
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("") as line:

        def progress(name: str, done: int, total: int) -> None:
            line.update(f"{name} ({done + 1} of {total})")

        yield progress


@contextmanager
def counted(title: str) -> Iterator[Callable[[str, int, int], None]]:
    """Show the current step and its progress in a bar on the screen, removed at its end."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=None)

        def progress(name: str, done: int, total: int) -> None:
            bar.update(task, description=f"{title}: {name}", completed=done, total=total)

        yield progress


def print_checks(rows: list[Check]) -> None:
    """A table of checks: name, expected, got, tolerance, verdict."""
    from rich.text import Text

    from ..lab.evidence import shown

    table = _table("name", "expected", "got", "tolerance", "verdict")
    for row in rows:
        verdict = Text(row.verdict, style="bold red" if row.failed else "yellow" if row.skipped else "green")
        if row.note and not row.passed:
            verdict.append(f": {row.note}", style="default")
        numbers = (row.answer, shown(row.got, row.unit), shown(row.tolerance, row.unit, 2))
        table.add_row(Text(row.name), *numbers, verdict)
    show(table)
    failed, skipped = sum(row.failed for row in rows), sum(row.skipped for row in rows)
    passed = len(rows) - failed - skipped
    print(f"{passed} of {len(rows)} checks passed, {failed} failed, {skipped} skipped.")


def print_times(rows: list[Check]) -> None:
    """A table of times and ratios, with the aim where there is one."""
    from rich.text import Text

    from ..lab.evidence import shown

    table = _table("name", "measured", "aim", "", "note")
    for row in rows:
        aimed = math.isfinite(row.expected)
        verdict = Text("reached" if row.passed else "missed", style="green" if row.passed else "bold yellow")
        numbers = (shown(row.got, row.unit, 3), row.answer)
        table.add_row(Text(row.name), *numbers, verdict if aimed else "", Text(row.note))
    show(table)


def print_comparison(reference: Reference, rows: list[Row]) -> None:
    """A table of formulations: how far from the engine, violation, evaluations, time."""
    from rich.text import Text

    table = _table("formulation", "constraints kept by", "position", "orientation", "violation", "evals", "time", "")
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    for row in rows:
        verdict = Text("FAILED", style="bold red") if row.failed else Text("ok" if row.must_agree else "")
        if row.status != "finished":
            verdict = Text(row.status, style="bold yellow")
        numbers = (f"{row.position:.1e}", f"{row.orientation:.1e} rad", f"{row.violation:.1e}", f"{row.evaluations}")
        table.add_row(Text(row.formulation), Text(row.stabilisation), *numbers, f"{row.wall_time:.2f} s", verdict)
    show(table)
    print(
        f"Largest differences from the engine over {reference.time[-1]:.4g} s, positions relative to "
        f"{reference.size:.3g} m. The engine took {reference.evaluations} evaluations and {reference.wall_time:.3f} s."
    )
    if reference.touch is not None:
        after = 1e3 * (reference.time[-1] - reference.touch)
        print(
            f"First touch at {reference.touch:.4f} s: judged to {after:.3g} ms after it. Later the steps decide more, "
            "because contacts remember friction once a step."
        )
    for note in dict.fromkeys(f"{row.formulation}, {row.stabilisation}: {row.note}" for row in rows if row.note):
        print(note)


def _table(*headings: str) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for heading in headings:
        numeric = heading in ("expected", "got", "tolerance", "measured", "aim")
        table.add_column(heading, justify="right" if numeric else "left", overflow="fold", no_wrap=numeric)
    return table


def print_report(report: Report) -> None:
    """The tables of a reproduction or a validation, its source above and its notes below."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    screen = console()
    screen.print(Text(report.title, style="bold"))
    screen.print(Text(report.source), soft_wrap=True)
    if report.rows:
        table = Table(box=box.SIMPLE_HEAD)
        for place, heading in enumerate(report.rows[0].HEADINGS):
            table.add_column(heading, overflow="fold", justify="right" if place in (1, 2) else "left")
        changed = {change.quantity for change in report.changes}
        for row in report.rows:
            *cells, verdict = row.cells()
            table.add_row(*map(Text, cells), Text(verdict, style="bold red" if row.quantity in changed else ""))
        show(table)
    for extra in report.tables:
        table = Table(box=box.SIMPLE_HEAD, title=Text(extra.title), title_justify="left", title_style="")
        for heading in extra.headings:
            table.add_column(Text(heading), overflow="fold")
        for line in extra.rows:
            table.add_row(*map(Text, line))
        show(table)
    for note in report.notes:
        screen.print(Text(note), soft_wrap=True)


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows of text under headings."""
    from rich.text import Text

    table = _table(*headings)
    for row in rows:
        table.add_row(*map(Text, row))
    show(table)
