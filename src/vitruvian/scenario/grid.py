"""Pedestrian impacts over a grid of fronts, people and speeds: compiled once for each front and person, run on threads.

    from vitruvian.scenario.grid import pedestrian_grid

    people = {"man": {"preset": "50M"}, "child": {"preset": "6YO"}}
    rows = pedestrian_grid(["sedan", "van"], ["30 km/h", "40 km/h"], people)

The kernels let go of the interpreter, so that threads run side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import TYPE_CHECKING, Any

import numpy as np

from ..human import WHO
from ..injury.head_contact import HEAD_FILTER
from ..injury.hic import hic
from ..signals import cfc
from ..units import STANDARD_GRAVITY, quantity
from .pedestrian import head_strike, touches
from .scenario import Scenario

if TYPE_CHECKING:
    from ..model import Configuration
    from ..model.compile import Compiled
    from ..sim.recording import Recording
    from ..world.front import Front

BASE = "pedestrian-side-left"


@dataclass(frozen=True)
class Struck:
    """One impact of a grid.

    front, person  their names
    speed          of the vehicle [m/s]
    head_time      of the head's contact after the first one [s]; NaN if the head does not meet the vehicle
    head_speed     against the vehicle just before [m/s]
    wrap_around_distance  [m]
    part           of the front that the head met; ""
    HIC15          CFC 1000 [-]
    status         how the run ended
    """

    front: str
    person: str
    speed: float
    head_time: float
    head_speed: float
    wrap_around_distance: float
    part: str
    HIC15: float
    status: str


def pedestrian_grid(
    fronts: Iterable[Any],
    speeds: Iterable[float | str],
    people: Mapping[str, Mapping[str, Any]],
    *,
    base: str | Scenario = BASE,
    changes: Mapping[str, Any] | None = None,
    threads: int | None = None,
) -> list[Struck]:
    """Every front with every person at every speed, in that order.

    fronts   names, files or tables of fronts
    speeds   [m/s], or text with a unit
    people   name -> keys of [human] that say who it is: {"preset": "5F"}, {"height": 1.8, "mass": 80}
    base     ready scenario that says the rest: posture, heading, ground, solver; one person, one vehicle
    changes  of it, by dotted path
    threads  that run side by side; as many as there are processors unless given
    """
    start = (Scenario.load(base) if isinstance(base, str) else base).replace(changes or {})
    values = [quantity(speed, "velocity", f"speeds[{i}]") for i, speed in enumerate(speeds)]

    with ThreadPoolExecutor(threads or cpu_count() or 1) as pool:
        cases = []
        for given in fronts:
            for name, who in people.items():
                scenario = start.replace({"human": as_person(start, who), "vehicle.front": given})
                shape = _Shape(scenario, name)
                cases += [pool.submit(shape.run, speed) for speed in values]
        return [case.result() for case in cases]


def as_person(scenario: Scenario, who: Mapping[str, Any]) -> dict[str, Any]:
    """Return [human] of a scenario with another person in the same place and posture.

    who  keys of [human] that describe the person
    """
    kept = {key: value for key, value in scenario.data["human"].items() if key not in WHO}
    return {**who, **kept}


class _Shape:
    """A front and a person, compiled; only the speed is still open."""

    def __init__(self, scenario: Scenario, person: str) -> None:
        from ..model.compile import compile_system
        from ..world.front import front

        built = scenario._built()
        system, self.start = built.system, built.start
        self.compiled: Compiled = compile_system(system)
        scenario._refuse_start(built, self.compiled)
        self.solver, self.output = scenario.table.solver, scenario.table.output
        self.row, self.person = scenario.table.vehicle[0], person
        self.front: Front = front(self.row.front)
        (self.who,), (self.vehicle,) = system.roster.people, system.roster.vehicles

    def run(self, speed: float) -> Struck:
        """The impact at a speed [m/s]."""
        from ..sim.simulate import simulate

        recording = simulate(
            *self._moving(speed),
            duration=self.solver.duration,
            rate=self.output.rate,
            pose_rate=self.output.pose_rate,
            stop=self.solver.stop,
            **self.solver.given("duration", "stop"),
        )
        return self._struck(recording, speed)

    def _moving(self, speed: float) -> tuple[Compiled, Configuration]:
        """Return the compiled system and its start with the vehicle at a speed [m/s]."""
        from ..model.refill import with_motion
        from ..world.vehicle import Brake, vehicle

        row = self.row
        joint = self.compiled.system.joint(f"{row.name}_rail")
        if joint.motion is None:  # of finite mass: its speed is a rate of the start
            return self.compiled, self.start.replace({}, {joint.name: (speed,)})
        brake = None if row.brake is None else Brake(**row.brake.given())
        moved = vehicle(self.front, speed, joint.motion[0].start, name=row.name, brake=brake).joint.motion
        assert moved is not None  # on rails, as above
        return with_motion(self.compiled, joint.name, moved), self.start

    def _struck(self, recording: Recording, speed: float) -> Struck:
        contacts = touches(recording, set(self.who.segments.values()), self.vehicle)
        nan = float("nan")
        head = head_strike(recording, self.who.segment("head"), self.vehicle, contacts)
        sensor = recording.sensors.index(self.who.sensors["head"])
        acceleration = recording.sensor_acceleration_local[:, sensor]
        usable = np.isfinite(acceleration).all(axis=1)
        time = recording.time[usable]
        pulse = cfc(time, acceleration[usable], HEAD_FILTER, name="head", assume_units=True) / STANDARD_GRAVITY
        return Struck(
            self.front.name,
            self.person,
            speed,
            nan if head is None else head.after,
            nan if head is None else head.speed,
            nan if head is None else head.wrap_around_distance,
            "" if head is None else head.part,
            hic(time, pulse, 0.015, assume_units=True).value,
            recording.status,
        )


__all__ = ["Struck", "as_person", "pedestrian_grid"]
