"""Do we get the tables and figures of the documents the models come from? `vitruvian reproduce` shows both.

An entry is a function in a module of this package, and one line below.
"""

from __future__ import annotations

from ..verdict import Entry, Progress, Report, made

#: name -> where it is computed, in the order in which they are shown
REPRODUCTIONS: dict[str, Entry] = {
    "thesis-4": Entry("reproduce.thesis_joints", "body", "The body and its joints"),
    "thesis-6.4": Entry("reproduce.thesis_joints", "pendulums", "Spherical pendulum with joint stiffness"),
    "thesis-3.4": Entry("reproduce.stability", "stability", "Stabilisation of a pendulum and a double pendulum"),
    "thesis-5.2": Entry("reproduce.contact_laws", "laws", "What the contact laws return"),
    "thesis-6.2": Entry("reproduce.ball", "ball", "The bouncing ball"),
    "thesis-6.3": Entry("reproduce.incline", "incline", "The ellipsoid on a slope"),
    "thesis-6.5": Entry("reproduce.thesis_falls", "falls", "The falls of the human body model"),
    "silva": Entry("reproduce.silva", "silva", "The occupant: tables, counts, misprints, forward fall"),
    "pedestrian2d": Entry("reproduce.pedestrian2d", "pedestrian2d", "The 2D pedestrian: a small woman, a car, 30 km/h"),
    "heel-raise": Entry("reproduce.heel_raise", "heel_raise", "The heel raise: reaction, bone strain, frequencies"),
}


def reproduce(name: str, progress: Progress | None = None) -> Report:
    """Return the comparison of the printed numbers of one part of a source with ours."""
    return made(REPRODUCTIONS, "reproduction", name, progress)
