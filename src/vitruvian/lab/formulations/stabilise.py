"""Constraint stabilisation: none, Baumgarte, corrections after each step, penalty, augmented Lagrangian.

| name                  | what it does                                                                   | source      |
|-----------------------|--------------------------------------------------------------------------------|-------------|
| none                  | C'' = 0 only; C drifts                                                         | eq. 3.85    |
| baumgarte             | C'' + 2 alpha C' + beta^2 C = 0                                                | 3.86-3.89   |
| direct                | q and v moved along C_q' after a step that violates more than its tolerance    | 3.90-3.100  |
| projection            | the same with the mass matrix, at every step, to rounding                      | ERRATA E020 |
| penalty               | springs and dampers instead of the joints                                      | bayo1988    |
| augmented-lagrangian  | penalty with multipliers, repeated until C'' + ... = 0                         | bayo1988    |
| partitioning          | only independent coordinates are integrated, the others follow from C = 0      | wehage1982  |

The first three may be joined by +, as the thesis does: baumgarte+direct.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from ...errors import InputError, nearest
from .equation import Equations
from .formulation import Formulation
from .kkt import Redundant
from .orientation import Array
from .start import projected

METHODS = ("none", "baumgarte", "direct", "projection", "penalty", "augmented-lagrangian", "partitioning")
JOINABLE = ("baumgarte", "penalty", "augmented-lagrangian")  # with direct or projection
CORRECTIONS = ("direct", "projection")

Linear = Callable[[Equations], tuple[Array, Array]]


@dataclass(frozen=True)
class Stabilisation:
    """The method and its numbers.

    method       a name of METHODS, or two joined by +
    alpha, beta  of Baumgarte [1/s]; beta is sqrt(2) alpha unless given, as in the thesis (critical damping is
                 beta = alpha: E019); alpha "auto" is 1/h, beta sqrt(2)/h for fixed steps h (3.89)
    tolerance    of the direct correction: nothing is done below it [m, -]
    velocity_tolerance   likewise for velocities [m/s, 1/s]; `tolerance` unless given
    iterate      the direct correction is repeated until it meets its tolerance; False: one linear step, as printed
    norm         |p| = 1 is among the conditions that are corrected (E020) and fed back; False: as printed, the joints
                 alone (3.87 and 3.93 have one row for each joint equation)
    penalty      factor of the penalty [kg], 1e7 unless given, 1e5 for the augmented Lagrangian, which repeats and would
                 only lose digits; ratio: damping ratio [-] and frequency [rad/s] of the penalty system
    """

    method: str = "projection"
    alpha: float | str = 5.0
    beta: float | None = None
    tolerance: float = 1e-8
    velocity_tolerance: float | None = None
    iterate: bool = True
    norm: bool = True
    penalty: float | None = None
    ratio: float = 1.0
    frequency: float = 10.0
    multiplier_tolerance: float = 1e-12

    def __post_init__(self) -> None:
        parts = self.parts
        for part in parts:
            if part not in METHODS:
                raise InputError(
                    f"stabilisation {part!r} is unknown; accepted: {', '.join(METHODS)}, or two joined by +, as in "
                    f"baumgarte+direct.{nearest(part, METHODS)}"
                )
        if len(parts) > 2 or (
            len(parts) == 2
            and not (sum(part in JOINABLE for part in parts) == 1 and sum(part in CORRECTIONS for part in parts) == 1)
        ):
            raise InputError(
                f"stabilisation {self.method!r} cannot be joined; one of {', '.join(JOINABLE)} may be joined "
                f"with one of {', '.join(CORRECTIONS)}."
            )
        if isinstance(self.alpha, str) and self.alpha != "auto":
            raise InputError(f'stabilisation alpha is {self.alpha!r}; accepted: a number [1/s] or "auto".')
        for name in ("tolerance", "penalty", "frequency"):
            if getattr(self, name) is not None and not getattr(self, name) > 0.0:
                raise InputError(f"stabilisation {name} is {getattr(self, name)}; it must be greater than zero.")

    @property
    def parts(self) -> tuple[str, ...]:
        """The joined methods."""
        return tuple(self.method.split("+"))

    def gains(self, step: float | None) -> tuple[float, float]:
        """Return alpha and beta [1/s]."""
        if self.alpha == "auto":
            if step is None:
                raise InputError(
                    'stabilisation alpha "auto" is 1/h and needs fixed steps (eq. 3.89); take a solver with fixed '
                    "steps (ode1 ... ode8) or give a number."
                )
            return 1.0 / step, np.sqrt(2.0) / step
        alpha = float(self.alpha)
        return alpha, float(np.sqrt(2.0) * alpha if self.beta is None else self.beta)


class Solution:
    """Accelerations and multipliers of a formulation under a stabilisation.

    rows   the independent constraint rows, or None for all
    step   fixed step [s], for the automatic choice of Baumgarte's numbers
    """

    def __init__(
        self,
        formulation: Formulation,
        stabilisation: Stabilisation,
        linear: Linear,
        rows: Array | None = None,
        step: float | None = None,
    ) -> None:
        self.formulation, self.stabilisation, self.linear = formulation, stabilisation, linear
        self.rows, self.step = rows, step
        #: steps after which q or v was corrected
        self.corrections = 0
        self._guess: Array | None = None

    def __call__(self, time: float, q: Array, v: Array) -> tuple[Array, Array]:
        """Return dv/dt and the multipliers (of all rows; those left out are zero)."""
        equations, kept = self.equations(time, q, v)
        parts = self.stabilisation.parts
        if "penalty" in parts or "augmented-lagrangian" in parts:
            x, multiplier = self._penalty(equations, "augmented-lagrangian" in parts)
        else:
            x, multiplier = self.solve(equations)
        if self.rows is not None:
            full = np.zeros(kept)
            full[self.rows] = multiplier
            multiplier = full
        return self.formulation.accelerations(x), multiplier

    def equations(self, time: float, q: Array, v: Array) -> tuple[Equations, int]:
        """Return the equations with the feedback of the stabilisation in gamma, and the number of all rows."""
        equations = self.formulation.equations(time, q, v)
        count = equations.m
        if self.rows is not None:
            equations = equations.take(self.rows)
        parts = self.stabilisation.parts
        if "baumgarte" in parts:
            alpha, beta = self.stabilisation.gains(self.step)
            equations = self.formulation.fed_back(equations, q, v, alpha, beta, self.stabilisation.norm)
        elif "penalty" in parts or "augmented-lagrangian" in parts:
            damping = self.stabilisation.ratio * self.stabilisation.frequency
            equations = self.formulation.fed_back(equations, q, v, damping, self.stabilisation.frequency)
        return equations, count

    def solve(self, equations: Equations) -> tuple[Array, Array]:
        """Return x and multipliers by the chosen method; least squares where joints have become redundant."""
        try:
            return self.linear(equations)
        except Redundant:
            mass, jacobian, spread = equations.dense()
            size, m = equations.size, equations.m
            matrix = np.block([[mass, -spread], [jacobian, np.zeros((m, m))]])
            right = np.concatenate((equations.force.ravel(), equations.gamma))
            found = np.linalg.lstsq(matrix, right, rcond=1e-12)[0]
            return found[:size].reshape(equations.force.shape), found[size:]

    def _penalty(self, equations: Equations, repeat: bool) -> tuple[Array, Array]:
        """Solve (M + B a C) x = F + B l + B a gamma with l <- l + a (gamma - C x) to convergence, or once from l = 0.

        gamma already holds -2 mu w C' - w^2 C (bayo1988 with our sign of the multipliers).
        """
        factor = self.stabilisation.penalty or (1e5 if repeat else 1e7)
        mass, jacobian, spread = equations.dense()
        factors = linalg.lu_factor(mass + factor * (spread @ jacobian), check_finite=False)
        force, gamma = equations.force.ravel(), equations.gamma
        multiplier = np.zeros(equations.m)
        if repeat and self._guess is not None and len(self._guess) == equations.m:
            multiplier = self._guess
        for _ in range(20):
            x = linalg.lu_solve(factors, force + spread @ (multiplier + factor * gamma), check_finite=False)
            change = factor * (gamma - jacobian @ x)
            multiplier = multiplier + change
            if not repeat:
                break
            if not equations.m or abs(change).max() <= self.stabilisation.multiplier_tolerance * (
                1.0 + abs(multiplier).max()
            ):
                break
        self._guess = multiplier
        return x.reshape(equations.force.shape), multiplier

    # --- after a step

    def correct(self, time: float, q: Array, v: Array) -> tuple[Array, Array] | None:
        """Return q and v after the correction of an accepted step, or None if nothing was changed."""
        parts = self.stabilisation.parts
        corrected = None
        if "projection" in parts:
            motion = self.formulation.motion(q, v)
            corrected = self.formulation.coordinates(projected(self.formulation.constraints, motion, time), near=q)
        elif "direct" in parts:
            corrected = self._direct(time, q, v)
        self.corrections += corrected is not None
        return corrected

    def _direct(self, time: float, q: Array, v: Array) -> tuple[Array, Array] | None:
        """Return the direct correction (eqs 3.90-3.100): dq = -C_q' (C_q C_q')^-1 C, dv likewise from dC/dt."""
        chosen, changed = self.stabilisation, False
        for _ in range(50):
            value, _, by_q, _ = self._conditions(time, q, v)
            if not value.size or abs(value).max() <= chosen.tolerance:
                break
            q, changed = q - np.linalg.lstsq(by_q, value, rcond=None)[0], True
            if not chosen.iterate:
                break
        tolerance = chosen.tolerance if chosen.velocity_tolerance is None else chosen.velocity_tolerance
        _, rate, _, by_v = self._conditions(time, q, v)
        if rate.size and abs(rate).max() > tolerance:
            v, changed = v - np.linalg.lstsq(by_v, rate, rcond=None)[0], True
        return (q, v) if changed else None

    def _conditions(self, time: float, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        """Return C, dC/dt and Jacobians; without |p| = 1 for the correction as printed."""
        value, rate, by_q, by_v = self.formulation.violation(time, q, v)
        m = len(value) if self.stabilisation.norm else self.formulation.constraints.m
        return value[:m], rate[:m], by_q[:m], by_v[:m]
