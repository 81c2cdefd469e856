"""A formulation as an initial value problem y' = f(t, y): all coordinates, or only independent ones."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from ...errors import InputError, SimulationError
from .formulation import Formulation
from .orientation import Array
from .stabilise import Solution

WORST_CONDITION = 5.0  # of the dependent part of C_q, against its value when the coordinates were chosen


class Dependent:
    """y = (q, v) with all coordinates; the stabilisation keeps the constraints."""

    def __init__(self, formulation: Formulation, solution: Solution, q: Array, v: Array) -> None:
        self.formulation, self.solution = formulation, solution
        self.n_q = len(q)
        self.start = np.concatenate((q, v))
        #: time and C after every step, before its correction, if requested
        self.history: list[tuple[float, Array]] | None = None
        self.evaluations = 0

    def rate(self, time: float, y: Array) -> Array:
        """Return dy/dt."""
        self.evaluations += 1
        q, v = y[: self.n_q], y[self.n_q :]
        accelerations, _ = self.solution(time, q, v)
        return np.concatenate((self.formulation.rates(q, v), accelerations))

    def full(self, time: float, y: Array) -> tuple[Array, Array]:
        """Return q and v."""
        return y[: self.n_q], y[self.n_q :]

    def accepted(self, time: float, y: Array) -> tuple[Array, bool]:
        """Return the state after a step, corrected, and whether f(t, y) has changed."""
        q, v = self.full(time, y)
        self.formulation.watch(time, q)
        if self.history is not None:
            rows = self.formulation.constraints.rows(self.formulation.motion(q, v), time)
            self.history.append((time, rows.value))
        corrected = self.solution.correct(time, q, v)
        if corrected is not None:
            q, v = corrected
            y = np.concatenate((q, v))
        loads = self.formulation.loads
        before = loads.touching
        if loads.contacts or loads.turns:
            loads.accept(self.formulation.motion(q, v), time)
        return y, corrected is not None or before or loads.touching


class Embedded:
    """y = (z, z') with independent coordinates only: coordinate partitioning (wehage1982).

    The dependent ones follow from C(q) = 0 by Newton's method and from C_q q' + C_t = 0. Which are independent is
    decided by QR with pivots, and again where the choice has become poor.
    """

    def __init__(self, formulation: Formulation, solution: Solution, q: Array, v: Array) -> None:
        if not formulation.coordinate_rates:
            raise InputError(
                f"partitioning needs velocities that are the rates of coordinates; {formulation.name} has angular "
                "velocities. Take euler-parameters-1, euler-angles, natural or planar."
            )
        self.formulation, self.solution = formulation, solution
        self.evaluations = 0
        self._q, self._v = q.copy(), v.copy()
        self._choose(0.0)
        self.start = self._state()

    def _choose(self, time: float) -> None:
        """Split the coordinates so that the dependent part of C_q is as regular as can be."""
        _, _, jacobian, _ = self.formulation.violation(time, self._q, self._v)
        n = jacobian.shape[1]
        if not len(jacobian):
            self.dependent, self.independent = np.arange(0), np.arange(n)
            self.rows, self._best = np.arange(0), 1.0
            return
        _, upper, pivots = linalg.qr(jacobian, mode="economic", pivoting=True)
        size = abs(np.diag(upper))
        rank = int((size > 1e-8 * size[0]).sum())
        self.dependent, self.independent = np.sort(pivots[:rank]), np.sort(pivots[rank:])
        _, _, row_pivots = linalg.qr(jacobian[:, self.dependent].T, mode="economic", pivoting=True)
        self.rows = np.sort(row_pivots[:rank])
        self._best = float(np.linalg.cond(jacobian[np.ix_(self.rows, self.dependent)]))

    def _state(self) -> Array:
        return np.concatenate((self._q[self.independent], self._v[self.independent]))

    def full(self, time: float, y: Array) -> tuple[Array, Array]:
        """Return all coordinates and velocities."""
        count = len(self.independent)
        q, v = self._q.copy(), self._v.copy()
        q[self.independent], v[self.independent] = y[:count], y[count:]
        if not len(self.rows):
            return q, v
        last = np.inf
        for _ in range(25):
            value, _, jacobian, _ = self.formulation.violation(time, q, v)
            worst = float(abs(value[self.rows]).max())
            if worst < 1e-14 or (worst < 1e-11 and worst >= 0.5 * last):
                break
            last = worst
            part = jacobian[np.ix_(self.rows, self.dependent)]
            q[self.dependent] -= np.linalg.solve(part, value[self.rows])
        else:
            raise SimulationError(f"partitioning: the dependent coordinates cannot be found at {time:.6g} s.")
        # C_q v + C_t = 0: correct the old dependent velocities by the rate that is left
        _, rate, _, jacobian = self.formulation.violation(time, q, v)
        v[self.dependent] -= np.linalg.solve(jacobian[np.ix_(self.rows, self.dependent)], rate[self.rows])
        self._q, self._v = q, v  # a good guess for the next call
        return q.copy(), v.copy()

    def rate(self, time: float, y: Array) -> Array:
        """Return dy/dt."""
        self.evaluations += 1
        q, v = self.full(time, y)
        accelerations, _ = self.solution(time, q, v)
        return np.concatenate((v[self.independent], accelerations[self.independent]))

    def accepted(self, time: float, y: Array) -> tuple[Array, bool]:
        """Return the state after a step; in other coordinates where these have become poor."""
        self._q, self._v = self.full(time, y)
        self.formulation.watch(time, self._q)
        loads = self.formulation.loads
        before = loads.touching
        if loads.contacts or loads.turns:
            loads.accept(self.formulation.motion(self._q, self._v), time)
        changed = before or loads.touching
        if len(self.rows):
            _, _, jacobian, _ = self.formulation.violation(time, self._q, self._v)
            if np.linalg.cond(jacobian[np.ix_(self.rows, self.dependent)]) > WORST_CONDITION * self._best:
                self._choose(time)
                return self._state(), True
        return y, changed


Problem = Dependent | Embedded
