"""The timeline of the report in a browser: frames, events, zoom and keys, at three widths of the page."""

from __future__ import annotations

import pytest

from vitruvian.scenario import Scenario
from vitruvian.view.timeline import marks

pytestmark = [pytest.mark.needs_jit, pytest.mark.slow]


@pytest.fixture(scope="module")
def struck():
    return Scenario.load("struck-by-front").run()


@pytest.fixture(scope="module")
def file(struck, tmp_path_factory):
    return struck.report(tmp_path_factory.mktemp("timeline") / "report.html").as_uri()


@pytest.fixture(scope="module", params=[(1400, 900), (1000, 800), (390, 844)], ids=["1400", "1000", "390"])
def kept(browser, file, request):
    """One page of each width."""
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(file)
    page.wait_for_selector('body[data-ready="charts"]', timeout=60_000)
    yield page
    context.close()


@pytest.fixture
def page(kept):
    """That page at its start, with the timeline in sight and in focus."""
    kept.evaluate("report.seek(0); report.timeline.zoom(report.timeline.start, report.timeline.end)")
    kept.locator(".timeline-strip").scroll_into_view_if_needed()
    kept.locator(".timeline-strip").focus()
    return kept


def now(page) -> float:
    return page.evaluate("report.time")


def span(page) -> list[float]:
    return page.evaluate("[report.timeline.from, report.timeline.to]")


def test_every_event_is_a_mark_inside_the_page(page, struck):
    found = marks(struck)
    assert page.locator(".timeline-mark").count() == len(found) > 10
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    words = page.evaluate("report.timeline.events.map((event) => event.words)")
    assert sorted(words) == sorted(mark.words for mark in found)


def test_the_names_of_events_are_shown_at_the_pointer_and_at_the_cursor(page, struck, artefact):
    strike = next(mark for mark in marks(struck) if mark.words.startswith("head on") and mark.rank == 1)
    box = page.locator(".timeline-strip").bounding_box()
    share = strike.time / struck.recording.end_time
    assert page.locator(".timeline-tip").is_hidden()
    page.mouse.move(box["x"] + share * box["width"], box["y"] + 12)
    assert strike.words in page.locator(".timeline-tip").inner_text()
    page.screenshot(path=artefact(f"timeline-{page.viewport_size['width']}.png"))
    page.mouse.move(5, 5)
    while now(page) < strike.time - 1e-6:
        page.keyboard.press("PageDown")
    assert now(page) == pytest.approx(strike.time, abs=1e-6)
    assert strike.words in page.locator(".timeline-said").inner_text()
    assert strike.words in page.locator(".timeline-strip").get_attribute("aria-valuetext")


def test_keys_and_buttons_step_from_frame_to_frame(page, struck):
    frames = struck.recording.pose_time
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert now(page) == pytest.approx(frames[2], abs=1e-6)
    page.keyboard.press("ArrowLeft")
    assert now(page) == pytest.approx(frames[1], abs=1e-6)
    page.keyboard.press("Shift+ArrowRight")
    assert now(page) == pytest.approx(frames[11], abs=1e-6)
    page.evaluate(f"report.seek({0.5 * (frames[20] + frames[21])})")
    page.keyboard.press("ArrowLeft")  # between two frames: to the one before
    assert now(page) == pytest.approx(frames[20], abs=1e-6)
    page.keyboard.press("End")
    assert now(page) == pytest.approx(frames[-1], abs=1e-6)
    page.locator("[data-step=back]").click()
    assert now(page) == pytest.approx(frames[-2], abs=1e-6)
    page.locator("[data-step=next]").click()
    assert now(page) == pytest.approx(frames[-1], abs=1e-6)
    page.locator("[data-step=first]").click()
    assert now(page) == frames[0]
    page.locator(".timeline-strip").focus()
    page.keyboard.press(" ")
    assert page.evaluate("report.replay.playing")
    page.keyboard.press(" ")
    assert not page.evaluate("report.replay.playing")


def test_a_pulse_of_a_millisecond_fills_the_strip(page, struck):
    """Zoomed by the wheel about the pointer, by a span along the ruler, by keys; the charts follow."""
    strike = next(mark for mark in marks(struck) if mark.rank == 1).time
    end = struck.recording.end_time
    box = page.locator(".timeline-strip").bounding_box()
    x = round(box["x"] + box["width"] * strike / end)  # a page knows whole pixels
    page.mouse.move(x, box["y"] + 20)
    for _ in range(12):
        page.mouse.wheel(0, -400)
    page.wait_for_timeout(300)
    start, stop = span(page)
    assert start < strike < stop and stop - start < 0.005
    assert 1e-3 / (stop - start) * box["width"] > 50  # a millisecond is that many pixels wide
    share = (x - box["x"]) / box["width"]
    assert abs((share * end - start) / (stop - start) - share) < 0.1  # the pointer stays where it is
    page.wait_for_timeout(600)
    shown = page.evaluate("document.querySelector('.chart').layout.xaxis.range")
    assert shown == pytest.approx([1e3 * start, 1e3 * stop], abs=0.01)
    page.keyboard.press("0")
    assert span(page) == pytest.approx([0.0, end])
    ruler = page.locator(".timeline-ruler").bounding_box()
    y = ruler["y"] + 8
    page.mouse.move(ruler["x"] + 0.25 * ruler["width"], y)
    page.mouse.down()
    page.mouse.move(ruler["x"] + 0.4 * ruler["width"], y)
    page.mouse.move(ruler["x"] + 0.5 * ruler["width"], y)
    page.mouse.up()
    assert span(page) == pytest.approx([0.25 * end, 0.5 * end], rel=0.05)
    page.locator(".timeline-strip").dblclick()
    assert span(page) == pytest.approx([0.0, end])
    page.locator(".timeline-strip").focus()
    page.keyboard.press("+")
    assert span(page)[1] - span(page)[0] == pytest.approx(0.5 * end)
    page.keyboard.press("End")  # the window follows the cursor
    assert span(page)[1] == pytest.approx(end)


def test_a_drag_along_the_strip_shows_the_moments(page, struck):
    box = page.locator(".timeline-strip").bounding_box()
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 20)
    page.mouse.up()
    assert now(page) == pytest.approx(0.6 * struck.recording.end_time, rel=0.03)
