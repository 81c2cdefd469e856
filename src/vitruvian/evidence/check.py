"""One row of evidence: what was expected, what came out, and whether that is good enough."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True)
class Check:
    """A comparison with a known answer.

    name       what is compared, in a few words
    expected   the known answer [unit]
    got        what came out [unit]
    tolerance  the largest accepted difference |got - expected| [unit]
    passed     the verdict
    unit       of the three numbers; "-" for none
    note       where the answer comes from, or why it failed
    skipped    the comparison could not be made: neither passed nor failed
    """

    name: str
    expected: float
    got: float
    tolerance: float
    passed: bool
    unit: str = "-"
    note: str = ""
    skipped: bool = False

    @classmethod
    def close(cls, name: str, expected: float, got: float, tolerance: float, unit: str = "-", note: str = "") -> Check:
        """The row whose verdict is |got - expected| <= tolerance; NaN fails."""
        passed = bool(abs(got - expected) <= tolerance)
        return cls(name, float(expected), float(got), float(tolerance), passed, unit, note)

    @classmethod
    def at_least(cls, name: str, expected: float, got: float, tolerance: float = 0.0, note: str = "") -> Check:
        """The row whose verdict is got >= expected - tolerance: an order of convergence may be better than promised."""
        passed = bool(got >= expected - tolerance)
        return cls(name, float(expected), float(got), float(tolerance), passed, "-", note)

    @classmethod
    def skip(cls, name: str, note: str) -> Check:
        """The row of a comparison that could not be made, and why."""
        nan = float("nan")
        return cls(name, nan, nan, nan, False, "-", note, skipped=True)

    @property
    def failed(self) -> bool:
        """Whether the comparison was made and came out wrong."""
        return not self.passed and not self.skipped

    @property
    def verdict(self) -> str:
        """ "ok", "FAILED" or "skipped"."""
        return "skipped" if self.skipped else "ok" if self.passed else "FAILED"


def shown(value: float, unit: str, digits: int = 6) -> str:
    """A number with its unit as text; nothing where there is none."""
    if math.isnan(value):
        return ""
    return f"{value:.{digits}g}" + ("" if unit == "-" else f" {unit}")


def least_time(call: Callable[[], object], rounds: int) -> float:
    """The least time that a call takes [s]."""
    times = []
    for _ in range(rounds):
        started = perf_counter()
        call()
        times.append(perf_counter() - started)
    return min(times)
