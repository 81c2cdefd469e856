"""The kinds of values a scenario is written in, each with an error that says what is accepted.

A validator does not know where in the file its value stands. It writes `WHERE` instead, and the reader puts the
dotted path there: "human.start.velocity[2] is ...".
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Tag, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from ..errors import InputError, nearest, shown, spelled
from ..units import quantity, vector

WHERE = "\x00"
#: begins the names of the branches of a union, which are not part of the path
BRANCH = "\x01"


def refuse(message: str) -> PydanticCustomError:
    """The error that a validator raises; the text says WHERE."""
    return PydanticCustomError("vitruvian", "{message}", {"message": message})


def told(function: Callable[..., Any], *arguments: Any) -> Any:
    """The value of a function, whose InputError becomes an error of the validator."""
    try:
        return function(*arguments)
    except InputError as error:
        raise refuse(str(error)) from None


class Table(BaseModel):
    """A table of the file: knows its keys and refuses all others, with the nearest one."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, given: Any) -> Any:
        if isinstance(given, cls):
            return given
        if not isinstance(given, dict):
            raise refuse(f"{WHERE} is {shown(given)}; expected a table with the keys {', '.join(cls.known_keys())}.")
        known = cls.known_keys()
        for key in given:
            if key not in known:
                hint = nearest(str(key), known) or f" Accepted: {', '.join(known)}."
                raise refuse(f"{WHERE}.{spelled(key)} is not known.{hint}")
        return given

    @classmethod
    def known_keys(cls) -> list[str]:
        """The keys as they are written in the file."""
        return [field.alias or name for name, field in cls.model_fields.items()]


# numbers


def number(
    dimension: str, *, above: float | None = None, at_most: float | None = None, unbounded: bool = False
) -> BeforeValidator:
    """A quantity of a dimension, in SI. `unbounded` lets inf and -inf pass."""

    def validate(value: Any) -> float:
        if unbounded and isinstance(value, float) and math.isinf(value):
            return value
        si: float = told(quantity, value, dimension, WHERE)
        if above is not None and not si > above:
            raise refuse(f"{WHERE} is {shown(value)}; it must be greater than {above:g}.")
        if at_most is not None and si > at_most:
            raise refuse(f"{WHERE} is {shown(value)}; it must be at most {at_most:g}.")
        return si

    return BeforeValidator(validate, json_schema_input_type=float | str)


def numbers(dimension: str, size: int = 3) -> BeforeValidator:
    """A list of quantities of one dimension, in SI."""
    return BeforeValidator(
        lambda value: told(vector, value, dimension, WHERE, size), json_schema_input_type=list[float | str]
    )


def _rotation(value: Any) -> tuple[float, ...]:
    if isinstance(value, list | tuple) and len(value) == 3:
        turn = told(vector, value, "angle", WHERE)
        angle = math.sqrt(sum(x * x for x in turn))
        half = math.sin(angle / 2.0) / angle if angle > 1e-12 else 0.5
        return (math.cos(angle / 2.0), *(half * x for x in turn))
    if not isinstance(value, list | tuple) or len(value) != 4:
        raise refuse(
            f"{WHERE} is {shown(value)}; expected a unit quaternion (4 numbers, scalar first) or a rotation vector (3)."
        )
    quaternion: tuple[float, ...] = told(vector, value, "dimensionless", WHERE, 4)
    length = math.sqrt(sum(x * x for x in quaternion))
    if abs(length - 1.0) > 1e-6:
        raise refuse(f"{WHERE} is a quaternion of length {length:.6g}; expected a unit quaternion, scalar first.")
    return quaternion


Vector = tuple[float, float, float]
Rotation = Annotated[tuple[float, float, float, float], BeforeValidator(_rotation)]


# words


#: control characters but for tab and new line, and halves of characters that no file can hold
_CONTROL = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\ud800-\\udfff]")


#: characters of a name, a choice or the name of a file
LONGEST_WORD = 200


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise refuse(f"{WHERE} is {shown(value)}; expected text in quotes.")
    text = value.replace("\r\n", "\n")
    sign = _CONTROL.search(text)
    if sign is not None:
        raise refuse(f"{WHERE} is {shown(value)}; it holds the control character {sign[0]!r}, which is not accepted.")
    return text


def word(value: Any) -> str:
    """Return a text that names something, and is not a paragraph."""
    text = _text(value)
    if len(text) > LONGEST_WORD:
        raise refuse(
            f"{WHERE} is {shown(value)}; it has {len(text)} characters, and at most {LONGEST_WORD} are accepted."
        )
    return text


def _name(value: Any) -> str:
    text = _label(value)
    if "." in text:
        raise refuse(f"{WHERE} is {shown(value)}; expected a name without dots, slashes and brackets.")
    return text


def _label(value: Any) -> str:
    text = word(value)
    if not text or any(sign in text for sign in "/\\[]") or not text.isprintable() or text != text.strip():
        raise refuse(
            f"{WHERE} is {shown(value)}; expected a name without slashes and brackets, in printable characters."
        )
    return text


def folder(info: ValidationInfo) -> Path:
    """Return the folder from which the files that a scenario mentions are looked up."""
    return Path((info.context or {}).get("folder", ""))


def _file(value: Any, info: ValidationInfo) -> str:
    """Return the path of a file, which does not depend on the working directory any more."""
    return str((folder(info) / word(value)).absolute())


def of_file(load: Callable[[Path], Any], name: str, info: ValidationInfo) -> Any:
    """Return what a function reads from a file that the scenario mentions; errors name the place and the file."""
    try:
        return load(folder(info) / name)
    except InputError as error:
        raise refuse(f"{WHERE}: {error}") from None


def choice(words: Sequence[str] | Callable[[], Iterable[str]]) -> BeforeValidator:
    """One of these words."""

    def validate(value: Any) -> Any:
        accepted = list(words() if callable(words) else words)
        if not isinstance(value, str) or value not in accepted:
            hint = nearest(value, accepted) if isinstance(value, str) else ""
            raise refuse(f"{WHERE} is {shown(value)}; accepted: {', '.join(accepted)}.{hint}")
        return value

    return BeforeValidator(validate, json_schema_input_type=str if callable(words) else Literal[tuple(words)])


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise refuse(f"{WHERE} is {shown(value)}; expected true or false.")
    return value


LARGEST_COUNT = 10**15


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LARGEST_COUNT:
        raise refuse(f"{WHERE} is {shown(value)}; expected a whole number, 1 to {LARGEST_COUNT:g}.")
    return value


Prose = Annotated[str, BeforeValidator(_text)]
Text = Annotated[str, BeforeValidator(word)]
Name = Annotated[str, BeforeValidator(_name)]
#: a name with dots, as those of people's sensors have
Label = Annotated[str, BeforeValidator(_label)]
File = Annotated[str, BeforeValidator(_file)]
Flag = Annotated[bool, BeforeValidator(_flag)]
Count = Annotated[int, BeforeValidator(_count)]


# a word or a table; one table or several

WORD = Tag(f"{BRANCH}word")
TABLE = Tag(f"{BRANCH}table")
EITHER = Discriminator(lambda value: TABLE.tag if isinstance(value, dict | BaseModel) else WORD.tag)


def _some(value: Any) -> Any:
    if isinstance(value, dict):
        return [value]
    if not isinstance(value, list | tuple):
        raise refuse(f"{WHERE} is {shown(value)}; expected a table or a list of tables.")
    return value


SOME = BeforeValidator(_some)
