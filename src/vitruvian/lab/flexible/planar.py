"""The floating frame of reference in the plane: coordinates R, theta and q_f (alnazer2006, shabana2005).

Equation numbers are those of alnazer2006, section 2; E081 to E090 are its misprints. The plane is xy of the body frame.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

from ...flex import FlexibleBody, Marker

SKEW = np.array([[0.0, 1.0], [-1.0, 0.0]])  # I~ of 2.34, A_theta^T A
_UNIT = np.eye(2)


def rotation(angle: float) -> tuple[np.ndarray, np.ndarray]:
    """Return A and A_theta (2, 2)."""
    c, s = cos(angle), sin(angle)
    return np.array([[c, -s], [s, c]]), np.array([[-s, -c], [c, -s]])


class PlanarBody:
    """A flexible body in the plane.

    Coordinates and velocities are (R_x, R_y, theta, q_f). The inertia shape integrals are computed once.
    """

    dimension = 2
    turns = 1

    def __init__(self, body: FlexibleBody) -> None:
        self.body = body
        self.count = body.count
        self.coordinates = self.velocities = 3 + body.count
        self.shift = body.shift[:2]  # S-bar, 2.31 with E083
        self.moment = body.moment[:2]  # I_1, 2.30
        self.inertia = float(body.second[0, 0] + body.second[1, 1])  # 2.38
        self.stretch = body.mixed[0, 0] + body.mixed[1, 1]  # I_o, 2.60
        self.turn = body.mixed[0, 1] - body.mixed[1, 0]  # integral rho u_o^T I~ S, 2.33 with E084
        product = body.product
        self.skew = product[0, 1] - product[1, 0]  # S~, 2.35
        self.modal_mass = product[0, 0] + product[1, 1]  # 2.36
        self.stiffening = body.geometric[2, 2]

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        """Return M of 2.27 (3 + n, 3 + n)."""
        a, slope = rotation(q[2])
        flexible = q[3:]
        matrix = np.empty((self.coordinates, self.coordinates))
        matrix[:2, :2] = self.body.mass * np.eye(2)
        matrix[:2, 2] = matrix[2, :2] = slope @ (self.moment + self.shift @ flexible)  # 2.29
        matrix[:2, 3:] = a @ self.shift  # 2.32
        matrix[3:, :2] = matrix[:2, 3:].T
        matrix[2, 2] = self.inertia + 2.0 * self.stretch @ flexible + flexible @ self.modal_mass @ flexible  # 2.37
        matrix[2, 3:] = matrix[3:, 2] = self.turn + flexible @ self.skew  # 2.33
        matrix[3:, 3:] = self.modal_mass
        return matrix

    def quadratic(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return Q_v of 2.57 to 2.61, with E087, E088 and E089."""
        a, slope = rotation(q[2])
        rate, flexible, moving = v[2], q[3:], v[3:]
        out = self.modal_mass @ flexible + self.stretch
        force = np.empty(self.coordinates)
        force[:2] = rate**2 * a @ (self.shift @ flexible + self.moment) - 2.0 * rate * slope @ (self.shift @ moving)
        force[2] = -2.0 * rate * moving @ out
        force[3:] = rate**2 * out + 2.0 * rate * self.skew @ moving
        return force

    def applied(self, q: np.ndarray, v: np.ndarray, gravity: np.ndarray) -> np.ndarray:
        """Return the elastic, damping, stiffening and gravity forces; gravity in m/s2 (2,)."""
        a, slope = rotation(q[2])
        flexible = q[3:]
        force = np.empty(self.coordinates)
        force[:2] = self.body.mass * gravity
        force[2] = gravity @ slope @ (self.moment + self.shift @ flexible)
        force[3:] = gravity @ a @ self.shift - self.body.stiffness @ flexible - self.body.damping @ v[3:]
        force[3:] -= v[2] ** 2 * self.stiffening @ flexible
        return force

    def point(self, q: np.ndarray, v: np.ndarray, marker: Marker) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return place (2,), Jacobian L of 2.19 (2, 3 + n) and L-dot v (2,) of a marker."""
        a, slope = rotation(q[2])
        shape = marker.shape[:2]
        local, drift = marker.place[:2] + shape @ q[3:], shape @ v[3:]
        jacobian = np.hstack([np.eye(2), (slope @ local)[:, None], a @ shape])
        return q[:2] + a @ local, jacobian, -(v[2] ** 2) * a @ local + 2.0 * v[2] * slope @ drift

    def angle(self, q: np.ndarray, marker: Marker | None) -> tuple[float, np.ndarray]:
        """Return the angle of the section at a marker [rad], or of the frame, and its Jacobian (3 + n,)."""
        row = np.zeros(self.coordinates)
        row[2] = 1.0
        if marker is None:
            return float(q[2]), row
        row[3:] = marker.rotation[2]
        return float(q[2] + marker.rotation[2] @ q[3:]), row

    def rates(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the rates of the coordinates."""
        return v

    def normal(self, q: np.ndarray) -> np.ndarray:
        """Return the coordinates; nothing is normalised in the plane."""
        return q

    def potential(self, q: np.ndarray, gravity: np.ndarray) -> float:
        """Return the elastic and gravity energy [J]."""
        a, _ = rotation(q[2])
        flexible = q[3:]
        weight = self.body.mass * q[:2] + a @ (self.moment + self.shift @ flexible)
        return float(0.5 * flexible @ self.body.stiffness @ flexible - gravity @ weight)

    def momentum(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return linear momentum and angular momentum about the origin of the world (3,)."""
        generalised = self.mass_matrix(q) @ v
        linear = generalised[:2]
        return np.array([*linear, generalised[2] + q[0] * linear[1] - q[1] * linear[0]])
