"""A convex shape against a surface of facets with edges and corners. SI units, frame of the surface.

A surface is split into patches, a patch into convex pieces (`model.pieces`). A piece is the face of a convex solid: its
facets have one normal each, its edges an arc of normals between those of both sides, its corners the normals between
arcs. At the rim of a piece the arc ends at the wall that bounds the solid, across the facet or beyond. With S
the normals of a piece and p(n) its point farthest along n,

    depth of the piece = min over n in S of phi(n),   phi(n) = h(n) - n.(c - p(n))
    depth of the patch = largest depth of its pieces

h is the support function of the shape and c its centre. S and p do not depend on the pose, so both depths are
continuous functions of it, and their gradient is that of phi at the n that is found: by translation -n, by rotation the
moment of n at the support point. An elastic contact has a potential.

Facets first. Then only arcs that could hold a lower value: with y the support point found so far,
phi(n) >= n.(p - y) for every n, in closed form along an arc. Then corners beyond whose edge's end the shape
touches.

A shape that is deeper than the sum of the edge radius and its own radius of curvature finds two equally short ways out,
between which the normal would jump. So the edges of a solid with an edge radius r become rounder with the depth
(`rounder`), and the depth D solves

    D = min over n of [phi(n) + d(D) (1 - n.q)]

An edge moves inwards by d q, and its radius is r + d. n.q = 1 for normals of the profile, whose sides stay in place; it
is less for underside and inner walls (`model.solid`), from which a deep shape is thus farther away. As long as r + d
exceeds D minus the radius of curvature of the shape, there is one way out and no jump of the normal. The gradient of D
by translation is -n / (1 + d'(D) (n.q - 1)), so an elastic contact keeps its potential.
"""

from math import sqrt

import numpy as np

from .._jit import inlined, inner
from . import mat3, nearest, support, vec3
from .layout import arc, corner, facet, shape, shape_kind, shape_type, tree_node
from .vec3 import add, cross, dot, scale, sub

FAR = 1e300
ROUND_OFF = 1e-14  # [m]
LIMIT = 60  # iterations for a minimum on an arc; a few are usual
CLOSE = 1e-7  # last step of Newton's method [rad]; the error after it is of the order of its square
NEAR = 1.4143  # a shape touches no piece that is farther from its centre than this times its bounding radius
SETTLED = 1e-7  # last change of the radius of rounder edges [m]; the error of the depth is of the order of its square
OUTWARDS = 2.0  # most by which a wall gains in depth by rounder edges, over their increase [-]
LATE = 0.75  # depth from which edges become rounder, over their radius [-]
CUTS = 1  # bounds along the arcs of a piece before a search along one
APART = 0.25  # share of the bounding radius: a gap of more than this need not be known better than between boxes
NOWHERE = np.int64(-1)  # no node


@inlined
def touch(facets, link, shape_kinds, shapes, a, root, rotation, centre, margin, guess):
    """Depth [m], unit normal from the surface to the shape, support point of the shape [m], row of the nearest piece's
    node.

    facet, link  tables of the surfaces
    a            row of the shape in shape_kind and shape
    root         row of the patch's root
    rotation     shape to surface, nine entries
    centre       of the shape [m]
    margin       [m]: a gap of more than this is not found exactly
    guess        the row from a neighbouring pose, or -1: it saves time and changes nothing

    Where the patch is beyond the margin, the depth is minus a lower bound of the gap; where it is far, the row is -1.
    """
    gap = apart(facets, root, centre, shapes[a, shape.BOUND])
    if gap > 0.0:
        return -gap, (0.0, 0.0, 1.0), centre, NOWHERE
    backing = facets[root, tree_node.BACKING]
    depth, normal, point, place, _ = near(
        facets, link, shape_kinds, shapes, a, root, rotation, centre, margin, guess, backing, -FAR, 0.0
    )
    return depth, normal, point, place


@inlined
def sharp(facets, root):
    """Depth [m] up to which the edges of a solid are as they are."""
    return LATE * facets[root, tree_node.ROUNDING] if facets[root, tree_node.ROUNDEST] > 0.0 else FAR


@inlined
def rounder(facets, root, depth):
    """Return by how much the edge radius of a solid has grown at a depth [m], and the slope by depth [-].

    From 5/4 of the radius on the new radius is the depth, until it has grown by ROUNDEST; both ends are ramps.
    """
    if depth <= sharp(facets, root):
        return 0.0, 0.0
    radius, most = facets[root, tree_node.ROUNDING], facets[root, tree_node.ROUNDEST]
    ramp, x = min(2.0 * (1.0 - LATE) * radius, most), depth - LATE * radius
    if x < ramp:
        return 0.5 * x * x / ramp, x / ramp
    if x < most:
        return x - 0.5 * ramp, 1.0
    rest = max(0.0, most + ramp - x)
    return most - 0.5 * rest * rest / ramp, rest / ramp


@inner
def settle_depth(facets, link, shape_kinds, shapes, a, root, rotation, centre, guess, depth):
    """Return depth [m], normal, support point [m], row, and slope of the depth by motion along the normal [-], of a
    shape in a solid whose edges become rounder with the depth.

    depth  to begin with [m]; other arguments as in `near`

    Newton's method, first with the normal found, then with the normal at the new radius. The depth at a radius is
    the least of functions with slopes below 1 by the radius, so every step brings it nearer.
    """
    more, slope = rounder(facets, root, depth)
    for _ in range(LIMIT):
        depth, normal, point, guess, by_more = near(
            facets, link, shape_kinds, shapes, a, root, rotation, centre, 0.0, guess, FAR, -FAR, more
        )
        before, found = more, depth
        for _ in range(LIMIT):
            more, slope = rounder(facets, root, depth)
            step = (found + by_more * (more - before) - depth) / (1.0 - by_more * slope)
            depth += step
            if abs(step) < ROUND_OFF:
                break
        if abs(more - before) < SETTLED:
            break
    return depth, normal, point, guess, 1.0 / (1.0 - by_more * slope)


@inlined
def apart(facets, root, centre, bound):
    """Gap between the box of a patch and the ball about a shape [m] where it is too far to touch, else 0."""
    gap = _box_distance(facets, root, centre)
    return (
        gap - bound - facets[root, tree_node.ROUNDING] if gap > NEAR * bound + facets[root, tree_node.ROUNDING] else 0.0
    )


@inlined
def near(facets, link, shape_kinds, shapes, a, root, rotation, centre, margin, guess, backing, floor, more):
    """Return depth [m], normal, support point [m] and row of a patch that is near, solid to a depth `backing` [m], and
    the slope of the depth by `more` [-].

    more  by which the edges of a solid are rounder than its edge radius [m]

    Other arguments as in `touch`. If no depth is above `floor` [m], any depth up to it is returned.

    A shape that entered the patch from outside finds it solid to any depth: with a backing of FAR no piece of it is
    skipped for being far from the centre of the shape.
    """
    bound, rounding = shapes[a, shape.BOUND], facets[root, tree_node.ROUNDING]
    within = NEAR * bound + rounding if backing < FAR else FAR
    form = _form(shapes, a, rotation)
    margin += rounding
    half = _half_sides(shape_kinds, shapes, a, rotation, form)
    clear = max(margin, APART * bound)
    passed = -FAR
    # the floor is a depth of the rounded surface
    depth, normal, reach, place, by_more = floor - rounding, (0.0, 0.0, 1.0), (0.0, 0.0, 0.0), NOWHERE, 0.0
    node, end = root, link[root, tree_node.SKIP]
    if root <= guess < end:
        depth, normal, reach, by_more = _piece(
            facets, link, shape_kinds, shapes, a, guess, rotation, form, centre, backing, margin, -FAR, more
        )
        place = guess
    while node < end:
        # no piece below is deeper than phi at a normal that all of them have
        least = OUTWARDS * more - _box_gap(facets, link, node, centre, half)
        gap = _box_distance(facets, node, centre)
        if gap > within:
            least = min(least, bound - gap)
        elif least > max(depth, -clear):
            if link[node, tree_node.FACETS] >= 0 and node != guess:
                value, n, x, slope = _piece(
                    facets,
                    link,
                    shape_kinds,
                    shapes,
                    a,
                    node,
                    rotation,
                    form,
                    centre,
                    backing,
                    margin,
                    depth + ROUND_OFF,
                    more,
                )
                if value > depth:
                    depth, normal, reach, place, by_more = value, n, x, node, slope
            node += 1
            continue
        passed = max(passed, least)
        node = link[node, tree_node.SKIP]
    return max(depth, passed) + rounding, normal, sub(centre, reach), place, by_more


@inner
def overlap(facets, one, other, bound):
    """How far two patches of a surface share the load of one shape: 1 wholly, 0 not at all.

    one, other  rows of their roots
    bound       radius about the shape [m]

    It does not depend on the pose, so that a potential with it stays one. Patches on a ridge, where each lies behind
    the other, share. In a valley they share if it is flat: the angle between the mean normals decides. Patches that are
    farther from each other than the shape is large touch it in different places and do not share.
    """
    a, b = vec3.load(facets, one, tree_node.MEAN_NORMAL), vec3.load(facets, other, tree_node.MEAN_NORMAL)
    low_a, high_a = vec3.load(facets, one, tree_node.BOX_LOW), vec3.load(facets, one, tree_node.BOX_HIGH)
    low_b, high_b = vec3.load(facets, other, tree_node.BOX_LOW), vec3.load(facets, other, tree_node.BOX_HIGH)
    gap = 0.0
    for i in range(3):
        side = max(low_a[i] - high_b[i], 0.0, low_b[i] - high_a[i])
        gap += side * side
    near_by = _smooth(2.0 - sqrt(gap) / bound)
    between = sub(vec3.load(facets, other, tree_node.MIDDLE), vec3.load(facets, one, tree_node.MIDDLE))
    if dot(a, between) <= ROUND_OFF and dot(b, between) >= -ROUND_OFF:
        return near_by
    apart_cosine, shared_cosine = facets[one, tree_node.APART_COSINE], facets[one, tree_node.SHARED_COSINE]
    return near_by * _smooth((dot(a, b) - apart_cosine) / (shared_cosine - apart_cosine))


@inlined
def _smooth(x):
    """A step from 0 at x = 0 to 1 at x = 1 with flat ends."""
    x = min(1.0, max(0.0, x))
    return x * x * (3.0 - 2.0 * x)


@inlined
def _box_gap(facets, link, k, centre, half):
    """Largest gap between box k and the box about a shape along an axis that is a normal of all pieces in it [m]."""
    low, high = vec3.load(facets, k, tree_node.BOX_LOW), vec3.load(facets, k, tree_node.BOX_HIGH)
    sides = link[k, tree_node.SIDES]
    gap = -FAR
    for i in range(3):
        if sides & (1 << (2 * i)):
            gap = max(gap, low[i] - centre[i] - half[i])
        if sides & (2 << (2 * i)):
            gap = max(gap, centre[i] - high[i] - half[i])
    return gap


@inlined
def _box_distance(box, k, point):
    """Distance of a point from box k [m]; 0 inside."""
    low, high = vec3.load(box, k, tree_node.BOX_LOW), vec3.load(box, k, tree_node.BOX_HIGH)
    x = max(low[0] - point[0], 0.0, point[0] - high[0])
    y = max(low[1] - point[1], 0.0, point[1] - high[1])
    z = max(low[2] - point[2], 0.0, point[2] - high[2])
    return sqrt(x * x + y * y + z * z)


@inlined
def _form(shapes, a, rotation):
    """R S^2 R' of an ellipsoid in the frame of the surface [m2]: six entries."""
    axes = vec3.load(shapes, a, shape.TERM)
    return mat3.rotated_diagonal(rotation, (axes[0] * axes[0], axes[1] * axes[1], axes[2] * axes[2]))


@inlined
def _half_sides(shape_kinds, shapes, a, rotation, form):
    """Half the sides [m] of the box about a shape, along the axes of the surface."""
    if shape_kinds[a, shape_kind.CODE] == shape_type.ELLIPSOID:
        return sqrt(form[0]), sqrt(form[3]), sqrt(form[5])
    return (
        _any_support(shape_kinds, shapes, a, rotation, (1.0, 0.0, 0.0))[0],
        _any_support(shape_kinds, shapes, a, rotation, (0.0, 1.0, 0.0))[0],
        _any_support(shape_kinds, shapes, a, rotation, (0.0, 0.0, 1.0))[0],
    )


@inlined
def _extent(shape_kinds, shapes, a, rotation, form, n):
    """Support value [m] along n, in the frame of the surface."""
    if shape_kinds[a, shape_kind.CODE] == shape_type.ELLIPSOID:
        return sqrt(dot(n, mat3.sym_dot(form, n)))
    return _any_support(shape_kinds, shapes, a, rotation, n)[0]


@inlined
def _support(shape_kinds, shapes, a, rotation, form, n):
    """Support value [m] and support point from the centre [m] along n, in the frame of the surface."""
    if shape_kinds[a, shape_kind.CODE] == shape_type.ELLIPSOID:
        y = mat3.sym_dot(form, n)
        h = sqrt(dot(n, y))
        return h, scale(1.0 / h, y)
    return _any_support(shape_kinds, shapes, a, rotation, n)


@inner
def _any_support(shape_kinds, shapes, a, rotation, n):
    """Return support value [m] and support point from the centre [m] of any shape along n, in the surface's frame."""
    h, x = support.point(shape_kinds, shapes, a, mat3.transposed_dot(rotation, n))
    return h, mat3.dot(rotation, x)


@inlined
def _curved(shape_kinds, shapes, a, rotation, form, n, t):
    """Return support value [m], support point from the centre [m] and curvature t'Ht [m] along t across n."""
    if shape_kinds[a, shape_kind.CODE] == shape_type.ELLIPSOID:
        h, x = _support(shape_kinds, shapes, a, rotation, form, n)
        along = dot(x, t)
        return h, x, (dot(t, mat3.sym_dot(form, t)) - along * along) / h
    local_n, local_t = mat3.transposed_dot(rotation, n), mat3.transposed_dot(rotation, t)
    h, x, bend, _, _ = support.curved(shape_kinds, shapes, a, local_n, local_t, local_t)
    return h, mat3.dot(rotation, x), bend


@inlined
def _piece(facets, link, shape_kinds, shapes, a, node, rotation, form, centre, backing, margin, enough, more):
    """Depth [m], normal and support point from the centre [m] of the piece of a leaf, slope by `more` [m] [-]; any
    depth not above `enough` [m] if there is no more."""
    low, lowest_facet, behind, back_facet = FAR, NOWHERE, FAR, NOWHERE
    for f in range(link[node, tree_node.FACETS], link[node, tree_node.ARCS]):
        n = vec3.load(facets, f, facet.NORMAL)
        h = _extent(shape_kinds, shapes, a, rotation, form, n)
        phi = h - dot(n, centre) + facets[f, facet.LEVEL] - more * facets[f, facet.SHIFT]
        if phi - max(2.0 * h, backing) < behind:
            behind, back_facet = phi - max(2.0 * h, backing), f
        if phi < low:
            low, lowest_facet = phi, f
            if low <= enough:
                break
    if behind > 0.0 and low > enough:
        # the whole shape is behind all facets, and deeper than the surface is solid: the gap to its coming through
        back = vec3.load(facets, back_facet, facet.NORMAL)
        front = _support(shape_kinds, shapes, a, rotation, form, back)[1]
        return -behind, scale(-1.0, back), scale(-1.0, front), 0.0
    normal, by_more = vec3.load(facets, lowest_facet, facet.NORMAL), -facets[lowest_facet, facet.SHIFT]
    reach = _support(shape_kinds, shapes, a, rotation, form, normal)[1]
    if low <= enough:
        return low, normal, reach, by_more
    # cuts: phi at the place of an arc where it can be lowest, which gives the next bound
    y = last = sub(centre, reach)
    lowest = NOWHERE
    for _ in range(CUTS):
        least, lowest = low - more - ROUND_OFF, NOWHERE
        for k in range(link[node, tree_node.ARCS], link[node, tree_node.ARCS_END]):
            value = _least(facets, k, last, more)
            if value < least:
                least, lowest = value, k
        if lowest == NOWHERE:
            return low, normal, reach, by_more
        n = _lowest(facets, lowest, last, more)
        h, x = _support(shape_kinds, shapes, a, rotation, form, n)
        phi = h - dot(n, sub(centre, _edge_point(facets, lowest, more))) + more
        last = sub(centre, x)
        if phi < low:
            low, normal, reach, y, by_more = phi, n, x, last, _slope(facets, lowest, arc.SHIFT, n)
            if low <= enough:
                return low, normal, reach, by_more
    if low <= -margin:
        return low, normal, reach, by_more
    # whole arcs and corners, the most promising arc first
    begin, end = link[node, tree_node.ARCS], link[node, tree_node.ARCS_END]
    for i in range(begin - 1, end):
        k = lowest if i < begin else i
        if i >= begin and k == lowest:
            continue
        least = low - more - ROUND_OFF
        if _least(facets, k, y, more) < least and (y == last or _least(facets, k, last, more) < least):
            before = low
            low, normal, reach, by_more = _arc(
                facets, link, shape_kinds, shapes, a, k, rotation, form, centre, low - more, normal, reach, by_more,
                enough - more, more,
            )  # fmt: skip
            low += more
            if low <= enough:
                break
            if low < before:
                y = sub(centre, reach)
    return low, normal, reach, by_more


@inlined
def _edge_point(facets, k, more):
    """First end [m] of the edge of arc k, whose radius has grown by `more` [m]."""
    if more == 0.0:
        return vec3.load(facets, k, arc.POINT)
    return sub(vec3.load(facets, k, arc.POINT), scale(more, vec3.load(facets, k, arc.SHIFT)))


@inlined
def _slope(facets, k, column, n):
    """Slope of phi by the radius of an edge or a corner [-]: 1 - n.q, with q in the row k from a column on."""
    return 1.0 - dot(n, vec3.load(facets, k, column))


@inlined
def _least(facets, k, y, more):
    """Least of n.(p - y) along arc k [m]."""
    between = sub(_edge_point(facets, k, more), y)
    along_u, along_w = dot(vec3.load(facets, k, arc.U), between), dot(vec3.load(facets, k, arc.W), between)
    c, s = facets[k, arc.COS], facets[k, arc.SIN]
    if along_w < 0.0 and along_w * c - along_u * s > 0.0:
        return -sqrt(along_u * along_u + along_w * along_w)
    return min(along_u, along_u * c + along_w * s)


@inlined
def _lowest(facets, k, y, more):
    """The n of arc k at which n.(p - y) is least."""
    u, w = vec3.load(facets, k, arc.U), vec3.load(facets, k, arc.W)
    between = sub(_edge_point(facets, k, more), y)
    along_u, along_w = dot(u, between), dot(w, between)
    c, s = facets[k, arc.COS], facets[k, arc.SIN]
    if along_w < 0.0 and along_w * c - along_u * s > 0.0:
        length = sqrt(along_u * along_u + along_w * along_w)
        c, s = -along_u / length, -along_w / length
    elif along_u < along_u * c + along_w * s:
        return u
    return add(scale(c, u), scale(s, w))


@inner
def _arc(facets, link, shape_kinds, shapes, a, k, rotation, form, centre, low, normal, reach, by_more, enough, more):
    """The least phi found so far and where, after a look at arc k and at the corner that the shape touches beyond.

    more  by which the radius of its edge has grown [m], of which `low` and `enough` know only what moves the edge
    """
    u, w = vec3.load(facets, k, arc.U), vec3.load(facets, k, arc.W)
    between = sub(centre, _edge_point(facets, k, more))
    count = int(facets[k, arc.STEPS])
    turn, side = facets[k, arc.STEP_COS], facets[k, arc.STEP_SIN]
    n, t, n_before, t_before = u, w, u, w
    best, best_normal, best_reach = FAR, normal, reach
    slope_before = 0.0
    for i in range(count + 1):
        if i > 0:
            n, t = add(scale(turn, n), scale(side, t)), sub(scale(turn, t), scale(side, n))
        h, x = _support(shape_kinds, shapes, a, rotation, form, n)
        phi, slope = h - dot(n, between), dot(t, sub(x, between))
        if phi < best:
            best, best_normal, best_reach = phi, n, x
        if i > 0 and slope_before < 0.0 < slope:
            phi, inside, x = _minimum(
                shape_kinds, shapes, a, rotation, form, between, n_before, t_before, side / turn, slope_before, slope
            )
            if phi < best:
                best, best_normal, best_reach = phi, inside, x
        n_before, t_before, slope_before = n, t, slope
    if best < low:
        low, normal, reach, by_more = best, best_normal, best_reach, _slope(facets, k, arc.SHIFT, best_normal)
        if low <= enough:
            return low, normal, reach, by_more
    # where along the edge the shape touches
    along = dot(cross(u, w), sub(between, best_reach))
    corner_row = NOWHERE
    if along < 0.0:
        corner_row = link[k, arc.FIRST]
    elif along > facets[k, arc.LENGTH] - more * facets[k, arc.SHORTER]:
        corner_row = link[k, arc.LAST]
    if corner_row >= 0:
        phi, n = _corner(facets, link, shape_kinds, shapes, a, corner_row, rotation, centre, best_normal, more)
        if phi < low:
            _, x = _support(shape_kinds, shapes, a, rotation, form, n)
            low, normal, reach, by_more = phi, n, x, _slope(facets, corner_row, corner.SHIFT, n)
    return low, normal, reach, by_more


@inner
def _minimum(shape_kinds, shapes, a, rotation, form, between, n, t, right, slope_left, slope_right):
    """Least phi [m] on a part of an arc with slopes of opposite sign at its ends, its normal and support point.

    The normals are those along n + s t, s from 0 to `right`. Newton's method in the angle with phi'' = t'Ht - phi;
    bisection where it would leave the bracket.
    """
    left, at = 0.0, -slope_left * right / (slope_right - slope_left)
    for _ in range(LIMIT):
        r = 1.0 / sqrt(1.0 + at * at)
        normal, tangent = scale(r, add(n, scale(at, t))), scale(r, sub(t, scale(at, n)))
        h, x, bend = _curved(shape_kinds, shapes, a, rotation, form, normal, tangent)
        phi, slope = h - dot(normal, between), dot(tangent, sub(x, between))
        if slope < 0.0:
            left = at
        else:
            right = at
        bend -= phi
        turn = -slope / bend if bend > 0.0 else 2.0
        new = (at + turn) / (1.0 - at * turn) if abs(turn) < 1.0 else 2.0
        if not left < new < right:
            new = 0.5 * (left + right)
        step, at = new - at, new
        if abs(step) < CLOSE:
            break
    normal = scale(1.0 / sqrt(1.0 + at * at), add(n, scale(at, t)))
    h, x = _support(shape_kinds, shapes, a, rotation, form, normal)
    return h - dot(normal, between), normal, x


@inner
def _corner(facets, link, shape_kinds, shapes, a, corner_row, rotation, centre, guess, more):
    """phi [m] and normal of the shape against a corner; FAR if the normal is not one of the corner's."""
    place = sub(vec3.load(facets, corner_row, corner.POINT), scale(more, vec3.load(facets, corner_row, corner.SHIFT)))
    between = sub(centre, place)
    phi, n = 0.0, guess
    outside = False
    if shape_kinds[a, shape_kind.CODE] == shape_type.ELLIPSOID:
        outside, n = _point_outside(vec3.load(shapes, a, shape.TERM), mat3.transposed_dot(rotation, between))
    if outside:
        h, _ = support.point(shape_kinds, shapes, a, n)
        n = mat3.dot(rotation, n)
        phi = h - dot(n, between)
    else:
        phi, n, _ = nearest.to_point_from(shape_kinds, shapes, a, rotation, between, guess)
    for side in range(corner_row + 1, link[corner_row, corner.END]):
        if dot(n, vec3.load(facets, side, 0)) > 1e-12:
            return FAR, n
    return phi, n


@inlined
def _point_outside(axes, between):
    """Whether a point lies outside an ellipsoid, and the unit vector from it to the nearest point, in the ellipsoid's
    frame.

    The nearest point solves sum (a_i p_i / (a_i^2 + l))^2 = 1 for l > 0; Newton's method on the inverse of its root,
    which is nearly straight and approached from below (more1983).

    axes     semi-axes [m]
    between  from the point to the centre [m]
    """
    s = axes[0] * axes[0], axes[1] * axes[1], axes[2] * axes[2]
    p = axes[0] * between[0], axes[1] * between[1], axes[2] * between[2]
    shift = 0.0
    for _ in range(LIMIT):
        d = 1.0 / (s[0] + shift), 1.0 / (s[1] + shift), 1.0 / (s[2] + shift)
        q = d[0] * p[0], d[1] * p[1], d[2] * p[2]
        length = vec3.norm(q)
        if length <= 1.0 + 1e-14:
            break
        bend = d[0] * q[0] * q[0] + d[1] * q[1] * q[1] + d[2] * q[2] * q[2]
        shift += length * length * (length - 1.0) / bend
    n = between[0] / (s[0] + shift), between[1] / (s[1] + shift), between[2] / (s[2] + shift)
    return shift > 0.0, scale(1.0 / max(vec3.norm(n), 1e-300), n)
