"""Closed loops with known answers: Andrews' squeezer, Bricard's mechanism, slider-crank, parallelogram. SI units."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...model import Body, Configuration, Joint, Load, SpringDamper, System, constant, frame_with_z
from ...model.system import GRAVITY
from ..evidence import Check
from ..formulations import Mechanism, Motion, Run, simulate
from ..formulations.constraint import joint_coordinates
from ..formulations.orientation import rotation_matrix

G = -GRAVITY[2]

# --- Andrews' squeezer (mazzia2008, "Andrews' squeezing mechanism"): planar, seven bodies, three loops, one freedom

MASS = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)  # [kg]
INERTIA = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)  # [kg m2]
A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)  # fixed points [m]
D, DA, E, EA, ZF, FA = 0.028, 0.0115, 0.02, 0.01421, 0.02, 0.01421  # lengths and centres of mass [m]
RR, RA, SS, SA, SB, SC, SD = 0.007, 0.00092, 0.035, 0.01874, 0.01043, 0.018, 0.02
TA, TB, U, UA, UB, ZT = 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.04
SPRING, REST, TORQUE = 4530.0, 0.07785, 0.033  # [N/m], [m], [N m]
#: beta, Theta, gamma, Phi, delta, Omega, epsilon [rad] at the start and, as published, after 30 ms
SQUEEZER_START = (
    -0.0617138900142764496358948458001, 0.0, 0.455279819163070380255912382449, 0.222668390165885884674473185609,
    0.487364979543842550225598953530, -0.222668390165885884674473185609, 1.23054744454982119249735015568,
)  # fmt: skip
SQUEEZER_END = (
    15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304,
    0.5347301163226948, 1.048080741042263,
)  # fmt: skip


def squeezer() -> tuple[System, Configuration]:
    """Return seven links in the plane z = 0; revolute joints close the loops at the common point F."""

    def body(number: int) -> Body:
        i = INERTIA[number - 1]
        return Body(f"k{number}", MASS[number - 1], np.array([i, i, i]))

    def hinge(number: int, parent: str | None, at: tuple[float, float], own: tuple[float, float]) -> Joint:
        return Joint(f"h{number}", "revolute", parent, f"k{number}", (*at, 0.0), (*own, 0.0))

    # body axes: x along the angle of the body (its y axis is at right angles); points from the centre of mass
    joints = (
        hinge(1, None, (0.0, 0.0), (-RA, 0.0)),  # angle beta
        hinge(2, "k1", (RR - RA, 0.0), (DA, 0.0)),  # beta + Theta; F lies backwards
        hinge(3, None, B, (-SA, SB)),  # gamma
        hinge(5, None, A, (-TA, -TB)),  # delta
        hinge(4, "k5", (ZT - TA, -TB), (0.0, E - EA)),  # Phi + delta; F lies downwards
        hinge(7, None, A, (-UA, UB)),  # epsilon
        hinge(6, "k7", (-UA, UB - U), (-(ZF - FA), 0.0)),  # Omega + epsilon
    )
    f2, f3, f4, f6 = (DA - D, 0.0, 0.0), (-SA, SB - SS, 0.0), (0.0, -EA, 0.0), (FA, 0.0, 0.0)
    loops = tuple(
        Joint(name, "revolute", "k2", child, f2, point)
        for name, child, point in (("f3", "k3", f3), ("f4", "k4", f4), ("f6", "k6", f6))
    )
    spring = SpringDamper("spring", None, "k3", (*C, 0.0), (SD - SA, SB - SC, 0.0), SPRING, REST)
    drive = Load("drive", "k1", tuple(constant(x) for x in (0.0, 0.0, TORQUE)), kind="moment")
    system = System(
        tuple(body(k) for k in (1, 2, 3, 5, 4, 7, 6)), joints, springs=(spring,), loads=(drive,),
        gravity=(0.0, 0.0, 0.0), loops=loops,
    )  # fmt: skip
    beta, theta, gamma, phi, delta, omega, epsilon = SQUEEZER_START
    angles = {"h1": beta, "h2": theta, "h3": gamma, "h5": delta, "h4": phi, "h7": epsilon, "h6": omega}
    return system, Configuration({name: (value,) for name, value in angles.items()})


def squeezer_angles(run: Run, system: System) -> np.ndarray:
    """Return the seven angles at the end of a run, in the order of the published values [rad]."""
    mechanism = Mechanism(system)
    motion = Motion(run.position[-1], run.orientation[-1], run.velocity[-1], run.spin[-1])
    values = {}
    for k, joint in enumerate(mechanism.joints):
        near = np.array(SQUEEZER_END)[["h1", "h2", "h3", "h4", "h5", "h6", "h7"].index(joint.name)] if k < 7 else 0.0
        found = joint_coordinates(joint, int(mechanism.parent[k]), int(mechanism.child[k]), motion, np.array([near]))
        values[joint.name] = float(found[0][0])
    return np.array([values[f"h{k}"] for k in (1, 2, 3, 4, 5, 6, 7)])


def squeezing(**options: Any) -> list[Check]:
    """Andrews' squeezer after 30 ms against the published seven angles."""
    system, start = squeezer()
    run = simulate(system, start, duration=0.03, samples=1, **{"formulation": "euler-parameters-3", **options})
    found = squeezer_angles(run, system)
    wanted = np.array(SQUEEZER_END)
    names = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")
    rows = [
        Check.close(f"Andrews' squeezer, {name} after 30 ms", w, f, 1e-6, "rad", "mazzia2008; crank turns 2.5 times")
        for name, w, f in zip(names, wanted, found, strict=True)
    ]
    return [*rows, Check.close("Andrews' squeezer, largest violation", 0.0, run.violation, 1e-10, "m")]


# --- Bricard's mechanism (IFToMM benchmark A04): five rods of 1 m and 1 kg, six hinges, one freedom, one redundant row

POINTS = ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))
AXES = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0))


def bricard() -> System:
    """Return rods between neighbouring corners of a cube; gravity along -y. Every axis is across both of its rods."""
    points, bodies, joints = np.array(POINTS, dtype=float), [], []
    for k in range(5):
        along = points[k + 1] - points[k]
        inertia = np.diag((np.eye(3) - np.outer(along, along)) / 12.0) + 1e-6 * abs(along)
        bodies.append(Body(f"rod{k + 1}", 1.0, inertia))
        axis = frame_with_z(tuple(float(x) for x in AXES[k]))  # type: ignore[arg-type]
        parent = None if k == 0 else f"rod{k}"
        at = points[0] if k == 0 else 0.5 * (points[k] - points[k - 1])
        joints.append(Joint(f"hinge{k}", "revolute", parent, f"rod{k + 1}", tuple(at), tuple(-0.5 * along), axis, axis))
    axis = frame_with_z((1.0, 0.0, 0.0))
    end = 0.5 * (points[5] - points[4])
    loop = Joint("hinge5", "revolute", None, "rod5", tuple(points[5]), tuple(end), axis, axis)
    return System(tuple(bodies), tuple(joints), gravity=(0.0, -9.81, 0.0), loops=(loop,))


def bricard_checks(duration: float = 1.0, **options: Any) -> list[Check]:
    """Bricard's mechanism: its energy, and its angles: cos a cos b + cos a + cos b = 0."""
    system = bricard()
    run = simulate(system, duration=duration, samples=20, **{"formulation": "euler-parameters-3", **options})
    turn = [corners(orientation) for orientation in run.orientation]
    off = max(abs(a * b + a + b) for corner in turn for a, b in pairwise(corner))
    moved = max(abs(corner).max() for corner in turn)
    energy = float(abs(run.energy - run.energy[0]).max())
    return [
        Check.close("Bricard's mechanism, energy", 0.0, energy, 1e-7, "J", "IFToMM benchmark asks for 0.001 J"),
        Check.close(
            "Bricard's mechanism, closed form of its angles", 0.0, off, 1e-9, "-", f"cosines up to {moved:.2f}"
        ),
        Check.close("Bricard's mechanism, violation", 0.0, run.violation, 1e-10, "m", " ".join(run.notes)),
    ]


def corners(orientation: np.ndarray) -> np.ndarray:
    """Return the cosines of the angles between neighbouring rods, the fixed one included, by orientations (5, 4)."""
    turn, points = rotation_matrix(orientation), np.array(POINTS, dtype=float)
    along = [turn[k] @ (points[k + 1] - points[k]) for k in range(5)] + [points[0] - points[5]]
    return np.array([along[k] @ along[(k + 1) % 6] for k in range(6)])


# --- slider-crank: crank and rod of 0.2 and 0.5 m, a slider that weighs, closed form by energy

CRANK, ROD = 0.2, 0.5  # [m]
WEIGHTS = (1.0, 2.0, 1.5)  # crank, rod, slider [kg]


def slider_crank(speed: float = 20.0) -> tuple[System, Configuration]:
    """Return a crank about z, a rod, and a slider along x; gravity along -y; stretched out at `speed` [rad/s]."""
    slim = [np.array([1e-6, m * l * l / 12.0, m * l * l / 12.0]) for m, l in zip(WEIGHTS, (CRANK, ROD), strict=False)]
    bodies = (
        Body("crank", WEIGHTS[0], slim[0]),
        Body("rod", WEIGHTS[1], slim[1]),
        Body("slider", WEIGHTS[2], np.array([0.01, 0.01, 0.01])),
    )
    along = frame_with_z((1.0, 0.0, 0.0))
    joints = (
        Joint("bearing", "revolute", None, "crank", (0.0, 0.0, 0.0), (-CRANK / 2, 0.0, 0.0)),
        Joint("pin", "revolute", "crank", "rod", (CRANK / 2, 0.0, 0.0), (-ROD / 2, 0.0, 0.0)),
        Joint("rail", "prismatic", None, "slider", (CRANK + ROD, 0.0, 0.0), (0.0, 0.0, 0.0), along, along),
    )
    loop = Joint("wrist", "revolute", "rod", "slider", (ROD / 2, 0.0, 0.0), (0.0, 0.0, 0.0))
    system = System(bodies, joints, gravity=(0.0, -G, 0.0), loops=(loop,))
    # the rod turns back at the rate that keeps the slider on its rail
    back = speed * CRANK / ROD
    return system, Configuration(rates={"bearing": (speed,), "pin": (-speed - back,)})


def slider_crank_speed(angle: np.ndarray, start: float) -> np.ndarray:
    """Return the speed of the crank [rad/s] at an angle [rad], by energy: m_eff(a) w^2 / 2 + V(a) = const."""
    lean = np.arcsin(-CRANK * np.sin(angle) / ROD)
    ratio = -CRANK * np.cos(angle) / (ROD * np.cos(lean))  # d lean / d angle
    crank, rod, slider = WEIGHTS
    x_rod = -CRANK * np.sin(angle) - 0.5 * ROD * np.sin(lean) * ratio
    y_rod = CRANK * np.cos(angle) + 0.5 * ROD * np.cos(lean) * ratio
    x_slider = -CRANK * np.sin(angle) - ROD * np.sin(lean) * ratio
    inertia = crank * CRANK**2 / 3.0 + rod * (x_rod**2 + y_rod**2 + ROD**2 / 12.0 * ratio**2) + slider * x_slider**2
    height = crank * 0.5 * CRANK * np.sin(angle) + rod * (CRANK * np.sin(angle) + 0.5 * ROD * np.sin(lean))
    first = crank * CRANK**2 / 3.0 + rod * ((0.5 * CRANK) ** 2 + CRANK**2 / 12.0)
    return np.sqrt((first * start**2 - 2.0 * G * height) / inertia)


def slider_crank_checks(**options: Any) -> list[Check]:
    """Slider-crank: speed of the crank at every sample of half a second, more than a turn, against the closed form."""
    system, start = slider_crank()
    run = simulate(system, start, duration=0.5, samples=10, **{"formulation": "euler-parameters-3", **options})
    cosine, sine = 1.0 - 2.0 * run.orientation[:, 0, 3] ** 2, 2.0 * run.orientation[:, 0, 0] * run.orientation[:, 0, 3]
    expected = slider_crank_speed(np.arctan2(sine, cosine), 20.0)
    off = float(abs(run.spin[:, 0, 2] / expected - 1.0).max())
    return [
        Check.close("slider-crank, speed by energy", 0.0, off, 1e-8, "-", f"{expected.min():.2f} rad/s and more"),
        Check.close("slider-crank, violation", 0.0, run.violation, 1e-10, "m", " ".join(run.notes)),
    ]


# --- parallelogram: a four-bar whose coupler only translates; a pendulum in closed form


def parallelogram() -> tuple[System, Configuration]:
    """Return two cranks of 1 m and 1 kg and a coupler of 2 m and 3 kg, 60 degrees from hanging, hinges along y."""
    about_y = frame_with_z((0.0, 1.0, 0.0))
    crank = np.array([1.0 / 12.0, 1.0 / 12.0, 1e-6])
    frames = {"frame_parent": about_y, "frame_child": about_y}
    bodies = (Body("left", 1.0, crank), Body("right", 1.0, crank), Body("coupler", 3.0, np.array([1e-3, 1.0, 1.0])))
    joints = (
        Joint("a", "revolute", None, "left", (0.0, 0.0, 0.0), (0.0, 0.0, 0.5), **frames),  # type: ignore[arg-type]
        Joint("b", "revolute", None, "right", (2.0, 0.0, 0.0), (0.0, 0.0, 0.5), **frames),  # type: ignore[arg-type]
        Joint("c", "revolute", "left", "coupler", (0.0, 0.0, -0.5), (-1.0, 0.0, 0.0), **frames),  # type: ignore[arg-type]
    )
    loop = Joint("d", "revolute", "right", "coupler", (0.0, 0.0, -0.5), (1.0, 0.0, 0.0), **frames)  # type: ignore[arg-type]
    angle = np.pi / 3.0
    return System(bodies, joints, loops=(loop,)), Configuration({"a": (angle,), "b": (angle,), "c": (-angle,)})


def parallelogram_period() -> float:
    """Return the period [s] in closed form, 4 sqrt(I / m g s) K(sin(a/2))."""
    from scipy.special import ellipk

    # about the hinges; moment of the weight at 90 degrees
    inertia, weight = 2.0 / 3.0 + 3.0, (2.0 * 0.5 + 3.0 * 1.0) * G
    return float(4.0 * np.sqrt(inertia / weight) * ellipk(np.sin(np.pi / 6.0) ** 2))


def parallelogram_checks(**options: Any) -> list[Check]:
    """A parallelogram four-bar is back where it began after one period T = 4 sqrt(I / m g s) K(sin(a/2))."""
    period = parallelogram_period()
    system, start = parallelogram()
    run = simulate(system, start, duration=period, samples=4, **{"formulation": "euler-parameters-3", **options})
    back = float(abs(run.position[-1] - run.position[0]).max())
    level = float(abs(run.orientation[:, run.bodies.index("coupler"), 1:]).max())
    return [
        Check.close("parallelogram four-bar, back after a period", 0.0, back, 1e-7, "m", f"T = {period:.4f} s"),
        Check.close("parallelogram four-bar, coupler stays level", 0.0, level, 1e-9, "-"),
    ]
