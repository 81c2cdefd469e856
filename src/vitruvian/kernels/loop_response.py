"""How the equations of the loops answer to each other: the Schur complement J (M + hD)^-1 J' of loops alone.

The inward pass of the sweep is a factorisation: with u_i the unbalanced load of a unit load r along the axes that
joint i leaves free, and D_i the articulated inertia along them,

    J (M + hD)^-1 J' = sum over i of u_i(r)' D_i^-1 u_i(s)

So it takes one inward pass for each equation, along the two branches from its bodies to the world, and no outward one.
"""

from .._jit import inlined, inner
from . import mat3, vec3
from .layout import body, closure, equation, joint, joint_type
from .vec3 import add, axpy, cross, dot, scale, sub

ZERO = (0.0, 0.0, 0.0)
OVER = 6  # column of `work.reply` from which D^-1 u is kept; before it u, of a free joint in two blocks


@inner
def columns(model, work, h):
    """Fill the first rows and columns of the table with the accelerations [m/s2, rad/s2] along the equations in use by
    a unit load along each, after the sweep of a step h [s]."""
    reply, path, schur, row = work.reply, model.path, work.schur, 0
    for r in range(work.closed.shape[0]):
        if work.closed[r] != equation.USED:
            continue
        _pass_inward(model, work, r, h)
        column = 0
        for s in range(r + 1):
            if work.closed[s] != equation.USED:
                continue
            value = 0.0
            for m in range(path.shape[0]):
                i = path[m]
                value += dot(vec3.load(reply[r], i, 0), vec3.load(reply[s], i, OVER)) + dot(
                    vec3.load(reply[r], i, 3), vec3.load(reply[s], i, OVER + 3)
                )
            schur[row, column], schur[column, row] = value, value
            column += 1
        row += 1


@inlined
def _pass_inward(model, work, r, h):
    """Keep what a unit load along equation r makes at every joint between its bodies and the world.

    The others keep zeros, because these joints are always the same ones.
    """
    world, l = model.joint.shape[0], model.equation[r, equation.CLOSURE]
    i, j = model.closure_body[l, closure.CHILD], model.closure_body[l, closure.PARENT]
    push = vec3.load(work.equation, r, equation.DIRECTION)
    pull = scale(-1.0, push)
    if model.equation[r, equation.TURNS] == 1:
        moment, force, moment_j, force_j = pull, ZERO, push, ZERO
    else:
        point = vec3.load(work.equation, r, equation.POINT)
        moment, force = cross(sub(point, vec3.load(work.body, i, body.JOINT_POINT)), pull), pull
        moment_j, force_j = cross(sub(point, vec3.load(work.body, j, body.JOINT_POINT)), push), push
    if j == world:
        j = -1
    if i == world:
        i = -1
    while i >= 0 or j >= 0:
        if i == j:  # the branches meet
            moment, force, j = add(moment, moment_j), add(force, force_j), -1
            moment_j, force_j = ZERO, ZERO
        if i < j:  # children first
            i, moment, force, j, moment_j, force_j = j, moment_j, force_j, i, moment, force
        moment, force = _keep(model.joint, work.body, work.reply, r, i, moment, force, h)
        free = model.joint[i, joint.KIND] == joint_type.FREE and model.joint[i, joint.MOVED] < 0
        p = model.joint[i, joint.PARENT]
        moment = add(moment, cross(vec3.load(work.body, i, body.OFFSET), force))
        i = -1 if free or p == world else p


@inlined
def _keep(joints, bodies, reply, r, i, moment, force, h):
    """Keep the unbalanced load of joint i, and return the moment [N m] and force [N] that pass on, as biases."""
    kind = joints[i, joint.KIND]
    if joints[i, joint.MOVED] >= 0 or kind == joint_type.RIGID:
        return moment, force
    if kind in (joint_type.FREE, joint_type.SPHERICAL):
        over = mat3.sym_dot(mat3.load_sym(bodies, i, body.INVERSE), moment)
        vec3.store(reply[r], i, 0, moment)
        vec3.store(reply[r], i, OVER, over)
        force = sub(force, mat3.transposed_dot(mat3.load(bodies, i, body.COUPLING), over))
        moment = ZERO
        if kind == joint_type.FREE:
            vec3.store(reply[r], i, 3, force)
            vec3.store(reply[r], i, OVER + 3, mat3.sym_dot(mat3.load_sym(bodies, i, body.INVERSE_MASS), force))
        elif bodies[i, body.FAST] > 0.0 and h > 0.0:
            moment = mat3.sym_dot(mat3.load_sym(bodies, i, body.PIVOT), over)
        return moment, force
    moment, force = pass_axes(joints, bodies, i, moment, force)
    u = vec3.load(bodies, i, body.MORE_PUSH)
    vec3.store(reply[r], i, 0, u)
    vec3.store(reply[r], i, OVER, mat3.sym_dot(mat3.load_sym(bodies, i, body.PIVOT), u))
    return moment, force


@inner
def pass_axes(joints, bodies, i, moment, force):
    """Return the bias [N m, N] that a joint with axes S passes to its parent: p + U D^-1 u, and keep u = -S' p."""
    u = (
        _along_axis(bodies, i, joints[i, joint.NV], 0, moment, force),
        _along_axis(bodies, i, joints[i, joint.NV], 1, moment, force),
        _along_axis(bodies, i, joints[i, joint.NV], 2, moment, force),
    )
    vec3.store(bodies, i, body.MORE_PUSH, u)
    rate = mat3.sym_dot(mat3.load_sym(bodies, i, body.PIVOT), u)
    for k in range(joints[i, joint.NV]):
        moment = axpy(rate[k], vec3.load(bodies, i, body.LEVER + 6 * k), moment)
        force = axpy(rate[k], vec3.load(bodies, i, body.LEVER + 6 * k + 3), force)
    return moment, force


@inner
def _along_axis(bodies, i, n, k, moment, force):
    """Component k of -S' p; zero for an axis that is not there."""
    if k >= n:
        return 0.0
    at = body.AXIS + 6 * k
    return -dot(vec3.load(bodies, i, at), moment) - dot(vec3.load(bodies, i, at + 3), force)
