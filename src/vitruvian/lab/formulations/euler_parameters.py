"""Euler parameters: the three formulations of the thesis (eqs 3.43-3.79) and the global form of paper 001 (eqs 12-22).

p is the quaternion of a body, omega = 2 G pdot (world), 2 L pdot (body). d is the vector from the reference point to
the centre of mass; it is zero in the seeds (centroidal) and gives the terms with m d~ here.

Integrators and corrections leave the unit sphere, so A, G and L are those of p/|p|: the printed ones divided by p'p.
Then A is a rotation, 2 G pdot is its angular velocity, and the terms with p'pdot, zero on the sphere, are kept:
omega' = 2 G p'' + b with b = -2 (p'pdot / p'p) omega.

The multiplier sigma of |p| = 1 is solved for with the accelerations and never integrated (ERRATA E017).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .constraint import Rows
from .equation import Equations
from .formulation import Absolute
from .mechanism import Motion
from .orientation import (
    Array,
    cross,
    dot,
    global_matrix,
    local_matrix,
    local_matrix_rate,
    parameters,
    rotation_matrix,
    skew,
    turned,
)
from .orientation import turned_back as back


class _Terms(NamedTuple):
    """Terms of the equations in one state; rows are bodies, world axes."""

    motion: Motion
    p: Array
    p_rate: Array
    rows: Rows  # of the joints
    joints: Array  # Jacobian of the joints by (R, w)
    matrix: Array  # E with omega = E w
    arm: Array  # from the reference points to the centres of mass [m]
    force: Array  # right side of the translational rows [N]
    moment: Array  # about the reference points [N m]
    bias: Array  # dE/dt w [rad/s2]


class _Parameters(Absolute):
    """Coordinates R, p and velocities dR/dt, dp/dt of every body."""

    width = (7, 7)
    #: place of the row of |p| = 1 in a block, and its factor against 2 p'p'' = -2 pdot'pdot
    norm_row: tuple[int, float] | None = None

    def fed_back(
        self, equations: Equations, q: Array, v: Array, alpha: float, beta: float, norm: bool = True
    ) -> Equations:
        """Feed back the joints, and |p| = 1 if `norm`."""
        equations = super().fed_back(equations, q, v, alpha, beta)
        if self.norm_row is None or not norm:
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
        """Return 2 G (eq. 3.55)."""
        return 2.0 * global_matrix(q[:, 3:])

    def spin_bias(self, q: Array, v: Array) -> Array:
        """Return b = 2 dG/dt dp/dt = -2 (p'pdot / p'p) omega; zero on the unit sphere [rad/s2]."""
        p, rate = q[:, 3:], v[:, 3:]
        return (-2.0 * dot(p, rate) / dot(p, p))[:, None] * turned(self.spin_matrix(q), rate)

    def coordinates(self, motion: Motion, near: Array | None = None) -> tuple[Array, Array]:
        turn = motion.rotation
        arm = turned(turn, self.offset)
        p = motion.orientation
        if near is not None:
            old = near.reshape(self.mechanism.n, -1)[:, 3:7]
            p = parameters(turn, old)
        place = np.concatenate((motion.position - arm, p), axis=1)
        velocity = motion.velocity - cross(motion.spin, arm)
        speed = np.concatenate((velocity, self.turning(p, turn, motion.spin)), axis=1)
        return place.ravel(), speed.ravel()

    def turning(self, p: Array, turn: Array, spin: Array) -> Array:
        """Return rotational velocities of an angular velocity: dp/dt = p'p G' omega / 2, which keeps the norm."""
        return 0.5 * dot(p, p)[:, None] * back(global_matrix(p), spin)

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
        """Return d(p'p)/dq = 2 p' of every body."""
        n = self.mechanism.n
        out = np.zeros((n, n, 7))
        out[np.arange(n), np.arange(n), 3:] = 2.0 * p
        return out.reshape(n, 7 * n)

    def accelerations(self, x: Array) -> Array:
        return x[:, :7].ravel()

    def coupling(self, arm: Array, matrix: Array) -> Array:
        """Return -m d~ E, the coupling of reference point and rotation; zero at the centre of mass."""
        return -self.mechanism.mass[:, None, None] * (skew(arm) @ matrix)

    def terms(self, time: float, q: Array, v: Array) -> _Terms:
        """Return the terms of the equations; the force includes -m b x d, as m (R'' + omega' x d) is on the left."""
        motion = self.motion(q, v)
        table_q, table_v = self.split(q, v)
        rows, joints, matrix, arm = self.joint_rows(table_q, motion, time)
        force, moment = self.applied(motion, arm, time)
        bias = self.spin_bias(table_q, table_v)
        if not self.centroidal:
            force = force + self.mechanism.mass[:, None] * cross(arm, bias)
        return _Terms(motion, table_q[:, 3:], table_v[:, 3:], rows, joints, matrix, arm, force, moment, bias)

    def masses(self, size: int) -> Array:
        """Return blocks (n, size, size) with the mass [kg] in the translational rows."""
        blocks = np.zeros((self.mechanism.n, size, size))
        blocks[:, [0, 1, 2], [0, 1, 2]] = self.mechanism.mass[:, None]
        return blocks


class Formulation1(_Parameters):
    """Formulation 1 (eqs 3.67-3.79): 8 unknowns a body, symmetric; used by the thesis for its human body.

    [ m        -2 m d~ G     0  ] [ R''   ]   [ f - m omega x (omega x d)      ]
    [ sym.   4 L' Jbar L    2 p ] [ p''   ] = [ 2 G' n - 8 Ldot' Jbar L pdot   ]
    [ 0         2 p'         0  ] [ sigma ]   [ -2 pdot' pdot                  ]

    With L = L(p)/p'p and its true derivative the second row holds for every p, not only on the unit sphere.

    Against the print: minus before 8 Ldot' Jbar L pdot (E012), the factor 2 of the last row (E011), the moment
    2 G' (u x f) (E010), transposed C_q in the right column (E015).
    """

    name, label = "euler-parameters-1", "Euler parameters, formulation 1"
    norm_row = (7, 1.0)

    def equations(self, time: float, q: Array, v: Array) -> Equations:
        terms = self.terms(time, q, v)
        p, p_rate, rows = terms.p, terms.p_rate, terms.rows
        local, local_rate = local_matrix(p), local_matrix_rate(p, p_rate)
        turning = self.inertia @ local

        blocks = self.masses(8)
        blocks[:, 3:7, 3:7] = 4.0 * np.swapaxes(local, 1, 2) @ turning
        blocks[:, 3:7, 7] = blocks[:, 7, 3:7] = 2.0 * p
        if not self.centroidal:
            blocks[:, :3, 3:7] = self.coupling(terms.arm, terms.matrix)
            blocks[:, 3:7, :3] = np.swapaxes(blocks[:, :3, 3:7], 1, 2)

        right = np.zeros((len(p), 8))
        right[:, :3] = terms.force
        right[:, 3:7] = back(terms.matrix, terms.moment) - 8.0 * back(local_rate, turned(turning, p_rate))
        right[:, 7] = -2.0 * dot(p_rate, p_rate)
        jacobian = np.zeros((self.constraints.m, 2, 8))
        jacobian[:, :, :7] = terms.joints
        gamma = self.gamma(rows, terms.bias)
        return Equations(blocks, right, jacobian, self.constraints.body, None, gamma, rows.value, rows.rate)


class _Unsymmetric(_Parameters):
    """Seven unknowns a body: three translational rows, three rotational rows in some axes, and |p| = 1."""

    norm_row = (6, 0.5)

    @abstractmethod
    def rotation(self, terms: _Terms) -> tuple[Array, Array, Array, Array]:
        """Return the rotational rows: block by p'', lever of R'' [m], right side [N m], joint rows (m, 2, 3)."""

    def equations(self, time: float, q: Array, v: Array) -> Equations:
        terms = self.terms(time, q, v)
        rows = terms.rows
        turning, lever, moment, angular = self.rotation(terms)
        blocks = self.masses(7)
        blocks[:, 3:6, 3:] = turning
        blocks[:, 6, 3:] = terms.p
        if not self.centroidal:
            blocks[:, :3, 3:] = self.coupling(terms.arm, terms.matrix)
            blocks[:, 3:6, :3] = self.mechanism.mass[:, None, None] * lever
        right = np.zeros((len(terms.p), 7))
        right[:, :3], right[:, 3:6], right[:, 6] = terms.force, moment, -dot(terms.p_rate, terms.p_rate)
        spread = np.zeros((self.constraints.m, 2, 7))
        spread[:, :, :3], spread[:, :, 3:6] = rows.linear, angular
        gamma = self.gamma(rows, terms.bias)
        return Equations(blocks, right, terms.joints, self.constraints.body, spread, gamma, rows.value, rows.rate)


class Formulation2(_Unsymmetric):
    """Formulation 2 (eq. 3.73): 7 unknowns a body, the rotational equation in body axes, no sigma.

    [ m           -2 m d~ G ] [ R'' ]   [ f - m omega x (omega x d) ]
    [ m d~bar A'   2 Jbar L ] [ p'' ] = [ nbar - L H pdot           ]     H = 4 Ldot' Jbar L
    [ 0            p'       ]           [ -pdot' pdot               ]

    It has no singular position, in contrast to the thesis: [2 Jbar L; p'] is regular for every unit p (E013).
    """

    name, label = "euler-parameters-2", "Euler parameters, formulation 2"

    def rotation(self, terms: _Terms) -> tuple[Array, Array, Array, Array]:
        p, p_rate, turn = terms.p, terms.p_rate, terms.motion.rotation
        local, local_rate = local_matrix(p), local_matrix_rate(p, p_rate)
        turning = self.inertia @ local
        quadratic = 4.0 * turned(local, back(local_rate, turned(turning, p_rate)))
        moment = back(turn, terms.moment) - dot(p, p)[:, None] * quadratic
        padded = np.concatenate((turn, np.eye(3)[None]))[self.constraints.body]
        lever = skew(self.offset) @ np.swapaxes(turn, 1, 2)
        return 2.0 * turning, lever, moment, back(padded, terms.rows.angular)


class Global(_Unsymmetric):
    """The global-frame form of paper 001 (eqs 12-22): the rotational equation in world axes; its G is our 2 G.

    [ m      -m d~ G ] [ R'' ]   [ sum F - m omega x (omega x d)                 ]
    [ m d~     I G   ] [ b'' ] = [ sum M + sum u x F - I Gd bd - omega x I omega ]
    [ 0        b'    ]           [ -bd' bd                                       ]

    Row 2 without the printed G' and with the gyroscopic sign of E061, row 3 with the minus of E062; Gd bd = 0.
    """

    name, label = "euler-parameters-global", "Euler parameters, global form"

    def rotation(self, terms: _Terms) -> tuple[Array, Array, Array, Array]:
        turn, spin = terms.motion.rotation, terms.motion.spin
        inertia = turn @ self.inertia @ np.swapaxes(turn, 1, 2)
        moment = terms.moment - cross(spin, turned(inertia, spin)) - turned(inertia, terms.bias)
        return inertia @ terms.matrix, skew(terms.arm), moment, terms.rows.angular


class Formulation3(_Parameters):
    """Formulation 3 (eq. 3.74 with E014): 6 unknowns a body, R'' and the angular acceleration in body axes.

    [ m           -m A d~bar ] [ R''       ]   [ f - m omega x (omega x d)      ]
    [ m d~bar A'    Jbar     ] [ omegabar' ] = [ nbar - omegabar x Jbar omegabar ]      dp/dt = p'p L' omegabar / 2
    """

    name, label = "euler-parameters-3", "Euler parameters, formulation 3"
    width = (7, 6)
    coordinate_rates = False

    def spin_matrix(self, q: Array) -> Array:
        """Return omega = A omegabar."""
        return rotation_matrix(q[:, 3:])

    def spin_bias(self, q: Array, v: Array) -> Array:
        """Return dA/dt omegabar = omega x omega = 0."""
        return np.zeros((self.mechanism.n, 3))

    def turning(self, p: Array, turn: Array, spin: Array) -> Array:
        return back(turn, spin)

    def rates(self, q: Array, v: Array) -> Array:
        table_q, table_v = self.split(q, v)
        p = table_q[:, 3:]
        turning = 0.5 * dot(p, p)[:, None] * back(local_matrix(p), table_v[:, 3:])
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
        terms = self.terms(time, q, v)
        rows, spin = terms.rows, v.reshape(self.mechanism.n, -1)[:, 3:]
        blocks = self.masses(6)
        blocks[:, 3:, 3:] = self.inertia
        if not self.centroidal:
            blocks[:, :3, 3:] = self.coupling(terms.arm, terms.matrix)
            blocks[:, 3:, :3] = np.swapaxes(blocks[:, :3, 3:], 1, 2)
        moment = back(terms.matrix, terms.moment) - cross(spin, turned(self.inertia, spin))
        right = np.concatenate((terms.force, moment), axis=1)
        return Equations(blocks, right, terms.joints, self.constraints.body, None, rows.gamma, rows.value, rows.rate)
