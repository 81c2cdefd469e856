"""Resistance of the joints, from a potential: no work is done round a closed loop.

V = sum V_i(a_i), dV_i/da = k (a - rest) + (k_plus - k) max(0, a - limit_plus) - (k_minus - k) max(0, limit_minus - a).

rotation_vector  a = components of the rotation vector theta of the child in the parent's joint frame; the moment on the
                 child is -J_l(theta)^-T dV/dtheta.
swing_twist      the limb axis d (z of the child) swings about the middle of its range, then twists about itself. Limits act on
                 the swing vector s (x, y) and the twist t. The inner spring of the swing is a smooth function on the whole
                 sphere: k (1 - d.z), with the difference of the two stiffnesses on d.x and d.y. Measured from the
                 middle of the range, the one place where a swing vector is not defined lies far outside it.
coordinate       a = the joint's own angles and displacements.
"""

from math import atan2

from .._jit import kernel
from . import mat3, quaternion, vec3
from .rotation import left_jacobian_inverse_transposed_dot
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
)
from .vec3 import add, cross, dot, scale, sub


@kernel
def resistance(model, work, q):
    """Elastic torque, damping, tangent stiffness and energy of every joint."""
    for i in range(model.joint.shape[0]):
        if model.joint[i, RESISTS] == 1:
            for k in range(ELASTIC, ENERGY + 1):
                work.body[i, k] = 0.0
    for r in range(model.resistance.shape[0]):
        i = model.resistance_joint[r, 0]
        if model.resistance_joint[r, 1] == COORDINATE:
            _coordinate(model, work, q, r, i)
        else:
            _ball(model, work, r, i)


@kernel
def _coordinate(model, work, q, r, i):
    """Resistance along the joint's own coordinates."""
    first = model.joint[i, FIRST_Q]
    for k in range(model.joint[i, NQ]):
        energy, slope, stiffness = axis_law(model.resistance, r, k, q[first + k])
        work.body[i, ENERGY] += energy
        work.body[i, ELASTIC + k] -= slope
        work.body[i, STIFFNESS + k] += stiffness
        work.body[i, DAMPING + k] += model.resistance[r, VISCOSITY + k]


@kernel
def _ball(model, work, r, i):
    """Resistance of a spherical joint, put into world axes."""
    p = model.joint[i, PARENT]
    parent = quaternion.load_row(work.body, p, ORIENTATION)
    child = quaternion.load_row(work.body, i, ORIENTATION)
    axes = mat3.load(work.body, p, ROTATION)
    if model.joint[i, ALIGNED] == 0:
        parent = quaternion.product(parent, quaternion.load_row(model.link, i, FRAME_PARENT))
        child = quaternion.product(child, quaternion.load_row(model.link, i, FRAME_CHILD))
        axes = quaternion.matrix(parent)
    relative = quaternion.product(quaternion.conjugate(parent), child)

    if model.resistance_joint[r, 1] == ROTATION_VECTOR:
        energy, torque, stiffness = rotation_vector_law(model.resistance, r, relative)
        tangent = mat3.rotated_diagonal(axes, stiffness)
    else:
        centre = quaternion.load_row(model.resistance, r, CENTRE)
        energy, torque, stiffness = swing_twist_law(model.resistance, r, relative)
        tangent = mat3.rotated_diagonal(mat3.product(axes, quaternion.matrix(centre)), stiffness)
    work.body[i, ENERGY] += energy
    vec3.increase(work.body, i, ELASTIC, mat3.dot(axes, torque))
    mat3.increase_sym(work.body, i, STIFFNESS, tangent)
    mat3.increase_sym(work.body, i, DAMPING, mat3.rotated_diagonal(axes, vec3.load(model.resistance, r, VISCOSITY)))


@kernel
def axis_law(value, r, k, a):
    """Energy [J], slope dV/da [N m] and stiffness [N m/rad] of component k of resistance r at a [rad]."""
    inner = value[r, STIFFNESS_IN + k]
    a0 = a - value[r, REST + k]
    energy, slope, stiffness = 0.5 * inner * a0 * a0, inner * a0, inner
    if a > value[r, LIMIT_PLUS + k]:
        beyond, more = a - value[r, LIMIT_PLUS + k], value[r, STIFFNESS_PLUS + k] - inner
        energy, slope, stiffness = energy + 0.5 * more * beyond * beyond, slope + more * beyond, stiffness + more
    elif a < value[r, LIMIT_MINUS + k]:
        beyond, more = a - value[r, LIMIT_MINUS + k], value[r, STIFFNESS_MINUS + k] - inner
        energy, slope, stiffness = energy + 0.5 * more * beyond * beyond, slope + more * beyond, stiffness + more
    return energy, slope, stiffness


@kernel
def rotation_vector_law(value, r, relative):
    """Energy [J], torque on the child in the parent's joint frame [N m] and stiffness [N m/rad] by component."""
    theta = quaternion.logarithm(relative)
    ex, sx, kx = axis_law(value, r, 0, theta[0])
    ey, sy, ky = axis_law(value, r, 1, theta[1])
    ez, sz, kz = axis_law(value, r, 2, theta[2])
    torque = scale(-1.0, left_jacobian_inverse_transposed_dot(theta, (sx, sy, sz)))
    return ex + ey + ez, torque, (kx, ky, kz)


@kernel
def swing_twist_law(value, r, relative):
    """Energy [J], torque on the child in the parent's joint frame [N m] and stiffness by swing and twist [N m/rad].

    With d the limb axis, g = dV/dd and t the twist: torque = -d x g - dV/dt (z + d)/(1 + d.z), the last in the frame
    of the middle of the range.
    """
    centre = quaternion.load_row(value, r, CENTRE)
    w, x, y, z = relative
    s = 2.0 / (w * w + x * x + y * y + z * z)
    d = (s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y))

    # inner spring of the swing, smooth on the whole sphere
    kx, ky, kz = vec3.load(value, r, STIFFNESS_IN)
    k = min(kx, ky)
    energy = k * (1.0 - d[2]) + 0.5 * ((ky - k) * d[0] * d[0] + (kx - k) * d[1] * d[1])
    torque = cross(((ky - k) * d[0], (kx - k) * d[1], -k), d)

    # limits of the swing about the middle of the range
    w, x, y, z = quaternion.product(quaternion.conjugate(centre), relative)
    s = 2.0 / (w * w + x * x + y * y + z * z)
    e = (s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y))
    sine2 = e[0] * e[0] + e[1] * e[1]
    sine = sine2**0.5
    beta = atan2(sine, e[2])
    if sine > 1e-4:
        ratio = beta / sine
        ratio_slope = (beta * e[2] - sine) / (sine2 * sine)  # d ratio / d e_z
    else:
        ratio, ratio_slope = 1.0 + sine2 / 6.0, -1.0 / 3.0
    more_x, slope_x = _beyond(value, r, 0, -ratio * e[1])
    more_y, slope_y = _beyond(value, r, 1, ratio * e[0])
    energy += 0.5 * (slope_x[0] * slope_x[1] + slope_y[0] * slope_y[1])
    gradient = (slope_y[0] * ratio, -slope_x[0] * ratio, (slope_y[0] * e[0] - slope_x[0] * e[1]) * ratio_slope)
    inner = cross(gradient, e)

    # twist
    twist = 2.0 * atan2(z, w)
    if twist > 3.141592653589793:
        twist -= 6.283185307179586
    elif twist < -3.141592653589793:
        twist += 6.283185307179586
    more_z, slope_z = _beyond(value, r, 2, twist)
    turn = kz * twist + slope_z[0]
    energy += 0.5 * (kz * twist * twist + slope_z[0] * slope_z[1])
    share = 1.0 / max(1e-9, 1.0 + e[2])
    inner = sub(inner, (turn * e[0] * share, turn * e[1] * share, turn))
    torque = add(torque, quaternion.rotate(centre, inner))
    return energy, torque, (kx + more_x, ky + more_y, kz + more_z)


@kernel
def _beyond(value, r, k, a):
    """What a limit adds: stiffness, and (slope, angle beyond the limit)."""
    if a > value[r, SWING_PLUS + k]:
        more, beyond = value[r, STIFFNESS_PLUS + k] - value[r, STIFFNESS_IN + k], a - value[r, SWING_PLUS + k]
        return more, (more * beyond, beyond)
    if a < value[r, SWING_MINUS + k]:
        more, beyond = value[r, STIFFNESS_MINUS + k] - value[r, STIFFNESS_IN + k], a - value[r, SWING_MINUS + k]
        return more, (more * beyond, beyond)
    return 0.0, (0.0, 0.0)


@kernel
def relative_spin(model, work, i):
    """Angular velocity of body i relative to its parent, world axes [rad/s]."""
    return sub(vec3.load(work.body, i, SPIN), vec3.load(work.body, model.joint[i, PARENT], SPIN))


@kernel
def ball_torque(model, work, i, h):
    """Torque on the child at the start of a step h [s] and what the implicit step adds: torque - D alpha_relative.

    tau = tau_elastic - C w - h K w,   D = h (C + h K)
    """
    spin = relative_spin(model, work, i)
    damping = mat3.load_sym(work.body, i, DAMPING)
    torque = sub(vec3.load(work.body, i, ELASTIC), mat3.sym_dot(damping, spin))
    if h == 0.0:
        return torque, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    stiffness = mat3.sym_scale(h, mat3.load_sym(work.body, i, STIFFNESS))
    torque = sub(torque, mat3.sym_dot(stiffness, spin))
    return torque, mat3.sym_scale(h, mat3.sym_add(damping, stiffness))


@kernel
def ball_power(work, i, torque, spin):
    """Elastic and dissipated power [W] of a torque [N m] at the relative angular velocity [rad/s]."""
    elastic = dot(vec3.load(work.body, i, ELASTIC), spin)
    return elastic, dot(torque, spin) - elastic
