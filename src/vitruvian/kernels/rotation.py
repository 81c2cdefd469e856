"""Other measures of a rotation, both ways, and their angular velocity maps. Angles in rad, matrices body to world.

Sources: thesis eqs 3.5-3.18 (Euler angles, ERRATA E001); left Jacobian of SO(3): chirikjian2011.
"""

from math import acos, atan2, cos, pi, sin, sqrt

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


@kernel
def left_jacobian_inverse_dot(theta, a):
    """J_l(theta)^-1 a: the rate of a rotation vector [rad/s] under the angular velocity a [rad/s]."""
    first = cross(theta, a)
    return add(a, axpy(-0.5, first, scale(_inverse_coefficient(theta), cross(theta, first))))


@kernel
def left_jacobian_inverse_transposed_dot(theta, a):
    """J_l(theta)^-T a: takes a gradient dV/dtheta to a moment; = J_l(-theta)^-1 a."""
    first = cross(theta, a)
    return add(a, axpy(0.5, first, scale(_inverse_coefficient(theta), cross(theta, first))))


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


@inner
def _inverse_coefficient(theta):
    """(1 - (t/2) cot(t/2)) / t^2 of the inverse left Jacobian; series near zero."""
    squared = dot(theta, theta)
    if squared < 1e-3:
        return 1.0 / 12.0 + squared * (1.0 / 720.0 + squared / 30240.0)
    half = 0.5 * sqrt(squared)
    return (1.0 - half * cos(half) / sin(half)) / squared


# --- swing and twist


@kernel
def swing_twist(q):
    """Split q = swing twist, the twist about z first: rotation vector of the swing (x, y) and twist angle [rad].

    Exact everywhere but where the z axis is turned to its opposite.
    """
    w, x, y, z = q
    twist = 2.0 * atan2(z, w)
    if twist > pi:
        twist -= 2.0 * pi
    elif twist < -pi:
        twist += 2.0 * pi
    # direction of the turned z axis
    s = 2.0 / (w * w + x * x + y * y + z * z)
    dx, dy, dz = s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)
    k = swing_ratio(dx, dy, dz)
    return -k * dy, k * dx, twist


@kernel
def swing_ratio(dx, dy, dz):
    """beta / sin(beta) of the angle beta between z and the direction d [-]; exact through zero."""
    sine = sqrt(dx * dx + dy * dy)
    if sine < 1e-4 and dz > 0.0:
        return 1.0 + sine * sine / 6.0
    return atan2(sine, dz) / sine


# --- Euler angles ZXZ (precession psi, nutation theta, spin phi)


@kernel
def euler_zxz_matrix(psi, theta, phi):
    """Rotation matrix Rz(psi) Rx(theta) Rz(phi) [-]."""
    cp, sp, ct, st, cf, sf = cos(psi), sin(psi), cos(theta), sin(theta), cos(phi), sin(phi)
    return (
        cp * cf - sp * ct * sf, -cp * sf - sp * ct * cf, sp * st,
        sp * cf + cp * ct * sf, -sp * sf + cp * ct * cf, -cp * st,
        st * sf, st * cf, ct,
    )  # fmt: skip


@kernel
def euler_zxz(m):
    """Euler angles psi, theta, phi [rad] of a rotation matrix, theta in [0, pi]; phi = 0 where it is not defined."""
    st = sqrt(m[2] * m[2] + m[5] * m[5])
    theta = atan2(st, m[8])
    if st < 1e-12:
        return atan2(m[3], m[0]), theta, 0.0
    return atan2(m[2], -m[5]), theta, atan2(m[6], m[7])


@kernel
def euler_zxz_velocity(psi, theta, phi, rates):
    """World angular velocity [rad/s] of the rates of psi, theta, phi [rad/s]: G rates (thesis eq. 3.16)."""
    cp, sp, ct, st = cos(psi), sin(psi), cos(theta), sin(theta)
    return (
        cp * rates[1] + sp * st * rates[2],
        sp * rates[1] - cp * st * rates[2],
        rates[0] + ct * rates[2],
    )


@kernel
def euler_zxz_rates(psi, theta, phi, omega):
    """Rates of psi, theta, phi [rad/s] of a world angular velocity [rad/s]; singular at theta = 0 and pi."""
    cp, sp, ct, st = cos(psi), sin(psi), cos(theta), sin(theta)
    spin = (sp * omega[0] - cp * omega[1]) / st
    return omega[2] - ct * spin, cp * omega[0] + sp * omega[1], spin


# --- Cardan angles XYZ


@kernel
def cardan_xyz_matrix(a, b, c):
    """Rotation matrix Rx(a) Ry(b) Rz(c) [-]."""
    ca, sa, cb, sb, cc, sc = cos(a), sin(a), cos(b), sin(b), cos(c), sin(c)
    return (
        cb * cc, -cb * sc, sb,
        ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb,
        sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb,
    )  # fmt: skip


@kernel
def cardan_xyz(m):
    """Cardan angles a, b, c [rad] of a rotation matrix, b in [-pi/2, pi/2]; at |b| = pi/2, c is set to 0."""
    cb = sqrt(m[0] * m[0] + m[1] * m[1])
    b = atan2(m[2], cb)
    if cb < 1e-12:
        return atan2(m[7], m[4]), b, 0.0
    return atan2(-m[5], m[8]), b, atan2(-m[1], m[0])


@kernel
def cardan_xyz_velocity(a, b, c, rates):
    """World angular velocity [rad/s] of the rates of a, b, c [rad/s]."""
    ca, sa, cb, sb = cos(a), sin(a), cos(b), sin(b)
    return (
        rates[0] + sb * rates[2],
        ca * rates[1] - sa * cb * rates[2],
        sa * rates[1] + ca * cb * rates[2],
    )


@kernel
def cardan_xyz_rates(a, b, c, omega):
    """Rates of a, b, c [rad/s] of a world angular velocity [rad/s]; singular at |b| = pi/2."""
    ca, sa, cb, sb = cos(a), sin(a), cos(b), sin(b)
    third = (ca * omega[2] - sa * omega[1]) / cb
    return omega[0] - sb * third, ca * omega[1] + sa * omega[2], third


# --- Rodrigues parameters tan(angle/2) axis


@kernel
def rodrigues(q):
    """Rodrigues parameters [-] of a quaternion; infinite at half a turn."""
    return q[1] / q[0], q[2] / q[0], q[3] / q[0]


@kernel
def rodrigues_quaternion(g):
    """Unit quaternion of Rodrigues parameters [-]."""
    w = 1.0 / sqrt(1.0 + dot(g, g))
    return w, w * g[0], w * g[1], w * g[2]


@kernel
def rodrigues_velocity(g, rates):
    """World angular velocity [rad/s] of the rates of Rodrigues parameters [1/s]: 2 (rates + g x rates)/(1 + g.g)."""
    return scale(2.0 / (1.0 + dot(g, g)), add(rates, cross(g, rates)))


@kernel
def rodrigues_rates(g, omega):
    """Rates of Rodrigues parameters [1/s] of a world angular velocity [rad/s]: (omega + (g.omega) g - g x omega)/2."""
    return scale(0.5, add(omega, axpy(dot(g, omega), g, cross(omega, g))))


@kernel
def angle_between(a, b):
    """Angle between two unit vectors [rad]."""
    return acos(min(1.0, max(-1.0, dot(a, b))))
