"""Two recordings of one run, the second going on where the first ended, as one."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from ..errors import InputError
from .conservation import kept, put_in
from .recording import AT_TIME, Recording

_SAME = ("bodies", "joints", "joint_types", "pairs", "sensors", "load_cells", "loops")


def join(first: Recording, second: Recording) -> Recording:
    """The samples and events of both; status, final state and counters of the second, which went on counting.

    A sample that both hold is taken once.
    """
    for name in _SAME:
        if getattr(first, name) != getattr(second, name):
            raise InputError(f"the {name} of the two runs differ; only a run of the same system can go on.")
    changes: dict[str, Any] = {
        "events": first.events + [event for event in second.events if event.time > first.end_time]
    }
    for item in fields(Recording):
        early, late = getattr(first, item.name), getattr(second, item.name)
        if isinstance(late, np.ndarray):
            clock = "time" if item.name in AT_TIME else "pose_time"
            last = getattr(first, clock)[-1:]
            new = getattr(second, clock) > (last[0] * (1.0 + 1e-12) if len(last) else -np.inf)
            changes[item.name] = np.concatenate([early, late[new]])
    changes["wall_time"] = first.wall_time + second.wall_time
    joined = replace(second, **changes)
    return kept(first, replace(joined, balance_error=_balance_error(joined)))


def _balance_error(recording: Recording) -> float:
    """Largest |balance| over initial kinetic energy, drop energy and external work of the whole run [-]."""
    reference = put_in(recording) if len(recording.pose_time) else 0.0
    return float(abs(recording.balance).max() / reference) if reference > 0.0 else 0.0
