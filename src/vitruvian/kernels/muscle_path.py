"""The path of a muscle in one state: straight spans between points, and the shortest way over what it wraps.

Over a cylinder, which has no ends, this is a helix between two tangents, over a sphere an arc of a great circle, over
an ellipsoid a geodesic. There is no friction, so the length of the path changes exactly by the motion of the points at
which its free spans leave the bodies, and the force is the same along the path.
"""

from math import acos, atan2, cos, pi, sin, sqrt

from .._jit import inner, kernel
from . import geodesic, mat3, vec3
from .layout import body, course, muscle, pull, via
from .point_load import straight
from .vec3 import add, axpy, dot, scale, sub

SWEEPS = 50  # most turns over neighbouring shapes
SETTLED = 1e-12  # change of a point at which they end [m]
BACK = pi / 6.0  # a muscle turns about its cylinder by at most a whole turn less this angle [rad]


@inner
def place(model, work, m):
    """Fill the path of muscle m [m], and its length [m] and rate [m/s]."""
    first = model.muscle_kind[m, muscle.FIRST]
    last = first + model.muscle_kind[m, muscle.POINTS] - 1
    row, shapes, neighbours = work.course, model.via_kind, False
    for p in range(first, last + 1):
        at = _centre(model, work, p)
        vec3.store(row, p, course.ENTRY, at)
        vec3.store(row, p, course.MIDDLE, at)
        vec3.store(row, p, course.EXIT, at)
        row[p, course.ANGLE] = 0.0
        row[p, course.ARC] = 0.0 if shapes[p, via.SHAPE] == via.POINT_FIXED else 1.0  # met until shown otherwise
        neighbours = neighbours or (row[p, course.ARC] > 0.0 and shapes[p - 1, via.SHAPE] != via.POINT_FIXED)
    for _ in range(SWEEPS):
        change, before = 0.0, first
        for p in range(first + 1, last):
            if shapes[p, via.SHAPE] != via.POINT_FIXED:
                after = p + 1
                while not met(model, work, after):
                    after += 1
                change = max(change, _wrap(model, work, p, before, after))
            if met(model, work, p):
                before = p
        if not neighbours or change < SETTLED:
            break
    _measure(model, work, m, first, last)


@inner
def met(model, work, p):
    """Return whether the muscle meets point p of its path: points always, shapes if it lies on them [-]."""
    return model.via_kind[p, via.SHAPE] == via.POINT_FIXED or work.course[p, course.ARC] > 0.0


@inner
def _centre(model, work, p):
    """Return the place [m] of a point or the centre of a shape in the world."""
    i = model.via_kind[p, via.BODY]
    rotation = mat3.load(work.body, i, body.ROTATION)
    return add(vec3.load(work.body, i, body.POSITION), mat3.dot(rotation, vec3.load(model.via, p, via.POINT)))


@inner
def _wrap(model, work, p, before, after):
    """Lay the muscle over the shape of point p; how far its ends moved [m]."""
    row, kind = work.course, model.via_kind[p, via.SHAPE]
    at = _centre(model, work, p)
    rotation = mat3.load(work.body, model.via_kind[p, via.BODY], body.ROTATION)
    turn = mat3.product(rotation, mat3.load(model.via, p, via.TURN))
    a = mat3.transposed_dot(turn, sub(vec3.load(row, before, course.EXIT), at))
    b = mat3.transposed_dot(turn, sub(vec3.load(row, after, course.ENTRY), at))
    axes = vec3.load(model.via, p, via.AXES)
    if kind == via.OVER_CYLINDER:
        entry, middle, leave, arc, angle = over_cylinder(axes[0], vec3.load(model.via, p, via.SIDE), a, b)
    elif kind == via.OVER_SPHERE:
        entry, middle, leave, arc, angle = over_sphere(axes[0], a, b)
    else:
        entry, middle, leave, arc, angle = over_ellipsoid(axes, vec3.load(model.via, p, via.SIDE), a, b)
    change = abs(arc - row[p, course.ARC])
    row[p, course.ARC], row[p, course.ANGLE] = arc, angle
    if arc > 0.0:
        entry, leave = add(at, mat3.dot(turn, entry)), add(at, mat3.dot(turn, leave))
        change = max(change, vec3.norm(sub(entry, vec3.load(row, p, course.ENTRY))))
        change = max(change, vec3.norm(sub(leave, vec3.load(row, p, course.EXIT))))
        vec3.store(row, p, course.ENTRY, entry)
        vec3.store(row, p, course.MIDDLE, add(at, mat3.dot(turn, middle)))
        vec3.store(row, p, course.EXIT, leave)
    return change


@kernel
def over_cylinder(radius, side, a, b):
    """Return entry, middle, exit [m], length [m] and angle [rad] of the shortest path over a cylinder about z.

    a, b  the points before and after it [m]
    side  direction from the axis on which the muscle passes; it fixes the sense in which it turns
    A length of zero means that the straight line passes free of the cylinder.
    """
    sense = 1.0 if side[0] * (b[1] - a[1]) - side[1] * (b[0] - a[0]) >= 0.0 else -1.0
    far_a, far_b = sqrt(a[0] * a[0] + a[1] * a[1]), sqrt(b[0] * b[0] + b[1] * b[1])
    whole = sense * atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])
    if whole < -BACK:
        whole += 2.0 * pi
    open_a, open_b = acos(min(1.0, radius / far_a)), acos(min(1.0, radius / far_b))
    angle = whole - open_a - open_b
    if not angle > 0.0:
        return a, a, a, 0.0, 0.0
    line_a, line_b = sqrt(max(0.0, far_a * far_a - radius * radius)), sqrt(max(0.0, far_b * far_b - radius * radius))
    flat = line_a + radius * angle + line_b
    rise = (b[2] - a[2]) / flat
    start = atan2(a[1], a[0]) + sense * open_a
    entry = radius * cos(start), radius * sin(start), a[2] + rise * line_a
    half = start + sense * 0.5 * angle
    middle = radius * cos(half), radius * sin(half), a[2] + rise * (line_a + 0.5 * radius * angle)
    end = start + sense * angle
    leave = radius * cos(end), radius * sin(end), b[2] - rise * line_b
    # a helix of this slope turns by less than the angle about the axis
    return entry, middle, leave, radius * angle * sqrt(1.0 + rise * rise), angle / sqrt(1.0 + rise * rise)


@kernel
def over_sphere(radius, a, b):
    """Return entry, middle, exit [m], length [m] and angle [rad] of the shortest path over a sphere about the origin.

    a, b  the points before and after it [m]
    A length of zero means that the straight line passes free of the sphere.
    """
    far_a, far_b = vec3.norm(a), vec3.norm(b)
    along = scale(1.0 / far_a, a)
    across = axpy(-dot(along, b), along, b)
    size = vec3.norm(across)
    angle = atan2(size, dot(along, b))
    open_a, open_b = acos(min(1.0, radius / far_a)), acos(min(1.0, radius / far_b))
    turn = angle - open_a - open_b
    if not turn > 0.0 or not size > 0.0:
        return a, a, a, 0.0, 0.0
    across = scale(1.0 / size, across)
    entry = _on_circle(radius, along, across, open_a)
    middle = _on_circle(radius, along, across, open_a + 0.5 * turn)
    return entry, middle, _on_circle(radius, along, across, open_a + turn), radius * turn, turn


@inner
def _on_circle(radius, along, across, angle):
    """Point of a circle [m] at an angle [rad] from its first direction towards the second."""
    return axpy(radius * cos(angle), along, scale(radius * sin(angle), across))


@kernel
def over_ellipsoid(axes, side, a, b):
    """Return entry, middle, exit [m], length [m] and angle [rad] of a geodesic over an ellipsoid, in its axes.

    a, b  the points before and after it [m]
    side  direction from the centre on which the muscle passes: where it wraps far, there are several geodesics
    The search starts above the straight line, moved to the side the more, the deeper the line passes. A length of zero
    means that the line passes free of the ellipsoid, a negative angle that no geodesic was found.
    """
    one, two = _divided(a, axes), _divided(b, axes)
    line = sub(two, one)
    near = axpy(max(0.0, min(1.0, -dot(one, line) / dot(line, line))), line, one)
    depth = 1.0 - vec3.norm(near)
    if not depth > 0.0:
        return a, a, a, 0.0, 0.0
    near = axpy(depth, vec3.unit(_divided(side, axes)), near)
    middle = vec3.unit(near)
    middle = middle[0] * axes[0], middle[1] * axes[1], middle[2] * axes[2]
    entry, _ = geodesic.touch(axes, a, middle)
    leave, _ = geodesic.touch(axes, b, middle)
    guess = vec3.norm(sub(middle, entry)) + vec3.norm(sub(leave, middle))
    found, first, last, length, angle = geodesic.across(axes, a, b, entry, guess)
    if not found or not length > 0.0:
        return entry, middle, leave, guess, -1.0
    half, _, _, _, _ = geodesic.shoot(axes, first, vec3.unit(sub(first, a)), 0.0, 0.5 * length)
    return first, half, last, length, angle


@inner
def _divided(x, axes):
    """Return the components over the semi-axes."""
    return x[0] / axes[0], x[1] / axes[1], x[2] / axes[2]


@inner
def _measure(model, work, m, first, last):
    """Find spans, length [m] and rate [m/s] of muscle m."""
    row, total, rate, p = work.course, 0.0, 0.0, first
    while p < last:
        q = p + 1
        while not met(model, work, q):
            row[q, course.NEXT] = -1.0
            q += 1
        row[p, course.NEXT] = q
        way, span, growth = straight(
            work.body, model.via_kind[p, via.BODY], vec3.load(row, p, course.EXIT),
            model.via_kind[q, via.BODY], vec3.load(row, q, course.ENTRY),
        )  # fmt: skip
        vec3.store(row, p, course.WAY, way)
        total, rate = total + span + row[p, course.ARC], rate + growth
        p = q
    row[last, course.NEXT] = -1.0
    work.pull[m, pull.LENGTH], work.pull[m, pull.RATE] = total, rate


@inner
def end(model, work, p, side):
    """Return body, lever from its joint point [m] and direction of the pull at the start (0) or end (1) of span p."""
    q = p if side == 0 else int(work.course[p, course.NEXT])
    i, way = model.via_kind[q, via.BODY], vec3.load(work.course, p, course.WAY)
    point = vec3.load(work.course, q, course.EXIT if side == 0 else course.ENTRY)
    return i, sub(point, vec3.load(work.body, i, body.JOINT_POINT)), way if side == 0 else scale(-1.0, way)


@inner
def node(model, work, p, k):
    """Return entry (0), middle (1) or exit (2) of the path at point p, for drawing [m].

    Where the muscle passes a shape without touching it, it is the exit of the last point before it.
    """
    while not met(model, work, p):
        p, k = p - 1, 2
    return vec3.load(work.course, p, course.ENTRY if k == 0 else (course.MIDDLE if k == 1 else course.EXIT))
