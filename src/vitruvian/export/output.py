"""What all exports share: where a file comes from, and how it is written."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..errors import InputError

if TYPE_CHECKING:
    from ..sim.result import Result


def about(result: Result) -> dict[str, str]:
    """Where the numbers come from, for the head of a file."""
    command = {"command": result.command} if result.command else {}
    return {
        "title": result.title or result.name or "unnamed",
        "scenario": result.name or "made in Python",
        **command,
        "simulated by": f"vitruvian {result.provenance.get('vitruvian', __version__)}",
        "exported by": f"vitruvian {__version__}",
        "status": f"{result.status} at {result.recording.end_time:g} s",
        "method": f"{result.recording.method}, tolerance {result.recording.tolerance:g}",
    }


@contextmanager
def writing(path: str | Path) -> Iterator[Path]:
    """A file beside the one wanted, which takes its place when it is whole; what the system refuses is put in words."""
    path = Path(path)
    temporary = path.with_name(f".{path.stem}.{os.getpid()}.{uuid.uuid4().hex[:8]}.part{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror or error}). Choose another folder.") from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def write_text(path: str | Path, text: str) -> Path:
    """A text file in UTF-8."""
    with writing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
    return Path(path)
