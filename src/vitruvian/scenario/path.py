"""Dotted paths: `human.height`, `surface.ground.contact`, `joint[1].start`. The same in errors, --set and replace."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from typing import Any

from ..errors import InputError, nearest, shown, spelled

_TOKEN = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
#: where a word names a ready table, of which a part can be changed: { base = word, ... }
_READY = ("contact", "posture", "front")


def tokens(path: str) -> list[str]:
    """The parts of a path: "joint[1].start" gives joint, 1, start."""
    parts = [name or index for name, index in _TOKEN.findall(path)]
    if not parts or re.sub(_TOKEN, "", path).strip(".") or ".." in path or path[0] in ".[" or path.endswith("."):
        raise InputError(f'"{path}" is not a path; expected keys with dots between them, as in human.start.velocity.')
    return parts


#: what a change of a person takes the place of, unless it is changed too
_GIVES_WAY = {
    "preset": ("height", "mass", "sex", "age", "percentile", "population", "measured"),
    "percentile": ("height", "mass", "preset", "measured"),
    "measured": ("height", "mass", "sex", "age", "percentile", "population", "preset"),
}


def give_way(data: dict[str, Any], paths: Iterable[str]) -> None:
    """Remove the keys of a person that changes at these paths replace; the data are changed in place.

    A preset or percentile replaces height and mass; height and mass replace a percentile.
    """
    changed: dict[int, tuple[dict[str, Any], set[str]]] = {}
    for path in paths:
        if tokens(path)[0] == "human":
            person, key = _parent(data, path)
            if isinstance(person, dict):
                changed.setdefault(id(person), (person, set()))[1].add(key)
    for person, keys in changed.values():
        old = {name for key in keys for name in _GIVES_WAY.get(key, ())}
        if {"height", "mass"} <= keys:
            old |= {"percentile", "population"}
        for name in old - keys:
            person.pop(name, None)


def assign(data: dict[str, Any], path: str, value: Any) -> None:
    """Set the value at a path, in place; tables on the way are made where they are missing."""
    node, key = _parent(data, path)
    if isinstance(node, list):
        node[_index(node, key, path)] = value
    else:
        node[key] = value


def look_up(data: dict[str, Any], path: str) -> Any:
    """The value at a path, or None where there is none."""
    try:
        node, key = _parent(copy.deepcopy(data), path)
        return node[_index(node, key, path)] if isinstance(node, list) else node.get(key)
    except InputError:
        return None


def _parent(data: dict[str, Any], path: str) -> tuple[Any, str]:
    """The table or list in which a path ends, and its last part; tables on the way are made."""
    parts = tokens(path)
    node: Any = data
    done: list[str] = []
    while len(parts) > 1:
        key = parts.pop(0)
        done.append(key)
        if isinstance(node, list):
            node = node[_index(node, key, ".".join(done))]
            continue
        inner = node.get(key)
        if isinstance(inner, str) and key in _READY:
            inner = node[key] = {"base": inner}
        elif inner is None:
            inner = node[key] = {}
        if isinstance(inner, list) and _is_tables(inner) and _find(inner, parts[0]) is None and len(inner) == 1:
            inner = inner[0]  # the only one need not be named
        elif isinstance(inner, dict) and len(parts) > 1 and inner.get("name") == parts[0] and parts[0] not in inner:
            done.append(parts.pop(0))  # but may be
        if not isinstance(inner, dict | list):
            raise InputError(f"{'.'.join(done)} is {shown(inner)} and has no {parts[0]!r}.")
        node = inner
    return node, parts[0]


def _is_tables(items: list[Any]) -> bool:
    return all(isinstance(item, dict) for item in items)


def _find(items: list[Any], key: str) -> int | None:
    """The place of an item by its name or its number."""
    for place, item in enumerate(items):
        if isinstance(item, dict) and item.get("name") == key:
            return place
    return int(key) if key.isdigit() and int(key) < len(items) else None


def _index(items: list[Any], key: str, where: str) -> int:
    found = _find(items, key)
    if found is None:
        names = [str(item["name"]) for item in items if isinstance(item, dict) and "name" in item]
        accepted = ", ".join(names) if names else f"0 to {len(items) - 1}"
        raise InputError(f"{where} is not there; accepted instead of {key!r}: {accepted}.{nearest(key, names)}")
    return found


def dotted(location: tuple[int | str, ...], data: Any) -> str:
    """The path of a place in the data, items of lists by their names where they have one."""
    text = ""
    node = data
    for part in location:
        if isinstance(part, int):
            if isinstance(node, dict):
                continue  # a table that stands for a list of one
            node = node[part] if isinstance(node, list | tuple) and part < len(node) else None
            name = node.get("name") if isinstance(node, dict) else None
            text += f".{spelled(name)}" if isinstance(name, str) and name else f"[{part}]"
        else:
            text += f".{spelled(part)}" if text else spelled(part)
            node = node.get(part) if isinstance(node, dict) else None
    return text
