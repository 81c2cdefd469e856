"""Sampling: poses from the dense output, accelerations and loads as the step applied them.

Between two states the coordinates follow a cubic Hermite polynomial and the velocities a straight line. Accelerations
and loads are known as means over each step; inside a step they follow the straight line with the smaller of the slopes
to both neighbours (zero if those differ in sign), which keeps the mean of the step exactly and never overshoots. For
that a step waits until the next one is known.

A sample of a sensor is the mean over its sampling interval, half before and half after its time: the change of velocity
over it, whatever the steps. Integrals of the samples (HIC) therefore do not depend on where a sample falls in a sharp
impact. Load cells, the force and moment of a joint on its child, are sampled in the same manner: a sample is the
impulse over its interval, divided by the length of the interval.
"""

from math import nan

from .._jit import inlined, inner
from . import energy, integrate, joint_torque, kinematics, mat3, quaternion, vec3
from .layout import body, cursor, joint, joint_type, link, out_row, pair, pose, scalar, work_class
from .vec3 import add, axpy, cross, scale


@inner
def sensor_state(model, work, state):
    """Write orientation [-] and angular velocity [rad/s] of every body into an array (n, 7), for sensors and cells."""
    for i in range(model.joint.shape[0]):
        for k in range(4):
            state[i, k] = work.body[i, body.ORIENTATION + k]
        for k in range(3):
            state[i, 4 + k] = work.body[i, body.SPIN + k]


@inner
def pair_state(pairs, state):
    """Write depth [m], closing speed [m/s] and point [m] of every pair into an array (c, 5)."""
    for c in range(pairs.shape[0]):
        state[c, 0], state[c, 1] = pairs[c, pair.DEPTH], pairs[c, pair.RATE]
        for k in range(3):
            state[c, 2 + k] = pairs[c, pair.POINT + k]


@inner
def start(model, work, output, q, v, time):
    """Store the state at the start time [s], from which the first step will be sampled."""
    output.wait_scalar[1, scalar.END] = time
    output.edge[0] = time
    _copy(q, output.wait_q[1])
    _copy(v, output.wait_v[1])
    for r in range(work.sound.shape[0]):
        _copy(work.sound[r], output.wait_sound[1, r])
    pair_state(work.pair, output.wait_pair[1])
    sensor_state(model, work, output.wait_sensor[1])


@inner
def push(model, work, output, q, v, works, balance, time, span):
    """Sample the waiting step, and store the step that ended at this time [s] as the next to wait."""
    if output.cursor[cursor.WAITING] == 1:
        _copy(output.wait_mean[1], output.wait_mean[0])
    else:
        _copy(work.mean, output.wait_mean[0])
        output.wait_scalar[1, scalar.SPAN] = span
    _copy(work.mean, output.wait_mean[1])
    _copy(output.wait_scalar[1], output.wait_scalar[0])
    _copy(output.wait_q[1], output.wait_q[0])
    _copy(output.wait_v[1], output.wait_v[0])
    _copy(q, output.wait_q[1])
    _copy(v, output.wait_v[1])
    for r in range(work.sound.shape[0]):
        _copy(output.wait_sound[1, r], output.wait_sound[0, r])
        _copy(work.sound[r], output.wait_sound[1, r])
    for c in range(output.wait_pair.shape[1]):
        _copy(output.wait_pair[1, c], output.wait_pair[0, c])
    pair_state(work.pair, output.wait_pair[1])
    for k in range(work_class.COUNT):
        output.wait_scalar[1, k] = works[k]
    for i in range(model.joint.shape[0]):
        output.wait_loss[0, i], output.wait_loss[1, i] = output.wait_loss[1, i], works[work_class.COUNT + i]
    output.wait_scalar[1, scalar.IMBALANCE] = balance
    output.wait_scalar[1, scalar.END] = time
    output.wait_scalar[1, scalar.SPAN] = span
    for i in range(output.wait_sensor.shape[1]):
        _copy(output.wait_sensor[1, i], output.wait_sensor[0, i])
        _copy(output.wait_sensor[2, i], output.wait_sensor[1, i])
    output.cursor[cursor.WAITING] = 1


@inlined
def _copy(a, b):
    """Write the row a over the row b."""
    for k in range(a.shape[0]):
        b[k] = a[k]


@inner
def flush(model, output, next_mean, next_span):
    """Sample the waiting step, given the means and the length [s] of the next step."""
    begin, end = output.wait_scalar[0, scalar.END], output.wait_scalar[1, scalar.END]
    per_back = 2.0 / (output.wait_scalar[0, scalar.SPAN] + output.wait_scalar[1, scalar.SPAN])
    per_ahead = 2.0 / (next_span + output.wait_scalar[1, scalar.SPAN])
    for c in range(output.column.shape[0]):
        output.level[c] = output.wait_mean[1, output.column[c]]
        output.slope[c] = _slope(output.wait_mean, output.column[c], next_mean, per_back, per_ahead)
    _sensors(model, output, begin, end)
    _attitudes(output, begin, end)
    while (
        output.cursor[cursor.POSE] < output.pose_time.shape[0] and output.pose_time[output.cursor[cursor.POSE]] <= end
    ):
        _pose(model, output, output.cursor[cursor.POSE], begin, end, next_mean, per_back, per_ahead)
        output.cursor[cursor.POSE] += 1


@inlined
def _slope(mean, k, next_mean, per_back, per_ahead):
    """Slope of load number k inside the waiting step [1/s], given one over the distances to both neighbours [1/s]."""
    here = mean[1, k]
    back, ahead = per_back * (here - mean[0, k]), per_ahead * (next_mean[k] - here)
    if back * ahead <= 0.0:
        return 0.0
    return back if abs(back) < abs(ahead) else ahead


@inner
def _sensors(model, output, begin, end):
    """Add the waiting step to all integrals, and take the samples whose interval ends in it."""
    n_sample, now = output.time.shape[0], begin
    half = 0.5 * (output.time[1] - output.time[0]) if n_sample > 1 else 0.0
    while output.cursor[cursor.SENSOR] < n_sample:
        n = output.cursor[cursor.SENSOR]
        edge = min(output.time[n] + half, output.time[n_sample - 1])
        if edge > end:
            break
        _take(output, now, edge, begin, end)
        share = (edge - begin) / (end - begin) if end > begin else 1.0
        for m in range(model.sensor_body.shape[0]):
            _sensor(model, output, n, m, share, output.time[n] - edge)
        first = out_row.BODY * model.sensor_body.shape[0]
        for k in range(output.load_cell.shape[1]):
            output.load_cell[n, k] = output.sample[first + k]
        output.edge[0], now = edge, edge
        output.cursor[cursor.SENSOR] += 1
    span, bow = _weights(now, end, begin, end)
    for c in range(output.sum.shape[0]):
        output.sum[c] += output.level[c] * span + output.slope[c] * bow


@inlined
def _weights(first, last, begin, end):
    """Return what level and slope of the waiting step weigh in an integral between two times [s] inside it."""
    middle = 0.5 * (begin + end)
    return last - first, 0.5 * ((last - middle) ** 2 - (first - middle) ** 2)


@inlined
def _take(output, now, edge, begin, end):
    """Take the means over the sampling interval that ends at `edge` [s], and begin the next one there.

    An interval without length has the means of the step.
    """
    span, bow = _weights(now, edge, begin, end)
    length = edge - output.edge[0]
    per = 1.0 / length if length > 0.0 else 0.0
    for c in range(output.sum.shape[0]):
        output.sample[c] = per * (output.sum[c] + output.level[c] * span + output.slope[c] * bow)
        output.sum[c] = 0.0
    if length <= 0.0:
        _copy(output.level, output.sample)


@inlined
def _sensor(model, output, n, m, share, back):
    """Sample n of sensor m: acceleration of its point and motion in its axes, `back` [s] from the interval's end."""
    i = model.sensor_body[m, 0]
    mean_a, alpha = vec3.load_at(output.sample, out_row.BODY * m), vec3.load_at(output.sample, out_row.BODY * m + 3)
    first, last = quaternion.load(output.wait_sensor[0, i], 0), quaternion.load(output.wait_sensor[1, i], 0)
    spin_first, spin_last = vec3.load_at(output.wait_sensor[0, i], 4), vec3.load_at(output.wait_sensor[1, i], 4)
    spin = axpy(back, alpha, axpy(share, vec3.sub(spin_last, spin_first), spin_first))
    turn = quaternion.product(quaternion.exponential(scale(back, spin)), _between(first, last, share))
    axes = quaternion.matrix(turn)
    lever = mat3.dot(axes, vec3.load(model.sensor, m, 0))
    a = add(mean_a, add(cross(alpha, lever), cross(spin, cross(spin, lever))))
    local = axes if model.sensor_body[m, 1] == 1 else mat3.product(axes, mat3.load(model.sensor, m, 3))
    sample = output.sensor[n, m]
    vec3.store_at(sample, 0, a)
    vec3.store_at(sample, 3, mat3.transposed_dot(local, a))
    vec3.store_at(sample, 6, mat3.transposed_dot(local, spin))
    vec3.store_at(sample, 9, mat3.transposed_dot(local, alpha))


@inlined
def _between(first, last, share):
    """Quaternion between two close ones, straight and normalised."""
    sign = 1.0
    if first[0] * last[0] + first[1] * last[1] + first[2] * last[2] + first[3] * last[3] < 0.0:
        sign = -1.0
    return (
        first[0] + share * (sign * last[0] - first[0]),
        first[1] + share * (sign * last[1] - first[1]),
        first[2] + share * (sign * last[2] - first[2]),
        first[3] + share * (sign * last[3] - first[3]),
    )


@inner
def _attitudes(output, begin, end):
    """Write the orientation of every body at the sensor samples inside the waiting step.

    A cubic Hermite polynomial between both ends, c0 + s c1 + s^2 c2 + s^3 c3. It leaves the unit sphere by a few parts
    in 1e4 at most, so that one step of Newton's method for 1 / |q| brings it back to the precision that is stored.
    """
    first = output.cursor[cursor.ATTITUDE]
    stop = first
    while stop < output.time.shape[0] and output.time[stop] <= end:
        stop += 1
    output.cursor[cursor.ATTITUDE] = stop
    span = end - begin
    per_span = 1.0 / span if span > 0.0 else 0.0
    for i in range(output.attitude.shape[1] if stop > first else 0):
        one, two = quaternion.load(output.wait_sensor[0, i], 0), quaternion.load(output.wait_sensor[1, i], 0)
        if one[0] * two[0] + one[1] * two[1] + one[2] * two[2] + one[3] * two[3] < 0.0:
            two = (-two[0], -two[1], -two[2], -two[3])
        c1 = _scaled(span, quaternion.rate(one, vec3.load_at(output.wait_sensor[0, i], 4)))
        end_rate = _scaled(span, quaternion.rate(two, vec3.load_at(output.wait_sensor[1, i], 4)))
        rise = (two[0] - one[0], two[1] - one[1], two[2] - one[2], two[3] - one[3])
        for n in range(first, stop):
            s = max(0.0, per_span * (output.time[n] - begin))
            w = _cubic(s, one[0], c1[0], rise[0], end_rate[0])
            x = _cubic(s, one[1], c1[1], rise[1], end_rate[1])
            y = _cubic(s, one[2], c1[2], rise[2], end_rate[2])
            z = _cubic(s, one[3], c1[3], rise[3], end_rate[3])
            unit = 1.5 - 0.5 * (w * w + x * x + y * y + z * z)
            output.attitude[n, i, 0], output.attitude[n, i, 1] = unit * w, unit * x
            output.attitude[n, i, 2], output.attitude[n, i, 3] = unit * y, unit * z


@inlined
def _scaled(factor, q):
    """Return a multiple of four numbers."""
    return factor * q[0], factor * q[1], factor * q[2], factor * q[3]


@inlined
def _cubic(s, start, slope, rise, end_slope):
    """Return the cubic Hermite polynomial at a share s of its interval; slopes by that share."""
    return start + s * (slope + s * (3.0 * rise - 2.0 * slope - end_slope + s * (slope + end_slope - 2.0 * rise)))


@inner
def interpolate(model, output, share, span, q, v):
    """Write q [m, -] by a cubic Hermite polynomial and v [m/s, rad/s] linearly, at a share of the waiting step."""
    rate_first, rate_last = output.row_q[1], output.row_q[2]
    integrate.rates(model, output.wait_q[0], output.wait_v[0], rate_first)
    integrate.rates(model, output.wait_q[1], output.wait_v[1], rate_last)
    s = share
    h00, h10, h01, h11 = (1 + 2 * s) * (1 - s) ** 2, s * (1 - s) ** 2, s * s * (3 - 2 * s), s * s * (s - 1)
    for k in range(q.shape[0]):
        q[k] = h00 * output.wait_q[0, k] + h01 * output.wait_q[1, k]
        q[k] += span * (h10 * rate_first[k] + h11 * rate_last[k])
    for k in range(v.shape[0]):
        v[k] = (1.0 - s) * output.wait_v[0, k] + s * output.wait_v[1, k]
    integrate.normalise(model.joint, q)


@inner
def _pose(model, output, n, begin, end, next_mean, per_back, per_ahead):
    """One sample of everything else, with a body table of its own."""
    time = output.pose_time[n]
    span = end - begin
    share = (time - begin) / span if span > 0.0 else 1.0
    q, v = output.row_q[0], output.row_v
    interpolate(model, output, share, span, q, v)
    kinematics.forward(model, output.body, q, v, time)
    _write(model, output, n, q, v, share)
    _contacts(output, n, share, span)
    offset = time - 0.5 * (begin + end)
    for k in range(output.loads.shape[1]):
        slope = _slope(output.wait_mean, k, next_mean, per_back, per_ahead)
        output.loads[n, k] = output.wait_mean[1, k] + offset * slope
    for k in range(work_class.COUNT):
        output.scalar[n, k] = _mix(output, k, share)
    output.scalar[n, scalar.IMBALANCE] = _mix(output, scalar.IMBALANCE, share)


@inner
def _contacts(output, n, share, span):
    """Depths and points at a share of the waiting step: a cubic between two states in contact, else a straight line."""
    s = share
    h00, h10, h01, h11 = (1 + 2 * s) * (1 - s) ** 2, s * (1 - s) ** 2, s * s * (3 - 2 * s), s * s * (s - 1)
    for c in range(output.depth.shape[1]):
        first, last = output.wait_pair[0, c], output.wait_pair[1, c]
        depth = first[0] + s * (last[0] - first[0])
        if first[0] > 0.0 and last[0] > 0.0:
            depth = h00 * first[0] + h01 * last[0] + span * (h10 * first[1] + h11 * last[1])
        output.depth[n, c] = max(0.0, depth)
        # a pair that was far has no point yet
        known = first if last[0] <= 0.0 else last
        both = first[0] > 0.0 and last[0] > 0.0
        for k in range(3):
            point = first[2 + k] + s * (last[2 + k] - first[2 + k]) if both else known[2 + k]
            output.point[n, c, k] = point if depth > 0.0 else nan


@inlined
def _mix(output, k, share):
    """Scalar k at a share of the waiting step."""
    return output.wait_scalar[0, k] + share * (output.wait_scalar[1, k] - output.wait_scalar[0, k])


@inner
def _write(model, output, n, q, v, share):
    """Poses, joint coordinates, energies and depths of the state in the body table, into sample n.

    The energy that failing joints lose in a step is spread over it, as their work is.
    """
    bodies, sound = output.body, output.wait_sound
    for r in range(sound.shape[1]):
        for k in range(6):
            sound[2, r, k] = sound[0, r, k] + share * (sound[1, r, k] - sound[0, r, k])
    joint_torque.resist(model, bodies, sound[2], q, v)
    for i in range(model.joint.shape[0]):
        sample = output.pose[n, i]
        vec3.store_at(sample, pose.POSITION, vec3.load(bodies, i, body.POSITION))
        quaternion.store(sample, pose.ORIENTATION, quaternion.unit(quaternion.load_row(bodies, i, body.ORIENTATION)))
        vec3.store_at(sample, pose.VELOCITY, vec3.load(bodies, i, body.VELOCITY))
        vec3.store_at(sample, pose.SPIN, vec3.load(bodies, i, body.SPIN))
        vec3.store_at(sample, pose.JOINT, joint_coordinate(model, bodies, i, q))
        lost = output.wait_loss[0, i] + share * (output.wait_loss[1, i] - output.wait_loss[0, i])
        output.joint_energy[n, i, 0], output.joint_energy[n, i, 1] = bodies[i, body.ENERGY], lost
    output.scalar[n, scalar.KINETIC] = energy.kinetic(model, bodies)
    output.scalar[n, scalar.POTENTIAL] = energy.potential(model, bodies)


@inlined
def joint_coordinate(model, bodies, i, q):
    """Return the rotation vector [rad] of the child in the parent's joint frame, or the coordinates [rad, m] of a joint
    with axes."""
    kind = model.joint[i, joint.KIND]
    if kind in (joint_type.FREE, joint_type.SPHERICAL) or model.joint[i, joint.MOVED] >= 0:
        parent = quaternion.product(
            quaternion.load_row(bodies, model.joint[i, joint.PARENT], body.ORIENTATION),
            quaternion.load_row(model.link, i, link.FRAME_PARENT),
        )
        child = quaternion.product(
            quaternion.load_row(bodies, i, body.ORIENTATION), quaternion.load_row(model.link, i, link.FRAME_CHILD)
        )
        return quaternion.logarithm(quaternion.product(quaternion.conjugate(parent), child))
    first = model.joint[i, joint.FIRST_Q]
    n = model.joint[i, joint.NQ]
    a = q[first] if n > 0 else 0.0
    b = q[first + 1] if n > 1 else 0.0
    c = q[first + 2] if n > 2 else 0.0
    return a, b, c


@inner
def event(output, time, kind, c, speed):
    """Store an event with its time [s] and speed [m/s], if the table is not full."""
    n = output.cursor[cursor.EVENTS]
    if n < output.event.shape[0]:
        output.event[n, 0] = time
        output.event[n, 1] = kind
        output.event[n, 2] = c
        output.event[n, 3] = speed
    output.cursor[cursor.EVENTS] = n + 1
