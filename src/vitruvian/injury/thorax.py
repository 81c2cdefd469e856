"""Criteria of the trunk: viscous criterion, TTI, chest deflection, pelvis. SI units, accelerations in g where stated.

VC  = max of factor (d / D) d'                  d deflection of the chest, D its depth
TTI = (rib + T12) / 2                           dummy; peaks of lateral acceleration [g]
TTI = 1.4 age + (rib + T12) / 2 (mass / 75 kg)  cadaver
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..signals import record_check
from .brain import Peak
from .limits import by_size, constants


class Tti(NamedTuple):
    """The index [g] and the times of its two peaks [s]."""

    value: float
    times: tuple[float, float]


def viscous_criterion(
    time: np.ndarray,
    deflection: np.ndarray,
    size: str = "50M",
    *,
    depth: float | None = None,
    assume_units: bool = False,
) -> Peak:
    """Viscous criterion V*C [m/s] and its time [s].

    deflection  of the chest, compression positive [m], evenly spaced in time; filter with CFC 180 first
    size        a row of the table: "50M", "5F", "WorldSID 50M", ...
    depth       of the chest [m], instead of the value of the table
    """
    time, d = record_check.record(
        time, deflection, "length", name="viscous_criterion: deflection", components=1, assume_units=assume_units
    )
    if not assume_units and np.abs(d).max() > 0.5:
        raise InputError(
            f"viscous_criterion: deflection: sample {int(np.argmax(np.abs(d)))} is {np.abs(d).max():g} m, deeper than "
            "a chest. Is it in mm? Convert it, or pass assume_units=True if it is right."
        )
    step = record_check.uniform_step(time, name="viscous_criterion: deflection")
    known = by_size("VC", size)
    value = known["factor"] * d / (known["depth"] if depth is None else depth) * _rate(d, step)
    at = int(np.argmax(value))
    return Peak(float(value[at]), float(time[at]))


def tti(
    time: np.ndarray,
    rib_y: np.ndarray,
    t12_y: np.ndarray,
    *,
    age: float | None = None,
    mass: float | None = None,
    assume_units: bool = False,
) -> Tti:
    """Thoracic trauma index [g] and the times of the two peaks [s].

    rib_y, t12_y  lateral acceleration of the struck side's rib and of the twelfth thoracic vertebra [g]
    age, mass     [years], [kg] of a person; both or neither (a dummy)
    """
    time, rib = record_check.record(
        time, rib_y, "acceleration_g", name="tti: rib_y", components=1, assume_units=assume_units
    )
    _, t12 = record_check.record(
        time, t12_y, "acceleration_g", name="tti: t12_y", components=1, assume_units=assume_units
    )
    if (age is None) != (mass is None):
        raise InputError("tti: give both age and mass for a person, or neither for a dummy.")
    first, second = int(np.argmax(np.abs(rib))), int(np.argmax(np.abs(t12)))
    value = 0.5 * (abs(float(rib[first])) + abs(float(t12[second])))
    if age is not None and mass is not None:
        known = constants("TTI")
        value = known["age_factor"] * age + value * mass / known["mass_reference"]
    return Tti(value, (float(time[first]), float(time[second])))


def peak(
    time: np.ndarray, samples: np.ndarray, kind: str = "number", *, name: str = "peak", assume_units: bool = False
) -> Peak:
    """The largest size of a signal (n,), or of the resultant of (n, 3), and its time [s]."""
    time, values = record_check.record(time, samples, kind, name=name, assume_units=assume_units)
    sizes = np.abs(values) if values.ndim == 1 else np.linalg.norm(values, axis=1)
    at = int(np.argmax(sizes))
    return Peak(float(sizes[at]), float(time[at]))


def pelvis_acceleration(time: np.ndarray, a_g: np.ndarray, *, assume_units: bool = False) -> Peak:
    """Largest resultant acceleration of the pelvis [g] and its time [s]."""
    return peak(time, a_g, "acceleration_g", name="pelvis_acceleration: a_g", assume_units=assume_units)


def pelvis_force(time: np.ndarray, force: np.ndarray, *, assume_units: bool = False) -> Peak:
    """Largest force at the pelvis [N] and its time [s]: pubic symphysis, iliac wing or acetabulum."""
    return peak(time, force, "force", name="pelvis_force: force", assume_units=assume_units)


def chest_deflection(time: np.ndarray, deflection: np.ndarray, *, assume_units: bool = False) -> Peak:
    """Largest deflection of the chest [m] and its time [s]."""
    return peak(time, deflection, "length", name="chest_deflection: deflection", assume_units=assume_units)


def _rate(d: np.ndarray, step: float) -> np.ndarray:
    """Derivative by the rule of five samples that the regulations print; plain differences at the ends."""
    rate = np.gradient(d, step) if len(d) > 1 else np.zeros_like(d)
    if len(d) >= 5:
        rate[2:-2] = (8.0 * (d[3:-1] - d[1:-3]) - (d[4:] - d[:-4])) / (12.0 * step)
    return rate
