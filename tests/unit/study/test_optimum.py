"""Optimisation: searches find a known minimum, constraints hold, designs share their cases, bad files are refused."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.study import Goal, Limit, Study, optimize
from vitruvian.study.optimum import SEARCH, read_limits
from vitruvian.study.study_file import load_hypotheses, load_optimum

BALL = Scenario.load("bouncing-ball", {"solver.duration": 0.5})


@pytest.mark.parametrize("search", ["cma", "differential-evolution", "nelder-mead"])
def test_every_search_finds_the_minimum_of_a_bowl(search):
    if search == "cma":
        pytest.importorskip("cma")
    tried = []

    def batch(units):
        assert ((units >= 0.0) & (units <= 1.0)).all()
        values = ((units - (0.3, 0.8)) ** 2 @ (1.0, 4.0)) + 1.0
        tried.extend(zip(values, map(tuple, units), strict=True))
        return values

    SEARCH[search](batch, 2, 400, 0)
    best = min(tried)
    assert best[0] < 1.0 + 1e-4 and np.allclose(best[1], (0.3, 0.8), atol=0.02) and len(tried) <= 420


@pytest.mark.needs_jit
def test_the_best_design_is_not_worse_than_the_start_and_limits_that_cannot_hold_are_reported():
    study = Study(BALL, {}, cases=1, criteria=())
    over = {"surface.floor.contact.restitution": [0.3, 0.9]}
    free = optimize(study, over, Goal("balance_error"), search="nelder-mead", designs=6)
    assert free.runs == free.designs and free.best.objective <= free.start.objective
    held = optimize(study, over, Goal("end_time", limits=(Limit("end_time", most=0.1),)), designs=4)
    assert not held.satisfied and "No design" in str(held)


def test_a_violation_is_relative_to_its_limit():
    assert Limit("x", most=100.0).violation(110.0) == pytest.approx(0.1) and Limit("x", most=100.0).violation(90.0) == 0
    assert Limit("x", least=10.0).violation(5.0) == pytest.approx(0.5) and Limit("x").violation(float("nan")) == 1.0


def test_bad_optima_are_refused(tmp_path):
    study = Study(BALL, {}, cases=1, criteria=())
    over = {"surface.floor.contact.restitution": [0.3, 0.9]}
    for changes, words in (
        ({"goal": "HIC99"}, "accepted"),
        ({"search": "anneal"}, "accepted: cma"),
        ({"over": {"surface.floor.contact.restitution": {"values": [0.3, 0.5]}}}, "takes ranges"),
        ({"over": {"surface.floor.contact.bounce": [0.3, 0.5]}}, "bounce"),
        ({"over": {"surface.floor.contact.restitution": [0.5, 0.5]}}, "the range is empty"),
        ({"over": {"surface.floor.contact.restitution": [0.3, float("nan")]}}, "finite"),
        ({"over": {}}, "empty"),
        ({"over": 3}, "no table"),
        ({"designs": 1}, "at least 4"),
    ):
        with pytest.raises(InputError, match=words):
            optimize(study, **{"over": over, "goal": "end_time"} | changes)
    with pytest.raises(InputError, match="accepted: mean"):
        Goal("HIC15", "best")
    with pytest.raises(InputError, match="most = number"):
        read_limits({"HIC15": {"below": 3}}, "x")
    with pytest.raises(InputError, match="no table"):
        load_optimum("fall-height")
    assert load_optimum("car-front-optimum")["goal"].minimise == "HIC15 AIS3+"
    assert list(load_hypotheses("reconstruct-14m")) == ["slipped", "jumped", "pushed"]


def test_paths_of_one_table_do_not_replace_those_of_another():
    """TOML reads human.mass and human.height as one table, of which neither may be lost."""
    study = Study("fall-1cm", {"human": {"mass": [70, 80]}}, cases=2).vary({"human": {"height": [1.6, 1.7]}})
    assert study.paths_of_variables == ("human.mass", "human.height")
    assert study.vary({"human.mass": [75, 80]}).paths_of_variables == ("human.mass", "human.height")
