"""Resistance of the joints, from a potential: no work is done round a closed loop.

V = sum V_i(a_i), dV_i/da = k (a - rest) + (k_plus - k) max(0, a - limit_plus) - (k_minus - k) max(0, limit_minus - a).

rotation_vector  a = components of the rotation vector theta of the child in the parent's joint frame; the moment on
                 the child is -J_l(theta)^-T dV/dtheta.
swing_twist      the limb axis d (z of the child) swings about the middle of its range, then twists about itself.
                 Limits act on the swing vector (x, y) and the twist. The inner spring of the swing is a smooth function
                 on the whole sphere: k (1 - d.z), with the difference of the two stiffnesses on d.x and d.y. Measured
                 from the middle of the range, the one place where a swing vector is not defined lies far outside it.
coordinate       a = the joint's own angles and displacements.
"""

from math import atan2, pi, sqrt

from .._jit import inlined, inner
from . import mat3, quaternion, vec3
from .rotation import arc_tangent
from .types import (
    ALIGNED,
    CENTRE,
    COORDINATE,
    DAMPING,
    ELASTIC,
    ENERGY,
    FIRST_Q,
    FRAME_CHILD,
    FRAME_PARENT,
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


@inner
def resistance(model, work, q):
    """Elastic torque, damping, tangent stiffness and energy of every joint."""
    joint, body = model.joint, work.body
    for i in range(joint.shape[0]):
        if joint[i, RESISTS] > 0:
            for k in range(ELASTIC, ENERGY + 1):
                body[i, k] = 0.0
    for r in range(model.resistance.shape[0]):
        i = model.resistance_joint[r, 0]
        if model.resistance_joint[r, 1] == COORDINATE:
            _coordinate(model.resistance, r, body, i, q, joint[i, FIRST_Q], joint[i, NQ])
        else:
            _ball(joint, model.link, model.resistance, model.resistance_joint[r, 1], body, r, i)


@inner
def _coordinate(value, r, body, i, q, first, n):
    """Resistance along the joint's own coordinates."""
    for k in range(n):
        energy, slope, stiffness = axis_law(value, r, k, q[first + k])
        body[i, ENERGY] += energy
        body[i, ELASTIC + k] -= slope
        body[i, STIFFNESS + k] += stiffness
        body[i, DAMPING + k] += value[r, VISCOSITY + k]


@inlined
def _ball(joint, link, value, law, body, r, i):
    """Resistance of a spherical joint: the torque in world axes, damping and stiffness by axis of the joint frame."""
    p = joint[i, PARENT]
    parent = quaternion.load_row(body, p, ORIENTATION)
    child = quaternion.load_row(body, i, ORIENTATION)
    if joint[i, ALIGNED] == 0:
        parent = quaternion.product(parent, quaternion.load_row(link, i, FRAME_PARENT))
        child = quaternion.product(child, quaternion.load_row(link, i, FRAME_CHILD))
    relative = quaternion.product(quaternion.conjugate(parent), child)
    if law == ROTATION_VECTOR:
        energy, torque, stiffness = rotation_vector_law(value, r, relative)
    else:
        energy, torque, stiffness = swing_twist_law(value, r, relative)
    axes = joint_axes(joint, link, body, i)
    body[i, ENERGY] += energy
    vec3.increase(body, i, ELASTIC, mat3.dot(axes, torque))
    vec3.increase(body, i, STIFFNESS, stiffness)
    vec3.increase(body, i, DAMPING, vec3.load(value, r, VISCOSITY))


@inlined
def joint_axes(joint, link, body, i):
    """Axes of the joint frame of joint i, carried by the parent: a rotation matrix."""
    p = joint[i, PARENT]
    if joint[i, ALIGNED] == 1:
        return mat3.load(body, p, ROTATION)
    parent = quaternion.load_row(body, p, ORIENTATION)
    return quaternion.matrix(quaternion.product(parent, quaternion.load_row(link, i, FRAME_PARENT)))


@inlined
def axis_law(value, r, k, a):
    """Energy [J], slope dV/da [N m] and stiffness [N m/rad] of component k of resistance r at a [rad]."""
    inner = value[r, STIFFNESS_IN + k]
    a0 = a - value[r, REST + k]
    more, slope, beyond = _beyond(value, r, k, a, value[r, LIMIT_MINUS + k], value[r, LIMIT_PLUS + k])
    return 0.5 * (inner * a0 * a0 + slope * beyond), inner * a0 + slope, inner + more


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
def rotation_vector_law(value, r, relative):
    """Energy [J], torque on the child in the parent's joint frame [N m] and stiffness [N m/rad] by component.

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
    ex, gx, kx = axis_law(value, r, X, theta[0])
    ey, gy, ky = axis_law(value, r, Y, theta[1])
    ez, gz, kz = axis_law(value, r, Z, theta[2])
    slope = (gx, gy, gz)
    first = cross(theta, slope)
    torque = axpy(-c, cross(theta, first), axpy(-0.5, first, scale(-1.0, slope)))
    return ex + ey + ez, torque, (kx, ky, kz)


@inlined
def swing_twist_law(value, r, relative):
    """Energy [J], torque on the child in the parent's joint frame [N m] and stiffness [N m/rad] by axis of that frame.

    With d the limb axis, g = dV/dd and t the twist: torque = -d x g - dV/dt (z + d)/(1 + d.z), the limits in the frame
    of the middle of the range.
    """
    centre = quaternion.load_row(value, r, CENTRE)
    d = _limb_axis(relative)

    # inner spring of the swing, smooth on the whole sphere
    kx, ky, kz = vec3.load(value, r, STIFFNESS_IN)
    k = min(kx, ky)
    energy = k * (1.0 - d[2]) + 0.5 * ((ky - k) * d[0] * d[0] + (kx - k) * d[1] * d[1])
    torque = cross(((ky - k) * d[0], (kx - k) * d[1], -k), d)

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
    twist = 2.0 * atan2(turned[3], turned[0])
    if twist > pi:
        twist -= 2.0 * pi
    elif twist < -pi:
        twist += 2.0 * pi
    more_z, slope_z, beyond_z = _beyond(value, r, Z, twist, value[r, SWING_MINUS + 2], value[r, SWING_PLUS + 2])
    energy += 0.5 * (kz * twist * twist + slope_z * beyond_z)
    turn = kz * twist + slope_z
    share = turn / max(1e-9, 1.0 + e[2])
    limits = sub(cross(gradient, e), (share * e[0], share * e[1], turn))
    torque = add(torque, quaternion.rotate(centre, limits))

    if more_x == 0.0 and more_y == 0.0 and more_z == 0.0:
        return energy, torque, (kx, ky, kz)
    # the tangent of the limits belongs to axes turned by the middle of the range; its diagonal here
    m = quaternion.matrix(centre)
    more = (
        m[0] * m[0] * more_x + m[1] * m[1] * more_y + m[2] * m[2] * more_z,
        m[3] * m[3] * more_x + m[4] * m[4] * more_y + m[5] * m[5] * more_z,
        m[6] * m[6] * more_x + m[7] * m[7] * more_y + m[8] * m[8] * more_z,
    )
    return energy, torque, (kx + more[0], ky + more[1], kz + more[2])


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
