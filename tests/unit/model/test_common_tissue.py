"""Neighbours that share the load, and bones that break."""

from dataclasses import replace

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.human import human
from vitruvian.kernels.layout import history
from vitruvian.lab.verify import tissue_law
from vitruvian.model import Bone, CommonTissue, Configuration, Contact, Joint, Plane, System
from vitruvian.model.compile import compile_system
from vitruvian.scenario import Scenario
from vitruvian.sim import Result, simulate
from vitruvian.sim.audit import faults

PLATE = Plane("plate", contact=Contact(friction=0.5))


def test_common_tissue_counts_once():
    upright = (1.0, 0.0, 0.0, 0.0)
    plane = Plane("floor", contact=Contact(friction=0.0, restitution=1.0))
    system = tissue_law.pressed_pair(plane, 0.4, tissue_law.PELVIS)
    apart = tissue_law.pressed_pair(plane, 0.0, tissue_law.PELVIS)
    places = {"pelvis": (0.0, 0.0, 0.08, *upright), "thigh": (0.3, 0.0, 0.085, *upright)}
    shared, separate = (tissue_law.pressing(one, places)[0][:, 2] for one in (system, apart))
    # 40 % of the tissue of the less loaded segment is given away, and each segment still pushes
    assert shared.sum() == pytest.approx(separate.sum() - 0.4 * separate.min(), rel=0.1)
    assert (shared > 0.0).all() and (shared < separate).all()


def test_shares_above_one_are_refused():
    with pytest.raises(InputError, match=r"share is 1\.5"):
        CommonTissue("hip", "pelvis", "thigh", 1.5)
    system = human(1.75, 77.0).system
    too_much = tuple(CommonTissue(f"{s}_hip", "pelvis", f"{s}_thigh", 0.6) for s in ("left", "right"))
    with pytest.raises(InputError, match=r"shares of body 'pelvis' are 1\.2 in all"):
        system.replace(common_tissues=too_much)
    with pytest.raises(InputError, match="no body 'tigh'"):
        system.replace(common_tissues=(CommonTissue("hip", "pelvis", "tigh", 0.4),))


def test_people_of_a_scenario_keep_their_common_tissue():
    built = Scenario.load("fall-standing-backward", {"human.share_load": True}).build()[0]
    assert len(built.common_tissues) == 8
    assert len(compile_system(built).model.common) == 8
    assert len(compile_system(Scenario.load("fall-standing-backward").build()[0]).model.common) == 0


@pytest.mark.parametrize(
    ("name", "mass", "speed", "words"),
    [("head", 4.5, 8.0, "head: skull fractured"), ("left_hand", 4.0, 4.0, "left hand: radius fractured")],
)
def test_bones_break_with_their_energy_counted(name, mass, speed, words):
    """A head falls on a plate; a hand does with the mass of an arm."""
    person = human(1.75, 77.0, joints="recommended-2", tissue="layered", failure=True)
    body = person.system.body(name)
    system = System((replace(body, mass=mass),), (Joint("root", "free", None, name),), (PLATE,))
    height = body.shapes[0].half_size[2] + 1e-3
    start = Configuration({"root": (0.0, 0.0, height, 1.0, 0.0, 0.0, 0.0)}, {"root": (0.0, 0.0, -speed, 0.0, 0.0, 0.0)})
    run = simulate(system, start, duration=0.02)
    events = [event for event in run.events if event.kind == "fracture"]
    assert [event.body for event in events] == [name]
    assert events[0].value == pytest.approx(body.bone.force, rel=0.02)
    assert abs(run.balance_error) < 1e-3
    note = next(note for note in Result(run, system=system).notes if note.startswith("Failure"))
    assert note.startswith(f"Failure: {words} at") and note.endswith(f"{body.bone.force / 1e3:.1f} kN.")
    sound = replace(body, mass=mass, bone=None)
    whole = simulate(system.replace(bodies=(sound,)), start, duration=0.02)
    assert np.linalg.norm(run.contact_force, axis=-1).max() < np.linalg.norm(whole.contact_force, axis=-1).max()


def test_the_time_of_a_fracture_is_where_the_limit_is_passed():
    """Found by an attack: it was the end of the step, 0.23 ms after a hand of a child had broken at 1.68 ms."""
    body = human(1.75, 77.0, joints="recommended-2", tissue="layered", failure=True).system.body("head")
    system = System((body,), (Joint("root", "free", None, "head"),), (PLATE,))
    height = body.shapes[0].half_size[2] + 1e-3
    start = Configuration({"root": (0.0, 0.0, height, 1.0, 0.0, 0.0, 0.0)}, {"root": (0.0, 0.0, -8.0, 0.0, 0.0, 0.0)})
    times = []
    for step in (2e-4, 1e-6):
        run = simulate(system, start, duration=4e-3, adaptive=False, step=step)
        times += [event.time for event in run.events if event.kind == "fracture"]
    assert times[0] == pytest.approx(times[1], abs=2e-5)


def test_bones_of_people():
    options = {"joints": "recommended-2", "failure": True}
    man, child = human(1.75, 77.0, **options).system, human(age=6, **options).system
    assert child.body("head").bone.force < 0.7 * man.body("head").bone.force
    assert {body.name for body in man.bodies if body.bone} == {
            "head", "thorax", "left_foot", "right_foot", "left_hand", "right_hand"
        }  # fmt: skip
    assert all(body.bone is None for body in human(1.75, 77.0).system.bodies)
    with pytest.raises(InputError, match="within its working range"):
        Bone(force=20.0)
    with pytest.raises(InputError, match="bone least is 0"):
        Bone(force=2000.0, least=0.0)


@pytest.mark.needs_jit
def test_segments_that_share_tissue_are_audited_as_one():
    """A pelvis that took over 24 J from the thighs was said to return more energy than it received."""
    changes = {
        "human.height": 2.02,
        "human.mass": 77.8,
        "human.age": 39,
        "human.share_load": True,
        "surface.0.contact": "trampoline",
    }
    result = Scenario.load("fall-4m", changes).run()
    memory, system = result.recording.final["memory"], Scenario.load("fall-4m", changes).build()[0]
    elastic = memory[[other == "ground" for _, other in result.recording.pairs], history.WORK]
    assert elastic.max() > 10.0 and abs(elastic.sum()) < 1.0
    assert not any("returned more energy" in note for note in result.notes)
    # energy out of nowhere is found as before
    memory[result.recording.pairs.index(("pelvis", "ground")), history.WORK] += 1000.0
    (note,) = faults(result.recording, system.common_tissues)
    assert "returned more energy than they received: abdomen, " in note and "pelvis" in note
