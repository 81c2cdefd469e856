"""Calibrations: a fit of values of the data tables to targets marked `calibrate`, repeated on demand.

A calibration is a function in a module of this package that returns a `Calibration`, and one line in CALIBRATIONS. Its
targets are listed in that line, so that a test can read them without running the fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

from ...errors import InputError, nearest
from ..evidence import shown
from .target import targets


class Fit(NamedTuple):
    """Where a calibration is computed: module of this package, function, one-line title and targets that it uses."""

    module: str
    function: str
    title: str
    targets: tuple[str, ...]


#: name -> where it is computed
CALIBRATIONS: dict[str, Fit] = {
    "legs": Fit(
        "fits", "legs", "Passive muscles of the leg, from static moments of hip, knee and ankle",
        ("A16", "A17", "A19", "A20", "A22", "A24"),
    ),
    "knee-swing": Fit(
        "fits", "swing", "Damping of the relaxed knee, from the free swing of a leg", ("A25", "A26", "A27", "A28")
    ),
    "neck": Fit(
        "fits", "neck", "Neck in flexion, from the head of volunteers in a frontal sled test (minutes)", ("A51", "A62")
    ),
    "tissue": Fit(
        "fits", "tissue", "Tissue of heel, head and shoulder, from drops, presses and impactors",
        ("B01", "B02", "B03", "B08", "B23", "B27", "B28"),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Fitted:
    """A fitted number and the one in use [unit]."""

    name: str
    fitted: float
    table: float
    unit: str = "-"
    note: str = ""

    def cells(self) -> tuple[str, str, str, str]:
        """Return the row as text: name, fitted value, value in the table, remark."""
        return self.name, shown(self.fitted, self.unit, 4), shown(self.table, self.unit, 4), self.note


@dataclass(frozen=True)
class Calibration:
    """The outcome of a calibration.

    values   fitted numbers and those in the tables
    answers  target -> value of the fitted model [unit of the target]
    notes    sentences below the tables
    """

    values: tuple[Fitted, ...]
    answers: dict[str, float]
    notes: tuple[str, ...] = ()

    def record(self, name: str) -> dict[str, Any]:
        """Return the calibration by name, for JSON."""
        return {
            "title": CALIBRATIONS[name].title,
            "targets": list(CALIBRATIONS[name].targets),
            "values": [vars(row) for row in self.values],
            "answers": self.answers,
            "notes": list(self.notes),
        }


def calibrate(name: str) -> Calibration:
    """Repeat a calibration; raise InputError for an unknown name or a target that must not be fitted."""
    if name not in CALIBRATIONS:
        known = ", ".join(CALIBRATIONS) or "none yet"
        raise InputError(f'there is no calibration "{name}"; accepted: {known}.{nearest(name, CALIBRATIONS)}')
    fit = CALIBRATIONS[name]
    for target in fit.targets:
        if targets()[target].use != "calibrate":
            raise InputError(f"calibration {name} uses target {target}, which is marked validate; remove it.")
    found: Calibration = getattr(import_module(f".{fit.module}", __package__), fit.function)()
    return found
