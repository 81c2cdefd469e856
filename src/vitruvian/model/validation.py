"""Small checks shared by the model description; each names the item and what is accepted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ..errors import InputError


def finite_vector(value: Iterable[float], where: str, size: int = 3) -> tuple[float, ...]:
    """The value as a tuple of `size` finite floats."""
    try:
        vector = tuple(float(x) for x in value)
    except (TypeError, ValueError):
        raise InputError(f"{where} is {value!r}; expected {size} numbers.") from None
    if len(vector) != size:
        raise InputError(f"{where} has {len(vector)} numbers; expected {size}.")
    for position, x in enumerate(vector):
        if not math.isfinite(x):
            raise InputError(f"{where} has {x} at place {position}; every number must be finite.")
    return vector


def positive(value: float, where: str, unit: str = "") -> None:
    """Refuse what is not greater than zero; infinity passes."""
    if not value > 0.0:
        raise InputError(f"{where} is {f'{value} {unit}'.strip()}; it must be greater than zero.")


def not_negative(value: float, where: str, unit: str = "") -> None:
    """Refuse a negative or undefined number."""
    if not value >= 0.0:
        raise InputError(f"{where} is {f'{value} {unit}'.strip()}; it must not be negative.")


def rotation(value: Sequence[float], where: str) -> tuple[float, ...]:
    """The value as a unit quaternion, scalar first."""
    quaternion = finite_vector(value, where, 4)
    norm = math.sqrt(sum(x * x for x in quaternion))
    if abs(norm - 1.0) > 1e-6:
        raise InputError(f"{where} is a quaternion of length {norm:.6g}; expected a unit quaternion, scalar first.")
    return tuple(x / norm for x in quaternion)
