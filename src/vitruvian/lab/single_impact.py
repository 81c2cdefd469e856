"""A contact law alone: impact of one mass, integrated by scipy without the engine. SI units."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy as np

from ..kernels import contact_law as kernel
from ..model.contact import Contact, law_row
from ..model.contact_law import FAMILY
from ..model.table import with_areas
from .kernels import measure

MASS = 1.0  # [kg]


class Alone:
    """The law of a contact as a function of depth, closing speed and contact memory."""

    def __init__(self, contact: Contact, tissue_stiffness: float = inf, radius: float = 0.1) -> None:
        kind, value, curves = law_row(contact, tissue_stiffness, radius)
        self.kind = np.array([kind], np.int64)
        self.value = np.array([value])
        self.start = np.cumsum([0, *(len(curve) for curve in curves)]).astype(np.int64)
        self.table = with_areas(curves)

    def __call__(
        self, depth: float, rate: float, onset: float = 0.0, largest: float = 0.0, peak: float = 0.0
    ) -> tuple[float, float, float, float]:
        """Return force [N], elastic part [N], slopes by depth [N/m] and rate [N s/m]."""
        return kernel.normal_force(
            self.kind, self.value, 0, self.start, self.table, depth, rate, float(onset), float(largest), float(peak)
        )

    def many(self, states: np.ndarray) -> np.ndarray:
        """Return force, elastic part [N] and slopes [N/m], [N s/m] for rows of depth, rate, onset, largest, peak."""
        forces = np.zeros((len(states), 4))
        measure.normal_forces(self.kind, self.value, 0, self.start, self.table, np.ascontiguousarray(states), forces)
        return forces


@dataclass(frozen=True)
class Impact:
    """One impact: histories from contact to separation, and its results."""

    time: np.ndarray = field(repr=False)  # [s]
    depth: np.ndarray = field(repr=False)  # [m]
    rate: np.ndarray = field(repr=False)  # closing speed [m/s]
    force: np.ndarray = field(repr=False)  # [N]
    speed: float  # of the impact [m/s]
    residual: float  # depth at which the force ended [m]

    @property
    def restitution(self) -> float:
        """Rebound over impact speed [-]."""
        return float(-self.rate[-1] / self.speed)

    @property
    def loss(self) -> float:
        """Work done by the force over the kinetic energy brought in [-]."""
        return float(np.trapezoid(self.force * self.rate, self.time) / (0.5 * MASS * self.speed**2))


def impact(contact: Contact, speed: float, *, mass: float = MASS, peak: float = 0.0, rows: int = 400) -> Impact:
    """Return the impact of a free mass [kg] on the law without gravity: loading, unloading from the largest depth.

    The law is smooth in each of the two phases; the largest depth is where the first one ends.
    """
    from scipy.integrate import solve_ivp

    alone = Alone(contact)
    least = 1e-12 * speed  # a depth at which the contact has begun [m]

    def push(depth: float, rate: float, deepest: float) -> float:
        return alone(depth, rate, speed, speed, deepest)[0] if depth > 0.0 else 0.0

    def phase(start: float, state: list[float], deepest: float, event: object) -> object:
        found = solve_ivp(
            lambda _, y: [y[1], -push(y[0], y[1], deepest) / mass],
            (start, start + 10.0),
            state,
            method="DOP853",
            rtol=1e-11,
            atol=1e-14 * speed,
            events=event,
            dense_output=True,
        )
        return found

    def turned(_: float, y: np.ndarray) -> float:
        return y[1]

    turned.terminal = True  # type: ignore[attr-defined]
    turned.direction = -1.0  # type: ignore[attr-defined]
    into = phase(0.0, [least, speed], peak, turned)
    top = into.y[0, -1]  # type: ignore[attr-defined]

    def ended(_: float, y: np.ndarray) -> float:
        # a force that may pull ends with the depth
        force, _, _, _ = alone(max(y[0], 1e-300), y[1], speed, speed, max(top, peak))
        return min(y[0], force) if not contact.pull else y[0]

    ended.terminal = True  # type: ignore[attr-defined]
    ended.direction = -1.0  # type: ignore[attr-defined]
    turn = into.t[-1]  # type: ignore[attr-defined]
    out = phase(turn, [top, 0.0], max(top, peak), ended)
    end = out.t[-1]  # type: ignore[attr-defined]
    t_in, t_out = np.linspace(0.0, turn, rows), np.linspace(turn, end, rows)[1:]
    states = np.concatenate([into.sol(t_in), out.sol(t_out)], axis=1)  # type: ignore[attr-defined]
    forces = [push(d, r, peak) for d, r in states[:, :rows].T]
    forces += [push(d, r, max(top, peak)) for d, r in states[:, rows:].T]
    time = np.concatenate([t_in, t_out])
    return Impact(time, states[0], states[1], np.array(forces), speed, float(states[0, -1]))


#: rows of depth [m] and force [N]: a part that buckles and then bottoms out, and its softer unloading curve
BUCKLING = ((0.0, 0.0), (0.005, 1000.0), (0.012, 400.0), (0.03, 1500.0), (0.04, 5000.0))
WAY_OUT = ((0.0, 0.0), (0.006, 0.0), (0.03, 500.0), (0.04, 1500.0))


def examples() -> dict[str, Contact]:
    """Return a contact of every law, and of every option that changes its curve."""
    family = {name: Contact(1e6, restitution=0.4, law=name) for name in FAMILY}
    return family | {
        "linear": Contact(1e5, law="linear"),
        "hertz": Contact(1e6, law="hertz"),
        "hertz-permanent": Contact(1e6, law="hertz-permanent", restitution=0.4),
        "hertz-permanent, given": Contact(1e6, law="hertz-permanent", permanent=1e-3),
        "kelvin-voigt": Contact(1e5, law="kelvin-voigt", damping=200.0),
        "kelvin-voigt, may pull": Contact(1e5, law="kelvin-voigt", damping=200.0, pull=True),
        "general": Contact(1e6, law="general", damping=1e5),
        "general, p = 1, q = 2": Contact(1e6, law="general", damping=1e5, depth_power=1.0, rate_power=2.0),
        "damped-power": Contact(1e6, law="damped-power", damping=100.0),
        "impact": Contact(1e8, law="impact", damping=1e3, ramp=1e-3),
        "spring-dashpot": Contact(law="spring-dashpot", curve=BUCKLING, damping=100.0),
        "curve, elastic": Contact(law="curve", curve=BUCKLING),
        "curve, down a line": Contact(law="curve", curve=BUCKLING, unloading_stiffness=1e6),
        "curve, down a curve": Contact(law="curve", curve=BUCKLING, unloading=WAY_OUT),
        "curve, damped": Contact(law="curve", curve=BUCKLING, unloading=WAY_OUT, damping=100.0, ramp=2e-3),
        "hunt-crossley, onset": Contact(1e6, restitution=0.4, reference="onset"),
    }


def random_states(rng: np.random.Generator, count: int) -> np.ndarray:
    """Return admissible rows of depth, rate, onset, largest, peak: depths up to 0.05 m, speeds up to 10 m/s.

    A tenth is at its largest depth, a tenth deeper than what is remembered.
    """
    depth = 0.05 * rng.random(count) ** 2 + 1e-12
    rate = 10.0 * (2.0 * rng.random(count) - 1.0)
    onset = 10.0 * rng.random(count) * (rng.random(count) > 0.1)
    largest = np.maximum(onset, 10.0 * rng.random(count))
    choice = rng.random(count)
    peak = depth * np.select([choice < 0.1, choice < 0.2], [1.0, rng.random(count)], 1.0 + 3.0 * rng.random(count))
    return np.column_stack([depth, rate, onset, largest, peak])
