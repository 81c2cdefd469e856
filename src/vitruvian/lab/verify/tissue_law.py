"""Tissue that neighbours have in common, and bones that break: a potential, and energy that is counted. SI units."""

from __future__ import annotations

import numpy as np

from ...kernels import dynamics, integrate, layout
from ...model import Body, Bone, CommonTissue, Configuration, Contact, Ellipsoid, Joint, Plane, System
from ...model.compile import compile_system, initial_state, make_work
from ...model.system import Surface
from ...model.tissue import Tissue
from ...sim import simulate
from ..evidence import Check
from .seams import elastic, floor

SAMPLES = 4000  # round a loop
FLESH = Tissue(20e3, 0.08, hardening=0.3, core=150e3, core_depth=0.03, restitution=1.0)
PELVIS, THIGH = (0.12, 0.17, 0.11), (0.23, 0.12, 0.12)  # semi-axes [m]
SOFT, STIFF = 5e4, 5e5  # [N/m]
FINE = 1e-5  # longest step while a bone breaks [s]
MASS, SPEED = 5.0, 3.0  # of a head that breaks [kg], [m/s]
SPRING, LIMIT, WIDTH, LEAST = 8e5, 4e3, 0.004, 0.3  # its contact [N/m], bone [N], fall [m] and what stays [-]


def pressed_pair(surface: Surface, share: float, other: tuple[float, float, float] = THIGH) -> System:
    """Return two free segments on a surface, without gravity, that have a share of their tissue in common [-]."""
    bodies = tuple(
        Body(name, 10.0, np.array([0.1, 0.12, 0.08]), (Ellipsoid(axes, tissue=FLESH),))
        for name, axes in (("pelvis", PELVIS), ("thigh", other))
    )
    common = (CommonTissue("hip", "pelvis", "thigh", share),) if share > 0.0 else ()
    joints = tuple(Joint(body.name, "free", None, body.name) for body in bodies)
    return System(bodies, joints, (surface,), gravity=(0.0, 0.0, 0.0), common_tissues=common)


def pressing(system: System, places: dict[str, tuple[float, ...]]) -> tuple[np.ndarray, np.ndarray]:
    """Return forces [N] and moments about the centre of mass [N m] on the bodies of a system at rest."""
    compiled = compile_system(system)
    work, state = make_work(compiled), initial_state(compiled, Configuration(places))
    return _loads(compiled, work, state)


def _loads(compiled, work, state) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[no-untyped-def]
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    dynamics.accelerations(compiled.model, work, state.memory, state.now.v, 0.0)
    n = len(compiled.bodies)
    rows = work.out[: n * layout.out_row.BODY].reshape(n, -1)
    bodies = [compiled.system.body(name) for name in compiled.bodies]
    turns = [work.body[i, layout.body.ROTATION : layout.body.ROTATION + 9].reshape(3, 3) for i in range(n)]
    force = np.array([body.mass * row[:3] for body, row in zip(bodies, rows, strict=True)])
    moment = [turn @ body.inertia @ turn.T @ row[3:] for body, row, turn in zip(bodies, rows, turns, strict=True)]
    return force, np.array(moment)


def loop_work(surface: Surface, share: float, seed: int = 3) -> tuple[float, float]:
    """Return the work [J] on two segments that each move round a closed path through a surface, and the sum of |dW|."""
    rng = np.random.default_rng(seed)
    system = pressed_pair(surface, share)
    compiled = compile_system(system)
    work, state = make_work(compiled), initial_state(compiled)
    middle, swing = np.array([[0.02, 0.0, 0.08], [-0.03, 0.05, 0.09]]), np.array([0.06, 0.05, 0.03])
    phase, axis = rng.uniform(0.0, 2.0 * np.pi, (2, 4)), rng.normal(size=(2, 3))
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    time = 2.0 * np.pi * np.arange(SAMPLES) / SAMPLES
    total, size = 0.0, 0.0
    for t in time:
        power = 0.0
        angle, spin = 0.5 * np.sin(t + phase[:, 3]), 0.5 * np.cos(t + phase[:, 3])
        place, speed = middle + swing * np.sin(t + phase[:, :3]), swing * np.cos(t + phase[:, :3])
        for k in range(2):
            half = 0.5 * angle[k]
            state.now.q[7 * k : 7 * k + 3] = place[k]
            state.now.q[7 * k + 3 : 7 * k + 7] = (np.cos(half), *(np.sin(half) * axis[k]))
        force, moment = _loads(compiled, work, state)
        power = float((force * speed).sum() + (moment * axis * spin[:, None]).sum())
        total, size = total + power, size + abs(power)
    step = 2.0 * np.pi / SAMPLES
    return total * step, size * step


def common_tissue() -> list[Check]:
    """Check that shared tissue has a potential on planes and parts of a surface, and that equal shapes act as one."""
    plane = Plane("floor", contact=Contact(friction=0.0, restitution=1.0))
    rows = []
    for name, surface in (("plane", plane), ("ridge of two parts", floor(elastic(SOFT), elastic(STIFF), 0.4))):
        for share in (0.4, 1.0):
            work, size = loop_work(surface, share)
            words = f"common tissue, share {share:g}, {name}: work round closed paths"
            rows.append(Check.close(words, 0.0, work / size, 1e-6, "-", f"of {size:.3g} J in and out"))
    at, away = (0.0, 0.0, 0.08, 1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0)
    one = pressing(pressed_pair(plane, 0.0, PELVIS), {"pelvis": at, "thigh": away})[0].sum(axis=0)[2]
    both = pressing(pressed_pair(plane, 1.0, PELVIS), {"pelvis": at, "thigh": at})[0].sum(axis=0)[2]
    rows.append(Check.close("two equal shapes with all tissue in common: force", one, both, 1e-9 * one, "N"))
    return rows


def broken_path(depth: np.ndarray) -> np.ndarray:
    """Return the force [N] of the spring whose bone breaks, on the way in, over the depth [m]."""
    over = np.maximum(0.0, depth - LIMIT / SPRING)
    return SPRING * depth * np.maximum(LEAST, 1.0 - (1.0 - LEAST) * over / WIDTH)


def fracture() -> list[Check]:
    """Check force, depth, speed and energy of a head whose bone breaks on a plate against a quadrature of its force."""
    shape = Ellipsoid((0.1, 0.1, 0.1))
    body = Body("head", MASS, np.full(3, 0.02), (shape,), Bone(force=LIMIT, width=WIDTH, least=LEAST))
    contact = Contact(law="linear", stiffness=SPRING, friction=0.0)
    system = System((body,), (Joint("root", "free", None, "head"),), (Plane("plate", contact=contact),))
    start = Configuration({"root": (0.0, 0.0, 0.1001, 1.0, 0.0, 0.0, 0.0)}, {"root": (0.0, 0.0, -SPEED, 0.0, 0.0, 0.0)})
    system = system.replace(gravity=(0.0, 0.0, 0.0))
    usual = simulate(system, start, duration=0.03, rate=1e5, pose_rate=1e5)
    run = simulate(system, start, duration=0.03, rate=1e5, pose_rate=1e5, contact_step=FINE)
    depth = np.linspace(0.0, 0.1, 400_001)
    area = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(depth) * (broken_path(depth)[1:] + broken_path(depth)[:-1]))])
    deepest = float(np.interp(0.5 * MASS * SPEED**2, area, depth))
    left = broken_path(np.array([deepest]))[0] / (SPRING * deepest)
    back = float(np.sqrt(left * SPRING / MASS) * deepest)
    broke = next(event for event in run.events if event.kind == "fracture")
    speed, words = float(run.velocity[-1, 0, 2]), "in steps of 10 us: the share falls one step late"
    return [
        Check.close("bone breaks: force", LIMIT, broke.value, 0.02 * LIMIT, "N", "passed between two steps"),
        Check.close("bone breaks: deepest", 1e3 * deepest, 1e3 * float(run.contact_depth.max()), 0.02, "mm", words),
        Check.close("bone breaks: speed back", back, speed, 0.01 * back, "m/s", words),
        Check.close("bone breaks: deepest, usual steps", 1.0, float(usual.contact_depth.max()) / deepest, 0.03, "-"),
        Check.close("bone breaks: energy balance", 0.0, float(usual.balance_error), 1e-3, "-"),
    ]
