"""Sparse elimination of the equations with multipliers: M x - B l = F, C x = gamma, with M in blocks.

M has one block a body, so M^-1 F and M^-1 B cost little, and S = C M^-1 B, which a joint shares only with the joints
of its two bodies, is factorised by Cholesky in an order that fills nothing in where the joints form a tree (leaves
first). S is symmetric and positive definite in every formulation, also where B is not C': it holds the same mechanics.
"""

from math import sqrt

from ..._jit import inner, kernel

SINGULAR_BLOCK, SINGULAR_JOINTS = 1, 2


@kernel
def solve(
    mass,
    force,
    jacobian,
    spread,
    block,
    gamma,
    touch_start,
    touch,
    later_start,
    later,
    rank,
    sequence,
    work,
    x,
    multiplier,
):
    """Compute accelerations x (b, k) and multipliers (m,) [SI]; return 0, SINGULAR_BLOCK or SINGULAR_JOINTS.

    jacobian, spread  (m, s, k) C and B' for the s blocks of each row; block: (m, s), b for the world
    touch             for each block the flat places row * s + side of the rows that touch it
    sequence          order of elimination; rank: place of each row in it
    later             for each row those after it in that order that its elimination reaches, in that order
    work              factors (b, k, k), M^-1 B (m, s, k), S (m, m)
    """
    factors, reply, schur = work
    n_block, k = force.shape
    m, s = block.shape
    # M^-1 F and M^-1 B, block by block
    for i in range(n_block):
        for a in range(k):
            for b in range(k):
                factors[i, a, b] = mass[i, a, b]
            x[i, a] = force[i, a]
        for t in range(touch_start[i], touch_start[i + 1]):
            row, side = touch[t] // s, touch[t] % s
            for a in range(k):
                reply[row, side, a] = spread[row, side, a]
        if _reduce(factors, reply, touch_start, touch, x, i, k, s) != 0:
            return SINGULAR_BLOCK
    # S and its right side
    for r in range(m):
        for t in range(later_start[r], later_start[r + 1]):
            schur[later[t], r] = 0.0
        schur[r, r] = 0.0
        multiplier[r] = gamma[r]
    for i in range(n_block):
        for t in range(touch_start[i], touch_start[i + 1]):
            row, side = touch[t] // s, touch[t] % s
            for a in range(k):
                multiplier[row] -= jacobian[row, side, a] * x[i, a]
            for u in range(touch_start[i], touch_start[i + 1]):
                other, other_side = touch[u] // s, touch[u] % s
                if rank[row] >= rank[other]:
                    value = 0.0
                    for a in range(k):
                        value += jacobian[row, side, a] * reply[other, other_side, a]
                    schur[row, other] += value
    if _cholesky(schur, multiplier, later_start, later, sequence, m) != 0:
        return SINGULAR_JOINTS
    # back to the blocks
    for i in range(n_block):
        for t in range(touch_start[i], touch_start[i + 1]):
            row, side = touch[t] // s, touch[t] % s
            for a in range(k):
                x[i, a] += reply[row, side, a] * multiplier[row]
    return 0


@inner
def _reduce(factors, reply, touch_start, touch, x, i, k, s):
    """Eliminate block i with row pivots, on x and all replies at once."""
    for c in range(k):
        best = c
        for a in range(c + 1, k):
            if abs(factors[i, a, c]) > abs(factors[i, best, c]):
                best = a
        if factors[i, best, c] == 0.0:
            return 1
        if best != c:
            for b in range(c, k):
                factors[i, c, b], factors[i, best, b] = factors[i, best, b], factors[i, c, b]
            x[i, c], x[i, best] = x[i, best], x[i, c]
            for t in range(touch_start[i], touch_start[i + 1]):
                row, side = touch[t] // s, touch[t] % s
                reply[row, side, c], reply[row, side, best] = reply[row, side, best], reply[row, side, c]
        for a in range(c + 1, k):
            if factors[i, a, c] == 0.0:
                continue
            ratio = factors[i, a, c] / factors[i, c, c]
            for b in range(c + 1, k):
                factors[i, a, b] -= ratio * factors[i, c, b]
            x[i, a] -= ratio * x[i, c]
            for t in range(touch_start[i], touch_start[i + 1]):
                row, side = touch[t] // s, touch[t] % s
                reply[row, side, a] -= ratio * reply[row, side, c]
    for c in range(k - 1, -1, -1):
        for b in range(c + 1, k):
            x[i, c] -= factors[i, c, b] * x[i, b]
        x[i, c] /= factors[i, c, c]
        for t in range(touch_start[i], touch_start[i + 1]):
            row, side = touch[t] // s, touch[t] % s
            value = reply[row, side, c]
            for b in range(c + 1, k):
                value -= factors[i, c, b] * reply[row, side, b]
            reply[row, side, c] = value / factors[i, c, c]
    return 0


@inner
def _cholesky(schur, y, later_start, later, sequence, m):
    """Factorise S along its pattern and solve S l = y in place; the pivots follow `sequence`, and so does `later`."""
    for step in range(m):
        r = sequence[step]
        pivot = schur[r, r]
        if not pivot > 0.0:
            return 1
        root = sqrt(pivot)
        schur[r, r] = root
        y[r] /= root
        for t in range(later_start[r], later_start[r + 1]):
            i = later[t]
            schur[i, r] /= root
            y[i] -= schur[i, r] * y[r]
            for u in range(later_start[r], t + 1):
                schur[i, later[u]] -= schur[i, r] * schur[later[u], r]
    for step in range(m - 1, -1, -1):
        r = sequence[step]
        for t in range(later_start[r], later_start[r + 1]):
            y[r] -= schur[later[t], r] * y[later[t]]
        y[r] /= schur[r, r]
    return 0
