"""Muscles along lines: their force, and their part in the implicit step.

The force F is given by a table over time, or by the curves of `hill` and the activation, which follows from the
excitation alone and is a table, too:

    F = F_max (a f_l(l) f_v(v) + f_p(l) + damping v) cos(pennation)

With a rigid tendon the fibres follow the path. With an elastic tendon their length along the tendon, p, is a
coordinate of its own after those of the joints; its rate r is the one at which fibres and tendon are in equilibrium,
and a substep h takes the implicit step dp = h (r + r_L h w') / (1 - h r_p), with w' the new rate of the path. With K
and D the derivatives of F by length and rate of the path, a substep applies

    F + h K w + (h^2 K + h D) dw/dt

in one row for each muscle that has them (`contact_response.couple`). A muscle never pushes. The whole of its work on
the bodies is in the class of muscles of the energy audit.
"""

from math import sqrt

from .._jit import inner, kernel
from . import hill, kinematics, muscle_path, table, vec3
from .layout import body, course, muscle, out_row, pull, work_class
from .point_load import added_acceleration, point_acceleration, push
from .vec3 import cross, dot, scale

TURNS = 60  # of the search for the speed of fibres
STILL = 1e-13  # change of the speed at which it ends [-]
FASTEST = 1e3  # largest speed of fibres that is looked for, over that of shortening [-]
SHORT = 1e-3  # least length of fibres along the tendon, over the optimal one [-]


@inner
def loads(model, work, q, time):
    """Find path and force [N] of all muscles in the present state at a time [s]."""
    for m in range(model.muscle.shape[0]):
        muscle_path.place(model, work, m)
        row, law = work.pull, model.muscle_kind[m, muscle.LAW]
        value, _, _ = table.value(model, model.muscle_kind[m, muscle.TABLE], time)
        for k in range(pull.ACTIVATION, pull.COUNT):
            row[m, k] = 0.0
        if law == muscle.TABLE_FORCE:
            row[m, pull.FORCE] = max(0.0, value)
            continue
        row[m, pull.ACTIVATION] = value
        if law == muscle.RIGID_TENDON:
            row[m, pull.ALONG] = row[m, pull.LENGTH] - model.muscle[m, muscle.SLACK]
            row[m, pull.ALONG_RATE] = row[m, pull.RATE]
            _rigid(model.muscle, row, m)
        else:
            row[m, pull.ALONG] = q[model.muscle_kind[m, muscle.FIBRE]]
            _elastic(model.muscle, row, m)


@inner
def _fibre(value, along, m):
    """Length of the fibres over the optimal one, and the cosine of their pennation."""
    length = sqrt(along * along + value[m, muscle.WIDTH] ** 2)
    return length / value[m, muscle.OPTIMAL], along / length


@inner
def _rigid(value, row, m):
    """Force, stiffness and damping of fibres that follow the path."""
    along = row[m, pull.ALONG]
    if along <= SHORT * value[m, muscle.OPTIMAL]:
        return
    length, cosine = _fibre(value, along, m)
    speed = row[m, pull.RATE] * cosine / value[m, muscle.MAX_SPEED]
    force, by_length, by_speed = fibre_force(value, m, row[m, pull.ACTIVATION], length, speed)
    most = value[m, muscle.MAX_FORCE]
    row[m, pull.FIBRE] = length * value[m, muscle.OPTIMAL]
    if force > 0.0:
        row[m, pull.FORCE] = most * force * cosine
        # a falling force would take stiffness away; it stays explicit
        row[m, pull.STIFFNESS] = most * max(0.0, by_length) * cosine * cosine / value[m, muscle.OPTIMAL]
        row[m, pull.DRAG] = most * by_speed * cosine * cosine / value[m, muscle.MAX_SPEED]


@kernel
def fibre_force(value, m, activation, length, speed):
    """Return the force of the fibres of muscle m over the largest one, and its slopes by length and speed [-]."""
    active, active_slope = hill.active(length)
    factor, factor_slope = hill.speed_factor(speed)
    passive, passive_slope = hill.passive(length, value[m, muscle.PASSIVE])
    damping = value[m, muscle.DAMPING]
    return (
        activation * active * factor + passive + damping * speed,
        activation * active_slope * factor + passive_slope,
        activation * active * factor_slope + damping,
    )


@kernel
def tendon_force(value, m, length):
    """Return the force [N] and stiffness [N/m] of the elastic tendon of muscle m at a length [m]."""
    slack, most = value[m, muscle.SLACK], value[m, muscle.MAX_FORCE]
    force, slope = hill.tendon(length / slack, value[m, muscle.STEEP])
    return most * force, most * slope / slack


@inner
def _elastic(value, row, m):
    """Force of the tendon, and the rate of the fibres at which these bear it."""
    along, most = row[m, pull.ALONG], value[m, muscle.MAX_FORCE]
    force, stiffness = tendon_force(value, m, row[m, pull.LENGTH] - along)
    length, cosine = _fibre(value, max(along, SHORT * value[m, muscle.OPTIMAL]), m)
    speed = fibre_speed(value, m, row[m, pull.ACTIVATION], length, force / (most * cosine))
    _, by_length, by_speed = fibre_force(value, m, row[m, pull.ACTIVATION], length, speed)
    drag = most * by_speed * cosine * cosine / value[m, muscle.MAX_SPEED]
    spring = most * max(0.0, by_length) * cosine * cosine / value[m, muscle.OPTIMAL]
    row[m, pull.FIBRE] = length * value[m, muscle.OPTIMAL]
    row[m, pull.FORCE], row[m, pull.TENDON] = force, stiffness
    row[m, pull.ALONG_RATE] = speed * value[m, muscle.MAX_SPEED] / cosine
    row[m, pull.BY_LENGTH], row[m, pull.BY_ALONG] = stiffness / drag, -(stiffness + spring) / drag


@kernel
def fibre_speed(value, m, activation, length, force):
    """Return the speed of the fibres of muscle m at which they bear a force, all over the largest ones [-].

    The force of fibres rises with their speed, so Newton's method is kept between two bounds.
    """
    low, high, speed = -FASTEST, FASTEST, 0.0
    for _ in range(TURNS):
        borne, _, slope = fibre_force(value, m, activation, length, speed)
        if borne > force:
            high = speed
        else:
            low = speed
        new = speed - (borne - force) / slope
        if not low <= new <= high:
            new = 0.5 * (low + high)
        if abs(new - speed) <= STILL * (1.0 + abs(new)):
            return new
        speed = new
    return speed


# --- in the step


@inner
def implicit(work, m):
    """Return whether muscle m has a row in the implicit step [-]."""
    return work.pull[m, pull.GAIN] > 0.0 or work.pull[m, pull.DRAG] > 0.0


@inner
def count(work):
    """Return the number of muscles with a row in the implicit step [-]."""
    n = 0
    for m in range(work.pull.shape[0]):
        n += 1 if implicit(work, m) else 0
    return n


@inner
def gather(model, work, h):
    """Put the forces [N] of a substep h [s] on the bodies, as known from its start."""
    row = work.pull
    for m in range(row.shape[0]):
        start, gain = row[m, pull.FORCE], row[m, pull.STIFFNESS]
        if row[m, pull.TENDON] > 0.0 and h > 0.0:
            loose = 1.0 / (1.0 - h * row[m, pull.BY_ALONG])
            start -= h * row[m, pull.TENDON] * row[m, pull.ALONG_RATE] * loose
            gain = row[m, pull.TENDON] * (1.0 - h * row[m, pull.BY_LENGTH] * loose)
        row[m, pull.GAIN] = gain
        row[m, pull.START] = max(0.0, start + h * gain * row[m, pull.RATE])
        row[m, pull.MORE] = 0.0
        p = model.muscle_kind[m, muscle.FIRST]
        while work.course[p, course.NEXT] >= 0.0:
            for side in range(2):
                i, lever, way = muscle_path.end(model, work, p, side)
                force = scale(row[m, pull.START], way)
                vec3.increase(work.body, i, body.FORCE_BIAS, scale(-1.0, force))
                vec3.increase(work.body, i, body.MOMENT_BIAS, scale(-1.0, cross(lever, force)))
            p = int(work.course[p, course.NEXT])


@inner
def press(model, work, m, load):
    """Add a force [N] to muscle m, as a bias of the response."""
    p = model.muscle_kind[m, muscle.FIRST]
    while work.course[p, course.NEXT] >= 0.0:
        for side in range(2):
            i, lever, way = muscle_path.end(model, work, p, side)
            push(work.body, i, lever, scale(load, way))
        p = int(work.course[p, course.NEXT])


@inner
def parting(model, work, m):
    """Return the acceleration [m/s2] of the length of muscle m, by the sweep."""
    total, p = 0.0, model.muscle_kind[m, muscle.FIRST]
    while work.course[p, course.NEXT] >= 0.0:
        for side in range(2):
            i, lever, way = muscle_path.end(model, work, p, side)
            total -= dot(way, point_acceleration(work.body, i, lever))
        p = int(work.course[p, course.NEXT])
    return total


@inner
def answer(model, work, m):
    """Return the acceleration [m/s2] of the length of muscle m by the added forces."""
    total, p = 0.0, model.muscle_kind[m, muscle.FIRST]
    while work.course[p, course.NEXT] >= 0.0:
        for side in range(2):
            i, lever, way = muscle_path.end(model, work, p, side)
            total -= dot(way, added_acceleration(work.body, i, lever))
        p = int(work.course[p, course.NEXT])
    return total


@inner
def weight(work, m, h):
    """Return how the force of muscle m rises with the acceleration of its length in a substep h [s] [N s2/m]."""
    return h * (h * work.pull[m, pull.GAIN] + work.pull[m, pull.DRAG])


@inner
def take(work, m, more):
    """Keep the force [N] that the implicit step adds to muscle m, which never pushes; return it."""
    work.pull[m, pull.MORE] = max(-work.pull[m, pull.START], more)
    return work.pull[m, pull.MORE]


@inner
def result(model, work, h):
    """Write what muscles did in a substep h [s] into `work.out` [N, m, W], and the rates of their fibres [m/s]."""
    row, out, at, total = work.pull, work.out, place_in_out(model, work), 0.0
    for m in range(row.shape[0]):
        force, more = row[m, pull.START] + row[m, pull.MORE], parting(model, work, m)
        power = -force * (row[m, pull.RATE] + 0.5 * h * more)
        if row[m, pull.TENDON] > 0.0 or row[m, pull.BY_ALONG] != 0.0:
            ahead = row[m, pull.BY_LENGTH] * h * (row[m, pull.RATE] + h * more)
            row[m, pull.ALONG_STEP] = (row[m, pull.ALONG_RATE] + ahead) / (1.0 - h * row[m, pull.BY_ALONG])
        out[at], out[at + 1], out[at + 2] = force, row[m, pull.LENGTH], row[m, pull.RATE]
        out[at + 3], out[at + 4], out[at + 5] = row[m, pull.ACTIVATION], row[m, pull.FIBRE], power
        total += power
        at += out_row.MUSCLE
    for p in range(work.course.shape[0]):
        for k in range(3):
            vec3.store_at(out, at + 3 * k, muscle_path.node(model, work, p, k))
        at += out_row.COURSE
    out[out.shape[0] - work_class.COUNT + work_class.MUSCLE] += total


@inner
def place_in_out(model, work):
    """Return the first place of muscles in `work.out` [-]."""
    bodies = model.joint.shape[0] * (out_row.BODY + out_row.JOINT)
    bags = out_row.BAG * model.airbag.shape[0] + out_row.DIP * model.dip.shape[0]
    return bodies + out_row.PAIR * model.candidate.shape[0] + out_row.STRAND * work.strand.shape[0] + bags


@inner
def advance(model, work, q, h, new_q):
    """Advance the lengths of fibres along elastic tendons [m] over a substep h [s]."""
    for m in range(work.pull.shape[0]):
        k = model.muscle_kind[m, muscle.FIBRE]
        if k >= 0:
            least = SHORT * model.muscle[m, muscle.OPTIMAL]
            new_q[k] = max(least, q[k] + h * work.pull[m, pull.ALONG_STEP])


@inner
def rates(model, work, qdot):
    """Write the rates of the lengths of fibres along elastic tendons [m/s]."""
    for m in range(work.pull.shape[0]):
        k = model.muscle_kind[m, muscle.FIBRE]
        if k >= 0:
            qdot[k] = work.pull[m, pull.ALONG_RATE]


@kernel
def lay(model, work, q, v, time):
    """Place all muscles as a start has them, at a time [s]: fibres of elastic tendons in equilibrium at rest [m]."""
    kinematics.forward(model, work.body, q, v, time)
    for m in range(model.muscle.shape[0]):
        muscle_path.place(model, work, m)
        if model.muscle_kind[m, muscle.LAW] == muscle.ELASTIC_TENDON:
            activation, _, _ = table.value(model, model.muscle_kind[m, muscle.TABLE], time)
            q[model.muscle_kind[m, muscle.FIBRE]] = _at_rest(model.muscle, work.pull[m, pull.LENGTH], m, activation)
    loads(model, work, q, time)


@inner
def _at_rest(value, path, m, activation):
    """Length of the fibres along the tendon [m] at which the tendon bears what they do without speed, by bisection."""
    low, high = SHORT * value[m, muscle.OPTIMAL], max(path, 2.0 * SHORT * value[m, muscle.OPTIMAL])
    for _ in range(200):
        middle = 0.5 * (low + high)
        length, cosine = _fibre(value, middle, m)
        fibres, _, _ = fibre_force(value, m, activation, length, 0.0)
        borne, _ = tendon_force(value, m, path - middle)
        if fibres * cosine * value[m, muscle.MAX_FORCE] > borne:
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)
