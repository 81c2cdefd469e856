"""Webbing: against the capstan equation, closed forms, an independent minimisation of length, and energy. SI units."""

from __future__ import annotations

from math import atan2, cos, exp, pi, sqrt
from typing import Any

import numpy as np

from ...kernels.layout import web
from ...model import Belt, Body, Configuration, Cylinder, Ellipsoid, Joint, Retractor, Sphere, System, Waypoint, ramp
from ...model.belt_table import lay_belts
from ...model.compile import compile_system, initial_state, make_work
from ...model.table import Table
from ...sim.channel import WORK_CLASSES
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ..evidence import Check

SEEDS = 30  # random cases of webbing on bodies that are thrown about
_ELASTIC, _LOST = WORK_CLASSES.index("belt_elastic"), WORK_CLASSES.index("belt_dissipated")
_TURN = (sqrt(0.5), sqrt(0.5), 0.0, 0.0)  # the axis of a cylinder along y
_POINT = np.array([0.01, 0.01, 0.01])
DEGREE = 9  # of the polynomials of an independent path


def _driven(name: str, table: Table) -> tuple[Body, Joint]:
    """A small body on a vertical guide with a given height [m]."""
    return Body(name, 1.0, _POINT, (Sphere(0.01),)), Joint(f"{name}_guide", "prismatic", None, name, motion=(table,))


def capstan() -> list[Check]:
    """Webbing that is drawn over a cylinder has the tensions of the capstan equation, T2 = T1 exp(mu theta)."""
    radius, down, first, rows = 0.1, 0.5, 1000.0, []
    for friction, aside in ((0.1, 0.0), (0.3, 0.0), (0.3, 0.4)):
        body, joint = _driven("pull", ramp(-down, -0.5))
        drum = Body("drum", 1.0, _POINT, (Cylinder(radius, 1.0, rotation=_TURN),))
        path = (
            Waypoint(anchor=(-radius, 0.0, -down)),
            Waypoint(over="drum", friction=friction, grip=0.0, side=(0.0, 0.0, 1.0)),
            Waypoint(anchor=(radius, aside, 0.0), body="pull"),
        )
        belt = Belt("belt", path, retractor=Retractor(limit=first))
        system = System((body, drum), (joint, Joint("rest", "rigid", None, "drum")), belts=(belt,))
        run = simulate(system, duration=0.04, pose_rate=1000.0)
        fed = 0.5 * float(run.pose_time[-2])
        slope = atan2(aside, 2.0 * down + fed + pi * radius)
        wanted = exp(friction * pi * cos(slope))
        found = float(run.belt_force[-2, 1] / run.belt_force[-2, 0])
        about = f"mu {friction:g}, {'straight' if not aside else 'helix'}, T1 {run.belt_force[-2, 0]:.1f} N"
        rows.append(Check.close(f"capstan, {about}", wanted, found, 1e-3 * wanted, "-"))
    return rows


def hanging() -> list[Check]:
    """A mass that is released on webbing swings, and comes to rest, as a mass on a spring does."""
    mass, length, strain, force, g = 10.0, 1.0, 0.08, 11.1e3, 9.80665
    stiffness = force / strain / length
    body = Body("mass", mass, _POINT, (Sphere(0.05),))
    path = (Waypoint(anchor=(0.0, 0.0, length)), Waypoint(anchor=(0.0, 0.0, 0.0), body="mass"))

    def run(damping: float, duration: float, **options: Any) -> Recording:
        belt = Belt("belt", path, ((0.0, 0.0), (strain, force)), damping=damping)
        system = System((body,), (Joint("root", "free", None, "mass"),), belts=(belt,))
        return simulate(system, duration=duration, pose_rate=2000.0, **options)

    free = run(0.0, 0.05, adaptive=False, step=5e-5)
    rate = sqrt(stiffness / mass)
    wanted = -g / rate**2 * (1.0 - np.cos(rate * free.pose_time))
    off = float(abs(free.position[:, 0, 2] - wanted).max() / abs(wanted).max())
    still = run(0.01, 0.5)
    return [
        Check.close("mass on webbing, motion", 0.0, off, 1e-5, "-", "of the largest displacement"),
        Check.close("mass on webbing, tension at rest", mass * g, float(still.belt_force[-1, 0]), 1e-3, "N"),
    ]


def hysteresis() -> list[Check]:
    """The work lost in webbing that is stretched and let back is the area between its curves."""
    loading, unloading = ((0.0, 0.0), (0.03, 4000.0), (0.08, 12000.0)), ((0.0, 0.0), (0.02, 4000.0), (0.045, 12000.0))
    times, most, length = (0.0, 0.02, 0.04, 0.06, 0.08, 0.10), 0.06, 1.0
    table = Table(times, (0.0, 0.25 * most, most, 0.9 * most, 0.2 * most, 0.0), "linear")
    body, joint = _driven("pull", table)
    path = (Waypoint(anchor=(0.0, 0.0, -length)), Waypoint(anchor=(0.0, 0.0, 0.0), body="pull"))
    belt = Belt("belt", path, loading, unloading, damping=0.0)
    system = System((body,), (joint,), belts=(belt,), gravity=(0.0, 0.0, 0.0))
    run = simulate(system, duration=0.1, pose_rate=2000.0, adaptive=False, step=5e-5)
    top = 4000.0 + (most - 0.03) / 0.05 * 8000.0
    back = 0.02 + (top - 4000.0) / 8000.0 * 0.025
    taken = length * (0.5 * 0.03 * 4000.0 + (most - 0.03) * 0.5 * (4000.0 + top))
    rest = length * (1.0 + most) / (1.0 + back)
    given = rest * (0.5 * 0.02 * 4000.0 + (back - 0.02) * 0.5 * (4000.0 + top))
    return [
        Check.close("hysteresis of webbing, work lost", given - taken, float(run.work[-1, _LOST]), 1e-3 * taken, "J"),
        Check.close("hysteresis of webbing, largest tension", top, float(run.belt_force[:, 0].max()), 0.01 * top, "N"),
    ]


def geodesic() -> list[Check]:
    """Webbing over an ellipsoid without grip is as long as the shortest smooth path round it, found by minimisation."""
    rows = []
    for axes, one, two in (
        ((0.12, 0.16, 0.20), (-0.02, 0.45, 0.20), (0.00, -0.40, -0.25)),
        ((0.10, 0.18, 0.16), (-0.02, 0.45, -0.20), (-0.03, -0.40, -0.10)),
        ((0.20, 0.11, 0.14), (-0.05, 0.35, 0.10), (0.0, -0.30, -0.20)),
    ):
        found, wanted = _laid(axes, one, two), shortest(axes, np.array(one), np.array(two))
        about = f"semi-axes {1e3 * axes[0]:.0f}, {1e3 * axes[1]:.0f}, {1e3 * axes[2]:.0f} mm"
        rows.append(Check.close(f"length of webbing over an ellipsoid, {about}", wanted, found, 1e-5 * wanted, "m"))
    return rows


def _laid(axes: tuple[float, float, float], one: Any, two: Any) -> float:
    """Return the length [m] of webbing that the engine lays over an ellipsoid at rest."""
    body = Body("solid", 1.0, _POINT, (Ellipsoid(axes),))
    path = (Waypoint(anchor=one), Waypoint(over="solid", grip=0.0), Waypoint(anchor=two))
    system = System((body,), (Joint("rest", "rigid", None, "solid"),), belts=(Belt("belt", path),))
    compiled = compile_system(system)
    state, work = initial_state(compiled), make_work(compiled)
    lay_belts(compiled, state, work)
    return float(work.web[:, web.REST].sum())


def shortest(axes: tuple[float, float, float], one: np.ndarray, two: np.ndarray) -> float:
    """Return the length [m] of the shortest path over the front of an ellipsoid by sequential quadratic programming.

    The latitude is a polynomial of the longitude, from the first to the last one; both points must see the ends.
    """
    from scipy.optimize import minimize

    size = np.array(axes)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    powers = nodes[:, None] ** np.arange(DEGREE + 1)
    slopes = np.arange(DEGREE + 1) * nodes[:, None] ** np.maximum(np.arange(DEGREE + 1) - 1, 0)
    ends = np.array([[-1.0], [1.0]]) ** np.arange(DEGREE + 1)

    def place(longitude: np.ndarray, latitude: np.ndarray) -> np.ndarray:
        flat = np.cos(latitude)
        return size * np.stack([flat * np.cos(longitude), flat * np.sin(longitude), np.sin(latitude)], axis=-1)

    def tips(given: np.ndarray) -> np.ndarray:
        return place(given[:2], ends @ given[2:])

    def length(given: np.ndarray) -> float:
        half = 0.5 * (given[1] - given[0])
        longitude, latitude, rise = 0.5 * (given[0] + given[1]) + half * nodes, powers @ given[2:], slopes @ given[2:]
        east = np.stack([-np.sin(longitude), np.cos(longitude), 0.0 * nodes], axis=-1) * np.cos(latitude)[:, None]
        north = np.stack(
            [-np.sin(latitude) * np.cos(longitude), -np.sin(latitude) * np.sin(longitude), np.cos(latitude)], axis=-1
        )
        rate = np.linalg.norm(size * (half * east + rise[:, None] * north), axis=1)
        first, last = tips(given)
        return float(weights @ rate + np.linalg.norm(first - one) + np.linalg.norm(last - two))

    def seen(given: np.ndarray) -> np.ndarray:
        return np.array([(point - tip) @ (tip / size**2) for point, tip in zip((one, two), tips(given), strict=True)])

    start = np.concatenate([[0.8, -0.8], np.zeros(DEGREE + 1)])
    limits = {"type": "ineq", "fun": seen}
    return float(
        minimize(length, start, method="SLSQP", constraints=limits, options={"maxiter": 500, "ftol": 1e-14}).fun
    )


def energy() -> list[Check]:
    """Webbing on bodies that are thrown about never creates energy, and never pushes."""
    rises, pushes, shares = [], [], []
    for seed in range(SEEDS):
        run = simulate(*thrown(seed), duration=0.25, pose_rate=4000.0)
        lost, stored = run.work[:, _LOST], -run.work[:, _ELASTIC]
        rises.append(float(np.maximum(np.diff(lost), 0.0).sum() / max(float(stored.max()), 1.0)))
        pushes.append(float(-run.belt_force.min() / max(float(run.belt_force.max()), 1.0)))
        shares.append(float(run.balance_error))
    return [
        Check.close("webbing in random motion, energy created", 0.0, max(rises), 1e-4, "-", "of the largest stored"),
        Check.close("webbing in random motion, push", 0.0, max(pushes), 1e-2, "-", "of the largest tension"),
        Check.close("webbing in random motion, balance", 0.0, max(shares), 1e-3, "-", "of the energy put in"),
    ]


def thrown(seed: int) -> tuple[System, Configuration]:
    """Return two ellipsoids in webbing with rings, hysteresis and a limiter, and random velocities."""
    rng = np.random.default_rng(seed)
    one = Body("one", 12.0, np.array([0.15, 0.12, 0.1]), (Ellipsoid((0.12, 0.16, 0.14)),))
    two = Body("two", 20.0, np.array([0.3, 0.3, 0.2]), (Ellipsoid((0.13, 0.17, 0.2)),))
    friction = float(rng.uniform(0.0, 0.4))
    path = (
        Waypoint(anchor=(-0.05, 0.4, -0.1)),
        Waypoint(over="one", friction=friction, grip=float(rng.uniform(0.3, 1.0))),
        Waypoint(ring=(-0.02, -0.4, 0.25), friction=float(rng.uniform(0.0, 0.3))),
        Waypoint(over="two", friction=friction, grip=float(rng.uniform(0.3, 1.0))),
        Waypoint(anchor=(-0.05, 0.4, 0.6)),
    )
    unloading = ((0.0, 0.0), (0.05, 11.1e3)) if seed % 2 else None
    belt = Belt("belt", path, unloading=unloading, slack=0.01, retractor=Retractor(limit=4000.0) if seed % 3 else None)
    joints = (
        Joint("left", "free", None, "one"),
        Joint("right", "spherical", "one", "two", (0.0, 0.0, 0.22), (0.0, 0.0, -0.28)),
    )
    speed = (float(rng.uniform(2.0, 6.0)), *rng.uniform(-1.0, 1.0, 2).tolist(), *rng.uniform(-5.0, 5.0, 3).tolist())
    start = Configuration(rates={"left": speed, "right": tuple(rng.uniform(-5.0, 5.0, 3).tolist())})
    return System((one, two), joints, belts=(belt,)), start
