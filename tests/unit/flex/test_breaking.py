"""Long bones that lose their resistance, the choice of their modes, and mass that is gathered round its centre."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.flex import bone, truncation
from vitruvian.lab.verify import check
from vitruvian.model.body import Tube
from vitruvian.model.mode_choice import limit, read_modes
from vitruvian.scenario import Scenario
from vitruvian.sim.channel import WORK_CLASSES
from vitruvian.sim.simulate import simulate
from vitruvian.study.bone_modes import bone_modes
from vitruvian.view.bone_strain import stations

SCENE = "tibia-three-point-bending"


@pytest.fixture(scope="module")
def pressed():
    system, start = Scenario.load(SCENE).build()
    return system, start, simulate(system, start, duration=0.1, rate=2000.0, pose_rate=2000.0)


def test_a_broken_bone_is_a_hinge_and_its_energy_is_counted(pressed):
    system, _, run = pressed
    broken = next(event for event in run.events if event.kind == "fracture")
    force = np.linalg.norm(run.contact_force[:, 0], axis=1)
    after = run.pose_time > broken.time + 0.005
    assert np.median(force[after]) == 0.0 and force[after].mean() < 0.01 * force.max()
    lost = run.work[:, WORK_CLASSES.index("mode_dissipated")] + run.work[:, WORK_CLASSES.index("joint_dissipated")]
    assert -lost[-1] > 5.0  # [J]
    assert run.balance_error < 1e-5
    assert (broken.body, broken.value) == ("tibia", pytest.approx(system.body("tibia").tube.failure, rel=0.02))


def test_a_bone_without_a_fall_stays_whole(pressed):
    scene = Scenario.load(SCENE)
    tibia = next(body for body in scene.data["body"] if body["name"] == "tibia")
    del tibia["tube"]["fall"]
    system, start = Scenario(scene.data, name="whole").build()
    run = simulate(system, start, duration=0.1, rate=2000.0, pose_rate=2000.0)
    assert [event.kind for event in run.events if event.kind == "fracture"] == ["fracture"]
    assert np.linalg.norm(run.contact_force[-1, 0]) > 3000.0
    assert pressed[2].contact_force[-1, 0, 0] ** 2 < 0.01 * run.contact_force[-1, 0, 0] ** 2


def test_a_resumed_run_remembers_the_fracture(pressed):
    """Until the pieces strike the ram again, which makes the motion sensitive."""
    system, start, _ = pressed
    whole = simulate(system, start, duration=0.082, rate=2000.0, pose_rate=2000.0)
    first = simulate(system, start, duration=0.079, rate=2000.0, pose_rate=2000.0)
    second = simulate(system, duration=0.003, resume=first.final, rate=2000.0, pose_rate=2000.0)
    assert abs(second.position[-1] - whole.position[-1]).max() < 1e-5
    assert second.final["sound"].max() < 1e-3


@pytest.mark.parametrize("value", [0, 31, True, 2.5, [], [1, 1], [0], "5", "-1 %", "120 %", "3 m", None])
def test_modes_that_make_no_sense_are_refused(value):
    with pytest.raises(InputError, match="accepted: a number from 1 to 30"):
        read_modes(value, "human.modes")


def test_a_body_that_bends_beyond_its_modes_is_reported():
    scene = Scenario.load(SCENE)
    tibia = next(body for body in scene.data["body"] if body["name"] == "tibia")
    tibia["tube"] |= {"young": "0.1 GPa", "fall": inf}
    scene.data["joint"][2]["motion"][0]["values"] = [0, -120]
    result = Scenario(scene.data, name="soft").run()
    assert any("ends moved apart by more than 5 %: tibia" in note for note in result.notes)


def test_modes_by_number_frequency_and_error():
    assert limit("2 kHz") == ("frequency", 2000.0) and limit("1 %") == ("error", 0.01)
    shaft = bone.Shaft(Tube(0.0126, 0.0071), np.array([0.0, 0.0, 0.2]), np.array([0.0, 0.0, -0.2]))
    beam = bone.shaft_beam(shaft, 0.26, np.diag([0.00348, 0.00348, 3e-5]))
    assert bone.chosen(beam, 6).count == 6 and bone.chosen(beam, (2, 5)).count == 2
    assert bone.chosen(beam, "1.3 kHz").frequency.max() < 1300.0
    for part in (0.05, 0.01, 0.004):
        modes = bone.chosen(beam, f"{100 * part} %")
        fewer = modes.only(slice(modes.count - 1))
        load = bone.middle_load(beam)
        assert truncation(beam, modes, load).energy <= part < truncation(beam, fewer, load).energy
    with pytest.raises(InputError, match="no mode of the bone is below"):
        bone.chosen(beam, "5 Hz")


def test_modes_are_reported_drawn_and_switched(tmp_path):
    from vitruvian.view.mode_page import write_mode_page

    scene = Scenario.load(SCENE)
    whole, part = bone_modes(scene, modes=6), bone_modes(scene, modes=6, without=(3,))
    row = whole.rows[2]
    assert row.on and row.change == pytest.approx(part.energy - whole.energy)
    assert not part.rows[2].on and part.rows[2].change == pytest.approx(-row.change)
    assert {row.kind for row in whole.rows} >= {"torsion", "stretch", "bending across y", "bending across z"}
    files = write_mode_page(whole, tmp_path)
    assert len(files) == 1 + len(whole.rows) and all(file.stat().st_size > 1000 for file in files)
    assert files[0].read_text(encoding="utf-8").count("data:image/png") == len(whole.rows)
    with pytest.raises(InputError, match="cannot be switched off"):
        bone_modes(scene, modes=6, without=(9,))
    with pytest.raises(InputError, match="leave at least one on"):
        bone_modes(scene, modes=1, without=(1,))
    with pytest.raises(InputError, match="those that do: tibia"):
        bone_modes(scene, "femur")
    with pytest.raises(InputError, match="no bone of this scenario bends"):
        bone_modes(Scenario.load("fall-4m"))


def test_the_load_of_a_run_balances_the_bending_moment():
    found = bone_modes(Scenario.load(SCENE, {"solver.duration": "60 ms"}), run=True)
    beam, load = found.structure, bone.middle_load(bone.shaft_beam(
        bone.Shaft(Tube(0.0126, 0.0071), np.array([0.0, 0.0, 0.2]), np.array([0.0, 0.0, -0.2])),
        0.26, np.diag([0.00348, 0.00348, 3e-5]),
    ))  # fmt: skip
    assert "bending moment" in found.load and load.size == beam.size
    assert found.energy < 0.001  # the half of a bone that may break is loaded at its ends


def test_mass_near_its_centre_keeps_its_moments():
    shaft = bone.Shaft(Tube(0.01), np.array([0.0, 0.0, 0.12]), np.array([0.0, 0.0, -0.14]))
    inertia = np.diag([0.0026, 0.0026, 0.0004])
    masses, points = bone._lumps(shaft, 1.2, inertia)
    assert masses.min() > 0.0 and masses.sum() == pytest.approx(1.2)
    assert abs(masses @ points).max() < 1e-14
    with pytest.raises(InputError, match="cannot spread its mass"):
        bone._lumps(shaft, 1.2, np.diag([3e-5, 3e-5, 1e-5]))


def test_all_long_bones_of_a_person_bend():
    system, _ = Scenario.load("fall-4m", {"human.flexible": ["thigh", "shank", "upper_arm", "forearm"]}).build()
    assert sum(body.bend is not None for body in system.bodies) == 8


def test_the_strain_of_a_person_is_drawn_along_the_bone():
    result = Scenario.load("fall-4m", {"human.flexible": ["left_shank"], "solver.duration": 0.01}).run()
    own, share = stations(result.recording, result.geometry, "left_shank")
    assert len(own) == bone.STATIONS and 0.0 < share.min() < share.max() <= 1.0


def test_a_fall_without_a_moment_is_refused():
    with pytest.raises(InputError, match="tube: fall needs the bending moment"):
        Tube(0.01, fall=0.1)


def test_claim_of_three_point_bending():
    assert all(row.passed for row in check("flex-engine-three-point"))
