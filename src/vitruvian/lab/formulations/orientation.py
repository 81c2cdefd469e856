"""Rotations of many bodies at once, in numpy: Euler parameters, Euler angles (ZXZ), matrices from rates to spin.

Arrays have one row per body. Euler parameters p are unit quaternions, scalar first, body to world. Angles in rad.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray


_NEXT, _AFTER = np.array([1, 2, 0]), np.array([2, 0, 1])


def cross(a: Array, b: Array) -> Array:
    """Return a x b of rows of three; faster than numpy.cross."""
    return a.take(_NEXT, -1) * b.take(_AFTER, -1) - a.take(_AFTER, -1) * b.take(_NEXT, -1)


def dot(a: Array, b: Array) -> Array:
    """Return a . b of rows."""
    return np.einsum("...i,...i->...", a, b)


def turned(matrix: Array, vector: Array) -> Array:
    """Return matrix @ vector, row by row."""
    return np.einsum("...ij,...j->...i", matrix, vector)


def turned_back(matrix: Array, vector: Array) -> Array:
    """Return matrix' @ vector, row by row."""
    return np.einsum("...ji,...j->...i", matrix, vector)


def skew(a: Array) -> Array:
    """Return a~ with a~ b = a x b (thesis eq. 3.33)."""
    out = np.zeros((*a.shape, 3))
    out[..., 0, 1], out[..., 0, 2] = -a[..., 2], a[..., 1]
    out[..., 1, 0], out[..., 1, 2] = a[..., 2], -a[..., 0]
    out[..., 2, 0], out[..., 2, 1] = -a[..., 1], a[..., 0]
    return out


# --- Euler parameters


def _linear(rows: tuple[tuple[int, ...], ...]) -> Array:
    """Return the map from p to a 3x4 matrix whose entries are +-p_k, written as k + 1 with the sign."""
    out = np.zeros((4, 12))
    for place, entry in enumerate(entry for row in rows for entry in row):
        out[abs(entry) - 1, place] = np.sign(entry)
    return out


#: G p'p and L p'p of the two functions below, as linear maps from p
_GLOBAL = _linear(((-2, 1, -4, 3), (-3, 4, 1, -2), (-4, -3, 2, 1)))
_LOCAL = _linear(((-2, 1, 4, -3), (-3, -4, 1, 2), (-4, 3, -2, 1)))
#: A = G L' as a map from the products p_i p_j to nine entries
_ROTATION = np.einsum("ark,bck->abrc", _GLOBAL.reshape(4, 3, 4), _LOCAL.reshape(4, 3, 4)).reshape(16, 9)


def global_matrix(p: Array) -> Array:
    """Return G of thesis eq. 3.57, (n, 3, 4), divided by p'p: omega = 2 G pdot in world axes (3.55) for any p != 0.

    The division belongs to that of `rotation_matrix`: only then is 2 G pdot the angular velocity of A off the unit
    sphere. dp/dt = p'p G' omega / 2 keeps the norm.
    """
    return (p @ _GLOBAL).reshape(*p.shape[:-1], 3, 4) / dot(p, p)[..., None, None]


def local_matrix(p: Array) -> Array:
    """Return L of thesis eq. 3.58, (n, 3, 4), divided by p'p: omega = 2 L pdot in body axes (3.56) for any p != 0."""
    return (p @ _LOCAL).reshape(*p.shape[:-1], 3, 4) / dot(p, p)[..., None, None]


def local_matrix_rate(p: Array, rate: Array) -> Array:
    """Return dL/dt of `local_matrix` for dp/dt = rate, (n, 3, 4)."""
    square = dot(p, p)[..., None, None]
    plain = (rate @ _LOCAL).reshape(*p.shape[:-1], 3, 4)
    return plain / square - 2.0 * dot(p, rate)[..., None, None] / square * local_matrix(p)


def rotation_matrix(p: Array) -> Array:
    """Return A of thesis eq. 3.61, divided by p'p (the matrix printed in 3.54 lacks a factor 2: ERRATA E009).

    Because of the division A is a rotation for a p of any length. The maps from dp/dt to the angular velocity,
    `global_matrix` and `local_matrix`, carry the same factor.
    """
    products = (p[..., :, None] * p[..., None, :]).reshape(*p.shape[:-1], 16)
    flat = products @ _ROTATION / dot(p, p)[..., None]
    return flat.reshape(*p.shape[:-1], 3, 3)


def parameters(rotation: Array, near: Array | None = None) -> Array:
    """Return Euler parameters of rotation matrices (n, 3, 3) with the sign closer to `near`.

    Each candidate of the four, from the row with the largest component (no division by small numbers).
    """
    m = rotation
    trace = m[:, 0, 0] + m[:, 1, 1] + m[:, 2, 2]
    squares = np.stack([1.0 + trace, *(1.0 + 2.0 * m[:, k, k] - trace for k in range(3))], axis=1)
    a, b, c = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    d, e, f = m[:, 1, 0] + m[:, 0, 1], m[:, 0, 2] + m[:, 2, 0], m[:, 2, 1] + m[:, 1, 2]
    rows = np.array(
        [[squares[:, 0], a, b, c], [a, squares[:, 1], d, e], [b, d, squares[:, 2], f], [c, e, f, squares[:, 3]]]
    )
    best = squares.argmax(axis=1)
    p = rows[best, :, np.arange(len(m))]
    p = p / np.linalg.norm(p, axis=1, keepdims=True)
    sign = np.where((dot(p, near) if near is not None else p[:, 0]) < 0.0, -1.0, 1.0)
    return p * sign[:, None]


def nearest_rotation(matrix: Array, rate: Array) -> tuple[Array, Array]:
    """Return the rotations R nearest to matrices F = R S (n, 3, 3), and their angular velocity in world axes [rad/s].

    rate  dF/dt. R' dF/dt less its transpose is the tensor of (tr(S) 1 - S) R'omega, so omega belongs to R also where
          a body of natural coordinates has lost its shape.
    """
    turn = matrix
    for _ in range(50):  # Newton's iteration for the polar decomposition: quadratic, and exact where F is a rotation
        last, turn = turn, 0.5 * (turn + np.swapaxes(np.linalg.inv(turn), 1, 2))
        if abs(turn - last).max() < 1e-15:
            break
    shape = np.swapaxes(turn, 1, 2) @ matrix
    twist = np.swapaxes(turn, 1, 2) @ rate
    axial = np.stack(
        (twist[:, 2, 1] - twist[:, 1, 2], twist[:, 0, 2] - twist[:, 2, 0], twist[:, 1, 0] - twist[:, 0, 1]), axis=1
    )
    trace = np.einsum("nii->n", shape)[:, None, None] * np.eye(3)
    return turn, turned(turn, np.linalg.solve(trace - shape, axial[:, :, None])[:, :, 0])


def product(p: Array, q: Array) -> Array:
    """Return the quaternion product p q: the rotation q followed by p."""
    a, b, c, d = np.moveaxis(p, -1, 0)
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.stack(
        (
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ),
        axis=-1,
    )


def exponential(theta: Array) -> Array:
    """Return Euler parameters of rotation vectors [rad]."""
    angle = np.linalg.norm(theta, axis=-1, keepdims=True)
    return np.concatenate((np.cos(0.5 * angle), 0.5 * np.sinc(0.5 * angle / np.pi) * theta), axis=-1)


def angle_between(p: Array, q: Array) -> Array:
    """Return the angle of the rotation from p to q [rad], 0 to pi."""
    conjugate = p * np.array([1.0, -1.0, -1.0, -1.0])
    relative = product(conjugate, q)
    return 2.0 * np.arctan2(np.linalg.norm(relative[..., 1:], axis=-1), abs(relative[..., 0]))


# --- Euler angles, ZXZ: precession psi, nutation theta, spin phi


def euler_rotation(angles: Array) -> Array:
    """Return the matrices A of thesis eq. 3.9 from psi, theta, phi [rad], (n, 3, 3)."""
    (s1, s2, s3), (c1, c2, c3) = np.sin(angles).T, np.cos(angles).T
    rows = (
        (c3 * c1 - c2 * s3 * s1, -c1 * s3 - c3 * c2 * s1, s1 * s2),
        (c3 * s1 + c1 * c2 * s3, c3 * c1 * c2 - s3 * s1, -c1 * s2),
        (s3 * s2, c3 * s2, c2),
    )
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def euler_angles(rotation: Array, near: Array | None = None) -> Array:
    """Return psi, theta, phi [rad] of rotation matrices; theta in 0 to pi, or the branch and turn nearest to `near`."""
    psi = np.arctan2(rotation[:, 0, 2], -rotation[:, 1, 2])
    theta = np.arctan2(np.hypot(rotation[:, 0, 2], rotation[:, 1, 2]), rotation[:, 2, 2])
    phi = np.arctan2(rotation[:, 2, 0], rotation[:, 2, 1])
    first = np.stack((psi, theta, phi), axis=1)
    if near is None:
        return first
    second = np.stack((psi + np.pi, -theta, phi + np.pi), axis=1)
    full = 2.0 * np.pi
    first = first + full * np.round((near - first) / full)
    second = second + full * np.round((near - second) / full)
    closer = np.linalg.norm(second - near, axis=1) < np.linalg.norm(first - near, axis=1)
    return np.where(closer[:, None], second, first)


def euler_global_matrix(angles: Array) -> Array:
    """Return G of thesis eq. 3.16, (n, 3, 3): omega = G thetadot in world axes; singular where sin(nutation) = 0."""
    (s1, s2, _), (c1, c2, _) = np.sin(angles).T, np.cos(angles).T
    zero, one = np.zeros_like(s1), np.ones_like(s1)
    rows = ((zero, c1, s2 * s1), (zero, s1, -s2 * c1), (one, zero, c2))
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def euler_local_matrix(angles: Array) -> Array:
    """Return Gbar = A'G of thesis eq. 3.18, with Gbar(2,2) = -sin(phi), not the printed cos(phi) (ERRATA E001)."""
    (_, s2, s3), (_, c2, c3) = np.sin(angles).T, np.cos(angles).T
    zero, one = np.zeros_like(s2), np.ones_like(s2)
    rows = ((s2 * s3, c3, zero), (s2 * c3, -s3, zero), (c2, zero, one))
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def euler_local_matrix_rate(angles: Array, rates: Array) -> Array:
    """Return dGbar/dt of thesis eq. 3.35."""
    (_, s2, s3), (_, c2, c3) = np.sin(angles).T, np.cos(angles).T
    (_, v2, v3) = rates.T
    zero = np.zeros_like(s2)
    rows = (
        (c2 * s3 * v2 + s2 * c3 * v3, -s3 * v3, zero),
        (c2 * c3 * v2 - s2 * s3 * v3, -c3 * v3, zero),
        (-s2 * v2, zero, zero),
    )
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))
