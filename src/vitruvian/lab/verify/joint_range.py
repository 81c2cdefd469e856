"""The range of every joint: inside it only the inner law resists, and nothing jumps anywhere outside it. SI units."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from ...human import human
from ...human.resistance import JOINT_SETS, SCALED_SETS
from ...kernels import quaternion
from ...model import Body, Joint, Resistance, System
from ...model.compile import compile_system
from ...model.joint import CARDAN_AXES
from ...model.pose import quaternion_of_vector, quaternion_product
from ...model.range import in_swing_range, limits, swing_range, swing_vector
from ..evidence import Check
from .joint_law import Law, law_of

POSTURES = 10_000  # of each joint, set and person
PEOPLE = tuple((age, sex) for age in (4.0, 8.0, 35.0, 75.0) for sex in ("male", "female"))
WALKS = 12  # closed geodesics through SO(3) for each joint, set and person
STEPS = 720  # of a closed geodesic
PARTS, DIVISIONS = 20, 3  # into which the step with the largest gap is divided, and how often
FREE = (np.inf,) * 3
SETS = tuple(name for name in JOINT_SETS if name != "recommended")  # that is the name of the newest of them


def inner_law() -> list[Check]:
    """Inside its range every joint of every set, at four ages and of both sexes, resists with its inner law only."""
    rows = []
    for joints in SETS:
        worst, where = worst_inside(joints, POSTURES)
        note = f"largest of {POSTURES} postures of each joint" + (" and person" if joints in SCALED_SETS else "")
        rows.append(
            Check.close(
                f"torque of limits inside the range, joints {joints}", 0.0, worst, 1e-9, "N m", f"{note}; {where}"
            )
        )
    return rows


def continuity() -> list[Check]:
    """Along closed geodesics through all rotations the energy of a joint is continuous, and its slope is the torque."""
    rows = []
    for joints in SETS:
        if joints == "thesis":  # kept as printed
            continue
        worst, where = worst_jump(joints, WALKS)
        note = f"largest change that the torque does not explain, of the largest energy ({where})"
        rows.append(Check.close(f"energy along closed geodesics, joints {joints}", 0.0, worst, 1e-7, "-", note))
    return rows


def worst_inside(joints: str, postures: int) -> tuple[float, str]:
    """Return the largest torque of limits [N m] at random postures inside the range, and the joint."""
    rng, worst, where = np.random.default_rng(8), 0.0, ""
    for who, name, resistance in resistances(joints):
        law, inner = law_alone(resistance), law_alone(without_limits(resistance))
        for relative in inside(rng, resistance, postures):
            apart = max(abs(a - b) for a, b in zip(law(relative)[1], inner(relative)[1], strict=True))
            if not apart <= worst:
                worst, where = apart, f"{name}, {who}"
    return worst, where


def worst_jump(joints: str, walks: int) -> tuple[float, str]:
    """Return the largest change of energy along closed geodesics that the torque does not explain [-], and the joint.

    A geodesic turns about a constant axis through a full turn. The work of the torque is taken by the trapezoidal rule.
    The step with the largest gap is divided again and again, because a jump stays and an error of the rule does not.
    """
    rng, worst, where = np.random.default_rng(9), 0.0, ""
    for who, name, resistance in resistances(joints):
        law = law_alone(resistance)
        for _ in range(walks):
            axis = rng.normal(size=3)
            axis /= np.linalg.norm(axis)
            start, step = _unit(rng.normal(size=4)), 2.0 * np.pi / STEPS
            gaps, energies = _unexplained(law, start, axis, step, STEPS)
            for _ in range(DIVISIONS):
                start, step = _turned(start, axis, int(np.argmax(gaps)) * step), step / PARTS
                gaps, _ = _unexplained(law, start, axis, step, PARTS)
            gap = float(gaps.max() / max(energies.max(), 1.0))
            if not gap <= worst:
                worst, where = gap, f"{name}, {who}"
    return worst, where


def _unexplained(
    law: Law, start: tuple[float, ...], axis: np.ndarray, step: float, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the change of energy of each step of a geodesic that the torque does not explain, and the energies [J]."""
    energies, powers = np.zeros(steps + 1), np.zeros(steps + 1)
    for k in range(steps + 1):
        energies[k], torque = law(_turned(start, axis, k * step))[:2]
        powers[k] = np.dot(torque, axis)
    return np.abs(np.diff(energies) + 0.5 * step * (powers[1:] + powers[:-1])), energies


def _turned(start: tuple[float, ...], axis: np.ndarray, angle: float) -> tuple[float, ...]:
    """Return a rotation turned further about an axis of the parent by an angle [rad]."""
    return quaternion.product(quaternion.exponential(tuple((angle * axis).tolist())), start)


def resistances(joints: str) -> Iterator[tuple[str, str, Resistance]]:
    """Yield person, joint and resistance of a set: right and midline joints, and of `thesis` the left ones too."""
    for age, sex in PEOPLE if joints in SCALED_SETS else ((35.0, "male"),):
        for joint in human(age=age, sex=sex, joints=joints, axial="rigid").system.joints:
            if joint.resistance is not None and (joints == "thesis" or not joint.name.startswith("left_")):
                yield f"{sex} of {age:g} years", joint.name, joint.resistance


def law_alone(resistance: Resistance) -> Law:
    """Return the law of a resistance: relative rotation -> energy, torque, stiffness, damping."""
    body = Body("limb", 1.0, np.ones(3))
    return law_of(
        compile_system(System((body,), (Joint("ball", "spherical", None, "limb", resistance=resistance),))), 0
    )


def without_limits(resistance: Resistance) -> Resistance:
    """Return the inner law of a resistance: without limits, limit curves and cone."""
    law = "swing_twist" if resistance.law == "cone" else resistance.law
    curve = tuple(None if curve is not None and curve.range is not None else curve for curve in resistance.curve)
    return replace(
        resistance, law=law, cone=None, curve=curve, limit_minus=tuple(-x for x in FREE), limit_plus=FREE
    )  # fmt: skip


def inside(rng: np.random.Generator, resistance: Resistance, count: int) -> Iterator[tuple[float, ...]]:
    """Yield rotations inside the range of a joint, its ends included, as unit quaternions."""
    lower, upper = limits(resistance)
    compose = _composed(resistance)
    while count:
        if resistance.cone is not None:
            swing = swing_range(resistance)
            assert swing is not None
            longitude = rng.uniform(-np.pi, np.pi)
            rho = _somewhere(rng, 0.0, float(swing.rim.at(np.array(longitude))))
            seen = (np.sin(rho) * np.cos(longitude), np.sin(rho) * np.sin(longitude), np.cos(rho))
            x, y = swing_vector(np.array(quaternion.rotate(swing.centre, seen))).tolist()
        else:
            x, y = (_somewhere(rng, lower[k], upper[k]) for k in (0, 1))
            if resistance.law == "swing_twist" and not in_swing_range(resistance, np.array([x, y])):
                continue
        z = _somewhere(rng, lower[2], upper[2])
        if resistance.law == "rotation_vector" and np.hypot(np.hypot(x, y), z) >= np.pi:
            continue
        yield compose(x, y, z)
        count -= 1


def _somewhere(rng: np.random.Generator, low: float, high: float) -> float:
    """Return a number between two ends; one in ten is an end itself, and one in ten is zero if that lies between."""
    kind = rng.integers(10)
    if kind == 0:
        return float(low if rng.integers(2) else high)
    return 0.0 if kind == 1 and low <= 0.0 <= high else float(rng.uniform(low, high))


def _composed(resistance: Resistance) -> Callable[[float, float, float], tuple[float, ...]]:
    """Return what makes a rotation of three components in the measure of a resistance."""
    if resistance.law == "rotation_vector":
        return lambda x, y, z: quaternion_of_vector((x, y, z))
    if resistance.law in CARDAN_AXES:
        first, floating, last = CARDAN_AXES[resistance.law]

        def cardan(*angles: float) -> tuple[float, ...]:
            turns = [
                quaternion_of_vector(tuple(angles[k] if k == axis else 0.0 for k in range(3))) for axis in range(3)
            ]  # type: ignore[arg-type]
            return quaternion_product(quaternion_product(turns[first], turns[floating]), turns[last])

        return cardan
    return lambda x, y, z: quaternion_product(quaternion_of_vector((x, y, 0.0)), quaternion_of_vector((0.0, 0.0, z)))


def _unit(vector: np.ndarray) -> tuple[float, ...]:
    return tuple((vector / np.linalg.norm(vector)).tolist())
