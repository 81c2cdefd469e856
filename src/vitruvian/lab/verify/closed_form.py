"""Motions with a closed form, or with an equation of their own that scipy integrates. SI units."""

from __future__ import annotations

from math import atan2, cos, exp, hypot, pi, sin, sqrt

import numpy as np

from ...model import Body, Configuration, Joint, Load, Resistance, SpringDamper, System, Table, constant
from ...model.pose import rotation_matrix
from ...model.system import GRAVITY
from ..evidence import Check
from ..example_system import ROD, ROD_INERTIA, ROD_LENGTH, TIGHT, ends, pendulum

G = -GRAVITY[2]
AMPLITUDES = (5.0, 45.0, 90.0, 135.0, 175.0)  # [deg]


def top() -> list[Check]:
    """A free body without torque against Euler's equations, integrated by DOP853 at 1e-13."""
    from scipy.integrate import solve_ivp

    moments, spin, duration = np.array([1.0, 2.0, 2.8]), np.array([0.3, 4.0, 0.2]), 10.0

    def euler(_: float, y: np.ndarray) -> np.ndarray:
        w, p = y[:3], y[3:]
        turn = 0.5 * np.array(
            [
                -p[1] * w[0] - p[2] * w[1] - p[3] * w[2],
                p[0] * w[0] + p[2] * w[2] - p[3] * w[1],
                p[0] * w[1] + p[3] * w[0] - p[1] * w[2],
                p[0] * w[2] + p[1] * w[1] - p[2] * w[0],
            ]
        )
        return np.concatenate([np.cross(moments * w, w) / moments, turn])

    start = np.concatenate([spin, [1.0, 0.0, 0.0, 0.0]])
    reference = solve_ivp(euler, (0.0, duration), start, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    system = System((Body("top", 3.0, moments),), (Joint("root", "free", None, "top"),), gravity=(0.0, 0.0, 0.0))
    # unsteady about the middle axis, where an error grows three thousand times: the steps are short
    fine = TIGHT | {"tolerance": 1e-14, "max_step": 1e-3}
    run = ends(system, Configuration(rates={"root": (0.0, 0.0, 0.0, *spin)}), duration, **fine)
    turn = rotation_matrix(run.orientation[-1, 0])
    off = float(abs(turn.T @ run.angular_velocity[-1, 0] - reference[:3]).max())
    turned = float(abs(turn - rotation_matrix(reference[3:])).max())
    note = "about the middle axis, 10 s; Euler's equations by DOP853"
    return [
        Check.close("torque-free top: angular velocity", 0.0, off, 1e-9, "rad/s", note),
        Check.close("torque-free top: rotation matrix", 0.0, turned, 1e-9, "-", note),
    ]


def period(amplitude: float, gravity: float = G) -> float:
    """Return the period [s] of the rod at an amplitude [rad]: 4 K(sin(a/2)) / w0, K the complete elliptic integral."""
    from scipy.special import ellipk

    return float(4.0 * ellipk(sin(0.5 * amplitude) ** 2) * sqrt(ROD_INERTIA / (ROD.mass * gravity * ROD_LENGTH)))


def swing(kind: str, angle: float) -> tuple[float, ...]:
    """Return coordinates of the pendulum at an angle about y [rad]."""
    return (angle,) if kind == "revolute" else (cos(0.5 * angle), 0.0, sin(0.5 * angle), 0.0)


def pendulum_period() -> list[Check]:
    """The period at five amplitudes is the elliptic integral, for a hinge and for a ball joint.

    Released at rest, the rod passes the vertical after 1.25 periods; its angle at that time gives its own period.
    """
    rows = []
    for kind in ("revolute", "spherical"):
        for degrees in AMPLITUDES:
            amplitude = degrees * pi / 180.0
            expected = period(amplitude)
            system = System((ROD,), (pendulum(kind),))
            start = Configuration({"hinge": swing(kind, amplitude)})
            run = ends(system, start, 1.25 * expected, **TIGHT)
            late = _angle(run.orientation[-1, 0]) / abs(run.angular_velocity[-1, 0, 1])
            name = f"pendulum period, {kind}, {degrees:g} deg"
            rows.append(Check.close(name, expected, expected + late / 1.25, 1e-9 * expected, "s", "elliptic integral"))
    return rows


def _angle(orientation: np.ndarray) -> float:
    """Return the angle about y [rad] of a rotation about y."""
    return 2.0 * atan2(orientation[2], orientation[0])


def spherical_pendulum() -> list[Check]:
    """Energy and vertical angular momentum of a spherical pendulum with a symmetric rod stay as they were for 10 s."""
    rod = Body("rod", 2.0, np.array([0.25, 0.25, 0.06]))
    system = System((rod,), (pendulum("spherical"),))
    start = Configuration({"hinge": swing("spherical", 1.2)}, {"hinge": (0.4, -0.5, 2.5)})
    run = ends(system, start, 10.0, **TIGHT)
    energies, momenta = [], []
    for row in (0, -1):
        turn, spin = rotation_matrix(run.orientation[row, 0]), run.angular_velocity[row, 0]
        arm, velocity = run.position[row, 0], run.velocity[row, 0]
        own = turn @ rod.inertia @ turn.T @ spin
        energies.append(0.5 * rod.mass * velocity @ velocity + 0.5 * spin @ own + rod.mass * G * arm[2])
        momenta.append(own[2] + rod.mass * np.cross(arm, velocity)[2])
    swung = rod.mass * G * ROD_LENGTH
    return [
        Check.close("spherical pendulum: energy", energies[0], energies[1], 1e-9 * swung, "J", "10 s"),
        Check.close(
            "spherical pendulum: vertical angular momentum", momenta[0], momenta[1], 1e-9 * abs(momenta[0]), "N m s"
        ),
    ]


def spring_mass() -> list[Check]:
    """A damped mass against its closed form, on a spring between points and on the joint's own resistance."""
    mass, stiffness, damping, x0, duration = 3.0, 400.0, 8.0, 0.2, 2.0
    decay, frequency = damping / (2.0 * mass), sqrt(stiffness / mass - (damping / (2.0 * mass)) ** 2)
    sag = -mass * G / stiffness
    phase = frequency * duration
    expected = sag + exp(-decay * duration) * ((x0 - sag) * cos(phase) + decay * (x0 - sag) / frequency * sin(phase))
    body = Body("mass", mass, np.ones(3))
    slide = Joint("slide", "prismatic", None, "mass")
    resisting = Joint(
        "slide",
        "prismatic",
        None,
        "mass",
        resistance=Resistance("coordinate", stiffness=(stiffness, 0.0, 0.0), damping=(damping, 0.0, 0.0)),
    )
    # the spring hangs from 5 m above and is at rest length at zero
    hung = SpringDamper("spring", "mass", None, (0.0, 0.0, 0.0), (0.0, 0.0, 5.0), stiffness, 5.0, damping)
    systems = {
        "spring between points": System((body,), (slide,), springs=(hung,)),
        "joint": System((body,), (resisting,)),
    }
    rows = []
    for name, system in systems.items():
        start = Configuration({"slide": (x0,)})
        for method, options, tolerance in (
            ("dormand-prince", TIGHT, 1e-9),
            ("implicit", {"tolerance": 1e-7, "max_step": 0.01}, 1e-4),
        ):
            run = ends(system, start, duration, **options)
            label = f"damped spring-mass, {name}, {method}"
            rows.append(Check.close(label, expected, run.position[-1, 0, 2], tolerance * x0, "m", "closed form at 2 s"))
    return rows


def accelerated_support() -> list[Check]:
    """On a support that accelerates evenly the rod swings about the direction of g - a, with the period of its size."""
    push = 6.0  # [m/s2], along x
    duration_table = (0.0, 20.0)
    base = Body("base", 5.0, np.ones(3))
    motion = (Table(duration_table, (push, push), "acceleration", 0.0, 1.0), *(constant(0.0) for _ in range(5)))
    drive = Joint("drive", "free", None, "base", motion=motion)
    lean, effective, amplitude = atan2(push, G), hypot(push, G), 1.0
    rows = []
    for kind in ("revolute", "spherical"):
        system = System((base, ROD), (drive, pendulum(kind, parent="base")))
        expected = period(amplitude, effective)
        start = Configuration({"hinge": swing(kind, lean + amplitude)})
        run = ends(system, start, 1.25 * expected, **TIGHT)
        late = (_angle(run.orientation[-1, 1]) - lean) / abs(run.angular_velocity[-1, 1, 1])
        name = f"pendulum on an accelerated support, {kind}"
        note = "period in the field g - a"
        rows.append(Check.close(name, expected, expected + late / 1.25, 1e-9 * expected, "s", note))
    reached = 1.25 * expected + 0.5 * push * (1.25 * expected) ** 2
    rows.append(Check.close("place of the accelerated support", reached, run.position[-1, 0, 0], 1e-12 * reached, "m"))
    return rows


def rotating_support() -> list[Check]:
    """On a turntable whose speed grows: the one equation of the hinge angle, and the torque that drives the table.

    (I_y + m l2) a'' = m W2 (R + l sin a) l cos a + W2 (I_x - I_z) sin a cos a - m g l sin a,  a outwards
    torque = d/dt { W [I_base + m (R + l sin a)^2 + I_x sin2 a + I_z cos2 a] }
    """
    from scipy.integrate import solve_ivp

    radius, duration, knots, growth = 0.7, 3.0, (0.0, 3.0), (0.5, 1.5)
    base = Body("base", 5.0, np.array([1.0, 1.0, 2.0]))
    turning = Table(knots, growth, "acceleration", 0.3, 1.0)  # angle about z [rad], begins with 1 rad/s
    drive = Joint("drive", "revolute", None, "base", motion=(turning,))
    system = System((base, ROD), (drive, pendulum(parent="base", at=(radius, 0.0, 0.0))))
    about_x, about_y, about_z = np.diag(ROD.inertia)
    mass, length = ROD.mass, ROD_LENGTH

    def speed(t: float) -> tuple[float, float]:
        slope = (growth[1] - growth[0]) / knots[1]
        return 1.0 + growth[0] * t + 0.5 * slope * t * t, growth[0] + slope * t

    def hinge(t: float, y: np.ndarray) -> list[float]:
        w2, s, c = speed(t)[0] ** 2, sin(y[0]), cos(y[0])
        moment = (
            mass * w2 * (radius + length * s) * length * c + w2 * (about_x - about_z) * s * c - mass * G * length * s
        )
        return [y[1], moment / (about_y + mass * length**2)]

    out = -0.4  # the joint turns about y, so that outwards (to x) is negative
    reference = solve_ivp(hinge, (0.0, duration), [-out, 0.0], method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    run = ends(system, Configuration({"hinge": (out,)}), duration, **TIGHT)
    outward = -float(run.joint_rotation[-1, 1, 0])

    # the driving torque at the start, where the rod is at rest on the table
    s, c = sin(-out), cos(out)
    _, w_rate = speed(0.0)
    whole = base.inertia[2, 2] + mass * (radius + length * s) ** 2 + about_x * s * s + about_z * c * c
    from ...model.compile import compile_system
    from ..example_system import evaluate

    moment = evaluate(compile_system(system), Configuration({"hinge": (out,)})).joint_moment[0, 2]
    return [
        Check.close(
            "pendulum on a rotating support: angle", reference[0], outward, 1e-9, "rad", "own equation, DOP853"
        ),
        Check.close("torque that drives the rotating support", whole * w_rate, moment, 1e-10 * whole * w_rate, "N m"),
    ]


def scheduled_times() -> list[Check]:
    """A load that jumps at its knots, where steps end: each method follows the parabolas in between exactly.

    From 0.5 s to 0.7 s the mass is pushed with 10 N: x(1 s) = F/2m 0.2^2 + F/m 0.2 0.3.
    """
    mass, force = 2.0, 10.0
    push = Table((0.0, 0.5, 0.7), (0.0, force, 0.0), "step")
    load = Load("push", "mass", (constant(0.0), constant(0.0), push))
    slide = Joint("slide", "prismatic", None, "mass")
    system = System((Body("mass", mass, np.ones(3)),), (slide,), loads=(load,), gravity=(0.0, 0.0, 0.0))
    expected = force / mass * (0.5 * 0.2**2 + 0.2 * 0.3)
    rows = []
    for method in ("implicit", "rk4", "dormand-prince"):
        run = ends(system, Configuration(), 1.0, method=method, adaptive=False, step=0.01)
        rows.append(
            Check.close(
                f"load that jumps, {method}", expected, run.position[-1, 0, 2], 1e-12, "m", "steps of 10 ms, exact"
            )
        )
    return rows
