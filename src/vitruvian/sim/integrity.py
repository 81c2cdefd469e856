"""Whether the content of a result file fits together, asked before anything is computed from it.

A channel that is missing is refused: zeros in its place would be read as a head without acceleration. Numbers may be
infinite or not a number, because a run that diverged is a result too.
"""

from __future__ import annotations

import json
from reprlib import repr as _brief
from typing import Any

import numpy as np

from .._files import has_control
from ..errors import InputError
from ..model.element import FILTERS
from ..model.joint import JOINT_TYPES
from .channel import STORED, displacement_mask
from .geometry import SHAPE_KINDS
from .participant import Participant
from .recording import WORK_CLASSES
from .status import ASTRAY, STATUS, fine

REMEDY = "Restore the file, or run its scenario again."
Arrays = dict[str, np.ndarray]
_TEXTS = ("name", "title", "scenario", "criteria", "status", "message", "method")
_COUNTS = ("steps", "rejected", "evaluations")
_NUMBERS = ("end_time", "wall_time", "tolerance")
_LABELS = ("body", "joint", "joint_type", "pair_body", "pair_surface", "sensor", "load_cell", "surface", "part")
#: channels that files of earlier versions do not have
_LATER = ("attitude",)
_EVENTS = ("event_time", "event_kind", "event_body", "event_surface", "event_value")
#: names of bodies in geometry arrays: place of a body, -1 for the world where it is allowed
_PLACES = {"shape_body": 0, "surface_body": -1, "triangle_body": -1, "joint_parent": -1}


def check(arrays: Arrays, attributes: dict[str, Any], *, newest: int) -> None:
    """Refuse arrays and attributes of a file that are missing or do not fit together.

    newest  format up to which files can be read
    """
    _check_attributes(attributes, newest)
    for name in _LABELS:
        _check_labels(name, arrays.get(name, np.zeros(0, dtype=object)))
    sizes = _sizes(arrays)
    _check_channels(arrays, sizes)
    if fine(attributes["status"]):
        _check_poses(arrays)
    _check_events(arrays, attributes)
    _check_final(arrays, attributes, sizes)
    if "body_mass" in arrays:
        _check_geometry(arrays, sizes)
    for name in _json(attributes, "contents"):  # not in files of earlier versions
        _demand(isinstance(name, str) and (name in arrays or name in attributes), f"{_brief(name)} is missing")


def _demand(right: bool, words: str) -> None:
    if not right:
        raise InputError(f"{words}. {REMEDY}")


def _check_attributes(attributes: dict[str, Any], newest: int) -> None:
    written = attributes["vitruvian_format"]
    _demand(_is_count(written) and written >= 1, f"its format is {_brief(written)}; expected a whole number")
    if written > newest:
        raise InputError(f"has format {written}; this version reads up to {newest}. Update vitruvian.")
    for name in (*_TEXTS, *_COUNTS, *_NUMBERS):
        _demand(name in attributes, f"the attribute {name} is missing")
    texts = [
        *_TEXTS,
        *(name for name in ("notes", "people", "command", "headline", "final_empty", "contents") if name in attributes),
    ]
    for name in texts:
        _demand(
            isinstance(attributes[name], str), f"the attribute {name} is {_brief(attributes[name])}; expected a text"
        )
    for name in _COUNTS:
        _demand(_is_count(attributes[name]), f"the attribute {name} is {_brief(attributes[name])}; expected a count")
    for name in _NUMBERS:
        value = attributes[name]
        number = isinstance(value, int | float) and not isinstance(value, bool)
        _demand(
            number and np.isfinite(value) and value >= 0.0,
            f"the attribute {name} is {_brief(value)}; expected a number",
        )
    from .result import HEAD_CRITERIA

    for word in attributes["criteria"].split(", "):
        _demand(not word or word in HEAD_CRITERIA, f"the criterion {_brief(word)} is not known")
    known = [*(status.name for status in STATUS.values()), *ASTRAY]
    _demand(attributes["status"] in known, f"the status is {_brief(attributes['status'])}; known: {', '.join(known)}")
    _demand(
        not has_control(attributes["name"]), f"the name is {_brief(attributes['name'])}; control characters are refused"
    )
    notes, people = (_json(attributes, name) for name in ("notes", "people"))
    _demand(all(isinstance(note, str) for note in notes), "the notes are not a list of texts")
    for person in people:
        _demand(isinstance(person, dict), "the attribute people is not a list of persons")
        required: dict[str, Any] = {"name": str, "sex": str, "height": (int, float), "mass": (int, float)}
        right = set(required) <= set(person) <= set(Participant._fields) and all(
            isinstance(person[key], kind) for key, kind in required.items()
        )
        age = person.get("age")
        right = right and (age is None or isinstance(age, int | float))
        _demand(
            right and not has_control(person["name"]),
            f"the attribute people holds {_brief(person)}, which is no person",
        )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _json(attributes: dict[str, Any], name: str, kind: type = list) -> Any:
    try:
        value = json.loads(attributes.get(name, "[]" if kind is list else "{}"))
    except (ValueError, RecursionError):
        value = None
    _demand(isinstance(value, kind), f"the attribute {name} is not readable")
    return value


def _length(arrays: Arrays, name: str) -> int:
    array = arrays.get(name, np.zeros(0))
    _demand(array.ndim > 0, f"{name} is a single value; expected a list")
    return len(array)


def _check_labels(name: str, labels: np.ndarray) -> None:
    right = labels.ndim == 1 and labels.dtype.kind in "OU" and all(isinstance(label, str) for label in labels)
    _demand(right, f"{name} is not a list of names")
    strange = next((label for label in labels if not label or has_control(label)), None)
    _demand(strange is None, f"{name} holds the name {_brief(strange)}; empty names and control characters are refused")
    if name in ("body", "joint", "sensor"):
        _demand(len(set(labels)) == len(labels), f"{name} holds a name twice")


def _sizes(arrays: Arrays) -> dict[str, int]:
    """Return the length of every dimension."""
    counts = {name: len(arrays.get(name, ())) for name in _LABELS}
    for one, other in (("joint", "body"), ("joint_type", "joint"), ("pair_surface", "pair_body")):
        _demand(counts[one] == counts[other], f"there are {counts[one]} {one} for {counts[other]} {other}")
    _demand(counts["body"] > 0, "there are no bodies")
    strange = next((kind for kind in arrays["joint_type"] if kind not in JOINT_TYPES), None)
    _demand(strange is None, f"joint_type holds {_brief(strange)}; known: {', '.join(JOINT_TYPES)}")
    _check_words(arrays, "load_cell", counts["load_cell"], set(arrays["joint"]))
    _check_words(arrays, "sensor_filter", counts["sensor"], set(FILTERS))
    _check_words(arrays, "joint_parent_body", counts["joint"], {"", *arrays["body"]})
    bodies = set(arrays["body"])
    strange = next((name for name in arrays.get("pair_body", ()) if name not in bodies), None)
    _demand(strange is None, f"pair_body holds {_brief(strange)}, which is not a body")
    for name in ("time", "pose_time"):
        time = arrays.get(name, np.zeros(0))
        right = time.ndim == 1 and time.dtype.kind == "f" and bool(np.isfinite(time).all())
        _demand(right and bool((np.diff(time) > 0.0).all()), f"{name} is not a rising series of times")
    return {
        "time": len(arrays.get("time", ())),
        "pose_time": len(arrays.get("pose_time", ())),
        "body": counts["body"],
        "joint": counts["joint"],
        "pair": counts["pair_body"],
        "sensor": counts["sensor"],
        "load_cell": counts["load_cell"],
        "axis": 3,
        "coordinate": 3,
        "quaternion": 4,
        "work_class": len(WORK_CLASSES),
    }


def _check_words(arrays: Arrays, name: str, count: int, known: set[str]) -> None:
    """Refuse a list, where there is one, that has another length or holds a word that is not known."""
    words = arrays.get(name)
    if words is not None:
        _demand(words.shape == (count,), f"{name} has the shape {words.shape}; expected {(count,)}")
        strange = next((word for word in words if word not in known), None)
        _demand(strange is None, f"{name} holds {_brief(strange)}, which is not known")


def _check_channels(arrays: Arrays, sizes: dict[str, int]) -> None:
    moves = displacement_mask(tuple(arrays["joint_type"])).any()
    for channel in STORED:
        shape = tuple(sizes[dim] for dim in channel.dims)
        spared = channel.name in _LATER or (channel.name == "joint_displacement" and not moves)
        if channel.name not in arrays and (0 in shape or spared):
            continue
        _demand(channel.name in arrays, f"the channel {channel.name} is missing")
        _check_array(channel.name, arrays[channel.name], shape)
    if "joint_excess" in arrays:
        _check_array("joint_excess", arrays["joint_excess"], (sizes["pose_time"], sizes["joint"]))
    _demand("balance_error" in arrays, "balance_error is missing")
    _check_array("balance_error", arrays["balance_error"], ())


def _check_poses(arrays: Arrays) -> None:
    """Refuse poses that a run that ended well cannot have."""
    if "position" in arrays:
        length = np.linalg.norm(arrays["orientation"], axis=-1)
        _demand(bool((abs(length - 1.0) < 1e-6).all()), "orientation does not hold unit quaternions")
        _demand(bool(np.isfinite(arrays["position"]).all()), "position holds numbers that are not finite")


def _check_array(name: str, array: np.ndarray, shape: tuple[int, ...], kind: str = "f") -> None:
    _demand(array.dtype.kind in kind, f"{name} holds {array.dtype}; expected numbers")
    _demand(array.shape == shape, f"{name} has the shape {array.shape}; expected {shape}")


def _check_events(arrays: Arrays, attributes: dict[str, Any]) -> None:
    columns = [arrays.get(name, np.zeros(0)) for name in _EVENTS]
    count = _length(arrays, "event_time")
    for name, column in zip(_EVENTS, columns, strict=True):
        _demand(column.shape == (count,), f"{name} has the shape {column.shape}; expected {(count,)}")
        kinds = "f" if name in ("event_time", "event_value") else "OU"
        _demand(not count or column.dtype.kind in kinds, f"{name} holds {column.dtype}")
    if count:
        time = columns[0]
        inside = bool(((time >= 0.0) & (time <= attributes["end_time"] * (1.0 + 1e-9))).all())
        _demand(inside, f"event_time is not between 0 and {attributes['end_time']:g} s")
        bodies = set(arrays["body"])
        others = bodies.union(*(arrays.get(name, ()) for name in ("pair_surface", "surface", "part")))
        for kind, body, surface in zip(*columns[1:4], strict=True):
            right = kind in ("touch", "separation", "stop") and body in bodies and (surface in others or not surface)
            _demand(
                right,
                f"there is an event {_brief(kind)} of {_brief(body)} and {_brief(surface)}, which are not in the file",
            )


def _check_final(arrays: Arrays, attributes: dict[str, Any], sizes: dict[str, int]) -> None:
    for name, entry in _json(attributes, "final_empty", dict).items():
        right = isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], list)
        right = right and all(_is_count(size) for size in entry[0]) and 0 in entry[0]
        _demand(
            right and entry[1] in ("float64", "int64", "bool", "uint8"), f"final_empty holds {name}: {_brief(entry)}"
        )
    pairs = sizes["pair"]
    if pairs and "final_memory" in arrays:
        width = arrays["final_memory"].shape[-1]  # of earlier versions another one
        shapes = {"memory": (pairs, width), "pair_size": (pairs,), "pair_limit": (pairs,), "pair_group": (pairs,)}
        for name, shape in shapes.items():
            if name == "pair_group" and f"final_{name}" not in arrays:  # not in files of earlier versions
                continue
            _demand(f"final_{name}" in arrays, f"final_{name} is missing")
            _check_array(f"final_{name}", arrays[f"final_{name}"], shape)
        _demand(bool((arrays["final_pair_size"] > 0.0).all()), "final_pair_size is not greater than zero")
    for name, array in arrays.items():
        if name.startswith("final_"):
            _demand(array.dtype.kind in "fiub", f"{name} holds {array.dtype}; expected numbers")


def _check_geometry(arrays: Arrays, sizes: dict[str, int]) -> None:
    """Numbers of bodies, shapes, surfaces and vertices that are there, and rows of one length."""
    names = ("shape_body", "triangle_body", "surface", "vertex_position")
    shapes, triangles, planes, vertices = (_length(arrays, name) for name in names)
    rows = {
        "body_mass": (sizes["body"],),
        "shape_body": (shapes,), "shape_kind": (shapes,), "shape_semi_axes": (shapes, 3),
        "shape_exponents": (shapes, 2), "shape_offset": (shapes, 3), "shape_rotation": (shapes, 4),
        "surface_body": (planes,), "surface_point": (planes, 3), "surface_normal": (planes, 3),
        "vertex_position": (vertices, 3), "triangle_vertices": (triangles, 3), "triangle_body": (triangles,),
        "triangle_part": (triangles,), "joint_parent": (sizes["body"],),
        "joint_point_parent": (sizes["body"], 3), "joint_point_child": (sizes["body"], 3),
    }  # fmt: skip
    optional = ("shape_kind", "shape_exponents", "surface_body", "triangle_part")  # not in files of earlier versions
    for name, shape in rows.items():
        if 0 in shape or (name in optional and name not in arrays):
            continue
        _demand(name in arrays, f"{name} is missing")
        _check_array(name, arrays[name], shape, "fiu")
        _demand(bool(np.isfinite(arrays[name]).all()), f"{name} holds numbers that are not finite")
    limits = {name: (least, sizes["body"]) for name, least in _PLACES.items()} | {
        "shape_kind": (0, len(SHAPE_KINDS)),
        "triangle_vertices": (0, vertices),
        "triangle_part": (-1, len(arrays.get("part", ()))),
    }
    for name, (least, end) in limits.items():
        values = arrays.get(name, np.zeros(0))
        right = not values.size or (values.min() >= least and values.max() < end)
        _demand(bool(right), f"{name} refers to what is not there; accepted {least} to {end - 1}")
    _demand(bool((arrays["body_mass"] >= 0.0).all()), "body_mass is negative")
    if "shape_semi_axes" in arrays:
        _demand(bool((arrays["shape_semi_axes"] > 0.0).all()), "shape_semi_axes are not greater than zero")
