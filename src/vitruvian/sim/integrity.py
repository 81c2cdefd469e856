"""Whether the content of a result file fits together, asked before anything is computed from it.

A channel that is missing is refused: zeros in its place would be read as a head without acceleration. Numbers may be
infinite or not a number, because a run that diverged is a result too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from reprlib import repr as _brief
from typing import Any

import numpy as np

from .._files import has_control
from ..errors import InputError
from ..model.element import FILTERS
from ..model.joint import JOINT_TYPES
from ..model.roster import Roster
from .channel import STORED, dimension_sizes, displacement_mask
from .geometry import SHAPE_KINDS, Geometry
from .recording import Recording
from .status import ASTRAY, STATUS, fine

REMEDY = "Restore the file, or run its scenario again."
Arrays = dict[str, np.ndarray]
_TEXTS = ("name", "title", "scenario", "criteria", "status", "message", "method", "notes", "command", "headline")
_COUNTS = ("steps", "rejected", "evaluations")
_NUMBERS = ("end_time", "wall_time", "tolerance")
_LABELS = (
    "body",
    "joint",
    "joint_type",
    "pair_body",
    "pair_surface",
    "sensor",
    "load_cell",
    "loop",
    "webbing",
    "muscle",
    "muscle_point",
    "point",
    "airbag",
    "dip",
    "surface",
    "part",
)
LATER = ("shear_stress", "deflection")  # channels that files of earlier versions do not have
_EVENTS = ("event_time", "event_kind", "event_body", "event_surface", "event_value")


def check(arrays: Arrays, attributes: dict[str, Any], *, newest: int) -> None:
    """Refuse arrays and attributes of a file that are missing or do not fit together.

    newest  format up to which files can be read
    """
    _check_attributes(attributes, newest)
    for name in _LABELS:
        _check_labels(name, arrays.get(name, np.zeros(0, dtype=object)))
    sizes = _sizes(arrays)
    if "roster" in attributes:
        _check_roster(_json(attributes, "roster", dict), arrays)
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
    for name in (*_COUNTS, *_NUMBERS):
        _demand(name in attributes, f"the attribute {name} is missing")
    for name in (*_TEXTS, "final_empty", *({"roster", "contents"} & set(attributes))):
        _demand(name in attributes, f"the attribute {name} is missing")
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
    from .summary import HEAD_CRITERIA

    for word in attributes["criteria"].split(", "):
        _demand(not word or word in HEAD_CRITERIA, f"the criterion {_brief(word)} is not known")
    known = [*(status.name for status in STATUS.values()), *ASTRAY]
    _demand(attributes["status"] in known, f"the status is {_brief(attributes['status'])}; known: {', '.join(known)}")
    _demand(
        not has_control(attributes["name"]), f"the name is {_brief(attributes['name'])}; control characters are refused"
    )
    notes = _json(attributes, "notes")
    _demand(all(isinstance(note, str) for note in notes), "the notes are not a list of texts")


def _check_roster(given: dict[str, Any], arrays: Arrays) -> None:
    """Refuse a roster whose entries are not people, vehicles, surfaces and sensors with parts that are in the file."""
    bodies, joints, sensors = (set(arrays.get(name, ())) for name in ("body", "joint", "sensor"))
    try:
        roster = Roster.from_dict(given)
    except (TypeError, KeyError, ValueError) as error:
        raise InputError(f"the attribute roster is not readable ({error}). {REMEDY}") from None
    for person in roster.people:
        sizes = (person.height, person.mass, *(() if person.age is None else (person.age,)))
        right = person.sex in ("male", "female") and all(isinstance(size, int | float) and size > 0.0 for size in sizes)
        for parts, known in ((person.segments, bodies), (person.joints, joints), (person.sensors, sensors)):
            right = right and isinstance(parts, dict) and _texts(parts) and _texts(parts.values())
            right = right and set(parts.values()) <= known
        right = right and isinstance(person.links, tuple) and _texts(person.links) and set(person.links) <= bodies
        _demand(right, f"the roster holds {_brief(person)}, which is no person of this file")
    for vehicle in roster.vehicles:
        right = _texts((vehicle.body, *vehicle.surfaces, vehicle.front)) and isinstance(vehicle.speed, int | float)
        right = right and vehicle.body in bodies
        _demand(right, f"the roster holds {_brief(vehicle)}, which is no vehicle of this file")
    for surface in roster.surfaces:
        right = isinstance(surface.parts, dict) and _texts((*surface.parts, *surface.parts.values(), surface.material))
        _demand(right, f"the roster holds {_brief(surface)}, which is no surface")
    rows: list[Any] = [*roster.people, *roster.vehicles, *roster.surfaces, *roster.sensors]
    _demand(_texts(row.name for row in rows), "the roster holds a name that is no text or has control characters")


def _texts(words: Iterable[Any]) -> bool:
    return all(isinstance(word, str) and not has_control(word) for word in words)


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
    clocks = {name: len(arrays.get(name, ())) for name in ("time", "pose_time")}
    rows = ("body", "joint", "sensor", "load_cell", "loop", "point")
    lines = ("webbing", "airbag", "dip", "muscle", "muscle_point")
    items = {name: counts[name] for name in (*rows, *lines)}
    return dimension_sizes(clocks | items | {"pair": counts["pair_body"]})


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
        spared = channel.name in LATER or (channel.name == "joint_displacement" and not moves)
        if channel.name not in arrays and (0 in shape or spared):
            continue
        _demand(channel.name in arrays, f"the channel {channel.name} is missing")
        _check_array(channel.name, arrays[channel.name], shape)
    if "joint_excess" in arrays:
        _check_array("joint_excess", arrays["joint_excess"], (sizes["pose_time"], sizes["joint"]))
    for name, rest in (("point_axes", (2, 3)), ("point_young", ()), ("point_poisson", ())):
        if name in arrays:
            _check_array(name, arrays[name], (sizes["point"], *rest))
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
        items = ("pair_surface", "surface", "part", "loop", "joint", "airbag")
        others = bodies.union(*(arrays.get(name, ()) for name in items))
        others |= {Recording.belt_of(str(name)) for name in arrays.get("webbing", ())}
        known = ("touch", "separation", "stop", "release", "failure", "fracture", "lock", "lift", "submarining", "fire")
        for kind, body, surface in zip(*columns[1:4], strict=True):
            right = kind in known and body in bodies
            right = right and (surface in others or not surface)
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
        width = arrays["final_memory"].shape[-1]
        shapes = {"memory": (pairs, width), "pair_size": (pairs,), "pair_limit": (pairs,), "pair_group": (pairs,)}
        if "final_pair_share" in arrays:  # earlier versions did not keep it
            shapes["pair_share"] = (pairs,)
        for name, shape in shapes.items():
            _demand(f"final_{name}" in arrays, f"final_{name} is missing")
            _check_array(f"final_{name}", arrays[f"final_{name}"], shape)
        _demand(bool((arrays["final_pair_size"] > 0.0).all()), "final_pair_size is not greater than zero")
    for name, array in arrays.items():
        if name.startswith("final_"):
            _demand(array.dtype.kind in "fiub", f"{name} holds {array.dtype}; expected numbers")


def _check_geometry(arrays: Arrays, sizes: dict[str, int]) -> None:
    """Numbers of bodies, shapes, surfaces and vertices that are there, and rows of one length."""
    leading = {
        "shape": "shape_body",
        "outline": "outline_body",
        "triangle": "triangle_body",
        "vertex": "vertex_position",
    }
    counts = {dim: _length(arrays, name) for dim, name in (leading | {"surface": "surface", "part": "part"}).items()}
    counts |= {"body": sizes["body"], "exponent": 2, "kind": len(SHAPE_KINDS)}
    for item in Geometry.arrays():
        name, about = item.name, item.metadata
        shape = tuple((sizes | counts)[dim] for dim in about["dims"])
        if 0 in shape:
            continue
        _demand(name in arrays, f"{name} is missing")
        _check_array(name, arrays[name], shape, "fiu")
        _demand(bool(np.isfinite(arrays[name]).all()), f"{name} holds numbers that are not finite")
        if "of" in about:
            least, end = about["least"], counts[about["of"]]
            right = arrays[name].min() >= least and arrays[name].max() < end
            _demand(bool(right), f"{name} refers to what is not there; accepted {least} to {end - 1}")
    _demand(bool((arrays["body_mass"] >= 0.0).all()), "body_mass is negative")
    for name in {"shape_semi_axes", "outline_semi_axes"} & set(arrays):
        _demand(bool((arrays[name] > 0.0).all()), f"{name} are not greater than zero")
