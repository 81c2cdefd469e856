"""Bodies at the instant of an impact, and their velocity changes by an impulse. World frame, SI units.

An impact is so short that no body moves: positions stay, velocities jump, and finite forces (weight, springs, joint
resistance) do nothing. Free bodies answer an impulse by themselves; the bodies of a tree through their joints, which
the engine's sweep works out from unit impulses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...errors import InputError, nearest
from ...model import Body, Configuration, System
from ...model.frame import IDENTITY, ZERO, Quaternion, Vector
from ...model.pose import rotation_matrix, segment_poses
from ...model.validation import finite_vector
from ...model.validation import rotation as unit_quaternion

#: body number, point [m], force impulse [N s] -> changes of velocity and spin of all bodies (n, 6), impulses of force
#: and moment in all joints on their children (n, 6), changes of the joints' rates (n_v,)
Respond = Callable[[int, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Moving:
    """A free rigid body and its motion just before an impact.

    position     of the centre of mass [m]
    velocity     of the centre of mass [m/s]
    spin         angular velocity [rad/s]
    orientation  body to world, unit quaternion
    """

    body: Body
    position: Vector = ZERO
    velocity: Vector = ZERO
    spin: Vector = ZERO
    orientation: Quaternion = IDENTITY

    def __post_init__(self) -> None:
        where = f"moving body {self.body.name!r}"
        for name in ("position", "velocity", "spin"):
            object.__setattr__(self, name, finite_vector(getattr(self, name), f"{where}: {name}"))
        object.__setattr__(self, "orientation", unit_quaternion(self.orientation, f"{where}: orientation"))


@dataclass(frozen=True)
class Touch:
    """A contact point of a body with another, or with an immovable one.

    body      name of the body
    point     of contact [m]
    normal    out of the other towards the body, made a unit vector [-]
    other     name of the other body; None for a wall, the ground, a heavy vehicle
    velocity  of the wall at the point, where other is None [m/s]
    """

    body: str
    point: Vector
    normal: Vector
    other: str | None = None
    velocity: Vector = ZERO

    def __post_init__(self) -> None:
        where = f"touch of {self.body!r}"
        for name in ("point", "normal", "velocity"):
            object.__setattr__(self, name, finite_vector(getattr(self, name), f"{where}: {name}"))
        length = float(np.linalg.norm(self.normal))
        if length == 0.0:
            raise InputError(f"{where}: normal is the zero vector; give the direction out of the other body.")
        object.__setattr__(self, "normal", tuple((np.array(self.normal) / length).tolist()))
        if self.other == self.body:
            raise InputError(f"{where}: the other body is the same one; give two bodies, or None for a wall.")
        if self.other is not None and any(self.velocity):
            raise InputError(f"{where}: velocity is that of a wall; {self.other!r} has its own. Leave one of them out.")


@dataclass(frozen=True)
class Mechanism:
    """Bodies at an instant; rows are bodies. Made by `free` and `tree`."""

    names: tuple[str, ...]
    mass: np.ndarray  # (n,) [kg]
    inertia: np.ndarray  # (n, 3, 3) about the centre of mass, world axes [kg m2]
    position: np.ndarray  # (n, 3) of the centre of mass [m]
    velocity: np.ndarray  # (n, 3) [m/s]
    spin: np.ndarray  # (n, 3) [rad/s]
    respond: Respond
    joints: tuple[str, ...] = ()
    rate: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (n_v,) rates of the joints, as the engine has them
    start: tuple[System, Configuration] | None = None

    def number(self, name: str) -> int:
        """Return the row of a body."""
        if name not in self.names:
            raise InputError(f"there is no body {name!r} in the impact.{nearest(name, self.names)}")
        return self.names.index(name)

    def point_velocity(self, touch: Touch) -> np.ndarray:
        """Return the velocity of the body at the point, relative to the other [m/s]."""
        velocity = -np.array(touch.velocity)
        for name, sign in ((touch.body, 1.0), (touch.other, -1.0)):
            if name is not None:
                i = self.number(name)
                arm = np.array(touch.point) - self.position[i]
                velocity = velocity + sign * (self.velocity[i] + np.cross(self.spin[i], arm))
        return velocity

    def kinetic_energy(self, velocity: np.ndarray, spin: np.ndarray) -> float:
        """Return the kinetic energy at these velocities [J]."""
        turning = np.einsum("ni,nij,nj->", spin, self.inertia, spin)
        return float(0.5 * (self.mass @ (velocity**2).sum(axis=1) + turning))


@dataclass(frozen=True)
class Response:
    """Velocity changes by unit impulses at the contacts, in contact frames (normal, then two tangents).

    frame     (m, 3, 3), rows normal, tangent, binormal; the tangent along the slip where there is slip
    inverse   (3m, 3m) J M^-1 J': change of the relative velocities per impulse [1/kg]
    velocity  (3m,) relative velocities before [m/s]
    body      (n, 6, 3m) change of velocity [m/s] and spin [rad/s] of the bodies per impulse
    joint     (n, 6, 3m) impulse of force [N s] and moment [N m s] of the joints per impulse
    rate      (n_v, 3m) change of the joints' rates per impulse
    """

    frame: np.ndarray
    inverse: np.ndarray
    velocity: np.ndarray
    body: np.ndarray
    joint: np.ndarray
    rate: np.ndarray


def free(bodies: Iterable[Moving]) -> Mechanism:
    """Return free rigid bodies: an impulse changes only the body that it acts on."""
    moving = tuple(bodies)
    names = tuple(m.body.name for m in moving)
    if not names:
        raise InputError("there is no body in the impact; give at least one Moving.")
    if len(set(names)) < len(names):
        raise InputError(f"the bodies of the impact are {', '.join(names)}; names must be unique.")
    mass = np.array([m.body.mass for m in moving])
    position = np.array([m.position for m in moving])
    turns = [rotation_matrix(m.orientation) for m in moving]
    inertia = np.array([turn @ m.body.inertia @ turn.T for m, turn in zip(moving, turns, strict=True)])
    inverse = np.linalg.inv(inertia)

    def respond(i: int, point: np.ndarray, impulse: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        change = np.zeros((len(names), 6))
        change[i, :3] = impulse / mass[i]
        change[i, 3:] = inverse[i] @ np.cross(point - position[i], impulse)
        return change, np.zeros((len(names), 6)), np.zeros(0)

    velocity, spin = np.array([m.velocity for m in moving]), np.array([m.spin for m in moving])
    return Mechanism(names, mass, inertia, position, velocity, spin, respond)


def tree(system: System, configuration: Configuration | None = None, time: float = 0.0) -> Mechanism:
    """Return the bodies of a system in a configuration; impulses are transmitted by the joints.

    time  at which prescribed motions are evaluated [s]; a joint with prescribed motion is immovable
    """
    from ...kernels import dynamics, integrate, layout
    from ...model.compile import compile_system, initial_state, make_work

    bare = system.replace(
        joints=tuple(replace(joint, resistance=None) for joint in system.joints),
        surfaces=(),
        contacts=(),
        springs=(),
        torsion_springs=(),
        tendons=(),
        loads=(),
        sensors=(),
        gravity=ZERO,
    )
    start = (configuration or Configuration()).checked(bare)
    compiled = compile_system(bare)
    state, work = initial_state(compiled, start, time), make_work(compiled)
    model, n = compiled.model, len(compiled.bodies)
    rate = state.now.v.copy()

    def columns(first: int, count: int = 3) -> np.ndarray:
        return work.body[:n, first : first + count].copy()

    integrate.begin(model, work, state.now.q, state.now.v, time)
    velocity, spin = columns(layout.body.VELOCITY), columns(layout.body.SPIN)
    # at rest nothing but the impulse accelerates, except what is driven; that is taken off
    at_rest = np.zeros_like(rate)
    integrate.begin(model, work, state.now.q, at_rest, time)
    position, joint_point = columns(layout.body.POSITION), columns(layout.body.JOINT_POINT)
    turns = columns(layout.body.ROTATION, 9).reshape(n, 3, 3)
    parts = [bare.body(name) for name in compiled.bodies]
    inertia = np.array([turn @ body.inertia @ turn.T for body, turn in zip(parts, turns, strict=True)])

    def answer() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        dynamics.accelerations(model, work, state.memory, at_rest, 0.0)
        bodies, rest = np.split(work.out, [n * layout.out_row.BODY])
        loads = rest[: n * layout.out_row.JOINT].reshape(n, layout.out_row.JOINT)[
            :, 3:9
        ]  # force and moment, after the torque
        return bodies.reshape(n, layout.out_row.BODY).copy(), loads.copy(), work.vdot.copy()

    driven = answer()

    def respond(i: int, point: np.ndarray, impulse: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        work.body[i, layout.body.FORCE : layout.body.FORCE + 3] = impulse
        work.body[i, layout.body.MOMENT : layout.body.MOMENT + 3] = np.cross(point - joint_point[i], impulse)
        found = answer()
        work.body[i, layout.body.FORCE : layout.body.FORCE + 3] = 0.0
        work.body[i, layout.body.MOMENT : layout.body.MOMENT + 3] = 0.0
        return found[0] - driven[0], found[1] - driven[1], found[2] - driven[2]

    mass = np.array([body.mass for body in parts])
    return Mechanism(
        compiled.bodies, mass, inertia, position, velocity, spin, respond, compiled.joints, rate, (system, start)
    )


def response(mechanism: Mechanism, touches: Sequence[Touch]) -> Response:
    """Return the velocity changes of all contacts and bodies by unit impulses at the contacts."""
    if not touches:
        raise InputError("there is no touch in the impact; give at least one.")
    n, m = len(mechanism.names), len(touches)
    frames, velocities = np.empty((m, 3, 3)), np.empty((m, 3))
    body, joint = np.empty((n, 6, 3 * m)), np.empty((n, 6, 3 * m))
    rate = np.empty((len(mechanism.rate), 3 * m))
    for k, touch in enumerate(touches):
        relative = mechanism.point_velocity(touch)
        frames[k] = _frame(np.array(touch.normal), relative)
        velocities[k] = frames[k] @ relative
        for axis in range(3):
            parts = [mechanism.respond(mechanism.number(touch.body), np.array(touch.point), frames[k, axis])]
            if touch.other is not None:
                parts.append(mechanism.respond(mechanism.number(touch.other), np.array(touch.point), -frames[k, axis]))
            column = 3 * k + axis
            body[:, :, column], joint[:, :, column], rate[:, column] = (sum(part) for part in zip(*parts, strict=True))
    inverse = np.empty((3 * m, 3 * m))
    for k, touch in enumerate(touches):
        change = np.zeros((3, 3 * m))
        for name, sign in ((touch.body, 1.0), (touch.other, -1.0)):
            if name is not None:
                i = mechanism.number(name)
                arm = np.array(touch.point) - mechanism.position[i]
                change += sign * (body[i, :3] + np.cross(body[i, 3:], arm, axisa=0, axisc=0))
        inverse[3 * k : 3 * k + 3] = frames[k] @ change
    return Response(frames, 0.5 * (inverse + inverse.T), velocities.ravel(), body, joint, rate)


def configuration_after(mechanism: Mechanism, rate: np.ndarray, spin: np.ndarray) -> Configuration:
    """Return the configuration of a tree with the rates after an impact, to continue a simulation.

    rate  of the joints as the engine has them (spherical joints: world angular velocity)
    spin  (n, 3) of the bodies [rad/s]
    """
    assert mechanism.start is not None
    system, start = mechanism.start
    rates: dict[str, tuple[float, ...]] = {}
    at = 0
    orientations = _orientations(system, start)
    for i, name in enumerate(mechanism.names):
        joint = system.joint_of(name)
        if joint.motion or joint.type == "rigid":
            continue
        own = rate[at : at + joint.dof]
        at += joint.dof
        if joint.type == "spherical":
            base = np.zeros(3) if joint.parent is None else spin[mechanism.number(joint.parent)]
            frame = orientations[joint.parent] @ rotation_matrix(joint.frame_parent)
            own = frame.T @ (spin[i] - base)
        rates[joint.name] = tuple(own.tolist())
    return Configuration(start.coordinates, rates)


def _orientations(system: System, start: Configuration) -> dict[str | None, np.ndarray]:
    """Return rotation matrices of all bodies, and of the world."""
    return {None: np.eye(3), **{name: turn for name, (_, turn) in segment_poses(system, start).items()}}


def _frame(normal: np.ndarray, relative: np.ndarray) -> np.ndarray:
    """Return rows: normal, tangent along the slip (any where there is none), binormal."""
    slip = relative - (normal @ relative) * normal
    if np.linalg.norm(slip) <= 1e-12 * max(float(np.linalg.norm(relative)), 1e-300):
        slip = np.eye(3)[int(np.argmin(abs(normal)))]
        slip = slip - (normal @ slip) * normal
    tangent = slip / np.linalg.norm(slip)
    return np.array([normal, tangent, np.cross(normal, tangent)])


__all__ = ["Mechanism", "Moving", "Response", "Touch", "configuration_after", "free", "response", "tree"]
