"""Geometry of contact: depth, normal, point and relative velocity of every candidate pair. SI units, world frame.

With n the unit normal out of shape b, the depth is the smallest overlap of both shapes along n (negative: minus the
distance), so that its gradient by relative position is -n and an elastic contact has a potential.
"""

from math import exp, inf

import numpy as np

from .._jit import inlined, inner
from . import mat3, nearest, patch, strip, support, vec3
from .layout import body, candidate, pair, shape, shape_kind, shape_type, tree_node
from .vec3 import add, axpy, cross, dot, scale, sub

EXACT_GAP = 0.01  # a gap to a surface of facets is found exactly up to this [m]
EVER = inf  # [s]
ABOVE = 0.03  # by which a part alone may count as deeper than its region, over the depth in the region [-]
SINK = 2e-3  # a shape on a face of a solid is found in one search if it sinks no faster than this per evaluation [m]
BEHIND = 0.01  # a contact with a surface of facets that begins deeper than this came from behind [m]
SAFE_GAP = 0.02  # a pair may sleep during a step if its gap is larger than this and what may close meanwhile [m]


@inner
def geometry(model, bodies, pairs, span):
    """Depth, closing speed, normal, point and relative velocity of every pair; a far pair gets a lower bound of its gap
    and an upper bound of its closing speed. Pairs that cannot close within a time [s] keep what they have."""
    c = 0
    while c < pairs.shape[0]:
        b, end = model.candidate[c, candidate.SHAPE_B], model.candidate[c, candidate.REGION_END]
        awake = False
        for k in range(c, end):
            awake = awake or not asleep(pairs, k, span)
        if awake:
            kind = model.shape_kind[b, shape_kind.CODE]
            if kind == shape_type.PATCH:
                _against_region(model, bodies, pairs, c, end, model.candidate[c, candidate.SHAPE_A], b)
            elif kind == shape_type.PLANE:
                _against_plane(model, bodies, pairs, c, model.candidate[c, candidate.SHAPE_A], b)
            elif kind == shape_type.STRIP:
                _against_strip(model, bodies, pairs, c, model.candidate[c, candidate.SHAPE_A], b)
            else:
                _against_convex(model, bodies, pairs, c, model.candidate[c, candidate.SHAPE_A], b)
        c = end


@inlined
def asleep(pairs, c, span):
    """Whether an open pair c stays open for a time [s], even if its closing speed doubles; for ever none does.

    gap > SAFE_GAP + 2 closing span
    """
    if span >= EVER or -pairs[c, pair.DEPTH] <= SAFE_GAP:
        return False
    return -pairs[c, pair.DEPTH] > SAFE_GAP + 2.0 * pairs[c, pair.CLOSING] * span


@inlined
def _turned(shape_kinds, shapes, bodies, s, i):
    """Rotation of shape s on body i."""
    rotation = mat3.load(bodies, i, body.ROTATION)
    if shape_kinds[s, shape_kind.ALIGNED] == 1:
        return rotation
    return mat3.product(rotation, mat3.load(shapes, s, shape.TURN))


@inner
def reach(model, bodies, a, way):
    """Return how far shape a reaches from its centre along a unit vector of the world [m]."""
    rotation = _turned(model.shape_kind, model.shape, bodies, a, model.shape_kind[a, shape_kind.CARRIER])
    return support.point(model.shape_kind, model.shape, a, mat3.transposed_dot(rotation, way))[0]


@inner
def curvature(model, bodies, a, normal, across):
    """Return t'Ht [m] of shape a where it reaches farthest against a unit normal, for a vector t across it."""
    rotation = _turned(model.shape_kind, model.shape, bodies, a, model.shape_kind[a, shape_kind.CARRIER])
    n, t = mat3.transposed_dot(rotation, scale(-1.0, normal)), mat3.transposed_dot(rotation, across)
    return support.curved(model.shape_kind, model.shape, a, n, t, t)[2]


@inlined
def _arm(model, bodies, s, i):
    """The vector from the centre of mass of body i to the centre of its shape s [m]."""
    if model.shape_kind[s, shape_kind.ALIGNED] == 1:
        return (0.0, 0.0, 0.0)
    return mat3.dot(mat3.load(bodies, i, body.ROTATION), vec3.load(model.shape, s, shape.PLACE))


@inlined
def _velocity(bodies, i, arm):
    """Velocity [m/s] of the point of body i at `arm` from its centre of mass."""
    return add(vec3.load(bodies, i, body.VELOCITY), cross(vec3.load(bodies, i, body.SPIN), arm))


@inner
def _far(bodies, pairs, c, i, j, depth, normal, velocity, reach_a, reach_b):
    """A pair that cannot touch: `depth` minus the least gap; the closing speed with whatever rotation may add."""
    pairs[c, pair.DEPTH], pairs[c, pair.RATE] = depth, _turning(bodies, i, j, reach_a, reach_b) - dot(normal, velocity)
    pairs[c, pair.CLOSING] = max(pairs[c, pair.RATE], 0.0)


@inlined
def _turning(bodies, i, j, reach_a, reach_b):
    """Return the most that the rotation of two bodies may add to a closing speed [m/s]."""
    return vec3.norm(vec3.load(bodies, i, body.SPIN)) * reach_a + vec3.norm(vec3.load(bodies, j, body.SPIN)) * reach_b


@inner
def _anywhere(bodies, pairs, c, i, j, depth, arm, centre, reach_a, reach_b):
    """A pair that may close in any direction: `depth` minus the least gap; the closing speed is the greatest.

    arm  from the centre of mass of body a to the centre of its shape [m], which is at `centre` [m]
    """
    velocity = sub(_velocity(bodies, i, arm), _velocity(bodies, j, sub(centre, vec3.load(bodies, j, body.POSITION))))
    pairs[c, pair.DEPTH], pairs[c, pair.RATE] = depth, vec3.norm(velocity) + _turning(bodies, i, j, reach_a, reach_b)
    pairs[c, pair.CLOSING] = pairs[c, pair.RATE]


@inlined
def _near(bodies, pairs, c, i, j, fixed, bound, depth, normal, point):
    """Keep what the geometry found, and the velocity of body a against body b at the contact point.

    bound  radius about shape a [m]: no place of it is farther from the contact point than its width and the gap, which
           limits the closing speed wherever the shapes meet
    """
    velocity = _velocity(bodies, i, sub(point, vec3.load(bodies, i, body.POSITION)))
    if not fixed:
        velocity = sub(velocity, _velocity(bodies, j, sub(point, vec3.load(bodies, j, body.POSITION))))
    pairs[c, pair.DEPTH], pairs[c, pair.RATE], pairs[c, pair.SLOPE] = depth, -dot(normal, velocity), 1.0
    if -depth > SAFE_GAP:
        pairs[c, pair.CLOSING] = vec3.norm(velocity) + _turning(bodies, i, j, 2.0 * bound - depth, 2.0 * bound - depth)
    vec3.store(pairs, c, pair.NORMAL, normal)
    vec3.store(pairs, c, pair.POINT, point)
    vec3.store(pairs, c, pair.POINT_VELOCITY, velocity)


@inlined
def _against_plane(model, bodies, pairs, c, a, b):
    """A convex shape and a half-space: the deepest point is the support point against the normal."""
    i, j = model.shape_kind[a, shape_kind.CARRIER], model.shape_kind[b, shape_kind.CARRIER]
    fixed = j == model.joint.shape[0]
    normal = (model.shape[b, shape.TURN + 2], model.shape[b, shape.TURN + 5], model.shape[b, shape.TURN + 8])
    foot = vec3.load(model.shape, b, shape.PLACE)
    if not fixed:
        turn = mat3.load(bodies, j, body.ROTATION)
        normal, foot = mat3.dot(turn, normal), add(vec3.load(bodies, j, body.POSITION), mat3.dot(turn, foot))
    arm = _arm(model, bodies, a, i)
    centre = add(vec3.load(bodies, i, body.POSITION), arm)
    height = dot(normal, sub(centre, foot)) - model.candidate_offset[c]
    bound = model.shape[a, shape.BOUND]
    if height > bound:
        velocity = _velocity(bodies, i, arm)
        if not fixed:
            velocity = sub(velocity, _velocity(bodies, j, sub(centre, vec3.load(bodies, j, body.POSITION))))
        _far(bodies, pairs, c, i, j, bound - height, normal, velocity, bound, bound)
        return
    rotation = _turned(model.shape_kind, model.shape, bodies, a, i)
    local = mat3.transposed_dot(rotation, normal)
    if model.shape_kind[a, shape_kind.CODE] == shape_type.ELLIPSOID:
        axes = vec3.load(model.shape, a, shape.TERM)
        scaled = (axes[0] * local[0], axes[1] * local[1], axes[2] * local[2])
        reach = vec3.norm(scaled)
        deepest = scale(-1.0 / reach, (axes[0] * scaled[0], axes[1] * scaled[1], axes[2] * scaled[2]))
    else:
        reach, deepest = support.point(model.shape_kind, model.shape, a, scale(-1.0, local))
    _near(bodies, pairs, c, i, j, fixed, bound, reach - height, normal, add(centre, mat3.dot(rotation, deepest)))


@inlined
def _against_convex(model, bodies, pairs, c, a, b):
    """Two convex shapes: the least overlap over all directions, from the last direction on."""
    i, j = model.shape_kind[a, shape_kind.CARRIER], model.shape_kind[b, shape_kind.CARRIER]
    arm_a, arm_b = _arm(model, bodies, a, i), _arm(model, bodies, b, j)
    centre_a = add(vec3.load(bodies, i, body.POSITION), arm_a)
    centre_b = add(vec3.load(bodies, j, body.POSITION), arm_b)
    between = sub(centre_a, centre_b)
    distance = vec3.norm(between)
    bound_a, bound_b, offset = model.shape[a, shape.BOUND], model.shape[b, shape.BOUND], model.candidate_offset[c]
    if distance > bound_a + bound_b + offset:
        velocity = sub(_velocity(bodies, i, arm_a), _velocity(bodies, j, arm_b))
        depth = bound_a + bound_b + offset - distance
        _far(bodies, pairs, c, i, j, depth, scale(1.0 / distance, between), velocity, bound_a, bound_b)
        return
    _near_convex(model.shape_kind, model.shape, bodies, pairs, c, a, b, i, j, centre_a, between, offset)


@inner
def _near_convex(shape_kinds, shapes, bodies, pairs, c, a, b, i, j, centre_a, between, offset):
    """Write depth, normal and point of two convex shapes that are near.

    It takes only the tables that it needs, because passing the whole model costs as much time as the search.
    """
    rotation_a, rotation_b = _turned(shape_kinds, shapes, bodies, a, i), _turned(shape_kinds, shapes, bodies, b, j)
    guess = vec3.load(pairs, c, pair.NORMAL)
    if (
        shape_kinds[a, shape_kind.CODE] == shape_type.ELLIPSOID
        and shape_kinds[b, shape_kind.CODE] == shape_type.ELLIPSOID
    ):
        axes_a, axes_b = vec3.load(shapes, a, shape.TERM), vec3.load(shapes, b, shape.TERM)
        depth, normal, _ = nearest.ellipsoids(axes_a, rotation_a, axes_b, rotation_b, between, guess)
    else:
        depth, normal, _ = nearest.convex(shape_kinds, shapes, a, b, rotation_a, rotation_b, between, guess)
    # the middle of both support points
    _, deepest = support.point(shape_kinds, shapes, a, scale(-1.0, mat3.transposed_dot(rotation_a, normal)))
    point = axpy(0.5 * depth, normal, add(centre_a, mat3.dot(rotation_a, deepest)))
    _near(bodies, pairs, c, i, j, False, shapes[a, shape.BOUND], depth + offset, normal, point)


@inlined
def _against_region(model, bodies, pairs, first, end, a, b):
    """A convex shape and a region of a surface, in the frame of the surface; its parts are the rows from first to end.

    Outside the region all its parts are as far away as it. Inside, the parts that the shape is in have the depth of the
    region, and also keep their own.
    """
    i, j = model.shape_kind[a, shape_kind.CARRIER], model.shape_kind[b, shape_kind.CARRIER]
    arm = _arm(model, bodies, a, i)
    rotation_b = _turned(model.shape_kind, model.shape, bodies, b, j)
    origin = add(vec3.load(bodies, j, body.POSITION), _arm(model, bodies, b, j))
    centre = add(vec3.load(bodies, i, body.POSITION), arm)
    local = mat3.transposed_dot(rotation_b, sub(centre, origin))
    region, bound, offset = (
        model.shape_kind[b, shape_kind.REGION],
        model.shape[a, shape.BOUND],
        model.candidate_offset[first],
    )
    entered, behind, last = False, False, -patch.FAR
    for c in range(first, end):
        last = max(last, pairs[c, pair.DEPTH])
        entered = entered or pairs[c, pair.ENTERED] > 0.0
        behind = behind or pairs[c, pair.ENTERED] < 0.0
    apart = 0.0 if entered else patch.apart(model.facet, region, local, bound)
    if apart > 0.0:
        pairs[first, pair.NEAREST] = 0.0
        _anywhere(bodies, pairs, first, i, j, offset - apart, arm, centre, bound, bound + apart)
    else:
        rotation = mat3.transposed_product(rotation_b, _turned(model.shape_kind, model.shape, bodies, a, i))
        _near_patch(
            model.facet, model.facet_link, model.shape_kind, model.shape, bodies, pairs, first, last, a, i, j,
            j == model.joint.shape[0], region, rotation, rotation_b, origin, arm, local, offset, entered,
        )  # fmt: skip
        if behind:
            # it came from behind: no contact before it has been outside
            for c in range(first, end):
                pairs[c, pair.ENTERED] = -1.0 if pairs[first, pair.DEPTH] > 0.0 else 0.0
            pairs[first, pair.DEPTH] = min(pairs[first, pair.DEPTH], -patch.ROUND_OFF)
        if pairs[first, pair.DEPTH] > 0.0 and end > first + 1:
            _within_region(model, pairs, first, end, a, rotation, rotation_b, origin, local, offset, entered)
            return
    for c in range(first + 1, end):
        pairs[c, pair.DEPTH], pairs[c, pair.RATE], pairs[c, pair.CLOSING] = (
            pairs[first, pair.DEPTH],
            pairs[first, pair.RATE],
            pairs[first, pair.CLOSING],
        )


@inner
def leave_behind(model, pairs, c):
    """Set the depth [m] of a pair to no contact while it is deep in a region that it did not enter from outside.

    A solid has no way in but through its surface.
    """
    b = model.candidate[c, candidate.SHAPE_B]
    if model.shape_kind[b, shape_kind.CODE] != shape_type.PATCH or pairs[c, pair.DEPTH] <= BEHIND:
        return
    if model.facet[model.shape_kind[b, shape_kind.REGION], tree_node.BACKING] > patch.FAR:
        return
    k = model.candidate[c, candidate.GROUP]
    while k < model.candidate[c, candidate.REGION_END]:
        other = model.candidate[k, candidate.SHAPE_B]
        if (
            model.candidate[k, candidate.SHAPE_A] == model.candidate[c, candidate.SHAPE_A]
            and model.shape_kind[other, shape_kind.REGION] == model.shape_kind[b, shape_kind.REGION]
        ):
            if pairs[k, pair.ENTERED] <= 0.0:
                pairs[k, pair.ENTERED], pairs[k, pair.DEPTH] = -1.0, -patch.ROUND_OFF
        k += 1


@inlined
def _copy_geometry(pairs, a, b):
    """Give pair b the depth, closing speed, normal, point and velocity of pair a."""
    for k in range(pair.FORCE):
        pairs[b, k] = pairs[a, k]


@inner
def _within_region(model, pairs, first, end, a, rotation, rotation_b, origin, local, offset, entered):
    """The parts of a region that a shape is in, whose geometry is in the first row."""
    region = model.shape_kind[model.candidate[first, candidate.SHAPE_B], shape_kind.REGION]
    deepest = pairs[first, pair.DEPTH]
    more, growth = patch.rounder(model.facet, region, deepest - offset)
    for c in range(end - 1, first - 1, -1):  # the first row is needed until the end
        root = model.shape_kind[model.candidate[c, candidate.SHAPE_B], shape_kind.FIRST]
        floor = min(-offset, 0.0)
        depth, normal, point, by_more = floor, (0.0, 0.0, 1.0), local, 0.0
        if entered or patch.apart(model.facet, root, local, model.shape[a, shape.BOUND]) == 0.0:
            depth, normal, point, _, by_more = patch.near(
                model.facet, model.facet_link, model.shape_kind, model.shape, a, root, rotation, local, 0.0,
                patch.NOWHERE, patch.FAR if entered else model.facet[root, tree_node.BACKING], floor, more,
            )  # fmt: skip
        if c > first:
            _copy_geometry(pairs, first, c)
        if depth + offset > 0.0:
            own, by_own, by_region = _bounded(depth + offset, deepest)
            pairs[c, pair.PART_DEPTH] = own
            vec3.store(pairs, c, pair.PART_NORMAL, scale(by_own, mat3.dot(rotation_b, normal)))
            vec3.store(pairs, c, pair.PART_POINT, add(origin, mat3.dot(rotation_b, point)))
            pairs[c, pair.PART_BY_DEPTH] = by_region + by_own * by_more * growth
        else:
            pairs[c, pair.DEPTH] = -patch.ROUND_OFF


@inlined
def _bounded(depth, most):
    """Return a depth that exceeds another one by little [m], and its slopes by both [-].

    Up to `most` [m] it is `depth` itself. With rounder edges a part alone may be deeper than its region, and so deep
    that it has two ways out; then it no longer matters.
    """
    if depth <= most:
        return depth, 1.0, 0.0
    left = exp((1.0 - depth / most) / ABOVE)
    bound = 1.0 + ABOVE * (1.0 - left)
    return bound * most, left, bound - left * depth / most


@inlined
def _near_patch(
    facet, link, shape_kinds, shapes, bodies, pairs, c, last, a, i, j, fixed, root,
    rotation, rotation_b, origin, arm, local, offset, entered,
):  # fmt: skip
    """A convex shape and a patch that is near.

    last      depth in a neighbouring pose [m]: it saves time and changes nothing
    rotation  shape to surface
    entered   whether the shape came in from outside: then the patch is solid to any depth
    """
    sharp = patch.sharp(facet, root)
    guess, depth, slope = np.int64(pairs[c, pair.NEAREST]) - 1, last - offset, 1.0
    if depth <= sharp:
        depth, normal, point, place, _ = patch.near(
            facet,
            link,
            shape_kinds,
            shapes,
            a,
            root,
            rotation,
            local,
            max(offset, 0.0) + EXACT_GAP,
            guess,
            patch.FAR if entered else facet[root, tree_node.BACKING],
            -patch.FAR,
            0.0,
        )
        guess = place
    elif pairs[c, pair.SLOPE] == 1.0:
        depth += SINK
    if depth > sharp:
        depth, normal, point, place, slope = patch.settle_depth(
            facet, link, shape_kinds, shapes, a, root, rotation, local, guess, depth
        )
    pairs[c, pair.NEAREST] = place + 1
    bound = shapes[a, shape.BOUND]
    if place < 0:
        centre = add(vec3.load(bodies, i, body.POSITION), arm)
        _anywhere(bodies, pairs, c, i, j, depth + offset, arm, centre, bound, bound - depth)
    else:
        touching = add(origin, mat3.dot(rotation_b, point))
        _near(bodies, pairs, c, i, j, fixed, bound, depth + offset, mat3.dot(rotation_b, normal), touching)
        pairs[c, pair.SLOPE] = slope


@inlined
def _against_strip(model, bodies, pairs, c, a, b):
    """An ellipsoid and a line of a polygon in the plane, in the frame of the line; the force acts at its bottom point.

    At an end of the line the depth changes with tangential motion too, while the force and the closing speed stay along
    the normal: there the contact has no potential.
    """
    i, j = model.shape_kind[a, shape_kind.CARRIER], model.shape_kind[b, shape_kind.CARRIER]
    arm = _arm(model, bodies, a, i)
    centre = add(vec3.load(bodies, i, body.POSITION), arm)
    from_carrier = mat3.transposed_dot(
        mat3.load(bodies, j, body.ROTATION), sub(centre, vec3.load(bodies, j, body.POSITION))
    )
    x, y, z = mat3.transposed_dot(
        mat3.load(model.shape, b, shape.TURN), sub(from_carrier, vec3.load(model.shape, b, shape.PLACE))
    )
    bound, length, offset = model.shape[a, shape.BOUND], model.shape[b, shape.TERM], model.candidate_offset[c]
    gap = max(-x, x - length, abs(z - offset)) - bound
    if gap > 0.0:
        _anywhere(bodies, pairs, c, i, j, -gap, arm, centre, bound, bound + gap)
        return
    fixed = j == model.joint.shape[0]
    _near_strip(model.shape_kind, model.shape, bodies, pairs, c, a, b, i, j, fixed, centre, (x, y, z), offset)


@inner
def _near_strip(shape_kinds, shapes, bodies, pairs, c, a, b, i, j, fixed, centre, local, offset):
    """Write depth, normal and point of an ellipsoid near a line; `local` is its centre in the frame of the line [m]."""
    rotation_a = _turned(shape_kinds, shapes, bodies, a, i)
    rotation_b = _turned(shape_kinds, shapes, bodies, b, j)
    x, y, z = local
    depth, along, across, nx, nz = strip.touch(
        vec3.load(shapes, a, shape.TERM),
        mat3.transposed_product(rotation_b, rotation_a),
        (x, y, z - offset),
        shapes[b, shape.TERM],
        shape_kinds[b, shape_kind.FIRST],
    )
    # the bottom point, from the centre of the ellipsoid
    bottom = add(centre, mat3.dot(rotation_b, (along - x, across - y, offset - z)))
    normal = mat3.dot(rotation_b, (nx, 0.0, nz))
    _near(bodies, pairs, c, i, j, fixed, shapes[a, shape.BOUND], depth, normal, bottom)
    pairs[c, pair.CLOSING] = inf  # the depth at an end of the line may change at once
