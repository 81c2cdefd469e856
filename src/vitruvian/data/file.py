"""Read TOML and CSV files of users; raise InputError with a clear message for every invalid content."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, shown, spelled

#: tables and lists within each other; deeper ones are refused before anything recurses into them
DEEPEST = 30
#: characters of a path in an error
LONGEST_PATH = 150


def read_text(path: Path, *, latin: bool = False) -> str:
    """Return the text of a file in UTF-8, or with `latin` also in Latin-1."""
    try:
        if path.is_char_device() or path.is_block_device():  # /dev/zero has no end
            raise InputError(f"{path} cannot be read: it is a device. Give a file.")
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"there is no file {path}.") from None
    except (OSError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            if latin:
                return path.read_text(encoding="latin-1")
            raise InputError(f"{path} cannot be read: it is not text in UTF-8.") from None
        raise InputError(f"{path} cannot be read ({getattr(error, 'strerror', None) or error}).") from None


def read_toml(path: Path) -> dict[str, Any]:
    """Return the data of a TOML file."""
    data = parse_toml(read_text(path), str(path))
    refuse_deep(data, str(path))
    return data


def parse_toml(text: str, label: str) -> dict[str, Any]:
    """Return the data of a TOML text; `label` is put before errors."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{label} is not a TOML file: {str(error).rstrip('.')}.") from None
    except ValueError:  # a whole number of over 4300 digits
        raise InputError(f"{label} is not a TOML file: it has a number of several thousand digits.") from None
    except RecursionError:
        raise InputError(f"{label} is not a TOML file: its brackets are nested too deeply.") from None


def refuse_deep(data: Mapping[str, Any], label: str) -> None:
    """Refuse tables and lists that are nested too deeply to be copied and checked."""
    if _depth(data) <= DEEPEST:
        return
    path: str = ""
    node: Any = data
    while len(path) < LONGEST_PATH:  # to the deepest item
        pairs = node.items() if isinstance(node, dict) else enumerate(node)
        nested = [(key, item) for key, item in pairs if isinstance(item, dict | list | tuple)]
        if not nested:
            break
        key, node = max(nested, key=lambda pair: _depth(pair[1]))
        path += _step(key, node)
    top = path.removeprefix(".")[:LONGEST_PATH]
    raise InputError(f"{label}: {top}... is nested more than {DEEPEST} deep; no value of a scenario is.")


def _items(node: Any) -> Iterable[Any]:
    return node.values() if isinstance(node, dict) else node


def _depth(node: Any) -> int:
    """Return how deep a tree is, up to DEEPEST and without recursion."""
    level, depth = [node], 0
    while level and depth <= DEEPEST:
        level = [item for one in level for item in _items(one) if isinstance(item, dict | list | tuple)]
        depth += 1
    return depth


def _step(key: Any, item: Any) -> str:
    """Return the part of a path that leads to an item: its name or number in a list, or its key in a table."""
    name = item.get("name") if isinstance(item, dict) and isinstance(key, int) else key
    return f".{spelled(name)}" if isinstance(name, str) and name else f"[{key}]"


def refuse_schema(table: Mapping[str, Any], version: int, where: str) -> None:
    """Refuse a table whose `schema` is there and is not this version."""
    value = table.get("schema", version)
    if not isinstance(value, int) or isinstance(value, bool) or value != version:
        raise InputError(f"{where}.schema is {shown(value)}; this version of Vitruvian reads schema = {version}.")


def read_csv(lines: Iterable[str], separator: str) -> list[list[str]]:
    """Return the cells of the lines of a CSV file."""
    try:
        return list(csv.reader(lines, delimiter=separator))
    except csv.Error:
        limit = csv.field_size_limit()
        raise InputError(
            f"it is not a CSV file: a cell has over {limit} characters. Is a quotation mark missing?"
        ) from None
