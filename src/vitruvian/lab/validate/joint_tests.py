"""Tests of single joints as they were done on volunteers and cadavers: static moments, swings, bending to failure.

Postures are given as movement -> angle [rad] of the right side: {"knee_flexion": 1.05, "hip_flexion": 0.0}. Movements
are those of `data.movements()`, with the joint before them. Moments are positive in the direction of the movement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ... import data
from ...human import human
from ...kernels import integrate, layout
from ...model import Configuration, Joint, System, constant
from ...model.compile import compile_system, initial_state, make_work
from ...model.joint import CARDAN_AXES
from ...model.pose import quaternion_of_vector, quaternion_product, rotation_matrix
from ...sim import simulate
from ...units import STANDARD_GRAVITY

HEIGHT, MASS = 1.80, 80.0  # of the person of the tests [m], [kg]
FIXTURE = 1e6  # factor on the inertia of a segment that a machine turns at a constant rate [-]
SWING_START = -1.06  # of the relaxed leg from its hanging rest, extension negative [rad]; target A25
SWING_HIP = np.radians(70.0)  # flexion of the hip in this test: slightly reclined, estimated, 45 to 90 deg
SLIDE = "right_knee_slide"  # joint at which the knee of the measured body gives way across
AXES = np.eye(3)


@lru_cache(maxsize=16)
def specimen(joints: str = "recommended", muscles: bool = True, failure: bool = False, axial: str = "rigid") -> System:
    """Return the body of the tests; without `muscles` only the joints themselves resist, as in a dissected limb."""
    system = human(HEIGHT, MASS, joints=joints, axial=axial, **({"failure": True} if failure else {})).system
    return system if muscles else system.replace(tendons=())


def static_moment(
    joint: str, movement: str, posture: Mapping[str, float], *, joints: str = "recommended", muscles: bool = True
) -> float:
    """Return the passive moment [N m] of a right or midline joint in the direction of a movement, in a posture.

    joint     "hip", "knee", "ankle", "elbow", "wrist", "lumbar", "lower_neck", ...
    movement  its direction, "flexion": negative moments resist flexion
    posture   movement -> angle [rad], "knee_flexion"; zero (standing) where it is silent
    joints    set of joint resistances
    muscles   with the passive muscles that cross two joints
    """
    compiled = compile_system(specimen(joints, muscles), rest=False)
    state, work = initial_state(compiled, Configuration(_rotations(compiled.system, posture))), make_work(compiled)
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    place = compiled.joints.index(full_name(compiled.system, joint))
    axis, sign = data.movements()[joint][movement]
    parent = work.body[compiled.model.joint[place, layout.joint.PARENT]]
    carrier = parent[layout.body.ROTATION : layout.body.ROTATION + 9].reshape(3, 3)
    torque = carrier.T @ work.body[place, layout.body.ELASTIC : layout.body.ELASTIC + 3]
    return float(sign * torque @ _axis(_law(compiled.system, joint), _angles(posture, joint), axis))


def tangent_stiffness(
    joint: str, movement: str, posture: Mapping[str, float], *, step: float = 1e-4, **options: bool | str
) -> float:
    """Return the slope [N m/rad] of the resisting moment over the angle of a movement, by central differences."""
    key = f"{joint}_{movement}"

    def at(angle: float) -> float:
        return static_moment(joint, movement, {**posture, key: angle}, **options)  # type: ignore[arg-type]

    angle = posture.get(key, 0.0)
    return (at(angle - step) - at(angle + step)) / (2.0 * step)


@dataclass(frozen=True)
class Swing:
    """A free swing of the relaxed leg, sitting.

    time     [s]
    angle    of the knee from its hanging rest, flexion positive [rad]
    peaks    flexion peaks, the first first [rad]
    period   mean of the first three swings [s]
    ratio    damping ratio from the first to the fourth peak [-]
    """

    time: np.ndarray
    angle: np.ndarray
    peaks: np.ndarray
    period: float
    ratio: float


def leg_swing(
    joints: str = "recommended", *, damping: float | None = None, hip: float = SWING_HIP, duration: float = 6.0
) -> Swing:
    """Let the right leg of a sitting person swing, the thigh held (targets A25 to A28).

    damping  of knee flexion [N m s/rad] instead of that of the joint set
    hip      flexion of the hip [rad]; the thigh is level
    """
    system = _part(specimen(joints), ("pelvis", "right_thigh", "right_shank", "right_foot"))
    lean = np.sin(0.5 * np.pi - hip), np.cos(0.5 * np.pi - hip)  # of the trunk; gravity turns instead
    system = _with(system, _driven(system.joint("right_hip"), (0.0, -hip, 0.0)))
    system = system.replace(gravity=(-STANDARD_GRAVITY * lean[0], 0.0, -STANDARD_GRAVITY * lean[1]))
    if damping is not None:
        knee = system.joint("right_knee")
        assert knee.resistance is not None
        own = knee.resistance.damping
        system = _with(system, replace(knee, resistance=replace(knee.resistance, damping=(own[0], damping, own[2]))))
    hang = _settled_knee(system)
    start = {"right_knee": quaternion_of_vector((0.0, hang + SWING_START, 0.0))}
    run = simulate(system, start, duration=duration, pose_rate=500.0)
    angle = run.joint_rotation[:, run.joints.index("right_knee"), 1] - hang
    tops = [k for k in range(1, len(angle) - 1) if angle[k - 1] < angle[k] >= angle[k + 1] and angle[k] > 0.01]
    peaks, times = angle[tops], run.pose_time[tops]
    last = min(3, len(tops) - 1)
    decrement = np.log(peaks[0] / peaks[last]) / last
    return Swing(
        run.pose_time,
        angle,
        peaks,
        float((times[last] - times[0]) / last),
        float(decrement / np.hypot(2.0 * np.pi, decrement)),
    )


def _settled_knee(system: System) -> float:
    """Return the knee angle [rad] at which the leg of a sitting person hangs at rest."""
    hanging = simulate(_overdamped(system), duration=12.0, pose_rate=10.0, start={"right_knee": _turned(0.5 * np.pi)})
    return float(hanging.joint_rotation[-1, hanging.joints.index("right_knee"), 1])


def _overdamped(system: System) -> System:
    knee = system.joint("right_knee")
    assert knee.resistance is not None
    return _with(system, replace(knee, resistance=replace(knee.resistance, damping=(4.0, 4.0, 4.0))))


@dataclass(frozen=True)
class Bending:
    """A joint turned at a constant rate: angle [rad] and resisting moment [N m], and where it was largest."""

    angle: np.ndarray
    moment: np.ndarray

    @property
    def peak(self) -> tuple[float, float]:
        """The largest moment [N m] and its angle [rad]."""
        most = int(np.argmax(self.moment))
        return float(self.moment[most]), float(self.angle[most])


@dataclass(frozen=True)
class Shearing:
    """A knee sheared sideways at a constant rate: displacement [m] and resisting force [N]."""

    slide: np.ndarray
    force: np.ndarray

    @property
    def peak(self) -> tuple[float, float]:
        """The displacement [m] and the force [N] from which on the force falls: the first tear."""
        most = int(np.argmax(self.force))
        return float(self.slide[most]), float(self.force[most])


def bend(
    joint: str,
    movement: str,
    rate: float,
    to: float,
    *,
    posture: Mapping[str, float] | None = None,
    joints: str = "recommended",
    muscles: bool = False,
    failure: bool = True,
) -> Bending:
    """Turn the distal segment of a joint with a heavy fixture at a rate [rad/s] to an angle [rad]; the rest is fixed.

    The fixture is the segment with its inertia multiplied, so that the joint hardly slows it.
    """
    system = specimen(joints, muscles, failure)
    limb = system.joint(full_name(system, joint))
    assert limb.parent is not None
    posture = {**(posture or {})}
    axis, sign = data.movements()[joint][movement]
    direction = sign * _axis(_law(system, joint), _angles(posture, joint), axis)
    start = Configuration(
        {k: v for k, v in _rotations(system, posture).items() if k == limb.name},
        {limb.name: tuple((rate * direction).tolist())},
    )
    small = _part(system, (limb.parent, limb.child)).replace(gravity=(0.0, 0.0, 0.0))
    child = small.body(limb.child)
    heavy = replace(child, mass=child.mass * FIXTURE, inertia=FIXTURE * np.eye(3) * float(np.trace(child.inertia)))
    pinned = _with(small, replace(limb, point_child=(0.0, 0.0, 0.0)))
    pinned = pinned.replace(bodies=tuple(heavy if body.name == heavy.name else body for body in pinned.bodies))
    run = simulate(pinned, start, duration=to / rate, pose_rate=400.0 * rate / to, max_step=to / rate / 400.0)
    place = run.joints.index(limb.name)
    return Bending(rate * run.pose_time, -run.joint_torque[:, place] @ direction)


def knee_bending(rate: float = np.radians(1500.0), *, joints: str = "recommended", failure: bool = True) -> Bending:
    """Bend a straight knee in valgus at the rate of a car at 40 km/h (targets A01, A03, A11)."""
    return bend("knee", "valgus", rate, np.radians(40.0), joints=joints, failure=failure)


def knee_shear(rate: float = 1.0, to: float = 0.04, *, joints: str, axial: str = "compliant") -> Shearing:
    """Shift the tibia sideways under the femur at a rate [m/s] to a displacement [m], without bending the knee.

    A heavy fixture holds the shank, and the rotation of the knee is locked. Targets A02 and A05.
    """
    system = specimen(joints, muscles=False, failure=True, axial=axial)
    small = _part(system, ("right_thigh", "right_knee_link", "right_shank")).replace(gravity=(0.0, 0.0, 0.0))
    small = _with(small, _driven(small.joint("right_knee"), (0.0, 0.0, 0.0)))
    shank = small.body("right_shank")
    heavy = replace(shank, mass=FIXTURE * shank.mass, inertia=FIXTURE * shank.inertia)
    small = small.replace(bodies=tuple(heavy if body.name == heavy.name else body for body in small.bodies))
    start = Configuration(rates={SLIDE: (0.0, -rate, 0.0)})
    run = simulate(small, start, duration=to / rate, pose_rate=400.0 * rate / to, max_step=to / rate / 400.0)
    place = run.joints.index(SLIDE)
    return Shearing(-run.joint_rotation[:, place, 1], abs(run.joint_force[:, run.joints.index("right_knee"), 1]))


def full_name(system: System, joint: str) -> str:
    """Return the name of a midline joint, or of the right one of a pair."""
    return joint if any(item.name == joint for item in system.joints) else f"right_{joint}"


# parts


def _law(system: System, joint: str) -> str:
    resistance = system.joint(full_name(system, joint)).resistance
    assert resistance is not None
    return resistance.law


def _angles(posture: Mapping[str, float], joint: str) -> np.ndarray:
    """Return the angles about x, y and z [rad] of a joint in a posture."""
    angles = np.zeros(3)
    for movement, (axis, sign) in data.movements()[joint].items():
        angles[axis] += sign * posture.get(f"{joint}_{movement}", 0.0)
    return angles


def _rotations(system: System, posture: Mapping[str, float]) -> dict[str, tuple[float, ...]]:
    """Return the rotation of every joint of a posture as a unit quaternion, in the order of its Cardan angles."""
    known = {f"{joint}_{movement}": joint for joint, words in data.movements().items() for movement in words}
    found = {}
    for joint in dict.fromkeys(known[key] for key in posture):
        turn: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
        for axis in CARDAN_AXES.get(_law(system, joint), (1, 0, 2)):
            turn = quaternion_product(turn, quaternion_of_vector(tuple(_angles(posture, joint)[axis] * AXES[axis])))
        found[full_name(system, joint)] = turn
    return found


def _axis(law: str, angles: np.ndarray, axis: int) -> np.ndarray:
    """Return the axis about which one Cardan angle turns, in the parent's joint frame [-]."""
    turn = np.eye(3)
    for place in CARDAN_AXES.get(law, (1, 0, 2)):
        if place == axis:
            break
        turn = turn @ rotation_matrix(np.array(quaternion_of_vector(tuple(angles[place] * AXES[place]))))
    return np.asarray(turn @ AXES[axis])


def _turned(angle: float) -> tuple[float, ...]:
    return quaternion_of_vector((0.0, angle, 0.0))


def _part(system: System, bodies: tuple[str, ...]) -> System:
    """Return those of some bodies that a person has; the first of them is fixed in the world."""
    kept = [joint for joint in system.joints if joint.child in bodies[1:]]
    root = Joint("fixed", "rigid", None, bodies[0])
    names = {joint.name for joint in kept}
    return System(
        bodies=tuple(body for body in system.bodies if body.name in bodies),
        joints=(root, *kept),
        tendons=tuple(t for t in system.tendons if {t.joint, t.other} <= names),
    )


def _driven(joint: Joint, rotation: tuple[float, float, float]) -> Joint:
    """Return a joint held at a rotation vector [rad]."""
    return replace(joint, motion=tuple(constant(value) for value in rotation))


def _with(system: System, joint: Joint) -> System:
    return system.replace(joints=tuple(joint if item.name == joint.name else item for item in system.joints))
