"""Resistance of the joints, from a potential: no work is done round a closed loop.

V = sum V_i(a_i), dV_i/da = k (a - rest) + (k_plus - k) max(0, a - limit_plus) - (k_minus - k) max(0, limit_minus - a)
    + a torque curve.

rotation_vector  a = components of the rotation vector theta of the child in the parent's joint frame; the moment on
                 the child is -J_l(theta)^-T dV/dtheta.
swing_twist      the limb axis d (z of the child) swings about the middle of its range, then twists about itself.
                 Limits act on the swing vector (x, y) and the twist. The inner spring of the swing is a smooth function
                 on the whole sphere: k (1 - d.z), with the difference of the two stiffnesses on d.x and d.y. Measured
                 from the middle of the range, the one place where a swing vector is not defined lies far outside it.
cone             the same, but the swing is limited by a cone about an axis (silva1997, section 5.2): a latitude that
                 depends on the longitude, beyond which a torque of third order grows.
coordinate       a = the joint's own angles and displacements.

Losses: damping c (1 + growth beyond a limit), and a dry torque m w / sqrt(w^2 + w_s^2) against the motion, which may
fade with the angle from the position at the start. Both are given to the step as a damping that is the secant of the
torque at the state, so they take energy from every motion, whatever the step.
"""

from math import atan2, cos, exp, pi, sin, sqrt

from .._jit import inlined, inner, kernel
from . import mat3, quaternion, vec3
from .rotation import arc_tangent
from .types import (
    ALIGNED,
    CENTRE,
    CONE,
    CONE_COSINE,
    CONE_FENCE,
    CONE_LEAST,
    CONE_SPLINE,
    CONE_TORQUE,
    CONE_WIDTH,
    COORDINATE,
    CURVE,
    CURVE_ANGLE,
    CURVE_ENERGY,
    CURVE_TORQUE,
    DAMPING,
    DRY,
    DRY_FADE,
    DRY_FROM,
    DRY_SPEED,
    ELASTIC,
    ENERGY,
    FAST,
    FIRST_Q,
    FIRST_V,
    FRAME_CHILD,
    FRAME_PARENT,
    LIMIT_DAMPING,
    LIMIT_MINUS,
    LIMIT_PLUS,
    NQ,
    ORIENTATION,
    PARENT,
    RESISTS,
    REST,
    ROTATION,
    ROTATION_VECTOR,
    SPIN,
    STIFF,
    STIFF_BEYOND,
    STIFFNESS,
    STIFFNESS_IN,
    STIFFNESS_MINUS,
    STIFFNESS_PLUS,
    SWING_MINUS,
    SWING_PLUS,
    VISCOSITY,
    X,
    Y,
    Z,
)
from .vec3 import add, axpy, cross, scale, sub

ZERO = (0.0, 0.0, 0.0)
QUARTER = 0.5 * pi


@inner
def resistance(model, body, q, v):
    """Elastic torque, damping, tangent stiffness and energy of every joint."""
    joint = model.joint
    for i in range(joint.shape[0]):
        if joint[i, RESISTS] > 0:
            for k in range(ELASTIC, ENERGY + 1):
                body[i, k] = 0.0
            body[i, FAST] = 1.0 if joint[i, RESISTS] == STIFF else 0.0
    for r in range(model.resistance.shape[0]):
        i = model.resistance_joint[r, 0]
        if model.resistance_joint[r, 1] == COORDINATE:
            _coordinate(
                model.resistance, model.curve, r, body, i, q, v, joint[i, FIRST_Q], joint[i, FIRST_V], joint[i, NQ]
            )
        else:
            _ball(joint, model.link, model.resistance, model.curve, model.resistance_joint[r, 1], body, r, i)


@inner
def _coordinate(value, curve, r, body, i, q, v, first_q, first_v, n):
    """Resistance along the joint's own coordinates."""
    for k in range(n):
        a = q[first_q + k]
        energy, slope, stiffness, more = axis_law(value, curve, r, k, a)
        body[i, ENERGY] += energy
        body[i, ELASTIC + k] -= slope
        body[i, STIFFNESS + k] += stiffness
        body[i, DAMPING + k] += value[r, VISCOSITY + k] + more
        if value[r, DRY] > 0.0:
            body[i, DAMPING + k] += dry_drag(value, r, abs(v[first_v + k]), abs(a - value[r, DRY_FROM + k]))


@inlined
def _ball(joint, link, value, curve, law, body, r, i):
    """Resistance of a spherical joint: the torque in world axes, damping and stiffness by axis of the joint frame."""
    p = joint[i, PARENT]
    parent = quaternion.load_row(body, p, ORIENTATION)
    child = quaternion.load_row(body, i, ORIENTATION)
    if joint[i, ALIGNED] == 0:
        parent = quaternion.product(parent, quaternion.load_row(link, i, FRAME_PARENT))
        child = quaternion.product(child, quaternion.load_row(link, i, FRAME_CHILD))
    relative = quaternion.product(quaternion.conjugate(parent), child)
    if law == ROTATION_VECTOR:
        energy, torque, stiffness, drag = rotation_vector_law(value, curve, r, relative)
    elif law == CONE:
        energy, torque, stiffness, drag = cone_law(value, r, relative)
    else:
        energy, torque, stiffness, drag = swing_twist_law(value, r, relative)
    if joint[i, RESISTS] == STIFF_BEYOND:
        # beyond a limit, where stiffness or damping is more than inside the range
        if stiffness != vec3.load(value, r, STIFFNESS_IN) or drag != ZERO:
            body[i, FAST] = 1.0
    drag = add(drag, vec3.load(value, r, VISCOSITY))
    if value[r, DRY] > 0.0:
        w = relative_spin(joint, body, i)
        held = quaternion.conjugate(quaternion.load_row(value, r, DRY_FROM))
        turn = quaternion.logarithm(quaternion.product(held, relative))
        dry = dry_drag(value, r, vec3.norm(w), vec3.norm(turn))
        drag = add(drag, (dry, dry, dry))
    axes = joint_axes(joint, link, body, i)
    body[i, ENERGY] += energy
    vec3.increase(body, i, ELASTIC, mat3.dot(axes, torque))
    vec3.increase(body, i, STIFFNESS, stiffness)
    vec3.increase(body, i, DAMPING, drag)


@inlined
def joint_axes(joint, link, body, i):
    """Axes of the joint frame of joint i, carried by the parent: a rotation matrix."""
    p = joint[i, PARENT]
    if joint[i, ALIGNED] == 1:
        return mat3.load(body, p, ROTATION)
    parent = quaternion.load_row(body, p, ORIENTATION)
    return quaternion.matrix(quaternion.product(parent, quaternion.load_row(link, i, FRAME_PARENT)))


@inlined
def dry_drag(value, r, speed, angle):
    """Secant damping [N m s/rad] of the dry torque at a speed [rad/s] and an angle from its start [rad].

    m / sqrt(w^2 + w_s^2), silva1997 eq. 20 regularised; m falls to zero over the angle DRY_FADE as 1 - 3 x^2 + 2 x^3.
    """
    torque, fade = value[r, DRY], value[r, DRY_FADE]
    if fade > 0.0:
        x = min(1.0, angle / fade)
        torque *= 1.0 - x * x * (3.0 - 2.0 * x)
    slip = value[r, DRY_SPEED]
    return torque / sqrt(speed * speed + slip * slip)


@inlined
def axis_law(value, curve, r, k, a):
    """Energy [J], slope dV/da [N m], stiffness [N m/rad] and damping beyond a limit of component k at a [rad]."""
    inner = value[r, STIFFNESS_IN + k]
    a0 = a - value[r, REST + k]
    more, slope, beyond = _beyond(value, r, k, a, value[r, LIMIT_MINUS + k], value[r, LIMIT_PLUS + k])
    energy, drag = 0.5 * (inner * a0 * a0 + slope * beyond), value[r, LIMIT_DAMPING + k] * abs(slope)
    stiffness = inner + more
    slope += inner * a0
    if value[r, CURVE + k] >= 0.0:
        held, torque, steepness = curve_law(curve, int(value[r, CURVE + k]), a)
        energy += held
        slope += torque
        stiffness += max(0.0, steepness)  # a falling curve is taken explicitly
    return energy, slope, stiffness, drag


@kernel
def curve_law(curve, first, a):
    """Energy [J], torque dV/da [N m] and its slope [N m/rad] of the curve that begins in a row, at a [rad].

    Beyond its last angles a curve goes on straight with the slope it has there.
    """
    n = int(curve[first, 0])
    if n == 0:
        return _exponentials(curve, first, a)
    row = first + 1
    while row < first + n and a >= curve[row + 1, CURVE_ANGLE]:
        row += 1
    x = a - curve[row, CURVE_ANGLE]
    c0, c1, c2, c3 = (
        curve[row, CURVE_TORQUE],
        curve[row, CURVE_TORQUE + 1],
        curve[row, CURVE_TORQUE + 2],
        curve[row, CURVE_TORQUE + 3],
    )
    energy = curve[row, CURVE_ENERGY] + x * (c0 + x * (c1 / 2.0 + x * (c2 / 3.0 + x * c3 / 4.0)))
    return energy, c0 + x * (c1 + x * (c2 + x * c3)), c1 + x * (2.0 * c2 + 3.0 * x * c3)


@inner
def _exponentials(curve, first, a):
    """The same of a sum of A exp(B (a - C)); B = 0 is a constant torque."""
    at = min(max(a, curve[first, 2]), curve[first, 3])
    energy, torque, slope = -curve[first, 4], 0.0, 0.0
    for row in range(first + 1, first + 1 + int(curve[first, 1])):
        rate = curve[row, 1]
        part = curve[row, 0] * exp(rate * (at - curve[row, 2]))
        energy += part / rate if rate != 0.0 else part * at
        torque += part
        slope += rate * part
    x = a - at
    return energy + x * (torque + 0.5 * slope * x), torque + slope * x, slope


@inlined
def _beyond(value, r, k, a, lower, upper):
    """What a limit adds to component k at a [rad]: stiffness, slope, and the angle beyond the limit."""
    if a > upper:
        more, beyond = value[r, STIFFNESS_PLUS + k] - value[r, STIFFNESS_IN + k], a - upper
    elif a < lower:
        more, beyond = value[r, STIFFNESS_MINUS + k] - value[r, STIFFNESS_IN + k], a - lower
    else:
        return 0.0, 0.0, 0.0
    return more, more * beyond, beyond


@inlined
def rotation_vector_law(value, curve, r, relative):
    """Energy [J], torque on the child in the parent's joint frame [N m], stiffness and damping of limits by component.

    torque = -J_l(theta)^-T g,  J_l^-T g = g + theta x g / 2 + c theta x (theta x g),  c = (1 - (t/2) cot(t/2)) / t^2
    """
    w, x, y, z = relative
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    e = sqrt(x * x + y * y + z * z)
    if e > 1e-3 * w:
        half = arc_tangent(e, w)
        ratio = half / e
        s, c = 2.0 * ratio, (1.0 - ratio * w) / (4.0 * half * half)
    else:
        tangent2 = (e / w) ** 2
        s, c = 2.0 / w * (1.0 - tangent2 / 3.0 + tangent2 * tangent2 / 5.0), 1.0 / 12.0 + tangent2 / 180.0
    theta = (s * x, s * y, s * z)
    ex, gx, kx, cx = axis_law(value, curve, r, X, theta[0])
    ey, gy, ky, cy = axis_law(value, curve, r, Y, theta[1])
    ez, gz, kz, cz = axis_law(value, curve, r, Z, theta[2])
    slope = (gx, gy, gz)
    first = cross(theta, slope)
    torque = axpy(-c, cross(theta, first), axpy(-0.5, first, scale(-1.0, slope)))
    return ex + ey + ez, torque, (kx, ky, kz), (cx, cy, cz)


@inlined
def swing_twist_law(value, r, relative):
    """Energy [J], torque on the child in the parent's joint frame [N m], stiffness and damping of limits by its axes.

    With d the limb axis, g = dV/dd and t the twist: torque = -d x g - dV/dt (z + d)/(1 + d.z), the limits in the frame
    of the middle of the range.
    """
    centre = quaternion.load_row(value, r, CENTRE)
    energy, torque = _inner_swing(value, r, _limb_axis(relative))

    # limits of the swing about the middle of the range: swing vector ratio (-e_y, e_x), ratio = beta / sin(beta)
    turned = quaternion.product(quaternion.conjugate(centre), relative)
    e = _limb_axis(turned)
    sine2 = e[0] * e[0] + e[1] * e[1]
    sine = sqrt(sine2)
    if sine > 1e-4:
        beta = arc_tangent(sine, e[2]) if e[2] >= 0.0 else pi - arc_tangent(sine, -e[2])
        ratio, ratio_slope = beta / sine, (beta * e[2] - sine) / (sine2 * sine)  # the slope by e_z
    else:
        ratio, ratio_slope = 1.0 + sine2 / 6.0, -1.0 / 3.0
    more_x, slope_x, beyond_x = _beyond(value, r, X, -ratio * e[1], value[r, SWING_MINUS], value[r, SWING_PLUS])
    more_y, slope_y, beyond_y = _beyond(value, r, Y, ratio * e[0], value[r, SWING_MINUS + 1], value[r, SWING_PLUS + 1])
    energy += 0.5 * (slope_x * beyond_x + slope_y * beyond_y)
    gradient = (slope_y * ratio, -slope_x * ratio, (slope_y * e[0] - slope_x * e[1]) * ratio_slope)

    # twist
    held, turn, more_z, slope_z = _twist(value, r, turned, value[r, SWING_MINUS + 2], value[r, SWING_PLUS + 2])
    energy += held
    limits = add(cross(gradient, e), _twist_torque(turn, e))
    torque = add(torque, quaternion.rotate(centre, limits))

    inner = vec3.load(value, r, STIFFNESS_IN)
    if more_x == 0.0 and more_y == 0.0 and more_z == 0.0:
        return energy, torque, inner, ZERO
    # stiffness and damping of the limits belong to axes turned by the middle of the range; their diagonals here
    m = quaternion.matrix(centre)
    more = _turned_diagonal(m, more_x, more_y, more_z)
    chi = vec3.load(value, r, LIMIT_DAMPING)
    drag = _turned_diagonal(m, chi[0] * abs(slope_x), chi[1] * abs(slope_y), chi[2] * abs(slope_z))
    return energy, torque, add(inner, more), drag


@inlined
def cone_law(value, r, relative):
    """The same with the swing limited by a cone: V = P(x), P' = m width (3 x^2 - 2 x^3), x = (beta - limit) / width.

    torque = -d x grad V: tangent to the rim of the cone where that is no circle. silva1997 eq. 25 with x kept in [0, 1]
    (E078) and pointing back (E079). Near the direction opposite to the axis, where longitude loses its meaning, the
    limit goes over to the least one, so that V has one value there.
    """
    centre = quaternion.load_row(value, r, CENTRE)
    energy, torque = _inner_swing(value, r, _limb_axis(relative))
    turned = quaternion.product(quaternion.conjugate(centre), relative)
    e = _limb_axis(turned)
    stiffness, drag = vec3.load(value, r, STIFFNESS_IN), ZERO
    limits = ZERO

    if e[2] < value[r, CONE_COSINE]:
        sine = sqrt(e[0] * e[0] + e[1] * e[1])
        beta, longitude = atan2(sine, e[2]), atan2(e[1], e[0])
        limit, by_beta, by_longitude = cone_limit(value, r, beta, longitude)
        width, top = value[r, CONE_WIDTH], value[r, CONE_TORQUE]
        x = (beta - limit) / width
        if x > 0.0:
            held, slope, steepness = third_order(x)
            slope *= top
            energy += top * width * held
            c, s = cos(longitude), sin(longitude)
            across = -slope * by_longitude / max(sine, 1e-12)
            along = -slope * (1.0 - by_beta)
            limits = (across * e[2] * c - along * s, across * e[2] * s + along * c, -across * sine)
            back = quaternion.rotate(centre, limits)
            k = top * steepness / (width * max(slope * slope, 1e-300))
            stiffness = add(stiffness, (k * back[0] * back[0], k * back[1] * back[1], k * back[2] * back[2]))
            growth = value[r, LIMIT_DAMPING] * slope
            drag = (growth, growth, growth)

    held, turn, more_z, slope_z = _twist(value, r, turned, value[r, LIMIT_MINUS + 2], value[r, LIMIT_PLUS + 2])
    energy += held
    limits = add(limits, _twist_torque(turn, e))
    torque = add(torque, quaternion.rotate(centre, limits))
    if more_z != 0.0:
        m = quaternion.matrix(centre)
        stiffness = add(stiffness, _turned_diagonal(m, 0.0, 0.0, more_z))
        drag = add(drag, _turned_diagonal(m, 0.0, 0.0, value[r, LIMIT_DAMPING + 2] * abs(slope_z)))
    return energy, torque, stiffness, drag


@inlined
def third_order(x):
    """Integral, value and slope of 3 x^2 - 2 x^3 for x > 0, which is one from x = 1 on [-] (silva1997 Fig. 14)."""
    if x < 1.0:
        return x * x * x * (1.0 - 0.5 * x), x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x)
    return x - 0.5, 1.0, 0.0


@inlined
def cone_limit(value, r, beta, longitude):
    """Limit [rad] of the latitude at a latitude and longitude [rad], and its slopes by both [-]."""
    if longitude < 0.0:
        longitude += 2.0 * pi
    piece = min(3, int(longitude / QUARTER))
    at, u = CONE_SPLINE + 4 * piece, longitude - piece * QUARTER
    c0, c1, c2, c3 = value[r, at], value[r, at + 1], value[r, at + 2], value[r, at + 3]
    limit, slope = c0 + u * (c1 + u * (c2 + u * c3)), c1 + u * (2.0 * c2 + 3.0 * u * c3)
    fence = value[r, CONE_FENCE]
    if beta <= fence:
        return limit, 0.0, slope
    s = (beta - fence) / (pi - fence)
    w, w_slope = (1.0 - s) * (1.0 - s) * (1.0 + 2.0 * s), -6.0 * s * (1.0 - s) / (pi - fence)
    least = value[r, CONE_LEAST]
    return least + w * (limit - least), w_slope * (limit - least), w * slope


@inlined
def _inner_swing(value, r, d):
    """Energy [J] and torque [N m] of the inner spring of the swing, smooth on the whole sphere."""
    kx, ky = value[r, STIFFNESS_IN], value[r, STIFFNESS_IN + 1]
    k = min(kx, ky)
    energy = k * (1.0 - d[2]) + 0.5 * ((ky - k) * d[0] * d[0] + (kx - k) * d[1] * d[1])
    return energy, cross(((ky - k) * d[0], (kx - k) * d[1], -k), d)


@inlined
def _twist(value, r, turned, lower, upper):
    """Of the twist about the limb: energy [J], dV/dt [N m], stiffness beyond a limit and slope of the limit alone."""
    twist = 2.0 * atan2(turned[3], turned[0])
    if twist > pi:
        twist -= 2.0 * pi
    elif twist < -pi:
        twist += 2.0 * pi
    more, slope, beyond = _beyond(value, r, Z, twist, lower, upper)
    k = value[r, STIFFNESS_IN + 2]
    return 0.5 * (k * twist * twist + slope * beyond), k * twist + slope, more, slope


@inlined
def _twist_torque(turn, e):
    """Torque [N m] of dV/dt [N m]: -dV/dt (z + e)/(1 + e.z)."""
    share = turn / max(1e-9, 1.0 + e[2])
    return -share * e[0], -share * e[1], -turn


@inlined
def _turned_diagonal(m, x, y, z):
    """Diagonal of M diag(x, y, z) M'."""
    return (
        m[0] * m[0] * x + m[1] * m[1] * y + m[2] * m[2] * z,
        m[3] * m[3] * x + m[4] * m[4] * y + m[5] * m[5] * z,
        m[6] * m[6] * x + m[7] * m[7] * y + m[8] * m[8] * z,
    )


@inlined
def _limb_axis(q):
    """The z axis turned by a quaternion of any length."""
    w, x, y, z = q
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)


@inner
def relative_spin(joint, body, i):
    """Angular velocity of body i relative to its parent, world axes [rad/s]."""
    return sub(vec3.load(body, i, SPIN), vec3.load(body, joint[i, PARENT], SPIN))


@inlined
def ball_torque(joint, link, body, i):
    """Torque on the child, world axes [N m]: tau_elastic - C w, with C diagonal in the joint frame."""
    axes = joint_axes(joint, link, body, i)
    drag = vec3.load(body, i, DAMPING)
    spin = mat3.transposed_dot(axes, relative_spin(joint, body, i))
    viscous = (drag[0] * spin[0], drag[1] * spin[1], drag[2] * spin[2])
    return sub(vec3.load(body, i, ELASTIC), mat3.dot(axes, viscous))


@inlined
def implicit_ball_torque(joint, link, body, i, h):
    """Torque on the child at the start of a step h [s] and what the implicit step adds: torque - D alpha_relative.

    tau = tau_elastic - (C + h K) w,   D = h (C + h K), both diagonal in the joint frame
    """
    axes = joint_axes(joint, link, body, i)
    drag = axpy(h, vec3.load(body, i, STIFFNESS), vec3.load(body, i, DAMPING))
    spin = mat3.transposed_dot(axes, relative_spin(joint, body, i))
    viscous = (drag[0] * spin[0], drag[1] * spin[1], drag[2] * spin[2])
    torque = sub(vec3.load(body, i, ELASTIC), mat3.dot(axes, viscous))
    return torque, mat3.rotated_diagonal(axes, scale(h, drag))
