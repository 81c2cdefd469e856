"""`vitruvian study`: many cases of a scenario on threads or on a cluster, rows in Parquet, and a page about them."""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    import pandas


def command(
    name: str | None = typer.Argument(
        None, help='Name of a ready study, a TOML file, or a folder with rows; or "report", followed by such a folder.'
    ),
    folder: Path | None = typer.Argument(None, help="With report: folder of the study."),
    out: Path | None = typer.Option(None, "--out", help="Folder for the rows; out/NAME unless given."),
    resume: bool = typer.Option(False, "--resume", help="Continue a study that was interrupted."),
    cases: int | None = typer.Option(None, "--cases", help="Number of cases instead of that of the study."),
    seed: int | None = typer.Option(None, "--seed", help="Seed instead of that of the study."),
    threads: int | None = typer.Option(None, "--threads", min=1, help="Threads; all processors unless given."),
    scheduler: str | None = typer.Option(None, "--scheduler", help="Address of a Dask scheduler that runs the cases."),
    cluster: bool = typer.Option(False, "--cluster", help="Run on processes of this machine, with Dask."),
    sensitivity: str | None = typer.Option(
        None, "--sensitivity", metavar="OUTCOME", help="Print the inputs on which an outcome depends, as in HIC15."
    ),
    indices: str = typer.Option(
        "morris", "--indices", help="With --sensitivity: morris (screening) or sobol (shares)."
    ),
    case: int | None = typer.Option(None, "--case", min=0, help="Run only this case again, with result and report."),
    json: bool = typer.Option(False, "--json", help="Print one JSON object instead of text."),
) -> None:
    """Run a study: many cases of a scenario on the threads of this machine. Without a name, list the ready studies."""
    from ..errors import InputError

    if name is None:
        _list(json)
    elif name == "report":
        if folder is None:
            raise InputError("which study? Give its folder, as in: vitruvian study report out/fall-height.")
        _report(folder, out, json)
    elif folder is not None:
        raise InputError(f'both {name} and {folder} are given; a study takes one name. Its folder is --out "{folder}".')
    else:
        changes = {key: value for key, value in (("cases", cases), ("seed", seed)) if value is not None}
        if sensitivity is not None:
            _sensitivity(name, changes, sensitivity, indices, threads, json)
        elif case is not None:
            _replay(name, changes, case, out, json)
        else:
            where = (scheduler, threads) if scheduler is not None or cluster else None
            _run(name, changes, out, {"resume": resume, "threads": threads}, where, json)


def _run(
    name: str, changes: dict[str, Any], out: Path | None, options: dict[str, Any],
    cluster: tuple[str | None, int | None] | None, json: bool,
) -> None:  # fmt: skip
    """Run a study on threads, or on a cluster: address of its scheduler or None, and number of workers."""
    from .._files import plain_name
    from ..study import load_study
    from ..study.cluster import connected
    from . import screen

    study = load_study(Path(name) if name.endswith(".toml") else name, **changes)
    place = out or Path("out") / plain_name(Path(name).stem, "study")
    started = time.perf_counter()
    try:
        with connected(*cluster) if cluster else nullcontext() as client, bar(Path(name).stem, quiet=json) as progress:
            rows = study.run(place, progress=progress, client=client, **options)
    except KeyboardInterrupt:
        screen.complain(f"Interrupted. Continue with: vitruvian study {name} --out {place} --resume")
        raise typer.Exit(130) from None
    wall = time.perf_counter() - started
    counts = rows["status"].value_counts().to_dict()
    if json:
        screen.print_json({"study": name, "folder": str(place), "cases": len(rows), "status": counts, "wall_s": wall})
        return
    words = ", ".join(f"{number} {status.replace('_', ' ')}" for status, number in counts.items())
    print(f"{len(rows)} cases in {wall:.1f} s: {words}.")
    for line in _reasons(rows):
        screen.say(line)
    print(f"Rows in {place / 'rows'}, page: vitruvian study report {place}")


def _sensitivity(
    name: str, changes: dict[str, Any], outcome: str, indices: str, threads: int | None, json: bool
) -> None:
    """Print the indices of an outcome; `--cases` is the number of trajectories or base samples."""
    from ..study import load_study, sensitivity
    from . import screen

    runs = changes.pop("cases", 8)
    study = load_study(Path(name) if name.endswith(".toml") else name, **changes)
    with bar(outcome, quiet=json) as progress:
        found = sensitivity(study, outcome, method=indices, runs=runs, threads=threads, progress=progress)
    if json:
        screen.print_json(found.to_dict())
    else:
        screen.say(str(found))


def _replay(name: str, changes: dict[str, Any], case: int, out: Path | None, json: bool) -> None:
    """Run one case again; write its result and its report."""
    from .._files import plain_name
    from ..study import load_study
    from . import screen

    result = load_study(Path(name) if name.endswith(".toml") else name, **changes).result(case)
    within = Path(name) if Path(name).is_dir() else Path("out") / plain_name(Path(name).stem, "study")
    place = out or within / f"case-{case:06d}"
    screen.refuse_unwritable(place)
    place.mkdir(parents=True, exist_ok=True)
    written = [result.save(place / "result.nc"), result.report(place / "report.html")]
    if json:
        screen.print_json({"case": case, "status": result.status, "files": [str(path) for path in written]})
    else:
        print(f"Case {case}: {result.status.replace('_', ' ')}. Files in {place}: result.nc, report.html")


def _reasons(rows: pandas.DataFrame, most: int = 5) -> list[str]:
    """Return a line for each of the most frequent kinds of failures: their number, and the first of them.

    Reasons that differ in their numbers only are one kind.
    """
    failed = rows.loc[rows["reason"].fillna("") != "", "reason"]
    kinds: dict[str, list[str]] = {}
    for reason in failed:
        kind = _NUMBER.sub("#", str(reason).partition(" Did you mean")[0])
        kinds.setdefault(kind, []).append(str(reason))
    found = sorted(kinds.values(), key=len, reverse=True)
    lines = [f"{len(some)} x {'' if len(set(some)) == 1 else 'such as: '}{some[0][:160]}" for some in found[:most]]
    rest = sum(map(len, found[most:]))
    return [*lines, f"{rest} others; the page lists them."] if rest else lines


_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")


def _report(folder: Path, out: Path | None, json: bool) -> None:
    from ..study.folder import Folder
    from ..view.study_page import write_study_page
    from . import screen

    held = Folder(folder)
    words = {
        "title": folder.name,
        "definition": held.definition(),
        "command": f"vitruvian study {shlex.quote(str(folder))}",
    }
    path = write_study_page(held.read(), out or folder / "report.html", **words)
    if json:
        screen.print_json({"report": str(path)})
    else:
        print(f"Page: {path}")


def _list(json: bool) -> None:
    from ..study import studies
    from ..study.study_file import title_of
    from . import screen

    titles = {name: title_of(name) for name in studies()}
    if json:
        screen.print_json(titles)
        return
    screen.listed(titles.items())
    print()
    screen.wrapped(
        'Run one with "vitruvian study NAME". "vitruvian show NAME" prints it, to be changed and run with "vitruvian '
        'study FILE.toml".'
    )


@contextmanager
def bar(label: str, *, quiet: bool = False) -> Iterator[Callable[[int, int, int], None] | None]:
    """Show a bar on the standard error with cases, rate, failures so far and time left; give its update."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    shown = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[failed]} failed"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    started, first = time.perf_counter(), None

    with shown:
        task = shown.add_task(label, total=None, rate="", failed=0)

        def update(done: int, total: int, failed: int) -> None:
            nonlocal first
            first = done if first is None else first
            rate = (done - first) / max(time.perf_counter() - started, 1e-9)
            shown.update(task, completed=done, total=total, rate=f"{rate:.1f}/s", failed=failed)

        yield update
