"""The report page: what it holds, that its numbers are those of the result, and that nothing in it is unescaped."""

import base64
import gzip
import html
import io
import json
import re

import numpy as np
import pytest
from PIL import Image

from vitruvian import data
from vitruvian.errors import InputError
from vitruvian.model import Roster
from vitruvian.scenario import Scenario
from vitruvian.sim.result import Result
from vitruvian.view.charts import charts, thinned
from vitruvian.view.markup import Html, element, paragraphs, table
from vitruvian.view.replay import MOST_FRAMES, MOST_POSES, Block, chosen_frames
from vitruvian.view.report import replay_page, report
from vitruvian.view.sources import cited, sources
from vitruvian.view.still import stills
from vitruvian.view.words import percent, quantity, sentence, spoken

pytestmark = pytest.mark.needs_jit

SCRIPT = '<script>alert("x")</script>'


@pytest.fixture(scope="module")
def struck() -> Result:
    result = Scenario.load("struck-by-front").run()
    result.command, result.headline = "vitruvian run struck-by-front", "head on the windscreen"
    return result


@pytest.fixture(scope="module")
def page(struck, tmp_path_factory) -> str:
    return struck.report(tmp_path_factory.mktemp("report") / "report.html").read_text(encoding="utf-8")


def embedded(page: str, name: str) -> bytes:
    (text,) = re.findall(rf'<script type="[^"]*" id="{name}">(.*?)</script>', page, re.DOTALL)
    return text.encode() if name == "tree" else gzip.decompress(base64.b64decode(text))


def read(page: str, ref: dict) -> np.ndarray:
    kind = {"f4": np.float32, "u1": np.uint8, "u2": np.uint16, "u4": np.uint32}[ref["type"]]
    return np.frombuffer(embedded(page, "block"), kind, ref["length"], ref["offset"])


def words(page: str) -> str:
    """What a reader sees, without scripts and styles."""
    bare = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", " ", bare))


# what is in it


def test_every_section_is_there_and_the_file_is_small(page):
    for name in ("motion", "injury", "sequence", "energy", "model", "reproduce"):
        assert f'<section id="{name}">' in page
    assert len(page.encode()) < 6_000_000


def test_it_asks_the_network_for_nothing(page):
    markup = re.sub(r"<script\b.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", markup)
    assert "url(" not in markup
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert html.unescape(policy).startswith("default-src 'none'") and "http" not in policy


def test_the_words_are_those_of_the_result(page, struck):
    seen = words(page)
    assert struck.title in seen and "1.80 m, 80.0 kg" in seen
    assert "vitruvian run struck-by-front" in seen and "Head on the windscreen" in seen
    assessment = struck.injury()
    assert assessment.verdict in seen
    for finding in assessment.findings:
        assert finding.criterion in seen
    for row in struck.contacts():
        assert f"{spoken(row.body)} on {spoken(row.other)}" in seen
    assert "head injury criterion, 15 ms" in seen and "left_foot" not in seen.partition("Reproduce")[0]
    for version in struck.provenance.values():
        assert version in seen
    assert 'contact = "asphalt"' in seen  # the scenario in full


def test_equal_arrays_of_a_page_are_kept_once():
    block = Block()
    first, other = block.add(np.arange(5.0), "f4"), block.add(np.arange(3), "u1")
    assert block.add(np.arange(5.0), "f4") == first and block.size == 24
    assert other == {"type": "u1", "offset": 20, "length": 3}
    assert len(block.bytes()) == block.size


def test_poses_in_the_page_are_those_of_the_recording(page, struck):
    tree = json.loads(embedded(page, "tree"))
    (actor,) = tree["scene"]["actors"]
    position = read(page, actor["position"]).reshape(-1, actor["bodies"], 3)
    assert position == pytest.approx(struck.recording.position, abs=2.5e-6)  # changes no speed over 2 ms by 5 mm/s
    orientation = read(page, actor["orientation"]).reshape(-1, actor["bodies"], 4)
    assert orientation == pytest.approx(struck.recording.orientation, abs=5e-5)
    assert read(page, actor["time"])[-1] == pytest.approx(struck.recording.pose_time[-1])


def test_arrows_in_the_page_are_the_contact_forces(page, struck):
    tree = json.loads(embedded(page, "tree"))
    contact = tree["scene"]["actors"][0]["contact"]
    first, rows = read(page, contact["frame"]), read(page, contact["values"]).reshape(-1, 6)
    size = np.linalg.norm(struck.recording.contact_force, axis=2)
    frame = int(size.max(axis=1).argmax())
    drawn = np.linalg.norm(rows[first[frame] : first[frame + 1], 3:], axis=1)
    assert drawn.max() == pytest.approx(size.max(), rel=1e-6)
    assert first[-1] == len(rows)


def test_a_result_read_back_makes_the_same_page(struck, page, tmp_path):
    """Its command too, which only the result knows."""
    assert report(Result.load(struck.save(tmp_path / "result.nc"))) == page


def test_the_pictures_for_paper_are_moments_of_the_run(struck):
    found = stills(struck)
    assert len(found) == 6
    assert (found[0].time, found[-1].time) == pytest.approx((0.0, struck.recording.end_time))
    for still in found:
        raw = base64.b64decode(still.address.removeprefix("data:image/jpeg;base64,"))
        pixels = np.asarray(Image.open(io.BytesIO(raw)))
        assert pixels.shape[1] == 300 and pixels.std() > 10.0  # something is drawn


# curves


def test_thinning_keeps_peaks_and_ends():
    time = np.linspace(0.0, 1.0, 50_001)
    value = np.sin(40.0 * time)
    value[31_416] = 7.0
    value[777] = -5.0
    few_time, few = thinned(time, value, 1000)
    assert len(few) <= 1002
    assert few.max() == 7.0 and few.min() == -5.0
    assert few_time[[0, -1]] == pytest.approx([0.0, 1.0])
    assert (np.diff(few_time) > 0.0).all()
    assert thinned(time[:100], value[:100], 1000)[0] is not None


def test_the_filtered_curve_has_the_peak_of_the_criterion(struck):
    assessment = struck.injury()
    head = next(chart for chart in charts(struck, assessment) if chart.title.startswith("Head"))
    raw, filtered = head.curves
    assert filtered.name == "CFC 1000" and raw.faint
    assert filtered.value.max() == pytest.approx(assessment["head acceleration"].value)
    hic = assessment["HIC15"]
    window = next(window for window in head.windows if window.label.startswith("HIC15"))
    assert (window.start, window.end) == pytest.approx((1e3 * hic.t1, 1e3 * hic.t2))


def test_contact_curves_are_the_largest_first(struck):
    chart = next(chart for chart in charts(struck) if chart.key == "contact")
    peaks = [curve.value.max() for curve in chart.curves]
    assert peaks == sorted(peaks, reverse=True)
    # both shanks are struck alike; peaks between two samples are in the audit only
    peak = {f"{spoken(row.body)} on {spoken(row.other)}": row.peak_force for row in struck.contacts()}
    assert peak[chart.curves[0].name] == pytest.approx(max(peak.values()), rel=0.02)


def test_energies_sum_to_what_is_not_accounted_for(struck):
    chart = next(chart for chart in charts(struck) if chart.key == "energy")
    curve = {curve.name: curve.value for curve in chart.curves}
    total = curve["kinetic"] + curve["of gravity"] + curve["stored elastically"] + curve["lost"]
    # the samples lie between steps: kinetic energy is that of velocities in between, not one in between
    within = 1e-4 * abs(curve["put in from outside"]).max()
    assert total - curve["put in from outside"] == pytest.approx(curve["not accounted for"], abs=within)


def test_further_results_are_dotted_curves_of_their_own_peak(struck):
    other = Scenario.load("struck-by-front", {"human.height": 1.65, "human.mass": 60.0}).run()
    head = next(chart for chart in charts(struck, None, [other, other]) if chart.title.startswith("Head"))
    *_, first, second = head.curves
    assert first.other and first.name != second.name
    assert first.value.max() == pytest.approx(other.injury()["head acceleration"].value)


# escaping


def test_a_title_with_a_script_is_text(struck, page):
    scenario = struck.scenario.replace("A vehicle front, drawn", f"{SCRIPT} drawn")
    evil = Result(
        struck.recording,
        geometry=struck.geometry,
        name="../../evil",
        title=SCRIPT,
        scenario=scenario,
        notes=(SCRIPT,),
        command=f"vitruvian run {SCRIPT}",
        headline=SCRIPT,
        provenance={"vitruvian": SCRIPT},
    )
    made, replay, shown = report(evil), replay_page([evil]), evil._repr_html_()
    assert SCRIPT not in made + replay + shown
    assert made.count("<script") == page.count("<script")
    assert replay.count("<script") == replay_page([struck]).count("<script") and "<script" not in shown
    assert f"vitruvian run {SCRIPT}" in words(made)
    assert json.loads(embedded(replay, "tree"))["scene"]["actors"][0]["title"] == SCRIPT
    assert 'data-name="evil.toml"' in made


def test_markup_escapes_all_but_markup():
    assert element("p", "<b>", Html("<i>")) == "<p>&lt;b&gt;<i></p>"
    assert element("p", title='"<&', hidden=True, lang=None) == '<p title="&quot;&lt;&amp;" hidden></p>'
    assert element("br") == "<br>"
    assert paragraphs("a\nb\n\n<c>") == "<p>a b</p><p>&lt;c&gt;</p>"
    assert "&lt;x&gt;" in table(("<x>",), [["<y>"]])


# words


def test_names_and_numbers_are_those_of_a_reader():
    assert spoken("left_/right_foot") == "left and right foot"
    assert (
        spoken("attacker.left_thigh") == "attacker left thigh" and spoken("front.leading_edge") == "front leading edge"
    )
    assert sentence("left_foot of max_step", ["left_foot", "head"]) == "left foot of max_step"
    assert [quantity(value, "-") for value in (0.3456, 12.34, 1234.5, 123_456.0)] == [
        "0.346",
        "12.3",
        "1 234",
        "1.23 · 10⁵",
    ]
    assert quantity(1.17e7, "W") == "1.17 · 10⁷ W" and quantity(9e-9, "-") == "9e-09"
    assert [percent(share) for share in (0.0, 0.0123, 3.0, float("nan"))] == [
        "0.001 %",
        "1.2 %",
        "more than 100 %",
        "more than 100 %",
    ]


# other results


def test_a_mechanism_without_people_has_a_report():
    result = Scenario.load("double-pendulum", {"solver.duration": 0.5}).run()
    page = report(result)
    assert '<section id="injury">' not in page and '<section id="sequence">' not in page
    assert '<section id="energy">' in page and 'id="chart-jointforce"' in page
    assert json.loads(embedded(page, "tree"))["scene"]["view"] == "side"  # it swings in a plane


def test_without_geometry_there_is_no_replay(struck):
    bare = Result(struck.recording, title="bare")
    page = report(bare)
    assert 'id="panel"' not in page and 'id="chart-contact"' in page
    assert bare._repr_html_().count("<iframe") == 0


def test_a_run_that_broke_off_says_so(struck):
    """What came after it went astray (here: too fast, then no number) is neither shown nor judged."""

    position, velocity = struck.recording.position.copy(), struck.recording.velocity.copy()
    velocity[200:] = 1e9
    position[202:] = np.nan
    wild = np.where(struck.recording.time[:, None, None] > 0.1995, 1e9, struck.recording.sensor_acceleration)
    recording = struck.recording.replace(
        position=position,
        velocity=velocity,
        sensor_acceleration=wild,
        status="diverged",
        message="At 0.2 s, body 'left_hand'.",
    )
    broken = Result(recording, geometry=struck.geometry, title="broken")
    seen = words(page := report(broken))
    assert "The run did not end well (diverged). At 0.2 s, body 'left hand'." in seen and "up to 199.0 ms" in seen
    assert json.loads(embedded(page, "tree"))["scene"]["end"] == pytest.approx(0.199)
    assert broken.summary()["peaks"]["head"]["acceleration_g"] < 1e4
    assert max(broken.injury()["head acceleration"].t1, broken.sound.recording.time[-1]) <= 0.199
    assert struck.sound is struck


@pytest.mark.parametrize("poses", [0, 1])
def test_a_run_that_hardly_began_has_a_report(struck, poses):
    recording = struck.recording
    few = recording.picked({"pose_time": slice(poses), "time": slice(poses)})
    short = recording.replace(**few, events=[], status="cancelled", message="At once.", final={})
    page = report(Result(short, geometry=struck.geometry, title="short"))
    assert ('id="panel"' in page) == (poses == 1)
    assert "The run did not end well (cancelled)" in words(page)


def test_a_folder_that_cannot_be_made_is_refused(struck, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match="cannot be written"):
        struck.report(tmp_path / "file" / "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_nothing_to_show_is_refused():
    with pytest.raises(InputError, match="no result to show"):
        replay_page([])


def test_several_results_are_actors_with_their_labels(struck):
    tree = json.loads(embedded(replay_page([struck, struck], labels=["a", "b"]), "tree"))
    assert [actor["title"] for actor in tree["scene"]["actors"]] == ["a", "b"]
    assert tree["scene"]["actors"][0]["tint"] is None and tree["scene"]["actors"][1]["tint"]


def test_a_crowd_is_thinned_so_that_its_page_stays_small(struck):
    from types import SimpleNamespace

    crowd = SimpleNamespace(frames=20_000, bodies=range(400))
    frames = chosen_frames(crowd)
    assert len(frames) == MOST_POSES // 400 and (frames[0], frames[-1]) == (0, 19_999)
    assert len(chosen_frames(SimpleNamespace(frames=20_000, bodies=range(17)))) == MOST_FRAMES


# sources


def test_sources_are_references_with_what_they_are_for(struck):
    found = {source.key: source for source in sources(struck, struck.injury())}
    assert set(found) <= set(data.references())
    assert "segments and joints" in found["spicka2020"].uses
    assert "limit of HIC15" in found["fmvss208"].uses
    assert "On the development of a virtual human body model" in found["spicka2020"].text
    assert sources(Result(struck.recording.replace(roster=Roster()))) == []


def test_a_citation_reads_like_one():
    text = cited(data.references()["deleva1996"])
    assert text.startswith(
        "de Leva, Paolo. Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters. Journal of"
    )
    assert "29(9), 1223–1230" in text and text.endswith("1996.")
    assert all(cited(entry) and "{" not in cited(entry) for entry in data.references().values())


# notebooks


def test_a_notebook_gets_table_and_replay(struck):
    shown = struck._repr_html_()
    (inner,) = re.findall(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts"', shown)
    assert html.unescape(inner).startswith("<!doctype html>")
    assert "head HIC15" in words(shown)


@pytest.mark.parametrize(
    ("changes", "cited_keys", "others", "nij"),
    [
        ({"human.preset": "5F"}, {"deleva1996", "hybrid3"}, {"zatsiorsky2002", "hybrid3wiki"}, "pyisomme2026"),
        ({"human.preset": "95M"}, {"zatsiorsky2002", "hybrid3wiki"}, {"deleva1996", "hybrid3"}, "eppinger1999"),
        ({"human.preset": "6YO"}, {"jensen1986", "hybrid3"}, {"hybrid3wiki"}, "fmvss208"),
        ({"human.preset": None, "human.age": 30}, {"nhanes2012"}, {"hybrid3", "kuczmarski2002"}, "pyisomme2026"),
    ],
)
def test_the_sources_of_a_preset_are_those_of_its_person(changes, cited_keys, others, nij):
    """Item 19a: sex and age that a preset implies decide which tables were used; a median is a percentile."""
    result = Scenario.load("pedestrian-side-left", changes | {"solver.duration": 0.01}).run()
    found = {source.key: source for source in sources(result, result.injury())}
    assert cited_keys <= set(found)
    assert not others & set(found)
    assert [key for key, source in found.items() if "constants of Nij" in source.uses] == [nij]


def test_the_report_of_a_child_names_what_is_not_known():
    """Item 14: limits of adults do not reach the page."""
    changes = {"human.preset": None, "human.age": 8, "solver.duration": 0.03}
    page = html.unescape(report(Scenario.load("pedestrian-side-left", changes).run()))
    assert "no limit known for a child of 8" in page
    assert "Hybrid III 50M" not in page.partition('id="sequence"')[0]
