"""Tissue under webbing: against an independent integration, at rest, and energy in random motion. SI units."""

from __future__ import annotations

from math import exp, inf, pi, sqrt

import numpy as np

from ...model import (
    Belt,
    BeltTissue,
    Body,
    Configuration,
    Cylinder,
    Joint,
    Retractor,
    Sphere,
    System,
    Waypoint,
    yielding,
)
from ...model.tissue import Tissue
from ...sim.channel import WORK_CLASSES
from ...sim.simulate import simulate
from ...units import STANDARD_GRAVITY
from ..evidence import Check
from .webbing import SEEDS, thrown

RADIUS, DOWN, DRUM = 0.1, 0.5, 15.0  # of the drum, of the strands [m]; mass of the drum [kg]
SPEED, TIME, STEP = 5.0, 0.06, 2e-6  # of the balls [m/s]; of the run, of a step of the independent integration [s]
STRAIN, FORCE = 0.08, 11.1e3  # of the webbing
LAW = BeltTissue(Tissue(60e3, 0.12, hardening=0.3, core=850e3, core_depth=0.15, restitution=0.25), 0.03, 5.0)
_ELASTIC, _LOST = WORK_CLASSES.index("belt_elastic"), WORK_CLASSES.index("belt_dissipated")


def _pulley(masses: tuple[float, float], friction: float, damping: float = 0.0, limit: float | None = None) -> System:
    """Two balls that slide vertically, on webbing over a fixed drum whose top gives way; the left one may have a reel
    that pays out at a force [N]."""
    names = ("left", "right")
    balls = [Body(name, mass, np.full(3, 0.1), (Sphere(0.02),)) for name, mass in zip(names, masses, strict=True)]
    drum = Body("drum", DRUM, np.full(3, 0.1), (Cylinder(RADIUS, 0.3, rotation=(sqrt(0.5), sqrt(0.5), 0.0, 0.0)),))
    path = (
        Waypoint(anchor=(0, 0, 0), body="left"),
        Waypoint(over="drum", friction=friction, side=(0, 0, 1)),
        Waypoint(anchor=(0, 0, 0), body="right"),
    )
    guides = [
        Joint(name, "prismatic", None, name, (side * RADIUS, 0.0, -DOWN))
        for name, side in zip(names, (-1.0, 1.0), strict=True)
    ]
    reel = None if limit is None else Retractor(limit=limit)
    belt = Belt("belt", path, ((0.0, 0.0), (STRAIN, FORCE)), damping=damping, retractor=reel)
    return System((*balls, drum), (*guides, Joint("rest", "rigid", None, "drum")), belts=(belt,))


def motion() -> list[Check]:
    """Webbing that presses tissue in moves as in an independent integration, with slip, without, and with a limiter."""
    rows = []
    cases = (
        ((30.0, 30.0), 0.2, None),
        ((25.0, 60.0), 0.2, None),
        ((25.0, 60.0), 0.05, None),
        ((60.0, 40.0), 0.2, 3000.0),
    )
    for masses, friction, limit in cases:
        system = yielding(_pulley(masses, friction, limit=limit), {"drum": LAW})
        start = Configuration(rates={"left": (-SPEED,), "right": (-SPEED,)})
        run = simulate(system, start, duration=TIME, pose_rate=1000.0)
        names = ("left", "right", "drum_under_belt")
        found = run.joint_rotation[:, [run.joints.index(name) for name in names], 0]
        wanted = independent(masses, friction, run.pose_time, limit or inf)
        off = float(np.abs(found[:, 2] - wanted[:, 2]).max() / wanted[:, 2].max())
        about = f"masses {masses[0]:g} and {masses[1]:g} kg, mu {friction:g}, {1e3 * wanted[:, 2].max():.1f} mm"
        about += f", limiter of {1e-3 * limit:g} kN" if limit else ""
        rows.append(Check.close(f"tissue under webbing, compression, {about}", 0.0, off, 1e-3, "-", "of the largest"))
        far = float(np.abs(found[:, :2] - wanted[:, :2]).max())
        rows.append(Check.close(f"tissue under webbing, balls, {about}", 0.0, 1e3 * far, 0.1, "mm"))
    return rows


def independent(masses: tuple[float, float], friction: float, times: np.ndarray, limit: float = inf) -> np.ndarray:
    """Return the heights of both balls and the compression of the drum [m] at times (n, 3).

    Short explicit steps; slip by bisection; tissue from its two closed forms, inverted by interpolation.
    """
    law, forces = LAW.tissue, np.geomspace(1e-3, 1e6, 40001)
    soft = np.linspace(0.0, 1.0, 40002)[1:-1] * law.thickness
    pressed = law.stiffness * soft / (1.0 - soft / law.thickness) ** law.hardening
    depths = np.interp(forces, pressed, soft) + forces / (law.core + forces / law.core_depth)
    depths, forces = np.append(0.0, depths), np.append(0.0, forces)
    front, chi = LAW.mass * DRUM, law.number / LAW.speed
    stiff, ratio = FORCE / STRAIN, exp(friction * pi)
    z, v, x, u = [0.0, 0.0], [-SPEED, -SPEED], 0.0, 0.0
    half, rows, due = 0.5 * pi * RADIUS + DOWN, [], list(times)
    one = other = half  # lengths without force of both sides

    def pull(side: int, rest: float) -> float:
        return max(0.0, stiff * ((half - z[side] - x) / rest - 1.0))

    def excess(first: float, second: float, sign: float) -> float:
        a, b = pull(0, first), pull(1, second)
        return b - ratio * a if sign > 0.0 else a - ratio * b

    for k in range(round(times[-1] / STEP) + 2):
        while due and due[0] <= k * STEP:
            rows.append((z[0], z[1], x))
            due.pop(0)
        for _ in range(3):  # payout at the left ball, then slip towards the right, towards the left
            one = max(one, (half - z[0] - x) / (1.0 + limit / stiff))
            for sign in (1.0, -1.0):
                if excess(one, other, sign) > 1e-9:
                    low, high = 0.0, 0.05
                    for _ in range(50):
                        middle = 0.5 * (low + high)
                        low, high = (
                            (middle, high)
                            if excess(one - sign * middle, other + sign * middle, sign) > 0.0
                            else (low, middle)
                        )
                    one, other = one - sign * low, other + sign * low
            if limit == inf:
                break
        a, b = pull(0, one), pull(1, other)
        back = float(np.interp(x, depths, forces)) if x > 0.0 else x * law.stiffness
        u += STEP * (STANDARD_GRAVITY + (a + b - back - chi * abs(back) * u) / front)
        x += STEP * u
        for i, force in enumerate((a, b)):
            v[i] += STEP * (force / masses[i] - STANDARD_GRAVITY)
            z[i] += STEP * v[i]
    return np.array(rows)


def rest() -> list[Check]:
    """Weights at rest on webbing press the tissue in as far as its law says."""
    rows = []
    for mass in (10.0, 100.0):
        system = yielding(_pulley((mass, mass), 0.1, damping=0.05), {"drum": LAW})
        run = simulate(system, duration=4.0, pose_rate=10.0)
        found = float(run.joint_rotation[-1, run.joints.index("drum_under_belt"), 0])
        force = (2.0 * mass + LAW.mass * DRUM) * STANDARD_GRAVITY
        wanted = float(LAW.tissue.depth(force))
        about = f"{force:.0f} N"
        rows.append(Check.close(f"tissue under webbing at rest, {about}", 1e3 * wanted, 1e3 * found, 0.01, "mm"))
    return rows


def energy() -> list[Check]:
    """Webbing on tissue never creates energy in random motion, and the energy balance closes."""
    rises, shares, deep = [], [], 0.0
    for seed in range(SEEDS):
        system, start = thrown(seed)
        soft = yielding(system, {"one": LAW, "two": LAW})
        run = simulate(soft, start, duration=0.25, pose_rate=4000.0)
        lost, stored = run.work[:, _LOST], -run.work[:, _ELASTIC]
        rises.append(float(np.maximum(np.diff(lost), 0.0).sum() / max(float(stored.max()), 1.0)))
        shares.append(float(run.balance_error))
        fronts = [k for k, name in enumerate(run.joints) if name.endswith("_under_belt")]
        deep = max(deep, float(run.joint_rotation[:, fronts, 0].max()))
    about = f"up to {1e3 * deep:.0f} mm deep"
    return [
        _row(f"webbing on tissue in random motion, {about}, energy created", max(rises), 1e-4, "of the largest stored"),
        _row(f"webbing on tissue in random motion, {about}, balance", max(shares), 1e-3, "of the energy put in"),
    ]


def _row(name: str, got: float, bound: float, note: str) -> Check:
    return Check.close(name, 0.0, got, bound, "-", note)
