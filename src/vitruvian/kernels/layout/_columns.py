"""Numbers the columns of a table one after the other."""

from itertools import accumulate
from typing import cast

import numpy as np


def columns(*sizes: int) -> tuple[int, ...]:
    """Return the first column of each quantity, and the number of all columns.

    They are NumPy integers, because Numba compiles a kernel again for every plain constant that it is called with.
    """
    return tuple(cast(int, np.int64(k)) for k in (0, *accumulate(sizes)))
