"""One row of evidence: what was expected, what came out, and whether that is good enough."""

from __future__ import annotations

from dataclasses import dataclass


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
    """

    name: str
    expected: float
    got: float
    tolerance: float
    passed: bool
    unit: str = "-"
    note: str = ""

    @classmethod
    def close(cls, name: str, expected: float, got: float, tolerance: float, unit: str = "-", note: str = "") -> Check:
        """The row whose verdict is |got - expected| <= tolerance; NaN fails."""
        return cls(name, float(expected), float(got), float(tolerance), abs(got - expected) <= tolerance, unit, note)
