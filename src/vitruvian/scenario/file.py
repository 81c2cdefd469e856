"""Files that a scenario mentions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import InputError


def of_file(load: Callable[[Path], Any], name: str, where: str, folder: Path) -> Any:
    """Return what a function reads from a file that the scenario mentions; errors name the place and the file."""
    try:
        return load(folder / name)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
