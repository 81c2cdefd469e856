"""Conversion of quantities with units to SI: "40 km/h" is 11.11 m/s, and a bare number is SI.

The table below lists all units by dimension; "g" is in two dimensions (gram, standard gravity), and the expected
dimension decides. Three variations of spelling are accepted: m/s2, m/s^2 and m/s² are equal, N*m and N·m are N m, and
the space before the unit may be left out. Case matters: mm is not Mm.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from numbers import Real

from .errors import InputError, nearest, shown

__all__ = ["STANDARD_GRAVITY", "UNITS", "parse_unit", "quantity", "vector"]

STANDARD_GRAVITY = 9.80665  # [m/s^2], exact by definition

_INCH = 0.0254  # [m], exact
_FOOT = 12.0 * _INCH  # [m]
_MILE = 5280.0 * _FOOT  # [m]
_POUND = 0.45359237  # [kg], exact
_DEGREE = math.pi / 180.0  # [rad]

# factor to SI, by dimension and unit; the first unit of each row is the SI one (ages are counted in years)
UNITS: dict[str, dict[str, float]] = {
    "length": {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "ft": _FOOT, "in": _INCH},
    "area": {"m^2": 1.0, "cm^2": 1e-4, "mm^2": 1e-6},
    "volume": {"m^3": 1.0, "cm^3": 1e-6, "mm^3": 1e-9, "l": 1e-3, "ml": 1e-6},
    "mass": {"kg": 1.0, "g": 1e-3, "t": 1e3, "lb": _POUND},
    "age": {"years": 1.0, "year": 1.0, "months": 1.0 / 12.0},
    "time": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0},
    "angle": {"rad": 1.0, "deg": _DEGREE, "mrad": 1e-3, "rev": 2.0 * math.pi},
    "velocity": {"m/s": 1.0, "km/h": 1.0 / 3.6, "mm/s": 1e-3, "mm/ms": 1.0, "ft/s": _FOOT, "mph": _MILE / 3600.0},
    "angular velocity": {"rad/s": 1.0, "deg/s": _DEGREE, "rpm": 2.0 * math.pi / 60.0},
    "acceleration": {"m/s^2": 1.0, "g": STANDARD_GRAVITY, "ft/s^2": _FOOT},
    "angular acceleration": {"rad/s^2": 1.0, "deg/s^2": _DEGREE},
    "frequency": {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "1/s": 1.0},
    "force": {"N": 1.0, "kN": 1e3, "MN": 1e6, "lbf": _POUND * STANDARD_GRAVITY},
    "moment": {"N m": 1.0, "kN m": 1e3, "N mm": 1e-3, "Nm": 1.0, "kNm": 1e3, "Nmm": 1e-3},
    "stiffness": {"N/m": 1.0, "kN/m": 1e3, "MN/m": 1e6, "N/mm": 1e3, "kN/mm": 1e6},
    "damping": {"N s/m": 1.0, "kN s/m": 1e3, "N s/mm": 1e3, "Ns/m": 1.0, "kNs/m": 1e3},
    "contact stiffness": {"N/m^1.5": 1.0, "kN/m^1.5": 1e3, "MN/m^1.5": 1e6},
    "contact damping": {"s/m": 1.0, "s/mm": 1e3},
    "limit damping": {"s/rad": 1.0, "s/deg": 1.0 / _DEGREE},
    "rotational stiffness": {
        "N m/rad": 1.0,
        "kN m/rad": 1e3,
        "N m/deg": 1.0 / _DEGREE,
        "Nm/rad": 1.0,
        "kNm/rad": 1e3,
        "Nm/deg": 1.0 / _DEGREE,
    },
    "rotational damping": {
        "N m s/rad": 1.0,
        "kN m s/rad": 1e3,
        "N m s/deg": 1.0 / _DEGREE,
        "Nms/rad": 1.0,
        "Nms/deg": 1.0 / _DEGREE,
    },
    "moment of inertia": {"kg m^2": 1.0, "kg cm^2": 1e-4, "kg mm^2": 1e-6},
    "density": {"kg/m^3": 1.0, "g/cm^3": 1e3, "kg/l": 1e3},
    "mass per length": {"kg/m": 1.0, "kg/cm": 1e2, "g/m": 1e-3},
    "energy": {"J": 1.0, "kJ": 1e3, "mJ": 1e-3},
    "power": {"W": 1.0, "kW": 1e3},
    "specific energy": {"m^2/s^2": 1.0, "J/kg": 1.0},
    "mass flow": {"kg/s": 1.0, "g/s": 1e-3, "g/ms": 1.0},
    "temperature": {"K": 1.0},
    "pressure": {"Pa": 1.0, "kPa": 1e3, "MPa": 1e6, "GPa": 1e9, "bar": 1e5},
    "dimensionless": {"-": 1.0, "%": 1e-2, "": 1.0},
}

#: largest quantity of a dimension, in SI; 1e20 for the others. No impact needs more, and products do not overflow
LARGEST = {"length": 1e10, "angle": 1e10, "velocity": 1e4, "dimensionless": 1e30}

_NUMBER_AND_UNIT = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*)", re.DOTALL)
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+")


def _plain(unit: str) -> str:
    """Return one spelling for each unit: powers without a sign, products with a space, no other spaces."""
    unit = unit.replace("²", "2").replace("³", "3").replace("**", "").replace("^", "")
    unit = unit.replace("*", " ").replace("·", " ").replace("⋅", " ").replace("µ", "u").replace("μ", "u")
    return re.sub(r" ?/ ?", "/", " ".join(unit.split()))


_FACTORS = {dimension: {_plain(unit): factor for unit, factor in row.items()} for dimension, row in UNITS.items()}


def _accepted(dimension: str) -> str:
    """Return the units of a dimension for messages; spellings without a space (Nm) are accepted but not listed."""
    row = UNITS[dimension]
    return ", ".join(unit for unit in row if unit and not unit.startswith(("Nm", "kNm", "Ns", "kNs")))


def _article(dimension: str) -> str:
    if dimension == "dimensionless":
        return "a number without unit"
    return f"{'an' if dimension[0] in 'aeiou' else 'a'} {dimension}"


def _known(dimension: str) -> dict[str, float]:
    if dimension not in _FACTORS:
        raise ValueError(f'there is no dimension "{dimension}".{nearest(dimension, UNITS)}')
    return _FACTORS[dimension]


def _expected(dimension: str) -> str:
    if dimension == "dimensionless":
        return "expected a number without unit, or one in %"
    return f"expected {_article(dimension)}: {_accepted(dimension)}"


def _refusal(value: object, dimension: str, where: str, hint: str = "") -> InputError:
    return InputError(f"{where} is {shown(value)}; {_expected(dimension)}{'.' if hint else ''}{hint}")


def quantity(value: object, dimension: str, where: str = "value") -> float:
    """Return the value in SI units of the dimension.

    value      a number, which is SI already, or text such as "40 km/h"
    dimension  a key of UNITS: "length", "velocity", ...
    where      the dotted path shown in errors: "human.height"

    Raises InputError for another dimension, an unknown unit, text that is no quantity, true/false, NaN and infinity.
    """
    units = _known(dimension)
    if isinstance(value, str):
        match = _NUMBER_AND_UNIT.fullmatch(value.strip())
        if _DECIMAL_COMMA.match(value):
            raise _refusal(value, dimension, where, " Write a decimal point instead of the comma.")
        if match is None:
            raise _refusal(value, dimension, where)
        number, unit = float(match[1]), _plain(match[2])
        if unit and unit not in units:
            # "180 kg" for a length is another quantity, "180 CM" is a slip of the pen
            raise _refusal(value, dimension, where, "" if _dimensions(unit) else nearest(unit, units))
        si = number * units[unit] if unit else number
    elif isinstance(value, Real) and not isinstance(value, bool):
        try:
            si = float(value)
        except OverflowError:
            si = math.inf
    else:
        raise _refusal(value, dimension, where)
    if not math.isfinite(si):
        raise InputError(f"{where} is {shown(value)}; expected a finite number")
    largest = LARGEST.get(dimension, 1e20)
    if abs(si) > largest:
        raise InputError(f"{where} is {shown(value)}; expected at most {largest:g} {next(iter(units))} either way")
    return si


def vector(value: object, dimension: str, where: str = "value", n: int = 3) -> tuple[float, ...]:
    """Return n components in SI units of the dimension, each a number or text with a unit.

    Raises InputError as `quantity` does, naming the component: human.start.velocity[2].
    """
    if isinstance(value, str | bytes | dict) or not isinstance(value, Iterable):
        raise InputError(f"{where} is {shown(value)}; expected a list of {n} values, each {_article(dimension)}")
    components = list(value)
    if len(components) != n:
        raise InputError(f"{where} has {len(components)} values; expected {n}, each {_article(dimension)}")
    return tuple(quantity(component, dimension, f"{where}[{i}]") for i, component in enumerate(components))


def _dimensions(unit: str) -> list[str]:
    """Return the dimensions that know a unit (in plain spelling)."""
    return [dimension for dimension, row in _FACTORS.items() if unit in row]


def parse_unit(unit: str, dimension: str | None = None) -> tuple[float, str]:
    """Return the factor to SI and dimension of a unit: "cm" gives (0.01, "length").

    dimension  decides where one spelling has two meanings ("g"), and is checked otherwise

    Raises InputError for an unknown unit, for one of another dimension, and for an ambiguous one.
    """
    plain = _plain(unit)
    if dimension is not None:
        units = _known(dimension)
        if plain not in units:
            raise InputError(f"the unit is {shown(unit)}; {_expected(dimension)}")
        return units[plain], dimension
    found = _dimensions(plain)
    if not found:
        every = [name for row in UNITS.values() for name in row if name]
        raise InputError(f"the unit {shown(unit)} is not known.{nearest(plain, every)}")
    if len(found) > 1:
        meanings = " or ".join(map(_article, found))
        raise InputError(f"the unit {shown(unit)} can be {meanings}; write the SI unit instead")
    return _FACTORS[found[0]][plain], found[0]
