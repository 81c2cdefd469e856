"""The laboratory over time: formulations, stabilisations and solvers meet the engine."""

from __future__ import annotations

import pytest

from vitruvian.evidence import compare

pytestmark = pytest.mark.needs_jit


def test_all_formulations_follow_the_double_pendulum() -> None:
    _, rows = compare.run("double-pendulum", duration=0.2)
    assert {row.formulation for row in rows} == set(compare.FORMULATIONS)
    for row in rows:
        assert row.status == "finished"
        assert not row.failed, row
        assert row.reaction < 1e-6
    exact = [row for row in rows if row.must_agree]
    assert len(exact) == 9
    # the penalty of the augmented Lagrangian costs some digits of the multipliers
    assert all(row.reaction < (1e-7 if row.stabilisation == "augmented-lagrangian" else 1e-10) for row in exact)
    loose = {row.stabilisation: row for row in rows if not row.must_agree}
    assert loose["penalty"].violation > 1e2 * max(row.violation for row in exact)


def test_a_person_in_flight() -> None:
    """Over a short time; `vitruvian compare free-flight-17` does it over half a second."""
    flight = {"duration": 0.03, "formulations": ["euler-parameters-1", "euler-angles", "natural"]}
    _, rows = compare.run("free-flight-17", stabilisations=["projection"], **flight)
    flight["formulations"] = ["euler-parameters-3"]
    _, more = compare.run("free-flight-17", stabilisations=["augmented-lagrangian"], **flight)
    for row in rows + more:
        assert row.must_agree
        assert not row.failed, row
        assert row.reaction < (1e-6 if row.stabilisation == "augmented-lagrangian" else 1e-10)


def test_angles_fail_where_parameters_do_not() -> None:
    _, rows = compare.run("singular-angles", formulations=["euler-angles", "euler-parameters-1"])
    by_name = {row.formulation: row for row in rows}
    assert by_name["euler-angles"].status == "singular"
    assert "Use Euler parameters" in by_name["euler-angles"].note
    assert by_name["euler-parameters-1"].status == "finished"
    assert by_name["euler-parameters-1"].orientation < 1e-9
