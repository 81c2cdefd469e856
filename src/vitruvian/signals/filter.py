"""Channel filters of crash testing: a two-pole Butterworth low pass, run forward and backward. Times in s, Hz.

A channel frequency class (CFC) is the frequency up to which a channel is nearly flat. The filter is the bilinear
transform of a two-pole Butterworth filter with the design frequency f_d = k CFC; run both ways it has four poles, no
phase and the gain 1 / (1 + (tan(pi f T) / tan(pi f_d T))^4).

    ISO 6487   k = 1.25 / 0.6 = 2.0833   its annex also defines the start: odd reflection of 10 ms (at least 100
                                         samples) at both ends, the mean of ten samples as the first outputs
    SAE J211   k = 2.0775                leaves the start-up to the user; here the same reflection, steady state

The gain at f_c = CFC / 0.6 is then about -3 dB: 100, 300, 1000 and 1667 Hz for the classes 60, 180, 600 and 1000.
Sources: iso6487, saej211.
"""

from __future__ import annotations

import warnings

import numpy as np

from ..errors import InputError, located
from . import record_check
from .recursion import recursion

ISO_6487 = "ISO 6487"
SAE_J211 = "SAE J211"
#: design frequency over the class [-]
DESIGN = {ISO_6487: 1.25 / 0.6, SAE_J211: 2.0775}
#: the sampling rate has to be at least this many times the class (6 times the 3 dB frequency) [-]
RATE_PER_CLASS = 10.0
PADDING = 0.010  # [s]
PADDING_SAMPLES = 100
START_SAMPLES = 10  # whose mean starts the filter of ISO 6487


class SampleRateWarning(UserWarning):
    """The sampling rate is too low for the filter class."""


def cutoff(frequency_class: float) -> float:
    """Return the frequency at which a class is about 3 dB down [Hz]."""
    return frequency_class / 0.6


def sections(frequency_class: float, rate: float, standard: str = ISO_6487) -> np.ndarray:
    """Return the second-order section (1, 6) of one pass, as scipy.signal has them.

    frequency_class  60, 180, 600, 1000 or any other [Hz]
    rate             samples per second [Hz]
    """
    return butterworth(_design(frequency_class, rate, standard), rate)


def butterworth(frequency: float, rate: float) -> np.ndarray:
    """Second-order section (1, 6) of a two-pole low pass whose single pass is 3 dB down at a frequency [Hz]."""
    wa = np.tan(np.pi * frequency / rate)
    bottom = 1.0 + np.sqrt(2.0) * wa + wa * wa
    top = wa * wa / bottom
    section = [top, 2.0 * top, top, 1.0, 2.0 * (wa * wa - 1.0) / bottom, (1.0 - np.sqrt(2.0) * wa + wa * wa) / bottom]
    return np.array([section])


def gain(
    frequency: float | np.ndarray, frequency_class: float, rate: float, standard: str = ISO_6487
) -> float | np.ndarray:
    """Return the amplitude after over before filtering [-] of a sine of that frequency [Hz], both passes."""
    design = _design(frequency_class, rate, standard)
    ratio = np.tan(np.pi * np.asarray(frequency) / rate) / np.tan(np.pi * design / rate)
    found = 1.0 / (1.0 + ratio**4)
    return float(found) if np.ndim(frequency) == 0 else found


def cfc(
    time: np.ndarray,
    samples: np.ndarray,
    frequency_class: float,
    standard: str = ISO_6487,
    *,
    name: str = "channel",
    assume_units: bool = False,
) -> np.ndarray:
    """Return the filtered samples, at the same times and in the same unit: zero phase, not shifted.

    time             evenly spaced [s]
    samples          (n,), or (n, 3) to filter each component
    frequency_class  60, 180, 600, 1000 or any other [Hz]
    standard         "ISO 6487" or "SAE J211"

    Warns with SampleRateWarning below ten samples a period of the class; refuses where the filter cannot be made.
    """
    time, samples = record_check.record(time, samples, name=name, assume_units=assume_units)
    step = record_check.uniform_step(time, name=name)
    rate = 1.0 / step
    with located(name):
        sos = sections(frequency_class, rate, standard)
    if rate < RATE_PER_CLASS * frequency_class * (1.0 - 1e-6):
        warnings.warn(
            f"{name}: {rate:.6g} samples per second are too few for CFC {frequency_class:g}, which wants "
            f"{RATE_PER_CLASS * frequency_class:g}; the filtered record may miss peaks and hold aliases.",
            SampleRateWarning,
            stacklevel=2,
        )
    return both_ways(sos, samples, max(round(PADDING * rate), PADDING_SAMPLES), mean_start=standard == ISO_6487)


def both_ways(sos: np.ndarray, samples: np.ndarray, padding: int, *, mean_start: bool = False) -> np.ndarray:
    """Return the samples after a section has run over them forward and backward: zero phase, same length.

    padding     samples of odd reflection at both ends, so that neither a level nor a slope makes the filter ring
    mean_start  the first two outputs are the mean of the first ten samples (annex of ISO 6487); else the steady state
    """
    size = min(padding, len(samples) - 1)
    once = _pass(sos, _reflected(samples, size), mean_start)
    twice = _pass(sos, once[::-1], mean_start)[::-1]
    return np.ascontiguousarray(twice[size : size + len(samples)])


def _reflected(samples: np.ndarray, size: int) -> np.ndarray:
    before = 2.0 * samples[0] - samples[size:0:-1]
    after = 2.0 * samples[-1] - samples[-2 : -size - 2 : -1]
    return np.concatenate([before, samples, after])


def _pass(sos: np.ndarray, samples: np.ndarray, mean_start: bool) -> np.ndarray:
    if mean_start:
        first = second = samples[:START_SAMPLES].mean(axis=0)
    else:  # as if the first sample had been there for ever
        first, second = samples[0], samples[0] + sos[0, 0] * (samples[1] - samples[0])
    return recursion(sos[0], samples, np.stack([first, second]))


def _design(frequency_class: float, rate: float, standard: str) -> float:
    """Return the design frequency [Hz]."""
    if standard not in DESIGN:
        raise InputError(f"the filter standard is {standard!r}; accepted: {', '.join(DESIGN)}.")
    if not frequency_class > 0.0:
        raise InputError(f"the filter class is {frequency_class!r}; accepted: 60, 180, 600, 1000 or any above zero.")
    design = DESIGN[standard] * frequency_class
    if not rate > 2.0 * design:
        raise InputError(
            f"{rate:.6g} samples per second cannot carry CFC {frequency_class:g} (design frequency {design:.4g} Hz); "
            f"record at {RATE_PER_CLASS * frequency_class:g} Hz or more, or choose a lower class."
        )
    return design
