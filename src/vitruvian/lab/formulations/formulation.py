"""Interface of all formulations, and the base of those with absolute coordinates of every body."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from ...errors import InputError
from .constraint import Constraints, Rows
from .equation import Equations
from .loads import Loads
from .mechanism import Mechanism, Motion
from .orientation import Array, cross, skew, turned

REFERENCES = ("centre", "joint")


class Singular(Exception):
    """Raised at a singular position of a parametrisation."""

    def __init__(self, body: str, time: float, reason: str) -> None:
        super().__init__(reason)
        self.body, self.time, self.reason = body, time, reason


class Formulation(ABC):
    """Coordinates q and velocities v of a mechanism and its equations of motion in them.

    width   numbers of coordinates and velocities of a block (a body)
    """

    name: str
    label: str
    #: whether v is dq/dt, which coordinate partitioning needs
    coordinate_rates = True

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.loads = Loads(mechanism)
        self.constraints = Constraints(mechanism)

    @abstractmethod
    def coordinates(self, motion: Motion, near: Array | None = None) -> tuple[Array, Array]:
        """q and v of a motion, flat; where there is a choice the q nearest to `near`."""

    @abstractmethod
    def motion(self, q: Array, v: Array) -> Motion:
        """The motion of all bodies."""

    @abstractmethod
    def rates(self, q: Array, v: Array) -> Array:
        """dq/dt."""

    @abstractmethod
    def equations(self, time: float, q: Array, v: Array) -> Equations:
        """Mass, forces and constraints in one state."""

    @abstractmethod
    def accelerations(self, x: Array) -> Array:
        """dv/dt, flat, from the unknowns of the equations."""

    @abstractmethod
    def violation(self, time: float, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        """C, dC/dt and their Jacobians by q and by v, with the conditions of the coordinates themselves (|p| = 1)."""

    def reactions(self, time: float, q: Array, v: Array, multipliers: Array) -> tuple[Array, Array]:
        """Return force [N] and moment [N m] of every joint on its child at the joint point, without its resistance."""
        motion = self.motion(q, v)
        return self.constraints.joint_loads(self.constraints.rows(motion, time), multipliers, motion)

    def fed_back(
        self, equations: Equations, q: Array, v: Array, alpha: float, beta: float, norm: bool = True
    ) -> Equations:
        """Return the equations with gamma - 2 alpha dC/dt - beta^2 C (eq. 3.87; once, not twice as in 3.88: E018).

        norm  whether conditions of the coordinates themselves (|p| = 1) are fed back, too
        """
        return equations.with_gamma(equations.gamma - 2.0 * alpha * equations.rate - beta**2 * equations.value)

    def watch(self, time: float, q: Array) -> None:  # noqa: B027 - most formulations have nothing to watch
        """Raise Singular where the coordinates become singular."""

    def incidence(self, size: int) -> Array:
        """Return which of `size` numbers (coordinates, velocities, unknowns) belong to which body: bool (n, size)."""
        n = self.mechanism.n
        return np.repeat(np.eye(n, dtype=bool), size // n, axis=1)

    def row_bodies(self) -> Array:
        """Return the bodies of each constraint row: bool (m, n)."""
        body, n = self.constraints.body, self.mechanism.n
        return (body[:, :1] == np.arange(n)) | (body[:, 1:] == np.arange(n))

    def independent_jacobian(self, time: float, q: Array, v: Array) -> Array:
        """Return C_q of the rows with multipliers, in which redundant rows are searched."""
        return self.equations(time, q, v).dense_jacobian()

    def row_label(self, row: int) -> str:
        """Return the name of a constraint row."""
        return self.constraints.label(row)

    def counts(self, time: float, q: Array, v: Array) -> dict[str, int]:
        """Return numbers of unknowns, multipliers and degrees of freedom, the last by the rank of the Jacobian."""
        equations = self.equations(time, q, v)
        _, _, by_q, by_v = self.violation(time, q, v)
        rank = int(np.linalg.matrix_rank(by_v))
        return {
            "coordinates": len(q),
            "unknowns": equations.size,
            "multipliers": equations.m,
            "constraints": by_q.shape[0],
            "degrees_of_freedom": by_v.shape[1] - rank,
        }


class Absolute(Formulation):
    """Every body has a reference point and an orientation: the thesis' formulations and that of paper 001.

    reference  "centre": the centre of mass (centroidal); "joint": the joint point of the body (non-centroidal)
    """

    #: coordinates and velocities of a body
    width: tuple[int, int]

    def __init__(self, mechanism: Mechanism, reference: str = "centre") -> None:
        super().__init__(mechanism)
        if reference not in REFERENCES:
            raise InputError(f"reference is {reference!r}; accepted: {', '.join(REFERENCES)}.")
        n, mass = mechanism.n, mechanism.mass
        #: from the reference point to the centre of mass, body axes [m]
        self.offset = np.zeros((n, 3))
        if reference == "joint":
            tree = [mechanism.system.joint(name) for name in mechanism.compiled.joints]
            self.offset = -np.array([(0.0, 0.0, 0.0) if j.type == "free" else j.point_child for j in tree])
        self.centroidal = not self.offset.any()
        #: inertia about the reference point, body axes [kg m2]: J_A = J - m d~ d~
        arm = skew(self.offset)
        self.inertia = mechanism.inertia - mass[:, None, None] * (arm @ arm)

    # implemented by each parametrisation

    @abstractmethod
    def orientation(self, q: Array) -> Array:
        """Rotation matrices (n, 3, 3) of coordinates (n, a)."""

    @abstractmethod
    def spin_matrix(self, q: Array) -> Array:
        """E (n, 3, c) with omega = E w in world axes, w the rotational velocities."""

    def spin_bias(self, q: Array, v: Array) -> Array:
        """Return the velocity-dependent part of the angular acceleration, dE/dt w (n, 3) [rad/s2]."""
        return np.zeros((self.mechanism.n, 3))

    def split(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Return flat q and v as tables with one row per body."""
        n = self.mechanism.n
        return q.reshape(n, -1), v.reshape(n, -1)

    # common to all of them

    def motion(self, q: Array, v: Array) -> Motion:
        """Return poses of the centres of mass: r = R + A d, dr/dt = dR/dt + omega x A d (thesis eqs 3.1, 3.14)."""
        q, v = self.split(q, v)
        turn = self.orientation(q)
        spin = turned(self.spin_matrix(q), v[:, 3:])
        arm = turned(turn, self.offset)
        return Motion(q[:, :3] + arm, self.quaternions(q, turn), v[:, :3] + cross(spin, arm), spin)

    @abstractmethod
    def quaternions(self, q: Array, turn: Array) -> Array:
        """Orientation of the bodies as Euler parameters."""

    def moved(self, rows: Rows, motion: Motion) -> tuple[Rows, Array]:
        """Return the rows by displacement of reference points, and the vectors from these to the centres of mass."""
        arm = turned(motion.rotation, self.offset)
        if self.centroidal:
            return rows, arm
        world = np.zeros((1, 3))
        arms, spin = np.concatenate((arm, world)), np.concatenate((motion.spin, world))
        body = self.constraints.body
        # dr_C = dR + dphi x d,  r_C'' = R'' + omega' x d + omega x (omega x d)
        angular = rows.angular + cross(arms[body], rows.linear)
        swirl = cross(spin, cross(spin, arms))[body]
        return rows._replace(angular=angular, gamma=rows.gamma - np.einsum("msi,msi->m", rows.linear, swirl)), arm

    def joint_rows(self, q: Array, motion: Motion, time: float) -> tuple[Rows, Array, Array, Array]:
        """Return constraint rows, their Jacobian by (R, w), E of all bodies, and the vectors to the centres of mass."""
        rows, arm = self.moved(self.constraints.rows(motion, time), motion)
        matrix = self.spin_matrix(q)
        padded = np.concatenate((matrix, np.zeros((1, *matrix.shape[1:]))))
        by_spin = np.einsum("msi,msic->msc", rows.angular, padded[self.constraints.body])
        return rows, np.concatenate((rows.linear, by_spin), axis=2), matrix, arm

    def gamma(self, rows: Rows, bias: Array) -> Array:
        """Return gamma for the rotational velocities w: J_w (E w' + E' w) = gamma."""
        if not bias.any():
            return rows.gamma
        padded = np.concatenate((bias, np.zeros((1, 3))))
        return rows.gamma - np.einsum("msi,msi->m", rows.angular, padded[self.constraints.body])

    def applied(self, motion: Motion, arm: Array, time: float) -> tuple[Array, Array]:
        """Force and moment about the reference points, world axes (eqs 3.30, 3.31), less m omega x (omega x d)."""
        force, moment = self.loads(motion, time)
        if self.centroidal:
            return force, moment
        moment = moment + cross(arm, force)
        swirl = cross(motion.spin, cross(motion.spin, arm))
        return force - self.mechanism.mass[:, None] * swirl, moment

    def scattered(self, parts: Array) -> Array:
        """Return rows (m, 2, k) as a full matrix over all bodies."""
        n, k, body = self.mechanism.n, parts.shape[2], self.constraints.body
        out = np.zeros((len(parts), n + 1, k))
        each = np.arange(len(parts))
        for side in (0, 1):
            out[each, body[:, side]] = parts[:, side]
        return out[:, :n].reshape(len(parts), n * k)
