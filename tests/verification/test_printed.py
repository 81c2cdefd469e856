"""Every number that a reproduction calls printed is in its source; skipped where the sources are not at hand."""

from itertools import dropwhile, takewhile
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest

from vitruvian import data
from vitruvian.lab.reproduce import ball, pedestrian2d, stability, thesis_joints

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"

pytestmark = pytest.mark.skipif(not SEEDS.is_dir(), reason="the sources are not at hand")


def source(start: str) -> list[str]:
    (path,) = SEEDS.glob(f"{start}_*.txt")
    return path.read_text(encoding="utf-8").splitlines()


def number(cell: str) -> float:
    """A printed number: 0.03, $6.0E-4$, 1.0e-1."""
    return float(cell.strip(" $*").replace(" ", "").rstrip("*"))


def table(title: str, *, below: bool = False) -> list[list[str]]:
    """Cells of the table above a caption of the thesis, or below it."""
    lines = source("000")
    place = next(k for k, line in enumerate(lines) if line.startswith(title))
    found = [("\t" in line, line.split("\t")) for line in (lines[place:] if below else reversed(lines[:place]))]
    rows = [cells for _, cells in takewhile(itemgetter(0), dropwhile(lambda row: not row[0], found))]
    return rows if below else rows[::-1]


@pytest.mark.parametrize("name", list(stability.TABLES))
def test_tables_of_section_3_4(name: str) -> None:
    """Item 12: alpha, tolerance, stable, violation and time as printed."""
    printed = [row for row in table(f"Table {name}:") if row[0] != "dR"]
    cases = stability.TABLES[name][1]
    assert len(printed) == len(cases)
    for row, case in zip(printed, cases, strict=True):
        tail = [row[5], row[6], row[7]] if case.tolerance is not None else [row[4], row[5], row[6]]
        assert number(row[1]) == case.alpha
        assert row[3] == ("NO" if case.tolerance is None else "YES")
        if case.tolerance is not None:
            assert number(row[4]) == case.tolerance
        assert (tail[0].lower(), number(tail[1]), number(tail[2])) == (case.stable, case.violation, case.cpu)


def test_table_3_10() -> None:
    """Item 12; the rows 1, 1.0 are read as 0, 1.0 (E022)."""
    printed = [row for row in table("Table 3.10:") if "alpha" not in row[2]]
    assert len(printed) == len(stability.MOVING)
    for row, case in zip(printed, stability.MOVING, strict=True):
        speed = (number(row[0]), number(row[1]))
        assert case.speed == ((0.0, 1.0) if speed == (1.0, 1.0) else speed)
        assert number(row[2]) == case.alpha
        assert case.tolerance == (number(row[5]) if row[4] == "YES" else None)
        assert row[6].split()[0].lower() == case.stable
        assert case.violation == (None if row[7] == "\u2013" else number(row[7]))


def test_tables_of_chapter_4() -> None:
    """Item 12: coefficients, masses and limits."""
    rows = [row for row in table("Table 4.1:") if row[0] != "Segment"]
    assert [tuple(map(float, row[1:])) for row in rows] == list(thesis_joints.COEFFICIENTS)
    rows = [row for row in table("Table 4.2:") if row[0] not in ("Model", "Segment")]
    columns = list(zip(*[map(float, row[1:]) for row in rows], strict=True))
    assert columns == list(thesis_joints.MASSES.values())
    rows = [row for row in table("Table 4.3:", below=True) if row[0].startswith("<b>")]
    held = data.values("joint_range_thesis")
    assert len(rows) == len(held)
    # X left is our y, Y up our z, Z front our x
    printed = sorted(tuple(map(float, row[1:7])) for row in rows)
    ours = sorted(
        tuple(
            round(float(np.degrees(abs(row[f"limit_{side}_{axis}"]))), 9)
            for axis in "yzx"
            for side in ("plus", "minus")
        )
        for row in held.values()
    )
    assert printed == ours


def test_table_6_1() -> None:
    """Item 12: forces and displacements; the numbers of contacts are in the text below the table."""
    rows = [row for row in table("Table 6.1:") if row[0] != "Force model"]
    assert [(number(row[1]), number(row[2])) for row in rows] == [row[:2] for row in ball.PRINTED.values()]
    text = " ".join(source("000"))
    for words in ("(Herbert & McWhannel) the ball performed two jumps", "three jumps", "the ball jumped six times"):
        assert words in text
    for words in ("the radius 0.2 m, mass of 1 kg", "height equaling to 0.5 m", "simulation time was 0.5 s"):
        assert words in text


def test_words_of_sections_5_and_6() -> None:
    """Item 12: what is compared with words stands in the text."""
    text = " ".join(source("000"))
    for words in (
        "contact force is discontinuous, because of the damping term",
        "negative normal force holding the objects together",
        "0 = pure plastic, 1 = pure elastic contact",
        "main principle axis equals to 1.0 m, and two remaining principle axes equaling to 0.4 m",
        "(opposite horizontal position)",
        "angle is approximately  $135^\\circ$",
        "angle  $\\gamma$  is approximately  $160^\\circ$",
        "There is no torque generated by the motion",
        "first contact of the body is through the feet, followed by the pelvis and chest",
        "The head does not get into contact",
        "defined on the HBM",
        "defined on the trunk of the body",
        "distance between the foot and the ground",
        "from a few minutes up to several hours",
        "not stable for any value of non-zero initial velocities",
    ):
        assert words in text, words


def test_the_two_numbers_of_the_pedestrian() -> None:
    """Item 12."""
    text = " ".join(source("004"))
    assert f"HIC = {pedestrian2d.PRINTED_HIC:.0f}$" in text
    assert f"3ms = {pedestrian2d.PRINTED_3MS:.0f}$" in text
