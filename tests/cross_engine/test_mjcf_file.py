"""The file for MuJoCo: it loads, stands where the result stood, and flies as the result flew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import vitruvian
from vitruvian.errors import InputError
from vitruvian.export import mjcf_file
from vitruvian.human import human
from vitruvian.lab import example_system
from vitruvian.model import Contact, Plane, Superellipsoid, System
from vitruvian.scenario import Scenario
from vitruvian.sim.result import Result

mujoco = pytest.importorskip("mujoco")
pytestmark = pytest.mark.needs_jit


def flight(system: System, seed: int, duration: float = 0.2, speed: float = 3.0) -> Result:
    start = example_system.random_configuration(system, np.random.default_rng(seed), speed)
    return Result(vitruvian.simulate(system, start, duration=duration, tolerance=1e-8), system=system, name="flight")


def reset(model, key: str):
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key(key).id)
    mujoco.mj_forward(model, data)
    return data


def worst(model, data, result: Result, sample: int) -> tuple[float, float]:
    """Largest difference of places [m] and velocities [m/s, rad/s]."""
    recording, velocity = result.recording, np.zeros(6)
    place = speed = 0.0
    for at, name in enumerate(recording.bodies):
        row = model.body(name).id
        place = max(place, abs(data.xipos[row] - recording.position[sample, at]).max())
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, row, velocity, 0)
        speed = max(speed, abs(velocity[:3] - recording.angular_velocity[sample, at]).max())
        speed = max(speed, abs(velocity[3:] - recording.velocity[sample, at]).max())
    return place, speed


def bare(system: System) -> System:
    """Without what resists."""
    return system.replace(joints=tuple(replace(joint, resistance=None) for joint in system.joints), surfaces=())


def test_a_person_flies_as_here(tmp_path: Path) -> None:
    system = bare(human(1.75, 75.0, body="previous").system)
    result = flight(system, seed=3)
    path, notes = mjcf_file.write(result, system, tmp_path / "flight.xml", step=1e-4)
    assert not [note for note in notes if not note.startswith("contact")]
    model = mujoco.MjModel.from_xml_path(str(path))
    assert model.ngeom == 17  # ellipsoids to look at
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    data = reset(model, "start")
    assert max(worst(model, data, result, 0)) < 1e-9
    mujoco.mj_step(model, data, nstep=2000)
    mujoco.mj_forward(model, data)
    assert data.time == pytest.approx(0.2)
    moved = abs(result.recording.position[-1] - result.recording.position[0]).max()
    assert worst(model, data, result, -1)[0] < 1e-5 * moved
    assert worst(model, reset(model, "end"), result, -1)[0] < 1e-9


def test_states_of_every_joint_type(tmp_path: Path) -> None:
    system = example_system.every_joint()
    result = flight(system, seed=5, duration=0.02)
    text, _ = mjcf_file.document(result, system, contact=False)
    model = mujoco.MjModel.from_xml_string(text)
    for key, sample in (("start", 0), ("end", -1)):
        place, speed = worst(model, reset(model, key), result, sample)
        assert place < 1e-8 and speed < 1e-8


@pytest.mark.parametrize("name", ["struck-by-front", "fall-stairs", "fall-4m", "pendulum-limit-20"])
def test_ready_scenarios_load(name: str, tmp_path: Path) -> None:
    """With surfaces of faces, a driven vehicle, ranges of joints, a hinge."""
    scenario = Scenario.load(name, {"solver.duration": 0.02})
    result, system = scenario.run(), scenario.build()[0]
    path, notes = mjcf_file.write(result, system, tmp_path / "model.xml")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = reset(model, "end")
    assert max(worst(model, data, result, -1)) < 1e-8
    assert data.time == pytest.approx(result.recording.pose_time[-1])
    limited = {model.joint(n).name for n in range(model.njnt) if model.jnt_limited[n]}
    if name != "pendulum-limit-20":
        assert {"left_knee", "upper_neck"} <= limited
        low, high = model.joint("left_knee").range
        assert low == 0.0 and 1.0 < high < np.pi
    if name == "struck-by-front":
        assert any("prescribed motion of vehicle_rail" in note for note in notes)
        assert model.nmesh == 1
    mujoco.mj_step(model, data, nstep=10)
    assert np.isfinite(data.qpos).all()


def test_a_person_lands_on_the_plane(tmp_path: Path) -> None:
    """Contact in MuJoCo's way: the person of the file comes to lie on the ground and does not sink through."""
    scenario = Scenario.load("fall-1cm", {"solver.duration": 0.05})
    path, _ = mjcf_file.write(scenario.run(), scenario.build()[0], tmp_path / "model.xml")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = reset(model, "start")
    mujoco.mj_step(model, data, nstep=3000)
    assert 0.0 < data.xipos[1:, 2].min() < 0.15 and data.xipos[1:, 2].max() < 1.2
    assert data.ncon > 0


def test_what_is_left_out_is_said_in_the_file() -> None:
    system = bare(human(1.75, 75.0).system)
    bodies = list(system.bodies)
    bodies[0] = replace(bodies[0], shapes=(Superellipsoid((0.1, 0.1, 0.2), (4.0, 4.0)),))
    system = system.replace(
        bodies=tuple(bodies), surfaces=(Plane("cart", (0.0, 0.0, -9.0), carrier="head", contact=Contact(1e5)),)
    )
    result = flight(system, seed=1, duration=0.01, speed=0.1)
    text, notes = mjcf_file.document(result, system)
    assert any(note.startswith(f"superellipsoids of {bodies[0].name}") for note in notes)
    assert any(note.startswith("contact with cart") for note in notes)
    assert all(note.replace("'", "&apos;") in text or note in text for note in notes)
    mujoco.MjModel.from_xml_string(text)


def test_another_system_is_refused() -> None:
    system = bare(human(1.75, 75.0).system)
    result = flight(system, seed=1, duration=0.01)
    with pytest.raises(InputError, match="bodies of the system are not those of the result"):
        mjcf_file.document(result, example_system.every_joint())
