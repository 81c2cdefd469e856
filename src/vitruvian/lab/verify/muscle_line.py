"""Muscles along lines: against closed forms, static balance, root finding and an independent solver. SI units."""

from __future__ import annotations

from math import acos, atan2, cos, exp, pi, sin, sqrt
from typing import Any

import numpy as np

from ...kernels import dynamics, integrate, layout
from ...model import Body, Configuration, Ellipsoid, Joint, Muscle, MusclePoint, Sphere, System, Table, constant, ramp
from ...model.compile import compile_system, initial_state, make_work
from ...model.muscle_table import lay_muscles
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ..evidence import Check
from .webbing import shortest

_POINT = np.array([0.01, 0.01, 0.01])
_LEFT = (sqrt(0.5), -sqrt(0.5), 0.0, 0.0)  # joint frame whose z points to the left
NO_GRAVITY = (0.0, 0.0, 0.0)
_MUSCLE = {"max_force": 1000.0, "fibre_length": 0.1, "tendon_length": 0.25}


# curves of degroote2016, written again


def _active(x: float) -> float:
    rows = (
        (0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465),
        (0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188),
        (0.1, 1.0, 0.5 * sqrt(0.5), 0.0),
    )
    return sum(a * exp(-0.5 * ((x - b) / (c + d * x)) ** 2) for a, b, c, d in rows)


def _factor(v: float) -> float:
    y = -8.149 * v - 0.374
    return -0.3211346127989808 * float(np.log(y + sqrt(y * y + 1.0))) + 0.8825327733249912


def _passive(x: float) -> float:
    start = exp(4.0 * (0.2 - 1.0) / 0.6)
    return (exp(4.0 * (x - 1.0) / 0.6) - start) / (exp(4.0) - start)


def _tendon(x: float) -> float:
    return max(0.0, 0.2 * exp(np.log(6.0) / 0.049 * (x - 1.0)) - 0.2)


# moment arms


def _evaluated(system: System, start: Configuration) -> tuple[float, np.ndarray]:
    """Return the length [m] of the first muscle and the accelerations of a start."""
    compiled = compile_system(system)
    state, work = initial_state(compiled, start), make_work(compiled)
    lay_muscles(compiled, state, work)
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    dynamics.accelerations(compiled.model, work, state.memory, state.now.v, 0.0)
    return float(work.pull[0, layout.pull.LENGTH]), work.vdot.copy()


def _hinged(centre: tuple[float, float, float], radius: float) -> System:
    """Return a drum at rest and an arm on a hinge, with a muscle over the drum from the world to the arm."""
    drum, arm = Body("drum", 1.0, _POINT), Body("arm", 2.0, np.array([0.05, 0.05, 0.05]))
    joints = (
        Joint("rest", "rigid", None, "drum"),
        Joint("hinge", "revolute", "drum", "arm", frame_parent=_LEFT, frame_child=_LEFT),
    )
    path = (
        MusclePoint(point=(-0.02, -0.05, 0.4)),
        MusclePoint(over="drum", radius=radius, axis=(0.0, 1.0, 0.0), centre=centre, side=(1.0, 0.0, 0.0)),
        MusclePoint(point=(0.0, 0.03, -0.2), body="arm"),
    )
    return System((drum, arm), joints, muscles=(Muscle("m", path, force=constant(100.0)),), gravity=NO_GRAVITY)


def _wound(angle: float, centre: tuple[float, float, float], radius: float) -> float:
    """Return the length [m] of the path of `_hinged` at an angle [rad] in closed form: tangents and helix."""
    one = np.array([-0.02, 0.4]) - np.array([centre[0], centre[2]])
    two = 0.2 * np.array([-sin(angle), -cos(angle)]) - np.array([centre[0], centre[2]])
    far_one, far_two = float(np.linalg.norm(one)), float(np.linalg.norm(two))
    turn = (atan2(one[1], one[0]) - atan2(two[1], two[0])) % (2.0 * pi)
    arc = turn - acos(radius / far_one) - acos(radius / far_two)
    flat = sqrt(far_one**2 - radius**2) + sqrt(far_two**2 - radius**2) + radius * arc
    if arc <= 0.0:
        flat = float(np.linalg.norm(two - one))
    return sqrt(flat**2 + 0.08**2)


def moment_arm() -> list[Check]:
    """A muscle over a cylinder turns a hinge with its force times -dl/dtheta, closed form; it may lift off."""
    rows, h = [], 1e-5
    for centre, about in (((0.0, 0.0, 0.0), "on the hinge"), ((0.02, 0.0, 0.015), "next to the hinge")):
        system, lengths, torques = _hinged(centre, 0.04), [], []
        for angle in np.linspace(-0.6, 2.2, 13):
            length, accelerations = _evaluated(system, Configuration({"hinge": (float(angle),)}))
            slope = (_wound(angle + h, centre, 0.04) - _wound(angle - h, centre, 0.04)) / (2.0 * h)
            lengths.append(abs(length - _wound(angle, centre, 0.04)))
            torques.append(abs(accelerations[0] * 0.05 + 100.0 * slope))
        rows.append(Check.close(f"length over a cylinder {about}", 0.0, max(lengths), 1e-12, "m"))
        rows.append(Check.close(f"torque of 100 N over a cylinder {about}", 0.0, max(torques), 1e-6, "N m"))
    return rows


def shortest_paths() -> list[Check]:
    """A muscle over an ellipsoid or sphere is as long as the shortest path, found by minimisation."""
    rows = []
    for axes, one, two in (
        ((0.12, 0.16, 0.20), (-0.02, 0.45, 0.20), (0.00, -0.40, -0.25)),
        ((0.10, 0.18, 0.16), (0.02, 0.45, -0.20), (0.03, -0.40, -0.10)),
        ((0.15, 0.15, 0.15), (0.04, 0.35, 0.10), (0.0, -0.30, -0.20)),
    ):
        body = Body("solid", 1.0, _POINT, (Ellipsoid(axes),))
        path = (MusclePoint(point=one), MusclePoint(over="solid"), MusclePoint(point=two))
        muscle = Muscle("m", path, force=constant(1.0))
        found, _ = _evaluated(
            System((body,), (Joint("rest", "rigid", None, "solid"),), muscles=(muscle,)), Configuration()
        )
        wanted = shortest(axes, np.array(one), np.array(two))
        about = f"semi-axes {1e3 * axes[0]:.0f}, {1e3 * axes[1]:.0f}, {1e3 * axes[2]:.0f} mm"
        rows.append(Check.close(f"length of a muscle over an ellipsoid, {about}", wanted, found, 1e-7 * wanted, "m"))
    return rows


def two_joints() -> list[Check]:
    """A muscle over two joints and a via point balances the torques -F dl/dq of an independent length, at both."""
    rng = np.random.default_rng(4)
    upper, lower = Body("upper", 2.0, np.array([0.02, 0.02, 0.01])), Body("lower", 1.0, np.array([0.01, 0.01, 0.01]))
    joints = (
        Joint("shoulder", "spherical", None, "upper", (0.0, 0.0, 0.0), (0.0, 0.0, 0.15)),
        Joint("elbow", "revolute", "upper", "lower", (0.0, 0.0, -0.15), (0.0, 0.0, 0.12), _LEFT, _LEFT),
    )
    path = (
        MusclePoint(point=(0.05, 0.02, 0.05)),
        MusclePoint(point=(0.04, 0.0, -0.1), body="upper"),
        MusclePoint(point=(0.03, 0.01, 0.05), body="lower"),
    )
    system = System((upper, lower), joints, muscles=(Muscle("m", path, force=constant(250.0)),), gravity=NO_GRAVITY)
    free = system.replace(muscles=())
    worst = 0.0
    for _ in range(5):
        turn = rng.normal(size=4)
        turn, bend = turn / np.linalg.norm(turn), float(rng.uniform(-1.5, 0.2))
        push = _torques(path, turn, bend)
        worst = max(worst, _mismatch(system, free, turn, bend, 250.0 * push))
    return [
        Check.close("torques of a muscle over two joints, 5 random postures", 0.0, worst, 1e-6, "rad/s2", "per 1 N m")
    ]


def _length(path: tuple[MusclePoint, ...], turn: np.ndarray, bend: float) -> float:
    """Return the length [m] of the path of `two_joints` by plain vectors."""
    from scipy.spatial.transform import Rotation

    first = Rotation.from_quat(np.roll(turn, -1))
    second = first * Rotation.from_rotvec([0.0, bend, 0.0])
    upper = first.apply([0.0, 0.0, -0.15])
    lower = first.apply([0.0, 0.0, -0.3]) + second.apply([0.0, 0.0, -0.12])
    a, b, c = np.array(path[0].point), upper + first.apply(path[1].point), lower + second.apply(path[2].point)
    return float(np.linalg.norm(b - a) + np.linalg.norm(c - b))


def _torques(path: tuple[MusclePoint, ...], turn: np.ndarray, bend: float) -> np.ndarray:
    """Return -dl/dq [m] for rotations of the shoulder about the world axes and for the elbow."""
    from scipy.spatial.transform import Rotation

    h, found = 1e-6, []
    for axis in np.eye(3):
        ends = [
            _length(
                path,
                np.roll((Rotation.from_rotvec(s * h * axis) * Rotation.from_quat(np.roll(turn, -1))).as_quat(), 1),
                bend,
            )
            for s in (1.0, -1.0)
        ]
        found.append(-(ends[0] - ends[1]) / (2.0 * h))
    found.append(-(_length(path, turn, bend + h) - _length(path, turn, bend - h)) / (2.0 * h))
    return np.array(found)


def _mismatch(system: System, free: System, turn: np.ndarray, bend: float, push: np.ndarray) -> float:
    """Return the difference of accelerations by the muscle and by moments of the same virtual work, over 1 N m."""
    from ...model import Load
    from ...model.pose import rotation_matrix

    start = Configuration({"shoulder": tuple(turn.tolist()), "elbow": (bend,)})
    _, by_muscle = _evaluated(system, start)
    axis = rotation_matrix(tuple(turn.tolist())) @ np.array([0.0, 1.0, 0.0])
    # a moment t on the lower and -t on the upper body does the work of the elbow
    at_elbow = push[3] * axis
    loads = (
        Load("a", "upper", tuple(map(constant, (push[:3] - at_elbow).tolist())), "moment"),
        Load("b", "lower", tuple(map(constant, at_elbow.tolist())), "moment"),
    )
    compiled = compile_system(free.replace(loads=loads))
    state, work = initial_state(compiled, start), make_work(compiled)
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    dynamics.accelerations(compiled.model, work, state.memory, state.now.v, 0.0)
    return float(abs(work.vdot - by_muscle).max() / abs(push).max())


# curves and activation


def _drawn(motion: Table, duration: float, **muscle: Any) -> Recording:
    """Return a run in which a slide draws a muscle at a given length [m]."""
    slide = Body("slide", 1.0, _POINT, (Sphere(0.01),))
    path = (MusclePoint(point=(0.0, 0.0, 0.0)), MusclePoint(point=(0.0, 0.0, 0.0), body="slide"))
    system = System(
        (slide,),
        (Joint("guide", "prismatic", None, "slide", motion=(motion,)),),
        muscles=(Muscle("m", path, **{**_MUSCLE, **muscle}),),
        gravity=NO_GRAVITY,
    )
    return simulate(system, duration=duration, pose_rate=1000.0, max_step=1e-4)


def curves() -> list[Check]:
    """Isometric and isokinetic forces of a muscle follow the closed curves of force over length and speed."""
    still, moving, tilt = 0.0, 0.0, 0.3
    for length in (0.5, 0.8, 1.0, 1.2, 1.5):
        for level in (0.0, 0.3, 1.0):
            run = _drawn(constant(0.25 + 0.1 * length), 0.01, excitation=constant(level))
            wanted = 1000.0 * (level * _active(length) + _passive(length))
            still = max(still, abs(float(run.muscle_force[-1, 0]) - wanted))
    for speed in (-0.8, -0.4, -0.1, 0.1, 0.5):
        run = _drawn(ramp(0.35 - 0.01 * speed, speed), 0.02, excitation=constant(0.7), pennation=tilt)
        width = 0.1 * sin(tilt)
        along = run.muscle_length[:, 0] - 0.25
        fibre = np.hypot(along, width)
        cosine = along / fibre
        rate = speed * cosine / 1.0
        curve = [
            1000.0 * c * (0.7 * _active(10.0 * x) * _factor(v) + _passive(10.0 * x) + 0.01 * v)
            for x, c, v in zip(fibre, cosine, rate, strict=True)
        ]
        moving = max(moving, float(abs(run.muscle_force[:, 0] - curve)[1:-1].max()))
    return [
        Check.close("isometric force over length, 15 cases", 0.0, still, 1e-6, "N"),
        Check.close("isokinetic force over speed, pennate, 5 speeds", 0.0, moving, 1e-2, "N"),
    ]


def activation() -> list[Check]:
    """Activation follows a step of the excitation by the exponentials of its two time constants."""
    run = _drawn(constant(0.35), 0.3, excitation=Table((0.0, 0.05, 0.15), (0.1, 0.9, 0.2), "step"))
    t, got = run.pose_time, run.muscle_activation[:, 0]
    smooth = (abs(t - 0.05) > 2e-3) & (abs(t - 0.15) > 2e-3)
    top = 0.9 - 0.8 * exp(-0.1 / 0.015)
    wanted = np.where(
        t < 0.05,
        0.1,
        np.where(t < 0.15, 0.9 - 0.8 * np.exp(-(t - 0.05) / 0.015), 0.2 + (top - 0.2) * np.exp(-(t - 0.15) / 0.06)),
    )
    slow = _drawn(constant(0.35), 0.2, excitation=Table((0.0, 0.1), (0.0, 1.0)))
    rising = slow.pose_time < 0.1
    lagging = 10.0 * (slow.pose_time - 0.015 * (1.0 - np.exp(-slow.pose_time / 0.015)))
    return [
        Check.close(
            "activation after steps", 0.0, _worst((got - wanted)[smooth]), 1e-4, "-", "means over steps of 0.1 ms"
        ),
        Check.close("activation on a ramp", 0.0, _worst((slow.muscle_activation[:, 0] - lagging)[rising]), 2e-4, "-"),
    ]


def _worst(difference: np.ndarray) -> float:
    return float(abs(difference)[1:-1].max())


def tendon() -> list[Check]:
    """Fibres and elastic tendon bear the same force: at rest against a root, in motion against another solver."""
    from scipy.integrate import solve_ivp
    from scipy.optimize import brentq

    def fibres(level: float, along: float, rate: float) -> float:
        return level * _active(10.0 * along) * _factor(rate) + _passive(10.0 * along) + 0.01 * rate

    worst = 0.0
    for level in (0.0, 0.2, 1.0):
        run = _drawn(constant(0.355), 0.01, excitation=constant(level), elastic_tendon=True)
        along = brentq(
            lambda p, level=level: fibres(level, p, 0.0) - _tendon((0.355 - p) / 0.25), 0.02, 0.2, xtol=1e-15
        )
        worst = max(worst, abs(float(run.fibre_length[0, 0]) - along), abs(float(run.fibre_length[-1, 0]) - along))

    def rate(t: float, p: np.ndarray) -> list[float]:
        level = 0.9 - 0.7 * exp(-t / 0.015)
        pull = _tendon((0.36 - 0.1 * t - p[0]) / 0.25)
        return [brentq(lambda v: fibres(level, p[0], v) - pull, -300.0, 300.0, xtol=1e-14)]

    run = _drawn(ramp(0.36, -0.1), 0.1, excitation=constant(0.9), activation=0.2, elastic_tendon=True)
    first = float(run.fibre_length[0, 0])
    start = brentq(lambda p: fibres(0.2, p, 0.0) - _tendon((0.36 - p) / 0.25), 0.02, 0.2, xtol=1e-15)
    other = solve_ivp(rate, (0.0, 0.1), [start], method="LSODA", rtol=1e-10, atol=1e-12, t_eval=run.pose_time[1:-1])
    moving = float(abs(run.fibre_length[1:-1, 0] - other.y[0]).max())
    return [
        Check.close("fibres of an elastic tendon at rest", 0.0, worst, 1e-9, "m"),
        Check.close("their start in motion", start, first, 1e-6, "m"),
        Check.close("fibres that contract and are shortened, against LSODA", 0.0, moving, 1e-5, "m"),
    ]


# motion


def _lifted(**options: Any) -> Recording:
    """Return a run in which a muscle over a pulley lifts 20 kg."""
    pulley, mass = Body("pulley", 1.0, _POINT, (Sphere(0.02),)), Body("mass", 20.0, _POINT, (Sphere(0.05),))
    joints = (Joint("rest", "rigid", None, "pulley"), Joint("guide", "prismatic", None, "mass"))
    path = (
        MusclePoint(point=(-0.31, 0.0, 0.0)),
        MusclePoint(over="pulley", radius=0.03, axis=(0.0, 1.0, 0.0), side=(1.0, 0.0, 1.0)),
        MusclePoint(point=(0.03, 0.0, 0.0), body="mass"),
    )
    muscle = Muscle(
        "m",
        path,
        excitation=Table((0.0, 0.3, 0.6), (0.2, 0.45, 0.1), "smooth"),
        max_force=1000.0,
        fibre_length=0.2,
        tendon_length=0.35,
        pennation=0.2,
        elastic_tendon=bool(options.pop("elastic", False)),
    )
    system = System((pulley, mass), joints, muscles=(muscle,))
    return simulate(system, Configuration({"guide": (-0.25,)}), duration=0.6, pose_rate=2000.0, **options)


def lift() -> list[Check]:
    """The work of a muscle that lifts a mass is the energy that the mass gains, and what its force does on its path."""
    rows = []
    for elastic in (False, True):
        run = _lifted(elastic=elastic, adaptive=False, step=5e-4)
        height, speed = run.position[:, 1, 2], run.velocity[:, 1, 2]
        gained = 20.0 * (9.80665 * (height - height[0]) + 0.5 * (speed**2 - speed[0] ** 2))
        work = run.work[:, 10]
        by_path = -np.concatenate(
            [
                [0.0],
                np.cumsum(
                    0.5 * (run.muscle_force[1:, 0] + run.muscle_force[:-1, 0]) * np.diff(run.muscle_length[:, 0])
                ),
            ]
        )
        kind = "elastic" if elastic else "rigid"
        most = float(abs(work).max())
        rows.append(
            Check.close(
                f"work of a muscle, {kind} tendon, less energy of the mass",
                0.0,
                _worst(work - gained) / most,
                1e-5,
                "-",
                f"of {most:.1f} J",
            )
        )
        rows.append(
            Check.close(
                f"work of a muscle, {kind} tendon, less force along the path",
                0.0,
                _worst(work - by_path) / most,
                5e-3,
                "-",
                "trapezium rule",
            )
        )
    return rows


def order() -> list[Check]:
    """The motion of a mass on a muscle converges with the third order of the step, for both kinds of tendon."""
    rows = []
    for elastic in (False, True):
        ends = [
            float(_lifted(elastic=elastic, adaptive=False, step=h).position[-1, 1, 2])
            for h in (4e-3, 2e-3, 1e-3, 1.25e-4)
        ]
        errors = [abs(end - ends[-1]) for end in ends[:-1]]
        found = float(np.log2(errors[1] / errors[2]))
        rows.append(Check.at_least(f"order of the step, {'elastic' if elastic else 'rigid'} tendon", 2.5, found, "-"))
    return rows
