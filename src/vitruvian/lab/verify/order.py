"""Order of convergence of the integrators at fixed steps on a smooth problem. SI units."""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np

from ...model import Body, Configuration, Joint, Resistance, SpringDamper, System
from ..evidence import Check
from ..example_system import TIGHT, ends

#: method -> (order, the coarser of two steps [s])
ORDERS = {"semi-implicit-euler": (1, 1e-3), "implicit": (3, 1e-3), "rk4": (4, 4e-3), "dormand-prince": (5, 1e-2)}
SHORTFALL = 0.15  # of the observed order, which is that of a limit [-]


def smooth_chain() -> tuple[System, Configuration]:
    """Return a chain of a universal, a spherical and a revolute joint, with gravity and smooth springs."""
    bodies = tuple(Body(f"link{i}", 2.0 - 0.4 * i, np.array([0.05, 0.06, 0.02])) for i in range(3))
    up, down = (0.0, 0.0, 0.25), (0.0, 0.0, -0.25)
    elastic = Resistance(stiffness=(4.0, 2.0, 3.0), damping=(0.2, 0.1, 0.3))
    joints = (
        Joint("top", "universal", None, "link0", point_child=up),
        Joint("middle", "spherical", "link0", "link1", down, up, resistance=elastic),
        Joint("low", "revolute", "link1", "link2", down, up, (0.5, -0.5, 0.5, -0.5), (0.5, -0.5, 0.5, -0.5)),
    )
    spring = SpringDamper("spring", "link2", None, (0.0, 0.0, -0.2), (0.5, 0.2, -1.0), 30.0, 0.3, 1.0)
    start = Configuration({"top": (0.5, 0.3), "low": (0.4,)}, {"middle": (1.0, -0.5, 2.0)})
    return System(bodies, joints, springs=(spring,)), start


def at_end(system: System, start: Configuration, duration: float, **options: Any) -> np.ndarray:
    """Return positions, orientations and velocities of all bodies at the end, in one row."""
    run = ends(system, start, duration, **options)
    parts = (run.position, run.orientation, run.velocity, run.angular_velocity)
    return np.concatenate([part[-1].ravel() for part in parts])


def convergence() -> list[Check]:
    """Halving a fixed step divides the error at the end by 2 to the order."""
    system, start = smooth_chain()
    duration = 0.8
    reference = at_end(system, start, duration, **TIGHT | {"tolerance": 1e-14, "max_step": 2e-3})
    rows = []
    for method, (order, step) in ORDERS.items():
        errors = [
            float(abs(at_end(system, start, duration, method=method, adaptive=False, step=h) - reference).max())
            for h in (step, 0.5 * step)
        ]
        note = f"errors {errors[0]:.3g} and {errors[1]:.3g} at {step:g} s and half of it"
        rows.append(
            Check.at_least(f"order of {method}", order, log2(errors[0] / errors[1]), "-", note, tolerance=SHORTFALL)
        )
    return rows
