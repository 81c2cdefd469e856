"""A beam as a chain of rigid links with hinge springs: an independent model with large rotations and no stretch.

The coordinates are the absolute angles of the links. The springs are EI divided by the length of a link. The error
falls with the square of that length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp


@dataclass(frozen=True)
class Chain:
    """A chain in the plane that hangs at the origin.

    length     [m]
    links      number of links
    line_mass  [kg/m]
    bending    EI [N m2]
    gravity    along -y [m/s2]
    """

    length: float
    links: int
    line_mass: float
    bending: float
    gravity: float = 0.0

    def tip(
        self,
        start: float,
        times: np.ndarray,
        base: Callable[[float], tuple[float, float, float]] | None = None,
        tolerance: float = 1e-8,
    ) -> np.ndarray:
        """Return the place of the tip (t, 2) [m], from a straight chain at rest at an angle [rad].

        base  angle of the clamped root, its rate and second rate; pinned at the root unless given
        """
        n, step = self.links, self.length / self.links
        mass, spring = self.line_mass * step, self.bending / step
        later = np.maximum.outer(np.arange(n), np.arange(n))
        # links are bars: m (n - 1 - max(i, j) + 1/2) off the diagonal, m (n - 1 - i + 1/3) on it
        lever = mass * step**2 * (n - 1 - later + 0.5)
        lever[np.diag_indices(n)] -= mass * step**2 / 6.0
        weight = mass * self.gravity * step * (n - 0.5 - np.arange(n))

        def torque(angle: np.ndarray, root: float) -> np.ndarray:
            bend = spring * np.diff(angle)
            total = np.zeros(n)
            total[:-1] += bend
            total[1:] -= bend
            if base is not None:  # half a link lies between the clamp and the first hinge
                total[0] -= 2.0 * spring * (angle[0] - root)
            return total - weight * np.cos(angle)

        def slope(time: float, state: np.ndarray) -> np.ndarray:
            angle, rate = state[:n], state[n:]
            apart = angle[:, None] - angle
            right = torque(angle, base(time)[0] if base else 0.0) - (lever * np.sin(apart)) @ rate**2
            return np.concatenate([rate, np.linalg.solve(lever * np.cos(apart), right)])

        first = np.concatenate([np.full(n, start), np.zeros(n)])
        run = solve_ivp(slope, (times[0], times[-1]), first, "Radau", times, rtol=tolerance, atol=1e-2 * tolerance)
        angle = run.y[:n].T
        return step * np.stack([np.cos(angle).sum(axis=1), np.sin(angle).sum(axis=1)], axis=1)
