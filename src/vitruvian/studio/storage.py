"""The working folder: where the page may save, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .._files import write_text
from ..errors import InputError

#: letters, digits and a few signs; begins with a letter or a digit, so that it is neither hidden nor an option
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+-]{0,99}")
#: keys of scenarios under which a text is a file, and those under which it may be one
_FILE_KEYS, _NAME_KEYS = ("file", "measured"), ("posture", "front", "base")
_ENDINGS = (".toml", ".csv")
#: names that Windows keeps for devices, with any ending
_DEVICES = {"con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(1, 10))}


def inside(folder: Path, name: str, ending: str) -> Path:
    """Return the path of a file in the folder by the name that a user typed into the page.

    ending  that the name is to have, with its dot; added where it is missing

    Only plain names are taken: no folders, no drives, no link that leads out.
    """
    text = name.strip()
    if text.endswith(ending):
        text = text[: -len(ending)]
    if not _NAME.fullmatch(text) or text.endswith((".", " ")) or text.partition(".")[0].lower() in _DEVICES:
        raise InputError(
            f"{name!r} is not a name for a file here; accepted: letters, digits, spaces, dots, - and _, "
            f"without a folder, as in my-fall{ending}."
        )
    path = folder.resolve() / f"{text}{ending}"
    if path.is_symlink() or path.resolve().parent != folder.resolve():
        raise InputError(f"{path.name} leads out of the working folder; choose another name.")
    if path.exists() and not path.is_file():
        raise InputError(f"{path.name} is not a file; choose another name.")
    return path


def refuse_files(changes: Mapping[str, Any]) -> None:
    """Refuse changes that would make this machine read a file: postures, fronts, persons and meshes may name one.

    changes  path -> value, as a user typed them into the page
    """
    for path, value in changes.items():
        for key, word in _words(path.rpartition(".")[2], value):
            if key in _FILE_KEYS or (key in _NAME_KEYS and word.lower().endswith(_ENDINGS)):
                raise InputError(
                    f"{path} names the file {word!r}; the page reads no files. Write it into a scenario file and begin "
                    "with that: vitruvian studio my-scenario.toml"
                )


def _words(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """Every text in a value with the key that it stands under."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        for inner, item in value.items():
            yield from _words(str(inner), item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _words(key, item)


def save(folder: Path, name: str, ending: str, content: str) -> Path:
    """Write a text file into the folder; refuse the name of a file that is there."""
    path = inside(folder, name, ending)
    if path.exists():
        raise InputError(f"{path.name} is there already and is kept; choose another name.")
    return write_text(path, content)
