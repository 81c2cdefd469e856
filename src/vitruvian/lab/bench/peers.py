"""Translation of a model into other engines: MuJoCo and Pinocchio. SI units."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InputError, optional
from ...export.mjcf import JOINTS, ORDER, mjcf
from ...model import Configuration, System
from ...model.pose import quaternion_of_vector, quaternion_product, rotation_matrix
from ..example_system import Evaluation


def load_mujoco(purpose: str = "the comparison with MuJoCo") -> Any:
    """Return the package mujoco; raise MissingExtra if it is not installed."""
    return optional("mujoco", "peers", purpose)


def load_pinocchio(purpose: str = "the comparison with Pinocchio") -> Any:
    """Return the package pinocchio; raise MissingExtra if it is not installed."""
    return optional("pinocchio", "peers", purpose, "pin")


class Mujoco:
    """A system in MuJoCo, with explicit inertia and without contact unless requested."""

    def __init__(self, system: System, **options: Any) -> None:
        self.mujoco = load_mujoco()
        self.system = system
        self.model = self.mujoco.MjModel.from_xml_string(mjcf(system, **options))
        self.data = self.mujoco.MjData(self.model)
        self.rows = [self.model.body(name).id for name in system.order]

    def place(self, start: Configuration) -> None:
        """Take the coordinates and rates of our joints."""
        start = start.checked(self.system)
        self.mujoco.mj_resetData(self.model, self.data)
        qpos, qvel = self.data.qpos, self.data.qvel
        for joint in self.system.joints:
            if joint.type == "rigid":
                continue
            first = self.model.joint(joint.name)
            at, speed = int(first.qposadr[0]), int(first.dofadr[0])
            coordinates = start.coordinates.get(joint.name)
            rates = np.array(start.rates.get(joint.name, (0.0,) * joint.dof))
            if joint.type == "free":
                place = coordinates or (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
                qpos[at : at + 7] = place
                qvel[speed : speed + 3] = rates[:3]
                qvel[speed + 3 : speed + 6] = rotation_matrix(place[3:]).T @ rates[3:]  # in body axes
            elif joint.type == "spherical":
                w, x, y, z = joint.frame_child
                turn = coordinates or (1.0, 0.0, 0.0, 0.0)
                qpos[at : at + 4] = quaternion_product(quaternion_product((w, x, y, z), turn), (w, -x, -y, -z))
                # ours in the joint frame of the parent, theirs in body axes of the child
                qvel[speed : speed + 3] = rotation_matrix(joint.frame_child) @ rotation_matrix(turn).T @ rates
            else:
                assert len(JOINTS[joint.type]) == joint.dof
                for number, ours in enumerate(ORDER[joint.type]):
                    qpos[at + number] = 0.0 if coordinates is None else coordinates[ours]
                    qvel[speed + number] = rates[ours]
        self.mujoco.mj_forward(self.model, self.data)

    def accelerations(self) -> tuple[np.ndarray, np.ndarray]:
        """Return linear [m/s2] and angular accelerations [rad/s2] of all centres of mass, world frame, in our order."""
        self.mujoco.mj_rnePostConstraint(self.model, self.data)
        both = np.zeros((len(self.rows), 6))
        for number, row in enumerate(self.rows):
            self.mujoco.mj_objectAcceleration(
                self.model, self.data, self.mujoco.mjtObj.mjOBJ_BODY, row, both[number], 0
            )
        return both[:, 3:] + self.model.opt.gravity, both[:, :3]

    def positions(self) -> np.ndarray:
        """Return centres of mass [m] in our order."""
        return self.data.xipos[self.rows].copy()

    def rotations(self) -> np.ndarray:
        """Return rotation matrices (n, 3, 3), body to world, in our order."""
        return self.data.xmat[self.rows].reshape(-1, 3, 3).copy()

    def run(self, duration: float, step: float, integrator: str = "RK4") -> None:
        """Advance by a duration [s] at a fixed step [s]."""
        self.model.opt.timestep = step
        self.model.opt.integrator = getattr(self.mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
        self.mujoco.mj_step(self.model, self.data, nstep=round(duration / step))
        self.mujoco.mj_forward(self.model, self.data)


def difference(ours: Evaluation, theirs: tuple[np.ndarray, np.ndarray]) -> float:
    """Return the largest difference of accelerations, each relative to the largest of its kind [-]."""
    pairs = ((ours.acceleration, theirs[0]), (ours.angular_acceleration, theirs[1]))
    return max(float(abs(a - b).max() / abs(b).max()) for a, b in pairs)


class Pinocchio:
    """A tree with a free root and spherical or revolute joints in Pinocchio."""

    def __init__(self, system: System) -> None:
        pin = self.pin = load_pinocchio()
        self.model = pin.Model()
        self.model.gravity.linear = np.array(system.gravity)
        numbers: dict[str | None, int] = {None: 0}
        frames: dict[str | None, Any] = {None: pin.SE3.Identity()}  # body frame in the frame of its joint
        for name in system.order:
            joint, body = system.joint_of(name), system.body(name)
            if joint.type not in ("free", "spherical", "revolute"):
                raise InputError(
                    f"joint {joint.name!r} is {joint.type}; the comparison with Pinocchio takes free, spherical and "
                    "revolute joints. Compare with MuJoCo instead, which takes all types."
                )
            kind = {"free": pin.JointModelFreeFlyer, "spherical": pin.JointModelSpherical, "revolute": pin.JointModelRZ}
            in_parent = pin.SE3(rotation_matrix(joint.frame_parent), np.array(joint.point_parent))
            in_child = pin.SE3(rotation_matrix(joint.frame_child), np.array(joint.point_child))
            if joint.type == "free":
                in_parent = in_child = pin.SE3.Identity()
            number = self.model.addJoint(
                numbers[joint.parent], kind[joint.type](), frames[joint.parent] * in_parent, joint.name
            )
            numbers[name], frames[name] = number, in_child.inverse()
            inertia = pin.Inertia(body.mass, np.zeros(3), body.inertia)
            self.model.appendBodyToJoint(number, inertia, frames[name])
        self.data = self.model.createData()
        self.numbers = [numbers[name] for name in system.order]
        self.frames = [frames[name] for name in system.order]
        self.system = system

    def state(self, start: Configuration) -> tuple[np.ndarray, np.ndarray]:
        """Return q and v of Pinocchio for our coordinates and rates."""
        start = start.checked(self.system)
        q, v = self.pin.neutral(self.model), np.zeros(self.model.nv)
        for joint in self.system.joints:
            number = self.model.getJointId(joint.name)
            at, speed = self.model.joints[number].idx_q, self.model.joints[number].idx_v
            coordinates = start.coordinates.get(joint.name)
            rates = np.array(start.rates.get(joint.name, (0.0,) * joint.dof))
            if joint.type == "revolute":
                q[at], v[speed] = (coordinates or (0.0,))[0], rates[0]
                continue
            place = coordinates or ((0.0,) * 3 if joint.type == "free" else ()) + quaternion_of_vector((0.0, 0.0, 0.0))
            w, x, y, z = place[-4:]
            turn = rotation_matrix(place[-4:]).T
            if joint.type == "free":
                q[at : at + 3] = place[:3]
                v[speed : speed + 3], v[speed + 3 : speed + 6] = turn @ rates[:3], turn @ rates[3:]
                at += 3
            else:
                v[speed : speed + 3] = turn @ rates
            q[at : at + 4] = x, y, z, w
        return q, v

    def accelerations(self, start: Configuration) -> tuple[np.ndarray, np.ndarray]:
        """Return linear [m/s2] and angular accelerations [rad/s2] of all centres of mass, world frame, in our order."""
        pin, (q, v) = self.pin, self.state(start)
        a = pin.aba(self.model, self.data, q, v, np.zeros(self.model.nv))
        pin.forwardKinematics(self.model, self.data, q, v, a)
        linear, angular = [], []
        for number, frame in zip(self.numbers, self.frames, strict=True):
            spatial = frame.actInv(self.data.a[number])  # in the body frame, at the centre of mass
            velocity = frame.actInv(self.data.v[number])
            turn = (self.data.oMi[number] * frame).rotation
            linear.append(turn @ (spatial.linear + np.cross(velocity.angular, velocity.linear)))
            angular.append(turn @ spatial.angular)
        return np.array(linear), np.array(angular)
