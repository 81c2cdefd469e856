"""A system for the laboratory: bodies in absolute coordinates, joints as constraints. SI units, world frame.

The same `System` that the engine runs, with the joints that close loops (`System.loops`) as further constraints.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...errors import InputError
from ...kernels import kinematics, layout
from ...model import Configuration, Joint, System
from ...model.compile import Compiled, compile_system, initial_state, make_work
from .orientation import Array, rotation_matrix, turned


@dataclass(frozen=True)
class Motion:
    """Poses and velocities of all bodies; rows in the order of `System.order`."""

    position: Array  # (n, 3) centre of mass [m]
    orientation: Array  # (n, 4) Euler parameters, body to world
    velocity: Array  # (n, 3) of the centre of mass [m/s]
    spin: Array  # (n, 3) angular velocity [rad/s]

    @cached_property
    def rotation(self) -> Array:
        """Rotation matrices (n, 3, 3), body to world."""
        return rotation_matrix(self.orientation)


@dataclass(frozen=True)
class Mechanism:
    """Bodies, joints and loops of a system, with the numbers that every formulation needs.

    parent, child  rows of the bodies of each joint; n_body for the world
    """

    system: System
    compiled: Compiled = field(init=False)
    joints: tuple[Joint, ...] = field(init=False)
    parent: Array = field(init=False)
    child: Array = field(init=False)
    mass: Array = field(init=False)  # (n,) [kg]
    inertia: Array = field(init=False)  # (n, 3, 3) about the centre of mass, body axes [kg m2]

    def __post_init__(self) -> None:
        compiled = compile_system(self.system.replace(loops=()))
        tree = [self.system.joint(name) for name in compiled.joints]
        joints = tuple(joint for joint in (*tree, *self.system.loops) if joint.type != "free" or joint.motion)
        number = {name: row for row, name in enumerate(compiled.bodies)}
        world = len(number)
        bodies = [self.system.body(name) for name in compiled.bodies]
        values = {
            "compiled": compiled,
            "joints": joints,
            "parent": np.array([world if j.parent is None else number[j.parent] for j in joints], dtype=int),
            "child": np.array([number[j.child] for j in joints], dtype=int),
            "mass": np.array([body.mass for body in bodies]),
            "inertia": np.array([body.inertia for body in bodies]),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies, parents first."""
        return self.compiled.bodies

    @property
    def n(self) -> int:
        """Number of bodies."""
        return len(self.compiled.bodies)

    def row(self, body: str) -> int:
        """Return the row of a body."""
        if body not in self.bodies:
            raise InputError(f"there is no body {body!r}; the bodies are {', '.join(self.bodies)}.")
        return self.bodies.index(body)

    def at(self, start: Configuration | None = None, time: float = 0.0) -> Motion:
        """Return the motion of a configuration of the joint tree; loops are not closed yet."""
        state, work = initial_state(self.compiled, start, time), make_work(self.compiled)
        kinematics.forward(self.compiled.model, work.body, state.now.q, state.now.v, time)
        body = work.body[: self.n]
        columns = (
            (layout.body.POSITION, 3),
            (layout.body.ORIENTATION, 4),
            (layout.body.VELOCITY, 3),
            (layout.body.SPIN, 3),
        )
        return Motion(*(body[:, first : first + count].copy() for first, count in columns))

    def world_inertia(self, motion: Motion) -> Array:
        """Return the inertia about the centres of mass in world axes (n, 3, 3) [kg m2]."""
        turn = motion.rotation
        return turn @ self.inertia @ np.swapaxes(turn, 1, 2)

    def kinetic(self, motion: Motion) -> float:
        """Return the kinetic energy [J]: m v v / 2 + w I w / 2 (thesis eq. 3.23 at the centre of mass, with E004)."""
        about = turned(self.world_inertia(motion), motion.spin)
        return 0.5 * float(self.mass @ (motion.velocity**2).sum(axis=1) + (motion.spin * about).sum())

    def potential(self, motion: Motion) -> float:
        """Return the potential energy of gravity [J], zero at the origin."""
        return -float(self.mass @ (motion.position @ np.array(self.system.gravity)))
