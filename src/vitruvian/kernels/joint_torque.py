"""Resistance of the joints, from a potential: no work is done round a closed loop.

V = sum V_i(a_i), dV_i/da = k (a - rest) + (k_plus - k) max(0, a - limit_plus) - (k_minus - k) max(0, limit_minus - a)
    + a torque curve.

rotation_vector  a = components of the rotation vector theta of the child in the parent's joint frame; the moment on
                 the child is -J_l(theta)^-T dV/dtheta. The energy jumps at half a turn: of the set `thesis` only.
cardan           a = Cardan angles: about an axis of the parent, a floating axis, and z of the child (grood1983).
swing_twist      the limb axis d (z of the child) swings, then the child twists about it. The inner spring of the swing
                 is a smooth function on the whole sphere: k (1 - d.z), with the difference of the two stiffnesses on
                 d.x and d.y. The limit of the swing is a rim about the middle of its range. The twist is measured from
                 the zero posture, and its potential fades where the limb points opposite to it.
cone             the same with the rim of a cone about an axis (silva1997, section 5.2), beyond which a torque of third
                 order grows.
coordinate       a = the joint's own angles and displacements.
quaternion       V = 2 sum k_i q_i^2 of the unit quaternion (w, q) of the child in the parent's joint frame: k (1 - cos)
                 for a turn about an axis of equal stiffness k. Smooth on all rotations, without limits or curves.

Where a measure wraps round or is singular, V blends into one constant with zero slope, V + s (top - V) with
s = 3 x^2 - 2 x^3. So energy and torque of all laws but rotation_vector are continuous on the whole of SO(3).

Failure: on one side of the rest angle of a component inner spring and limit are multiplied by the share of the joint
that is sound. This share is memory: constant during a step, lowered by `fail` after it. The law quaternion is that of
a bone that breaks (`model.fracture`): all of it has one share, lowered from a bending moment on.

flexed    the floating axis of a Cardan law may lose resistance with the first angle a: V_b(b) s(a) + V_t(b) (1 - s(a)),
          as a knee that is stiff sideways at once only when straight; s = share + (1 - share)/(1 + x^2),
          x = 2 sin(a/2)/flexed for a > 0. V_t = k_t max(0, |b| - slack)^2/2 is tight beyond a slack.
tendons   passive muscles: V(u) = torque/rate exp(rate (u - slack)), u = arm a + other arm b, of the flexion angles a
          and b of two joints, straight from a largest torque on. They lose energy: at each joint V' arm grows by the
          share loss v / sqrt(v^2 + loss_speed^2) while the joint stretches the muscle with v = arm a', and falls by it
          while the joint lets it go, so a muscle never pushes.

Losses: damping c (1 + growth beyond a limit), and a dry torque m w / sqrt(w^2 + w_s^2) against the motion, which may
fade with the angle from the position at the start. Both are given to the step as a damping that is the secant of the
torque at the state, so they take energy from every motion, whatever the step.
"""

from math import cos, exp, log, pi, sin, sqrt

from .._jit import inlined, inner, kernel
from . import mat3, quaternion, softening, vec3
from .layout import body, curve, joint, joint_type, link, resistance, resistance_law, resists, tendon
from .layout.axis import X, Y, Z
from .rotation import angle, arc_tangent
from .vec3 import add, axpy, cross, dot, scale, sub

ZERO = (0.0, 0.0, 0.0)
LATE = 0.01  # of the moment at which a bone breaks: a step that passes it by more is made shorter [-]
FADE = 0.5  # cosine of the floating angle, and angle before half a turn [rad], below which a flexion angle fades


@inner
def resist(model, bodies, sound, q, v):
    """Write elastic torque [N m], damping [N m s/rad], tangent stiffness [N m/rad] and energy [J] of every joint."""
    joints = model.joint
    for i in range(joints.shape[0]):
        if joints[i, joint.RESISTS] > 0:
            for k in range(body.ELASTIC, body.ENERGY + 1):
                bodies[i, k] = 0.0
            bodies[i, body.FAST] = 1.0 if joints[i, joint.RESISTS] == resists.STIFF else 0.0
    for r in range(model.resistance.shape[0]):
        i = model.resistance_joint[r, 0]
        if model.resistance_joint[r, 1] == resistance_law.COORDINATE:
            _coordinate(
                model.resistance,
                model.curve,
                sound,
                r,
                bodies,
                i,
                q,
                v,
                joints[i, joint.FIRST_Q],
                joints[i, joint.FIRST_V],
                joints[i, joint.NQ],
            )
        else:
            _ball(joints, model.link, model.resistance, model.curve, sound, model.resistance_joint[r, 1], bodies, r, i)
    for t in range(model.tendon.shape[0]):
        _pull(model, bodies, t)


@inner
def _coordinate(value, curves, sound, r, bodies, i, q, v, first_q, first_v, n):
    """Resistance along the joint's own coordinates."""
    for k in range(n):
        a = q[first_q + k]
        energy, slope, stiffness, more = axis_law(value, curves, sound, r, k, a)
        bodies[i, body.ENERGY] += energy
        bodies[i, body.ELASTIC + k] -= slope
        bodies[i, body.STIFFNESS + k] += stiffness
        bodies[i, body.DAMPING + k] += value[r, resistance.VISCOSITY + k] + more
        if value[r, resistance.DRY] > 0.0:
            bodies[i, body.DAMPING + k] += dry_drag(
                value, r, abs(v[first_v + k]), abs(a - value[r, resistance.DRY_FROM + k])
            )


@inlined
def _ball(joints, links, value, curves, sound, law, bodies, r, i):
    """Resistance of a spherical joint: the torque in world axes, damping and stiffness by axis of the joint frame."""
    relative = relative_rotation(joints, links, bodies, i)
    energy, torque, stiffness, drag = ball_law(value, curves, sound, r, law, relative)
    if joints[i, joint.RESISTS] == resists.STIFF_BEYOND:
        # beyond a limit, where stiffness or damping is more than inside the range
        if stiffness != vec3.load(value, r, resistance.STIFFNESS_IN) or drag != ZERO:
            bodies[i, body.FAST] = 1.0
    drag = add(drag, vec3.load(value, r, resistance.VISCOSITY))
    if value[r, resistance.DRY] > 0.0:
        w = relative_spin(joints, bodies, i)
        held = quaternion.conjugate(quaternion.load_row(value, r, resistance.DRY_FROM))
        turn = quaternion.logarithm(quaternion.product(held, relative))
        dry = dry_drag(value, r, vec3.norm(w), vec3.norm(turn))
        drag = add(drag, (dry, dry, dry))
    axes = joint_axes(joints, links, bodies, i)
    bodies[i, body.ENERGY] += energy
    vec3.increase(bodies, i, body.ELASTIC, mat3.dot(axes, torque))
    vec3.increase(bodies, i, body.STIFFNESS, stiffness)
    vec3.increase(bodies, i, body.DAMPING, drag)


@inlined
def ball_law(value, curves, sound, r, law, relative):
    """Energy [J], torque on the child in the parent's joint frame [N m], stiffness and damping of limits of any law."""
    if law == resistance_law.ROTATION_VECTOR:
        return rotation_vector_law(value, curves, sound, r, relative)
    if law == resistance_law.CARDAN_YXZ:
        return cardan_law(value, curves, sound, r, relative, Y)
    if law == resistance_law.CARDAN_XYZ:
        return cardan_law(value, curves, sound, r, relative, X)
    if law == resistance_law.QUATERNION:
        return quaternion_law(value, sound, r, relative)
    return swing_law(value, curves, sound, r, relative)


@inlined
def relative_rotation(joints, links, bodies, i):
    """Return the rotation of the child's joint frame in the parent's as a unit quaternion [-]."""
    parent = quaternion.load_row(bodies, joints[i, joint.PARENT], body.ORIENTATION)
    child = quaternion.load_row(bodies, i, body.ORIENTATION)
    if joints[i, joint.ALIGNED] == 0:
        parent = quaternion.product(parent, quaternion.load_row(links, i, link.FRAME_PARENT))
        child = quaternion.product(child, quaternion.load_row(links, i, link.FRAME_CHILD))
    return quaternion.product(quaternion.conjugate(parent), child)


@inlined
def joint_axes(joints, links, bodies, i):
    """Return the axes of the joint frame of joint i, carried by the parent, as a rotation matrix [-]."""
    p = joints[i, joint.PARENT]
    if joints[i, joint.ALIGNED] == 1:
        return mat3.load(bodies, p, body.ROTATION)
    parent = quaternion.load_row(bodies, p, body.ORIENTATION)
    return quaternion.matrix(quaternion.product(parent, quaternion.load_row(links, i, link.FRAME_PARENT)))


@inner
def _pull(model, bodies, t):
    """Add torque, stiffness and energy of a passive muscle to the joints that it crosses."""
    i, j = model.tendon_joint[t, 0], model.tendon_joint[t, 1]
    first = flexion(model.joint, model.link, bodies, i)
    arm, other = model.tendon[t, tendon.ARM], model.tendon[t, tendon.OTHER_ARM]
    if j < 0:
        energy, torque, stiffness = tendon_law(model.tendon, t, arm * first[0])
        _turn_back(model, bodies, t, i, first, arm, (energy, torque, stiffness), 1.0)
        bodies[i, body.ENERGY] += first[1] * energy
        return
    second = flexion(model.joint, model.link, bodies, j)
    law = tendon_law(model.tendon, t, arm * first[0] + other * second[0])
    _turn_back(model, bodies, t, i, first, arm, law, second[1])
    _turn_back(model, bodies, t, j, second, other, law, first[1])
    bodies[i, body.ENERGY] += first[1] * second[1] * law[0]


@inlined
def tendon_law(value, t, stretch):
    """Return energy [J], torque dV/du [N m] and its slope [N m/rad] of a passive muscle at a stretch u [rad]."""
    rate, torque, most = value[t, tendon.RATE], value[t, tendon.TORQUE], value[t, tendon.MOST]
    exponent = rate * (stretch - value[t, tendon.SLACK])
    if torque * exp(min(exponent, 50.0)) < most:
        torque *= exp(exponent)
        return torque / rate, torque, rate * torque
    x = stretch - value[t, tendon.SLACK] - log(most / torque) / rate
    return most * (1.0 / rate + x * (1.0 + 0.5 * rate * x)), most * (1.0 + rate * x), rate * most


@inlined
def flexion(joints, links, bodies, i):
    """Return the flexion angle [rad] of a joint, its share kept, the share's two slopes, and both axes.

    It is the first Cardan angle, about y of the parent, or the angle of a hinge. Where it has no meaning or wraps
    round, the share falls to zero.
    """
    relative = relative_rotation(joints, links, bodies, i)
    if joints[i, joint.KIND] == joint_type.REVOLUTE:
        a = 2.0 * angle(relative[3], relative[0])
        if a > pi:
            a -= 2.0 * pi
        elif a < -pi:
            a += 2.0 * pi
        keep, rate = _wrap_share(a)
        return a, keep, rate, 0.0, (1.0, 0.0, 0.0), ZERO
    m = quaternion.matrix(relative)
    sine_a, cosine2 = m[2], m[2] * m[2] + m[8] * m[8]
    cosine = sqrt(cosine2)
    a, b = angle(sine_a, m[8]), angle(-m[5], cosine)
    keep, rate = _wrap_share(a)
    if cosine < FADE:
        share, fall = _blend(cosine / FADE)
        fall *= -keep / FADE * sin(b)
        keep, rate = share * keep, share * rate
    else:
        fall = 0.0
    inverse, inverse2 = 1.0 / max(cosine, 1e-12), 1.0 / max(cosine2, 1e-24)
    d = (m[2], m[5], m[8])
    n1 = scale(inverse2, axpy(-d[1], d, (0.0, 1.0, 0.0)))
    return a, keep, rate, fall, n1, (m[8] * inverse, 0.0, -sine_a * inverse)


@inlined
def _wrap_share(a):
    """Return a share that falls to zero at half a turn, and its slope [1/rad]."""
    if pi - abs(a) >= FADE:
        return 1.0, 0.0
    share, rate = _blend((pi - abs(a)) / FADE)
    return share, -rate / FADE if a > 0.0 else rate / FADE


@inlined
def _turn_back(model, bodies, t, i, at, arm, law, others):
    """Add torque and damping of passive muscle t to one of its joints; `others` is the share kept by its other joint.

    The damping is the secant of what the muscle loses at the speed of the joint. The step takes it implicitly where it
    is fast for the bodies next to the joint.
    """
    if model.joint[i, joint.RESISTS] == 0:
        return
    _, keep, rate, fall, n1, e2 = at
    energy, torque, stiffness = law
    by_a = others * (keep * arm * torque + rate * energy)
    stiff = others * keep * arm * arm * stiffness
    spin = relative_spin(model.joint, bodies, i)
    if model.joint[i, joint.KIND] == joint_type.REVOLUTE:
        bodies[i, body.ELASTIC] -= by_a
        bodies[i, body.STIFFNESS] += stiff
        bodies[i, body.DAMPING] += _lost(model, bodies, t, i, others * keep * torque, arm, vec3.norm(spin))
        return
    axes = joint_axes(model.joint, model.link, bodies, i)
    drag = _lost(model, bodies, t, i, others * keep * torque, arm, dot(n1, mat3.transposed_dot(axes, spin)))
    squares = (n1[0] * n1[0], n1[1] * n1[1], n1[2] * n1[2])
    vec3.increase(bodies, i, body.ELASTIC, mat3.dot(axes, axpy(-by_a, n1, scale(-others * fall * energy, e2))))
    vec3.increase(bodies, i, body.STIFFNESS, scale(stiff, squares))
    vec3.increase(bodies, i, body.DAMPING, scale(drag, squares))


@inlined
def _lost(model, bodies, t, i, torque, arm, speed):
    """Return the damping [N m s/rad] by which muscle t loses energy at a speed of joint i [rad/s]."""
    slip, stretching = model.tendon[t, tendon.LOSS_SPEED], arm * speed
    drag = model.tendon[t, tendon.LOSS] * torque * arm * arm / sqrt(stretching * stretching + slip * slip)
    if drag > model.tendon[t, tendon.FAST_DRAG] and model.joint[i, joint.RESISTS] == resists.STIFF_BEYOND:
        bodies[i, body.FAST] = 1.0
    return drag


@inner
def fail(model, bodies, sound, r, q):
    """Lower the sound shares of resistance r where its joint has passed a failure angle.

    Returns the energy lost [J], and the side that begins to fail (0 to 2 minus x, y, z, 3 to 5 plus), or -1; of a bone
    the moment at which it breaks [N m]. The third is by how much the resistance fell [-]: its share, or of a bone its
    moment over that at which it breaks.
    """
    value, law = model.resistance, model.resistance_joint[r, 1]
    i = model.resistance_joint[r, 0]
    if law == resistance_law.QUATERNION:
        return _break(value, sound, r, relative_rotation(model.joint, model.link, bodies, i))
    if law == resistance_law.COORDINATE:
        first, n = model.joint[i, joint.FIRST_Q], model.joint[i, joint.NQ]
        angles = (q[first], q[first + 1] if n > 1 else 0.0, q[first + 2] if n > 2 else 0.0)
        relative = (1.0, 0.0, 0.0, 0.0)
    else:
        relative = relative_rotation(model.joint, model.link, bodies, i)
        angles = cardan_angles(relative, law)
    lost, begun, fell = 0.0, -1, 0.0
    for k in range(3):
        above = angles[k] - value[r, resistance.FAIL_PLUS + k]
        below = value[r, resistance.FAIL_MINUS + k] - angles[k]
        side, over = (k + 3, above) if above > below else (k, below)
        least = value[r, resistance.FAIL_SHARE + k]
        left = softening.left(over, value[r, resistance.FAIL_WIDTH + k], least)
        if left < sound[r, side]:
            before = _stored(value, model.curve, sound, r, law, relative, angles)
            begun = side if sound[r, side] == 1.0 else begun
            fell = max(fell, sound[r, side] - left)
            sound[r, side] = left
            lost += before - _stored(value, model.curve, sound, r, law, relative, angles)
    return lost, float(begun), fell


@inner
def breaks_late(model, bodies, sound):
    """Return whether the moment of a whole bone is beyond the one at which it breaks by more than LATE [-]."""
    for r in range(model.resistance.shape[0]):
        if model.resistance_joint[r, 1] == resistance_law.QUATERNION and sound[r, 0] == 1.0:
            bend = _bend(relative_rotation(model.joint, model.link, bodies, model.resistance_joint[r, 0]))
            limit = model.resistance[r, resistance.FAIL_PLUS]
            if bend > limit and sin(bend) > (1.0 + LATE) * sin(limit):
                return True
    return False


@inlined
def _bend(relative):
    """Return the angle between the axes of the pieces of a bone [rad], without its twist."""
    w, x, y, _ = relative
    return 2.0 * arc_tangent(sqrt(x * x + y * y), abs(w))


@inner
def _break(value, sound, r, relative):
    """Lower the sound share of bone r so that its moment falls with its bend; return as `fail` does.

    A step has a constant share, so that within it the moment misses the law by the relative change of the share.
    """
    bend, limit = _bend(relative), value[r, resistance.FAIL_PLUS]
    if bend <= limit:
        return 0.0, -1.0, 0.0
    width, least, share = value[r, resistance.FAIL_WIDTH], value[r, resistance.FAIL_SHARE], sound[r, 0]
    whole = sin(limit) / max(sin(bend), 1e-12)
    left = softening.cohesive(bend - limit, width, least, whole)
    if left >= share:
        return 0.0, -1.0, 0.0
    for k in range(6):
        sound[r, k] = left
    energy = quaternion_law(value, sound, r, relative)[0]
    moment = value[r, resistance.STIFFNESS_IN] * sin(bend) if share == 1.0 else -1.0
    return energy * (share / left - 1.0), moment, (share - left) / share * left / whole


@inlined
def _stored(value, curves, sound, r, law, relative, angles):
    """Return the energy [J] of a resistance."""
    if law == resistance_law.COORDINATE:
        energy = 0.0
        for k in range(3):
            energy += axis_law(value, curves, sound, r, k, angles[k])[0]
        return energy
    return ball_law(value, curves, sound, r, law, relative)[0]


@inlined
def cardan_angles(relative, law):
    """Return the Cardan angles [rad] about x, y and z of a rotation, in the order of a law."""
    m = quaternion.matrix(relative)
    if law == resistance_law.CARDAN_YXZ:
        return angle(-m[5], sqrt(m[2] * m[2] + m[8] * m[8])), angle(m[2], m[8]), angle(m[3], m[4])
    return angle(-m[5], m[8]), angle(m[2], sqrt(m[5] * m[5] + m[8] * m[8])), angle(-m[1], m[0])


@inlined
def dry_drag(value, r, speed, angle):
    """Secant damping [N m s/rad] of the dry torque at a speed [rad/s] and an angle from its start [rad].

    m / sqrt(w^2 + w_s^2), silva1997 eq. 20 regularised; m falls to zero over the angle DRY_FADE as 1 - 3 x^2 + 2 x^3.
    """
    torque, fade = value[r, resistance.DRY], value[r, resistance.DRY_FADE]
    if fade > 0.0:
        x = min(1.0, angle / fade)
        torque *= 1.0 - x * x * (3.0 - 2.0 * x)
    slip = value[r, resistance.DRY_SPEED]
    return torque / sqrt(speed * speed + slip * slip)


@inlined
def axis_law(value, curves, sound, r, k, a):
    """Energy [J], slope dV/da [N m], stiffness [N m/rad] and damping beyond a limit of component k at a [rad]."""
    inner = value[r, resistance.STIFFNESS_IN + k]
    a0 = a - value[r, resistance.REST + k]
    more, slope, beyond = _beyond(
        value, r, k, a, value[r, resistance.LIMIT_MINUS + k], value[r, resistance.LIMIT_PLUS + k]
    )
    whole = sound[r, k + 3] if a0 > 0.0 else sound[r, k]
    energy = whole * 0.5 * (inner * a0 * a0 + slope * beyond)
    below, above = value[r, resistance.LIMIT_DAMPING + k], value[r, resistance.LIMIT_DAMPING_PLUS + k]
    drag = whole * (above if beyond > 0.0 else below) * abs(slope)
    stiffness = inner + whole * more
    slope = whole * (slope + inner * a0)
    if value[r, resistance.CURVE + k] >= 0.0:
        held, torque, steepness = curve_law(curves, int(value[r, resistance.CURVE + k]), a)
        energy += held
        slope += torque
        stiffness += max(0.0, steepness)  # a falling curve is taken explicitly
        drag += (above if torque > 0.0 else below) * abs(torque)
    return energy, slope, stiffness, drag


@kernel
def curve_law(curves, first, a):
    """Energy [J], torque dV/da [N m] and its slope [N m/rad] of the curve that begins in a row, at a [rad].

    Beyond its last angles a curve continues straight with the slope it has there.
    """
    n = int(curves[first, 0])
    if n == 0:
        return _exponentials(curves, first, a)
    row, last = first + 1, first + n
    while row < last:
        middle = (row + last + 1) // 2
        if a >= curves[middle, curve.ANGLE]:
            row = middle
        else:
            last = middle - 1
    x = a - curves[row, curve.ANGLE]
    c0, c1, c2, c3 = (
        curves[row, curve.TORQUE],
        curves[row, curve.TORQUE + 1],
        curves[row, curve.TORQUE + 2],
        curves[row, curve.TORQUE + 3],
    )
    energy = curves[row, curve.ENERGY] + x * (c0 + x * (c1 / 2.0 + x * (c2 / 3.0 + x * c3 / 4.0)))
    return energy, c0 + x * (c1 + x * (c2 + x * c3)), c1 + x * (2.0 * c2 + 3.0 * x * c3)


@inner
def _exponentials(curves, first, a):
    """Return energy [J], torque [N m] and slope [N m/rad] of a sum of A exp(B (a - C)); B = 0 is a constant torque."""
    at = min(max(a, curves[first, 2]), curves[first, 3])
    energy, torque, slope = -curves[first, 4], 0.0, 0.0
    for row in range(first + 1, first + 1 + int(curves[first, 1])):
        rate = curves[row, 1]
        part = curves[row, 0] * exp(rate * (at - curves[row, 2]))
        energy += part / rate if rate != 0.0 else part * at
        torque += part
        slope += rate * part
    x = a - at
    return energy + x * (torque + 0.5 * slope * x), torque + slope * x, slope


@inlined
def _beyond(value, r, k, a, lower, upper):
    """Return the stiffness and torque that a limit adds to component k at a [rad], and the angle beyond the limit."""
    if a > upper:
        more, beyond = value[r, resistance.STIFFNESS_PLUS + k] - value[r, resistance.STIFFNESS_IN + k], a - upper
    elif a < lower:
        more, beyond = value[r, resistance.STIFFNESS_MINUS + k] - value[r, resistance.STIFFNESS_IN + k], a - lower
    else:
        return 0.0, 0.0, 0.0
    return more, more * beyond, beyond


@inlined
def rotation_vector_law(value, curves, sound, r, relative):
    """Energy [J], torque on the child in the parent's joint frame [N m], stiffness and damping of limits by component.

    torque = -J_l(theta)^-T g,  J_l^-T g = g + theta x g / 2 + c theta x (theta x g),  c = (1 - (t/2) cot(t/2)) / t^2
    """
    w, x, y, z = relative
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    e = sqrt(x * x + y * y + z * z)
    if e > 1e-3 * w:
        half = arc_tangent(e, w)
        ratio = half / e
        s, c = 2.0 * ratio, (1.0 - ratio * w) / (4.0 * half * half)
    else:
        tangent2 = (e / w) ** 2
        s, c = 2.0 / w * (1.0 - tangent2 / 3.0 + tangent2 * tangent2 / 5.0), 1.0 / 12.0 + tangent2 / 180.0
    theta = (s * x, s * y, s * z)
    ex, gx, kx, cx = axis_law(value, curves, sound, r, X, theta[0])
    ey, gy, ky, cy = axis_law(value, curves, sound, r, Y, theta[1])
    ez, gz, kz, cz = axis_law(value, curves, sound, r, Z, theta[2])
    slope = (gx, gy, gz)
    first = cross(theta, slope)
    torque = axpy(-c, cross(theta, first), axpy(-0.5, first, scale(-1.0, slope)))
    return ex + ey + ez, torque, (kx, ky, kz), (cx, cy, cz)


@inlined
def cardan_law(value, curves, sound, r, relative, first):
    """Energy [J], torque on the child in the parent's joint frame [N m], stiffness and damping of limits by its axes.

    The child is turned about e1 (y or x of the parent, `first`), the floating axis e2 and its own z axis e3 = d by
    a, b and c. With p = e1.d and cos^2 b = 1 - p^2:

    torque = -V_a n1 - V_b e2 - V_c n3,  n1 = (e1 - p d)/cos^2 b,  n3 = (d - p e1)/cos^2 b
    """
    m = quaternion.matrix(relative)
    d = (m[2], m[5], m[8])
    if first == Y:
        floating, e1, sine_a, sine_b, sine_c, cosine_c = X, (0.0, 1.0, 0.0), m[2], -m[5], m[3], m[4]
    else:
        floating, e1, sine_a, sine_b, sine_c, cosine_c = Y, (1.0, 0.0, 0.0), -m[5], m[2], -m[1], m[0]
    cosine2 = sine_a * sine_a + m[8] * m[8]
    cosine = sqrt(cosine2)
    a, b, c = angle(sine_a, m[8]), angle(sine_b, cosine), angle(sine_c, cosine_c)
    energy_a, slope_a, more_a, drag_a = circle_law(value, curves, sound, r, first, a)
    energy, slope_b, more_b, drag_b = axis_law(value, curves, sound, r, floating, b)
    energy_c, slope_c, more_c, drag_c = circle_law(value, curves, sound, r, Z, c)
    more_b -= value[r, resistance.STIFFNESS_IN + floating]
    if value[r, resistance.FLEXED] > 0.0:
        share, rate = flexed_share(value, r, a)
        tight, tight_slope, tight_stiffness, tight_drag = _tight(value, sound, r, floating, b)
        lost = 1.0 - share
        slope_a += rate * (energy - tight)
        energy, slope_b = share * energy + lost * tight, share * slope_b + lost * tight_slope
        more_b, drag_b = share * more_b + lost * tight_stiffness, share * drag_b + lost * tight_drag
    energy += energy_a + energy_c

    # where e1 and d meet, a and c have no meaning
    keep, fence = 1.0, value[r, resistance.FENCE]
    if abs(b) > fence:
        share, rate = _blend((abs(b) - fence) / (0.5 * pi - fence))
        keep = 1.0 - share
        top = value[r, resistance.FENCE_TOP] * (sound[r, floating + 3] if b > 0.0 else sound[r, floating])
        rate *= (top - energy) / (0.5 * pi - fence)
        slope_b = keep * slope_b + (rate if b > 0.0 else -rate)
        energy += share * (top - energy)

    inverse, inverse2 = 1.0 / max(cosine, 1e-12), 1.0 / max(cosine2, 1e-24)
    p = dot(e1, d)
    n1, n3 = scale(inverse2, axpy(-p, d, e1)), scale(inverse2, axpy(-p, e1, d))
    e2 = (m[8] * inverse, 0.0, -sine_a * inverse) if first == Y else (0.0, m[8] * inverse, sine_a * inverse)
    torque = axpy(-keep * slope_a, n1, axpy(-slope_b, e2, scale(-keep * slope_c, n3)))
    stiffness = vec3.load(value, r, resistance.STIFFNESS_IN)
    if more_a == 0.0 and more_b == 0.0 and more_c == 0.0:
        return energy, torque, stiffness, ZERO
    stiffness = add(stiffness, _diagonal(keep * more_a, n1, keep * more_b, e2, keep * more_c, n3))
    return energy, torque, stiffness, _diagonal(keep * drag_a, n1, keep * drag_b, e2, keep * drag_c, n3)


@inlined
def flexed_share(value, r, a):
    """Return the share of the floating axis's resistance that is left at a first angle a [rad], and its slope [1/rad].

    It is one from a = 0 to a quarter turn backwards, and reaches the same value from both sides at half a turn.
    """
    least, inverse = value[r, resistance.FLEXED_SHARE], 2.0 / value[r, resistance.FLEXED]
    if a >= 0.0:
        x, rate = inverse * sin(0.5 * a), 0.5 * inverse * cos(0.5 * a)
    elif a > -0.5 * pi:
        return 1.0, 0.0
    else:
        x, rate = _blend(-2.0 * a / pi - 1.0)
        x, rate = inverse * x, -2.0 / pi * inverse * rate
    fall = 1.0 / (1.0 + x * x)
    return least + (1.0 - least) * fall, -2.0 * (1.0 - least) * x * fall * fall * rate


@inlined
def _tight(value, sound, r, k, b):
    """Energy [J], slope [N m], stiffness and damping beyond the slack of a flexed joint, at b [rad]."""
    over = abs(b) - value[r, resistance.FLEXED_SLACK]
    if over <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    stiffness = (sound[r, k + 3] if b > 0.0 else sound[r, k]) * value[r, resistance.FLEXED_STIFFNESS]
    slope = stiffness * over
    drag = value[r, resistance.LIMIT_DAMPING + k] * slope
    return 0.5 * slope * over, slope if b > 0.0 else -slope, stiffness, drag


@inlined
def circle_law(value, curves, sound, r, k, a):
    """Energy [J], slope [N m], stiffness beyond the inner one and damping of limits of component k, an angle a [rad].

    `axis_law` on a circle: the angle wraps round at the seam, about which the energy blends into one value.
    """
    seam, width = value[r, resistance.SEAM + k], value[r, resistance.SEAM_WIDTH + k]
    if a > seam:
        a -= 2.0 * pi
    elif a < seam - 2.0 * pi:
        a += 2.0 * pi
    energy, slope, stiffness, drag = axis_law(value, curves, sound, r, k, a)
    more = stiffness - value[r, resistance.STIFFNESS_IN + k]
    above, below = seam - a, a - seam + 2.0 * pi
    if min(above, below) < width:
        share, rate = _blend(1.0 - min(above, below) / width)
        rise = value[r, resistance.SEAM_TOP + k] - energy
        rate *= rise / width
        slope = (1.0 - share) * slope + (rate if above < below else -rate)
        energy += share * rise
        more *= 1.0 - share
        drag *= 1.0 - share
    return energy, slope, more, drag


@inlined
def _blend(x):
    """3 x^2 - 2 x^3 and its slope [-], from 0 to 1."""
    return x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x)


@inlined
def swing_law(value, curves, sound, r, relative):
    """Energy [J], torque on the child in the parent's joint frame [N m], stiffness and damping of limits by its axes.

    With d the limb axis, g = dV/dd and t the twist: torque = -d x g - dV/dt (z + d)/(1 + d.z).
    """
    d = _limb_axis(relative)
    energy, torque = _inner_swing(value, r, d)
    stiffness, drag = vec3.load(value, r, resistance.STIFFNESS_IN), ZERO

    # limits of the swing, in the frame of the middle of its range
    centre = quaternion.load_row(value, r, resistance.CENTRE)
    e = _limb_axis(quaternion.product(quaternion.conjugate(centre), relative))
    if e[2] < value[r, resistance.RIM_COSINE]:
        sine = sqrt(e[0] * e[0] + e[1] * e[1])
        held, along, across, k = rim_law(value, curves, r, angle(sine, e[2]), angle(e[1], e[0]))
        if held != 0.0:
            inverse = 1.0 / max(sine, 1e-12)
            c, s, across = e[0] * inverse, e[1] * inverse, across * inverse
            # -e x gradient
            limits = (across * e[2] * c + along * s, across * e[2] * s - along * c, -across * sine)
            energy += held
            back = quaternion.rotate(centre, limits)
            torque = add(torque, back)
            size2 = max(dot(limits, limits), 1e-300)
            chi = (
                value[r, resistance.LIMIT_DAMPING] * limits[0] ** 2
                + value[r, resistance.LIMIT_DAMPING + 1] * limits[1] ** 2
            ) / size2
            growth = chi * sqrt(size2)
            squares = (back[0] * back[0] / size2, back[1] * back[1] / size2, back[2] * back[2] / size2)
            stiffness, drag = axpy(max(0.0, k), squares, stiffness), scale(growth, squares)

    # twist from the zero posture; opposite to it, where the twist has no meaning, its potential has faded
    twist = 2.0 * angle(relative[3], relative[0])
    if twist > pi:
        twist -= 2.0 * pi
    elif twist < -pi:
        twist += 2.0 * pi
    held, turn, more, growth = circle_law(value, curves, sound, r, Z, twist)
    if d[2] < resistance.FADE_COSINE:
        share, rate = _blend((resistance.FADE_COSINE - d[2]) / (resistance.FADE_COSINE + 1.0))
        rate *= held / (resistance.FADE_COSINE + 1.0)
        torque = add(torque, (-rate * d[1], rate * d[0], 0.0))
        keep = 1.0 - share
        held, turn, more, growth = keep * held, keep * turn, keep * more, keep * growth
    energy += held
    n = 1.0 / max(1e-12, 1.0 + d[2])
    axis = (n * d[0], n * d[1], 1.0)
    torque = axpy(-turn, axis, torque)
    if more != 0.0:
        squares = (axis[0] * axis[0], axis[1] * axis[1], 1.0)
        stiffness, drag = axpy(more, squares, stiffness), axpy(growth, squares, drag)
    return energy, torque, stiffness, drag


@inlined
def quaternion_law(value, sound, r, relative):
    """Energy [J], torque on the child in the parent's joint frame [N m], stiffness and damping of limits by its axes.

    With g = k q of each component: torque = -2 (w g + q x g).
    """
    w, q = relative[0], (relative[1], relative[2], relative[3])
    stiffness = scale(sound[r, 0], vec3.load(value, r, resistance.STIFFNESS_IN))
    g = (stiffness[0] * q[0], stiffness[1] * q[1], stiffness[2] * q[2])
    return 2.0 * dot(g, q), scale(-2.0, axpy(w, g, cross(q, g))), stiffness, ZERO


@inlined
def rim_law(value, curves, r, rho, longitude):
    """Energy [J] of the swing limit at an angle from the middle and a longitude [rad], its two slopes and stiffness.

    x = rho - rim(longitude) > 0:  V = k x^2 / 2, or with a cone V = m width P(x / width), P' = 3 x^2 - 2 x^3.
    Its torque -e x grad V is tangent to the rim where that is no circle. silva1997 eq. 25 with x kept in [0, 1] (E078)
    and pointing back (E079).
    """
    _, rim, rim_slope = curve_law(curves, int(value[r, resistance.RIM]), longitude)
    x = rho - rim
    if x <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    table = int(value[r, resistance.RIM_STIFFNESS])
    if table >= 0:
        _, stiffness, by_longitude = curve_law(curves, table, longitude)
        energy, slope = 0.5 * stiffness * x * x, stiffness * x
        across = 0.5 * by_longitude * x * x - slope * rim_slope
    else:
        width, top = value[r, resistance.CONE_WIDTH], value[r, resistance.CONE_TORQUE]
        energy, slope, stiffness = third_order(x / width)
        energy, slope, stiffness = top * width * energy, top * slope, top * stiffness / width
        across = -slope * rim_slope
    fence = value[r, resistance.FENCE]
    if rho > fence:
        share, rate = _blend((rho - fence) / (pi - fence))
        rise = value[r, resistance.FENCE_TOP] - energy
        slope = (1.0 - share) * slope + rate * rise / (pi - fence)
        energy, across, stiffness = energy + share * rise, (1.0 - share) * across, (1.0 - share) * stiffness
    return energy, slope, across, stiffness


@inlined
def third_order(x):
    """Integral, value and slope of 3 x^2 - 2 x^3 for x > 0, which is one from x = 1 on [-] (silva1997 Fig. 14)."""
    if x < 1.0:
        return x * x * x * (1.0 - 0.5 * x), x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x)
    return x - 0.5, 1.0, 0.0


@inlined
def _inner_swing(value, r, d):
    """Energy [J] and torque [N m] of the inner spring of the swing, smooth on the whole sphere."""
    kx, ky = value[r, resistance.STIFFNESS_IN], value[r, resistance.STIFFNESS_IN + 1]
    k = min(kx, ky)
    energy = k * (1.0 - d[2]) + 0.5 * ((ky - k) * d[0] * d[0] + (kx - k) * d[1] * d[1])
    return energy, cross(((ky - k) * d[0], (kx - k) * d[1], -k), d)


@inlined
def _diagonal(x, a, y, b, z, c):
    """Diagonal of x a a' + y b b' + z c c'."""
    return (
        x * a[0] * a[0] + y * b[0] * b[0] + z * c[0] * c[0],
        x * a[1] * a[1] + y * b[1] * b[1] + z * c[1] * c[1],
        x * a[2] * a[2] + y * b[2] * b[2] + z * c[2] * c[2],
    )


@inlined
def _limb_axis(q):
    """The z axis turned by a quaternion of any length."""
    w, x, y, z = q
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)


@inner
def relative_spin(joints, bodies, i):
    """Angular velocity of body i relative to its parent, world axes [rad/s]."""
    return sub(vec3.load(bodies, i, body.SPIN), vec3.load(bodies, joints[i, joint.PARENT], body.SPIN))


@inlined
def ball_torque(joints, links, bodies, i):
    """Torque on the child, world axes [N m]: tau_elastic - C w, with C diagonal in the joint frame."""
    axes = joint_axes(joints, links, bodies, i)
    drag = vec3.load(bodies, i, body.DAMPING)
    spin = mat3.transposed_dot(axes, relative_spin(joints, bodies, i))
    viscous = (drag[0] * spin[0], drag[1] * spin[1], drag[2] * spin[2])
    return sub(vec3.load(bodies, i, body.ELASTIC), mat3.dot(axes, viscous))


@inlined
def implicit_ball_torque(joints, links, bodies, i, h):
    """Torque on the child at the start of a step h [s] and what the implicit step adds: torque - D alpha_relative.

    tau = tau_elastic - (C + h K) w,   D = h (C + h K), both diagonal in the joint frame
    """
    axes = joint_axes(joints, links, bodies, i)
    drag = axpy(h, vec3.load(bodies, i, body.STIFFNESS), vec3.load(bodies, i, body.DAMPING))
    spin = mat3.transposed_dot(axes, relative_spin(joints, bodies, i))
    viscous = (drag[0] * spin[0], drag[1] * spin[1], drag[2] * spin[2])
    torque = sub(vec3.load(bodies, i, body.ELASTIC), mat3.dot(axes, viscous))
    return torque, mat3.rotated_diagonal(axes, scale(h, drag))
