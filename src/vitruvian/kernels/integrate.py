"""One step of each method: all use `begin` (what a state fixes) and `dynamics.accelerations` (what a step solves).

implicit             linearly implicit Euler with one, two and three substeps, extrapolated: third order, for stiff
                     contact (deuflhard1985)
semi-implicit-euler  explicit forces, positions with the new velocity: first order
rk4                  classical Runge-Kutta, fourth order
dormand-prince       embedded 5(4) pair (dormand1980)

Every method gives the mean over the step of accelerations and loads (`work.mean`), which are those that it applied:
velocity changes by exactly dt times the mean acceleration. `work.error` is the same for the difference of two orders.
"""

from .._jit import inlined, inner, kernel
from . import (
    airbag,
    belt,
    closure,
    contact,
    contact_geometry,
    dynamics,
    element,
    joint_torque,
    kinematics,
    modal,
    muscle,
    quaternion,
    tone,
    vec3,
)
from .layout import body, integrator, joint, joint_type, link, out_row, work_class

# Dormand-Prince 5(4): stage weights, fifth order weights, and fifth minus fourth
DP_TIME = (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
DP_STAGE = (
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    (1 / 5, 0.0, 0.0, 0.0, 0.0, 0.0),
    (3 / 40, 9 / 40, 0.0, 0.0, 0.0, 0.0),
    (44 / 45, -56 / 15, 32 / 9, 0.0, 0.0, 0.0),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0.0, 0.0),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0.0),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
DP_MEAN = (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0.0)
DP_ERROR = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
RK4_TIME = (0.0, 0.5, 0.5, 1.0)
RK4_STAGE = ((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 1.0))
RK4_MEAN = (1 / 6, 1 / 3, 1 / 3, 1 / 6)

# implicit: T_1, T_2, T_3 with 1, 2, 3 substeps, those that stand at the start first. Answer T_1/2 - 4 T_2 + 9/2 T_3
# (order 3), error against 3 T_3 - 2 T_2 (order 2)
LEVEL = (1, 2, 3, 2, 3, 3)
LEVEL_TIME = (0.0, 0.0, 0.0, 1 / 2, 1 / 3, 2 / 3)
LEVEL_MEAN = (0.5, -2.0, 1.5, -2.0, 1.5, 1.5)
LEVEL_ERROR = (0.5, -1.0, 0.5, -1.0, 0.5, 0.5)

TRIAL, NEW = 7, 8  # rows of the stage arrays


@kernel
def begin(model, work, q, v, time):
    """Evaluate what follows from a state: poses [m], joint torques [N m], contact geometry, explicit loads [N]."""
    _stand(model, work, q, v, time, contact_geometry.EVER)


@inner
def _stand(model, work, q, v, time, span):
    """Evaluate a state inside a step of length `span` [s]; pairs that cannot close in it are skipped."""
    kinematics.forward(model, work.body, q, v, time)
    joint_torque.resist(model, work.body, work.sound, q, v)
    if work.tone.shape[0] > 0:
        tone.hold(model, work, q, v, time)
    if work.mode.shape[0] > 0:
        modal.begin(model, work, q)
    if work.closed.shape[0] > 0:
        closure.place(model, work)
    contact_geometry.geometry(model, work.body, work.pair, span)
    element.loads(model, work, time)
    if work.bag.shape[0] > 0:
        airbag.loads(model, work, time)
    if work.strand.shape[0] > 0:
        belt.loads(model, work, time)
    if work.pull.shape[0] > 0:
        muscle.loads(model, work, q, time)


@inlined
def move(model, q, v, h, moved):
    """Coordinates after a time h [s] at the velocities v: quaternions by the exponential map."""
    joints = model.joint
    for i in range(joints.shape[0]):
        if joints[i, joint.MOVED] >= 0:
            continue
        k, l = joints[i, joint.FIRST_Q], joints[i, joint.FIRST_V]
        kind = joints[i, joint.KIND]
        if kind == joint_type.FREE:
            for m in range(3):
                moved[k + m] = q[k + m] + h * v[l + m]
            k, l = k + 3, l + 3
        if kind in (joint_type.FREE, joint_type.SPHERICAL):
            turn = quaternion.exponential(vec3.scale(h, vec3.load_at(v, l)))
            quaternion.store(moved, k, quaternion.product(turn, quaternion.load(q, k)))
        else:
            for m in range(joints[i, joint.NV]):
                moved[k + m] = q[k + m] + h * v[l + m]
    for m in range(1, model.mode_stiffness.shape[0] + 1):
        moved[-m] = q[-m] + h * v[-m]


@inner
def rates(model, q, v, qdot):
    """Find the rates of the coordinates [m/s, rad/s, 1/s] at the velocities v."""
    joints = model.joint
    for i in range(joints.shape[0]):
        if joints[i, joint.MOVED] >= 0:
            continue
        k, l = joints[i, joint.FIRST_Q], joints[i, joint.FIRST_V]
        kind = joints[i, joint.KIND]
        if kind == joint_type.FREE:
            for m in range(3):
                qdot[k + m] = v[l + m]
            k, l = k + 3, l + 3
        if kind in (joint_type.FREE, joint_type.SPHERICAL):
            quaternion.store(qdot, k, quaternion.rate(quaternion.load(q, k), vec3.load_at(v, l)))
        else:
            for m in range(joints[i, joint.NV]):
                qdot[k + m] = v[l + m]
    for m in range(1, model.mode_stiffness.shape[0] + 1):
        qdot[-m] = v[-m]


@inner
def normalise(joints, q):
    """Normalise every quaternion to unit length [-]."""
    for i in range(joints.shape[0]):
        kind = joints[i, joint.KIND]
        if joints[i, joint.MOVED] < 0 and (kind in (joint_type.FREE, joint_type.SPHERICAL)):
            k = joints[i, joint.FIRST_Q] + (3 if kind == joint_type.FREE else 0)
            quaternion.store(q, k, quaternion.unit(quaternion.load(q, k)))


@inlined
def clear(work):
    """Set the means of the step [N, N m, W] to zero."""
    for k in range(work.mean.shape[0]):
        work.mean[k] = 0.0
    for k in range(work.error.shape[0]):
        work.error[k] = 0.0


@inlined
def gather(work, weight, error_weight):
    """Add one evaluation to the means of the step [N, N m, W]."""
    for k in range(work.mean.shape[0]):
        work.mean[k] += weight * work.out[k]
    for k in range(work.error.shape[0]):
        work.error[k] += error_weight * work.out[k]


@inner
def step(model, work, method, memory, q, v, time, dt):
    """One step dt [s] from q, v, at which `begin` was called; the answer is in row NEW of the stage arrays.

    Each stage stands at a state, solves for accelerations there and adds them to the means. Returns the evaluations.
    """
    clear(work)
    n_stage = (
        6
        if method == integrator.IMPLICIT
        else (7 if method == integrator.DORMAND_PRINCE else (4 if method == integrator.RK4 else 1))
    )
    trial_q, trial_v = work.stage_q[TRIAL], work.stage_v[TRIAL]
    _copy(q, trial_q)
    _copy(v, trial_v)
    for s in range(n_stage):
        # where the stage stands; the first one, and the first three of the implicit method, at the start
        h, weight, error_weight = 0.0, 1.0, 0.0
        later, share = s > 0, 0.0
        if method == integrator.IMPLICIT:
            level = LEVEL[s]
            h, weight, error_weight, share = dt / level, LEVEL_MEAN[s], LEVEL_ERROR[s], LEVEL_TIME[s]
            later = s > 2
            if later:
                _copy(work.stage_q[level - 1], trial_q)
                _copy(work.stage_v[level - 1], trial_v)
        elif method == integrator.DORMAND_PRINCE:
            weight, error_weight, share = DP_MEAN[s], DP_ERROR[s], DP_TIME[s]
            if later:
                a = DP_STAGE[s]
                _combine(work, q, v, dt, s, a[0], a[1], a[2], a[3], a[4], a[5])
        elif method == integrator.RK4:
            weight, share = RK4_MEAN[s], RK4_TIME[s]
            if later:
                _combine(work, q, v, dt, s, RK4_STAGE[s][0], RK4_STAGE[s][1], RK4_STAGE[s][2], 0.0, 0.0, 0.0)
        if later:
            # a stage at the end of the step is still before a jump of a table there
            _stand(model, work, trial_q, trial_v, time + min(share, 1.0 - 1e-9) * dt, dt)
        if later or s == 0:
            contact.normal_loads(model, work, memory)
        dynamics.loaded_accelerations(model, work, memory, trial_v, h)
        gather(work, weight, error_weight)
        # where it leads
        if method == integrator.IMPLICIT:
            _implicit_stage(model, work, q, v, s, h)
        elif method == integrator.SEMI_IMPLICIT_EULER:
            _advance(model, work, q, v, dt, work.stage_q[NEW], work.stage_v[NEW])
        else:
            rates(model, trial_q, trial_v, work.stage_q[s])
            muscle.rates(model, work, work.stage_q[s])
            _copy(work.vdot, work.stage_v[s])
    if method == integrator.RK4:
        _combine(work, q, v, dt, 4, RK4_MEAN[0], RK4_MEAN[1], RK4_MEAN[2], RK4_MEAN[3], 0.0, 0.0)
    if method in (integrator.RK4, integrator.DORMAND_PRINCE):  # the last stage of Dormand-Prince stands at the answer
        _copy(trial_q, work.stage_q[NEW])
        _copy(trial_v, work.stage_v[NEW])
    normalise(model.joint, work.stage_q[NEW])
    return n_stage


@inlined
def _implicit_stage(model, work, q, v, s, h):
    """Advance the state of this stage's level; after the last one extrapolate the three levels."""
    level = LEVEL[s]
    trial_q, trial_v = work.stage_q[TRIAL], work.stage_v[TRIAL]
    _advance(model, work, trial_q, trial_v, h, work.stage_q[level - 1], work.stage_v[level - 1])
    if s == 5:
        for k in range(v.shape[0]):
            work.stage_v[NEW, k] = 0.5 * work.stage_v[0, k] - 4.0 * work.stage_v[1, k] + 4.5 * work.stage_v[2, k]
        for k in range(q.shape[0]):
            work.stage_q[NEW, k] = 0.5 * work.stage_q[0, k] - 4.0 * work.stage_q[1, k] + 4.5 * work.stage_q[2, k]


@inlined
def _advance(model, work, q, v, h, new_q, new_v):
    """Semi-implicit Euler: the velocity by the acceleration, the coordinates by the new velocity, over h [s]."""
    for k in range(v.shape[0]):
        new_v[k] = v[k] + h * work.vdot[k]
    move(model, q, new_v, h, new_q)
    muscle.advance(model, work, q, h, new_q)


@inlined
def _copy(a, b):
    """Write the row a over the row b."""
    for k in range(a.shape[0]):
        b[k] = a[k]


@inner
def _combine(work, q, v, dt, n, a0, a1, a2, a3, a4, a5):
    """Trial state: start + dt sum a_j slope_j over the first n stages, for coordinates and velocities."""
    _combine_rows(work.stage_q, q, dt, n, a0, a1, a2, a3, a4, a5)
    _combine_rows(work.stage_v, v, dt, n, a0, a1, a2, a3, a4, a5)


@inner
def _combine_rows(stage, start, dt, n, a0, a1, a2, a3, a4, a5):
    """Row TRIAL of a stage table from its first n rows."""
    for k in range(start.shape[0]):
        change = a0 * stage[0, k]
        if n > 1:
            change += a1 * stage[1, k]
        if n > 2:
            change += a2 * stage[2, k]
        if n > 3:
            change += a3 * stage[3, k]
        if n > 4:
            change += a4 * stage[4, k]
        if n > 5:
            change += a5 * stage[5, k]
        stage[TRIAL, k] = start[k] + dt * change


@inner
def error_norm(model, work, dt, tolerance):
    """Size of the error of a step against the tolerance: at most 1 is accepted [-].

    RMS over bodies of velocity error / (10 m/s + |v|), displacement error / 1 m, angular velocity error /
    (100 rad/s + |w|) and rotation error / 10 rad, each over the tolerance. At 1e-3: 0.01 m/s + 0.001 |v|, 1 mm,
    0.1 rad/s + 0.001 |w|, 0.01 rad. A body that bends counts as one: its stations by their mass.
    """
    total, weights = 0.0, 0.0
    for i in range(model.joint.shape[0]):
        weight = model.link[i, link.SHARE]
        if weight == 0.0:
            continue
        weights += weight
        dv, dw = vec3.load_at(work.error, out_row.BODY * i), vec3.load_at(work.error, out_row.BODY * i + 3)
        fast = 10.0 + vec3.norm(vec3.load(work.body, i, body.VELOCITY))
        turning = 100.0 + vec3.norm(vec3.load(work.body, i, body.SPIN))
        total += weight * vec3.dot(dv, dv) * (1.0 / (fast * fast) + dt * dt)
        total += weight * vec3.dot(dw, dw) * (1.0 / (turning * turning) + 0.01 * dt * dt)
    return dt * (total / weights) ** 0.5 / tolerance


@inner
def power(work, k):
    """Mean power over the step of class k of the energy audit [W]."""
    return work.mean[work.mean.shape[0] - work_class.COUNT + k]


@inner
def joint_loss(model, work, i):
    """Mean power over the step that is lost in joint i [W]."""
    return work.mean[out_row.BODY * model.joint.shape[0] + out_row.JOINT * i + out_row.JOINT_LOSS]
