"""`vitruvian assess` of CSV, ISO-MME and our own files: the table, JSON, CSV and exit codes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from vitruvian.cli import main
from vitruvian.errors import shown
from vitruvian.export import isomme
from vitruvian.injury import hic
from vitruvian.scenario import Scenario

pytestmark = pytest.mark.needs_jit  # whole runs

TIME = np.arange(2001) * 1e-4
PULSE = np.sin(np.pi * np.clip((TIME - 0.05) / 0.02, 0.0, 1.0))


@pytest.fixture
def call(capsys, tmp_path, monkeypatch):
    """Runs a command in an empty folder: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")

    def run(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(["assess", *map(str, words)])
        printed = capsys.readouterr()
        return int(left.value.code or 0), printed.out, printed.err

    return run


def sheet(
    path: Path, *, scale: float = 1.0, time_scale: float = 1.0, heading: str = "time [s],head.acceleration.x [g]"
) -> Path:
    rows = (f"{time_scale * t!r},{100.0 * scale * a!r}" for t, a in zip(TIME.tolist(), PULSE.tolist(), strict=True))
    path.write_text("\n".join([heading, *rows]) + "\n")
    return path


def whole(path: Path) -> Path:
    heads = ",".join(f"head.acceleration.{axis} [g]" for axis in "xyz")
    rows = (f"{1e3 * t!r},{100.0 * a!r},0,0" for t, a in zip(TIME.tolist(), PULSE.tolist(), strict=True))
    path.write_text("\n".join([f"time [ms],{heads}", "# a remark", *rows]) + "\n")
    return path


def test_csv_with_three_axes(call, tmp_path: Path) -> None:
    code, out, err = call(whole(tmp_path / "test.csv"))
    assert (code, err) == (0, "")
    assert "HIC15" in out and "2 of 4 values are above" not in err
    code, out, _ = call("test.csv", "--json", "--no-filter")
    found = json.loads(out)["findings"][0]
    assert found["criterion"] == "HIC15"
    assert found["value"] == pytest.approx(hic(TIME, 100.0 * PULSE).value, rel=1e-9)
    assert found["trust"] == ""


def test_iso_codes_as_headings_and_the_filter_letter(call, tmp_path: Path) -> None:
    heading = "time [s],11HEAD0000H3ACRA [g]"
    code, out, _ = call(sheet(tmp_path / "iso.csv", heading=heading), "--json")
    found = json.loads(out)["findings"]
    assert code == 0
    assert {row["filter"] for row in found} == {"CFC 1000 as recorded"}


def test_a_written_csv(call, tmp_path: Path) -> None:
    code, _, _ = call(whole(tmp_path / "test.csv"), "--csv", "out.csv", "--only", "SI", "--only", "HIC15")
    assert code == 0
    rows = list(csv.DictReader((tmp_path / "out.csv").open()))
    assert [row["criterion"] for row in rows] == ["HIC15", "SI"]


def test_a_result_and_its_iso_mme_folder_agree(call, tmp_path: Path) -> None:
    result = Scenario.load("fall-1cm", {"solver.duration": 0.05}).run()
    result.save(tmp_path / "result.nc")
    isomme.write(result, tmp_path / "mme")
    code, out, _ = call("result.nc")
    assert code == 0
    assert call(".")[:2] == (0, out)  # the folder of a run
    assert "not recommended for this model" in out
    values = [
        {(row["criterion"], row["place"]): row["value"] for row in json.loads(call(name, "--json")[1])["findings"]}
        for name in ("result.nc", "mme")
    ]
    assert values[0].keys() == values[1].keys()
    for key, value in values[0].items():
        assert values[1][key] == pytest.approx(value, rel=1e-9, abs=1e-12), key


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "", "is empty"),
        ("a.csv", "time [s],head.acceleration.x\n0,1\n1e-4,1\n", "head.acceleration.x has no unit"),
        ("a.csv", "time [s],hed.acceleration.x [g]\n0,1\n", 'Did you mean "head"'),
        ("a.csv", "time [s],head.acceleration.q [g]\n0,1\n", "accepted: x, y, z, or r"),
        ("a.csv", "time [s],head.acceleration.x [kN]\n0,1\n1e-4,1\n", 'the unit is "kN"; expected an acceleration'),
        ("a.csv", "time [s],head.acceleration.x [g]\n0,1\n1e-4,\n2e-4,1\n", "head.acceleration.x: sample 1"),
        ("a.csv", "time [s],head.acceleration.x [g]\n0,1\n1e-4,one\n", '"one" is not a number'),
        ("a.csv", "time [s];head.acceleration.x [g]\n0;1\n0;1\n", "the same as the one before it"),
        ("a.csv", "time [s],head.acceleration.x [g]\n0,1\n1e-4,1,2\n", "a row has 3 cells, the heading 2"),
        ("a.csv", "time [s],head.acceleration.x [g]\n", "no rows"),
        ("a.csv", "head.acceleration.x [g],time [s]\n0,1\n", "the first column is"),
        ("a.csv", "0,1\n1e-4,1\n", "The first line is a heading with units, as in: time [s], head.acceleration.x [g]"),
        ("a.xyz", "what", "is not known; accepted: .csv"),
        ("a.nc", "what", "not a NetCDF file"),
    ],
)
def test_bad_files_end_with_a_sentence_and_two(call, tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / name).write_text(text)
    code, out, err = call(name)
    assert (code, out) == (2, "")
    assert words in err and "Traceback" not in err


def test_a_single_sample_is_not_harmless(call, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("time [s],head.acceleration.r [g]\n0,200\n")
    code, _, err = call("a.csv")
    assert (code, "head.acceleration.r: the record has 1 samples; criteria need at least 3" in err) == (2, True)


def test_tables_are_never_cut(call, tmp_path: Path, monkeypatch) -> None:
    for width in ("80", "120", "150"):
        monkeypatch.setenv("COLUMNS", width)
        _, out, _ = call(whole(tmp_path / "test.csv"))
        assert "HIC15" in out and "…" not in out


def test_wrong_units_are_guessed_and_may_be_assumed(call, tmp_path: Path) -> None:
    code, _, err = call(sheet(tmp_path / "ms.csv", time_scale=1e3))
    assert (code, "Are they in ms" in err) == (2, True)
    code, _, err = call(sheet(tmp_path / "big.csv", scale=500.0))
    assert (code, "head.acceleration.x: sample" in err, "Is it in m/s2?" in err) == (2, True, True)
    heading = "time [s],head.acceleration.r [g]"
    code, out, _ = call(sheet(tmp_path / "big.csv", scale=500.0, heading=heading), "--assume-units")
    assert (code, "HIC15" in out) == (0, True)


def test_one_axis_alone_says_what_is_missing(call, tmp_path: Path) -> None:
    code, out, _ = call(sheet(tmp_path / "x.csv"))
    out = " ".join(out.split())  # sentences are broken at the width of the screen
    assert code == 0
    assert "HIC15, HIC36" in out and "not computed: head.acceleration has x only; give x, y and z" in out


def test_missing_file_and_wrong_names(call, tmp_path: Path) -> None:
    assert call("none.csv")[0] == 2
    code, _, err = call(whole(tmp_path / "test.csv"), "--size", "50F")
    assert (code, "accepted: 5F, 50M, 95M, 12M, 3YO, 6YO, 10YO" in err) == (2, True)
    code, _, err = call("test.csv", "--only", "HIC 15")
    assert (code, 'Did you mean "HIC15"' in err) == (2, True)


# item 16: what a file says wrongly is seen


def axes(path: Path, rows: dict[str, tuple[str, np.ndarray]], time: str = "time [s]", scale: float = 1.0) -> Path:
    """A CSV file of columns: heading -> unit and samples; NaN is an empty cell."""
    heads = ",".join([time, *(f"{name} [{unit}]" for name, (unit, _) in rows.items())])
    samples = np.column_stack([scale * TIME, *(values for _, values in rows.values())]).tolist()
    cells = (",".join("" if value != value else repr(value) for value in row) for row in samples)
    path.write_text("\n".join([heads, *cells]) + "\n")
    return path


def head(size: float = 100.0) -> dict[str, tuple[str, np.ndarray]]:
    return {f"head.acceleration.{axis}": ("g", size * PULSE * (axis == "x")) for axis in "xyz"}


def test_a_time_without_unit_is_refused(call, tmp_path: Path) -> None:
    path = axes(tmp_path / "a.csv", head(), time="time")
    code, _, err = call(path)
    assert (code, 'the time has no unit; write "time [s]" or "time [ms]"' in err) == (2, True)
    assert call(path, "--assume-units")[0] == 0


def test_seconds_labelled_ms_are_refused(call, tmp_path: Path) -> None:
    code, _, err = call(axes(tmp_path / "a.csv", head(), time="time [ms]"))
    assert (code, "Are the times in s, but labelled ms?" in err) == (2, True)
    assert call(axes(tmp_path / "a.csv", head(), time="time [ms]", scale=1e3))[0] == 0


def test_metres_per_second_squared_labelled_g_are_refused_or_doubted(call, tmp_path: Path) -> None:
    words = "Is the acceleration in m/s2, but labelled g?"
    code, _, err = call(axes(tmp_path / "a.csv", {"head.acceleration.r": ("g", 981.0 * PULSE)}))
    assert (code, words in err) == (2, True)
    code, out, _ = call(axes(tmp_path / "a.csv", head(981.0)))  # the other axes are healthy, but HIC needs all three
    out = " ".join(out.split())
    assert (code, words in out, "not computed: head.acceleration has y and z only" in out) == (0, True, True)
    code, out, _ = call(axes(tmp_path / "a.csv", head(310.0)))  # possible, but rare
    assert (code, "head.acceleration.x reaches 310 g" in out) == (0, True)
    assert "reaches" not in call(axes(tmp_path / "a.csv", head(100.0)))[1]


def test_an_empty_cell_costs_its_own_channel_only(call, tmp_path: Path) -> None:
    rows = head() | {"left_femur.force.z": ("kN", -3.0 * PULSE)}
    rows["head.acceleration.y"][1][700] = np.nan
    code, out, _ = call(axes(tmp_path / "a.csv", rows))
    assert code == 0
    assert "head.acceleration.y: sample 700 (at 0.07 s) is not a finite number" in out
    assert "femur force" in out and "not computed: head.acceleration has x and z only" in out


def test_a_negative_resultant_is_taken_by_its_size_and_reported(call, tmp_path: Path) -> None:
    mirrored = {"head.acceleration.r": ("g", -100.0 * PULSE)}
    code, out, _ = call(axes(tmp_path / "a.csv", mirrored))
    assert (code, "head.acceleration.r has negative samples, which a resultant cannot have" in out) == (0, True)
    value = json.loads(call("a.csv", "--json", "--no-filter")[1])["findings"][0]["value"]
    assert value == pytest.approx(hic(TIME, 100.0 * PULSE).value, rel=1e-9)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_clipped_channel_is_reported(call, tmp_path: Path, sign: float) -> None:
    """A pulse of 100 g that is cut off at 50 g has a far lower HIC, without any other sign."""
    clipped = sign * np.minimum(100.0 * PULSE, 50.0)
    words = "stays at its largest value for 13 ms"
    assert words in " ".join(call(axes(tmp_path / "a.csv", {"head.acceleration.r": ("g", clipped)}))[1].split())
    assert (
        "largest value" not in call(axes(tmp_path / "b.csv", {"head.acceleration.r": ("g", sign * 100.0 * PULSE)}))[1]
    )


def test_a_channel_that_is_not_at_rest_at_an_end_is_reported(call, tmp_path: Path) -> None:
    """An offset of 20 g adds to HIC, and a record that ends inside the impact lacks a part of it."""
    offset = call(axes(tmp_path / "a.csv", {"head.acceleration.r": ("g", 20.0 + 100.0 * PULSE)}))[1]
    assert "begins at 20 g and ends at 20 g, not at rest" in offset
    inside = np.where(TIME < 0.062, 100.0 * PULSE, np.nan)
    path = axes(tmp_path / "b.csv", {"head.acceleration.r": ("g", inside)})
    path.write_text("\n".join(line for line in path.read_text().splitlines() if line[-1] != ","))
    cut = call(path)[1]
    assert "begins at" not in cut and "ends at" in cut
    gravity = call(axes(tmp_path / "c.csv", {"head.acceleration.r": ("g", 1.0 + 100.0 * PULSE)}))[1]
    assert "not at rest" not in gravity


def test_a_class_that_the_rate_does_not_carry_is_reported(call, tmp_path: Path) -> None:
    path = axes(tmp_path / "a.csv", head())
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], *lines[1::2]]) + "\n")  # 5 kHz
    assert "CFC 1000 at 5000 Hz, which is too slow for it." in call(path)[1]


def test_axes_with_different_time_bases(call, tmp_path: Path) -> None:
    """One axis at half the rate and 2 ms later keeps its place in time: HIC is that of the true resultant."""
    from vitruvian.export.columns import as_channels, column
    from vitruvian.injury.assessment import assess

    def pulse(time: np.ndarray) -> np.ndarray:
        return 60.0 * 9.80665 * np.sin(np.pi * np.clip((time - 0.05) / 0.02, 0.0, 1.0))

    slow = 0.002 + np.arange(900) * 2e-4
    for other in (slow, TIME + 3.3e-5):  # of another length, and of the same
        columns = [
            (column(f"head.acceleration.{axis}"), f"head.acceleration.{axis}", time, pulse(time))
            for axis, time in (("x", TIME), ("y", other), ("z", TIME))
        ]
        found = assess(as_channels(columns))
        exact = hic(TIME, np.sqrt(3.0) * pulse(TIME) / 9.80665).value
        assert found["HIC15"].value == pytest.approx(exact, rel=5e-3)
        assert any("have different time bases; all were interpolated linearly at 10000 Hz" in n for n in found.notes)


def test_size_and_age_of_measured_data(call, tmp_path: Path) -> None:
    """Item 14: a size of a child is accepted; without one the table says that it is the 50M."""
    path = axes(tmp_path / "a.csv", head() | {"thorax.deflection.x": ("mm", 50.0 * PULSE)})
    out = call(path)[1]
    assert "those of the 50M, because the person is not known; choose another size" in out
    assert "Hybrid III 50M, US NCAP, at 35 years" in " ".join(out.split())
    assert "at 70 years" in " ".join(call(path, "--age", "70")[1].split())
    code, out, _ = call(path, "--size", "6YO")
    assert (code, "Hybrid III 6YO" in out, "No limit known for the 6YO: HIC36" in out) == (0, True, True)


@pytest.mark.parametrize(
    ("heading", "rows", "words"),
    [
        ("time [s],head.acceleration.x [g],head.acceleration.x [g]", "{0},1,2", "head.acceleration.x is there 2 times"),
        ("time [s],11HEAD0000H3ACXA [g],head.acceleration.x [g]", "{0},1,2", None),  # another filter class
        ("time [s],head.acceleration.x [g]" + "," * 3, "{0},1,,,", "the heading"),
        ("x" + " " * 100_000 + "y [g],b [g]", "{0},1", "the first column is"),
        ("time [s],head.acceleration.x" + " " * 100_000 + "y [g]", "{0},1", "the axis is"),
        ("time [s],head.acceleration.x [" + " " * 100_000 + "g", "{0},1", "is no name with a unit"),
        ("time [s],head.acceleration.x [g" + " " * 100_000 + "x]", "{0},1", "the unit is"),
        ("time [s],head.acceleration.x [g]", '{0},"' + "1" * 200_000, "a cell has over 131072 characters"),
    ],
    ids=shown,
)
def test_headings_and_columns_that_are_no_use_get_a_sentence(
    call, tmp_path: Path, heading: str, rows: str, words: str | None
) -> None:
    """Item 5: doubled columns were dropped silently, and a regular expression took 21 s for 1,600 spaces."""
    lines = [rows.replace("{0}", f"{k * 1e-4:.4f}") for k in range(100)]
    (tmp_path / "a.csv").write_text("\n".join([heading, *lines]) + "\n")
    code, _, err = call("a.csv")
    assert "Traceback" not in err and len(err) < 2_000
    assert (code, "") == (0, err) if words is None else (code == 2 and words in err), err


@pytest.mark.parametrize(
    ("times", "words"),
    [
        ([0.0], "the record has 1 samples; criteria need at least 3"),
        ([0.0, 1e-4], "the record has 2 samples; criteria need at least 3"),
        ([k * 1e-4 for k in range(100)] + [0.05 + k * 1e-4 for k in range(100)], "a gap from 0.0099 to 0.05 s, 401"),
    ],
)
def test_a_record_with_too_few_samples_or_a_gap_is_refused(
    call, tmp_path: Path, times: list[float], words: str
) -> None:
    """Item 5: nothing is known of a gap, and no criterion follows from two samples."""
    rows = "".join(f"{time:.6f},1\n" for time in times)
    (tmp_path / "a.csv").write_text("time [s],head.acceleration.x [g]\n" + rows)
    code, _, err = call("a.csv")
    assert (code, words in err) == (2, True), err
