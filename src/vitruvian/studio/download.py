"""Files of a run that the page sends to the browser."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from ..scenario import Scenario
from ..sim.result import Result

#: kind -> what its button says, and its icon
KINDS: dict[str, tuple[str, str]] = {
    "scenario": ("Scenario (TOML)", "file-text"),
    "result": ("Result (NetCDF)", "database"),
    "criteria": ("Criteria (CSV)", "table"),
}


def made(kind: str, scenario: Scenario, result: Result | None) -> tuple[str, bytes]:
    """Name and content of a file."""
    if kind == "scenario":
        return f"{scenario.name}.toml", scenario.to_toml().encode()
    assert result is not None
    if kind == "criteria":
        return f"{scenario.name}-criteria.csv", result.injury().to_csv().encode()
    return f"{scenario.name}.nc", _written(result.save, "result.nc")


def _written(write: Callable[[Path], object], name: str) -> bytes:
    """What something writes into a file, which is then gone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write(path)
        return path.read_bytes()
