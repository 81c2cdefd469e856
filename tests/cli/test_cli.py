"""The command line: what it prints, which files it writes, its exit codes, and what its help imports."""

from __future__ import annotations

import errno
import html
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import vitruvian
from vitruvian.cli import main
from vitruvian.cli.app import COMMANDS
from vitruvian.scenario import Scenario, library
from vitruvian.sim.result import load
from vitruvian.study.study_file import load_study

HEAVY = {"numba", "llvmlite", "numpy", "scipy", "xarray", "pandas", "h5py", "matplotlib", "pydantic", "tomli_w"}


class Answer:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def call(capsys, tmp_path, monkeypatch):
    """Runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*words: object) -> Answer:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        printed = capsys.readouterr()
        return Answer(int(left.value.code or 0), printed.out, printed.err)

    return run


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


# help and version


@pytest.mark.parametrize("words", [["--help"], ["run", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    code = f"""
import errno
import html
import sys
from vitruvian.cli import main
try:
    main({words!r})
except SystemExit:
    print(*sys.modules, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = HEAVY.intersection(done.stderr.split())
    assert loaded <= ({"pydantic"} if words[0] == "run" else set())  # newer typer reads arguments with pydantic


def test_help_names_every_command_in_a_whole_line(call, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    answer = call("--help")
    assert answer.code == 0
    for command, (_, line) in COMMANDS.items():
        assert re.search(rf"^  {command} +{re.escape(line)}$", answer.out, re.MULTILINE)


def test_verify_lists_its_claims(call) -> None:
    answer = call("verify", "--list")
    assert answer.code == 0
    assert re.search(r"^pendulum +The period at five amplitudes is the elliptic integral", answer.out, re.MULTILINE)


def test_version(call) -> None:
    assert call("--version").out == f"vitruvian {vitruvian.__version__}\n"


def test_python_m_does_the_same() -> None:
    done = subprocess.run([sys.executable, "-m", "vitruvian", "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"vitruvian {vitruvian.__version__}\n")


@pytest.mark.parametrize("words", [["fly"], ["run", "fall-4m", "--nonsense"], ["show"], ["run", "fall-4m", "--set"]])
def test_wrong_usage_is_exit_code_2(call, words: list[str]) -> None:
    assert call(*words).code == 2


# looking at scenarios


def test_list(call) -> None:
    answer = call("list")
    assert answer.code == 0
    assert re.search(r"^fall-4m +Feet-first fall from 4 m onto concrete$", answer.out, re.MULTILINE)
    assert set(json.loads(call("list", "--json").out)) == set(library())


def test_schema_is_printed_or_written(call, tmp_path: Path) -> None:
    answer = call("schema")
    assert answer.code == 0
    schema = json.loads(answer.out)
    assert schema["required"] == ["schema", "solver"] and "hinges" in schema["$defs"]["Human"]["properties"]
    assert call("schema", "--out", "keys.json").out == "Written: keys.json\n"
    assert json.loads((tmp_path / "keys.json").read_text()) == schema


@pytest.mark.parametrize("command", ["show", "pedestrian"])
def test_a_person_is_described_by_the_same_options_everywhere(call, command: str) -> None:
    """One for each field of `human.Who` that fits on a command line, with its meaning."""
    from vitruvian.human import WHO

    text = " ".join(call(command, "--help").out.split())
    assert all(f"--{name} " in text for name in WHO if name != "added")
    assert "Male unless given: male, female." in text and "2 to 90; without one an adult [years]." in text


def test_show_prints_what_can_be_kept_and_run(call, tmp_path: Path) -> None:
    answer = call("show", "fall-4m")
    assert "He lands on his feet" in answer.out
    (tmp_path / "mine.toml").write_text(answer.out)
    assert Scenario.load(tmp_path / "mine.toml").table == Scenario.load("fall-4m").table
    (tmp_path / "resolved.toml").write_text(call("show", "fall-4m", "--resolved").out)
    assert Scenario.load(tmp_path / "resolved.toml") == Scenario.load("fall-4m")


def test_show_prints_a_study_as_a_template(call, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(call("show", "car-front-design").out)
    assert load_study(tmp_path / "mine.toml").scenario == load_study("car-front-design").scenario
    answer = call("show", "car-front-design", "--resolved")
    assert answer.code == 2 and "is a study" in answer.err


def test_show_human_prints_every_number_with_its_source(call, tmp_path: Path) -> None:
    answer = call("show", "human", "--sex", "female", "--age", 35, "--percentile", 5, "--csv", "anna.csv")
    assert answer.code == 0
    head = " ".join(answer.out.split())  # wherever the terminal breaks the line
    assert "female, 35 years: 151.5 cm (percentile 5 of females of 35 years (us; nhanes2012)), 52.8 kg" in head
    assert re.search(r"^thigh +2 +7\.\d+ +14\.\d+ +deleva1996 *$", answer.out, re.MULTILINE)
    assert re.search(r"^knee +flexion +141\.7 +soucie2011", answer.out, re.MULTILINE)
    assert "\nSizes [mm]" in answer.out and "\\" not in answer.out
    assert (tmp_path / "anna.csv").read_text().startswith("item,quantity,value,unit,source\nperson,sex,female,-,given")
    again = call("show", "human", "--measured", "anna.csv")
    assert "52.8 kg (measured)" in again.out
    assert "143.0 cm" not in again.out and "151.5 cm (measured)" in again.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["human"],
            "human.height is missing. Give height and mass; or sex and age",
        ),
        (["human", "--preset", "5G"], 'human.preset is "5G"; accepted: 50M, 5F, 95M, 6YO'),
        (["human", "--age", "1", "--percentile", "50"], "accepted 2 to 90 years"),
        (["human", "--height", "165 kg", "--mass", "60"], "expected a length"),
        (["human", "--preset", "5F", "--csv", "no/such/folder.csv"], "cannot be written"),
        (["fall-4m", "--age", "35"], "--age describe a person; write: vitruvian show human --age ..."),
    ],
)
def test_show_human_refuses_with_what_is_accepted(call, words: list[str], message: str) -> None:
    answer = call("show", *words)
    assert answer.code == 2
    assert message in answer.err


def test_check(call) -> None:
    answer = call("check", "fall-4m")
    assert answer.code == 0
    assert answer.out == "fall-4m is fine: 1 person, 20 bodies, 20 joints, 1 surface, 5 sensors; 80 kg; 1.5 s.\n"
    answer = call("check", "fall-4m", "--set", "human.hieght=2")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == 'fall-4m: human.hieght is not known. Did you mean "height"?\n'


# bad input: a sentence, exit code 2, no files, no traceback


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["fall-5m"], 'there is no scenario "fall-5m". Did you mean "fall-4m"?'),
        (["none.toml"], "there is no file none.toml"),
        (["text.toml"], "text.toml is not a TOML file"),
        (["joint.toml"], "joint 'hinge': its child 'bbo' is not a body of the system. Did you mean \"bob\"?"),
        (["fall-4m", "--set", "human.hieght=1.8"], 'human.hieght is not known. Did you mean "height"?'),
        (["fall-4m", "--set", "surface.floor.contact=ice"], "The only surface is named ground: surface.ground.contact"),
        (["fall-4m", "--set", "human.height=180"], 'accepted 1.45 m to 2.10 m for adults. Did you mean "180 cm"?'),
        (["fall-4m", "--set", 'human.height="180 kg"'], "expected a length"),
        (["fall-4m", "--set", "human.mass=-80"], "human.mass is -80 kg"),
        (["fall-4m", "--set", "human.start.velocity=[0, nan, 0]"], "human.start.velocity[1] is nan"),
        (["fall-4m", "--set", "human.height"], "expected path=value"),
        (["fall-4m", "--out", "text.toml/below"], "is not a folder. Choose another one with --out."),
        (["fall-4m", "--continue", "text.toml"], "the scenario is in the result already"),
        (["--continue", "none.nc"], "there is no file none.nc"),
        (["--continue", "text.toml"], "text.toml is not a NetCDF file"),
        ([], "which scenario?"),
    ],
)  # fmt: skip
def test_bad_input(call, tmp_path: Path, words: list[str], says: str) -> None:
    (tmp_path / "text.toml").write_text("Dear reader,\n")
    joint = call("show", "pendulum").out.replace('child        = "bob"', 'child        = "bbo"')
    (tmp_path / "joint.toml").write_text(joint)
    before = files(tmp_path)
    answer = call("run", *words)
    assert answer.code == 2
    assert says in answer.err
    assert answer.out == ""
    assert "Traceback" not in answer.err
    assert files(tmp_path) == before


def test_a_folder_in_which_nothing_can_be_made_is_refused_before_the_run(call, tmp_path: Path, monkeypatch) -> None:
    """Permissions do not tell it: a special file system, or one that is full."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.mkdtemp", full)
    answer = call("run", "bouncing-ball", "--out", "there")
    assert (answer.code, answer.out) == (2, "")
    assert "cannot be written (No space left on device). Choose another one with --out." in answer.err
    assert not (tmp_path / "there").exists()


@pytest.mark.needs_jit
def test_too_many_samples_are_a_sentence(call, monkeypatch) -> None:
    def crowded(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(sys.modules["vitruvian.sim.simulate"], "make_output", crowded)
    answer = call("run", "bouncing-ball", "--no-files")
    assert answer.code == 2
    assert "do not fit into memory. Lower output.rate" in answer.err


@pytest.mark.needs_jit
def test_criteria_of_samples_too_slow_for_them_are_marked(call) -> None:
    words = ["run", "fall-1cm", "--no-files", "--set", "output.rate=100", "--set", "solver.duration=0.1"]
    assert "Note: criteria of the head: unfiltered: 100 Hz, CFC 1000 wants 10000 Hz." in call(*words).out
    words[4] = "output.rate=5000"  # item 16: too slow, but filtered
    assert "Note: criteria of the head: CFC 1000 at 5000 Hz, which is too slow for it." in call(*words).out
    assert "Note" not in call(*words[:3], *words[5:]).out


def test_debug_shows_the_traceback() -> None:
    words = [sys.executable, "-m", "vitruvian", "run", "fall-5m", "--debug"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "Traceback" in done.stderr and "InputError" in done.stderr


def test_an_error_of_ours_is_no_traceback_either(call, monkeypatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr("vitruvian.scenario.Scenario.check", fail)
    answer = call("check", "fall-4m")
    assert answer.code == 1
    assert "ZeroDivisionError: inside" in answer.err and "--debug" in answer.err


# running

SHORT = ["--set", "solver.duration=0.6"]


@pytest.mark.needs_jit
def test_run_prints_the_table_and_writes_the_files(call, tmp_path: Path) -> None:
    answer = call("run", "bouncing-ball", *SHORT)
    assert answer.code == 0
    for words in (
        "Bouncing ball",
        "ball peak acceleration",
        "first contacts",
        "ball at 4.43 m/s",
        "energy balance error",
    ):
        assert words in answer.out
    folder = tmp_path / "out" / "bouncing-ball"
    assert files(tmp_path) == {
        f"out/bouncing-ball/{name}" for name in ("result.nc", "scenario.toml", "motion.png", "report.html")
    }
    assert "Files in out/bouncing-ball: result.nc, motion.png, scenario.toml, report.html" in answer.out
    assert (folder / "motion.png").read_bytes().startswith(b"\x89PNG")
    result = load(folder / "result.nc")
    assert result.command == shlex.join(["vitruvian", "run", "bouncing-ball", *SHORT])
    assert result.command in html.unescape((folder / "report.html").read_text(encoding="utf-8"))
    assert result.status == "finished"
    assert result.scenario == (folder / "scenario.toml").read_text()
    assert Scenario.load(folder / "scenario.toml") == Scenario.load("bouncing-ball", {"solver.duration": 0.6})


@pytest.mark.needs_jit
def test_a_run_without_a_report(call, tmp_path: Path) -> None:
    assert call("run", "bouncing-ball", *SHORT, "--no-report").code == 0
    assert not (tmp_path / "out" / "bouncing-ball" / "report.html").exists()


@pytest.mark.needs_jit
def test_a_fall_prints_head_and_thorax(call) -> None:
    answer = call(
        "run", "fall-4m", "--set", "human.start.clearance=1 cm", "--set", "solver.duration=50 ms", "--no-files"
    )
    assert answer.code == 0
    for words in (
        "head peak acceleration",
        "head HIC15",
        "head HIC36",
        "thorax peak acceleration",
        "left and right foot at",
    ):
        assert words in answer.out
    assert "Files" not in answer.out


@pytest.mark.needs_jit
def test_json_is_one_object(call, tmp_path: Path) -> None:
    answer = call("run", "bouncing-ball", *SHORT, "--json", "--out", "here")
    found = json.loads(answer.out)
    assert found["status"] == "finished"
    assert found["first_contacts"][0]["body"] == "ball"
    names = {"result.nc", "scenario.toml", "motion.png", "report.html"}
    assert {Path(path).name for path in found["files"].values()} == names
    assert all((tmp_path / path).is_file() for path in found["files"].values())
    assert found["peaks"]["ball"]["acceleration_g"] > 1.0


@pytest.mark.needs_jit
def test_joints_that_create_energy_are_exit_code_1_with_the_cause(call) -> None:
    """Item 10: the run ended "finished" with exit code 0 and the advice to reduce the tolerance."""
    answer = call("run", "fall-4m", "--set", "human.body=previous", "--set", "human.joints=thesis", "--no-files")
    assert answer.code == 1
    assert "did not end well (joint_energy_jumped)" in answer.err
    assert "turned past 180 degrees, where its law rotation_vector changes sign" in answer.err
    assert "reduce solver.tolerance" not in answer.out + answer.err


@pytest.mark.needs_jit
def test_a_run_that_does_not_end_well_is_exit_code_1_and_keeps_its_files(call, tmp_path: Path) -> None:
    answer = call("run", "bouncing-ball", "--set", "solver.max_steps=10", "--out", "here")
    assert answer.code == 1
    assert "did not end well (too_many_steps)" in answer.err
    assert load(tmp_path / "here" / "result.nc").status == "too_many_steps"
    assert (
        json.loads(call("run", "bouncing-ball", "--set", "solver.max_steps=10", "--json", "--no-files").out)["files"]
        == {}
    )


@pytest.mark.needs_jit
def test_continue_goes_on_to_the_same_end(call, tmp_path: Path) -> None:
    """A run in two parts ends where a run in one part ends, and the file holds both parts."""
    call("run", "bouncing-ball", *SHORT, "--out", "parts", "--no-report")
    answer = call("run", "--continue", "parts/result.nc")
    assert answer.code == 2 and "at 0.6 s already" in answer.err
    answer = call("run", "--continue", "parts/result.nc", "--set", "body.mass=3", "--set", "solver.duration=1")
    assert answer.code == 2 and "only solver and output may" in answer.err
    answer = call("run", "--continue", "parts/result.nc", "--set", "solver.duration=2", "--set", "output.rate=5000")
    assert answer.code == 2 and "output.rate was 10000 Hz in the run that is to continue, and is 5000 Hz" in answer.err
    assert call("run", "--continue", "parts", "--set", 'solver.duration="1 s"', "--no-report").code == 0
    call("run", "bouncing-ball", "--set", "solver.duration=1", "--out", "whole", "--no-report")
    parts, whole = load(tmp_path / "parts" / "result.nc"), load(tmp_path / "whole" / "result.nc")
    assert parts.recording.end_time == whole.recording.end_time == 1.0
    assert parts.recording.pose_time == pytest.approx(whole.recording.pose_time, abs=1e-12)
    height, expected = (result["ball.position"].sel(axis="z").values for result in (parts, whole))
    assert height == pytest.approx(expected, abs=2e-3)
    assert len(parts.recording.events) == len(whole.recording.events)
    assert parts.recording.steps >= whole.recording.steps


@pytest.mark.needs_jit
def test_the_same_run_gives_the_same_bits(call, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        call("run", "bouncing-ball", *SHORT, "--out", folder, "--no-report")
    one, two = (load(tmp_path / folder / "result.nc").dataset for folder in ("one", "two"))
    assert one.identical(two)


# evidence: the commands only print what the functions behind them found


def test_verify_prints_the_rows_and_fails_with_the_checks(call, monkeypatch) -> None:
    from vitruvian.lab import verify
    from vitruvian.lab.evidence import Check

    rows = [Check.close("period", 2.0, 2.0, 1e-3, "s"), Check.skip("other engine", "not installed")]
    monkeypatch.setattr(verify, "run", lambda names, progress: rows)
    answer = call("verify")
    assert answer.code == 0
    assert "period" in answer.out and "2 s" in answer.out and "skipped: not installed" in answer.out
    assert "1 of 2 checks passed, 0 failed, 1 skipped." in answer.out
    rows.append(Check.close("mass", 80.0, 81.0, 1e-3, "kg"))
    assert call("verify").code == 1
    answer = call("verify", "--json")
    found = json.loads(answer.out)
    assert answer.code == 1 and found["passed"] is False
    assert [row["verdict"] for row in found["checks"]] == ["ok", "skipped", "FAILED"]
    assert found["checks"][1]["got"] is None


def test_bench_prints_times_and_never_fails(call, monkeypatch) -> None:
    from vitruvian.lab.bench import engine
    from vitruvian.lab.evidence import Check

    nan = float("nan")
    rows = [Check("evaluation", nan, 2.5, nan, True, "us"), Check("ratio", 0.2, 0.3, 0.0, False)]
    monkeypatch.setattr(engine, "run", lambda peers, progress: rows)
    answer = call("bench", "--peers")
    assert answer.code == 0
    assert "2.5 us" in answer.out and "missed" in answer.out
    assert len(json.loads(call("bench", "--json").out)["rows"]) == 2


def test_cache_says_where_it_is(call) -> None:
    assert "files" in call("cache").out


# reproduce and validate


@pytest.mark.parametrize(
    ("command", "name", "listing"),
    [("reproduce", "thesis-6.5", ()), ("validate", "standing-falls", ("--list",))],
)
def test_reports_are_listed_and_unknown_ones_refused(call, command: str, name: str, listing: tuple[str, ...]) -> None:
    answer = call(command, *listing)
    assert (answer.code, answer.err) == (0, "")
    assert f"{name}  " in answer.out
    assert name in str(json.loads(call(command, *listing, "--json").out))
    answer = call(command, name, name[:-1] + "x")
    assert (answer.code, answer.out) == (2, "")  # refused before anything runs
    assert f'Did you mean "{name}"?' in answer.err


@pytest.mark.needs_jit
def test_validate_prints_and_writes(call, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # names are not broken over lines
    answer = call("validate", "standing-falls", "--out", "mine")
    assert answer.code == 0
    assert "head impact speed" in answer.out
    assert files(tmp_path) == {"mine/standing-falls/rows.csv", "mine/standing-falls/head.png"}
    answer = call("validate", "standing-falls", "--json", "--no-files")
    report = json.loads(answer.out)["standing-falls"]
    assert report["failed"] is False and report["files"] == []
    speed = report["rows"][0]
    assert speed["inside"] is True and 2.02 <= speed["ours"] <= 7.41
    assert files(tmp_path) == {"mine/standing-falls/rows.csv", "mine/standing-falls/head.png"}


def test_validate_prints_one_table_and_fails_if_a_row_falls_out(call, monkeypatch) -> None:
    """Item 8: every target, the score, and exit code 1 only if a row that was inside is outside."""
    from vitruvian.lab.validate import score as module
    from vitruvian.lab.validate import target
    from vitruvian.lab.verdict import Report

    name = target.targets()["A18"].name
    for stored, code in (({name: "outside"}, 0), ({}, 0), ({name: "inside"}, 1)):
        report = Report("t", "s", (target.compared("A18", 99.0),), stored=stored)
        monkeypatch.setattr(module, "score", lambda progress, report=report: module.scored({"joints": report}))
        answer = call("validate")
        assert answer.code == code
        assert "0 of 36 countable targets inside: score 0.00." in answer.out
        found = json.loads(call("validate", "--json").out)
        assert (found["score"], found["inside"], found["eligible"], len(found["rows"])) == (0.0, 0, 36, 103)
    assert "A18" in answer.err


def test_reports_refuse_a_folder_that_cannot_be_made(call, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    answer = call("validate", "standing-falls", "--out", "file")
    assert (answer.code, answer.out) == (2, "")
    assert "--out" in answer.err


def test_a_changed_verdict_is_exit_code_1(call, monkeypatch) -> None:
    """Item 12: the command fails if a verdict is not the stored one, and only then."""
    from vitruvian.lab import reproduce
    from vitruvian.lab.verdict import Report, Reproduced

    rows = (Reproduced.close("height", 1.0, 2.0, 0.1, "m"),)
    for stored, code in (({"height": "differs"}, 0), ({"height": "agrees"}, 1), ({}, 1)):
        report = Report("title", "source", rows, stored=stored)
        monkeypatch.setattr(reproduce, "reproduce", lambda name, progress, report=report: report)
        answer = call("reproduce", "thesis-6.5", "--no-files")
        assert answer.code == code
        assert "differs" in answer.out
    assert "thesis-6.5: height: stored nothing, now differs" in answer.err


@pytest.mark.needs_jit
def test_compare_prints_every_formulation(call) -> None:
    answer = call("formulations", "singular-angles", "--duration", "0.3")
    assert answer.code == 0
    assert "euler-parameters-global" in answer.out
    assert "nutation of plate" in answer.out
    assert "Use Euler parameters" in answer.out
    answer = call("formulations", "pendulum", "--formulation", "planar", "--duration", "0.2", "--json")
    assert json.loads(answer.out)["rows"][0]["position"] < 1e-8
    answer = call("formulations", "pendulum", "--formulation", "plane")
    assert answer.code == 2
    assert 'Did you mean "planar"?' in answer.err
