"""Files of a run that the page sends to the browser."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from .._files import plain_name
from ..export import tidy
from ..scenario import Scenario
from ..sim.result import Result
from ..view import gltf

#: kind -> what its button says, and its icon
KINDS: dict[str, tuple[str, str]] = {
    "report": ("Report (HTML)", "report-analytics"),
    "scenario": ("Scenario (TOML)", "file-text"),
    "result": ("Result (NetCDF)", "database"),
    "channels": ("Channels (CSV, zipped)", "table"),
    "criteria": ("Criteria (CSV)", "heart-rate-monitor"),
    "model": ("Moving model (glTF)", "cube"),
}


def made(kind: str, scenario: Scenario, result: Result | None, before: Result | None = None) -> tuple[str, bytes]:
    """Return name and content of a file; the report shows the run before as a ghost.

    scenario  as it is now, which may have changed since the run
    """
    if kind == "scenario":
        return f"{plain_name(scenario.name)}.toml", scenario.to_toml().encode()
    assert result is not None
    name = plain_name(result.name)
    if kind == "criteria":
        return f"{name}-criteria.csv", result.injury().to_csv().encode()
    if kind == "channels":
        return f"{name}-channels.zip", _zipped(
            {f"{part}.csv": tidy.csv_text(t) for part, t in tidy.tables(result).items()}
        )
    if kind == "report":
        against = [] if before is None else [before]
        return f"{name}.html", _written(lambda path: result.report(path, against=against), "report.html")
    if kind == "model":
        return f"{name}.glb", _written(lambda path: gltf.write(result, path), "model.glb")
    return f"{name}.nc", _written(result.save, "result.nc")


def _zipped(texts: dict[str, str]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:  # a user waits
        for name, text in texts.items():
            file.writestr(name, text)
    return archive.getvalue()


def _written(write: Callable[[Path], object], name: str) -> bytes:
    """Return the bytes that `write` puts into a temporary file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write(path)
        return path.read_bytes()
