"""The tools of the replay in a browser, at three widths: click, trace, tape, plan, map, layers, picture, film."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from PIL import Image

from vitruvian.scenario import Scenario
from vitruvian.scenario.pedestrian import pedestrian_outcome
from vitruvian.view.overlay import MODEL

pytestmark = [pytest.mark.needs_jit, pytest.mark.slow]


@pytest.fixture(scope="module")
def struck():
    return Scenario.load("pedestrian-side-left").run()


@pytest.fixture(scope="module")
def file(struck, tmp_path_factory):
    return struck.report(tmp_path_factory.mktemp("tools") / "report.html").as_uri()


@pytest.fixture(scope="module", params=[(1400, 900), (1000, 800), (390, 844)], ids=["1400", "1000", "390"])
def kept(browser, file, request):
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, accept_downloads=True)
    page = context.new_page()
    page.heard = []
    page.on("pageerror", lambda error: page.heard.append(str(error)))
    page.goto(file)
    page.wait_for_selector('body[data-ready="charts"]', timeout=60_000)
    page.switches = page.evaluate("({...report.replay.show})")
    yield page
    assert page.heard == []
    context.close()


@pytest.fixture
def page(kept):
    """That page at 120 ms with its first view and switches."""
    kept.evaluate(
        "(show) => { Object.assign(report.replay.show, show); report.replay.view('oblique'); }", kept.switches
    )
    kept.evaluate("report.tools.choose(null); report.tools.measure(false); report.tools.traces = []; report.seek(0.12)")
    kept.locator(".replay").scroll_into_view_if_needed()
    settled(kept)
    return kept


def settled(page) -> None:
    page.evaluate("report.replay.paint()")


def place(page, body: str) -> tuple[float, float]:
    """Where the middle of a body is on the screen [px]."""
    at = page.evaluate(
        """(body) => { const replay = report.replay, state = replay.states[0];
        const [x, y, , w] = replay.camera().project(state.models[state.actor.raw.indexOf(body)].slice(12, 15));
        return [0.5 + 0.5 * x / w, 0.5 - 0.5 * y / w]; }""",
        body,
    )
    box = page.locator(".replay canvas").bounding_box()
    return box["x"] + at[0] * box["width"], box["y"] + at[1] * box["height"]


def pixels(page) -> np.ndarray:
    """What the canvas shows (height, width, 3)."""
    settled(page)
    text = page.evaluate("report.replay.canvas.toDataURL('image/png').split(',')[1]")
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB")).astype(int)


def test_a_click_names_the_segment_with_its_load_and_curves(page, struck, artefact):
    page.mouse.click(*place(page, "thorax"))
    card = page.locator(".tool-card")
    words = card.inner_text()
    assert words.lower().startswith("thorax")
    recording = struck.recording
    rows = [row for row, (body, _) in enumerate(recording.pairs) if body == "thorax"]
    force = np.linalg.norm(recording.contact_force[:, rows].sum(axis=1), axis=1)
    assert f"largest {force.max() / 1000:.2f} kN" in words and "speed" in words and "of its limit" in words
    assert card.locator("svg").count() == 2
    page.screenshot(path=artefact(f"card-{page.viewport_size['width']}.png"))
    card.locator("[data-do=close]").click()
    assert card.is_hidden()


def test_any_point_is_traced(page, struck):
    page.mouse.click(*place(page, "thorax"))
    page.locator("[data-do=trace]").click()
    found = page.evaluate(
        """(() => { const trace = report.tools.traces[0], actor = trace.actor;
        return [trace.name, trace.points.length / 3, actor.frames.length]; })()"""
    )
    assert found[0] == "thorax" and found[1] == found[2]
    page.locator("[data-do=trace]").click()
    assert page.evaluate("report.tools.traces.length") == 0


def test_the_tape_measures_what_the_world_has(page):
    """Two points of the ground, whose places follow from the camera."""
    page.locator("[data-view=plan]").click()
    page.locator("[data-act=measure]").click()
    settled(page)
    box = page.locator(".replay canvas").bounding_box()
    pixel = page.evaluate("report.replay.camera().pixel")
    ends = [(box["x"] + share * box["width"], box["y"] + 0.93 * box["height"]) for share in (0.25, 0.75)]
    for x, y in ends:
        page.mouse.click(x, y)
    settled(page)
    words = page.locator(".tool-label.measure").inner_text()
    assert float(words.split(" m")[0]) == pytest.approx((ends[1][0] - ends[0][0]) * pixel, abs=0.02)
    page.locator("[data-act=measure]").click()
    settled(page)
    assert page.locator(".tool-label.measure:visible").count() == 0


def test_the_scale_bar_and_the_plan_are_to_scale(page):
    """In the plan a metre has the same length in pixels everywhere; the bar has the length that it names."""
    page.locator("[data-view=plan]").click()
    settled(page)
    far = page.evaluate(
        """[[0, 0, 0], [1, 0, 0], [3, 1, 2], [4, 1, 2]].map((point) => report.replay.camera().project(point)[0])"""
    )
    assert far[1] - far[0] == pytest.approx(far[3] - far[2], rel=1e-6)
    bar = page.locator(".scale-bar")
    number, unit = bar.inner_text().split()
    metres = float(number) * (0.01 if unit == "cm" else 1.0)
    assert bar.bounding_box()["width"] * page.evaluate("report.replay.camera().pixel") == pytest.approx(
        metres, rel=0.03
    )


def test_the_plan_shows_where_everything_ends(page, struck):
    page.locator("[data-view=plan]").click()
    settled(page)
    labels = page.locator(".tool-label.rest").all_inner_texts()
    assert labels == [
        f"{rest.name.capitalize()}: {rest.words}" for rest in struck.answer().rest if rest.kind in ("person", "vehicle")
    ]


def test_distances_are_those_of_the_outcome(page, struck):
    page.locator("[data-show=lines]").check()
    page.evaluate("report.seek(0.3)")
    settled(page)
    outcome = pedestrian_outcome(struck)
    assert (
        f"wrap-around {outcome.head.wrap_around_distance:.2f} m" in page.locator(".tool-label.wrap").all_inner_texts()
    )
    (way,) = page.locator(".tool-label.way").all_inner_texts()
    assert way == f"way so far {outcome.throw.value:.2f} m, still moving"
    page.locator("[data-show=lines]").uncheck()


def test_the_map_colours_by_the_share_of_the_limit(page, struck):
    page.locator("[data-show=map]").check()
    settled(page)
    shares = page.evaluate(
        "Object.fromEntries(Object.entries(report.replay.actors[0].limits).map(([k, v]) => [k, v.share]))"
    )
    head = [f for f in struck.injury().findings if f.place == "head" and f.limit and f.recommended]
    assert shares["head"] == pytest.approx(max(f.value / f.limit for f in head))
    mapped = page.evaluate("report.tools.map(report.replay.actors[0])")
    bodies = struck.recording.bodies
    assert mapped[bodies.index("head")] == pytest.approx(1.0)  # beyond 150 %
    assert mapped[bodies.index("left_hand")] == 0.0  # without a limit
    assert page.locator(".map-key").is_visible()
    page.locator("[data-show=map]").uncheck()
    settled(page)
    assert page.locator(".map-key").is_hidden()


@pytest.mark.parametrize("layer", ["forces", "skin", "skeleton", "shapes", "joints", "covers", "marks", "path"])
def test_every_layer_changes_the_picture_and_back(page, layer):
    before = pixels(page)
    page.locator(f"[data-show={layer}]").click()
    assert (abs(pixels(page) - before) > 8).any(axis=2).sum() > 20
    page.locator(f"[data-show={layer}]").click()
    assert (abs(pixels(page) - before) > 8).any(axis=2).sum() == 0


def test_a_saved_picture_names_the_model_and_its_limits(page, artefact):
    with page.expect_download() as download:
        page.locator("[data-act=picture]").click()
    path = artefact(f"saved-{page.viewport_size['width']}.png")
    download.value.save_as(path)
    picture = np.asarray(Image.open(path).convert("L")).astype(int)
    assert (picture[-14:] < 200).sum() > 100  # the line at the foot
    assert page.evaluate("report.replay.scene.model") == MODEL and "model" in MODEL


def test_a_film_has_a_real_time_and_a_slow_pass(page, struck):
    if page.viewport_size["width"] != 1000:
        pytest.skip("once is enough")
    size = page.evaluate(
        """async () => { const said = []; const film = await report.tools.film([1, 0.2], (words) => said.push(words));
        return [film.size, film.type, said.some((word) => word.includes("real time")),
        said.some((word) => word.includes("5 times slower")),
        report.replay.time]; }"""
    )
    assert size[0] > 5000 and size[1] == "video/webm" and size[2] and size[3]
    assert size[4] == pytest.approx(struck.recording.end_time, abs=1e-6)


def test_full_screen_fills_the_screen(page):
    page.locator("[data-act=full]").click()
    page.wait_for_function("document.fullscreenElement?.id === 'panel'")
    page.locator("[data-act=full]").click()
    page.wait_for_function("!document.fullscreenElement")
