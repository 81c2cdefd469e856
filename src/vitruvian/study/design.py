"""The plan of a study: which case has which values. Computed from method, seed and variables alone.

grid             every combination of the levels of ranges, choices and CSV rows; distributions are drawn for every case
list             the first value of every variable, then the second one, ...; distributions are drawn for every case
latin-hypercube  every variable is divided into as many intervals as there are cases, each hit once
sobol            a scrambled Sobol sequence; even for a power of two
random           independent draws

With `repeat` the plan is made as often, each time with other draws.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import product

import numpy as np

from ..errors import InputError
from .variable import Rows, Value, Variable, dimensions

METHODS = ("grid", "list", "latin-hypercube", "sobol", "random")
MOST = 10_000_000  # cases of a study


def unit_design(
    variables: Sequence[Variable], method: str, cases: int | None, seed: int, *, repeat: int = 1, steps: int = 5
) -> np.ndarray:
    """Return a number between 0 and 1 for every dimension of every case, (cases, dimensions).

    cases  of one repetition; grids follow from their levels, lists from their rows
    steps  levels of a range in a grid
    """
    parts = [_once(variables, method, cases, np.random.default_rng([seed, r]), steps) for r in range(repeat)]
    return np.concatenate(parts)


def count(variables: Sequence[Variable], method: str, cases: int | None, steps: int) -> int:
    """Return the number of cases of one repetition."""
    if method == "grid":
        found = 1
        for variable in variables:
            found *= len(variable.rows) if isinstance(variable, Rows) else steps if variable.axis else 1
        return found
    if method == "list":
        return _length(variables, cases)
    if cases is None:
        raise InputError(f'study.cases is missing; the method "{method}" needs the number of cases.')
    return cases


def values_at(variables: Sequence[Variable], unit: np.ndarray) -> dict[str, list[Value]]:
    """Return path -> value of each case."""
    found: dict[str, list[Value]] = {}
    at = 0
    for variable in variables:
        rows = variable.at(unit[:, at : at + variable.dimensions])
        for k, path in enumerate(variable.paths):
            found[path] = [row[k] for row in rows]
        at += variable.dimensions
    return found


def _once(
    variables: Sequence[Variable], method: str, cases: int | None, random: np.random.Generator, steps: int
) -> np.ndarray:
    n, d = count(variables, method, cases, steps), dimensions(variables)
    if n > MOST:
        raise InputError(f"the study has {n} cases; accepted up to {MOST}. Use fewer levels, or another method.")
    if method in ("grid", "list"):
        return _levels(variables, method, n, random, steps)
    if method == "random":
        return random.random((n, d))
    if method == "latin-hypercube":
        return latin_hypercube(n, d, random)
    from scipy.stats import qmc

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that the number is no power of two
        return np.asarray(qmc.Sobol(d, rng=random).random(n))


def latin_hypercube(n: int, dimensions: int, random: np.random.Generator) -> np.ndarray:
    """Return n points between 0 and 1 (n, dimensions): each of n intervals of every dimension has one.

    The draws are those of `scipy.stats.qmc.LatinHypercube`, whose import takes longer than a dozen cases of a study.
    """
    own = random.spawn(1)[0]
    shares = own.uniform(size=(n, dimensions))
    places = np.tile(np.arange(1, n + 1), (dimensions, 1))
    for row in places:
        own.shuffle(row)
    found: np.ndarray = (places.T - shares) / n
    return found


def _levels(variables: Sequence[Variable], method: str, n: int, random: np.random.Generator, steps: int) -> np.ndarray:
    """Return the levels of the axes, and independent draws of the distributions."""
    unit = random.random((n, dimensions(variables)))
    levels = [variable.levels(n if method == "list" else steps) if variable.axis else None for variable in variables]
    if method == "grid":
        places = np.array(list(product(*(range(1 if level is None else len(level)) for level in levels))))
    else:
        places = np.arange(n)[:, None].repeat(len(levels), axis=1)
    at = 0
    for k, (variable, level) in enumerate(zip(variables, levels, strict=True)):
        if level is not None:
            unit[:, at : at + variable.dimensions] = level[places[:, k]]
        at += variable.dimensions
    return unit


def _length(variables: Sequence[Variable], cases: int | None) -> int:
    """Return the number of rows of a list; refuse variables of different lengths."""
    lengths = {", ".join(v.paths): len(v.rows) for v in variables if isinstance(v, Rows)}
    if len(set(lengths.values())) > 1:
        words = ", ".join(f"{path} has {n}" for path, n in lengths.items())
        raise InputError(f'study.vary: the method "list" takes values side by side, but {words}; give equally many.')
    own = next(iter(lengths.values()), None)
    if own is not None and cases not in (None, own):
        raise InputError(f"study.cases is {cases}, but the lists have {own} values; leave cases out.")
    if own is None and cases is None:
        raise InputError("study.cases is missing; no list of study.vary gives the number of cases.")
    return own or int(cases or 0)
