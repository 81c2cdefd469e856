"""The account that every contact keeps at accepted steps, and what it must not do. SI units."""

from math import sqrt

from .._jit import inlined, inner
from . import contact_geometry, vec3
from .layout import candidate, history, law, law_kind, out_row, pair, shape, shape_kind, shape_type, tree_node
from .vec3 import dot, scale, sub

MISDEED = 10.0  # pull, or friction beyond mu N, that a step may have [N], or, of the largest force so far [-],
PULL_SHARE, RUB_SHARE = 0.02, 0.1  # these shares. Friction is less exact: it knows the normal force at the start only
GROSS_RUB, GROSS_SHARE = 250.0, 0.15  # likewise, friction that even the shortest steps must not have
OVER, BEARS = -0.3, 0.05  # cosine of the turn of a normal to the other side [-], and least share of the load [-]
FAR = 1e300
TURN = 0.35  # a normal that changes by more than this in a step did not roll, it jumped [-], about 20 degrees


@inner
def account(model, work, touching, memory, time, dt):
    """Add a step that ends at a time [s] and lasts dt [s] to the audit: impulse, largest force, works, and what a
    contact must not do: begin with a large force, pull, rub with more than mu N, change its direction at once.

    touching  whether a pair was in contact before the step
    """
    at = model.joint.shape[0] * (out_row.BODY + out_row.JOINT)
    for c in range(memory.shape[0]):
        first = at + out_row.PAIR * c
        force = vec3.load_at(work.mean, first)
        size = vec3.norm(force)
        if size == 0.0 and work.mean[first + 3] == 0.0:
            continue
        vec3.increase(memory, c, history.IMPULSE, scale(dt, force))
        vec3.increase(memory, c, history.WORK, scale(dt, vec3.load_at(work.mean, first + 3)))
        memory[c, history.PEAK_STORED] = max(memory[c, history.PEAK_STORED], -memory[c, history.WORK])
        if size > memory[c, history.PEAK_FORCE]:
            memory[c, history.PEAK_FORCE], memory[c, history.PEAK_TIME] = size, time - 0.5 * dt
        if touching[c] == 0 or time <= dt:  # it begins, or the run begins with it
            memory[c, history.FIRST_FORCE] = max(memory[c, history.FIRST_FORCE], size)
        if touching[c] == 1 and work.pair[c, pair.DEPTH] > 0.0:
            shift = abs(work.pair[c, pair.PART_SHIFT])
            flip = max(
                size * _turn(work.pair, c, pair.NORMAL, pair.NORMAL_BEFORE),
                shift * _turn(work.pair, c, pair.PART_NORMAL, pair.PART_NORMAL_BEFORE),
            )
            if flip > 0.0:
                # the mean force mixes two directions, so it has no cone of friction
                memory[c, history.FLIP] = max(memory[c, history.FLIP], flip)
                continue
        pull, rub = _misdeeds(model, work.pair, c, force)
        memory[c, history.PULL], memory[c, history.EXCESS_RUB] = (
            max(memory[c, history.PULL], pull),
            max(memory[c, history.EXCESS_RUB], rub),
        )


@inlined
def _turn(pairs, c, now, before):
    """Change of the direction of a normal of pair c in the step, columns `now` and `before`, times the lesser length of
    both [-]; 0 if it may have rolled."""
    new, old = vec3.load(pairs, c, now), vec3.load(pairs, c, before)
    long, was_long = vec3.norm(new), vec3.norm(old)
    if long * was_long == 0.0:
        return 0.0
    turn = vec3.norm(sub(scale(1.0 / long, new), scale(1.0 / was_long, old)))
    return min(long, was_long) * turn if turn > TURN else 0.0


@inner
def _misdeeds(model, pairs, c, force):
    """By how much the mean force [N] of a step pulls, and rubs with more than mu N; neither negative.

    The normal turns during a step: the better of the two at its ends counts. Where shares of the load shift, the force
    has a part along the surface that is no friction, and nothing is found.
    """
    l = model.candidate[c, candidate.LAW]
    if pairs[c, pair.REGION_SHIFT] != 0.0 or pairs[c, pair.PART_SHIFT] != 0.0 or model.law_kind[l, law_kind.PULLS] == 1:
        return 0.0, 0.0
    before, after, mu = vec3.load(pairs, c, pair.NORMAL_BEFORE), vec3.load(pairs, c, pair.NORMAL), model.law[l, law.MU]
    push = max(dot(before, force), dot(after, force))
    size = vec3.norm(force)
    rub = sqrt(max(0.0, size * size - push * push))
    return max(0.0, -push), max(0.0, rub - mu * max(0.0, push))


@inner
def misbehaved(model, work, memory, short):
    """Return whether a contact force pulled or was above the friction limit in the last step [-].

    Only an excess of more than a small part of the largest force counts; in a short step only gross friction.

    The implicit step and its extrapolation may do so where a contact ends; a shorter step does it less.
    """
    at = model.joint.shape[0] * (out_row.BODY + out_row.JOINT)
    least, share = (GROSS_RUB, GROSS_SHARE) if short else (MISDEED, RUB_SHARE)
    for c in range(memory.shape[0]):
        force = vec3.load_at(work.mean, at + out_row.PAIR * c)
        if force[0] != 0.0 or force[1] != 0.0 or force[2] != 0.0:
            pull, rub = _misdeeds(model, work.pair, c, force)
            peak = memory[c, history.PEAK_FORCE]
            if pull > max(MISDEED, PULL_SHARE * peak) or rub > max(least, share * peak):
                return True
    return False


@inner
def passed_through(model, bodies, pairs):
    """Return the body of a pair that came through a surface of facets, or -1 [-]; call it before `remember`.

    It is deeper than its own width, and its centre deeper than `PASSED`; or it was deeper than its own radius before
    the step and has no contact after it; or a solid pushes it out on the other side.
    """
    for c in range(pairs.shape[0]):
        a, b = model.candidate[c, candidate.SHAPE_A], model.candidate[c, candidate.SHAPE_B]
        if pairs[c, pair.ENTERED] > 0.0 and model.shape_kind[b, shape_kind.CODE] == shape_type.PATCH:
            bound = model.shape[a, shape.BOUND]
            if (
                _centre_passed(model, bodies, pairs, c)
                or (pairs[c, pair.DEPTH_BEFORE] > bound and _region_open(model, pairs, c))
                or _other_side(model, pairs, c)
            ):
                return model.shape_kind[a, shape_kind.CARRIER]
    return -1


@inlined
def _centre_passed(model, bodies, pairs, c):
    """Return whether the shape of pair c is deeper than its own width, and its centre deeper than `PASSED`."""
    a, b = model.candidate[c, candidate.SHAPE_A], model.candidate[c, candidate.SHAPE_B]
    most = model.facet[model.shape_kind[b, shape_kind.REGION], tree_node.PASSED]
    if pairs[c, pair.DEPTH] <= most:
        return False
    half = contact_geometry.reach(model, bodies, a, vec3.load(pairs, c, pair.NORMAL))
    return pairs[c, pair.DEPTH] > half + max(half, most)


@inlined
def _other_side(model, pairs, c):
    """Whether the normal of pair c, which bears load, turned over in the step: it sank to the other side of a solid."""
    region = model.shape_kind[model.candidate[c, candidate.SHAPE_B], shape_kind.REGION]
    turned = dot(vec3.load(pairs, c, pair.NORMAL), vec3.load(pairs, c, pair.NORMAL_BEFORE)) < OVER
    deep = min(pairs[c, pair.DEPTH], pairs[c, pair.DEPTH_BEFORE]) > model.facet[region, tree_node.ROUNDING]
    return turned and deep and model.facet[region, tree_node.BACKING] > FAR and pairs[c, pair.LOAD_SHARE] > BEARS


@inlined
def _region_open(model, pairs, c):
    """Whether no part of the surface of pair c touches its shape any more."""
    k, found = model.candidate[c, candidate.GROUP], True
    while k < pairs.shape[0] and model.candidate[k, candidate.GROUP] == model.candidate[c, candidate.GROUP]:
        found = found and pairs[k, pair.DEPTH] <= 0.0
        k += 1
    return found
