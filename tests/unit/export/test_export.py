"""Tables, markers, OpenSim and C3D: what is read again is what was simulated, with its units."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from vitruvian.errors import InputError, MissingExtra
from vitruvian.export import c3d, fe, isomme, marker, opensim, tidy
from vitruvian.scenario import Scenario
from vitruvian.sim.result import Result

pytestmark = pytest.mark.needs_jit  # whole runs


@pytest.fixture(scope="module")
def fall() -> Result:
    changes = {"solver.duration": 0.12, "human.start.angular_velocity": [0.5, 2.0, 0.3]}
    return Scenario.load("fall-1cm", changes).run()


@pytest.fixture(scope="module")
def ball() -> Result:
    return Scenario.load("bouncing-ball", {"solver.duration": 0.05}).run()


# tables


def read(path: Path) -> tuple[list[str], list[list[str]]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def test_csv_holds_every_channel_bit_for_bit(fall: Result, tmp_path: Path) -> None:
    files = {path.stem: path for path in tidy.write_csv(fall, tmp_path)}
    slow, fast = {"bodies", "joints", "contacts", "system", "events"}, {"sensors", "load_cells", "attitudes"}
    assert set(files) == slow | fast | {"channels", "about"}
    heading, rows = read(files["bodies"])
    recording = fall.recording
    assert len(rows) == len(recording.pose_time) * len(recording.bodies)
    head = [row for row in rows if row[1] == "head"]
    for axis, name in enumerate(("position.x [m]", "position.y [m]", "position.z [m]")):
        column = [float(row[heading.index(name)]) for row in head]
        assert column == recording.position[:, recording.bodies.index("head"), axis].tolist()
    assert [float(row[0]) for row in head] == recording.pose_time.tolist()
    heading, rows = read(files["sensors"])
    assert "sensor_acceleration_g_local.z [g]" in heading
    assert len(rows) == len(recording.time) * len(recording.sensors)
    heading, rows = read(files["load_cells"])
    assert len(rows) == len(recording.time) * len(recording.load_cells)
    knee = [np.float32(row[heading.index("joint_force_world.z [N]")]) for row in rows if row[1] == "left_knee"]
    assert knee == recording.joint_force_world[:, recording.load_cells.index("left_knee"), 2].tolist()


def test_a_choice_is_small_and_the_same(fall: Result, tmp_path: Path) -> None:
    """One joint and one channel are one file with the numbers of the whole table; a wrong name is refused."""
    choice = tidy.Choice(("right_ankle",), ("joint_force_local",))
    heading, rows = read(tidy.write_single_csv(fall, tmp_path / "ankle.csv", choice))
    assert heading[:2] == ["time [s]", "load_cell"] and {row[1] for row in rows} == {"right_ankle"}
    whole, lines = read({path.stem: path for path in tidy.write_csv(fall, tmp_path)}["load_cells"])
    places = [whole.index(name) for name in heading]
    assert rows == [[line[k] for k in places] for line in lines if line[1] == "right_ankle"]
    with pytest.raises(InputError, match=r'no item .right_ankel.*"right_ankle"'):
        tidy.tables(fall, tidy.Choice(("right_ankel",)))


def test_every_column_has_a_unit_and_a_meaning(fall: Result, tmp_path: Path) -> None:
    files = {path.stem: path for path in tidy.write_csv(fall, tmp_path)}
    listed = {(row[0], f"{row[1]} [{row[2]}]" if row[2] else row[1]) for row in read(files["channels"])[1]}
    for name in ("bodies", "joints", "contacts", "sensors", "load_cells", "system", "events"):
        assert {(name, cell) for cell in read(files[name])[0]} <= listed
    assert all(row[3] for row in read(files["channels"])[1])
    assert dict(read(files["about"])[1])["scenario"] == "fall-1cm"


def test_contacts_are_those_that_touched_and_gaps_are_empty(fall: Result, tmp_path: Path) -> None:
    heading, rows = read({path.stem: path for path in tidy.write_csv(fall, tmp_path)}["contacts"])
    assert heading[:4] == ["time [s]", "pair", "body", "surface"]
    assert {(row[2], row[3]) for row in rows} == {(row.body, row.other) for row in fall.contacts()}
    names = ("contact_depth [m]", "contact_point.x [m]", "contact_force.z [N]")
    depth, point, force = (heading.index(name) for name in names)
    assert all(row[point] == "" for row in rows if float(row[depth]) == 0.0 and float(row[force]) == 0.0)
    assert any(row[point] for row in rows)


def test_a_cell_with_a_comma_is_read_as_one(tmp_path: Path) -> None:
    table = [
        tidy.Column("a", np.array(['x, "y"', "plain"], dtype=object), "", ""),
        tidy.Column("b", np.ones(2), "m", ""),
    ]
    (tmp_path / "t.csv").write_text(tidy.csv_text(table), encoding="utf-8")
    assert read(tmp_path / "t.csv") == (["a", "b [m]"], [['x, "y"', "1.0"], ["plain", "1.0"]])


def test_parquet_is_the_same_with_units_inside(fall: Result, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    files = {path.stem: path for path in tidy.write_parquet(fall, tmp_path)}
    table = parquet.read_table(files["bodies"])
    assert table.schema.field("velocity.x").metadata[b"units"] == b"m/s"
    assert table.schema.metadata[b"scenario"] == b"fall-1cm"
    heads = table.filter(parquet.filters_to_expression([("body", "=", "head")]))
    at = fall.recording.bodies.index("head")
    assert np.array_equal(heads.column("velocity.z").to_numpy(), fall.recording.velocity[:, at, 2])


@pytest.mark.parametrize(("module", "call"), [("ezc3d", c3d.write)])
def test_a_missing_package_is_named(fall: Result, tmp_path: Path, monkeypatch, module: str, call) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"{module}.*pip install \"vitruvian\["):
        call(fall, tmp_path / "x.c3d")


def test_a_folder_that_cannot_be_made_is_refused(fall: Result, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        tidy.write_csv(fall, tmp_path / "file" / "csv")


def test_isomme_without_channels_is_refused(ball: Result, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no channel with a code"):
        isomme.write(ball, tmp_path)
    assert not list(tmp_path.iterdir())


# markers


def test_markers_lie_where_the_joints_are(fall: Result) -> None:
    """A joint's marker, carried by the child, stays at the joint point of the parent."""
    points = marker.markers(fall)
    path = dict(zip([point.name for point in points], marker.paths(fall, points).transpose(1, 0, 2), strict=True))
    knee = fall.recording.joints.index("left_knee")
    parent = fall.geometry.joint_parent[knee]
    _, place, _ = fall.marker(fall.recording.bodies[parent], tuple(fall.geometry.joint_point_parent[knee]))
    assert path["left_knee"] == pytest.approx(place, abs=1e-10)
    # the top of the head at the start is the stature above the soles
    lowest = min(p[0, 2] for name, p in path.items() if "foot" in name)
    assert 1.5 < path["head_top"][0, 2] - lowest < 1.9


def test_the_markers_of_a_segment_fix_its_pose(fall: Result) -> None:
    """From four points the rotation comes back: what inverse kinematics needs."""
    points = [point for point in marker.markers(fall) if point.name.startswith("thorax_")]
    assert [point.name for point in points] == ["thorax_centre", "thorax_front", "thorax_left", "thorax_top"]
    body, sample = points[0].body, -1
    local = np.array([point.place for point in points])
    seen = marker.paths(fall, points)[sample]
    turn, _ = Rotation.align_vectors(seen[1:] - seen[0], local[1:] - local[0])
    recorded = Rotation.from_quat(np.roll(fall.recording.orientation[sample, body], -1))
    assert (turn * recorded.inv()).magnitude() < 1e-8


def test_the_markers_of_a_foot_are_at_its_toes_and_not_at_its_heel(fall: Result) -> None:
    """Heel and forefoot are regions of one foot, whose outline reaches from the end of the one to that of the other."""
    point = next(point for point in marker.markers(fall) if point.name == "left_foot_front")
    rows = fall.geometry.shape_body == point.body
    assert rows.sum() == 2
    ends = fall.geometry.shape_offset[rows, 0] + fall.geometry.shape_semi_axes[rows, 0]
    assert point.place[0] == pytest.approx(ends.max())
    assert ends.max() - ends.min() > 0.1


def test_a_vehicle_has_markers_that_go_with_it() -> None:
    result = Scenario.load("struck-by-front", {"solver.duration": 0.01}).run()
    points = [point for point in marker.markers(result) if point.name.startswith("vehicle_")]
    assert [point.name for point in points] == [f"vehicle_{side}" for side in ("centre", "front", "left", "top")]
    path = marker.paths(result, points)
    vehicle = result.recording.bodies.index("vehicle")
    assert path - path[0] == pytest.approx((result.recording.position - result.recording.position[0])[:, [vehicle] * 4])
    corners = result.geometry.vertex_position + result.recording.position[0, vehicle]
    assert path[0, 1, 0] == pytest.approx(corners[:, 0].max()) and path[0, 2, 1] == pytest.approx(corners[:, 1].max())
    assert path[0, 3, 2] == pytest.approx(corners[:, 2].max())


def test_files_of_a_run_that_diverged_end_before_it_did(fall: Result, tmp_path: Path) -> None:
    velocity = fall.recording.velocity.copy()
    velocity[20:] = 1e12
    wild = Result(fall.recording.replace(velocity=velocity), geometry=fall.geometry, name="wild")
    trc, mot = opensim.write(wild, tmp_path / "wild.trc")
    assert trc.read_text().splitlines()[2].split("\t")[2] == "20"
    assert float(mot.read_text().splitlines()[-1].split("\t")[0]) == pytest.approx(fall.recording.pose_time[19])
    ezc3d = pytest.importorskip("ezc3d", reason="ezc3d is not installed")
    assert ezc3d.c3d(str(c3d.write(wild, tmp_path / "wild.c3d")))["data"]["points"].shape[2] == 20
    fe.write(wild, tmp_path / "fe")
    rows = (tmp_path / "fe" / "motion.csv").read_text().splitlines()
    assert len(rows) == 1 + 20 * len(fall.recording.bodies)


def test_without_a_person_there_are_no_markers(ball: Result, tmp_path: Path) -> None:
    for call in (opensim.write, c3d.write):
        with pytest.raises(InputError, match="holds no person"):
            call(ball, tmp_path / "ball.c3d")


def test_uneven_samples_have_no_rate() -> None:
    with pytest.raises(InputError, match="not evenly spaced"):
        marker.even_rate(np.array([0.0, 1.0, 3.0]), "export")
    assert marker.even_rate(np.linspace(0.0, 1.0, 1001), "export") == 1000.0


# OpenSim


def test_trc_has_y_up_in_millimetres(fall: Result, tmp_path: Path) -> None:
    path, _ = opensim.write(fall, tmp_path / "fall")
    lines = path.read_text(encoding="utf-8").split("\n")
    count = dict(zip(lines[1].split("\t"), lines[2].split("\t"), strict=True))
    points = marker.markers(fall)
    assert count["Units"] == "mm" and int(count["NumMarkers"]) == len(points)
    assert float(count["DataRate"]) == 1000.0 and int(count["NumFrames"]) == len(fall.recording.pose_time)
    names = [name for name in lines[3].split("\t")[2:] if name]
    assert names == [point.name for point in points]
    assert len(lines[4].split("\t")) == len(lines[6].split("\t")) == 2 + 3 * len(points)
    table = np.array([line.split("\t") for line in lines[6:-1]], dtype=float)
    assert table[:, 0].tolist() == list(range(1, len(fall.recording.pose_time) + 1))
    ours = marker.paths(fall, points)
    x, y, z = table[:, 2:].reshape(len(table), -1, 3).transpose(2, 0, 1)
    assert x == pytest.approx(1e3 * ours[..., 0], abs=1e-6)
    assert y == pytest.approx(1e3 * ours[..., 2], abs=1e-6)
    assert z == pytest.approx(-1e3 * ours[..., 1], abs=1e-6)


def test_mot_turns_back_into_the_pose_of_the_pelvis(fall: Result, tmp_path: Path) -> None:
    _, path = opensim.write(fall, tmp_path / "fall")
    head, _, body = path.read_text(encoding="utf-8").partition("endheader\n")
    assert "inDegrees=yes" in head and "scenario: fall-1cm" in head
    lines = body.strip().split("\n")
    names = lines[0].split("\t")
    table = dict(zip(names, np.array([line.split("\t") for line in lines[1:]], dtype=float).T, strict=True))
    assert f"nRows={len(lines) - 1}" in head and f"nColumns={len(names)}" in head
    # about z, x, y of OpenSim one after the other, each turning with the body
    angles = np.column_stack([table[f"pelvis_{word}"] for word in ("tilt", "list", "rotation")])
    turn = Rotation.from_euler("ZXY", angles, degrees=True).as_matrix()
    ours = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]) @ turn @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    at = fall.recording.bodies.index("pelvis")
    recorded = Rotation.from_quat(np.roll(fall.recording.orientation[:, at], -1, axis=1)).as_matrix()
    assert ours == pytest.approx(recorded, abs=1e-8)
    assert table["pelvis_ty"] == pytest.approx(fall.recording.position[:, at, 2], abs=1e-8)
    knee = fall["left_knee.joint_angle"].sel(movement="flexion").values
    assert table["left_knee_flexion"] == pytest.approx(np.degrees(knee), abs=1e-6)


# C3D


def test_c3d_reads_back_equal(fall: Result, tmp_path: Path) -> None:
    ezc3d = pytest.importorskip("ezc3d")
    file = ezc3d.c3d(str(c3d.write(fall, tmp_path / "fall.c3d")))
    points, recording = marker.markers(fall), fall.recording
    parameters = file["parameters"]
    assert parameters["POINT"]["LABELS"]["value"] == [point.name for point in points]
    assert parameters["POINT"]["UNITS"]["value"] == ["mm"]
    assert parameters["POINT"]["RATE"]["value"][0] == 1000.0
    assert file["header"]["points"]["frame_rate"] == 1000.0
    got = file["data"]["points"][:3].transpose(2, 1, 0)
    assert got == pytest.approx(1e3 * marker.paths(fall, points), abs=2e-4)  # single precision of 2 m
    rate = parameters["ANALOG"]["RATE"]["value"][0]
    assert rate == pytest.approx(1.0 / (recording.time[1] - recording.time[0]))
    row = parameters["ANALOG"]["LABELS"]["value"].index("head.AZ")
    assert parameters["ANALOG"]["UNITS"]["value"][row] == "m/s2"
    samples = recording.sensor_acceleration_local[:, recording.sensors.index("head"), 2]
    got = file["data"]["analogs"][0, row, : len(samples)]
    assert got == pytest.approx(samples, rel=1e-6, abs=1e-6 * abs(samples).max())
    touches = [event.time for event in recording.events if event.kind == "touch"]
    assert parameters["EVENT"]["TIMES"]["value"][1] == pytest.approx(touches, abs=1e-6)
    assert parameters["VITRUVIAN"]["SCENARIO"]["value"] == ["fall-1cm"]
