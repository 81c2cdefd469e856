"""Head criteria of power and of combined acceleration: HIP, GAMBIT, RIC, PRHIC. Head axes, centre of mass; SI units.

HIP     max of sum m a_i int a_i dt + sum I_i alpha_i int alpha_i dt                         [W]   newman2000
GAMBIT  max of sqrt((a / a_c)^2 + (alpha / alpha_c)^2)                                       [-]   newman1986
RIC     the form of HIC with the angular acceleration [rad/s2] instead of the acceleration  [-]   kimpara2012
PRHIC   the form of HIC with the rotational part of HIP [W]                                  [-]   kimpara2012
"""

from __future__ import annotations

import numpy as np

from ..signals import integrate, record_check
from ..units import STANDARD_GRAVITY
from . import window as search
from .brain import AXES, Peak
from .hic import Hic
from .limits import constants


def hip(
    time: np.ndarray, acceleration: np.ndarray, angular_acceleration: np.ndarray, *, assume_units: bool = False
) -> Peak:
    """Head impact power [W] and its time [s]; the head of the Hybrid III 50M, at rest at the first sample.

    acceleration          of the centre of mass, head axes (n, 3) [m/s2]
    angular_acceleration  head axes (n, 3) [rad/s2]
    """
    time, a = record_check.record(
        time, acceleration, "acceleration", name="hip: acceleration", components=3, assume_units=assume_units
    )
    known = constants("HIP")
    along = (known["mass"] * a * integrate(time, a, assume_units=True)).sum(axis=1)
    total = along + rotational_power(time, angular_acceleration, name="hip", assume_units=assume_units)
    at = int(np.argmax(total))
    return Peak(float(total[at]), float(time[at]))


def rotational_power(
    time: np.ndarray, angular_acceleration: np.ndarray, *, name: str = "rotational_power", assume_units: bool = False
) -> np.ndarray:
    """The rotational part of the head impact power at each sample [W]."""
    time, alpha = record_check.record(
        time,
        angular_acceleration,
        "angular_acceleration",
        name=f"{name}: angular_acceleration",
        components=3,
        assume_units=assume_units,
    )
    known = constants("HIP")
    inertia = np.array([known[f"inertia_{axis}"] for axis in AXES])
    return (inertia * alpha * integrate(time, alpha, assume_units=True)).sum(axis=1)


def gambit(time: np.ndarray, a_g: np.ndarray, angular_acceleration: np.ndarray, *, assume_units: bool = False) -> Peak:
    """GAMBIT [-] and its time [s]: linear and angular acceleration at the same instant.

    a_g                   resultant acceleration [g] (n,), or components (n, 3)
    angular_acceleration  resultant [rad/s2] (n,), or components (n, 3)
    """
    time, a = record_check.record(time, a_g, "acceleration_g", name="gambit: a_g", assume_units=assume_units)
    _, alpha = record_check.record(
        time,
        angular_acceleration,
        "angular_acceleration",
        name="gambit: angular_acceleration",
        assume_units=assume_units,
    )
    known = constants("GAMBIT")
    a, alpha = _size(a), _size(alpha)
    total = np.hypot(
        a * STANDARD_GRAVITY / known["critical_acceleration"], alpha / known["critical_angular_acceleration"]
    )
    at = int(np.argmax(total))
    return Peak(float(total[at]), float(time[at]))


def ric(
    time: np.ndarray, angular_acceleration: np.ndarray, window: float | None = 0.036, *, assume_units: bool = False
) -> Hic:
    """Rotational injury criterion [-] and its window [s].

    angular_acceleration  resultant [rad/s2] (n,), or components (n, 3)
    """
    time, alpha = record_check.record(
        time, angular_acceleration, "angular_acceleration", name="ric: angular_acceleration", assume_units=assume_units
    )
    return _windowed(time, _size(alpha), window)


def prhic(
    time: np.ndarray, angular_acceleration: np.ndarray, window: float | None = 0.036, *, assume_units: bool = False
) -> Hic:
    """Power rotational head injury criterion [-] and its window [s].

    angular_acceleration  head axes (n, 3) [rad/s2]
    """
    power = rotational_power(time, angular_acceleration, name="prhic", assume_units=assume_units)
    return _windowed(np.asarray(time, dtype=float), power, window)


def _windowed(time: np.ndarray, samples: np.ndarray, window: float | None) -> Hic:
    found = search.best(time, samples, window)
    return Hic(found.value, float(time[found.first]), float(time[found.last]))


def _size(samples: np.ndarray) -> np.ndarray:
    return np.abs(samples) if samples.ndim == 1 else np.linalg.norm(samples, axis=1)
