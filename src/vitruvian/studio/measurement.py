"""Measured curves that a user loads into the page: CSV, or ISO-MME data as a zip file."""

from __future__ import annotations

import tempfile
import zipfile
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ..errors import InputError
from ..export import csv_record, isomme
from ..injury.channels import QUANTITIES, Channels, from_result
from ..injury.match import Match, matches
from ..view.charts import Chart, Curve, thinned

if TYPE_CHECKING:
    from ..sim.result import Result

_LARGEST = 200_000_000  # of the unpacked files [bytes]
_CSV = (".csv", ".tsv", ".txt")


def read(name: str, content: bytes) -> Channels:
    """Return the channels of an uploaded file: .csv, or a .zip of the folder of ISO-MME data."""
    ending = PurePosixPath(name).suffix.lower()
    with tempfile.TemporaryDirectory() as folder:
        if ending in _CSV:
            path = Path(folder) / f"measured{ending}"
            path.write_bytes(content)
            return csv_record.read(path)
        if ending == ".zip":
            return isomme.read(_unpacked(name, content, Path(folder)))
    raise InputError(f"{name}: {ending or 'no ending'} is not known; accepted: .csv, or a .zip of ISO-MME data.")


def _unpacked(name: str, content: bytes, folder: Path) -> Path:
    """Unpack a zip file; return the folder of its .mme file."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            size = sum(member.file_size for member in archive.infolist())
            if size > _LARGEST:
                raise InputError(f"{name} unpacks to {size / 1e6:.0f} MB; accepted up to {_LARGEST / 1e6:.0f} MB.")
            archive.extractall(folder)  # members that lead out of the folder are kept inside by zipfile
    except zipfile.BadZipFile:
        raise InputError(f"{name} is not a zip file.") from None
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".mme")
    if len(found) != 1:
        raise InputError(f"{name} holds {len(found)} .mme files; accepted: the folder of one test.")
    return found[0].parent


def compared(measured: Channels, result: Result) -> list[Match]:
    """Return the channels that the measurement and the run have in common, with ratings by ISO/TS 18571."""
    return matches(measured, from_result(result.sound))


def charts(found: list[Match]) -> list[Chart]:
    """Return a chart of each compared channel: the run over the measurement, with the rating in the title."""
    made = []
    for number, match in enumerate(found):
        quantity = match.name.split(".")[-2] if "." in match.name else match.name
        unit = QUANTITIES[quantity][0]
        rating = f"ISO 18571 {match.rating.value:.2f}, {match.rating.grade}" if match.rating else match.reason
        curves = [
            Curve(words, *thinned(1e3 * match.time, values))
            for words, values in (("run", match.other), ("measured", match.reference))
        ]
        made.append(Chart(f"measured{number}", f"{match.name}: {rating}", unit, curves))
    return made
