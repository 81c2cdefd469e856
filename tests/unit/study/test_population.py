"""Populations: their marginals are those of the tables, and height and mass are correlated."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest, pearsonr

from vitruvian.errors import InputError
from vitruvian.human.anthropometry import body_mass, stature
from vitruvian.study import Population, Study, load_study, studies
from vitruvian.study.population import correlation

#: probability below which a sample contradicts the tables
CHANCE = 0.01
PERCENTILES = np.linspace(1.0, 99.0, 99)


@pytest.mark.parametrize(("sex", "age"), [("male", 45.0), ("female", 75.0), ("male", 8.0), ("female", 22.0)])
@pytest.mark.parametrize(("what", "table"), [("height", stature), ("mass", body_mass)])
def test_marginals_are_those_of_the_tables(sex, age, what, table, monkeypatch):
    """People of one sex and age: share below each percentile of the table (Kolmogorov-Smirnov)."""
    monkeypatch.setattr(Population, "age_at", lambda self, share, whose: age)
    people = [one for one in Population("us").sample(3000, seed=5) if one.sex == sex]
    known = [table(sex, age, percentile) for percentile in PERCENTILES]
    shares = [np.interp(getattr(one, what), known, PERCENTILES / 100.0) for one in people]
    inside = [share for share in shares if 0.01 < share < 0.99]
    assert kstest((np.array(inside) - 0.01) / 0.98, "uniform").pvalue > CHANCE
    assert abs(len(inside) / len(shares) - 0.98) < 0.01


def test_ages_and_sexes_follow_the_numbers_of_the_tables():
    people = Population("us").sample(4000, seed=1)
    ages = np.array([one.age for one in people])
    assert ages.min() >= 2.0 and ages.max() <= 90.0
    women = np.mean([one.sex == "female" for one in people])
    assert abs(women - (3658 + 1268) / (7182 + 2536)) < 3.0 * np.sqrt(0.25 / 4000)
    numbers = [1268 * 2, 1350, 1334, 1386, 1299, 911, 577, 325]
    edges = [2.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0]
    expected = np.concatenate([[0.0], np.cumsum(numbers)]) / sum(numbers)
    assert kstest(ages, lambda age: np.interp(age, edges, expected)).pvalue > CHANCE


def test_tall_people_are_heavier():
    """The correlation of the scores is that of the table: here of men of one age, whose height is normal."""
    r = correlation("male", 45.0)
    unit = np.random.default_rng(0).random((4000, 4))
    unit[:, :2] = 0.99, 0.5  # men of the median age
    people = Population("us").at(unit)
    found = pearsonr([one.height for one in people], [one.mass for one in people]).statistic
    assert 0.8 * r < found < r + 0.05  # a skewed mass lowers it a little


def test_seeds_and_refusals():
    assert Population("cz").sample(3, seed=1) == Population("cz").sample(3, seed=1)
    assert Population("us").sample(3, seed=1) != Population("us").sample(3, seed=2)
    for call in (lambda: Population("moon"), lambda: Population("us").sample(0)):
        with pytest.raises(InputError, match=r"accepted|at least 1"):
            call()


def test_a_grid_of_speeds_draws_other_people_for_every_case():
    study = Study("pedestrian-2d", {"vehicle.speed": {"values": [8, 10]}, "human": {"population": "us"}}, "grid",
                  repeat=3)  # fmt: skip
    inputs = [study.inputs(k) for k in range(study.size)]
    assert [one["vehicle.speed"] for one in inputs] == [8.0, 10.0] * 3
    assert len({one["human.height"] for one in inputs}) == 6
    assert "preset" not in study.base.data["human"] and study.case(0).table.human[0].height == inputs[0]["human.height"]


@pytest.mark.parametrize("name", studies())
def test_ready_studies_can_be_planned(name):
    study = load_study(name)
    assert study.size >= 1 and len(study.columns) > 10
    study.case(0).build()
