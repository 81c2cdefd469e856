"""The spread of a run in the studio: the numbers of --spread, with the run to which they belong."""

import re
import time

import pytest

pytest.importorskip("viser")

from vitruvian.studio import headless
from vitruvian.study import spread

pytestmark = pytest.mark.needs_jit


@pytest.fixture
def tab(tmp_path):
    with headless.session("fall-1cm", tmp_path / "work") as (session, _):
        session.set_text("solver.duration = 0.05")
        session.run()
        assert session.worker.join(60.0)
        session.results.spread._cases.value = 16
        yield session


def said(tab):
    return tab.results.spread._message.content


def shown(tab):
    return re.sub(r"<[^>]*>", " ", tab.results.spread._table.content).replace("\N{NO-BREAK SPACE}", " ")


def test_it_gives_what_the_function_gives_and_shows_it_everywhere(tab):
    tab.results.spread.start()
    assert tab.results.spread.worker.join(120.0)
    assert "16 cases in" in said(tab)
    wanted = spread(tab.now.scenario, 16)
    outcome, found = tab.results.spread.found
    assert outcome is tab.now and found.to_dict() == wanted.to_dict()
    one = wanted["HIC15"]
    assert f"{one.median:.3g}" in shown(tab) and f"{one.low:.3g} to {one.high:.3g}" in shown(tab)
    assert tab.now.result.intervals["HIC15"] == (one.low, one.high)
    assert any(value.interval == (one.low, one.high) for value in tab.now.result.answer().values)
    bands = [curve for chart in tab.now.charts for curve in chart.curves if "%" in curve.name]
    assert bands, "the curves of the head have bands"
    assert tab.results.spread._stop.disabled and tab.results.spread._bar.value == 0.0


def test_the_intervals_of_an_earlier_run_are_marked(tab):
    tab.results.spread.start()
    assert tab.results.spread.worker.join(120.0)
    assert "earlier run" not in shown(tab)
    tab.set_text("human.mass = 66")
    tab.run()
    assert tab.worker.join(60.0)
    assert "earlier run" in shown(tab) and tab.now.result.intervals == {}


def test_it_can_be_stopped_and_run_again(tab):
    tab.results.spread._cases.value = 512
    tab.results.spread.start()
    deadline = time.monotonic() + 60.0
    while "cases," not in said(tab) and time.monotonic() < deadline:
        time.sleep(0.05)
    tab.results.spread.stop()
    assert tab.results.spread.worker.join(60.0)
    assert "Stopped" in said(tab) and tab.results.spread.found is None


def test_what_has_nothing_to_vary_says_so(tmp_path):
    with headless.session("sliding-block", tmp_path / "work") as (session, _):
        session.results.spread.start()
        assert session.results.spread.worker.join(60.0)
        assert "no person and no vehicle" in said(session) and session.results.spread._stop.disabled
