"""Kinds of values that a user writes, in a file or in Python: each reads one and says what is accepted. SI units.

`read` returns the value as the package keeps it, or raises InputError with the dotted path `where`. `schema` returns
what is accepted as JSON Schema, from which the reference page is made too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, nearest, shown
from ..units import UNITS, quantity, vector

LONGEST_WORD = 200  # characters of a name, a choice or the name of a file
LARGEST_COUNT = 10**15
#: control characters but for tab and new line, and halves of characters that no file can hold
_CONTROL = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\ud800-\\udfff]")

Schema = dict[str, Any]


class Kind:
    """A kind of value."""

    def read(self, value: Any, where: str, folder: Path = Path()) -> Any:
        """Return the value, checked and in SI.

        where   the dotted path, for errors
        folder  from which files are looked up
        """
        raise NotImplementedError

    def schema(self) -> Schema:
        """Return what is accepted, as JSON Schema."""
        raise NotImplementedError


# numbers


@dataclass(frozen=True)
class Quantity(Kind):
    """A number in SI, or text with a unit.

    dimension  a key of vitruvian.units.UNITS
    above      the value must be greater [SI]
    at_most    the value must not be greater [SI]
    infinite   whether inf and -inf are accepted
    """

    dimension: str
    above: float | None = None
    at_most: float | None = None
    infinite: bool = False

    def read(self, value: Any, where: str, folder: Path = Path()) -> float:
        if self.infinite and isinstance(value, float) and math.isinf(value):
            return value
        si = quantity(value, self.dimension, where)
        if self.above is not None and not si > self.above:
            raise InputError(f"{where} is {shown(value)}; it must be greater than {self.above:g}.")
        if self.at_most is not None and si > self.at_most:
            raise InputError(f"{where} is {shown(value)}; it must be at most {self.at_most:g}.")
        return si

    @property
    def unit(self) -> str:
        """The SI unit."""
        return next(iter(UNITS[self.dimension]))

    def schema(self) -> Schema:
        number: Schema = {"type": "number"}
        if self.above is not None:
            number["exclusiveMinimum"] = self.above
        if self.at_most is not None:
            number["maximum"] = self.at_most
        return {"anyOf": [number, {"type": "string"}], "x-dimension": self.dimension, "x-unit": self.unit}


@dataclass(frozen=True)
class Components(Kind):
    """A list of quantities of one dimension: a vector or a direction."""

    dimension: str
    size: int = 3

    def read(self, value: Any, where: str, folder: Path = Path()) -> tuple[float, ...]:
        return vector(value, self.dimension, where, self.size)

    def schema(self) -> Schema:
        return _list_schema(Quantity(self.dimension).schema(), self.size)


@dataclass(frozen=True)
class Rows(Kind):
    """A list of rows of quantities.

    dimensions  of the columns
    about       what is expected, in words
    """

    dimensions: tuple[str, ...]
    about: str

    def read(self, value: Any, where: str, folder: Path = Path()) -> tuple[tuple[float, ...], ...]:
        if not isinstance(value, list | tuple):
            raise InputError(f"{where} is {shown(value)}; expected {self.about}.")
        for i, row in enumerate(value):
            if not isinstance(row, list | tuple) or len(row) != len(self.dimensions):
                raise InputError(f"{where}[{i}] is {shown(row)}; expected {self.about}.")
        return tuple(
            tuple(quantity(item, self.dimensions[k], f"{where}[{i}][{k}]") for k, item in enumerate(row))
            for i, row in enumerate(value)
        )

    def schema(self) -> Schema:
        row = {"type": "array", "prefixItems": [Quantity(dimension).schema() for dimension in self.dimensions]}
        return _list_schema(row | {"minItems": len(self.dimensions), "maxItems": len(self.dimensions)})


@dataclass(frozen=True)
class Rotation(Kind):
    """A unit quaternion, scalar first, or a rotation vector [rad]; read as a quaternion."""

    def read(self, value: Any, where: str, folder: Path = Path()) -> tuple[float, ...]:
        if isinstance(value, list | tuple) and len(value) == 3:
            turn = vector(value, "angle", where)
            angle = math.sqrt(sum(x * x for x in turn))
            half = math.sin(angle / 2.0) / angle if angle > 1e-12 else 0.5
            return (math.cos(angle / 2.0), *(half * x for x in turn))
        if not isinstance(value, list | tuple) or len(value) != 4:
            raise InputError(
                f"{where} is {shown(value)}; expected a unit quaternion (4 numbers, scalar first) or a rotation vector "
                "(3)."
            )
        quaternion = vector(value, "dimensionless", where, 4)
        length = math.sqrt(sum(x * x for x in quaternion))
        if abs(length - 1.0) > 1e-6:
            raise InputError(
                f"{where} is a quaternion of length {length:.6g}; expected a unit quaternion, scalar first."
            )
        return quaternion

    def schema(self) -> Schema:
        either = {"type": "array", "items": Quantity("angle").schema(), "minItems": 3, "maxItems": 4}
        return either | {"x-words": "rotation"}


@dataclass(frozen=True)
class Inertia(Kind):
    """Three principal moments, or a 3x3 tensor."""

    def read(self, value: Any, where: str, folder: Path = Path()) -> tuple[Any, ...]:
        rows = value if isinstance(value, list | tuple) else [value]
        if len(rows) != 3:
            raise InputError(f"{where} is {shown(value)}; expected three principal moments or a 3x3 tensor [kg m2].")
        if any(isinstance(row, list | tuple) for row in rows):
            return tuple(vector(row, "moment of inertia", f"{where}[{i}]") for i, row in enumerate(rows))
        return vector(rows, "moment of inertia", where)

    def schema(self) -> Schema:
        moment = Quantity("moment of inertia").schema()
        return _list_schema({"anyOf": [*moment["anyOf"], _list_schema(moment, 3)]}, 3) | {"x-words": "3 or 3x3 moments"}


@dataclass(frozen=True)
class Depends(Kind):
    """A quantity, or a list of them, whose dimension follows from the rest of its table, which reads it."""

    unit: str
    several: bool = False

    def read(self, value: Any, where: str, folder: Path = Path()) -> Any:
        return tuple(value) if isinstance(value, list) else value

    def schema(self) -> Schema:
        one: list[Schema] = [{"type": "number"}, {"type": "string"}]
        lists = [{"type": "array", "items": {"anyOf": one}}] if self.several else []
        return {"anyOf": [*one, *lists], "x-unit": self.unit}


@dataclass(frozen=True)
class Count(Kind):
    """A whole number from 1 on."""

    def read(self, value: Any, where: str, folder: Path = Path()) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LARGEST_COUNT:
            raise InputError(f"{where} is {shown(value)}; expected a whole number, 1 to {LARGEST_COUNT:g}.")
        return value

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": 1, "maximum": LARGEST_COUNT}


@dataclass(frozen=True)
class Flag(Kind):
    """True or false."""

    def read(self, value: Any, where: str, folder: Path = Path()) -> bool:
        if not isinstance(value, bool):
            raise InputError(f"{where} is {shown(value)}; expected true or false.")
        return value

    def schema(self) -> Schema:
        return {"type": "boolean"}


# words


@dataclass(frozen=True)
class Prose(Kind):
    """Text of any length."""

    def read(self, value: Any, where: str, folder: Path = Path()) -> str:
        if not isinstance(value, str):
            raise InputError(f"{where} is {shown(value)}; expected text in quotes.")
        text = value.replace("\r\n", "\n")
        sign = _CONTROL.search(text)
        if sign is not None:
            raise InputError(
                f"{where} is {shown(value)}; it holds the control character {sign[0]!r}, which is not accepted."
            )
        return text

    def schema(self) -> Schema:
        return {"type": "string"}


@dataclass(frozen=True)
class Text(Prose):
    """Text that names something, and is not a paragraph."""

    def read(self, value: Any, where: str, folder: Path = Path()) -> str:
        text = super().read(value, where)
        if len(text) > LONGEST_WORD:
            raise InputError(
                f"{where} is {shown(value)}; it has {len(text)} characters, and at most {LONGEST_WORD} are accepted."
            )
        return text

    def schema(self) -> Schema:
        return {"type": "string", "maxLength": LONGEST_WORD}


@dataclass(frozen=True)
class Name(Text):
    """A name of its own; with `dots` it may have dots, as the names of people's sensors do."""

    dots: bool = False

    def read(self, value: Any, where: str, folder: Path = Path()) -> str:
        text = super().read(value, where)
        if not text or any(sign in text for sign in "/\\[]") or not text.isprintable() or text != text.strip():
            raise InputError(
                f"{where} is {shown(value)}; expected a name without slashes and brackets, in printable characters."
            )
        if "." in text and not self.dots:
            raise InputError(f"{where} is {shown(value)}; expected a name without dots, slashes and brackets.")
        return text


@dataclass(frozen=True)
class File(Text):
    """A file, looked up from the folder of the scenario; read as an absolute path."""

    def read(self, value: Any, where: str, folder: Path = Path()) -> str:
        return str((folder / super().read(value, where)).absolute())


@dataclass(frozen=True)
class Choice(Kind):
    """One of some words, or of those that a function returns."""

    words: Sequence[str] | Callable[[], Iterable[str]]

    @property
    def accepted(self) -> list[str]:
        """The words."""
        return list(self.words() if callable(self.words) else self.words)

    def read(self, value: Any, where: str, folder: Path = Path()) -> str:
        accepted = self.accepted
        if not isinstance(value, str) or value not in accepted:
            hint = nearest(value, accepted) if isinstance(value, str) else ""
            raise InputError(f"{where} is {shown(value)}; accepted: {', '.join(accepted)}.{hint}")
        return value

    def schema(self) -> Schema:
        return {"enum": self.accepted}


# several


@dataclass(frozen=True)
class ListOf(Kind):
    """A list of values of one kind.

    size   how many; any number unless given
    alone  whether one value may be written without the list
    """

    kind: Kind
    size: int | None = None
    alone: bool = False

    def read(self, value: Any, where: str, folder: Path = Path()) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            if self.alone:
                return (self.kind.read(value, where, folder),)
            raise InputError(f"{where} is {shown(value)}; expected a list in square brackets.")
        if self.size is not None and len(value) != self.size:
            raise InputError(f"{where} has {len(value)} values; expected {self.size}.")
        return tuple(self.kind.read(item, f"{where}[{i}]", folder) for i, item in enumerate(value))

    def schema(self) -> Schema:
        several = _list_schema(self.kind.schema(), self.size)
        return {"anyOf": [self.kind.schema(), several]} if self.alone else several


@dataclass(frozen=True)
class ReadBy(Kind):
    """A value that a function of value, path and folder reads; `accepts` is its JSON Schema."""

    function: Callable[[Any, str, Path], Any]
    accepts: tuple[str, ...] = ("string", "object")

    def read(self, value: Any, where: str, folder: Path = Path()) -> Any:
        return self.function(value, where, folder)

    def schema(self) -> Schema:
        return {"type": list(self.accepts)}


@dataclass(frozen=True)
class Of(Kind):
    """A table that a dataclass describes; what reads the tables of a file replaces it by the table.

    of       the dataclass
    several  whether there may be more than one, in a list
    word     what may be written instead of a table
    """

    of: Any
    several: bool = False
    word: Kind | None = None


def _list_schema(items: Schema, size: int | None = None) -> Schema:
    return {"type": "array", "items": items} | ({} if size is None else {"minItems": size, "maxItems": size})
