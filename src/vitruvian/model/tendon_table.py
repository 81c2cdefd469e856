"""From passive muscles over one or two joints to arrays. SI units."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..kernels import layout
from .element import Tendon
from .flexible import felt
from .system import System


def fill_tendons(system: System, by_name: Mapping[str, int], fast: float, arrays: dict[str, np.ndarray]) -> None:
    """Fill the tables of passive muscles.

    by_name  joint -> number of its child body
    fast     relaxation rate of a joint, with the smaller inertia of its bodies, that is implicit [1/s]
    """
    ends = [(by_name[t.joint], -1 if t.other is None else by_name[t.other]) for t in system.tendons]
    arrays["tendon_joint"] = np.array(ends, dtype=np.int64).reshape(-1, 2)
    rows = [
        (t.arm, t.other_arm, t.slack, t.torque, t.rate, t.most, t.loss, t.loss_speed, fast * _lightest(system, t))
        for t in system.tendons
    ]
    arrays["tendon"] = np.array(rows, dtype=float).reshape(-1, layout.tendon.COUNT)


def _lightest(system: System, tendon: Tendon) -> float:
    """Return the smallest moment of inertia about the axis of flexion of the bodies next to its joints [kg m2]."""
    joints = [system.joint(name) for name in (tendon.joint, tendon.other) if name is not None]
    bodies = [system.body(name) for joint in joints for name in (joint.parent, joint.child) if name is not None]
    return min(float(felt(body)[1, 1]) for body in bodies)
