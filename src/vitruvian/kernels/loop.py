"""The run: from state to state until the end. `advance` is the page to read first."""

from math import inf, isfinite

from .._jit import inner, kernel
from . import (
    airbag,
    belt,
    belt_memory,
    contact,
    contact_account,
    contact_geometry,
    contact_share,
    element,
    energy,
    fracture,
    integrate,
    joint_torque,
    modal,
    projection,
    record,
    tone,
    vec3,
)
from .layout import (
    bone,
    candidate,
    clock,
    closure,
    cursor,
    equation,
    event_kind,
    integrator,
    link,
    out_row,
    pair,
    phase,
    resistance,
    resistance_law,
    scalar,
    shape_kind,
    status,
    tally,
    work_class,
)

ASIDE = 6  # row of the stage arrays that keeps the state before a step on trial
ONSET = 1e-5  # a step that ends at a touch may pass it by this time [s]
RUB_STEP = 1e-4  # a step in which friction is too large is made shorter than this only if it is gross [s]
ONSET_STEP = 1e-4  # first step of a new contact [s]
FALL_STEP = 2e-5  # least step while the resistance of a joint or bone falls, because its share is constant in it [s]
FALL_SHARE = 0.003  # of a resistance that may fall in a longer step [-]
ONSET_DEPTH = 2e-4  # a contact that begins deeper than this, and
ONSET_SHARE = 0.2  # with more of the load, was stepped over [m], [-]
REST_SPEED = 0.003  # largest speed of any body of a system at rest [m/s]
REST_TIME = 0.5  # for which it must last [s]
SLOW_SPEED = 0.02  # root mean square of the speeds of all bodies of a system nearly at rest [m/s]
SLOW_TIME = 2.0  # for which it must last [s]


@kernel
def advance(model, work, state, output, settings, steps):
    """Advance by at most so many rounds and return the status [-]. Memory changes only with an accepted step.

    A step whose error is small enough is taken on trial: its state becomes the present one, and the next round, which
    looks at that state, makes it final or takes it back.
    """
    now = state.now
    for c in range(work.pair.shape[0]):  # what is in contact stays so, however deep
        if work.pair[c, pair.ENTERED] >= 0.0:
            work.pair[c, pair.ENTERED] = state.touching[c]
    for r in range(work.closed.shape[0]):
        work.closed[r] = state.closed[r]
    for p in range(work.tone.shape[0]):
        work.tone[p] = state.tone[p]
    for r in range(work.sound.shape[0]):
        for k in range(6):
            work.sound[r, k] = state.sound[r, k]
    for b in range(work.bone.shape[0]):
        work.bone[b] = state.bone[b, bone.SOUND]
    for p in range(work.web.shape[0]):
        for k in range(work.web.shape[1]):
            work.web[p, k] = state.web[p, k]
    for b in range(work.gas.shape[0]):
        for k in range(work.gas.shape[1]):
            work.gas[b, k] = state.gas[b, k]
    modal.recall(model, work, state.shaft, output.body)
    for _ in range(steps):
        # what the present state fixes: poses, torques, contact geometry
        integrate.begin(model, work, now.q, now.v, state.clock[clock.TIME])
        contact_share.load_shares(model, work.pair)
        if state.tally[tally.PHASE] == phase.NEW_RUN:
            _start(model, work, state, output, settings)
        elif state.tally[tally.PHASE] == phase.ON_TRIAL:
            if _stepped_over(model, work, state, settings):
                _take_back(work, state)
                continue
            _accept(model, work, state, settings, output)
            if output.cursor[cursor.WAITING] == 1:
                record.flush(model, output, work.mean, state.clock[clock.LAST_STEP])
            balance, time = state.clock[clock.BALANCE], state.clock[clock.TIME]
            record.push(model, work, output, now.q, now.v, now.work, balance, time, state.clock[clock.LAST_STEP])
        if state.tally[tally.STATUS] != status.RUNNING:
            break

        # how far to go
        dt = _choose_step(model, work, state, settings)
        if dt <= 0.0:
            state.tally[tally.STATUS] = status.FINISHED
            break
        for c in range(work.pair.shape[0]):
            work.pair[c, pair.DEPTH_BEFORE] = work.pair[c, pair.DEPTH]
            if work.pair[c, pair.DEPTH] > 0.0:
                vec3.store(work.pair, c, pair.NORMAL_BEFORE, vec3.load(work.pair, c, pair.NORMAL))
                vec3.store(work.pair, c, pair.PART_NORMAL_BEFORE, vec3.load(work.pair, c, pair.PART_NORMAL))

        # the step itself
        state.tally[tally.EVALUATIONS] += integrate.step(
            model, work, settings.method, state.memory, now.q, now.v, state.clock[clock.TIME], dt
        )

        # on trial, or again with a shorter step
        if _judge(model, work, state, settings, dt) <= 1.0:
            if work.closed.shape[0] > 0:
                new_q, new_v = work.stage_q[integrate.NEW], work.stage_v[integrate.NEW]
                projection.project(model, work, new_q, new_v, state.clock[clock.TIME] + dt, dt)
            _try(model, work, state, settings, dt)
        else:
            _turn_back(work)
            state.tally[tally.REJECTED] += 1
        if state.tally[tally.STATUS] != status.RUNNING:
            break
    # the last step is sampled as if the next were the same
    if state.tally[tally.STATUS] != status.RUNNING and output.cursor[cursor.WAITING] == 1:
        for k in range(work.mean.shape[0]):
            work.mean[k] = output.wait_mean[1, k]
        record.flush(model, output, work.mean, output.wait_scalar[1, scalar.SPAN])
    return state.tally[tally.STATUS]


@inner
def _start(model, work, state, output, settings):
    """Begin a run, or continue an earlier one: energies at the start, memory, the state for the first sample."""
    now = state.now
    if state.tally[tally.STEPS] == 0:
        state.clock[clock.KINETIC_START] = energy.kinetic(model, work.body)
        state.clock[clock.REST_SINCE] = state.clock[clock.TIME]
        state.clock[clock.SLOW_SINCE] = state.clock[clock.TIME]
        state.clock[clock.SLOWEST] = inf
        for c in range(state.touching.shape[0]):
            if contact_share.bears(work.pair, c):
                record.event(output, state.clock[clock.TIME], event_kind.TOUCH, c, work.pair[c, pair.RATE])
                tone.let_go(model, work, state, c, state.clock[clock.TIME])
    if state.tally[tally.STEPS] == 0 or settings.adaptive == 0:
        state.clock[clock.NEXT_STEP] = settings.step
    contact.remember(model, work, state.touching, state.memory, state.clock[clock.TIME])
    if work.web.shape[0] > 0 and state.tally[tally.STEPS] == 0:
        belt_memory.remember(model, work, state, output, 0.0)
    if work.bag.shape[0] > 0 and state.tally[tally.STEPS] == 0:
        airbag.remember(model, work, state, output, 0.0)
    record.start(model, work, output, now.q, now.v, state.clock[clock.TIME])
    for k in range(work_class.COUNT):
        output.wait_scalar[1, k] = now.work[k]
    for i in range(model.joint.shape[0]):
        output.wait_loss[1, i] = now.work[work_class.COUNT + i]
    output.wait_scalar[1, scalar.IMBALANCE] = state.clock[clock.BALANCE]
    state.tally[tally.PHASE] = phase.SETTLED
    state.tally[tally.FRESH] = 1


@inner
def _try(model, work, state, settings, dt):
    """Replace the present state by the new one and keep a copy of it."""
    now = state.now
    for k in range(now.q.shape[0]):
        work.stage_q[ASIDE, k], now.q[k] = now.q[k], work.stage_q[integrate.NEW, k]
    for k in range(now.v.shape[0]):
        work.stage_v[ASIDE, k], now.v[k] = now.v[k], work.stage_v[integrate.NEW, k]
    state.clock[clock.BEFORE] = state.clock[clock.TIME]
    state.clock[clock.TIME] += dt
    state.clock[clock.LAST_STEP] = dt
    # a step that was cut to end at a time ends exactly there
    state.clock[clock.TIME] = _snapped(state.clock[clock.TIME], settings.end)
    for k in range(model.schedule.shape[0]):
        state.clock[clock.TIME] = _snapped(state.clock[clock.TIME], model.schedule[k])
    state.tally[tally.PHASE] = phase.ON_TRIAL


@inner
def _snapped(time, mark):
    """The mark [s] if the time [s] differs from it by rounding only."""
    return mark if abs(time - mark) < 1e-13 + 1e-14 * abs(mark) else time


@inner
def _take_back(work, state):
    """The state before the step becomes the present one again."""
    now = state.now
    for k in range(now.q.shape[0]):
        now.q[k] = work.stage_q[ASIDE, k]
    for k in range(now.v.shape[0]):
        now.v[k] = work.stage_v[ASIDE, k]
    _turn_back(work)
    state.clock[clock.TIME] = state.clock[clock.BEFORE]
    state.tally[tally.PHASE] = phase.SETTLED
    state.tally[tally.FRESH] = 0
    state.tally[tally.REJECTED] += 1


@inner
def _turn_back(work):
    """Give pairs in contact the normals of before the step: the search for the way out of a body begins there.

    Deep inside there are several ways out. With the normal of a step that did not count the other one would be found
    at the same state, and nothing would tell that the force turned over.
    """
    for c in range(work.pair.shape[0]):
        if work.pair[c, pair.DEPTH_BEFORE] > 0.0:
            vec3.store(work.pair, c, pair.NORMAL, vec3.load(work.pair, c, pair.NORMAL_BEFORE))


@inner
def _choose_step(model, work, state, settings):
    """Length of the next step [s]: as suggested, but to the end, to a scheduled time, to the next touch."""
    time, dt = state.clock[clock.TIME], state.clock[clock.NEXT_STEP]
    left = settings.end - time
    if left <= 1e-12 * max(1.0, abs(settings.end)):
        return 0.0
    if settings.adaptive == 1:
        touching = False
        for c in range(state.touching.shape[0]):
            touching = touching or state.touching[c] == 1
        touching = touching or belt.count(work) > 0 or airbag.busy(work)
        dt = min(dt, settings.contact_step if touching else settings.max_step)
        dt = min(dt, max(contact.time_to_touch(model, work, state.touching), ONSET))
        if work.web.shape[0] > 0:
            dt = min(dt, max(belt.time_to_pull(model, work), ONSET))
    for k in range(model.schedule.shape[0]):
        wait = model.schedule[k] - time
        if wait > 1e-12 and wait < dt:
            dt = wait
    # no tiny step remains at the end
    if left < dt * (1.0 + 1e-9):
        return left
    return 0.5 * left if settings.adaptive == 1 and left < 1.1 * dt else dt


@inner
def _judge(model, work, state, settings, dt):
    """Error of the step just tried (above 1: rejected), the next step's length, or a status that ends the run."""
    new_v = work.stage_v[integrate.NEW]
    finite = True
    for k in range(new_v.shape[0]):
        finite = finite and isfinite(new_v[k])
    if settings.adaptive == 0:
        if not finite:
            _stop(model, work, state, status.DIVERGED)
        return 0.0

    # error against tolerance
    error = 1e9
    if finite:
        error = integrate.error_norm(model, work, dt, settings.tolerance)
        if settings.reject_every > 0 and state.tally[tally.FRESH] == 1:
            if (state.tally[tally.STEPS] + 1) % settings.reject_every == 0:
                error = max(error, 4.0)
    order = 3.0 if settings.method == integrator.IMPLICIT else 5.0
    if error > 1.0:
        state.clock[clock.NEXT_STEP] = dt * max(0.1, 0.9 * error ** (-1.0 / order))
        state.tally[tally.FRESH] = 0
        if state.clock[clock.NEXT_STEP] < settings.min_step:
            _stop(model, work, state, status.STEP_TOO_SMALL if finite else status.DIVERGED)
        return error
    # proportional-integral control
    last = max(state.clock[clock.LAST_ERROR], 1e-4)
    factor = 0.9 * max(error, 1e-10) ** (-0.7 / order) * last ** (0.4 / order)
    factor = min(5.0, max(0.2, factor))
    if state.tally[tally.FRESH] == 0:
        factor = min(1.0, factor)
    # a step cut short by a touch or a scheduled time says little about the next one
    short = dt < 0.999 * state.clock[clock.NEXT_STEP]
    state.clock[clock.NEXT_STEP] = max(dt * factor, state.clock[clock.NEXT_STEP]) if short else dt * factor
    state.clock[clock.LAST_ERROR] = error
    return error


@inner
def _stepped_over(model, work, state, settings):
    """Whether a contact began too deep inside the step on trial, pulled or rubbed too hard, or a bone broke too late.

    The next try is shorter.

    A contact that begins deep in the shortest step did not come in from outside: it is left out until it is outside.
    """
    dt = state.clock[clock.LAST_STEP]
    if settings.adaptive == 0:
        return False
    for c in range(state.touching.shape[0]):
        if (
            state.touching[c] == 0
            and work.pair[c, pair.DEPTH] > ONSET_DEPTH
            and work.pair[c, pair.LOAD_SHARE] > ONSET_SHARE
        ):
            if dt > ONSET:
                state.clock[clock.NEXT_STEP] = max(0.5 * dt, ONSET)
                return True
            contact_geometry.leave_behind(model, work.pair, c)
    if dt > FALL_STEP and joint_torque.breaks_late(model, work.body, state.sound):
        state.clock[clock.NEXT_STEP] = max(0.5 * dt, FALL_STEP)
        return True
    if dt > ONSET and work.web.shape[0] > 0 and belt.misbehaved(model, work):
        state.clock[clock.NEXT_STEP] = max(0.5 * dt, ONSET)
        return True
    if dt > ONSET and contact_account.misbehaved(model, work, state.memory, dt <= RUB_STEP):
        state.clock[clock.NEXT_STEP] = max(0.5 * dt, ONSET)
        return True
    return False


@inner
def _accept(model, work, state, settings, output):
    """Make the step on trial final: work, memory, events, energy."""
    now, dt = state.now, state.clock[clock.LAST_STEP]
    total = 0.0
    for k in range(work_class.COUNT):
        now.work[k] += dt * integrate.power(work, k)
        total += now.work[k]
    for i in range(model.joint.shape[0]):
        now.work[work_class.COUNT + i] += dt * integrate.joint_loss(model, work, i)
    state.tally[tally.STEPS] += 1
    state.tally[tally.FRESH] = 1
    state.tally[tally.PHASE] = phase.SETTLED
    if state.tally[tally.STEPS] >= settings.max_steps:
        state.tally[tally.STATUS] = status.TOO_MANY_STEPS
    if _touches(model, work, state, output, state.clock[clock.BEFORE], dt) and settings.adaptive == 1:
        state.clock[clock.NEXT_STEP] = min(state.clock[clock.NEXT_STEP], ONSET_STEP)
    contact_account.account(model, work, state.touching, state.memory, state.clock[clock.TIME], dt)
    through = contact_account.passed_through(model, work.body, work.pair)
    contact.remember(model, work, state.touching, state.memory, state.clock[clock.TIME])
    if through >= 0:
        state.tally[tally.STATUS], state.tally[tally.CULPRIT] = status.PASSED_THROUGH, through
    state.clock[clock.BALANCE] = energy.kinetic(model, work.body) - state.clock[clock.KINETIC_START] - total
    if work.closed.shape[0] > 0:
        _release(model, work, state, output)
    fell = _fail(model, work, state, output)
    if work.bone.shape[0] > 0:
        fell = max(fell, fracture.crack(model, work, state, output))
    if fell > 0.0 and settings.adaptive == 1:
        state.clock[clock.NEXT_STEP] = min(state.clock[clock.NEXT_STEP], max(FALL_STEP, dt * FALL_SHARE / fell))
    if work.web.shape[0] > 0:
        belt_memory.remember(model, work, state, output, dt)
    if work.bag.shape[0] > 0:
        airbag.remember(model, work, state, output, dt)
        element.loads(model, work, state.clock[clock.TIME])  # the pressures change with the memory
        airbag.loads(model, work, state.clock[clock.TIME])
    if settings.stop_at_rest == 1 or settings.stop_pair_body >= 0:
        _check_end(model, work, state, settings)
    if model.ride.shape[0] > 0:
        modal.follow(model, work, state.shaft, output.body)
    record.sensor_state(model, work, output.wait_sensor[2])


@inner
def _touches(model, work, state, output, before, dt):
    """Record touches and separations of the step, located where the depth passes zero; whether anything new touches."""
    new = False
    for c in range(state.touching.shape[0]):
        depth, was, bears = work.pair[c, pair.DEPTH], work.pair[c, pair.DEPTH_BEFORE], contact_share.bears(work.pair, c)
        if bears and state.touching[c] == 0:
            share = was / (was - depth) if was < 0.0 else 0.0
            record.event(output, before + share * dt, event_kind.TOUCH, c, work.pair[c, pair.RATE])
            tone.let_go(model, work, state, c, state.clock[clock.TIME])
            new = new or not contact.group_touches(model.candidate, state.touching, c)
        elif not bears and state.touching[c] == 1:
            share = was / (was - depth) if was > 0.0 >= depth else 0.0
            record.event(output, before + share * dt, event_kind.SEPARATION, c, -work.pair[c, pair.RATE])
    return new


@inner
def _release(model, work, state, output):
    """Open the loops whose mean reaction over the step, or whose time, has reached its limit; velocities stay."""
    opened = False
    for l in range(model.closure.shape[0]):
        first = model.closure_body[l, closure.FIRST]
        at = work.mean.shape[0] - work_class.COUNT + out_row.CLOSURE * (l - model.closure.shape[0])
        force, moment = vec3.norm(vec3.load_at(work.mean, at)), vec3.norm(vec3.load_at(work.mean, at + 3))
        if state.closed[first] != equation.OPEN and (
            force >= model.closure[l, closure.MOST_FORCE]
            or moment >= model.closure[l, closure.MOST_MOMENT]
            or state.clock[clock.TIME] >= model.closure[l, closure.END]
        ):
            for r in range(first, first + model.closure_body[l, closure.ROWS]):
                state.closed[r] = equation.OPEN
            record.event(output, state.clock[clock.TIME], event_kind.RELEASE, l, 0.0)
            opened = True
    if opened:  # equations that were redundant may now be needed
        projection.rechoose(model, work, state.closed, state.now.q, state.now.v, state.clock[clock.TIME])


@inner
def _fail(model, work, state, output):
    """Let the joints fail that have passed their limits; the energy they lose is dissipated. Return the most that one
    fell in the step [-]."""
    now, failing, most = state.now, False, 0.0
    for r in range(model.resistance.shape[0]):
        if model.resistance[r, resistance.FAIL_WIDTH] == 0.0:
            continue
        lost, what, fell = joint_torque.fail(model, work.body, state.sound, r, now.q)
        for k in range(6):
            work.sound[r, k] = state.sound[r, k]
        if what >= 0.0:
            bone = model.resistance_joint[r, 1] == resistance_law.QUATERNION
            kind = event_kind.BREAK if bone else event_kind.FAILURE
            record.event(output, state.clock[clock.TIME], kind, r, what)
        now.work[work_class.JOINT_ELASTIC] += lost
        now.work[work_class.JOINT_DISSIPATED] -= lost
        now.work[work_class.COUNT + model.resistance_joint[r, 0]] += lost
        failing, most = failing or lost > 0.0, max(most, fell)
    if failing:  # the torques of the present state change with the memory
        joint_torque.resist(model, work.body, work.sound, now.q, now.v)
        if work.tone.shape[0] > 0:
            tone.hold(model, work, now.q, now.v, state.clock[clock.TIME])
    return most


@inner
def _check_end(model, work, state, settings):
    """Stop at rest, or at the first contact of a chosen body."""
    if settings.stop_pair_body >= 0:
        for c in range(state.touching.shape[0]):
            if state.touching[c] == 1 and _meets(model.candidate, model.shape_kind, c, settings.stop_pair_body):
                state.tally[tally.STATUS] = status.CONTACT_STOP
                state.tally[tally.CULPRIT] = settings.stop_pair_body
    if settings.stop_at_rest == 1 and state.tally[tally.STATUS] == status.RUNNING:
        _check_rest(model, work, state)


@inner
def _check_rest(model, work, state):
    """Stop if every body is at rest, or if all are slow for a longer time and still slow down.

    The speed of a body is that of a point of its mass and kinetic energy, so that spinning counts. All bodies count
    alike, because weighed by mass a heavy vehicle or trunk would hide a limb that moves. A body that is about to topple
    is slow too, but gets faster: the run continues until the bodies are slower than at any time since they became slow.
    The fastest body is kept for the message.
    """
    time, fastest, total, weights = state.clock[clock.TIME], -1.0, 0.0, 0.0
    for i in range(model.joint.shape[0]):
        if model.link[i, link.MASS] == 0.0:
            continue
        square = 2.0 * energy.of_body(model, work.body, i) / model.link[i, link.MASS]
        total += model.link[i, link.SHARE] * square
        weights += model.link[i, link.SHARE]
        if square > fastest:
            fastest = square
            state.tally[tally.CULPRIT] = i
    if fastest > REST_SPEED * REST_SPEED:
        state.clock[clock.REST_SINCE] = time
    if total > weights * SLOW_SPEED * SLOW_SPEED:
        state.clock[clock.SLOW_SINCE] = time
        state.clock[clock.SLOWEST] = total
    if time - state.clock[clock.REST_SINCE] >= REST_TIME:
        state.tally[tally.STATUS] = status.AT_REST
    elif time - state.clock[clock.SLOW_SINCE] >= SLOW_TIME and total <= state.clock[clock.SLOWEST]:
        state.tally[tally.STATUS] = status.NEARLY_AT_REST
    state.clock[clock.SLOWEST] = min(state.clock[clock.SLOWEST], total)


@inner
def _meets(candidates, shape_kinds, c, i):
    """Whether body i is one of the two of pair c."""
    a, b = candidates[c, candidate.SHAPE_A], candidates[c, candidate.SHAPE_B]
    return shape_kinds[a, shape_kind.CARRIER] == i or shape_kinds[b, shape_kind.CARRIER] == i


@inner
def _stop(model, work, state, code):
    """End the run for a reason; the body that moves most wildly is named."""
    state.tally[tally.STATUS] = code
    worst, culprit = -1.0, 0
    for i in range(model.joint.shape[0]):
        size = 0.0
        for k in range(6):
            size += abs(work.error[6 * i + k])
        if not size <= worst:  # true for a NaN as well
            worst, culprit = size, i
            if not isfinite(size):
                break
    state.tally[tally.CULPRIT] = culprit
