"""Calibration: parameters of a scenario from measured curves, with their confidence, by least squares.

    from vitruvian.study import Study, calibrate

    study = Study("bouncing-ball", {"surface.floor.contact.restitution": [0.3, 0.9]}, cases=1)
    fit = calibrate(study, lambda result: result["ball.position"].values[:, 2], measured)

The ranges of the study are the bounds. The search (SciPy, trust region) starts at several places, because a fit may
have several minima. The interval of a parameter follows from the curvature at the best fit and the residual scatter.
A parameter is undetermined if its interval is wider than half its range, or if another parameter compensates it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError
from .case import simulated
from .design import values_at
from .study import Study
from .variable import Range

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
    """

    parameters: tuple[Parameter, ...]
    scatter: float
    starts: tuple[float, ...]
    runs: int

    def __str__(self) -> str:
        lines = [f"scatter {self.scatter:.4g} after {self.runs} runs; starts reached {_listed(self.starts)}"]
        for one in self.parameters:
            why = f"; not determined: {one.undetermined}" if one.undetermined else ""
            lines.append(f"{one.path} = {one.value:.5g} ({one.low:.5g} to {one.high:.5g}, 95 %){why}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        rows = {p.path: {"value": p.value, "low": p.low, "high": p.high, "undetermined": p.undetermined}
                for p in self.parameters}  # fmt: skip
        return {"parameters": rows, "scatter": self.scatter, "starts": list(self.starts), "runs": self.runs}


def calibrate(
    study: Study, observe: Callable[[Result], np.ndarray], measured: np.ndarray, *, starts: int = 4
) -> Fit:  # fmt: skip
    """Fit the ranges of a study to a measured curve.

    observe   result -> curve, sampled as the measurement is
    measured  the curve
    starts    of the search: the middle of the ranges, and others of a Latin hypercube
    """

    def model(values: dict[str, float]) -> np.ndarray:
        return np.asarray(observe(simulated(study.base, values)), dtype=float)

    return fit(model, study.variables, measured, starts=starts, seed=study.seed)


def fit(
    model: Callable[[dict[str, float]], np.ndarray],
    ranges: Sequence[Any],
    measured: np.ndarray,
    *,
    starts: int = 4,
    seed: int = 0,
) -> Fit:
    """Fit any function of path -> value to a measured curve, inside the ranges (`study.variable.Range`)."""
    from scipy.optimize import least_squares
    from scipy.stats import qmc

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
    points = np.vstack([np.full((1, d), 0.5), qmc.LatinHypercube(d, rng=seed).random(max(starts - 1, 1))])[:starts]
    found = [
        least_squares(residual, point, bounds=(0.0, 1.0), diff_step=STEP, xtol=1e-10, ftol=1e-10, x_scale=1.0)
        for point in np.clip(points, 0.02, 0.98)
    ]
    found.sort(key=lambda one: one.cost)
    scatters = tuple(float(np.sqrt(2.0 * one.cost / len(measured))) for one in found)
    return Fit(_parameters(ranges, found[0], len(measured)), scatters[0], scatters, runs)


def _parameters(ranges: Sequence[Range], best: Any, samples: int) -> tuple[Parameter, ...]:
    """Return the parameters with their intervals, from the Jacobian at the best fit."""
    from scipy.stats import t

    d = len(ranges)
    freedom = samples - d
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
