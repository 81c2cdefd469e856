"""Applied loads on bodies in given poses, from the kernels of the engine: the only link of laboratory and engine.

The engine evaluates a copy of its model in which every body is free, so that the joints only resist. Its accelerations
give force and moment of weight, springs, external loads and contact. The joint torques are read from its tables.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...kernels import dynamics, integrate, layout
from ...model.compile import empty_state, make_work
from ..kernels import absolute
from .constraint import joint_coordinates
from .mechanism import Mechanism, Motion
from .orientation import Array, cross, rotation_matrix, turned, turned_back


class Loads:
    """Force [N] and moment [N m] about the centre of mass on every body, with the contact memory between steps."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        compiled, n = mechanism.compiled, mechanism.n
        model = compiled.model
        # every body free: coordinates x, y, z, p; the parent stays, for the resistance of the joints
        joint = model.joint.copy()
        joint[:, layout.joint.KIND], joint[:, layout.joint.MOVED] = layout.joint_type.FREE, -1
        joint[:, layout.joint.FIRST_Q], joint[:, layout.joint.NQ] = 7 * np.arange(n), 7
        joint[:, layout.joint.FIRST_V], joint[:, layout.joint.NV] = 6 * np.arange(n), 6
        joint[:, layout.joint.DRIVEN] = 0
        # a contact pushes both of its bodies, also one that is driven
        candidate = model.candidate.copy()
        other = (
            model.shape_kind[candidate[:, layout.candidate.SHAPE_B], layout.shape_kind.CARRIER]
            if len(candidate)
            else np.zeros(0)
        )
        candidate[:, layout.candidate.COUPLED] = other < n
        by_coordinate = model.resistance_joint[:, 1] == layout.resistance_law.COORDINATE
        flying = model._replace(
            joint=joint,
            candidate=candidate,
            resistance_joint=np.ascontiguousarray(model.resistance_joint[~by_coordinate]),
            resistance=np.ascontiguousarray(model.resistance[~by_coordinate]),
        )
        self._flying = replace(compiled, model=flying, n_q=7 * n, n_v=6 * n)
        self._state, self._work = empty_state(self._flying), make_work(self._flying)
        self._q, self._v = np.zeros((n, 7)), np.zeros((n, 6))
        self._ball = np.unique(flying.resistance_joint[:, 0])
        self._frames = rotation_matrix(model.link[self._ball, layout.link.FRAME_PARENT : layout.link.FRAME_PARENT + 4])
        # joints that resist along their own coordinates: number of the child, joint, number of the parent
        self._general = [
            (int(i), mechanism.system.joint(compiled.joints[i]), int(model.joint[i, layout.joint.PARENT]))
            for i in np.unique(model.resistance_joint[by_coordinate, 0])
        ]
        self._tree_work, self._tree_q = make_work(compiled), self._unit_quaternions()
        self._angles: dict[int, Array] = {}
        self.evaluations = 0

    def __call__(self, motion: Motion, time: float) -> tuple[Array, Array]:
        """Return force and moment about the centre of mass, world axes, (n, 3) each."""
        self.evaluations += 1
        n, work = self.mechanism.n, self._work
        self._q[:, :3], self._q[:, 3:] = motion.position, motion.orientation
        self._v[:, :3], self._v[:, 3:] = motion.velocity, motion.spin
        model = self._flying.model
        integrate.begin(model, work, self._q.ravel(), self._v.ravel(), time)
        dynamics.accelerations(model, work, self._state.memory, self._v.ravel(), 0.0)
        free = work.out[: layout.out_row.BODY * n].reshape(n, layout.out_row.BODY)
        turn, inertia = motion.rotation, self.mechanism.world_inertia(motion)
        force = self.mechanism.mass[:, None] * free[:, :3]
        moment = turned(inertia, free[:, 3:]) + cross(motion.spin, turned(inertia, motion.spin))
        torque = self.ball_torque(motion)
        if torque is not None:
            parent = model.joint[self._ball, layout.joint.PARENT]
            moment[self._ball] += torque
            inside = parent < n
            np.subtract.at(moment, parent[inside], torque[inside])
        if self._general:
            self._coordinate_loads(motion, turn, force, moment, time)
        return force, moment

    def ball_torque(self, motion: Motion) -> Array | None:
        """Return the torque of every resisting spherical joint on its child in the last call [N m]."""
        if not len(self._ball):
            return None
        body, parent = self._work.body, self._flying.model.joint[self._ball, layout.joint.PARENT]
        elastic = body[self._ball, layout.body.ELASTIC : layout.body.ELASTIC + 3]
        drag = body[self._ball, layout.body.DAMPING : layout.body.DAMPING + 3]
        rotation = body[parent, layout.body.ROTATION : layout.body.ROTATION + 9].reshape(-1, 3, 3)
        axes = rotation @ self._frames
        spin = (
            body[self._ball, layout.body.SPIN : layout.body.SPIN + 3]
            - body[parent, layout.body.SPIN : layout.body.SPIN + 3]
        )
        return elastic - turned(axes, drag * turned_back(axes, spin))

    def _coordinate_loads(self, motion: Motion, turn: Array, force: Array, moment: Array, time: float) -> None:
        """Add the loads of the joints that resist along their own angles and displacements.

        The laws are those of the engine, whose tree is evaluated at these coordinates.
        """
        compiled, n = self.mechanism.compiled, self.mechanism.n
        q, v = self._tree_q.copy(), np.zeros(compiled.n_v)
        found = []
        for i, joint, parent in self._general:
            _, rates, axes = values = joint_coordinates(joint, parent, i, motion, self._angles.get(i))
            first, first_v = (
                compiled.model.joint[i, layout.joint.FIRST_Q],
                compiled.model.joint[i, layout.joint.FIRST_V],
            )
            q[first : first + joint.dof], v[first_v : first_v + joint.dof] = values[0], rates
            found.append((i, joint, parent, rates, axes))
        integrate.begin(compiled.model, self._tree_work, q, v, time)
        for i, joint, parent, rates, axes in found:
            row = self._tree_work.body[i]
            drag = row[layout.body.DAMPING : layout.body.DAMPING + joint.dof] * rates
            pull = row[layout.body.ELASTIC : layout.body.ELASTIC + joint.dof] - drag
            turning, along = pull @ axes[:, :3], pull @ axes[:, 3:]
            point = motion.position[i] + turn[i] @ np.array(joint.point_child)
            for body, sign in ((i, 1.0), (parent, -1.0)):
                if body < n:
                    force[body] += sign * along
                    moment[body] += sign * (turning + cross(point - motion.position[body], along))

    def _unit_quaternions(self) -> Array:
        """Return the coordinates of the tree with every joint at zero."""
        q = np.zeros(self.mechanism.compiled.n_q)
        for row in self.mechanism.compiled.model.joint:
            if row[layout.joint.MOVED] < 0 and row[layout.joint.KIND] in (
                layout.joint_type.FREE,
                layout.joint_type.SPHERICAL,
            ):
                q[row[layout.joint.FIRST_Q] + (3 if row[layout.joint.KIND] == layout.joint_type.FREE else 0)] = 1.0
        return q

    def accept(self, motion: Motion, time: float) -> bool:
        """Update the memory of the contacts and the turn counts of the joints after an accepted step.

        Returns whether a contact began or ended.
        """
        for i, joint, parent in self._general:
            self._angles[i] = joint_coordinates(joint, parent, i, motion, self._angles.get(i))[0]
        if not len(self._work.pair):
            return False
        self(motion, time)
        before = self._state.touching.copy()
        absolute.remember(self._flying.model, self._work, self._state.touching, self._state.memory, time)
        return bool((before != self._state.touching).any())

    @property
    def body_pairs(self) -> list[tuple[int, int]]:
        """Rows of bodies that may touch each other."""
        model, n = self._flying.model, self.mechanism.n
        pairs = [
            tuple(
                int(model.shape_kind[row[shape], layout.shape_kind.CARRIER])
                for shape in (layout.candidate.SHAPE_A, layout.candidate.SHAPE_B)
            )
            for row in model.candidate
        ]
        return [(a, b) for a, b in pairs if a < n and b < n]

    @property
    def contacts(self) -> bool:
        """Whether anything can touch."""
        return bool(len(self._work.pair))

    @property
    def turns(self) -> bool:
        """Whether a joint resists along its own angle, whose full turns must be counted."""
        return bool(len(self._general))

    @property
    def touching(self) -> bool:
        """Whether anything touches, as of the last accepted step."""
        return bool(self._state.touching.any())
