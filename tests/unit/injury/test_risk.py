"""Risk curves at values that are known, their ranges, and the table of criteria."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import data
from vitruvian.errors import InputError
from vitruvian.injury.finding import criteria
from vitruvian.injury.limits import limit
from vitruvian.injury.risk import curves, risk, risks
from vitruvian.injury.rule import RULES


@pytest.mark.parametrize(
    ("curve", "value", "probability"),
    [
        ("HIC15 AIS3+", np.exp(7.45231), 0.5),  # the median of the lognormal curve
        ("HIC15 AIS3+", 0.0, 0.0),
        ("BrIC AIS4+", 1.204, 1.0 - np.exp(-1.0)),  # the scale of a Weibull curve
        ("BrIC AIS3+ THOR", 0.523, 0.0),  # its threshold
        ("Nij AIS3+", 0.0, 1.0 / (1.0 + np.exp(3.2269))),  # 3.8 % at no load at all
        ("Nij AIS3+", 3.2269 / 1.9688, 0.5),
        ("neck tension AIS3+", 1e3 * 10.9745 / 2.375, 0.5),  # N, the curve in kN
        ("femur force AIS2+", 1e3 * 5.795 / 0.5196, 0.5),
        ("chest deflection AIS3+", (10.5456 / 1.568) ** (1.0 / 0.4612), 0.5),  # mm
        ("chest 3ms AIS3+", 3.1493 / 0.0630, 0.5),  # g
    ],
)
def test_curves_at_known_values(curve: str, value: float, probability: float) -> None:
    found = risk(curve, value)
    assert found.probability == pytest.approx(probability, abs=1e-12)
    assert found.inside
    assert found.population


def test_us_ncap_at_700() -> None:
    """HIC15 of 700 is 11 % AIS3+ in US NCAP."""
    assert risk("HIC15 AIS3+", 700.0).probability == pytest.approx(0.11, abs=0.005)


def test_outside_the_range_the_answer_says_so() -> None:
    far = risk("HIC15 AIS3+", 9000.0)
    assert not far.inside
    assert far.probability == risk("HIC15 AIS3+", 4000.0).probability
    assert "outside the range of the curve (0 to 4000): at least 87 %" in far.words


@pytest.mark.parametrize("name", curves())
def test_every_curve_rises_and_names_its_population(name: str) -> None:
    curve = curves()[name]
    low, high = curve.range
    chances = [curve.probability(value) for value in np.linspace(low, high, 50)]
    assert (np.diff(chances) >= 0.0).all()
    assert 0.0 <= chances[0] < 0.05 and chances[-1] > 0.5
    assert curve.population and curve.source in data.references()


def test_severer_injuries_are_rarer() -> None:
    chances = [answer.probability for answer in risks("BrIC", 0.8)]
    assert len(chances) == 5
    assert chances == sorted(chances, reverse=True)


def test_unknown_curves_are_refused() -> None:
    with pytest.raises(InputError, match='Did you mean "HIC15 AIS3\\+"'):
        risk("HIC15 AIS3", 700.0)


def test_every_criterion_is_described_and_computed() -> None:
    """Unit, filter and trust of each; every rule has a description and every description a rule."""
    computed = {name for rule in RULES for name in rule.names}
    assert computed == set(criteria())
    for name, about in criteria().items():
        assert about["trust"] in ("validated", "compared", "unchecked"), name
        assert about["title"] and about["why"] and about["filter"] > 0, name
        row = limit(name)
        if row is not None:
            assert row.unit.replace("^", "") == about["unit"], name
    assert criteria()["Nij"]["recommended"] is False


def test_limits_by_size() -> None:
    assert limit("femur force").value == 10008.0
    assert limit("femur force", "5F").value == 6805.0
    assert limit("HIC15", "5F").value == 700.0  # one limit for both
    assert limit("UBrIC") is None
