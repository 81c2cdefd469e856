"""Two recordings of one run, the second going on where the first ended, as one."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from ..errors import InputError
from .recording import Recording

_SAME = ("bodies", "joints", "joint_types", "pairs", "sensors")
_AT_TIME = (
    "time",
    "sensor_acceleration",
    "sensor_acceleration_local",
    "sensor_angular_velocity_local",
    "sensor_angular_acceleration_local",
)
_SUMMED = ("steps", "rejected", "evaluations", "wall_time")


def join(first: Recording, second: Recording) -> Recording:
    """The samples and events of both; status and final state of the second. A sample that both hold is taken once."""
    for name in _SAME:
        if getattr(first, name) != getattr(second, name):
            raise InputError(f"the {name} of the two runs differ; only a run of the same system can go on.")
    changes: dict[str, Any] = {"events": first.events + [e for e in second.events if e.time > first.end_time]}
    for item in fields(Recording):
        early, late = getattr(first, item.name), getattr(second, item.name)
        if item.name in _SUMMED:
            changes[item.name] = early + late
        elif isinstance(late, np.ndarray):
            clock = "time" if item.name in _AT_TIME else "pose_time"
            early_end = getattr(first, clock)[-1:]
            new = getattr(second, clock) > (early_end[0] * (1.0 + 1e-12) if len(early_end) else -np.inf)
            changes[item.name] = np.concatenate([early, late[new]])
    changes["balance_error"] = max(first.balance_error, second.balance_error)
    return replace(second, **changes)
