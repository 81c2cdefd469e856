"""The planar pedestrian two ways: by multipliers and on the tree, with a planar root and a free one. SI units."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from ...human import pedestrian11, place
from ...human.pedestrian11 import CHAIN, planar_segments
from ...kernels import strip
from ...model import Configuration, Contact, Joint, Lines, System
from ...model.pose import rotation_matrix, segment_poses
from ...sim import simulate as engine
from ...world import front
from ..evidence import Check
from ..formulations import Mechanism, simulate
from ..formulations.orientation import parameters
from ..formulations.planar import Planar, pedestrian_constraints
from ..impact.ellipse_polyline import Ellipse, line_contact

if TYPE_CHECKING:
    from ...sim.recording import Recording

PRESET = "5F"
SPEED = 30.0 / 3.6  # [m/s]
#: an elastic force with a continuous slope, and friction whose kink is mild
SMOOTH = Contact(stiffness=2e5, restitution=1.0, friction=0.3, slip_speed=0.5)
EXACT: dict[str, Any] = {"method": "dormand-prince", "tolerance": 1e-11}
TOUCHED = 0.02  # the contact is to be at least so deep somewhere [m]


def pedestrian(gap: float | None) -> tuple[System, Configuration]:
    """Return a small woman in the air who turns and moves towards a sedan at rest; the front at a gap [m], or none."""
    person = pedestrian11(preset=PRESET, heading=pi)
    start = place(person, clearance=0.2, velocity=(-SPEED, 0.0, 1.0), angular_velocity=(0.0, -1.5, 0.0))
    if gap is None:
        return person.system, start
    sedan = front("sedan")
    reach = max(axes[0] for axes in person.dimensions.semi_axes.values())
    lines = Lines("front", sedan.profile, segments=sedan.parts, contact=SMOOTH, place=(-gap - reach, 0.0, 0.0))
    return person.system.replace(surfaces=(lines,)), start


def formulations_meet(duration: float = 0.03) -> list[Check]:
    """Lagrange's equations with multipliers (section 3.4 of hyncik2011) and the engine, in flight and in contact."""
    rows = []
    for words, gap, time in (("in flight", None, 10.0 * duration), ("in contact", 0.0, duration)):
        system, start = pedestrian(gap)
        run = engine(system, start, duration=time, **EXACT)
        lab = simulate(system, start, duration=time, formulation="planar", tolerance=1e-10, absolute=1e-11, samples=1)
        order = [lab.bodies.index(body) for body in run.bodies]
        for what, one, other, unit in (
            ("position", run.position[-1], lab.position[-1][order], "m"),
            ("velocity", run.velocity[-1], lab.velocity[-1][order], "m/s"),
        ):
            off = float(abs(one - other).max())
            name = f"pedestrian11 {words}, {what} after {1e3 * time:g} ms: multipliers and tree"
            rows.append(Check.close(name, 0.0, off, 1e-8 if what == "position" else 1e-7, unit, _deepest(run)))
        rows.append(Check.close(f"pedestrian11 {words}, constraint of the multipliers", 0.0, lab.violation, 1e-10, "m"))
        if gap is not None:
            rows.append(Check.at_least("pedestrian11 in contact, depth", TOUCHED, float(np.max(run.contact_depth))))
    return rows


def _deepest(run: Recording) -> str:
    """Return how deep the contact was, in words."""
    return f"deepest {1e3 * float(run.contact_depth.max()):.0f} mm" if run.contact_depth.size else ""


def free(system: System, start: Configuration) -> tuple[System, Configuration]:
    """Return the system with a free root instead of the planar one."""
    root = system.joint("root")
    position, turn = segment_poses(system, start)[root.child]
    along, down, rate = start.rates.get("root", (0.0, 0.0, 0.0))
    frame = rotation_matrix(root.frame_parent)
    velocity, spin = frame @ np.array([along, down, 0.0]), frame @ np.array([0.0, 0.0, rate])
    joints = (Joint("root", "free", None, root.child), *(joint for joint in system.joints if joint.name != "root"))
    coordinates = dict(start.coordinates) | {"root": (*position.tolist(), *parameters(turn[None])[0].tolist())}
    rates = dict(start.rates) | {"root": (*velocity.tolist(), *spin.tolist())}
    return system.replace(joints=joints), Configuration(coordinates, rates)


def roots_meet(duration: float = 0.3) -> list[Check]:
    """Planar pedestrian: a planar root, and a free one with the same contact rule, give one motion, in its plane."""
    system, start = pedestrian(0.05)
    planar = engine(system, start, duration=duration, **EXACT)
    other, begin = free(system, start)
    spatial = engine(other, begin, duration=duration, **EXACT)
    order = [spatial.bodies.index(body) for body in planar.bodies]
    across = float(abs(spatial.position[:, :, 1]).max())
    off = float(abs(planar.position - spatial.position[:, order]).max())
    words = f"pedestrian11 on a sedan for {duration:g} s, planar root and free root"
    return [
        Check.close(f"{words}: largest distance of a segment", 0.0, off, 1e-6, "m", _deepest(planar)),
        Check.close(f"{words}: out of the plane", 0.0, across, 1e-6, "m"),
        Check.at_least(f"{words}: depth of the contact", TOUCHED, float(np.max(planar.contact_depth))),
    ]


def printed_constraints(cases: int = 20) -> list[Check]:
    """The 2D paper's eqs 4 to 15, as corrected, and the constraints of the planar formulation, open and closed."""
    person = pedestrian11(preset=PRESET)
    mechanism = Mechanism(person.system)
    planar = Planar(mechanism)
    place_of, _ = planar.coordinates(mechanism.at(place(person)))
    parts = planar_segments(person.dimensions)
    half = np.array([part.half_length for part in parts.values()])
    offset = np.array([part.offset for part in parts.values()])
    x, _, z = person.dimensions.place["shoulder"]
    shoulder = np.array(parts["thorax"].local((x, z)))
    # the angle of a segment from the plane's first axis, as the person stands
    axes = planar.plane[:, [0, 2]]
    angle = np.array([np.arctan2(*(axes @ np.array(part.direction))[::-1]) for part in parts.values()])
    order = [mechanism.row(name) for name in CHAIN]
    rng = np.random.default_rng(4)
    worst = closed = 0.0
    for case in range(cases):
        q = place_of.reshape(-1, 3) + (rng.normal(size=(11, 3)) if case else 0.0)
        own = q[order]
        paper = pedestrian_constraints(
            np.concatenate([own[:, 0], own[:, 1], own[:, 2] + angle]), half, offset, shoulder
        )
        value = planar.violation(0.0, q.ravel(), np.zeros(33))[0]
        ours = _as_printed(planar, value)
        worst = max(worst, float(abs(paper - ours).max()))
        if case == 0:
            closed = float(abs(paper).max())
    return [
        Check.close("pedestrian11 standing: Phi of eqs 4 to 15, E109 and E110 corrected", 0.0, closed, 1e-12, "m"),
        Check.close(f"pedestrian11, {cases} random places: Phi of eqs 4 to 15 and ours", 0.0, worst, 1e-12, "m"),
    ]


def _as_printed(planar: Planar, value: np.ndarray) -> np.ndarray:
    """Return our rows in the order and with the signs of the paper: lower to upper segment, x first, then y."""
    names = list(CHAIN)
    found = np.zeros(20)
    bodies = planar.mechanism.compiled.bodies
    for k in range(10):
        parent, child = bodies[planar.parent[k]], bodies[planar.child[k]]
        first, last = sorted((names.index(parent), names.index(child)))
        sign = 1.0 if names[last] == child else -1.0
        row = first if last != 8 else 7
        found[row], found[10 + row] = sign * value[2 * k : 2 * k + 2]
    return found


def line_rule(cases: int = 2000) -> list[Check]:
    """The engine's contact with a line and the reference of the contact laboratory, for random ellipses and lines."""
    rng = np.random.default_rng(5)
    worst, wrong, touching = 0.0, 0, 0
    for case in range(cases):
        a, b = rng.uniform(0.05, 1.0, 2)
        ellipse = Ellipse((a, b), tuple(rng.uniform(-1.0, 1.0, 2)), float(rng.uniform(-pi, pi)))
        start, end = rng.uniform(-1.0, 1.0, (2, 2))
        nearest = bool(case % 2)
        known = line_contact(ellipse, tuple(start), tuple(end), nearest=nearest, crossed=True)
        along = end - start
        length = float(np.hypot(*along))
        frame = np.array([along, [-along[1], along[0]]]) / length
        x, z = frame @ (np.array(ellipse.centre) - start)
        tilt = ellipse.angle - np.arctan2(along[1], along[0])
        c, s = float(np.cos(tilt)), float(np.sin(tilt))
        found = strip.touch(
            (a, 0.1, b), (c, 0.0, -s, 0.0, 1.0, 0.0, s, 0.0, c), (float(x), 0.0, float(z)), length, np.int64(nearest)
        )
        wrong += (known is None) != (found[0] <= 0.0)
        if known is not None and found[0] > 0.0:
            touching += 1
            bottom, normal = start + found[1] * frame[0], np.array(found[3:]) @ frame
            worst = max(worst, abs(found[0] - known.depth), float(abs(bottom - known.bottom).max()))
            worst = max(worst, float(abs(normal - known.normal).max()))
    return [
        Check.close(f"line contact of the engine, {cases} random cases: touches or not", 0, wrong, 0, "-"),
        Check.close(
            f"line contact of the engine, {touching} that touch: depth, bottom point, normal", 0.0, worst, 1e-10, "m"
        ),
    ]
