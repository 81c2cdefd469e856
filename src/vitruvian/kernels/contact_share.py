"""How the parts of a surface share the load of a shape. SI units.

Parts that meet at a ridge or in a plane form a region. With D_r the depths in the regions, d_k those in each part
alone, Psi_k(D_r) the energy that a part would store and o_rs the overlap of two regions, which does not depend on the
pose (`patch.overlap`),

    psi = sum_r W_r sum_k w_k Psi_k(D_r),   w_k = d_k^m / sum_j d_j^m,   W_r = D_r^m / sum_s o_rs D_s^m

and the forces are the slopes of psi by D_r and by d_k, along the normals of both at their points. So the contact keeps
a potential where a shape slides from one part of a vehicle to another, and the force is continuous. What W_r w_k
multiplies, the force of the law, carries damping, dent and friction. Alone, a part has W = w = 1.
"""

from .._jit import inlined, inner
from . import contact_law, patch, vec3
from .types import (
    BOUND,
    DEPTH,
    GROUP,
    LOAD_SHARE,
    NORMAL,
    PAIR_LAW,
    PAIR_NORMAL,
    PAIR_STORED,
    PART_DEPTH,
    PART_NORMAL,
    PART_SHARE,
    PART_SHIFT,
    PEAK_DEPTH,
    REGION,
    REGION_SHIFT,
    SHAPE_A,
    SHAPE_B,
)
from .vec3 import add, axpy, scale, sub

SHARPNESS = 24  # m of the shares of the load: large enough for the deepest to bear it, small enough to be smooth
LEAST_SHARE = 1e-3  # of the load: with less a pair does not count as touching


@inlined
def bears(pair, c):
    """Whether pair c is in contact and bears a share of the load; `load_shares` must have been called."""
    return pair[c, DEPTH] > 0.0 and pair[c, LOAD_SHARE] > LEAST_SHARE


@inner
def share_loads(model, pair, memory):
    """Shares of the load where pairs of a group overlap, and the forces by which they shift."""
    load_shares(model, pair)
    for c in range(pair.shape[0]):
        if pair[c, DEPTH] > 0.0 and pair[c, LOAD_SHARE] < 1.0:
            pair[c, PAIR_STORED] = contact_law.stored(
                model.law_kind, model.law, model.candidate[c, PAIR_LAW], model.table_start, model.table,
                pair[c, DEPTH], memory[c, PEAK_DEPTH],
            )  # fmt: skip
    for c in range(pair.shape[0]):
        if pair[c, DEPTH] > 0.0 and pair[c, LOAD_SHARE] < 1.0:
            first = model.candidate[c, GROUP]
            _shift_shares(model, pair, c, first, _end_of_group(model.candidate, first))


@inner
def load_shares(model, pair):
    """Find the share of the load that each pair in contact bears.

    Within a region w_k = d_k^m / sum_j d_j^m, with d the depths in its parts. Between regions W_r = D_r^m / sum_s o_rs
    D_s^m, with D their depths and o their overlap. A pair bears W_r w_k.
    """
    candidate, last = model.candidate, -1
    for c in range(pair.shape[0]):
        if pair[c, DEPTH] > 0.0:
            pair[c, LOAD_SHARE], pair[c, PART_SHARE] = 1.0, 1.0
            if last == candidate[c, GROUP]:
                # the first pair of a group that is not alone: all pairs of it up to the last are shared anew
                _share_group(model, pair, candidate[c, GROUP], c + 1)
            last = candidate[c, GROUP]


@inner
def _share_group(model, pair, first, end):
    """Shares of the pairs of a group from first to end."""
    deepest = 0.0
    for c in range(first, end):
        deepest = max(deepest, pair[c, DEPTH])
    for c in range(first, end):
        if pair[c, DEPTH] > 0.0:
            pair[c, PART_SHARE] = _part_share(model, pair, c, first, end)
    for c in range(first, end):
        if pair[c, DEPTH] > 0.0:
            total = _region_sum(model, pair, c, first, end, deepest)
            pair[c, LOAD_SHARE] = pair[c, PART_SHARE] * (pair[c, DEPTH] / deepest) ** SHARPNESS / total


@inlined
def _end_of_group(candidate, first):
    """End of the rows of the group that begins at `first`."""
    end = first
    while end < candidate.shape[0] and candidate[end, GROUP] == first:
        end += 1
    return end


@inlined
def _region(model, c):
    """Root of the region of pair c."""
    return model.shape_kind[model.candidate[c, SHAPE_B], REGION]


@inner
def _part_share(model, pair, c, first, end):
    """Share of pair c in what its region bears."""
    total, alone = 0.0, True
    for k in range(first, end):
        if pair[k, DEPTH] > 0.0 and _region(model, k) == _region(model, c):
            alone = alone and k == c
            if k != c:
                total += (pair[k, PART_DEPTH] / pair[c, PART_DEPTH]) ** SHARPNESS
    return 1.0 if alone else 1.0 / (1.0 + total)


@inner
def _region_sum(model, pair, c, first, end, deepest):
    """sum_s o_rs (D_s / deepest)^m over the regions s of a group, for the region r of pair c."""
    total = 0.0
    for k in range(first, end):
        if pair[k, DEPTH] > 0.0:  # the parts of a region have its depth, and their shares are 1 in all
            total += pair[k, PART_SHARE] * _overlap(model, c, k) * (pair[k, DEPTH] / deepest) ** SHARPNESS
    return total


@inlined
def _overlap(model, c, k):
    """How far the regions of two pairs of a group share the load."""
    one, other = _region(model, c), _region(model, k)
    if one == other:
        return 1.0
    return patch.overlap(model.facet, one, other, model.shape[model.candidate[c, SHAPE_A], BOUND])


@inner
def _shift_shares(model, pair, c, first, end):
    """Forces of pair c by which shares shift in its group: the slopes of W and w times the stored energies.

    Along the normal of region r, spread over its parts:  (m/D_r) (W_r psi_r - sum_s W_s psi_s o_rs U_r / S_s)
    Along the normal of part k alone:                     W_r (m w_k/d_k) (Psi_k - psi_r)

    with psi_r = sum_k w_k Psi_k, U = D^m and S_s = sum_r o_rs U_r = U_s / W_s.
    """
    depth, within, between = pair[c, DEPTH], 0.0, 0.0
    whole = pair[c, LOAD_SHARE] / pair[c, PART_SHARE] if pair[c, PART_SHARE] > 0.0 else 0.0
    for k in range(first, end):
        if pair[k, DEPTH] > 0.0:
            if _region(model, k) == _region(model, c):
                within += pair[k, PART_SHARE] * pair[k, PAIR_STORED]
            if pair[k, PART_SHARE] > 0.0:
                # W_s psi_s o_rs U_r / S_s, of which U_r / S_s = W_s U_r / U_s
                ratio = (depth / pair[k, DEPTH]) ** SHARPNESS * pair[k, LOAD_SHARE] / pair[k, PART_SHARE]
                between += pair[k, LOAD_SHARE] * pair[k, PAIR_STORED] * _overlap(model, c, k) * ratio
    pair[c, REGION_SHIFT] = pair[c, PART_SHARE] * SHARPNESS / depth * (whole * within - between)
    if pair[c, PART_SHARE] < 1.0:
        change = pair[c, PAIR_STORED] - within
        pair[c, PART_SHIFT] = pair[c, LOAD_SHARE] * SHARPNESS / pair[c, PART_DEPTH] * change


@inner
def shift_borne(candidate, pair, c):
    """What the record of pair c changes [N]: its own shift forces go, its share of those of the group comes.

    Shift forces come in pairs that nearly cancel: they only mean something together. The record gives each pair the
    part of their sum that it has of the normal force, so that it shows what presses on it and the sum stays.
    """
    total, pressing, k = (0.0, 0.0, 0.0), 0.0, candidate[c, GROUP]
    while k < pair.shape[0] and candidate[k, GROUP] == candidate[c, GROUP]:
        if pair[k, DEPTH] > 0.0:
            total = add(total, _shifts(pair, k))
            pressing += pair[k, LOAD_SHARE] * pair[k, PAIR_NORMAL]
        k += 1
    share = pair[c, LOAD_SHARE] * pair[c, PAIR_NORMAL] / pressing if pressing > 0.0 else 0.0
    return sub(scale(share, total), _shifts(pair, c))


@inlined
def _shifts(pair, c):
    """Both shift forces of pair c [N]."""
    along = scale(pair[c, REGION_SHIFT], vec3.load(pair, c, NORMAL))
    return axpy(pair[c, PART_SHIFT], vec3.load(pair, c, PART_NORMAL), along)
