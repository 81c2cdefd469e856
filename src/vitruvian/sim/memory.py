"""How much memory is free, asked before it is taken."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InputError


def refuse_beyond(needed: float, what: str, remedy: str = "") -> None:
    """Refuse what needs more memory [byte] than this process can have."""
    free = available()
    if needed > free:
        raise InputError(
            f"{what} needs {needed / 1e9:.3g} GB of memory and {free / 1e9:.3g} GB are free.{remedy and ' ' + remedy}"
        )


def available() -> float:
    """Return the memory that this process can still take [byte]: free of the machine, of its container, of its limit.

    Infinite where the system does not tell.
    """
    return min(_of_machine(), _of_container(), _of_process())


def _of_machine() -> float:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024.0 * float(line.split()[1])
    except OSError:
        pass
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return float("inf")


def _of_container(folder: Path = Path("/sys/fs/cgroup")) -> float:
    try:
        limit = float((folder / "memory.max").read_text(encoding="ascii"))  # "max" is no number
        taken = float((folder / "memory.current").read_text(encoding="ascii"))
        lines = (line.split() for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines())
        # copies of files count as taken, but the system drops them when memory is needed
        dropped = sum(float(size) for name, size in lines if name in ("active_file", "inactive_file"))
        return max(limit - taken + dropped, 0.0)
    except (OSError, ValueError):
        return float("inf")


def _of_process() -> float:
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return float("inf")
        pages = float(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        return max(limit - pages * resource.getpagesize(), 0.0)
    except (ImportError, OSError):
        return float("inf")
