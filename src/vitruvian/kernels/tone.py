"""Muscle tone: people hold the posture in which they start until something happens.

    torque = s (E - D w),   E = T - K a limited to the strength,   |E - D w| at most the strength

by axis of the parent's joint frame, or by coordinate. T holds the posture at the start; a is sin(angle) times the axis
of the rotation from it, or the change of the coordinate; w is the relative angular velocity. The share s falls from 1
to 0 as 1 - 3 x^2 + 2 x^3 over the fading time after the muscles let go: at a given time, or at the first contact. The
torque has no potential. Its work has a class of its own in the energy audit (`work_class.MUSCLE`); what its damping
takes is lost in the joint.
"""

from .._jit import inlined, inner
from . import mat3, quaternion, vec3
from .joint_torque import joint_axes, relative_spin
from .layout import body, joint, joint_type, link, tone


@inner
def hold(model, work, q, v, time):
    """Add the torque [N m], damping and stiffness of the muscles to all joints that they hold at a time [s]."""
    joints, value, bodies = model.joint, model.tone, work.body
    for r in range(value.shape[0]):
        i, person = model.tone_joint[r, 0], model.tone_joint[r, 1]
        share = _share(time - work.tone[person], model.tone_person[person, tone.FADE])
        if share <= 0.0:
            continue
        bodies[i, body.FAST] = 1.0
        if joints[i, joint.KIND] == joint_type.SPHERICAL:
            _ball(joints, model.link, value, bodies, r, i, share)
            continue
        first_q, first_v = joints[i, joint.FIRST_Q], joints[i, joint.FIRST_V]
        for k in range(joints[i, joint.NV]):
            turn = q[first_q + k] - value[r, tone.HELD + k]
            torque, stiffness, damping = axis_tone(value, r, k, turn, v[first_v + k])
            _add(bodies, i, k, share * stiffness, share * damping)
            bodies[i, body.ELASTIC + k] += share * torque
            bodies[i, body.TONE + k] = share * torque


@inlined
def _ball(joints, links, value, bodies, r, i, share):
    """Add the muscles of a spherical joint: torque in world axes, damping and stiffness by axis of the joint frame."""
    parent = quaternion.load_row(bodies, joints[i, joint.PARENT], body.ORIENTATION)
    child = quaternion.load_row(bodies, i, body.ORIENTATION)
    if joints[i, joint.ALIGNED] == 0:
        parent = quaternion.product(parent, quaternion.load_row(links, i, link.FRAME_PARENT))
        child = quaternion.product(child, quaternion.load_row(links, i, link.FRAME_CHILD))
    relative = quaternion.product(quaternion.conjugate(parent), child)
    held = quaternion.conjugate(quaternion.load_row(value, r, tone.HELD))
    w, x, y, z = quaternion.product(relative, held)
    turn = (2.0 * w * x, 2.0 * w * y, 2.0 * w * z)  # sin(angle) axis: no jump at half a turn
    axes = joint_axes(joints, links, bodies, i)
    spin = mat3.transposed_dot(axes, relative_spin(joints, bodies, i))
    torque_x, stiff_x, drag_x = axis_tone(value, r, 0, turn[0], spin[0])
    torque_y, stiff_y, drag_y = axis_tone(value, r, 1, turn[1], spin[1])
    torque_z, stiff_z, drag_z = axis_tone(value, r, 2, turn[2], spin[2])
    _add(bodies, i, 0, share * stiff_x, share * drag_x)
    _add(bodies, i, 1, share * stiff_y, share * drag_y)
    _add(bodies, i, 2, share * stiff_z, share * drag_z)
    torque = mat3.dot(axes, (share * torque_x, share * torque_y, share * torque_z))
    vec3.increase(bodies, i, body.ELASTIC, torque)
    vec3.store(bodies, i, body.TONE, torque)


@inlined
def _add(bodies, i, k, stiffness, damping):
    """Add tangent stiffness [N m/rad] and damping [N m s/rad] to axis k of joint i."""
    bodies[i, body.STIFFNESS + k] += stiffness
    bodies[i, body.DAMPING + k] += damping


@inlined
def axis_tone(value, r, k, turn, speed):
    """Torque without damping [N m], tangent stiffness [N m/rad] and secant damping [N m s/rad] of row r, axis k.

    turn   from the held posture [rad]
    speed  [rad/s]
    """
    strength, stiffness, damping = value[r, tone.STRENGTH + k], value[r, tone.STIFFNESS + k], value[r, tone.DAMPING + k]
    torque = value[r, tone.TORQUE + k] - stiffness * turn
    if abs(torque) > strength:
        torque, stiffness = (strength if torque > 0.0 else -strength), 0.0
    left = strength + torque if speed > 0.0 else strength - torque  # what the strength leaves for damping
    if damping * abs(speed) > left:
        damping = left / abs(speed)
    return torque, stiffness, damping


@inlined
def _share(since, fade):
    """Share of the tone that is left a time after the muscles let go [s], fading over a time [s]: 1 to 0."""
    if since <= 0.0:
        return 1.0
    if since >= fade:
        return 0.0
    x = since / fade
    return 1.0 - x * x * (3.0 - 2.0 * x)


@inner
def let_go(model, work, state, c, time):
    """Let the muscles of the people whom pair c strikes fade from a time on [s]."""
    for side in range(2):
        person = model.alarm[c, side]
        if person >= 0 and time < state.tone[person]:
            state.tone[person] = time
            work.tone[person] = time
