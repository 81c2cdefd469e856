"""The equations of motion in one state, as every formulation returns them.

    M x - B lambda = F,    C_q x = gamma          x: accelerations (and sigma), lambda: multipliers

Constraint forces enter with the plus sign of eq. 3.22 and 3.80 throughout (ERRATA E002). B is C_q' where the equations
are written along the coordinates themselves; formulation 2 and the global form of paper 001 write moments instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .orientation import Array


@dataclass(frozen=True)
class Equations:
    """Blocks of the index-1 system; a block is a body, or all of them where coordinates are shared.

    mass      (b, k, k)
    force     (b, k) applied and velocity-quadratic forces
    jacobian  (m, s, k) C_q for the s blocks of each row
    block     (m, s) number of the block; b is the world
    spread    (m, s, k) B', or None where it is the Jacobian
    gamma     (m,) right side of the acceleration equations
    value     (m,) C;  rate: (m,) dC/dt
    """

    mass: Array
    force: Array
    jacobian: Array
    block: Array
    spread: Array | None
    gamma: Array
    value: Array
    rate: Array

    @property
    def size(self) -> int:
        """Number of unknowns x."""
        return self.mass.shape[0] * self.mass.shape[1]

    @property
    def m(self) -> int:
        """Number of constraint equations."""
        return len(self.gamma)

    def take(self, rows: Array) -> Equations:
        """Return the equations with only some constraint rows."""
        return replace(
            self,
            jacobian=self.jacobian[rows],
            block=self.block[rows],
            spread=None if self.spread is None else self.spread[rows],
            gamma=self.gamma[rows],
            value=self.value[rows],
            rate=self.rate[rows],
        )

    def with_gamma(self, gamma: Array) -> Equations:
        """Return the equations with another right side of the acceleration constraints."""
        return replace(self, gamma=gamma)

    def dense(self) -> tuple[Array, Array, Array]:
        """Return M, C_q and B as full matrices."""
        b, k = self.mass.shape[:2]
        full = np.zeros((b, k, b, k))
        each = np.arange(b)
        full[each, :, each, :] = self.mass
        jacobian = self._scattered(self.jacobian)
        spread = jacobian.T if self.spread is None else self._scattered(self.spread).T
        return full.reshape(b * k, b * k), jacobian, spread

    def dense_jacobian(self) -> Array:
        """Return C_q as a full matrix."""
        return self._scattered(self.jacobian)

    def _scattered(self, parts: Array) -> Array:
        b, k = self.mass.shape[:2]
        out = np.zeros((self.m, b + 1, k))  # the last block is the world's, dropped
        rows = np.arange(self.m)
        for side in range(parts.shape[1]):
            out[rows, self.block[:, side]] = parts[:, side]
        return out[:, :b].reshape(self.m, b * k)
