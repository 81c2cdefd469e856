"""Two recordings of one run, the second going on where the first ended, as one."""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from .conservation import kept, put_in
from .recording import Recording

_LINES = ("loops", "webbing", "airbags", "dips", "muscles", "muscle_points", "points")
_SAME = ("bodies", "joints", "joint_types", "pairs", "sensors", "load_cells", *_LINES)
_CLOCKS = ("pose_time", "time")


def join(first: Recording, second: Recording) -> Recording:
    """Return samples and events of both, with status, final state and counters of the second, which continued counting.

    A sample that both hold is taken once.
    """
    for name in _SAME:
        if getattr(first, name) != getattr(second, name):
            raise InputError(f"the {name} of the two runs differ; only a run of the same system can continue.")
    later = second.picked({clock: _after(getattr(first, clock), getattr(second, clock)) for clock in _CLOCKS})
    joined = second.replace(
        events=first.events + [event for event in second.events if event.time > first.end_time],
        wall_time=first.wall_time + second.wall_time,
        **{name: np.concatenate([getattr(first, name), late]) for name, late in later.items()},
    )
    return kept(first, joined.replace(balance_error=_balance_error(joined)))


def _after(early: np.ndarray, late: np.ndarray) -> np.ndarray:
    """Return which times are after the end of another clock."""
    return late > (early[-1] * (1.0 + 1e-12) if len(early) else -np.inf)


def _balance_error(recording: Recording) -> float:
    """Largest |balance| over initial kinetic energy, drop energy and external work of the whole run [-]."""
    reference = put_in(recording) if len(recording.pose_time) else 0.0
    return float(abs(recording.balance).max() / reference) if reference > 0.0 else 0.0
