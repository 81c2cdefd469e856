"""The studio in a browser: run, change, run again, be refused, close and come back, two tabs side by side."""

from __future__ import annotations

import re
import time

import pytest

pytest.importorskip("viser")

from vitruvian.studio.app import Studio

pytestmark = [pytest.mark.needs_jit, pytest.mark.slow]

SIZE = {"width": 1060, "height": 640}  # small, for the picture is drawn by the processor
PATIENCE = 240_000  # [ms], on a busy machine that may have to compile first


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    with Studio(folder=tmp_path_factory.mktemp("studio"), port=0) as running:
        running.server.scene.configure_default_lights(cast_shadow=False)
        yield running


class Tab:
    """A browser tab with a studio, which has answered its first run.

    errors, requests  what its console said and what it asked for
    session           what serves it
    """

    def __init__(self, browser, studio):
        before = set(studio.sessions)
        self.context = browser.new_context(viewport=SIZE, accept_downloads=True)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.errors, self.requests = [], []
        self.page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(studio.address)
        self.says("answered in")
        (self.number,) = set(studio.sessions) - before
        self.session = studio.sessions[self.number]
        self.session.pause()

    def says(self, words):
        """Wait until the page says something."""
        self.page.get_by_text(words).first.wait_for()

    def refuses(self, words):
        """Wait until the page answers with an error."""
        self.page.get_by_role("alert").filter(has_text=words).wait_for()

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def open(self, name):
        self.page.get_by_role("tab", name=name).click()

    def field(self, label):
        """The box for numbers of a slider, or a text field, by its label."""
        name = self.page.get_by_text(label, exact=True).first
        return name.locator("xpath=ancestor::*[.//input][1]").locator("input").last

    def set(self, change):
        """Type a change of any value."""
        box = self.field("set")
        if not box.is_visible():
            self.page.get_by_text("Any value").click()
        box.fill(change)
        self.press("Set")

    def value(self, criterion="HIC15", column=1):
        """A number of the injury table."""
        row = self.page.locator(".vs tr", has=self.page.locator(f"td:first-child >> text=/^{criterion}$/"))
        return float(re.match(r"[-+.\de]+", row.locator("td").nth(column).inner_text())[0])

    def runs_to_another(self, before):
        """Press Run and wait for another HIC15."""
        self.press("Run")
        deadline = time.monotonic() + 1e-3 * PATIENCE
        while self.value() == before:
            assert time.monotonic() < deadline, "the run was not answered"
            self.page.wait_for_timeout(100)
        self.session.pause()
        return self.value()

    def close(self):
        self.context.close()


@pytest.fixture(scope="module")
def kept(browser, studio):
    """One tab for all tests that can share it: a page takes a while to open."""
    made = Tab(browser, studio)
    yield made
    made.close()


@pytest.fixture
def tab(kept):
    """That tab with its scenario unchanged."""
    kept.session.pause()
    kept.session.attempt(kept.session.reset)
    assert kept.session.worker.join(60.0)
    yield kept
    assert kept.errors == []


def test_a_fall_is_run_changed_and_run_again(tab, artefact):
    first = tab.value()
    tab.field("height [cm]").fill("165")
    tab.says("Press Run")
    assert tab.value() == first
    second = tab.runs_to_another(first)
    assert second != first
    assert tab.value(column=2) == first  # the column of the run before
    tab.page.screenshot(path=artefact("studio-again.png"))


def test_a_height_of_9_m_is_refused_in_the_page(tab, artefact):
    before = tab.value()
    tab.field("height [cm]").fill("900")
    tab.refuses("height is 9 m; accepted")
    tab.page.screenshot(path=artefact("studio-refused.png"))
    tab.field("height [cm]").fill("180")
    tab.says("Press Run")
    tab.set('human.height = "9 m"')  # and by its path, with a unit
    tab.refuses("height is 9 m; accepted")
    assert tab.value() == before and tab.session.scenario.table.human[0].height == pytest.approx(1.8)


def test_everything_comes_from_this_machine(tab, studio):
    assert tab.requests
    assert [url for url in tab.requests if not url.startswith((studio.address, "data:", "blob:", "ws:"))] == []


def test_charts_and_replay_share_their_time(tab, artefact):
    tab.open("Charts")
    tab.page.locator(".js-plotly-plot").wait_for()
    for title in ("Head acceleration", "Thorax acceleration", "Contact forces", "Joint forces", "Energies"):
        assert tab.page.locator(".js-plotly-plot").get_by_text(title).count() == 1
    cursor = "document.querySelector('.js-plotly-plot').layout.shapes[0].x0"
    tab.field("time [ms]").fill("900")
    tab.page.wait_for_function(f"() => {cursor} === 900")
    tab.press("Play")
    tab.page.wait_for_function(f"() => {cursor} > 950")  # the replay advances and takes the cursor along
    tab.session.pause()
    tab.page.get_by_role("button", name="Play", exact=True).wait_for()
    tab.page.screenshot(path=artefact("studio-charts.png"))
    tab.open("Injury")


def test_the_body_is_seen_and_moves(tab):
    canvas = tab.page.locator("canvas").first
    pictures = set()
    for moment in (0.0, 0.9, 1.4):
        tab.session.player.seek(moment)
        tab.page.wait_for_timeout(3000)
        pictures.add(canvas.screenshot())
    assert len(pictures) == 3


def test_dragging_runs_as_it_goes_and_ends_at_the_last_value(tab):
    tab.page.get_by_text("run while dragging").scroll_into_view_if_needed()
    tab.page.get_by_role("checkbox").first.click()
    row = tab.page.get_by_text("height [cm]", exact=True).first.locator("xpath=ancestor::*[.//input][1]")
    box = row.locator(".mantine-Slider-root").bounding_box()
    middle, mouse = box["y"] + 0.4 * box["height"], tab.page.mouse
    mouse.move(box["x"] + 0.75 * box["width"], middle)
    mouse.down()
    for step in range(12):
        mouse.move(box["x"] + (0.75 - 0.01 * step) * box["width"], middle)
        tab.page.wait_for_timeout(60)
    mouse.up()
    tab.page.wait_for_timeout(500)
    assert tab.session.worker.join(60.0)
    shown = 0.01 * float(tab.field("height [cm]").input_value())
    assert 1.5 < shown < 1.8
    assert tab.session.now.scenario.table.human[0].height == pytest.approx(shown)
    tab.page.get_by_role("checkbox").first.click()


def test_a_long_run_can_be_cancelled_in_the_page(tab, artefact):
    before = tab.value()
    tab.set("solver.duration = 300")
    tab.says("Press Run")
    tab.press("Run")
    tab.says(re.compile(r"Running: .* of 300 s"))
    tab.page.screenshot(path=artefact("studio-running.png"))
    tab.press("Cancel")
    tab.says("Cancelled at")
    assert tab.value() == before


def test_files_are_saved_here_and_sent_to_the_browser(tab, studio):
    tab.open("Files")
    tab.field("name").fill("../outside")
    tab.press("Save the scenario")
    tab.refuses("not a name for a file")
    tab.field("name").fill("from-the-page")
    tab.press("Save the scenario")
    tab.says("Saved as")
    assert (studio.folder / "from-the-page.toml").is_file()
    assert not (studio.folder.parent / "outside.toml").exists()
    with tab.page.expect_download() as download:
        tab.press("Scenario (TOML)")
    assert download.value.suggested_filename == "fall-4m.toml"
    tab.open("Injury")


def test_two_tabs_do_not_disturb_each_other(browser, studio, tab):
    other = Tab(browser, studio)
    before, first = tab.value(), other.value()
    other.field("mass [kg]").fill("100")
    other.says("Press Run")
    assert other.runs_to_another(first) != first
    tab.page.wait_for_timeout(500)
    assert tab.value() == before and tab.field("mass [kg]").input_value() == "80"
    assert tab.session.scenario.table.human[0].mass == 80.0
    assert other.errors == []
    other.close()


def test_a_killed_tab_leaves_nothing_and_a_new_one_works(browser, studio):
    killed = Tab(browser, studio)
    killed.set("solver.duration = 300")
    killed.says("Press Run")
    killed.press("Run")
    killed.says(re.compile(r"Running: .* of 300 s"))
    killed.close()  # in the middle of it
    deadline = time.monotonic() + 60.0
    while killed.number in studio.sessions or killed.session.worker._thread.is_alive():
        assert time.monotonic() < deadline, "the session of a closed tab is still there"
        time.sleep(0.05)
    again = Tab(browser, studio)
    assert again.value() > 0.0 and again.field("height [cm]").input_value() == "180"
    assert again.errors == []
    again.close()


def test_a_title_is_text_and_not_part_of_the_page(browser, tmp_path):
    file = tmp_path / "nasty.toml"
    text = "schema = 1\ntitle = \"<img src=x onerror='window.hit=1'><script>window.hit=1</script>\"\n"
    text += "[human]\nheight = 1.8\nmass = 80\nstart = { clearance = 1.0 }\n"
    text += '[[surface]]\nname = "ground"\ncontact = "concrete"\n[solver]\nduration = "0.6 s"\n'
    file.write_text(text)
    with Studio(str(file), folder=tmp_path, port=0) as nasty:
        tab = Tab(browser, nasty)
        assert tab.page.get_by_text("<img src=x onerror=").count() == 1
        assert tab.page.evaluate("window.hit") is None
        tab.close()
