"""Motion of flexible bodies in the floating frame of reference, against other models and conserved quantities."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import cos, pi, sin

import numpy as np

from ...flex import (
    FlexibleBody,
    Interface,
    Material,
    Section,
    Structure,
    beam,
    eigenmodes,
    nodal,
    reduced,
    straight,
)
from ..evidence import Check
from ..flexible import Mechanism, Motion, Pin, PlanarBody, SpatialBody, Turn
from ..flexible.chain import Chain

#: the beam of simo1986: EA 2.8e7 N, EI 1.4e4 N m2, 1.2 kg/m, 10 m, turned up to 6 rad/s in 15 s
SPIN = Section(1.0, 5e-4, 5e-4, 1e-3)
SPIN_MATERIAL = Material(2.8e7, 0.4, 1.2)
SPIN_TIME, SPIN_RATE, SPIN_LENGTH = 15.0, 6.0, 10.0
SPIN_STRETCH = 8  # number of the first stretching mode of the clamped beam
#: k^2 of the first flapping frequency of a rotating cantilever, by eta = rate L^2 sqrt(rho A / EI); wright1982
WRIGHT = {0: 3.5160, 3: 4.7973, 6: 7.3604, 10: 11.2023}
#: a soft rod of 1 m: EI 10 N m2, 0.5 kg/m
ROD = Section(1e-4, 1e-9, 1e-9, 2e-9)
ROD_MATERIAL = Material(1e10, 0.3, 5e3)


def spin_up() -> list[Check]:
    """A beam that is spun up lags and recovers with geometric stiffening, and diverges without it."""
    times = np.linspace(0.0, 20.0, 201)
    structure = beam(
        straight(SPIN_LENGTH, 10), SPIN, SPIN_MATERIAL, planar=True, theory="euler-bernoulli", rotary=False
    )
    along, lag = _spun(structure, times, True).T
    chain = _chain_lag(times)
    extension = 1.2 * SPIN_RATE**2 * SPIN_LENGTH**3 / (3.0 * 2.8e7)
    stretch = along[150:].mean()
    soft = _spun(structure, np.linspace(0.0, 12.0, 13), False)[:, 1]
    rows = [
        Check.close("largest lag of the tip", chain.min(), lag.min(), 0.02, "m", "chain of links, large rotations"),
        Check.at_most("mean lag after the spin-up", 0.01, abs(float(lag[150:].mean())), "m", "steady state: 0"),
        Check.close("stretch at 6 rad/s", extension, stretch, 0.02 * extension, "m", "rho A w^2 L^3 / 3 EA"),
        Check.at_least("lag without stiffening at 12 s", 10.0, abs(float(soft[-1])), "m", "diverges (kane1987)"),
    ]
    body = _rotor(structure, range(12))
    across = abs(body.markers["tip"].shape[1]) > 0.0
    for eta, root in WRIGHT.items():
        rate2 = (eta / SPIN_LENGTH**2) ** 2 * 1.4e4 / 1.2
        # flapping: no centrifugal softening, which only acts in the plane of rotation
        stiffness = (body.stiffness + rate2 * body.geometric[2, 2])[across][:, across]
        values = np.linalg.eigvals(np.linalg.solve(body.modal_mass[across][:, across], stiffness))
        got = float(np.sqrt(values.real.min() * 1.2 / 1.4e4)) * SPIN_LENGTH**2
        rows.append(Check.close(f"rotating cantilever, eta {eta}", root, got, 2e-3 * root, "-", "wright1982"))
    return rows


def _rotor(structure: Structure, chosen: Iterable[int], stiffening: bool = True) -> FlexibleBody:
    modes = eigenmodes(structure, count=12, reference="cantilever").only(list(chosen))
    tip = {"tip": Interface(len(structure.nodes) - 1)}
    return reduced("rotor", structure, modes, interfaces=tip, stiffening=stiffening)


def spin(time: float) -> tuple[float, float, float]:
    """Return angle, rate and second rate of the spin-up."""
    whole = 2.0 * pi / SPIN_TIME
    if time >= SPIN_TIME:
        return SPIN_RATE * (time - 0.5 * SPIN_TIME), SPIN_RATE, 0.0
    scale = SPIN_RATE / SPIN_TIME
    return (
        scale * (0.5 * time**2 + (cos(whole * time) - 1.0) / whole**2),
        scale * (time - sin(whole * time) / whole),
        scale * (1.0 - cos(whole * time)),
    )


def _spun(structure: Structure, times: np.ndarray, stiffening: bool) -> np.ndarray:
    """Return the displacement of the tip in the rotating frame, along and across (t, 2) [m]."""
    body = _rotor(structure, (0, 1, 2, SPIN_STRETCH), stiffening)
    tip = body.marker("tip")
    root = replace(tip, place=np.zeros(3), shape=np.zeros_like(tip.shape))
    mechanism = Mechanism((PlanarBody(body),), (Pin(0, root, None, np.zeros(2)), Turn(0, spin)), gravity=np.zeros(2))
    state = np.zeros(3 + body.count)
    motion = mechanism.move(state, state, times, 1e-5, atol=1e-7)
    moved: np.ndarray = motion.q[:, 3:] @ tip.shape[:2].T
    return moved


def _chain_lag(times: np.ndarray) -> np.ndarray:
    """Return the lag of the tip of a chain [m], extrapolated from 8 and 12 links."""
    lags = []
    for links in (8, 12):
        tip = Chain(SPIN_LENGTH, links, 1.2, 1.4e4).tip(0.0, times, spin, 1e-5)
        angle = np.array([spin(t)[0] for t in times])
        lags.append(-np.sin(angle) * tip[:, 0] + np.cos(angle) * tip[:, 1])
    found: np.ndarray = lags[1] + (lags[1] - lags[0]) / (1.5**2 - 1.0)
    return found


def rod(young: float = 1e10, count: int = 6, planar: bool = True, rotary: bool = True) -> Structure:
    """Return the soft rod of Euler and Bernoulli; in space it needs rotary inertia."""
    material = replace(ROD_MATERIAL, young=young)
    return beam(straight(1.0, count), ROD, material, planar=planar, theory="euler-bernoulli", rotary=rotary)


def swing(structure: Structure, reference: str, number: int, times: np.ndarray, damping: float = 0.0) -> np.ndarray:
    """Return the tip (t, 2) [m] of a pendulum that starts horizontally at rest; number 0 takes all coordinates."""
    modes = nodal(structure, reference) if number == 0 else eigenmodes(structure, count=number, reference=reference)
    last = len(structure.nodes) - 1
    places = {"top": Interface(0), "tip": Interface(last)}
    body = PlanarBody(reduced("rod", structure, modes, interfaces=places, damping=damping))
    mechanism = Mechanism((body,), (Pin(0, body.body.marker("top"), None, np.zeros(2)),))
    start = np.zeros(body.coordinates)
    start[0] = -structure.nodes[0, 0]
    motion = mechanism.move(start, np.zeros(body.velocities), times, 1e-9, "Radau" if damping else "DOP853")
    return points(mechanism, motion, "tip")


def points(mechanism: Mechanism, motion: Motion, name: str, number: int = 0) -> np.ndarray:
    """Return the places of a marker over time (t, 2 or 3) [m]."""
    marker = mechanism.bodies[number].body.marker(name)
    return np.array(
        [
            mechanism.parts(t, q, v).point(number, marker)[0]
            for t, q, v in zip(motion.time, motion.q, motion.v, strict=True)
        ]
    )


def pendulum() -> list[Check]:
    """A flexible pendulum moves like a chain of rigid links, up to the square of its bend."""
    times = np.linspace(0.0, 0.1, 5)
    rows, apart = [], []
    for young in (1e10, 4e10):
        chain = Chain(1.0, 12, 0.5, 1e-9 * young, 9.81).tip(0.0, times, tolerance=1e-7)
        straight_ = Chain(1.0, 1, 0.5, 1.0, 9.81).tip(0.0, times)
        bend = float(np.linalg.norm(chain - straight_, axis=1).max())
        tip = swing(rod(young), "simply-supported", 4, times)
        apart.append(float(np.linalg.norm(tip - chain, axis=1).max()))
        rows.append(Check.at_most(f"distance from the chain at {young:g} Pa", 0.02 * bend, apart[-1], "m"))
        rows.append(Check.measured(f"distance of the chain from a rigid pendulum at {young:g} Pa", bend, "m"))
    rows.append(Check.at_least("fall of the distance for a quarter of the bend", 8.0, apart[0] / apart[1]))
    few = swing(rod(), "simply-supported", 1, times)
    more = swing(rod(), "simply-supported", 4, times)
    rows.append(
        Check.measured(
            "one mode instead of four, simply supported", float(np.linalg.norm(few - more, axis=1).max()), "m"
        )
    )
    return rows


def references() -> list[Check]:
    """With all coordinates, frames of reference agree up to a difference that falls with the square of the bend."""
    times = np.linspace(0.0, 0.05, 3)
    apart = []
    for young in (1e10, 4e10):
        names = ("simply-supported", "two-cantilever", "free-free")
        tips = [swing(rod(young, 2), name, 0, times) for name in names]
        apart.append(max(float(np.linalg.norm(tip - tips[0], axis=1).max()) for tip in tips[1:]))
    note = f"differences {apart[0]:.3g} and {apart[1]:.3g} m at E and 4 E"
    return [Check.at_least("fall of the difference for a quarter of the bend", 8.0, apart[0] / apart[1], "-", note)]


def rigid_limit() -> list[Check]:
    """A pendulum of E times one million with damped modes, moves like a rigid one, to 1e-6 of its length."""
    times = np.linspace(0.0, 0.5, 6)
    exact = Chain(1.0, 1, 0.5, 10.0, 9.81).tip(0.0, times, tolerance=1e-11)
    rows = []
    for name in ("simply-supported", "free-free"):
        stiff = swing(rod(1e16, rotary=False), name, 2, times, damping=0.5)
        apart = float(np.linalg.norm(stiff - exact, axis=1).max())
        rows.append(Check.at_most(f"{name}, from the rigid pendulum", 1e-6, apart, "m"))
    return rows


def conservation() -> list[Check]:
    """A free flexible body keeps its energy and its linear and angular momentum, in the plane and in space."""
    rows = []
    times = np.linspace(0.0, 0.1, 4)
    for name, planar in (("plane", True), ("space", False)):
        structure = rod(planar=planar)
        flexible = reduced("rod", structure, eigenmodes(structure, count=2 if planar else 4))
        body = PlanarBody(flexible) if planar else SpatialBody(flexible)
        mechanism = Mechanism((body,), gravity=np.zeros(2 if planar else 3))
        q, v = np.zeros(body.coordinates), 0.3 * np.sin(1.0 + 7.0 * np.arange(body.velocities))
        q[3] = 0.0 if planar else 1.0
        q[-flexible.count :] = 0.02
        v[2 if planar else 5] = 5.0
        motion = mechanism.move(q, v, times, 1e-10, "DOP853")
        energy = [mechanism.energy(*row) for row in zip(motion.time, motion.q, motion.v, strict=True)]
        momentum = np.array([mechanism.momentum(*row) for row in zip(motion.time, motion.q, motion.v, strict=True)])
        rows += [
            Check.at_most(f"{name}: energy, relative", 1e-8, float(np.ptp(energy)) / energy[0]),
            Check.at_most(f"{name}: momentum", 1e-9, float(np.ptp(momentum, axis=0).max()), "kg m/s, kg m2/s"),
        ]
    return rows


def planar_and_spatial() -> list[Check]:
    """A pendulum in the plane moves like the same pendulum in space."""
    times = np.linspace(0.0, 0.1, 3)
    flat = swing(rod(), "simply-supported", 2, times)
    structure = rod(planar=False)
    modes = eigenmodes(structure, count=4, reference="simply-supported")
    # equal second moments give pairs of equal frequency, in directions that the eigensolver chooses
    body = SpatialBody(reduced("rod", structure, modes, interfaces={"top": Interface(0), "tip": Interface(6)}))
    pin = Pin(0, body.body.marker("top"), None, np.zeros(3), (0, 1, 2))
    mechanism = Mechanism((body,), (pin,), gravity=np.array([0.0, -9.81, 0.0]))
    start = np.zeros(body.coordinates)
    start[3] = 1.0
    motion = mechanism.move(start, np.zeros(body.velocities), times, 1e-9, "DOP853")
    tip = points(mechanism, motion, "tip")
    return [
        Check.at_most("distance of the tips", 1e-8, float(np.linalg.norm(tip[:, :2] - flat, axis=1).max()), "m"),
        Check.at_most("out of the plane", 1e-9, float(abs(tip[:, 2]).max()), "m"),
    ]


def slider_crank() -> list[Check]:
    """The rod of a slow slider-crank bends as under its inertia, a linear load on a simply supported beam."""
    radius, rate, length = 0.15, 40.0, 0.3
    section, steel = Section(2.827e-5, 6.362e-11, 6.362e-11, 1.272e-10), Material(2e11, 0.3, 7870.0)
    structure = beam(straight(length, 4), section, steel, planar=True, theory="euler-bernoulli")
    modes = eigenmodes(structure, count=2, reference="simply-supported")
    places = {"pin": Interface(0), "middle": Interface(2), "slide": Interface(4)}
    body = PlanarBody(reduced("rod", structure, modes, interfaces=places, damping=0.05))

    class Crank:
        """Move the pin on a circle."""

        def rows(self, parts):  # type: ignore[no-untyped-def]
            place, jacobian, drift = parts.point(0, body.body.marker("pin"))
            circle = radius * np.array([cos(rate * parts.time), sin(rate * parts.time)])
            turned = rate * np.array([-circle[1], circle[0]])
            return place - circle, jacobian, -turned, -drift - rate**2 * circle

    slide = Pin(0, body.body.marker("slide"), None, np.zeros(2), (1,))
    mechanism = Mechanism((body,), (Crank(), slide), gravity=np.zeros(2))
    q, v = np.zeros(5), np.zeros(5)
    q[0] = radius
    v[1], v[2] = radius * rate, -radius * rate / length
    times = np.linspace(0.0, 2.0 * pi / rate, 41)
    motion = mechanism.move(q, v, times, 1e-6)
    bend = motion.q[:, 3:] @ body.body.marker("middle").shape[1]
    crank = rate * times
    tilt = -np.arcsin(radius / length * np.sin(crank))
    # the pin accelerates by -w^2 r; its part across the rod falls linearly to that of the slider, which is along x
    across = rate**2 * radius * (np.cos(crank) * np.sin(tilt) - np.sin(crank) * np.cos(tilt))
    slider = np.gradient(np.gradient(radius * np.cos(crank) + length * np.cos(tilt), times), times)
    ends = 0.5 * (across - slider * np.sin(tilt))
    closed = -ends * 7870.0 * 2.827e-5 * 5.0 * length**4 / (384.0 * 2e11 * 6.362e-11)
    inner = slice(8, 34)
    largest = float(abs(closed[inner]).max())
    return [
        Check.at_most(
            "bend at the middle, from the static one", 0.05 * largest, float(abs(bend - closed)[inner].max()), "m"
        ),
        Check.measured("largest bend", largest, "m", f"{radius:g} m crank at {rate:g} rad/s, rod 0.3 m of 6 mm steel"),
    ]
