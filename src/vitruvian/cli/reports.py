"""Output that `reproduce` and `validate` share: the list of names, the tables, the files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from . import screen

if TYPE_CHECKING:
    from ..lab.verdict import Entry, Report


def show(
    command: str,
    entries: Mapping[str, Entry],
    make: Callable[..., Report],
    names: Sequence[str],
    out: Path | None,
    json: bool,
) -> None:
    """Make the named reports, or list the names if none is given; exit with 1 if a change of a verdict fails.

    command  its name, for the list
    make     the report of a name, told a progress
    out      the folder for the files, or None for none
    """
    if not names:
        _print_list(command, entries, json)
        return
    chosen = list(dict.fromkeys(entry for name in names for entry in (entries if name == "all" else [name])))
    _refuse_unknown(command, chosen, entries)
    if out is not None:
        for name in chosen:
            screen.refuse_unwritable(out / name)

    reports: dict[str, dict[str, Any]] = {}
    changed: list[tuple[bool, str]] = []
    for name in chosen:
        with screen.counted(name) as progress:
            report = make(name, progress)
            written = [] if out is None else report.write(out / name)
        reports[name] = report.record() | {"files": [str(path) for path in written]}
        if not json:
            screen.print_report(report)
            if out is not None:
                print(f"Files in {out / name}: {', '.join(path.name for path in written)}", flush=True)
        changed += [(change.fails, f"{name}: {change.sentence}") for change in report.changes]
    if json:
        screen.print_json(reports)
    if changed:
        typer.echo("Verdicts that are not the stored ones:\n" + "\n".join(words for _, words in changed), err=True)
        if any(fails for fails, _ in changed):
            raise typer.Exit(1)


def _refuse_unknown(command: str, names: Sequence[str], entries: Mapping[str, Entry]) -> None:
    """Raise an error for an unknown name before anything runs."""
    from ..errors import InputError, nearest

    for name in names:
        if name not in entries:
            known = [*entries, "all"]
            raise InputError(f'{command}: there is no "{name}"; accepted: {", ".join(known)}.{nearest(name, known)}')


def _print_list(command: str, entries: Mapping[str, Entry], json: bool) -> None:
    titles = {name: entry.title for name, entry in entries.items()}
    if json:
        screen.print_json(titles)
        return
    screen.listed(titles.items())
    print(f'\nRun one with "vitruvian {command} NAME", or all of them with "vitruvian {command} all".')
