"""Criteria of the lower limb: tibia index and femur force. Loads in the signs of SAE J1733, SI units.

TI = sqrt(Mx^2 + My^2) / Mc + |Fz| / Fc     at the same instant
"""

from __future__ import annotations

import numpy as np

from ..signals import record_check
from .brain import Peak
from .limits import by_size


def tibia_index(
    time: np.ndarray, mx: np.ndarray, my: np.ndarray, fz: np.ndarray, size: str = "50M", *, assume_units: bool = False
) -> Peak:
    """Tibia index [-] and its time [s], at one end of the tibia.

    mx, my  bending moments [N m]
    fz      axial force [N]
    size    "50M", "5F" or "95M"
    """
    time, about_x = record_check.record(
        time, mx, "moment", name="tibia_index: mx", components=1, assume_units=assume_units
    )
    _, about_y = record_check.record(
        time, my, "moment", name="tibia_index: my", components=1, assume_units=assume_units
    )
    _, axial = record_check.record(time, fz, "force", name="tibia_index: fz", components=1, assume_units=assume_units)
    known = by_size("TI", size)
    value = np.hypot(about_x, about_y) / known["critical_moment"] + np.abs(axial) / known["critical_force"]
    at = int(np.argmax(value))
    return Peak(float(value[at]), float(time[at]))


def femur_force(time: np.ndarray, fz: np.ndarray, *, assume_units: bool = False) -> Peak:
    """Largest compression of the femur [N] and its time [s].

    fz  axial force, tension positive [N]
    """
    time, force = record_check.record(
        time, fz, "force", name="femur_force: fz", components=1, assume_units=assume_units
    )
    at = int(np.argmin(force))
    return Peak(max(-float(force[at]), 0.0), float(time[at]))
