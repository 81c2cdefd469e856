"""Reconstruction against closed forms: the posterior of linear Gaussian evidence, and the odds of two hypotheses."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from vitruvian.errors import InputError
from vitruvian.study import Study, odds, reconstruct
from vitruvian.study.reconstruction import posterior
from vitruvian.study.variable import Range, Rows


def test_the_posterior_of_gaussian_evidence_is_gaussian():
    """x is measured twice, at 4 +- 0.2 and 4.3 +- 0.1; y is in no evidence: mean by weights of 1/sd^2."""
    ranges = (Range(("x",), 0.0, 10.0), Range(("y",), -1.0, 1.0))

    def misfit(columns):
        x = np.array(columns["x"])
        return ((x - 4.0) / 0.2) ** 2 + ((x - 4.3) / 0.1) ** 2

    found = posterior(misfit, ranges, cases=600, generations=6)
    mean, sd = (4.0 / 0.04 + 4.3 / 0.01) / (1 / 0.04 + 1 / 0.01), (1 / 0.04 + 1 / 0.01) ** -0.5
    x, y = found.estimates
    assert found.tolerance == 1.0 and x.decided and not y.decided
    assert abs(x.median - mean) < 0.15 * sd
    assert np.allclose([x.low, x.high], norm.ppf([0.05, 0.95], mean, sd), atol=0.25 * sd)
    assert abs(y.low + 0.9) < 0.1 and abs(y.high - 0.9) < 0.1


def test_the_truth_is_in_the_interval_as_often_as_it_claims():
    """Nonlinear evidence (a throw grows with the square of a speed), 20 noisy repetitions: at least 16 inside 90 %."""
    random = np.random.default_rng(5)
    ranges = (Range(("speed",), 5.0, 20.0), Range(("friction",), 0.5, 0.9))

    def thrown(speed, friction):
        return np.asarray(speed) ** 2 / (2.0 * 9.81 * np.asarray(friction))

    inside = 0
    for k in range(20):
        truth = random.uniform(7.0, 18.0), random.uniform(0.5, 0.9)
        seen = thrown(*truth) + random.normal(0.0, 0.5)
        found = posterior(
            lambda columns, seen=seen: ((thrown(columns["speed"], columns["friction"]) - seen) / 0.5) ** 2,
            ranges, cases=200, generations=5, seed=k,
        )  # fmt: skip
        inside += found.estimates[0].low <= truth[0] <= found.estimates[0].high
    assert inside >= 16


def test_odds_of_two_hypotheses_are_those_of_their_likelihoods():
    """One number x is seen at 1 +- 0.5: evenly from 0 to 2 under one hypothesis, from 0 to 8 under the other."""

    def of(high):
        return posterior(
            lambda columns: ((np.array(columns["x"]) - 1.0) / 0.5) ** 2, (Range(("x",), 0.0, high),), cases=2000
        )

    mass = [(norm.cdf(high, 1.0, 0.5) - norm.cdf(0.0, 1.0, 0.5)) / high for high in (2.0, 8.0)]
    found = odds({"near": of(2.0), "far": of(8.0)})
    assert abs(found["near"] - mass[0] / sum(mass)) < 0.02 and abs(sum(found.values()) - 1.0) < 1e-12


def test_words_get_probabilities():
    sides = Rows(("side",), (("left",), ("right",)))
    found = posterior(lambda c: np.array([0.0 if side == "left" else 4.0 for side in c["side"]]), (sides,), cases=400)
    left = 1.0 / (1.0 + np.exp(-2.0))
    assert abs(found.shares["side"]["left"] - left) < 0.06


def test_refusals():
    study = Study("fall-1cm", {"human.mass": [70, 90]}, cases=1)
    refused = {
        "empty": {},
        "accepted": {"throw": (1, 1)},
        "standard deviation": {"HIC15": 3},
        "a word for a word": {"HIC15": "high"},
        "for a number": {"HIC15": (np.nan, 1)},
        'Did you mean "head"': {"contacts": {"first": "hed"}},
        "injury": {"HIC15": True},
    }
    for words, evidence in refused.items():
        with pytest.raises(InputError, match=words):
            reconstruct(study, evidence)
    with pytest.raises(InputError, match="no hypothesis"):
        odds({})
    with pytest.raises(InputError, match="no case"):
        posterior(lambda columns: np.full(len(columns["x"]), np.inf), (Range(("x",), 0.0, 1.0),), cases=20)


def test_every_kind_of_evidence_has_a_likelihood():
    """-2 ln of a Gaussian, of a risk curve, and MISFIT standard deviations for each wrong word or segment."""
    from vitruvian.study.reconstruction import MISFIT, _apart

    assert _apart("throw", 12.0, (10.0, 1.0)) == 4.0 and _apart("head_part", "bonnet", "windscreen") == MISFIT**2
    assert _apart("HIC15 AIS3+", 0.25, True) == pytest.approx(-2.0 * np.log(0.25))
    assert _apart("HIC15 AIS3+", 0.25, False) == pytest.approx(-2.0 * np.log(0.75))
    assert _apart("rest_heading", np.pi - 0.1, (-np.pi, 0.1)) == pytest.approx(1.0)
    order = "left_foot + right_foot, pelvis, head"
    assert _apart("contacts", order, {"first": "right_foot", "touched": ["head"], "untouched": ["left_hand"]}) == 0.0
    assert _apart("contacts", order, {"first": "head", "untouched": ["pelvis"]}) == 2 * MISFIT**2
