"""What one run left behind: plain arrays with their names, before units and labels are put on them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from ..model.element import FILTERS

#: the classes of the energy audit, in the order of the kernels' work array [J]; work done on the bodies by each load
WORK_CLASSES = (
    "gravity",
    "contact_elastic",
    "contact_dissipated",
    "friction",
    "joint_elastic",
    "joint_dissipated",
    "spring_elastic",
    "spring_dissipated",
    "external",
    "prescribed",
)


#: the arrays that are sampled at `time`; all others at `pose_time`
AT_TIME = (
    "time",
    "sensor_acceleration",
    "sensor_acceleration_local",
    "sensor_angular_velocity_local",
    "sensor_angular_acceleration_local",
    "joint_force_world",
    "joint_moment_world",
    "attitude",
)

FASTEST = 3e3  # [m/s]: three times as fast as a bullet a body is not in a run that went well


@dataclass(frozen=True)
class Event:
    """Something that happened at a time located between two steps.

    kind     "touch" or "separation" (of a body and a surface), "stop", "release" (of a body by the loop `surface`)
    value    touch: closing speed [m/s]; separation: opening speed [m/s]; release: 0
    """

    time: float
    kind: str
    body: str
    surface: str
    value: float


@dataclass(repr=False)
class Recording:
    """Samples, events, status and the state at the end. World axes unless said; SI units.

    Poses, joint loads, contact loads and energies at `pose_time` (P samples); sensors and load cells at `time` (N
    samples). Joints are in the order of their child bodies: `joints[i]` is the joint whose child is `bodies[i]`. A load
    cell is a joint whose force and moment are sampled at `time`, each sample the mean over its interval: all joints
    that carry a load. Their samples and `attitude` are float32 to keep files small; 7 digits are more than they need.
    """

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    joint_types: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]  # (body, surface) of each contact candidate
    sensors: tuple[str, ...]
    pose_time: np.ndarray  # (P,) [s]
    position: np.ndarray  # (P, body, 3) centre of mass [m]
    orientation: np.ndarray  # (P, body, 4) unit quaternion, body to world
    velocity: np.ndarray  # (P, body, 3) [m/s]
    angular_velocity: np.ndarray  # (P, body, 3) [rad/s]
    acceleration: np.ndarray  # (P, body, 3) of the centre of mass [m/s2]
    angular_acceleration: np.ndarray  # (P, body, 3) [rad/s2]
    joint_rotation: np.ndarray  # (P, body, 3) rotation vector (spherical, free) or joint coordinates [rad, m]
    joint_torque: np.ndarray  # (P, body, 3) torque of the resistance on the child [N m]
    joint_force: np.ndarray  # (P, body, 3) reaction on the child at the joint [N]
    joint_moment: np.ndarray  # (P, body, 3) all of the moment on the child at the joint, torque included [N m]
    joint_energy: np.ndarray  # (P, body) stored elastically in the joint's resistance [J]
    joint_loss: np.ndarray  # (P, body) lost in it so far [J]
    contact_force: np.ndarray  # (P, pair, 3) on the body [N]
    contact_point: np.ndarray  # (P, pair, 3) [m], nan where there is a gap
    contact_depth: np.ndarray  # (P, pair) [m], zero where there is a gap
    work: np.ndarray  # (P, class) work done so far by each class of load [J], WORK_CLASSES
    kinetic: np.ndarray  # (P,) [J]
    potential: np.ndarray  # (P,) of gravity, zero at the origin [J]
    balance: np.ndarray  # (P,) kinetic - kinetic at start - all work [J]
    time: np.ndarray  # (N,) [s]
    sensor_acceleration: np.ndarray  # (N, sensor, 3) [m/s2]
    sensor_acceleration_local: np.ndarray  # (N, sensor, 3) sensor axes [m/s2]
    sensor_angular_velocity_local: np.ndarray  # (N, sensor, 3) sensor axes [rad/s]
    sensor_angular_acceleration_local: np.ndarray  # (N, sensor, 3) sensor axes [rad/s2]
    events: list[Event]
    status: str  # a name of sim.status.STATUS
    message: str  # its sentence, with time and body
    end_time: float  # [s]
    balance_error: float  # largest |balance| / reference energy [-]
    steps: int
    rejected: int
    evaluations: int
    wall_time: float  # [s]
    method: str
    tolerance: float
    final: dict[str, np.ndarray] = field(default_factory=dict)  # state and memory at the end, to go on from
    sensor_filters: tuple[str, ...] = ()  # filter class of each sensor, a key of model.FILTERS; () for none at all
    parents: tuple[str, ...] = ()  # parent body of each joint, "" for the world; () if not known
    load_cells: tuple[str, ...] = ()  # names of the joints sampled at `time`; () in results of earlier versions
    joint_force_world: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 3), np.float32))  # (N, cell, 3) [N]
    joint_moment_world: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 3), np.float32))  # [N m]
    attitude: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 4), np.float32))  # (N, body, 4) orientation
    loops: tuple[str, ...] = ()  # names of the joints that close loops
    loop_force: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 3)))  # (P, loop, 3) on the child [N]
    loop_moment: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 3)))  # (P, loop, 3) [N m]
    loop_power: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # (P, loop) of both bodies [W]

    def __post_init__(self) -> None:
        if not self.loops:
            poses = len(self.pose_time)
            self.loop_force, self.loop_moment = np.zeros((poses, 0, 3)), np.zeros((poses, 0, 3))
            self.loop_power = np.zeros((poses, 0))

    def __repr__(self) -> str:
        size = f"{len(self.bodies)} bodies, {len(self.pose_time)} poses, {len(self.time)} sensor samples"
        return f"<Recording: {self.status} at {self.end_time:.4g} s, {size}>"

    def filter_class(self, sensor: str) -> float | None:
        """Return the channel frequency class of a sensor [Hz], or None if it has none."""
        return FILTERS[self.sensor_filters[self.sensors.index(sensor)]] if self.sensor_filters else None

    def sound(self) -> Recording:
        """Itself; or what was before a run went astray: before the first pose with a body that is nowhere or too fast.

        The statistics stay those of the whole run; the state at its end is left out.
        """
        fine = np.isfinite(self.position).all(axis=(1, 2)) & (np.abs(self.velocity) < FASTEST).all(axis=(1, 2))
        if fine.all():
            return self
        poses = int(np.argmin(fine))
        last = self.pose_time[poses - 1] if poses else -np.inf
        samples = int(np.searchsorted(self.time, last, side="right"))
        cut: dict[str, Any] = {"events": [event for event in self.events if event.time <= last], "final": {}}
        for item in fields(self):
            if isinstance(array := getattr(self, item.name), np.ndarray):
                cut[item.name] = array[: samples if item.name in AT_TIME else poses]
        return replace(self, **cut)
