"""The input of an assessment: named records in SI, in the axes and signs of SAE J211 and J1733.

A name is place and quantity: "head.acceleration", "upper_neck.force", "thorax.deflection"; a person's name may stand
before it: "anna.head.acceleration". A record of one axis only carries it: "left_rib.acceleration.y", and
"head.acceleration.r" is a resultant. "upper_neck.moment" is that of a load cell, "occipital_condyles.moment" the moment
that Nij needs.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import InputError
from ..signals import record_check, resample
from ..signals.filter import DESIGN, ISO_6487, RATE_PER_CLASS, SampleRateWarning, cfc
from ..units import STANDARD_GRAVITY
from .section import CUTS, section, to_j211

if TYPE_CHECKING:
    from ..sim.result import Result

#: quantity -> (SI unit, kind of plausible size)
QUANTITIES = {
    "acceleration": ("m/s2", "acceleration"),
    "velocity": ("m/s", "velocity"),
    "angular_velocity": ("rad/s", "angular_velocity"),
    "angular_acceleration": ("rad/s2", "angular_acceleration"),
    "force": ("N", "force"),
    "moment": ("N m", "moment"),
    "deflection": ("m", "length"),
    "displacement": ("m", "length"),
}
PLACES = (
    "head",
    "T1",
    "thorax",
    "T12",
    "left_rib",
    "right_rib",
    "pelvis",
    "occipital_condyles",
    *CUTS,
    "left_femur",
    "right_femur",
    "vehicle",
)


#: segments whose motion is taken from the poses if they carry no sensor
TRUNK = ("head", "thorax", "pelvis")
#: least number of samples of a measured record
FEWEST = 3
#: a step so many times longer than the median one is a gap [-]
GAP = 5.0
#: times that differ by less than this part of a step are the same [-]
SAME_TIME = 0.01
#: part of its largest size below which negative samples of a resultant are ringing of a filter [-]
NEGATIVE = 0.02
#: an extreme of at least this part of the largest size that is held for so many samples and so long [s] is clipped
HELD_SIZE, HELD_SAMPLES, HELD_TIME = 0.5, 5, 5e-4
#: an acceleration is not at rest at an end of its record if its mean over a time [s] is above this part of its largest
#: size [-], and this size [g]
END_TIME, FROM_REST, REST_G = 1e-3, 0.05, 3.0
#: tension of a femur that a sitting person hardly meets [N]
PULLED = 1000.0


class RecordName(NamedTuple):
    """The parts of the name of a record: prefix of the person ("" or "anna."), place, quantity, and axis or ""."""

    person: str
    place: str
    quantity: str
    axis: str

    @classmethod
    def of(cls, name: str) -> RecordName:
        """Return the parts of a name as a user writes it: "anna.head.acceleration.x"."""
        parts = name.split(".")
        axis = parts.pop() if parts[-1] in ("x", "y", "z", "r") else ""
        *people, place, quantity = ["", *parts] if len(parts) == 1 else parts
        return cls("".join(f"{person}." for person in people), place, quantity, axis)


@dataclass(frozen=True)
class Record:
    """One channel: time [s], samples (n, 3) or (n,) in SI, and the filter class that it already has (None: none)."""

    name: str
    time: np.ndarray
    samples: np.ndarray
    filter_class: float | None = None
    label: str = ""  # how the file calls it

    @property
    def quantity(self) -> str:
        """Acceleration, force, ..."""
        return RecordName.of(self.name).quantity


@dataclass
class Channels:
    """All records of a run or a test, with filtering on demand.

    filters  False: take the records as they are
    sizes    prefix of a person ("" or "anna.") -> size of the dummy, where the file tells
    """

    records: dict[str, Record]
    filters: bool = True
    notes: list[str] = field(default_factory=list)
    sizes: dict[str, str] = field(default_factory=dict)
    _done: dict[tuple[str, float], tuple[Record, str]] = field(default_factory=dict)

    def people(self) -> list[str]:
        """The prefixes of the persons: "" or "anna."."""
        return list(dict.fromkeys(RecordName.of(name).person for name in self.records))

    def get(self, name: str, frequency_class: float) -> tuple[Record, str] | None:
        """A record with a filter class, and that class in words; None if there is no such record."""
        if name not in self.records:
            return None
        key = (name, frequency_class)
        if key not in self._done:
            self._done[key] = self.filtered(self.records[name], frequency_class)
        return self._done[key]

    def filtered(self, record: Record, frequency_class: float) -> tuple[Record, str]:
        """A record with a filter class, and that class in words; as it is where its rate does not carry the class."""
        if not self.filters:
            return record, "as recorded"
        if record.filter_class is not None and record.filter_class <= frequency_class:
            low = record.filter_class < frequency_class
            return record, f"CFC {record.filter_class:g} as recorded" + f", not CFC {frequency_class:g}" * low
        if len(record.time) < 3:
            return record, "unfiltered: too few samples"
        label = record.label or record.name
        try:
            step = record_check.uniform_step(record.time, name=label)
        except InputError:
            rate = 1.0 / float(np.median(np.diff(record.time)))
            time, samples = resample(
                record.time, record.samples, rate, alias_filter=False, name=label, assume_units=True
            )
            self.notes.append(f"{label}: uneven times, resampled at {rate:.6g} Hz.")
            record, step = replace(record, time=time, samples=samples), 1.0 / rate
        rate = 1.0 / step
        if rate <= 2.0 * DESIGN[ISO_6487] * frequency_class:
            need = RATE_PER_CLASS * frequency_class
            return record, f"unfiltered: {rate:.4g} Hz, CFC {frequency_class:g} wants {need:g} Hz"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SampleRateWarning)
            samples = cfc(record.time, record.samples, frequency_class, name=label, assume_units=True)
        slow = rate < RATE_PER_CLASS * frequency_class * (1.0 - 1e-6)
        words = f"CFC {frequency_class:g}" + (f" at {rate:.4g} Hz, which is too slow for it" if slow else "")
        return replace(record, samples=samples, filter_class=frequency_class), words


def checked(record: Record, *, assume_units: bool = False) -> Record:
    """Return a measured record with finite samples at increasing times and likely units, or refuse it by name."""
    label = record.label or record.name
    kind, unit = QUANTITIES[record.quantity][1], 1.0
    if kind == "acceleration":  # spoken of in g
        kind, unit = "acceleration_g", STANDARD_GRAVITY
    time, samples = record_check.record(record.time, record.samples / unit, kind, name=label, assume_units=assume_units)
    if len(time) < FEWEST:
        raise InputError(f"{label}: the record has {len(time)} samples; criteria need at least {FEWEST}.")
    steps = np.diff(time)
    widest = int(np.argmax(steps))
    if steps[widest] > GAP * float(np.median(steps)):
        raise InputError(
            f"{label}: the record has a gap from {time[widest]:g} to {time[widest + 1]:g} s, "
            f"{steps[widest] / float(np.median(steps)):.3g} of its steps long; nothing is known of that time. Cut the "
            "record before or behind it."
        )
    if not assume_units:
        record_check.refuse_unlikely(time, samples, kind, name=label)
    return replace(record, time=time)


def doubts(record: Record) -> Iterator[str]:
    """Yield what a reader must know of a checked record that is not refused."""
    label, largest = record.label or record.name, float(np.abs(record.samples).max())
    if record.quantity == "acceleration" and largest > record_check.DOUBTFUL_PEAK * STANDARD_GRAVITY:
        yield (
            f"{label} reaches {largest / STANDARD_GRAVITY:.0f} g, which few impacts do. Is it in m/s2, but labelled g?"
        )
    if held := _held(record.time, record.samples):
        yield (
            f"{label} stays at its largest value for {1e3 * held:.2g} ms, as a transducer or amplifier at the end of "
            "its range does. Criteria may be too low."
        )
    if record.quantity == "acceleration":
        least = max(FROM_REST * largest, REST_G * STANDARD_GRAVITY)
        first = record.time <= record.time[0] + END_TIME
        last = record.time >= record.time[-1] - END_TIME
        ends = (("begins", record.samples[first].mean()), ("ends", record.samples[last].mean()))
        moving = [f"{word} at {size / STANDARD_GRAVITY:.3g} g" for word, size in ends if abs(size) > least]
        if moving:
            yield (
                f"{label} {' and '.join(moving)}, not at rest: it has an offset or is cut off inside the impact. "
                "Criteria may be wrong; remove the offset or give the whole record."
            )
    place, _, axis = record.name.rpartition(".force.")
    tension = float(record.samples.max())
    if "femur" in place and axis == "z" and tension > max(PULLED, -2.0 * float(record.samples.min())):
        yield (
            f"{label} reaches {1e-3 * tension:.3g} kN in tension, and {-1e-3 * float(record.samples.min()):.2g} kN in "
            "compression, which counts for the femur. Tension is positive in SAE J1733; is the sign reversed?"
        )
    if record.name.endswith(".r") and float(record.samples.min()) < -NEGATIVE * largest:
        yield f"{label} has negative samples, which a resultant cannot have; their size is taken, as for one axis."


def _held(time: np.ndarray, samples: np.ndarray) -> float:
    """Return how long a record stays exactly at its largest or smallest value [s]; 0 if it does not."""
    longest = 0.0
    for extreme in {float(samples.max()), float(samples.min())} - {0.0}:
        if abs(extreme) < HELD_SIZE * float(np.abs(samples).max()):
            continue
        at = np.flatnonzero(np.diff(np.concatenate([[0], samples == extreme, [0]])))
        first, last = at[::2], at[1::2] - 1
        spans = np.where(last - first >= HELD_SAMPLES - 1, time[last] - time[first], 0.0)
        longest = max(longest, float(spans.max()))
    return longest if HELD_TIME <= longest < time[-1] - time[0] else 0.0


def simultaneous(records: list[Record]) -> tuple[list[Record], str]:
    """Return records at the same times, with a note if some had to be interpolated; "" if none had.

    The times are those of the record with the shortest step, within the interval that all records cover.
    """
    step = min(float(np.median(np.diff(record.time))) for record in records)
    first = records[0].time
    if all(len(r.time) == len(first) and np.abs(r.time - first).max() < SAME_TIME * step for r in records[1:]):
        return records, ""
    names = ", ".join(record.label or record.name for record in records)
    begin = max(float(record.time[0]) for record in records)
    end = min(float(record.time[-1]) for record in records)
    finest = min(records, key=lambda record: float(np.median(np.diff(record.time)))).time
    time = finest[(finest >= begin - SAME_TIME * step) & (finest <= end + SAME_TIME * step)]
    if len(time) < 3:
        raise InputError(f"{names} do not overlap in time, so they cannot be combined")
    note = (
        f"{names} have different time bases; all were interpolated linearly at {1.0 / step:.6g} Hz from {time[0]:g} to "
        f"{time[-1]:g} s."
    )
    return [_at(record, time) for record in records], note


def _at(record: Record, time: np.ndarray) -> Record:
    """Return the record at other times [s], on straight lines between its samples."""
    columns = record.samples if record.samples.ndim == 2 else record.samples[:, None]
    samples = np.column_stack([np.interp(time, record.time, column) for column in columns.T])
    return replace(record, time=time, samples=samples if record.samples.ndim == 2 else samples[:, 0])


def from_result(
    result: Result, *, filters: bool = True, cuts: Collection[str] = tuple(CUTS), bodies: Collection[str] = TRUNK
) -> Channels:
    """Return the records of a run: its sensors and the section loads of its joints.

    cuts    names of the section loads that are needed; all unless given
    bodies  head, thorax or pelvis that are needed even without a sensor; all unless given
    """
    recording = result.recording
    records: dict[str, Record] = {}
    for at, sensor in enumerate(recording.sensors):
        for quantity, samples in (
            ("acceleration", recording.sensor_acceleration_local),
            ("angular_velocity", recording.sensor_angular_velocity_local),
            ("angular_acceleration", recording.sensor_angular_acceleration_local),
        ):
            name = f"{sensor}.{quantity}"
            _keep(records, name, recording.time, to_j211(samples[:, at]))
            own = recording.filter_class(sensor)
            if own is not None and name in records:
                records[name] = Channels({}).filtered(records[name], own)[0]
    # heads and trunks without a sensor, at the rate of the poses
    for at, body in enumerate(recording.bodies):
        place = recording.roster.role(body)
        if place in bodies and f"{body}.acceleration" not in records:
            from ..sim.channel import values

            for quantity in ("acceleration", "angular_velocity", "angular_acceleration"):
                samples = values(recording, f"{quantity}_local")[:, at]
                _keep(records, f"{body}.{quantity}", recording.pose_time, to_j211(samples))
    for segment, depth in recording.pressed.items():
        if recording.roster.role(segment) == "thorax":
            _keep(records, f"{segment}.deflection", recording.pose_time, depth)
    for prefix in recording.roster.joints_by_role(recording.joints):
        for name in cuts:
            found = section(recording, name, prefix)
            if found is not None:
                _keep(records, f"{prefix}{name}.force", found.time, found.force)
                # the upper neck joint is at the occipital condyles; a load cell would be below them
                place = "occipital_condyles" if name == "upper_neck" else name
                _keep(records, f"{prefix}{place}.moment", found.time, found.moment)
    return Channels(records, filters)


def _keep(records: dict[str, Record], name: str, time: np.ndarray, samples: np.ndarray) -> None:
    """Up to the first sample that is not finite: a run that broke off ends there."""
    fine = np.isfinite(samples).reshape(len(samples), -1).all(axis=1) if len(samples) else np.zeros(0, dtype=bool)
    end = len(fine) if fine.all() else int(np.argmin(fine))
    if end:
        records[name] = Record(name, time[:end], samples[:end])
