"""Long bones that break under bending. SI units.

A bone that bends is whole until the bending moment of one of its sections reaches the limit in an accepted step. From
then on the stiffness and the damping of its modes are multiplied by a share that falls from 1 to the least one while
that section bends further: memory, constant during a step. The energy that the modes lose with it is dissipated. The
law of the fall is that of joints (`softening`).

The bending moment of a section is that of the loads and the inertia of all stations beyond it, as mean over the step.
The bend of a section is its curvature times the length of the bone.
"""

from math import inf

from .._jit import inner
from . import kinematics, mat3, modal, record, softening, vec3
from .layout import body, clock, event_kind, flexible, joint, joint_type, link, out_row, shaft, work_class
from .vec3 import add, axpy, cross, dot, sub

SECTIONS = 5  # of a bone, in the middle of so many equal parts
ZERO = (0.0, 0.0, 0.0)


@inner
def crack(model, work, state, output):
    """Break the bones that reached their limits in the accepted step, and return whether a resistance fell [-]."""
    fell = False
    for f in range(model.flexible.shape[0]):
        if model.shaft[f, shaft.MOMENT] < inf:
            fell = _load(model, work, state, output, f) or fell
    if fell:  # the forces of the present state change with the memory
        modal.begin(model, work, state.now.q)
    return fell


@inner
def _load(model, work, state, output, f):
    """Load bone f: break it at its limit [N m], lower its share, and return whether it fell [-]."""
    memory = state.shaft
    if memory[f, shaft.BROKEN] == 0.0:
        most, section = 0.0, 0
        for s in range(SECTIONS):
            moment = bending(model, work, state.now.q, f, (s + 0.5) / SECTIONS)
            if moment > most:
                most, section = moment, s
        if most >= model.shaft[f, shaft.MOMENT]:
            memory[f, shaft.BROKEN] = section + 1.0
            memory[f, shaft.BEND] = bend(model, state.now.q, f, (section + 0.5) / SECTIONS)
            record.event(output, state.clock[clock.TIME], event_kind.BREAK, f, most)
        return False
    over = bend(model, state.now.q, f, (memory[f, shaft.BROKEN] - 0.5) / SECTIONS) - memory[f, shaft.BEND]
    share = softening.left(over, model.shaft[f, shaft.WIDTH], model.shaft[f, shaft.LEAST])
    if share >= memory[f, shaft.SOUND]:
        return False
    lost = (memory[f, shaft.SOUND] - share) * _stored(model, state.now.q, f)
    state.now.work[work_class.MODE_ELASTIC] += lost
    state.now.work[work_class.MODE_DISSIPATED] -= lost
    memory[f, shaft.SOUND], work.shaft[f] = share, share
    return True


@inner
def _stored(model, q, f):
    """Return the energy [J] that the modes of bone f would store if it were whole."""
    first, n = model.flexible[f, flexible.FIRST], model.flexible[f, flexible.MODES]
    start, energy = q.shape[0] - model.mode_stiffness.shape[0] + first, 0.0
    for k in range(n):
        for l in range(n):
            energy += 0.5 * q[start + k] * model.mode_stiffness[first + k, l] * q[start + l]
    return energy


@inner
def _bent(model, q, f, share):
    """Return rotation vector [rad] and displacement [m] of bone f at a share of its length [-], in its frame."""
    r, theta, shift = model.flexible[f, flexible.RIDE], ZERO, ZERO
    first = model.flexible[f, flexible.FIRST]
    start = q.shape[0] - model.mode_stiffness.shape[0] + first
    place = model.ride[r, 1] + min(share, 1.0 - 1e-9) * (model.ride[r, 2] - 1)
    for k in range(model.flexible[f, flexible.MODES]):
        turning, moving = kinematics.shape(model, place, k)
        theta, shift = axpy(q[start + k], turning, theta), axpy(q[start + k], moving, shift)
    return theta, shift


@inner
def bend(model, q, f, share):
    """Return the bend [rad] of the section of bone f at a share of its length [-]: curvature times length."""
    r, part = model.flexible[f, flexible.RIDE], 0.5 / SECTIONS
    axis = vec3.unit(sub(vec3.load(model.ride_line, r, 3), vec3.load(model.ride_line, r, 0)))
    turn = sub(_bent(model, q, f, share + part)[0], _bent(model, q, f, share - part)[0])
    return 0.5 / part * vec3.norm(axpy(-dot(turn, axis), axis, turn))


@inner
def bending(model, work, q, f, share):
    """Return the bending moment [N m] of the section of bone f at a share of its length [-]."""
    n, i, r = model.joint.shape[0], model.flexible[f, flexible.BODY], model.flexible[f, flexible.RIDE]
    turn, start = mat3.load(work.body, i, body.ROTATION), vec3.load(model.ride_line, r, 0)
    line = sub(vec3.load(model.ride_line, r, 3), start)
    place = add(axpy(share, line, start), _bent(model, q, f, share)[1])
    cut = add(vec3.load(work.body, i, body.POSITION), mat3.dot(turn, place))
    total = ZERO
    for s in range(n):
        if model.joint[s, joint.PARENT] != i or model.joint[s, joint.KIND] != joint_type.MODAL:
            continue
        if s == model.ride[r, 0]:
            height = (work.body[s, body.RIDE] - model.ride[r, 1]) / (model.ride[r, 2] - 1)
        else:
            height = dot(sub(vec3.load(model.link, s, link.POINT_PARENT), start), line) / dot(line, line)
        if height > share:
            at = out_row.BODY * n + out_row.JOINT * s + out_row.JOINT_REACTION
            lever = sub(vec3.load(work.body, s, body.JOINT_POINT), cut)
            total = add(total, add(vec3.load_at(work.mean, at + 3), cross(lever, vec3.load_at(work.mean, at))))
    axis = mat3.dot(turn, vec3.unit(line))
    return vec3.norm(axpy(-dot(total, axis), axis, total))
