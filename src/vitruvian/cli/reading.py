"""Inputs that are a run or measured data: the kind follows from the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..injury.channels import Channels


def is_run(path: Path) -> bool:
    """Return whether a path is a result, or the folder of one; refuse a path that is not there."""
    from ..errors import InputError

    if not path.exists():
        raise InputError(f"there is no file or folder {path}.")
    return path.suffix.lower() == ".nc" or (path / "result.nc").exists()


def measured_channels(path: Path, *, assume_units: bool) -> Channels:
    """Return the channels of a CSV file, or of a folder or .mme file of ISO-MME data."""
    from ..errors import InputError
    from ..export import csv_record, isomme

    if path.is_dir() or path.suffix.lower() == ".mme":
        return isomme.read(path, assume_units=assume_units)
    if path.suffix.lower() in (".csv", ".tsv", ".txt"):
        return csv_record.read(path, assume_units=assume_units)
    raise InputError(f"{path}: {path.suffix or 'no ending'} is not known; accepted: .csv, .nc, .mme or a folder.")


def channels_of(path: Path, *, assume_units: bool = False) -> Channels:
    """Return the channels of a run or of measured data."""
    from ..injury.channels import from_result
    from . import screen

    if is_run(path):
        return from_result(screen.loaded(path).sound)
    return measured_channels(path, assume_units=assume_units)
