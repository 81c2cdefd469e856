"""Is a record fit to be used? Each refusal is a sentence that names the channel and the sample."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..units import STANDARD_GRAVITY

#: a step that differs from the mean one by more than this part of it is uneven [-]; files print times with few digits
UNEVEN = 0.02
#: slower than this, or longer, a record of an impact has its time in another unit [s]
SLOWEST_STEP = 0.02
LONGEST = 200.0
#: the same for records of transducers longer than 1 s; they are sampled faster than pictures: 100 kHz with its time in
#: ms looks like 100 Hz
SLOWEST_TRANSDUCER = 0.003
TRANSDUCERS = ("acceleration_g", "acceleration", "angular_acceleration", "force", "moment")


#: shorter than this, or sampled faster, a measured record of an impact has its time in another unit [s]
SHORTEST = 2e-3
FASTEST_STEP = 1e-6
#: change of velocity within `CHANGE_WINDOW` [s] that no measured impact reaches [m/s]
LARGEST_CHANGE = 40.0
CHANGE_WINDOW = 0.1
#: acceleration above which a measured record is reported as doubtful [g]
DOUBTFUL_PEAK = 300.0


class Plausible(NamedTuple):
    """A size that no record of an impact on a person reaches, and the unit that such numbers are likely to have."""

    largest: float
    unit: str
    likely: str


PLAUSIBLE = {
    "acceleration_g": Plausible(1e4, "g", "m/s2"),
    "acceleration": Plausible(1e5, "m/s2", "mm/s2"),
    "velocity": Plausible(1e3, "m/s", "mm/s"),
    "angular_velocity": Plausible(1e3, "rad/s", "deg/s"),
    "angular_acceleration": Plausible(1e6, "rad/s2", "deg/s2"),
    "force": Plausible(1e6, "N", "mN"),
    "moment": Plausible(1e4, "N m", "N mm"),
    "length": Plausible(10.0, "m", "mm"),
    "number": Plausible(np.inf, "-", "-"),
}


def record(
    time: object,
    channel: object,
    kind: str = "number",
    *,
    name: str,
    components: int | None = None,
    assume_units: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Return time [s] and samples as float arrays; raise InputError for an invalid sample.

    kind          a key of PLAUSIBLE; decides the unit that is expected
    name          of the channel, for errors
    components    1: (n,); 3: (n, 3); None: one or several
    assume_units  take times and sizes as they are, however unlikely
    """
    slowest = SLOWEST_TRANSDUCER if kind in TRANSDUCERS else SLOWEST_STEP
    times = clock(time, name=name, assume_units=assume_units, slowest=slowest)
    samples = np.asarray(channel, dtype=float)
    shape = (len(times),) if components == 1 else (len(times), components or 3)
    fine = samples.shape == shape or (components is None and samples.shape[:1] == shape[:1] and samples.ndim in (1, 2))
    if not fine:
        wanted = f"{shape[:1]} or (n, 3)" if components is None else f"{shape}"
        raise InputError(f"{name}: the samples have the shape {samples.shape}; with {len(times)} times, give {wanted}.")
    bad = ~np.isfinite(samples if samples.ndim == 1 else samples.sum(axis=1))
    if bad.any():
        at = int(np.argmax(bad))
        raise InputError(
            f"{name}: sample {at} (at {times[at]:g} s) is not a finite number (such samples in all: "
            f"{int(bad.sum())}); cut the record before it or fill the gap."
        )
    limit = PLAUSIBLE[kind]
    sizes = np.abs(samples) if samples.ndim == 1 else np.abs(samples).max(axis=1)
    if not assume_units and len(sizes) and sizes.max() > limit.largest:
        at = int(np.argmax(sizes))
        raise InputError(
            f"{name}: sample {at} is {sizes[at]:g} {limit.unit}, more than any impact gives ({limit.largest:g} "
            f"{limit.unit}). Is it in {limit.likely}? Convert it, or pass assume_units=True "
            "(--assume-units) if it is right."
        )
    return times, samples


def clock(time: object, *, name: str = "time", assume_units: bool = False, slowest: float = SLOWEST_STEP) -> np.ndarray:
    """Return times [s] as a float array: finite, increasing and likely to be seconds.

    slowest  longest step of a record that lasts over 1 s [s]
    """
    times = np.asarray(time, dtype=float)
    if times.ndim != 1:
        raise InputError(f"{name}: the times have the shape {times.shape}; give one row of numbers.")
    if not len(times):
        raise InputError(f"{name}: the record is empty; give at least one sample.")
    if not np.isfinite(times).all():
        at = int(np.argmin(np.isfinite(times)))
        raise InputError(f"{name}: time {at} is not a finite number; cut the record before it.")
    steps = np.diff(times)
    if (steps <= 0.0).any():
        at = int(np.argmax(steps <= 0.0)) + 1
        word = "the same as" if steps[at - 1] == 0.0 else "before"
        raise InputError(
            f"{name}: time {at} is {times[at]:g} s, {word} the one before it ({times[at - 1]:g} s); "
            "sort the samples by time and drop those that are there twice."
        )
    if not assume_units and len(times) > 1:
        step, length = float(np.median(steps)), float(times[-1] - times[0])
        if step > (slowest if length > 1.0 else SLOWEST_STEP) or length > LONGEST:
            likely = "ms" if step <= 1e3 * SLOWEST_STEP and length <= 1e3 * LONGEST else "us"
            raise InputError(
                f"{name}: the times run from {times[0]:g} to {times[-1]:g} s in steps of {step:g} s, which no record "
                f"of an impact does. Are they in {likely}? Convert them, or pass assume_units=True "
                "(--assume-units) if they are right."
            )
    return times


def refuse_unlikely(time: np.ndarray, samples: np.ndarray, kind: str, *, name: str) -> None:
    """Refuse a measured record whose time or acceleration is likely to be labelled with another unit.

    time     [s], increasing
    samples  (n,) or (n, 3), in the unit of the kind
    kind     a key of PLAUSIBLE
    """
    if len(time) < 3:
        return
    step, length = float(np.median(np.diff(time))), float(time[-1] - time[0])
    if length < SHORTEST or step < FASTEST_STEP:
        raise InputError(
            f"{name}: the record lasts {length:g} s in steps of {step:g} s, which no record of an impact does. Are the "
            "times in s, but labelled ms? Correct the unit, or pass assume_units=True (--assume-units) if it is right."
        )
    if kind != "acceleration_g":
        return
    parts = STANDARD_GRAVITY * samples.reshape(len(time), -1)
    velocity = np.vstack(
        [np.zeros(parts.shape[1]), np.cumsum(0.5 * (parts[1:] + parts[:-1]) * np.diff(time)[:, None], 0)]
    )
    last = np.searchsorted(time, time + CHANGE_WINDOW, side="right") - 1
    change = float(np.linalg.norm(velocity[last] - velocity, axis=1).max())
    if change > LARGEST_CHANGE:
        raise InputError(
            f"{name}: the velocity changes by {change:.3g} m/s within {1e3 * CHANGE_WINDOW:g} ms, more than any impact "
            f"test gives ({LARGEST_CHANGE:g} m/s). Is the acceleration in m/s2, but labelled g? Correct the unit, or "
            "pass assume_units=True (--assume-units) if it is right."
        )


def uniform_step(time: np.ndarray, *, name: str) -> float:
    """Return the step of evenly spaced times [s]; raise InputError for uneven ones."""
    steps = np.diff(time)
    if not len(steps):
        raise InputError(f"{name}: one sample has no sampling rate; give at least two.")
    mean = float(time[-1] - time[0]) / len(steps)
    off = np.abs(steps - mean) > UNEVEN * mean
    if off.any():
        at = int(np.argmax(off)) + 1
        raise InputError(
            f"{name}: the times are not evenly spaced: step {at} is {steps[at - 1]:g} s, the mean {mean:g} s. "
            "Use signals.resample first."
        )
    return mean
