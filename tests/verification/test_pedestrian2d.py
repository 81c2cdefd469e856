"""The planar pedestrian in motion: what meets what, what is expected of an impact, and what scenarios refuse."""

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.lab.reproduce import pedestrian2d
from vitruvian.lab.verify import planar_pedestrian
from vitruvian.scenario import Scenario
from vitruvian.scenario.pedestrian import path_on_vehicle, pedestrian_outcome
from vitruvian.units import STANDARD_GRAVITY
from vitruvian.world import front

pytestmark = pytest.mark.needs_jit


def run(**changes):
    scenario = Scenario.load("pedestrian-2d-5f-30").replace(
        {name.replace("__", "."): value for name, value in changes.items()}
    )
    result = scenario.run()
    return result, pedestrian_outcome(result)


def masses(result):
    """Body -> mass [kg]."""
    return dict(zip(result.recording.bodies, result.geometry.body_mass, strict=True))


@pytest.fixture(scope="module")
def paper():
    return run()


def test_multipliers_and_tree_meet():
    """As `verify planar-formulation`, over a shorter time: 1e-8 m in flight and in contact."""
    assert not [row for row in planar_pedestrian.formulations_meet(0.004) if row.failed and "depth" not in row.name]


def test_the_case_of_the_paper(paper):
    """Legs first, then up the front; the head last, on the bonnet, in the time that wrapping takes."""
    result, outcome = paper
    assert result.status == "finished"
    assert result.recording.balance_error < 1e-4
    first = {contact.body: contact.time for contact in reversed(outcome.contacts)}
    assert first["thigh"] < first["thorax"] < first["head"]
    assert outcome.head.part == "bonnet"
    assert 0.06 < outcome.head.after < 0.15
    assert outcome.HIC >= outcome.HIC36 >= outcome.HIC15 > 0.0
    assert outcome.SI >= outcome.HIC  # Gadd's index bounds Versace's
    assert 20.0 < outcome.chest_3ms < 80.0


def test_all_stays_in_the_plane(paper):
    result, _ = paper
    assert abs(result.recording.position[:, :, 1]).max() < 1e-12
    assert abs(result.recording.angular_velocity[:, :, [0, 2]]).max() < 1e-9


def test_the_path_of_the_head_against_the_car(paper):
    """The car does not brake: its own way is its speed times the time."""
    result, outcome = paper
    time, path = path_on_vehicle(result, "head")
    recording = result.recording
    head = recording.position[:, recording.bodies.index("head"), 0]
    start = recording.position[0, recording.bodies.index("vehicle"), 0]
    assert path[:, 0] == pytest.approx(head - start - outcome.speed * time, abs=1e-9)
    assert path[:, 2].min() < 1.0 < path[0, 2]
    with pytest.raises(InputError, match='Did you mean "head"'):
        path_on_vehicle(result, "haed")


def test_she_stands_until_she_is_struck():
    """Settled, with the car far away: after 50 ms nothing has moved by more than a few millimetres."""
    result, outcome = run(vehicle__gap=2.0, solver__duration=0.05)
    moved = result.recording.position[-1] - result.recording.position[0]
    people = [k for k, name in enumerate(result.recording.bodies) if name != "vehicle"]
    assert outcome.first is None
    assert abs(moved[people]).max() < 0.005
    weight = STANDARD_GRAVITY * sum(mass for name, mass in masses(result).items() if name != "vehicle")
    assert f"foot {weight:.0f} N" in " ".join(result.notes)  # sole and heel together


def test_the_rules_of_contact_agree_where_lines_do_not_end(paper):
    """Drawn out surface and lines: the same impact in kind; which line or corner pushes differs."""
    _, lines = paper
    _, surface = run(vehicle__rule="surface")
    assert surface.head.part == lines.head.part
    assert surface.head.speed == pytest.approx(lines.head.speed, rel=0.1)
    assert surface.chest_3ms == pytest.approx(lines.chest_3ms, rel=0.15)


def test_faster_cars_strike_harder():
    outcomes = [run(vehicle__speed=f"{speed} km/h")[1] for speed in (20, 30, 40)]
    assert sorted(outcomes, key=lambda outcome: outcome.head.speed) == outcomes
    assert sorted(outcomes, key=lambda outcome: outcome.HIC) == outcomes


def test_taller_people_reach_farther():
    outcomes = [run(human__preset=preset)[1] for preset in ("6YO", "5F", "50M")]
    assert sorted(outcomes, key=lambda outcome: outcome.head.wrap_around_distance) == outcomes


def test_a_van_meets_the_head_sooner(paper):
    _, van = run(vehicle__front="van")
    assert van.head.after < paper[1].head.after


def test_what_is_hardly_struck_hardly_matters():
    """The head ends on the bonnet; that of the measured body strikes the windscreen early enough to count 0.2 %."""
    car = front("sedan")
    _, as_it_is = run(human__body="previous")
    _, steeper = run(human__body="previous", vehicle__front=pedestrian2d.tilted(car, 0.2).table())
    assert abs(steeper.HIC / as_it_is.HIC - 1.0) < 1e-3


def test_variants_of_a_front():
    car = front("sedan")
    at = car.parts.index("windscreen")
    points = [np.array(shape.profile) for shape in (car, pedestrian2d.tilted(car, 0.1))]
    slopes = [np.arctan2(p[at + 1, 1] - p[at, 1], p[at, 0] - p[at + 1, 0]) for p in points]
    assert slopes[1] - slopes[0] == pytest.approx(0.1)
    short = np.array(pedestrian2d.shortened(car, 0.3).profile)
    bonnet = car.parts.index("bonnet")
    lengths = [np.linalg.norm(p[bonnet + 1] - p[bonnet]) for p in (points[0], short)]
    assert lengths[0] - lengths[1] == pytest.approx(0.3)
    stiff = pedestrian2d.stiffer(car, "bonnet", 2.0).contacts["bonnet"]
    assert stiff.curve[1][1] == 2.0 * car.contacts["bonnet"].curve[1][1]


def test_the_printed_hic_in_both_units():
    in_si = pedestrian2d.PRINTED_HIC / STANDARD_GRAVITY**2.5
    assert in_si == pytest.approx(86.0, abs=0.5)
    assert in_si * pedestrian2d.TO_SI == pytest.approx(25846.0)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"human.model": "human17", "human.scaling": "segments"}, "scaling does not fit the model human17"),
        ({"human.scaling": "height"}, "accepted: build, segments"),
        ({"human.joints": "silva"}, "cones are not hinges"),
        ({"human.start.position": [0.0, 1.0]}, "leaves the plane"),
        ({"vehicle.rule": "line"}, 'Did you mean "lines"'),
        ({"vehicle.position": 0.5}, "inside"),
        ({"human.age": 1}, "age"),
    ],
)
def test_bad_input(changes, words):
    with pytest.raises(InputError, match=words):
        Scenario.load("pedestrian-2d-5f-30").replace(changes).build()


def test_lines_that_cross_are_refused():
    lines = {"name": "front", "shape": "lines", "profile": [[0, 0.2], [0, 0.6], [-0.5, 0.6], [0.5, 0.4]]}
    with pytest.raises(InputError, match="segment 2 crosses or touches 0"):
        Scenario.load("pedestrian-2d-5f-30").replace({"surface": [lines]}).build()
    with pytest.raises(InputError, match="tangent does not fit the shape profile"):
        wrong = {"name": "kerb", "shape": "profile", "profile": [[0, 0], [0, 1]], "width": 1, "tangent": "nearest"}
        Scenario.load("pedestrian-2d-5f-30").replace({"surface": [wrong]}).build()
