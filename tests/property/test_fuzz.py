"""A small part of tools/fuzz.py: no mutant crashes, hangs, leaks the inside of the program or is accepted silently."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "fuzz.py"


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("scenarios", 400),
        ("measured", 150),
        ("options", 60),
        pytest.param("results", 120, marks=pytest.mark.needs_jit),
        pytest.param("runs", 15, marks=pytest.mark.needs_jit),
    ],
)
def test_mutants_are_accepted_or_refused_with_a_sentence(
    fuzz: ModuleType, tmp_path: Path, kind: str, count: int
) -> None:
    """Items 4, 5, 7 and 8; another seed than that of the full program."""
    found = [answer for n in range(count) if (answer := fuzz.case(kind, 7, n, tmp_path))["found"]]
    assert not found


def test_the_workshop_uses_every_table_and_is_right(fuzz: ModuleType, tmp_path: Path) -> None:
    """What is mutated is accepted before it is mutated, so that a refusal follows from the mutation."""
    from vitruvian.scenario import Scenario
    from vitruvian.scenario.schema import SCENARIO

    fuzz.write_files(tmp_path)
    scenario = Scenario.load(tmp_path / "workshop.toml")
    scenario.check()
    tables = [entry.name for entry in SCENARIO.entries if entry.default == ()]
    assert all(getattr(scenario.table, name) for name in tables), tables


def test_a_finding_is_repeated_by_its_number(fuzz: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A case depends on kind, seed and number alone; crashes, leaks and silent acceptance are all found."""

    def crashes(rng: object, folder: Path) -> str:
        raise KeyError(rng.random())  # type: ignore[attr-defined]

    monkeypatch.setitem(fuzz.KINDS, "crashes", crashes)
    first, again, other = (fuzz.case("crashes", 1, n, tmp_path)["found"] for n in (5, 5, 6))
    assert first == again != other and first.startswith("crash KeyError")
    for message in ("x: Input should be a valid tuple", "x: math domain error", "x: \x1b[31m", "y: right"):
        with pytest.raises(fuzz.Finding):
            fuzz.readable(message, "x: ")
    monkeypatch.setattr(fuzz, "load_and_build", lambda data, folder: "accepted")
    assert any(fuzz.case("scenarios", 1, n, tmp_path)["found"] for n in range(40))
