"""Closed loops in the engine: against closed forms, the laboratory's multipliers and the same joints in a tree. SI."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import log2
from typing import Any

import numpy as np

from ...kernels import dynamics, integrate, layout
from ...model import Body, Configuration, Joint, Load, Loop, Release, System, constant
from ...model.compile import compile_system, initial_state, make_work
from ...model.loop import EQUATIONS, close_loops
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ..evidence import Check
from ..formulations import simulate as laboratory
from . import loop_mechanism as mechanism
from .momentum import flying_human, momenta

_ROW = {"spherical": (0.5, 0.5, -0.5, 0.5)}  # start of the joint under test; others take these:
_COORDINATES, _RATES = (0.3, 0.2, 0.4), (2.0, -1.5, 1.0)


def run(system: System, start: Configuration | None, duration: float, step: float, **options: Any) -> Recording:
    """Run a system with fixed steps [s]; every second pose sample is the middle of a step, where loads are its mean."""
    rates = {"rate": 1000.0, "pose_rate": 2.0 / step} | options
    return simulate(system, start, duration=duration, adaptive=False, step=step, **rates)


def reactions(system: System, start: Configuration | None) -> tuple[np.ndarray, np.ndarray]:
    """Force [N] and moment [N m] of every loop on its child at the start: the multipliers of the explicit equations."""
    compiled = compile_system(system)
    state, work = initial_state(compiled, start), make_work(compiled)
    close_loops(compiled, state, work)
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    dynamics.accelerations(compiled.model, work, state.memory, state.now.v, 0.0)
    found = work.out[-layout.work_class.COUNT - layout.out_row.CLOSURE * len(system.loops) : -layout.work_class.COUNT]
    rows = found.reshape(-1, layout.out_row.CLOSURE)
    return rows[:, :3], rows[:, 3:6]


def tied_pendulums() -> tuple[System, Configuration]:
    """Two pendulums on ball joints whose ends are tied by a third: a spatial loop without redundant equations."""
    inertia = np.array([0.05, 0.06, 0.02])
    bodies = (Body("left", 2.0, inertia), Body("right", 1.5, inertia))
    joints = (
        Joint("one", "spherical", None, "left", (0.0, 0.0, 0.0), (0.0, -0.4, 0.1)),
        Joint("two", "spherical", None, "right", (0.0, 1.5, 0.1), (0.1, 0.4, 0.0)),
    )
    tie = Loop("tie", "spherical", "left", "right", (0.0, 0.4, 0.0), (0.1, -0.3, -0.2))
    rates: dict[str, tuple[float, ...]] = {"one": (1.0, 2.0, -0.5), "two": (-1.0, 0.5, 2.0)}
    return System(bodies, joints, loops=(tie,)), Configuration(rates=rates)


def joined_hands() -> tuple[System, Configuration]:
    """A flying person whose hands are tied midway between them: a loop on a tree with a free root."""
    system, start = flying_human()
    first = run(system, start, 1e-4, 1e-4)
    left, right = (first.bodies.index(f"{side}_hand") for side in ("left", "right"))
    half = tuple(map(float, 0.5 * (first.position[0, right] - first.position[0, left])))  # hands are upright
    grip = Loop("grip", "spherical", "left_hand", "right_hand", half, tuple(-x for x in half))  # type: ignore[arg-type]
    return system.replace(loops=(grip,)), start


def multipliers() -> list[Check]:
    """The reactions of loops are the Lagrange multipliers of the laboratory at the same state."""
    rows = []
    for name, (system, start) in {
        "slider-crank": mechanism.slider_crank(),
        "four-bar": mechanism.parallelogram(),
        "tied pendulums": tied_pendulums(),
        "joined hands": joined_hands(),
    }.items():
        lab = laboratory(system, start, duration=1e-3, samples=1, formulation="euler-parameters-3")
        wanted, found = lab.joint_force[0, -1], reactions(system, start)[0][0]
        off, size = float(abs(found - wanted).max()), float(np.linalg.norm(wanted))
        rows.append(Check.close(f"loop reaction, {name}", 0.0, off / size, 1e-9, "-", f"of {size:.3g} N"))
    return rows


def against_laboratory() -> list[Check]:
    """Mechanisms with loops, and a person with joined hands, are in the engine where the laboratory has them."""
    rows = []
    for name, (system, start), duration in (
        ("slider-crank", mechanism.slider_crank(), 0.2),
        ("tied pendulums", tied_pendulums(), 0.2),
        ("joined hands", joined_hands(), 0.02),
    ):
        lab = laboratory(system, start, duration=duration, samples=1, formulation="euler-parameters-3", tolerance=1e-12)
        found = run(system, start, duration, 1e-4)
        order = [found.bodies.index(body) for body in lab.bodies]
        off = float(abs(found.position[-1, order] - lab.position[-1]).max())
        rows.append(Check.close(f"engine and laboratory, {name}", 0.0, off, 1e-8, "m", f"after {duration:g} s"))
    return rows


def closed_forms() -> list[Check]:
    """Slider-crank, parallelogram, Bricard's mechanism and Andrews' squeezer in the engine against known answers."""
    return [*_slider_crank(), *_parallelogram(), *_bricard(), *_squeezer()]


def _slider_crank() -> list[Check]:
    system, start = mechanism.slider_crank()
    found = run(system, start, 0.5, 1e-4)
    w, z = found.orientation[:, 0, 0], found.orientation[:, 0, 3]
    expected = mechanism.slider_crank_speed(np.arctan2(2.0 * w * z, 1.0 - 2.0 * z**2), 20.0)
    at = slice(None, None, 2)  # ends of the steps, where velocities are not interpolated
    off = float(abs(found.angular_velocity[at, 0, 2] / expected[at] - 1.0).max())
    work = float(abs(np.cumsum(found.loop_power[1::2, 0]) * 1e-4).max() / found.kinetic[0])
    return [
        Check.close("slider-crank in the engine, speed by energy", 0.0, off, 1e-8),
        Check.close("slider-crank in the engine, work of the loop", 0.0, work, 1e-8, "-", "of the kinetic energy"),
    ]


def _parallelogram() -> list[Check]:
    system, start = mechanism.parallelogram()
    found = run(system, start, 2.0, 1e-3)
    drift = float(abs(found.kinetic + found.potential - found.potential[0])[::2].max() / np.ptp(found.potential))
    period = mechanism.parallelogram_period()
    back = run(system, start, period, period / 8000)
    off = float(abs(back.position[-1] - back.position[0]).max())
    return [
        Check.at_most("four-bar in the engine, energy drift in 2 s at 1 ms", 1e-6, drift, "-", "of the energy passed"),
        Check.close("four-bar in the engine, back after a period", 0.0, off, 1e-8, "m", f"T = {period:.4f} s"),
    ]


def _bricard() -> list[Check]:
    found = run(mechanism.bricard(), None, 1.0, 1e-3)
    turns = found.orientation[::20]
    corners = [mechanism.corners(turn) for turn in turns]
    off = max(abs(a * b + a + b) for corner in corners for a, b in pairwise(corner))
    energy = float(abs(found.kinetic + found.potential - found.potential[0])[::2].max())
    return [
        Check.close("Bricard in the engine, closed form of its angles", 0.0, off, 1e-9),
        Check.close("Bricard in the engine, energy", 0.0, energy, 1e-7, "J", "IFToMM benchmark asks for 0.001 J"),
    ]


def _squeezer() -> list[Check]:
    system, start = mechanism.squeezer()
    found = run(system, start, 0.03, 5e-6, pose_rate=1000.0)
    angles = found.joint_rotation[-1, [found.joints.index(f"h{k}") for k in range(1, 8)], 0]
    off = float(abs(angles - np.array(mechanism.SQUEEZER_END)).max())
    return [Check.close("Andrews' squeezer in the engine, angles after 30 ms", 0.0, off, 1e-6, "rad", "mazzia2008")]


def order() -> list[Check]:
    """Positions and reactions of a loop converge with the third order of the step."""
    system, start = mechanism.slider_crank()
    runs = [run(system, start, 0.1, step) for step in (1e-3, 5e-4, 1.25e-4)]
    places = [found.position[-1] for found in runs]
    impulses = [found.loop_force[1::2, 0].mean(axis=0) * 0.1 for found in runs]
    rows = []
    for name, values in (("positions", places), ("impulse of the reaction", impulses)):
        coarse, fine = (float(abs(value - values[2]).max()) for value in values[:2])
        rows.append(Check.at_least(f"order of a loop, {name}", 3.0, log2(coarse / fine), tolerance=0.3))
    return rows


def as_tree(kind: str) -> tuple[System, Configuration, System, Configuration]:
    """Return a body on a joint of that type, and the same body free and tied by a loop of that type."""
    turns = [np.array(q) / np.linalg.norm(q) for q in ((0.5, 0.3, -0.7, 0.2), (0.6, -0.1, 0.4, 0.8))]
    one, other = (tuple(map(float, turn)) for turn in turns)
    joint = Joint("tie", kind, None, "body", (0.1, 0.2, 0.3), (0.05, -0.1, 0.2), one, other)  # type: ignore[arg-type]
    load = Load("load", "body", (constant(3.0), constant(-4.0), constant(5.0)), kind="moment")
    tree = System((Body("body", 2.0, np.array([0.1, 0.15, 0.2])),), (joint,), loads=(load,))
    place = _ROW.get(kind, _COORDINATES[: joint.dof])
    start = Configuration({"tie": place}, {"tie": _RATES[: joint.dof]}) if joint.dof else Configuration()
    first = run(tree, start, 1e-4, 1e-4)
    coordinates = (*first.position[0, 0], *first.orientation[0, 0])
    rates = (*first.velocity[0, 0], *first.angular_velocity[0, 0])
    fields = {name: getattr(joint, name) for name in joint.__dataclass_fields__}
    tied = replace(tree, joints=(Joint("free", "free", None, "body"),), loops=(Loop(**fields),))
    return tree, start, tied, Configuration({"free": coordinates}, {"free": rates})


def joint_types(step: float = 5e-4, steps: int = 40) -> list[Check]:
    """A free body tied to the world by a loop moves as on the same joint in a tree, with the same reactions."""
    rows = []
    for kind in EQUATIONS:
        tree, start, tied, free = as_tree(kind)
        one, other = run(tree, start, steps * step, step), run(tied, free, steps * step, step)
        off = float(abs(one.position - other.position).max())
        # a joint that bears no force or no moment has only rounding: compared with 1 N and 1 N m
        force = float(abs(one.joint_force - other.loop_force)[1::2].max() / max(abs(one.joint_force).max(), 1.0))
        moment = float(abs(one.joint_moment - other.loop_moment)[1::2].max() / max(abs(one.joint_moment).max(), 1.0))
        rows.append(Check.close(f"{kind} loop and joint, positions", 0.0, off, 1e-10, "m"))
        rows.append(Check.close(f"{kind} loop and joint, reactions", 0.0, max(force, moment), 1e-8))
    return rows


def release(step: float = 1e-4) -> list[Check]:
    """A person flies with joined hands, which part after 50 ms: momentum, angular momentum and energy stay."""
    system, start = flying_human()
    system = system.replace(loops=(Loop("grip", "spherical", "left_hand", "right_hand", release=Release(time=0.05)),))
    found = run(system, start, 0.1, step)
    first, last = momenta(system, found, 0), momenta(system, found, -1)
    apart = found.position[:, found.bodies.index("left_hand")] - found.position[:, found.bodies.index("right_hand")]
    gap = np.linalg.norm(apart, axis=1)
    held = found.pose_time <= 0.05
    return [
        Check.close("release, momentum", 0.0, float(np.linalg.norm(last[0] - first[0])) / first[3], 1e-9),
        Check.close("release, angular momentum", 0.0, float(np.linalg.norm(last[1] - first[1])) / first[4], 1e-9),
        Check.close("release, energy", 0.0, abs(last[2] - first[2]) / first[2], 1e-9),
        Check.close("release, the hands are together before", 0.0, float(gap[held][::2].max()), 1e-10, "m"),
        Check.at_least("release, the hands part after", 1e-3, float(gap[-1]), "m"),
        Check.close("release, events", 1.0, sum(event.kind == "release" for event in found.events), 0.0),
    ]
