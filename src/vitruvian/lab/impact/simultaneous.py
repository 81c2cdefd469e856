"""Several contacts at once: unilateral constraints as a complementarity problem. SI units.

With W the inverse inertia of all contacts together and u the relative velocities, each contact obeys

    0 <= p_n  complementary to  u_n after + e u_n before >= 0        (Newton's law, moreau1988)

A complementarity problem with a symmetric, positive semidefinite W = A A' is a least-squares problem under signs,
min |A' p + A^+ b| with p >= 0, which scipy.optimize.nnls solves exactly by active sets (Lawson and Hanson). Friction
puts the impulse of each contact into its cone |p_t| <= mu p_n. The cone is spanned by edges, p = D beta with
beta >= 0, so the problem stays the same with D' W D; the edge against the slip that was found is added, so that a
sliding contact comes to lie on the round cone. A bare cone problem would make sliding contacts rise with mu |u_t|; the
fixed point b_n <- b_n + mu |u_t| takes that off and leaves Coulomb's law (desaxce1998, cadoux2009). Close to the
answer, Newton's iteration on the projection p = P(p - w) (scipy.optimize.root) gives the last digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InputError, SimulationError

EDGES = 16  # of the friction cone
ROUNDS = 500  # of the fixed point
CLOSE = 1e-10  # residual of the complementarity over the largest velocity [-]
NEAR = 1e-3  # residual from which Newton's iteration is let at it [-]


@dataclass(frozen=True)
class Solution:
    """Impulses of all contacts.

    impulse   (3m,), by contact normal, tangent, binormal [N s]
    residual  how far the complementarity conditions are from being kept [m/s]
    rounds    of the fixed point [-]
    """

    impulse: np.ndarray
    residual: float
    rounds: int


def solve(inverse: np.ndarray, bias: np.ndarray, friction: np.ndarray) -> Solution:
    """Return impulses p in their friction cones with w = W p + b, w_n >= 0, p_n w_n = 0, p_t against the slip w_t.

    inverse   W (3m, 3m), symmetric and positive semidefinite [1/kg]
    bias      b (3m,) [m/s]
    friction  (m,) [-]
    """
    from scipy.optimize import root

    m = len(friction)
    values, vectors = np.linalg.eigh(inverse)
    kept = values > 1e-13 * values[-1]
    half = (vectors[:, kept] * np.sqrt(values[kept])).T  # A'
    back = (vectors[:, kept] / np.sqrt(values[kept])).T  # A^+
    scale = float(abs(bias).max())
    if scale == 0.0:
        return Solution(np.zeros(3 * m), 0.0, 0)
    edges = [list(_ring(mu)) for mu in friction]
    rise = np.zeros(m)
    best: Solution | None = None
    for number in range(1, ROUNDS + 1):
        raised = bias.copy()
        raised[0::3] += rise
        impulse, edges = _cone_least_squares(half, back @ raised, edges)
        after = (inverse @ impulse + bias).reshape(m, 3)
        residual = float(abs(_missed(impulse, inverse, bias, friction)).max())
        if residual > CLOSE * scale and residual <= NEAR * scale:
            impulse = root(_missed, impulse, (inverse, bias, friction), tol=1e-14).x
            residual = float(abs(_missed(impulse, inverse, bias, friction)).max())
        if best is None or residual < best.residual:
            best = Solution(impulse, residual, number)
        if best.residual <= CLOSE * scale:
            return best
        slip = np.linalg.norm(after[:, 1:], axis=1)
        for k in np.flatnonzero((friction > 0.0) & (slip > 0.0)):
            edges[k].append(np.array([1.0, *(-friction[k] * after[k, 1:] / slip[k])]))
        # the mean with the round before damps the swinging of contacts that push each other
        rise = 0.5 * rise + 0.5 * friction * slip
    assert best is not None
    raise SimulationError(
        f"the simultaneous impact of {m} contacts was not solved: after {ROUNDS} rounds its conditions are missed by "
        f"{best.residual:.3g} m/s. Give the contacts the same restitution, or less friction, or solve them in turn."
    )


def _ring(friction: float) -> list[np.ndarray]:
    """Return the first edges of a friction cone, uniformly spaced; its axis without friction."""
    if friction == 0.0:
        return [np.array([1.0, 0.0, 0.0])]
    angles = 2.0 * np.pi * np.arange(EDGES) / EDGES
    return [np.array([1.0, friction * np.cos(angle), friction * np.sin(angle)]) for angle in angles]


def _cone_least_squares(
    half: np.ndarray, target: np.ndarray, edges: list[list[np.ndarray]]
) -> tuple[np.ndarray, list[list[np.ndarray]]]:
    """Return min |A' D beta + A^+ b|, beta >= 0: the impulse D beta, and the first edges with those that carry it."""
    from scipy.optimize import nnls

    owner = np.repeat(np.arange(len(edges)), [len(own) for own in edges])
    columns = np.zeros((3 * len(edges), len(owner)))
    for column, (k, edge) in enumerate(zip(owner, (edge for own in edges for edge in own), strict=True)):
        columns[3 * k : 3 * k + 3, column] = edge
    matrix = half @ columns
    length = np.linalg.norm(matrix, axis=0)
    beta, _ = nnls(matrix / length, -target, maxiter=50 * len(owner))
    carrying = iter(beta > 0.0)
    kept = [[edge for i, edge in enumerate(own) if next(carrying) or i < EDGES] for own in edges]
    return columns @ (beta / length), kept


def _missed(impulse: np.ndarray, inverse: np.ndarray, bias: np.ndarray, friction: np.ndarray) -> np.ndarray:
    """Return the distance of p from its projection on the cone after a step against w + mu |w_t| n [m/s]."""
    after = inverse @ impulse + bias
    missed = np.empty_like(impulse)
    for k, mu in enumerate(friction):
        own = slice(3 * k, 3 * k + 3)
        size = float(np.trace(inverse[own, own]))
        w = after[own] + np.array([mu * np.linalg.norm(after[own][1:]), 0.0, 0.0])
        missed[own] = size * (impulse[own] - _project(impulse[own] - w / size, mu))
    return missed


def _project(p: np.ndarray, mu: float) -> np.ndarray:
    """Return the nearest point of the cone |p_t| <= mu p_n."""
    tangent = float(np.linalg.norm(p[1:]))
    if mu * tangent <= -p[0]:
        return np.zeros(3)
    if tangent <= mu * p[0]:
        return p
    normal = (p[0] + mu * tangent) / (1.0 + mu * mu)
    return np.array([normal, *(mu * normal / tangent * p[1:])])


def newton(inverse: np.ndarray, velocity: np.ndarray, restitution: np.ndarray, friction: np.ndarray) -> Solution:
    """Return the impulses by Newton's law at all contacts; friction acts on the slip at the end, as in one impact."""
    bias = velocity.copy()
    bias[0::3] *= 1.0 + restitution
    return solve(inverse, bias, friction)


def poisson(inverse: np.ndarray, velocity: np.ndarray, restitution: np.ndarray, friction: np.ndarray) -> Solution:
    """Return the impulses by Poisson's law without friction: compression, then e times it, then remaining closing.

    After glocker1995: the second problem lets no contact close again.
    """
    if friction.any():
        raise InputError(
            "Poisson's law for several contacts is without friction here; set friction to 0 or take newton."
        )
    compression = solve(inverse, velocity, friction)
    given = np.zeros(len(velocity))
    given[0::3] = restitution * compression.impulse[0::3]
    pushed = compression.impulse + given
    rest = solve(inverse, velocity + inverse @ pushed, friction)
    return Solution(pushed + rest.impulse, max(compression.residual, rest.residual), compression.rounds + rest.rounds)
