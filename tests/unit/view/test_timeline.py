"""The events and the curve of a timeline."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian.scenario import Scenario
from vitruvian.sim.recording import Event
from vitruvian.sim.result import Result
from vitruvian.view import timeline

pytestmark = pytest.mark.needs_jit


@pytest.fixture(scope="module")
def fall() -> Result:
    return Scenario.load("fall-4m").run()


def test_no_event_of_the_recording_is_missing(fall):
    """Each touch, separation and the rest is a mark, alone or in a pair of left and right."""
    times = np.array([mark.time for mark in timeline.marks(fall)])
    for event in fall.recording.events:
        assert np.abs(times - event.time).min() < 1e-4, event


def test_too_many_events_are_counted_not_dropped_silently(fall):
    many = [Event(1e-4 * k, ("touch", "separation")[k % 2], "head", "ground", 1.0) for k in range(4000)]
    result = Result(fall.recording.replace(events=many), geometry=fall.geometry)
    words = [mark.words for mark in timeline.marks(result)]
    assert sum("touches are not drawn" in text for text in words) == 1


def test_the_curve_keeps_the_largest_value(fall):
    found = timeline.pulse(fall)
    assert found is not None
    words, time, value = found
    whole_time, whole = fall.resultant_g("head")
    assert value.max() == np.nanmax(whole) and time[value.argmax()] == whole_time[np.nanargmax(whole)]
    assert words.startswith("head acceleration")


def test_events_of_several_runs_are_told_apart(fall):
    rows = timeline.rows([fall, fall], ["one", "two"])
    assert {row["words"].split(":")[0] for row in rows} == {"one", "two"}
    assert all(row["rank"] in (1, 2, 3, 4) for row in rows)
