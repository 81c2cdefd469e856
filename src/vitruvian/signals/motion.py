"""Resultants, integrals and derivatives of records. Times in s.

The integral is the trapezoidal rule (straight lines between samples), the derivative the central difference. Both are
the same at every sample of an evenly spaced record, so they may be done before or after the channel filter.
"""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from . import record_check


def resultant(components: np.ndarray) -> np.ndarray:
    """Return the length of the vector at each sample, in the unit of the components (n, k)."""
    components = np.asarray(components, dtype=float)
    if components.ndim != 2:
        raise InputError(f"resultant: the components have the shape {components.shape}; expected (n, 3).")
    return np.linalg.norm(components, axis=1)


def integrate(
    time: np.ndarray,
    samples: np.ndarray,
    initial: float | np.ndarray = 0.0,
    *,
    name: str = "channel",
    assume_units: bool = False,
) -> np.ndarray:
    """Return the integral from the first sample to each, in the unit of the samples times s; `initial` at the first."""
    time, samples = record_check.record(time, samples, name=name, assume_units=assume_units)
    steps = np.diff(time) if samples.ndim == 1 else np.diff(time)[:, None]
    parts = 0.5 * (samples[1:] + samples[:-1]) * steps
    return np.concatenate([np.zeros_like(samples[:1]), np.cumsum(parts, axis=0)]) + initial


def differentiate(
    time: np.ndarray, samples: np.ndarray, *, name: str = "channel", assume_units: bool = False
) -> np.ndarray:
    """Return the derivative at each sample, in samples per s: central differences, parabolas at the ends."""
    time, samples = record_check.record(time, samples, name=name, assume_units=assume_units)
    if len(time) < 3:
        raise InputError(f"{name}: a derivative needs at least three samples; there are {len(time)}.")
    return np.gradient(samples, time, axis=0, edge_order=2)
