"""Jacobian of dy/dt for stiff solvers: coloured differences of the sparse residual, then one solve.

The accelerations depend on every coordinate, their residual r = (M x - B l - F, C_q x - gamma) at fixed x and l only on
its neighbours. So dr/dy is found with few evaluations (columns that share no row are moved together), and
dx/dy = -K^-1 dr/dy with the matrix K of the dense solution.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from .equation import Equations
from .formulation import Formulation
from .orientation import Array
from .problem import Dependent

STEP = 2e-8  # of a one-sided difference, relative: about the root of the rounding error [-]


def pattern(formulation: Formulation, n_q: int, n_v: int, n_x: int, kept: Array | None) -> Array:
    """Return where rates, equations of motion and joints can depend on q and v: (n_q + n_x + m, n_q + n_v) of bool."""
    mechanism = formulation.mechanism
    near = np.eye(mechanism.n, dtype=bool)
    links = [(p, c) for p, c in zip(mechanism.parent, mechanism.child, strict=True) if p < mechanism.n]
    springs = [(s.body_a, s.body_b) for s in mechanism.system.springs if s.body_a and s.body_b]
    links += [(mechanism.row(a), mechanism.row(b)) for a, b in springs]
    links += formulation.loads.body_pairs
    for a, b in links:
        near[a, b] = near[b, a] = True
    by_q, by_v, by_x = (formulation.incidence(size).astype(int) for size in (n_q, n_v, n_x))
    by_y = np.concatenate((by_q, by_v), axis=1)
    joints = formulation.row_bodies().astype(int)
    if kept is not None:
        joints = joints[kept]
    return np.concatenate((by_q.T @ by_y, by_x.T @ near.astype(int) @ by_y, joints @ by_y)) > 0


def colours(where: Array) -> list[Array]:
    """Return groups of columns of a pattern of which no two share a row, found greedily."""
    meet = (where.T.astype(np.int32) @ where.astype(np.int32)) > 0
    colour = np.full(len(meet), -1)
    for column in range(len(meet)):
        taken = set(colour[meet[column] & (colour >= 0)].tolist())
        colour[column] = next(k for k in range(len(meet)) if k not in taken)
    return [np.nonzero(colour == k)[0] for k in range(colour.max() + 1)]


class Coloured:
    """The Jacobian of a problem with all coordinates."""

    def __init__(self, problem: Dependent) -> None:
        self.problem = problem
        self.evaluations = 0
        y, n_q = problem.start, problem.n_q
        equations, _ = problem.solution.equations(0.0, y[:n_q], y[n_q:])
        self.where = pattern(problem.formulation, n_q, len(y) - n_q, equations.size, problem.solution.rows)
        self.groups = colours(self.where)

    def __call__(self, time: float, y: Array) -> Array:
        """Return d(dy/dt)/dy as a dense matrix; only its parts are sparse."""
        problem = self.problem
        formulation, solution, n_q = problem.formulation, problem.solution, problem.n_q
        equations, _ = solution.equations(time, y[:n_q], y[n_q:])
        x, multiplier = solution.solve(equations)

        def residual(state: Array) -> Array:
            self.evaluations += 1
            here, _ = solution.equations(time, state[:n_q], state[n_q:])
            rates = formulation.rates(state[:n_q], state[n_q:])
            return np.concatenate((rates, unbalanced(here, x.ravel(), multiplier)))

        base = residual(y)
        change = np.zeros((len(base), len(y)))
        for columns in self.groups:
            step = STEP * np.maximum(1.0, abs(y[columns]))
            moved = y.copy()
            moved[columns] += step
            difference = residual(moved) - base
            change[:, columns] = np.where(self.where[:, columns], difference[:, None] / step, 0.0)
        reply = linalg.solve(whole_matrix(equations), change[n_q:], check_finite=False)[: equations.size]
        numbered = np.arange(equations.size).reshape(equations.force.shape)
        return np.concatenate((change[:n_q], -reply[formulation.accelerations(numbered)]))


def unbalanced(equations: Equations, x: Array, multiplier: Array) -> Array:
    """Return M x - B l - F, then C_q x - gamma."""
    mass, jacobian, spread = equations.dense()
    return np.concatenate((mass @ x - spread @ multiplier - equations.force.ravel(), jacobian @ x - equations.gamma))


def whole_matrix(equations: Equations) -> Array:
    """Return [M -B; C_q 0]."""
    mass, jacobian, spread = equations.dense()
    return np.block([[mass, -spread], [jacobian, np.zeros((equations.m, equations.m))]])
