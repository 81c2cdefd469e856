"""Are they the right equations? `vitruvian validate` compares measured people and cadavers with our runs.

An entry is a function in a module of this package, and one line below. Rows made by `target.compared` belong to a
target of the frozen table; `score.score` runs all entries and counts them.
"""

from __future__ import annotations

from ..verdict import Entry, Progress, Report, made

#: name -> where it is computed, in the order in which they are shown
VALIDATIONS: dict[str, Entry] = {
    "joints": Entry("validate.joints", "joints", "Static moments, free swing and failure of joints"),
    "neck": Entry("validate.neck", "neck", "Head of volunteers in a frontal sled test of 15 g (calibration)"),
    "tissues": Entry("validate.tissues", "tissues", "Heel, hip, shoulder, thorax and head struck, pressed or dropped"),
    "standing-falls": Entry(
        "validate.standing_falls", "standing_falls", "Head speed and acceleration in standing falls"
    ),
    "landings": Entry("validate.landings", "landings", "Passive feet-first landings on straight legs"),
    "occupant": Entry("validate.occupant", "occupant", "Load on padded knees, belted frontal impact"),
    "impactors": Entry("validate.impactors", "impactors", "Headforms and legforms of pedestrian tests on the fronts"),
    "pedestrian": Entry("validate.throws", "throws", "Throw distance of pedestrians compared with Searle's bounds"),
    "pedestrian-pairs": Entry("validate.pairs", "pairs", "Head impact, launch and throw of 20 pairs of person and car"),
}


def validate(name: str, progress: Progress | None = None) -> Report:
    """Return the comparison of the published ranges of one kind of test with ours."""
    return made(VALIDATIONS, "validation", name, progress)
