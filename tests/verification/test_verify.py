"""The equations are solved right: the same functions as `vitruvian verify`, one test a claim."""

import pytest

from vitruvian.errors import InputError
from vitruvian.lab import verify
from vitruvian.lab.evidence import Check

pytestmark = pytest.mark.needs_jit

CLAIMS = [pytest.param(name, marks=pytest.mark.slow) if name in verify.SLOW else name for name in verify.CHECKS]


@pytest.mark.parametrize("name", CLAIMS)
def test_claim(name):
    rows = verify.check(name)
    assert rows
    if all(row.skipped for row in rows):
        pytest.skip(rows[0].note)
    failed = [
        f"{row.name}: expected {row.sense} {row.expected:.9g}, got {row.got:.9g} {row.unit} ({row.note})"
        for row in rows
        if row.failed
    ]
    assert not failed, "\n".join(failed)


def test_unknown_claim_names_the_nearest():
    with pytest.raises(InputError, match='Did you mean "pendulum"'):
        verify.check("pendulun")


def test_progress_is_told():
    told = []
    verify.run(["hanging-chain"], lambda *args: told.append(args))
    assert told == [("hanging-chain", 0, 1)]


def test_verdicts():
    assert Check.close("a", 1.0, 1.1, 0.2).verdict == "ok"
    assert Check.close("a", 1.0, float("nan"), 0.2).verdict == "FAILED"
    assert Check.at_least("order", 2, 2.4).passed
    assert Check.at_least("order", 2, 1.7, tolerance=0.15).failed
    assert Check.at_most("time", 2.0, 2.1, "s").failed
    assert Check.at_most("time", 2.0, float("nan"), "s").failed
    assert Check.at_most("gain", 0.0, 1e-7, tolerance=1e-6).passed
    skipped = Check.skip("a", "needs the extra peers")
    assert skipped.verdict == "skipped"
    assert not skipped.passed
    assert not skipped.failed


def test_rows_say_in_which_sense_they_are_to_be_read():
    assert Check.close("period", 1.5, 1.5, 1e-9, "s").answer == "1.5 s"
    assert Check.at_most("period", 1.5, 1.0, "s").answer == "at most 1.5 s"
    assert Check.at_least("order", 3, 3.1).answer == "at least 3"
    assert Check.measured("time", 2.0, "ms").answer == ""


@pytest.mark.parametrize("name", verify.CHECKS)
def test_every_claim_is_a_sentence(name):
    said = verify.claim(name)
    assert said.endswith(".")
    assert len(said) > 30
