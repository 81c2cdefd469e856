"""Tissue that neighbouring segments have in common, and bones that are broken. SI units.

Shapes of neighbouring segments overlap: pelvis and thighs cover the same flesh. Where both press on one surface, that
flesh would count twice. With E_k the energy that segment k alone would store in the surface, and o_kl the share of the
tissue that k and l have in common, the contacts store

    psi = sum_k E_k - sum_kl o_kl E_kl,   E_kl = ((E_k^-p + E_l^-p)/2)^(-1/p)

E_kl is the lesser of both energies, smoothly: the less loaded segment gives its common part away. Every force of
segment k is then multiplied by one number, the slope of psi by E_k,

    s_k = 1 - sum_l o_kl (E_kl/E_k)^(p + 1) / 2

so there is a potential whatever the surface, and nothing is needed but the energies. Identical shapes that share all of
their tissue (o = 1) push with the force of one. Damping and friction follow the reduced force. A broken bone multiplies
E_k by the share of its resistance that is left.
"""

from .._jit import inlined, inner
from . import contact_law
from .layout import candidate, common, history, pair

POWER = 8.0  # p: how sharply the lesser energy is chosen [-]
NONE = 1e-30  # energy below which a contact does not count [J]


@inner
def reduce(model, work, memory):
    """Multiply the normal loads [N] and their slopes by what common tissue and broken bones leave of them."""
    pairs = work.pair
    for c in range(pairs.shape[0]):
        pairs[c, pair.COMMON] = 1.0
    for e in range(model.common.shape[0]):
        _share(model, work, memory, e)
    for c in range(pairs.shape[0]):
        if pairs[c, pair.DEPTH] > 0.0:
            left = pairs[model.candidate[c, candidate.GROUP], pair.COMMON] * sound(model, work.bone, c)
            if left != 1.0:
                _scale(pairs, c, left)


@inner
def _share(model, work, memory, e):
    """Lower the shares of the two groups of a common tissue e."""
    a, b = model.common_pair[e, common.FIRST_A], model.common_pair[e, common.FIRST_B]
    one = energy(model, work, memory, a, model.common_pair[e, common.END_A])
    if one <= NONE:
        return
    other = energy(model, work, memory, b, model.common_pair[e, common.END_B])
    if other <= NONE:
        return
    work.pair[a, pair.COMMON] -= model.common[e] * lesser_slope(one, other)
    work.pair[b, pair.COMMON] -= model.common[e] * lesser_slope(other, one)


@inlined
def lesser_slope(one, other):
    """Return the slope of the smooth lesser of two energies [J] by the first [-]: 1/2 if they are equal."""
    return 0.5 * (0.5 * (1.0 + (one / other) ** POWER)) ** (-(POWER + 1.0) / POWER)


@inner
def energy(model, work, memory, first, end):
    """Return the energy [J] that the pairs of one shape and surface, rows first to end, would store alone."""
    total = 0.0
    for c in range(first, end):
        if work.pair[c, pair.DEPTH] > 0.0:
            total += work.pair[c, pair.LOAD_SHARE] * pair_energy(model, work.pair, memory, c)
    return total * sound(model, work.bone, first)


@inlined
def pair_energy(model, pairs, memory, c):
    """Return the energy [J] that pair c would store with a sound bone and the whole load."""
    return contact_law.stored(
        model.law_kind, model.law, model.candidate[c, candidate.LAW], model.table_start, model.table,
        pairs[c, pair.DEPTH], memory[c, history.PEAK_DEPTH],
    )  # fmt: skip


@inlined
def sound(model, bones, c):
    """Return the share of the resistance that the bone under pair c has left [-]."""
    b = model.candidate[c, candidate.BONE]
    return 1.0 if b < 0 else bones[b]


@inlined
def _scale(pairs, c, left):
    """Multiply the loads of pair c by a share [-]; damping and slopes of a share below zero vanish."""
    some, spring = max(0.0, left), pairs[c, pair.ELASTIC]
    pairs[c, pair.NORMAL_FORCE] = left * spring + some * (pairs[c, pair.NORMAL_FORCE] - spring)
    pairs[c, pair.ELASTIC] = left * spring
    pairs[c, pair.BY_DEPTH] *= some
    pairs[c, pair.BY_CLOSING] *= some
    pairs[c, pair.REGION_SHIFT] *= left
    pairs[c, pair.PART_SHIFT] *= left
