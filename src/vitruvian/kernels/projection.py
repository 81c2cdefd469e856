"""Projection of a state onto the loops, and the choice of the equations that determine it.

The accelerations of every stage meet the loops, so a step leaves them only by its error. Once per step the state is
brought back by the smallest change in the norm of the mass matrix: coordinates, then velocities. The impulse of the
latter is part of the reactions and accelerations of the step.
"""

from .._jit import inner, kernel
from . import closure, contact_response, dynamics, integrate, kinematics, loop_response, mat3, modal, symmetric, vec3
from .layout import body, equation, joint, joint_type, link, out_row
from .layout import closure as closure_column
from .vec3 import add, cross

INDEPENDENT = 1e-10  # least response of an equation that the others leave, over that of the child alone [-]
ITERATIONS = 50  # of the closing of a start
CLOSED = 1e-12  # violation at which they end [m, -]


@kernel
def assemble(model, work, closed, q, v, time):
    """Close all loops at the start: move q, then v, and choose the equations in use, for a time [s].

    Returns the largest violation that is left [m, -]. `work.schur` then has the redundant equations as combinations of
    those in use: entry (k, r) is minus the weight of equation r in equation k.
    """
    worst, last = 0.0, 1e300
    for _ in range(ITERATIONS):
        _stand(model, work, q, v, time)
        worst = 0.0
        for r in range(closed.shape[0]):
            if closed[r] != equation.OPEN:
                worst = max(worst, abs(work.equation[r, equation.VALUE]))
        if worst <= CLOSED or (worst < 1e-10 and worst >= 0.5 * last):
            break
        last = worst
        # far from closed, equations that depend on each other when closed differ by the violation
        choose(model, work, closed, max(INDEPENDENT, min(1e-4, worst * worst)))
        _factor(model, work)
        _respond(model, work, equation.VALUE)
        _shift(model, work, q)
    _stand(model, work, q, v, time)
    choose(model, work, closed, INDEPENDENT)
    _factor(model, work)
    _respond(model, work, equation.RATE)
    contact_response.add_rates(model, work, v)
    _stand(model, work, q, v, time)
    choose(model, work, closed, INDEPENDENT)
    return worst


@inner
def project(model, work, q, v, time, dt):
    """Bring q and v at the end of a step dt [s] back onto the loops; the impulse enters the means of the step."""
    if _used(work) == 0:
        return
    _stand(model, work, q, v, time)
    _factor(model, work)
    _respond(model, work, equation.VALUE)
    _shift(model, work, q)
    # the factors are those of before, because the state has moved by the error of the step only
    kinematics.forward_path(model, work.body, q, v, time)
    closure.place(model, work)
    _respond(model, work, equation.RATE)
    contact_response.add_rates(model, work, v)
    _account(model, work, 1.0 / dt)


@inner
def rechoose(model, work, closed, q, v, time):
    """Choose the equations in use again, after a loop has opened at a time [s]."""
    _stand(model, work, q, v, time)
    choose(model, work, closed, INDEPENDENT)


@inner
def _stand(model, work, q, v, time):
    """Poses, equations and articulated inertias at a state; no force is needed."""
    kinematics.forward(model, work.body, q, v, time)
    if work.mode.shape[0] > 0:
        modal.begin(model, work, q)
    closure.place(model, work)
    dynamics.gather(model.joint, model.link, work.body)
    dynamics.inward(model, work, v, 0.0)


@inner
def _factor(model, work):
    """Factor the responses of the equations in use to each other, in the state of `_stand`."""
    if work.mode.shape[0] > 0:
        contact_response.loop_columns(model, work, 0, 0.0)
    else:
        loop_response.columns(model, work, 0.0)
    symmetric.factor(work.schur, _used(work))


@inner
def _respond(model, work, column):
    """Respond to the impulses that take a column of the equations in use to zero."""
    last, n = work.schur.shape[1] - 1, 0
    for r in range(work.closed.shape[0]):
        if work.closed[r] == equation.USED:
            work.schur[n, last] = -work.equation[r, column]
            n += 1
    loop_response.take_loads(work, n)
    if work.mode.shape[0] > 0:
        contact_response.clear(model, work)
        contact_response.press_loops(model, work, 0)
        contact_response.respond_all(model, work, 0.0)
    else:
        contact_response.respond_to_loops(model, work)


@inner
def _used(work):
    """Return how many equations are in use."""
    n = 0
    for r in range(work.closed.shape[0]):
        n += 1 if work.closed[r] == equation.USED else 0
    return n


@inner
def _shift(model, work, q):
    """Move the coordinates by the response."""
    for k in range(work.vdot.shape[0]):
        work.vdot[k] = 0.0
    contact_response.add_rates(model, work, work.vdot)
    integrate.move(model, q, work.vdot, 1.0, q)


@inner
def _account(model, work, rate):
    """Add the response to an impulse, times a rate [1/s], to the mean accelerations and reactions."""
    joints, bodies, mean = model.joint, work.body, work.mean
    n = joints.shape[0]
    for i in range(n):
        alpha, a = vec3.load(bodies, i, body.MORE_ALPHA), vec3.load(bodies, i, body.MORE_ACCEL)
        centre = add(a, cross(alpha, vec3.load(bodies, i, body.ARM)))
        force = add(mat3.sym_dot(mat3.load_sym(bodies, i, body.MASS), a), vec3.load(bodies, i, body.MORE_FORCE))
        force = add(force, mat3.transposed_dot(mat3.load(bodies, i, body.COUPLING), alpha))
        moment = add(mat3.dot(mat3.load(bodies, i, body.COUPLING), a), vec3.load(bodies, i, body.MORE_MOMENT))
        moment = add(moment, mat3.sym_dot(mat3.load_sym(bodies, i, body.ANGULAR), alpha))
        at = out_row.BODY * n + out_row.JOINT * i + out_row.JOINT_REACTION
        free = joints[i, joint.MOVED] < 0 and joints[i, joint.KIND] == joint_type.FREE
        ball = joints[i, joint.MOVED] < 0 and joints[i, joint.KIND] == joint_type.SPHERICAL
        for k in range(3):
            mean[out_row.BODY * i + k] += rate * centre[k]
            mean[out_row.BODY * i + 3 + k] += rate * alpha[k]
            mean[at + k] += 0.0 if free else rate * force[k]
            mean[at + 3 + k] += 0.0 if free or ball else rate * moment[k]
    for r in range(work.closed.shape[0]):
        if work.closed[r] == equation.USED:
            closure.add_load(model, work.equation, r, rate * work.equation[r, equation.LOAD], mean)


@inner
def choose(model, work, closed, least):
    """Choose independent equations among those of the loops that are not open, in the state of `_stand`.

    Each turn takes the equation with the largest response that those already taken leave, over the response of the
    child alone, until the largest is below `least` [-]. The sweep operator leaves minus the weights of the equations
    taken in the rows of the others.
    """
    n, matrix = closed.shape[0], work.schur
    for r in range(n):
        work.closed[r] = equation.OPEN if closed[r] == equation.OPEN else equation.USED
    _responses(model, work)
    for r in range(n):
        if closed[r] != equation.OPEN:
            closed[r] = equation.REDUNDANT
    for _ in range(n):
        best, most = -1, least
        for r in range(n):
            share = matrix[r, r] / _alone(model, work, r)
            if closed[r] == equation.REDUNDANT and share > most:
                best, most = r, share
        if best < 0:
            break
        closed[best] = equation.USED
        pivot = 1.0 / matrix[best, best]
        for k in range(n):
            matrix[best, k] *= pivot
        for r in range(n):
            if r != best:
                factor = matrix[r, best]
                for k in range(n):
                    matrix[r, k] -= factor * matrix[best, k]
                matrix[r, best] = -factor * pivot
        matrix[best, best] = pivot
    for r in range(n):
        work.closed[r] = closed[r]


@inner
def _responses(model, work):
    """Fill the table with the responses of all equations to all, with zeros for those of open loops."""
    n = work.closed.shape[0]
    for l in range(n):
        for r in range(n):
            work.schur[r, l] = 0.0
        if work.closed[l] != equation.OPEN:
            contact_response.clear(model, work)
            closure.press(model, work, l, 1.0)
            contact_response.respond(model, work, 0.0)
            for r in range(n):
                if work.closed[r] != equation.OPEN:
                    work.schur[r, l] = closure.response(model, work, r)


@inner
def _alone(model, work, r):
    """Response of the child of equation r alone to a unit load: over its mass, or its mean moment of inertia."""
    i = model.closure_body[model.equation[r, equation.CLOSURE], closure_column.CHILD]
    p = model.joint[i, joint.PARENT] if model.joint[i, joint.STATION] >= 0 else -1  # a station may have no mass
    mass, inertia = 0.0, 0.0
    for k in range(model.joint.shape[0]):
        if k == i or (p >= 0 and model.joint[k, joint.STATION] >= 0 and model.joint[k, joint.PARENT] == p):
            mass += model.link[k, link.MASS]
            for at in (0, 3, 5):
                inertia += model.link[k, link.INERTIA + at]
            if p >= 0:
                place = vec3.load(model.link, k, link.POINT_PARENT)
                inertia += 2.0 * model.link[k, link.MASS] * vec3.dot(place, place)
    return 3.0 / inertia if model.equation[r, equation.TURNS] == 1 else 1.0 / mass
