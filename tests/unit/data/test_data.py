"""Every number in the tables has a known source and a unit, and the numbers agree with each other."""

from __future__ import annotations

import importlib.util
import re
from math import pi
from pathlib import Path

import pytest

from vitruvian import data
from vitruvian.errors import InputError
from vitruvian.model import Contact
from vitruvian.units import parse_unit

ROWS = [(name, row) for name in data.TABLES for row in data.table(name)]
SEGMENTS = tuple(data.values("segment_geometry"))
PAIRED = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", data.TABLES)
def test_every_value_has_source_place_status_and_unit(name: str) -> None:
    for row in data.table(name):
        assert row.source in data.references(), row
        assert row.where, row
        assert row.status in data.STATUS, row
        assert row.item and row.quantity, row
        parse_unit(row.unit, row.dimension or None)  # raises for an unknown unit
        if row.status == "estimated" and not name.startswith("joint"):
            assert row.note, f"an estimate without its reason: {row}"


@pytest.mark.parametrize("name", data.TABLES)
def test_no_value_is_given_twice(name: str) -> None:
    keys = [(row.item, row.quantity, row.sex, row.age_group) for row in data.table(name)]
    assert len(keys) == len(set(keys))


def test_every_reference_is_used_and_has_a_title() -> None:
    code = " ".join(path.read_text(encoding="utf-8") for path in Path(data.__file__).parents[1].rglob("*.py"))
    cited = {key for key in data.references() if re.search(rf"\b{key}\b", code)}
    pulses = {item["source"] for item in data.tree("sled_pulses").values()}
    assert set(data.references()) == {row.source for _, row in ROWS} | cited | pulses
    assert all(entry["title"] for entry in data.references().values())


@pytest.mark.parametrize("sex", ["male", "female"])
def test_mass_fractions_sum_to_one(sex: str) -> None:
    fractions = data.values("segment_mass", sex)
    assert set(fractions) == set(SEGMENTS)
    total = sum((2 if segment in PAIRED else 1) * row["mass_fraction"] for segment, row in fractions.items())
    assert total == pytest.approx(1.0, abs=1.5e-4)  # the source prints two decimals of a per cent


@pytest.mark.parametrize("sex", ["male", "female"])
def test_reference_ellipsoids_have_their_mass(sex: str) -> None:
    """Volume x density = mass at the reference body, to the digits that are printed."""
    height = {"male": 1.80, "female": 1.66}[sex]
    for segment, row in data.values("segment_geometry", sex).items():
        volume = 4.0 / 3.0 * pi * row["semi_axis_x"] * row["semi_axis_y"] * row["semi_axis_z"] * height**3
        assert row["density"] * volume == pytest.approx(row["mass_reference"], rel=3e-3), segment


def test_regression_moments_are_those_of_a_body() -> None:
    """Positive and within the triangle inequality over the range in which the regression is used."""
    for mass, height in ((60, 160), (60, 195), (100, 160), (100, 195), (80, 180)):
        for segment, row in data.values("segment_mass").items():
            if "inertia_x_constant" not in row:
                continue
            moments = sorted(
                row[f"inertia_{a}_constant"] + mass * row[f"inertia_{a}_per_kg"] + height * row[f"inertia_{a}_per_cm"]
                for a in "xyz"
            )
            assert moments[0] > 0.0, (segment, mass, height)
            assert moments[0] + moments[1] >= moments[2], (segment, mass, height, moments)


def test_units_are_converted() -> None:
    row = next(row for row in data.table("segment_mass") if row.quantity == "mass_per_height" and row.item == "pelvis")
    assert (row.value, row.unit, row.si) == (0.04896, "kg/cm", pytest.approx(4.896))
    assert data.values("joint_resistance")["knee"]["limit_plus_y"] == pytest.approx(138.0 * pi / 180.0)


def test_limits_enclose_zero_and_stiffen() -> None:
    for joint, row in data.values("joint_resistance").items():
        for axis in "xyz":
            assert row[f"limit_minus_{axis}"] <= 0.0 <= row[f"limit_plus_{axis}"], joint
            for side in ("minus", "plus"):
                assert row[f"stiffness_{side}_{axis}"] > row[f"stiffness_{axis}"] > 0.0, joint
            assert row[f"damping_{axis}"] > 0.0, joint


def test_signs_of_the_motions() -> None:
    """x forward, y left, z up and the right-hand rule: a thigh swings forward about -y, a shank backward about +y."""
    words = data.movements()
    assert words["hip"]["flexion"] == words["shoulder"]["flexion"] == words["elbow"]["flexion"] == (1, -1)
    assert words["knee"]["flexion"] == words["lumbar"]["flexion"] == words["ankle"]["plantarflexion"] == (1, 1)
    assert words["hip"]["abduction"] == words["shoulder"]["abduction"] == (0, -1)
    assert words["hip"]["internal_rotation"] == words["elbow"]["pronation"] == (2, 1)


def test_joints_and_segments_of_the_tree_have_their_rows() -> None:
    joints = {joint["name"] for joint in data.tree("human17")["joint"]}
    assert joints == set(data.values("joint_place")) == set(data.values("joint_resistance")) == set(data.movements())
    assert {joint["child"] for joint in data.tree("human17")["joint"]} | {"pelvis"} == set(SEGMENTS)
    assert set(data.values("tissue")) == set(SEGMENTS)


def test_only_right_and_midline_are_given() -> None:
    """Left is made by mirroring, so no row may lie on the left (positive y)."""
    for name, quantity in (("segment_geometry", "centre_y"), ("joint_place", "place_y")):
        assert all(row.si <= 0.0 for row in data.table(name) if row.quantity == quantity)


@pytest.mark.parametrize("name", data.surfaces())
def test_surfaces_make_contacts(name: str) -> None:
    Contact(**data.surface(name))


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InputError, match=r"no surface 'concret'.*Did you mean \"concrete\""):
        data.surface("concret")
    with pytest.raises(InputError, match="no data table"):
        data.table("segments")


def test_the_page_of_the_data_is_up_to_date() -> None:
    tool = ROOT / "tools" / "make_data_docs.py"
    if not tool.exists():
        pytest.skip("not a checkout of the repository")
    spec = importlib.util.spec_from_file_location("make_data_docs", tool)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, text in module.pages().items():
        written = (module.FOLDER / name).read_text(encoding="utf-8")
        assert written == text, f"{name}: run python tools/make_data_docs.py"
