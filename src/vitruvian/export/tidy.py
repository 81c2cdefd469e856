"""All channels of a result as tidy tables, in CSV or Parquet: a row for each time and item, a column for each quantity.

    bodies      position, orientation, velocity, acceleration, ... of every body at every pose
    joints      angles, torques, reactions, energies of every joint at every pose
    belts       tension, elongation, payout and path of every piece of webbing, at every pose
    muscles     force, length, activation, fibres and power of every muscle; muscle_paths: the places of their paths
    bones       strain, stress and bending moment of bones that bend, at every sensor sample
    airbags     pressure, volume, mass flows and size of every airbag, at every pose
    airbag_forces  force of every airbag on every segment, at every pose
    contacts    force, point and depth of every pair that ever touched, at every pose
    sensors     accelerations and angular velocities of every sensor at every sample
    load_cells  forces and moments of every joint that carries a load, at every sample of the sensors
    attitudes   orientation of every body at every sample of the sensors
    system      energies and work of the whole system at every pose
    events      touches and separations
    channels    what every column means, with its unit
    about       where the numbers come from

World axes (x forward, y left, z up) and centres of mass unless the name says otherwise; SI units.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._files import csv_cell, write_text, writing
from ..errors import InputError, nearest
from ..sim.channel import CHANNELS, DIMENSIONS, WORK_CLASSES, Channel, displacement_mask, labels, values
from .output import about

if TYPE_CHECKING:
    from ..sim.recording import Recording
    from ..sim.result import Result

#: what the rows are of, and their clock -> table
_TABLES = {
    ("body", "pose_time"): "bodies",
    ("joint", "pose_time"): "joints",
    ("loop", "pose_time"): "loops",
    ("webbing", "pose_time"): "belts",
    ("muscle", "pose_time"): "muscles",
    ("muscle_point", "pose_time"): "muscle_paths",
    ("airbag", "pose_time"): "airbags",
    ("dip", "pose_time"): "airbag_forces",
    ("pair", "pose_time"): "contacts",
    ("sensor", "time"): "sensors",
    ("load_cell", "time"): "load_cells",
    ("point", "time"): "bones",
    ("body", "time"): "attitudes",
    ("", "pose_time"): "system",
}


#: tables whose samples are stored with single precision
_SINGLE = (("load_cell", "time"), ("body", "time"))


@dataclass(frozen=True)
class Column:
    """A column: numbers or texts, the unit ("" for texts), and what it means."""

    name: str
    values: np.ndarray
    unit: str
    meaning: str


Table = list[Column]


class Choice(NamedTuple):
    """The part of a result that is written: all of it unless items or channels are named.

    only      names of bodies, joints, sensors, pairs, ...; all if empty
    channels  names of channels, such as joint_force_local; all if empty
    """

    only: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()

    def checked(self, recording: Recording) -> Choice:
        """Return the choice; refuse a name that the result does not have."""
        items = {item for of, _ in _TABLES if of for item in _items(recording, of)}
        items |= {name for pair in recording.pairs for name in pair}
        for given, known, kind in ((self.only, items, "item"), (self.channels, set(CHANNELS), "channel")):
            for name in given:
                if name not in known:
                    raise InputError(
                        f"there is no {kind} {name!r} in the result; accepted: {', '.join(sorted(known))}."
                        f"{nearest(name, sorted(known))}"
                    )
        return self

    def places(self, recording: Recording, of: str) -> np.ndarray:
        """Return the places of the chosen items of a kind."""
        names = _items(recording, of)
        if not self.only:
            return np.arange(len(names))
        pairs = recording.pairs if of == "pair" else [(name, name) for name in names]
        kept = [i for i, name in enumerate(names) if {name, *pairs[i]} & set(self.only)]
        return np.array(kept, dtype=int)


def _items(recording: Recording, of: str) -> tuple[str, ...]:
    return labels(recording, of)


def tables(
    result: Result, choice: Choice | None = None, progress: Callable[[str, int, int], None] | None = None
) -> dict[str, Table]:
    """Every table by name; tables without rows are left out, and those of the whole system if items are named.

    progress  called with the name of a table, its number and the number of all
    """
    choice = (choice or Choice()).checked(result.recording)
    found: dict[str, Table] = {}
    for number, (kind, name) in enumerate(_TABLES.items()):
        if progress is not None:
            progress(name, number, len(_TABLES))
        if kind[0] or not choice.only:
            found[name] = _channels(result, *kind, choice)
    if choice == Choice():
        found["events"] = _events(result)
    found = {name: table for name, table in found.items() if table and len(table[0].values)}
    rows = [(name, column) for name, table in found.items() for column in table]
    found["channels"] = [
        Column("table", _texts([name for name, _ in rows]), "", "name of the table"),
        Column("column", _texts([column.name for _, column in rows]), "", "name of the column"),
        Column("unit", _texts([column.unit for _, column in rows]), "", "its unit"),
        Column("meaning", _texts([column.meaning for _, column in rows]), "", "what it holds"),
    ]
    facts = about(result)
    found["about"] = [
        Column("what", _texts(list(facts)), "", "what is said"),
        Column("value", _texts(list(facts.values())), "", "of this result"),
    ]
    return found


def write_csv(result: Result, folder: str | Path, choice: Choice | None = None, **more: Any) -> list[Path]:
    """A file for each table: commas between cells, units in the heading, as many digits as are stored.

    Cells without a value are empty. The options are those of `tables`.
    """
    made = tables(result, choice, **more)
    return [write_text(Path(folder) / f"{name}.csv", csv_text(table)) for name, table in made.items()]


def write_single_csv(result: Result, path: str | Path, choice: Choice, **more: Any) -> Path:
    """Write the only table of a choice into one file; refuse a choice that has several tables."""
    made = tables(result, choice, **more)
    rows = {name: table for name, table in made.items() if name not in ("channels", "about")}
    if len(rows) != 1:
        raise InputError(
            f"{path}: the choice has {len(rows)} tables ({', '.join(rows) or 'none'}), and a file holds one. Give a "
            "folder, or choose fewer with --channels."
        )
    return write_text(path, csv_text(next(iter(rows.values()))))


def write_parquet(result: Result, folder: str | Path, choice: Choice | None = None, **more: Any) -> list[Path]:
    """A file for each table; units and meanings in the metadata of the columns, the origin in that of the schema."""
    import pyarrow
    from pyarrow import parquet

    written = []
    for name, table in tables(result, choice, **more).items():
        arrays = [pyarrow.array(column.values.tolist()) for column in table]
        fields = [
            pyarrow.field(column.name, array.type, metadata={"units": column.unit, "long_name": column.meaning})
            for column, array in zip(table, arrays, strict=True)
        ]
        schema = pyarrow.schema(fields, metadata={key.replace(" ", "_"): text for key, text in about(result).items()})
        with writing(Path(folder) / f"{name}.parquet") as temporary:
            parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=schema), temporary)
        written.append(Path(folder) / f"{name}.parquet")
    return written


# tables


def _channels(result: Result, of: str, clock: str, choice: Choice) -> Table:
    """The channels of one kind of item and clock as a table: time, item, quantities; empty if none is chosen."""
    recording = result.recording
    channels = [
        channel
        for channel in CHANNELS.values()
        if (channel.of, channel.dims[0]) == (of, clock) and "work_class" not in channel.dims
        if not choice.channels or channel.name in choice.channels
    ]
    if not channels:
        return []
    if of == "joint" and not displacement_mask(recording.joint_types).any():
        channels = [channel for channel in channels if channel.name != "joint_displacement"]
    time = recording.time if clock == "time" else recording.pose_time
    names = _items(recording, of) if of else ("",)
    kept = choice.places(recording, of) if of else np.arange(1)
    if of == "pair":
        kept = np.intersect1d(kept, np.flatnonzero(recording.contact_force.any(axis=(0, 2))))
    meaning = "time of the sensor samples" if clock == "time" else "time of the poses"
    table = [Column("time", np.repeat(time, len(kept)), "s", meaning)]
    if of:
        table.append(Column(of, np.tile(_texts([names[i] for i in kept]), len(time)), "", f"name of the {of}"))
    if of == "pair":
        for side, name in enumerate(("body", "surface")):
            words = _texts([recording.pairs[i][side] for i in kept])
            table.append(Column(name, np.tile(words, len(time)), "", f"{name} of the pair"))
    for channel in channels:
        samples = values(recording, channel.name)
        single = (of, clock) in _SINGLE
        table += _columns(channel, samples.astype(np.float32) if single else samples, kept if of else None)
    if not of and (not choice.channels or "work" in choice.channels):
        samples = values(recording, "work")
        table += [
            Column(f"work.{name}", samples[:, i], "J", f"work done on the bodies so far by {name}")
            for i, name in enumerate(WORK_CLASSES)
        ]
    return table


def _columns(channel: Channel, samples: np.ndarray, kept: np.ndarray | None) -> Table:
    """The columns of a channel: one for each part of its last dimension."""
    if kept is not None:
        samples = samples[:, kept]
        samples = samples.reshape(-1, *samples.shape[2:])
    unit = "-" if channel.units == "1" else channel.units
    if samples.ndim == 1:
        return [Column(channel.name, samples, unit, channel.long_name)]
    parts = DIMENSIONS[channel.dims[-1]].labels
    return [
        Column(f"{channel.name}.{part}", samples[:, i], unit, f"{channel.long_name}, {part}")
        for i, part in enumerate(parts)
        if not np.isnan(samples[:, i]).all()
    ]


def _events(result: Result) -> Table:
    events = result.recording.events
    return [
        Column("time", np.array([event.time for event in events]), "s", "time of the event"),
        Column(
            "kind",
            _texts([event.kind for event in events]),
            "",
            "touch, separation, release, failure, fracture, lock, lift or submarining",
        ),
        Column("body", _texts([event.body for event in events]), "", "body of the event"),
        Column("surface", _texts([event.surface for event in events]), "", "surface or other body"),
        Column("speed", np.array([event.value for event in events]), "m/s", "closing speed, or opening speed"),
    ]


def _texts(words: list[str]) -> np.ndarray:
    return np.array(words, dtype=object)


# text


def csv_text(table: Table) -> str:
    """A table as text: the units in its heading, empty cells where there is no value."""
    heading = ",".join(_cell(f"{column.name} [{column.unit}]" if column.unit else column.name) for column in table)
    columns = [_cells(column.values) for column in table]
    return "\n".join([heading, *map(",".join, zip(*columns, strict=True))]) + "\n"


def _cells(samples: np.ndarray) -> list[str]:
    if samples.dtype == object:
        return [_cell(word) for word in samples]
    texts = map(str, samples) if samples.dtype == np.float32 else map(repr, samples.tolist())
    return ["" if text == "nan" else text for text in texts]


def _cell(word: str) -> str:
    """A text in a cell: not a formula, and in quotes where it holds a comma, a quote or a line break."""
    word = csv_cell(word)
    return '"' + word.replace('"', '""') + '"' if any(sign in word for sign in ',"\n\r') else word
