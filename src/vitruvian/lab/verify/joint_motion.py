"""Joints in motion: elastic ones keep energy, limits and dry torques only take it. SI units."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...human import human
from ...model import Body, Cone, Configuration, Joint, Resistance, System
from ...model.compile import compile_system
from ...model.pose import quaternion_of_vector
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ..evidence import Check
from .joint_law import CURVED

SPEED = 20.0  # with which a joint is driven into its limits [rad/s]
LIMITED = Resistance(
    limit_minus=(-0.3, -0.4, -0.3),
    limit_plus=(0.4, 0.3, 0.3),
    stiffness=(4.0, 6.0, 2.0),
    stiffness_minus=(90.0, 60.0, 50.0),
    stiffness_plus=(60.0, 80.0, 40.0),
)


ELASTIC = {
    "rotation vector with limits": LIMITED,
    "swing and twist with limits": replace(LIMITED, law="swing_twist"),
    **CURVED,
    "cone": Resistance(
        "cone",
        cone=Cone((0.3, 0.8, 0.6, 0.4), 0.3, 40.0),
        limit_minus=(-np.inf, -np.inf, -0.3),
        limit_plus=(np.inf, np.inf, 0.3),
        stiffness_minus=(0.0, 0.0, 60.0),
        stiffness_plus=(0.0, 0.0, 60.0),
    ),
}


def hung(resistance: Resistance, *, gravity: float = 9.81, inertia: tuple[float, ...] = (0.2, 0.25, 0.05)) -> System:
    """Return a body of 4 kg that hangs from the world by a spherical joint 0.3 m above its centre of mass."""
    ball = Joint("ball", "spherical", None, "limb", point_child=(0.0, 0.0, 0.3), resistance=resistance)
    return System((Body("limb", 4.0, np.array(inertia)),), (ball,), gravity=(0.0, 0.0, -gravity))


def energy(recording: Recording) -> np.ndarray:
    """Return kinetic energy, potential energy and the energy stored in the joints, over time [J]."""
    return recording.kinetic + recording.potential + recording.joint_energy.sum(axis=1)


def conservative() -> list[Check]:
    """A limb that swings for 2 s against each elastic law keeps its energy, at eight states of the run itself."""
    start = Configuration({"ball": quaternion_of_vector((0.2, -0.3, 0.1))}, {"ball": (3.0, 4.0, -2.0)})
    rows = []
    for name, resistance in ELASTIC.items():
        system, stored = compile_system(hung(resistance)), 0.0
        totals: list[float] = []
        final: dict[str, np.ndarray] | None = None
        for _ in range(8):  # between steps a sample is interpolated; the last of a run is its state
            run = simulate(
                system, start, duration=0.25, resume=final, method="dormand-prince", tolerance=1e-12, rate=100.0
            )
            final = run.final
            totals += [energy(run)[0], energy(run)[-1]] if not totals else [energy(run)[-1]]
            stored = max(stored, float(run.joint_energy.max()))
        worst = float(np.abs(np.array(totals) - totals[0]).max() / (totals[0] - run.potential.min()))
        note = f"of all energy in 2 s; up to {stored:.3g} J were in the joint"
        rows.append(Check.close(f"energy of a joint: {name}", 0.0, worst, 1e-8, "-", note))
    return rows


def driven_into_limits() -> list[Check]:
    """Every joint of a person, driven at 20 rad/s into each of its limits, gives back no more than it was given."""
    rows = []
    for joints in ("recommended", "thesis-corrected", "silva", "silva-dummy"):
        most, back, where = -np.inf, 0.0, ""
        person = human(1.8, 80.0, joints=joints, axial="rigid").system  # a link has hardly any inertia
        for joint in person.joints[1:]:
            if joint.name.startswith("left_") or joint.resistance is None:
                continue
            inertia = person.body(joint.child).inertia.diagonal()
            # of the segment about its joint
            about = inertia + person.body(joint.child).mass * (
                np.dot(joint.point_child, joint.point_child) - np.square(joint.point_child)
            )
            system = System(
                (Body("limb", 1.0, about),), (Joint("ball", "spherical", None, "limb", resistance=joint.resistance),),
                gravity=(0.0, 0.0, 0.0),
            )  # fmt: skip
            for axis in range(3):
                for speed in (-SPEED, SPEED):
                    spin = tuple(speed if k == axis else 0.0 for k in range(3))
                    run = simulate(
                        system, Configuration({}, {"ball": spin}), duration=0.25, rate=100.0, pose_rate=4000.0
                    )
                    total = energy(run)  # not only kinetic at the start: a relaxed elbow is bent
                    gain = float((total.max() - total[0]) / run.kinetic[0])
                    if gain > most:
                        most, where = gain, f"{joint.name}, {'xyz'[axis]}"
                    back = max(back, float(run.kinetic[np.argmin(run.kinetic) :].max() / run.kinetic[0]))
        note = f"largest gain of energy over its start ({where}); at most {100.0 * back:.0f} % come back as motion"
        rows.append(Check.at_most(f"limits at 20 rad/s, joints {joints}", 0.0, most, "-", note, tolerance=1e-6))
    return rows


def dry_torque() -> list[Check]:
    """A wheel on a hinge with a dry torque stops when theory says so; a fading one takes the energy of its curve."""
    inertia, torque, spin = 0.05, 2.0, 10.0

    def run(fade: float) -> Recording:
        resistance = Resistance(friction=torque, friction_speed=1e-3, friction_fade=fade)
        system = System(
            (Body("wheel", 1.0, np.full(3, inertia)),),
            (Joint("ball", "spherical", None, "wheel", resistance=resistance),),
            gravity=(0.0, 0.0, 0.0),
        )
        start = Configuration({}, {"ball": (0.0, spin * 0.6, spin * 0.8)})
        return simulate(system, start, duration=0.5, tolerance=1e-6, rate=100.0, pose_rate=2000.0)

    stopped = run(0.0)
    speed = np.linalg.norm(stopped.angular_velocity[:, 0], axis=1)
    expected = inertia * spin / torque
    at = float(np.interp(-0.01 * spin, -speed, stopped.pose_time))  # when a hundredth of the speed is left
    angle = float(np.linalg.norm(stopped.joint_rotation[-1, 0]))
    lost = stopped.joint_loss[-1].sum()
    fading = run(0.4)
    taken = fading.joint_loss[-1].sum()
    return [
        Check.close("dry torque: time to a hundredth of the speed", 0.99 * expected, at, 1e-3, "s", "I w / m"),
        Check.close("dry torque: angle turned", spin**2 * inertia / (2.0 * torque), angle, 2e-3, "rad", "I w2 / (2 m)"),
        Check.close("dry torque: energy lost", 0.5 * inertia * spin**2, lost, 1e-4, "J", "all of it"),
        Check.close(
            "fading muscle torque: energy lost", 0.5 * torque * 0.4, taken, 1e-4, "J",
            "half of the torque times the angle over which it fades, the area under 1 - 3 x^2 + 2 x^3",
        ),
    ]  # fmt: skip


def losses() -> list[Check]:
    """In a fall, the energies stored and lost by all joints sum to the classes of the energy audit."""
    from ...scenario import Scenario

    run = Scenario.load("fall-4m").run().recording
    elastic, lost = run.work[:, 4], run.work[:, 5]
    stored = run.joint_energy.sum(axis=1)
    scale = float(abs(lost).max())
    apart = float(abs(run.joint_loss.sum(axis=1) + lost).max() / scale)
    drift = float(abs(stored - stored[0] + elastic).max() / scale)
    rises = float(-np.diff(run.joint_loss, axis=0).min() / scale)
    return [
        Check.close("fall-4m: losses of all joints against the audit", 0.0, apart, 1e-9, "-", f"of {scale:.0f} J"),
        Check.close("fall-4m: energy stored in all joints against the audit", 0.0, drift, 1e-3, "-", "of the same"),
        Check.close("fall-4m: no joint gives back what it lost", 0.0, max(0.0, rises), 1e-3, "-", "largest fall"),
    ]  # fmt: skip
