"""Planar absolute coordinates x, y, phi with revolute joints (Hyncik and Cechova, eqs 3-30).

A mechanism in a plane: revolute joints, and planar joints to the world, whose axes all have one direction n, the
normal. The in-plane axes e1, e2 and n are right-handed, so that phi turns counter-clockwise as in eqs 4-15 (ERRATA
E107). Of the engine's loads the part in the plane counts. The joint of bodies i (parent) and j, at s_i and s_j from the
centres of mass, local in-plane axes (the printed a, xbar and ybar are these points along the segments; shoulder: E109,
E110):

    C = r_j + A(phi_j) s_j - r_i - A(phi_i) s_i = 0,     gamma = A(phi_j) s_j phidot_j^2 - A(phi_i) s_i phidot_i^2
"""

from __future__ import annotations

import numpy as np

from ...errors import InputError
from .equation import Equations
from .formulation import Formulation
from .mechanism import Mechanism, Motion
from .orientation import Array, parameters, rotation_matrix

FLAT = ("revolute", "planar", "rigid")
CHAIN, ARM = 8, 3  # segments of the paper's pedestrian: from the foot to the head; arm, forearm and hand
THORAX = 5  # the sixth segment, on which the shoulder is


def pedestrian_constraints(q: Array, half: Array, offset: Array, shoulder: Array) -> Array:
    """Return Phi of the paper's pedestrian of 11 segments, eqs 4 to 15 with E109 and E110 corrected [m], (20,).

    q         x of all centres of mass, then y, then phi (eq. 3) [m, rad], (33,): foot to head, upper arm to hand
    half      a, half the length of each segment [m]
    offset    xbar, ybar, centre of mass along the segment and across it from its middle [m], (11, 2)
    shoulder  the same of the shoulder on the thorax [m]

    `Planar` has the same constraints between any joint points.
    """
    x, y, phi = np.reshape(q, (3, -1))
    xbar, ybar = np.transpose(offset)
    cosine, sine = np.cos(phi), np.sin(phi)
    n = len(x)
    rows = np.zeros(2 * (n - 1))
    for i in [*range(CHAIN - 1), *range(CHAIN, n - 1)]:
        j = i + 1
        rows[i] = (
            -x[i] + x[j] - (half[i] - xbar[i]) * cosine[i] - (half[j] + xbar[j]) * cosine[j]
            - ybar[i] * sine[i] + ybar[j] * sine[j]
        )  # fmt: skip
        rows[n - 1 + i] = (
            -y[i] + y[j] - (half[i] - xbar[i]) * sine[i] - (half[j] + xbar[j]) * sine[j]
            + ybar[i] * cosine[i] - ybar[j] * cosine[j]
        )  # fmt: skip
    i, j = THORAX, CHAIN
    (along, across), k = shoulder - np.array([xbar[i], ybar[i]]), CHAIN - 1
    rows[k] = -x[i] + x[j] - along * cosine[i] + across * sine[i] - (half[j] + xbar[j]) * cosine[j] + ybar[j] * sine[j]
    rows[n - 1 + k] = (
        -y[i] + y[j] - along * sine[i] - across * cosine[i] - (half[j] + xbar[j]) * sine[j] - ybar[j] * cosine[j]
    )
    return rows


class Planar(Formulation):
    """x, y [m] and phi [rad] of every body; phi is zero in the pose in which the body is first met."""

    name, label = "planar", "planar absolute coordinates"

    def __init__(self, mechanism: Mechanism) -> None:
        super().__init__(mechanism)
        self._check()
        self._placed = False

    # --- the plane

    def _check(self) -> None:
        """Refuse what does not move in a plane."""
        if not self.mechanism.joints:
            raise InputError(
                "planar: there is no joint that shows the plane; take euler-parameters-1, which any model can."
            )
        roots = {name for name in self.mechanism.compiled.joints}
        free = [joint.name for joint in self.mechanism.system.joints if joint.type == "free" and joint.name in roots]
        for joint in self.mechanism.joints:
            if joint.type not in FLAT or joint.motion:
                free.append(joint.name)
        if free:
            raise InputError(
                f"planar: joint {free[0]!r} lets its body leave the plane or is driven; planar coordinates take "
                "revolute joints (and planar ones to the world) with parallel axes. Take euler-parameters-1."
            )

    def _place(self, motion: Motion) -> None:
        """Find the normal and keep the poses at phi = 0."""
        constraints = self.constraints
        frames = np.concatenate((motion.rotation, np.eye(3)[None]))
        axes = []
        for k, joint in enumerate(self.mechanism.joints):
            if joint.type != "rigid":
                axis = rotation_matrix(np.array(joint.frame_parent))[:, 2]
                axes.append(frames[self.mechanism.parent[k]] @ axis)
        normal = axes[0]
        for axis in axes:
            if np.linalg.norm(np.cross(axis, normal)) > 1e-9:
                raise InputError("planar: the axes of the joints are not parallel; take euler-parameters-1.")
        off = abs(motion.velocity @ normal).max() + np.linalg.norm(np.cross(motion.spin, normal), axis=1).max()
        if off > 1e-9:
            raise InputError("planar: the bodies move out of the plane at the start; take euler-parameters-1.")
        first = np.array([1.0, 0.0, 0.0]) if abs(normal[0]) < 0.9 else np.array([0.0, 0.0, 1.0])
        first = first - normal * (first @ normal)
        first /= np.linalg.norm(first)
        self.normal, self.plane = normal, np.array([first, np.cross(normal, first)])  # (2, 3)
        self.zero = motion.rotation
        self.height = motion.position @ normal
        about = self.mechanism.world_inertia(motion)
        self.inertia = np.einsum("i,nij,j->n", normal, about, normal)
        # joint points in the plane, from the centres of mass, at phi = 0
        revolute = [k for k, joint in enumerate(self.mechanism.joints) if joint.type != "planar"]
        self.joints = np.array(revolute, dtype=int)
        self.rigid = np.array([k for k in revolute if self.mechanism.joints[k].type == "rigid"], dtype=int)
        s_p, s_c = constraints.local_points
        padded = np.concatenate((self.zero, np.eye(3)[None]))
        self.s_parent = np.einsum("kij,kj->ki", padded[self.mechanism.parent], s_p)[self.joints] @ self.plane.T
        self.s_child = np.einsum("kij,kj->ki", padded[self.mechanism.child], s_c)[self.joints] @ self.plane.T
        self.parent, self.child = self.mechanism.parent[self.joints], self.mechanism.child[self.joints]
        count = len(self.joints)
        self.block = np.repeat(np.stack((self.parent, self.child), axis=1), 2, axis=0)
        if len(self.rigid):
            extra = np.stack((self.mechanism.parent[self.rigid], self.mechanism.child[self.rigid]), axis=1)
            self.block = np.concatenate((self.block, extra))
        self.m = 2 * count + len(self.rigid)
        self._placed = True

    # --- coordinates

    def coordinates(self, motion: Motion, near: Array | None = None) -> tuple[Array, Array]:
        if not self._placed:
            self._place(motion)
        place = motion.position @ self.plane.T
        turn = motion.rotation @ np.swapaxes(self.zero, 1, 2)
        e1, e2 = self.plane
        angle = np.arctan2(turn @ e1 @ e2, turn @ e1 @ e1)
        if near is not None:
            old = near.reshape(-1, 3)[:, 2]
            angle = angle + 2.0 * np.pi * np.round((old - angle) / (2.0 * np.pi))
        q = np.concatenate((place, angle[:, None]), axis=1)
        v = np.concatenate((motion.velocity @ self.plane.T, (motion.spin @ self.normal)[:, None]), axis=1)
        return q.ravel(), v.ravel()

    def motion(self, q: Array, v: Array) -> Motion:
        table_q, table_v = q.reshape(-1, 3), v.reshape(-1, 3)
        half = 0.5 * table_q[:, 2:]
        turn = np.concatenate((np.cos(half), np.sin(half) * self.normal), axis=1)
        rotation = rotation_matrix(turn) @ self.zero
        position = table_q[:, :2] @ self.plane + self.height[:, None] * self.normal
        return Motion(position, parameters(rotation), table_v[:, :2] @ self.plane, table_v[:, 2:] * self.normal)

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def accelerations(self, x: Array) -> Array:
        return x.ravel()

    # --- equations

    def _rows(self, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        """Return C, dC/dt, the Jacobian (m, 2, 3) and gamma of the revolute joints."""
        table_q, table_v = (np.concatenate((flat.reshape(-1, 3), np.zeros((1, 3)))) for flat in (q, v))
        jacobian, gamma = np.zeros((self.m, 2, 3)), np.zeros(self.m)
        value, rate = np.zeros(self.m), np.zeros(self.m)
        count = 2 * len(self.joints)
        for side, (bodies, points, sign) in enumerate(
            ((self.parent, self.s_parent, -1.0), (self.child, self.s_child, 1.0))
        ):
            angle, turning = table_q[bodies, 2], table_v[bodies, 2]
            cosine, sine = np.cos(angle), np.sin(angle)
            arm = np.stack(
                (cosine * points[:, 0] - sine * points[:, 1], sine * points[:, 0] + cosine * points[:, 1]), axis=1
            )
            across = np.stack((-arm[:, 1], arm[:, 0]), axis=1)  # d(A s)/dphi
            value[:count] += sign * (table_q[bodies, :2] + arm).ravel()
            rate[:count] += sign * (table_v[bodies, :2] + across * turning[:, None]).ravel()
            jacobian[0:count:2, side, 0] = jacobian[1:count:2, side, 1] = sign
            jacobian[:count, side, 2] = sign * across.ravel()
            gamma[:count] += sign * (arm * turning[:, None] ** 2).ravel()
        for row, k in enumerate(self.rigid, start=count):
            p, c = self.mechanism.parent[k], self.mechanism.child[k]
            value[row], rate[row] = table_q[c, 2] - table_q[p, 2], table_v[c, 2] - table_v[p, 2]
            jacobian[row, :, 2] = (-1.0, 1.0)
        return value, rate, jacobian, gamma

    def equations(self, time: float, q: Array, v: Array) -> Equations:
        motion = self.motion(q, v)
        force, moment = self.loads(motion, time)
        n = self.mechanism.n
        mass = np.zeros((n, 3, 3))
        mass[:, 0, 0] = mass[:, 1, 1] = self.mechanism.mass
        mass[:, 2, 2] = self.inertia
        right = np.concatenate((force @ self.plane.T, (moment @ self.normal)[:, None]), axis=1)
        value, rate, jacobian, gamma = self._rows(q, v)
        return Equations(mass, right, jacobian, self.block, None, gamma, value, rate)

    def violation(self, time: float, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        value, rate, jacobian, _ = self._rows(q, v)
        n = self.mechanism.n
        full = np.zeros((self.m, n + 1, 3))
        each = np.arange(self.m)
        for side in (0, 1):
            full[each, self.block[:, side]] = jacobian[:, side]
        by_q = full[:, :n].reshape(self.m, 3 * n)
        return value, rate, by_q, by_q

    def row_bodies(self) -> Array:
        n = self.mechanism.n
        return (self.block[:, :1] == np.arange(n)) | (self.block[:, 1:] == np.arange(n))

    def row_label(self, row: int) -> str:
        count = 2 * len(self.joints)
        k = self.joints[row // 2] if row < count else self.rigid[row - count]
        return f"{self.mechanism.joints[k].name}[{row % 2 if row < count else 2}]"

    def reactions(self, time: float, q: Array, v: Array, multipliers: Array) -> tuple[Array, Array]:
        """Return joint forces in the plane, and moments of rigid joints about the normal; loads across are unknown."""
        force = np.zeros((len(self.mechanism.joints), 3))
        moment = np.zeros_like(force)
        count = 2 * len(self.joints)
        force[self.joints] = multipliers[:count].reshape(-1, 2) @ self.plane
        moment[self.rigid] = multipliers[count:, None] * self.normal
        return force, moment
