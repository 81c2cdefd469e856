"""ISO-MME folders written here from the format, against a HIC computed here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vitruvian.export import isomme
from vitruvian.injury.assessment import assess
from vitruvian.units import STANDARD_GRAVITY

STEP = 5e-5  # [s]
TIME = STEP * np.arange(3000)


def pulse(start: float, length: float, peak: float) -> np.ndarray:
    """Return a half-sine [g]."""
    return peak * np.sin(np.pi * np.clip((TIME - start) / length, 0.0, 1.0))


HEAD = dict(zip("XYZ", (pulse(0.04, 0.012, 70.0), pulse(0.043, 0.01, -30.0), pulse(0.041, 0.015, 40.0)), strict=True))


def folder(place: Path, channels: list[tuple[str, str, np.ndarray]], reference: str = "") -> Path:
    """Write a test of channels (code, unit, samples)."""
    (place / "Channel").mkdir()
    (place / "own.mme").write_text("Laboratory name :own\n", encoding="latin-1")
    index = f"Number of channels :{len(channels)}\n"
    for number, (code, unit, samples) in enumerate(channels, 1):
        index += f"Name of channel {number:03d} :{code} / a channel\n"
        time = f"Sampling interval :{STEP}\nTime of first sample :0\n"
        if reference:
            time = f"Reference channel :explicit\nReference channel name :{reference}\n"
        head = f"Channel code :{code}\nUnit :{unit}\n{time}Number of samples :{len(samples)}\n"
        text = head + "".join(f"{value:.9E}\n" for value in samples)
        (place / "Channel" / f"own.{number:03d}").write_text(text, encoding="latin-1")
    (place / "Channel" / "own.chn").write_text(index, encoding="latin-1")
    return place


def head(letters: str = "AAA", units: tuple[str, ...] = ("m/(s*s)",) * 3) -> list[tuple[str, str, np.ndarray]]:
    """Return the channels of a head, in m/s2 whatever the unit."""
    rows = zip(HEAD.items(), letters, units, strict=True)
    return [(f"11HEAD0000H3AC{axis}{letter}", unit, STANDARD_GRAVITY * a) for (axis, a), letter, unit in rows]


def expected() -> float:
    """Return HIC15 by trying all windows."""
    size = np.sqrt(sum(a**2 for a in HEAD.values()))
    area = np.concatenate([[0.0], np.cumsum(0.5 * STEP * (size[1:] + size[:-1]))])
    best = 0.0
    for width in range(1, round(0.015 / STEP) + 1):
        mean = (area[width:] - area[:-width]) / (width * STEP)
        best = max(best, float((width * STEP * mean**2.5).max()))
    return best


def value(place: Path) -> tuple[float, str]:
    """Return HIC15 of a folder, and its notes in one text."""
    channels = isomme.read(place)
    return assess(channels)["HIC15"].value, " ".join(channels.notes)


def test_hic_of_a_folder_is_that_of_all_windows(tmp_path):
    found, notes = value(folder(tmp_path, head()))
    assert found == pytest.approx(expected(), rel=1e-9)
    assert notes == ""


def test_a_time_channel_is_not_reported_as_left_out(tmp_path):
    time = "11TIRS000000TI00"
    found, notes = value(folder(tmp_path, [*head(), (time, "s", TIME)], time))
    assert found == pytest.approx(expected(), rel=1e-9)
    assert notes == ""


def test_axes_with_different_units_get_a_note(tmp_path):
    """One axis labelled g instead of m/s2 made HIC15 20 times as large, in silence."""
    found, notes = value(folder(tmp_path, head(units=("m/(s*s)", "g", "m/s^2"))))
    assert found > 10.0 * expected()
    assert "the axes of head.acceleration have different units: x [m/(s*s)], y [g], z [m/s^2]" in notes


def test_axes_with_different_filter_classes_get_a_note(tmp_path):
    _, notes = value(folder(tmp_path, head("DAA")))
    assert "the axes of head.acceleration are filtered with CFC 1000 and filtered with CFC 60" in notes


def test_a_channel_with_two_filter_classes_names_the_one_that_is_used(tmp_path):
    raw = [(code.replace("XA", "X0"), unit, a) for code, unit, a in head()[:1]]
    _, notes = value(folder(tmp_path, [*head(), *raw]))
    assert "head.acceleration.x is there unfiltered and filtered with CFC 1000; 11HEAD0000H3ACX0 is used" in notes


def test_an_accelerometer_off_the_centre_of_gravity_is_not_that_of_the_head(tmp_path):
    """One at the top of the head gave HIC15 in silence, and one next to that at the centre cost both."""
    top = [(code.replace("HEAD00", "HEADTP"), unit, 2.0 * a) for code, unit, a in head()]
    found, notes = value(folder(tmp_path, [*top, *head()]))
    assert found == pytest.approx(expected(), rel=1e-9)
    assert notes == "left out 3 channels that no criterion needs, as 11HEADTP00H3ACXA."


def test_a_record_filtered_more_than_a_criterion_wants_gets_a_note(tmp_path):
    found = assess(isomme.read(folder(tmp_path, head("DDD"))))
    assert "HIC15, HIC36, SI, head 3ms, head acceleration: CFC 60 as recorded, not CFC 1000." in found.notes


def test_two_codes_of_one_channel_are_refused_and_no_code_is_that_of_the_list(tmp_path):
    """The file's code counted, in silence: accelerations of a head in the list became those of a chest."""
    place = folder(tmp_path, head())
    for number, code in enumerate(("NOVALUE", "11HEAD0000H3ACYA", "11CHST0000H3ACZA"), 1):
        path = place / "Channel" / f"own.{number:03d}"
        path.write_text(path.read_text().replace(path.read_text().splitlines()[0], f"Channel code :{code}"))
    channels = isomme.read(place)
    assert set(channels.records) == {"head.acceleration.x", "head.acceleration.y"}
    assert 'the channel code is "11CHST0000H3ACZA", and "11HEAD0000H3ACZA" in the list of' in channels.notes[0]


def test_an_offset_of_a_twelfth_of_the_peak_gets_a_note(tmp_path):
    """HIC15 was a fifth too high in silence; noise at one sample is no offset."""
    off = [(code, unit, a + 6.0 * STANDARD_GRAVITY * ("X" in code[14])) for code, unit, a in head()]
    found, notes = value(folder(tmp_path, off))
    assert found > 1.1 * expected()
    assert "11HEAD0000H3ACXA begins at 6 g and ends at 6 g, not at rest: it has an offset" in notes
    noise = [(code, unit, np.concatenate([[9.0 * STANDARD_GRAVITY], a[1:]])) for code, unit, a in head()]
    (again := tmp_path / "again").mkdir()
    assert value(folder(again, noise))[1] == ""


def test_a_femur_in_tension_gets_a_note(tmp_path):
    """With the sign reversed the force of a femur was 13 N instead of 5 kN in silence."""
    force = 5e3 * np.sin(np.pi * np.clip((TIME - 0.04) / 0.02, 0.0, 1.0))
    for sign, noted in ((1.0, True), (-1.0, False)):
        (place := tmp_path / f"{sign:g}").mkdir()
        notes = assess(isomme.read(folder(place, [("11FEMRLE00H3FOZB", "N", sign * force)]))).notes
        assert any("reaches 5 kN in tension" in note and "is the sign reversed?" in note for note in notes) == noted
