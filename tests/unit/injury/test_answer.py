"""The answer of a run is true: every statement is checked against the scenario and the recording it was made from."""

import re
import tomllib

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.injury.head_contact import contact_spans, head_contacts
from vitruvian.injury.moment import decisive, moments
from vitruvian.injury.story import side_of, story
from vitruvian.sim.caution import ranked
from vitruvian.sim.rest import STILL, rests
from vitruvian.sim.result import Result
from vitruvian.sim.simulate import simulate

#: five ways to change a scenario; one that does not apply to a scenario is left out
CHANGES = (
    {},
    {"human.sex": "female", "human.height": "1.52 m", "human.mass": 51},
    {"human.preset": "5F"},
    {"human.start.clearance": 0.35},
    {"vehicle.speed": "23 km/h", "vehicle.front": "suv"},
)
SHORT = {"solver.duration": 0.006, "output.rate": 2000}
#: one of each kind; `tools/check_stories.py` takes all
READY = ("fall-4m", "fall-bed-child", "fall-incline-45", "fall-stairs", "pedestrian-2d", "pedestrian-child",
         "pedestrian-cyclist", "head-to-head", "sled-15kmh", "wall-70-10ms")  # fmt: skip
NOUNS = {("male", False): "man", ("male", True): "boy", ("female", False): "woman", ("female", True): "girl"}


def runs(name: str):
    """Yield short runs of a ready scenario in every way in which it can be changed."""
    for changes in CHANGES:
        try:
            scenario = Scenario.load(name, {**changes, **SHORT})
            if scenario.table.solver.stop is not None:
                scenario = scenario.replace({"solver.stop": None})
            built = scenario._built()
        except InputError:
            continue
        recording = simulate(built.system, built.start, **scenario._settings())
        about = {"name": scenario.name, "title": scenario.title, "scenario": scenario.to_toml()}
        yield scenario, Result(recording, system=built.system, **about)


@pytest.mark.parametrize("name", READY)
def test_what_happened_is_true(name: str) -> None:
    """Person, sex, size, posture, height, vehicle, speed, first contact and end are those of the scenario and run."""
    made = 0
    for scenario, result in runs(name):
        made += 1
        table, told = tomllib.loads(result.scenario), " ".join(story(result))
        people = table.get("human", [])
        for row in people if isinstance(people, list) else [people] if people else []:
            who = next(p for p in result.roster.people if p.name == row.get("name", "human"))
            child = who.age is not None and who.age < 18
            assert f"a {NOUNS[who.sex, child]} of" in told.lower()
            other = {"male": ("woman", "girl"), "female": ("man", "boy")}[who.sex]
            if len(result.roster.people) == 1:
                assert not re.search(rf"\ba ({'|'.join(other)}) of", told.lower())
            assert f"{100 * who.height:.0f} cm and {who.mass:.3g} kg" in told
            if "height" in row and len(result.roster.people) == 1:
                assert f"{100 * row['height']:.0f} cm" in told
        for vehicle in scenario.table.vehicle:
            assert f"{3.6 * vehicle.speed:.3g} km/h" in told
        for gap in re.findall(r"([\d.]+) m from ", told):
            starts = [r.start.clearance for r in scenario.table.human]
            moved = [rest.moved for rest in rests(result)]
            assert any(abs(float(gap) - value) < 6e-3 * max(1.0, value) for value in (*starts, *moved))
        _check_contacts(told, result)
    assert made >= 2


def _check_contacts(told: str, result) -> None:
    """Every contact that the text names is an event at that time, and no head strike is missing."""
    times = [event.time for event in result.recording.events]
    for text in re.findall(r"(?:First contact|Head strike) at ([\d.]+) s", told):
        assert min(abs(float(text) - time) for time in times) < 6e-4
    heads = {p.segments["head"] for p in result.roster.people if "head" in p.segments}
    struck = any(e.kind == "touch" and e.body in heads and e.time > 0 for e in result.recording.events)
    assert struck == ("Head strike" in told)
    if "at rest from" not in told and result.fine and result.roster.people and result.status == "finished":
        assert "--to-rest" in told
    speed = np.linalg.norm(result.recording.velocity[-1], axis=1)
    if told.count("at rest from") and not result.roster.vehicles and len(result.roster.people) == 1:
        own = [result.recording.bodies.index(b) for b in result.roster.people[0].segments.values()]
        assert speed[own].max() < STILL


@pytest.fixture(scope="module")
def fall():
    return Scenario.load("fall-standing-backward").run()


def test_counts_agree_with_the_list(fall) -> None:
    """The verdict names exactly the criteria above their limits, and the list contains all of them."""
    answer = fall.answer()
    above = [value for value in answer.values if value.finding.value > value.finding.limit]
    assert len(answer.values) == len({value.name for value in answer.values})
    assert answer.to_dict()["above"] == len(above) and answer.to_dict()["judged"] == len(answer.values)
    assert set(above) <= set(answer.listed)
    if above:
        assert answer.verdict.startswith(f"{len(above)} of {len(answer.values)} ")
        assert all(value.name in answer.verdict for value in above)
    text = answer.text(80)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert f"{len(answer.values) - len(answer.listed)} more" in text or len(answer.values) == len(answer.listed)


def test_the_answer_names_bodies_as_they_are_spoken(fall) -> None:
    """Also in notes, on every surface of the package; intervals of a spread share a line."""
    noted = Result(fall.recording, geometry=fall.geometry, notes=("Compressed by more than 45 %: left_foot 68 %.",))
    noted.intervals = {"HIC15": (900.0, 1500.0), "chest 3ms": (20.0, 30.0)}
    answer = noted.answer()
    assert [one.text for one in answer.cautions] == ["Compressed by more than 45 %: left foot 68 %."]
    assert "In 90 % of the runs of the spread: HIC15 900 to 1500, chest 3ms 20 g to 30 g." in answer.notes()


def test_hic_belongs_to_a_contact(fall) -> None:
    """The parts cover the run: the largest is HIC15 of the whole, and its window overlaps that contact."""
    found = head_contacts(fall, "head")
    whole = fall.injury()["HIC15"]
    assert found[0].value == pytest.approx(whole.value, rel=1e-6) and found[0].other == "ground"
    spans = contact_spans(fall.recording, "head")["ground"]
    assert any(a <= found[0].t2 and b >= found[0].t1 for a, b in spans)
    assert all(one.value <= whole.value * (1 + 1e-9) for one in found)


def test_moments_are_complete_and_frames_show_them(fall) -> None:
    """Every first contact is a moment, the strike of the head decides, and it comes first for pictures."""
    found = moments(fall)
    strike = next(e.time for e in fall.recording.events if e.kind == "touch" and e.body == "head")
    assert any(m.kind == "head strike" and m.rank == 1 and m.time == strike for m in found)
    assert decisive(fall)[0] == pytest.approx(strike, abs=1e-6)
    assert [m.time for m in found] == sorted(m.time for m in found)


def test_a_run_that_failed_has_no_verdict(fall) -> None:
    """A diverged run is not judged, on any surface of the package."""
    bad = Result(fall.recording.replace(status="diverged", message="..."), geometry=fall.geometry, name="bad")
    assert bad.injury().verdict.startswith("No verdict")
    answer = bad.answer()
    assert answer.verdict.startswith("No verdict") and not answer.values and not answer.heads


def test_rest_and_sides_and_ranks() -> None:
    """A ball that lies still rests, sides follow the heading, and the gravest note comes first."""
    block = Scenario.load("sliding-block").run()
    (rest,) = rests(block)
    assert rest.since == pytest.approx(3.0 / (0.4 * 9.80665), abs=0.03) and rest.moved == pytest.approx(1.147, abs=0.02)
    assert [side_of(0.0, way) for way in (np.pi, 0.0, -np.pi / 2, np.pi / 2)] == ["front", "behind", "left", "right"]
    notes = ("Vehicle a: its front are estimates, not measured.", "Hello.", "Contacts returned more energy than ...")
    assert [caution.grade for caution in ranked(notes)] == ["wrong", "estimate", "remark"]
