"""Result and its archive, with made-up recordings: no simulation is needed to label, summarise and store one."""

from __future__ import annotations

from dataclasses import fields, replace

import h5py
import numpy as np
import pytest
import xarray

from vitruvian.errors import InputError, OutputError, SimulationError
from vitruvian.injury import hic
from vitruvian.model import Body, Ellipsoid, Joint, Plane, Sensor, System
from vitruvian.sim.channel import CHANNELS, WORK_CLASSES
from vitruvian.sim.recording import Event, Recording
from vitruvian.sim.result import Result, load
from vitruvian.units import STANDARD_GRAVITY

BODIES = ("thorax", "head", "slider")


def recording(*, sensors: tuple[str, ...] = ("head", "thorax"), pairs: bool = True) -> Recording:
    """A recording of 1.5 s with random numbers, and a half sine of 100 g and 10 ms in the head sensor."""
    random = np.random.default_rng(1)
    poses, samples, n = 151, 1501, len(BODIES)
    touching = tuple((body, "ground") for body in BODIES) if pairs else ()
    time = np.arange(samples) * 1e-3
    orientation = random.normal(size=(poses, n, 4))
    orientation /= np.linalg.norm(orientation, axis=-1, keepdims=True)
    acceleration = np.zeros((samples, len(sensors), 3))
    if sensors:
        acceleration[:, 0, 2] = 100.0 * STANDARD_GRAVITY * np.sin(np.pi * np.clip((time - 0.9) / 0.1, 0.0, 1.0))

    def bodies(width: int = 3) -> np.ndarray:
        return random.normal(size=(poses, n, width))

    return Recording(
        channels={
            "position": bodies(),
            "orientation": orientation,
            "velocity": bodies(),
            "angular_velocity": bodies(),
            "acceleration": bodies(),
            "angular_acceleration": bodies(),
            "joint_rotation": bodies() * np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 0.0, 0.0]]),
            "joint_torque": bodies(),
            "joint_force": bodies(),
            "joint_moment": bodies(),
            "joint_energy": bodies()[..., 0],
            "joint_loss": bodies()[..., 0],
            "contact_force": random.normal(size=(poses, len(touching), 3)),
            "contact_point": random.normal(size=(poses, len(touching), 3)),
            "contact_depth": random.normal(size=(poses, len(touching))),
            "work": random.normal(size=(poses, len(WORK_CLASSES))),
            "kinetic": random.random(poses),
            "potential": random.random(poses),
            "balance": random.random(poses) * 1e-3,
            "sensor_acceleration": acceleration,
            "sensor_acceleration_local": acceleration[..., ::-1].copy(),
            "sensor_angular_velocity_local": np.zeros_like(acceleration),
            "sensor_angular_acceleration_local": np.zeros_like(acceleration),
            "loop_force": random.normal(size=(poses, 1, 3)),
            "loop_moment": random.normal(size=(poses, 1, 3)),
            "loop_power": random.normal(size=(poses, 1)),
            "joint_force_world": random.normal(size=(samples, 2, 3)).astype(np.float32),
            "joint_moment_world": random.normal(size=(samples, 2, 3)).astype(np.float32),
            "attitude": random.normal(size=(samples, n, 4)).astype(np.float32),
        },
        bodies=BODIES,
        joints=("root", "neck", "rail"),
        joint_types=("free", "spherical", "prismatic"),
        pairs=touching,
        sensors=sensors,
        pose_time=np.arange(poses) * 1e-2,
        time=time,
        events=[
            Event(0.95, "touch", "head", "ground", 3.0),
            Event(0.90, "touch", "thorax", "ground", 4.0),
            Event(1.00, "separation", "head", "ground", 0.5),
            Event(1.10, "touch", "head", "ground", 0.4),
        ]
        if pairs
        else [],
        status="finished",
        message="The run reached its end time.",
        end_time=1.5,
        balance_error=2e-4,
        steps=1000,
        rejected=3,
        evaluations=3009,
        wall_time=0.03,
        method="implicit",
        tolerance=1e-3,
        final={
            "q": random.normal(size=12),
            "active": np.array([0, 1, 1]),
            "work": random.normal(size=(3, 2)),
            "touching": np.zeros(0, int),
        },
        sensor_filters=("none", "CFC60")[: len(sensors)],
        parents=("", "thorax", ""),
        load_cells=("neck", "rail"),
        loops=("grip",),
    )


def system() -> System:
    return System(
        bodies=(
            Body("thorax", 12.0, np.ones(3), (Ellipsoid((0.1, 0.2, 0.3)),)),
            Body(
                "head", 5.0, np.ones(3), (Ellipsoid((0.1, 0.08, 0.12)), Ellipsoid((0.02, 0.02, 0.02), (0.1, 0.0, 0.0)))
            ),
            Body("slider", 1.0, np.ones(3)),
        ),
        joints=(
            Joint("root", "free", None, "thorax"),
            Joint("neck", "spherical", "thorax", "head", (0.0, 0.0, 0.3), (0.0, 0.0, -0.1)),
            Joint("rail", "prismatic", None, "slider"),
        ),
        surfaces=(Plane("ground"),),
        sensors=(Sensor("head", "head"), Sensor("thorax", "thorax")),
        loops=(Joint("grip", "spherical", "slider", "head"),),
    )


@pytest.fixture
def result() -> Result:
    return Result(recording(), system=system(), name="made-up", title="A made-up run", scenario="schema = 1\n")


def test_every_channel_has_unit_and_name(result: Result) -> None:
    for name, variable in result.dataset.data_vars.items():
        assert variable.attrs["long_name"], name
        assert "units" in variable.attrs or variable.dtype == object, name
    for name, unit, description in result.channels():
        assert unit and description, name


def test_every_channel_can_be_asked_for(result: Result) -> None:
    item = {"body": "head", "joint": "neck", "pair": "head.ground", "sensor": "head"}
    item |= {"load_cell": "neck", "loop": "grip"}
    for name, channel in CHANNELS.items():
        assert result[name].dims == channel.dims
        if channel.of and channel.of not in (
            "webbing",
            "airbag",
            "dip",
            "muscle",
            "muscle_point",
            "point",
        ):  # tests of their own ask
            selected = result[f"{item[channel.of]}.{name}"]
            assert selected.attrs["units"] == channel.units
            assert channel.of not in selected.dims


def test_body_axes(result: Result) -> None:
    """The rotation matrix of the quaternion, applied to the local vector, gives the world vector back."""
    w, x, y, z = np.moveaxis(result["head.orientation"].values, -1, 0)
    matrix = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    for name in ("velocity", "angular_velocity", "acceleration", "angular_acceleration"):
        world = np.einsum("ijt,tj->ti", matrix, result[f"head.{name}_local"].values)
        np.testing.assert_allclose(world, result[f"head.{name}"].values, atol=1e-14)


def test_acceleration_in_g(result: Result) -> None:
    np.testing.assert_allclose(result["acceleration_g"] * STANDARD_GRAVITY, result["acceleration"])
    np.testing.assert_allclose(
        result["sensor_acceleration_g_local"] * STANDARD_GRAVITY, result["sensor_acceleration_local"]
    )
    assert float(result["head.sensor_acceleration_g"].max()) == pytest.approx(100.0, rel=1e-4)


def test_displacements_and_angles_are_kept_apart(result: Result) -> None:
    assert (result["rail.joint_rotation"] == 0.0).all()
    assert (result["neck.joint_displacement"] == 0.0).all()
    np.testing.assert_array_equal(result["rail.joint_displacement"], result.recording.joint_rotation[:, 2])


@pytest.mark.parametrize("name", ["head.aceleration", "hed.acceleration", "head.kinetic", "nonsense"])
def test_unknown_channel_is_refused(result: Result, name: str) -> None:
    with pytest.raises(InputError):
        result[name]


def test_unknown_body_names_the_nearest(result: Result) -> None:
    with pytest.raises(InputError, match='Did you mean "head"'):
        result.body("haed")
    with pytest.raises(InputError, match="'head' has several channels; write one of head"):
        result["head"]


def test_body_holds_its_contacts(result: Result) -> None:
    head = result.body("head")
    assert {"position", "acceleration_g_local", "contact_force"} <= set(head.data_vars)
    assert head["contact_force"].sizes["pair"] == 1


def test_contacts_of_several_shapes_are_added() -> None:
    made = recording()
    several = Result(replace(made, pairs=(("head", "ground"), ("head", "ground"), ("head", "wall"))))
    assert list(several.dataset["pair"].values) == ["head.ground", "head.ground#2", "head.wall"]
    np.testing.assert_array_equal(several["head.contact_force"], made.contact_force.sum(axis=1))
    np.testing.assert_array_equal(several["head.contact_depth"], made.contact_depth.max(axis=1))


def test_summary(result: Result) -> None:
    summary = result.summary()
    head = summary["peaks"]["head"]
    assert list(summary["peaks"]) == ["head", "thorax"]
    assert head["acceleration_g"] == pytest.approx(100.0, rel=1e-4)
    assert head["time"] == pytest.approx(0.95)
    assert head["HIC15"]["value"] < head["HIC36"]["value"]
    assert head["HIC15"]["t2"] - head["HIC15"]["t1"] == pytest.approx(0.015)
    assert [(row["body"], row["speed"]) for row in summary["first_contacts"]] == [("thorax", 4.0), ("head", 3.0)]
    assert summary["real_time_factor"] == pytest.approx(50.0)


def test_criteria_are_those_asked_for(tmp_path) -> None:
    asked = Result(recording(), system=system(), criteria=("HIC36",))
    assert "HIC15" not in asked.summary()["peaks"]["head"]
    assert load(asked.save(tmp_path / "result.nc")).summary() == asked.summary()


def test_summary_needs_no_sensor() -> None:
    peaks = Result(recording(sensors=()), system=system()).summary()["peaks"]
    assert set(peaks) == {"head", "thorax"}


def test_a_run_that_failed_says_so() -> None:
    failed = Result(recording().replace(status="diverged", message="A state is no longer a finite number at 0.3 s."))
    assert not failed.fine
    with pytest.raises(SimulationError, match=r"0\.3 s.*energy balance"):
        failed.raise_for_status()


def same(first: object, second: object) -> bool:
    if isinstance(first, np.ndarray):
        return first.dtype.kind == np.asarray(second).dtype.kind and np.array_equal(
            first, np.asarray(second), equal_nan=True
        )
    if isinstance(first, dict):
        return (
            isinstance(second, dict) and first.keys() == second.keys() and all(same(first[k], second[k]) for k in first)
        )
    return type(first) is type(second) and first == second


@pytest.mark.parametrize(
    "made", [recording(), recording(sensors=(), pairs=False)], ids=["full", "without sensors and contacts"]
)
def test_file_holds_everything(made: Recording, tmp_path) -> None:
    written = Result(made, system=system(), name="made-up", title="A made-up run", scenario="schema = 1\ntitle = 'ä'\n")
    read = load(written.save(tmp_path / "result.nc"))
    for item in fields(Recording):
        assert same(getattr(written.recording, item.name), getattr(read.recording, item.name)), item.name
    assert written.geometry is not None and read.geometry is not None
    for item in fields(type(written.geometry)):
        assert same(getattr(written.geometry, item.name), getattr(read.geometry, item.name)), item.name
    assert (read.name, read.title, read.scenario) == (written.name, written.title, written.scenario)
    assert read.provenance == written.provenance
    assert read.summary() == written.summary()
    assert [path.name for path in tmp_path.iterdir()] == ["result.nc"]


def test_any_netcdf_tool_reads_the_file(result: Result, tmp_path) -> None:
    path = result.save(tmp_path / "result.nc")
    with xarray.open_dataset(path) as dataset:
        assert dataset["time"].dtype == np.float64
        assert dataset["position"].attrs["units"] == "m"
        assert dataset["position"].sel(body="head", axis="z").sizes == {"pose_time": 151}
        assert {"joint_type", "pair_body", "pair_surface"} <= set(dataset.coords)
        assert {"version_vitruvian", "version_numba", "version_cpu", "scenario", "status"} <= set(dataset.attrs)


def test_saving_again_replaces_the_file_whole(result: Result, tmp_path) -> None:
    path = tmp_path / "result.nc"
    path.write_text("what was there")
    result.save(path)
    assert load(path).name == "made-up"


def test_a_failed_write_leaves_the_old_file(result: Result, tmp_path, monkeypatch) -> None:
    path = result.save(tmp_path / "result.nc")
    before = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OutputError, match="No space left"):
        result.save(path)
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["result.nc"]


def test_what_is_no_result_is_refused(tmp_path) -> None:
    with pytest.raises(InputError, match="there is no file"):
        load(tmp_path / "none.nc")
    text = tmp_path / "text.nc"
    text.write_text("no")
    with pytest.raises(InputError, match="not a NetCDF file"):
        load(text)
    other = tmp_path / "other.nc"
    xarray.Dataset({"a": ("x", np.zeros(3))}).to_netcdf(other, engine="h5netcdf")
    with pytest.raises(InputError, match="not a result of Vitruvian"):
        load(other)
    with h5py.File(tmp_path / "groups.nc", "w") as file:
        file.create_group("a").create_dataset("b", data=np.zeros(3))
    with pytest.raises(InputError, match="not a result of Vitruvian"):
        load(tmp_path / "groups.nc")


def test_a_file_of_a_later_format_is_refused(result: Result, tmp_path) -> None:
    path = result.save(tmp_path / "result.nc")
    with h5py.File(path, "a") as file:
        file.attrs["vitruvian_format"] = 99
    with pytest.raises(InputError, match=r"format 99.*Update"):
        load(path)


# HIC


def test_hic_of_a_constant() -> None:
    """60 g for longer than the window: HIC = window 60^2.5."""
    time = np.arange(1001) * 1e-4
    assert hic(time, np.full(1001, 60.0), 0.015).value == pytest.approx(0.015 * 60.0**2.5, rel=1e-12)
    assert hic(time, np.full(1001, 60.0), 0.036).value == pytest.approx(0.036 * 60.0**2.5, rel=1e-12)


def test_hic_of_a_short_block_takes_the_block() -> None:
    """A block of 5 ms: the window shrinks to it, up to the ramp of one sample at each end."""
    time = np.arange(1001) * 1e-4
    acceleration = np.zeros(1001)
    acceleration[400:451] = 80.0
    found = hic(time, acceleration, 0.015)
    assert found.value == pytest.approx(0.005 * 80.0**2.5, rel=0.02)
    assert found.t2 - found.t1 == pytest.approx(0.005, abs=2.1e-4)


def test_hic_against_every_pair_one_by_one() -> None:
    """Uneven samples: the value of the definition, each pair computed on its own."""
    random = np.random.default_rng(3)
    time = np.cumsum(random.uniform(1e-4, 9e-4, 80))
    acceleration = random.uniform(0.0, 100.0, 80)
    best = 0.0
    for i in range(80):
        for j in range(i + 1, 80):
            span = time[j] - time[i]
            if span <= 0.015:
                best = max(best, span * (np.trapezoid(acceleration[i : j + 1], time[i : j + 1]) / span) ** 2.5)
    assert hic(time, acceleration, 0.015).value == pytest.approx(best, rel=1e-12)


def test_hic_of_components_is_that_of_the_resultant() -> None:
    time = np.arange(200) * 1e-3
    components = np.random.default_rng(5).normal(size=(200, 3))
    assert hic(time, components) == hic(time, np.linalg.norm(components, axis=1))


@pytest.mark.parametrize(
    ("time", "acceleration", "window"),
    [
        ([0.0, 1.0], [1.0], 0.015),
        ([0.0, 0.0], [1.0, 1.0], 0.015),
        ([0.0, 1.0], [1.0, np.nan], 0.015),
        ([0.0, 1.0], [1.0, 1.0], 0.0),
        ([], [], 0.015),
    ],
)
def test_hic_refuses_what_is_no_signal(time: list, acceleration: list, window: float) -> None:
    with pytest.raises(InputError):
        hic(np.array(time), np.array(acceleration), window)


def test_what_is_large_is_short_in_a_notebook():
    made = recording()
    assert repr(made) == "<Recording: finished at 1.5 s, 3 bodies, 151 poses, 1501 sensor samples>"
    assert repr(Result(made, name="sled")) == repr(made).replace("Recording", "Result sled")
    ball = Body("ball", 2.0, np.ones(3), (Ellipsoid((0.1, 0.1, 0.1)),))
    system = System((ball,), (Joint("root", "free", None, "ball"),), (Plane("ground"),))
    assert repr(system) == "<System: 1 bodies, 1 joints, 1 surfaces; 2 kg>"
