"""One row of evidence: expected value, computed value and verdict."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True)
class Check:
    """A comparison with a known answer.

    name       what is compared, in a few words
    expected   the known answer, or the bound [unit]
    got        the computed value [unit]
    tolerance  the largest accepted difference |got - expected|, or how far the bound may be passed [unit]
    passed     the verdict
    unit       of the three numbers; "-" for none
    note       where the answer comes from, or why it failed
    skipped    the comparison could not be made: neither passed nor failed
    sense      "equal", "at most" or "at least"
    """

    name: str
    expected: float
    got: float
    tolerance: float
    passed: bool
    unit: str = "-"
    note: str = ""
    skipped: bool = False
    sense: str = "equal"

    @classmethod
    def close(cls, name: str, expected: float, got: float, tolerance: float, unit: str = "-", note: str = "") -> Check:
        """Return the row whose verdict is |got - expected| <= tolerance; NaN fails."""
        passed = bool(abs(got - expected) <= tolerance)
        return cls(name, float(expected), float(got), float(tolerance), passed, unit, note)

    @classmethod
    def at_most(
        cls, name: str, bound: float, got: float, unit: str = "-", note: str = "", *, tolerance: float = 0.0
    ) -> Check:
        """Return the row whose verdict is got <= bound + tolerance; NaN fails."""
        passed = bool(got <= bound + tolerance)
        return cls(name, float(bound), float(got), float(tolerance), passed, unit, note, sense="at most")

    @classmethod
    def at_least(
        cls, name: str, bound: float, got: float, unit: str = "-", note: str = "", *, tolerance: float = 0.0
    ) -> Check:
        """Return the row whose verdict is got >= bound - tolerance, for example an order of convergence; NaN fails."""
        passed = bool(got >= bound - tolerance)
        return cls(name, float(bound), float(got), float(tolerance), passed, unit, note, sense="at least")

    @classmethod
    def measured(cls, name: str, got: float, unit: str, note: str = "") -> Check:
        """Return the row of a measured number that has no reference value."""
        nan = float("nan")
        return cls(name, nan, float(got), nan, True, unit, note)

    @classmethod
    def skip(cls, name: str, note: str) -> Check:
        """Return the row of a comparison that could not be made, with the reason."""
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

    @property
    def answer(self) -> str:
        """The known answer as text: "3 s", "at most 3 s"; nothing where there is none."""
        text = shown(self.expected, self.unit)
        return f"{self.sense} {text}" if text and self.sense != "equal" else text


def shown(value: float, unit: str, digits: int = 6) -> str:
    """Return a number with its unit as text; "" for NaN."""
    if math.isnan(value):
        return ""
    return f"{value:.{digits}g}" + ("" if unit == "-" else f" {unit}")


def least_time(call: Callable[[], object], rounds: int, times: int = 1) -> float:
    """Return the least time of a call [s] in several rounds of many calls, because other processes only add time."""
    least = float("inf")
    for _ in range(rounds):
        started = perf_counter()
        for _ in range(times):
            call()
        least = min(least, (perf_counter() - started) / times)
    return least
