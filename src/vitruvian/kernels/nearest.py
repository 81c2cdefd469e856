"""Depth and normal of two convex shapes, or of a shape and a point. SI units, world frame.

With h the support functions, n a unit vector from b towards a and c = c_a - c_b the vector between the centres,

    depth = min over n of phi(n),   phi(n) = h_a(n) + h_b(n) - n.c

is the least translation that parts two shapes that overlap, and minus the distance of two that do not. (All shapes are
their own mirror images, so h_a(-n) = h_a(n).) With w = x_a(n) + x_b(n) - c, the vector from the support point of a
against n to that of b along n: phi = n.w, the slope in the tangent plane is w - phi n, the second derivative
H_a + H_b - phi. Newton's method on the sphere of directions (absil2008, section 6.2), with a shift of the second
derivative (levenberg1944) where a step would not go down. At the minimum w = depth n.

Apart, phi has one minimum where it is negative. Overlapping, it can have several: a solution that is not far from the
guess is kept unless the direction from the metric of the two shapes leads lower; without a guess the axes of both
shapes and their cross products are starts too.
"""

from math import sqrt

from .._jit import inlined, inner, kernel
from . import mat3, support, vec3
from .layout import shape
from .vec3 import add, axpy, cross, dot, scale, sub

LIMIT = 200  # evaluations of one descent; a few are usual
CLOSE = 1e-14  # square of the last step [rad2]: the error after it is of the order of this
EPSILON = 2.3e-16  # spacing of numbers at one
LEAST_CURVATURE = 1e-9  # share of the size below which a negative curvature is rounding
SEARCH = 1.5  # a start higher than this times the best depth is not followed
ESCAPE = 0.3  # [rad], the step away from a saddle


@kernel
def ellipsoids(axes_a, rotation_a, axes_b, rotation_b, between, guess):
    """Depth [m], unit normal from b to a, and the number of evaluations, of two ellipsoids.

    axes_a, axes_b          semi-axes [m]
    rotation_a, rotation_b  shape to world, nine entries
    between                 from the centre of b to that of a [m]
    guess                   normal of a neighbouring pose, or zeros
    """
    form_a = mat3.rotated_diagonal(rotation_a, (axes_a[0] * axes_a[0], axes_a[1] * axes_a[1], axes_a[2] * axes_a[2]))
    form_b = mat3.rotated_diagonal(rotation_b, (axes_b[0] * axes_b[0], axes_b[1] * axes_b[1], axes_b[2] * axes_b[2]))
    size = sqrt(_trace(form_a)) + sqrt(_trace(form_b)) + vec3.norm(between)
    cold = dot(guess, guess) == 0.0
    start = guess
    if cold:
        start = _metric(mat3.sym_add(form_a, form_b), between)
    depth, normal, count = _ellipsoids_from(form_a, form_b, between, size, start)
    if depth <= 0.0:
        return depth, normal, count
    # without a guess every start that is not much higher, else only the metric's if it is lower
    ceiling = SEARCH * depth if cold else depth
    for k in range(1 if cold else 0, 16 if cold else 1):
        start = _start(k, rotation_a, rotation_b, between)
        if k == 0:
            start = _metric(mat3.sym_add(form_a, form_b), between)
        if _ellipsoids_phi(form_a, form_b, between, start) >= ceiling:
            continue
        other, direction, more = _ellipsoids_from(form_a, form_b, between, size, start)
        count += more
        if other < depth - 4.0 * EPSILON * size:
            depth, normal = other, direction
    return depth, normal, count


@kernel
def convex(shape_kind, shapes, a, b, rotation_a, rotation_b, between, guess):
    """Depth [m], unit normal from b to a, and the number of evaluations, of shapes a and b of the support family.

    shape_kind, shape       tables of the model
    rotation_a, rotation_b  shape to world, nine entries
    between                 from the centre of b to that of a [m]
    guess                   normal of a neighbouring pose, or zeros
    """
    return _convex(shape_kind, shapes, a, b, rotation_a, rotation_b, between, guess)


@kernel
def to_point(shape_kind, shapes, a, rotation_a, between, guess):
    """Depth [m] of a point in shape a, unit normal from the point to a, and the number of evaluations.

    between  from the point to the centre of a [m]
    guess    normal of a neighbouring pose, or zeros
    """
    return _convex(shape_kind, shapes, a, -1, rotation_a, rotation_a, between, guess)


@inner
def to_point_from(shape_kind, shapes, a, rotation_a, between, start):
    """Return depth [m], unit normal and number of evaluations of a point in shape a, at the local minimum from a start.

    Another local minimum may be lower. Arguments as in `to_point`.
    """
    size = vec3.norm(support.extent(shapes, a)) + vec3.norm(between)
    return _convex_from(shape_kind, shapes, a, -1, rotation_a, rotation_a, between, size, start)


@kernel
def middle(shape_kind, shapes, b, rotation_b, centre_b, depth, normal):
    """The point half way between the support points of two shapes at their nearest [m]: x_b - depth n / 2."""
    _, x = support.point(shape_kind, shapes, b, mat3.transposed_dot(rotation_b, normal))
    return axpy(-0.5 * depth, normal, add(centre_b, mat3.dot(rotation_b, x)))


# --- one step of the descent


@inlined
def _step(p, q, a, b, c, shift, size):
    """Step (d, e) in the tangent plane [rad] for the slope (p, q) and the second derivative (a b; b c) [m]."""
    det = a * c - b * b
    if shift == 0.0 and a > 0.0 and det > 0.0:
        d, e = (b * q - c * p) / det, (b * p - a * q) / det
        if d * d + e * e <= 1.0:
            return d, e
    slope = sqrt(p * p + q * q)
    spread = sqrt(0.25 * (a - c) * (a - c) + b * b)
    low = 0.5 * (a + c) - spread
    if slope <= 4.0 * EPSILON * size:
        if low >= -LEAST_CURVATURE * size:
            return 0.0, 0.0
        # a saddle or a top: leave along the direction of lowest curvature
        d, e = b, low - a
        if abs(low - c) > abs(e):
            d, e = low - c, b
        length = sqrt(d * d + e * e)
        if length == 0.0:
            return ESCAPE, 0.0
        return ESCAPE * d / length, ESCAPE * e / length
    # the shift makes it positive definite and the step no longer than one
    least = max(low + shift, slope)
    shift = least - low
    det = least * (least + 2.0 * spread)
    return (b * q - (c + shift) * p) / det, (b * p - (a + shift) * q) / det


@inlined
def _tangents(n):
    """Two unit vectors across the unit vector n and each other, without a case to choose (duff2017)."""
    sign = 1.0 if n[2] >= 0.0 else -1.0
    a = -1.0 / (sign + n[2])
    b = n[0] * n[1] * a
    return (1.0 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]), (b, sign + n[1] * n[1] * a, -n[1])


@inlined
def _trace(s):
    """Sum of the diagonal of a symmetric matrix."""
    return s[0] + s[3] + s[5]


@inlined
def _metric(form, between):
    """Unit normal at `between` of the ellipsoid x' form^-1 x = const; upwards if the centres meet."""
    direction = mat3.sym_dot(mat3.sym_inverse(form), between)
    length = vec3.norm(direction)
    if not 0.0 < length < 1e300:
        return 0.0, 0.0, 1.0
    return scale(1.0 / length, direction)


@inner
def _form(shapes, a, b, rotation_a, rotation_b):
    """The form R S^2 R' of ellipsoids of the size of two shapes, and their sum; b < 0 is a point."""
    x, y, z = support.extent(shapes, a)
    form = mat3.rotated_diagonal(rotation_a, (x * x, y * y, z * z))
    if b >= 0:
        x, y, z = support.extent(shapes, b)
        form = mat3.sym_add(form, mat3.rotated_diagonal(rotation_b, (x * x, y * y, z * z)))
    return form


@inner
def _start(k, rotation_a, rotation_b, between):
    """Direction number k of 1 to 15 to start from: the axes of both shapes and their cross products."""
    if k <= 3:
        n = mat3.column(rotation_a, max(k - 1, 0))
    elif k <= 6:
        n = mat3.column(rotation_b, k - 4)
    else:
        n = cross(mat3.column(rotation_a, (k - 7) // 3), mat3.column(rotation_b, (k - 7) % 3))
        if dot(n, n) < 1e-4:
            n = mat3.column(rotation_a, (k - 7) // 3)
    if dot(n, between) < 0.0:
        n = scale(-1.0, n)
    return vec3.unit(n)


# --- descents; each differs only in how it evaluates phi


@inlined
def _ellipsoids_phi(form_a, form_b, between, n):
    """phi [m] of two ellipsoids with the forms R S^2 R'."""
    return sqrt(dot(n, mat3.sym_dot(form_a, n))) + sqrt(dot(n, mat3.sym_dot(form_b, n))) - dot(n, between)


@inlined
def _ellipsoids_all(form_a, form_b, between, n, t, u):
    """phi, its slope along t and u, and H_a + H_b - phi [m]."""
    y, z = mat3.sym_dot(form_a, n), mat3.sym_dot(form_b, n)
    r, s = 1.0 / sqrt(dot(n, y)), 1.0 / sqrt(dot(n, z))
    x, y = scale(r, y), scale(s, z)
    w = sub(add(x, y), between)
    phi = dot(n, w)
    form = mat3.sym_add(mat3.sym_scale(r, form_a), mat3.sym_scale(s, form_b))
    along, across = mat3.sym_dot(form, t), mat3.sym_dot(form, u)
    xt, xu, yt, yu = dot(x, t), dot(x, u), dot(y, t), dot(y, u)
    return (
        phi,
        dot(w, t),
        dot(w, u),
        dot(t, along) - r * xt * xt - s * yt * yt - phi,
        dot(t, across) - r * xt * xu - s * yt * yu,
        dot(u, across) - r * xu * xu - s * yu * yu - phi,
    )


@inner
def _ellipsoids_from(form_a, form_b, between, size, start):
    """Local minimum of phi that a start leads to: depth [m], normal, evaluations."""
    n = vec3.unit(start)
    t, u = _tangents(n)
    phi, p, q, a, b, c = _ellipsoids_all(form_a, form_b, between, n, t, u)
    shift = 0.0
    for k in range(1, LIMIT):
        d, e = _step(p, q, a, b, c, shift, size)
        change, square = p * d + q * e, d * d + e * e
        trial = vec3.unit(add(n, add(scale(d, t), scale(e, u))))
        if square < CLOSE:
            return phi + 0.5 * change, trial, k
        along, across = _tangents(trial)
        value, slope_p, slope_q, aa, bb, cc = _ellipsoids_all(form_a, form_b, between, trial, along, across)
        if value <= phi + 1e-4 * change + 4.0 * EPSILON * size:
            shift = _relaxed(shift, value - phi, change)
            n, t, u, phi, p, q, a, b, c = trial, along, across, value, slope_p, slope_q, aa, bb, cc
        else:
            shift = _shortened(p, q, a, b, c, square)
    return phi, n, LIMIT


@inlined
def _relaxed(shift, change, expected):
    """The shift after a step that was taken: none if the step did at least a quarter of what its slope promised."""
    return 0.0 if change <= 0.25 * expected else 0.25 * shift


@inlined
def _shortened(p, q, a, b, c, square):
    """The shift that makes the step a quarter as long, or shorter."""
    low = 0.5 * (a + c) - sqrt(0.25 * (a - c) * (a - c) + b * b)
    return max(4.0 * sqrt((p * p + q * q) / square) - low, 0.0)


@inlined
def _convex_phi(shape_kind, shapes, a, b, rotation_a, rotation_b, between, n):
    """phi [m] of two shapes; b < 0 is a point."""
    h, _ = support.point(shape_kind, shapes, a, mat3.transposed_dot(rotation_a, n))
    if b >= 0:
        h += support.point(shape_kind, shapes, b, mat3.transposed_dot(rotation_b, n))[0]
    return h - dot(n, between)


@inner
def _convex_all(shape_kind, shapes, a, b, rotation_a, rotation_b, between, n, t, u):
    """phi, its slope along t and u, and H_a + H_b - phi [m]; b < 0 is a point."""
    _, x, tt, tu, uu = support.curved(
        shape_kind,
        shapes,
        a,
        mat3.transposed_dot(rotation_a, n),
        mat3.transposed_dot(rotation_a, t),
        mat3.transposed_dot(rotation_a, u),
    )
    w = sub(mat3.dot(rotation_a, x), between)
    if b >= 0:
        _, y, more_tt, more_tu, more_uu = support.curved(
            shape_kind,
            shapes,
            b,
            mat3.transposed_dot(rotation_b, n),
            mat3.transposed_dot(rotation_b, t),
            mat3.transposed_dot(rotation_b, u),
        )
        w = add(w, mat3.dot(rotation_b, y))
        tt, tu, uu = tt + more_tt, tu + more_tu, uu + more_uu
    phi = dot(n, w)
    return phi, dot(w, t), dot(w, u), tt - phi, tu, uu - phi


@inner
def _convex_from(shape_kind, shapes, a, b, rotation_a, rotation_b, between, size, start):
    """Local minimum of phi that a start leads to: depth [m], normal, evaluations."""
    n = vec3.unit(start)
    t, u = _tangents(n)
    phi, p, q, tt, tu, uu = _convex_all(shape_kind, shapes, a, b, rotation_a, rotation_b, between, n, t, u)
    shift = 0.0
    for k in range(1, LIMIT):
        d, e = _step(p, q, tt, tu, uu, shift, size)
        change, square = p * d + q * e, d * d + e * e
        trial = vec3.unit(add(n, add(scale(d, t), scale(e, u))))
        if square < CLOSE:
            return phi + 0.5 * change, trial, k
        along, across = _tangents(trial)
        value, slope_p, slope_q, aa, bb, cc = _convex_all(
            shape_kind, shapes, a, b, rotation_a, rotation_b, between, trial, along, across
        )
        if value <= phi + 1e-4 * change + 4.0 * EPSILON * size:
            shift = _relaxed(shift, value - phi, change)
            n, t, u, phi, p, q, tt, tu, uu = trial, along, across, value, slope_p, slope_q, aa, bb, cc
        else:
            shift = _shortened(p, q, tt, tu, uu, square)
    return phi, n, LIMIT


@inner
def _convex(shape_kind, shapes, a, b, rotation_a, rotation_b, between, guess):
    """Depth [m], normal, evaluations of two shapes; b < 0 is a point."""
    size = shapes[a, shape.BOUND] + vec3.norm(between)
    if b >= 0:
        size += shapes[b, shape.BOUND]
    cold = dot(guess, guess) == 0.0
    start = guess
    if cold:
        start = _metric(_form(shapes, a, b, rotation_a, rotation_b), between)
    depth, normal, count = _convex_from(shape_kind, shapes, a, b, rotation_a, rotation_b, between, size, start)
    if depth <= 0.0:
        return depth, normal, count
    # without a guess every start that is not much higher, else only the metric's if it is lower
    ceiling = SEARCH * depth if cold else depth
    for k in range(1 if cold else 0, 16 if cold else 1):
        start = _start(k, rotation_a, rotation_b, between)
        if k == 0:
            start = _metric(_form(shapes, a, b, rotation_a, rotation_b), between)
        if _convex_phi(shape_kind, shapes, a, b, rotation_a, rotation_b, between, start) >= ceiling:
            continue
        low, direction, more = _convex_from(shape_kind, shapes, a, b, rotation_a, rotation_b, between, size, start)
        count += more
        if low < depth - 4.0 * EPSILON * size:
            depth, normal = low, direction
    return depth, normal, count
