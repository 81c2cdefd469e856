"""The result of a run: named channels with units, a summary, and one file that holds everything."""

from __future__ import annotations

import copy
import platform
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import __version__, _result_method
from ..errors import InputError, SimulationError, nearest
from ..model import System
from ..model.element import FILTERS
from ..model.roster import Roster
from ..units import STANDARD_GRAVITY
from . import dataset
from .audit import Contact, contacts, faults, flips
from .channel import CHANNELS, to_body_axes
from .dataset import Variable
from .failure import failed
from .geometry import Geometry
from .plausibility import past_limits, warnings, with_compression
from .recording import Recording
from .status import fine
from .summary import HEAD_CRITERIA, peaks, summary

if TYPE_CHECKING:
    import xarray

    from ..injury.answer import Answer
    from ..injury.assessment import Assessment


class Result:
    """A run with its channels, its geometry and where it came from.

    recording   the plain arrays of the run
    geometry    shapes, surfaces and masses, for drawing; or None
    name        short name of the scenario: "fall-4m"
    title       one line on what was simulated
    description a paragraph on it, or ""
    scenario    the resolved scenario as TOML text; "" if the run was set up in Python
    criteria    of every head, in the summary: HIC15, HIC36, 3ms, SI, ... (HEAD_CRITERIA)
    provenance  versions and CPU type of the run
    notes       sentences that a reader must see: what the start became, and what went beyond what the model means
    command     line that made it; "" if it was made in Python
    headline    what came out, in one sentence, where its maker has one
    intervals   criterion -> 5 and 95 % of the runs of a spread, in its unit; empty if they are not known
    bands       sensor -> times [s], 5 and 95 % of its resultant acceleration [g] over the runs of a spread
    joint_excess  how far each joint is past a limit (pose, joint) [rad], zero inside; None if it is not known
    """

    def __init__(
        self,
        recording: Recording,
        *,
        system: System | None = None,
        geometry: Geometry | None = None,
        name: str = "",
        title: str = "",
        description: str = "",
        scenario: str = "",
        criteria: tuple[str, ...] = ("HIC15", "HIC36"),
        provenance: dict[str, str] | None = None,
        notes: tuple[str, ...] = (),
        command: str = "",
        headline: str = "",
        joint_excess: np.ndarray | None = None,
    ) -> None:
        if geometry is None and system is not None:
            geometry = Geometry.of(system, recording.bodies)
        if system is not None:
            roster = Roster.of(system) if recording.roster == Roster() else recording.roster
            recording = with_compression(recording.replace(roster=roster), system)
        self.recording = recording
        self.geometry = geometry
        self.name = name
        self.title = title
        self.description = description
        self.scenario = scenario
        self.criteria = criteria
        self.provenance = this_machine() if provenance is None else provenance
        self.notes = notes
        if system is not None:
            found = (*failed(recording, system), *faults(recording, system.common_tissues), *flips(recording))
            past = past_limits(recording, system)
            self.notes += (*found, *warnings(recording.sound(), system, past))
        self.command = command
        self.headline = headline
        self.intervals: dict[str, tuple[float, float]] = {}
        self.bands: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
        self._answered: tuple[object, Answer] | None = None
        self.joint_excess = joint_excess if system is None else np.maximum(past, 0.0)

    @property
    def roster(self) -> Roster:
        """Return who takes part, and which body belongs to whom."""
        return self.recording.roster

    # how it ended

    @property
    def status(self) -> str:
        """How the run ended: "finished", "at_rest", "diverged", ..."""
        return self.recording.status

    @property
    def message(self) -> str:
        """The status as a sentence, with time and body."""
        return self.recording.message

    @property
    def fine(self) -> bool:
        """True if the run ended as it should."""
        return fine(self.status)

    def raise_for_status(self) -> None:
        """Raise SimulationError if the run did not end well."""
        if not self.fine:
            error = self.recording.balance_error
            raise SimulationError(f"{self.name or 'run'}: {self.message} (energy balance error {100.0 * error:.3g} %)")

    def raise_if_empty(self) -> None:
        """Raise SimulationError if the run ended before its first sample, so that nothing can be shown or judged."""
        if not len(self.recording.pose_time):
            raise SimulationError(
                f"{self.name or 'run'}: the simulation did not end well ({self.status}) and recorded nothing. "
                f"{self.message}"
            )

    @cached_property
    def sound(self) -> Result:
        """The result truncated at the last valid sample if the run diverged, otherwise unchanged."""
        recording = self.recording.sound()
        if recording is self.recording:
            return self
        excess = self.joint_excess
        found = Result(
            recording,
            geometry=self.geometry,
            name=self.name,
            title=self.title,
            description=self.description,
            scenario=self.scenario,
            criteria=self.criteria,
            provenance=self.provenance,
            notes=self.notes,
            command=self.command,
            headline=self.headline,
            joint_excess=None if excess is None else excess[: len(recording.pose_time)],
        )
        found.intervals, found.bands = self.intervals, self.bands
        return found

    # channels

    @cached_property
    def dataset(self) -> xarray.Dataset:
        """All stored channels, with labelled dimensions and CF attributes."""
        import xarray

        return xarray.Dataset(self.variables(), self.coordinates(), self.attributes())

    def variables(self) -> dict[str, Variable]:
        """Return every stored channel and the events, without labels: dimensions, values, CF attributes."""
        return dataset.variables(self.recording)

    def coordinates(self) -> dict[str, Variable]:
        """Return the labels of every dimension, and type, bodies and filter of each joint, pair and sensor."""
        return dataset.coordinates(self.recording)

    def attributes(self) -> dict[str, str]:
        """Return title and source of the dataset."""
        return {"title": self.title, "source": f"vitruvian {self.provenance.get('vitruvian', '')}".strip()}

    def __getitem__(self, name: str) -> xarray.DataArray:
        """A channel: "kinetic", "acceleration", or of one item: "head.acceleration", "left_knee.joint_torque"."""
        import xarray

        item, _, quantity = name.rpartition(".")
        if quantity not in CHANNELS:
            raise InputError(dataset.unknown(self.recording, name))
        channel = CHANNELS[quantity]
        array = dataset.array(self.recording, channel)
        if not item:
            return array
        if not channel.of:
            raise InputError(f"the channel {quantity!r} belongs to the whole system; ask for it without {item!r}.")
        labels = [str(label) for label in array[channel.of].values]
        if item in labels:
            return array.sel({channel.of: item})
        # all contacts of a body, or of a body of several shapes with one surface
        places = [i for i, (body, surface) in enumerate(self.recording.pairs) if item in (body, f"{body}.{surface}")]
        others = [
            i for i, (_, other) in enumerate(self.recording.pairs) if item == other and item in self.recording.bodies
        ]
        if channel.of == "pair" and places + others:
            some = array.isel(pair=places + others)
            if quantity == "contact_force":
                # on the other body of a pair it is the opposite
                sign = xarray.DataArray([1.0] * len(places) + [-1.0] * len(others), dims="pair")
                return (some * sign).sum("pair").assign_attrs(array.attrs)
            if quantity == "contact_point":
                return some.mean("pair", keep_attrs=True)
            return some.max("pair", keep_attrs=True)
        if channel.of == "point" and (of := [i for i, label in enumerate(labels) if label.startswith(f"{item}.")]):
            return array.isel(point=of)  # all points of a bone
        accepted = labels if channel.of != "pair" else [*labels, *self.recording.bodies]
        raise InputError(f"there is no {channel.of} {item!r} with the channel {quantity!r}.{nearest(item, accepted)}")

    def channels(self) -> list[tuple[str, str, str]]:
        """Name, unit and description of every channel; put the name of a body, joint, pair or sensor before it."""
        rows = []
        for channel in CHANNELS.values():
            prefix = f"<{channel.of}>." if channel.of else ""
            rows.append((prefix + channel.name, channel.units, channel.long_name))
        return rows

    def body(self, name: str) -> xarray.Dataset:
        """All channels of one body, in world and body axes, and the contact force of each surface on it."""
        import xarray

        bodies = self.recording.bodies
        if name not in bodies:
            raise InputError(f"there is no body {name!r}.{nearest(name, bodies)}")
        arrays = {key: self[f"{name}.{key}"] for key, channel in CHANNELS.items() if channel.of == "body"}
        touching = [
            label
            for label, (body, _) in zip(self.recording.pair_labels, self.recording.pairs, strict=True)
            if body == name
        ]
        if touching:
            arrays |= {key: self[key].sel(pair=touching) for key in ("contact_force", "contact_point", "contact_depth")}
        return xarray.Dataset(arrays, attrs={"body": name})

    def resultant_g(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Return time [s] and resultant acceleration [g] of a sensor, or of a body if no sensor has that name.

        That of a sensor has the filter class of the sensor.
        """
        recording = self.recording
        if name in recording.sensors:
            time, samples = self.accelerometer(name)
            return time, np.linalg.norm(samples, axis=-1) / STANDARD_GRAVITY
        if name in recording.bodies:
            samples = recording.acceleration[:, recording.bodies.index(name)]
            return recording.pose_time, np.linalg.norm(samples, axis=-1) / STANDARD_GRAVITY
        known = (*recording.sensors, *recording.bodies)
        raise InputError(f"there is no sensor or body {name!r}.{nearest(name, known)}")

    def accelerometer(self, name: str, filter_class: float | str | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return time [s] and acceleration [m/s2] of a sensor in its own axes (n, 3), filtered.

        filter_class  [Hz], or a word as in a scenario: "CFC180", "none"; that of the sensor unless given
        """
        recording = self.recording
        if name not in recording.sensors:
            raise InputError(f"there is no sensor {name!r}.{nearest(name, recording.sensors)}")
        samples = recording.sensor_acceleration_local[:, recording.sensors.index(name)]
        if filter_class is None:
            filter_class = recording.filter_class(name)
        if isinstance(filter_class, str):
            if filter_class not in FILTERS:
                raise InputError(f"filter_class is {filter_class!r}; accepted: {', '.join(FILTERS)}, or a number [Hz].")
            filter_class = FILTERS[filter_class]
        if filter_class is not None and len(recording.time) > 2:
            filtered = _result_method("filter")
            samples = filtered(recording.time, samples, filter_class, name=name, assume_units=True)
        return recording.time, samples

    def marker(
        self, body: str, point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Time [s], position [m] and velocity [m/s] (n, 3) of a point of a body; in body axes from its centre [m]."""
        recording = self.recording
        if body not in recording.bodies:
            raise InputError(f"there is no body {body!r}.{nearest(body, recording.bodies)}")
        at = recording.bodies.index(body)
        inverse = recording.orientation[:, at] * [1.0, -1.0, -1.0, -1.0]
        arm = to_body_axes(inverse, np.broadcast_to(np.asarray(point, dtype=float), recording.position[:, at].shape))
        velocity = recording.velocity[:, at] + np.cross(recording.angular_velocity[:, at], arm)
        return recording.pose_time, recording.position[:, at] + arm, velocity

    # summary

    def summary(self) -> dict[str, Any]:
        """Return the main numbers as plain values that JSON can hold.

        peaks           by sensor (or head and thorax): acceleration [g], its time [s], and the criteria for heads, with
                        the filter class of the standards where the sampling rate carries it; before a run diverged
        missing         criteria of heads that could not be computed, with the reason
        first_contacts  the first touch of each body with each surface, in order: time [s], closing speed [m/s]
        balance_error   largest energy balance over the energy put in [-]
        notes           sentences that a reader must see
        """
        return summary(self, copy.deepcopy(self._peaks))

    @cached_property
    def _peaks(self) -> dict[str, dict[str, Any]]:
        return peaks(self)

    @cached_property
    def _head_criteria(self) -> Assessment:
        return self.injury(only=tuple(HEAD_CRITERIA[name] for name in self.criteria))

    def contacts(self) -> list[Contact]:
        """The contact audit: a row for each body with each surface or body it touched, in the order of touching."""
        return contacts(self.recording)

    # injury

    def injury(
        self, *, size: str | None = None, age: float | None = None, filters: bool = True, only: tuple[str, ...] = ()
    ) -> Assessment:
        """Compute every injury criterion that the channels of this run allow, with limits, risk and a verdict in words.

        size     of the dummy whose limits and risk curves are taken, such as "5F"; by default that of each person
                 (`injury.subject`)
        age      [years], for risk curves that depend on it; by default that of each person
        filters  False: without the channel filters of the standards
        only     names of criteria; all if empty

        Of a run that diverged only what was before counts.
        """
        if size is None and age is None and filters and not only:
            return self._assessment
        found: Assessment = _result_method("injury")(self.sound, size=size, age=age, filters=filters, only=only)
        return found

    @cached_property
    def _assessment(self) -> Assessment:
        if self.sound is not self:
            return self.sound._assessment
        found: Assessment = _result_method("injury")(self)
        return found

    def answer(self) -> Answer:
        """Return what happened, the worst values against the limits for the people of this run, risk, trust and notes.

        Computed once for the intervals that are known.
        """
        if self._answered is None or self._answered[0] is not self.intervals:
            self._answered = self.intervals, _result_method("answer")(self)
        return self._answered[1]

    # files

    def save(self, path: str | Path) -> Path:
        """Write everything into one NetCDF file; a file that is there is replaced only when the new one is whole."""
        from .archive import save

        return save(self, path)

    def report(self, path: str | Path, *, against: Sequence[Result] = ()) -> Path:
        """Write a page with replay, charts, injury and audit that opens from disk.

        against  further results: ghosts in the replay, dotted curves of their accelerations
        """
        return Path(_result_method("report")(self, path, against=against))

    def _repr_html_(self) -> str:
        """For notebooks: the summary and the replay."""
        return str(_result_method("notebook")(self))

    @classmethod
    def load(cls, path: str | Path) -> Result:
        """Read a file that `save` has written, of this or an earlier version."""
        from .archive import load

        return load(path)

    def __repr__(self) -> str:
        return repr(self.recording).replace("Recording", f"Result {self.name or 'unnamed'}", 1)


def load(path: str | Path) -> Result:
    """Read a result from the NetCDF file that `Result.save` has written."""
    return Result.load(path)


def this_machine() -> dict[str, str]:
    """Versions and CPU type: what the bits of a result depend on besides its scenario."""
    import llvmlite.binding
    import numba

    return {
        "vitruvian": __version__,
        "numpy": np.__version__,
        "numba": numba.__version__,
        "python": platform.python_version(),
        "system": platform.system(),
        "machine": platform.machine(),
        "cpu": llvmlite.binding.get_host_cpu_name(),
    }
