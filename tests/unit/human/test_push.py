"""A push at the start: what it gives to whom, and what it says of it."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.human import Push, human, place, placement
from vitruvian.model.velocity import segment_velocities

PERSON = human(1.80, 100)
TRUNK = ("thorax", "abdomen", "pelvis")

DATA = {
    "schema": 1,
    "human": {"height": 1.8, "mass": 100, "start": {"push": {"segments": TRUNK, "velocity": [-1.5, 0, "1 m/s"]}}},
    "solver": {"duration": 0.01},
}


def test_without_a_push_nothing_is_said() -> None:
    placed = placement(PERSON, "standing", velocity=(1.0, 0.0, 0.0))
    assert (placed.note, placed.correction) == ("", {})
    assert placed.configuration == place(PERSON, "standing", velocity=(1.0, 0.0, 0.0))


def test_a_push_of_all_segments_is_a_motion_of_the_whole_body() -> None:
    pushed = placement(PERSON, "walking", push=[Push(PERSON.segments, (1.0, -2.0, 3.0))])
    assert max(pushed.correction.values()) < 1e-12
    whole = place(PERSON, "walking", velocity=(1.0, -2.0, 3.0))
    for name, (velocity, spin) in segment_velocities(PERSON.system, pushed.configuration).items():
        expected = segment_velocities(PERSON.system, whole)[name]
        np.testing.assert_allclose(velocity, expected[0], atol=1e-12)
        np.testing.assert_allclose(spin, expected[1], atol=1e-10)


def test_the_momentum_is_that_of_the_pushed_segments() -> None:
    velocity = np.array([-1.5, 0.0, 1.0])
    placed = placement(PERSON, "standing", push=[Push(TRUNK, velocity)])
    masses = {body.name: body.mass for body in PERSON.system.bodies}
    motion = segment_velocities(PERSON.system, placed.configuration)
    momentum = sum(masses[name] * v for name, (v, _) in motion.items())
    # the link of the lumbar joint is a part of the abdomen
    np.testing.assert_allclose(momentum, sum(masses[name] for name in (*TRUNK, "lumbar_link")) * velocity, atol=1e-9)
    assert placed.pushed == TRUNK
    assert 0.1 < placed.correction["pelvis"] < 1.8  # the legs hold it back
    assert "pelvis 1.09 for 1.80 m/s" in placed.note


def test_a_push_is_on_top_of_the_motion_of_the_whole_body() -> None:
    """What is not pushed keeps the velocity of the body as its wish."""
    placed = placement(PERSON, "standing", velocity=(2.0, 0.0, 0.0), push=[Push(("head",), (2.0, 0.0, 0.0))])
    assert max(placed.correction.values()) < 1e-12


def test_left_and_right_by_one_word() -> None:
    placed = placement(PERSON, "standing", push=[Push(("hand",), (0.0, 0.0, 1.0))])
    assert placed.pushed == ("left_hand", "right_hand")
    np.testing.assert_allclose(placed.attained["left_hand"], placed.attained["right_hand"] * [1, -1, 1], atol=1e-12)


def test_segments_may_be_turned() -> None:
    placed = placement(PERSON, "standing", push=[Push(("left_hand",), (0.0, 0.0, 0.0), (0.0, 5.0, 0.0))])
    spin = segment_velocities(PERSON.system, placed.configuration)["left_hand"][1]
    assert spin[1] > 1.0


@pytest.mark.parametrize(
    ("push", "says"),
    [
        (Push(("torax",), (1, 0, 0)), 'Did you mean "thorax"?'),
        (Push((), (1, 0, 0)), "segments is empty"),
        (Push(("hand", "left_hand"), (1, 0, 0)), "left_hand is pushed twice"),
        (Push(("head",), (1, 0)), r"push\[0\].velocity"),
        (Push(("head",), ("1 kg", 0, 0)), "velocity"),
        (Push(("head",), (1, 0, 0), (1, 0)), r"push\[0\].angular_velocity"),
    ],
)
def test_bad_pushes_are_refused(push: Push, says: str) -> None:
    with pytest.raises(InputError, match=says.replace("?", r"\?")):
        placement(PERSON, "standing", push=[push])


def test_in_a_scenario() -> None:
    scenario = Scenario(DATA)
    again = Scenario.from_toml(scenario.to_toml())
    assert again == scenario
    _, start = scenario.build()
    assert start.rates["root"] == placement(PERSON, push=[Push(TRUNK, (-1.5, 0, 1))]).configuration.rates["root"]


@pytest.mark.parametrize(
    ("push", "says"),
    [
        ({"segments": ["torax"], "velocity": [1, 0, 0]}, r"human\.start: push\[0\].*thorax"),
        ({"segment": ["thorax"]}, r'segment.*Did you mean "segments"'),
        ({"velocity": [1, 0, 0]}, r"human\.start\.push.*segments is missing"),
        ({"segments": ["thorax"], "velocity": 3}, r"velocity"),
    ],
)
def test_bad_pushes_in_a_scenario_name_the_place(push: dict, says: str) -> None:
    data = {**DATA, "human": {**DATA["human"], "start": {"push": push}}}  # type: ignore[dict-item]
    with pytest.raises(InputError, match=says):
        Scenario(data).build()


@pytest.mark.needs_jit
def test_the_run_says_what_became_of_it(tmp_path) -> None:
    from vitruvian.sim.result import Result

    result = Scenario(DATA).run()
    assert result.notes[0].startswith("The push was made to fit the joints: thorax")
    assert result.summary()["notes"] == list(result.notes)
    assert Result.load(result.save(tmp_path / "result.nc")).notes == result.notes
