"""More forces on a tree whose sweep is done: the accelerations they add, and contacts that couple two branches.

A contact between two bodies that both answer puts F - W a on body a and the opposite on body b, where a is the
acceleration of a against b at the contact point and W the matrix of the implicit step. The sweep carries F. With r the
accelerations that it finds, and G the accelerations at all such contacts by unit forces at all of them, what is left is

    d = -W (r + G d),   (1 + W G) d = -W r

a small dense system (Schur complement on the tree); the forces d then pass through the tree once more.
"""

from .._jit import inlined, inner
from . import contact, mat3, vec3
from .types import (
    ACCEL,
    ALPHA,
    ANGULAR,
    AXIS,
    COUPLED,
    COUPLING,
    DEPTH,
    FAST,
    FIRST_V,
    FORCE_BIAS,
    FREE,
    GAIN,
    INVERSE,
    INVERSE_MASS,
    KIND,
    LEVER,
    MASS,
    MOMENT_BIAS,
    MORE_ACCEL,
    MORE_ALPHA,
    MORE_FORCE,
    MORE_MOMENT,
    MORE_PUSH,
    MOVED,
    NV,
    OFFSET,
    PAIR_MATRIX,
    PARENT,
    PIVOT,
    RIGID,
    SPHERICAL,
    SPIN,
    SPREAD,
)
from .vec3 import add, axpy, cross, dot, scale, sub

ZERO = (0.0, 0.0, 0.0)


@inner
def couple(model, work, h):
    """Correct the accelerations of a step h [s] for the contacts between bodies that both answer."""
    count = _active(model.candidate, work.pair, work.coupled)
    if count == 0:
        return
    body, schur, last = work.body, work.schur, work.schur.shape[1] - 1
    prepare(model.joint, body, h)
    for k in range(count):
        c = work.coupled[k]
        matrix = mat3.load_sym(work.pair, c, PAIR_MATRIX)
        pull = mat3.sym_dot(matrix, relative_acceleration(model.candidate, model.shape_kind, work.pair, work.body, c))
        for m in range(3):
            schur[3 * k + m, last] = -pull[m]
    # one column for each unit force at each contact
    for l in range(count):
        for m in range(3):
            clear(body)
            unit = (1.0 if m == 0 else 0.0, 1.0 if m == 1 else 0.0, 1.0 if m == 2 else 0.0)
            _press(model.candidate, model.shape_kind, work.pair, body, work.coupled[l], unit)
            respond(model.joint, body, h)
            for k in range(count):
                c = work.coupled[k]
                matrix = mat3.load_sym(work.pair, c, PAIR_MATRIX)
                pull = mat3.sym_dot(
                    matrix, _more_acceleration(model.candidate, model.shape_kind, work.pair, work.body, c)
                )
                for n in range(3):
                    schur[3 * k + n, 3 * l + m] = pull[n] + (1.0 if k == l and n == m else 0.0)
    _solve(schur, 3 * count, last)
    clear(body)
    for k in range(count):
        force = (schur[3 * k, last], schur[3 * k + 1, last], schur[3 * k + 2, last])
        _press(model.candidate, model.shape_kind, work.pair, body, work.coupled[k], force)
    respond(model.joint, body, h)
    _take(model.joint, body, work.vdot)


@inner
def _active(candidate, pair, coupled):
    """List the coupled pairs in contact; those beyond the room there is act explicitly."""
    count = 0
    for c in range(candidate.shape[0]):
        if candidate[c, COUPLED] == 1 and pair[c, DEPTH] > 0.0:
            if count < coupled.shape[0]:
                coupled[count] = c
                count += 1
            else:
                mat3.store_sym(pair, c, PAIR_MATRIX, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    return count


@inlined
def relative_acceleration(candidate, shape_kind, pair, body, c):
    """Acceleration [m/s2] of body a against body b at the contact point of pair c."""
    i, lever = contact.pair_lever(candidate, shape_kind, pair, body, c)
    j, other = contact.other_lever(candidate, shape_kind, pair, body, c)
    return sub(point_acceleration(body, i, lever), point_acceleration(body, j, other))


@inlined
def point_acceleration(body, i, lever):
    """Acceleration [m/s2] of the point of body i at `lever` from its joint point."""
    spin = vec3.load(body, i, SPIN)
    a = add(vec3.load(body, i, ACCEL), cross(vec3.load(body, i, ALPHA), lever))
    return add(a, cross(spin, cross(spin, lever)))


@inner
def _more_acceleration(candidate, shape_kind, pair, body, c):
    """What the added forces make of the relative acceleration at pair c [m/s2]."""
    i, lever = contact.pair_lever(candidate, shape_kind, pair, body, c)
    j, other = contact.other_lever(candidate, shape_kind, pair, body, c)
    a = add(vec3.load(body, i, MORE_ACCEL), cross(vec3.load(body, i, MORE_ALPHA), lever))
    b = add(vec3.load(body, j, MORE_ACCEL), cross(vec3.load(body, j, MORE_ALPHA), other))
    return sub(a, b)


@inner
def _press(candidate, shape_kind, pair, body, c, force):
    """Add a force [N] on body a of pair c at its contact point, and the opposite on body b."""
    i, lever = contact.pair_lever(candidate, shape_kind, pair, body, c)
    j, other = contact.other_lever(candidate, shape_kind, pair, body, c)
    push(body, i, lever, force)
    push(body, j, other, scale(-1.0, force))


# --- the response of the tree


@inner
def prepare(joint, body, h):
    """Keep the inverses that every response needs, after the sweep of a step h [s]."""
    for i in range(joint.shape[0]):
        if joint[i, MOVED] >= 0 or joint[i, KIND] not in (FREE, SPHERICAL):
            continue
        angular = mat3.load_sym(body, i, ANGULAR)
        if body[i, FAST] > 0.0 and h > 0.0 and joint[i, KIND] == SPHERICAL:
            angular = mat3.sym_add(angular, mat3.load_sym(body, i, PIVOT))
        mat3.store_sym(body, i, INVERSE, mat3.sym_inverse(angular))
        if joint[i, KIND] == FREE:
            gain = mat3.load(body, i, GAIN)
            passed = mat3.transposed_product_symmetric(mat3.load(body, i, COUPLING), gain)
            mass = mat3.sym_sub(mat3.load_sym(body, i, MASS), passed)
            mat3.store_sym(body, i, INVERSE_MASS, mat3.sym_inverse(mass))


@inner
def clear(body):
    """No added forces."""
    for i in range(body.shape[0]):
        vec3.store(body, i, MORE_FORCE, ZERO)
        vec3.store(body, i, MORE_MOMENT, ZERO)


@inner
def push(body, i, lever, force):
    """Add a force [N] on body i at `lever` from its joint point; it enters as a bias, with the opposite sign."""
    vec3.increase(body, i, MORE_FORCE, scale(-1.0, force))
    vec3.increase(body, i, MORE_MOMENT, scale(-1.0, cross(lever, force)))


@inner
def respond(joint, body, h):
    """Accelerations that the added forces make: the two passes of `dynamics.solve` with everything else left out."""
    for i in range(joint.shape[0] - 1, -1, -1):
        moment, force = vec3.load(body, i, MORE_MOMENT), vec3.load(body, i, MORE_FORCE)
        kind, damped = joint[i, KIND], body[i, FAST] > 0.0 and h > 0.0
        if joint[i, MOVED] >= 0 or kind == RIGID:
            pass
        elif kind in (FREE, SPHERICAL):
            answer = scale(-1.0, mat3.sym_dot(mat3.load_sym(body, i, INVERSE), moment))
            vec3.store(body, i, MORE_PUSH, answer)
            force = add(force, mat3.transposed_dot(mat3.load(body, i, COUPLING), answer))
            moment = ZERO
            if kind == FREE:
                a = scale(-1.0, mat3.sym_dot(mat3.load_sym(body, i, INVERSE_MASS), force))
                vec3.store(body, i, MORE_ACCEL, a)
                vec3.store(body, i, MORE_ALPHA, sub(answer, mat3.dot(mat3.load(body, i, GAIN), a)))
                continue
            if damped:
                moment = scale(-1.0, mat3.sym_dot(mat3.load_sym(body, i, PIVOT), answer))
        else:
            moment, force = _pass_axes(joint, body, i, moment, force)
        p, r = joint[i, PARENT], vec3.load(body, i, OFFSET)
        vec3.increase(body, p, MORE_FORCE, force)
        vec3.increase(body, p, MORE_MOMENT, add(moment, cross(r, force)))
    for i in range(joint.shape[0]):
        if joint[i, KIND] == FREE and joint[i, MOVED] < 0:
            continue
        p = joint[i, PARENT]
        alpha = vec3.load(body, p, MORE_ALPHA)
        a = add(vec3.load(body, p, MORE_ACCEL), cross(alpha, vec3.load(body, i, OFFSET)))
        if joint[i, MOVED] >= 0 or joint[i, KIND] == RIGID:
            pass
        elif joint[i, KIND] == SPHERICAL:
            spread = ZERO
            if body[i, FAST] > 0.0 and h > 0.0:
                spread = mat3.dot(mat3.load(body, i, SPREAD), alpha)
            alpha = sub(add(vec3.load(body, i, MORE_PUSH), spread), mat3.dot(mat3.load(body, i, GAIN), a))
        else:
            alpha, a = _move_axes(joint, body, i, alpha, a)
        vec3.store(body, i, MORE_ALPHA, alpha)
        vec3.store(body, i, MORE_ACCEL, a)


@inner
def _pass_axes(joint, body, i, moment, force):
    """What a joint with axes S passes on: p + U D^-1 u with u = -S' p, which is kept."""
    u = (
        _along_axis(body, i, joint[i, NV], 0, moment, force),
        _along_axis(body, i, joint[i, NV], 1, moment, force),
        _along_axis(body, i, joint[i, NV], 2, moment, force),
    )
    vec3.store(body, i, MORE_PUSH, u)
    rate = mat3.sym_dot(mat3.load_sym(body, i, PIVOT), u)
    for k in range(joint[i, NV]):
        moment = axpy(rate[k], vec3.load(body, i, LEVER + 6 * k), moment)
        force = axpy(rate[k], vec3.load(body, i, LEVER + 6 * k + 3), force)
    return moment, force


@inner
def _along_axis(body, i, n, k, moment, force):
    """Component k of -S' p; zero for an axis that is not there."""
    if k >= n:
        return 0.0
    at = AXIS + 6 * k
    return -dot(vec3.load(body, i, at), moment) - dot(vec3.load(body, i, at + 3), force)


@inner
def axis_rates(joint, body, i, alpha, a):
    """Added accelerations along the axes of a joint: D^-1 (u - U' a'), given those of the parent at the joint."""
    u0, u1, u2 = vec3.load(body, i, MORE_PUSH)
    n = joint[i, NV]
    if n > 0:
        u0 -= dot(vec3.load(body, i, LEVER), alpha) + dot(vec3.load(body, i, LEVER + 3), a)
    if n > 1:
        u1 -= dot(vec3.load(body, i, LEVER + 6), alpha) + dot(vec3.load(body, i, LEVER + 9), a)
    if n > 2:
        u2 -= dot(vec3.load(body, i, LEVER + 12), alpha) + dot(vec3.load(body, i, LEVER + 15), a)
    return mat3.sym_dot(mat3.load_sym(body, i, PIVOT), (u0, u1, u2))


@inner
def _move_axes(joint, body, i, alpha, a):
    """Added accelerations of a body behind a joint with axes; its coordinates' are kept in MORE_PUSH."""
    rate = axis_rates(joint, body, i, alpha, a)
    vec3.store(body, i, MORE_PUSH, rate)
    for k in range(joint[i, NV]):
        alpha = axpy(rate[k], vec3.load(body, i, AXIS + 6 * k), alpha)
        a = axpy(rate[k], vec3.load(body, i, AXIS + 6 * k + 3), a)
    return alpha, a


@inner
def _take(joint, body, vdot):
    """Add the response to the accelerations and to the biases, from which the joint reactions follow."""
    for i in range(joint.shape[0]):
        alpha, a = vec3.load(body, i, MORE_ALPHA), vec3.load(body, i, MORE_ACCEL)
        vec3.increase(body, i, ALPHA, alpha)
        vec3.increase(body, i, ACCEL, a)
        vec3.increase(body, i, FORCE_BIAS, vec3.load(body, i, MORE_FORCE))
        vec3.increase(body, i, MOMENT_BIAS, vec3.load(body, i, MORE_MOMENT))
        add_rates(joint, body, i, vdot)


@inner
def add_rates(joint, body, i, vdot):
    """Add the response of body i to the accelerations of its joint's own velocities."""
    if joint[i, MOVED] >= 0 or joint[i, KIND] == RIGID:
        return
    first, kind = joint[i, FIRST_V], joint[i, KIND]
    if kind == FREE:
        for m in range(3):
            vdot[first + m] += body[i, MORE_ACCEL + m]
            vdot[first + 3 + m] += body[i, MORE_ALPHA + m]
    elif kind == SPHERICAL:
        for m in range(3):
            vdot[first + m] += body[i, MORE_ALPHA + m]
    else:
        for m in range(joint[i, NV]):
            vdot[first + m] += body[i, MORE_PUSH + m]


@inner
def _solve(matrix, n, last):
    """Solve the first n rows and columns of a table for its column `last`, in place (Gauss, row pivoting)."""
    for k in range(n):
        best = k
        for r in range(k + 1, n):
            if abs(matrix[r, k]) > abs(matrix[best, k]):
                best = r
        if best != k:
            for m in range(k, n):
                matrix[k, m], matrix[best, m] = matrix[best, m], matrix[k, m]
            matrix[k, last], matrix[best, last] = matrix[best, last], matrix[k, last]
        for r in range(k + 1, n):
            factor = matrix[r, k] / matrix[k, k]
            for m in range(k + 1, n):
                matrix[r, m] -= factor * matrix[k, m]
            matrix[r, last] -= factor * matrix[k, last]
    for k in range(n - 1, -1, -1):
        value = matrix[k, last]
        for m in range(k + 1, n):
            value -= matrix[k, m] * matrix[m, last]
        matrix[k, last] = value / matrix[k, k]
