"""Forces and accelerations at a point of a body, given by its lever from the joint point; spans between two points."""

from .._jit import inlined, inner
from . import vec3
from .layout import body
from .vec3 import add, cross, dot, scale, sub


@inner
def point_velocity(bodies, i, point):
    """Return the velocity [m/s] of the point of body i that is at a place [m] in the world."""
    arm = sub(point, vec3.load(bodies, i, body.POSITION))
    return add(vec3.load(bodies, i, body.VELOCITY), cross(vec3.load(bodies, i, body.SPIN), arm))


@inner
def straight(bodies, one, a, two, b):
    """Return direction, length [m] and rate [m/s] of the span from a of one body to b of another, world places [m]."""
    line = sub(b, a)
    length = vec3.norm(line)
    way = scale(1.0 / length, line) if length > 1e-12 else (0.0, 0.0, 0.0)
    return way, length, dot(way, sub(point_velocity(bodies, two, b), point_velocity(bodies, one, a)))


@inlined
def point_acceleration(bodies, i, lever):
    """Acceleration [m/s2] of the point of body i at `lever` from its joint point."""
    spin = vec3.load(bodies, i, body.SPIN)
    a = add(vec3.load(bodies, i, body.ACCEL), cross(vec3.load(bodies, i, body.ALPHA), lever))
    return add(a, cross(spin, cross(spin, lever)))


@inner
def added_acceleration(bodies, i, lever):
    """Return what the added forces of a response do to that acceleration [m/s2]."""
    return add(vec3.load(bodies, i, body.MORE_ACCEL), cross(vec3.load(bodies, i, body.MORE_ALPHA), lever))


@inner
def push(bodies, i, lever, force):
    """Add a force [N] on body i at `lever` from its joint point; it enters as a bias, with the opposite sign."""
    vec3.increase(bodies, i, body.MORE_FORCE, scale(-1.0, force))
    vec3.increase(bodies, i, body.MORE_MOMENT, scale(-1.0, cross(lever, force)))
