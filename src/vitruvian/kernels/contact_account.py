"""The account that every contact keeps at accepted steps, and what it must not do. SI units."""

from math import sqrt

from .._jit import inlined, inner
from . import vec3
from .types import (
    BACKING,
    BOUND,
    CARRIER,
    DEPTH,
    DEPTH_BEFORE,
    ENTERED,
    EXCESS_RUB,
    FIRST_FORCE,
    GROUP,
    IMPULSE,
    LAW_MU,
    LAW_PULLS,
    NORMAL,
    NORMAL_BEFORE,
    OUT_BODY,
    OUT_JOINT,
    OUT_PAIR,
    PAIR_LAW,
    PAIR_WORK,
    PART_SHIFT,
    PATCH,
    PEAK_FORCE,
    PEAK_STORED,
    PEAK_TIME,
    PULL,
    REGION,
    REGION_SHIFT,
    SHAPE,
    SHAPE_A,
    SHAPE_B,
)
from .vec3 import dot, scale

MISDEED = 10.0  # pull, or friction beyond mu N, that a step may have [N], or, of the largest force so far [-],
PULL_SHARE, RUB_SHARE = 0.02, 0.1  # these shares. Friction is less exact: it knows the normal force at the start only


@inner
def account(model, work, touching, memory, time, dt):
    """Add a step that ends at a time [s] and lasts dt [s] to the audit: impulse, largest force, works, and what a
    contact must not do: begin with a large force, pull, rub with more than mu N.

    touching  whether a pair was in contact before the step
    """
    at = model.joint.shape[0] * (OUT_BODY + OUT_JOINT)
    for c in range(memory.shape[0]):
        first = at + OUT_PAIR * c
        force = vec3.load_at(work.mean, first)
        size = vec3.norm(force)
        if size == 0.0 and work.mean[first + 3] == 0.0:
            continue
        vec3.increase(memory, c, IMPULSE, scale(dt, force))
        vec3.increase(memory, c, PAIR_WORK, scale(dt, vec3.load_at(work.mean, first + 3)))
        memory[c, PEAK_STORED] = max(memory[c, PEAK_STORED], -memory[c, PAIR_WORK])
        if size > memory[c, PEAK_FORCE]:
            memory[c, PEAK_FORCE], memory[c, PEAK_TIME] = size, time - 0.5 * dt
        if touching[c] == 0:
            memory[c, FIRST_FORCE] = max(memory[c, FIRST_FORCE], size)
        pull, rub = _misdeeds(model, work.pair, c, force)
        memory[c, PULL], memory[c, EXCESS_RUB] = max(memory[c, PULL], pull), max(memory[c, EXCESS_RUB], rub)


@inner
def _misdeeds(model, pair, c, force):
    """By how much the mean force [N] of a step pulls, and rubs with more than mu N; neither negative.

    The normal turns during a step: the better of the two at its ends counts. Where shares of the load shift, the force
    has a part along the surface that is no friction, and nothing is found.
    """
    l = model.candidate[c, PAIR_LAW]
    if pair[c, REGION_SHIFT] != 0.0 or pair[c, PART_SHIFT] != 0.0 or model.law_kind[l, LAW_PULLS] == 1:
        return 0.0, 0.0
    before, after, mu = vec3.load(pair, c, NORMAL_BEFORE), vec3.load(pair, c, NORMAL), model.law[l, LAW_MU]
    push = max(dot(before, force), dot(after, force))
    size = vec3.norm(force)
    rub = sqrt(max(0.0, size * size - push * push))
    return max(0.0, -push), max(0.0, rub - mu * max(0.0, push))


@inner
def misbehaved(model, work, memory, rubs):
    """Whether a contact pulled, or if asked for rubbed, in the step just taken by more than a small part of its largest
    force.

    The implicit step and its extrapolation may do so where a contact ends; a shorter step does it less.
    """
    at = model.joint.shape[0] * (OUT_BODY + OUT_JOINT)
    for c in range(memory.shape[0]):
        force = vec3.load_at(work.mean, at + OUT_PAIR * c)
        if force[0] != 0.0 or force[1] != 0.0 or force[2] != 0.0:
            pull, rub = _misdeeds(model, work.pair, c, force)
            peak = memory[c, PEAK_FORCE]
            if pull > max(MISDEED, PULL_SHARE * peak) or (rubs and rub > max(MISDEED, RUB_SHARE * peak)):
                return True
    return False


@inner
def passed_through(model, pair):
    """The body of a pair that came through a surface of facets, or -1; before `remember`.

    It is deeper than its own width, and its centre deeper than the surface is solid; or it was deeper than its own
    radius before the step and has no contact after it.
    """
    for c in range(pair.shape[0]):
        a, b = model.candidate[c, SHAPE_A], model.candidate[c, SHAPE_B]
        if pair[c, ENTERED] > 0.0 and model.shape_kind[b, SHAPE] == PATCH:
            bound = model.shape[a, BOUND]
            most = bound + max(bound, model.facet[model.shape_kind[b, REGION], BACKING])
            if pair[c, DEPTH] > most or (pair[c, DEPTH_BEFORE] > bound and _region_open(model, pair, c)):
                return model.shape_kind[a, CARRIER]
    return -1


@inlined
def _region_open(model, pair, c):
    """Whether no part of the surface of pair c touches its shape any more."""
    k, found = model.candidate[c, GROUP], True
    while k < pair.shape[0] and model.candidate[k, GROUP] == model.candidate[c, GROUP]:
        found = found and pair[k, DEPTH] <= 0.0
        k += 1
    return found
