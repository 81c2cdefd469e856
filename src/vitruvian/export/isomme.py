"""ISO-MME (ISO/TS 13499), the file format of crash tests: write and read a folder. Axes and signs of SAE J1733.

    <test>.mme              header of the test
    Channel/<test>.chn      list of the channels
    Channel/<test>.001 ...  one file a channel: header and one number a line

A channel is known by a code of 16 characters: test object 1, position 1, main location 4, fine locations 2 + 2, dummy
2, physical dimension 2, direction 1, filter class 1: 11HEAD0000H3ACXA, acceleration of the driver's head, x, CFC 1000.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..data.file import read_text
from ..errors import InputError, located, nearest, shown, spelled
from ..injury.channels import QUANTITIES, Channels, Record, RecordName, from_result
from ..signals import record_check
from .columns import AXES, LOCATIONS, PHYSICAL, as_channels, column, factor, left_out

if TYPE_CHECKING:
    from ..sim.result import Result

_LETTER = {1000.0: "A", 600.0: "B", 180.0: "C", 60.0: "D", None: "0"}
_UNITS = {"m/s2": "m/s^2", "rad/s2": "rad/s^2", "N m": "Nm"}
_NO_VALUE = ("NOVALUE", "NONE", "")


def write(
    source: Result | Channels,
    folder: str | Path,
    *,
    test: str = "",
    dummy: str = "00",
    filter_class: float | None = None,
    header: Mapping[str, str] | None = None,
) -> Path:
    """Write the channels of a run, or others, into a folder; returns that of the .mme file.

    source        a Result, whose sensors and section loads are written, or Channels
    test          name of the test and of its files; that of the result unless given
    dummy         two characters of the code: "H3" Hybrid III 50M, "HF" 5F, "TH" THOR, "00" undefined
    filter_class  filter every channel with this class first [Hz]; channels too slow for it stay as they are, letter 0
    header        more lines for the .mme file
    """
    title, channels = "", source
    if not isinstance(channels, Channels):
        title, test = channels.title, test or channels.name
        channels = from_result(channels)
    test = re.sub(r"[^A-Za-z0-9_-]", "_", test or "vitruvian")
    if not re.fullmatch(r"[A-Z0-9]{2}", dummy):
        raise InputError(f"isomme: the dummy is {dummy!r}; give two letters or digits, as in H3.")
    people = channels.people()
    if len(people) > 9:
        raise InputError(f"isomme: {len(people)} people; the position in a code is one digit; accepted: up to 9.")
    files: list[tuple[str, str, Record, np.ndarray]] = []
    for name, record in channels.records.items():
        if filter_class is not None:
            record, _ = channels.filtered(record, filter_class)
        for code, label, samples in _codes(name, record, people, dummy):
            files.append((code, label, record, samples))
    if not files:
        raise InputError("isomme: there is no channel with a code, such as the acceleration of a head; export as csv.")
    try:
        return _written(Path(folder), test, title, files, dict(header or {}))
    except OSError as error:
        raise InputError(f"{folder} cannot be written ({error.strerror or error}). Choose another folder.") from error


def read(path: str | Path, *, assume_units: bool = False) -> Channels:
    """Return the channels of a folder that criteria need, in SI.

    assume_units  accept unlikely numbers, and take channels without a unit as SI

    Channels of other places, and channels that cannot be read, are left out and named in the notes.
    """
    head = _header_file(Path(path))
    test, folder = head.stem, _member(head.parent, "Channel")
    listing = _fields(read_text(_member(folder, f"{test}.chn"), latin=True))
    columns, skipped = [], []
    references: dict[str, np.ndarray] = {}
    pending = []
    refused: list[InputError] = []
    for key, value in listing:
        match = re.fullmatch(r"Name of channel (\d+)", key)
        if match is None or value.upper() in _NO_VALUE:
            continue
        try:
            file = _member(folder, f"{test}.{match[1]}")
            fields, samples = _channel(file)
            about, listed = dict(fields), value.split()[0].split("/")[0]
            code = about.get("Channel code", "").strip()
            if code.upper() in _NO_VALUE:
                code = listed
            elif code != listed:
                raise InputError(
                    f"{file}: the channel code is {shown(code)}, and {shown(listed)} in the list of channels"
                )
            if code[2:6] == "TIRS":
                references[code] = samples * _factor(about, "time", f"{file}: {code}", assume_units)
                continue
        except InputError as error:
            refused.append(error)
            continue
        what = column(code) if re.fullmatch(r"[A-Z0-9?]{16}", code) else None
        if what is None:
            skipped.append(code)
            continue
        pending.append((what, code, about, samples, file))
    for what, code, about, samples, file in pending:
        try:
            time = _time(about, len(samples), references, file, code)
            scale = _factor(about, what.quantity, f"{file}: {code}", assume_units)
        except InputError as error:
            refused.append(error)
        else:
            unit = about.get("Unit", "").strip()
            known = unit if unit.upper() not in _NO_VALUE else ""
            columns.append((what._replace(unit=known), code, time, scale * samples))
    if not columns:
        if refused:
            raise refused[0]
        raise InputError(f"{path} has no channel that a criterion needs (such as ??HEAD0000??ACX?).")
    with located(path):
        found = as_channels(columns, assume_units=assume_units)
    found.notes[:0] = [left_out(error) for error in refused]
    if skipped:
        found.notes.append(f"left out {len(skipped)} channels that no criterion needs, as {skipped[0]}.")
    return found


# writing


def read_channel(path: str | Path, code: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
    """Return times [s] and samples [SI] of one channel of a test, by its code of 16 characters.

    quantity  of the channel: acceleration, velocity, ...
    """
    head = _header_file(Path(path))
    test, folder = head.stem, _member(head.parent, "Channel")
    references: dict[str, np.ndarray] = {}
    known, found = [], None
    for key, value in _fields(read_text(_member(folder, f"{test}.chn"), latin=True)):
        match = re.fullmatch(r"Name of channel (\d+)", key)
        if match is None or value.upper() in _NO_VALUE:
            continue
        name = value.split()[0].split("/")[0]
        known.append(name)
        if name[2:6] != "TIRS" and name != code:
            continue
        file = _member(folder, f"{test}.{match[1]}")
        fields, samples = _channel(file)
        if name == code:
            found = (dict(fields), samples, file)
        else:
            references[name] = samples * _factor(dict(fields), "time", f"{file}: {name}", False)
    if found is None:
        raise InputError(f"{path} has no channel {shown(code)}.{nearest(code, known)}")
    about, samples, file = found
    scale = _factor(about, quantity, f"{file}: {code}", False)
    return _time(about, len(samples), references, file, code), scale * samples


def _codes(name: str, record: Record, people: list[str], dummy: str) -> list[tuple[str, str, np.ndarray]]:
    """Code, plain name and samples of each axis of a record; none if its place has no code."""
    person, place, quantity, axis = RecordName.of(name)
    axes = axis or AXES
    if place not in LOCATIONS or quantity not in PHYSICAL:
        return []
    main, one, two = LOCATIONS[place]
    position = people.index(person) + 1
    letter = _LETTER.get(record.filter_class, "S")
    if record.samples.ndim == 1:
        axes = axes if len(axes) == 1 else "x"
    columns = record.samples.reshape(len(record.samples), -1).T
    return [
        (
            f"1{position}{main}{one}{two}{dummy}{PHYSICAL[quantity]}{axis.upper()}{letter}",
            f"{person}{place}.{quantity}.{axis}",
            samples,
        )
        for axis, samples in zip(axes, columns, strict=True)
    ]


def _written(
    folder: Path, test: str, title: str, files: list[tuple[str, str, Record, np.ndarray]], header: dict[str, str]
) -> Path:
    within = folder / "Channel"
    within.mkdir(parents=True, exist_ok=True)
    lines = {
        "Data format edition number": "1.6",
        "Laboratory name": "Vitruvian",
        "Title": title or "NOVALUE",
        "Timestamp": datetime.now().astimezone().isoformat(timespec="seconds"),
        "Type of the test": "Simulation" if title else "NOVALUE",
        "Reference number of test": test,
        "Number of test objects": "1",
    }
    path = folder / f"{test}.mme"
    path.write_text(_lines({**lines, **header}), encoding="utf-8")
    listing = {"Instrumentation standard": "SAE J211, ISO 6487", "Number of channels": str(len(files))}
    for number, (code, label, record, samples) in enumerate(files, start=1):
        listing[f"Name of channel {number:03d}"] = f"{code} / {label}"
        (within / f"{test}.{number:03d}").write_text(
            _channel_text(test, code, label, record, samples), encoding="utf-8"
        )
    (within / f"{test}.chn").write_text(_lines(listing), encoding="utf-8")
    return path


def _channel_text(test: str, code: str, label: str, record: Record, samples: np.ndarray) -> str:
    unit = QUANTITIES[record.quantity][0]
    step = record_check.uniform_step(record.time, name=label) if len(record.time) > 1 else 0.0
    high, low = int(np.argmax(samples)), int(np.argmin(samples))
    head = {
        "Test object number": code[0],
        "Name of the channel": label,
        "Laboratory channel code": "NOVALUE",
        "Channel code": code,
        "Location": "NOVALUE",
        "Dimension": record.quantity.replace("_", " "),
        "Direction": code[14],
        "Channel frequency class": "NOVALUE" if record.filter_class is None else f"{record.filter_class:g}",
        "Unit": _UNITS.get(unit, unit),
        "Reference system": "SAE J211: x forward, y right, z down; signs of SAE J1733",
        "Reference channel": "implicit",
        "Sampling interval": repr(float(step)),
        "Bit resolution": "NOVALUE",
        "Time of first sample": repr(float(record.time[0])),
        "Number of samples": str(len(samples)),
        "Reference number of test": test,
        "First global maximum value": repr(float(samples[high])),
        "Time of maximum value": repr(float(record.time[high])),
        "First global minimum value": repr(float(samples[low])),
        "Time of minimum value": repr(float(record.time[low])),
    }
    return _lines(head) + "\n".join(map(repr, samples.astype(float).tolist())) + "\n"


def _lines(fields: dict[str, str]) -> str:
    return "".join(f"{name:<28}:{value}\n" for name, value in fields.items())


# reading


def _header_file(path: Path) -> Path:
    if path.is_dir():
        found = [file for file in sorted(path.iterdir()) if file.suffix.lower() == ".mme"]
        if len(found) != 1:
            what = "no .mme file" if not found else f"{len(found)} .mme files; give one of them"
            raise InputError(f"{path} has {what}; expected a folder of ISO-MME data.")
        return found[0]
    if not path.is_file():
        raise InputError(f"there is no file or folder {path}.")
    return path


def _member(folder: Path, name: str) -> Path:
    """A file of a folder, whatever its capitals."""
    for file in folder.iterdir() if folder.is_dir() else ():
        if file.name.lower() == name.lower():
            return file
    raise InputError(f"{folder} has no {name}; the ISO-MME data are not whole.")


def _fields(text: str) -> list[tuple[str, str]]:
    return [field for line in text.splitlines() if (field := _field(line)) is not None]


def _field(line: str) -> tuple[str, str] | None:
    """Return name and value of a line of a header, or None for another line; in linear time, unlike an expression."""
    name, colon, value = line.partition(":")
    return (name.strip(), value.strip()) if colon and name.strip() else None


def _channel(file: Path) -> tuple[list[tuple[str, str]], np.ndarray]:
    """The header of a channel file and its numbers."""
    lines = read_text(file, latin=True).splitlines()
    begin = next((i for i, line in enumerate(lines) if line.strip() and _field(line) is None), len(lines))
    numbers = [line.strip() for line in lines[begin:] if line.strip()]
    values = np.full(len(numbers), np.nan)
    for at, text in enumerate(numbers):
        if text.upper() in _NO_VALUE:
            continue
        try:
            values[at] = float(text)
        except ValueError:
            raise InputError(f"{file}: line {begin + at + 1}: {shown(text)} is not a number.") from None
    fields = _fields("\n".join(lines[:begin]))
    stated = dict(fields).get("Number of samples", "")
    if stated.upper() not in _NO_VALUE and (not stated.isdecimal() or int(stated[:20]) != len(values)):
        raise InputError(
            f'{file}: the header has "Number of samples" {spelled(stated)}, and {len(values)} samples follow; the file '
            "is cut off or edited. Correct one of them."
        )
    return fields, values


def _factor(about: dict[str, str], quantity: str, label: str, assume_units: bool) -> float:
    """Return the factor from the unit of a channel to SI; refuse a channel without a unit."""
    unit = about.get("Unit", "").strip()
    if unit.upper() not in _NO_VALUE:
        return factor(unit, quantity, label)
    if assume_units:
        return 1.0
    raise InputError(
        f"{label}: the header has no unit; write one, or pass assume_units=True (--assume-units) to take it as SI."
    )


def _time(about: dict[str, str], count: int, references: dict[str, np.ndarray], file: Path, code: str) -> np.ndarray:
    """The times of a channel [s]."""
    reference = about.get("Reference channel", "").lower()
    name = about.get("Reference channel name", "").split("/")[0].strip()
    if reference == "explicit":
        if name not in references or len(references[name]) != count:
            raise InputError(
                f"{file}: {code}: its time channel {spelled(name) or '(not named)'} is missing or of another length."
            )
        return references[name]
    try:
        step = float(about["Sampling interval"])
        first = about.get("Time of first sample", "0")
        return (0.0 if first.upper() in _NO_VALUE else float(first)) + step * np.arange(count)
    except (KeyError, ValueError):
        raise InputError(f'{file}: {code}: the header has no number for "Sampling interval".') from None
