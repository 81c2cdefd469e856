"""The report and the replay in a browser: opened from disk, they play, scrub, link and fit a phone."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vitruvian.scenario import Scenario
from vitruvian.sim.result import Result
from vitruvian.view.report import write_replay

pytestmark = [pytest.mark.needs_jit, pytest.mark.slow]


@pytest.fixture(scope="module")
def struck() -> Result:
    return Scenario.load("struck-by-front").run()


@pytest.fixture(scope="module")
def file(struck: Result, tmp_path_factory: pytest.TempPathFactory) -> str:
    return struck.report(tmp_path_factory.mktemp("report") / "report.html").as_uri()


@pytest.fixture
def opened(new_page, file):
    """The report, its charts drawn."""

    def make(*size, **options):
        page, heard = new_page(*size, **options)
        page.goto(file)
        page.wait_for_selector('body[data-ready="charts"]', timeout=60_000)
        return page, heard

    return make


@pytest.fixture(scope="module")
def kept(browser, file):
    """One page for all tests that leave it as it was."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(file)
    page.wait_for_selector('body[data-ready="charts"]', timeout=60_000)
    yield page
    context.close()


@pytest.fixture
def page(kept):
    """That page at its start."""
    kept.evaluate("report.seek(0); report.replay.view('oblique'); scrollTo(0, 0)")
    return kept


def canvas(page) -> np.ndarray:
    """The pixels of the replay, red, green, blue."""
    drawn(page)
    address = page.evaluate("document.querySelector('#replay canvas').toDataURL()")
    raw = base64.b64decode(address.partition(",")[2])
    return np.asarray(Image.open(io.BytesIO(raw)).convert("RGB")).astype(float)


def drawn(page) -> None:
    """Wait until what was asked for is drawn: that takes an animation frame, which begins before the second one."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def until(page, truth: str, seconds: float = 30.0) -> None:
    """Wait until an expression is true (the page's policy forbids Playwright to ask by itself)."""
    for _ in range(round(seconds / 0.02)):
        if page.evaluate(truth):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"not within {seconds} s: {truth}")


def time_shown(page) -> float:
    """The time that the page shows [ms]."""
    return float(page.locator(".time").inner_text().removesuffix(" ms"))


def test_it_opens_from_disk_without_errors_and_network(opened, artefact, file):
    page, heard = opened()
    page.evaluate("report.seek(0.137)")
    drawn(page)
    page.screenshot(path=artefact("report.png"))
    page.screenshot(path=artefact("report-whole.png"), full_page=True)
    assert heard.errors == []
    assert [url for url in heard.requests if not url.startswith(("data:", "blob:"))] == [file]


def test_the_body_is_seen_and_moves_when_play_is_pressed(page):
    before = canvas(page)
    assert len(np.unique(before.reshape(-1, 3), axis=0)) > 500  # shaded bodies, not one background
    assert time_shown(page) == 0.0
    page.locator(".play").click()
    until(page, "report.time > 0.005")
    page.locator(".play").click()
    stopped = time_shown(page)
    assert stopped > 1.0
    assert np.abs(canvas(page) - before).mean() > 0.5
    page.wait_for_timeout(100)
    assert time_shown(page) == stopped
    assert page.locator(".play").inner_text() == "Play"


def test_it_plays_to_the_end_and_begins_again(page, struck):
    page.locator(".speed").select_option("1")
    page.locator(".play").click()
    until(page, "report.time > 0 && !report.replay.playing")
    assert time_shown(page) == pytest.approx(1e3 * struck.recording.end_time)
    assert page.locator(".play").inner_text() == "Play"
    page.locator(".speed").select_option("0.01")
    page.locator(".play").click()
    until(page, "report.replay.playing && report.time > 0 && report.time < 0.1")
    page.locator(".play").click()
    page.locator(".speed").select_option("0.02")


def test_scrubbing_to_the_window_of_the_hic_shows_the_marked_time(page, struck, artefact):
    hic = struck.injury()["HIC15"]
    button = page.locator(".moments .window", has_text="HIC15")
    assert "now" not in button.get_attribute("class")
    scrub = page.locator(".scrub")
    scrub.evaluate(
        f"(slider) => {{ slider.value = {0.5 * (hic.t1 + hic.t2)}; slider.dispatchEvent(new Event('input')); }}"
    )
    assert 1e3 * hic.t1 - 0.05 <= time_shown(page) <= 1e3 * hic.t2 + 0.05
    assert "now" in button.get_attribute("class")
    button.click()
    assert time_shown(page) == pytest.approx(1e3 * hic.t1, abs=0.051)
    box = page.locator("#chart-acceleration0")
    assert float(box.get_attribute("data-time")) == pytest.approx(1e3 * hic.t1, abs=0.051)
    assert f"HIC15: {1e3 * hic.t1:.1f} to {1e3 * hic.t2:.1f} ms" in box.text_content()
    # the cursor stands in the window that the chart marks
    line = box.locator(".cursor").bounding_box()
    marked = box.locator(".shapelayer path, .layer-below path").first.bounding_box()
    assert marked["x"] - 2.0 <= line["x"] <= marked["x"] + marked["width"] + 2.0
    page.screenshot(path=artefact("report-hic.png"))


def test_every_chart_is_there_with_its_curves(page):
    for key, curves in (
        ("acceleration0", 2),
        ("acceleration1", 2),
        ("contact", 6),
        ("jointforce", 6),
        ("jointmoment", 6),
    ):
        assert page.locator(f"#chart-{key} .scatterlayer .trace").count() == curves, key
    assert page.locator("#chart-energy .scatterlayer .trace").count() >= 5
    assert page.locator(".chart").count() == page.locator(".chart .main-svg").count() / 3 == 6


def test_a_click_in_a_chart_moves_the_replay_and_all_cursors(page):
    page.locator("#chart-contact").scroll_into_view_if_needed()
    drag = page.locator("#chart-contact .nsewdrag").bounding_box()
    page.mouse.click(drag["x"] + 0.5 * drag["width"], drag["y"] + 0.5 * drag["height"])
    assert time_shown(page) == pytest.approx(150.0, abs=2.0)
    cursors = page.locator(".chart").evaluate_all("boxes => boxes.map(box => box.dataset.time)")
    assert {float(time) for time in cursors} == {time_shown(page)}


def test_a_zoom_of_one_chart_is_a_zoom_of_all(page):
    ranges = "[...document.querySelectorAll('.chart')].map((box) => box.layout.xaxis.range.map(Math.round).join())"
    before = page.evaluate(ranges)
    page.evaluate("Plotly.relayout('chart-contact', {'xaxis.range[0]': 120, 'xaxis.range[1]': 160})")
    until(page, f"{ranges}.every((range) => range === '120,160')")
    page.evaluate("Plotly.relayout('chart-energy', {'xaxis.autorange': true})")
    until(page, f"{ranges}.join() === '{','.join(before)}'")


def test_camera_presets_show_something_else(page, artefact):
    page.evaluate("report.seek(0.13)")
    seen = []
    for view in ("side", "left", "front", "back", "top", "plan", "oblique"):
        page.locator(f"[data-view={view}]").click()
        picture = canvas(page)
        Image.fromarray(picture.astype(np.uint8)).save(artefact(f"view-{view}.png"))
        assert all(np.abs(picture - other).mean() > 1.0 for other in seen), view
        assert "on" in page.locator(f"[data-view={view}]").get_attribute("class")
        seen.append(picture)


def test_switches_change_the_picture(page, artefact):
    page.evaluate("report.seek(0.15)")
    before = canvas(page)
    for key in ("forces", "skin", "path"):
        page.locator(f"[data-show={key}]").click()
        after = canvas(page)
        assert np.abs(after - before).max() > 20.0, key
        Image.fromarray(after.astype(np.uint8)).save(artefact(f"switch-{key}.png"))
        page.locator(f"[data-show={key}]").click()
    assert np.abs(canvas(page) - before).max() < 1.0  # and back again
    mark = page.locator(".replay-labels span", has_text="head on front windscreen").first
    assert mark.is_visible()
    page.locator("[data-show=labels]").click()
    drawn(page)
    assert not mark.is_visible()
    page.locator("[data-show=labels]").click()


def test_a_phone_shows_all_of_it_without_scrolling_sideways(opened, artefact):
    page, heard = opened(390, 844, device_scale_factor=2, is_mobile=True, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.screenshot(path=artefact("report-phone.png"), full_page=True)
    assert heard.errors == []


def test_paper_has_a_picture_in_place_of_the_canvas(opened, artefact):
    page, _ = opened()
    assert not page.locator(".still").is_visible()
    page.emulate_media(media="print")
    assert page.locator(".still").is_visible()
    assert not page.locator("#panel").is_visible()
    assert page.locator(".still img").evaluate_all("images => images.map(image => image.naturalWidth)") == [300] * 6
    page.pdf(path=artefact("report.pdf"), format="A4")


def test_without_webgl_there_is_a_picture(new_page, file):
    page, _ = new_page()
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page.goto(file)
    page.wait_for_selector('body[data-ready="charts"]', timeout=60_000)
    assert page.locator(".sorry").is_visible() and page.locator(".still").is_visible()
    page.locator("#sequence .when").nth(4).click()
    assert float(page.locator("#chart-contact").get_attribute("data-time")) > 0.0


def test_an_old_browser_and_one_without_scripts_show_picture_and_tables(new_page, file):
    old, _ = new_page()
    old.add_init_script("delete window.DecompressionStream")
    old.goto(file)
    plain, _ = new_page(java_script_enabled=False)
    plain.goto(file)
    for page in (old, plain):
        assert page.locator(".still").is_visible() and not page.locator("#panel").is_visible()
        assert page.locator("#injury table").first.is_visible()


def test_a_title_with_a_script_is_text(struck, new_page, tmp_path):
    title = '<script>document.body.dataset.evil = "1"</script><img src=x onerror="document.body.dataset.evil=1">'
    evil = Result(struck.recording, geometry=struck.geometry, title=title, name=title)
    page, heard = new_page()
    page.goto(evil.report(tmp_path / "evil.html").as_uri())
    page.wait_for_selector('body[data-ready="charts"]', timeout=60_000)
    assert page.locator("h1").inner_text() == title
    assert page.evaluate("document.body.dataset.evil ?? 'none'") == "none"
    assert heard.errors == []


def test_a_notebook_plays_it_in_a_frame_of_its_own(struck, new_page, tmp_path):
    file = tmp_path / "cell.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><title>cell</title>{struck._repr_html_()}", encoding="utf-8")
    page, heard = new_page()
    page.goto(file.as_uri())
    inside = page.frame_locator("iframe")
    inside.locator("body[data-ready]").wait_for(timeout=60_000)
    assert inside.locator(".time").inner_text() == "0.0 ms"
    inside.locator(".play").click()
    inside.locator(".time").filter(has_not_text=re.compile(r"^0\.\d ms$")).wait_for()
    assert heard.errors == []


def test_two_results_are_a_ghost_and_stand_side_by_side(struck, new_page, tmp_path, artefact):
    """Also where one is 4 m above the other and ends before it: both stay in sight."""
    falling = Scenario.load("fall-4m", {"solver.duration": 0.2}).run()
    path = write_replay([struck, falling], tmp_path / "two.html", labels=["struck", "falling"])
    page, heard = new_page()
    page.goto(Path(path).as_uri())
    page.wait_for_selector("body[data-ready]", timeout=60_000)
    page.evaluate("report.seek(0.12)")
    together = canvas(page)
    page.screenshot(path=artefact("ghost.png"))
    names, room = page.locator(".replay-labels .name"), page.locator("#replay").bounding_box()
    assert names.all_inner_texts() == ["struck", "falling"]
    one, other = (name.bounding_box() for name in names.all())
    assert one["y"] + one["height"] <= other["y"]  # the names do not hide each other
    page.locator("[data-show=apart]").click()
    assert np.abs(canvas(page) - together).mean() > 1.0
    page.evaluate("report.seek(0.25)")
    canvas(page)  # once it is drawn
    assert names.all_inner_texts() == ["struck", "falling (ended at 200 ms)"]
    for box in (name.bounding_box() for name in names.all()):  # above the heads
        assert room["x"] < box["x"] and box["x"] + box["width"] < room["x"] + room["width"]
        assert room["y"] < box["y"] and box["y"] + box["height"] < room["y"] + room["height"]
    page.screenshot(path=artefact("side-by-side.png"))
    assert heard.errors == []
