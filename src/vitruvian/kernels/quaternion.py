"""Unit quaternions (Euler parameters), scalar first, body to world. Angles in rad.

q = (cos(angle/2), sin(angle/2) axis). Sources: thesis eqs 3.43-3.65 with ERRATA E009, E031.
"""

from math import cos, sin, sqrt

from .._jit import inlined, kernel
from .rotation import arc_tangent
from .vec3 import dot


@kernel
def load(flat, k):
    """Return the quaternion [-] in a flat array from place k on."""
    return flat[k], flat[k + 1], flat[k + 2], flat[k + 3]


@kernel
def store(flat, k, q):
    """Write quaternion q [-] into a flat array from place k on."""
    flat[k], flat[k + 1], flat[k + 2], flat[k + 3] = q


@kernel
def load_row(table, i, k):
    """Return the quaternion [-] in row i of a table from column k on."""
    return table[i, k], table[i, k + 1], table[i, k + 2], table[i, k + 3]


@kernel
def store_row(table, i, k, q):
    """Write quaternion q [-] into row i of a table from column k on."""
    table[i, k], table[i, k + 1], table[i, k + 2], table[i, k + 3] = q


@kernel
def product(p, q):
    """p q: the rotation q followed by p [-]."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@kernel
def conjugate(q):
    """Return the quaternion of the opposite rotation [-]."""
    return q[0], -q[1], -q[2], -q[3]


@kernel
def unit(q):
    """Return q / |q| [-]."""
    s = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return s * q[0], s * q[1], s * q[2], s * q[3]


@kernel
def matrix(q):
    """Rotation matrix [-]; exactly orthogonal for a q of any length, so that small drift of the norm does no harm."""
    w, x, y, z = q
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),
        s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x),
        s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y),
    )  # fmt: skip


@kernel
def rotate(q, a):
    """Return vector a rotated by the unit quaternion q, in the unit of a [any unit]."""
    w, x, y, z = q
    tx, ty, tz = 2.0 * (y * a[2] - z * a[1]), 2.0 * (z * a[0] - x * a[2]), 2.0 * (x * a[1] - y * a[0])
    return (
        a[0] + w * tx + y * tz - z * ty,
        a[1] + w * ty + z * tx - x * tz,
        a[2] + w * tz + x * ty - y * tx,
    )


@inlined
def exponential(theta):
    """Quaternion of the rotation vector theta [rad]; exact through zero."""
    squared = dot(theta, theta)
    if squared < 1e-2:
        # series of cos(a/2) and sin(a/2)/a, error below 1e-19; a step seldom turns a body further
        w = 1.0 - squared * (1 / 8 - squared * (1 / 384 - squared * (1 / 46080 - squared / 10321920)))
        s = 0.5 - squared * (1 / 48 - squared * (1 / 3840 - squared * (1 / 645120 - squared / 185794560)))
    else:
        angle = sqrt(squared)
        w = cos(0.5 * angle)
        s = sin(0.5 * angle) / angle
    return w, s * theta[0], s * theta[1], s * theta[2]


@inlined
def logarithm(q):
    """Rotation vector of q [rad], of length 0 to pi; exact through zero, whatever the length of q (ERRATA E031)."""
    w, x, y, z = q
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    e = sqrt(x * x + y * y + z * z)
    # angle/|e|; near zero atan2(e, w) = e/w - (e/w)^3/3
    s = 2.0 * arc_tangent(e, w) / e if e > 1e-5 * w else 2.0 / w * (1.0 - (e / w) ** 2 / 3.0)
    return s * x, s * y, s * z


@kernel
def rate(q, omega):
    """dq/dt of a body with the world angular velocity omega [rad/s]: (0, omega) q / 2 [1/s]."""
    return (
        -0.5 * (omega[0] * q[1] + omega[1] * q[2] + omega[2] * q[3]),
        0.5 * (omega[0] * q[0] + omega[1] * q[3] - omega[2] * q[2]),
        0.5 * (omega[1] * q[0] + omega[2] * q[1] - omega[0] * q[3]),
        0.5 * (omega[2] * q[0] + omega[0] * q[2] - omega[1] * q[1]),
    )


@kernel
def angular_velocity(q, qdot):
    """World angular velocity [rad/s] of a unit quaternion and its rate: 2 qdot conj(q)."""
    _, x, y, z = product(qdot, conjugate(q))
    return 2.0 * x, 2.0 * y, 2.0 * z


@kernel
def from_matrix(m):
    """Return the quaternion [-] of a rotation matrix, with a non-negative scalar; found from the largest component."""
    trace = m[0] + m[4] + m[8]
    if trace > 0.0:
        s = sqrt(trace + 1.0) * 2.0
        q = (0.25 * s, (m[7] - m[5]) / s, (m[2] - m[6]) / s, (m[3] - m[1]) / s)
    elif m[0] > m[4] and m[0] > m[8]:
        s = sqrt(1.0 + m[0] - m[4] - m[8]) * 2.0
        q = ((m[7] - m[5]) / s, 0.25 * s, (m[1] + m[3]) / s, (m[2] + m[6]) / s)
    elif m[4] > m[8]:
        s = sqrt(1.0 + m[4] - m[0] - m[8]) * 2.0
        q = ((m[2] - m[6]) / s, (m[1] + m[3]) / s, 0.25 * s, (m[5] + m[7]) / s)
    else:
        s = sqrt(1.0 + m[8] - m[0] - m[4]) * 2.0
        q = ((m[3] - m[1]) / s, (m[2] + m[6]) / s, (m[5] + m[7]) / s, 0.25 * s)
    if q[0] < 0.0:
        q = (-q[0], -q[1], -q[2], -q[3])
    return q
