"""Criteria of a vehicle pulse: OLC, ASI, THIV and PHD. Vehicle axes, SI units, accelerations in g where stated.

OLC   the deceleration [m/s2] of an occupant who flies freely for 65 mm and is then held evenly over 235 mm
ASI   max of sqrt((ax/12 g)^2 + (ay/9 g)^2 + (az/10 g)^2) of averaged accelerations                        EN 1317-1
THIV  speed at which a free head, 0.6 m behind the front and 0.3 m from the sides, meets the interior      EN 1317-1
PHD   largest 10 ms mean of the vehicle's acceleration after that                                          EN 1317-1
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..signals import integrate, record_check
from ..signals.filter import both_ways, butterworth
from ..units import STANDARD_GRAVITY
from .brain import Peak
from .limits import constants


class Olc(NamedTuple):
    """The deceleration [g]; the end of the free flight t1 and of the restraint t2 [s]."""

    value: float
    t1: float
    t2: float


class Thiv(NamedTuple):
    """The speed of the head against the interior [m/s], when [s], what it meets, and PHD [g] with its time [s]."""

    value: float
    time: float
    side: str
    phd: Peak


def olc(time: np.ndarray, velocity: np.ndarray, *, assume_units: bool = False) -> Olc:
    """Occupant load criterion [g].

    velocity  of the vehicle in its direction of travel [m/s]; the impact begins with the first sample
    """
    time, v = record_check.record(
        time, velocity, "velocity", name="olc: velocity", components=1, assume_units=assume_units
    )
    known = constants("OLC")
    clock, v0 = time - time[0], float(v[0])
    ahead = integrate(clock, v0 - v, assume_units=True)  # of a free occupant in the vehicle [m]
    if ahead.max() < known["free_flight"]:
        raise InputError(
            f"olc: a free occupant gets {ahead.max():.3g} m ahead of the vehicle, less than {known['free_flight']} m; "
            "give the velocity [m/s] from the begin of the impact until the vehicle stands."
        )
    t1 = _crossing(clock, ahead, known["free_flight"])
    # an even deceleration from t1 that ends at t with the speed of the vehicle leaves the occupant this far ahead
    later = clock > t1
    reached = ahead[later] - 0.5 * (v0 - v[later]) * (clock[later] - t1)
    wanted = known["free_flight"] + known["restraint"]
    if not len(reached) or reached.max() < wanted:
        raise InputError(
            f"olc: the vehicle does not slow enough for the occupant to use {known['restraint']} m of restraint; "
            "is the record whole?"
        )
    t2 = _crossing(clock[later], reached, wanted)
    value = (v0 - float(np.interp(t2, clock, v))) / (t2 - t1)
    return Olc(value / STANDARD_GRAVITY, float(time[0]) + t1, float(time[0]) + t2)


def asi(time: np.ndarray, a_g: np.ndarray, edition: int = 2010, *, assume_units: bool = False) -> Peak:
    """Acceleration severity index [-] and its time [s].

    a_g      acceleration of the vehicle's centre of mass, vehicle axes (n, 3) [g], evenly spaced in time
    edition  of EN 1317-1: 1998 averages over 50 ms, 2010 filters at 13 Hz (give the record 0.5 s of rest at both ends)
    """
    time, a = record_check.record(time, a_g, "acceleration_g", name="asi: a_g", components=3, assume_units=assume_units)
    known = constants("ASI")
    limits = np.array([known[f"limit_{axis}"] for axis in "xyz"]) / STANDARD_GRAVITY
    if edition == 1998:
        mean = _moving_mean(time, a, known["window"], "asi: a_g")
    elif edition == 2010:
        rate = 1.0 / record_check.uniform_step(time, name="asi: a_g")
        mean = both_ways(butterworth(_corner(known["frequency"], rate), rate), a, int(0.5 * rate))
    else:
        raise InputError(f"asi: the edition is {edition!r}; accepted: 1998, 2010.")
    value = np.sqrt(((mean / limits) ** 2).sum(axis=1))
    at = int(np.argmax(value))
    return Peak(float(value[at]), float(time[at]))


def thiv(
    time: np.ndarray,
    a_x: np.ndarray,
    a_y: np.ndarray,
    yaw_rate: np.ndarray,
    *,
    distance_x: float | None = None,
    distance_y: float | None = None,
    offset_x: float = 0.0,
    assume_units: bool = False,
) -> Thiv:
    """Theoretical head impact velocity [m/s] and the deceleration after it.

    a_x, a_y    acceleration of the vehicle's centre of mass, vehicle axes [m/s2]
    yaw_rate    [rad/s], in the sense that turns x to y
    distance_x, distance_y  from the head to the front and to each side [m]; those of EN 1317-1 unless given
    offset_x    of the head before the centre of mass [m]
    """
    time, ax = record_check.record(time, a_x, "acceleration", name="thiv: a_x", components=1, assume_units=assume_units)
    _, ay = record_check.record(time, a_y, "acceleration", name="thiv: a_y", components=1, assume_units=assume_units)
    _, turn = record_check.record(
        time, yaw_rate, "angular_velocity", name="thiv: yaw_rate", components=1, assume_units=assume_units
    )
    known = constants("THIV")
    front = known["distance_x"] if distance_x is None else distance_x
    side = known["distance_y"] if distance_y is None else distance_y
    yaw = integrate(time, turn, assume_units=True)
    c, s = np.cos(yaw), np.sin(yaw)
    # ground axes that move with the speed the vehicle had: the head rests in them but for the spin it starts with
    v = integrate(time, np.column_stack([c * ax - s * ay, s * ax + c * ay]), assume_units=True)
    p = integrate(time, v, assume_units=True)
    start = np.array([0.0, offset_x * turn[0]])
    head = np.array([offset_x, 0.0]) + start * (time - time[0])[:, None]
    away, drift = head - p, start - v
    x, y = c * away[:, 0] + s * away[:, 1], -s * away[:, 0] + c * away[:, 1]
    vx = c * drift[:, 0] + s * drift[:, 1] + turn * y
    vy = -s * drift[:, 0] + c * drift[:, 1] - turn * x
    margins = {"front": x - offset_x - front, "left or right": np.abs(y) - side}
    hits = {name: _crossing(time, margin, 0.0) for name, margin in margins.items() if margin.max() >= 0.0}
    if not hits:
        raise InputError(
            "thiv: the head meets nothing: the vehicle does not slow or turn enough within the record. "
            "Are the accelerations in m/s2 and the yaw rate in rad/s?"
        )
    name = min(hits, key=lambda key: hits[key])
    when = hits[name]
    speed = float(np.hypot(np.interp(when, time, vx), np.interp(when, time, vy)))
    mean = _moving_mean(time, np.column_stack([ax, ay]), constants("PHD")["window"], "thiv: a_x") / STANDARD_GRAVITY
    size = np.where(time >= when, np.hypot(mean[:, 0], mean[:, 1]), 0.0)
    at = int(np.argmax(size))
    return Thiv(speed, when, name, Peak(float(size[at]), float(time[at])))


def _crossing(time: np.ndarray, samples: np.ndarray, level: float) -> float:
    """First time at which a signal reaches a level that it does reach [s]."""
    at = int(np.argmax(samples >= level))
    if at == 0:
        return float(time[0])
    low, high = samples[at - 1], samples[at]
    return float(time[at - 1] + (level - low) / (high - low) * (time[at] - time[at - 1]))


def _moving_mean(time: np.ndarray, samples: np.ndarray, window: float, name: str) -> np.ndarray:
    """Mean over a window centred at each sample; over what there is of it at the ends."""
    record_check.uniform_step(time, name=name)
    sums = integrate(time, samples, assume_units=True)
    first, last = np.clip(time - 0.5 * window, time[0], time[-1]), np.clip(time + 0.5 * window, time[0], time[-1])
    means = [(np.interp(last, time, c) - np.interp(first, time, c)) / (last - first) for c in sums.T]
    return np.column_stack(means)


def _corner(frequency: float, rate: float) -> float:
    """Corner of one pass so that both passes together are 3 dB down at the frequency [Hz]."""
    if not rate > 4.0 * frequency:
        raise InputError(f"asi: {rate:.6g} samples per second are too few for a filter at {frequency:g} Hz.")
    return float(np.arctan(np.tan(np.pi * frequency / rate) / (np.sqrt(2.0) - 1.0) ** 0.25) * rate / np.pi)
