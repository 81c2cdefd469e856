"""Titles that keep up with changes."""

from __future__ import annotations

from collections.abc import Mapping
from math import isclose
from typing import Any

from ..errors import shown

#: changes of these say nothing about who and what it is
_ASIDE = ("schema", "name", "title", "description", "solver", "output")
_LONG = 60  # letters, from which a value is left out of a title


def worth_telling(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes (dotted path -> value) that a title mentions; none if the title itself is changed."""
    if "title" in changes:
        return {}
    return {path: value for path, value in changes.items() if path.partition(".")[0] not in _ASIDE}


def retitled(name: str, title: str, changes: Mapping[str, Any]) -> str:
    """Return the title of a changed scenario: "fall-4m with human.height = 165 cm; human.sex = female".

    name     of the scenario, which no change makes wrong, as it may make the words of a title
    title    before the changes; if it lists changes, these are kept
    changes  dotted path -> new value, of those that are really other than before
    """
    start = f"{name} with "
    before = title.removeprefix(start) if title.startswith(start) else ""
    entries = dict(entry.partition(" = ")[::2] for entry in before.split("; ") if entry)
    for path, value in changes.items():
        for key in [key for key in entries if key.startswith(f"{path}.")]:
            del entries[key]  # a part of what is replaced as a whole
        entries |= _told(path, value)
    return start + "; ".join(f"{path} = {value}" if value else path for path, value in entries.items())


def _told(path: str, value: Any) -> dict[str, str]:
    """Return a change as paths with values in words; a table gives an entry for each of its keys."""
    if isinstance(value, Mapping):
        return {key: words for name, item in value.items() for key, words in _told(f"{path}.{name}", item).items()}
    if isinstance(value, list | tuple) and not any(isinstance(item, Mapping | list | tuple) for item in value):
        value = f"({', '.join(item if isinstance(item, str) else shown(item) for item in value)})"
    text = value if isinstance(value, str) else shown(value)
    return {path: "" if len(text) > _LONG or ";" in text or "\n" in text else text}


def same(one: Any, other: Any) -> bool:
    """Whether two values of a checked scenario are alike but for rounding."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float | int) and isinstance(other, float | int):
        return isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)
