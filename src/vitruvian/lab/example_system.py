"""Small systems with known answers, and states to look at them in. SI units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kernels import dynamics, integrate, layout, types
from ..model import Body, Configuration, Contact, Ellipsoid, Joint, Load, Plane, SpringDamper, System, constant
from ..model.compile import Compiled, initial_state, make_work
from ..model.joint import CHOSEN_TYPES
from ..sim.recording import Recording
from ..sim.simulate import simulate

#: absolutely tight and cheap on smooth problems
TIGHT = {"method": "dormand-prince", "tolerance": 1e-13, "max_step": 0.01}

#: every joint type but free, which is the root's
HANGING = tuple(name for name in CHOSEN_TYPES if name != "free")


# --- chance


def unit_quaternion(rng: np.random.Generator) -> tuple[float, ...]:
    """Return a uniformly distributed random rotation."""
    q = rng.normal(size=4)
    return tuple((q / np.linalg.norm(q)).tolist())


def vector(rng: np.random.Generator, size: float) -> tuple[float, float, float]:
    """Return a random vector with components of about a size."""
    x, y, z = rng.normal(scale=size, size=3).tolist()
    return x, y, z


def inertia(rng: np.random.Generator) -> np.ndarray:
    """Return a full inertia tensor that a body can have [kg m2]: that of six random masses."""
    points = rng.normal(scale=0.2, size=(6, 3))
    masses = rng.uniform(0.2, 1.0, size=6)
    return sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, points, strict=True))


def random_body(name: str, rng: np.random.Generator) -> Body:
    """Return a body of 1 to 5 kg with a full inertia tensor."""
    return Body(name, float(rng.uniform(1.0, 5.0)), inertia(rng))


def random_joint(kind: str, parent: str | None, child: str, rng: np.random.Generator) -> Joint:
    """Return a joint at random points with random frames."""
    return Joint(
        f"{child}_{kind}",
        kind,
        parent,
        child,
        vector(rng, 0.2),
        vector(rng, 0.2),
        unit_quaternion(rng),  # type: ignore[arg-type]
        unit_quaternion(rng),  # type: ignore[arg-type]
    )


def random_configuration(system: System, rng: np.random.Generator, speed: float = 3.0) -> Configuration:
    """Return random coordinates and rates [rad/s, m/s] of all joints that are not driven."""
    coordinates: dict[str, tuple[float, ...]] = {}
    rates: dict[str, tuple[float, ...]] = {}
    for joint in system.joints:
        if joint.motion is not None or joint.type == "rigid":
            continue
        if joint.type == "free":
            coordinates[joint.name] = (*vector(rng, 1.0), *unit_quaternion(rng))
        elif joint.type == "spherical":
            coordinates[joint.name] = unit_quaternion(rng)
        else:
            coordinates[joint.name] = tuple(rng.normal(size=joint.dof).tolist())
        rates[joint.name] = tuple(rng.normal(scale=speed, size=joint.dof).tolist())
    return Configuration(coordinates, rates)


# --- systems


def every_joint(seed: int = 1) -> System:
    """Return two trees that hold every joint type, at the root, in a chain and at a fork, with full inertia tensors."""
    rng = np.random.default_rng(seed)
    kinds = [
        ("a0", "free", None),
        ("a1", "universal", "a0"),
        ("a2", "spherical", "a1"),
        ("a3", "cylindrical", "a1"),
        ("a4", "rigid", "a2"),
        ("a5", "revolute", "a4"),
        ("a6", "prismatic", "a3"),
        ("a7", "spherical", "a6"),
        ("a8", "planar", "a0"),
        ("b0", "planar", None),
        ("b1", "revolute", "b0"),
        ("b2", "universal", "b1"),
        ("b3", "spherical", "b0"),
        ("b4", "rigid", "b3"),
        ("b5", "cylindrical", "b4"),
        ("b6", "translational", "b2"),
    ]
    return System(
        bodies=tuple(random_body(name, rng) for name, _, _ in kinds),
        joints=tuple(random_joint(kind, parent, name, rng) for name, kind, parent in kinds),
    )


def loaded(system: System, seed: int = 2) -> System:
    """Return the system with springs, loads and shapes that touch the ground."""
    rng = np.random.default_rng(seed)
    names = [body.name for body in system.bodies]
    shapes = {
        name: (Ellipsoid(tuple(rng.uniform(0.1, 0.4, 3)), vector(rng, 0.1), unit_quaternion(rng)),)  # type: ignore[arg-type]
        for name in names
    }
    return system.replace(
        bodies=tuple(Body(b.name, b.mass, b.inertia, b.shapes or shapes[b.name]) for b in system.bodies),
        surfaces=(Plane("ground", contact=Contact(stiffness=1e5, restitution=0.4)),),
        springs=(
            SpringDamper("spring", names[0], names[-1], vector(rng, 0.1), vector(rng, 0.1), 300.0, 0.5, 20.0),
            SpringDamper("rope", names[1], None, vector(rng, 0.1), (0.0, 0.0, 3.0), 500.0, 0.1, tension_only=True),
        ),
        loads=(
            Load(
                "push", names[2], tuple(constant(x) for x in (30.0, -20.0, 10.0)), point=vector(rng, 0.1), axes="body"
            ),
            Load("turn", names[3], tuple(constant(x) for x in (3.0, 2.0, -1.0)), kind="moment"),
        ),
    )


def pendulum(
    kind: str = "revolute", *, parent: str | None = None, at: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> Joint:
    """Return a pendulum that swings about y; its body, `rod`, has its centre of mass 0.5 m below the joint at zero."""
    along_y = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)  # z of the joint frame along y
    frame = along_y if kind == "revolute" else (1.0, 0.0, 0.0, 0.0)
    return Joint("hinge", kind, parent, "rod", at, (0.0, 0.0, 0.5), frame, frame)


ROD = Body("rod", 2.0, np.array([0.2, 0.25, 0.06]))
ROD_LENGTH = 0.5  # from the joint to the centre of mass [m]
ROD_INERTIA = 0.25 + 2.0 * ROD_LENGTH**2  # about the joint, y axis [kg m2]


# --- one run


def ends(system: System | Compiled, start: Configuration, duration: float, **options: Any) -> Recording:
    """Run for a duration [s] and return two samples of the poses: the start and the end, neither interpolated."""
    return simulate(system, start, duration=duration, pose_rate=1.0 / duration, rate=1.0 / duration, **options)


# --- one evaluation


@dataclass(frozen=True)
class Evaluation:
    """Everything that one evaluation gives, world frame. Rows are bodies (joints) and contact pairs."""

    rotation: np.ndarray  # (n, 3, 3)
    position: np.ndarray  # (n, 3) centre of mass [m]
    velocity: np.ndarray  # (n, 3) [m/s]
    spin: np.ndarray  # (n, 3) [rad/s]
    joint_point: np.ndarray  # (n, 3) [m]
    acceleration: np.ndarray  # (n, 3) of the centre of mass [m/s2]
    angular_acceleration: np.ndarray  # (n, 3) [rad/s2]
    joint_torque: np.ndarray  # (n, 3) [N m]
    joint_force: np.ndarray  # (n, 3) on the child [N]
    joint_moment: np.ndarray  # (n, 3) on the child about the joint point [N m]
    contact_force: np.ndarray  # (c, 3) on the body [N]
    contact_point: np.ndarray  # (c, 3) [m]
    touching: np.ndarray  # (c,) bool


def evaluate(compiled: Compiled, start: Configuration, *, step: float = 0.0, time: float = 0.0) -> Evaluation:
    """Return accelerations and loads in a state; step > 0 gives those of a linearly implicit step [s]."""
    state, work = initial_state(compiled, start, time), make_work(compiled)
    integrate.begin(compiled.model, work, state.now.q, state.now.v, time)
    dynamics.accelerations(compiled.model, work, state.memory, state.now.v, step)
    return read_work(compiled, work)


def read_work(compiled: Compiled, work: types.Work) -> Evaluation:
    """Return the results that the kernels stored in `work`."""
    n, c = len(compiled.bodies), len(compiled.pairs)
    body, out = work.body[:n], work.out

    def columns(first: int, count: int = 3) -> np.ndarray:
        return body[:, first : first + count].copy()

    bodies = out[: 6 * n].reshape(n, 6)
    pairs = n * (layout.out_row.BODY + layout.out_row.JOINT)
    joints = out[layout.out_row.BODY * n : pairs].reshape(n, layout.out_row.JOINT)
    contacts = out[pairs : pairs + layout.out_row.PAIR * c].reshape(c, layout.out_row.PAIR)
    return Evaluation(
        rotation=columns(layout.body.ROTATION, 9).reshape(n, 3, 3),
        position=columns(layout.body.POSITION),
        velocity=columns(layout.body.VELOCITY),
        spin=columns(layout.body.SPIN),
        joint_point=columns(layout.body.JOINT_POINT),
        acceleration=bodies[:, :3].copy(),
        angular_acceleration=bodies[:, 3:].copy(),
        joint_torque=joints[:, :3].copy(),
        joint_force=joints[:, 3:6].copy(),
        joint_moment=joints[:, 6:9].copy(),
        contact_force=contacts[:, :3].copy(),
        contact_point=work.pair[:, layout.pair.POINT : layout.pair.POINT + 3].copy(),
        touching=work.pair[:, layout.pair.DEPTH] > 0.0,
    )


def moving(system: System) -> Configuration:
    """Return a configuration of a person with every joint bent and turning."""
    rng = np.random.default_rng(23)
    coordinates, rates = {}, {}
    for joint in system.joints:
        turn = np.array([1.0, *rng.normal(scale=0.2, size=3)])
        quaternion = tuple((turn / np.linalg.norm(turn)).tolist())
        coordinates[joint.name] = quaternion if joint.type == "spherical" else (0.0, 0.0, 1.0, *quaternion)
        rates[joint.name] = tuple(rng.normal(size=joint.dof).tolist())
    return Configuration(coordinates, rates)
