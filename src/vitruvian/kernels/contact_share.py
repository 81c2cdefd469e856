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
from .layout import candidate, history, pair, shape, shape_kind, shape_type
from .vec3 import add, axpy, scale, sub

SHARPNESS = 24  # m of the shares of the load: large enough for the deepest to bear it, small enough to be smooth
NO_SHARE = 1e-200  # of the load: with less a pair has no part in its shifts, and a ratio of depths may overflow
LEAST_SHARE = 1e-3  # of the load: with less a pair does not count as touching


@inlined
def bears(pairs, c):
    """Return whether pair c is in contact and bears a share of the load [-]; call `load_shares` first."""
    return pairs[c, pair.DEPTH] > 0.0 and pairs[c, pair.LOAD_SHARE] > LEAST_SHARE


@inner
def share_loads(model, pairs, memory):
    """Write the shares of the load [-] where pairs of a group overlap, and the forces [N] by which they shift."""
    load_shares(model, pairs)
    for c in range(pairs.shape[0]):
        if pairs[c, pair.DEPTH] > 0.0 and pairs[c, pair.LOAD_SHARE] < 1.0:
            pairs[c, pair.STORED] = contact_law.stored(
                model.law_kind, model.law, model.candidate[c, candidate.LAW], model.table_start, model.table,
                pairs[c, pair.DEPTH], memory[c, history.PEAK_DEPTH],
            )  # fmt: skip
    for c in range(pairs.shape[0]):
        if pairs[c, pair.DEPTH] > 0.0 and pairs[c, pair.LOAD_SHARE] < 1.0:
            first = model.candidate[c, candidate.GROUP]
            _shift_shares(model, pairs, c, first, _end_of_group(model.candidate, first))


@inner
def load_shares(model, pairs):
    """Write the share of the load [-] that each pair in contact bears.

    Within a region w_k = d_k^m / sum_j d_j^m, with d the depths in its parts. Between regions W_r = D_r^m / sum_s o_rs
    D_s^m, with D their depths and o their overlap. A pair bears W_r w_k.
    """
    candidates, last = model.candidate, -1
    for c in range(pairs.shape[0]):
        if pairs[c, pair.DEPTH] > 0.0:
            pairs[c, pair.LOAD_SHARE], pairs[c, pair.PART_SHARE] = 1.0, 1.0
            if last == candidates[c, candidate.GROUP]:
                # the first pair of a group that is not alone: all pairs of it up to the last are shared anew
                _share_group(model, pairs, candidates[c, candidate.GROUP], c + 1)
            last = candidates[c, candidate.GROUP]


@inner
def _share_group(model, pairs, first, end):
    """Shares of the pairs of a group from first to end."""
    deepest = 0.0
    for c in range(first, end):
        deepest = max(deepest, pairs[c, pair.DEPTH])
    for c in range(first, end):
        if pairs[c, pair.DEPTH] > 0.0:
            pairs[c, pair.PART_SHARE] = _part_share(model, pairs, c, first, end)
    for c in range(first, end):
        if pairs[c, pair.DEPTH] > 0.0:
            total = _region_sum(model, pairs, c, first, end, deepest)
            pairs[c, pair.LOAD_SHARE] = (
                pairs[c, pair.PART_SHARE] * (pairs[c, pair.DEPTH] / deepest) ** SHARPNESS / total
            )


@inlined
def _end_of_group(candidates, first):
    """End of the rows of the group that begins at `first`."""
    end = first
    while end < candidates.shape[0] and candidates[end, candidate.GROUP] == first:
        end += 1
    return end


@inlined
def _region(model, c):
    """Return the root of the region of pair c; a shape that is no patch of facets is a region of its own, below 0."""
    b = model.candidate[c, candidate.SHAPE_B]
    if model.shape_kind[b, shape_kind.CODE] != shape_type.PATCH:
        return -1 - b
    return model.shape_kind[b, shape_kind.REGION]


@inlined
def _beside(model, c, k):
    """Whether two pairs of a group are of the same shape and the same region."""
    same = model.candidate[c, candidate.SHAPE_A] == model.candidate[k, candidate.SHAPE_A]
    return same and _region(model, c) == _region(model, k)


@inner
def _part_share(model, pairs, c, first, end):
    """Share of pair c in what its region bears."""
    total, alone = 0.0, True
    for k in range(first, end):
        if pairs[k, pair.DEPTH] > 0.0 and _beside(model, k, c):
            alone = alone and k == c
            if k != c:
                total += (pairs[k, pair.PART_DEPTH] / pairs[c, pair.PART_DEPTH]) ** SHARPNESS
    return 1.0 if alone else 1.0 / (1.0 + total)


@inner
def _region_sum(model, pairs, c, first, end, deepest):
    """sum_s o_rs (D_s / deepest)^m over the regions s of a group, for the region r of pair c."""
    total = 0.0
    for k in range(first, end):
        if pairs[k, pair.DEPTH] > 0.0:  # the parts of a region have its depth, and their shares are 1 in all
            total += pairs[k, pair.PART_SHARE] * _overlap(model, c, k) * (pairs[k, pair.DEPTH] / deepest) ** SHARPNESS
    return total


@inlined
def _overlap(model, c, k):
    """How far the regions of two pairs of a group share the load; regions of bodies share all of it."""
    one, other = _region(model, c), _region(model, k)
    if one == other or one < 0 or other < 0:
        return 1.0
    return patch.overlap(model.facet, one, other, model.shape[model.candidate[c, candidate.SHAPE_A], shape.BOUND])


@inner
def _shift_shares(model, pairs, c, first, end):
    """Forces of pair c by which shares shift in its group: the slopes of W and w times the stored energies.

    Along the normal of region r, spread over its parts:  (m/D_r) (W_r psi_r - sum_s W_s psi_s o_rs U_r / S_s)
    Along the normal of part k alone:                     W_r (m w_k/d_k) (Psi_k - psi_r)

    with psi_r = sum_k w_k Psi_k, U = D^m and S_s = sum_r o_rs U_r = U_s / W_s.
    """
    depth, within, between = pairs[c, pair.DEPTH], 0.0, 0.0
    whole = pairs[c, pair.LOAD_SHARE] / pairs[c, pair.PART_SHARE] if pairs[c, pair.PART_SHARE] > 0.0 else 0.0
    for k in range(first, end):
        if pairs[k, pair.DEPTH] > 0.0:
            if _beside(model, k, c):
                within += pairs[k, pair.PART_SHARE] * pairs[k, pair.STORED]
            if pairs[k, pair.LOAD_SHARE] > NO_SHARE:
                # W_s psi_s o_rs U_r / S_s, of which U_r / S_s = W_s U_r / U_s
                ratio = (
                    (depth / pairs[k, pair.DEPTH]) ** SHARPNESS * pairs[k, pair.LOAD_SHARE] / pairs[k, pair.PART_SHARE]
                )
                between += pairs[k, pair.LOAD_SHARE] * pairs[k, pair.STORED] * _overlap(model, c, k) * ratio
    shift = pairs[c, pair.PART_SHARE] * SHARPNESS / depth * (whole * within - between)
    if pairs[c, pair.PART_SHARE] < 1.0:
        change = pairs[c, pair.STORED] - within
        pairs[c, pair.PART_SHIFT] = pairs[c, pair.LOAD_SHARE] * SHARPNESS / pairs[c, pair.PART_DEPTH] * change
        shift += pairs[c, pair.PART_BY_DEPTH] * pairs[c, pair.PART_SHIFT]
    pairs[c, pair.REGION_SHIFT] = pairs[c, pair.SLOPE] * shift


@inner
def shift_borne(candidates, pairs, c):
    """Return the change of the recorded force of pair c [N]: minus its own shift force, plus its share of the group's.

    Shift forces come in pairs that nearly cancel: they only mean something together. The record gives each pair the
    part of their sum that it has of the normal force, so that it shows what presses on it and the sum stays.
    """
    total, pressing, k = (0.0, 0.0, 0.0), 0.0, candidates[c, candidate.GROUP]
    while k < pairs.shape[0] and candidates[k, candidate.GROUP] == candidates[c, candidate.GROUP]:
        if pairs[k, pair.DEPTH] > 0.0:
            total = add(total, _shifts(pairs, k))
            pressing += pairs[k, pair.LOAD_SHARE] * pairs[k, pair.NORMAL_FORCE]
        k += 1
    share = pairs[c, pair.LOAD_SHARE] * pairs[c, pair.NORMAL_FORCE] / pressing if pressing > 0.0 else 0.0
    return sub(scale(share, total), _shifts(pairs, c))


@inlined
def _shifts(pairs, c):
    """Both shift forces of pair c [N]."""
    along = scale(pairs[c, pair.REGION_SHIFT], vec3.load(pairs, c, pair.NORMAL))
    return axpy(pairs[c, pair.PART_SHIFT], vec3.load(pairs, c, pair.PART_NORMAL), along)
