"""Webbing and muscles over an ellipsoid: a tangent and the geodesic from there on, by shooting.

From the point P the tangent touches the ellipsoid at a point a of its contour (a curve, so one unknown). The geodesic
starts there in the direction of the tangent, x'' = -(t . H t / g . g) g with g = x / axes^2 and H = 1 / axes^2, and
after a length s (the second unknown) it must arrive at the target. Newton's method has its derivatives from the Jacobi
field j'' = -K j, K the Gaussian curvature. Webbing arrives at a point of the surface, a muscle at the tangent to its
next point (`across`).
"""

from math import sqrt

from .._jit import inner, kernel
from .vec3 import add, axpy, cross, dot, scale, sub

STEPS = 12  # of Runge-Kutta along the geodesic
TURNS = 40  # most steps of Newton's method
CLOSE = 1e-10  # distance of the geodesic from its target [m]


@inner
def _times(a, b):
    """Return the products of the components."""
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


@kernel
def normal(axes, x):
    """Return the unit normal [-] of the ellipsoid at a point [m]."""
    g = (x[0] / (axes[0] * axes[0]), x[1] / (axes[1] * axes[1]), x[2] / (axes[2] * axes[2]))
    return scale(1.0 / sqrt(dot(g, g)), g)


@kernel
def touch(axes, point, guess):
    """Return where the tangent from a point [m] touches the ellipsoid, near a guess [m], and the direction of the
    contour there [m]; zeros if the point is inside. All in the axes of the ellipsoid."""
    inverse = (1.0 / axes[0], 1.0 / axes[1], 1.0 / axes[2])
    p = _times(point, inverse)
    square = dot(p, p)
    if not square > 1.0 + 1e-12:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    g = _times(guess, inverse)
    away = axpy(-dot(g, p) / square, p, g)
    size = sqrt(dot(away, away))
    if not size > 1e-12:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    away = scale(1.0 / size, away)
    radius = sqrt(1.0 - 1.0 / square)
    at = axpy(radius, away, scale(1.0 / square, p))
    along = scale(radius / sqrt(square), cross(p, away))
    return _times(at, axes), _times(along, axes)


@inner
def _slope(h, gauss, x, t, j):
    """Return the second derivatives of the geodesic and the Jacobi field, and the normal curvature [1/m]."""
    g = _times(x, h)
    square = dot(g, g)
    bend = dot(t, _times(t, h))
    return scale(-bend / square, g), -gauss / (square * square) * j, bend / sqrt(square)


@kernel
def shoot(axes, x, t, spread, length):
    """Follow the geodesic from x [m] in the unit direction t over a length [m].

    spread  rate at which a neighbour that starts 1 m aside departs [1/m]
    Returns end, direction, distance of the neighbour and its rate, and the angle by which the direction has turned.
    """
    h = (1.0 / (axes[0] * axes[0]), 1.0 / (axes[1] * axes[1]), 1.0 / (axes[2] * axes[2]))
    gauss = h[0] * h[1] * h[2]
    j, dj, angle, ds = 1.0, spread, 0.0, length / STEPS
    for _ in range(STEPS):
        a1, b1, c1 = _slope(h, gauss, x, t, j)
        t2, d2 = axpy(0.5 * ds, a1, t), dj + 0.5 * ds * b1
        a2, b2, c2 = _slope(h, gauss, axpy(0.5 * ds, t, x), t2, j + 0.5 * ds * dj)
        t3, d3 = axpy(0.5 * ds, a2, t), dj + 0.5 * ds * b2
        a3, b3, c3 = _slope(h, gauss, axpy(0.5 * ds, t2, x), t3, j + 0.5 * ds * d2)
        t4, d4 = axpy(ds, a3, t), dj + ds * b3
        a4, b4, c4 = _slope(h, gauss, axpy(ds, t3, x), t4, j + ds * d3)
        x = axpy(ds / 6.0, add(add(t, t4), scale(2.0, add(t2, t3))), x)
        t = axpy(ds / 6.0, add(add(a1, a4), scale(2.0, add(a2, a3))), t)
        j, dj = j + ds / 6.0 * (dj + d4 + 2.0 * (d2 + d3)), dj + ds / 6.0 * (b1 + b4 + 2.0 * (b2 + b3))
        angle += ds / 6.0 * (c1 + c4 + 2.0 * (c2 + c3))
    return x, t, j, dj, angle


@kernel
def reach(axes, start, target, guess, length):
    """Find the webbing from a point outside [m] to a point on the ellipsoid [m], near a guess.

    guess   of the first point of contact [m]; length: of the webbing on the ellipsoid [m], 0 if not known
    Returns whether it was found; first point of contact, direction there, length on the ellipsoid [m], angle by which
    it turns there [rad]; direction at the target, and by how much that turns if the target moves aside [1/m]. A target
    in sight of the start is reached without contact before it.
    """
    line = sub(target, start)
    far = sqrt(dot(line, line))
    way = scale(1.0 / far, line)
    if dot(normal(axes, target), line) <= 0.0:
        return True, target, way, 0.0, 0.0, way, 1.0 / far
    first, along = touch(axes, start, target if length <= 0.0 else guess)
    out, angle, turn = way, 0.0, 0.0
    if not dot(along, along) > 0.0:
        return False, target, way, 0.0, 0.0, way, 1.0 / far
    if length <= 0.0:
        gap = sub(target, first)
        length = sqrt(dot(gap, gap))
    longest = 0.3 * min(axes[0], axes[1])
    for _ in range(TURNS):
        line = sub(first, start)
        far = sqrt(dot(line, line))
        way = scale(1.0 / far, line)
        last, out, j, dj, angle = shoot(axes, first, way, 1.0 / far, length)
        gap, turn = sub(target, last), dj / j
        miss, ahead = dot(gap, cross(normal(axes, last), out)), dot(gap, out)
        if abs(miss) < CLOSE and abs(ahead) < CLOSE:
            return True, first, way, length, angle, out, turn
        shift = miss / j
        cut = max(1.0, max(abs(shift), abs(ahead)) / longest)
        if not cut < 1e6:
            break
        aside = dot(along, cross(normal(axes, first), way))
        shift = shift / cut / aside
        length += ahead / cut - shift * dot(along, way)
        first, along = touch(axes, start, axpy(shift, along, first))
        if not dot(along, along) > 0.0:
            break
    return False, first, way, length, angle, out, turn


@kernel
def across(axes, start, target, guess, length):
    """Find the shortest path over the ellipsoid between two points outside [m], near a guess.

    guess   of the first point of contact [m]; length: of the path on the ellipsoid [m]
    Returns whether it was found; first point of contact, last one, length between them [m] and angle [rad] by which it
    turns there. The last point Q and the direction t there meet n . (target - Q) = 0 and (n x t) . (target - Q) = 0.
    """
    first, along = touch(axes, start, guess)
    last, angle = first, 0.0
    longest = 0.3 * min(axes[0], axes[1], axes[2])
    for _ in range(TURNS):
        if not dot(along, along) > 0.0:
            break
        line = sub(first, start)
        far = sqrt(dot(line, line))
        way = scale(1.0 / far, line)
        last, out, j, dj, angle = shoot(axes, first, way, 1.0 / far, length)
        up, gap = normal(axes, last), sub(target, last)
        miss, above, ahead = dot(gap, cross(up, out)), dot(gap, up), dot(gap, out)
        if abs(miss) < CLOSE and abs(above) < CLOSE:
            return True, first, last, length, angle
        g = (last[0] / (axes[0] * axes[0]), last[1] / (axes[1] * axes[1]), last[2] / (axes[2] * axes[2]))
        bend = out[0] ** 2 / axes[0] ** 2 + out[1] ** 2 / axes[1] ** 2 + out[2] ** 2 / axes[2] ** 2
        shift, more = miss / (j + dj * ahead), -above * sqrt(dot(g, g)) / (bend * ahead)
        cut = max(1.0, max(abs(shift), abs(more)) / longest)
        if not cut < 1e6:
            break
        shift = shift / cut / dot(along, cross(normal(axes, first), way))
        length += more / cut - shift * dot(along, way)
        first, along = touch(axes, start, axpy(shift, along, first))
    return False, first, last, length, angle
