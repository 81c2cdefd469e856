"""The studio in a browser: run, change, run again, be refused, close and come back, two tabs side by side."""

from __future__ import annotations

import re
import time

import pytest

pytest.importorskip("viser")

from vitruvian.scenario import Scenario
from vitruvian.studio.launch import Studio
from vitruvian.view.timeline import marks

pytestmark = [pytest.mark.needs_jit, pytest.mark.slow]

SIZE = {"width": 1060, "height": 640}  # small, for the picture is drawn by the processor
FIRST = 240_000  # until a page has answered its first run, on a busy machine that may have to compile first [ms]
PATIENCE = 60_000  # for everything after that [ms]
TRIES = 4
TITLE = "<img src=x onerror='window.hit=1'><script>window.hit=1</script>"


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """A studio with the fall under a title that is not harmless; drawn without reflections and shadows, which cost
    ten seconds a page where the processor draws."""
    folder = tmp_path_factory.mktemp("studio")
    start = folder / "fall-4m.toml"
    start.write_text(Scenario.load("fall-4m").replace({"title": TITLE}).to_toml())
    with Studio(str(start), folder=folder, port=0) as running:
        running.server.scene.configure_default_lights(cast_shadow=False)
        running.server.scene.configure_environment_map(None)
        yield running


def until(act, seen):
    """Act, and again where the page did not take it: viser drops a message that is followed too soon by another, and a
    page that the processor draws is slow enough for that.

    act   told whether it is done again
    seen  what is then to be seen
    """
    from playwright.sync_api import TimeoutError

    for attempt in range(TRIES):
        act(attempt > 0)
        try:
            return seen.wait_for(timeout=PATIENCE / TRIES)
        except TimeoutError:
            if attempt == TRIES - 1:
                raise


class Tab:
    """A browser tab with a studio, which has answered its first run and plays no more.

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
        self.saying("answered in").wait_for(timeout=FIRST)
        (self.number,) = set(studio.sessions) - before
        self.session = studio.sessions[self.number]
        self.settle()

    def settle(self):
        """Nothing runs and nothing plays."""
        assert self.session.worker.join(60.0)
        self.session.pause()

    def saying(self, words):
        """Where the page says something."""
        return self.page.get_by_text(words).first

    def refusing(self, words):
        """Where the page answers with an error."""
        return self.page.get_by_role("alert").filter(has_text=words).first

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, name, seen):
        """Press a button until something is seen."""
        until(lambda again: self.button(name).click(), seen)

    def open(self, name):
        self.page.get_by_role("tab", name=name).click()

    def field(self, label):
        """The box for numbers of a slider, or a text field, by its label."""
        name = self.page.get_by_text(label, exact=True).first
        return name.locator("xpath=ancestor::*[.//input][1]").locator("input").last

    def fill(self, label, text, seen, key=None):
        """Type into a field, press a key there if one is given, until something is seen."""

        def act(again):
            if again:  # what is there already is not sent once more
                self.field(label).fill("")
                self.page.wait_for_timeout(500)
            self.field(label).fill(text)
            if key:
                self.field(label).press(key)

        until(act, seen)

    def set(self, change, seen):
        """Type a change of any value, with the Enter key."""
        if not self.field("set").is_visible():
            self.page.get_by_text("Any value").click()
        self.fill("set", change, seen, key="Enter")

    def value(self, criterion="HIC15", column=1):
        """A number of the injury table."""
        rows = self.page.locator(".vs tr", has=self.page.locator(f"td:first-child >> text=/^{criterion}$/"))
        row = rows.last  # the answer above may name the criterion too
        return float(re.match(r"[-+.\de]+", row.locator("td").nth(column).inner_text())[0])

    def run(self):
        """Press Run and wait for the answer; the new HIC15."""
        self.press("Run", self.saying("answered in"))
        self.settle()
        return self.value()

    def start_long_run(self):
        """Begin a run of 300 s; at the usual rates its samples would need 5 GB, which a small machine refuses."""
        for change in ("output.rate = 1000", "output.pose_rate = 100"):
            self.session.set_text(change)
        self.settle()
        self.set("solver.duration = 300", self.saying("solver.duration = 300; this is how it starts"))
        self.press("Run", self.saying(re.compile(r"Running: .* of 300 s")))

    def set_live(self, on):
        """Tick "run while dragging" or not, until the session knows: viser may drop a message of a slow page."""
        box = self.page.get_by_role("checkbox").first
        for attempt in range(TRIES):
            if attempt:
                box.set_checked(not on)
            box.set_checked(on)
            if self.becomes(lambda: self.session.inputs.live.value is on, PATIENCE / TRIES):
                return
        raise AssertionError("the session does not notice the tick")

    def becomes(self, true, patience=PATIENCE):
        """Wait for something that is not seen in the page [ms]; return whether it happened."""
        deadline = time.monotonic() + 1e-3 * patience
        while not true():
            if time.monotonic() > deadline:
                return False
            self.page.wait_for_timeout(50)
        return True

    def close(self):
        self.context.close()


@pytest.fixture(scope="module")
def kept(browser, studio):
    """One tab for all tests that can share it."""
    made = Tab(browser, studio)
    yield made
    made.close()


@pytest.fixture(scope="module")
def other(browser, studio, kept):
    """Another one beside it."""
    made = Tab(browser, studio)
    yield made
    made.close()


@pytest.fixture
def tab(kept):
    """The tab with its scenario unchanged, and not running while dragging even if a test before left it so."""
    kept.session.inputs.live.value = False
    assert kept.becomes(lambda: not kept.page.get_by_role("checkbox").first.is_checked())
    if kept.session.changes:
        kept.session.reset()
        kept.saying("All changes are undone").wait_for()
    kept.settle()
    yield kept
    assert kept.errors == []


def test_a_fall_is_run_changed_and_run_again(tab, artefact):
    first = tab.value()
    tab.fill("height [cm]", "165", tab.saying("height 165 cm; this is how it starts"))
    assert tab.value() == first
    assert tab.run() != first
    assert tab.value(column=2) == first  # the column of the run before
    tab.page.screenshot(path=artefact("studio-again.png"))


def test_a_height_of_9_m_is_refused_in_the_page(tab, artefact):
    before = tab.value()
    tab.fill("height [cm]", "900", tab.refusing("height is 9 m; accepted"))
    tab.page.screenshot(path=artefact("studio-refused.png"))
    tab.fill("height [cm]", "181", tab.saying("height 181 cm"))
    tab.set('human.height = "9 m"', tab.refusing("height is 9 m; accepted"))  # and by its path, with a unit
    assert tab.value() == before and tab.session.scenario.table.human[0].height == pytest.approx(1.81)


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
    tab.button("Play").click()
    tab.page.wait_for_function(f"() => {cursor} > 950")  # the replay advances and takes the cursor along
    tab.session.pause()
    tab.button("Play").wait_for()
    tab.page.screenshot(path=artefact("studio-charts.png"))
    tab.open("Injury")


def test_the_timeline_of_the_report_steps_the_studio(tab, artefact):
    strip = tab.page.locator(".timeline-strip")
    strip.wait_for()
    strip.focus()

    def press(key, time):
        tab.page.keyboard.press(key)
        assert tab.becomes(lambda: abs(tab.session.player.time - time) < 6e-5), (key, tab.session.player.time)

    press("End", 1.5)
    press("ArrowLeft", 1.499)
    press("ArrowLeft", 1.498)
    press("ArrowRight", 1.499)
    press("Home", 0.0)
    first = marks(tab.session.now.result)[0]
    assert "foot on ground" in first.words and abs(first.time - 0.895) < 0.005, first
    press("PageDown", first.time)
    assert first.words in tab.page.locator(".timeline-said").inner_text()
    tab.page.screenshot(path=artefact("studio-timeline.png"))
    tab.page.keyboard.press(" ")
    assert tab.becomes(lambda: tab.session.player.playing)
    tab.session.pause()


def test_the_body_is_seen_and_moves(tab):
    canvas = tab.page.locator("canvas").first
    pictures = set()
    for moment in (0.0, 0.9, 1.4):
        tab.session.seek(moment)
        deadline = time.monotonic() + 1e-3 * PATIENCE
        while (picture := canvas.screenshot()) in pictures:
            assert time.monotonic() < deadline, "the picture does not change"
            tab.page.wait_for_timeout(200)
        pictures.add(picture)


def test_dragging_runs_as_it_goes_and_ends_at_the_last_value(tab):
    tab.page.get_by_text("run while dragging").scroll_into_view_if_needed()
    tab.set_live(True)
    row = tab.page.get_by_text("height [cm]", exact=True).first.locator("xpath=ancestor::*[.//input][1]")
    box = row.locator(".mantine-Slider-root").bounding_box()
    middle, mouse = box["y"] + 0.4 * box["height"], tab.page.mouse
    mouse.move(box["x"] + 0.75 * box["width"], middle)
    mouse.down()
    for step in range(12):
        mouse.move(box["x"] + (0.75 - 0.01 * step) * box["width"], middle)
        tab.page.wait_for_timeout(60)
    mouse.up()

    def height():  # of the run that is shown [cm]
        return 100.0 * tab.session.now.scenario.table.human[0].height

    assert tab.becomes(
        lambda: not tab.session.worker.busy and height() == pytest.approx(float(tab.field("height [cm]").input_value()))
    )
    assert 150.0 < height() < 180.0
    tab.set_live(False)


def test_a_long_run_can_be_cancelled_in_the_page(tab, artefact):
    before = tab.value()
    tab.start_long_run()
    tab.page.screenshot(path=artefact("studio-running.png"))
    tab.press("Cancel", tab.saying("Cancelled at"))
    assert tab.value() == before


def test_files_are_saved_here_and_sent_to_the_browser(tab, studio):
    tab.open("Files")
    tab.field("name").fill("../outside")
    tab.press("Save the scenario", tab.refusing("not a name for a file"))
    tab.field("name").fill("from-the-page")
    tab.press("Save the scenario", tab.saying("Saved as"))
    assert (studio.folder / "from-the-page.toml").is_file()
    assert not (studio.folder.parent / "outside.toml").exists()
    with tab.page.expect_download() as download:
        tab.button("Scenario (TOML)").click()
    assert download.value.suggested_filename == "fall-4m.toml"
    tab.open("Injury")


def test_two_tabs_do_not_disturb_each_other(tab, other):
    before, first = tab.value(), other.value()
    other.fill("mass [kg]", "100", other.saying("mass 100 kg"))
    assert other.run() != first
    tab.page.wait_for_timeout(200)
    assert tab.value() == before and tab.field("mass [kg]").input_value() == "80"
    assert tab.session.scenario.table.human[0].mass == 80.0
    assert other.errors == []


def test_a_killed_tab_leaves_nothing_and_a_new_one_works(browser, studio, other):
    other.start_long_run()
    other.close()  # in the middle of it
    deadline = time.monotonic() + 60.0
    while other.number in studio.sessions or other.session.worker._thread.is_alive():
        assert time.monotonic() < deadline, "the session of a closed tab is still there"
        time.sleep(0.05)
    again = Tab(browser, studio)
    assert again.value() > 0.0 and again.field("height [cm]").input_value() == "180"
    assert again.errors == []
    again.close()


def test_a_title_is_text_and_not_part_of_the_page(tab):
    assert tab.page.get_by_text("<img src=x onerror=").count() == 1
    assert tab.page.evaluate("window.hit") is None
