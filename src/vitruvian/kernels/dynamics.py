"""The sweep: accelerations of a tree of bodies in two passes, in the world frame, and the joint reactions.

About the joint point of body i, with unknowns alpha (angular acceleration) and a (acceleration of the joint point):

    [n]   [A  B] [alpha]   [p_n]
    [f] = [B' M] [  a  ] + [p_f]        n, f: moment and force that the joint puts on the body

A spherical joint transmits no moment but its own torque tau, so a branch seen from its joint is only a 3x3 mass and a force:

    alpha = A^-1 (tau - p_n - B a),   M* = M - B' A^-1 B,   f* = p_f + B' A^-1 (tau - p_n)

With implicit joint damping, n = tau - D (alpha - alpha_parent), it passes a full 6x6; other joints pass what they lock
(articulated inertia, featherstone2008 ch. 7) in the same sweep. The parent, at the offset r, gains M*, B* + [r] M*,
A* - B* [r] + [r] B*' - [r] M* [r]. The force f and moment n are the Lagrange multipliers of the joint.
"""

from .._jit import kernel
from . import contact, joints, mat3, vec3
from .types import (
    ACCEL,
    ALPHA,
    ANGULAR,
    ARM,
    AXIS,
    BIAS,
    BIAS_SPIN,
    CONTACT_DISSIPATED,
    CONTACT_ELASTIC,
    COUPLING,
    DAMPING,
    DEPTH,
    DRIVE,
    ELASTIC,
    FIRST_V,
    FORCE,
    FORCE_BIAS,
    FREE,
    FRICTION,
    GAIN,
    GRAVITY,
    JOINT_DISSIPATED,
    JOINT_ELASTIC,
    KIND,
    LEVER,
    LINK_MASS,
    MASS,
    MOMENT,
    MOMENT_BIAS,
    MOVED,
    N_WORK,
    NORMAL,
    NV,
    OFFSET,
    OUT_BODY,
    OUT_JOINT,
    OUT_PAIR,
    OWN_FORCE,
    OWN_INERTIA,
    OWN_MOMENT,
    PAIR_ELASTIC,
    PAIR_FORCE,
    PAIR_MATRIX,
    PARENT,
    PIVOT,
    POINT_VELOCITY,
    PRESCRIBED,
    PUSH,
    RESISTS,
    RIGID,
    SLIDE,
    SPHERICAL,
    SPIN,
    SPREAD,
    STIFFNESS,
    VELOCITY,
)
from .vec3 import add, axpy, cross, dot, scale, sub

ZERO = (0.0, 0.0, 0.0)


@kernel
def accelerations(model, work, impact_speed, v, h):
    """Solve for all accelerations of a step h [s] (0: explicit) from what kinematics, joints and contact left in `work`.

    Fills vdot, and `out` with body accelerations, joint loads, contact forces and powers.
    """
    powers = work.out.shape[0] - N_WORK
    for k in range(N_WORK):
        work.out[powers + k] = work.load_power[k]
    _gather(model, work)
    _gather_contact(model, work, impact_speed, h)
    for i in range(model.joint.shape[0] - 1, -1, -1):
        if model.joint[i, MOVED] >= 0 or model.joint[i, KIND] == RIGID:
            _inward_rigid(model, work, i)
        elif model.joint[i, KIND] == SPHERICAL:
            if model.joint[i, RESISTS] == 0:
                _inward_ball(model, work, i, ZERO)
            else:
                torque, damping = joints.ball_torque(model, work, i, h)
                if h == 0.0:
                    _inward_ball(model, work, i, torque)
                else:
                    _inward_damped_ball(model, work, i, torque, damping)
        elif model.joint[i, KIND] == FREE:
            _inward_free(model, work, i)
        else:
            _inward_general(model, work, i, v, h)
    _outward(model, work, v, h)
    _contact_result(model, work, h)


@kernel
def _gather(model, work):
    """Start every body with its own inertia, weight and explicit loads."""
    for i in range(model.joint.shape[0]):
        mass = model.link[i, LINK_MASS]
        x, y, z = mass * work.body[i, ARM], mass * work.body[i, ARM + 1], mass * work.body[i, ARM + 2]
        for k in range(6):
            work.body[i, ANGULAR + k] = work.body[i, OWN_INERTIA + k]
        mat3.store(work.body, i, COUPLING, (0.0, -z, y, z, 0.0, -x, -y, x, 0.0))
        mat3.store_sym(work.body, i, MASS, (mass, 0.0, 0.0, mass, 0.0, mass))
        for k in range(3):
            work.body[i, MOMENT_BIAS + k] = work.body[i, OWN_MOMENT + k] - work.body[i, MOMENT + k]
            work.body[i, FORCE_BIAS + k] = work.body[i, OWN_FORCE + k] - work.body[i, FORCE + k]


@kernel
def _gather_contact(model, work, impact_speed, h):
    """Add the contacts: a force, and a matrix at its point that the implicit step adds to the body's own block."""
    for c in range(model.candidate.shape[0]):
        if work.pair[c, DEPTH] <= 0.0:
            continue
        contact.pair_load(model, work, impact_speed, c, h)
        i, lever = contact.pair_lever(model, work, c)
        force = vec3.load(work.pair, c, PAIR_FORCE)
        if h > 0.0:
            matrix = mat3.load_sym(work.pair, c, PAIR_MATRIX)
            spin = vec3.load(work.body, i, SPIN)
            force = sub(force, mat3.sym_dot(matrix, cross(spin, cross(spin, lever))))
            mat3.increase_sym(work.body, i, MASS, matrix)
            moved = mat3.skew_sym(lever, matrix)
            mat3.increase(work.body, i, COUPLING, moved)
            mat3.increase_sym(work.body, i, ANGULAR, mat3.sym_scale(-1.0, mat3.dot_skew_symmetric(moved, lever)))
        vec3.increase(work.body, i, FORCE_BIAS, scale(-1.0, force))
        vec3.increase(work.body, i, MOMENT_BIAS, scale(-1.0, cross(lever, force)))


@kernel
def _pass_force(model, work, i, mass, force, moment):
    """Give the parent a mass and a force at the joint point, and a moment."""
    p = model.joint[i, PARENT]
    r = vec3.load(work.body, i, OFFSET)
    force = add(force, mat3.sym_dot(mass, vec3.load(work.body, i, BIAS)))
    moved = mat3.skew_sym(r, mass)
    mat3.increase_sym(work.body, p, MASS, mass)
    mat3.increase(work.body, p, COUPLING, moved)
    mat3.increase_sym(work.body, p, ANGULAR, mat3.sym_scale(-1.0, mat3.dot_skew_symmetric(moved, r)))
    vec3.increase(work.body, p, FORCE_BIAS, force)
    vec3.increase(work.body, p, MOMENT_BIAS, add(moment, cross(r, force)))


@kernel
def _pass_full(model, work, i, angular, coupling, mass, moment, force):
    """Give the parent a full articulated inertia at the joint point."""
    p = model.joint[i, PARENT]
    r = vec3.load(work.body, i, OFFSET)
    _pass_force(model, work, i, mass, force, add(moment, mat3.dot(coupling, vec3.load(work.body, i, BIAS))))
    mat3.increase(work.body, p, COUPLING, coupling)
    # A* - B* [r] + [r] B*'
    q = mat3.product(coupling, mat3.skew(r))
    turned = (2.0 * q[0], q[1] + q[3], q[2] + q[6], 2.0 * q[4], q[5] + q[7], 2.0 * q[8])
    mat3.increase_sym(work.body, p, ANGULAR, mat3.sym_sub(angular, turned))


@kernel
def _inward_ball(model, work, i, torque):
    """Spherical joint with a given torque: the branch is a mass and a force."""
    coupling = mat3.load(work.body, i, COUPLING)
    inverse = mat3.sym_inverse(mat3.load_sym(work.body, i, ANGULAR))
    gain = mat3.sym_product(inverse, coupling)
    push = mat3.sym_dot(inverse, sub(torque, vec3.load(work.body, i, MOMENT_BIAS)))
    mass = mat3.sym_sub(mat3.load_sym(work.body, i, MASS), mat3.transposed_product_symmetric(coupling, gain))
    force = add(vec3.load(work.body, i, FORCE_BIAS), mat3.transposed_dot(coupling, push))
    mat3.store(work.body, i, GAIN, gain)
    vec3.store(work.body, i, PUSH, push)
    vec3.store(work.body, i, DRIVE, torque)
    _pass_force(model, work, i, mass, force, torque)


@kernel
def _inward_damped_ball(model, work, i, torque, damping):
    """Spherical joint with implicit damping D: n = tau - D (alpha - alpha_parent); passes a full inertia."""
    coupling = mat3.load(work.body, i, COUPLING)
    inverse = mat3.sym_inverse(mat3.sym_add(mat3.load_sym(work.body, i, ANGULAR), damping))
    gain = mat3.sym_product(inverse, coupling)
    spread = mat3.sym_product(inverse, mat3.full(damping))
    push = mat3.sym_dot(inverse, sub(torque, vec3.load(work.body, i, MOMENT_BIAS)))
    mass = mat3.sym_sub(mat3.load_sym(work.body, i, MASS), mat3.transposed_product_symmetric(coupling, gain))
    force = add(vec3.load(work.body, i, FORCE_BIAS), mat3.transposed_dot(coupling, push))
    mat3.store(work.body, i, GAIN, gain)
    mat3.store(work.body, i, SPREAD, spread)
    vec3.store(work.body, i, PUSH, push)
    vec3.store(work.body, i, DRIVE, torque)
    mat3.store_sym(work.body, i, PIVOT, damping)
    angular = mat3.sym_sub(damping, mat3.transposed_product_symmetric(mat3.full(damping), spread))
    moment = sub(torque, mat3.sym_dot(damping, push))
    _pass_full(model, work, i, angular, mat3.sym_product(damping, gain), mass, moment, force)


@kernel
def _inward_free(model, work, i):
    """Free root: no wrench from the world, so the 6x6 is solved here; the answer is kept for the outward pass."""
    coupling = mat3.load(work.body, i, COUPLING)
    inverse = mat3.sym_inverse(mat3.load_sym(work.body, i, ANGULAR))
    gain = mat3.sym_product(inverse, coupling)
    push = scale(-1.0, mat3.sym_dot(inverse, vec3.load(work.body, i, MOMENT_BIAS)))
    mass = mat3.sym_sub(mat3.load_sym(work.body, i, MASS), mat3.transposed_product_symmetric(coupling, gain))
    force = add(vec3.load(work.body, i, FORCE_BIAS), mat3.transposed_dot(coupling, push))
    acceleration = scale(-1.0, mat3.sym_dot(mat3.sym_inverse(mass), force))
    vec3.store(work.body, i, ACCEL, acceleration)
    vec3.store(work.body, i, ALPHA, sub(push, mat3.dot(gain, acceleration)))


@kernel
def _inward_rigid(model, work, i):
    """Rigid or prescribed joint: all of the inertia is passed on, with the known relative acceleration."""
    angular = mat3.load_sym(work.body, i, ANGULAR)
    coupling = mat3.load(work.body, i, COUPLING)
    spin = vec3.load(work.body, i, BIAS_SPIN)
    moment = add(vec3.load(work.body, i, MOMENT_BIAS), mat3.sym_dot(angular, spin))
    force = add(vec3.load(work.body, i, FORCE_BIAS), mat3.transposed_dot(coupling, spin))
    _pass_full(model, work, i, angular, coupling, mat3.load_sym(work.body, i, MASS), moment, force)


@kernel
def _inward_general(model, work, i, v, h):
    """Joint with up to three axes S: I* = I - U D^-1 U', U = I S, D = S' U (+ implicit damping), p* = p + I* c + U D^-1 u."""
    angular, coupling, mass = (
        mat3.load_sym(work.body, i, ANGULAR),
        mat3.load(work.body, i, COUPLING),
        mat3.load_sym(work.body, i, MASS),
    )
    p_n, p_f = vec3.load(work.body, i, MOMENT_BIAS), vec3.load(work.body, i, FORCE_BIAS)
    first, n = model.joint[i, FIRST_V], model.joint[i, NV]
    for k in range(n):
        s_w, s_v = vec3.load(work.body, i, AXIS + 6 * k), vec3.load(work.body, i, AXIS + 6 * k + 3)
        vec3.store(work.body, i, LEVER + 6 * k, add(mat3.sym_dot(angular, s_w), mat3.dot(coupling, s_v)))
        vec3.store(work.body, i, LEVER + 6 * k + 3, add(mat3.transposed_dot(coupling, s_w), mat3.sym_dot(mass, s_v)))
        torque = 0.0
        if model.joint[i, RESISTS] == 1:
            drag = work.body[i, DAMPING + k] + h * work.body[i, STIFFNESS + k]
            torque = work.body[i, ELASTIC + k] - drag * v[first + k]
        work.body[i, DRIVE + k] = torque - dot(s_w, p_n) - dot(s_v, p_f)

    # D, with ones on the axes that are not there
    d = (
        _pivot(model, work, i, n, 0, 0, h), _pivot(model, work, i, n, 0, 1, h), _pivot(model, work, i, n, 0, 2, h),
        _pivot(model, work, i, n, 1, 1, h), _pivot(model, work, i, n, 1, 2, h), _pivot(model, work, i, n, 2, 2, h),
    )  # fmt: skip
    inverse = mat3.sym_inverse(d)
    mat3.store_sym(work.body, i, PIVOT, inverse)
    full = mat3.full(inverse)
    for j in range(n):
        u_w, u_v = vec3.load(work.body, i, LEVER + 6 * j), vec3.load(work.body, i, LEVER + 6 * j + 3)
        for k in range(n):
            w = full[3 * j + k]
            t_w, t_v = vec3.load(work.body, i, LEVER + 6 * k), vec3.load(work.body, i, LEVER + 6 * k + 3)
            angular = mat3.sym_sub(angular, _outer_symmetric(w, u_w, t_w))
            mass = mat3.sym_sub(mass, _outer_symmetric(w, u_v, t_v))
            coupling = mat3.sub(coupling, _outer(w, u_w, t_v))
            p_n = axpy(w * work.body[i, DRIVE + k], u_w, p_n)
            p_f = axpy(w * work.body[i, DRIVE + k], u_v, p_f)
    spin = vec3.load(work.body, i, BIAS_SPIN)
    p_n = add(p_n, mat3.sym_dot(angular, spin))
    p_f = add(p_f, mat3.transposed_dot(coupling, spin))
    _pass_full(model, work, i, angular, coupling, mass, p_n, p_f)


@kernel
def _pivot(model, work, i, n, j, k, h):
    """Entry j, k of S' I S with implicit damping on the diagonal."""
    if j >= n or k >= n:
        return 1.0 if j == k else 0.0
    value = 0.0
    for m in range(6):
        value += work.body[i, AXIS + 6 * j + m] * work.body[i, LEVER + 6 * k + m]
    if j == k and model.joint[i, RESISTS] == 1:
        value += h * (work.body[i, DAMPING + j] + h * work.body[i, STIFFNESS + j])
    return value


@kernel
def _outer(w, a, b):
    """w a b'."""
    return (
        w * a[0] * b[0], w * a[0] * b[1], w * a[0] * b[2],
        w * a[1] * b[0], w * a[1] * b[1], w * a[1] * b[2],
        w * a[2] * b[0], w * a[2] * b[1], w * a[2] * b[2],
    )  # fmt: skip


@kernel
def _outer_symmetric(w, a, b):
    """w (a b' + b a')/2: six entries."""
    return (
        w * a[0] * b[0],
        0.5 * w * (a[0] * b[1] + a[1] * b[0]),
        0.5 * w * (a[0] * b[2] + a[2] * b[0]),
        w * a[1] * b[1],
        0.5 * w * (a[1] * b[2] + a[2] * b[1]),
        w * a[2] * b[2],
    )


@kernel
def _outward(model, work, v, h):
    """From the roots: accelerations, joint loads, and the powers of gravity and joints."""
    n_body = model.joint.shape[0]
    powers = n_body * (OUT_BODY + OUT_JOINT) + OUT_PAIR * model.candidate.shape[0]
    out = work.out
    gravity = (model.gravity[0], model.gravity[1], model.gravity[2])
    for i in range(n_body):
        p, first = model.joint[i, PARENT], model.joint[i, FIRST_V]
        alpha_parent = vec3.load(work.body, p, ALPHA)
        r = vec3.load(work.body, i, OFFSET)
        a = add(add(vec3.load(work.body, p, ACCEL), cross(alpha_parent, r)), vec3.load(work.body, i, BIAS))
        kind = model.joint[i, KIND]
        torque, force, moment = ZERO, ZERO, ZERO
        if model.joint[i, MOVED] >= 0 or kind == RIGID:
            alpha = add(alpha_parent, vec3.load(work.body, i, BIAS_SPIN))
            force, moment = _wrench(work, i, alpha, a)
            if model.joint[i, MOVED] >= 0:
                spin = joints.relative_spin(model, work, i)
                out[powers + PRESCRIBED] += dot(moment, spin) + dot(force, vec3.load(work.body, i, SLIDE))
        elif kind == SPHERICAL:
            alpha = sub(vec3.load(work.body, i, PUSH), mat3.dot(mat3.load(work.body, i, GAIN), a))
            force, moment = _wrench(work, i, alpha, a)
            torque = vec3.load(work.body, i, DRIVE)
            if model.joint[i, RESISTS] == 1:
                if h > 0.0:
                    alpha = add(alpha, mat3.dot(mat3.load(work.body, i, SPREAD), alpha_parent))
                    force, moment = _wrench(work, i, alpha, a)
                    relative = sub(alpha, alpha_parent)
                    torque = sub(torque, mat3.sym_dot(mat3.load_sym(work.body, i, PIVOT), relative))
                    spin = axpy(0.5 * h, relative, joints.relative_spin(model, work, i))
                else:
                    spin = joints.relative_spin(model, work, i)
                elastic, lost = joints.ball_power(work, i, torque, spin)
                out[powers + JOINT_ELASTIC] += elastic
                out[powers + JOINT_DISSIPATED] += lost
            moment = torque
            vec3.store_at(work.vdot, first, alpha)
        elif kind == FREE:
            a, alpha = vec3.load(work.body, i, ACCEL), vec3.load(work.body, i, ALPHA)
            vec3.store_at(work.vdot, first, a)
            vec3.store_at(work.vdot, first + 3, alpha)
        else:
            alpha, a = _outward_general(
                model, work, i, v, h, add(alpha_parent, vec3.load(work.body, i, BIAS_SPIN)), a, powers
            )
            force, moment = _wrench(work, i, alpha, a)
        vec3.store(work.body, i, ALPHA, alpha)
        vec3.store(work.body, i, ACCEL, a)
        c, spin_own = vec3.load(work.body, i, ARM), vec3.load(work.body, i, SPIN)
        a_com = add(add(a, cross(alpha, c)), cross(spin_own, cross(spin_own, c)))
        vec3.store_at(out, OUT_BODY * i, a_com)
        vec3.store_at(out, OUT_BODY * i + 3, alpha)
        at = OUT_BODY * n_body + OUT_JOINT * i
        vec3.store_at(out, at, torque)
        vec3.store_at(out, at + 3, force)
        vec3.store_at(out, at + 6, moment)
        mean_velocity = axpy(0.5 * h, a_com, vec3.load(work.body, i, VELOCITY))
        out[powers + GRAVITY] += model.link[i, LINK_MASS] * dot(gravity, mean_velocity)


@kernel
def _wrench(work, i, alpha, a):
    """Force [N] and moment [N m] that the joint puts on body i: the multipliers of the joint."""
    coupling = mat3.load(work.body, i, COUPLING)
    force = add(mat3.transposed_dot(coupling, alpha), mat3.sym_dot(mat3.load_sym(work.body, i, MASS), a))
    moment = add(mat3.sym_dot(mat3.load_sym(work.body, i, ANGULAR), alpha), mat3.dot(coupling, a))
    return add(force, vec3.load(work.body, i, FORCE_BIAS)), add(moment, vec3.load(work.body, i, MOMENT_BIAS))


@kernel
def _outward_general(model, work, i, v, h, alpha, a, powers):
    """Accelerations along the joint's axes: qdd = D^-1 (u - U' a'), then the body's own."""
    first, n = model.joint[i, FIRST_V], model.joint[i, NV]
    u = (0.0, 0.0, 0.0)
    if n > 0:
        u = (_unbalanced(work, i, 0, alpha, a), u[1], u[2])
    if n > 1:
        u = (u[0], _unbalanced(work, i, 1, alpha, a), u[2])
    if n > 2:
        u = (u[0], u[1], _unbalanced(work, i, 2, alpha, a))
    qdd = mat3.sym_dot(mat3.load_sym(work.body, i, PIVOT), u)
    for k in range(n):
        accel = qdd[0] if k == 0 else (qdd[1] if k == 1 else qdd[2])
        work.vdot[first + k] = accel
        alpha = axpy(accel, vec3.load(work.body, i, AXIS + 6 * k), alpha)
        a = axpy(accel, vec3.load(work.body, i, AXIS + 6 * k + 3), a)
        if model.joint[i, RESISTS] == 1:
            drag = work.body[i, DAMPING + k] + h * work.body[i, STIFFNESS + k]
            rate = v[first + k] + 0.5 * h * accel
            torque = work.body[i, ELASTIC + k] - drag * (v[first + k] + h * accel)
            work.out[powers + JOINT_ELASTIC] += work.body[i, ELASTIC + k] * rate
            work.out[powers + JOINT_DISSIPATED] += (torque - work.body[i, ELASTIC + k]) * rate
    return alpha, a


@kernel
def _unbalanced(work, i, k, alpha, a):
    """Component k of u - U' a'."""
    return (
        work.body[i, DRIVE + k]
        - dot(vec3.load(work.body, i, LEVER + 6 * k), alpha)
        - dot(vec3.load(work.body, i, LEVER + 6 * k + 3), a)
    )


@kernel
def _contact_result(model, work, h):
    """The force that each contact applied over the step, and its power."""
    n_body, n_pair = model.joint.shape[0], model.candidate.shape[0]
    at = n_body * (OUT_BODY + OUT_JOINT)
    powers = at + OUT_PAIR * n_pair
    for c in range(n_pair):
        if work.pair[c, DEPTH] <= 0.0:
            vec3.store_at(work.out, at + OUT_PAIR * c, ZERO)
            continue
        i, lever = contact.pair_lever(model, work, c)
        spin = vec3.load(work.body, i, SPIN)
        a = add(vec3.load(work.body, i, ACCEL), cross(vec3.load(work.body, i, ALPHA), lever))
        a = add(a, cross(spin, cross(spin, lever)))
        force = vec3.load(work.pair, c, PAIR_FORCE)
        if h > 0.0:
            force = sub(force, mat3.sym_dot(mat3.load_sym(work.pair, c, PAIR_MATRIX), a))
        vec3.store_at(work.out, at + OUT_PAIR * c, force)
        normal = vec3.load(model.candidate, c, NORMAL)
        velocity = axpy(0.5 * h, a, vec3.load(work.pair, c, POINT_VELOCITY))
        along, across = contact.slip_power(normal, force, velocity)
        elastic = work.pair[c, PAIR_ELASTIC] * dot(normal, velocity)
        work.out[powers + CONTACT_ELASTIC] += elastic
        work.out[powers + CONTACT_DISSIPATED] += along - elastic
        work.out[powers + FRICTION] += across
