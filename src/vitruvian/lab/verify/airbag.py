"""Airbags: against adiabatic compression, an independent equation of a vented bag, and energy. SI units."""

from __future__ import annotations

from math import pi

import numpy as np

from ...model import Airbag, Body, Configuration, Ellipsoid, Firing, Inflator, Joint, Sphere, System
from ...model.airbag import AMBIENT_PRESSURE, GAS_CONSTANT, HEAT_RATIO
from ...sim.channel import WORK_CLASSES
from ...sim.simulate import simulate
from ..evidence import Check

_ELASTIC, _LOST = WORK_CLASSES.index("airbag_elastic"), WORK_CLASSES.index("airbag_dissipated")
RADIUS, MASS, DEPTH, START = 0.1, 5.0, 0.35, 0.6  # of the ball [m, kg], of the bag [m], place of the ball [m]
FLOW, HOT, VENT, FIRED = ((0.0, 0.0), (0.005, 2.0), (0.02, 1.6), (0.045, 0.0)), 600.0, 1.2e-3, 0.005


def _ball(speed: float, **bag: object) -> tuple[System, Configuration]:
    """Return a ball that moves into a bag along its axis."""
    ball = Body("ball", MASS, np.full(3, 0.02), (Sphere(RADIUS),))
    own = Airbag(name="bag", place=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0), size=(DEPTH, 0.33, 0.33), segments=("ball",),
                 **bag)  # type: ignore[arg-type]  # fmt: skip
    system = System((ball,), (Joint("root", "free", None, "ball"),), airbags=(own,), gravity=(0.0, 0.0, 0.0))
    root = (START, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    return system, Configuration({"root": root}, {"root": (-speed, 0.0, 0.0, 0.0, 0.0, 0.0)})


def _taken(place: float) -> tuple[float, float]:
    """Return the volume [m3] that the ball takes up at a place [m], and its cross-section [m2]: a cap, then a rod."""
    depth = DEPTH - (place - RADIUS)
    if depth <= 0.0:
        return 0.0, 0.0
    if depth < RADIUS:
        return pi * depth**2 * (RADIUS - depth / 3.0), pi * depth * (2.0 * RADIUS - depth)
    return pi * RADIUS**2 * (depth - RADIUS / 3.0), pi * RADIUS**2


def closed() -> list[Check]:
    """The pressure of a closed bag is that of adiabatic compression, and a ball gets back what it put in."""
    gauge, speed = 5000.0, 5.0
    system, start = _ball(speed, pressure=gauge)
    run = simulate(system, start, duration=0.15, pose_rate=4000.0)
    full = system.airbags[0].full
    room = full - np.array([_taken(x)[0] for x in run.position[:, 0, 0]])
    wanted = np.maximum((AMBIENT_PRESSURE + gauge) * (full / room) ** HEAT_RATIO - AMBIENT_PRESSURE, 0.0)
    off = float(abs(run.airbag_pressure[:, 0] - wanted).max() / wanted.max())
    # the energy of the ball where it is deepest is the work of compression
    deepest = int(np.argmin(room))
    inside = (AMBIENT_PRESSURE + gauge) * (full / room[deepest]) ** HEAT_RATIO
    work = (inside * room[deepest] - (AMBIENT_PRESSURE + gauge) * full) / (HEAT_RATIO - 1.0)
    work -= AMBIENT_PRESSURE * (full - room[deepest])
    lost = 0.5 * MASS * (speed**2 - float(run.velocity[deepest, 0, 0]) ** 2)
    return [
        Check.close("closed airbag, pressure", 0.0, off, 5e-3, "-", "of the largest; recorded as means over steps"),
        Check.close("closed airbag, work of compression", work, lost, 1e-3 * work, "J"),
    ]


def vented() -> list[Check]:
    """A ball in a bag that is inflated and vented moves as by an independent equation in energy and mass of the gas."""
    from scipy.integrate import solve_ivp

    system, start = _ball(6.0, inflator=Inflator(flow=FLOW, temperature=HOT), fire=Firing(time=FIRED), vent=VENT)
    full, k = system.airbags[0].full, HEAT_RATIO
    heat = GAS_CONSTANT * k / (k - 1.0)
    times, flow = np.array(FLOW).T

    def rates(time: float, state: np.ndarray) -> list[float]:
        place, speed, mass, energy = state
        volume, area = _taken(place)
        room, into = full - volume, float(np.interp(time - FIRED, times, flow, left=0.0, right=0.0))
        pressure = (k - 1.0) * energy / room
        if pressure <= AMBIENT_PRESSURE:
            return [speed, 0.0, into, into * heat * HOT / k]
        hot = pressure * room / (mass * GAS_CONSTANT)
        ratio = max(AMBIENT_PRESSURE / pressure, (2.0 / (k + 1.0)) ** (k / (k - 1.0)))
        flux = np.sqrt(2.0 * k / (k - 1.0) * (ratio ** (2.0 / k) - ratio ** ((k + 1.0) / k)))
        out = VENT * pressure / np.sqrt(GAS_CONSTANT * hot) * flux
        change = into * heat * HOT - out * heat * hot - pressure * area * speed
        return [speed, (pressure - AMBIENT_PRESSURE) * area / MASS, into - out, change]

    run = simulate(system, start, duration=0.12, pose_rate=2000.0, contact_step=2e-4)
    options = {"rtol": 1e-9, "atol": 1e-11, "max_step": 5e-5, "t_eval": run.pose_time}
    other = solve_ivp(rates, (0.0, 0.12), [START, -6.0, 1e-9, 1e-9], **options)
    lost = run.work[:, _LOST]
    return [
        Check.close("vented airbag, place", 0.0, float(abs(other.y[0] - run.position[:, 0, 0]).max()), 1e-4, "m"),
        Check.close("vented airbag, last speed", float(other.y[1, -1]), float(run.velocity[-1, 0, 0]), 2e-3, "m/s"),
        Check.close("vented airbag, energy created", 0.0, float(np.maximum(np.diff(lost), 0.0).sum()), 1e-3, "J"),
    ]


def thrown(seed: int) -> tuple[System, Configuration]:
    """Return an ellipsoid that is thrown into a closed bag on a free body."""
    rng = np.random.default_rng(seed)
    shape = Ellipsoid(tuple(rng.uniform(0.04, 0.2, 3)), offset=tuple(rng.uniform(-0.05, 0.05, 3)))
    bodies = (
        Body("segment", float(rng.uniform(0.5, 5.0)), np.array([0.02, 0.03, 0.025]), (shape,)),
        Body("wheel", float(rng.uniform(2.0, 20.0)), np.array([0.2, 0.3, 0.25]), ()),
    )
    joints = (Joint("one", "free", None, "segment"), Joint("two", "free", None, "wheel"))
    bag = Airbag(
        name="bag", carrier="wheel", place=(0.1, 0.0, 0.0), axis=(1.0, 0.2, 0.0), size=(0.45, 0.33, 0.38),
        segments=("segment",), pressure=float(rng.uniform(1e3, 3e4)),
    )  # fmt: skip
    places = {"one": (0.8, *rng.uniform(-0.2, 0.2, 2), 1.0, 0.0, 0.0, 0.0), "two": (0.0,) * 3 + (1.0, 0.0, 0.0, 0.0)}
    one = (float(rng.uniform(-9.0, -3.0)), *rng.uniform(-3.0, 3.0, 2), *rng.uniform(-20.0, 20.0, 3))
    rates = {"one": one, "two": (0.0, 0.0, 0.0, *rng.uniform(-5.0, 5.0, 3))}
    return System(bodies, joints, airbags=(bag,), gravity=(0.0, 0.0, 0.0)), Configuration(places, rates)


def energy() -> list[Check]:
    """A closed bag and a segment that is thrown into it keep energy and momentum."""
    created, pulls, drifts = [], [], []
    for seed in range(6):
        system, start = thrown(seed)
        run = simulate(system, start, duration=0.25, pose_rate=2000.0, contact_step=5e-4)
        most = max(float(-run.work[:, _ELASTIC].min()), 1.0)
        created.append(float(abs(run.work[:, _LOST]).max()) / most)
        mass = np.array([system.body(name).mass for name in run.bodies])
        total = np.einsum("b,tbx->tx", mass, run.velocity)
        drifts.append(float(abs(total - total[0]).max() / np.linalg.norm(total[0])))
        # a push works against the motion into the bag: towards the segment, out of the wheel
        apart = run.position[:, run.bodies.index("segment")] - run.position[:, run.bodies.index("wheel")]
        pulls.append(float(-np.einsum("tx,tx->t", run.airbag_force[:, 0], apart).min(initial=0.0)))
    return [
        Check.close("closed airbag, energy gained or lost", 0.0, max(created), 2e-3, "-", "of the largest stored"),
        Check.close("closed airbag, momentum", 0.0, max(drifts), 1e-12, "-", "of that at the start"),
        Check.close("closed airbag, pull", 0.0, max(pulls), 1e-9, "N m", "force times distance towards the mount"),
    ]
