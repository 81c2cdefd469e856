"""Studies: the plan follows from the file, rows do not depend on threads, and a killed study continues."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError, OutputError
from vitruvian.study import Study, load_study
from vitruvian.study.design import latin_hypercube
from vitruvian.study.folder import Folder

SHORT = Scenario.load("fall-1cm", {"solver.duration": 0.02})
VARY = {"human.start.clearance": ["1 cm", "3 cm"], "human.mass": {"normal": [80, 5]}}
FILE = """
scenario = "bouncing-ball"
set = { "solver.duration" = 0.01 }

[study]
cases = 120

[study.vary]
body.ball.mass = [0.5, 0.7]
surface.floor.contact.restitution = { normal = [0.5, 0.05] }
"""


def plain(rows):
    return rows[[column for column in rows if "wall" not in column]]


def test_methods_cover_their_ranges():
    """Every interval of a Latin hypercube is hit once; a grid has all combinations; lists run side by side."""
    cube = Study(SHORT, VARY, cases=20)
    heights = np.array([cube.inputs(k)["human.start.clearance"] for k in range(20)])
    assert sorted(((heights - 0.01) / 0.02 * 20).astype(int)) == list(range(20))
    grid = Study(SHORT, {"human.mass": {"values": [70, 80]}, "human.start.clearance": [0.0, 0.1]}, "grid", steps=3)
    found = [tuple(grid.inputs(k).values()) for k in range(grid.size)]
    assert found == [(m, c) for m in (70.0, 80.0) for c in (0.0, 0.05, 0.1)]
    side = Study(SHORT, {"human.mass": {"values": [70, 80]}, "human.start.clearance": [0.0, 0.1]}, "list")
    assert [tuple(side.inputs(k).values()) for k in range(2)] == [(70.0, 0.0), (80.0, 0.1)]
    for method in ("random", "sobol"):
        drawn = Study(SHORT, VARY, method, cases=16, repeat=2)
        masses = [drawn.inputs(k)["human.mass"] for k in range(drawn.size)]
        assert len(set(masses)) == 32 and 60 < min(masses) < max(masses) < 100


@pytest.mark.needs_jit
def test_rows_are_the_same_on_one_and_two_threads(tmp_path):
    study = Study(SHORT, VARY, cases=8, criteria=("HIC15",))
    one, two = study.run(threads=1), study.run(tmp_path / "rows", threads=2)
    assert one.columns[0] == "case" and list(one["case"]) == list(range(8))
    assert plain(one).equals(plain(two))
    assert plain(study.run(tmp_path / "rows", resume=True)).equals(plain(one))
    again = study.result(3).injury(only=("HIC15",))["HIC15"].value
    assert again == one["HIC15"][3]  # a row can be replayed
    with pytest.raises(InputError, match="holds rows of this study already"):
        study.run(tmp_path / "rows")
    with pytest.raises(InputError, match="another study"):
        Study(SHORT, VARY, cases=9).run(tmp_path / "rows", resume=True)


@pytest.mark.needs_jit
@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_study_killed_five_times_continues_with_the_same_rows(tmp_path):
    file, out = tmp_path / "killed.toml", tmp_path / "out"
    file.write_text(FILE.replace("120", "1500"))
    code = f"from vitruvian.study import load_study; load_study({str(file)!r}).run({str(out)!r}, resume=True)"
    for _ in range(5):
        before = len(list(out.glob("rows/part-*")))
        process = subprocess.Popen([sys.executable, "-c", code])
        end = time.monotonic() + 120.0
        while len(list(out.glob("rows/part-*"))) <= before and time.monotonic() < end and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert before < len(Folder(out).parts()) < 30
    study = load_study(file)
    assert plain(study.run(out, resume=True)).equals(plain(study.run()))


@pytest.mark.needs_jit
def test_a_disk_that_fills_up_loses_no_part_and_the_study_continues(tmp_path, monkeypatch):
    """The second part cannot be written; the first stays, and a resumed study ends with all rows."""
    import errno

    from pyarrow import parquet

    (tmp_path / "full.toml").write_text(FILE)
    study, out, written = load_study(tmp_path / "full.toml"), tmp_path / "out", []
    write = parquet.write_table

    def full(rows, where):
        written.append(where)
        if len(written) == 2:
            Path(where).write_bytes(b"half a part")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(rows, where)

    monkeypatch.setattr(parquet, "write_table", full)
    with pytest.raises(OutputError, match="No space left on device"):
        study.run(out)
    assert [part.name for part in Folder(out).parts()] == ["part-000000.parquet"]
    assert plain(study.run(out, resume=True)).equals(plain(study.run()))


@pytest.mark.needs_jit
def test_a_settled_person_starts_the_same_in_every_process():
    """Workers of a cluster have other seeds of Python's hashes, so that no sum may follow the order of a set."""
    code = (
        "from vitruvian import Scenario; from vitruvian.model.compile import compile_system, initial_state\n"
        "system, start = Scenario.load('pedestrian-side-left').build()\n"
        "state = initial_state(compile_system(system), start)\n"
        "print(state.now.q.tobytes().hex(), state.now.v.tobytes().hex())"
    )
    found = {
        subprocess.check_output([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed})
        for seed in ("1", "3")
    }
    assert len(found) == 1


@pytest.mark.needs_jit
def test_cases_that_fail_are_rows_with_a_reason():
    """A person of 250 kg is refused, and a step budget of 3 is used up: both are rows, and the study continues."""
    rows = Study(SHORT, {"human.mass": {"normal": [80, 80]}}, "random", cases=12, criteria=()).run()
    refused = rows[rows["status"] == "rejected"]
    assert 0 < len(refused) < 12 and refused["reason"].str.contains("human.mass").all()
    few = SHORT.replace({"solver.max_steps": 3})
    row = Study(few, {"human.mass": {"values": [80]}}, "list").run().iloc[0]
    assert row["status"] == "too_many_steps" and "max_steps" in row["reason"]


@pytest.mark.parametrize(
    ("variation", "words"),
    [
        ({"human.heigth": [1.6, 1.8]}, 'Did you mean "height"'),
        ({"human.height": [1.8, 1.6]}, "the range is empty"),
        ({"human.height": ["1 kg", "2 kg"]}, "expected a length"),
        ({"human.height": 1.8}, "A fixed value"),
        ({"human.mass": {"values": []}}, "at least one value"),
        ({"human.mass": {"values": [80, "heavy"]}}, "numbers only"),
        ({"human.mass": {"normal": [80, 0]}}, "above zero"),
        ({"human.mass": {"between": [1, 2]}}, "has no 'between'"),
        ({"human": {"population": "moon"}}, "accepted: us, cz"),
        ({"human": {"csv": "nowhere.csv"}}, "there is no file"),
        ({"factor.tissue.hed": [0.5, 2]}, 'Did you mean "factor.tissue.head"'),
        ({}, "study.vary is empty"),
    ],
)
def test_bad_variations_are_refused(variation, words):
    with pytest.raises(InputError, match=words):
        _ = Study(SHORT, variation, cases=3).variables


def test_bad_studies_are_refused(tmp_path):
    for options, words in (
        ({"method": "grids"}, 'Did you mean "grid"'),
        ({"cases": 0}, "at least 1"),
        ({"keep": "best 3"}, "worst 10"),
        ({"criteria": ["HIC"]}, "accepted"),
    ):
        with pytest.raises(InputError, match=words):
            Study(SHORT, VARY, **options)
    with pytest.raises(InputError, match="needs the number of cases"):
        _ = Study(SHORT, VARY).size
    for text, words in (("", "no table"), (FILE.replace("cases", "casse"), 'Did you mean "cases"')):
        (tmp_path / "bad.toml").write_text(text)
        with pytest.raises(InputError, match=words):
            load_study(tmp_path / "bad.toml")
    (tmp_path / "mine.txt").write_text("text")
    with pytest.raises(InputError, match="is not empty"):
        Study(SHORT, VARY, cases=2).run(tmp_path)
    assert [path.name for path in Path(tmp_path).iterdir() if path.suffix == ".txt"] == ["mine.txt"]


@pytest.mark.needs_jit
def test_people_of_a_csv_file_and_kept_results(tmp_path):
    (tmp_path / "people.csv").write_text("height,mass,sex\n175 cm,70,male\n1.62,60,female\n")
    study = Study(SHORT, {"human": {"csv": "people.csv"}}, "list", folder=tmp_path, keep="worst 1")
    rows = study.run(tmp_path / "out")
    assert list(rows["human.height"]) == [1.75, 1.62] and list(rows["human.sex"]) == ["male", "female"]
    (kept,) = (tmp_path / "out" / "traces").glob("*.zarr")
    xarray = pytest.importorskip("xarray")
    worst = int(rows["HIC15"].idxmax())
    assert kept.stem == f"case-{worst:06d}"
    stored = xarray.open_zarr(kept)["sensor_acceleration"].values
    assert np.array_equal(stored, study.result(worst).recording.sensor_acceleration, equal_nan=True)


@pytest.mark.needs_jit
@pytest.mark.slow
def test_a_cluster_gives_the_rows_of_one_and_two_threads(tmp_path):
    """Same Parquet content for 1 thread, 2 threads and a LocalCluster of 2 workers, one part for each task."""
    pytest.importorskip("distributed")
    from vitruvian.study.cluster import connected

    study = Study(SHORT, VARY, cases=60)
    one, two = (plain(study.run(tmp_path / f"threads-{n}", threads=n)) for n in (1, 2))
    with connected(workers=2) as client:
        cluster = plain(study.run(tmp_path / "cluster", client=client))
    assert one.equals(two) and one.equals(cluster)
    assert len(Folder(tmp_path / "cluster").parts()) == 2


def test_a_scheduler_that_does_not_answer_is_refused(monkeypatch):
    pytest.importorskip("distributed")
    from vitruvian.study import cluster

    monkeypatch.setattr(cluster, "WAIT", 0.2)
    with (
        pytest.raises(InputError, match=r"tcp://127.0.0.1:9 does not answer within 0.2 s"),
        cluster.connected("tcp://127.0.0.1:9"),
    ):
        pass


def test_a_server_that_is_no_scheduler_is_refused(monkeypatch):
    """A web server or proxy answers "HTTP/1.1", which Dask takes for a number of parts."""
    pytest.importorskip("distributed")
    import socketserver
    import threading

    from vitruvian.study import cluster

    class Web(socketserver.BaseRequestHandler):
        def handle(self):
            self.request.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    monkeypatch.setattr(cluster, "WAIT", 1.0)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Web) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.server_address[1]}"
        with pytest.raises(InputError, match=r"not a scheduler of Dask|does not answer"), cluster.connected(address):
            pass
        server.shutdown()


def test_a_million_cases_are_few_tasks():
    """Tasks wait for each other: no more than AHEAD for each thread are known to the scheduler."""
    from vitruvian.study import cluster

    class Client:
        known, most = 0, 0

        def scatter(self, plan, broadcast):
            return plan

        def nthreads(self):
            return {"a": 1, "b": 1}

        def submit(self, function, plan, inputs, pure):
            from concurrent.futures import Future

            self.known += 1
            self.most = max(self.most, self.known)
            future = Future()
            future.key = f"task {id(future)}"
            future.set_result([{"reason": ""} for _ in inputs])
            return future

    class Completed(list):
        def add(self, future):
            self.append(future)

        def __iter__(self):
            while self:
                client.known -= 1
                yield self.pop(0)

    client, study = Client(), Study(SHORT, VARY, "random", cases=1_000_000, criteria=())
    groups = [range(50 * k, 50 * k + 50) for k in range(study.parts)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "optional", lambda *_: type("Module", (), {"as_completed": Completed}))
        parts = cluster.parts(study, groups, client)
        for _ in range(20):
            next(parts)
    assert len(groups) == 20_000 and client.most <= 3 * 2 + 1


def test_latin_hypercubes_are_those_of_scipy():
    from scipy.stats import qmc

    for n, dimensions, seed in ((64, 12, [0, 1]), (1, 3, 5), (1000, 4, 2)):
        ours = latin_hypercube(n, dimensions, np.random.default_rng(seed))
        theirs = qmc.LatinHypercube(dimensions, rng=np.random.default_rng(seed)).random(n)
        assert np.array_equal(ours, theirs)
