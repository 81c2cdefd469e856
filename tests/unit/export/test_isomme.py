"""ISO-MME: what is written reads back equal, by us and by pyisomme; what pyisomme writes reads here; bad folders."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from vitruvian.errors import InputError, shown
from vitruvian.export import isomme
from vitruvian.export.columns import column
from vitruvian.injury import nij
from vitruvian.injury.assessment import assess
from vitruvian.injury.channels import Channels, Record, from_result
from vitruvian.scenario import Scenario
from vitruvian.sim.result import Result

pytestmark = pytest.mark.needs_jit  # whole runs

TIME = -0.01 + np.arange(2001) * 1e-4
RANDOM = np.random.default_rng(1).normal(size=(2001, 3))


def some() -> Channels:
    made = [
        Record("head.acceleration", TIME, 500.0 * RANDOM, 1000.0),
        Record("head.angular_velocity", TIME, RANDOM),
        Record("upper_neck.force", TIME, 1e3 * RANDOM, 600.0),
        Record("upper_neck.moment", TIME, 10.0 * RANDOM, 600.0),
        Record("left_tibia_upper.moment", TIME, 10.0 * RANDOM),
        Record("thorax.deflection", TIME, 0.03 * RANDOM[:, 0], 180.0),
        Record("pelvis.acceleration.r", TIME, np.abs(RANDOM[:, 1]), 60.0),
    ]
    return Channels({record.name: record for record in made})


@pytest.fixture(scope="module")
def result() -> Result:
    return Scenario.load("fall-1cm", {"solver.duration": 0.05}).run()


def test_codes() -> None:
    assert column("11HEAD0000H3ACXA")._asdict() == {
        "person": "11",
        "place": "head",
        "quantity": "acceleration",
        "axis": "x",
        "filter_class": 1000.0,
        "dummy": "H3",
        "unit": "",
    }
    for code, place, quantity in (
        ("11HEADCG00H3ACYA", "head", "acceleration"),
        ("13NECKUP00HFFOZB", "upper_neck", "force"),
        ("11NECKLO00H3MOYB", "lower_neck", "moment"),
        ("11THSP0100H3ACXC", "T1", "acceleration"),
        ("11THSP1200S2ACYC", "T12", "acceleration"),
        ("11CHST0003H3DSXC", "thorax", "deflection"),
        ("11FEMRLE00H3FOZB", "left_femur", "force"),
        ("11TIBIRILOH3MOXB", "right_tibia_lower", "moment"),
        ("10VEHC0000__ACXD".replace("_", "0"), "vehicle", "acceleration"),
    ):
        found = column(code)
        assert found is not None and (found.place, found.quantity) == (place, quantity), code
    assert column("11SEBE0000B1FOXD") is None  # a belt
    assert column("11HEAD0000H3ACRX") is None  # a constant, not a record
    for code in ("11HEADTP00H3ACXA", "11HEADRE00H3ACXA", "11CHSTLEUPTHDSXC", "11TIBILE00H3MOXB", "11NECK0000H3FOZB"):
        assert column(code) is None, code  # not at the centre of gravity, or nobody knows where


def test_what_is_written_reads_back_equal(tmp_path: Path) -> None:
    before = some()
    path = isomme.write(before, tmp_path / "test", test="T-1", dummy="H3")
    assert path.name == "T-1.mme"
    files = sorted(file.name for file in (tmp_path / "test" / "Channel").iterdir())
    assert files == [*(f"T-1.{n:03d}" for n in range(1, 18)), "T-1.chn"]
    after = isomme.read(tmp_path / "test")
    assert set(after.records) == set(before.records)
    for name, record in before.records.items():
        got = after.records[name]
        assert np.array_equal(got.samples, record.samples), name
        assert got.time == pytest.approx(record.time, abs=1e-12)
        assert got.filter_class == record.filter_class, name


def test_codes_carry_place_dummy_and_filter(tmp_path: Path) -> None:
    isomme.write(some(), tmp_path, test="T", dummy="H3")
    listing = (tmp_path / "Channel" / "T.chn").read_text()
    for code in ("11HEAD0000H3ACXA", "11HEAD0000H3AVZ0", "11NECKUP00H3FOZB", "11TIBILEUPH3MOY0", "11CHST0000H3DSXC"):
        assert f":{code} /" in listing, code


def test_a_run_is_written_with_its_section_loads(result: Result, tmp_path: Path) -> None:
    isomme.write(result, tmp_path)
    listing = (tmp_path / "Channel" / f"{result.name}.chn").read_text()
    assert "TMONUP00" in listing and "NECKUP0000MO" not in listing  # at the condyles, not at a load cell
    read, direct = assess(isomme.read(tmp_path)), assess(from_result(result))
    assert [f.criterion for f in read.findings] == [f.criterion for f in direct.findings]
    for one, two in zip(read.findings, direct.findings, strict=True):
        assert one.value == pytest.approx(two.value, rel=1e-9, abs=1e-12), one.criterion


def test_a_run_may_be_filtered_on_writing(result: Result, tmp_path: Path) -> None:
    isomme.write(result, tmp_path, filter_class=180.0)
    listing = (tmp_path / "Channel" / "fall-1cm.chn").read_text()
    assert "11HEAD000000ACXC" in listing
    assert isomme.read(tmp_path).records["head.acceleration"].filter_class == 180.0


def test_pyisomme_reads_ours_with_equal_numbers(tmp_path: Path) -> None:
    pyisomme = pytest.importorskip("pyisomme")
    path = isomme.write(some(), tmp_path / "T", test="T", dummy="H3")
    theirs = pyisomme.Isomme().read(str(path))
    assert len(theirs.channels) == 17
    for code, name, axis in (("11HEAD0000H3ACYA", "head.acceleration", 1), ("11NECKUP00H3FOZB", "upper_neck.force", 2)):
        channel = theirs.get_channel(code)
        assert np.array_equal(channel.get_data(), some().records[name].samples[:, axis])
        assert np.asarray(channel.data.index) == pytest.approx(TIME, abs=1e-12)
    assert theirs.get_channel("11HEAD0000H3ACYA").unit.is_equivalent("m/s^2")


def test_ours_reads_pyisomme(tmp_path: Path) -> None:
    """pandas prints what pyisomme writes with few digits, so the numbers are equal to those only."""
    pyisomme, pandas = pytest.importorskip("pyisomme"), pytest.importorskip("pandas")

    def channel(code: str, samples: np.ndarray, unit: str) -> object:
        frame = pandas.DataFrame(samples, index=TIME)
        return pyisomme.Channel(code, data=frame, unit=unit, info={"Reference channel": "implicit"})

    made = [channel(f"11HEAD0000H3AC{axis}A", 80.0 * RANDOM[:, i], "g") for i, axis in enumerate("XYZ")]
    made.append(channel("11NECKUP00H3FOZB", RANDOM[:, 0], "kN"))
    test = pyisomme.Isomme(test_number="their", channels=made)
    test.write(tmp_path / "their" / "their.mme")
    read = isomme.read(tmp_path / "their")
    assert read.records["head.acceleration"].samples == pytest.approx(80.0 * 9.80665 * RANDOM, abs=1e-2)
    assert read.records["upper_neck.force.z"].samples == pytest.approx(1e3 * RANDOM[:, 0], abs=1e-2)
    assert read.records["head.acceleration"].filter_class == 1000.0


@pytest.mark.parametrize("dummy", ["H3", "HF"])
def test_nij_of_a_load_cell_agrees_with_pyisomme(tmp_path: Path, dummy: str) -> None:
    """Item 15: the moment at the condyles and Nij of the same ISO-MME folder, computed by both."""
    pyisomme = pytest.importorskip("pyisomme")
    from pyisomme.calculate.neck_moc import calculate_neck_MOCy

    names = ("upper_neck.force", "upper_neck.moment")
    path = isomme.write(Channels({name: some().records[name] for name in names}), tmp_path, test="T", dummy=dummy)
    theirs = pyisomme.Isomme().read(str(path))
    my, fx, fz = (theirs.get_channel(f"11NECKUP00{dummy}{axis}B") for axis in ("MOY", "FOX", "FOZ"))
    moment = calculate_neck_MOCy(my, fx)[0].get_data()
    ours = assess(isomme.read(tmp_path))
    expected = nij(TIME, fz.get_data(), moment, {"H3": "50M", "HF": "5F"}[dummy], assume_units=True)
    assert ours["Nij"].value == pytest.approx(expected.value, rel=1e-9)
    assert ours["Nij"].detail == expected.case


def test_two_seats_are_two_people(tmp_path: Path) -> None:
    both = Channels(
        {
            name: Record(name, TIME, 500.0 * RANDOM, 1000.0)
            for name in ("anna.head.acceleration", "ben.head.acceleration")
        }
    )
    isomme.write(both, tmp_path)
    assert set(isomme.read(tmp_path).records) == {"11.head.acceleration", "12.head.acceleration"}


def test_a_vehicle_beside_one_person_is_no_second_person(tmp_path: Path) -> None:
    isomme.write(some(), tmp_path, test="T", dummy="H3")
    listing = tmp_path / "Channel" / "T.chn"
    file = tmp_path / "Channel" / "T.001"
    (tmp_path / "Channel" / "T.018").write_text(file.read_text().replace("11HEAD0000H3ACXA", "10VEHC000000ACXD"))
    listing.write_text(listing.read_text() + "Name of channel 018         :10VEHC000000ACXD\n")
    assert {"head.acceleration", "vehicle.acceleration.x"} <= set(isomme.read(tmp_path).records)


def edited(tmp_path: Path, file: str, old: str, new: str) -> Path:
    isomme.write(some(), tmp_path, test="T", dummy="H3")
    path = tmp_path / "Channel" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return tmp_path


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("T.001", "Sampling interval           :0.0001", "Sampling interval           :NOVALUE", "Sampling interval"),
        ("T.001", repr(float(500.0 * RANDOM[7, 0])), "NOVALUE", "11HEAD0000H3ACXA: sample 7 .*not a finite number"),
        ("T.001", repr(float(500.0 * RANDOM[7, 0])), "seven", r'T\.001: line 28: "seven" is not a number'),
        ("T.001", ":m/s^2", ":kg", '11HEAD0000H3ACXA: the unit is "kg"; expected an acceleration'),
        ("T.001", "interval           :0.0001", "interval           :0.1", "Are they in ms"),
    ],
)
def test_a_bad_channel_is_left_out_and_costs_no_other(
    tmp_path: Path, file: str, old: str, new: str, words: str
) -> None:
    """Item 16: the reason is a note, the healthy channels stay; alone, the bad channel is an error."""
    read = isomme.read(edited(tmp_path, file, old, new))
    assert any(re.search(f"{words}.* This channel is left out", note) for note in read.notes), read.notes
    assert {"upper_neck.force", "head.acceleration.y", "head.acceleration.z"} <= set(read.records)
    assert not {"head.acceleration", "head.acceleration.x"} & set(read.records)
    found = assess(read)
    assert "head.acceleration has y and z only" in dict(found.missing)["HIC15"]
    assert any(line.startswith("HIC15, HIC36") and "are not computed" in line for line in found.remarks)
    listing = tmp_path / "Channel" / "T.chn"
    listing.write_text("".join(line for line in listing.read_text().splitlines(True) if "channel 001" in line))
    with pytest.raises(InputError, match=words):
        isomme.read(tmp_path)


@pytest.mark.parametrize("unit", ["Unit                        :NOVALUE", "Remark                      :none"])
def test_a_channel_without_unit_is_not_taken_as_si(tmp_path: Path, unit: str) -> None:
    """Item 16: it is left out with a note, or taken as SI if the user says so."""
    folder = edited(tmp_path, "T.001", "Unit                        :m/s^2", unit)
    read = isomme.read(folder)
    assert any("11HEAD0000H3ACXA: the header has no unit" in note for note in read.notes)
    assert "head.acceleration" not in read.records
    assert "head.acceleration" in isomme.read(folder, assume_units=True).records


def test_explicit_times_have_the_unit_of_their_channel(tmp_path: Path) -> None:
    """Item 16: a time channel in ms gives the same times as a sampling interval in s."""
    folder = edited(tmp_path, "T.001", "Reference channel           :implicit", "Reference channel           :explicit")
    path = folder / "Channel" / "T.001"
    name = "Reference channel name      :11TIRS000000TI00\n"
    path.write_text(path.read_text().replace("Sampling interval", f"{name}Sampling interval", 1))
    times = "\n".join(f"{1e3 * t!r}" for t in TIME.tolist())
    (folder / "Channel" / "T.099").write_text(
        f"Channel code                :11TIRS000000TI00\nUnit                        :ms\n{times}\n"
    )
    listing = folder / "Channel" / "T.chn"
    listing.write_text(listing.read_text() + "Name of channel 099         :11TIRS000000TI00\n")
    read = isomme.read(folder)
    assert read.records["head.acceleration"].time == pytest.approx(TIME, abs=1e-12)


def test_folders_that_are_not_whole_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.mme file"):
        isomme.read(tmp_path)
    with pytest.raises(InputError, match="there is no file or folder"):
        isomme.read(tmp_path / "none")
    isomme.write(some(), tmp_path, test="T")
    (tmp_path / "Channel" / "T.003").unlink()
    read = isomme.read(tmp_path)  # item 16: the others are healthy
    assert any("has no T.003" in note for note in read.notes)
    assert "upper_neck.force" in read.records


def test_bad_arguments_of_writing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give two letters or digits"):
        isomme.write(some(), tmp_path, dummy="Hybrid")
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        isomme.write(some(), file)


@pytest.mark.parametrize(("dummy", "size"), [("H3", "50M"), ("HF", "5F"), ("TH", "THOR 50M"), ("00", "50M")])
def test_the_code_of_the_dummy_chooses_its_limits(tmp_path: Path, dummy: str, size: str) -> None:
    """Item 14: the table says whose limits they are; a size that the caller gives goes before."""
    isomme.write(some(), tmp_path, test="T", dummy=dummy)
    found = assess(isomme.read(tmp_path))
    assert found.size == size
    assert ("because the person is not known" if dummy == "00" else "the dummy that the channels name") in found.notes[
        0
    ]
    assert assess(isomme.read(tmp_path), size="95M").size == "95M"


@pytest.mark.parametrize("count", ["59", "61", "0", "-1", "many", "1e9", "9" * 5_000], ids=shown)
def test_a_wrong_number_of_samples_costs_its_channel(tmp_path: Path, count: str) -> None:
    """Item 5: the header and the file disagree when a file was cut off."""
    folder = edited(
        tmp_path, "T.001", f"Number of samples           :{len(RANDOM)}", f"Number of samples           :{count}"
    )
    notes = isomme.read(folder).notes
    assert any(
        f'"Number of samples" {count[:50]}' in note and f"{len(RANDOM)} samples follow" in note for note in notes
    )


def test_long_lines_of_a_header_are_read_in_linear_time(tmp_path: Path) -> None:
    """Item 5: a million spaces took minutes."""
    folder = edited(tmp_path, "T.001", "Location                    :NOVALUE", "a" + " " * 1_000_000 + ":b")
    assert all("not at rest" in note for note in isomme.read(folder).notes)  # the samples are random
    assert isomme._field("a" + " " * 1_000_000) is None
