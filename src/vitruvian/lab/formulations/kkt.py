"""Solution of the index-1 system: dense, by elimination of the multipliers (eqs 3.80-3.85), and sparse in blocks."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from ...errors import InputError, nearest
from ..kernels import saddle
from .equation import Equations
from .orientation import Array


class Redundant(Exception):
    """Raised for dependent constraint rows: the joints lock the same motion twice."""


def dense(equations: Equations) -> tuple[Array, Array]:
    """Return x (b, k) and the multipliers from the whole matrix [M -B; C 0] (eqs 3.39, 3.79) by LU."""
    mass, jacobian, spread = equations.dense()
    size, m = equations.size, equations.m
    matrix = np.zeros((size + m, size + m))
    matrix[:size, :size], matrix[:size, size:], matrix[size:, :size] = mass, -spread, jacobian
    right = np.concatenate((equations.force.ravel(), equations.gamma))
    try:
        found = np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError:
        raise Redundant from None
    return found[:size].reshape(equations.force.shape), found[size:]


def elimination(equations: Equations) -> tuple[Array, Array]:
    """Return x and multipliers by eqs 3.80-3.85: lambda = (C M^-1 B)^-1 (gamma - C M^-1 F), x = M^-1 (F + B lambda)."""
    mass, jacobian, spread = equations.dense()
    factors = linalg.lu_factor(mass, check_finite=False)
    free = linalg.lu_solve(factors, equations.force.ravel(), check_finite=False)
    if not equations.m:
        return free.reshape(equations.force.shape), np.zeros(0)
    reply = linalg.lu_solve(factors, spread, check_finite=False)
    try:
        multiplier = np.linalg.solve(jacobian @ reply, equations.gamma - jacobian @ free)
    except np.linalg.LinAlgError:
        raise Redundant from None
    return (free + reply @ multiplier).reshape(equations.force.shape), multiplier


class Sparse:
    """Block elimination along the graph of bodies and joints, compiled; the pattern is found once."""

    def __init__(self) -> None:
        self._block: Array | None = None
        self._shared: tuple[Array, Array] | None = None  # a mass matrix of one block, and its inverse

    def __call__(self, equations: Equations) -> tuple[Array, Array]:
        """Return x and multipliers; a constant mass matrix (natural coordinates) is inverted once."""
        if len(equations.mass) == 1 and equations.spread is None:
            return self._one_block(equations)
        if self._block is None or not np.array_equal(self._block, equations.block):
            self._plan(equations)
        spread = equations.jacobian if equations.spread is None else equations.spread
        x, multiplier = np.empty_like(equations.force), np.empty(equations.m)
        failed = saddle.solve(
            equations.mass, equations.force, equations.jacobian, spread, equations.block, equations.gamma,
            *self._pattern, self._room, x, multiplier,
        )  # fmt: skip
        if failed:
            raise Redundant
        return x, multiplier

    def _one_block(self, equations: Equations) -> tuple[Array, Array]:
        if self._shared is None or self._shared[0] is not equations.mass:
            self._shared = equations.mass, np.linalg.inv(equations.mass[0])
        inverse, jacobian = self._shared[1], equations.dense_jacobian()
        free, reply = inverse @ equations.force[0], inverse @ jacobian.T
        try:
            factor = linalg.cho_factor(jacobian @ reply, check_finite=False)
        except linalg.LinAlgError:
            raise Redundant from None
        multiplier = linalg.cho_solve(factor, equations.gamma - jacobian @ free, check_finite=False)
        return (free + reply @ multiplier)[None], multiplier

    def _plan(self, equations: Equations) -> None:
        """Which rows touch which block, the order of elimination, and what each row reaches."""
        (m, sides), blocks = equations.block.shape, len(equations.mass)
        k = equations.mass.shape[1]
        self._block = equations.block.copy()
        touching: list[list[int]] = [[] for _ in range(blocks)]
        for row in range(m):
            for side in range(sides):
                if equations.block[row, side] < blocks:
                    touching[equations.block[row, side]].append(row * sides + side)
        near: list[set[int]] = [set() for _ in range(m)]
        for places in touching:
            rows = {place // sides for place in places}
            for row in rows:
                near[row] |= rows - {row}
        # least degree first; its neighbours then know each other
        sequence: list[int] = []
        later: list[list[int]] = [[] for _ in range(m)]
        left = set(range(m))
        while left:
            row = min(left, key=lambda r: (len(near[r] & left), r))
            left.remove(row)
            sequence.append(row)
            reached = near[row] & left
            later[row] = list(reached)
            for other in reached:
                near[other] |= reached - {other}
        rank = np.empty(m, np.int64)
        rank[sequence] = np.arange(m)
        later = [sorted(rows, key=lambda r: rank[r]) for rows in later]
        self._pattern = (*_packed(touching), *_packed(later), rank, np.array(sequence, np.int64))
        self._room = (np.empty((blocks, k, k)), np.empty((m, sides, k)), np.empty((m, m)))


def _packed(lists: list[list[int]]) -> tuple[Array, Array]:
    """Return concatenated lists, and the start of each."""
    start = np.concatenate(([0], np.cumsum([len(items) for items in lists]))).astype(np.int64)
    return start, np.array([item for items in lists for item in items], np.int64)


LINEAR = ("sparse", "dense", "elimination")


def solver(name: str) -> Sparse | type(dense):  # type: ignore[valid-type]
    """Return a solution method by name."""
    if name not in LINEAR:
        raise InputError(f"linear is {name!r}; accepted: {', '.join(LINEAR)}.{nearest(name, LINEAR)}")
    return {"dense": dense, "elimination": elimination}.get(name) or Sparse()


def independent_rows(jacobian: Array, tolerance: float = 1e-8) -> Array:
    """Return independent rows of a Jacobian with the same span: QR with pivots (Amirouche and Ider)."""
    if not len(jacobian):
        return np.arange(0)
    _, upper, pivots = linalg.qr(jacobian.T, mode="economic", pivoting=True)
    size = abs(np.diag(upper))
    rank = int((size > tolerance * max(size[0], 1e-300)).sum())
    return np.sort(pivots[:rank])
