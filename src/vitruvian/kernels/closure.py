"""Joints that close loops, as constraint equations on the tree: two kinds of row make every joint type.

With a an axis of the joint frame in the parent, b one in the child, and d from the parent's joint point to the child's:

    distance  a . d = 0,  force a at the child's joint point    C'' = a . (A_child - A_parent - 2 w_parent x u)
    angle     a . b = 0,  moment n = b x a                      C'' = n . (alpha_child - alpha_parent) + n' . w

A are accelerations at the child's joint point, u and w the velocity and spin of the child relative to the parent there.
A shared point is three distances along the parent's axes, so that equations that are redundant in a planar mechanism
stay so while it moves.
"""

from .._jit import inner
from . import mat3, quaternion, vec3
from .layout import body, closure, equation, out_row, work_class
from .vec3 import add, cross, dot, scale, sub


@inner
def place(model, work):
    """Fill `work.equation` from poses and velocities: directions [-], violations [m, -], their rates [1/s] and known
    accelerations [m/s2, rad/s2]."""
    bodies, rows = work.body, work.equation
    for l in range(model.closure.shape[0]):
        p, c = model.closure_body[l, closure.PARENT], model.closure_body[l, closure.CHILD]
        axes_p, axes_c = (
            _axes(model, bodies, l, p, closure.FRAME_PARENT),
            _axes(model, bodies, l, c, closure.FRAME_CHILD),
        )
        spin_p, spin_c = vec3.load(bodies, p, body.SPIN), vec3.load(bodies, c, body.SPIN)
        turn = sub(spin_c, spin_p)
        arm = mat3.dot(mat3.load(bodies, c, body.ROTATION), vec3.load(model.closure, l, closure.POINT_CHILD))
        reach = mat3.dot(mat3.load(bodies, p, body.ROTATION), vec3.load(model.closure, l, closure.POINT_PARENT))
        point = add(vec3.load(bodies, c, body.POSITION), arm)
        from_parent = sub(point, vec3.load(bodies, p, body.POSITION))
        gap = sub(from_parent, reach)
        velocity = sub(
            add(vec3.load(bodies, c, body.VELOCITY), cross(spin_c, arm)),
            add(vec3.load(bodies, p, body.VELOCITY), cross(spin_p, from_parent)),
        )
        known = scale(-2.0, cross(spin_p, velocity))
        first = model.closure_body[l, closure.FIRST]
        for r in range(first, first + model.closure_body[l, closure.ROWS]):
            a = mat3.column(axes_p, model.equation[r, equation.AXIS_PARENT])
            direction, rate, bias, value = a, dot(a, velocity), dot(a, known), dot(a, gap)
            if model.equation[r, equation.TURNS] == 1:
                b = mat3.column(axes_c, model.equation[r, equation.AXIS_CHILD])
                direction, value = cross(b, a), dot(a, b)
                rate = dot(direction, turn)
                bias = dot(add(cross(cross(spin_c, b), a), cross(b, cross(spin_p, a))), turn)
            vec3.store(rows, r, equation.DIRECTION, direction)
            vec3.store(rows, r, equation.POINT, point)
            rows[r, equation.VALUE], rows[r, equation.RATE], rows[r, equation.BIAS] = value, rate, bias


@inner
def _axes(model, bodies, l, i, frame):
    """Axes of the joint frame of closure l in body i, as columns, world axes."""
    return quaternion.matrix(
        quaternion.product(
            quaternion.load_row(bodies, i, body.ORIENTATION), quaternion.load_row(model.closure, l, frame)
        )
    )


@inner
def press(model, work, r, load):
    """Add a load [N, N m] along equation r on the child, and the opposite on the parent, as a bias."""
    bodies, rows, l = work.body, work.equation, model.equation[r, equation.CLOSURE]
    pull = scale(load, vec3.load(rows, r, equation.DIRECTION))
    for side in range(2):
        i, sign = model.closure_body[l, closure.CHILD if side == 0 else closure.PARENT], -1.0 if side == 0 else 1.0
        if model.equation[r, equation.TURNS] == 1:
            vec3.increase(bodies, i, body.MORE_MOMENT, scale(sign, pull))
        else:
            lever = sub(vec3.load(rows, r, equation.POINT), vec3.load(bodies, i, body.JOINT_POINT))
            vec3.increase(bodies, i, body.MORE_FORCE, scale(sign, pull))
            vec3.increase(bodies, i, body.MORE_MOMENT, scale(sign, cross(lever, pull)))


@inner
def acceleration(model, work, r):
    """Second derivative [m/s2, 1/s2] of the violation of equation r at the accelerations of the sweep."""
    bodies, rows, l = work.body, work.equation, model.equation[r, equation.CLOSURE]
    p, c = model.closure_body[l, closure.PARENT], model.closure_body[l, closure.CHILD]
    direction, known = vec3.load(rows, r, equation.DIRECTION), rows[r, equation.BIAS]
    spin_c, spin_p = vec3.load(bodies, c, body.SPIN), vec3.load(bodies, p, body.SPIN)
    alpha_c, alpha_p = vec3.load(bodies, c, body.ALPHA), vec3.load(bodies, p, body.ALPHA)
    if model.equation[r, equation.TURNS] == 1:
        return known + dot(direction, sub(alpha_c, alpha_p))
    point = vec3.load(rows, r, equation.POINT)
    lever_c, lever_p = (
        sub(point, vec3.load(bodies, c, body.JOINT_POINT)),
        sub(point, vec3.load(bodies, p, body.JOINT_POINT)),
    )
    a_c = add(vec3.load(bodies, c, body.ACCEL), add(cross(alpha_c, lever_c), cross(spin_c, cross(spin_c, lever_c))))
    a_p = add(vec3.load(bodies, p, body.ACCEL), add(cross(alpha_p, lever_p), cross(spin_p, cross(spin_p, lever_p))))
    return known + dot(direction, sub(a_c, a_p))


@inner
def response(model, work, r):
    """Acceleration [m/s2, 1/s2] along equation r that the added forces of `contact_response` make."""
    bodies, rows, l = work.body, work.equation, model.equation[r, equation.CLOSURE]
    p, c = model.closure_body[l, closure.PARENT], model.closure_body[l, closure.CHILD]
    direction = vec3.load(rows, r, equation.DIRECTION)
    alpha_c, alpha_p = vec3.load(bodies, c, body.MORE_ALPHA), vec3.load(bodies, p, body.MORE_ALPHA)
    if model.equation[r, equation.TURNS] == 1:
        return dot(direction, sub(alpha_c, alpha_p))
    point = vec3.load(rows, r, equation.POINT)
    a_c = cross(alpha_c, sub(point, vec3.load(bodies, c, body.JOINT_POINT)))
    a_p = cross(alpha_p, sub(point, vec3.load(bodies, p, body.JOINT_POINT)))
    more = sub(vec3.load(bodies, c, body.MORE_ACCEL), vec3.load(bodies, p, body.MORE_ACCEL))
    return dot(direction, add(more, sub(a_c, a_p)))


@inner
def result(model, work, h):
    """Write force and moment of every closure on its child, and its power over a step h [s], into `work.out`."""
    rows = work.equation
    first = work.out.shape[0] - work_class.COUNT - out_row.CLOSURE * model.closure.shape[0]
    for k in range(first, work.out.shape[0] - work_class.COUNT):
        work.out[k] = 0.0
    for r in range(rows.shape[0]):
        if work.closed[r] == equation.USED:
            add_load(model, rows, r, rows[r, equation.LOAD], work.out)
            # the acceleration that the multipliers leave is -BIAS
            rate = rows[r, equation.RATE] - 0.5 * h * rows[r, equation.BIAS]
            work.out[first + out_row.CLOSURE * model.equation[r, equation.CLOSURE] + 6] += rows[r, equation.LOAD] * rate


@inner
def add_load(model, rows, r, load, out):
    """Add a load [N, N m] along equation r to the force and moment of its closure in a row such as `work.out`."""
    at = out.shape[0] - work_class.COUNT - out_row.CLOSURE * model.closure.shape[0]
    at += out_row.CLOSURE * model.equation[r, equation.CLOSURE] + (3 if model.equation[r, equation.TURNS] == 1 else 0)
    for k in range(3):
        out[at + k] += load * rows[r, equation.DIRECTION + k]
