"""The fit of the layered tissue to measurements, which anyone can repeat. SI units.

It uses only targets marked `calibrate`, listed in TARGETS. The numbers in data/tissue.csv are its results, rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ... import data
from ...human import Human
from ...human.tissue import layered
from ...model.tissue import Tissue
from ...units import STANDARD_GRAVITY
from . import tissue_tests as tests
from .tissues import press_head, skull_stiffness

#: target -> measured value, in SI
TARGETS = {
    "B01": 11.6 * STANDARD_GRAVITY,
    "B02": 0.0113,
    "B03": 0.79,
    "B08": 6.02e3,
    "B23": 0.03,
    "B27": 812e3,
    "B28": 4023e3,
}
TOE = 18.0  # force up to which the slope of a heel at small load was taken [N]
EVALUATIONS = 12  # of the tests of one segment

#: quantity of the table -> field of Tissue
FIELDS = {
    "layer_stiffness": "stiffness",
    "hardening": "hardening",
    "core_stiffness": "core",
    "rebound": "restitution",
}


@dataclass(frozen=True)
class TissueFit:
    """A repeated fit: values name -> (fitted, in the table, unit), answers target -> value in SI, remarks."""

    targets: tuple[str, ...]
    values: Mapping[str, tuple[float, float, str]]
    answers: Mapping[str, float]
    notes: tuple[str, ...] = ()


def _heel(person: Human) -> dict[str, float]:
    found = tests.heel_drop(person)
    toe = tests.slow_stiffness(person, "right_foot", TOE)
    return {"B01": found["acceleration"], "B02": found["deformation"], "B03": found["absorbed"], "B08": toe}


def _head(person: Human) -> dict[str, float]:
    kinds = {"B27": "slow", "B28": "impact"}
    return {name: skull_stiffness(kind, press_head(kind, person)) for name, kind in kinds.items()}


def _shoulder(person: Human) -> dict[str, float]:
    return {"B23": tests.pendulum("shoulder", 1.5, person=person)["deflection"]}


#: segment -> quantities that are fitted, and the test that measures them
FITS: dict[str, tuple[tuple[str, ...], Callable[[Human], dict[str, float]]]] = {
    "foot": (("layer_stiffness", "hardening", "rebound"), _heel),
    "head": (("core_stiffness", "rebound"), _head),
    "upper_arm": (("layer_stiffness",), _shoulder),
}


def fit_tissue(segments: tuple[str, ...] = tuple(FITS)) -> TissueFit:
    """Fit stiffness and rebound of some segments to drops, releases and impactors."""
    values: dict[str, tuple[float, float, str]] = {}
    answers: dict[str, float] = {}
    for segment in segments:
        quantities, measure = FITS[segment]
        fitted, found = _fitted(segment, quantities, measure)
        rows = {row.quantity: row for row in data.table("tissue") if row.item == segment}
        for name, value in zip(quantities, fitted, strict=True):
            values[f"{segment}.{name}"] = (value, rows[name].si, rows[name].unit)
        answers |= found
    return TissueFit(tuple(answers), values, answers, ("Every target counts by its ratio to the measured value.",))


def _fitted(
    segment: str, quantities: tuple[str, ...], measure: Callable[[Human], dict[str, float]]
) -> tuple[list[float], dict[str, float]]:
    """Return the fitted quantities of a segment in SI and what its test then measures."""
    from scipy.optimize import least_squares

    own = layered(segment, tests.adult().dimensions)
    names = [FIELDS[name] for name in quantities]

    def person(logs: np.ndarray) -> Human:
        changed: Tissue = replace(own, **dict(zip(names, np.exp(logs).tolist(), strict=True)))
        return tests.adult(tissue={segment: changed})

    def residual(logs: np.ndarray) -> np.ndarray:
        return np.array([np.log(value / TARGETS[name]) for name, value in measure(person(logs)).items()])

    start = np.log([getattr(own, name) for name in names])
    found = least_squares(residual, start, diff_step=0.03, max_nfev=EVALUATIONS, xtol=1e-3, ftol=1e-4)
    return np.exp(found.x).tolist(), measure(person(found.x))
