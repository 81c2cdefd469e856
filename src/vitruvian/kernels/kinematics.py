"""Pose and velocity of every body from the joint coordinates, and the accelerations that no unknown makes.

Each joint owns its coordinates, so no joint can drift. Free and spherical: an absolute quaternion and the world angular
velocity. Others: angles and displacements, and their rates. A prescribed joint has neither: its tables give both.
"""

from math import cos, sin

from .._jit import inlined, inner, kernel
from . import mat3, quaternion, table, vec3
from .layout import body, flexible, joint, joint_type, link
from .rotation import angular_acceleration, left_jacobian_dot
from .vec3 import add, axpy, cross, scale, sub

ZERO = (0.0, 0.0, 0.0)


@kernel
def forward(model, bodies, q, v, time):
    """Fill the kinematic part of the body table from coordinates q, velocities v and the time [s]."""
    joints, links = model.joint, model.link
    gravity = (model.gravity[0], model.gravity[1], model.gravity[2])
    for i in range(joints.shape[0]):
        _place(model, bodies, i, q, v, time)
        if links[i, link.MASS] > 0.0:
            _own_inertia(joints, links, gravity, bodies, i)


@inner
def forward_path(model, bodies, q, v, time):
    """Fill poses and velocities of the bodies of the path only, without inertia, at the time [s]."""
    for k in range(model.path.shape[0]):
        _place(model, bodies, model.path[k], q, v, time)


@inlined
def _place(model, bodies, i, q, v, time):
    """Find pose and velocity of body i, given those of its parent."""
    joints, links = model.joint, model.link
    if joints[i, joint.MOVED] >= 0:
        _prescribed(model, bodies, i, time)
    elif joints[i, joint.KIND] == joint_type.SPHERICAL:
        _spherical(joints, links, bodies, i, q, v)
    elif joints[i, joint.KIND] == joint_type.FREE:
        _free(joints, bodies, i, q, v)
    elif joints[i, joint.KIND] == joint_type.MODAL:
        _modal(model, bodies, i, q, v)
    else:
        _general(joints, links, bodies, i, q, v)


@inlined
def _spherical(joints, links, bodies, i, q, v):
    """A ball joint: its point moves with the parent, orientation and angular velocity are its own."""
    p = joints[i, joint.PARENT]
    k = joints[i, joint.FIRST_Q]
    orientation = quaternion.load(q, k)
    spin = vec3.load_at(v, joints[i, joint.FIRST_V])
    spin_parent = vec3.load(bodies, p, body.SPIN)
    rotation = quaternion.matrix(orientation)

    # the joint point, carried by the parent
    reach = mat3.dot(mat3.load(bodies, p, body.ROTATION), vec3.load(links, i, link.POINT_PARENT))
    point = add(vec3.load(bodies, p, body.POSITION), reach)
    point_velocity = add(vec3.load(bodies, p, body.VELOCITY), cross(spin_parent, reach))
    offset = sub(point, vec3.load(bodies, p, body.JOINT_POINT))

    # the body about it
    arm = scale(-1.0, mat3.dot(rotation, vec3.load(links, i, link.POINT_CHILD)))
    _store(bodies, i, orientation, rotation, spin, point, arm, add(point_velocity, cross(spin, arm)))
    vec3.store(bodies, i, body.OFFSET, offset)
    vec3.store(bodies, i, body.BIAS, cross(spin_parent, cross(spin_parent, offset)))


@inlined
def _free(joints, bodies, i, q, v):
    """A free body: its joint point is its centre of mass."""
    k, l = joints[i, joint.FIRST_Q], joints[i, joint.FIRST_V]
    orientation = quaternion.load(q, k + 3)
    _store(
        bodies,
        i,
        orientation,
        quaternion.matrix(orientation),
        vec3.load_at(v, l + 3),
        vec3.load_at(q, k),
        ZERO,
        vec3.load_at(v, l),
    )
    vec3.store(bodies, i, body.OFFSET, ZERO)
    vec3.store(bodies, i, body.BIAS, ZERO)


@inner
def _general(joints, links, bodies, i, q, v):
    """A joint with angles and displacements along axes of its frame."""
    k, l = joints[i, joint.FIRST_Q], joints[i, joint.FIRST_V]
    kind = joints[i, joint.KIND]
    frame = quaternion.product(
        quaternion.load_row(bodies, joints[i, joint.PARENT], body.ORIENTATION),
        quaternion.load_row(links, i, link.FRAME_PARENT),
    )
    axes = quaternion.matrix(frame)
    x, y, z = mat3.column(axes, 0), mat3.column(axes, 1), mat3.column(axes, 2)
    for c in range(body.AXIS, body.AXIS + 18):
        bodies[i, c] = 0.0
    turn = (1.0, 0.0, 0.0, 0.0)
    turn_rate, slide, slide_rate, own_bias = ZERO, ZERO, ZERO, ZERO
    if kind in (joint_type.REVOLUTE, joint_type.CYLINDRICAL):
        turn = (cos(0.5 * q[k]), 0.0, 0.0, sin(0.5 * q[k]))
        turn_rate = scale(v[l], z)
        _axis(bodies, i, 0, z, ZERO)
        if kind == joint_type.CYLINDRICAL:
            slide, slide_rate = scale(q[k + 1], z), scale(v[l + 1], z)
            _axis(bodies, i, 1, ZERO, z)
    elif kind == joint_type.PRISMATIC:
        slide, slide_rate = scale(q[k], z), scale(v[l], z)
        _axis(bodies, i, 0, ZERO, z)
    elif kind == joint_type.TRANSLATIONAL:
        slide = axpy(q[k], x, axpy(q[k + 1], y, scale(q[k + 2], z)))
        slide_rate = axpy(v[l], x, axpy(v[l + 1], y, scale(v[l + 2], z)))
        _axis(bodies, i, 0, ZERO, x)
        _axis(bodies, i, 1, ZERO, y)
        _axis(bodies, i, 2, ZERO, z)
    elif kind == joint_type.PLANAR:
        slide = axpy(q[k], x, scale(q[k + 1], y))
        slide_rate = axpy(v[l], x, scale(v[l + 1], y))
        turn = (cos(0.5 * q[k + 2]), 0.0, 0.0, sin(0.5 * q[k + 2]))
        turn_rate = scale(v[l + 2], z)
        _axis(bodies, i, 0, ZERO, x)
        _axis(bodies, i, 1, ZERO, y)
        _axis(bodies, i, 2, z, ZERO)
    elif kind == joint_type.UNIVERSAL:
        # about x of the parent, then about the y that came with it
        first = (cos(0.5 * q[k]), sin(0.5 * q[k]), 0.0, 0.0)
        turn = quaternion.product(first, (cos(0.5 * q[k + 1]), 0.0, sin(0.5 * q[k + 1]), 0.0))
        second = mat3.dot(axes, (0.0, cos(q[k]), sin(q[k])))
        turn_rate = axpy(v[l], x, scale(v[l + 1], second))
        own_bias = cross(scale(v[l], x), scale(v[l + 1], second))
        _axis(bodies, i, 0, x, ZERO)
        _axis(bodies, i, 1, second, ZERO)
    _relative(joints, links, bodies, i, frame, turn, turn_rate, own_bias, slide, slide_rate, ZERO)


@inner
def _modal(model, bodies, i, q, v):
    """A station: displaced and turned in the frame of its parent by the modes, whose coordinates are the last.

    Its joint point is its centre of mass, and its joint frames are those of the bodies.
    """
    p = model.joint[i, joint.PARENT]
    f = model.joint[p, joint.FLEXIBLE]
    first, n_mode = model.flexible[f, flexible.FIRST], model.mode_stiffness.shape[0]
    at_q, at_v = q.shape[0] - n_mode + first, v.shape[0] - n_mode + first
    theta, theta_rate, shift, shift_rate = ZERO, ZERO, ZERO, ZERO
    for k in range(model.flexible[f, flexible.MODES]):
        turning, moving = shape(model, bodies[i, body.RIDE], k)
        theta, theta_rate = axpy(q[at_q + k], turning, theta), axpy(v[at_v + k], turning, theta_rate)
        shift, shift_rate = axpy(q[at_q + k], moving, shift), axpy(v[at_v + k], moving, shift_rate)
    axes, spin_parent = mat3.load(bodies, p, body.ROTATION), vec3.load(bodies, p, body.SPIN)
    turn_rate, slide_rate = mat3.dot(axes, left_jacobian_dot(theta, theta_rate)), mat3.dot(axes, shift_rate)
    orientation = quaternion.product(quaternion.load_row(bodies, p, body.ORIENTATION), quaternion.exponential(theta))
    reach = mat3.dot(axes, add(vec3.load(model.link, i, link.POINT_PARENT), shift))
    point = add(vec3.load(bodies, p, body.POSITION), reach)
    velocity = add(add(vec3.load(bodies, p, body.VELOCITY), cross(spin_parent, reach)), slide_rate)
    offset, spin = sub(point, vec3.load(bodies, p, body.JOINT_POINT)), add(spin_parent, turn_rate)
    _store(bodies, i, orientation, quaternion.matrix(orientation), spin, point, ZERO, velocity)
    vec3.store(bodies, i, body.TURN, theta)
    vec3.store(bodies, i, body.OFFSET, offset)
    vec3.store(bodies, i, body.SLIDE, slide_rate)
    vec3.store(bodies, i, body.BIAS, cross(spin_parent, axpy(2.0, slide_rate, cross(spin_parent, offset))))
    own = mat3.dot(axes, angular_acceleration(theta, theta_rate, ZERO))
    vec3.store(bodies, i, body.BIAS_SPIN, add(cross(spin_parent, turn_rate), own))


@inlined
def shape(model, place, k):
    """Return rotation vector [rad] and displacement [m] by a unit of mode k at a row of stations, or between two."""
    row = int(place)
    share = place - row
    turning, moving = vec3.load(model.station[row], k, 0), vec3.load(model.station[row], k, 3)
    if share > 0.0:
        turning = axpy(share, sub(vec3.load(model.station[row + 1], k, 0), turning), turning)
        moving = axpy(share, sub(vec3.load(model.station[row + 1], k, 3), moving), moving)
    return turning, moving


@inner
def _prescribed(model, bodies, i, time):
    """A joint whose tables give the relative motion: rigid, with a known velocity and acceleration."""
    joints, links = model.joint, model.link
    kind, t = joints[i, joint.KIND], joints[i, joint.MOVED]
    frame = quaternion.product(
        quaternion.load_row(bodies, joints[i, joint.PARENT], body.ORIENTATION),
        quaternion.load_row(links, i, link.FRAME_PARENT),
    )
    axes = quaternion.matrix(frame)
    # rotation vector and displacement in the joint frame, with rates and accelerations
    theta, theta_rate, theta_accel = ZERO, ZERO, ZERO
    shift, shift_rate, shift_accel = ZERO, ZERO, ZERO
    if kind == joint_type.FREE:
        shift, shift_rate, shift_accel = _three(model, t, time)
        theta, theta_rate, theta_accel = _three(model, t + 3, time)
    elif kind == joint_type.SPHERICAL:
        theta, theta_rate, theta_accel = _three(model, t, time)
    elif kind == joint_type.TRANSLATIONAL:
        shift, shift_rate, shift_accel = _three(model, t, time)
    elif kind == joint_type.UNIVERSAL:
        _prescribed_universal(model, bodies, i, time, frame, axes)
        return
    else:
        a, a_rate, a_accel = table.value(model, t, time)
        if kind in (joint_type.REVOLUTE, joint_type.CYLINDRICAL):
            theta, theta_rate, theta_accel = (0.0, 0.0, a), (0.0, 0.0, a_rate), (0.0, 0.0, a_accel)
        if kind == joint_type.PRISMATIC:
            shift, shift_rate, shift_accel = (0.0, 0.0, a), (0.0, 0.0, a_rate), (0.0, 0.0, a_accel)
        if kind == joint_type.CYLINDRICAL:
            b, b_rate, b_accel = table.value(model, t + 1, time)
            shift, shift_rate, shift_accel = (0.0, 0.0, b), (0.0, 0.0, b_rate), (0.0, 0.0, b_accel)
        if kind == joint_type.PLANAR:
            b, b_rate, b_accel = table.value(model, t + 1, time)
            c, c_rate, c_accel = table.value(model, t + 2, time)
            shift, shift_rate, shift_accel = (a, b, 0.0), (a_rate, b_rate, 0.0), (a_accel, b_accel, 0.0)
            theta, theta_rate, theta_accel = (0.0, 0.0, c), (0.0, 0.0, c_rate), (0.0, 0.0, c_accel)
    _relative(
        joints,
        links,
        bodies,
        i,
        frame,
        quaternion.exponential(theta),
        mat3.dot(axes, left_jacobian_dot(theta, theta_rate)),
        mat3.dot(axes, angular_acceleration(theta, theta_rate, theta_accel)),
        mat3.dot(axes, shift),
        mat3.dot(axes, shift_rate),
        mat3.dot(axes, shift_accel),
    )


@inner
def _prescribed_universal(model, bodies, i, time, frame, axes):
    """Two prescribed angles: about x of the parent, then about the y that came with it."""
    joints, links = model.joint, model.link
    a, a_rate, a_accel = table.value(model, joints[i, joint.MOVED], time)
    b, b_rate, b_accel = table.value(model, joints[i, joint.MOVED] + 1, time)
    x, second = mat3.column(axes, 0), mat3.dot(axes, (0.0, cos(a), sin(a)))
    turn = quaternion.product((cos(0.5 * a), sin(0.5 * a), 0.0, 0.0), (cos(0.5 * b), 0.0, sin(0.5 * b), 0.0))
    bias = add(axpy(a_accel, x, scale(b_accel, second)), cross(scale(a_rate, x), scale(b_rate, second)))
    _relative(joints, links, bodies, i, frame, turn, axpy(a_rate, x, scale(b_rate, second)), bias, ZERO, ZERO, ZERO)


@inner
def _three(model, t, time):
    """Three tables from number t on: values, rates, accelerations."""
    a, a_rate, a_accel = table.value(model, t, time)
    b, b_rate, b_accel = table.value(model, t + 1, time)
    c, c_rate, c_accel = table.value(model, t + 2, time)
    return (a, b, c), (a_rate, b_rate, c_rate), (a_accel, b_accel, c_accel)


@inner
def _relative(joints, links, bodies, i, frame, turn, turn_rate, own_bias, slide, slide_rate, slide_accel):
    """Pose and velocity of a body that is turned and moved relative to its parent (vectors in the world frame)."""
    p = joints[i, joint.PARENT]
    spin_parent = vec3.load(bodies, p, body.SPIN)
    orientation = quaternion.product(
        quaternion.product(frame, turn), quaternion.conjugate(quaternion.load_row(links, i, link.FRAME_CHILD))
    )
    rotation = quaternion.matrix(orientation)
    spin = add(spin_parent, turn_rate)

    reach = add(mat3.dot(mat3.load(bodies, p, body.ROTATION), vec3.load(links, i, link.POINT_PARENT)), slide)
    point = add(vec3.load(bodies, p, body.POSITION), reach)
    point_velocity = add(add(vec3.load(bodies, p, body.VELOCITY), cross(spin_parent, reach)), slide_rate)
    offset = sub(point, vec3.load(bodies, p, body.JOINT_POINT))

    arm = scale(-1.0, mat3.dot(rotation, vec3.load(links, i, link.POINT_CHILD)))
    _store(bodies, i, orientation, rotation, spin, point, arm, add(point_velocity, cross(spin, arm)))
    vec3.store(bodies, i, body.OFFSET, offset)
    vec3.store(bodies, i, body.SLIDE, slide_rate)
    centripetal = cross(spin_parent, cross(spin_parent, offset))
    coriolis = scale(2.0, cross(spin_parent, slide_rate))
    vec3.store(bodies, i, body.BIAS, add(add(centripetal, coriolis), slide_accel))
    vec3.store(bodies, i, body.BIAS_SPIN, add(cross(spin_parent, turn_rate), own_bias))


@inner
def _axis(bodies, i, column, angular, linear):
    """One direction of freedom of joint i, world frame."""
    vec3.store(bodies, i, body.AXIS + 6 * column, angular)
    vec3.store(bodies, i, body.AXIS + 6 * column + 3, linear)


@inlined
def _store(bodies, i, orientation, rotation, spin, point, arm, velocity):
    """Keep the pose and velocity of body i."""
    quaternion.store_row(bodies, i, body.ORIENTATION, orientation)
    mat3.store(bodies, i, body.ROTATION, rotation)
    vec3.store(bodies, i, body.SPIN, spin)
    vec3.store(bodies, i, body.JOINT_POINT, point)
    vec3.store(bodies, i, body.ARM, arm)
    vec3.store(bodies, i, body.POSITION, add(point, arm))
    vec3.store(bodies, i, body.VELOCITY, velocity)


@inlined
def _own_inertia(joints, links, gravity, bodies, i):
    """Inertia of body i about its joint point, and the wrench that its spin and weight ask for.

    A = I - m [c][c],   p_f = m (w x (w x c) - g),   p_n = w x I w + c x p_f,   c from joint point to centre of mass
    """
    rotation = mat3.load(bodies, i, body.ROTATION)
    mass = links[i, link.MASS]
    if joints[i, joint.DIAGONAL] == 1:
        diagonal = (links[i, link.INERTIA + 0], links[i, link.INERTIA + 3], links[i, link.INERTIA + 5])
        inertia = mat3.rotated_diagonal(rotation, diagonal)
    else:
        inertia = mat3.rotated(rotation, mat3.load_sym(links, i, link.INERTIA))
    c = vec3.load(bodies, i, body.ARM)
    spin = vec3.load(bodies, i, body.SPIN)
    force = scale(mass, sub(cross(spin, cross(spin, c)), gravity))
    moment = add(cross(spin, mat3.sym_dot(inertia, spin)), cross(c, force))
    vec3.store(bodies, i, body.OWN_FORCE, force)
    vec3.store(bodies, i, body.OWN_MOMENT, moment)
    x, y, z = mass * c[0], mass * c[1], mass * c[2]
    about_joint = (
        inertia[0] + y * c[1] + z * c[2],
        inertia[1] - x * c[1],
        inertia[2] - x * c[2],
        inertia[3] + x * c[0] + z * c[2],
        inertia[4] - y * c[2],
        inertia[5] + x * c[0] + y * c[1],
    )
    mat3.store_sym(bodies, i, body.OWN_INERTIA, about_joint)
