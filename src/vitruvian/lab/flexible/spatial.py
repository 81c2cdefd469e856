"""The floating frame of reference in space: place R, Euler parameters p and modal coordinates q_f.

Velocities are R-dot, the angular velocity in the body frame and q_f-dot. The rates of the Euler parameters follow from
the angular velocity, which replaces the constraint p^T p = 1.
"""

from __future__ import annotations

import numpy as np

from ...flex import FlexibleBody, Marker

_LEVI_CIVITA = np.zeros((3, 3, 3))
for _i, _j, _k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    _LEVI_CIVITA[_i, _j, _k], _LEVI_CIVITA[_i, _k, _j] = 1.0, -1.0


def rotation(p: np.ndarray) -> np.ndarray:
    """Return A (3, 3) of Euler parameters, scalar first, body to world."""
    w, x, y, z = p / np.linalg.norm(p)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def skew(a: np.ndarray) -> np.ndarray:
    """Return the matrix of the cross product a x (3, 3)."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


class SpatialBody:
    """A flexible body in space: coordinates (R, p, q_f), velocities (R-dot, omega in the body frame, q_f-dot)."""

    dimension = 3
    turns = 3

    def __init__(self, body: FlexibleBody) -> None:
        self.body = body
        self.count = body.count
        self.coordinates, self.velocities = 7 + body.count, 6 + body.count

    def _second(self, flexible: np.ndarray) -> np.ndarray:
        """Return the integral of rho u u^T (3, 3)."""
        mixed = self.body.mixed @ flexible
        found: np.ndarray = self.body.second + mixed + mixed.T + self.body.product @ flexible @ flexible
        return found

    def _with_shape(self, flexible: np.ndarray) -> np.ndarray:
        """Return the integral of rho u_i S_j (3, 3, n)."""
        found: np.ndarray = self.body.mixed + np.einsum("k,ijkl->ijl", flexible, self.body.product)
        return found

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        """Return the mass matrix for the velocities (6 + n, 6 + n)."""
        a, flexible = rotation(q[3:7]), q[7:]
        second = self._second(flexible)
        matrix = np.empty((self.velocities, self.velocities))
        matrix[:3, :3] = self.body.mass * np.eye(3)
        matrix[:3, 3:6] = -a @ skew(self.body.moment + self.body.shift @ flexible)
        matrix[:3, 6:] = a @ self.body.shift
        matrix[3:6, 3:6] = np.trace(second) * np.eye(3) - second
        matrix[3:6, 6:] = np.einsum("ijl,jlk->ik", _LEVI_CIVITA, self._with_shape(flexible))
        matrix[6:, 6:] = self.body.modal_mass
        for low, high in ((3, 6), (6, self.velocities)):
            matrix[low:high, :low] = matrix[:low, low:high].T
        return matrix

    def quadratic(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the quadratic velocity vector (6 + n,)."""
        a, flexible, spin, moving = rotation(q[3:7]), q[7:], v[3:6], v[6:]
        turning = skew(spin)
        centripetal = turning @ turning
        centre, drift = self.body.moment + self.body.shift @ flexible, self.body.shift @ moving
        with_shape = self._with_shape(flexible)
        second = self._second(flexible)
        inertia = np.trace(second) * np.eye(3) - second
        flow = with_shape @ moving  # integral of rho u_i s-dot_j
        force = np.empty(self.velocities)
        force[:3] = -a @ (centripetal @ centre + 2.0 * turning @ drift)
        force[3:6] = -turning @ (inertia @ spin) - 2.0 * (np.trace(flow) * spin - flow.T @ spin)
        moved = np.einsum("k,jlkm->jlm", moving, self.body.product)  # integral of rho s-dot_j S_l
        force[6:] = -np.einsum("ij,jik->k", centripetal, with_shape)
        force[6:] -= 2.0 * np.einsum("i,ijl,jlk->k", spin, _LEVI_CIVITA, moved)
        return force

    def applied(self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray) -> np.ndarray:
        """Return the elastic, damping, stiffening and gravity forces; gravity in m/s2 (3,)."""
        flexible, local = q[7:], gravity @ rotation(q[3:7])
        force = np.empty(self.velocities)
        force[:3] = self.body.mass * gravity
        force[3:6] = np.cross(self.body.moment + self.body.shift @ flexible, local)
        stiffening = np.einsum("i,j,ijkl->kl", v[3:6], v[3:6], self.body.geometric)
        force[6:] = local @ self.body.shift - (self.body.stiffness + stiffening) @ flexible - self.body.damping @ v[6:]
        return force

    def point(self, q: np.ndarray, v: np.ndarray, marker: Marker) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return place (3,), Jacobian (3, 6 + n) and its rate times v (3,) of a marker."""
        a = rotation(q[3:7])
        local, drift = marker.place + marker.shape @ q[7:], marker.shape @ v[6:]
        turning = skew(v[3:6])
        jacobian = np.hstack([np.eye(3), -a @ skew(local), a @ marker.shape])
        return q[:3] + a @ local, jacobian, a @ (turning @ turning @ local + 2.0 * turning @ drift)

    def rates(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the rates of the coordinates."""
        w, x, y, z = q[3:7]
        spin = np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])
        return np.concatenate([v[:3], 0.5 * spin @ v[3:6], v[6:]])

    def normal(self, q: np.ndarray) -> np.ndarray:
        """Return the coordinates with unit Euler parameters."""
        q = q.copy()
        q[3:7] /= np.linalg.norm(q[3:7])
        return q

    def potential(self, q: np.ndarray, gravity: np.ndarray) -> float:
        """Return the elastic and gravity energy [J]."""
        flexible = q[7:]
        weight = self.body.mass * q[:3] + rotation(q[3:7]) @ (self.body.moment + self.body.shift @ flexible)
        return float(0.5 * flexible @ self.body.stiffness @ flexible - gravity @ weight)

    def momentum(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return linear momentum and angular momentum about the origin of the world (6,)."""
        generalised = self.mass_matrix(q) @ v
        linear = generalised[:3]
        return np.concatenate([linear, rotation(q[3:7]) @ generalised[3:6] + np.cross(q[:3], linear)])
