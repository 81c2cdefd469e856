"""The kinds of values a scenario is written in, each with an error that says what is accepted.

A validator does not know where in the file its value stands. It writes `WHERE` instead, and the reader puts the
dotted path there: "human.start.velocity[2] is ...".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Tag, model_validator
from pydantic_core import PydanticCustomError

from ..errors import InputError, nearest
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


def shown(value: object) -> str:
    """What was given, as it would be written in the file, and not too long."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


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
                raise refuse(f"{WHERE}.{key} is not known.{hint}")
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


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise refuse(f"{WHERE} is {shown(value)}; expected text in quotes.")
    return value.replace("\r\n", "\n")


def _name(value: Any) -> str:
    text = _text(value)
    if not text or any(sign in text for sign in "./\\[]") or not text.isprintable() or text != text.strip():
        raise refuse(f"{WHERE} is {shown(value)}; expected a name without dots, slashes and brackets.")
    return text


def choice(words: Sequence[str] | Callable[[], Iterable[str]]) -> BeforeValidator:
    """One of these words."""

    def validate(value: Any) -> Any:
        accepted = list(words() if callable(words) else words)
        if value not in accepted:
            hint = nearest(value, accepted) if isinstance(value, str) else ""
            raise refuse(f"{WHERE} is {shown(value)}; accepted: {', '.join(accepted)}.{hint}")
        return value

    return BeforeValidator(validate, json_schema_input_type=str if callable(words) else Literal[tuple(words)])


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise refuse(f"{WHERE} is {shown(value)}; expected true or false.")
    return value


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise refuse(f"{WHERE} is {shown(value)}; expected a whole number, 1 or more.")
    return value


Text = Annotated[str, BeforeValidator(_text)]
Name = Annotated[str, BeforeValidator(_name)]
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
