"""Criteria of the neck: Nij and NIC. Loads in the signs of SAE J1733, SI units.

    Nij = Fz / Fzc + MOCy / Myc      at each instant one of four cases, by the signs of force and moment
    MOCy = My - lever Fx             the moment moved from the load cell to the occipital condyles
    NIC = 0.2 m a_rel + v_rel^2      T1 less head, forward                                              bostrom1996

J1733: Fz positive in tension, My positive in flexion (chin to the sternum), Fx positive with the head pushed rearward.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..signals import integrate, record_check
from .brain import Peak
from .limits import by_size, constants, intercepts

#: the four cases: tension or compression with extension or flexion
CASES = ("NTE", "NTF", "NCE", "NCF")


class Nij(NamedTuple):
    """The largest of the four cases [-], its time [s] and its name, and the largest of each case with its time."""

    value: float
    time: float
    case: str
    cases: dict[str, Peak]


def moment_occipital(my: np.ndarray, fx: np.ndarray, lever: float = 0.0) -> np.ndarray:
    """Flexion moment at the occipital condyles [N m].

    my, fx  of the upper neck load cell [N m], [N]
    lever   height of the condyles above the load cell [m]: 0.01778 in the Hybrid III 50M, see `load_cell_lever`
    """
    return np.asarray(my, dtype=float) - lever * np.asarray(fx, dtype=float)


def load_cell_lever(size: str) -> float:
    """Return the height of the occipital condyles above the upper neck load cell of a dummy [m]."""
    return by_size("Nij", size)["lever"]


def nij(
    time: np.ndarray,
    fz: np.ndarray,
    moment_y: np.ndarray,
    size: str | dict[str, float] = "50M",
    *,
    assume_units: bool = False,
) -> Nij:
    """Neck injury criterion [-].

    fz        axial force of the upper neck, tension positive [N]
    moment_y  moment at the occipital condyles, flexion positive [N m]: see `moment_occipital`
    size      a row of the table of intercepts ("50M", "5F", "95M", "6YO", ...), or tension, compression [N], flexion
              and extension [N m] of your own
    """
    time, force = record_check.record(time, fz, "force", name="nij: fz", components=1, assume_units=assume_units)
    _, moment = record_check.record(
        time, moment_y, "moment", name="nij: moment_y", components=1, assume_units=assume_units
    )
    most = intercepts(size) if isinstance(size, str) else size
    axial = {"T": np.maximum(force, 0.0) / most["tension"], "C": np.maximum(-force, 0.0) / most["compression"]}
    bending = {"F": np.maximum(moment, 0.0) / most["flexion"], "E": np.maximum(-moment, 0.0) / most["extension"]}
    inside = {"T": force >= 0.0, "C": force < 0.0, "F": moment >= 0.0, "E": moment < 0.0}
    cases = {}
    for case in CASES:
        one, two = case[1], case[2]
        value = np.where(inside[one] & inside[two], axial[one] + bending[two], 0.0)
        at = int(np.argmax(value))
        cases[case] = Peak(float(value[at]), float(time[at]))
    worst = max(CASES, key=lambda case: cases[case].value)
    return Nij(cases[worst].value, cases[worst].time, worst, cases)


def nic(time: np.ndarray, t1_x: np.ndarray, head_x: np.ndarray, *, assume_units: bool = False) -> Peak:
    """Neck injury criterion of rear impact [m2/s2] and its time [s].

    t1_x, head_x  forward acceleration of the first thoracic vertebra and of the head [m/s2]; at the same speed at the
                  first sample
    """
    time, t1 = record_check.record(
        time, t1_x, "acceleration", name="nic: t1_x", components=1, assume_units=assume_units
    )
    _, head = record_check.record(
        time, head_x, "acceleration", name="nic: head_x", components=1, assume_units=assume_units
    )
    relative = t1 - head
    value = constants("NIC")["acceleration_factor"] * relative + integrate(time, relative, assume_units=True) ** 2
    at = int(np.argmax(value))
    return Peak(float(value[at]), float(time[at]))
