"""Integrators by name, each with the MATLAB name that the thesis uses (section 6.1). SciPy and SUNDIALS do the work.

| name     | MATLAB, thesis           | what runs                                                     |
|----------|--------------------------|---------------------------------------------------------------|
| RK45     | ode45                    | Dormand-Prince 5(4), SciPy                                    |
| RK23     | ode23                    | Bogacki-Shampine 3(2), SciPy                                  |
| DOP853   |                          | Dormand-Prince 8(5,3), SciPy                                  |
| Adams    | ode113                   | CVODE, Adams-Moulton of order 1 to 12, SUNDIALS               |
| BDF      | ode15s, "Gear" (Silva)   | CVODE, BDF of order 1 to 5, SUNDIALS                          |
| Radau    | ode23s, ode23t, ode23tb  | Radau IIA of order 5, SciPy: the nearest one-step stiff method |
| IDA      | ode15i                   | IDA, fully implicit on the index-1 equations, SUNDIALS        |
| ode1     | ode1                     | Euler, fixed steps                                            |
| ode2     | ode2                     | Heun, fixed steps                                             |
| ode3     | ode3                     | Bogacki-Shampine, fixed steps (SciPy's table)                 |
| ode4     | ode4                     | classical Runge-Kutta, fixed steps                            |
| ode5     | ode5                     | Dormand-Prince 5, fixed steps (SciPy's table)                 |
| ode8     | ode8                     | Dormand-Prince 8, fixed steps (SciPy's table)                 |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import InputError, SimulationError, nearest
from .jacobian import Coloured
from .orientation import Array
from .problem import Dependent, Problem
from .sundials import cvode, ida
from .task import Tally, Task

SCIPY = ("RK45", "RK23", "DOP853", "Radau")
SUNDIALS = ("Adams", "BDF", "IDA")
FIXED = ("ode1", "ode2", "ode3", "ode4", "ode5", "ode8")
NAMES = (*SCIPY, *SUNDIALS, *FIXED)
ALIASES = {
    "ode45": "RK45", "ode23": "RK23", "ode113": "Adams", "ode15s": "BDF", "gear": "BDF", "ode15i": "IDA",
    "ode23s": "Radau", "ode23t": "Radau", "ode23tb": "Radau", "dormand-prince": "RK45",
}  # fmt: skip


def known(name: str) -> str:
    """Return the name of a solver; raise InputError if it is unknown."""
    lower = {choice.lower(): choice for choice in NAMES} | ALIASES
    if name.lower() not in lower:
        choices = (*NAMES, *ALIASES)
        raise InputError(f"solver {name!r} is unknown; accepted: {', '.join(choices)}.{nearest(name, choices)}")
    return lower[name.lower()]


def integrate(
    problem: Problem,
    solver: str,
    times: Array,
    sample: Callable[[int, float, Array], None],
    *,
    tolerance: float = 1e-10,
    absolute: float | None = None,
    step: float | None = None,
    max_step: float = np.inf,
) -> Tally:
    """Integrate from times[0] through all times, each met exactly; `sample` is given its number, time and state.

    tolerance  relative; absolute: absolute, a tenth of it unless given (MATLAB: 1e-3 and 1e-6)
    step       of the fixed solvers [s]
    """
    name = known(solver)
    task = Task(problem, times, sample, tolerance, 0.1 * tolerance if absolute is None else absolute, step, max_step)
    sample(0, float(times[0]), problem.start)
    if name in FIXED:
        if step is None or not step > 0.0:
            raise InputError(f"solver {solver} has fixed steps; give step [s], greater than zero.")
        _fixed(task, name, step)
    elif name in SCIPY:
        _scipy(task, name)
    elif name == "IDA":
        ida(task)
    else:
        cvode(task, name)
    return task.tally


# --- SciPy, step by step


def _scipy(task: Task, name: str) -> None:
    from scipy import integrate as library

    problem, tally = task.problem, task.tally
    y, first = problem.start, None
    options: dict[str, Any] = {"rtol": task.tolerance, "atol": task.absolute, "max_step": task.max_step}
    if name == "Radau" and isinstance(problem, Dependent):
        options["jac"] = Coloured(problem)
    for number, begin, end in task.spans():
        make = _maker(getattr(library, name), problem, end, options)
        solver = make(begin, y, first)
        while solver.status == "running":
            message = solver.step()
            if solver.status == "failed":
                raise SimulationError(f"{name} gave up at {solver.t:.6g} s: {message}")
            tally.steps += 1
            if not np.isfinite(solver.y).all():
                raise SimulationError(f"{name}: the motion is not finite at {solver.t:.6g} s.")
            y, changed = problem.accepted(solver.t, solver.y)
            first = solver.h_abs
            if changed and solver.status == "running":
                if name == "Radau":
                    tally.jacobians += solver.njev
                    solver = make(solver.t, y, first)
                else:
                    solver.y, solver.f = y, problem.rate(solver.t, y)
        tally.jacobians += solver.njev
        task.sample(number, end, y)


def _maker(method: Any, problem: Problem, end: float, options: dict[str, Any]) -> Callable[..., Any]:
    """Return a function that makes a SciPy solver from a time [s] and state, with a valid first step."""

    def make(time: float, y: Array, first: float | None) -> Any:
        begin = None if first is None else min(first, end - time, options["max_step"])
        return method(problem.rate, time, y, end, first_step=begin, **options)

    return make


# --- fixed steps


def tableau(name: str) -> tuple[Array, Array, Array]:
    """Return A, b, c of an explicit Runge-Kutta method, from SciPy if it has the method."""
    from scipy.integrate import DOP853, RK23, RK45

    if name in ("ode3", "ode5", "ode8"):
        method = {"ode3": RK23, "ode5": RK45, "ode8": DOP853}[name]
        stages = method.n_stages
        return method.A[:stages, :stages], method.B, method.C[:stages]
    if name == "ode1":
        return np.zeros((1, 1)), np.ones(1), np.zeros(1)
    if name == "ode2":
        return np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([0.5, 0.5]), np.array([0.0, 1.0])
    a = np.zeros((4, 4))
    a[1, 0], a[2, 1], a[3, 2] = 0.5, 0.5, 1.0
    return a, np.array([1.0, 2.0, 2.0, 1.0]) / 6.0, np.array([0.0, 0.5, 0.5, 1.0])


def _fixed(task: Task, name: str, step: float) -> None:
    a, b, c = tableau(name)
    problem = task.problem
    y = problem.start
    slope = np.zeros((len(b), len(y)))
    for number, begin, end in task.spans():
        count = max(1, int(np.ceil((end - begin) / step - 1e-9)))
        h = (end - begin) / count
        for k in range(count):
            t = begin + k * h
            for stage in range(len(b)):
                slope[stage] = problem.rate(t + c[stage] * h, y + h * (a[stage, :stage] @ slope[:stage]))
            y = y + h * (b @ slope)
            if not np.isfinite(y).all():
                raise SimulationError(f"{name}: the motion is not finite at {t + h:.6g} s; take smaller steps.")
            y, _ = problem.accepted(t + h, y)
            task.tally.steps += 1
        task.sample(number, end, y)
