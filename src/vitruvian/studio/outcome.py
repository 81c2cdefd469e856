"""What a run gives to the page, worked out once: result, assessment and the play in three dimensions."""

from __future__ import annotations

from dataclasses import dataclass

from ..injury.assessment import Assessment
from ..scenario import Scenario
from ..sim.result import Result
from ..view.theatre import Theatre


@dataclass(frozen=True)
class Outcome:
    """A finished run of a scenario."""

    scenario: Scenario
    result: Result
    assessment: Assessment
    play: Theatre

    @classmethod
    def of(cls, scenario: Scenario, result: Result) -> Outcome:
        """The outcome of a run."""
        return cls(scenario, result, result.injury(), Theatre(result))
