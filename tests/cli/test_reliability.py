"""Nothing lost, nothing destroyed: faults of disk, terminal and process. See docs/reliability.md."""

from __future__ import annotations

import errno
import io
import json
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("fcntl")

from vitruvian.cli import folder as output
from vitruvian.cli import main
from vitruvian.scenario import Scenario
from vitruvian.sim.result import Result, load

pytestmark = pytest.mark.needs_jit
RUN = ("run", "bouncing-ball", "--set", "solver.duration=0.2")
FILES = {"result.nc", "scenario.toml", "motion.png", "report.html"}


def leave(*words: object) -> int:
    """Run a command and return its exit code."""
    with pytest.raises(SystemExit) as left:
        main([str(word) for word in words])
    return int(left.value.code or 0)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(place: Path) -> set[str]:
    return {path.name for path in place.iterdir()}


def bytes_of(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in place.iterdir()}


@pytest.fixture(scope="module")
def ball() -> Result:
    return Scenario.load("bouncing-ball", {"solver.duration": 0.2}).run()


# item 1: save first


@pytest.mark.parametrize("title", ["two\nlines", "Pád ze 4 m", "$x^{", "[/x] [bold]", "\u202eabc"])
def test_a_strange_title_costs_nothing(here: Path, capsys, title: str) -> None:
    """Item 1: a title is drawn on one line and never read as markup, mathematics or a terminal escape."""
    assert leave(*RUN, "--set", f"title={json.dumps(title)}", "--out", "out") == 0
    printed = capsys.readouterr().out
    assert names(here / "out") == FILES
    assert "\x1b" not in printed and "\0" not in printed and "\u202e" not in printed
    if "[" in title and "\x1b" not in title:
        assert title in printed
    assert leave("view", "out", "--frames", "2", "--out", "strip.png") == 0


@pytest.mark.parametrize("title", ["a\0b", "\x1b[31mred"])
def test_control_characters_in_a_title_are_refused(here: Path, capsys, title: str) -> None:
    """Item 1: a scenario with them is refused before anything is written."""
    assert leave(*RUN, "--set", f"title={json.dumps(title)}", "--out", "out") == 2
    assert "\x1b" not in capsys.readouterr().err
    assert not (here / "out").exists()


def test_names_with_brackets_are_not_markup(here: Path, capsys) -> None:
    """Item 1: a sensor called acc[/x] of a system made in Python is printed as it is."""
    from vitruvian.cli import run_table
    from vitruvian.model import Body, Joint, Sensor, System
    from vitruvian.sim.simulate import simulate

    system = System(
        [Body("b", 1.0, (1.0, 1.0, 1.0))], [Joint("j", "free", None, "b")], sensors=[Sensor("acc[/x]", "b")]
    )
    run_table.print_result(Result(simulate(system, duration=0.01), system=system, name="made"))
    assert "acc[/x] peak acceleration" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["a\0b", "a\nb", "\x1b[31m", "a\u202eb"])
def test_control_characters_in_names_are_refused(name: str) -> None:
    """Item 1: by the system, whoever makes it."""
    from vitruvian.errors import InputError
    from vitruvian.model import Body, Joint, System

    with pytest.raises(InputError, match="control characters"):
        System([Body(name, 1.0, (1.0, 1.0, 1.0))], [Joint("j", "free", None, name)])


def _full() -> io.TextIOBase:
    return open("/dev/full", "w")


def _closed_pipe() -> io.TextIOBase:
    reader, writer = os.pipe()
    os.close(reader)
    return os.fdopen(writer, "w")


@pytest.mark.parametrize("stream", [_full, _closed_pipe, lambda: None], ids=["full", "closed pipe", "closed"])
@pytest.mark.parametrize("more", [(), ("--json",)], ids=["table", "json"])
def test_a_standard_output_that_fails_costs_no_file(here: Path, monkeypatch, capsys, stream, more) -> None:
    """Item 1: the result and its files are there; exit code 1."""
    if stream is _full and not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    monkeypatch.setattr("sys.stdout", stream())
    assert leave(*RUN, "--out", "out", *more) == 1
    assert names(here / "out") == FILES
    assert load(here / "out" / "result.nc").status == "finished"
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("more", [(), ("--json",)], ids=["table", "json"])
def test_a_reader_that_has_seen_enough_gets_no_notes(here: Path, monkeypatch, capsys, more) -> None:
    """Item 1: `| head` ends the output and nothing else; every line after the first one failed with a note."""
    monkeypatch.setattr("sys.stdout", _closed_pipe())
    assert leave(*RUN, "--out", "out", *more) == 1
    assert "Note" not in capsys.readouterr().err
    assert names(here / "out") == FILES


@pytest.mark.parametrize("stream", [">&- 2>&-", ">/dev/full 2>/dev/full", "2>/dev/full"])
def test_streams_that_fail_do_not_change_the_exit_code(here: Path, stream: str) -> None:
    """Item 1: in a process of its own, where the interpreter flushes them when it ends."""
    command = f"exec {shlex.quote(sys.executable)} -m vitruvian run no-such-scenario {stream}"
    assert subprocess.run(command, shell=True, check=False).returncode == 2


def test_an_ascii_terminal_prints_any_title(here: Path, monkeypatch) -> None:
    """Item 1: signs that the terminal does not have are escaped; JSON stays JSON."""
    for more in ((), ("--json",)):
        stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
        monkeypatch.setattr("sys.stdout", stream)
        assert leave(*RUN, "--set", 'title="Pád ze 4 m"', "--out", "out", *more) == 0
        printed = stream.buffer.getvalue().decode("ascii")  # type: ignore[attr-defined]
        if more:
            assert json.loads(printed)["title"].startswith("Pád ze 4 m")
        else:
            assert "P\\xe1d ze 4 m" in printed


@pytest.mark.parametrize("broken", ["vitruvian.view.frames.motion", "vitruvian.view.report.report"])
def test_a_picture_or_report_that_fails_is_a_note(here: Path, monkeypatch, capsys, broken: str) -> None:
    """Item 1: whatever goes wrong after the run, the result and the other files are there."""

    def fail(*_: object, **__: object) -> None:
        raise ValueError("raqm_layout() failed")

    monkeypatch.setattr(broken, fail)
    assert leave(*RUN, "--out", "out", "--json") == 1
    printed = capsys.readouterr()
    missing = "motion.png" if "motion" in broken else "report.html"
    assert names(here / "out") == FILES - {missing}
    assert f"Note: {missing} could not be made: ValueError: raqm_layout() failed" in printed.err
    assert json.loads(printed.out)["failures"] == [f"{missing}: ValueError: raqm_layout() failed"]


# item 2: never destroy what the user had


def test_a_scenario_of_the_user_in_the_folder_is_refused(here: Path, capsys) -> None:
    """Item 2: `run scenario.toml --out .` must not replace the user's own file."""
    text = "# mine\n" + Scenario.load("bouncing-ball").to_toml()
    (here / "scenario.toml").write_text(text)
    assert leave("run", "scenario.toml", "--out", ".") == 2
    assert "scenario.toml was not written by Vitruvian" in capsys.readouterr().err
    assert (bytes_of(here)) == {"scenario.toml": text.encode()}


@pytest.mark.parametrize("name", ["result.nc", "scenario.toml", "motion.png", "report.html", "outcome.json"])
def test_foreign_files_in_the_folder_are_refused(here: Path, capsys, name: str) -> None:
    """Item 2: also next to a result of ours, and also a file of ours that was changed."""
    place = here / "out"
    assert leave(*RUN, "--out", "out") == 0
    assert leave(*RUN, "--out", "out") == 0  # our own files are replaced
    (place / name).write_text("mine")
    before = bytes_of(place)
    assert leave(*RUN, "--out", "out") == 2
    assert f"{name} was not written by Vitruvian, or was changed since" in capsys.readouterr().err
    assert bytes_of(place) == before


def test_a_scenario_that_is_not_utf8_is_refused(here: Path, capsys) -> None:
    """Item 2: a file that cannot be read as text is a file of the user."""
    (here / "scenario.toml").write_bytes(b"# m\xe9\n")
    assert leave(*RUN, "--out", ".") == 2
    assert "scenario.toml was not written by Vitruvian" in capsys.readouterr().err
    assert bytes_of(here) == {"scenario.toml": b"# m\xe9\n"}


def test_a_scenario_that_would_not_change_may_be_run_in_its_folder(here: Path) -> None:
    """Item 2: to run a kept scenario.toml again loses nothing; with a change it would."""
    assert leave(*RUN, "--out", "out") == 0
    assert leave("run", "out/scenario.toml", "--out", "out") == 0
    assert names(here / "out") == FILES


@pytest.mark.parametrize(
    "words",
    [
        ("contacts", "out/result.nc", "--csv", "out/result.nc"),
        ("contacts", "out", "--csv", "out/result.nc"),
        ("contacts", "out", "--csv", "link.nc"),
        ("assess", "data.csv", "--csv", "data.csv"),
        ("assess", "data.csv", "--csv", "out/../data.csv"),
        ("view", "out", "--frames", "2", "--out", "copy.png", "--against", "copy.png"),
        ("show", "human", "--measured", "me.csv", "--csv", "me.csv"),
    ],
)
def test_an_output_that_is_an_input_is_refused(here: Path, ball: Result, capsys, words: tuple[str, ...]) -> None:
    """Item 2: by whatever path the file is named."""
    (here / "out").mkdir()
    ball.save(here / "out" / "result.nc")
    ball.save(here / "copy.png")
    (here / "link.nc").symlink_to(here / "out" / "result.nc")
    for name in ("data.csv", "me.csv"):
        (here / name).write_text("time [s],head.acceleration.x [g]\n0,0\n")
    kept = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    assert leave(*words) == 2
    assert "is also the input" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in here.rglob("*") if path.is_file()} == kept


@pytest.mark.parametrize(
    ("words", "mine"),
    [
        (("view", "out", "--no-browser"), "out/replay.html"),
        (("view", "out", "--frames", "2"), "out/frames.png"),
        (("convert", "out", "--to", "glb"), "out/bouncing-ball.glb"),
        (("convert", "out", "--to", "trc"), "out/bouncing-ball.trc"),
        (("convert", "out", "--to", "csv"), "out/csv/events.csv"),
        (("convert", "out", "--to", "csv", "--out", "work"), "work/events.csv"),
        (("convert", "out", "--to", "fe", "--out", "work"), "work/main.k"),
        (("convert", "out", "--to", "isomme", "--out", "work"), "work/notes.txt"),
    ],
)
def test_views_and_exports_replace_only_their_own_files(here: Path, ball: Result, capsys, words, mine: str) -> None:
    """Item 2: a file that the user did not name is replaced only if Vitruvian wrote it."""
    (here / "out").mkdir()
    ball.save(here / "out" / "result.nc")
    if "trc" not in words and "isomme" not in words:  # which need a person
        assert leave(*words) == 0 and leave(*words) == 0
        shutil.rmtree(here / mine.partition("/")[0], ignore_errors=mine.startswith("work"))
        (here / "out").mkdir(exist_ok=True)
        ball.save(here / "out" / "result.nc")
    (here / mine).parent.mkdir(exist_ok=True)
    (here / mine).write_text("mine")
    assert leave(*words) == 2
    assert "was not written by" in capsys.readouterr().err
    assert (here / mine).read_text() == "mine"


@pytest.mark.parametrize(
    "words",
    [("run", "bouncing-ball", "--out"), ("check",), ("run", "--continue"), ("assess",), ("contacts",), ("view",)],
)
def test_a_path_that_the_system_does_not_take_gets_a_sentence(here: Path, capsys, words: tuple[str, ...]) -> None:
    """Item 2: a name of 300 characters is not a fault of Vitruvian."""
    assert leave(*words, 300 * "x") == 2
    assert "(File name too long)" in capsys.readouterr().err
    assert names(here) == set()


@pytest.mark.parametrize("words", [("--out", ""), ("--out=",)])
def test_an_empty_folder_name_is_refused(here: Path, capsys, words: tuple[str, ...]) -> None:
    """Item 2: --out "" of a variable that is not set is not the current folder."""
    assert leave(*RUN, *words) == 2
    assert "empty" in capsys.readouterr().err
    assert names(here) == set()


def test_a_second_run_into_a_folder_is_refused(here: Path, capsys) -> None:
    """Item 2: while another process writes there; afterwards it is free."""
    code = (
        "import sys; from vitruvian._files import locked\n"
        "with locked('out'):\n    print('ready', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdin is not None
        other.stdout.readline()
        assert leave(*RUN, "--out", "out") == 2
        assert "another run is writing into out" in capsys.readouterr().err
        other.stdin.close()
    assert not (here / "out").exists()
    assert leave(*RUN, "--out", "out") == 0
    assert names(here / "out") == FILES


def test_no_stale_report_stays_next_to_a_new_result(here: Path) -> None:
    """Item 2: what lies next to result.nc belongs to it."""
    assert leave(*RUN, "--out", "out") == 0
    assert leave("run", "bouncing-ball", "--set", "solver.duration=0.1", "--out", "out", "--no-report") == 0
    assert names(here / "out") == FILES - {"report.html"}
    assert load(here / "out" / "result.nc").scenario == (here / "out" / "scenario.toml").read_text()


# item 3: full disk, killed processes, read-only folders


def test_a_file_that_cannot_grow_keeps_the_old_ones(here: Path, capsys) -> None:
    """Item 3: exit code 1, a sentence, every old file as it was, and no temporary file."""
    assert leave(*RUN, "--out", "out") == 0
    before = bytes_of(here / "out")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        assert leave(*RUN, "--out", "out") == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "result.nc cannot be written (File too large). The attempt changed no file." in (capsys.readouterr().err)
    assert bytes_of(here / "out") == before


def test_a_disk_that_is_full_only_when_it_is_asked_keeps_the_old_ones(here: Path, monkeypatch, capsys) -> None:
    """Item 3: some file systems report a full disk only at fsync."""
    assert leave(*RUN, "--out", "out") == 0
    before = bytes_of(here / "out")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    assert leave(*RUN, "--out", "out", "--set", "solver.duration=0.1") == 1
    assert "The attempt changed no file" in capsys.readouterr().err
    assert bytes_of(here / "out") == before


@pytest.mark.parametrize("kind", ["csv", "fe", "isomme"])
def test_an_export_of_several_files_is_written_as_a_whole(here: Path, ball: Result, capsys, kind: str) -> None:
    """Item 3: where one file of an export cannot be written, the others stay as they were."""
    fall = Scenario.load("fall-4m", {"solver.duration": 0.02}).run()
    fall.save(here / "result.nc")
    assert leave("convert", "result.nc", "--to", kind, "--out", "work") == 0
    before = {path: path.read_bytes() for path in (here / "work").rglob("*") if path.is_file()}
    assert len(before) > 3
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (sorted(map(len, before.values()))[-1] - 100, hard))
    try:
        assert leave("convert", "result.nc", "--to", kind, "--out", "work") in (1, 2)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "cannot be written (File too large)" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in (here / "work").rglob("*") if path.is_file()} == before
    assert names(here) == {"result.nc", "work"}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1.5 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", str(place)]
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("needs root to mount a file system")
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("cannot mount a file system here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_costs_no_old_file(here: Path, small_disk: Path, capsys) -> None:
    """Item 3: wherever the disk fills up, result.nc is whole, its neighbours too, and nothing is left over."""
    words = ("--out", "disk/out", "--no-report", "--set", "output.rate=1000", "--set", "output.pose_rate=100")
    assert leave(*RUN, *words) == 0
    before = bytes_of(small_disk / "out")
    codes = []
    for fill in (0, 500_000, 900_000, 1_200_000, 1_500_000):
        filler = small_disk / "filler"
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            for _ in range(fill // 10_000):
                file.write(bytes(10_000))
        # as large as the disk at 10 kHz
        codes.append(leave(*RUN, "--out", "disk/out", "--set", "output.rate=100000"))
        result = load(small_disk / "out" / "result.nc")
        assert result.scenario == (small_disk / "out" / "scenario.toml").read_text()
        assert names(small_disk / "out") <= FILES
        if result.recording.time.size < 1000:  # still the old one: all of it
            assert bytes_of(small_disk / "out") == before
        filler.unlink()
    assert set(codes) <= {0, 1, 2} and codes[-1] in (1, 2)
    assert "cannot be written (No space left on device)" in capsys.readouterr().err


def test_a_read_only_folder_is_refused_before_the_run(here: Path, tmp_path: Path, capsys) -> None:
    """Item 3: with a sentence and exit code 2; the results in it can still be read."""
    place = here / "kept"
    assert leave(*RUN, "--out", "kept") == 0
    root = os.geteuid() == 0
    if root:
        bound = subprocess.run(["mount", "--bind", str(place), str(place)], capture_output=True, check=False)
        if bound.returncode:
            pytest.skip("cannot mount a file system here")
        subprocess.run(["mount", "-o", "remount,ro,bind", str(place)], check=True)
    else:
        place.chmod(0o555)
    try:
        before = bytes_of(place)
        assert leave(*RUN, "--out", "kept") == 2
        assert "cannot be written" in capsys.readouterr().err
        assert leave("contacts", "kept") == 0
        assert bytes_of(place) == before
    finally:
        if root:
            subprocess.run(["umount", "-l", str(place)], check=True)
        else:
            place.chmod(0o755)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks the writer")
def test_a_killed_run_leaves_the_old_or_the_new_result_and_never_a_mixture(here: Path) -> None:
    """Item 3: kill -9 at 50 random instants of writing; the next run cleans up what the killed ones left."""
    made = [
        Scenario.load("bouncing-ball", {"solver.duration": end, "title": f"until {end}"}).run() for end in (0.1, 0.2)
    ]
    pictures = []
    for result in made:
        result.report(here / "warm.html")
        output.write_rest(result, here, [], report=False)
        pictures.append((here / "motion.png").read_bytes())
    place, chance, seen = here / "out", random.Random(14), []

    def write(result: Result) -> None:
        with output.reserved(place, result.scenario):
            output.save(result, place)
            assert output.write_rest(result, place, failures := [], report=True) and not failures

    started = time.perf_counter()
    write(made[0])
    cycle = time.perf_counter() - started
    for _ in range(50):
        child = os.fork()
        if child == 0:
            try:
                for _ in range(20):
                    for result in (made[1], made[0]):
                        write(result)
            finally:
                os._exit(0)
        time.sleep(chance.uniform(0.0, 1.3 * cycle))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found = load(place / "result.nc")
        which = [result.title for result in made].index(found.title)
        seen.append((which, len(names(place) & FILES)))
        if (place / "scenario.toml").exists():
            assert (place / "scenario.toml").read_text() == made[which].scenario
        if (place / "motion.png").exists():
            assert (place / "motion.png").read_bytes() == pictures[which]
        if (place / "report.html").exists():
            page = (place / "report.html").read_text()
            assert made[which].title in page and made[1 - which].title not in page and page.endswith("</html>\n")
    assert {which for which, _ in seen} == {0, 1}  # the instants hit both results
    write(made[1])
    assert names(place) == FILES


# item 4: names from a result never become paths outside the chosen folder


@pytest.mark.parametrize("name", ["../../x", "/tmp/x", "a/b", "..", "nul"])
def test_the_name_of_a_result_stays_in_the_folder(here: Path, ball: Result, name: str) -> None:
    """Item 4: `convert` and `run --continue` take a plain name of it."""
    place = here / "deep" / "down"
    place.mkdir(parents=True)
    kept, ball.name = ball.name, name
    try:
        ball.save(place / "other.nc")
    finally:
        ball.name = kept
    assert leave("convert", "deep/down/other.nc", "--to", "glb") == 0
    (written,) = names(place) - {"other.nc"}
    assert written.endswith(".glb")
    assert leave("run", "--continue", "deep/down/other.nc", "--set", "solver.duration=0.3", "--no-report") in (0, 2)
    assert names(here) <= {"deep", "out"}
    assert all(path.is_relative_to(here) for path in here.rglob("*"))


# item 9: memory, JSON, Ctrl-C, formulas


def test_memory_is_estimated_before_it_is_taken(capsys) -> None:
    """Item 9: 1e7 s at 10 kHz is refused with the number, and without taking the memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert leave("run", "bouncing-ball", "--set", "solver.duration=1e7", "--no-files") == 2
    assert "GB of memory and" in capsys.readouterr().err
    assert leave("check", "bouncing-ball", "--set", "solver.duration=1e7") == 2
    assert "GB of memory and" in capsys.readouterr().err
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # [kB]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("run", "fall-5m"), 2),
        (("run", "bouncing-ball", "--nonsense"), 2),
        (("assess", "none.csv"), 2),
        (("contacts", "none.nc"), 2),
        (("pedestrian", "--car", "none"), 2),
    ],
)
def test_errors_are_json_objects_too(capsys, words: tuple[str, ...], code: int) -> None:
    """Item 9: with --json the standard output is one JSON object, whatever happens."""
    assert leave(*words, "--json") == code
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found["exit_code"] == code and found["error"]
    assert found["error"].split(".")[0] in printed.err


def test_ctrl_c_ends_a_run_with_130_and_keeps_what_there_is(here: Path, capsys) -> None:
    """Item 9: the partial result is saved and can be continued."""
    before = signal.getsignal(signal.SIGINT)

    def press() -> None:
        while signal.getsignal(signal.SIGINT) is before:
            time.sleep(0.01)
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    long = ("--set", "solver.duration=20000", "--set", "output.rate=10", "--set", "output.pose_rate=10")
    threading.Thread(target=press, daemon=True).start()
    assert (
        leave("run", "double-pendulum" if "double-pendulum" in _library() else "pendulum", *long, "--out", "out") == 130
    )
    result = load(here / "out" / "result.nc")
    assert result.status == "cancelled" and 0.0 < result.recording.end_time < 20000.0
    assert "Continue with: vitruvian run --continue out/result.nc" in capsys.readouterr().err


def _library() -> set[str]:
    from vitruvian.scenario import library

    return set(library())


@pytest.mark.parametrize(
    ("word", "cell"),
    [
        ("=1+1", "'=1+1"), ("@x", "'@x"), ("+A1", "'+A1"), ("-A1", "'-A1"), ("\tx", "'\tx"), ("-", "-"),
        ("-3.5", "-3.5"), ("head", "head"), ("", ""),
    ],
)  # fmt: skip
def test_exported_csv_holds_no_formula(word: str, cell: str) -> None:
    """Item 9: a text that a spreadsheet would run gets an apostrophe; numbers stay numbers."""
    import numpy as np

    from vitruvian._files import csv_cell
    from vitruvian.export.tidy import Column, csv_text

    assert csv_cell(word) == cell
    table = [Column("who", np.array([word], dtype=object), "", ""), Column("x", np.array([-1.5]), "m", "")]
    assert csv_text(table).splitlines()[1] == f"{cell},-1.5"
