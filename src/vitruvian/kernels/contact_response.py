"""More forces on a tree whose sweep is done: the accelerations they add, and contacts and loops that couple branches.

A contact between two bodies that both answer puts F - W a on body a and the opposite on body b, where a is the
acceleration of a against b at the contact point and W the matrix of the implicit step. The sweep carries F. With r the
accelerations that it finds, and G the accelerations at all such contacts by unit forces at all of them, what is left is

    d = -W (r + G d),   (1 + W G) d = -W r

a small dense system (Schur complement on the tree); the forces d then pass through the tree once more. Loops join it
with one row for each equation of `closure`: their loads l leave no acceleration along it, r + G (d, l) = 0. So does
webbing, with one row for each section that pulls (`belt`): its tensions rise by W (r + G d). So do muscles (`muscle`).
"""

from .._jit import inlined, inner
from . import belt, closure, contact, loop_response, mat3, modal, muscle, vec3
from .layout import body, candidate, equation, joint, joint_type, mode, pair, strand
from .point_load import added_acceleration, point_acceleration, push
from .vec3 import add, axpy, cross, dot, scale, sub

ZERO = (0.0, 0.0, 0.0)


@inner
def couples(model, work, h):
    """Return whether a step h [s] needs `couple`: for contacts, webbing, muscles or bodies that bend, not for loops."""
    if work.mode.shape[0] > 0 and work.closed.shape[0] > 0:
        return True
    if h == 0.0:
        return False
    if belt.count(work) + muscle.count(work) > 0:
        return True
    for c in range(model.candidate.shape[0] if work.coupled.shape[0] > 0 else 0):
        if model.candidate[c, candidate.COUPLED] == 1 and work.pair[c, pair.DEPTH] > 0.0:
            return True
    return False


@inner
def couple(model, work, h):
    """Correct the accelerations of a step h [s] for the contacts between bodies that both answer, and for loops."""
    count = _active(model.candidate, work.pair, work.coupled) if h > 0.0 else 0
    n = 3 * count
    for r in range(work.closed.shape[0]):
        n += 1 if work.closed[r] == equation.USED else 0
    webbing = n
    n += belt.count(work) if h > 0.0 else 0
    muscles = n
    n += muscle.count(work) if h > 0.0 else 0
    if n == 0:
        return
    bodies, schur, last = work.body, work.schur, work.schur.shape[1] - 1
    for k in range(count):
        c = work.coupled[k]
        matrix = mat3.load_sym(work.pair, c, pair.MATRIX)
        pull = mat3.sym_dot(matrix, relative_acceleration(model.candidate, model.shape_kind, work.pair, work.body, c))
        for m in range(3):
            schur[3 * k + m, last] = -pull[m]
    # one column for each unit force at each contact, and for each equation of the loops
    for l in range(count):
        for m in range(3):
            clear(model, work)
            unit = (1.0 if m == 0 else 0.0, 1.0 if m == 1 else 0.0, 1.0 if m == 2 else 0.0)
            _press(model.candidate, model.shape_kind, work.pair, bodies, work.coupled[l], unit)
            respond(model, work, h)
            _column(model, work, count, 3 * l + m, h)
    if webbing > 3 * count:
        loop_columns(model, work, count, h)
        at = 3 * count
        for r in range(work.closed.shape[0]):
            if work.closed[r] == equation.USED:
                schur[at, last] = -closure.acceleration(model, work, r)
                at += 1
    if muscles > webbing:
        _webbing_columns(model, work, count, webbing, h)
    if n > muscles:
        _muscle_columns(model, work, count, muscles, h)
    solve(schur, n, last)
    clear(model, work)
    for k in range(count):
        force = (schur[3 * k, last], schur[3 * k + 1, last], schur[3 * k + 2, last])
        _press(model.candidate, model.shape_kind, work.pair, bodies, work.coupled[k], force)
    press_loops(model, work, 3 * count)
    if muscles > webbing:
        _press_webbing(model, work, webbing)
    if n > muscles:
        _press_muscles(model, work, muscles)
    respond_all(model, work, h)
    _take(model, work)


@inner
def _column(model, work, count, column, h):
    """Keep what a unit load does at the first `count` coupled contacts, in loops and webbing, as a table column."""
    for k in range(count):
        c = work.coupled[k]
        matrix = mat3.load_sym(work.pair, c, pair.MATRIX)
        pull = mat3.sym_dot(matrix, _more_acceleration(model.candidate, model.shape_kind, work.pair, work.body, c))
        for n in range(3):
            work.schur[3 * k + n, column] = pull[n] + (1.0 if 3 * k + n == column else 0.0)
    at = 3 * count
    for r in range(work.closed.shape[0]):
        if work.closed[r] == equation.USED:
            work.schur[at, column] = closure.response(model, work, r)
            at += 1
    if h > 0.0 and work.strand.shape[0] > 0:
        belt.answer(model, work)
        for p in range(work.strand.shape[0]):
            if belt.taut(work, p):
                work.schur[at, column] = (1.0 if at == column else 0.0) - belt.implicit(model, work, p, h)
                at += 1
    if h > 0.0:
        for m in range(work.pull.shape[0]):
            if muscle.implicit(work, m):
                more = muscle.weight(work, m, h) * muscle.answer(model, work, m)
                work.schur[at, column] = (1.0 if at == column else 0.0) - more
                at += 1


@inner
def _webbing_columns(model, work, count, at, h):
    """Fill the columns of the sections of webbing that pull, from column `at` on, and their right-hand sides."""
    for p in range(work.strand.shape[0]):
        if belt.taut(work, p):
            work.strand[p, strand.ANSWER] = belt.parting(model, work, p)
    row, last = at, work.schur.shape[1] - 1
    for p in range(work.strand.shape[0]):
        if belt.taut(work, p):
            work.schur[row, last] = belt.implicit(model, work, p, h)
            row += 1
    for p in range(work.strand.shape[0]):
        if belt.taut(work, p):
            clear(model, work)
            belt.press(model, work, p, 1.0)
            respond(model, work, h)
            _column(model, work, count, at, h)
            at += 1


@inner
def _press_webbing(model, work, at):
    """Add the tensions [N] in the last column of the table from row `at` on; webbing never pushes."""
    row, last = work.strand, work.schur.shape[1] - 1
    for p in range(row.shape[0]):
        if belt.taut(work, p):
            row[p, strand.MORE] = max(-row[p, strand.PULL], work.schur[at, last])
            belt.press(model, work, p, row[p, strand.MORE])
            at += 1


@inner
def _muscle_columns(model, work, count, at, h):
    """Fill the columns of the muscles in the implicit step, from column `at` on, and their right-hand sides."""
    last = work.schur.shape[1] - 1
    for m in range(work.pull.shape[0]):
        if muscle.implicit(work, m):
            clear(model, work)
            muscle.press(model, work, m, 1.0)
            respond(model, work, h)
            _column(model, work, count, at, h)
            work.schur[at, last] = muscle.weight(work, m, h) * muscle.parting(model, work, m)
            at += 1


@inner
def _press_muscles(model, work, at):
    """Add the forces [N] in the last column of the table from row `at` on; muscles never push."""
    for m in range(work.pull.shape[0]):
        if muscle.implicit(work, m):
            more = muscle.take(work, m, work.schur[at, work.schur.shape[1] - 1])
            muscle.press(model, work, m, more)
            at += 1


@inner
def loop_columns(model, work, count, h):
    """Fill the columns of the equations in use: accelerations [m/s2, rad/s2] by a unit load along each."""
    at = 3 * count
    for r in range(work.closed.shape[0]):
        if work.closed[r] == equation.USED:
            clear(model, work)
            closure.press(model, work, r, 1.0)
            respond(model, work, h)
            _column(model, work, count, at, h)
            at += 1


@inner
def press_loops(model, work, at):
    """Add the loads [N, N m] of the loops, which are in the last column of the table from row `at` on."""
    last = work.schur.shape[1] - 1
    for r in range(work.closed.shape[0]):
        if work.closed[r] == equation.USED:
            work.equation[r, equation.LOAD] = work.schur[at, last]
            closure.press(model, work, r, work.schur[at, last])
            at += 1


@inner
def _active(candidates, pairs, coupled):
    """List the coupled pairs in contact; those beyond the size of the table act explicitly."""
    count = 0
    for c in range(candidates.shape[0]):
        if candidates[c, candidate.COUPLED] == 1 and pairs[c, pair.DEPTH] > 0.0:
            if count < coupled.shape[0]:
                coupled[count] = c
                count += 1
            else:
                mat3.store_sym(pairs, c, pair.MATRIX, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    return count


@inlined
def relative_acceleration(candidates, shape_kind, pairs, bodies, c):
    """Acceleration [m/s2] of body a against body b at the contact point of pair c."""
    i, lever = contact.pair_lever(candidates, shape_kind, pairs, bodies, c)
    j, other = contact.other_lever(candidates, shape_kind, pairs, bodies, c)
    return sub(point_acceleration(bodies, i, lever), point_acceleration(bodies, j, other))


@inner
def _more_acceleration(candidates, shape_kind, pairs, bodies, c):
    """Return the relative acceleration at pair c by the added forces [m/s2]."""
    i, lever = contact.pair_lever(candidates, shape_kind, pairs, bodies, c)
    j, other = contact.other_lever(candidates, shape_kind, pairs, bodies, c)
    return sub(added_acceleration(bodies, i, lever), added_acceleration(bodies, j, other))


@inner
def _press(candidates, shape_kind, pairs, bodies, c, force):
    """Add a force [N] on body a of pair c at its contact point, and the opposite on body b."""
    i, lever = contact.pair_lever(candidates, shape_kind, pairs, bodies, c)
    j, other = contact.other_lever(candidates, shape_kind, pairs, bodies, c)
    push(bodies, i, lever, force)
    push(bodies, j, other, scale(-1.0, force))


# --- the response of the tree


@inner
def clear(model, work):
    """Set the added forces [N] and moments [N m] to zero."""
    bodies, path = work.body, model.path
    for k in range(path.shape[0]):
        vec3.store(bodies, path[k], body.MORE_FORCE, ZERO)
        vec3.store(bodies, path[k], body.MORE_MOMENT, ZERO)
    if work.mode.shape[0] > 0:
        modal.clear(work)


@inner
def respond(model, work, h):
    """Find accelerations [m/s2, rad/s2] of the bodies of the path by the added forces; others stay unknown.

    These are the two passes of `dynamics.solve` with everything else left out. The path has every body on which a force
    may be added, and all bodies from these to the world, parents first.
    """
    path = model.path
    for k in range(path.shape[0] - 1, -1, -1):
        _respond_inward(model, work, path[k], h)
    for k in range(path.shape[0]):
        _respond_outward(model, work, path[k], h)


@inner
def respond_all(model, work, h):
    """Find accelerations [m/s2, rad/s2] of all bodies by the added forces, which act on the path only."""
    path = model.path
    for i in range(model.joint.shape[0]):
        vec3.store(work.body, i, body.MORE_PUSH, ZERO)
    for k in range(path.shape[0] - 1, -1, -1):
        _respond_inward(model, work, path[k], h)
    for i in range(model.joint.shape[0]):
        _respond_outward(model, work, i, h)


@inner
def respond_to_loops(model, work):
    """Find accelerations [m/s2, rad/s2] of all bodies by the loads of the loops, after `loop_response.columns`."""
    for i in range(model.joint.shape[0]):
        vec3.store(work.body, i, body.MORE_PUSH, ZERO)
    loop_response.press(model, work)
    for i in range(model.joint.shape[0]):
        _respond_outward(model, work, i, 0.0)


@inlined
def _respond_inward(model, work, i, h):
    """Pass the added forces on body i and its branches to its parent."""
    joints, bodies = model.joint, work.body
    if joints[i, joint.FLEXIBLE] >= 0:
        modal.press(model, work, i)
    moment, force = vec3.load(bodies, i, body.MORE_MOMENT), vec3.load(bodies, i, body.MORE_FORCE)
    kind, damped = joints[i, joint.KIND], bodies[i, body.FAST] > 0.0 and h > 0.0
    if joints[i, joint.MOVED] >= 0 or kind == joint_type.RIGID:
        pass
    elif kind == joint_type.MODAL:
        modal.press_station(model, work, i)
    elif kind in (joint_type.FREE, joint_type.SPHERICAL):
        answer = scale(-1.0, mat3.sym_dot(mat3.load_sym(bodies, i, body.INVERSE), moment))
        vec3.store(bodies, i, body.MORE_PUSH, answer)
        force = add(force, mat3.transposed_dot(mat3.load(bodies, i, body.COUPLING), answer))
        moment = ZERO
        if kind == joint_type.FREE:
            a = scale(-1.0, mat3.sym_dot(mat3.load_sym(bodies, i, body.INVERSE_MASS), force))
            vec3.store(bodies, i, body.MORE_ACCEL, a)
            vec3.store(bodies, i, body.MORE_ALPHA, sub(answer, mat3.dot(mat3.load(bodies, i, body.GAIN), a)))
            return
        if damped:
            moment = scale(-1.0, mat3.sym_dot(mat3.load_sym(bodies, i, body.PIVOT), answer))
    else:
        moment, force = loop_response.pass_axes(joints, bodies, i, moment, force)
    p, r = joints[i, joint.PARENT], vec3.load(bodies, i, body.OFFSET)
    vec3.increase(bodies, p, body.MORE_FORCE, force)
    vec3.increase(bodies, p, body.MORE_MOMENT, add(moment, cross(r, force)))


@inlined
def _respond_outward(model, work, i, h):
    """Added accelerations of body i, given those of its parent."""
    joints, bodies = model.joint, work.body
    if joints[i, joint.KIND] == joint_type.FREE and joints[i, joint.MOVED] < 0:
        if joints[i, joint.FLEXIBLE] >= 0:
            modal.respond(model, work, i)
        return
    p = joints[i, joint.PARENT]
    alpha = vec3.load(bodies, p, body.MORE_ALPHA)
    a = add(vec3.load(bodies, p, body.MORE_ACCEL), cross(alpha, vec3.load(bodies, i, body.OFFSET)))
    if joints[i, joint.MOVED] >= 0 or joints[i, joint.KIND] == joint_type.RIGID:
        pass
    elif joints[i, joint.KIND] == joint_type.SPHERICAL:
        spread = ZERO
        if bodies[i, body.FAST] > 0.0 and h > 0.0:
            spread = mat3.dot(mat3.load(bodies, i, body.SPREAD), alpha)
        alpha = sub(add(vec3.load(bodies, i, body.MORE_PUSH), spread), mat3.dot(mat3.load(bodies, i, body.GAIN), a))
    elif joints[i, joint.KIND] == joint_type.MODAL:
        alpha, a = modal.ride(model, work, i, mode.MORE_ACCEL, alpha, a)
    else:
        alpha, a = _move_axes(joints, bodies, i, alpha, a)
    vec3.store(bodies, i, body.MORE_ALPHA, alpha)
    vec3.store(bodies, i, body.MORE_ACCEL, a)
    if joints[i, joint.FLEXIBLE] >= 0:
        modal.respond(model, work, i)


@inner
def axis_rates(joints, bodies, i, alpha, a):
    """Return added accelerations [rad/s2, m/s2] along the axes of a joint: D^-1 (u - U' a'), a' of the parent."""
    u0, u1, u2 = vec3.load(bodies, i, body.MORE_PUSH)
    n = joints[i, joint.NV]
    if n > 0:
        u0 -= dot(vec3.load(bodies, i, body.LEVER), alpha) + dot(vec3.load(bodies, i, body.LEVER + 3), a)
    if n > 1:
        u1 -= dot(vec3.load(bodies, i, body.LEVER + 6), alpha) + dot(vec3.load(bodies, i, body.LEVER + 9), a)
    if n > 2:
        u2 -= dot(vec3.load(bodies, i, body.LEVER + 12), alpha) + dot(vec3.load(bodies, i, body.LEVER + 15), a)
    return mat3.sym_dot(mat3.load_sym(bodies, i, body.PIVOT), (u0, u1, u2))


@inner
def _move_axes(joints, bodies, i, alpha, a):
    """Added accelerations of a body behind a joint with axes; its coordinates' are kept in MORE_PUSH."""
    rate = axis_rates(joints, bodies, i, alpha, a)
    vec3.store(bodies, i, body.MORE_PUSH, rate)
    for k in range(joints[i, joint.NV]):
        alpha = axpy(rate[k], vec3.load(bodies, i, body.AXIS + 6 * k), alpha)
        a = axpy(rate[k], vec3.load(bodies, i, body.AXIS + 6 * k + 3), a)
    return alpha, a


@inner
def _take(model, work):
    """Add the response to the accelerations and to the biases, from which the joint reactions follow."""
    bodies = work.body
    for i in range(model.joint.shape[0]):
        alpha, a = vec3.load(bodies, i, body.MORE_ALPHA), vec3.load(bodies, i, body.MORE_ACCEL)
        vec3.increase(bodies, i, body.ALPHA, alpha)
        vec3.increase(bodies, i, body.ACCEL, a)
        vec3.increase(bodies, i, body.FORCE_BIAS, vec3.load(bodies, i, body.MORE_FORCE))
        vec3.increase(bodies, i, body.MOMENT_BIAS, vec3.load(bodies, i, body.MORE_MOMENT))
    for k in range(work.mode.shape[0]):
        work.mode[k, mode.ACCEL] += work.mode[k, mode.MORE_ACCEL]
    add_rates(model, work, work.vdot)


@inner
def add_rates(model, work, vdot):
    """Add the response to the accelerations [rad/s2, m/s2] of all velocities."""
    for i in range(model.joint.shape[0]):
        _add_rates(model.joint, work.body, i, vdot)
    if work.mode.shape[0] > 0:
        modal.add_rates(work, vdot)


@inner
def _add_rates(joints, bodies, i, vdot):
    """Add the response of body i to the accelerations [rad/s2, m/s2] of its joint's own velocities."""
    if joints[i, joint.MOVED] >= 0 or joints[i, joint.KIND] in (joint_type.RIGID, joint_type.MODAL):
        return
    first, kind = joints[i, joint.FIRST_V], joints[i, joint.KIND]
    if kind == joint_type.FREE:
        for m in range(3):
            vdot[first + m] += bodies[i, body.MORE_ACCEL + m]
            vdot[first + 3 + m] += bodies[i, body.MORE_ALPHA + m]
    elif kind == joint_type.SPHERICAL:
        for m in range(3):
            vdot[first + m] += bodies[i, body.MORE_ALPHA + m]
    else:
        for m in range(joints[i, joint.NV]):
            vdot[first + m] += bodies[i, body.MORE_PUSH + m]


@inner
def solve(matrix, n, last):
    """Solve the first n rows and columns of a table for its column `last` [any], in place (row pivoting)."""
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
