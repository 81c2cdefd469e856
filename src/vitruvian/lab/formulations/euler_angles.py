"""Euler angles ZXZ with multipliers (thesis eqs 3.5-3.42).

Every segment is at zero nutation in our frames, where precession and spin cannot be distinguished. Each body
therefore has a constant offset frame O, A = A_ZXZ(psi, theta, phi) O, chosen so that the nutation is 90 degrees at the
start. Where the nutation comes close to 0 or 180 degrees later, G becomes singular and the run ends with a status.
"""

from __future__ import annotations

import numpy as np

from ...errors import InputError
from .equation import Equations
from .formulation import Absolute, Singular
from .mechanism import Mechanism, Motion
from .orientation import (
    Array,
    cross,
    euler_angles,
    euler_global_matrix,
    euler_local_matrix,
    euler_local_matrix_rate,
    euler_rotation,
    parameters,
    skew,
    turned,
    turned_back,
)

LEAST_SINE = 0.02  # of the nutation, 1.1 degrees: nearer, the condition of G is over 100 and the run is given up
OFFSETS = ("start", "none")


class EulerAngles(Absolute):
    """R and psi, theta, phi of every body: 6 coordinates, 6 velocities.

    [ m           -m d~ G       ] [ R''     ]   [ f - m omega x (omega x d) + m d~ Gdot thetadot          ]
    [ sym.   Gbar' Jbar Gbar    ] [ theta'' ] = [ G' n - Gbar' (wbar x Jbar wbar + Jbar Gbardot thetadot) ]

    eqs 3.24-3.34, with Gbar before the bracket of 3.34 (E005) and the signs of C_q of E006.
    offset  "start": nutation of 90 degrees at the start; "none": the frames of the bodies as they are
    """

    name, label = "euler-angles", "Euler angles ZXZ"
    width = (6, 6)

    def __init__(self, mechanism: Mechanism, reference: str = "centre", offset: str = "start") -> None:
        super().__init__(mechanism, reference)
        if offset not in OFFSETS:
            raise InputError(f"offset is {offset!r}; accepted: {', '.join(OFFSETS)}.")
        self.choice = offset
        self._set_frames(np.broadcast_to(np.eye(3), (mechanism.n, 3, 3)))
        self._placed = False

    def _set_frames(self, frames: Array) -> None:
        """Take offset frames O; inertia in their axes."""
        self.frames = frames
        self.turned_inertia = frames @ self.inertia @ np.swapaxes(frames, 1, 2)

    def coordinates(self, motion: Motion, near: Array | None = None) -> tuple[Array, Array]:
        turn = motion.rotation
        if not self._placed:
            if self.choice == "start":
                level = euler_rotation(np.array([[0.0, 0.5 * np.pi, 0.0]]))
                self._set_frames(np.swapaxes(level, 1, 2) @ turn)
            self._placed = True
        own = turn @ np.swapaxes(self.frames, 1, 2)
        angles = euler_angles(own, None if near is None else near.reshape(-1, 6)[:, 3:])
        arm = turned(turn, self.offset)
        place = np.concatenate((motion.position - arm, angles), axis=1)
        self.watch(0.0, place.ravel())
        rates = np.linalg.solve(euler_global_matrix(angles), motion.spin[:, :, None])[:, :, 0]
        speed = np.concatenate((motion.velocity - cross(motion.spin, arm), rates), axis=1)
        return place.ravel(), speed.ravel()

    def orientation(self, q: Array) -> Array:
        return euler_rotation(q[:, 3:]) @ self.frames

    def quaternions(self, q: Array, turn: Array) -> Array:
        return parameters(turn)

    def spin_matrix(self, q: Array) -> Array:
        return euler_global_matrix(q[:, 3:])

    def spin_bias(self, q: Array, v: Array) -> Array:
        """Return dG/dt thetadot = A dGbar/dt thetadot, as omega x omega = 0."""
        return turned(euler_rotation(q[:, 3:]), self._local_bias(q, v))

    def _local_bias(self, q: Array, v: Array) -> Array:
        return turned(euler_local_matrix_rate(q[:, 3:], v[:, 3:]), v[:, 3:])

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def watch(self, time: float, q: Array) -> None:
        """Name the body whose G is singular."""
        sine = np.sin(q.reshape(-1, 6)[:, 4])  # positive at the start; a step across zero is negative, not small
        worst = int(sine.argmin())
        if sine[worst] < LEAST_SINE:
            condition = np.linalg.cond(euler_global_matrix(q.reshape(-1, 6)[worst : worst + 1, 3:])[0])
            body = self.mechanism.bodies[worst]
            raise Singular(
                body,
                time,
                f"Euler angles are singular at {time:.6g} s: the nutation of {body} is "
                f"{abs(np.degrees(np.arcsin(sine[worst]))):.2g} degrees off 0 or 180 (condition of G {condition:.0f}). "
                "Use Euler parameters, which have no such place: formulation euler-parameters-1.",
            )

    def violation(self, time: float, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        motion = self.motion(q, v)
        rows, jacobian, _, _ = self.joint_rows(self.split(q, v)[0], motion, time)
        full = self.scattered(jacobian)
        return rows.value, rows.rate, full, full

    def accelerations(self, x: Array) -> Array:
        return x.ravel()

    def equations(self, time: float, q: Array, v: Array) -> Equations:
        self.watch(time, q)
        motion = self.motion(q, v)
        n, mass = self.mechanism.n, self.mechanism.mass
        table_q, table_v = self.split(q, v)
        rows, joints, matrix, arm = self.joint_rows(table_q, motion, time)
        force, moment = self.applied(motion, arm, time)
        local = euler_local_matrix(table_q[:, 3:])
        local_bias = self._local_bias(table_q, table_v)
        bias = turned(euler_rotation(table_q[:, 3:]), local_bias)
        spin = turned(local, table_v[:, 3:])

        blocks = np.zeros((n, 6, 6))
        blocks[:, [0, 1, 2], [0, 1, 2]] = mass[:, None]
        blocks[:, 3:, 3:] = np.swapaxes(local, 1, 2) @ self.turned_inertia @ local
        right = np.zeros((n, 6))
        right[:, :3] = force
        quadratic = cross(spin, turned(self.turned_inertia, spin)) + turned(self.turned_inertia, local_bias)
        right[:, 3:] = turned_back(matrix, moment) - turned_back(local, quadratic)
        if not self.centroidal:
            blocks[:, :3, 3:] = -mass[:, None, None] * (skew(arm) @ matrix)
            blocks[:, 3:, :3] = np.swapaxes(blocks[:, :3, 3:], 1, 2)
            right[:, :3] += mass[:, None] * cross(arm, bias)
        gamma = self.gamma(rows, bias)
        return Equations(blocks, right, joints, self.constraints.body, None, gamma, rows.value, rows.rate)
