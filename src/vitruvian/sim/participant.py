"""Who takes part in a run: what limits, risk curves and citations depend on. SI units, ages in years."""

from __future__ import annotations

from typing import NamedTuple


class Participant(NamedTuple):
    """A person of a run.

    name           of the person in the scenario: "human", "anna"
    height, mass   [m], [kg]
    age            [years]; None is an adult whose age is not given
    by_percentile  True if height or mass follow from a percentile of a population
    """

    name: str
    sex: str
    age: float | None
    height: float
    mass: float
    by_percentile: bool = False

    @property
    def prefix(self) -> str:
        """Return what precedes the names of the person's segments: "" or "anna."."""
        return "" if self.name == "human" else f"{self.name}."
