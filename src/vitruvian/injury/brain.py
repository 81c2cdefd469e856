"""Criteria of head rotation: BrIC, UBrIC, DAMAGE. Head axes through its centre of mass; times in s, rad, rad/s, rad/s2.

    BrIC    sqrt(sum (max|w_i| / w_ci)^2), peaks independent in time           takhounts2013
    UBrIC   sqrt(sum (w*_i + (a*_i - w*_i) exp(-a*_i / w*_i))^2)               gabler2018; starred: peak over critical
    DAMAGE  scale max|d|, d'' + C d' + K d = alpha, C = a1 K                   three masses on springs: gabler2019

Axes of SAE J211: x forward, y right, z down. BrIC and UBrIC are the same in ours (y left, z up), DAMAGE is not: its
spring between x and z has a sign. `section.to_j211` turns one into the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..signals import record_check
from ..signals.recursion import recursion
from .limits import constants

AXES = "xyz"


class PerAxis(NamedTuple):
    """A criterion [-] made of one peak an axis.

    times  of the peak of each axis [s]
    axis   that contributes most
    parts  of each axis [-]; value^2 is the sum of their squares
    """

    value: float
    times: tuple[float, float, float]
    axis: str
    parts: tuple[float, float, float]


class Peak(NamedTuple):
    """A largest value and its time [s]."""

    value: float
    time: float


def bric(
    time: np.ndarray,
    angular_velocity: np.ndarray,
    critical: str | tuple[float, float, float] = "average",
    *,
    assume_units: bool = False,
) -> PerAxis:
    """Brain injury criterion [-].

    angular_velocity  of the head, its axes (n, 3) [rad/s]; filter with CFC 60 first
    critical          "average", "csdm", "mps", "3yo", or three values [rad/s]
    """
    time, w = record_check.record(
        time,
        angular_velocity,
        "angular_velocity",
        name="bric: angular_velocity",
        components=3,
        assume_units=assume_units,
    )
    limits = np.array(critical_of(critical))
    at = np.argmax(np.abs(w), axis=0)
    return _joined(time, at, np.abs(w[at, range(3)]) / limits)


def ubric(
    time: np.ndarray, angular_velocity: np.ndarray, angular_acceleration: np.ndarray, *, assume_units: bool = False
) -> PerAxis:
    """Universal brain injury criterion [-], fitted to the largest principal strain of a brain model.

    angular_velocity, angular_acceleration  of the head, its axes (n, 3) [rad/s], [rad/s2]
    """
    time, w = record_check.record(
        time,
        angular_velocity,
        "angular_velocity",
        name="ubric: angular_velocity",
        components=3,
        assume_units=assume_units,
    )
    _, a = record_check.record(
        time,
        angular_acceleration,
        "angular_acceleration",
        name="ubric: angular_acceleration",
        components=3,
        assume_units=assume_units,
    )
    known = constants("UBrIC")
    at = np.argmax(np.abs(w), axis=0)
    speed = np.abs(w).max(axis=0) / [known[f"critical_velocity_{axis}"] for axis in AXES]
    push = np.abs(a).max(axis=0) / [known[f"critical_acceleration_{axis}"] for axis in AXES]
    ratio = np.divide(push, speed, out=np.full(3, np.inf), where=speed > 0.0)
    return _joined(time, at, speed + (push - speed) * np.exp(-ratio))


def damage(time: np.ndarray, angular_acceleration: np.ndarray, *, assume_units: bool = False) -> Peak:
    """DAMAGE [-]: the largest deflection of three masses on springs and dampers, driven by the head's rotation.

    angular_acceleration  of the head, axes of SAE J211 (n, 3) [rad/s2], evenly spaced in time; lines between samples

    The equations fall apart into three oscillators, each solved exactly for straight lines.
    """
    time, alpha = record_check.record(
        time,
        angular_acceleration,
        "angular_acceleration",
        name="damage: angular_acceleration",
        components=3,
        assume_units=assume_units,
    )
    step = record_check.uniform_step(time, name="damage: angular_acceleration")
    known = constants("DAMAGE")
    between = known["stiffness_xz"]  # a spring that joins the masses of x and z
    stiffness = np.diag([known["stiffness_xx"] + between, known["stiffness_yy"], known["stiffness_zz"] + between])
    stiffness[0, 2] = stiffness[2, 0] = -between
    squares, modes = np.linalg.eigh(stiffness)
    drive = alpha @ modes
    moved = np.zeros_like(drive)
    for mode, square in enumerate(squares):
        moved[:, mode] = _oscillator(square, known["damping_per_stiffness"] * square, step, drive[:, mode])
    size = np.linalg.norm(moved @ modes.T, axis=1)
    at = int(np.argmax(size))
    return Peak(known["scale"] * float(size[at]), float(time[at]))


def _oscillator(stiffness: float, damping: float, step: float, drive: np.ndarray) -> np.ndarray:
    """x of x'' + damping x' + stiffness x = drive, at rest at the first sample; exact for straight lines between."""
    # the state x, step x' and the line of the drive: its value and its change over a step
    system = np.zeros((4, 4))
    system[:2, :2] = [[0.0, 1.0], [-stiffness * step**2, -damping * step]]
    system[1, 2], system[2, 3] = step**2, 1.0
    grown = term = np.eye(4)
    for order in range(1, 60):  # the exponential of a small matrix
        term = term @ system / order
        grown = grown + term
    own, new = grown[:2, :2], grown[:2, 3]
    old = grown[:2, 2] - new
    # state[n+1] = own state[n] + old drive[n] + new drive[n+1]; without x' a recursion of second order
    trace, determinant = own.trace(), own[0, 0] * own[1, 1] - own[0, 1] * own[1, 0]
    b0 = new[0]
    b1 = old[0] + own[0, 1] * new[1] - own[1, 1] * new[0]
    b2 = own[0, 1] * old[1] - own[1, 1] * old[0]
    section = np.array([b0, b1, b2, 1.0, -trace, determinant])
    start = np.array([0.0, old[0] * drive[0] + new[0] * drive[1]])
    return recursion(section, drive, start)


def critical_of(critical: str | tuple[float, float, float]) -> tuple[float, ...]:
    """Return the critical angular velocities about x, y and z [rad/s], by name or as they are."""
    if not isinstance(critical, str):
        if len(critical) != 3 or not all(value > 0.0 for value in critical):
            raise InputError(f"bric: critical is {critical!r}; give three values above zero [rad/s].")
        return tuple(critical)
    known = constants("BrIC")
    names = [name.removeprefix("critical_").removesuffix("_x") for name in known if name.endswith("_x")]
    if critical not in names:
        raise InputError(f"bric: critical is {critical!r}; accepted: {', '.join(names)}, or three values [rad/s].")
    return tuple(known[f"critical_{critical}_{axis}"] for axis in AXES)


def _joined(time: np.ndarray, at: np.ndarray, parts: np.ndarray) -> PerAxis:
    x, y, z = (float(part) for part in parts)
    t1, t2, t3 = (float(time[i]) for i in at)
    return PerAxis(float(np.sqrt((parts**2).sum())), (t1, t2, t3), AXES[int(np.argmax(parts))], (x, y, z))
