"""The origin of the numbers of an exported file, in words that all exports share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import __version__

if TYPE_CHECKING:
    from ..sim.result import Result


def about(result: Result) -> dict[str, str]:
    """Where the numbers come from, for the head of a file."""
    command = {"command": result.command} if result.command else {}
    return {
        "title": result.title or result.name or "unnamed",
        "scenario": result.name or "made in Python",
        **command,
        "simulated by": f"vitruvian {result.provenance.get('vitruvian', __version__)}",
        "exported by": f"vitruvian {__version__}",
        "status": f"{result.status} at {result.recording.end_time:g} s",
        "method": f"{result.recording.method}, tolerance {result.recording.tolerance:g}",
    }
