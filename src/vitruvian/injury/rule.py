"""The rules of the assessment: which channels a criterion needs, and the function that computes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..units import STANDARD_GRAVITY
from . import brain, limb, neck, power, thorax, vehicle_pulse
from .clip import clip
from .hic import hic, severity_index
from .limits import UnknownSizeError, adult
from .section import CUTS

SIDES = ("left", "right")


#: value in the unit of the criterion, when it is reached: t1, t2 [s], detail
Value = tuple[float, float, float, str]


@dataclass(frozen=True)
class Rule:
    """Criteria that are computed from the same channels.

    names       of the criteria
    places      where they are computed, each for itself
    quantities  of a place, all of them needed; "head@acceleration.x" is that of another place
    compute     name, time [s], samples of each quantity [SI], size of the dummy -> value; raises UnknownSizeError if
                the constants of that size are not known
    """

    names: tuple[str, ...]
    places: tuple[str, ...]
    quantities: tuple[str, ...]
    compute: Callable[..., Value]


def _vector(samples: np.ndarray, name: str) -> np.ndarray:
    if samples.ndim != 2:
        raise InputError(f"{name} needs all three axes, not the resultant")
    return samples


def _g(samples: np.ndarray) -> np.ndarray:
    return samples / STANDARD_GRAVITY


def _head(name: str, time: np.ndarray, a: np.ndarray, size: str) -> Value:
    if name in ("HIC15", "HIC36"):
        found = hic(time, _g(a), {"HIC15": 0.015, "HIC36": 0.036}[name], assume_units=True)
        return found.value, found.t1, found.t2, ""
    if name == "SI":
        total = severity_index(time, _g(a), assume_units=True)
        return total.value, total.t1, total.t2, ""
    return _clip(name, time, a, size)


def _clip(name: str, time: np.ndarray, a: np.ndarray, size: str) -> Value:
    found = clip(time, _g(a), assume_units=True)
    pieces = len(found.pieces)
    return found.value, found.t1, found.t2, "one piece" if pieces == 1 else f"{pieces} pieces"


def _peak_g(name: str, time: np.ndarray, a: np.ndarray, size: str) -> Value:
    found = thorax.peak(time, _g(a), assume_units=True)
    return found.value, found.time, found.time, ""


def _for_adults(name: str, size: str) -> None:
    """Refuse a size whose constants are not known, because those of the table were found for adults."""
    if not adult(size):
        raise UnknownSizeError(f"the constants of {name} are those of adults")


def _bric(name: str, time: np.ndarray, w: np.ndarray, size: str) -> Value:
    if size != "3YO":
        _for_adults(name, size)
    critical = "3yo" if size == "3YO" else "average"
    return _most(brain.bric(time, _vector(w, name), critical, assume_units=True))


def _ubric(name: str, time: np.ndarray, w: np.ndarray, a: np.ndarray, size: str) -> Value:
    _for_adults(name, size)
    found = brain.ubric(time, _vector(w, name), _vector(a, name), assume_units=True)
    return _most(found)


def _most(found: brain.PerAxis) -> Value:
    when = found.times["xyz".index(found.axis)]
    return found.value, when, when, f"most about {found.axis}"


def _rotation(name: str, time: np.ndarray, alpha: np.ndarray, size: str) -> Value:
    alpha = _vector(alpha, name)
    if name != "RIC36":
        _for_adults(name, size)
    if name == "DAMAGE":
        peak = brain.damage(time, alpha, assume_units=True)
        return peak.value, peak.time, peak.time, ""
    found = (power.ric if name == "RIC36" else power.prhic)(time, alpha, 0.036, assume_units=True)
    return found.value, found.t1, found.t2, ""


def _both(name: str, time: np.ndarray, a: np.ndarray, alpha: np.ndarray, size: str) -> Value:
    _for_adults(name, size)
    if name == "GAMBIT":
        found = power.gambit(time, _g(a), alpha, assume_units=True)
    else:
        found = power.hip(time, _vector(a, name), _vector(alpha, name), assume_units=True)
    return found.value, found.time, found.time, ""


def _nij(name: str, time: np.ndarray, fz: np.ndarray, my: np.ndarray, size: str) -> Value:
    found = neck.nij(time, fz, my, size, assume_units=True)
    return found.value, found.time, found.time, found.case


def _axial(name: str, time: np.ndarray, fz: np.ndarray, size: str) -> Value:
    """Largest tension or compression [N]."""
    pulled = fz if name.endswith("tension") else -fz
    at = int(np.argmax(pulled))
    return max(float(pulled[at]), 0.0), float(time[at]), float(time[at]), ""


def _nic(name: str, time: np.ndarray, t1: np.ndarray, head: np.ndarray, size: str) -> Value:
    found = neck.nic(time, t1, head, assume_units=True)
    return found.value, found.time, found.time, ""


def _chest(name: str, time: np.ndarray, d: np.ndarray, size: str) -> Value:
    if name == "VC":
        found = thorax.viscous_criterion(time, np.abs(d), size, assume_units=True)
        return found.value, found.time, found.time, ""
    found = thorax.chest_deflection(time, d, assume_units=True)
    return 1e3 * found.value, found.time, found.time, ""


def _tti(name: str, time: np.ndarray, rib: np.ndarray, t12: np.ndarray, size: str) -> Value:
    found = thorax.tti(time, _g(rib), _g(t12), assume_units=True)
    return found.value, min(found.times), max(found.times), ""


def _tibia(name: str, time: np.ndarray, mx: np.ndarray, my: np.ndarray, fz: np.ndarray, size: str) -> Value:
    found = limb.tibia_index(time, mx, my, fz, size, assume_units=True)
    return found.value, found.time, found.time, ""


def _asi(name: str, time: np.ndarray, a: np.ndarray, size: str) -> Value:
    found = vehicle_pulse.asi(time, _g(_vector(a, name)), assume_units=True)
    return found.value, found.time, found.time, "EN 1317-1:2010"


def _thiv(name: str, time: np.ndarray, ax: np.ndarray, ay: np.ndarray, yaw: np.ndarray, size: str) -> Value:
    found = vehicle_pulse.thiv(time, ax, ay, yaw, assume_units=True)
    if name == "PHD":
        return found.phd.value, found.phd.time, found.phd.time, ""
    return 3.6 * found.value, found.time, found.time, found.side


def _olc(name: str, time: np.ndarray, v: np.ndarray, size: str) -> Value:
    found = vehicle_pulse.olc(time, v, assume_units=True)
    return found.value, found.t1, found.t2, ""


_FEMURS = tuple(f"{side}_femur{end}" for side in SIDES for end in ("_upper", "_lower", ""))
_TIBIAS = tuple(f"{side}_tibia_{end}" for side in SIDES for end in ("upper", "lower"))

RULES = (
    Rule(("HIC15", "HIC36", "SI", "head 3ms"), ("head",), ("acceleration",), _head),
    Rule(("head acceleration",), ("head",), ("acceleration",), _peak_g),
    Rule(("BrIC",), ("head",), ("angular_velocity",), _bric),
    Rule(("UBrIC",), ("head",), ("angular_velocity", "angular_acceleration"), _ubric),
    Rule(("DAMAGE", "RIC36", "PRHIC36"), ("head",), ("angular_acceleration",), _rotation),
    Rule(("HIP", "GAMBIT"), ("head",), ("acceleration", "angular_acceleration"), _both),
    Rule(("Nij",), ("upper_neck",), ("force.z", "occipital_condyles@moment.y"), _nij),
    Rule(("neck tension", "neck compression"), ("upper_neck",), ("force.z",), _axial),
    Rule(("NIC",), ("T1",), ("acceleration.x", "head@acceleration.x"), _nic),
    Rule(("chest 3ms",), ("thorax",), ("acceleration",), _clip),
    Rule(("chest deflection", "VC"), ("thorax",), ("deflection",), _chest),
    Rule(("TTI",), ("left_rib", "right_rib"), ("acceleration.y", "T12@acceleration.y"), _tti),
    Rule(("pelvis acceleration",), ("pelvis",), ("acceleration",), _peak_g),
    Rule(("lumbar compression",), ("lumbar",), ("force.z",), _axial),
    Rule(("femur force",), _FEMURS, ("force.z",), _axial),
    Rule(("TI",), _TIBIAS, ("moment.x", "moment.y", "force.z"), _tibia),
    Rule(("ASI",), ("vehicle",), ("acceleration",), _asi),
    Rule(("THIV", "PHD"), ("vehicle",), ("acceleration.x", "acceleration.y", "angular_velocity.z"), _thiv),
    Rule(("OLC",), ("vehicle",), ("velocity.x",), _olc),
)


def cuts_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the section loads that some criteria need; all of them for criteria of the neck."""
    places = {place for rule in RULES if set(rule.names) & set(names) for place in rule.places}
    asked = {place for place in places if place in CUTS}
    return tuple(CUTS) if "occipital_condyles" in places else tuple(name for name in CUTS if name in asked)


def bodies_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the places that some criteria need, those of other channels included."""
    rules = [rule for rule in RULES if set(rule.names) & set(names)]
    others = [q.partition("@")[0] for rule in rules for q in rule.quantities if "@" in q]
    return tuple(dict.fromkeys([*(place for rule in rules for place in rule.places), *others]))
