"""Methods of integration and their settings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InputError, nearest
from ..kernels import layout, types
from ..model.field import field_of
from ..model.value import Choice, Count, Flag

#: method -> (kernel code, adaptive, default tolerance, default step [s])
METHODS: dict[str, tuple[int, bool, float, float]] = {
    "implicit": (layout.integrator.IMPLICIT, True, 3e-5, 1e-4),
    "semi-implicit-euler": (layout.integrator.SEMI_IMPLICIT_EULER, False, 0.0, 1e-5),
    "rk4": (layout.integrator.RK4, False, 0.0, 1e-5),
    "dormand-prince": (layout.integrator.DORMAND_PRINCE, True, 1e-6, 1e-4),
}

_MOST_STEPS = 2**63 - 1  # a larger number has another type, for which Numba would compile all kernels again


@dataclass(frozen=True)
class Solver:
    """How to integrate.

    reject_every  reject every so many steps, to show that nothing is left behind; 0 for none
    """

    method: str = field_of(Choice(tuple(METHODS)), "of integration", default="implicit")
    tolerance: float | None = field_of("dimensionless", "relative error of a step", default=None, above=0.0)
    step: float | None = field_of(
        "time", "of the methods with fixed step, first step of the others", default=None, above=0.0
    )
    adaptive: bool | None = field_of(
        Flag(), "false: every step as long as step; as the method is, unless given", default=None
    )
    max_step: float = field_of("time", "longest step in flight", default=1e-2, above=0.0, implied=True)
    contact_step: float = field_of("time", "longest step while anything touches", default=1e-3, above=0.0, implied=True)
    min_step: float = field_of("time", "below which the run gives up", default=1e-9, above=0.0, implied=True)
    max_steps: int = field_of(Count(), "after which the run gives up", default=50_000_000, implied=True)
    reject_every: int = 0

    def settings(self, end: float, stop_at_rest: bool, stop_body: int) -> types.Settings:
        """The kernels' settings."""
        if self.method not in METHODS:
            raise InputError(
                f"solver.method is {self.method!r}; accepted: {', '.join(METHODS)}." + nearest(self.method, METHODS)
            )
        code, can_adapt, tolerance, step = METHODS[self.method]
        adaptive = can_adapt if self.adaptive is None else self.adaptive
        if adaptive and not can_adapt:
            raise InputError(
                f"solver.method {self.method!r} has fixed steps; take implicit or dormand-prince for adaptive ones."
            )
        for name in ("tolerance", "step", "max_step", "contact_step", "min_step"):
            value = getattr(self, name)
            if value is not None and not 0.0 < value < np.inf:
                raise InputError(f"solver.{name} is {value}; it must be greater than zero.")
        for name in ("max_step", "contact_step"):
            if adaptive and self.min_step > getattr(self, name):
                raise InputError(
                    f"solver.min_step is {self.min_step:g} s, more than solver.{name}, {getattr(self, name):g} s."
                )
        return types.Settings(
            code,
            int(adaptive),
            float(end),
            float(self.tolerance or tolerance),
            float(self.step or step),
            float(self.min_step),
            float(self.max_step),
            float(self.contact_step),
            min(int(self.max_steps), _MOST_STEPS),
            int(stop_at_rest),
            int(stop_body),
            min(int(self.reject_every), _MOST_STEPS),
        )
