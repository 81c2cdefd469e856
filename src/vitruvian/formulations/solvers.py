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
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InputError, MissingExtra, SimulationError, nearest
from .jacobian import Coloured, pattern, unbalanced
from .problem import Dependent, Problem
from .rotation import Array

SCIPY = ("RK45", "RK23", "DOP853", "Radau")
SUNDIALS = ("Adams", "BDF", "IDA")
FIXED = ("ode1", "ode2", "ode3", "ode4", "ode5", "ode8")
NAMES = (*SCIPY, *SUNDIALS, *FIXED)
ALIASES = {
    "ode45": "RK45", "ode23": "RK23", "ode113": "Adams", "ode15s": "BDF", "gear": "BDF", "ode15i": "IDA",
    "ode23s": "Radau", "ode23t": "Radau", "ode23tb": "Radau", "dormand-prince": "RK45",
}  # fmt: skip


@dataclass
class Tally:
    """What a run cost: accepted steps, and Jacobians of stiff solvers."""

    steps: int = 0
    jacobians: int = 0


def known(name: str) -> str:
    """The name of a solver, or an error that lists them."""
    lower = {choice.lower(): choice for choice in NAMES} | ALIASES
    if name.lower() not in lower:
        choices = (*NAMES, *ALIASES)
        raise InputError(f"solver {name!r} is unknown; accepted: {', '.join(choices)}.{nearest(name, choices)}")
    return lower[name.lower()]


def load_sundials(purpose: str) -> Any:
    """The package scikit-sundae, or an error that says how to get it."""
    try:
        import sksundae
    except ImportError:
        raise MissingExtra("scikit-sundae", "formulations", purpose) from None
    return sksundae


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
    name, tally = known(solver), Tally()
    absolute = 0.1 * tolerance if absolute is None else absolute
    y = problem.start
    sample(0, float(times[0]), y)
    if name in FIXED:
        if step is None or not step > 0.0:
            raise InputError(f"solver {solver} has fixed steps; give step [s], greater than zero.")
        _fixed(problem, name, times, sample, step, tally)
    elif name in SCIPY:
        _scipy(problem, name, times, sample, tolerance, absolute, max_step, tally)
    elif name == "IDA":
        _ida(problem, times, sample, tolerance, absolute, tally)
    else:
        _cvode(problem, name, times, sample, tolerance, absolute, tally)
    return tally


# --- SciPy, step by step


def _scipy(
    problem: Problem,
    name: str,
    times: Array,
    sample: Callable[[int, float, Array], None],
    tolerance: float,
    absolute: float,
    max_step: float,
    tally: Tally,
) -> None:
    from scipy import integrate as library

    method = getattr(library, name)
    y, first = problem.start, None
    options: dict[str, Any] = {"rtol": tolerance, "atol": absolute, "max_step": max_step}
    if name == "Radau" and isinstance(problem, Dependent):
        options["jac"] = Coloured(problem)
    for number in range(1, len(times)):
        end = float(times[number])
        make = _maker(method, problem, end, options)
        solver = make(float(times[number - 1]), y, first)
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
        sample(number, end, y)


def _maker(method: Any, problem: Problem, end: float, options: dict[str, Any]) -> Callable[..., Any]:
    """A solver of SciPy from a time and state on, with a first step that fits."""

    def make(time: float, y: Array, first: float | None) -> Any:
        begin = None if first is None else min(first, end - time, options["max_step"])
        return method(problem.rate, time, y, end, first_step=begin, **options)

    return make


# --- fixed steps


def tableau(name: str) -> tuple[Array, Array, Array]:
    """A, b, c of an explicit Runge-Kutta method; those that SciPy has are taken from there."""
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


def _fixed(
    problem: Problem, name: str, times: Array, sample: Callable[[int, float, Array], None], step: float, tally: Tally
) -> None:
    a, b, c = tableau(name)
    y = problem.start
    slope = np.zeros((len(b), len(y)))
    for number in range(1, len(times)):
        begin, end = float(times[number - 1]), float(times[number])
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
            tally.steps += 1
        sample(number, end, y)


# --- SUNDIALS


def _cvode(
    problem: Problem,
    name: str,
    times: Array,
    sample: Callable[[int, float, Array], None],
    tolerance: float,
    absolute: float,
    tally: Tally,
) -> None:
    """CVODE between the samples; corrections are made at the samples, where the method starts anew."""
    sundials = load_sundials(f"solver {name}")
    options: dict[str, Any] = {"method": name, "rtol": tolerance, "atol": absolute, "max_num_steps": 100_000}
    if name == "BDF" and isinstance(problem, Dependent):
        jacobian = Coloured(problem)

        def fill(t: float, y: Array, _: Array, out: Array) -> None:
            tally.jacobians += 1
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
    for number in range(1, len(times)):
        begin, end = float(times[number - 1]), float(times[number])
        solver = sundials.cvode.CVODE(rate, **options)
        solver.init_step(begin, y)
        t = begin
        while t < end:
            found = solver.step(end, method="onestep", tstop=end)
            if failure:
                raise failure[0]
            if not found.success:
                raise SimulationError(f"{name} gave up at {t:.6g} s: {found.message}")
            t = float(np.ravel(found.t)[-1])
            y = np.array(found.y).reshape(-1, len(problem.start))[-1]
            tally.steps += 1
        y, _ = problem.accepted(end, y)
        sample(number, end, y)


def _ida(
    problem: Problem,
    times: Array,
    sample: Callable[[int, float, Array], None],
    tolerance: float,
    absolute: float,
    tally: Tally,
) -> None:
    """IDA on the whole index-1 system: unknowns q, v, sigma and the multipliers, with a coloured sparse Jacobian.

    0 = q' - rates(q, v),   0 = M x - B l - F,   0 = C_q x - gamma      x = (v', sigma)
    """
    sundials = load_sundials("solver IDA")
    if not isinstance(problem, Dependent):
        raise InputError("solver IDA integrates all coordinates and cannot be joined with partitioning; take DOP853.")
    formulation, solution, n_q = problem.formulation, problem.solution, problem.n_q
    if {"penalty", "augmented-lagrangian"} & set(solution.stabilisation.parts):
        raise InputError("solver IDA solves for the multipliers itself; take baumgarte, direct, projection or none.")
    n_v = len(problem.start) - n_q
    equations, _ = solution.equations(float(times[0]), problem.start[:n_q], problem.start[n_q:])
    size, m, shape = equations.size, equations.m, equations.force.shape
    places = formulation.accelerations(np.arange(size).reshape(shape))  # of v' among the unknowns x
    extra = np.setdiff1d(np.arange(size), places)  # sigma
    total = n_q + n_v + len(extra) + m

    def residual(t: float, y: Array, rate: Array, out: Array) -> None:
        problem.evaluations += 1
        q, v = np.array(y[:n_q]), np.array(y[n_q : n_q + n_v])
        here, _ = solution.equations(t, q, v)
        x = np.empty(size)
        x[places], x[extra] = rate[n_q : n_q + n_v], y[n_q + n_v : n_q + n_v + len(extra)]
        out[:n_q] = rate[:n_q] - formulation.rates(q, v)
        out[n_q:] = unbalanced(here, x, np.array(y[n_q + n_v + len(extra) :]))

    # where the residual can depend on the unknowns
    where = np.zeros((total, total), dtype=bool)
    where[:, : n_q + n_v] = pattern(formulation, n_q, n_v, size, solution.rows)
    # M and C_q on v' and sigma, B on the multipliers
    mass, jacobian, spread = (part != 0.0 for part in _structure(equations))
    where[n_q : n_q + size, n_q : n_q + n_v] |= mass[:, places]
    where[n_q + size :, n_q : n_q + n_v] |= jacobian[:, places]
    where[n_q : n_q + size, n_q + n_v : n_q + n_v + len(extra)] = mass[:, extra]
    where[n_q + size :, n_q + n_v : n_q + n_v + len(extra)] = jacobian[:, extra]
    where[n_q : n_q + size, n_q + n_v + len(extra) :] = spread
    where[np.arange(n_q), np.arange(n_q)] = True
    algebraic = np.arange(n_q + n_v, total)
    y = problem.start
    for number in range(1, len(times)):
        begin, end = float(times[number - 1]), float(times[number])
        q, v = y[:n_q], y[n_q:]
        here, _ = solution.equations(begin, q, v)
        x, multiplier = solution.solve(here)
        state = np.concatenate((q, v, x.ravel()[extra], multiplier))
        rate = np.concatenate((formulation.rates(q, v), x.ravel()[places], np.zeros(len(extra) + m)))
        # sigma and the multipliers follow from the rest; they need not be as exact
        allowed = np.full(total, absolute)
        allowed[algebraic] = 1e3 * absolute * max(1.0, float(abs(state[algebraic]).max(initial=0.0)))
        solver = sundials.ida.IDA(
            residual, rtol=tolerance, atol=allowed, algebraic_idx=algebraic, max_num_steps=100_000,
            sparsity=where.astype(float), linsolver="sparse",
        )  # fmt: skip
        solver.init_step(begin, state, rate)
        t = begin
        while t < end:
            found = solver.step(end, method="onestep", tstop=end)
            if not found.success:
                raise SimulationError(f"IDA gave up at {t:.6g} s: {found.message}")
            t = float(np.ravel(found.t)[-1])
            tally.steps += 1
        y = np.array(found.y).reshape(-1, total)[-1][: n_q + n_v]
        y, _ = problem.accepted(end, y)
        sample(number, end, y)


def _structure(equations: Any) -> tuple[Array, Array, Array]:
    """M, C_q and B with ones wherever their blocks are."""
    from dataclasses import replace

    ones = replace(
        equations,
        mass=np.ones_like(equations.mass),
        jacobian=np.ones_like(equations.jacobian),
        spread=None if equations.spread is None else np.ones_like(equations.spread),
    )
    return ones.dense()
