"""One impact at one point: the laws of restitution of Newton, Poisson and Stronge with Coulomb friction. SI units.

The relative velocity u = (normal, two tangents) of the touching points changes with the impulse p by du = W dp, W the
inverse inertia at the point. u_n < 0 is closing. Friction follows Coulomb at every instant (routh1905): while the
points slip along s, dp_t = -mu s dp_n; while they stick, dp_t keeps the slip at zero if |dp_t| <= mu dp_n; where that
is too much, they slip again along the direction in which slip can grow (reverse slip in the plane).

With the normal impulse as the time of the process (keller1986), compression ends where u_n = 0, and the impact ends

    poisson   where the normal impulse of restitution is e times that of compression (kinetic law)
    stronge   where the work of the normal force in restitution is e^2 times that in compression (energetic law,
              stronge1990): it never adds energy

Newton's law, u_n after = -e u_n before, looks at the two ends only. Friction then needs a rule of its own, here that of
kane1985: the points stick at the end if the impulse for it lies in the friction cone, otherwise the tangential impulse
is mu p_n against the slip at the end. It can add energy where slip stops or turns round on the way.

In the plane the process has straight legs (slip, stick, reverse slip) and a closed form. In space the slip direction
turns; with r the slip speed, phi its direction and dp_n = r dtau,

    d(ln r)/dtau = s.(W_tn - mu W_tt s),   dphi/dtau = s'.(W_tn - mu W_tt s)        s' = s turned by 90 degrees

is smooth down to r = 0 (the hodograph of the slip). It is integrated over dtau (1 + r), r over the speed of approach,
which approaches the normal impulse where slip is fast.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, exp, sin

import numpy as np

from ...errors import InputError, SimulationError, nearest

#: the laws of restitution
LAWS = ("newton", "poisson", "stronge")

STRAIGHT = 1e-12  # turning of the slip below which a leg is straight [-], relative
STOPPED = 1e-9  # slip over approach speed below which there is no slip at the start [-]
PLASTIC = 1e-9  # restitution below which the impact ends with compression [-]
VANISHED = 40.0  # decrease of ln(slip speed) after which slip has stopped [-]


@dataclass(frozen=True)
class Stroke:
    """An impact at one point, in its frame (normal, tangent, binormal).

    impulse            on the body [N s]
    velocity           relative velocity after [m/s]
    compression        normal impulse until the normal velocity is zero [N s]; NaN for Newton's law
    work_compression   of the normal force until then, negative [J]; NaN for Newton's law
    work_restitution   of the normal force after it, positive [J]; NaN for Newton's law
    slip               what the points did: "slip", "stick", "reverse" (slip that began again), in this order
    """

    impulse: np.ndarray
    velocity: np.ndarray
    compression: float
    work_compression: float
    work_restitution: float
    slip: tuple[str, ...]


def checked_restitution(value: float, where: str = "restitution") -> float:
    """Return the coefficient of restitution, 0 (plastic) to 1 (elastic)."""
    number = float(value)
    if not 0.0 <= number <= 1.0:
        raise InputError(f"{where} is {value}; accepted 0 (plastic) to 1 (elastic).")
    return number


def checked_friction(value: float, where: str = "friction") -> float:
    """Return the coefficient of friction, finite and not negative."""
    number = float(value)
    if not 0.0 <= number < np.inf:
        raise InputError(f"{where} is {value}; it must be a finite number that is not negative.")
    return number


def checked_law(law: str, known: tuple[str, ...] = LAWS) -> str:
    """Return the name of a law of restitution."""
    if law not in known:
        raise InputError(
            f"the law of restitution {law!r} is unknown; accepted: {', '.join(known)}.{nearest(law, known)}"
        )
    return law


def stroke(inverse: np.ndarray, velocity: np.ndarray, restitution: float, friction: float, law: str) -> Stroke:
    """Return the impact of closing points (velocity[0] < 0).

    inverse   W (3, 3), symmetric and positive semidefinite [1/kg]; the joints of a tree may lock a tangent
    velocity  relative velocity before [m/s]
    """
    if not velocity[0] < 0.0:
        raise InputError(f"the points do not close (normal velocity {velocity[0]:g} m/s); there is no impact.")
    if law == "newton":
        return _newton(inverse, velocity, restitution, friction)
    path = _Path(inverse, velocity, restitution, law)
    slip: list[str] = []
    over = False
    slipping = friction > 0.0 and np.linalg.norm(velocity[1:]) > STOPPED * np.linalg.norm(velocity)
    if friction == 0.0:
        over = path.leg(np.array([1.0, 0.0, 0.0]), np.inf)
        slip.append("slip")
    elif slipping:
        over = _slip(path, friction)
        slip.append("slip")
    if not over:
        path.velocity[1:] = 0.0
        sticking = -_solve(inverse[1:, 1:], inverse[1:, 0])
        if np.linalg.norm(sticking) <= friction:
            slip.append("stick")
            path.leg(np.array([1.0, *sticking]), np.inf)
        else:
            slip.append("reverse" if slipping else "slip")
            path.leg(np.array([1.0, *(-friction * _growing_slip(inverse, friction))]), np.inf)
    return Stroke(path.impulse, path.velocity, path.compression, -path.absorbed, path.returned, tuple(slip))


def _solve(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the shortest x of W x = right; directions locked by joints get no impulse."""
    return np.linalg.pinv(matrix, rcond=1e-12, hermitian=True) @ right


class _Path:
    """The impulse process so far, and when it is over."""

    def __init__(self, inverse: np.ndarray, velocity: np.ndarray, restitution: float, law: str) -> None:
        self.inverse, self.restitution, self.law = inverse, restitution, law
        self.impulse, self.velocity = np.zeros(3), velocity.astype(float)
        self.absorbed, self.returned, self.compression = 0.0, 0.0, np.nan

    @property
    def compressing(self) -> bool:
        return bool(np.isnan(self.compression))

    def leg(self, direction: np.ndarray, length: float) -> bool:
        """A straight leg dp = direction dp_n, at most `length` of normal impulse [N s]; whether it was the last."""
        slope = self.inverse @ direction
        if self.compressing:
            needed = -self.velocity[0] / slope[0] if slope[0] > 0.0 else np.inf
            if needed > length:
                self._go(direction, slope, length)
                return False
            self._go(direction, slope, needed)
            self.end_compression()
            length -= needed
        rest = self._rest(float(slope[0]))
        self._go(direction, slope, min(rest, length))
        return rest <= length

    def end_compression(self) -> None:
        self.velocity[0] = 0.0
        self.compression = float(self.impulse[0])

    def _rest(self, slope: float) -> float:
        """Return the normal impulse until the end [N s] on a leg whose normal velocity grows by `slope` per impulse."""
        if self.law == "poisson":
            return max(0.0, (1.0 + self.restitution) * self.compression - float(self.impulse[0]))
        work = self.restitution**2 * self.absorbed - self.returned
        if work <= 0.0:
            return 0.0
        root = self.velocity[0] ** 2 + 2.0 * slope * work
        return float(2.0 * work / (self.velocity[0] + np.sqrt(root))) if root > 0.0 else np.inf

    def _go(self, direction: np.ndarray, slope: np.ndarray, length: float) -> None:
        work = float((self.velocity[0] + 0.5 * slope[0] * length) * length)
        if self.compressing:
            self.absorbed -= work
        else:
            self.returned += work
        self.impulse = self.impulse + length * direction
        self.velocity = self.velocity + length * slope


def _slip(path: _Path, friction: float) -> bool:
    """Follow the first slip until it stops or the impact is over; return whether it is over."""
    w = path.inverse
    speed = float(np.linalg.norm(path.velocity[1:]))
    s = path.velocity[1:] / speed
    change = w[1:, 0] - friction * w[1:, 1:] @ s
    turning = s[0] * change[1] - s[1] * change[0]
    if abs(turning) <= STRAIGHT * float(np.linalg.norm(w)):
        slowing = -float(s @ change)
        return path.leg(np.array([1.0, *(-friction * s)]), speed / slowing if slowing > 0.0 else np.inf)
    return _curved_slip(path, friction)


def _curved_slip(path: _Path, friction: float) -> bool:
    """Follow a slip that turns, by the hodograph, until it stops or the impact is over; return whether it is over.

    y = ln r, phi, p_n, p_t (2), u_n, work of the normal force, all dimensionless
    """
    from scipy.integrate import solve_ivp

    unit_speed, unit_inverse = float(np.linalg.norm(path.velocity)), float(path.inverse[0, 0])
    unit_impulse = unit_speed / unit_inverse
    first = np.log(np.linalg.norm(path.velocity[1:]) / unit_speed)
    flow = _hodograph(path.inverse / unit_inverse, friction)

    def stopped(_: float, y: np.ndarray) -> float:
        return float(y[0] - first + VANISHED)

    def compressed(_: float, y: np.ndarray) -> float:
        return float(y[5])

    compressed.direction = 1.0  # type: ignore[attr-defined]

    def restored(_: float, y: np.ndarray) -> float:
        if path.law == "poisson":
            return float(y[2] - (1.0 + path.restitution) * path.compression / unit_impulse)
        return float(y[6] - path.restitution**2 * path.absorbed / (unit_speed * unit_impulse))

    for event in (stopped, compressed, restored):
        event.terminal = True  # type: ignore[attr-defined]

    y = np.array(
        [first, np.arctan2(path.velocity[2], path.velocity[1]), 0.0, 0.0, 0.0, path.velocity[0] / unit_speed, 0.0]
    )
    before = path.velocity.copy()
    for end in (compressed, restored):
        if end is restored and path.restitution < PLASTIC:
            return True
        run = solve_ivp(flow, (0.0, 1e9), y, "DOP853", events=(stopped, end), rtol=1e-12, atol=1e-14)
        if run.status != 1:
            raise SimulationError(
                "the slip of the impact did not come to an end; the inverse inertia is ill-conditioned."
            )
        y = run.y[:, -1]
        path.impulse = unit_impulse * y[2:5]
        path.velocity = before + path.inverse @ path.impulse
        work = float(y[6]) * unit_speed * unit_impulse
        if path.compressing:
            path.absorbed = -work
        else:
            path.returned = work
        if len(run.t_events[0]):
            return False
        if end is compressed:
            path.end_compression()
            y[5] = y[6] = 0.0
    return True


def _hodograph(inverse: np.ndarray, friction: float) -> Callable[[float, np.ndarray], tuple[float, ...]]:
    """Return the right-hand side of the slip equations for a dimensionless inverse inertia."""
    (nn, nt, nb), (_, tt, tb), (_, _, bb) = inverse.tolist()

    def flow(_: float, y: np.ndarray) -> tuple[float, ...]:
        speed, c, s = exp(y[0]), cos(y[1]), sin(y[1])
        x, z = nt - friction * (tt * c + tb * s), nb - friction * (tb * c + bb * s)
        pace = 1.0 / (1.0 + speed)
        rate = pace * speed  # of the normal impulse
        normal = nn - friction * (nt * c + nb * s)
        push = friction * rate
        return pace * (c * x + s * z), pace * (c * z - s * x), rate, -push * c, -push * s, rate * normal, rate * y[5]

    return flow


def _growing_slip(inverse: np.ndarray, friction: float) -> np.ndarray:
    """Return the only direction s in which slip can begin: W_tn - mu W_tt s = rho s with rho > 0, |s| = 1."""
    from scipy.optimize import brentq

    push = inverse[1:, 0]

    def direction(rho: float) -> np.ndarray:
        return np.linalg.solve(rho * np.eye(2) + friction * inverse[1:, 1:], push)

    most = float(np.linalg.norm(push))
    if friction * float(np.linalg.norm(inverse[1:, 1:])) <= 1e-14 * most:
        return push / most
    least = 1e-14 * most  # not 0, where a locked tangent has no answer
    rho = brentq(lambda x: float(np.linalg.norm(direction(x))) - 1.0, least, most, xtol=1e-15 * most, rtol=1e-14)
    s = direction(rho)
    return s / np.linalg.norm(s)


def _newton(inverse: np.ndarray, velocity: np.ndarray, restitution: float, friction: float) -> Stroke:
    """Return the impact by Newton's law with the friction rule of kane1985."""
    wanted = np.array([-restitution * velocity[0], 0.0, 0.0])
    impulse = _solve(inverse, wanted - velocity)
    reached = np.allclose(inverse @ impulse, wanted - velocity, rtol=0.0, atol=1e-9 * np.linalg.norm(velocity))
    slip = ("stick",)
    if friction == 0.0 or not reached or np.linalg.norm(impulse[1:]) > friction * impulse[0]:
        impulse = _sliding_newton(inverse, velocity, restitution, friction)
        slip = ("slip",)
    nan = float("nan")
    return Stroke(impulse, velocity + inverse @ impulse, nan, nan, nan, slip)


def _sliding_newton(inverse: np.ndarray, velocity: np.ndarray, restitution: float, friction: float) -> np.ndarray:
    """Return the impulse [N s] whose tangential part is mu times the normal one against the slip at the end."""
    from scipy.optimize import brentq

    gain = -(1.0 + restitution) * velocity[0]
    if friction == 0.0:
        return np.array([gain / inverse[0, 0], 0.0, 0.0])

    def ends(angle: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return impulse [N s] and final slip along and across an angle [m/s], for friction against the angle."""
        c, s = np.cos(angle), np.sin(angle)
        direction = np.stack([np.ones_like(c), -friction * c, -friction * s], axis=-1)
        impulse = gain / (direction @ inverse[0])[..., None] * direction
        after = velocity + impulse @ inverse
        return impulse, c * after[..., 1] + s * after[..., 2], c * after[..., 2] - s * after[..., 1]

    # a grid that avoids the axes, where the answers of plane impacts lie; where the impulse would be negative the
    # function has no meaning (and a pole on the way there)
    grid = np.linspace(0.0, 2.0 * np.pi, 721) + 1e-3
    impulses, _, across = ends(grid)
    pushing = impulses[:, 0] > 0.0
    found = []
    for k in np.flatnonzero(pushing[:-1] & pushing[1:] & (across[:-1] * across[1:] <= 0.0)):
        angle = brentq(lambda x: float(ends(np.array(x))[2]), grid[k], grid[k + 1], xtol=1e-15, rtol=1e-14)
        impulse, along, _ = ends(np.array(angle))
        if along >= 0.0:
            found.append((-np.cos(angle - np.arctan2(velocity[2], velocity[1])), impulse))
    if not found:
        raise SimulationError(
            "Newton's law has no answer for this impact: no slip at the end fits its friction "
            f"{friction:g}. Take the law poisson or stronge."
        )
    return min(found, key=lambda pair: pair[0])[1]
