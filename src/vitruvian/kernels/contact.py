"""Contact of shapes: normal force, friction, memory. SI units, world frame.

A candidate is a shape a on a body, a shape b on another body or the world, and their law. Read `contact_geometry` for
where they touch, `law` for the normal force, `contact_share` for parts of one surface, `contact_account` for the audit.
The force acts on body a at the contact point, its opposite on body b at the same point.

Friction is bounded by mu N and taken by its secant: Coulomb's, regularised below a slip speed; or a bristle, a spring
and damper between the bodies that slides when it would pull harder than mu N.
"""

from math import sqrt

from .._jit import inlined, inner
from . import common_load, contact_geometry, contact_law, contact_share, mat3, vec3
from .layout import body, candidate, friction_law, history, law, law_kind, pair, shape_kind, shape_type
from .vec3 import add, axpy, cross, dot, scale, sub

DENT_SHARE = 0.05  # of the load: a pair that bears less is not dented
GRAZE = 2e-6  # depth with which a step may end that a touch would shorten [m]


# --- normal force


@inner
def normal_loads(model, work, memory):
    """Write the normal force and its elastic part [N] and their slopes [N/m, N s/m] for every pair in contact; pairs of
    one shape and surface share the load."""
    pairs, last, shared = work.pair, -1, False
    for c in range(pairs.shape[0]):
        if pairs[c, pair.DEPTH] > 0.0:
            pairs[c, pair.LOAD_SHARE], pairs[c, pair.REGION_SHIFT], pairs[c, pair.PART_SHIFT] = 1.0, 0.0, 0.0
            shared = shared or last == model.candidate[c, candidate.GROUP]
            last = model.candidate[c, candidate.GROUP]
    if shared:
        contact_share.share_loads(model, pairs, memory)
    for c in range(pairs.shape[0]):
        if pairs[c, pair.DEPTH] > 0.0:
            l, rate = model.candidate[c, candidate.LAW], pairs[c, pair.RATE]
            force, elastic, by_depth, by_rate = _normal_force(model, work, memory, c, l, rate)
            if (
                rate < 0.0
                and pairs[c, pair.LOAD_SHARE] < DENT_SHARE
                and pairs[c, pair.DEPTH] > memory[c, history.PEAK_DEPTH]
            ):
                # it bears too little to be dented, and gives back only what it stores
                _, elastic, by_depth, by_rate = _normal_force(model, work, memory, c, l, 0.0)
                force = elastic
            pairs[c, pair.NORMAL_FORCE], pairs[c, pair.ELASTIC] = force, elastic
            pairs[c, pair.BY_DEPTH], pairs[c, pair.BY_CLOSING] = by_depth, by_rate
            _known_accelerations(model, work, c)
    if model.common.shape[0] > 0 or model.bone.shape[0] > 0:
        common_load.reduce(model, work, memory)


@inlined
def pair_load(model, work, memory, c, h):
    """Force on body a at the start of a step h [s] and the matrix of the implicit step: force - matrix a.

    With K and C the slopes of the normal force by depth and rate, and D = F_t / |v_t| the secant of friction:
    force = (N + h K d') n + F_t,   matrix = h (C + h K) n n' + h D (1 - n n')

    a is the acceleration of the material points. The contact point also rolls over the body, which adds r to the
    acceleration along the normal. Of that, the known part m + r, with the centripetal acceleration m of the material
    points, changes the depth by h^2/2 of it and the closing speed by h of it:

    N_end = N + h K d' - h C (n.a + r) - h^2 K (n.a - m + (m + r)/2)
    """
    l = model.candidate[c, candidate.LAW]
    normal = vec3.load(work.pair, c, pair.NORMAL)
    rate, share, shift = work.pair[c, pair.RATE], work.pair[c, pair.LOAD_SHARE], work.pair[c, pair.REGION_SHIFT]
    force, by_depth = share * work.pair[c, pair.NORMAL_FORCE], share * work.pair[c, pair.BY_DEPTH]
    slip = axpy(rate, normal, vec3.load(work.pair, c, pair.POINT_VELOCITY))
    rub, drag = _friction(model, work, memory, c, l, h, max(0.0, force), by_depth, normal, slip)
    push = force + h * by_depth * rate - h * share * work.pair[c, pair.BY_CLOSING] * work.pair[c, pair.ROLLING]
    push -= 0.5 * h * h * by_depth * (work.pair[c, pair.ROLLING] - work.pair[c, pair.CENTRIPETAL])
    if force >= 0.0:
        push = max(0.0, push)
    along, across = h * (share * work.pair[c, pair.BY_CLOSING] + h * by_depth), h * drag
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
    vec3.store(work.pair, c, pair.FORCE, axpy(push + shift, normal, rub))
    mat3.store_sym(work.pair, c, pair.MATRIX, matrix)


@inner
def _known_accelerations(model, work, c):
    """Write the accelerations [m/s2] along the normal of pair c that follow from the velocities alone.

    With w = (spin of body a - spin of body b) x n and the curvature H of shape a at its support point, rolling adds
    -w'Hw while the normal is fixed to body b. Two curved shapes roll over each other in another way, which is left out.
    """
    work.pair[c, pair.CENTRIPETAL], work.pair[c, pair.ROLLING] = 0.0, 0.0
    b = model.candidate[c, candidate.SHAPE_B]
    if model.shape_kind[b, shape_kind.CODE] not in (shape_type.PLANE, shape_type.PATCH, shape_type.STRIP):
        return
    i, lever = pair_lever(model.candidate, model.shape_kind, work.pair, work.body, c)
    j, other = other_lever(model.candidate, model.shape_kind, work.pair, work.body, c)
    normal = vec3.load(work.pair, c, pair.NORMAL)
    spin, spin_b = vec3.load(work.body, i, body.SPIN), vec3.load(work.body, j, body.SPIN)
    material = sub(cross(spin, cross(spin, lever)), cross(spin_b, cross(spin_b, other)))
    turn = cross(sub(spin, spin_b), normal)
    work.pair[c, pair.CENTRIPETAL] = dot(normal, material)
    work.pair[c, pair.ROLLING] = -contact_geometry.curvature(
        model, work.body, model.candidate[c, candidate.SHAPE_A], normal, turn
    )


@inlined
def _normal_force(model, work, memory, c, l, rate):
    """Normal force of law l at the depth of pair c and a closing speed, its elastic part, and the slopes of the force
    by motion along the normal and by its speed."""
    g, slope = model.candidate[c, candidate.GROUP], work.pair[c, pair.SLOPE]
    force, elastic, by_depth, by_rate = contact_law.normal_force(
        model.law_kind, model.law, l, model.table_start, model.table, work.pair[c, pair.DEPTH], slope * rate,
        memory[g, history.ONSET_SPEED], memory[g, history.IMPACT_SPEED], memory[c, history.PEAK_DEPTH],
    )  # fmt: skip
    return slope * force, slope * elastic, slope * slope * by_depth, slope * slope * by_rate


@inlined
def _friction(model, work, memory, c, l, h, force, by_depth, normal, slip):
    """Tangential force [N] on body a and the damping [N s/m] by which more slip increases it; at most mu times N."""
    kind, bound = model.law_kind[l, law_kind.FRICTION], model.law[l, law.MU] * force
    if kind == friction_law.COULOMB:
        drag = bound / max(vec3.norm(slip), model.law[l, law.SLIP_SPEED])
        return scale(-drag, slip), drag
    return _bristle(model, work, memory, c, l, h, bound, by_depth, normal, slip)


@inner
def _bristle(model, work, memory, c, l, h, bound, by_depth, normal, slip):
    """Friction with a stored deflection s: F_t = -(k s + (c + h k) v_t), shortened to mu N where it is longer.

    The deflection at the end of the step, s + h v_t, is what the spring feels: so it is implicit, as the rest is.
    """
    stiffness, damping = _bristle_law(model.law_kind, model.law, l, by_depth, work.pair[c, pair.LOAD_SHARE])
    drag = damping + h * stiffness
    pull = scale(drag, slip)
    if stiffness > 0.0 and memory[c, history.HELD] > 0.0:
        pull = axpy(stiffness, deflection(model.candidate, model.shape_kind, work.body, memory, c, normal), pull)
    size = vec3.norm(pull)
    share = bound / size if size > bound else 1.0
    return scale(-share, pull), share * drag


@inlined
def _bristle_law(law_kinds, value, l, by_depth, share):
    """Tangential stiffness [N/m] and damping [N s/m] of a pair that bears a share of the load [-].

    Stronge's stiffness is a share of the normal one, `by_depth` [N/m], which has the share of the load already.
    """
    kind = law_kinds[l, law_kind.FRICTION]
    stiffness, damping = value[l, law.TANGENT_STIFFNESS], value[l, law.TANGENT_DAMPING]
    if kind == friction_law.STRONGE:
        return stiffness * by_depth, damping * stiffness * by_depth
    stiffness, damping = share * stiffness, share * damping
    if kind == friction_law.VISCOUS:
        stiffness = 0.0
    return stiffness, damping


@inner
def deflection(candidates, shape_kinds, bodies, memory, c, normal):
    """Tangential deflection of the bristle [m]: as remembered, and by what both contact points have moved since."""
    i = shape_kinds[candidates[c, candidate.SHAPE_A], shape_kind.CARRIER]
    j = shape_kinds[candidates[c, candidate.SHAPE_B], shape_kind.CARRIER]
    turn = mat3.load(bodies, j, body.ROTATION)
    a = mat3.dot(mat3.load(bodies, i, body.ROTATION), vec3.load(memory, c, history.ANCHOR_A))
    b = mat3.dot(turn, sub(vec3.load(memory, c, history.ANCHOR_B), vec3.load(memory, c, history.DEFLECTION)))
    moved = sub(add(vec3.load(bodies, i, body.POSITION), a), add(vec3.load(bodies, j, body.POSITION), b))
    return axpy(-dot(normal, moved), normal, moved)


# --- memory


@inner
def remember(model, work, touching, memory, time):
    """Update the memory at an accepted state: speeds since onset [m/s], the largest depth [m], the bristle [m]."""
    for c in range(touching.shape[0]):
        pairs = work.pair
        if pairs[c, pair.DEPTH] > 0.0:
            rate = pairs[c, pair.RATE]
            g = model.candidate[c, candidate.GROUP]
            if touching[c] == 0 and contact_share.bears(pairs, c):
                if not group_touches(model.candidate, touching, c):
                    memory[g, history.ONSET_SPEED] = max(0.0, rate)
                if memory[c, history.TOUCHES] == 0.0:
                    memory[c, history.FIRST_TIME], memory[c, history.FIRST_SPEED] = time, rate
                memory[c, history.TOUCHES] += 1.0
            memory[g, history.IMPACT_SPEED] = max(memory[g, history.IMPACT_SPEED], rate)
            if pairs[c, pair.LOAD_SHARE] >= DENT_SHARE:
                memory[c, history.PEAK_DEPTH] = max(memory[c, history.PEAK_DEPTH], pairs[c, pair.DEPTH])
            kind = model.law_kind[model.candidate[c, candidate.LAW], law_kind.FRICTION]
            if kind not in (friction_law.COULOMB, friction_law.VISCOUS):
                _anchor(model, work, memory, c)
        else:
            memory[c, history.HELD] = 0.0
    for c in range(touching.shape[0]):
        touching[c] = 1 if contact_share.bears(work.pair, c) else 0
        if work.pair[c, pair.ENTERED] >= 0.0 or work.pair[c, pair.DEPTH] > 0.0:
            work.pair[c, pair.ENTERED] = 1.0 if work.pair[c, pair.DEPTH] > 0.0 else 0.0
    for c in range(touching.shape[0]):
        if model.candidate[c, candidate.GROUP] == c and not group_touches(model.candidate, touching, c):
            memory[c, history.ONSET_SPEED] = 0.0
            memory[c, history.IMPACT_SPEED] = 0.0


@inlined
def group_touches(candidates, touching, c):
    """Return whether any pair of the group of pair c is in contact [-]."""
    g = candidates[c, candidate.GROUP]
    k, found = g, False
    while k < touching.shape[0] and candidates[k, candidate.GROUP] == g:
        found = found or touching[k] == 1
        k += 1
    return found


@inner
def _anchor(model, work, memory, c):
    """Measure the bristle, let it slide until it pulls mu N, and continue from the present contact point."""
    l = model.candidate[c, candidate.LAW]
    normal, point = vec3.load(work.pair, c, pair.NORMAL), vec3.load(work.pair, c, pair.POINT)
    share = work.pair[c, pair.LOAD_SHARE]
    bent = (0.0, 0.0, 0.0)
    if memory[c, history.HELD] > 0.0:
        force, _, by_depth, _ = _normal_force(model, work, memory, c, l, work.pair[c, pair.RATE])
        if model.common.shape[0] > 0 or model.bone.shape[0] > 0:
            kept = work.pair[model.candidate[c, candidate.GROUP], pair.COMMON]
            share *= max(0.0, kept) * common_load.sound(model, work.bone, c)
        force, by_depth = share * force, share * by_depth
        stiffness, _ = _bristle_law(model.law_kind, model.law, l, by_depth, share)
        bent = deflection(model.candidate, model.shape_kind, work.body, memory, c, normal)
        bound, pull = model.law[l, law.MU] * max(0.0, force), stiffness * vec3.norm(bent)
        if pull > bound:
            bent = scale(bound / pull, bent)
    i = model.shape_kind[model.candidate[c, candidate.SHAPE_A], shape_kind.CARRIER]
    j = model.shape_kind[model.candidate[c, candidate.SHAPE_B], shape_kind.CARRIER]
    turn = mat3.load(work.body, j, body.ROTATION)
    lever_a, lever_b = (
        sub(point, vec3.load(work.body, i, body.POSITION)),
        sub(point, vec3.load(work.body, j, body.POSITION)),
    )
    vec3.store(memory, c, history.ANCHOR_A, mat3.transposed_dot(mat3.load(work.body, i, body.ROTATION), lever_a))
    vec3.store(memory, c, history.ANCHOR_B, mat3.transposed_dot(turn, lever_b))
    vec3.store(memory, c, history.DEFLECTION, mat3.transposed_dot(turn, bent))
    memory[c, history.HELD] = 1.0


# --- what others ask


@inner
def time_to_touch(model, work, touching):
    """Shortest time [s] in which an open pair can close, at the present closing speed and with gravity's help.

    A pair that came from behind has no contact before it has been outside, so it does not shorten steps. A step may
    end with a pair up to GRAZE deep, so that surfaces that hover at a touch, as those of two thighs do, do not hold up
    the whole run.
    """
    shortest = 1e300
    g = sqrt(model.gravity[0] ** 2 + model.gravity[1] ** 2 + model.gravity[2] ** 2)
    for c in range(touching.shape[0]):
        gap = -work.pair[c, pair.DEPTH]
        if gap < 0.0 or work.pair[c, pair.ENTERED] < 0.0:
            continue
        gap = max(gap, GRAZE)
        # gap = rate t + g t^2 / 2
        rate = work.pair[c, pair.RATE]
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
def pair_lever(candidates, shape_kinds, pairs, bodies, c):
    """Body a of a pair and the vector from its joint point to the contact point [m]."""
    i = shape_kinds[candidates[c, candidate.SHAPE_A], shape_kind.CARRIER]
    return i, sub(vec3.load(pairs, c, pair.POINT), vec3.load(bodies, i, body.JOINT_POINT))


@inlined
def other_lever(candidates, shape_kinds, pairs, bodies, c):
    """Body b of a pair and the vector from its joint point to the contact point [m]."""
    i = shape_kinds[candidates[c, candidate.SHAPE_B], shape_kind.CARRIER]
    return i, sub(vec3.load(pairs, c, pair.POINT), vec3.load(bodies, i, body.JOINT_POINT))
