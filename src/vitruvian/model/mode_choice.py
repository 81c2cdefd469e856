"""Which modes of a bone a user chooses: by number, one by one, below a frequency, or by the error they leave."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import InputError
from ..units import quantity

MOST = 30  # modes of a bone
ACCEPTED = f'a number from 1 to {MOST}, a list as [1, 2, 5], a frequency as "2 kHz", or an error as "1 %"'

Modes = int | tuple[int, ...] | str


def read_modes(value: Any, where: str, _folder: Path = Path()) -> Modes:
    """Return a checked choice of modes; raise InputError for any other value."""
    numbers = [value] if isinstance(value, int) and not isinstance(value, bool) else value
    if isinstance(value, str):
        limit(value, where)
        return value
    if not isinstance(numbers, list | tuple) or not numbers:
        raise InputError(f"{where} is {value!r}; accepted: {ACCEPTED}.")
    whole = all(isinstance(k, int) and not isinstance(k, bool) and 1 <= k <= MOST for k in numbers)
    if not whole or len(set(numbers)) < len(numbers):
        raise InputError(f"{where} is {value!r}; accepted: {ACCEPTED}, each mode once.")
    return value if isinstance(value, int) else tuple(numbers)


def limit(text: str, where: str = "modes") -> tuple[str, float]:
    """Return ("frequency", [Hz]) or ("error", missing part of the strain energy [-]) of a choice in words."""
    bare = text.strip()[-1:].isdigit()  # a number in quotes could be either
    for kind, dimension in () if bare else (("error", "dimensionless"), ("frequency", "frequency")):
        try:
            value = quantity(text, dimension, where)
        except InputError:
            continue
        if value > 0.0 and (kind == "frequency" or value < 1.0):
            return kind, value
    raise InputError(f"{where} is {text!r}; accepted: {ACCEPTED}.")
