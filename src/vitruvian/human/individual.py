"""Individuals of the 12-body occupant: the two of silva1997, and those that users add as TOML files. SI units.

    schema = 1
    name = "pilot"
    base = "human50"              # gives what is not given here: human50 or dummy50
    sex = "female"
    shoulder_half_width = "15 cm" # L_s; also hip_half_width (L_h) and shoulder_drop (e)
    head_centre = "crown"         # from where centre.head is measured: crown or condyles
    holding = 1.0                 # factor of the holding torques of Table VI (E076); 0 leaves them out
    limits = 1.0                  # factor of the angles of its joint limits
    [length]                      # between joints; head, forearm and shank to their ends
    thigh = "41 cm"
    [mass]
    [centre]                      # of mass, from the upper joint; pelvis and torso from the lower one
    [radius]                      # of the contact surface
    [inertia]                     # about x, y, z through the centre of mass, standing: x forward, y left, z up

Pelvis, thorax, neck, head, thigh and shank sum to the height; all masses, limbs twice, sum to the mass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import fsum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .. import data, units
from ..errors import InputError, nearest, shown, spelled
from .anthropometry import checked_word
from .mass import total

Vector = tuple[float, float, float]

SCHEMA = 1
INDIVIDUALS = ("human50", "dummy50")
SEGMENTS = ("pelvis", "thorax", "neck", "head", "upper_arm", "forearm", "thigh", "shank")
LINKS = ("pelvis", "thorax", "neck", "head", "thigh", "shank")  # whose lengths sum to the height
LEVEL = ("forearm", "thigh")  # segments whose long axis is forward in the seated posture of Table IV
HEAD_CENTRES = ("crown", "condyles")
WIDTHS = ("shoulder_half_width", "hip_half_width", "shoulder_drop")
_PARTS = ("length", "mass", "centre", "radius", "inertia")
_WORDS = (
    "schema",
    "name",
    "base",
    "sex",
    "age",
    "head_centre",
    "upper_neck_damping",
    "holding",
    "limits",
    *WIDTHS,
    *_PARTS,
)


@dataclass(frozen=True)
class Individual:
    """The numbers of one 12-body occupant; paired segments and joints are the right ones.

    length               segment -> length [m]
    mass                 segment -> mass [kg], one side
    centre               segment -> distance of the centre of mass from its joint [m]
    radius               segment -> radius of its contact surface [m]
    inertia              segment -> moments about x, y, z through the centre of mass, standing axes [kg m2]
    shoulder_half_width  L_s, of the shoulders from the midline [m]
    hip_half_width       L_h, of the hips from the midline [m]
    shoulder_drop        e, of the shoulders below C7/T1 [m]
    head_centre          from where centre["head"] is measured: "crown" or "condyles"
    upper_neck_damping   [N m s/rad]; None is the printed one, 16.95, which E077 suspects (3.39 is likely)
    holding              factor of the holding torques of Table VI [-]; 0 leaves them out
    limits               factor of the angles of its joint limits [-]
    """

    name: str
    length: Mapping[str, float] = field(repr=False)
    mass: Mapping[str, float] = field(repr=False)
    centre: Mapping[str, float] = field(repr=False)
    radius: Mapping[str, float] = field(repr=False)
    inertia: Mapping[str, Vector] = field(repr=False)
    shoulder_half_width: float
    hip_half_width: float
    shoulder_drop: float
    head_centre: str = "crown"
    upper_neck_damping: float | None = None
    holding: float = 1.0
    limits: float = 1.0
    sex: str = "male"
    age: float | None = None

    @property
    def height(self) -> float:
        """Return the sum of the links, which is the height of the standing model [m]."""
        return fsum(self.length[name] for name in LINKS)

    @property
    def whole_mass(self) -> float:
        """Return the mass of the body, limbs twice [kg]."""
        return total(self.mass)

    def to_table(self) -> dict[str, Any]:
        """Return the table that reads back to the same numbers."""
        table: dict[str, Any] = {key: getattr(self, key) for key in ("name", "sex", "head_centre", "holding", "limits")}
        table |= {key: getattr(self, key) for key in WIDTHS}
        table |= {key: getattr(self, key) for key in ("age", "upper_neck_damping") if getattr(self, key) is not None}
        table |= {part: dict(getattr(self, part)) for part in _PARTS[:-1]}
        return table | {"inertia": {name: list(values) for name, values in self.inertia.items()}}


def individual(given: str | Path | Mapping[str, Any] | Individual, where: str = "individual") -> Individual:
    """Return an individual by name, from a TOML file, or from a table."""
    if isinstance(given, Individual):
        return given
    if isinstance(given, Mapping):
        return _from_table(given, where)
    if str(given).endswith(".toml"):
        path = Path(given)
        return _from_table(data.read_toml(path), str(path))
    return printed(checked_word(str(given), INDIVIDUALS, where))


def printed(name: str) -> Individual:
    """Return "human50" or "dummy50" of silva1997, Tables II to V, as corrected by E074 and E075."""
    rows = data.values(f"occupant_{name}")
    body = rows["body"]
    inertia = {}
    for segment in SEGMENTS:
        row = rows[segment]
        eta = row["inertia_eta"] * body["inertia_factor"]
        xi, zeta = row["ratio_xi"] * eta, row["ratio_zeta"] * eta
        # standing, a limb that points forward when seated hangs down: its forward axis becomes the vertical one
        inertia[segment] = (zeta, eta, xi) if segment in LEVEL else (xi, eta, zeta)
    parts: dict[str, Any] = {
        part: MappingProxyType({name: rows[name][part] for name in SEGMENTS}) for part in _PARTS[:-1]
    }
    parts |= {key: body[key] for key in WIDTHS}
    return Individual(name, **parts, inertia=MappingProxyType(inertia))


def own_size(given: Mapping[str, Any], own: Individual) -> dict[str, Any]:
    """Return the person's table, with the individual's own height and mass where no size is given at all."""
    sizes = ("height", "mass", "age", "percentile", "preset")
    if any(given.get(key) is not None for key in sizes) or given.get("sex") not in (None, own.sex):
        return dict(given)
    return dict(given) | {"height": own.height, "mass": own.whole_mass, "sex": own.sex, "age": own.age}


def default_individual(joints: str | None) -> str:
    """Return the individual that goes with a joint set: that of the dummy with "silva-dummy"."""
    return "dummy50" if joints == "silva-dummy" else "human50"


# reading a table


def _from_table(table: Mapping[str, Any], where: str) -> Individual:
    for key in table:
        _known(key, _WORDS, where)
    data.refuse_schema(table, SCHEMA, where)
    base = printed(checked_word(_text(table, "base", "human50", where), INDIVIDUALS, f"{where}.base"))
    sex = checked_word(_text(table, "sex", base.sex, where), ("male", "female"), f"{where}.sex")
    head = checked_word(_text(table, "head_centre", "crown", where), HEAD_CENTRES, f"{where}.head_centre")
    said: dict[str, Any] = {part: _part(table, part, getattr(base, part), where) for part in _PARTS}
    said |= {
        key: units.quantity(table[key], "length", f"{where}.{key}") if key in table else getattr(base, key)
        for key in WIDTHS
    }
    damping = None
    if "upper_neck_damping" in table:
        damping = units.quantity(table["upper_neck_damping"], "rotational damping", f"{where}.upper_neck_damping")
    age = units.quantity(table["age"], "dimensionless", f"{where}.age") if "age" in table else None
    holding = units.quantity(table.get("holding", 1.0), "dimensionless", f"{where}.holding")
    limits = units.quantity(table.get("limits", 1.0), "dimensionless", f"{where}.limits")
    name = _text(table, "name", "custom", where)
    said |= {"head_centre": head, "upper_neck_damping": damping, "holding": holding, "limits": limits}
    found = Individual(name, **said, sex=sex, age=age)
    _check(found, where)
    return found


def _part(table: Mapping[str, Any], part: str, base: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    given = table.get(part, {})
    if not isinstance(given, Mapping):
        raise InputError(f"{where}.{part} is {shown(given)}; expected a table of segments.")
    found = dict(base)
    for segment, value in given.items():
        _known(segment, SEGMENTS, f"{where}.{part}")
        here = f"{where}.{part}.{segment}"
        if part == "inertia":
            values = units.vector(value, "moment of inertia", here)
            found[segment] = values
        else:
            values = (units.quantity(value, "mass" if part == "mass" else "length", here),)
            found[segment] = values[0]
        if min(values) <= 0.0:
            raise InputError(f"{here} is {shown(value)}; it must be greater than zero.")
    return MappingProxyType(found)


def _check(found: Individual, where: str) -> None:
    """Refuse what no body has: centres beyond a segment, moments that violate the triangle inequality."""
    for segment in SEGMENTS:
        if not found.centre[segment] < found.length[segment]:
            raise InputError(
                f"{where}.centre.{segment} is {found.centre[segment]:g} m, beyond the end of the segment of "
                f"{found.length[segment]:g} m; it must be less."
            )
        low, middle, high = sorted(found.inertia[segment])
        if low + middle < high:
            raise InputError(
                f"{where}.inertia.{segment} is {shown(list(found.inertia[segment]))} kg m2: the largest exceeds the "
                "sum of the others, which no body has. Correct one of them."
            )
    if found.shoulder_drop < 0.0 or found.shoulder_drop >= found.length["thorax"]:
        raise InputError(
            f"{where}.shoulder_drop is {found.shoulder_drop:g} m; accepted 0 to the length of the thorax, "
            f"{found.length['thorax']:g} m."
        )
    for key in ("shoulder_half_width", "hip_half_width"):
        if getattr(found, key) <= 0.0:
            raise InputError(f"{where}.{key} is {getattr(found, key):g} m; it must be greater than zero.")
    for key in ("upper_neck_damping", "holding"):
        if (getattr(found, key) or 0.0) < 0.0:
            raise InputError(f"{where}.{key} is {getattr(found, key):g}; it must not be negative.")
    if not 0.5 <= found.limits <= 1.5:
        raise InputError(f"{where}.limits is {found.limits:g}; accepted: 0.5 to 1.5.")


def _text(table: Mapping[str, Any], key: str, default: str, where: str) -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        raise InputError(f"{where}.{key} is {shown(value)}; expected text.")
    return value


def _known(key: str, names: tuple[str, ...], where: str) -> None:
    if key not in names:
        raise InputError(
            f"{where}.{spelled(key)} is not known; accepted: {', '.join(names)}.{nearest(str(key), names)}"
        )
