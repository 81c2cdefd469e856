"""Loads of the loops of a tree, found on the inward pass, so that the outward pass gives the final accelerations.

The inward pass of the sweep is a factorisation: with u_i(r) the load that a unit load along equation r leaves
unbalanced along the axes that joint i leaves free, and D_i the articulated inertia along them,

    J (M + hD)^-1 J' = sum over i of u_i(r)' D_i^-1 u_i(s)

Likewise the acceleration along equation r that all other loads make is a sum over the same joints: of u_i(r)' times the
free answer D_i^-1 u_i of joint i, and of the load that passes on times the known acceleration of the joint. Unit loads
therefore go once from the bodies of the loops to the world, all equations together, and none goes outward.
"""

from .._jit import inlined, inner
from . import mat3, symmetric, vec3
from .layout import body, closure, equation, joint, joint_type, reply
from .vec3 import add, axpy, cross, dot, scale, sub

ZERO = (0.0, 0.0, 0.0)


@inner
def hold(model, work, h):
    """Find the loads of the loops of a step h [s] after the inward pass, and add them to what it left at the joints."""
    n = columns(model, work, h)
    if n > 0:
        symmetric.factor(work.schur, n)
        take_loads(work, n)
        press(model, work)
        _take(model, work)


@inner
def take_loads(work, n):
    """Solve for the loads [N, N m] of the n equations in use, for the right-hand side in the last column."""
    row, last = 0, work.schur.shape[1] - 1
    symmetric.solve(work.schur, n, last)
    for r in range(work.closed.shape[0]):
        if work.closed[r] == equation.USED:
            work.equation[r, equation.LOAD] = work.schur[row, last]
            row += 1


@inner
def columns(model, work, h):
    """Fill the lower triangle of the table with the accelerations [m/s2, rad/s2] along the equations in use by unit
    loads along each, and its last column with minus what all other loads make; return how many they are."""
    n = _start(model, work)
    path = model.path
    for k in range(path.shape[0] - 1, -1, -1):
        i = path[k]
        kind = model.joint[i, joint.KIND]
        if model.joint[i, joint.MOVED] >= 0 or kind == joint_type.RIGID:
            _pass_rigid(model, work, i)
        elif kind == joint_type.SPHERICAL:
            _pass_ball(model, work, i, h)
        elif kind == joint_type.FREE:
            _end_free(model, work, i)
        else:
            _pass_axes(model, work, i)
    return n


@inlined
def _start(model, work):
    """Put unit loads on the bodies of the loops and known accelerations in the last column; return their number."""
    replies, bodies, rows, path, world = work.reply, work.body, work.equation, model.path, model.joint.shape[0]
    n, last = 0, work.schur.shape[1] - 1
    for r in range(work.closed.shape[0]):
        if work.closed[r] != equation.USED:
            continue
        for k in range(path.shape[0]):
            vec3.store(replies[r], path[k], reply.MOMENT, ZERO)
            vec3.store(replies[r], path[k], reply.FORCE, ZERO)
        l, direction = model.equation[r, equation.CLOSURE], vec3.load(rows, r, equation.DIRECTION)
        p, c = model.closure_body[l, closure.PARENT], model.closure_body[l, closure.CHILD]
        known = rows[r, equation.BIAS]
        if model.equation[r, equation.TURNS] == 1:
            vec3.increase(replies[r], c, reply.MOMENT, direction)
            vec3.increase(replies[r], p, reply.MOMENT, scale(-1.0, direction))
        else:
            point = vec3.load(rows, r, equation.POINT)
            lever_c = sub(point, vec3.load(bodies, c, body.JOINT_POINT))
            lever_p = sub(point, vec3.load(bodies, p, body.JOINT_POINT))
            spin_c, spin_p = vec3.load(bodies, c, body.SPIN), vec3.load(bodies, p, body.SPIN)
            inward = sub(cross(spin_c, cross(spin_c, lever_c)), cross(spin_p, cross(spin_p, lever_p)))
            known += dot(direction, inward)
            vec3.increase(replies[r], c, reply.FORCE, direction)
            vec3.increase(replies[r], c, reply.MOMENT, cross(lever_c, direction))
            vec3.increase(replies[r], p, reply.FORCE, scale(-1.0, direction))
            vec3.increase(replies[r], p, reply.MOMENT, cross(direction, lever_p))
        vec3.store(replies[r], world, reply.MOMENT, ZERO)
        vec3.store(replies[r], world, reply.FORCE, ZERO)
        for column in range(n + 1):
            work.schur[n, column] = 0.0
        work.schur[n, last] = -known
        n += 1
    return n


@inlined
def _pass_rigid(model, work, i):
    """Pass all of the unit loads on body i to its parent."""
    bodies, p, row, last = work.body, model.joint[i, joint.PARENT], -1, work.schur.shape[1] - 1
    for r in range(work.closed.shape[0]):
        if work.closed[r] != equation.USED:
            continue
        row += 1
        moment, force = _load(work.reply, r, i)
        if moment == ZERO and force == ZERO:
            continue
        known = dot(moment, vec3.load(bodies, i, body.BIAS_SPIN)) + dot(force, vec3.load(bodies, i, body.BIAS))
        work.schur[row, last] -= known
        _give(work.reply, r, p, moment, force, vec3.load(bodies, i, body.OFFSET))


@inlined
def _pass_ball(model, work, i, h):
    """Pass the unit loads on body i to its parent: u is the moment."""
    bodies, p, row, last = work.body, model.joint[i, joint.PARENT], -1, work.schur.shape[1] - 1
    inverse, coupling = mat3.load_sym(bodies, i, body.INVERSE), mat3.load(bodies, i, body.COUPLING)
    answer, bias = vec3.load(bodies, i, body.PUSH), vec3.load(bodies, i, body.BIAS)
    offset, damped = vec3.load(bodies, i, body.OFFSET), bodies[i, body.FAST] > 0.0 and h > 0.0
    for r in range(work.closed.shape[0]):
        if work.closed[r] != equation.USED:
            continue
        row += 1
        moment, force = _load(work.reply, r, i)
        if moment == ZERO and force == ZERO:
            vec3.store(work.reply[r], i, reply.OVER, ZERO)
            continue
        over = mat3.sym_dot(inverse, moment)
        vec3.store(work.reply[r], i, reply.OVER, over)
        force = sub(force, mat3.transposed_dot(coupling, over))
        work.schur[row, last] -= dot(moment, answer) + dot(force, bias)
        _add_products(work, row, r, i, moment)
        passed = ZERO
        if damped:
            passed = mat3.sym_dot(mat3.load_sym(bodies, i, body.PIVOT), over)
        _give(work.reply, r, p, passed, force, offset)


@inlined
def _end_free(model, work, i):
    """End the unit loads in a free body: u is the moment, and the force that it leaves."""
    bodies, row, last = work.body, -1, work.schur.shape[1] - 1
    inverse, coupling = mat3.load_sym(bodies, i, body.INVERSE), mat3.load(bodies, i, body.COUPLING)
    inverse_mass = mat3.load_sym(bodies, i, body.INVERSE_MASS)
    for r in range(work.closed.shape[0]):
        if work.closed[r] != equation.USED:
            continue
        row += 1
        moment, force = _load(work.reply, r, i)
        work.schur[row, last] -= dot(moment, vec3.load(bodies, i, body.ALPHA)) + dot(
            force, vec3.load(bodies, i, body.ACCEL)
        )
        over = mat3.sym_dot(inverse, moment)
        left = sub(force, mat3.transposed_dot(coupling, over))
        vec3.store(work.reply[r], i, reply.OVER, over)
        vec3.store(work.reply[r], i, reply.OVER_FORCE, mat3.sym_dot(inverse_mass, left))
        _add_products(work, row, r, i, moment)
        column = 0
        for s in range(r + 1):
            if work.closed[s] == equation.USED:
                work.schur[row, column] += dot(left, vec3.load(work.reply[s], i, reply.OVER_FORCE))
                column += 1


@inlined
def _pass_axes(model, work, i):
    """Pass the unit loads on body i, whose joint has axes S, to its parent: u = S' (moment, force)."""
    joints, bodies, p, row = model.joint, work.body, model.joint[i, joint.PARENT], -1
    last, n = work.schur.shape[1] - 1, model.joint[i, joint.NV]
    for r in range(work.closed.shape[0]):
        if work.closed[r] != equation.USED:
            continue
        row += 1
        moment, force = _load(work.reply, r, i)
        if moment == ZERO and force == ZERO:
            vec3.store(work.reply[r], i, reply.OVER, ZERO)
            continue
        u = along_axes(bodies, i, n, moment, force)
        over = mat3.sym_dot(mat3.load_sym(bodies, i, body.PIVOT), u)
        vec3.store(work.reply[r], i, reply.OVER, over)
        moment, force = _less(joints, bodies, i, over, moment, force)
        known = dot(moment, vec3.load(bodies, i, body.BIAS_SPIN)) + dot(force, vec3.load(bodies, i, body.BIAS))
        work.schur[row, last] -= known + dot(over, vec3.load(bodies, i, body.DRIVE))
        _add_products(work, row, r, i, u)
        _give(work.reply, r, p, moment, force, vec3.load(bodies, i, body.OFFSET))


@inlined
def _load(replies, r, i):
    """Return moment [N m] and force [N] on body i by a unit load along equation r."""
    return vec3.load(replies[r], i, reply.MOMENT), vec3.load(replies[r], i, reply.FORCE)


@inlined
def _give(replies, r, p, moment, force, offset):
    """Add a moment [N m] and a force [N] at an offset [m] from its joint point to the loads on body p."""
    vec3.increase(replies[r], p, reply.MOMENT, add(moment, cross(offset, force)))
    vec3.increase(replies[r], p, reply.FORCE, force)


@inlined
def _add_products(work, row, r, i, u):
    """Add u_i(r)' D_i^-1 u_i(s) of joint i for all equations s up to r."""
    column = 0
    for s in range(r + 1):
        if work.closed[s] == equation.USED:
            work.schur[row, column] += dot(u, vec3.load(work.reply[s], i, reply.OVER))
            column += 1


@inner
def press(model, work):
    """Add the loads of the loops [N, N m] to the bodies of the path, and find what they make of each joint's answer."""
    joints, bodies, path = model.joint, work.body, model.path
    for k in range(path.shape[0]):
        i = path[k]
        kind = joints[i, joint.KIND]
        moment, force, over, over_force = ZERO, ZERO, ZERO, ZERO
        for r in range(work.closed.shape[0]):
            if work.closed[r] == equation.USED:
                load = work.equation[r, equation.LOAD]
                moment = axpy(load, vec3.load(work.reply[r], i, reply.MOMENT), moment)
                force = axpy(load, vec3.load(work.reply[r], i, reply.FORCE), force)
                over = axpy(load, vec3.load(work.reply[r], i, reply.OVER), over)
                over_force = axpy(load, vec3.load(work.reply[r], i, reply.OVER_FORCE), over_force)
        vec3.store(bodies, i, body.MORE_MOMENT, scale(-1.0, moment))
        vec3.store(bodies, i, body.MORE_FORCE, scale(-1.0, force))
        if joints[i, joint.MOVED] >= 0 or kind == joint_type.RIGID:
            continue
        if kind == joint_type.FREE:
            vec3.store(bodies, i, body.MORE_ACCEL, over_force)
            vec3.store(bodies, i, body.MORE_ALPHA, sub(over, mat3.dot(mat3.load(bodies, i, body.GAIN), over_force)))
        elif kind == joint_type.SPHERICAL:
            vec3.store(bodies, i, body.MORE_PUSH, over)
        else:
            vec3.store(bodies, i, body.MORE_PUSH, along_axes(bodies, i, joints[i, joint.NV], moment, force))


@inlined
def _take(model, work):
    """Add the loads of the loops to the biases and answers of the joints, from which the outward pass starts."""
    joints, bodies, path = model.joint, work.body, model.path
    for k in range(path.shape[0]):
        i = path[k]
        kind = joints[i, joint.KIND]
        vec3.increase(bodies, i, body.MOMENT_BIAS, vec3.load(bodies, i, body.MORE_MOMENT))
        vec3.increase(bodies, i, body.FORCE_BIAS, vec3.load(bodies, i, body.MORE_FORCE))
        if joints[i, joint.MOVED] >= 0 or kind == joint_type.RIGID:
            continue
        if kind == joint_type.FREE:
            vec3.increase(bodies, i, body.ACCEL, vec3.load(bodies, i, body.MORE_ACCEL))
            vec3.increase(bodies, i, body.ALPHA, vec3.load(bodies, i, body.MORE_ALPHA))
        elif kind == joint_type.SPHERICAL:
            vec3.increase(bodies, i, body.PUSH, vec3.load(bodies, i, body.MORE_PUSH))
        else:
            vec3.increase(bodies, i, body.DRIVE, vec3.load(bodies, i, body.MORE_PUSH))


@inner
def pass_axes(joints, bodies, i, moment, force):
    """Return the bias [N m, N] that a joint with axes S passes to its parent: p + U D^-1 u, and keep u = -S' p."""
    u = scale(-1.0, along_axes(bodies, i, joints[i, joint.NV], moment, force))
    vec3.store(bodies, i, body.MORE_PUSH, u)
    return _less(joints, bodies, i, scale(-1.0, mat3.sym_dot(mat3.load_sym(bodies, i, body.PIVOT), u)), moment, force)


@inlined
def _less(joints, bodies, i, over, moment, force):
    """Return the moment [N m] and force [N] that a joint with axes passes on: the load less U over."""
    for k in range(joints[i, joint.NV]):
        moment = axpy(-over[k], vec3.load(bodies, i, body.LEVER + 6 * k), moment)
        force = axpy(-over[k], vec3.load(bodies, i, body.LEVER + 6 * k + 3), force)
    return moment, force


@inlined
def along_axes(bodies, i, n, moment, force):
    """Return S' (moment, force) of a joint with n axes [N m, N]; zero for axes that are not there."""
    return (
        _along_axis(bodies, i, n, 0, moment, force),
        _along_axis(bodies, i, n, 1, moment, force),
        _along_axis(bodies, i, n, 2, moment, force),
    )


@inlined
def _along_axis(bodies, i, n, k, moment, force):
    """Component k of S' (moment, force)."""
    if k >= n:
        return 0.0
    at = body.AXIS + 6 * k
    return dot(vec3.load(bodies, i, at), moment) + dot(vec3.load(bodies, i, at + 3), force)
