"""The output folder of a run: one writer at a time, and only files of Vitruvian are replaced.

Everything next to `result.nc` belongs to it: the files of an earlier result are removed in the moment in which the new
`result.nc` takes the place of the old one, and the new files follow. A process that is killed at any instant therefore
leaves the old result or the new one, never a mixture.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from .._files import is_marked, locked, write_text, writing
from ..errors import InputError
from . import screen

if TYPE_CHECKING:
    from ..sim.result import Result

RESULT, SCENARIO = "result.nc", "scenario.toml"
#: files that carry the mark of Vitruvian
MARKED = ("motion.png", "report.html", "outcome.json")


@contextmanager
def reserved(folder: Path, scenario: str) -> Iterator[None]:
    """Reserve the folder for a run of a scenario; refuse it if it holds a file that the run would destroy.

    scenario  its text, as it will be written
    """
    screen.refuse_unwritable(folder)
    with locked(folder):
        for path in _foreign(folder, scenario):
            raise InputError(
                f"{path} was not written by Vitruvian, or was changed since; the run would overwrite it. "
                "Move it away, or choose another folder with --out."
            )
        yield


def _foreign(folder: Path, scenario: str) -> Iterator[Path]:
    """Yield the files that a run would replace and that are not of Vitruvian."""
    from ..sim.archive import stored_scenario

    stored = None
    if (folder / RESULT).exists():
        stored = stored_scenario(folder / RESULT)
        if stored is None:
            yield folder / RESULT
    text = _text(folder / SCENARIO)
    if (folder / SCENARIO).exists() and (text is None or text not in (stored, scenario)):
        yield folder / SCENARIO
    for path in (folder / name for name in MARKED):
        if path.exists() and not (path.is_file() and is_marked(path)):
            yield path


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def save(result: Result, folder: Path) -> Path:
    """Write `result.nc`; the other files of an earlier result go when it is complete."""
    from ..sim.archive import packed

    with writing(folder / RESULT) as temporary:
        with temporary.open("wb") as file:
            file.write(packed(result))
            file.flush()
            os.fsync(file.fileno())  # the files of the earlier result go only after the new one is on the disk
        for name in MARKED:
            (folder / name).unlink(missing_ok=True)
        if _text(folder / SCENARIO) != result.scenario:
            (folder / SCENARIO).unlink(missing_ok=True)
    return folder / RESULT


def write_rest(
    result: Result, folder: Path, failures: list[str], *, report: bool, drawn: Callable[[Path], None] | None = None,
    against: Sequence[Result] = (),
) -> dict[str, Path]:  # fmt: skip
    """Write what belongs to a saved result; a file that fails becomes a note and an entry of `failures`.

    drawn    called with the path of the picture as soon as it is there
    against  further results, which the report shows as ghosts
    """
    from ..view.frames import motion

    def picture() -> Path:
        path = motion(result, folder / "motion.png")
        if drawn is not None:
            screen.attempt(failures, "the place of the picture", lambda: drawn(path))
        return path

    steps: dict[str, Callable[[], Path]] = {
        "motion": picture,
        "scenario": lambda: write_text(folder / SCENARIO, result.scenario),
    }
    if report:
        steps["report"] = lambda: result.report(folder / "report.html", against=against)
    names = {"motion": "motion.png", "scenario": SCENARIO, "report": "report.html"}
    made = {key: screen.attempt(failures, names[key], step) for key, step in steps.items()}
    return {key: path for key, path in made.items() if path is not None}
