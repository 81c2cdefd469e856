"""Bodies that bend: modes in the sweep.

A flexible body is a frame that moves with its joint, modal coordinates q, and stations: bodies that ride on the modes
and carry its mass, its further joints and its surface. Station s is displaced by S_s q and turned by the rotation
vector theta = Phi_s q from its place in the frame, so that with alpha, a of the frame and G_s = [J(theta) Phi_s, S_s]

    acceleration of a station = that of the frame at its place + known terms + G_s qdd

Each station passes its articulated inertia I and bias p to the frame as behind a rigid joint, and to the modes: the
matrix M gains G' I G, the lever U gains G' I X, the bias gains G' (p + I c). With the stiffness K and damping D of the
modes, implicit over a step h, what is left is

    (M + h D + h^2 K) qdd + U [alpha, a] + b = 0,     b = K (q + h qd) + D qd + what the stations add

which is solved for qdd and put into the frame's own block before the sweep continues: the tree above does not know.
All inertia terms, those of the velocities included, come from the stations. M is factored as L L'.
"""

from math import sqrt

from .._jit import inlined, inner
from . import kinematics, mat3, vec3
from .layout import body, candidate, flexible, joint, link, mode, out_row, pair, shaft, shape_kind, work_class
from .rotation import left_jacobian
from .vec3 import add, axpy, cross, dot, sub


@inner
def begin(model, work, q):
    """Find what a state fixes: elastic forces [N, N m] of all modes, and how they move the stations [m, rad]."""
    for f in range(model.flexible.shape[0]):
        _elastic(model, work, q, f)
    for i in range(model.joint.shape[0]):
        if model.joint[i, joint.STATION] >= 0:
            _axes(model, work, i)
            if model.joint[i, joint.ALONE] == 1:
                _own_inertia(model, work, i)


@inner
def _own_inertia(model, work, i):
    """Add inertia [kg m2] of a station that is alone to the modes, and its lever, at its joint point.

    What its mass adds by its displacement does not change, and is in `model.mode_mass`.
    """
    f = model.joint[model.joint[i, joint.PARENT], joint.FLEXIBLE]
    first, n = model.flexible[f, flexible.FIRST], model.flexible[f, flexible.MODES]
    axes, mass = work.station[model.joint[i, joint.STATION]], model.link[i, link.MASS]
    r = vec3.load(work.body, i, body.OFFSET)
    inertia = mat3.load_sym(work.body, i, body.OWN_INERTIA)
    for k in range(n):
        u_w, u_v = mat3.sym_dot(inertia, vec3.load(axes, k, 0)), vec3.scale(mass, vec3.load(axes, k, 3))
        vec3.increase(work.mode, first + k, mode.OWN_LEVER, add(u_w, cross(r, u_v)))
        vec3.increase(work.mode, first + k, mode.OWN_LEVER + 3, u_v)
        for l in range(k + 1):
            work.mode_mass[first + k, l] += dot(vec3.load(axes, l, 0), u_w)


@inner
def _elastic(model, work, q, f):
    """Elastic forces [N, N m] of the modes of flexible body f, stiffened by the angular velocity where requested."""
    matrix = work.mode_stiffness
    first, n = model.flexible[f, flexible.FIRST], model.flexible[f, flexible.MODES]
    start = q.shape[0] - matrix.shape[0] + first
    stiffened, i = model.flexible[f, flexible.STIFFENED] == 1, model.flexible[f, flexible.BODY]
    x, y, z = mat3.transposed_dot(mat3.load(work.body, i, body.ROTATION), vec3.load(work.body, i, body.SPIN))
    for k in range(first, first + n):
        force = 0.0
        for l in range(n):
            value = model.mode_stiffness[k, l]
            if stiffened:
                by = model.mode_stiffening[k, l]
                value += x * x * by[0] + y * y * by[3] + z * z * by[5]
                value += 2.0 * (x * y * by[1] + x * z * by[2] + y * z * by[4])
            matrix[k, l] = value
            work.mode_mass[k, l] = model.mode_mass[k, l]
            force -= value * q[start + l]
        work.mode[k, mode.ELASTIC] = force
        for m in range(6):
            work.mode[k, mode.OWN_LEVER + m] = 0.0


@inner
def _axes(model, work, i):
    """Angular [rad/s] and linear [m/s] velocity G of station i by the rate of each mode, world frame."""
    p = model.joint[i, joint.PARENT]
    axes, f = work.station[model.joint[i, joint.STATION]], model.joint[p, joint.FLEXIBLE]
    turn = mat3.load(work.body, p, body.ROTATION)
    turning_rate = mat3.product(turn, left_jacobian(vec3.load(work.body, i, body.TURN)))
    for k in range(model.flexible[f, flexible.MODES]):
        turning, moving = kinematics.shape(model, work.body[i, body.RIDE], k)
        vec3.store(axes, k, 0, mat3.dot(turning_rate, turning))
        vec3.store(axes, k, 3, mat3.dot(turn, moving))


@inner
def gather(model, work, v, h):
    """Start the equation of every mode with its stiffness and damping over a step h [s]."""
    modes = work.mode
    start = v.shape[0] - modes.shape[0]
    for f in range(model.flexible.shape[0]):
        first, n = model.flexible[f, flexible.FIRST], model.flexible[f, flexible.MODES]
        for k in range(first, first + n):
            bias = -modes[k, mode.ELASTIC]
            for l in range(n):
                drag = model.mode_damping[k, l] + h * work.mode_stiffness[k, l]
                work.mode_matrix[k, l] = work.mode_mass[k, l] + h * drag
                bias += drag * v[start + first + l]
            modes[k, mode.BIAS] = bias
            for m in range(6):
                modes[k, mode.LEVER + m] = modes[k, mode.OWN_LEVER + m]


@inner
def pass_station(model, work, i):
    """Add inertia [kg, kg m2] and bias [N, N m] of station i and its branches to the modes of its parent.

    Returns whether its frame got all of it too, which is simple for a station that is alone.
    """
    bodies, modes, s, p = work.body, work.mode, model.joint[i, joint.STATION], model.joint[i, joint.PARENT]
    f = model.joint[p, joint.FLEXIBLE]
    first, n = model.flexible[f, flexible.FIRST], model.flexible[f, flexible.MODES]
    r, axes = vec3.load(bodies, i, body.OFFSET), work.station[s]
    angular, spin, accel = (
        mat3.load_sym(bodies, i, body.ANGULAR),
        vec3.load(bodies, i, body.BIAS_SPIN),
        vec3.load(bodies, i, body.BIAS),
    )
    moment = add(mat3.sym_dot(angular, spin), vec3.load(bodies, i, body.MOMENT_BIAS))
    force = vec3.load(bodies, i, body.FORCE_BIAS)
    if model.joint[i, joint.ALONE] == 1:
        force = axpy(model.link[i, link.MASS], accel, force)
        for k in range(n):
            modes[first + k, mode.BIAS] += dot(vec3.load(axes, k, 0), moment) + dot(vec3.load(axes, k, 3), force)
        _pass_alone(bodies, p, model.link[i, link.MASS], r, angular, moment, force)
        return True
    coupling, mass = mat3.load(bodies, i, body.COUPLING), mat3.load_sym(bodies, i, body.MASS)
    moment = add(moment, mat3.dot(coupling, accel))
    force = add(force, add(mat3.transposed_dot(coupling, spin), mat3.sym_dot(mass, accel)))
    if mass[0] == 0.0 and vec3.norm(force) == 0.0 and vec3.norm(moment) == 0.0:
        return True  # no mass and no load
    for k in range(n):
        g_w, g_v = vec3.load(axes, k, 0), vec3.load(axes, k, 3)
        u_w = add(mat3.sym_dot(angular, g_w), mat3.dot(coupling, g_v))
        u_v = add(mat3.transposed_dot(coupling, g_w), mat3.sym_dot(mass, g_v))
        modes[first + k, mode.BIAS] += dot(g_w, moment) + dot(g_v, force)
        vec3.increase(modes, first + k, mode.LEVER, add(u_w, cross(r, u_v)))
        vec3.increase(modes, first + k, mode.LEVER + 3, u_v)
        for l in range(k + 1):
            work.mode_matrix[first + k, l] += dot(vec3.load(axes, l, 0), u_w) + dot(vec3.load(axes, l, 3), u_v)
    return False


@inlined
def _pass_alone(bodies, p, mass, r, angular, moment, force):
    """Add mass [kg] and inertia [kg m2] of a body whose centre is at the offset r [m] to body p, and its bias."""
    x, y, z = mass * r[0], mass * r[1], mass * r[2]
    far = x * r[0] + y * r[1] + z * r[2]
    shifted = far - x * r[0], -x * r[1], -x * r[2], far - y * r[1], -y * r[2], far - z * r[2]
    mat3.increase_sym(bodies, p, body.MASS, (mass, 0.0, 0.0, mass, 0.0, mass))
    mat3.increase(bodies, p, body.COUPLING, (0.0, -z, y, z, 0.0, -x, -y, x, 0.0))
    mat3.increase_sym(bodies, p, body.ANGULAR, mat3.sym_add(angular, shifted))
    vec3.increase(bodies, p, body.FORCE_BIAS, force)
    vec3.increase(bodies, p, body.MOMENT_BIAS, add(moment, cross(r, force)))


@inner
def reduce(model, work, i):
    """Solve the modes of body i for given accelerations [m/s2, rad/s2] of it, and put the answer into its own block."""
    bodies, modes, f = work.body, work.mode, model.joint[i, joint.FLEXIBLE]
    first, n = model.flexible[f, flexible.FIRST], model.flexible[f, flexible.MODES]
    _factor(work.mode_matrix, first, n)
    angular, coupling, mass = (
        mat3.load_sym(bodies, i, body.ANGULAR),
        mat3.load(bodies, i, body.COUPLING),
        mat3.load_sym(bodies, i, body.MASS),
    )
    moment, force = vec3.load(bodies, i, body.MOMENT_BIAS), vec3.load(bodies, i, body.FORCE_BIAS)
    for k in range(first, first + n):
        w, u, push = vec3.load(modes, k, mode.LEVER), vec3.load(modes, k, mode.LEVER + 3), modes[k, mode.BIAS]
        for l in range(k - first):
            factor = -work.mode_matrix[k, l]
            w = axpy(factor, vec3.load(modes, first + l, mode.GAIN), w)
            u = axpy(factor, vec3.load(modes, first + l, mode.GAIN + 3), u)
            push += factor * modes[first + l, mode.PUSH]
        inverse = 1.0 / work.mode_matrix[k, k - first]
        w, u, push = vec3.scale(inverse, w), vec3.scale(inverse, u), inverse * push
        vec3.store(modes, k, mode.GAIN, w)
        vec3.store(modes, k, mode.GAIN + 3, u)
        modes[k, mode.PUSH] = push
        angular = mat3.sym_sub(angular, _square(w))
        mass = mat3.sym_sub(mass, _square(u))
        coupling = mat3.sub(coupling, _outer(w, u))
        moment, force = axpy(-push, w, moment), axpy(-push, u, force)
    mat3.store_sym(bodies, i, body.ANGULAR, angular)
    mat3.store(bodies, i, body.COUPLING, coupling)
    mat3.store_sym(bodies, i, body.MASS, mass)
    vec3.store(bodies, i, body.MOMENT_BIAS, moment)
    vec3.store(bodies, i, body.FORCE_BIAS, force)


@inlined
def _factor(matrix, first, n):
    """Replace the lower half of the rows of n modes by the factor L of M = L L' (Cholesky)."""
    for k in range(n):
        for l in range(k + 1):
            value = matrix[first + k, l]
            for m in range(l):
                value -= matrix[first + k, m] * matrix[first + l, m]
            matrix[first + k, l] = sqrt(value) if l == k else value / matrix[first + l, l]


@inlined
def _square(a):
    """a a': six entries."""
    return a[0] * a[0], a[0] * a[1], a[0] * a[2], a[1] * a[1], a[1] * a[2], a[2] * a[2]


@inlined
def _outer(a, b):
    """a b': nine entries."""
    return (
        a[0] * b[0], a[0] * b[1], a[0] * b[2],
        a[1] * b[0], a[1] * b[1], a[1] * b[2],
        a[2] * b[0], a[2] * b[1], a[2] * b[2],
    )  # fmt: skip


@inner
def answer(model, work, i):
    """Second rates [1/s2] of the modes of body i, whose accelerations are known."""
    alpha, a = vec3.load(work.body, i, body.ALPHA), vec3.load(work.body, i, body.ACCEL)
    _answer(model, work, model.joint[i, joint.FLEXIBLE], alpha, a, mode.PUSH, mode.ACCEL)
    start = work.vdot.shape[0] - work.mode.shape[0]
    f = model.joint[i, joint.FLEXIBLE]
    first = model.flexible[f, flexible.FIRST]
    for k in range(first, first + model.flexible[f, flexible.MODES]):
        work.vdot[start + k] = work.mode[k, mode.ACCEL]


@inlined
def _answer(model, work, f, alpha, a, push, accel):
    """Column `accel` of the modes: -L'^-1 (column `push` + GAIN of the accelerations of the frame)."""
    modes, first, n = work.mode, model.flexible[f, flexible.FIRST], model.flexible[f, flexible.MODES]
    for k in range(first + n - 1, first - 1, -1):
        value = -modes[k, push] - dot(vec3.load(modes, k, mode.GAIN), alpha)
        value -= dot(vec3.load(modes, k, mode.GAIN + 3), a)
        for l in range(k + 1, first + n):
            value -= work.mode_matrix[l, k - first] * modes[l, accel]
        modes[k, accel] = value / work.mode_matrix[k, k - first]


@inner
def ride(model, work, i, column, alpha, a):
    """Return the accelerations [rad/s2, m/s2] of station i: those given, and what a column of the modes adds."""
    s, f = model.joint[i, joint.STATION], model.joint[model.joint[i, joint.PARENT], joint.FLEXIBLE]
    first = model.flexible[f, flexible.FIRST]
    for k in range(model.flexible[f, flexible.MODES]):
        rate = work.mode[first + k, column]
        alpha = axpy(rate, vec3.load(work.station[s], k, 0), alpha)
        a = axpy(rate, vec3.load(work.station[s], k, 3), a)
    return alpha, a


@inner
def result(model, work, v, h):
    """Powers [W] of the stiffness and the damping of all modes over a step h [s]."""
    modes, start, stored, lost = work.mode, v.shape[0] - work.mode.shape[0], 0.0, 0.0
    for f in range(model.flexible.shape[0]):
        first, n = model.flexible[f, flexible.FIRST], model.flexible[f, flexible.MODES]
        for k in range(first, first + n):
            rate = v[start + k] + 0.5 * h * modes[k, mode.ACCEL]
            stored += modes[k, mode.ELASTIC] * rate
            for l in range(n):
                drag = model.mode_damping[k, l] + h * work.mode_stiffness[k, l]
                lost += rate * drag * (v[start + first + l] + h * modes[first + l, mode.ACCEL])
    powers = work.out.shape[0] - work_class.COUNT
    work.out[powers + work_class.MODE_ELASTIC] = stored
    work.out[powers + work_class.MODE_DISSIPATED] = -lost


# --- the response to more forces


@inner
def clear(work):
    """Set what added forces [N] do to the modes to zero."""
    for k in range(work.mode.shape[0]):
        work.mode[k, mode.MORE_BIAS] = 0.0
        work.mode[k, mode.MORE_PUSH] = 0.0


@inner
def press_station(model, work, i):
    """Add the added forces [N] on station i and its branches to the modes of its parent."""
    s, f = model.joint[i, joint.STATION], model.joint[model.joint[i, joint.PARENT], joint.FLEXIBLE]
    moment, force = vec3.load(work.body, i, body.MORE_MOMENT), vec3.load(work.body, i, body.MORE_FORCE)
    first = model.flexible[f, flexible.FIRST]
    for k in range(model.flexible[f, flexible.MODES]):
        load = dot(vec3.load(work.station[s], k, 0), moment) + dot(vec3.load(work.station[s], k, 3), force)
        work.mode[first + k, mode.MORE_BIAS] += load


@inner
def press(model, work, i):
    """Put the added forces [N] on the modes of body i into those on its frame."""
    modes, f = work.mode, model.joint[i, joint.FLEXIBLE]
    first, n = model.flexible[f, flexible.FIRST], model.flexible[f, flexible.MODES]
    for k in range(first, first + n):
        push = modes[k, mode.MORE_BIAS]
        for l in range(k - first):
            push -= work.mode_matrix[k, l] * modes[first + l, mode.MORE_PUSH]
        push /= work.mode_matrix[k, k - first]
        modes[k, mode.MORE_PUSH] = push
        vec3.increase(work.body, i, body.MORE_MOMENT, vec3.scale(-push, vec3.load(modes, k, mode.GAIN)))
        vec3.increase(work.body, i, body.MORE_FORCE, vec3.scale(-push, vec3.load(modes, k, mode.GAIN + 3)))


@inner
def respond(model, work, i):
    """Find what the added forces do to the second rates [1/s2] of the modes of body i."""
    alpha, a = vec3.load(work.body, i, body.MORE_ALPHA), vec3.load(work.body, i, body.MORE_ACCEL)
    _answer(model, work, model.joint[i, joint.FLEXIBLE], alpha, a, mode.MORE_PUSH, mode.MORE_ACCEL)


@inner
def add_rates(work, vdot):
    """Add the response of all modes to the end of a row of velocities or their rates [1/s, 1/s2]."""
    start = vdot.shape[0] - work.mode.shape[0]
    for k in range(work.mode.shape[0]):
        vdot[start + k] += work.mode[k, mode.MORE_ACCEL]


# --- memory


@inner
def recall(model, work, memory, bodies):
    """Put what bodies that bend remember, rows of their surfaces [-], into the tables of a run."""
    for f in range(model.flexible.shape[0]):
        if model.flexible[f, flexible.RIDE] >= 0:
            i = model.ride[model.flexible[f, flexible.RIDE], 0]
            work.body[i, body.RIDE] = memory[f, shaft.RIDE]
            bodies[i, body.RIDE] = memory[f, shaft.RIDE]


@inner
def follow(model, work, memory, bodies):
    """Move the stations of surfaces along their bodies to where they are touched [m], in the tables of a run.

    That place is constant during a step. With several contacts it is their mean, weighted by force.
    """
    forces = (out_row.BODY + out_row.JOINT) * model.joint.shape[0]
    for r in range(model.ride.shape[0]):
        i, total, along = model.ride[r, 0], 0.0, 0.0
        p = model.joint[i, joint.PARENT]
        f = model.joint[p, joint.FLEXIBLE]
        start = vec3.load(model.ride_line, r, 0)
        line = sub(vec3.load(model.ride_line, r, 3), start)
        turn, origin = mat3.load(work.body, p, body.ROTATION), vec3.load(work.body, p, body.POSITION)
        for c in range(model.candidate.shape[0]):
            a, b = model.candidate[c, candidate.SHAPE_A], model.candidate[c, candidate.SHAPE_B]
            mine = model.shape_kind[a, shape_kind.CARRIER] == i or model.shape_kind[b, shape_kind.CARRIER] == i
            if not mine or work.pair[c, pair.DEPTH] <= 0.0:
                continue
            weight = vec3.norm(vec3.load_at(work.mean, forces + out_row.PAIR * c))
            place = mat3.transposed_dot(turn, sub(vec3.load(work.pair, c, pair.POINT), origin))
            total += weight
            along += weight * dot(sub(place, start), line) / dot(line, line)
        if total > 0.0:
            last = model.ride[r, 2] - 1
            row = model.ride[r, 1] + min(max(along / total, 0.0), 1.0 - 1e-9) * last
            work.body[i, body.RIDE] = row
            bodies[i, body.RIDE] = row
            memory[f, shaft.RIDE] = row
            _axes(model, work, i)
