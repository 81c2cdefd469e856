"""Are they the right equations? `vitruvian validate` puts measured people and cadavers beside our runs.

An entry is a function in a module of this room, `validate_*.py`, and one line below.
"""

from __future__ import annotations

from .report import Entry, Progress, Report, made

#: name -> where it is computed, in the order in which they are shown
VALIDATIONS: dict[str, Entry] = {
    "standing-falls": Entry("validate_falls", "standing_falls", "Head speed and acceleration in falls from standing"),
    "pedestrian": Entry("validate_pedestrian", "throws", "Throw distance of pedestrians beside Searle's bounds"),
}


def validate(name: str, progress: Progress | None = None) -> Report:
    """The published ranges of one kind of test beside ours."""
    return made(VALIDATIONS, "validation", name, progress)
