"""Contact of shapes: normal force, friction, memory. SI units, world frame.

A candidate is a shape a on a body, a shape b on another body or the world, and their law. Read `contact_geometry` for
where they touch, `law` for the normal force, `contact_share` for parts of one surface, `contact_account` for the audit.
The force acts on body a at the contact point, its opposite on body b at the same point.

Friction is bounded by mu N and taken by its secant: Coulomb's, regularised below a slip speed; or a bristle, a spring
and damper between the bodies that slides when it would pull harder than mu N.
"""

from math import sqrt

from .._jit import inlined, inner
from . import contact_law, contact_share, mat3, vec3
from .types import (
    ANCHOR_A,
    ANCHOR_B,
    BY_CLOSING,
    BY_DEPTH,
    CARRIER,
    COULOMB,
    DEFLECTION,
    DEPTH,
    ENTERED,
    FIRST_SPEED,
    FIRST_TIME,
    GROUP,
    HELD,
    IMPACT_SPEED,
    JOINT_POINT,
    LAW_FRICTION,
    LAW_MU,
    LAW_SLIP_SPEED,
    LAW_TANGENT_DAMPING,
    LAW_TANGENT_STIFFNESS,
    LOAD_SHARE,
    NORMAL,
    ONSET_SPEED,
    PAIR_ELASTIC,
    PAIR_FORCE,
    PAIR_LAW,
    PAIR_MATRIX,
    PAIR_NORMAL,
    PART_SHIFT,
    PEAK_DEPTH,
    POINT,
    POINT_VELOCITY,
    POSITION,
    RATE,
    REGION_SHIFT,
    ROTATION,
    SHAPE_A,
    SHAPE_B,
    STRONGE,
    TOUCHES,
    VISCOUS,
)
from .vec3 import add, axpy, dot, scale, sub

DENT_SHARE = 0.05  # of the load: a pair that bears less is not dented


# --- normal force


@inner
def normal_loads(model, work, memory):
    """Normal force, elastic part and slopes of every pair in contact; pairs of one shape and surface share the load."""
    pair, last, shared = work.pair, -1, False
    for c in range(pair.shape[0]):
        if pair[c, DEPTH] > 0.0:
            pair[c, LOAD_SHARE], pair[c, REGION_SHIFT], pair[c, PART_SHIFT] = 1.0, 0.0, 0.0
            shared = shared or last == model.candidate[c, GROUP]
            last = model.candidate[c, GROUP]
    if shared:
        contact_share.share_loads(model, pair, memory)
    for c in range(pair.shape[0]):
        if pair[c, DEPTH] > 0.0:
            l, rate = model.candidate[c, PAIR_LAW], pair[c, RATE]
            force, elastic, by_depth, by_rate = _normal_force(model, work, memory, c, l, rate)
            if rate < 0.0 and pair[c, LOAD_SHARE] < DENT_SHARE and pair[c, DEPTH] > memory[c, PEAK_DEPTH]:
                # it bears too little to be dented, and gives back only what it stores
                _, elastic, by_depth, by_rate = _normal_force(model, work, memory, c, l, 0.0)
                force = elastic
            pair[c, PAIR_NORMAL], pair[c, PAIR_ELASTIC] = force, elastic
            pair[c, BY_DEPTH], pair[c, BY_CLOSING] = by_depth, by_rate


@inlined
def pair_load(model, work, memory, c, h):
    """Force on body a at the start of a step h [s] and the matrix of the implicit step: force - matrix a.

    With K and C the slopes of the normal force by depth and rate, and D = F_t / |v_t| the secant of friction:
    force = (N + h K d') n + F_t,   matrix = h (C + h K) n n' + h D (1 - n n')
    """
    l = model.candidate[c, PAIR_LAW]
    normal = vec3.load(work.pair, c, NORMAL)
    rate, share, shift = work.pair[c, RATE], work.pair[c, LOAD_SHARE], work.pair[c, REGION_SHIFT]
    force, by_depth = share * work.pair[c, PAIR_NORMAL], share * work.pair[c, BY_DEPTH]
    slip = axpy(rate, normal, vec3.load(work.pair, c, POINT_VELOCITY))
    rub, drag = _friction(model, work, memory, c, l, h, max(0.0, force), by_depth, normal, slip)
    push = force + h * by_depth * rate
    if force >= 0.0:
        push = max(0.0, push)
    along, across = h * (share * work.pair[c, BY_CLOSING] + h * by_depth), h * drag
    x, y, z = normal
    more = along - across
    matrix = (
        across + more * x * x,
        more * x * y,
        more * x * z,
        across + more * y * y,
        more * y * z,
        across + more * z * z,
    )
    vec3.store(work.pair, c, PAIR_FORCE, axpy(push + shift, normal, rub))
    mat3.store_sym(work.pair, c, PAIR_MATRIX, matrix)


@inlined
def _normal_force(model, work, memory, c, l, rate):
    """Normal force of law l at the depth of pair c and a rate, its elastic part, and its slopes by depth and rate."""
    g = model.candidate[c, GROUP]
    return contact_law.normal_force(
        model.law_kind, model.law, l, model.table_start, model.table, work.pair[c, DEPTH], rate,
        memory[g, ONSET_SPEED], memory[g, IMPACT_SPEED], memory[c, PEAK_DEPTH],
    )  # fmt: skip


@inlined
def _friction(model, work, memory, c, l, h, force, by_depth, normal, slip):
    """Tangential force [N] on body a and the damping [N s/m] by which more slip increases it; at most mu times N."""
    kind, bound = model.law_kind[l, LAW_FRICTION], model.law[l, LAW_MU] * force
    if kind == COULOMB:
        drag = bound / max(vec3.norm(slip), model.law[l, LAW_SLIP_SPEED])
        return scale(-drag, slip), drag
    return _bristle(model, work, memory, c, l, h, bound, by_depth, normal, slip)


@inner
def _bristle(model, work, memory, c, l, h, bound, by_depth, normal, slip):
    """Friction with a stored deflection s: F_t = -(k s + (c + h k) v_t), shortened to mu N where it is longer.

    The deflection at the end of the step, s + h v_t, is what the spring feels: so it is implicit, as the rest is.
    """
    stiffness, damping = _bristle_law(model.law_kind, model.law, l, by_depth, work.pair[c, LOAD_SHARE])
    drag = damping + h * stiffness
    pull = scale(drag, slip)
    if stiffness > 0.0 and memory[c, HELD] > 0.0:
        pull = axpy(stiffness, deflection(model.candidate, model.shape_kind, work.body, memory, c, normal), pull)
    size = vec3.norm(pull)
    share = bound / size if size > bound else 1.0
    return scale(-share, pull), share * drag


@inlined
def _bristle_law(law_kind, value, l, by_depth, share):
    """Tangential stiffness [N/m] and damping [N s/m] of a pair that bears a share of the load [-].

    Stronge's stiffness is a share of the normal one, `by_depth` [N/m], which has the share of the load already.
    """
    kind = law_kind[l, LAW_FRICTION]
    stiffness, damping = value[l, LAW_TANGENT_STIFFNESS], value[l, LAW_TANGENT_DAMPING]
    if kind == STRONGE:
        return stiffness * by_depth, damping * stiffness * by_depth
    stiffness, damping = share * stiffness, share * damping
    if kind == VISCOUS:
        stiffness = 0.0
    return stiffness, damping


@inner
def deflection(candidate, shape_kind, body, memory, c, normal):
    """Tangential deflection of the bristle [m]: as remembered, and by what both contact points have moved since."""
    i = shape_kind[candidate[c, SHAPE_A], CARRIER]
    j = shape_kind[candidate[c, SHAPE_B], CARRIER]
    turn = mat3.load(body, j, ROTATION)
    a = mat3.dot(mat3.load(body, i, ROTATION), vec3.load(memory, c, ANCHOR_A))
    b = mat3.dot(turn, sub(vec3.load(memory, c, ANCHOR_B), vec3.load(memory, c, DEFLECTION)))
    moved = sub(add(vec3.load(body, i, POSITION), a), add(vec3.load(body, j, POSITION), b))
    return axpy(-dot(normal, moved), normal, moved)


# --- memory


@inner
def remember(model, work, touching, memory, time):
    """Update the memory at an accepted state: speeds since onset, the largest depth, the bristle."""
    for c in range(touching.shape[0]):
        pair = work.pair
        if pair[c, DEPTH] > 0.0:
            rate = pair[c, RATE]
            g = model.candidate[c, GROUP]
            if touching[c] == 0 and contact_share.bears(pair, c):
                if not group_touches(model.candidate, touching, c):
                    memory[g, ONSET_SPEED] = max(0.0, rate)
                if memory[c, TOUCHES] == 0.0:
                    memory[c, FIRST_TIME], memory[c, FIRST_SPEED] = time, rate
                memory[c, TOUCHES] += 1.0
            memory[g, IMPACT_SPEED] = max(memory[g, IMPACT_SPEED], rate)
            if pair[c, LOAD_SHARE] >= DENT_SHARE:
                memory[c, PEAK_DEPTH] = max(memory[c, PEAK_DEPTH], pair[c, DEPTH])
            kind = model.law_kind[model.candidate[c, PAIR_LAW], LAW_FRICTION]
            if kind not in (COULOMB, VISCOUS):
                _anchor(model, work, memory, c)
        else:
            memory[c, HELD] = 0.0
    for c in range(touching.shape[0]):
        touching[c] = 1 if contact_share.bears(work.pair, c) else 0
        if work.pair[c, ENTERED] >= 0.0 or work.pair[c, DEPTH] > 0.0:
            work.pair[c, ENTERED] = 1.0 if work.pair[c, DEPTH] > 0.0 else 0.0
    for c in range(touching.shape[0]):
        if model.candidate[c, GROUP] == c and not group_touches(model.candidate, touching, c):
            memory[c, ONSET_SPEED] = 0.0
            memory[c, IMPACT_SPEED] = 0.0


@inlined
def group_touches(candidate, touching, c):
    """Whether a pair of the group of pair c is in contact."""
    g = candidate[c, GROUP]
    k, found = g, False
    while k < touching.shape[0] and candidate[k, GROUP] == g:
        found = found or touching[k] == 1
        k += 1
    return found


@inner
def _anchor(model, work, memory, c):
    """Measure the bristle, let it slide to where it pulls mu N, and go on from the present contact point."""
    l = model.candidate[c, PAIR_LAW]
    normal, point = vec3.load(work.pair, c, NORMAL), vec3.load(work.pair, c, POINT)
    share = work.pair[c, LOAD_SHARE]
    bent = (0.0, 0.0, 0.0)
    if memory[c, HELD] > 0.0:
        force, _, by_depth, _ = _normal_force(model, work, memory, c, l, work.pair[c, RATE])
        force, by_depth = share * force, share * by_depth
        stiffness, _ = _bristle_law(model.law_kind, model.law, l, by_depth, share)
        bent = deflection(model.candidate, model.shape_kind, work.body, memory, c, normal)
        bound, pull = model.law[l, LAW_MU] * max(0.0, force), stiffness * vec3.norm(bent)
        if pull > bound:
            bent = scale(bound / pull, bent)
    i = model.shape_kind[model.candidate[c, SHAPE_A], CARRIER]
    j = model.shape_kind[model.candidate[c, SHAPE_B], CARRIER]
    turn = mat3.load(work.body, j, ROTATION)
    lever_a, lever_b = sub(point, vec3.load(work.body, i, POSITION)), sub(point, vec3.load(work.body, j, POSITION))
    vec3.store(memory, c, ANCHOR_A, mat3.transposed_dot(mat3.load(work.body, i, ROTATION), lever_a))
    vec3.store(memory, c, ANCHOR_B, mat3.transposed_dot(turn, lever_b))
    vec3.store(memory, c, DEFLECTION, mat3.transposed_dot(turn, bent))
    memory[c, HELD] = 1.0


# --- what others ask


@inner
def time_to_touch(model, work, touching):
    """Shortest time [s] in which an open pair can close, at the present closing speed and with gravity's help."""
    shortest = 1e300
    g = sqrt(model.gravity[0] ** 2 + model.gravity[1] ** 2 + model.gravity[2] ** 2)
    for c in range(touching.shape[0]):
        gap = -work.pair[c, DEPTH]
        if gap < 0.0:
            continue
        # gap = rate t + g t^2 / 2
        rate = work.pair[c, RATE]
        root = sqrt(rate * rate + 2.0 * g * gap) if g > 0.0 else abs(rate)
        if 2.0 * gap < shortest * (rate + root) and not group_touches(model.candidate, touching, c):
            shortest = 2.0 * gap / (rate + root)
    return shortest


@inlined
def slip_power(normal, force, velocity):
    """Power of the normal part and of the tangential part of a contact force [W]."""
    along = dot(normal, force) * dot(normal, velocity)
    return along, dot(force, velocity) - along


@inlined
def pair_lever(candidate, shape_kind, pair, body, c):
    """Body a of a pair and the vector from its joint point to the contact point [m]."""
    i = shape_kind[candidate[c, SHAPE_A], CARRIER]
    return i, sub(vec3.load(pair, c, POINT), vec3.load(body, i, JOINT_POINT))


@inlined
def other_lever(candidate, shape_kind, pair, body, c):
    """Body b of a pair and the vector from its joint point to the contact point [m]."""
    i = shape_kind[candidate[c, SHAPE_B], CARRIER]
    return i, sub(vec3.load(pair, c, POINT), vec3.load(body, i, JOINT_POINT))
