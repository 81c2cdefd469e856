"""Values of mechanisms whose dimension follows from their table: of joints by their type, of loads by their kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InputError, shown
from ..model import BodyStart, JointStart
from ..model.field import field_of
from ..model.value import Components, Depends, ListOf, Of, Quantity, Text
from ..units import parse_unit, quantity
from .definition import Changes, Row

#: the dimension of every coordinate, by joint type
COORDINATES: dict[str, tuple[str, ...]] = {
    "free": ("length",) * 3 + ("angle",) * 3,
    "spherical": ("angle",) * 3,
    "revolute": ("angle",),
    "universal": ("angle", "angle"),
    "cylindrical": ("angle", "length"),
    "prismatic": ("length",),
    "planar": ("length", "length", "angle"),
    "translational": ("length",) * 3,
    "rigid": (),
}
_RATE = {"angle": "angular velocity", "length": "velocity"}
_ACCELERATION = {"angle": "angular acceleration", "length": "acceleration"}
_STIFFNESS = {"angle": "rotational stiffness", "length": "stiffness"}
_DAMPING = {"angle": "rotational damping", "length": "damping"}
_GROWTH = {"angle": "limit damping", "length": "contact damping"}
_LOAD = {"angle": "moment", "length": "force"}
_ITSELF = {"angle": "angle", "length": "length"}


# keys that only a file has


@dataclass(frozen=True)
class BodyKeys:
    """Keys of a body in a file beyond those of the model."""

    start: BodyStart | None = field_of(Of(BodyStart), "only for a body without a joint", default=None)


@dataclass(frozen=True)
class LoopKeys:
    """Keys of a loop in a file beyond those of the model."""

    axis: tuple[float, float, float] | None = field_of(
        Components("dimensionless"), "direction of z in both bodies, instead of the frames", default=None
    )


@dataclass(frozen=True)
class JointKeys(LoopKeys):
    """Keys of a joint in a file beyond those of the model."""

    start: JointStart | None = field_of(Of(JointStart), "coordinates and rates at the start", default=None)


@dataclass(frozen=True)
class TimeKeys:
    """Keys of a function of time in a file beyond those of the model."""

    times: tuple[float, ...] | None = field_of(
        ListOf(Quantity("time")), "knots, strictly increasing [s]; given here or by a file", default=None
    )
    values: tuple[float, ...] | None = field_of(
        ListOf(Depends("SI")),
        "at the knots, in the unit of what the table drives; given here or by a file",
        default=None,
    )
    unit: str | None = field_of(Text(), "unit of the values, if not SI", default=None)
    file: str | None = field_of(
        Text(), "CSV file with the headings `time [s]` and `column [unit]`, instead of times and values", default=None
    )
    column: str | None = field_of(Text(), "of this file", default=None)


# functions of time


def function_in_si(given: Any, dimension: str, kind: str, where: str) -> Any:
    """Return a number or the row of a function of time in SI; its values are of that dimension."""
    if not isinstance(given, Row):
        return quantity(given, dimension, where)
    kind = given.kind or kind
    of_values = _ACCELERATION.get(dimension, dimension) if kind == "acceleration" else dimension
    factor = _factor(given.unit, of_values, where) if given.unit is not None else 1.0
    for name in ("start", "start_rate"):
        if kind != "acceleration" and getattr(given, name) != 0.0:
            raise InputError(f'{where}.{name} does not fit the kind "{kind}"; it goes with kind = "acceleration".')
    if given.times is None or given.values is None:
        missing = "times" if given.times is None else "values"
        raise InputError(f"{where}.{missing} is missing; give times and values, or a file and its column.")
    if len(given.times) != len(given.values) or not given.times:
        raise InputError(
            f"{where} has {len(given.times)} times and {len(given.values)} values; expected one for each time."
        )
    return given.replace(
        values=tuple(factor * value for value in _each(given.values, of_values, f"{where}.values")),
        kind=kind,
        unit=None,
        start=quantity(given.start, dimension, f"{where}.start"),
        start_rate=quantity(given.start_rate, _RATE.get(dimension, dimension), f"{where}.start_rate"),
    )


def _factor(unit: str, dimension: str, where: str) -> float:
    try:
        return parse_unit(unit, dimension)[0]
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _each(values: Sequence[Any], dimension: str, where: str) -> tuple[float, ...]:
    return tuple(quantity(value, dimension, f"{where}[{i}]") for i, value in enumerate(values))


# joints


#: fields of a resistance with a value for each coordinate -> dimension by coordinate, and what others have
_BY_COORDINATE: dict[str, tuple[Mapping[str, str], float]] = {
    "limit_minus": (_ITSELF, -float("inf")),
    "limit_plus": (_ITSELF, float("inf")),
    "stiffness": (_STIFFNESS, 0.0),
    "stiffness_minus": (_STIFFNESS, 0.0),
    "stiffness_plus": (_STIFFNESS, 0.0),
    "damping": (_DAMPING, 0.0),
    "rest": (_ITSELF, 0.0),
    "limit_damping": (_GROWTH, 0.0),
}
#: fields with one value -> dimension by the first coordinate
_BY_FIRST = {"friction": _LOAD, "friction_speed": _RATE, "friction_fade": _ITSELF}


def resistance_in_si(row: Row, coordinates: tuple[str, ...], law: str | None, where: str) -> Row:
    """Return the row of a resistance in SI, three values each; the coordinates are angles or lengths."""
    changes: dict[str, Any] = {"law": law, "curve": _curves(row.curve or (), coordinates, f"{where}.curve")}
    for name, (dimension, missing) in _BY_COORDINATE.items():
        wanted = [dimension[c] for c in coordinates]
        changes[name] = _three(getattr(row, name), wanted, missing, f"{where}.{name}")
    for name, dimension in _BY_FIRST.items():
        changes[name] = quantity(getattr(row, name), dimension[coordinates[0]], f"{where}.{name}")
    return row.replace(**changes)


def _curves(given: tuple[Row, ...], coordinates: tuple[str, ...], where: str) -> tuple[Row, ...]:
    """Return the rows of curves in SI, one for each coordinate or fewer."""
    if len(given) > len(coordinates):
        raise InputError(f"{where} has {len(given)} curves; expected {len(coordinates)}, one for each coordinate.")
    return tuple(
        row.replace(
            angles=_each(row.angles or (), dimension, f"{where}[{i}].angles"),
            torques=_each(row.torques or (), _LOAD[dimension], f"{where}[{i}].torques"),
        )
        for i, (row, dimension) in enumerate(zip(given, coordinates, strict=False))
    )


def _three(given: Any, dimensions: Sequence[str], missing: float, where: str) -> tuple[float, ...]:
    """Return three numbers in SI; coordinates that the joint does not have get the value `missing`."""
    if given is None:
        return (missing,) * 3
    values = list(given) if isinstance(given, list | tuple) else [given]
    if len(values) not in (len(dimensions), 3):
        raise InputError(
            f"{where} has {len(values)} values; expected {len(dimensions)}, one for each coordinate of the joint."
        )
    si = []
    for place, value in enumerate(values):
        if isinstance(value, int | float) and not isinstance(value, bool) and value == missing:
            si.append(missing)
        elif place >= len(dimensions):  # written out again with every scenario; nothing else may be there
            raise InputError(
                f"{where}[{place}] is {shown(value)}; the joint has {len(dimensions)} coordinates, so leave it out."
            )
        else:
            spot = f"{where}[{place}]" if isinstance(given, list | tuple) else where
            si.append(quantity(value, dimensions[place], spot))
    return tuple(si + [missing] * (3 - len(si)))


def _start_in_si(row: Row, kind: str, where: str) -> Row:
    """Return the start of a joint in SI, with only what this joint type has."""
    accepted = {
        "free": ("position", "orientation", "velocity", "angular_velocity"),
        "spherical": ("orientation", "angular_velocity"),
    }.get(kind, ("coordinates", "rates"))
    for name in row.given():
        if name not in accepted:
            raise InputError(f"{where}.{name} does not fit a {kind} joint; accepted: {', '.join(accepted)}.")
    if kind in ("free", "spherical"):
        return row
    dimensions = COORDINATES[kind]
    return row.replace(
        coordinates=_list(row.coordinates, dimensions, f"{where}.coordinates"),
        rates=_list(row.rates, [_RATE[dimension] for dimension in dimensions], f"{where}.rates"),
    )


def _list(given: Any, dimensions: Sequence[str], where: str) -> tuple[float, ...] | None:
    if given is None:
        return None
    values = list(given) if isinstance(given, list | tuple) else [given]
    if len(values) != len(dimensions):
        raise InputError(
            f"{where} has {len(values)} values; expected {len(dimensions)}, one for each coordinate of the joint."
        )
    pairs = enumerate(zip(values, dimensions, strict=True))
    return tuple(quantity(value, dimension, f"{where}[{i}]") for i, (value, dimension) in pairs)


# whole rows


def checked_body(row: Row, where: str) -> Changes:
    """Refuse a body whose inertia is open."""
    if row.inertia is None and len(row.shapes) != 1:
        raise InputError(f"{where}.inertia is missing; it can be left out only for a body with exactly one shape.")
    return None


def checked_loop(row: Row, where: str) -> Changes:
    """Refuse two directions of one axis; return the resistance of a loop or joint in SI, by its type."""
    if row.axis is not None and (row.frame_parent is not None or row.frame_child is not None):
        raise InputError(f"{where} has both axis and frame_parent or frame_child; give one of them.")
    if row.resistance is None:
        return None
    if row.type in ("rigid", "free"):
        raise InputError(f"{where}.resistance does not fit a {row.type} joint, which resists nothing; leave it out.")
    law = row.resistance.law or ("rotation_vector" if row.type == "spherical" else "coordinate")
    given = resistance_in_si(row.resistance, COORDINATES[row.type][:3], law, f"{where}.resistance")
    return {"resistance": given}


def checked_joint(row: Row, where: str) -> Changes:
    """Return resistance, motion and start of a joint in SI, by its type."""
    changes: dict[str, Any] = {**(checked_loop(row, where) or {})}
    dimensions = COORDINATES[row.type]
    if row.resistance is not None and row.motion is not None:
        raise InputError(f"{where} has both motion and resistance; a prescribed motion meets none. Give one of them.")
    if row.start is not None:
        changes["start"] = _start_in_si(row.start, row.type, f"{where}.start")
    if row.motion is not None:
        if len(row.motion) != len(dimensions):
            raise InputError(
                f"{where}.motion has {len(row.motion)} functions; a {row.type} joint takes {len(dimensions)}."
            )
        changes["motion"] = tuple(
            function_in_si(item, dimension, "position", f"{where}.motion[{i}]")
            for i, (item, dimension) in enumerate(zip(row.motion, dimensions, strict=True))
        )
    return changes


def checked_spring(row: Row, where: str) -> Changes:
    """Return the actuator of a spring in SI."""
    if row.actuator is None:
        return None
    return {"actuator": function_in_si(row.actuator, "force", "linear", f"{where}.actuator")}


def checked_muscle(row: Row, where: str) -> Changes:
    """Return force and excitation of a muscle in SI."""
    given = (("force", "force"), ("excitation", "dimensionless"))
    return {
        name: function_in_si(getattr(row, name), dimension, "linear", f"{where}.{name}")
        for name, dimension in given
        if getattr(row, name) is not None
    }


def checked_torsion_spring(row: Row, where: str) -> Changes:
    """Return the resistance of a torsion spring in SI; its law follows from the joint unless given."""
    given = row.resistance
    one = given.stiffness is not None and not isinstance(given.stiffness, list | tuple)
    coordinates = ("angle",) if one else ("angle",) * 3
    return {"resistance": resistance_in_si(given, coordinates, given.law, f"{where}.resistance")}


def checked_load(row: Row, where: str) -> Changes:
    """Return the components of a load in SI."""
    if len(row.components) != 3:
        raise InputError(f"{where}.components has {len(row.components)} values; expected three.")
    pairs = enumerate(row.components)
    return {
        "components": tuple(function_in_si(item, row.kind, "linear", f"{where}.components[{i}]") for i, item in pairs)
    }
