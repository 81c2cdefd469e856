"""CVODE and IDA of SUNDIALS (scikit-sundae) between the times of a task.

Corrections of the constraints are made at those times, where the method starts anew.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import InputError, SimulationError, optional
from .equation import Equations
from .jacobian import Coloured, pattern, unbalanced
from .orientation import Array
from .problem import Dependent
from .task import Task

MAX_STEPS = 100_000  # between two outputs


def load_sundials(purpose: str) -> Any:
    """Return the package scikit-sundae; raise MissingExtra if it is not installed."""
    return optional("sksundae", "formulations", purpose, "scikit-sundae")


def cvode(task: Task, name: str) -> None:
    """The methods Adams and BDF of CVODE."""
    sundials, problem = load_sundials(f"solver {name}"), task.problem
    options: dict[str, Any] = {"method": name, "rtol": task.tolerance, "atol": task.absolute}
    if name == "BDF" and isinstance(problem, Dependent):
        jacobian = Coloured(problem)

        def fill(t: float, y: Array, _: Array, out: Array) -> None:
            task.tally.jacobians += 1
            out[:, :] = jacobian(t, np.array(y))

        options["jacfn"] = fill

    failure: list[Exception] = []

    def rate(t: float, y: Array, out: Array) -> None:
        try:
            out[:] = problem.rate(t, np.array(y))
        except Exception as error:
            failure.append(error)
            out[:] = np.nan

    y = problem.start
    for number, begin, end in task.spans():
        solver = sundials.cvode.CVODE(rate, max_num_steps=MAX_STEPS, **options)
        solver.init_step(begin, y)
        y, _ = problem.accepted(end, _advanced(solver, name, begin, end, task, failure))
        task.sample(number, end, y)


def ida(task: Task) -> None:
    """IDA on the whole index-1 system, with a coloured sparse Jacobian."""
    sundials, problem = load_sundials("solver IDA"), task.problem
    if not isinstance(problem, Dependent):
        raise InputError("solver IDA integrates all coordinates and cannot be joined with partitioning; take DOP853.")
    if {"penalty", "augmented-lagrangian"} & set(problem.solution.stabilisation.parts):
        raise InputError("solver IDA solves for the multipliers itself; take baumgarte, direct, projection or none.")
    residual = _Residual(problem, float(task.times[0]))
    where = residual.pattern().astype(float)
    y = problem.start
    for number, begin, end in task.spans():
        state, rate = residual.consistent(begin, y)
        # sigma and the multipliers follow from the rest; they need not be as exact
        algebraic = np.arange(len(y), len(state))
        allowed = np.full(len(state), task.absolute)
        allowed[algebraic] = 1e3 * task.absolute * max(1.0, float(abs(state[algebraic]).max(initial=0.0)))
        solver = sundials.ida.IDA(
            residual, rtol=task.tolerance, atol=allowed, algebraic_idx=algebraic, max_num_steps=MAX_STEPS,
            sparsity=where, linsolver="sparse",
        )  # fmt: skip
        solver.init_step(begin, state, rate)
        y, _ = problem.accepted(end, _advanced(solver, "IDA", begin, end, task)[: len(y)])
        task.sample(number, end, y)


def _advanced(
    solver: Any, name: str, begin: float, end: float, task: Task, failure: list[Exception] | None = None
) -> Array:
    """Return the state at the end of an interval [s], step by step; `failure` holds errors raised inside dy/dt."""
    t = begin
    while t < end:
        found = solver.step(end, method="onestep", tstop=end)
        if failure:
            raise failure[0]
        if not found.success:
            raise SimulationError(f"{name} gave up at {t:.6g} s: {found.message}")
        times = np.ravel(found.t)
        t = float(times[-1])
        task.tally.steps += 1
    return np.array(found.y).reshape(len(times), -1)[-1]


class _Residual:
    """The index-1 equations as IDA wants them; unknowns q, v, sigma and the multipliers l.

    0 = q' - rates(q, v),   0 = M x - B l - F,   0 = C_q x - gamma      x = (v', sigma)
    """

    def __init__(self, problem: Dependent, time: float) -> None:
        self.problem, self.formulation, self.solution = problem, problem.formulation, problem.solution
        self.n_q = problem.n_q
        self.n_v = len(problem.start) - self.n_q
        self.equations, _ = self.solution.equations(time, problem.start[: self.n_q], problem.start[self.n_q :])
        size = self.equations.size
        self.places = self.formulation.accelerations(np.arange(size).reshape(self.equations.force.shape))  # v' in x
        self.extra = np.setdiff1d(np.arange(size), self.places)  # sigma in x
        self.first_extra = self.n_q + self.n_v
        self.first_multiplier = self.first_extra + len(self.extra)

    def __call__(self, t: float, y: Array, rate: Array, out: Array) -> None:
        self.problem.evaluations += 1
        q, v = np.array(y[: self.n_q]), np.array(y[self.n_q : self.first_extra])
        here, _ = self.solution.equations(t, q, v)
        x = np.empty(self.equations.size)
        x[self.places] = rate[self.n_q : self.first_extra]
        x[self.extra] = y[self.first_extra : self.first_multiplier]
        out[: self.n_q] = rate[: self.n_q] - self.formulation.rates(q, v)
        out[self.n_q :] = unbalanced(here, x, np.array(y[self.first_multiplier :]))

    def consistent(self, time: float, y: Array) -> tuple[Array, Array]:
        """Return all unknowns and their rates at a state (q, v)."""
        q, v = y[: self.n_q], y[self.n_q :]
        here, _ = self.solution.equations(time, q, v)
        x, multiplier = self.solution.solve(here)
        state = np.concatenate((q, v, x.ravel()[self.extra], multiplier))
        still = np.zeros(len(self.extra) + len(multiplier))
        return state, np.concatenate((self.formulation.rates(q, v), x.ravel()[self.places], still))

    def pattern(self) -> Array:
        """Return where the residual can depend on the unknowns and on their rates."""
        n_q, size, extra, multiplier = self.n_q, self.equations.size, self.first_extra, self.first_multiplier
        total = multiplier + self.equations.m
        where = np.zeros((total, total), dtype=bool)
        where[:, :extra] = pattern(self.formulation, n_q, self.n_v, size, self.solution.rows)
        where[np.arange(n_q), np.arange(n_q)] = True
        # M and C_q on v' and sigma, B on the multipliers
        mass, jacobian, spread = (part != 0.0 for part in _structure(self.equations))
        motion, joints = slice(n_q, n_q + size), slice(n_q + size, total)
        where[motion, n_q:extra] |= mass[:, self.places]
        where[joints, n_q:extra] |= jacobian[:, self.places]
        where[motion, extra:multiplier] = mass[:, self.extra]
        where[joints, extra:multiplier] = jacobian[:, self.extra]
        where[motion, multiplier:] = spread
        return where


def _structure(equations: Equations) -> tuple[Array, Array, Array]:
    """Return M, C_q and B with ones wherever their blocks are."""
    ones = replace(
        equations,
        mass=np.ones_like(equations.mass),
        jacobian=np.ones_like(equations.jacobian),
        spread=None if equations.spread is None else np.ones_like(equations.spread),
    )
    return ones.dense()
