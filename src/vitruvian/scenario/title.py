"""Titles that keep up with changes."""

from __future__ import annotations

from collections.abc import Mapping
from math import isclose
from typing import Any

from ..errors import shown

#: changes of these say nothing about who and what it is
_ASIDE = ("schema", "name", "title", "description", "solver", "output")
_MOST = 4  # changes that a title tells
_REST = "..."


def worth_telling(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes (dotted path -> value) that a title mentions; none if the title itself is changed."""
    if "title" in changes:
        return {}
    return {path: value for path, value in changes.items() if path.partition(".")[0] not in _ASIDE}


def retitled(title: str, changes: Mapping[str, Any]) -> str:
    """The title of a scenario with what differs from it behind it: "A man falls [human.height = 165 cm]".

    changes  dotted path -> new value, of those that are really other than before
    """
    words, _, before = title.removesuffix("]").partition(" [") if title.endswith("]") else (title, "", "")
    entries = dict(entry.partition(" = ")[::2] for entry in before.split("; ") if entry and entry != _REST)
    entries |= {path: _short(value) for path, value in changes.items()}
    listed = [f"{path} = {value}" if value else path for path, value in entries.items()]
    return f"{words} [{'; '.join(listed[:_MOST] + [_REST] * (len(listed) > _MOST))}]"


def _short(value: Any) -> str:
    """A value as it is written, or nothing for what is long."""
    text = value if isinstance(value, str) else "" if isinstance(value, Mapping) else shown(value)
    return text if len(text) <= 24 and not set(text) & set("[];") else ""


def same(one: Any, other: Any) -> bool:
    """Whether two values of a checked scenario are alike but for rounding."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float | int) and isinstance(other, float | int):
        return isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)
