"""The content of the page from one run, computed once: result, assessment, charts and the 3D scene."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..injury.assessment import Assessment
from ..scenario import Scenario
from ..sim.result import Result
from ..view.charts import Chart, charts
from ..view.scene import Scene


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
    def shapes(self) -> Scene:
        """The 3D scene with contact shapes."""
        return Scene(self.result)

    @cached_property
    def skinned(self) -> Scene:
        """The 3D scene with the skin of people."""
        return Scene(self.result, skin=True)
