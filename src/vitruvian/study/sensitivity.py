"""Global sensitivity: which inputs an outcome depends on, by Morris' elementary effects and Sobol's variance shares.

    from vitruvian.study import sensitivity

    found = sensitivity(load_study("fall-14m-sensitivity"), "HIC15", method="morris", runs=8)

Morris (screening): mu_star is the mean size of the change of the outcome when an input moves by one step, sigma its
scatter (interaction or nonlinearity). Cost: runs x (inputs + 1).
Sobol: first is the share of the variance that an input explains alone, total its share with all interactions. Cost:
runs x (inputs + 2). Every index has the half-width of its 95 % interval (bootstrap of SALib).

After Morris (1991) and Saltelli et al. (2010), computed by SALib (extra `study`).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InputError, optional
from .design import values_at
from .study import Progress, Study
from .variable import dimensions, refuse_unknown_word

METHODS = ("morris", "sobol")
LEVELS = 4  # of the grid of Morris


@dataclass(frozen=True)
class Index:
    """Indices of one input.

    main      Morris: mu_star, in the unit of the outcome; Sobol: share of the variance alone [-]
    whole     Morris: sigma, in the unit of the outcome; Sobol: share with all interactions [-]
    interval  half-width of the 95 % interval of `main`; `interval_whole` of `whole` (Sobol only)
    """

    path: str
    main: float
    whole: float
    interval: float
    interval_whole: float = float("nan")


@dataclass(frozen=True)
class Sensitivity:
    """Indices of all inputs, the strongest first, with the number of runs and of runs that gave no value."""

    outcome: str
    method: str
    indices: tuple[Index, ...]
    runs: int
    missing: int

    def __str__(self) -> str:
        names = ("mu*", "sigma") if self.method == "morris" else ("first", "total")
        width = max(len(index.path) for index in self.indices)
        lines = [f"{self.outcome}, {self.method}, {self.runs} runs, {self.missing} without a value"]
        for i in self.indices:
            more = f" +- {i.interval_whole:.3g}" if self.method == "sobol" else ""
            lines.append(
                f"{i.path:<{width}}  {names[0]} {i.main:.4g} +- {i.interval:.3g}  {names[1]} {i.whole:.4g}{more}"
            )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        rows = {i.path: {"main": i.main, "whole": i.whole, "interval": i.interval} for i in self.indices}
        return {
            "outcome": self.outcome,
            "method": self.method,
            "runs": self.runs,
            "missing": self.missing,
            "indices": rows,
        }


def sensitivity(
    study: Study,
    outcome: str,
    *,
    method: str = "morris",
    runs: int = 8,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Sensitivity:
    """Return the indices of an outcome for the variables of a study.

    outcome  a column of numbers of the study: "HIC15"
    runs     trajectories (Morris), or base samples, best a power of two (Sobol)
    """
    numeric = [name for name, kind in study.columns.items() if kind is float]
    refuse_unknown_word(outcome, numeric, "outcome")
    names = [", ".join(variable.paths) for variable in study.variables]
    if dimensions(study.variables) != len(names):
        raise InputError("a population has four numbers for one input; vary height, mass and age instead.")

    def model(unit: np.ndarray) -> np.ndarray:
        columns = values_at(study.variables, unit)
        inputs = [{path: column[k] for path, column in columns.items()} for k in range(len(unit))]
        rows = study.evaluate(inputs, threads=threads, progress=progress)
        return np.array([np.nan if row[outcome] is None else row[outcome] for row in rows])

    return indices_of(model, names, outcome=outcome, method=method, runs=runs, seed=study.seed)


def indices_of(
    model: Callable[[np.ndarray], np.ndarray],
    names: list[str],
    *,
    outcome: str = "value",
    method: str = "sobol",
    runs: int = 64,
    seed: int = 0,
) -> Sensitivity:
    """Return the indices of any function of numbers between 0 and 1: (n, inputs) -> (n,)."""
    refuse_unknown_word(method, METHODS, "method")
    if len(names) < 2:
        raise InputError("a sensitivity needs at least two inputs; give the study more to vary.")
    sample = optional(f"SALib.sample.{method}", "study", "sensitivity", "SALib")
    analyze = optional(f"SALib.analyze.{method}", "study", "sensitivity", "SALib")
    problem = {"num_vars": len(names), "names": names, "bounds": [[0.0, 1.0]] * len(names)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of numbers that are no power of two
        if method == "morris":
            unit = sample.sample(problem, runs, num_levels=LEVELS, seed=seed)
        else:
            unit = sample.sample(problem, runs, calc_second_order=False, seed=seed)
        values = model(unit)
        missing = int(np.isnan(values).sum())
        if missing == len(values):
            raise InputError(f"none of {len(values)} runs has a value of {outcome}; choose another outcome.")
        values = np.where(np.isnan(values), np.nanmean(values), values)
        if method == "morris":
            found = analyze.analyze(problem, unit, values, num_levels=LEVELS, seed=seed)
            keys: tuple[str, ...] = ("mu_star", "sigma", "mu_star_conf")
        else:
            found = analyze.analyze(problem, values, calc_second_order=False, seed=seed)
            keys = ("S1", "ST", "S1_conf", "ST_conf")
    made = [Index(name, *(float(found[key][k]) for key in keys)) for k, name in enumerate(names)]
    order = sorted(made, key=lambda index: -(index.main if method == "morris" else index.whole))
    return Sensitivity(outcome, method, tuple(order), len(values), missing)
