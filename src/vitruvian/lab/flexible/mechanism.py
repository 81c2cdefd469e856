"""Mechanisms of flexible and rigid bodies with Lagrange multipliers (2.66-2.68), and their motion over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ...errors import SimulationError
from ...flex import Marker
from .planar import PlanarBody
from .spatial import SpatialBody

Body = PlanarBody | SpatialBody


class Parts:
    """Where each body's coordinates and velocities are in those of the mechanism, at one instant."""

    def __init__(self, bodies: Sequence[Body], time: float, q: np.ndarray, v: np.ndarray) -> None:
        self.bodies, self.time, self.velocity = bodies, time, v
        self._points: dict[tuple[int, int], tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
        ends_q = np.cumsum([body.coordinates for body in bodies])
        ends_v = np.cumsum([body.velocities for body in bodies])
        self.q = np.split(q, ends_q[:-1])
        self.v = np.split(v, ends_v[:-1])
        self.slices = [slice(e - b.velocities, e) for b, e in zip(bodies, ends_v, strict=True)]
        self.size = int(ends_v[-1])

    def point(self, number: int, marker: Marker) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return place, Jacobian over all velocities, and rate of the Jacobian times velocity of a marker."""
        key = (number, id(marker))
        if key not in self._points:
            place, part, drift = self.bodies[number].point(self.q[number], self.v[number], marker)
            jacobian = np.zeros((len(place), self.size))
            jacobian[:, self.slices[number]] = part
            self._points[key] = place, jacobian, drift
        return self._points[key]

    def angle(self, number: int, marker: Marker | None = None) -> tuple[float, np.ndarray]:
        """Return an angle in the plane [rad] and its Jacobian over all velocities."""
        body = self.bodies[number]
        assert isinstance(body, PlanarBody)
        value, part = body.angle(self.q[number], marker)
        row = np.zeros(self.size)
        row[self.slices[number]] = part
        return value, row


class Constraint(Protocol):
    """Equations C(q, t) = 0."""

    def rows(self, parts: Parts) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return C, its Jacobian, the rate of C at rest (C_t), and the right side of C_q a = gamma."""
        ...


@dataclass(frozen=True)
class Pin:
    """Hold a marker of a body to one of another body, or to a place in the world, along some world axes."""

    body: int
    marker: Marker
    other: int | None
    target: Marker | np.ndarray
    axes: tuple[int, ...] = (0, 1)

    def rows(self, parts: Parts) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the rows of the constraint."""
        place, jacobian, drift = parts.point(self.body, self.marker)
        if self.other is None:
            assert isinstance(self.target, np.ndarray)
            place = place - self.target
        else:
            assert isinstance(self.target, Marker)
            place2, jacobian2, drift2 = parts.point(self.other, self.target)
            place, jacobian, drift = place - place2, jacobian - jacobian2, drift - drift2
        index = list(self.axes)
        return place[index], jacobian[index], np.zeros(len(index)), -drift[index]


@dataclass(frozen=True)
class Turn:
    """Prescribe the angle of the frame of a planar body: value, rate and second rate as functions of time [rad, s]."""

    body: int
    motion: Callable[[float], tuple[float, float, float]] = lambda _: (0.0, 0.0, 0.0)

    def rows(self, parts: Parts) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the row of the constraint."""
        angle, row = parts.angle(self.body)
        value, rate, second = self.motion(parts.time)
        return np.array([angle - value]), row[None], np.array([-rate]), np.array([second])


#: a force element returns its generalised force over all velocities
Force = Callable[[Parts], np.ndarray]


@dataclass(frozen=True)
class Motion:
    """A motion over time.

    time  (t,) [s]
    q, v  coordinates and velocities (t, ...)
    """

    time: np.ndarray
    q: np.ndarray
    v: np.ndarray

    def only(self, chosen: np.ndarray) -> Motion:
        """Return some of the instants, by mask or number."""
        return Motion(self.time[chosen], self.q[chosen], self.v[chosen])


@dataclass(frozen=True)
class Mechanism:
    """Bodies, constraints and forces.

    gravity  [m/s2], as many components as the space has
    rate     of Baumgarte's stabilisation [1/s]
    """

    bodies: tuple[Body, ...]
    constraints: tuple[Any, ...] = ()
    forces: tuple[Force, ...] = ()
    gravity: np.ndarray = field(default_factory=lambda: np.array([0.0, -9.81]))
    rate: float = 20.0

    def parts(self, time: float, q: np.ndarray, v: np.ndarray) -> Parts:
        """Return coordinates and velocities by body."""
        return Parts(self.bodies, time, q, v)

    def accelerations(self, time: float, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the accelerations and the multipliers of 2.68 at acceleration level."""
        parts = self.parts(time, q, v)
        size = parts.size
        values, jacobian, rates, gamma = self.equations(parts)
        count = len(values)
        matrix, right = np.zeros((size + count, size + count)), np.zeros(size + count)
        for body, part, own, moving in zip(self.bodies, parts.slices, parts.q, parts.v, strict=True):
            matrix[part, part] = body.mass_matrix(own)
            right[part] = body.quadratic(own, moving) + body.applied(own, moving, self.gravity)
        for force in self.forces:
            right[:size] += force(parts)
        matrix[size:, :size], matrix[:size, size:] = jacobian, jacobian.T
        drift = jacobian @ v + rates
        right[size:] = gamma - 2.0 * self.rate * drift - self.rate**2 * values
        scale = np.ones(size + count)
        scale[:size] = 1.0 / np.sqrt(np.diag(matrix)[:size])
        solution = scale * np.linalg.solve(scale[:, None] * matrix * scale, scale * right)
        return solution[:size], solution[size:]

    def equations(self, parts: Parts) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return C, C_q, C_t and gamma of all constraints."""
        if not self.constraints:
            return np.zeros(0), np.zeros((0, parts.size)), np.zeros(0), np.zeros(0)
        rows = [constraint.rows(parts) for constraint in self.constraints]
        c, jacobian, rates, gamma = (np.concatenate(part) for part in zip(*rows, strict=True))
        return c, jacobian, rates, gamma

    def energy(self, time: float, q: np.ndarray, v: np.ndarray) -> float:
        """Return kinetic, elastic and gravity energy [J], without those of force elements."""
        total = 0.0
        parts = self.parts(time, q, v)
        for body, own, moving in zip(self.bodies, parts.q, parts.v, strict=True):
            total += 0.5 * moving @ body.mass_matrix(own) @ moving + body.potential(own, self.gravity)
        return float(total)

    def momentum(self, time: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return linear and angular momentum of all bodies about the origin."""
        parts = self.parts(time, q, v)
        return np.sum([b.momentum(o, m) for b, o, m in zip(self.bodies, parts.q, parts.v, strict=True)], axis=0)

    def move(
        self,
        q: np.ndarray,
        v: np.ndarray,
        times: np.ndarray,
        tolerance: float = 1e-8,
        method: str = "Radau",
        **options: Any,
    ) -> Motion:
        """Return the motion from given coordinates and velocities, at the given times [s].

        method  of scipy.integrate.solve_ivp: "Radau" for stiff modes and contacts, "DOP853" for smooth ones
        """
        from scipy.integrate import solve_ivp

        split = len(q)

        def slope(time: float, state: np.ndarray) -> np.ndarray:
            parts = self.parts(time, state[:split], state[split:])
            rates = [b.rates(o, m) for b, o, m in zip(self.bodies, parts.q, parts.v, strict=True)]
            return np.concatenate([*rates, self.accelerations(time, state[:split], state[split:])[0]])

        settings: dict[str, Any] = {"rtol": tolerance, "atol": 1e-3 * tolerance} | options
        run = solve_ivp(slope, (times[0], times[-1]), np.concatenate([q, v]), method, times, **settings)
        if run.status != 0:
            raise SimulationError(
                f"the motion of the mechanism ended at {run.t[-1] if len(run.t) else times[0]:g} s: {run.message}"
            )
        return Motion(run.t, run.y[:split].T, run.y[split:].T)

    def multipliers(self, motion: Motion) -> np.ndarray:
        """Return the multipliers over time (t, c); the force of a constraint on the bodies is -C_q^T times them."""
        rows = zip(motion.time, motion.q, motion.v, strict=True)
        return np.array([self.accelerations(t, q, v)[1] for t, q, v in rows])
