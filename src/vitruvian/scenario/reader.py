"""Read scenarios: from a file or the library into checked tables, with errors that name file, path and remedy."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from ..data import parse_toml, read_text
from ..errors import InputError, nearest
from .definition import Refusals, Row
from .schema import SCENARIO


class Source(NamedTuple):
    """A scenario as text, and where it came from.

    label   stands before every error
    name    of the scenario: that of its file without ending
    folder  from which the files it mentions are looked up
    """

    text: str
    label: str
    name: str
    folder: Path


def library() -> list[str]:
    """The names of the ready scenarios."""
    folder = files(__package__).joinpath("library")
    return sorted(item.name.removesuffix(".toml") for item in folder.iterdir() if item.name.endswith(".toml"))


def find(name_or_file: str | Path) -> Source:
    """The text of a ready scenario or of a file."""
    text = str(name_or_file)
    known = library()
    if text in known and not isinstance(name_or_file, Path):
        content = files(__package__).joinpath("library", f"{text}.toml").read_text(encoding="utf-8")
        return Source(content, text, text, Path())
    file = Path(name_or_file)
    if file.suffix == ".toml" or file.is_file():
        return Source(_read(file), file.name, file.stem, file.parent)
    if file.exists() or len(file.parts) > 1:
        raise InputError(
            f"{text} is not a scenario file; expected the name of a ready scenario or a file that ends with .toml."
        )
    raise InputError(f'there is no scenario "{text}".{nearest(text, known)} Ready ones: {", ".join(known)}.')


def _read(file: Path) -> str:
    if not file.exists():
        raise InputError(f"there is no file {file}.{nearest(file.stem, library())}")
    return read_text(file)


def read_changes(texts: Iterable[str]) -> dict[str, Any]:
    """Changes from `path=value` texts; a value is read as TOML, and as plain text where it is none."""
    changes = {}
    for text in texts:
        path, sign, value = text.partition("=")
        if not sign or not path.strip():
            raise InputError(f'"{text}" is not a change; expected path=value, as in human.height="165 cm".')
        try:
            changes[path.strip()] = parse_toml(f"value = {value}", path.strip())["value"]
        except InputError:
            changes[path.strip()] = value.strip()
    return changes


def checked(data: dict[str, Any], label: str, folder: Path = Path()) -> Row:
    """Return the data as tables in SI; every error names the file and the dotted path."""
    try:
        return SCENARIO.read(data, "", folder)
    except InputError as error:
        sentences = error.sentences if isinstance(error, Refusals) else [str(error)]
        raise InputError("\n".join(dict.fromkeys(f"{label}: {sentence}" for sentence in sentences))) from None
