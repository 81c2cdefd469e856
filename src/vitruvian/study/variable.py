"""Quantities that a study varies: ranges, choices, distributions, rows of a CSV file and people of a population.

Every variable takes numbers between 0 and 1, one for each of its dimensions, and returns the values of its dotted
paths. A sampling method therefore needs to know only the number of dimensions. Quantities are in SI.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np

from ..data import read_text
from ..errors import InputError, nearest, shown
from ..human import WHO
from ..human.anthropometry import POPULATIONS, checked_word
from ..units import parse_unit
from .population import Population

_QUANTITY = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*)", re.DOTALL)
_KINDS = '[low, high], { log = [low, high] }, { values = [...] }, { normal = [mean, sd] }, { csv = "file.csv" }'
_TINY = 1e-12  # probabilities of a normal distribution stay so far from 0 and 1

Value = float | str | bool


class Variable(Protocol):
    """Values of some dotted paths as a function of numbers between 0 and 1.

    paths       dotted paths in a scenario, or factors of the model (`study.factor`)
    dimensions  how many numbers between 0 and 1 it takes
    axis        True if a grid divides it into levels; False for distributions, which a grid draws for every case
    """

    @property
    def paths(self) -> tuple[str, ...]: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def axis(self) -> bool: ...

    def at(self, unit: np.ndarray) -> list[tuple[Value, ...]]:
        """Return the values of the paths for each row of numbers between 0 and 1, (n, dimensions)."""

    def levels(self, steps: int) -> np.ndarray:
        """Return the numbers of the levels of a grid, (n, dimensions)."""

    def samples(self) -> list[tuple[Value, ...]]:
        """Return values as the user wrote them, to check paths and units before anything runs."""


@dataclass(frozen=True)
class Range:
    """Values between two ends, evenly distributed; with `log`, evenly in their logarithm."""

    paths: tuple[str, ...]
    low: float
    high: float
    given: tuple[Value, ...] = ()
    log: bool = False
    dimensions: int = 1
    axis: bool = True

    def at(self, unit: np.ndarray) -> list[tuple[Value, ...]]:
        """Return the value of each row, the same for all paths."""
        u = unit[:, 0]
        if self.log:
            found = np.exp(np.log(self.low) + u * (np.log(self.high) - np.log(self.low)))
        else:
            found = self.low + u * (self.high - self.low)
        return [(float(value),) * len(self.paths) for value in found]

    def levels(self, steps: int) -> np.ndarray:
        """Return evenly spaced levels from end to end."""
        return np.linspace(0.0, 1.0, steps)[:, None]

    def samples(self) -> list[tuple[Value, ...]]:
        """Return both ends."""
        return [(end,) * len(self.paths) for end in self.given or (self.low, self.high)]


@dataclass(frozen=True)
class Rows:
    """Rows of values, each as likely as the others: a choice, or a table with a column for each path."""

    paths: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    dimensions: int = 1
    axis: bool = True

    def at(self, unit: np.ndarray) -> list[tuple[Value, ...]]:
        """Return the row that each number selects."""
        chosen = np.minimum((unit[:, 0] * len(self.rows)).astype(int), len(self.rows) - 1)
        return [self.rows[k] for k in chosen]

    def levels(self, steps: int) -> np.ndarray:
        """Return one level for each row."""
        return ((np.arange(len(self.rows)) + 0.5) / len(self.rows))[:, None]

    def samples(self) -> list[tuple[Value, ...]]:
        """Return all rows."""
        return list(self.rows)


@dataclass(frozen=True)
class Normal:
    """A normal distribution."""

    paths: tuple[str, ...]
    mean: float
    sd: float
    given: Value = 0.0
    dimensions: int = 1
    axis: bool = False

    def at(self, unit: np.ndarray) -> list[tuple[Value, ...]]:
        """Return the quantile of each number."""
        spread = NormalDist(self.mean, self.sd)
        return [(spread.inv_cdf(min(max(float(u), _TINY), 1.0 - _TINY)),) for u in unit[:, 0]]

    def levels(self, steps: int) -> np.ndarray:
        """Return the middles of intervals of equal probability."""
        return ((np.arange(steps) + 0.5) / steps)[:, None]

    def samples(self) -> list[tuple[Value, ...]]:
        """Return the mean."""
        return [(self.given,)]


@dataclass(frozen=True)
class People:
    """Sex, age, height and mass of people of a population, correlated as they are there."""

    paths: tuple[str, ...]
    population: Population
    dimensions: int = 4
    axis: bool = False

    def at(self, unit: np.ndarray) -> list[tuple[Value, ...]]:
        """Return sex, age [years], height [m] and mass [kg] of each row."""
        return [(one.sex, one.age, one.height, one.mass) for one in self.population.at(unit)]

    def levels(self, steps: int) -> np.ndarray:
        """Return no level, because a grid draws people for every case."""
        return np.zeros(0)

    def samples(self) -> list[tuple[Value, ...]]:
        """Return the median person of the middle of the population."""
        return self.at(np.full((1, 4), 0.5))


PERSON = ("sex", "age", "height", "mass")


def read_variables(vary: Mapping[str, Any], label: str, folder: Path = Path()) -> tuple[Variable, ...]:
    """Return the variables of a table [study.vary]; refuse what cannot be varied.

    vary    dotted path -> what it takes; tables within tables are paths as well, because TOML reads a.b as a table
    folder  in which CSV files are searched
    """
    found: list[Variable] = []
    for path, given in _flat(vary, label=label):
        try:
            found.append(_variable(path, given, folder))
        except InputError as error:
            raise InputError(f"{label}: study.vary: {error}") from None
    if not found:
        raise InputError(f"{label}: study.vary is empty; give at least one path, as in human.height = [1.5, 1.9].")
    paths = [path for variable in found for path in variable.paths]
    twice = next((path for path in paths if paths.count(path) > 1), None)
    if twice is not None:
        raise InputError(f"{label}: study.vary gives {twice} twice; leave one of them out.")
    return tuple(found)


_WORDS = ("values", "normal", "csv", "population", "log")


def together(one: Mapping[str, Any], other: Any, label: str) -> dict[str, Any]:
    """Return two tables of variations as one of dotted paths; the second one has precedence."""
    return dict(_flat(one, label=label)) | dict(_flat(other, label=label))


def _flat(tree: Any, before: str = "", label: str = "study") -> list[tuple[str, Any]]:
    """Return paths and what they take; a table with a word of _WORDS is the end of a path."""
    if not isinstance(tree, Mapping):
        raise InputError(f"{label}: {shown(tree)} is no table of dotted paths, as in human.height = [1.5, 1.9].")
    found: list[tuple[str, Any]] = []
    for key, value in tree.items():
        path = f"{before}{key}"
        if isinstance(value, Mapping) and not set(value) & set(_WORDS):
            if not value:
                raise InputError(f"{path} is an empty table; accepted: {_KINDS}.")
            found += _flat(value, f"{path}.", label)
        else:
            found.append((path, value))
    return found


def _variable(path: str, given: Any, folder: Path) -> Variable:
    """Return the variable of a path."""
    if isinstance(given, list | tuple):
        return _range(path, given, log=False)
    if not isinstance(given, Mapping):
        raise InputError(f"{path} is {shown(given)}; accepted: {_KINDS}. A fixed value belongs into the scenario.")
    words = [word for word in _WORDS if word in given]
    extra = [key for key in given if key not in _WORDS]
    if len(words) != 1 or extra:
        raise InputError(f"{path} has the keys {', '.join(given)}; accepted is one of: {', '.join(_WORDS)}.")
    value = given[words[0]]
    if words[0] == "log":
        return _range(path, value, log=True)
    if words[0] == "normal":
        return _normal(path, value)
    if words[0] == "csv":
        return _table(path, value, folder)
    if words[0] == "population":
        return _people(path, value)
    if not isinstance(value, list | tuple) or not value:
        raise InputError(f"{path}.values is {shown(value)}; expected a list of at least one value.")
    return _rows((path,), [(_plain(item, f"{path}.values[{k}]"),) for k, item in enumerate(value)])


def _rows(paths: tuple[str, ...], rows: list[tuple[Value, ...]]) -> Rows:
    """Return rows whose values at each path are all numbers, all words or all flags; refuse others."""
    for path, column in zip(paths, zip(*rows, strict=True), strict=True):
        if len({type(value) for value in column}) > 1:
            odd = next(value for value in column if type(value) is not type(column[0]))
            raise InputError(f"{path} takes {shown(column[0])} and {shown(odd)}; give numbers only, or words only.")
    return Rows(paths, tuple(rows))


def _range(path: str, ends: Any, *, log: bool) -> Range:
    if not isinstance(ends, list | tuple) or len(ends) != 2:
        raise InputError(
            f"{path} is {shown(ends)}; a range has two ends: [low, high]. For a choice: {{ values = ... }}."
        )
    low, high = (si(end, f"{path}[{k}]") for k, end in enumerate(ends))
    if not low < high:
        raise InputError(f"{path} is {shown(ends)}; the range is empty. The first end must be below the second one.")
    if log and low <= 0.0:
        raise InputError(f"{path}.log is {shown(ends)}; both ends must be above zero.")
    return Range((path,), low, high, tuple(ends), log)


def _normal(path: str, value: Any) -> Normal:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise InputError(f"{path}.normal is {shown(value)}; expected [mean, standard deviation].")
    mean, sd = (si(item, f"{path}.normal[{k}]") for k, item in enumerate(value))
    if not sd > 0.0:
        raise InputError(f"{path}.normal is {shown(value)}; the standard deviation must be above zero.")
    return Normal((path,), mean, sd, value[0])


def _people(path: str, name: Any) -> People:
    if path != "human" and (not path.startswith("human.") or path.rpartition(".")[2] in WHO):
        raise InputError(f'{path}.population describes a person; write human = {{ population = "us" }}.')
    checked_word(name, POPULATIONS, f"{path}.population")
    return People(tuple(f"{path}.{key}" for key in PERSON), Population(name))


def _table(path: str, name: Any, folder: Path) -> Rows:
    """Return the rows of a CSV file: a column named like the path gives the path itself, others keys below it."""
    if not isinstance(name, str):
        raise InputError(f"{path}.csv is {shown(name)}; expected the name of a file.")
    lines = list(csv.reader(read_text(folder / name).splitlines()))
    lines = [line for line in lines if any(cell.strip() for cell in line)]
    if len(lines) < 2:
        raise InputError(f"{path}: {name} has no rows; expected a line of names, and a line for each case.")
    head = [cell.strip() for cell in lines[0]]
    last = path.rpartition(".")[2]
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(head):
            raise InputError(f"{path}: {name}, line {number} has {len(line)} cells and the first line {len(head)}.")
    paths = tuple(path if column in (last, path) else f"{path}.{column}" for column in head)
    rows = [
        tuple(_cell(cell, f"{name}, line {number}, {column}") for cell, column in zip(line, head, strict=True))
        for number, line in enumerate(lines[1:], start=2)
    ]
    return _rows(paths, rows)


def _cell(text: str, where: str) -> Value:
    """Return a number or quantity in SI, any other text as it is; refuse an empty cell."""
    text = text.strip()
    if not text:
        raise InputError(f"{where} is empty; every case needs a value.")
    try:
        return si(text, where)
    except InputError:
        return text


def _plain(value: Any, where: str) -> Value:
    """Return a number in SI, or a word or flag as it is."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _cell(value, where)
    return si(value, where)


def si(value: Any, where: str) -> float:
    """Return a number, or a text with a unit in SI: "40 km/h" is 11.1."""
    if isinstance(value, str):
        match = _QUANTITY.fullmatch(value.strip())
        if match is None:
            raise InputError(f'{where} is {shown(value)}; expected a number, or a text with a unit as in "40 km/h".')
        try:
            factor = parse_unit(match[2])[0] if match[2] else 1.0
        except InputError as error:
            raise InputError(f"{where} is {shown(value)}; {error}") from None
        value = factor * float(match[1])
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise InputError(f'{where} is {shown(value)}; expected a finite number, or a text with a unit as in "40 km/h".')
    return float(value)


def dimensions(variables: Sequence[Variable]) -> int:
    """Return the number of dimensions of all variables."""
    return sum(variable.dimensions for variable in variables)


def refuse_unknown_word(value: Any, accepted: Sequence[str], where: str) -> str:
    """Return a word that is accepted; refuse any other."""
    if not isinstance(value, str) or value not in accepted:
        raise InputError(f"{where} is {shown(value)}; accepted: {', '.join(accepted)}.{nearest(str(value), accepted)}")
    return value
