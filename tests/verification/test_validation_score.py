"""The frozen table of targets: what counts, what is fitted, and how the score and the trust words follow from it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from vitruvian import data
from vitruvian.errors import InputError
from vitruvian.injury.finding import criteria
from vitruvian.lab.validate import calibration, pairs, score, target, trust
from vitruvian.lab.verdict import Report, Validated

ROOT = Path(__file__).parents[2]
FROZEN = ROOT.parent / "shared" / "validation" / "targets.csv"


@pytest.mark.skipif(not FROZEN.exists(), reason="the frozen list of targets is not next to this repository")
def test_the_table_of_the_package_is_the_frozen_list():
    assert data.read_table_text(target.TABLE).splitlines() == FROZEN.read_text(encoding="utf-8").splitlines()


def test_every_target_is_fitted_counted_or_says_why_not():
    rows = target.targets().values()
    assert len(rows) == 103
    for row in rows:
        assert row.use in ("calibrate", "validate") and row.status in ("seen", "seen-derived", "recalled"), row
        assert row.source, row
        if row.use == "calibrate":
            assert not row.counts and row.eligible == "", row
        else:
            assert row.eligible == "yes" or row.eligible.startswith("no: "), row
        if row.counts:
            assert row.low < row.high, row


def _score(values, stored=None):
    rows = tuple(target.compared(name, ours) for name, ours in values.items())
    return score.scored({"case": Report("t", "s", rows, stored=stored or {})})


def test_fitted_targets_never_count_and_missing_ones_count_as_outside():
    nothing, fitted = _score({}), _score({"A16": 28.4, "A10": 1.0})
    assert (nothing.inside, nothing.eligible) == (0, 36)
    assert (fitted.inside, fitted.eligible) == (0, 36)
    one = _score({"A18": -7.1, "A23": 99.0})
    assert (one.inside, one.score) == (1, 1 / 36)
    words = {row.target.id: row.cells()[3] for row in one.rows}
    assert words["A18"] == "inside" and words["A23"] == "OUTSIDE" and words["A16"] == "fitted"
    assert words["A02"] == "not counted (needs a translational knee)"
    assert _score({"A18": float("nan")}).inside == 0
    json.loads(json.dumps(one.record(), allow_nan=False))
    assert set(one.record()) >= {"score", "inside", "eligible", "rows"}


def test_only_a_row_that_falls_out_fails():
    name = target.targets()["A18"].name
    assert _score({"A18": 99.0}, {name: "inside"}).fallen == [f"case: {name}: stored inside, now outside"]
    assert _score({}, {name: "inside"}).fallen  # not made any more
    assert not _score({"A18": -7.0}, {name: "outside"}).fallen
    assert not _score({"A18": 99.0}).fallen
    with pytest.raises(ValueError, match="A18 is computed by a and by b"):
        report = Report("t", "s", (target.compared("A18", 1.0),))
        score.scored({"a": report, "b": report})
    with pytest.raises(InputError, match='no target "A99"'):
        target.compared("A99", 1.0)


def test_no_calibration_uses_a_target_marked_validate():
    """Acceptance: the fitted targets of every calibration are marked calibrate."""
    from vitruvian.lab.validate import joint_fits, tissue_fits

    listed = {name: set(fit.targets) for name, fit in calibration.CALIBRATIONS.items()}
    assert listed["legs"] == set(joint_fits.TARGETS["legs"]) and listed["neck"] == set(joint_fits.TARGETS["neck"])
    assert listed["knee-swing"] == set(joint_fits.TARGETS["swing"])
    assert listed["tissue"] == set(tissue_fits.TARGETS)
    for name, fit in calibration.CALIBRATIONS.items():
        assert fit.targets, name
        for used in fit.targets:
            assert target.targets()[used].use == "calibrate", (name, used)


def test_a_calibration_with_a_forbidden_target_is_refused(monkeypatch):
    name, fit = next(iter(calibration.CALIBRATIONS.items()))
    monkeypatch.setitem(calibration.CALIBRATIONS, name, fit._replace(targets=("A18",)))
    with pytest.raises(InputError, match="A18, which is marked validate"):
        calibration.calibrate(name)
    with pytest.raises(InputError, match="there is no calibration"):
        calibration.calibrate("nothing")


def test_trust_words_follow_from_the_stored_verdicts():
    """Item 8: the word of every criterion in the data is the one that `validate` supports."""
    assert trust.trusts() == {name: about["trust"] for name, about in criteria().items()}
    verdicts = {"x": {"A18 hip": "inside", "dummies": "inside", "worse": "outside"}}
    assert trust.trust((), verdicts) == "unchecked"
    assert trust.trust(("x: A18 hip", "x: dummies"), verdicts) == "validated"
    assert trust.trust(("x: dummies",), verdicts) == "compared"
    assert trust.trust(("x: A18 hip", "x: worse"), verdicts) == "compared"


@pytest.mark.needs_jit
@pytest.mark.slow
def test_pairs_of_people_and_cars_answer_their_targets(monkeypatch):
    """Two of the twenty pairs; `vitruvian validate` runs all of them."""
    monkeypatch.setattr(pairs, "PEOPLE", {"50M": pairs.PEOPLE["50M"]})
    monkeypatch.setattr(pairs, "FRONTS", ("sedan", "van"))
    report = pairs.pairs(lambda *_: None)
    found = {row.target: row for row in report.rows}
    assert list(found) == ["C15", "C16", "C17", "C18", "C19", "C20", "C25", "C26"]
    assert all(row.ours > 0.0 for row in found.values())
    assert found["C26"].ours == pytest.approx(1.1, abs=0.2)
    assert replace(found["C25"], ours=130.0).inside and not Validated("a", 1.0, 2.0, 3.0).inside
