"""The record of one run: the samples of its channels, the names of its items, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..model.belt_tissue import SUFFIX
from ..model.element import FILTERS
from ..model.roster import Roster
from .channel import CHANNELS, SAMPLED, labels

FASTEST = 3e3  # [m/s]: three times as fast as a bullet a body is not in a run that went well


@dataclass(frozen=True)
class Event:
    """Something that happened at a time located between two steps.

    kind     "touch" or "separation" (of a body and a surface), "stop", "release" (of a body by the loop `surface`),
             "failure" (of the joint `surface` above a body), "fracture" (of the bone of a body, on `surface`), "lock"
             (of the reel of the belt `surface`), "lift" (of the belt `surface` off a body), "submarining", "fire" (of
             the airbag `surface` on its carrier)
    value    touch: closing speed [m/s]; separation: opening speed [m/s]; failure: side of the joint, 0 to 2 minus
             x, y, z, 3 to 5 plus [-]; fracture: force [N], or of a bone that bends its largest bending moment
             [N m]; otherwise 0
    """

    time: float
    kind: str
    body: str
    surface: str
    value: float


@dataclass(frozen=True, repr=False)
class Recording:
    """Everything a run recorded, whether or not it came to a good end. World axes unless said; SI units.

    channels     samples by name, for every channel of `sim.channel` that the kernels sample; `recording.position` is
                 `recording.channels["position"]`. Channels that are not given are filled with "not a number"
    pose_time    clock of poses, joint loads, contact loads and energies [s]
    time         clock of sensors and load cells [s]
    pairs        (body, surface) of each contact candidate
    final        state and memory at the end, to continue from
    roster       who takes part, and which body belongs to whom

    Joints are in the order of their child bodies: `joints[i]` is the joint whose child is `bodies[i]`. A load cell is a
    joint whose force and moment are sampled at `time`, each sample the mean over its interval: all joints that carry a
    load. Their samples and `attitude` are float32 to keep files small; 7 digits are more than they need.
    `joint_rotation` holds displacements [m] too; the channel `joint_displacement` shows these.
    """

    channels: dict[str, np.ndarray]
    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    joint_types: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    sensors: tuple[str, ...]
    pose_time: np.ndarray
    time: np.ndarray
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
    final: dict[str, np.ndarray] = field(default_factory=dict)
    sensor_filters: tuple[str, ...] = ()  # filter class of each sensor, a key of model.FILTERS; () for none at all
    parents: tuple[str, ...] = ()  # parent body of each joint, "" for the world; () if not known
    load_cells: tuple[str, ...] = ()  # names of the joints sampled at `time`
    loops: tuple[str, ...] = ()  # names of the joints that close loops
    points: tuple[str, ...] = ()  # points of bones that bend, `left_shank.50-front`: half-way along, at the front
    point_axes: np.ndarray = field(default_factory=lambda: np.zeros((0, 2, 3)))  # along the bone and outward, its axes
    point_young: np.ndarray = field(default_factory=lambda: np.zeros(0))  # Young's modulus at these points [Pa]
    point_poisson: np.ndarray = field(default_factory=lambda: np.zeros(0))  # Poisson's ratio at these points [-]
    webbing: tuple[str, ...] = ()  # waypoints of belts, `lap.1-pelvis`, and the spans after them
    muscles: tuple[str, ...] = ()  # names of muscles
    muscle_points: tuple[str, ...] = ()  # places of their paths, `soleus.0-point`
    airbags: tuple[str, ...] = ()
    dips: tuple[str, ...] = ()  # airbags and the segments that may dip into them, `driver-head`
    roster: Roster = field(default_factory=Roster)

    def __post_init__(self) -> None:
        missing: dict[str, np.ndarray] = {}
        for channel in SAMPLED:
            if channel.name not in self.channels:
                clock, *rest = channel.dims
                shape = (len(getattr(self, clock)), *(len(labels(self, dim)) for dim in rest))
                missing[channel.name] = np.full(shape, np.nan)
        object.__setattr__(self, "channels", {**self.channels, **missing})

    def __getattr__(self, name: str) -> np.ndarray:
        channels: dict[str, np.ndarray] = self.__dict__.get("channels", {})
        if name in channels:
            return channels[name]
        raise AttributeError(f"a recording has no {name!r}", name=name, obj=self)

    def __repr__(self) -> str:
        size = f"{len(self.bodies)} bodies, {len(self.pose_time)} poses, {len(self.time)} sensor samples"
        return f"<Recording: {self.status} at {self.end_time:.4g} s, {size}>"

    def replace(self, **changes: Any) -> Recording:
        """Return a copy with other channels or fields, by name."""
        own = {item.name for item in fields(self)}
        channels = {name: value for name, value in changes.items() if name not in own}
        if unknown := channels.keys() - {channel.name for channel in SAMPLED}:
            raise TypeError(f"a recording has no {', '.join(sorted(unknown))}")
        rest = {name: value for name, value in changes.items() if name in own}
        return replace(self, **{"channels": {**self.channels, **channels}, **rest})

    @cached_property
    def pair_labels(self) -> tuple[str, ...]:
        """Return the label of each pair: `head.ground`; a body's further shapes are `head.ground#2`, `#3`."""
        found: list[str] = []
        for place, pair in enumerate(self.pairs):
            before = self.pairs[:place].count(pair)
            found.append(".".join(pair) + (f"#{before + 1}" if before else ""))
        return tuple(found)

    @cached_property
    def joint_roles(self) -> tuple[str, ...]:
        """Return what each joint is to its owner: "left_knee"."""
        return tuple(self.roster.joint_role(joint) for joint in self.joints)

    @property
    def pressed(self) -> dict[str, np.ndarray]:
        """Return segment -> how far belts press it in at the times of the poses (n,) [m], skin and flesh included."""
        return {
            joint.removesuffix(SUFFIX): self.joint_rotation[:, place, 0]
            for place, joint in enumerate(self.joints)
            if joint.endswith(SUFFIX)
        }

    @staticmethod
    def belt_of(label: str) -> str:
        """Return the belt or muscle of a place of its path: "lap" of "lap.1-pelvis"."""
        return label.partition("-")[0].rpartition(".")[0]

    @staticmethod
    def webbing_over(label: str) -> bool:
        """Return whether webbing or a muscle lies over a body at a place of its path."""
        return label.rpartition("-")[2] not in ("anchor", "ring", "point")

    def filter_class(self, sensor: str) -> float | None:
        """Return the channel frequency class of a sensor [Hz], or None if it has none."""
        return FILTERS[self.sensor_filters[self.sensors.index(sensor)]] if self.sensor_filters else None

    def picked(self, samples: dict[str, Any]) -> dict[str, np.ndarray]:
        """Return both clocks and all channels at some samples of each clock, a slice or a mask by its name."""
        clocks = {clock: getattr(self, clock)[which] for clock, which in samples.items()}
        return clocks | {name: array[samples[CHANNELS[name].dims[0]]] for name, array in self.channels.items()}

    def sound(self) -> Recording:
        """Return the recording; if the run diverged, one that ends before the first pose that is lost or too fast.

        The statistics stay those of the whole run; the state at its end is left out.
        """
        return self if self._is_sound else self._truncated()

    @cached_property
    def _is_sound(self) -> bool:
        """Whether no pose is surely lost or too fast; sums show it in a tenth of the time of a look at each number."""
        squares = np.einsum("ijk,ijk->i", self.velocity, self.velocity)
        return bool(np.isfinite(np.einsum("ijk->", self.position)) and (squares < FASTEST**2).all())

    def _truncated(self) -> Recording:
        """Return a recording that ends before the first pose that is lost or too fast."""
        fine = np.isfinite(self.position).all(axis=(1, 2)) & (np.abs(self.velocity) < FASTEST).all(axis=(1, 2))
        if fine.all():
            return self
        poses = int(np.argmin(fine))
        last = self.pose_time[poses - 1] if poses else -np.inf
        samples = int(np.searchsorted(self.time, last, side="right"))
        kept = self.picked({"pose_time": slice(poses), "time": slice(samples)})
        return self.replace(events=[event for event in self.events if event.time <= last], final={}, **kept)
