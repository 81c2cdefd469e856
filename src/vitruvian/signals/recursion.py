"""Second-order recursions, the building block of every filter here.

    y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2]

A row (b0, b1, b2, 1, a1, a2) is a second-order section as scipy.signal has them, and the result is that of its sosfilt.
The recursion is solved as the banded triangular system that it is (LAPACK, without pivots): importing scipy.signal
would take longer than simulating a fall.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dtbtrs


def recursion(section: np.ndarray, samples: np.ndarray, outputs: np.ndarray | None = None) -> np.ndarray:
    """The outputs of a section for samples (n,) or (n, k).

    outputs  the first two outputs (2,) or (2, k); those of a system at rest before the first sample unless given
    """
    b, a = section[:3], section[3:]
    right = b[0] * samples
    right[1:] += b[1] * samples[:-1]
    right[2:] += b[2] * samples[:-2]
    if outputs is not None:
        right[:2] = outputs
        right[1] += a[1] * outputs[0]  # so that the system returns the outputs as they are
    bands = np.empty((3, len(samples)))
    bands[:] = a[:, None]
    solved, _ = dtbtrs(bands, right.reshape(len(right), -1), uplo="L", diag="U")
    return np.asarray(solved).reshape(samples.shape)
