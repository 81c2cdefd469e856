"""Calibration: parameters of a scenario from measured curves, with their confidence.

    from vitruvian.study import Study, calibrate

    study = Study("bouncing-ball", {"surface.floor.contact.restitution": [0.3, 0.9]}, cases=1)
    fit = calibrate(study, lambda result: result["ball.position"].values[:, 2], measured)

The ranges of the study are the bounds. The search (SciPy, trust region) starts at several places, because a fit may
have several minima. The interval of a parameter follows from the curvature at the best fit and the residual scatter.
A parameter is undetermined if its interval is wider than half its range, or if another parameter compensates it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, optional
from .case import simulated
from .design import latin_hypercube, values_at
from .study import Study
from .variable import Range, refuse_unknown_word

if TYPE_CHECKING:
    from ..sim.result import Result

WIDE = 0.5  # half-width of an interval over the range of the parameter, from which it is undetermined [-]
ALIKE = 0.98  # correlation of two parameters, from which one compensates the other [-]
STEP = 1e-3  # of finite differences, as a part of the range [-]


@dataclass(frozen=True)
class Parameter:
    """A fitted parameter: value, ends of its 95 % interval (cut at its range), and why it is undetermined or ""."""

    path: str
    value: float
    low: float
    high: float
    undetermined: str


@dataclass(frozen=True)
class Fit:
    """The best fit.

    parameters  in the order of the study
    scatter     root mean square of the residuals, in the unit of the measurement
    starts      scatter that each start reached, the best first
    runs        number of simulations
    rating      of ISO/TS 18571 if that was the objective [-]
    """

    parameters: tuple[Parameter, ...]
    scatter: float
    starts: tuple[float, ...]
    runs: int
    rating: float | None = None

    def __str__(self) -> str:
        rated = "" if self.rating is None else f"ISO/TS 18571 {self.rating:.3f}, "
        lines = [f"{rated}scatter {self.scatter:.4g} after {self.runs} runs; starts reached {_listed(self.starts)}"]
        for one in self.parameters:
            why = f"; not determined: {one.undetermined}" if one.undetermined else ""
            lines.append(f"{one.path} = {one.value:.5g} ({one.low:.5g} to {one.high:.5g}, 95 %){why}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        rows = {p.path: {"value": p.value, "low": p.low, "high": p.high, "undetermined": p.undetermined}
                for p in self.parameters}  # fmt: skip
        return {"parameters": rows, "scatter": self.scatter, "starts": list(self.starts), "runs": self.runs,
                "rating": self.rating}  # fmt: skip


def calibrate(
    study: Study,
    observe: Callable[[Result], np.ndarray],
    measured: np.ndarray,
    *,
    starts: int = 4,
    objective: str = "least-squares",
    search: str = "scipy",
) -> Fit:
    """Fit the ranges of a study to a measured curve.

    observe    result -> curve, sampled as the measurement is
    measured   the curve, evenly sampled
    starts     of the search: the middle of the ranges, and others of a Latin hypercube
    objective  "least-squares", or "iso18571": the rating of ISO/TS 18571, which forgives a small shift in time
    search     "scipy" (least squares, or Nelder-Mead for a rating) or "cma" (CMA-ES, needs the extra "study")
    """

    def model(values: dict[str, float]) -> np.ndarray:
        return np.asarray(observe(simulated(study.base, values)), dtype=float)

    options: dict[str, Any] = {"starts": starts, "seed": study.seed, "objective": objective, "search": search}
    return fit(model, study.variables, measured, **options)


def fit(
    model: Callable[[dict[str, float]], np.ndarray],
    ranges: Sequence[Any],
    measured: np.ndarray,
    *,
    starts: int = 4,
    seed: int = 0,
    objective: str = "least-squares",
    search: str = "scipy",
) -> Fit:
    """Fit any function of path -> value to a measured curve, inside the ranges (`study.variable.Range`)."""
    refuse_unknown_word(objective, OBJECTIVES, "objective")
    refuse_unknown_word(search, SEARCHES, "search")
    measured = np.asarray(measured, dtype=float).ravel()
    others = [", ".join(v.paths) for v in ranges if not isinstance(v, Range)]
    if others or not ranges:
        raise InputError(
            f"a calibration needs ranges [low, high]; these are none: {', '.join(others) or 'no variable'}."
        )
    if len(measured) <= len(ranges) or not np.isfinite(measured).all():
        raise InputError(
            f"the measured curve has {len(measured)} samples; expected more than {len(ranges)}, all finite."
        )
    runs = 0

    def residual(unit: np.ndarray) -> np.ndarray:
        nonlocal runs
        runs += 1
        values = values_at(ranges, unit[None])
        curve = np.ravel(model({path: float(column[0]) for path, column in values.items()}))
        if curve.shape != measured.shape:
            raise InputError(f"the model gives {curve.size} samples and the measurement {measured.size}; sample alike.")
        return np.where(np.isfinite(curve), curve - measured, 1e6 * (1.0 + np.abs(measured)))

    d = len(ranges)
    points = np.vstack([np.full((1, d), 0.5), latin_hypercube(max(starts - 1, 1), d, np.random.default_rng(seed))])[
        :starts
    ]
    minimum = _minimum(objective, search, measured)
    found = [minimum(residual, point, seed) for point in np.clip(points, 0.02, 0.98)]
    found.sort(key=lambda one: one.height)
    best = found[0] if found[0].jac is not None else _with_jacobian(residual, found[0])
    scatters = tuple(float(np.sqrt(2.0 * one.cost / len(measured))) for one in found)
    parameters = _parameters(ranges, best, len(measured))
    return Fit(parameters, scatters[0], scatters, runs, None if objective == "least-squares" else 1.0 - best.height)


OBJECTIVES = ("least-squares", "iso18571")
SEARCHES = ("scipy", "cma")
Residual = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Minimum:
    """Where a search ended: place, half the sum of squares, objective, and the Jacobian if the search has one."""

    x: np.ndarray
    cost: float
    height: float
    jac: np.ndarray | None = None


def _minimum(objective: str, search: str, measured: np.ndarray) -> Callable[[Residual, np.ndarray, int], Minimum]:
    """Return a search from one start for an objective."""
    from scipy.optimize import least_squares, minimize

    from ..injury.rating import iso18571

    time = 1e-4 * np.arange(len(measured))  # the standard takes curves as sampled at 10 kHz

    def height(residuals: np.ndarray) -> float:
        if objective == "least-squares":
            return 0.5 * float(residuals @ residuals)
        return 1.0 - iso18571(time, measured, measured + residuals, assume_units=True).value

    def found(residual: Residual, x: np.ndarray) -> Minimum:
        last = residual(x)
        return Minimum(x, 0.5 * float(last @ last), height(last))

    def squares(residual: Residual, point: np.ndarray, seed: int) -> Minimum:
        one = least_squares(residual, point, bounds=(0.0, 1.0), diff_step=STEP, xtol=1e-10, ftol=1e-10, x_scale=1.0)
        return Minimum(one.x, float(one.cost), float(one.cost), one.jac)

    def simplex(residual: Residual, point: np.ndarray, seed: int) -> Minimum:
        options = {"maxfev": 60 * len(point), "xatol": 1e-4, "fatol": 1e-6}
        ends = [(0.0, 1.0)] * len(point)
        one = minimize(lambda u: height(residual(u)), point, method="Nelder-Mead", bounds=ends, options=options)
        return found(residual, np.clip(one.x, 0.0, 1.0))

    def cma(residual: Residual, point: np.ndarray, seed: int) -> Minimum:
        package = optional("cma", "study", "the search cma")
        start = np.append(point, 0.5) if len(point) == 1 else point  # the package needs two dimensions
        options = {"bounds": [0.0, 1.0], "seed": seed + 1, "verbose": -9, "maxfevals": 120 * len(point), "tolfun": 1e-9}
        strategy = package.CMAEvolutionStrategy(start, 0.2, options)
        strategy.optimize(lambda u: height(residual(np.asarray(u)[: len(point)])))
        return found(residual, np.clip(np.asarray(strategy.result.xbest)[: len(point)], 0.0, 1.0))

    return cma if search == "cma" else squares if objective == "least-squares" else simplex


def _with_jacobian(residual: Residual, best: Minimum) -> Minimum:
    """Return a minimum with the Jacobian of the residuals there, by differences inside the ranges."""
    here, columns = residual(best.x), []
    for k in range(len(best.x)):
        step = STEP if best.x[k] < 0.5 else -STEP
        moved = best.x.copy()
        moved[k] += step
        columns.append((residual(moved) - here) / step)
    return replace(best, jac=np.column_stack(columns))


def _parameters(ranges: Sequence[Range], best: Minimum, samples: int) -> tuple[Parameter, ...]:
    """Return the parameters with their intervals, from the Jacobian at the best fit."""
    from scipy.stats import t

    d = len(ranges)
    freedom = samples - d
    assert best.jac is not None  # the caller adds one
    _, size, axes = np.linalg.svd(best.jac, full_matrices=False)
    variance = 2.0 * best.cost / freedom
    floor = max(1e-8 * float(size.max()), 1e-300)
    covariance = axes.T @ np.diag(1.0 / np.maximum(size, floor) ** 2) @ axes * max(variance, 1e-300)
    sd = np.sqrt(np.diag(covariance))
    half = float(t.ppf(0.975, freedom)) * sd
    alike = np.abs(covariance / np.outer(sd, sd)) - np.eye(d)
    made = []
    for k, variable in enumerate(ranges):
        ends = np.clip([best.x[k], best.x[k] - half[k], best.x[k] + half[k]], 0.0, 1.0)
        value, low, high = (float(row[0]) for row in variable.at(ends[:, None]))
        why = ""
        if half[k] > WIDE:
            why = "the data allow most of its range"
        if d > 1 and alike[k].max() > ALIKE and half[k] > 10.0 * STEP:
            partner = ranges[int(alike[k].argmax())].paths[0]
            why = f"{partner} compensates it"
        made.append(Parameter(variable.paths[0], value, low, high, why))
    return tuple(made)


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.4g}" for value in values)
