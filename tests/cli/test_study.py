"""`vitruvian study`: run, resume, refuse, report, replay one case; `--spread` of `run`."""

from __future__ import annotations

import json
from pathlib import Path

import pandas
import pytest
from typer.testing import CliRunner

from vitruvian.cli.app import app
from vitruvian.cli.study import _reasons
from vitruvian.study import studies

pytestmark = pytest.mark.needs_jit

FILE = """
scenario = "fall-1cm"
set = { "solver.duration" = 0.02 }

[study]
cases = 6
criteria = ["HIC15"]

[study.vary]
human.start.clearance = ["1 cm", "3 cm"]
human.mass = { normal = [80, 60] }
"""


def invoked(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == code, (done.output, done.exception)
    return done.output if code == 0 else str(done.exception)


@pytest.fixture
def file(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(FILE)
    return Path("mine.toml")


def test_run_resume_refuse_and_report(file: Path) -> None:
    first = json.loads(invoked("study", str(file), "--out", "out/a", "--json"))
    assert first["cases"] == 6 and sum(first["status"].values()) == 6
    assert first["status"]["rejected"] > 0  # a mass of 80 +- 60 kg is not always that of a person
    assert "6 cases" in invoked("study", str(file), "--out", "out/a", "--resume")
    assert "already" in invoked("study", str(file), "--out", "out/a", code=1)
    assert "another study" in invoked("study", str(file), "--out", "out/a", "--resume", "--cases", "7", code=1)
    assert "Page: " in invoked("study", "report", "out/a")
    page = Path("out/a/report.html").read_text(encoding="utf-8")
    assert "Distributions" in page and "rejected" in page and "accepted" in page
    assert "http://" not in page.partition('id="plotly"')[0]  # nothing is loaded from a network


def test_failures_that_differ_in_numbers_only_are_one_kind() -> None:
    heavy = [f"mass is {mass} kg; accepted 40 kg to 160 kg." for mass in (170.5, 181.0)]
    light = ["mass is -1e-3 kg; accepted 40 kg to 160 kg. Did you mean 2?"]
    others = [f"the wall {word} is missing" for word in ("a", "b", "c", "d", "e")]
    lines = _reasons(pandas.DataFrame({"reason": ["", None, *heavy, *light, *others, "e e"]}))
    assert lines[0] == f"3 x such as: {heavy[0]}"
    assert lines[1] == f"1 x {others[0]}" and len(lines) == 6 and lines[-1] == "2 others; the page lists them."


def test_one_case_again(file: Path) -> None:
    invoked("study", str(file), "--case", "0", "--out", "one")
    assert {path.name for path in Path("one").iterdir()} == {"result.nc", "report.html"}


def test_a_case_of_a_folder_is_replayed_next_to_the_page_that_links_to_it(file: Path) -> None:
    """The folder alone holds what is needed; the replay has the value of the row."""
    from vitruvian.sim.result import Result
    from vitruvian.study.folder import Folder

    invoked("study", str(file), "--out", "out/a")
    invoked("study", "report", "out/a")
    assert 'data-command="vitruvian study out/a"' in Path("out/a/report.html").read_text(encoding="utf-8")
    file.unlink()
    rows = Folder("out/a").read()
    case = int(rows.loc[rows["reason"] == "", "case"].iloc[0])
    invoked("study", "out/a", "--case", str(case))
    assert Path(f"out/a/case-{case:06d}/report.html").is_file()
    again = Result.load(f"out/a/case-{case:06d}/result.nc").injury(only=("HIC15",))["HIC15"].value
    assert again == rows["HIC15"][case]


def test_ready_studies_are_listed() -> None:
    listed = json.loads(invoked("study", "--json"))
    assert list(listed) == studies() and all(listed.values())
    assert "there is no study" in invoked("study", "fall-heigth", code=1)


def test_run_with_spread() -> None:
    words = ["run", "fall-1cm", "--set", "solver.duration=0.03", "--no-files", "--spread", "--cases", "8"]
    found = json.loads(invoked(*words, "--json"))["spread"]
    assert found["cases"] == 8 and found["outcomes"]["head 3ms"]["p5"] <= found["outcomes"]["head 3ms"]["p95"]
    assert "driven by" in invoked(*words)


@pytest.mark.needs_jit
def test_the_report_of_a_spread_has_bands_and_ghosts(tmp_path: Path) -> None:
    words = ["run", "fall-1cm", "--set", "solver.duration=0.05", "--set", "human.start.clearance=5 mm"]
    invoked(*words, "--out", str(tmp_path / "out"), "--report", "--spread", "--cases", "8")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "5 % of the spread" in page and "95 % of the spread" in page and "5 % of HIC15" in page
