"""Arc tangents, and the angular velocity and acceleration of a rotation vector. Angles in rad.

Source of the left Jacobian of SO(3): chirikjian2011.
"""

from math import cos, pi, sin, sqrt

from .._jit import inlined, inner, kernel
from .vec3 import add, axpy, cross, dot, scale


@inlined
def arc_tangent(y, x):
    """atan2(y, x) [rad] for y >= 0 and x >= 0, to the last digits, a few times faster than the library's.

    Rational function of moshier1989 (Cephes atan) on |t| < 0.66, after turning by 0, 45 or 90 degrees.
    """
    if y > 2.414213562373095 * x:
        base, t = 0.5 * pi, -x / y
    elif y > 0.66 * x:
        base, t = 0.25 * pi, (y - x) / (y + x)
    else:
        base, t = 0.0, y / x if x > 0.0 else 0.0
    z = t * t
    p = -8.750608600031904122785e-1
    p = p * z - 1.615753718733365076637e1
    p = p * z - 7.500855792314704667340e1
    p = p * z - 1.228866684490136173410e2
    p = p * z - 6.485021904942025371773e1
    q = z + 2.485846490142306297962e1
    q = q * z + 1.650270098316988542046e2
    q = q * z + 4.328810604912902668951e2
    q = q * z + 4.853903996359136964868e2
    q = q * z + 1.945506571482613964425e2
    return base + (t + t * z * p / q)


@inlined
def angle(y, x):
    """Return atan2(y, x) [rad], by `arc_tangent`."""
    t = arc_tangent(abs(y), abs(x))
    if x < 0.0:
        t = pi - t
    return t if y >= 0.0 else -t


# --- rotation vector


@kernel
def left_jacobian_dot(theta, a):
    """J_l(theta) a: the angular velocity [rad/s] of a rotation vector theta [rad] that changes at the rate a.

    J_l = 1 + b [theta] + c [theta]^2,  b = (1 - cos t)/t^2,  c = (t - sin t)/t^3,  t = |theta|
    """
    b, c, _, _ = _jacobian_coefficients(dot(theta, theta))
    first = cross(theta, a)
    return add(a, axpy(b, first, scale(c, cross(theta, first))))


@inner
def left_jacobian(theta):
    """J_l(theta): nine entries [-]."""
    b, c, _, _ = _jacobian_coefficients(dot(theta, theta))
    x, y, z = theta
    bx, by, bz = b * x, b * y, b * z
    xy, xz, yz = c * x * y, c * x * z, c * y * z
    xx, yy, zz = c * x * x, c * y * y, c * z * z
    return (
        1.0 - yy - zz, xy - bz, xz + by,
        xy + bz, 1.0 - xx - zz, yz - bx,
        xz - by, yz + bx, 1.0 - xx - yy,
    )  # fmt: skip


@kernel
def angular_acceleration(theta, rate, acceleration):
    """d/dt (J_l(theta) rate) [rad/s2] of a rotation vector [rad], its rate [rad/s] and its acceleration [rad/s2]."""
    _, c, db, dc = _jacobian_coefficients(dot(theta, theta))
    turn = dot(theta, rate)  # t dt/dtime
    first = cross(theta, rate)
    second = cross(theta, first)
    change = add(scale(db * turn, first), axpy(dc * turn, second, scale(c, cross(rate, first))))
    return add(left_jacobian_dot(theta, acceleration), change)


@inner
def _jacobian_coefficients(squared):
    """b, c of the left Jacobian and their derivatives by t, each divided by t; series near zero."""
    if squared < 1e-2:
        b = 0.5 - squared * (1.0 / 24.0 - squared * (1.0 / 720.0 - squared * (1.0 / 40320.0 - squared / 3628800.0)))
        c = 1.0 / 6.0 - squared * (1.0 / 120.0 - squared * (1.0 / 5040.0 - squared / 362880.0))
        db = -1.0 / 12.0 + squared * (1.0 / 180.0 - squared * (1.0 / 6720.0 - squared / 453600.0))
        dc = -1.0 / 60.0 + squared * (1.0 / 1260.0 - squared / 60480.0)
        return b, c, db, dc
    t = sqrt(squared)
    b = (1.0 - cos(t)) / squared
    c = (t - sin(t)) / (squared * t)
    db = (sin(t) / t - 2.0 * b) / squared
    dc = ((1.0 - cos(t)) / squared - 3.0 * c) / squared
    return b, c, db, dc
