"""The bench runs and says what is missing; its times are never judged."""

import sys

import pytest

from vitruvian.errors import MissingExtra
from vitruvian.lab.bench import engine, pedestrian_impact, ready_scenarios

pytestmark = pytest.mark.needs_jit


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(engine, "EVALUATIONS", 20)
    monkeypatch.setattr(pedestrian_impact, "FRONTS", ("sedan", "van"))
    monkeypatch.setattr(pedestrian_impact, "SPEEDS", (40,))
    monkeypatch.setattr(pedestrian_impact, "PEOPLE", ("50M",))
    monkeypatch.setattr(pedestrian_impact, "ASKED", {})
    monkeypatch.setattr(ready_scenarios, "library", lambda: ["fall-1cm", "pendulum", "illustrative-motion"])


def test_rows(quick):
    told = []
    rows = {row.name: row for row in engine.run(progress=lambda *args: told.append(args), rounds=1)}
    assert {"forward dynamics of 17 bodies", "full right-hand side", "fall-4m at the default tolerance"} <= set(rows)
    assert {"pedestrian-side-left, 3D", "2 cars x 1 speeds x 1 people, 3D"} <= set(rows)
    assert all(row.got > 0.0 for row in rows.values())
    assert told[0][1:] == (0, 1)
    factors = [name for name in rows if name.endswith("times real time")]
    assert factors == ["fall-1cm, times real time", "illustrative-motion, times real time"]  # those with people


@pytest.mark.parametrize("package", ["mujoco", "pinocchio"])
def test_missing_peers_are_named(quick, monkeypatch, package):
    if package == "pinocchio":
        pytest.importorskip("mujoco")
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=r"vitruvian\[peers\]"):
        engine.run(peers=True)


def test_peers_on_the_same_body(quick):
    pytest.importorskip("mujoco")
    pytest.importorskip("pinocchio")
    names = [row.name for row in engine.engine(peers=True, rounds=1)]
    assert "ours / Pinocchio" in names
    assert "ours / MuJoCo, fall" in names


def test_without_mujoco_the_comparison_is_skipped_not_passed(monkeypatch):
    from vitruvian.lab import verify

    monkeypatch.setitem(sys.modules, "mujoco", None)
    rows = verify.check("mujoco")
    assert all(row.skipped and not row.passed for row in rows)
    assert "needs the extra peers" in rows[0].note
