"""Second-order recursions, the building block of every filter here.

    y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2]

A row (b0, b1, b2, 1, a1, a2) is a second-order section as scipy.signal has them, and the result is that of its sosfilt.
The recursion is unrolled by doubling, as Graeffe squares the roots of a polynomial: with z a delay of one sample

    (1 + a1 z + a2 z^2) (1 - a1 z + a2 z^2) = 1 + (2 a2 - a1^2) z^2 + a2^2 z^4

so a sum over three samples turns a recursion over neighbours into one over every second sample, and so on until it
reaches beyond the record or the memory of the section: at most log2(n) sums instead of n steps. Plain numpy: importing
scipy would take longer than simulating a fall.
"""

from __future__ import annotations

import numpy as np

_FORGOTTEN = 1e-30  # a share of an earlier output below this is not seen in the sum [-]


def recursion(section: np.ndarray, samples: np.ndarray, outputs: np.ndarray | None = None) -> np.ndarray:
    """Return the outputs of a section for samples (n,) or (n, k).

    outputs  the first two outputs (2,) or (2, k); those of a system at rest before the first sample unless given
    """
    b, (_, near, far) = section[:3], section[3:]
    solved = b[0] * samples
    solved[1:] += b[1] * samples[:-1]
    solved[2:] += b[2] * samples[:-2]
    if outputs is not None:
        solved[:2] = outputs
        solved[1] += near * outputs[0]  # so that the system returns the outputs as they are
    stride = 1
    while stride < len(solved) and max(abs(near), abs(far)) > _FORGOTTEN:
        before = solved.copy()
        solved[stride:] -= near * before[:-stride]
        solved[2 * stride :] += far * before[: -2 * stride]
        near, far = 2.0 * far - near * near, far * far
        stride *= 2
    return solved
