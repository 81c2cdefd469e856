"""Contact of shapes: geometry, force, friction, memory. SI units, world frame.

A candidate is a shape a on a body, a shape b on another body or the world, and their law. With n the unit normal out of
b, the depth is the smallest overlap of both along n (negative: minus the distance), so that its gradient by relative
position is -n and an elastic contact has a potential. The force acts on body a at the contact point, its opposite on
body b at the same point.

The parts of a surface share the load of a shape. Parts that meet at a ridge or in a plane form a region. With D_r the
depths in the regions, d_k those in each part alone, Psi_k(D_r) the energy that a part would store and o_rs the overlap
of two regions, which does not depend on the pose (`patch.overlap`),

    psi = sum_r W_r sum_k w_k Psi_k(D_r),   w_k = d_k^m / sum_j d_j^m,   W_r = D_r^m / sum_s o_rs D_s^m

and the forces are the slopes of psi by D_r and by d_k, along the normals of both at their points. So the contact keeps
a potential where a shape slides from one part of a vehicle to another, and the force is continuous. What W_r w_k
multiplies, the force of the law, carries damping, dent and friction. Alone, a part has W = w = 1.

Friction is bounded by mu N and taken by its secant: Coulomb's, regularised below a slip speed; or a bristle, a spring
and damper between the bodies that slides when it would pull harder than mu N.
"""

from math import inf, sqrt

import numpy as np

from .._jit import inlined, inner
from . import law, mat3, nearest, patch, strip, support, vec3
from .types import (
    ANCHOR_A,
    ANCHOR_B,
    BACKING,
    BOUND,
    BY_CLOSING,
    BY_DEPTH,
    CARRIER,
    COULOMB,
    DEFLECTION,
    DEPTH,
    ELLIPSOID,
    ENTERED,
    EXCESS_RUB,
    FAR,
    FIRST,
    FIRST_FORCE,
    FIRST_SPEED,
    FIRST_TIME,
    GROUP,
    HELD,
    IMPACT_SPEED,
    IMPULSE,
    JOINT_POINT,
    LAW_FRICTION,
    LAW_MU,
    LAW_PULLS,
    LAW_SLIP_SPEED,
    LAW_TANGENT_DAMPING,
    LAW_TANGENT_STIFFNESS,
    LOAD_SHARE,
    NEAREST,
    NORMAL,
    NORMAL_BEFORE,
    ONSET_SPEED,
    OUT_BODY,
    OUT_JOINT,
    OUT_PAIR,
    PAIR_ELASTIC,
    PAIR_FORCE,
    PAIR_LAW,
    PAIR_MATRIX,
    PAIR_NORMAL,
    PAIR_STORED,
    PAIR_WORK,
    PART_DEPTH,
    PART_NORMAL,
    PART_POINT,
    PART_SHARE,
    PART_SHIFT,
    PATCH,
    PEAK_DEPTH,
    PEAK_FORCE,
    PEAK_STORED,
    PEAK_TIME,
    PLACE,
    PLANE,
    POINT,
    POINT_VELOCITY,
    POSITION,
    PULL,
    RATE,
    REGION,
    REGION_SHIFT,
    ROTATION,
    SHAPE,
    SHAPE_A,
    SHAPE_ALIGNED,
    SHAPE_B,
    SPIN,
    STRIP,
    STRONGE,
    TERM,
    TOUCHES,
    TURN,
    VELOCITY,
    VISCOUS,
)
from .vec3 import add, axpy, cross, dot, scale, sub

EXACT_GAP = 0.01  # a gap to a surface of facets is found exactly up to this [m]
EVER = inf  # [s]
SHARPNESS = 24  # m of the shares of the load: large enough for the deepest to bear it, small enough to be smooth
MISDEED = 10.0  # pull, or friction beyond mu N, that a step may have [N], or
MISDEED_SHARE = 0.02  # this share of the largest force of the contact so far [-]
LEAST_SHARE = 1e-3  # of the load: with less a pair does not count as touching
SAFE_GAP = 0.02  # a pair may sleep during a step if its gap is larger than this and what may close meanwhile [m]

# --- geometry


@inner
def geometry(model, body, pair, span):
    """Depth, closing speed, normal, point and relative velocity of every pair; a far pair gets a lower bound of its gap
    and an upper bound of its closing speed. Pairs that cannot close within a time [s] keep what they have."""
    c = 0
    while c < pair.shape[0]:
        b, end = model.candidate[c, SHAPE_B], c + 1
        kind = model.shape_kind[b, SHAPE]
        if kind == PATCH:
            # the parts of a region are consecutive rows
            awake = not asleep(pair, c, span)
            while end < pair.shape[0] and model.candidate[end, GROUP] == model.candidate[c, GROUP]:
                if _region(model, end) != model.shape_kind[b, REGION]:
                    break
                awake, end = awake or not asleep(pair, end, span), end + 1
            if awake:
                _against_region(model, body, pair, c, end, model.candidate[c, SHAPE_A], b)
        elif not asleep(pair, c, span):
            if kind == PLANE:
                _against_plane(model, body, pair, c, model.candidate[c, SHAPE_A], b)
            elif kind == STRIP:
                _against_strip(model, body, pair, c, model.candidate[c, SHAPE_A], b)
            else:
                _against_convex(model, body, pair, c, model.candidate[c, SHAPE_A], b)
        c = end


@inlined
def asleep(pair, c, span):
    """Whether a far pair c stays open for a time [s], even if its closing speed doubles; for ever none does.

    gap > SAFE_GAP + 2 max(rate, 0) span
    """
    if span >= EVER or pair[c, FAR] == 0.0:
        return False
    return -pair[c, DEPTH] > SAFE_GAP + 2.0 * max(pair[c, RATE], 0.0) * span


@inlined
def _turned(shape_kind, shape, body, s, i):
    """Rotation of shape s on body i."""
    rotation = mat3.load(body, i, ROTATION)
    if shape_kind[s, SHAPE_ALIGNED] == 1:
        return rotation
    return mat3.product(rotation, mat3.load(shape, s, TURN))


@inlined
def _arm(model, body, s, i):
    """The vector from the centre of mass of body i to the centre of its shape s [m]."""
    if model.shape_kind[s, SHAPE_ALIGNED] == 1:
        return (0.0, 0.0, 0.0)
    return mat3.dot(mat3.load(body, i, ROTATION), vec3.load(model.shape, s, PLACE))


@inlined
def _velocity(body, i, arm):
    """Velocity [m/s] of the point of body i at `arm` from its centre of mass."""
    return add(vec3.load(body, i, VELOCITY), cross(vec3.load(body, i, SPIN), arm))


@inner
def _far(body, pair, c, i, j, depth, normal, velocity, reach_a, reach_b):
    """A pair that cannot touch: `depth` minus the least gap; the closing speed with whatever rotation may add."""
    pair[c, DEPTH], pair[c, FAR] = depth, 1.0
    pair[c, RATE] = _turning(body, i, j, reach_a, reach_b) - dot(normal, velocity)


@inlined
def _turning(body, i, j, reach_a, reach_b):
    """What the rotation of two bodies may add to a closing speed [m/s]."""
    return vec3.norm(vec3.load(body, i, SPIN)) * reach_a + vec3.norm(vec3.load(body, j, SPIN)) * reach_b


@inner
def _anywhere(body, pair, c, i, j, depth, arm, centre, reach_a, reach_b):
    """A pair that may close in any direction: `depth` minus the least gap; the closing speed is the greatest.

    arm  from the centre of mass of body a to the centre of its shape [m], which is at `centre` [m]
    """
    velocity = sub(_velocity(body, i, arm), _velocity(body, j, sub(centre, vec3.load(body, j, POSITION))))
    pair[c, DEPTH], pair[c, FAR] = depth, 1.0
    pair[c, RATE] = vec3.norm(velocity) + _turning(body, i, j, reach_a, reach_b)


@inlined
def _near(body, pair, c, i, j, fixed, depth, normal, point):
    """Keep what the geometry found, and the velocity of body a against body b at the contact point."""
    velocity = _velocity(body, i, sub(point, vec3.load(body, i, POSITION)))
    if not fixed:
        velocity = sub(velocity, _velocity(body, j, sub(point, vec3.load(body, j, POSITION))))
    pair[c, DEPTH], pair[c, FAR] = depth, 0.0
    pair[c, RATE] = -dot(normal, velocity)
    vec3.store(pair, c, NORMAL, normal)
    vec3.store(pair, c, POINT, point)
    vec3.store(pair, c, POINT_VELOCITY, velocity)


@inlined
def _against_plane(model, body, pair, c, a, b):
    """A convex shape and a half-space: the deepest point is the support point against the normal."""
    i, j = model.shape_kind[a, CARRIER], model.shape_kind[b, CARRIER]
    fixed = j == model.joint.shape[0]
    normal = (model.shape[b, TURN + 2], model.shape[b, TURN + 5], model.shape[b, TURN + 8])
    foot = vec3.load(model.shape, b, PLACE)
    if not fixed:
        turn = mat3.load(body, j, ROTATION)
        normal, foot = mat3.dot(turn, normal), add(vec3.load(body, j, POSITION), mat3.dot(turn, foot))
    arm = _arm(model, body, a, i)
    centre = add(vec3.load(body, i, POSITION), arm)
    height = dot(normal, sub(centre, foot)) - model.candidate_offset[c]
    bound = model.shape[a, BOUND]
    if height > bound:
        velocity = _velocity(body, i, arm)
        if not fixed:
            velocity = sub(velocity, _velocity(body, j, sub(centre, vec3.load(body, j, POSITION))))
        _far(body, pair, c, i, j, bound - height, normal, velocity, bound, bound)
        return
    rotation = _turned(model.shape_kind, model.shape, body, a, i)
    local = mat3.transposed_dot(rotation, normal)
    if model.shape_kind[a, SHAPE] == ELLIPSOID:
        axes = vec3.load(model.shape, a, TERM)
        scaled = (axes[0] * local[0], axes[1] * local[1], axes[2] * local[2])
        reach = vec3.norm(scaled)
        deepest = scale(-1.0 / reach, (axes[0] * scaled[0], axes[1] * scaled[1], axes[2] * scaled[2]))
    else:
        reach, deepest = support.point(model.shape_kind, model.shape, a, scale(-1.0, local))
    _near(body, pair, c, i, j, fixed, reach - height, normal, add(centre, mat3.dot(rotation, deepest)))


@inlined
def _against_convex(model, body, pair, c, a, b):
    """Two convex shapes: the least overlap over all directions, from the last direction on."""
    i, j = model.shape_kind[a, CARRIER], model.shape_kind[b, CARRIER]
    arm_a, arm_b = _arm(model, body, a, i), _arm(model, body, b, j)
    centre_a = add(vec3.load(body, i, POSITION), arm_a)
    centre_b = add(vec3.load(body, j, POSITION), arm_b)
    between = sub(centre_a, centre_b)
    distance = vec3.norm(between)
    bound_a, bound_b, offset = model.shape[a, BOUND], model.shape[b, BOUND], model.candidate_offset[c]
    if distance > bound_a + bound_b + offset:
        velocity = sub(_velocity(body, i, arm_a), _velocity(body, j, arm_b))
        depth = bound_a + bound_b + offset - distance
        _far(body, pair, c, i, j, depth, scale(1.0 / distance, between), velocity, bound_a, bound_b)
        return
    _near_convex(model.shape_kind, model.shape, body, pair, c, a, b, i, j, centre_a, between, offset)


@inner
def _near_convex(shape_kind, shape, body, pair, c, a, b, i, j, centre_a, between, offset):
    """The same for two that are near; handed the tables that it needs, since the whole model costs as much time."""
    rotation_a, rotation_b = _turned(shape_kind, shape, body, a, i), _turned(shape_kind, shape, body, b, j)
    guess = vec3.load(pair, c, NORMAL)
    if shape_kind[a, SHAPE] == ELLIPSOID and shape_kind[b, SHAPE] == ELLIPSOID:
        axes_a, axes_b = vec3.load(shape, a, TERM), vec3.load(shape, b, TERM)
        depth, normal, _ = nearest.ellipsoids(axes_a, rotation_a, axes_b, rotation_b, between, guess)
    else:
        depth, normal, _ = nearest.convex(shape_kind, shape, a, b, rotation_a, rotation_b, between, guess)
    # the middle of both support points
    _, deepest = support.point(shape_kind, shape, a, scale(-1.0, mat3.transposed_dot(rotation_a, normal)))
    point = axpy(0.5 * depth, normal, add(centre_a, mat3.dot(rotation_a, deepest)))
    _near(body, pair, c, i, j, False, depth + offset, normal, point)


@inlined
def _against_region(model, body, pair, first, end, a, b):
    """A convex shape and a region of a surface, in the frame of the surface; its parts are the rows from first to end.

    Outside the region all its parts are as far away as it. Inside, the parts that the shape is in have the depth of the
    region, and keep their own beside it.
    """
    i, j = model.shape_kind[a, CARRIER], model.shape_kind[b, CARRIER]
    arm = _arm(model, body, a, i)
    rotation_b = _turned(model.shape_kind, model.shape, body, b, j)
    origin = add(vec3.load(body, j, POSITION), _arm(model, body, b, j))
    centre = add(vec3.load(body, i, POSITION), arm)
    local = mat3.transposed_dot(rotation_b, sub(centre, origin))
    region, bound, offset = model.shape_kind[b, REGION], model.shape[a, BOUND], model.candidate_offset[first]
    entered = False
    for c in range(first, end):
        entered = entered or pair[c, ENTERED] > 0.0
    apart = 0.0 if entered else patch.apart(model.facet, region, local, bound)
    if apart > 0.0:
        pair[first, NEAREST] = 0.0
        _anywhere(body, pair, first, i, j, offset - apart, arm, centre, bound, bound + apart)
    else:
        rotation = mat3.transposed_product(rotation_b, _turned(model.shape_kind, model.shape, body, a, i))
        _near_patch(
            model.facet, model.facet_link, model.shape_kind, model.shape, body, pair, first, NEAREST, a, i, j,
            j == model.joint.shape[0], region, rotation, rotation_b, origin, arm, local, offset, entered,
        )  # fmt: skip
        if pair[first, DEPTH] > 0.0 and end > first + 1:
            _within_region(model, pair, first, end, a, rotation, rotation_b, origin, local, offset)
            return
    for c in range(first + 1, end):
        pair[c, DEPTH], pair[c, RATE], pair[c, FAR] = pair[first, DEPTH], pair[first, RATE], pair[first, FAR]


@inlined
def _copy_geometry(pair, a, b):
    """Give pair b the depth, closing speed, normal, point and velocity of pair a."""
    for k in range(PAIR_FORCE):
        pair[b, k] = pair[a, k]
    pair[b, FAR] = pair[a, FAR]


@inner
def _within_region(model, pair, first, end, a, rotation, rotation_b, origin, local, offset):
    """The parts of a region that a shape is in, whose geometry is in the first row."""
    for c in range(end - 1, first - 1, -1):  # the first row is needed until the end
        root, entered = model.shape_kind[model.candidate[c, SHAPE_B], FIRST], pair[c, ENTERED] > 0.0
        floor = min(-offset, 0.0)
        depth, normal, point = floor, (0.0, 0.0, 1.0), local
        if entered or patch.apart(model.facet, root, local, model.shape[a, BOUND]) == 0.0:
            depth, normal, point, _ = patch.near(
                model.facet, model.facet_link, model.shape_kind, model.shape, a, root, rotation, local, 0.0,
                patch.NOWHERE, patch.FAR if entered else model.facet[root, BACKING], floor,
            )  # fmt: skip
        if c > first:
            _copy_geometry(pair, first, c)
        if depth + offset > 0.0:
            pair[c, PART_DEPTH] = depth + offset
            vec3.store(pair, c, PART_NORMAL, mat3.dot(rotation_b, normal))
            vec3.store(pair, c, PART_POINT, add(origin, mat3.dot(rotation_b, point)))
        else:
            pair[c, DEPTH] = -patch.ROUND_OFF


@inlined
def _near_patch(
    facet, link, shape_kind, shape, body, pair, c, nearest_piece, a, i, j, fixed, root,
    rotation, rotation_b, origin, arm, local, offset, entered,
):  # fmt: skip
    """A convex shape and a patch that is near.

    nearest_piece  column that keeps one more than the row of the nearest piece
    rotation       shape to surface
    entered        whether the shape came in from outside: then the patch is solid to any depth
    """
    depth, normal, point, place = patch.near(
        facet,
        link,
        shape_kind,
        shape,
        a,
        root,
        rotation,
        local,
        max(offset, 0.0) + EXACT_GAP,
        np.int64(pair[c, nearest_piece]) - 1,
        patch.FAR if entered else facet[root, BACKING],
        -patch.FAR,
    )
    pair[c, nearest_piece] = place + 1
    if place < 0:
        bound, centre = shape[a, BOUND], add(vec3.load(body, i, POSITION), arm)
        _anywhere(body, pair, c, i, j, depth + offset, arm, centre, bound, bound - depth)
    else:
        touching = add(origin, mat3.dot(rotation_b, point))
        _near(body, pair, c, i, j, fixed, depth + offset, mat3.dot(rotation_b, normal), touching)


@inlined
def _against_strip(model, body, pair, c, a, b):
    """An ellipsoid and a line of a polygon in the plane, in the frame of the line; the force acts at its bottom point.

    At an end of the line the depth changes with tangential motion too, while the force and the closing speed stay along
    the normal: there the contact has no potential.
    """
    i, j = model.shape_kind[a, CARRIER], model.shape_kind[b, CARRIER]
    arm = _arm(model, body, a, i)
    centre = add(vec3.load(body, i, POSITION), arm)
    from_carrier = mat3.transposed_dot(mat3.load(body, j, ROTATION), sub(centre, vec3.load(body, j, POSITION)))
    x, y, z = mat3.transposed_dot(mat3.load(model.shape, b, TURN), sub(from_carrier, vec3.load(model.shape, b, PLACE)))
    bound, length, offset = model.shape[a, BOUND], model.shape[b, TERM], model.candidate_offset[c]
    gap = max(-x, x - length, abs(z - offset)) - bound
    if gap > 0.0:
        _anywhere(body, pair, c, i, j, -gap, arm, centre, bound, bound + gap)
        return
    fixed = j == model.joint.shape[0]
    _near_strip(model.shape_kind, model.shape, body, pair, c, a, b, i, j, fixed, centre, (x, y, z), offset)


@inner
def _near_strip(shape_kind, shape, body, pair, c, a, b, i, j, fixed, centre, local, offset):
    """The same for a line that is near; `local` is the centre of the ellipsoid in the frame of the line [m]."""
    rotation_a = _turned(shape_kind, shape, body, a, i)
    rotation_b = _turned(shape_kind, shape, body, b, j)
    x, y, z = local
    depth, along, across, nx, nz = strip.touch(
        vec3.load(shape, a, TERM),
        mat3.transposed_product(rotation_b, rotation_a),
        (x, y, z - offset),
        shape[b, TERM],
        shape_kind[b, FIRST],
    )
    # the bottom point, from the centre of the ellipsoid
    bottom = add(centre, mat3.dot(rotation_b, (along - x, across - y, offset - z)))
    _near(body, pair, c, i, j, fixed, depth, mat3.dot(rotation_b, (nx, 0.0, nz)), bottom)


# --- force


@inner
def normal_loads(model, work, memory):
    """Normal force, elastic part and slopes of every pair in contact; pairs of one shape and surface share the load."""
    pair, shared = work.pair, load_shares(model, work.pair)
    for c in range(pair.shape[0]):
        if pair[c, DEPTH] > 0.0:
            l = model.candidate[c, PAIR_LAW]
            force, elastic, by_depth, by_rate = _normal_force(model, work, memory, c, l)
            pair[c, PAIR_NORMAL], pair[c, PAIR_ELASTIC] = force, elastic
            pair[c, BY_DEPTH], pair[c, BY_CLOSING] = by_depth, by_rate
            pair[c, REGION_SHIFT], pair[c, PART_SHIFT] = 0.0, 0.0
            if pair[c, LOAD_SHARE] < 1.0:
                pair[c, PAIR_STORED] = law.stored(
                    model.law_kind, model.law, l, model.table_start, model.table, pair[c, DEPTH], memory[c, PEAK_DEPTH]
                )
    if shared:
        for c in range(pair.shape[0]):
            if pair[c, DEPTH] > 0.0 and pair[c, LOAD_SHARE] < 1.0:
                end, _, _ = _group(model.candidate, pair, model.candidate[c, GROUP])
                _shift_shares(model, pair, c, model.candidate[c, GROUP], end)


@inner
def load_shares(model, pair):
    """Find the share of the load that each pair in contact bears; whether any load is shared.

    Within a region w_k = d_k^m / sum_j d_j^m, with d the depths in its parts. Between regions W_r = D_r^m / sum_s o_rs
    D_s^m, with D their depths and o their overlap. A pair bears W_r w_k.
    """
    candidate, last, shared = model.candidate, -1, False
    for c in range(pair.shape[0]):
        if pair[c, DEPTH] > 0.0:
            pair[c, LOAD_SHARE], pair[c, PART_SHARE] = 1.0, 1.0
            if last == candidate[c, GROUP]:
                # the first pair of a group that is not alone: all pairs of it up to the last are shared anew
                shared = True
                _share_group(model, pair, candidate[c, GROUP], c + 1)
            last = candidate[c, GROUP]
    return shared


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
def _group(candidate, pair, first):
    """End of the rows of the group that begins at `first`, how many of them are in contact, and their largest depth."""
    end, count, deepest = first, 0, 0.0
    while end < pair.shape[0] and candidate[end, GROUP] == candidate[first, GROUP]:
        if pair[end, DEPTH] > 0.0:
            count, deepest = count + 1, max(deepest, pair[end, DEPTH])
        end += 1
    return end, count, deepest


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
def _normal_force(model, work, memory, c, l):
    """Normal force of law l at the depth and rate of pair c, its elastic part, and its slopes by depth and rate."""
    g = model.candidate[c, GROUP]
    return law.normal_force(
        model.law_kind, model.law, l, model.table_start, model.table, work.pair[c, DEPTH], work.pair[c, RATE],
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
            if touching[c] == 0 and bears(pair, c):
                if not group_touches(model.candidate, touching, c):
                    memory[g, ONSET_SPEED] = max(0.0, rate)
                if memory[c, TOUCHES] == 0.0:
                    memory[c, FIRST_TIME], memory[c, FIRST_SPEED] = time, rate
                memory[c, TOUCHES] += 1.0
            memory[g, IMPACT_SPEED] = max(memory[g, IMPACT_SPEED], rate)
            memory[c, PEAK_DEPTH] = max(memory[c, PEAK_DEPTH], pair[c, DEPTH])
            kind = model.law_kind[model.candidate[c, PAIR_LAW], LAW_FRICTION]
            if kind not in (COULOMB, VISCOUS):
                _anchor(model, work, memory, c)
        else:
            memory[c, HELD] = 0.0
    for c in range(touching.shape[0]):
        touching[c] = 1 if bears(work.pair, c) else 0
        work.pair[c, ENTERED] = 1.0 if work.pair[c, DEPTH] > 0.0 else 0.0
    for c in range(touching.shape[0]):
        if model.candidate[c, GROUP] == c and not group_touches(model.candidate, touching, c):
            memory[c, ONSET_SPEED] = 0.0
            memory[c, IMPACT_SPEED] = 0.0


@inlined
def bears(pair, c):
    """Whether pair c is in contact and bears a share of the load; `load_shares` must have been called."""
    return pair[c, DEPTH] > 0.0 and pair[c, LOAD_SHARE] > LEAST_SHARE


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
        force, _, by_depth, _ = _normal_force(model, work, memory, c, l)
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
def misbehaved(model, work, memory):
    """Whether a contact pulled or rubbed in the step just taken by more than a small part of its largest force.

    The implicit step and its extrapolation may do so where a contact ends; a shorter step does it less.
    """
    at = model.joint.shape[0] * (OUT_BODY + OUT_JOINT)
    for c in range(memory.shape[0]):
        force = vec3.load_at(work.mean, at + OUT_PAIR * c)
        if force[0] != 0.0 or force[1] != 0.0 or force[2] != 0.0:
            pull, rub = _misdeeds(model, work.pair, c, force)
            if max(pull, rub) > max(MISDEED, MISDEED_SHARE * memory[c, PEAK_FORCE]):
                return True
    return False


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


@inner
def passed_through(model, pair):
    """The body of a pair that is so deep in a surface of facets that it came through it, or -1.

    That is deeper than its own width, and its centre deeper than the surface is solid.
    """
    for c in range(pair.shape[0]):
        if pair[c, ENTERED] > 0.0 and pair[c, DEPTH] > 0.0:
            a, b = model.candidate[c, SHAPE_A], model.candidate[c, SHAPE_B]
            if model.shape_kind[b, SHAPE] == PATCH:
                bound = model.shape[a, BOUND]
                if pair[c, DEPTH] > bound + max(bound, model.facet[model.shape_kind[b, REGION], BACKING]):
                    return model.shape_kind[a, CARRIER]
    return -1


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
