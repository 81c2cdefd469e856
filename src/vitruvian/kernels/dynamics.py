"""The sweep: accelerations of a tree of bodies in two passes, in the world frame, and the joint reactions.

About the joint point of body i, with unknowns alpha (angular acceleration) and a (acceleration of the joint point):

    [n]   [A  B] [alpha]   [p_n]
    [f] = [B' M] [  a  ] + [p_f]        n, f: moment and force that the joint puts on the body

A spherical joint transmits no moment but its own torque tau, so a branch seen from its joint is only a 3x3 mass and a
force:

    alpha = A^-1 (tau - p_n - B a),   M* = M - B' A^-1 B,   f* = p_f + B' A^-1 (tau - p_n)

With implicit joint damping, n = tau - D (alpha - alpha_parent), it passes a full 6x6; other joints pass what they lock
(articulated inertia, featherstone2008 ch. 7) in the same sweep. The parent, at the offset r, gains M*, B* + [r] M*,
A* - B* [r] + [r] B*' - [r] M* [r]. The force f and moment n are the Lagrange multipliers of the joint.
"""

from .._jit import inlined, inner, kernel
from . import (
    airbag,
    belt,
    closure,
    contact,
    contact_response,
    contact_share,
    joint_torque,
    loop_response,
    mat3,
    modal,
    muscle,
    vec3,
)
from .layout import body, candidate, joint, joint_type, link, mode, out_row, pair, shape_kind, work_class
from .vec3 import add, axpy, cross, dot, scale, sub

ZERO = (0.0, 0.0, 0.0)


@kernel
def accelerations(model, work, memory, v, h):
    """Accelerations of a step h [s] (0: explicit) and the loads that go with them.

    Fills vdot, and `out` with body accelerations, joint loads, contact forces and powers.
    """
    contact.normal_loads(model, work, memory)
    loaded_accelerations(model, work, memory, v, h)


@inlined
def loaded_accelerations(model, work, memory, v, h):
    """Solve for accelerations [m/s2, rad/s2] with the normal contact loads of this state already known."""
    solve(model, work, memory, v, h)
    _contact_result(model, work, h)
    _results(model, work, v, h)
    if work.closed.shape[0] > 0:
        closure.result(model, work, h)
    if work.strand.shape[0] > 0:
        belt.result(model, work, h)
    if work.pull.shape[0] > 0:
        muscle.result(model, work, h)
    if work.mode.shape[0] > 0:
        modal.result(model, work, v, h)
    if work.bag.shape[0] > 0:
        airbag.result(model, work, h)


@inlined
def solve(model, work, memory, v, h):
    """Sweep inward and outward, after `integrate.begin`: fill vdot and all accelerations [m/s2, rad/s2]."""
    joints, bodies = model.joint, work.body
    gather(joints, model.link, bodies)
    _gather_contact(model, work, memory, h)
    if work.strand.shape[0] > 0:
        belt.gather(model, work, h)
    if work.pull.shape[0] > 0:
        muscle.gather(model, work, h)
    inward(model, work, v, h)
    couples = contact_response.couples(model, work, h)
    if work.closed.shape[0] > 0 and not couples:
        loop_response.hold(model, work, h)
    _outward(model, work, h)
    if couples:
        contact_response.couple(model, work, h)


@inlined
def inward(model, work, v, h):
    """Sweep from the leaves: add articulated inertia [kg, kg m2] and bias [N, N m] of branches to parents."""
    joints, bodies = model.joint, work.body
    if work.mode.shape[0] > 0:
        modal.gather(model, work, v, h)
    for i in range(joints.shape[0] - 1, -1, -1):
        if joints[i, joint.FLEXIBLE] >= 0:
            modal.reduce(model, work, i)
        if joints[i, joint.STATION] >= 0 and modal.pass_station(model, work, i):
            continue
        if joints[i, joint.MOVED] >= 0 or joints[i, joint.KIND] in (joint_type.RIGID, joint_type.MODAL):
            _inward_rigid(joints, bodies, i)
        elif joints[i, joint.KIND] == joint_type.SPHERICAL:
            if bodies[i, body.FAST] > 0.0 and h > 0.0:
                _inward_damped_ball(joints, model.link, bodies, i, h)
            elif joints[i, joint.RESISTS] > 0:
                _inward_ball(joints, bodies, i, joint_torque.ball_torque(joints, model.link, bodies, i))
            else:
                _inward_ball(joints, bodies, i, ZERO)
        elif joints[i, joint.KIND] == joint_type.FREE:
            _inward_free(bodies, i)
        else:
            _inward_general(joints, bodies, i, v, h)


@inlined
def gather(joints, links, bodies):
    """Start every body with its inertia, weight and explicit loads [N, N m], or its given acceleration [m/s2]."""
    for i in range(links.shape[0]):
        if joints[i, joint.DRIVEN] == 1:
            p = joints[i, joint.PARENT]
            a = add(
                vec3.load(bodies, p, body.ACCEL),
                cross(vec3.load(bodies, p, body.ALPHA), vec3.load(bodies, i, body.OFFSET)),
            )
            vec3.store(bodies, i, body.ACCEL, add(a, vec3.load(bodies, i, body.BIAS)))
            vec3.store(
                bodies, i, body.ALPHA, add(vec3.load(bodies, p, body.ALPHA), vec3.load(bodies, i, body.BIAS_SPIN))
            )
        mass = links[i, link.MASS]
        x, y, z = mass * bodies[i, body.ARM], mass * bodies[i, body.ARM + 1], mass * bodies[i, body.ARM + 2]
        for k in range(6):
            bodies[i, body.ANGULAR + k] = bodies[i, body.OWN_INERTIA + k]
        mat3.store(bodies, i, body.COUPLING, (0.0, -z, y, z, 0.0, -x, -y, x, 0.0))
        mat3.store_sym(bodies, i, body.MASS, (mass, 0.0, 0.0, mass, 0.0, mass))
        for k in range(3):
            bodies[i, body.MOMENT_BIAS + k] = bodies[i, body.OWN_MOMENT + k] - bodies[i, body.MOMENT + k]
            bodies[i, body.FORCE_BIAS + k] = bodies[i, body.OWN_FORCE + k] - bodies[i, body.FORCE + k]


@inlined
def _gather_contact(model, work, memory, h):
    """Add the contacts: a force, and a matrix at its point that the implicit step adds to the body's own block.

    Where both bodies answer, only the force; `response.couple` adds what the matrix does.
    """
    for c in range(model.candidate.shape[0]):
        if work.pair[c, pair.DEPTH] <= 0.0:
            continue
        contact.pair_load(model, work, memory, c, h)
        i, lever = contact.pair_lever(model.candidate, model.shape_kind, work.pair, work.body, c)
        force = vec3.load(work.pair, c, pair.FORCE)
        if model.candidate[c, candidate.COUPLED] == 1:
            j, other = contact.other_lever(model.candidate, model.shape_kind, work.pair, work.body, c)
            vec3.increase(work.body, j, body.FORCE_BIAS, force)
            vec3.increase(work.body, j, body.MOMENT_BIAS, cross(other, force))
        elif h > 0.0:
            matrix = mat3.load_sym(work.pair, c, pair.MATRIX)
            spin = vec3.load(work.body, i, body.SPIN)
            known = cross(spin, cross(spin, lever))
            j, other = contact.other_lever(model.candidate, model.shape_kind, work.pair, work.body, c)
            if j < model.joint.shape[0]:
                known = sub(known, contact_response.point_acceleration(work.body, j, other))
            force = sub(force, mat3.sym_dot(matrix, known))
            mat3.increase_sym(work.body, i, body.MASS, matrix)
            moved = mat3.skew_sym(lever, matrix)
            mat3.increase(work.body, i, body.COUPLING, moved)
            mat3.increase_sym(work.body, i, body.ANGULAR, mat3.sym_scale(-1.0, mat3.dot_skew_symmetric(moved, lever)))
        vec3.increase(work.body, i, body.FORCE_BIAS, scale(-1.0, force))
        vec3.increase(work.body, i, body.MOMENT_BIAS, scale(-1.0, cross(lever, force)))
        if work.pair[c, pair.PART_SHIFT] != 0.0:
            _gather_shift(model, work, c, i)


@inner
def _gather_shift(model, work, c, i):
    """Add the force by which the shares of parts shift, at the contact point of the part alone, to body i of pair c."""
    force = scale(work.pair[c, pair.PART_SHIFT], vec3.load(work.pair, c, pair.PART_NORMAL))
    point = vec3.load(work.pair, c, pair.PART_POINT)
    lever = sub(point, vec3.load(work.body, i, body.JOINT_POINT))
    vec3.increase(work.body, i, body.FORCE_BIAS, scale(-1.0, force))
    vec3.increase(work.body, i, body.MOMENT_BIAS, scale(-1.0, cross(lever, force)))
    if model.candidate[c, candidate.COUPLED] == 1:
        j = model.shape_kind[model.candidate[c, candidate.SHAPE_B], shape_kind.CARRIER]
        vec3.increase(work.body, j, body.FORCE_BIAS, force)
        vec3.increase(
            work.body, j, body.MOMENT_BIAS, cross(sub(point, vec3.load(work.body, j, body.JOINT_POINT)), force)
        )


@inlined
def _pass_force(joints, bodies, i, mass, force, moment):
    """Give the parent a mass and a force at the joint point, and a moment."""
    p = joints[i, joint.PARENT]
    r = vec3.load(bodies, i, body.OFFSET)
    force = add(force, mat3.sym_dot(mass, vec3.load(bodies, i, body.BIAS)))
    moved = mat3.skew_sym(r, mass)
    mat3.increase_sym(bodies, p, body.MASS, mass)
    mat3.increase(bodies, p, body.COUPLING, moved)
    mat3.increase_sym(bodies, p, body.ANGULAR, mat3.sym_scale(-1.0, mat3.dot_skew_symmetric(moved, r)))
    vec3.increase(bodies, p, body.FORCE_BIAS, force)
    vec3.increase(bodies, p, body.MOMENT_BIAS, add(moment, cross(r, force)))


@inlined
def _pass_full(joints, bodies, i, angular, coupling, mass, moment, force):
    """Give the parent a full articulated inertia at the joint point."""
    p = joints[i, joint.PARENT]
    r = vec3.load(bodies, i, body.OFFSET)
    _pass_force(joints, bodies, i, mass, force, add(moment, mat3.dot(coupling, vec3.load(bodies, i, body.BIAS))))
    mat3.increase(bodies, p, body.COUPLING, coupling)
    # A* - B* [r] + [r] B*'
    q = mat3.product(coupling, mat3.skew(r))
    turned = (2.0 * q[0], q[1] + q[3], q[2] + q[6], 2.0 * q[4], q[5] + q[7], 2.0 * q[8])
    mat3.increase_sym(bodies, p, body.ANGULAR, mat3.sym_sub(angular, turned))


@inlined
def _inward_ball(joints, bodies, i, torque):
    """Spherical joint with a given torque: the branch is a mass and a force."""
    coupling = mat3.load(bodies, i, body.COUPLING)
    inverse = mat3.sym_inverse(mat3.load_sym(bodies, i, body.ANGULAR))
    gain = mat3.sym_product(inverse, coupling)
    push = mat3.sym_dot(inverse, sub(torque, vec3.load(bodies, i, body.MOMENT_BIAS)))
    mass = mat3.sym_sub(mat3.load_sym(bodies, i, body.MASS), mat3.transposed_product_symmetric(coupling, gain))
    force = add(vec3.load(bodies, i, body.FORCE_BIAS), mat3.transposed_dot(coupling, push))
    mat3.store_sym(bodies, i, body.INVERSE, inverse)
    mat3.store(bodies, i, body.GAIN, gain)
    vec3.store(bodies, i, body.PUSH, push)
    vec3.store(bodies, i, body.DRIVE, torque)
    _pass_force(joints, bodies, i, mass, force, torque)


@inlined
def _inward_damped_ball(joints, links, bodies, i, h):
    """Spherical joint with implicit damping D: n = tau - D (alpha - alpha_parent); passes a full inertia."""
    torque, damping = joint_torque.implicit_ball_torque(joints, links, bodies, i, h)
    coupling = mat3.load(bodies, i, body.COUPLING)
    inverse = mat3.sym_inverse(mat3.sym_add(mat3.load_sym(bodies, i, body.ANGULAR), damping))
    gain = mat3.sym_product(inverse, coupling)
    spread = mat3.sym_product(inverse, mat3.full(damping))
    push = mat3.sym_dot(inverse, sub(torque, vec3.load(bodies, i, body.MOMENT_BIAS)))
    mass = mat3.sym_sub(mat3.load_sym(bodies, i, body.MASS), mat3.transposed_product_symmetric(coupling, gain))
    force = add(vec3.load(bodies, i, body.FORCE_BIAS), mat3.transposed_dot(coupling, push))
    mat3.store_sym(bodies, i, body.INVERSE, inverse)
    mat3.store(bodies, i, body.GAIN, gain)
    mat3.store(bodies, i, body.SPREAD, spread)
    vec3.store(bodies, i, body.PUSH, push)
    vec3.store(bodies, i, body.DRIVE, torque)
    mat3.store_sym(bodies, i, body.PIVOT, damping)
    # D - D (A + D)^-1 D, written so that it does not cancel where D is large
    angular = mat3.transposed_product_symmetric(spread, mat3.full(mat3.load_sym(bodies, i, body.ANGULAR)))
    moment = sub(torque, mat3.sym_dot(damping, push))
    _pass_full(joints, bodies, i, angular, mat3.sym_product(damping, gain), mass, moment, force)


@inner
def _inward_free(bodies, i):
    """Free root: no wrench from the world, so the 6x6 is solved here; the answer is kept for the outward pass."""
    coupling = mat3.load(bodies, i, body.COUPLING)
    inverse = mat3.sym_inverse(mat3.load_sym(bodies, i, body.ANGULAR))
    gain = mat3.sym_product(inverse, coupling)
    push = scale(-1.0, mat3.sym_dot(inverse, vec3.load(bodies, i, body.MOMENT_BIAS)))
    mass = mat3.sym_sub(mat3.load_sym(bodies, i, body.MASS), mat3.transposed_product_symmetric(coupling, gain))
    force = add(vec3.load(bodies, i, body.FORCE_BIAS), mat3.transposed_dot(coupling, push))
    inverse_mass = mat3.sym_inverse(mass)
    acceleration = scale(-1.0, mat3.sym_dot(inverse_mass, force))
    mat3.store_sym(bodies, i, body.INVERSE, inverse)
    mat3.store_sym(bodies, i, body.INVERSE_MASS, inverse_mass)
    mat3.store(bodies, i, body.GAIN, gain)
    vec3.store(bodies, i, body.ACCEL, acceleration)
    vec3.store(bodies, i, body.ALPHA, sub(push, mat3.dot(gain, acceleration)))


@inner
def _inward_rigid(joints, bodies, i):
    """Rigid or prescribed joint: all of the inertia is passed on, with the known relative acceleration."""
    angular = mat3.load_sym(bodies, i, body.ANGULAR)
    coupling = mat3.load(bodies, i, body.COUPLING)
    spin = vec3.load(bodies, i, body.BIAS_SPIN)
    moment = add(vec3.load(bodies, i, body.MOMENT_BIAS), mat3.sym_dot(angular, spin))
    force = add(vec3.load(bodies, i, body.FORCE_BIAS), mat3.transposed_dot(coupling, spin))
    _pass_full(joints, bodies, i, angular, coupling, mat3.load_sym(bodies, i, body.MASS), moment, force)


@inlined
def _inward_general(joints, bodies, i, v, h):
    """Joint with up to three axes S: I* = I - U D^-1 U',  p* = p + I* c + U D^-1 u.

    U = I S,  D = S' U (+ implicit damping),  u = torque - S' p,  c = the known relative acceleration
    """
    angular, coupling, mass = (
        mat3.load_sym(bodies, i, body.ANGULAR),
        mat3.load(bodies, i, body.COUPLING),
        mat3.load_sym(bodies, i, body.MASS),
    )
    p_n, p_f = vec3.load(bodies, i, body.MOMENT_BIAS), vec3.load(bodies, i, body.FORCE_BIAS)
    first, n = joints[i, joint.FIRST_V], joints[i, joint.NV]
    for k in range(n):
        s_w, s_v = vec3.load(bodies, i, body.AXIS + 6 * k), vec3.load(bodies, i, body.AXIS + 6 * k + 3)
        vec3.store(bodies, i, body.LEVER + 6 * k, add(mat3.sym_dot(angular, s_w), mat3.dot(coupling, s_v)))
        vec3.store(bodies, i, body.LEVER + 6 * k + 3, add(mat3.transposed_dot(coupling, s_w), mat3.sym_dot(mass, s_v)))
        torque = 0.0
        if joints[i, joint.RESISTS] > 0:
            drag = bodies[i, body.DAMPING + k] + h * bodies[i, body.STIFFNESS + k]
            torque = bodies[i, body.ELASTIC + k] - drag * v[first + k]
        bodies[i, body.DRIVE + k] = torque - dot(s_w, p_n) - dot(s_v, p_f)

    # D, with ones on the axes that are not there
    at = body.PIVOT
    for j in range(3):
        for k in range(j, 3):
            bodies[i, at] = _pivot(joints, bodies, i, n, j, k, h)
            at += 1
    inverse = mat3.sym_inverse(mat3.load_sym(bodies, i, body.PIVOT))
    mat3.store_sym(bodies, i, body.PIVOT, inverse)
    full = mat3.full(inverse)
    for j in range(n):
        u_w, u_v = vec3.load(bodies, i, body.LEVER + 6 * j), vec3.load(bodies, i, body.LEVER + 6 * j + 3)
        for k in range(n):
            w = full[3 * j + k]
            t_w, t_v = vec3.load(bodies, i, body.LEVER + 6 * k), vec3.load(bodies, i, body.LEVER + 6 * k + 3)
            angular = mat3.sym_sub(angular, _outer_symmetric(w, u_w, t_w))
            mass = mat3.sym_sub(mass, _outer_symmetric(w, u_v, t_v))
            coupling = mat3.sub(coupling, _outer(w, u_w, t_v))
            p_n = axpy(w * bodies[i, body.DRIVE + k], u_w, p_n)
            p_f = axpy(w * bodies[i, body.DRIVE + k], u_v, p_f)
    spin = vec3.load(bodies, i, body.BIAS_SPIN)
    p_n = add(p_n, mat3.sym_dot(angular, spin))
    p_f = add(p_f, mat3.transposed_dot(coupling, spin))
    _pass_full(joints, bodies, i, angular, coupling, mass, p_n, p_f)


@inlined
def _pivot(joints, bodies, i, n, j, k, h):
    """Entry j, k of S' I S with implicit damping on the diagonal."""
    if j >= n or k >= n:
        return 1.0 if j == k else 0.0
    value = 0.0
    for m in range(6):
        value += bodies[i, body.AXIS + 6 * j + m] * bodies[i, body.LEVER + 6 * k + m]
    if j == k and joints[i, joint.RESISTS] > 0:
        value += h * (bodies[i, body.DAMPING + j] + h * bodies[i, body.STIFFNESS + j])
    return value


@inlined
def _outer(w, a, b):
    """w a b'."""
    return (
        w * a[0] * b[0], w * a[0] * b[1], w * a[0] * b[2],
        w * a[1] * b[0], w * a[1] * b[1], w * a[1] * b[2],
        w * a[2] * b[0], w * a[2] * b[1], w * a[2] * b[2],
    )  # fmt: skip


@inlined
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


@inlined
def _outward(model, work, h):
    """From the roots: the accelerations."""
    joints, bodies, vdot = model.joint, work.body, work.vdot
    for i in range(joints.shape[0]):
        p, first, kind = joints[i, joint.PARENT], joints[i, joint.FIRST_V], joints[i, joint.KIND]
        if kind == joint_type.FREE and joints[i, joint.MOVED] < 0:
            vec3.store_at(vdot, first, vec3.load(bodies, i, body.ACCEL))
            vec3.store_at(vdot, first + 3, vec3.load(bodies, i, body.ALPHA))
            if joints[i, joint.FLEXIBLE] >= 0:
                modal.answer(model, work, i)
            continue
        alpha_parent = vec3.load(bodies, p, body.ALPHA)
        a = add(vec3.load(bodies, p, body.ACCEL), cross(alpha_parent, vec3.load(bodies, i, body.OFFSET)))
        a = add(a, vec3.load(bodies, i, body.BIAS))
        if joints[i, joint.MOVED] >= 0 or kind == joint_type.RIGID:
            alpha = add(alpha_parent, vec3.load(bodies, i, body.BIAS_SPIN))
        elif kind == joint_type.SPHERICAL:
            alpha = sub(vec3.load(bodies, i, body.PUSH), mat3.dot(mat3.load(bodies, i, body.GAIN), a))
            if bodies[i, body.FAST] > 0.0 and h > 0.0:
                alpha = add(alpha, mat3.dot(mat3.load(bodies, i, body.SPREAD), alpha_parent))
            vec3.store_at(vdot, first, alpha)
        elif kind == joint_type.MODAL:
            alpha = add(alpha_parent, vec3.load(bodies, i, body.BIAS_SPIN))
            alpha, a = modal.ride(model, work, i, mode.ACCEL, alpha, a)
        else:
            alpha, a = _outward_general(
                joints, bodies, vdot, i, add(alpha_parent, vec3.load(bodies, i, body.BIAS_SPIN)), a
            )
        vec3.store(bodies, i, body.ALPHA, alpha)
        vec3.store(bodies, i, body.ACCEL, a)
        if joints[i, joint.FLEXIBLE] >= 0:
            modal.answer(model, work, i)


@inlined
def _results(model, work, v, h):
    """Fill accelerations of the centres of mass, joint loads, and powers of gravity, joints and drives."""
    joints, bodies, out = model.joint, work.body, work.out
    n_body = joints.shape[0]
    weight, stored, lost, driven, muscle = 0.0, 0.0, 0.0, 0.0, 0.0
    gravity = (model.gravity[0], model.gravity[1], model.gravity[2])
    for i in range(n_body):
        kind = joints[i, joint.KIND]
        alpha, a, spin = (
            vec3.load(bodies, i, body.ALPHA),
            vec3.load(bodies, i, body.ACCEL),
            vec3.load(bodies, i, body.SPIN),
        )
        torque, force, moment, loss = ZERO, ZERO, ZERO, 0.0
        if kind == joint_type.SPHERICAL and joints[i, joint.MOVED] < 0:
            force = _reaction(bodies, i, alpha, a)
            if joints[i, joint.RESISTS] > 0:
                p = joints[i, joint.PARENT]
                relative = sub(alpha, vec3.load(bodies, p, body.ALPHA))
                torque = vec3.load(bodies, i, body.DRIVE)
                if bodies[i, body.FAST] > 0.0 and h > 0.0:
                    torque = sub(torque, mat3.sym_dot(mat3.load_sym(bodies, i, body.PIVOT), relative))
                turn = axpy(0.5 * h, relative, sub(spin, vec3.load(bodies, p, body.SPIN)))
                elastic = dot(vec3.load(bodies, i, body.ELASTIC), turn)
                held = dot(vec3.load(bodies, i, body.TONE), turn)
                stored += elastic - held
                muscle += held
                loss = elastic - dot(torque, turn)
                moment = torque
        elif kind != joint_type.FREE or joints[i, joint.MOVED] >= 0:
            force, moment = _wrench(bodies, i, alpha, a)
            if joints[i, joint.MOVED] >= 0:
                turn = sub(spin, vec3.load(bodies, joints[i, joint.PARENT], body.SPIN))
                driven += dot(moment, turn) + dot(force, vec3.load(bodies, i, body.SLIDE))
            elif joints[i, joint.RESISTS] > 0:
                elastic, held, loss = _coordinate_power(joints, bodies, work.vdot, i, v, h)
                stored += elastic
                muscle += held
        c = vec3.load(bodies, i, body.ARM)
        a = add(add(a, cross(alpha, c)), cross(spin, cross(spin, c)))
        vec3.store_at(out, out_row.BODY * i, a)
        vec3.store_at(out, out_row.BODY * i + 3, alpha)
        at = out_row.BODY * n_body + out_row.JOINT * i
        vec3.store_at(out, at, torque)
        vec3.store_at(out, at + 3, force)
        vec3.store_at(out, at + 6, moment)
        out[at + out_row.JOINT_LOSS] = loss
        lost += loss
        mean_velocity = axpy(0.5 * h, a, vec3.load(bodies, i, body.VELOCITY))
        weight += model.link[i, link.MASS] * dot(gravity, mean_velocity)
    powers = out.shape[0] - work_class.COUNT
    out[powers + work_class.GRAVITY] = weight
    out[powers + work_class.JOINT_ELASTIC] = stored
    out[powers + work_class.JOINT_DISSIPATED] = -lost
    out[powers + work_class.PRESCRIBED] = driven
    out[powers + work_class.MUSCLE] = muscle


@inlined
def _coordinate_power(joints, bodies, vdot, i, v, h):
    """Power [W] of a resistance along the joint's coordinates: elastic, of muscles, lost."""
    first, stored, held, lost = joints[i, joint.FIRST_V], 0.0, 0.0, 0.0
    for k in range(joints[i, joint.NV]):
        speed, accel = v[first + k], vdot[first + k]
        drag = bodies[i, body.DAMPING + k] + h * bodies[i, body.STIFFNESS + k]
        rate = speed + 0.5 * h * accel
        stored += (bodies[i, body.ELASTIC + k] - bodies[i, body.TONE + k]) * rate
        held += bodies[i, body.TONE + k] * rate
        lost += drag * (speed + h * accel) * rate
    return stored, held, lost


@inlined
def _reaction(bodies, i, alpha, a):
    """Force [N] that the joint puts on body i."""
    force = mat3.transposed_dot(mat3.load(bodies, i, body.COUPLING), alpha)
    force = add(force, mat3.sym_dot(mat3.load_sym(bodies, i, body.MASS), a))
    return add(force, vec3.load(bodies, i, body.FORCE_BIAS))


@inlined
def _wrench(bodies, i, alpha, a):
    """Force [N] and moment [N m] that the joint puts on body i: the multipliers of the joint."""
    moment = add(
        mat3.sym_dot(mat3.load_sym(bodies, i, body.ANGULAR), alpha), mat3.dot(mat3.load(bodies, i, body.COUPLING), a)
    )
    return _reaction(bodies, i, alpha, a), add(moment, vec3.load(bodies, i, body.MOMENT_BIAS))


@inlined
def _outward_general(joints, bodies, vdot, i, alpha, a):
    """Accelerations along the joint's axes: qdd = D^-1 (u - U' a'), then the body's own."""
    first, n = joints[i, joint.FIRST_V], joints[i, joint.NV]
    u = (
        _unbalanced(bodies, i, n, 0, alpha, a),
        _unbalanced(bodies, i, n, 1, alpha, a),
        _unbalanced(bodies, i, n, 2, alpha, a),
    )
    qdd = mat3.sym_dot(mat3.load_sym(bodies, i, body.PIVOT), u)
    for k in range(n):
        accel = qdd[0] if k == 0 else (qdd[1] if k == 1 else qdd[2])
        vdot[first + k] = accel
        alpha = axpy(accel, vec3.load(bodies, i, body.AXIS + 6 * k), alpha)
        a = axpy(accel, vec3.load(bodies, i, body.AXIS + 6 * k + 3), a)
    return alpha, a


@inlined
def _unbalanced(bodies, i, n, k, alpha, a):
    """Component k of u - U' a'; zero for an axis that is not there."""
    if k >= n:
        return 0.0
    at = body.LEVER + 6 * k
    return bodies[i, body.DRIVE + k] - dot(vec3.load(bodies, i, at), alpha) - dot(vec3.load(bodies, i, at + 3), a)


@inlined
def _contact_result(model, work, h):
    """The force that each contact applied over the step, and its power; the powers of explicit loads come first."""
    n_body, n_pair = model.joint.shape[0], model.candidate.shape[0]
    at = n_body * (out_row.BODY + out_row.JOINT)
    powers = work.out.shape[0] - work_class.COUNT
    for k in range(work_class.COUNT):
        work.out[powers + k] = work.load_power[k]
    for c in range(n_pair):
        first = at + out_row.PAIR * c
        if work.pair[c, pair.DEPTH] <= 0.0:
            vec3.store_at(work.out, first, ZERO)
            vec3.store_at(work.out, first + 3, ZERO)
            continue
        i, lever = contact.pair_lever(model.candidate, model.shape_kind, work.pair, work.body, c)
        j, other = contact.other_lever(model.candidate, model.shape_kind, work.pair, work.body, c)
        a = contact_response.point_acceleration(work.body, i, lever)
        if j < n_body:
            a = sub(a, contact_response.point_acceleration(work.body, j, other))
        force = vec3.load(work.pair, c, pair.FORCE)
        if h > 0.0:
            force = sub(force, mat3.sym_dot(mat3.load_sym(work.pair, c, pair.MATRIX), a))
        if j < n_body and model.joint[j, joint.DRIVEN] == 1:
            _drive_back(model.joint, work.body, j, vec3.load(work.pair, c, pair.POINT), force)
        normal = vec3.load(work.pair, c, pair.NORMAL)
        velocity = axpy(0.5 * h, a, vec3.load(work.pair, c, pair.POINT_VELOCITY))
        along, across = contact.slip_power(normal, force, velocity)
        elastic = work.pair[c, pair.LOAD_SHARE] * work.pair[c, pair.ELASTIC] + work.pair[c, pair.REGION_SHIFT]
        elastic *= dot(normal, velocity)
        if work.pair[c, pair.PART_SHIFT] != 0.0:
            more, shift = _shift_result(model, work, c, i, j, h)
            force = add(force, shift)
            elastic, along = elastic + more, along + more
        if work.pair[c, pair.LOAD_SHARE] < 1.0:
            force = add(force, contact_share.shift_borne(model.candidate, work.pair, c))
        vec3.store_at(work.out, first, force)
        vec3.store_at(work.out, first + 3, (elastic, along - elastic, across))
        work.out[powers + work_class.CONTACT_ELASTIC] += elastic
        work.out[powers + work_class.CONTACT_DISSIPATED] += along - elastic
        work.out[powers + work_class.FRICTION] += across


@inner
def _shift_result(model, work, c, i, j, h):
    """Power [W] of the force by which the shares of parts shift in pair c of the bodies i and j, and the force [N]."""
    n_body, normal, point = (
        model.joint.shape[0],
        vec3.load(work.pair, c, pair.PART_NORMAL),
        vec3.load(work.pair, c, pair.PART_POINT),
    )
    force = scale(work.pair[c, pair.PART_SHIFT], normal)
    velocity = _point_velocity(work.body, i, point, h)
    if j < n_body:
        velocity = sub(velocity, _point_velocity(work.body, j, point, h))
        if model.joint[j, joint.DRIVEN] == 1:
            _drive_back(model.joint, work.body, j, point, force)
    return dot(force, velocity), force


@inner
def _point_velocity(bodies, i, point, h):
    """Mean velocity [m/s] over a step h [s] of the point of body i that is at `point` [m] at its start."""
    lever, arm = sub(point, vec3.load(bodies, i, body.JOINT_POINT)), sub(point, vec3.load(bodies, i, body.POSITION))
    velocity = add(vec3.load(bodies, i, body.VELOCITY), cross(vec3.load(bodies, i, body.SPIN), arm))
    return axpy(0.5 * h, contact_response.point_acceleration(bodies, i, lever), velocity)


@inner
def _drive_back(joints, bodies, j, point, force):
    """A contact force on another body bears on the driven body j that carries the surface, and on all that drive it."""
    while j < joints.shape[0]:
        vec3.increase(bodies, j, body.FORCE_BIAS, force)
        vec3.increase(bodies, j, body.MOMENT_BIAS, cross(sub(point, vec3.load(bodies, j, body.JOINT_POINT)), force))
        j = joints[j, joint.PARENT]
