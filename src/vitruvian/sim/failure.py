"""Failures of a run as sentences: ligaments and bones of joints beyond their limits."""

from __future__ import annotations

from ..model import System
from .recording import Recording

SIGN = "Failure: "  # at the start of every sentence


def failed(recording: Recording, system: System) -> tuple[str, ...]:
    """Return a sentence for each joint that failed, in the order of time.

    As in "Failure: left knee: ligaments torn at 12 ms."
    A joint that fails in several directions is named once, with its first time.
    """
    first: dict[str, float] = {}
    for event in sorted(recording.events, key=lambda event: event.time):
        if event.kind == "failure":
            first.setdefault(event.surface, event.time)
    sentences = []
    for name, time in first.items():
        resistance = system.joint(name).resistance
        word = resistance.injury if resistance is not None else "failed"
        sentences.append(f"{SIGN}{name.replace('_', ' ')}: {word} at {1e3 * time:.0f} ms.")
    return tuple(sentences)
