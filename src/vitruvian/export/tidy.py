"""All channels of a result as tidy tables, in CSV or Parquet: a row for each time and item, a column for each quantity.

    bodies      position, orientation, velocity, acceleration, ... of every body at every pose
    joints      angles, torques, reactions, energies of every joint at every pose
    belts       tension, elongation, payout and path of every piece of webbing, at every pose
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

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .._files import csv_cell, write_text, writing
from ..sim.channel import CHANNELS, DIMENSIONS, WORK_CLASSES, Channel, displacement_mask, labels, values
from .output import about

if TYPE_CHECKING:
    from ..sim.result import Result

#: what the rows are of, and their clock -> table
_TABLES = {
    ("body", "pose_time"): "bodies",
    ("joint", "pose_time"): "joints",
    ("loop", "pose_time"): "loops",
    ("webbing", "pose_time"): "belts",
    ("airbag", "pose_time"): "airbags",
    ("dip", "pose_time"): "airbag_forces",
    ("pair", "pose_time"): "contacts",
    ("sensor", "time"): "sensors",
    ("load_cell", "time"): "load_cells",
    ("body", "time"): "attitudes",
    ("", "pose_time"): "system",
}


@dataclass(frozen=True)
class Column:
    """A column: numbers or texts, the unit ("" for texts), and what it means."""

    name: str
    values: np.ndarray
    unit: str
    meaning: str


Table = list[Column]


def tables(result: Result) -> dict[str, Table]:
    """Every table by name; tables without rows are left out."""
    found = {name: _channels(result, *kind) for kind, name in _TABLES.items()} | {"events": _events(result)}
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


def write_csv(result: Result, folder: str | Path) -> list[Path]:
    """A file for each table: commas between cells, units in the heading, all digits; empty where there is no value."""
    return [write_text(Path(folder) / f"{name}.csv", csv_text(table)) for name, table in tables(result).items()]


def write_parquet(result: Result, folder: str | Path) -> list[Path]:
    """A file for each table; units and meanings in the metadata of the columns, the origin in that of the schema."""
    import pyarrow
    from pyarrow import parquet

    written = []
    for name, table in tables(result).items():
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


def _channels(result: Result, of: str, clock: str) -> Table:
    """The channels of one kind of item and clock as a table: time, item, quantities."""
    recording = result.recording
    channels = [
        channel
        for channel in CHANNELS.values()
        if (channel.of, channel.dims[0]) == (of, clock) and "work_class" not in channel.dims
    ]
    if of == "joint" and not displacement_mask(recording.joint_types).any():
        channels = [channel for channel in channels if channel.name != "joint_displacement"]
    time = recording.time if clock == "time" else recording.pose_time
    names = labels(recording, of) if of else ("",)
    kept = np.arange(len(names))
    if of == "pair":
        kept = np.flatnonzero(recording.contact_force.any(axis=(0, 2)))
    meaning = "time of the sensor samples" if clock == "time" else "time of the poses"
    table = [Column("time", np.repeat(time, len(kept)), "s", meaning)]
    if of:
        table.append(Column(of, np.tile(_texts([names[i] for i in kept]), len(time)), "", f"name of the {of}"))
    if of == "pair":
        for side, name in enumerate(("body", "surface")):
            words = _texts([recording.pairs[i][side] for i in kept])
            table.append(Column(name, np.tile(words, len(time)), "", f"{name} of the pair"))
    for channel in channels:
        table += _columns(channel, values(recording, channel.name), kept if of else None)
    if not of:
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
    """A table as text: the units in its heading, all digits, empty cells where there is no value."""
    heading = ",".join(_cell(f"{column.name} [{column.unit}]" if column.unit else column.name) for column in table)
    columns = [_cells(column.values) for column in table]
    return "\n".join([heading, *map(",".join, zip(*columns, strict=True))]) + "\n"


def _cells(samples: np.ndarray) -> list[str]:
    if samples.dtype == object:
        return [_cell(word) for word in samples]
    return ["" if text == "nan" else text for text in map(repr, samples.tolist())]


def _cell(word: str) -> str:
    """A text in a cell: not a formula, and in quotes where it holds a comma, a quote or a line break."""
    word = csv_cell(word)
    return '"' + word.replace('"', '""') + '"' if any(sign in word for sign in ',"\n\r') else word
