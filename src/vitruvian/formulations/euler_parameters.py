"""Euler parameters: the three formulations of the thesis (eqs 3.43-3.79) and the global form of paper 001 (eqs 12-22).

p is the unit quaternion of a body, A = G L', omega = 2 G pdot (world), 2 L pdot (body). d is the vector from the
reference point to the centre of mass; it is zero in the seeds (centroidal) and gives the terms with m d~ here.

The multiplier sigma of |p| = 1 is solved for with the accelerations and never integrated (ERRATA E017).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .equation import Equations
from .formulation import Absolute
from .mechanism import Motion
from .rotation import Array, cross, dot, global_matrix, local_matrix, parameters, rotation_matrix, skew, turned
from .rotation import turned_back as back


class _Parameters(Absolute):
    """Coordinates R, p and velocities dR/dt, dp/dt of every body."""

    width = (7, 7)
    #: place of the row of |p| = 1 in a block, and its factor against 2 p'p'' = -2 pdot'pdot
    norm_row: tuple[int, float] | None = None

    def fed_back(self, equations: Equations, q: Array, v: Array, alpha: float, beta: float) -> Equations:
        """The joints and |p| = 1."""
        equations = super().fed_back(equations, q, v, alpha, beta)
        if self.norm_row is None:
            return equations
        table_q, table_v = self.split(q, v)
        p, p_rate = table_q[:, 3:], table_v[:, 3:]
        force, (place, factor) = equations.force.copy(), self.norm_row
        force[:, place] -= factor * (4.0 * alpha * dot(p, p_rate) + beta**2 * (dot(p, p) - 1.0))
        return replace(equations, force=force)

    def orientation(self, q: Array) -> Array:
        return rotation_matrix(q[:, 3:])

    def quaternions(self, q: Array, turn: Array) -> Array:
        return q[:, 3:] / np.linalg.norm(q[:, 3:], axis=1, keepdims=True)

    def spin_matrix(self, q: Array) -> Array:
        """2 G (eq. 3.55); 2 dG/dt dp/dt is zero, so there is no bias."""
        return 2.0 * global_matrix(q[:, 3:])

    def coordinates(self, motion: Motion, near: Array | None = None) -> tuple[Array, Array]:
        turn = motion.rotation
        arm = turned(turn, self.offset)
        p = motion.orientation
        if near is not None:
            old = near.reshape(self.mechanism.n, -1)[:, 3:7]
            p = parameters(turn, old)
        place = np.concatenate((motion.position - arm, p), axis=1)
        velocity = motion.velocity - cross(motion.spin, arm)
        # dp/dt = G' omega / 2
        speed = np.concatenate((velocity, self.turning(p, turn, motion.spin)), axis=1)
        return place.ravel(), speed.ravel()

    def turning(self, p: Array, turn: Array, spin: Array) -> Array:
        """Rotational velocities of an angular velocity."""
        return 0.5 * back(global_matrix(p), spin)

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def violation(self, time: float, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        motion = self.motion(q, v)
        table_q, table_v = self.split(q, v)
        rows, jacobian, _, _ = self.joint_rows(table_q, motion, time)
        p, p_rate = table_q[:, 3:], table_v[:, 3:]
        by_q = self.scattered(jacobian)
        value = np.concatenate((rows.value, dot(p, p) - 1.0))
        rate = np.concatenate((rows.rate, 2.0 * dot(p, p_rate)))
        full = np.concatenate((by_q, self.norm_jacobian(p)))
        return value, rate, full, full

    def norm_jacobian(self, p: Array) -> Array:
        """d(p'p)/dq = 2 p' of every body."""
        n = self.mechanism.n
        out = np.zeros((n, n, 7))
        out[np.arange(n), np.arange(n), 3:] = 2.0 * p
        return out.reshape(n, 7 * n)

    def accelerations(self, x: Array) -> Array:
        return x[:, :7].ravel()

    def coupling(self, arm: Array, matrix: Array) -> Array:
        """-m d~ E: how the reference point and the rotation share momentum; zero at the centre of mass."""
        return -self.mechanism.mass[:, None, None] * (skew(arm) @ matrix)


class Formulation1(_Parameters):
    """Formulation 1 (eqs 3.67-3.79): 8 unknowns a body, symmetric; used by the thesis for its human body.

    [ m        -2 m d~ G     0  ] [ R''   ]   [ f - m omega x (omega x d)      ]
    [ sym.   4 L' Jbar L    2 p ] [ p''   ] = [ 2 G' n - 8 Ldot' Jbar L pdot   ]
    [ 0         2 p'         0  ] [ sigma ]   [ -2 pdot' pdot                  ]

    Against the print: minus before 8 Ldot' Jbar L pdot (E012), the factor 2 of the last row (E011), the moment
    2 G' (u x f) (E010), transposed C_q in the right column (E015).
    """

    name, label = "euler-parameters-1", "Euler parameters, formulation 1"
    norm_row = (7, 1.0)

    def equations(self, time: float, q: Array, v: Array) -> Equations:
        motion = self.motion(q, v)
        n, mass = self.mechanism.n, self.mechanism.mass
        table_q, table_v = self.split(q, v)
        rows, joints, matrix, arm = self.joint_rows(table_q, motion, time)
        force, moment = self.applied(motion, arm, time)
        p, p_rate = table_q[:, 3:], table_v[:, 3:]
        local, local_rate = local_matrix(p), local_matrix(p_rate)
        turning = self.inertia @ local

        blocks = np.zeros((n, 8, 8))
        blocks[:, [0, 1, 2], [0, 1, 2]] = mass[:, None]
        blocks[:, 3:7, 3:7] = 4.0 * np.swapaxes(local, 1, 2) @ turning
        blocks[:, 3:7, 7] = blocks[:, 7, 3:7] = 2.0 * p
        if not self.centroidal:
            blocks[:, :3, 3:7] = self.coupling(arm, matrix)
            blocks[:, 3:7, :3] = np.swapaxes(blocks[:, :3, 3:7], 1, 2)

        right = np.zeros((n, 8))
        right[:, :3] = force
        right[:, 3:7] = back(matrix, moment) - 8.0 * back(local_rate, turned(turning, p_rate))
        right[:, 7] = -2.0 * dot(p_rate, p_rate)
        jacobian = np.zeros((self.constraints.m, 2, 8))
        jacobian[:, :, :7] = joints
        return Equations(blocks, right, jacobian, self.constraints.body, None, rows.gamma, rows.value, rows.rate)


class Formulation2(_Parameters):
    """Formulation 2 (eq. 3.73): 7 unknowns a body, the rotational equation in body axes, no sigma.

    [ m           -2 m d~ G ] [ R'' ]   [ f - m omega x (omega x d) ]
    [ m d~bar A'   2 Jbar L ] [ p'' ] = [ nbar - L H pdot           ]     H = 4 Ldot' Jbar L
    [ 0            p'       ]           [ -pdot' pdot               ]

    It has no singular position, whatever the thesis says: [2 Jbar L; p'] is regular for every unit p (E013).
    """

    name, label = "euler-parameters-2", "Euler parameters, formulation 2"
    norm_row = (6, 0.5)

    def equations(self, time: float, q: Array, v: Array) -> Equations:
        motion = self.motion(q, v)
        n, mass, m = self.mechanism.n, self.mechanism.mass, self.constraints.m
        table_q, table_v = self.split(q, v)
        rows, joints, matrix, arm = self.joint_rows(table_q, motion, time)
        force, moment = self.applied(motion, arm, time)
        p, p_rate = table_q[:, 3:], table_v[:, 3:]
        turn, local, local_rate = motion.rotation, local_matrix(p), local_matrix(p_rate)
        turning = self.inertia @ local

        blocks = np.zeros((n, 7, 7))
        blocks[:, [0, 1, 2], [0, 1, 2]] = mass[:, None]
        blocks[:, 3:6, 3:] = 2.0 * turning
        blocks[:, 6, 3:] = p
        if not self.centroidal:
            blocks[:, :3, 3:] = self.coupling(arm, matrix)
            blocks[:, 3:6, :3] = mass[:, None, None] * (skew(self.offset) @ np.swapaxes(turn, 1, 2))
        right = np.zeros((n, 7))
        right[:, :3] = force
        quadratic = 4.0 * turned(local, back(local_rate, turned(turning, p_rate)))
        right[:, 3:6] = back(turn, moment) - quadratic
        right[:, 6] = -dot(p_rate, p_rate)

        padded = np.concatenate((turn, np.eye(3)[None]))[self.constraints.body]
        spread = np.zeros((m, 2, 7))
        spread[:, :, :3], spread[:, :, 3:6] = rows.linear, back(padded, rows.angular)
        return Equations(blocks, right, joints, self.constraints.body, spread, rows.gamma, rows.value, rows.rate)


class Global(_Parameters):
    """The global-frame form of paper 001 (eqs 12-22): the rotational equation in world axes; its G is our 2 G.

    [ m      -m d~ G ] [ R'' ]   [ sum F - m omega x (omega x d)                 ]
    [ m d~     I G   ] [ b'' ] = [ sum M + sum u x F - I Gd bd - omega x I omega ]
    [ 0        b'    ]           [ -bd' bd                                       ]

    Row 2 without the printed G' and with the gyroscopic sign of E061, row 3 with the minus of E062; Gd bd = 0.
    """

    name, label = "euler-parameters-global", "Euler parameters, global form"
    norm_row = (6, 0.5)

    def equations(self, time: float, q: Array, v: Array) -> Equations:
        motion = self.motion(q, v)
        n, mass, m = self.mechanism.n, self.mechanism.mass, self.constraints.m
        table_q, table_v = self.split(q, v)
        rows, joints, matrix, arm = self.joint_rows(table_q, motion, time)
        force, moment = self.applied(motion, arm, time)
        p, p_rate = table_q[:, 3:], table_v[:, 3:]
        turn = motion.rotation
        inertia = turn @ self.inertia @ np.swapaxes(turn, 1, 2)

        blocks = np.zeros((n, 7, 7))
        blocks[:, [0, 1, 2], [0, 1, 2]] = mass[:, None]
        blocks[:, 3:6, 3:] = inertia @ matrix
        blocks[:, 6, 3:] = p
        if not self.centroidal:
            blocks[:, :3, 3:] = self.coupling(arm, matrix)
            blocks[:, 3:6, :3] = mass[:, None, None] * skew(arm)
        right = np.zeros((n, 7))
        right[:, :3] = force
        right[:, 3:6] = moment - cross(motion.spin, turned(inertia, motion.spin))
        right[:, 6] = -dot(p_rate, p_rate)
        spread = np.zeros((m, 2, 7))
        spread[:, :, :3], spread[:, :, 3:6] = rows.linear, rows.angular
        return Equations(blocks, right, joints, self.constraints.body, spread, rows.gamma, rows.value, rows.rate)


class Formulation3(_Parameters):
    """Formulation 3 (eq. 3.74 with E014): 6 unknowns a body, R'' and the angular acceleration in body axes.

    [ m           -m A d~bar ] [ R''       ]   [ f - m omega x (omega x d)      ]
    [ m d~bar A'    Jbar     ] [ omegabar' ] = [ nbar - omegabar x Jbar omegabar ]      dp/dt = L' omegabar / 2
    """

    name, label = "euler-parameters-3", "Euler parameters, formulation 3"
    width = (7, 6)
    coordinate_rates = False

    def spin_matrix(self, q: Array) -> Array:
        """omega = A omegabar; dA/dt omegabar = omega x omega = 0, so there is no bias."""
        return rotation_matrix(q[:, 3:])

    def turning(self, p: Array, turn: Array, spin: Array) -> Array:
        return back(turn, spin)

    def rates(self, q: Array, v: Array) -> Array:
        table_q, table_v = self.split(q, v)
        turning = 0.5 * back(local_matrix(table_q[:, 3:]), table_v[:, 3:])
        return np.concatenate((table_v[:, :3], turning), axis=1).ravel()

    def violation(self, time: float, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        motion = self.motion(q, v)
        table_q, _ = self.split(q, v)
        rows, jacobian, _, _ = self.joint_rows(table_q, motion, time)
        p = table_q[:, 3:]
        # by q: dphi = 2 G dp
        padded = np.concatenate((2.0 * global_matrix(p), np.zeros((1, 3, 4))))[self.constraints.body]
        by_p = np.einsum("msi,msic->msc", rows.angular, padded)
        by_q = self.scattered(np.concatenate((rows.linear, by_p), axis=2))
        value = np.concatenate((rows.value, dot(p, p) - 1.0))
        return value, rows.rate, np.concatenate((by_q, self.norm_jacobian(p))), self.scattered(jacobian)

    def accelerations(self, x: Array) -> Array:
        return x.ravel()

    def equations(self, time: float, q: Array, v: Array) -> Equations:
        motion = self.motion(q, v)
        n, mass = self.mechanism.n, self.mechanism.mass
        table_q, table_v = self.split(q, v)
        rows, joints, matrix, arm = self.joint_rows(table_q, motion, time)
        force, moment = self.applied(motion, arm, time)
        spin = table_v[:, 3:]
        blocks = np.zeros((n, 6, 6))
        blocks[:, [0, 1, 2], [0, 1, 2]] = mass[:, None]
        blocks[:, 3:, 3:] = self.inertia
        if not self.centroidal:
            blocks[:, :3, 3:] = self.coupling(arm, matrix)
            blocks[:, 3:, :3] = np.swapaxes(blocks[:, :3, 3:], 1, 2)
        right = np.zeros((n, 6))
        right[:, :3] = force
        right[:, 3:] = back(matrix, moment) - cross(spin, turned(self.inertia, spin))
        return Equations(blocks, right, joints, self.constraints.body, None, rows.gamma, rows.value, rows.rate)
