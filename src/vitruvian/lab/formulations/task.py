"""Input and cost of an integrator: problem, times and tolerances; steps and Jacobians."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from .orientation import Array
from .problem import Problem


@dataclass
class Tally:
    """Cost of a run: accepted steps, and Jacobians of stiff solvers."""

    steps: int = 0
    jacobians: int = 0


@dataclass(frozen=True)
class Task:
    """An integration from times[0] through all times, each met exactly.

    sample     given the number, the time [s] and the state of each of them
    tolerance  relative; absolute: absolute
    step       of the fixed solvers [s]; max_step: of those that choose their own [s]
    """

    problem: Problem
    times: Array
    sample: Callable[[int, float, Array], None]
    tolerance: float
    absolute: float
    step: float | None = None
    max_step: float = np.inf
    tally: Tally = field(default_factory=Tally)

    def spans(self) -> Iterator[tuple[int, float, float]]:
        """Yield number, begin and end [s] of each interval between two times."""
        for number in range(1, len(self.times)):
            yield number, float(self.times[number - 1]), float(self.times[number])
