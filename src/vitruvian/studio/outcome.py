"""What a run gives to the page, worked out once: result, assessment, charts and the play in three dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..injury.assessment import Assessment
from ..scenario import Scenario
from ..sim.result import Result
from ..view.charts import Chart, charts
from ..view.theatre import Theatre


@dataclass(frozen=True)
class Outcome:
    """A finished run of a scenario."""

    scenario: Scenario
    result: Result

    @cached_property
    def assessment(self) -> Assessment:
        """The injury criteria."""
        return self.result.injury()

    @cached_property
    def charts(self) -> list[Chart]:
        """The curves."""
        return charts(self.result, self.assessment)

    @cached_property
    def shapes(self) -> Theatre:
        """What moves, in the shapes that touch."""
        return Theatre(self.result)

    @cached_property
    def skinned(self) -> Theatre:
        """What moves, people as they look."""
        return Theatre(self.result, skin=True)
