"""Reconstruction: the unknown start of an accident from its evidence, as probability distributions.

    from vitruvian.study import Study, reconstruct

    study = Study("pedestrian-2d", {"vehicle.speed": ["20 km/h", "70 km/h"]}, cases=1)
    found = reconstruct(study, {"wrap_around_distance": (1.98, 0.03), "head_part": "windscreen"})

Evidence is an outcome of a study: a number with its standard deviation (throw, rest position and heading, wrap-around
distance), a word (the part that the head struck, the side on which the person lies), None (it did not happen), true or
false for an injury, of which the risk curve gives the likelihood, and segments that touched first, at all, or not.
The ranges of the study are the prior knowledge. Sequential Monte Carlo: a first generation covers
the ranges; each further one is drawn around the cases that fit best, with Gaussian steps, and weighted such that the
draws do not distort the answer. The tolerance falls until it is the uncertainty of the evidence. The mean weight of the
last generation is the marginal likelihood, and its ratio between two studies is the odds of two hypotheses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..errors import InputError, shown
from ..scenario.schema import unit_of
from .design import values_at
from .study import Progress, Study
from .variable import Variable, dimensions, refuse_unknown_word

KEPT = 0.4  # effective part of a generation that the next tolerance keeps [-]
NARROW = 0.8  # posterior width over prior width, above which the evidence does not decide an input [-]
FEW = 50  # independent cases below which an answer is not reliable
RARE = 1e-3  # probability of an injury below and above which a risk curve is not believed [-]
MISFIT = 6.0  # standard deviations that a wrong word, or a missing or unexpected outcome, counts

#: path -> value of each case -> squared distance of each case from the evidence, in standard deviations
Misfit = Callable[[dict[str, list[Any]]], np.ndarray]


@dataclass(frozen=True)
class Estimate:
    """An input after the evidence: median and 90 % interval; decided is False if the evidence says little about it."""

    path: str
    median: float
    low: float
    high: float
    decided: bool

    @property
    def words(self) -> str:
        """The values with their unit; speeds in km/h too."""
        unit = unit_of(self.path)
        said = f"{self.median:.4g} {unit} (90 % between {self.low:.4g} and {self.high:.4g} {unit})".replace(" )", ")")
        if unit == "m/s":
            low, median, high = (f"{3.6 * value:.3g}" for value in (self.low, self.median, self.high))
            said += f", {median} km/h ({low} to {high} km/h)"
        return said.replace("  ", " ")


@dataclass(frozen=True)
class Reconstruction:
    """The start of an accident after the evidence.

    estimates  of every numeric input
    shares     of every other input: value -> probability [-]
    cases      path -> value of every case of the last generation, with `weight` as their probabilities
    evidence   logarithm of the marginal likelihood, to compare hypotheses
    effective  number of independent cases that the last generation is worth
    tolerance  of the last generation, in standard deviations of the evidence; 1 is the aim
    runs       number of simulations
    """

    estimates: tuple[Estimate, ...]
    shares: dict[str, dict[str, float]]
    cases: dict[str, list[Any]]
    weight: np.ndarray
    evidence: float
    effective: float
    tolerance: float
    runs: int

    @property
    def open_questions(self) -> list[str]:
        """Inputs that the evidence does not decide, in sentences."""
        found = [f"{one.path}: the evidence leaves most of its range possible ({one.low:.4g} to {one.high:.4g})."
                 for one in self.estimates if not one.decided]  # fmt: skip
        for path, row in self.shares.items():
            if max(row.values()) < 0.9:
                words = ", ".join(f"{name} {100.0 * share:.0f} %" for name, share in row.items())
                found.append(f"{path}: none of its values is nearly certain ({words}).")
        if self.tolerance > 1.0:
            found.append(
                f"No start of the ranges fits all evidence within its uncertainty (tolerance {self.tolerance:.2g}): "
                "either a range or a piece of evidence is wrong, or more cases are needed."
            )
        if self.effective < FEW:
            found.append(f"The answer rests on {self.effective:.0f} independent cases; run more.")
        return found

    @property
    def reliable(self) -> bool:
        """True if enough independent cases fit the evidence within its uncertainty."""
        return self.tolerance <= 1.0 and self.effective >= FEW

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold; the cases are those of the last generation."""
        return {
            "estimates": [asdict(one) for one in self.estimates], "shares": self.shares, "runs": self.runs,
            "effective": self.effective, "tolerance": self.tolerance, "log_evidence": self.evidence,
            "reliable": self.reliable, "open": self.open_questions, "cases": self.cases,
            "weight": [float(w) for w in self.weight],
        }  # fmt: skip

    def __str__(self) -> str:
        lines = [f"{self.runs} runs; the last generation is worth {self.effective:.0f} independent cases"]
        for one in self.estimates:
            open_ = "" if one.decided else "; the evidence does not decide it"
            lines.append(f"{one.path} = {one.words}{open_}")
        for path, row in self.shares.items():
            lines.append(f"{path}: " + ", ".join(f"{name} {100.0 * share:.0f} %" for name, share in row.items()))
        if self.tolerance > 1.0:
            lines.append(
                f"The tolerance is {self.tolerance:.2g} times the uncertainty of the evidence: no start of the ranges "
                "fits it, or more cases and generations are needed."
            )
        return "\n".join(lines)


def reconstruct(
    study: Study,
    evidence: Mapping[str, Any],
    *,
    cases: int = 200,
    generations: int = 5,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Reconstruction:
    """Return what evidence tells about the variables of a study.

    evidence     outcome -> (value, standard deviation) in SI, a word, or None if it did not happen
    cases        of one generation
    generations  at most; fewer if nothing changes any more
    """
    known = _checked(study, evidence)

    def misfit(columns: dict[str, list[Any]]) -> np.ndarray:
        inputs = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        rows = study.evaluate(inputs, threads=threads, progress=progress)
        return np.array([_distance(row, known) for row in rows])

    return posterior(misfit, study.variables, cases=cases, generations=generations, seed=study.seed)


def odds(hypotheses: Mapping[str, Reconstruction]) -> dict[str, float]:
    """Return the probability of each hypothesis, all of them equally likely before the evidence."""
    if not hypotheses:
        raise InputError("there is no hypothesis; give at least one reconstruction by name.")
    logs = np.array([one.evidence for one in hypotheses.values()])
    share = np.exp(logs - logs.max())
    return dict(zip(hypotheses, (float(value) for value in share / share.sum()), strict=True))


def posterior(
    misfit: Misfit, variables: Sequence[Variable], *, cases: int = 200, generations: int = 5, seed: int = 0
) -> Reconstruction:
    """Return the distribution of variables for any squared distance from the evidence, in standard deviations."""
    random = np.random.default_rng([seed, 7])
    d = dimensions(variables)
    unit, density = random.random((cases, d)), np.ones(cases)
    weight, tolerance = np.zeros(cases), np.inf
    squared = misfit(values_at(variables, unit))
    runs = cases
    if not np.isfinite(squared).any():
        raise InputError("no case of the ranges can be compared with the evidence; check the ranges and the evidence.")
    for generation in range(generations):
        tolerance = _tolerance(squared, density, tolerance)
        weight = _weights(squared, density, tolerance)
        if generation == generations - 1:
            break
        if tolerance <= 1.0 and generation and 1.0 / (weight**2).sum() > 0.5 * cases:
            break
        unit, density = _moved(unit, weight, random, cases)
        squared = misfit(values_at(variables, unit))
        runs += cases
    if not np.isfinite(squared).any():
        raise InputError("all cases of the last generation failed; widen the ranges, or check the evidence.")
    log_mean = float(np.log(np.mean(np.exp(-0.5 * (squared - squared.min())) / density)) - 0.5 * squared.min())
    estimates, shares = _summary(variables, unit, weight)
    columns = values_at(variables, unit)
    return Reconstruction(
        estimates, shares, columns, weight, log_mean, float(1.0 / (weight**2).sum()), float(tolerance), runs
    )


def _weights(squared: np.ndarray, density: np.ndarray, tolerance: float) -> np.ndarray:
    """Return the probabilities of cases: likelihood at a tolerance over the density from which they were drawn."""
    raw = np.exp(-0.5 * (squared - squared.min()) / tolerance**2) / density
    return raw / raw.sum() if raw.sum() > 0.0 else raw


def _tolerance(squared: np.ndarray, density: np.ndarray, last: float) -> float:
    """Return the next tolerance, at least 1: that at which an effective part KEPT of the cases remains."""

    def effective(tolerance: float) -> float:
        return float(1.0 / (_weights(squared, density, tolerance) ** 2).sum()) / len(squared)

    low, high = 1.0, min(last, 1e6)
    if effective(low) >= KEPT:
        return 1.0
    for _ in range(50):
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if effective(middle) >= KEPT else (middle, high)
    return high


def _moved(
    unit: np.ndarray, weight: np.ndarray, random: np.random.Generator, cases: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return cases drawn around the present ones, inside the ranges, and the density from which they were drawn."""
    centre = weight @ unit
    covariance = (weight[:, None] * (unit - centre)).T @ (unit - centre)
    kernel = 2.0 * covariance + 1e-8 * np.eye(unit.shape[1])
    factor = np.linalg.cholesky(kernel)
    drawn: list[np.ndarray] = []
    while len(drawn) < cases:
        one = unit[random.choice(len(unit), p=weight)] + factor @ random.normal(size=unit.shape[1])
        # reflected at the ends of the ranges, so that every draw is a case
        one = np.abs(np.mod(one + 1.0, 2.0) - 1.0)
        drawn.append(one)
    new = np.array(drawn)
    return new, _density(new, unit, weight, factor)


def _density(new: np.ndarray, old: np.ndarray, weight: np.ndarray, factor: np.ndarray) -> np.ndarray:
    """Return the density of the mixture of Gaussians around old cases, reflected at the ends of the ranges."""
    d = new.shape[1]
    inverse = np.linalg.inv(factor)
    scale = 1.0 / (np.prod(np.diag(factor)) * (2.0 * np.pi) ** (0.5 * d))
    total = np.zeros(len(new))
    images = np.array(np.meshgrid(*[[0, 1, 2]] * d, indexing="ij")).reshape(d, -1).T
    for image in images:
        place = np.where(image == 0, new, np.where(image == 1, -new, 2.0 - new))
        apart = (place[:, None, :] - old[None]) @ inverse.T
        total += np.exp(-0.5 * (apart**2).sum(axis=2)) @ weight
    return scale * total


def _summary(
    variables: Sequence[Variable], unit: np.ndarray, weight: np.ndarray
) -> tuple[tuple[Estimate, ...], dict[str, dict[str, float]]]:
    """Return median and interval of numbers, and the probability of each word."""
    estimates, shares = [], {}
    prior = values_at(variables, np.random.default_rng(0).random((2000, unit.shape[1])))
    for path, column in values_at(variables, unit).items():
        if isinstance(column[0], str | bool):
            shares[path] = {
                str(name): float(weight[[value == name for value in column]].sum()) for name in dict.fromkeys(column)
            }
            continue
        values = np.array(column)
        order = np.argsort(values)
        share = np.cumsum(weight[order]) - 0.5 * weight[order]
        low, median, high = (float(np.interp(p, share, values[order])) for p in (0.05, 0.5, 0.95))
        before = np.subtract(*np.quantile(np.array(prior[path], float), [0.95, 0.05]))
        estimates.append(Estimate(path, median, low, high, bool(high - low < NARROW * before)))
    return tuple(estimates), shares


def _checked(study: Study, evidence: Mapping[str, Any]) -> dict[str, Any]:
    """Return the evidence; refuse outcomes that the study does not have and values that are no evidence."""
    if not evidence:
        raise InputError("the evidence is empty; give at least one outcome, as in throw = (12.5, 1.0).")
    outcomes = list(study.columns)[list(study.columns).index("status") :]
    for name, value in evidence.items():
        refuse_unknown_word(name, outcomes, "evidence")
        if not _is_evidence(name, value, study.columns[name]):
            raise InputError(
                f"evidence {name} is {shown(value)}; expected (value, standard deviation) for a number, a word for a "
                'word, None, true or false for an injury such as "HIC15 AIS3+", or {first = "left_foot", touched = '
                "[...], untouched = [...]} for contacts."
            )
        for segment in _segments(value):
            known = [role for person in study.base._built().system.roster.people for role in person.segments]
            refuse_unknown_word(segment, tuple(dict.fromkeys(known)), f"evidence {name}")
    return dict(evidence)


def _segments(value: Any) -> list[str]:
    """Return the segments that evidence of contacts names."""
    found = value.values() if isinstance(value, Mapping) else ()
    return [name for one in found for name in ([one] if isinstance(one, str) else one)]


def _is_evidence(name: str, value: Any, kind: type) -> bool:
    """Return True if a value can be evidence of an outcome of a kind, float or str."""
    if isinstance(value, bool):
        return "AIS" in name
    if isinstance(value, Mapping):
        fine = all(isinstance(v, str | list) for v in value.values()) and set(value) <= set(CONTACTS)
        return name.endswith("contacts") and fine and all(isinstance(word, str) for word in _segments(value))
    if isinstance(value, list | tuple):
        numbers = len(value) == 2 and all(isinstance(v, int | float) and np.isfinite(v) for v in value)
        return kind is float and numbers and float(value[1]) > 0.0
    return value is None or (isinstance(value, str) and kind is str)


CONTACTS = ("first", "touched", "untouched")


def _distance(row: Mapping[str, Any], evidence: Mapping[str, Any]) -> float:
    """Return the squared distance of a row from the evidence, in standard deviations; infinite for a failed case."""
    if row["reason"]:
        return float("inf")
    return sum(_apart(name, row[name], known) for name, known in evidence.items())


def _apart(name: str, value: Any, known: Any) -> float:
    """Return the squared distance of one outcome from its evidence: -2 times the logarithm of its likelihood."""
    if isinstance(known, bool):  # an injury that is there or not, of which the row has the probability
        risk = min(max(0.0 if value is None else float(value), RARE), 1.0 - RARE)
        return -2.0 * float(np.log(risk if known else 1.0 - risk))
    if isinstance(known, Mapping):
        order = [] if not value else [set(group.split(" + ")) for group in value.split(", ")]
        all_of_them = set().union(*order)
        asked = {key: [known[key]] if isinstance(known.get(key), str) else known.get(key, []) for key in CONTACTS}
        wrong = sum(not order or segment not in order[0] for segment in asked["first"])
        wrong += sum(segment not in all_of_them for segment in asked["touched"])
        wrong += sum(segment in all_of_them for segment in asked["untouched"])
        return wrong * MISFIT**2
    if known is None or isinstance(known, str) or value is None:
        return 0.0 if value == known else MISFIT**2
    apart = value - float(known[0])
    if name.endswith("rest_heading"):
        apart = (apart + np.pi) % (2.0 * np.pi) - np.pi
    return float((apart / float(known[1])) ** 2)
