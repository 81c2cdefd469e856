"""Stature and mass by sex, age and percentile: closed forms, round trips, and no jumps."""

from __future__ import annotations

from math import exp
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vitruvian import data
from vitruvian.errors import InputError
from vitruvian.human import body_mass, mass_percentile, stature, stature_percentile
from vitruvian.human.anthropometry import _decades

sexes = st.sampled_from(["male", "female"])
populations = st.sampled_from(["us", "cz"])


def charts(what: str, sex: str) -> list[tuple[float, float, float, float]]:
    """Age, L, M, S of the table, in SI."""
    rows: dict[float, dict[str, float]] = {}
    for row in data.table("growth"):
        if row.item == what and row.sex == sex:
            rows.setdefault(float(row.age_group), {})[row.quantity] = row.si
    return [(age, row["L"], row["M"], row["S"]) for age, row in sorted(rows.items())]


@pytest.mark.parametrize("sex", ["male", "female"])
@pytest.mark.parametrize(("what", "function"), [("stature", stature), ("mass", body_mass)])
def test_growth_charts_are_their_closed_form(what, function, sex) -> None:
    for age, power, median, scatter in charts(what, sex):
        assert function(sex, age, 50) == pytest.approx(median, rel=1e-12)
        for percentile in (3, 5, 25, 75, 95, 97):
            z = NormalDist().inv_cdf(percentile / 100)
            closed = median * (1 + power * scatter * z) ** (1 / power) if power else median * exp(scatter * z)
            assert function(sex, age, percentile) == pytest.approx(closed, rel=1e-12)


def test_example_of_the_guide() -> None:
    """Male 5.96 years 115.1 cm, 20.6 kg; male 20 years 176.8 cm, 70.6 kg."""
    assert (stature("male", 5.96), body_mass("male", 5.96)) == pytest.approx((1.151, 20.6), abs=0.05)
    assert stature("male", 20) == pytest.approx(1.768, abs=5e-4)
    assert body_mass("male", 20) == pytest.approx(70.6, abs=0.05)


@pytest.mark.parametrize("sex", ["male", "female"])
def test_adult_masses_have_the_mean_the_deviation_and_the_median_of_the_table(sex) -> None:
    """Integrated over the distribution, percentile by percentile."""
    table = {
        (row.age_group, row.quantity): row.si
        for row in data.table("adult_size")
        if row.item == "mass" and row.sex == sex and row.population == "us"
    }
    groups = list(dict.fromkeys(group for group, _ in table))
    z = np.linspace(-8, 8, 20001)
    weight = np.exp(-z * z / 2)
    weight /= weight.sum()
    for group, decade in zip(groups, _decades("mass", sex, "us"), strict=True):
        values = np.array([decade.at(x) for x in z])
        mean = values @ weight
        assert decade.at(0.0) == table[group, "median"]
        assert np.sqrt((values - mean) ** 2 @ weight) == pytest.approx(table[group, "sd"], rel=1e-6)
        if decade.skew:
            assert mean == pytest.approx(table[group, "mean"], rel=1e-6)
        else:  # the mean lies below the median: no log-normal has that
            assert table[group, "mean"] < table[group, "median"]


@pytest.mark.parametrize("sex", ["male", "female"])
def test_czech_adults_have_the_published_mean(sex) -> None:
    """Over all ages of the American sample, weighted with its people."""
    numbers = [row.si for row in data.table("adult_size") if row.item == "people" and row.sex == sex]
    middles = [25, 35, 45, 55, 65, 75, 85]
    heights = [stature(sex, age, 50, "cz") for age in middles]
    published = {"male": 1.7858, "female": 1.6599}[sex]
    assert np.average(heights, weights=numbers[:7]) == pytest.approx(published, rel=1e-9)
    assert stature(sex, 30, 50, "cz") > stature(sex, 30, 50, "us")
    assert body_mass(sex, 30, 50, "cz") < body_mass(sex, 30, 50, "us")
    assert stature(sex, 10, 20, "cz") == stature(sex, 10, 20, "us")


@settings(max_examples=60, deadline=None)
@given(sexes, st.floats(2, 90), st.floats(1.5, 98.5), populations)
def test_percentiles_round_trip(sex, age, percentile, population) -> None:
    height, mass = stature(sex, age, percentile, population), body_mass(sex, age, percentile, population)
    assert stature_percentile(height, sex, age, population) == pytest.approx(percentile, abs=1e-8)
    assert mass_percentile(mass, sex, age, population) == pytest.approx(percentile, abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(sexes, st.floats(2, 90), populations)
def test_higher_percentiles_are_taller_and_heavier(sex, age, population) -> None:
    percentiles = np.linspace(1, 99, 50)
    for function in (stature, body_mass):
        assert (np.diff([function(sex, age, p, population) for p in percentiles]) > 0).all()


@pytest.mark.parametrize("sex", ["male", "female"])
@pytest.mark.parametrize("percentile", [5, 50, 95])
def test_children_grow(sex, percentile) -> None:
    ages = np.linspace(2, 18, 321)
    assert (np.diff([stature(sex, age, percentile) for age in ages]) >= 0).all()
    assert (np.diff([body_mass(sex, age, percentile) for age in ages]) > 0).all()


@pytest.mark.parametrize("sex", ["male", "female"])
@pytest.mark.parametrize("population", ["us", "cz"])
def test_nothing_jumps_with_age(sex, population) -> None:
    """A day changes no stature by more than 0.4 mm (at two years) and no mass by more than 50 g."""
    day = 1 / 365.25
    for age in (*np.linspace(2, 89, 88), 19.9999, 20.0, 24.9999, 25.0):
        for percentile in (5, 50, 95):
            one, other = ((age, percentile, population), (age + day, percentile, population))
            assert abs(stature(sex, *one) - stature(sex, *other)) < 4e-4
            assert abs(body_mass(sex, *one) - body_mass(sex, *other)) < 0.05


def test_men_are_taller_and_the_old_are_shorter() -> None:
    for age in range(18, 91):
        assert stature("male", age) > stature("female", age)
    for sex in ("male", "female"):
        assert stature(sex, 85) < stature(sex, 75) < stature(sex, 25)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stature("male", 1.9), "accepted 2 to 90 years. Infants cannot stand"),
        (lambda: stature("male", 91), "no older people"),
        (lambda: stature("mail", 30), 'Did you mean "male"'),
        (lambda: stature("male", 30, 0.5), "percentile is 0.5; accepted 1 to 99"),
        (lambda: stature("male", 30, 100), "accepted 1 to 99"),
        (lambda: stature("male", 30, "5 %"), "write the number alone: 5"),
        (lambda: body_mass("male", 30, 50, "uk"), 'population is "uk"; accepted: us, cz'),
        (lambda: stature("male", float("nan")), "finite"),
    ],
)
def test_bad_input_says_what_is_accepted(call, message) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert message in str(error.value)


def test_percentiles_beyond_the_data_are_the_ends() -> None:
    assert stature_percentile(2.2, "male", 30) == 99.0
    assert mass_percentile(20.0, "male", 30) == 1.0
