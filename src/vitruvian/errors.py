"""The error classes of Vitruvian.

A message states what is wrong, where, what is accepted and what to do next. The command line prints it without a
traceback and exits with the `exit_code` of its class.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

__all__ = [
    "InputError",
    "MissingExtra",
    "OutputError",
    "SimulationError",
    "VitruvianError",
    "located",
    "nearest",
    "optional",
    "shown",
    "spelled",
]


class VitruvianError(Exception):
    """Base class of all errors that Vitruvian raises."""

    exit_code = 1


class InputError(VitruvianError):
    """Wrong input: a file, a key, a value or an argument."""

    exit_code = 2


class SimulationError(VitruvianError):
    """A run failed: it diverged, or its step became too small."""

    exit_code = 1


class OutputError(VitruvianError):
    """The storage failed while a file was written: the disk is full, a quota is used up, a device does not answer."""

    exit_code = 1


class MissingExtra(VitruvianError):
    """An optional package is needed and not installed.

    package  what is missing, as one imports it: "mujoco"
    extra    the pip extra that brings it: "peers"
    purpose  what needs it: "bench --peers"
    """

    exit_code = 2

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(package, extra, purpose)
        self.package = package
        self.extra = extra
        self.purpose = purpose

    def __str__(self) -> str:
        return (
            f"{self.purpose} needs the package {self.package}, which is not installed. "
            f'Install it with: pip install "vitruvian[{self.extra}]"'
        )


def optional(module: str, extra: str, purpose: str, package: str = "") -> Any:
    """Return an optional module; raise MissingExtra if its package, called like the module unless given, is missing."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtra(package or module, extra, purpose) from None


@contextmanager
def located(where: object) -> Iterator[None]:
    """Put the place of an input error before its message."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{where}: {error}") from error


def nearest(word: str, choices: Iterable[str]) -> str:
    """Return a sentence to append to an error, ` Did you mean "height"?`, or "" when nothing is close.

    Case counts only between equally close choices: "KN" finds "kN". A beginning finds the choice with which all that
    begin so begin: "accel" is short for "acceleration", whether or not there is an "acceleration_local".
    """
    word = word[:_LONGEST]
    by_lower: dict[str, list[str]] = {}
    for choice in choices:
        by_lower.setdefault(choice.lower(), []).append(choice)
    begun = sorted((choice for choice in by_lower if choice.startswith(word.lower())), key=len)
    short = len(word) > 2 and begun and all(choice.startswith(begun[0]) for choice in begun)
    close = begun if short else difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    if not close:
        return ""
    best = max(by_lower[close[0]], key=lambda choice: difflib.SequenceMatcher(None, word, choice).ratio())
    return f' Did you mean "{best}"?'


_LONGEST = 60  # characters of a value in an error
_FEW = 4  # items of a list in an error
_DIGITS = 30  # from which a whole number is given by its size


def shown(value: object) -> str:
    """Return a value for an error, as a user would write it in a file: on one line, printable and short."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "nothing"
    if isinstance(value, list | tuple):
        some = [shown(item) for item in value[:_FEW]]
        text = f"[{', '.join(some)}{', ...' if len(value) > _FEW else ''}]"
    elif isinstance(value, int) and value.bit_length() > _DIGITS / math.log10(2):  # str() refuses over 4300 digits
        text = f"a whole number of {int(value.bit_length() * math.log10(2)) + 1} digits"
    elif isinstance(value, str):
        return f'"{spelled(value)}"'
    else:
        text = str(value)
    return spelled(text)


def spelled(key: object) -> str:
    """Return a key or name for an error: on one line, printable and short."""
    text = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in str(key)[: 2 * _LONGEST])
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
