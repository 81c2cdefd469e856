"""Tissue under webbing: its law, the front of a segment, and a belted person."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.human import belt_tissues, human
from vitruvian.injury.assessment import of_result
from vitruvian.kernels import integrate
from vitruvian.kernels.layout import strand
from vitruvian.model import Belt, BeltTissue, Configuration, System, Waypoint, yielding
from vitruvian.model.belt_table import lay_belts
from vitruvian.model.compile import compile_system, initial_state, make_work
from vitruvian.model.pose import rotation_matrix, segment_poses
from vitruvian.model.tissue import Tissue
from vitruvian.scenario.occupant import occupant_outcome
from vitruvian.sim.channel import WORK_CLASSES
from vitruvian.view.webbing import boxes

LAW = BeltTissue(Tissue(60e3, 0.12, hardening=0.3, core=850e3, core_depth=0.15, restitution=0.25), 0.02, 5.0)
CHEST = segment_poses(human(preset="50M").system, Configuration())["thorax"][0][2]
PATH = (
    Waypoint(anchor=(-0.2, 0.3, CHEST + 0.2)),
    Waypoint(over="thorax"),
    Waypoint(anchor=(-0.2, -0.3, CHEST - 0.2)),
)


def belted(**more: object) -> System:
    person = human(preset="50M").system
    return person.replace(belts=(Belt("belt", PATH, **more),))  # type: ignore[arg-type]


def test_the_law_is_that_of_the_tissue_and_grows_with_the_rate() -> None:
    law = LAW.resistance
    curve = law.curve[0]
    assert curve is not None
    forces = np.array([10.0, 500.0, 3000.0, 8000.0])
    assert curve.at(LAW.tissue.depth(forces)) == pytest.approx(forces, rel=1e-4)
    assert law.limit_damping[0] * LAW.speed == pytest.approx(LAW.tissue.number)


def test_a_front_changes_neither_mass_nor_centre_of_mass_nor_names() -> None:
    before = belted()
    after = yielding(before, belt_tissues(before))
    (who,) = after.roster.people
    assert "thorax_under_belt" in who.links and "thorax" in who.segments
    assert sum(b.mass for b in after.bodies) == pytest.approx(sum(b.mass for b in before.bodies), rel=1e-12)
    joint = after.joint("thorax_under_belt")
    assert joint.point_parent == joint.point_child == (0.0, 0.0, 0.0)
    assert after.belts[0].path[1].over == "thorax" and after.belts[0].path[1].front == "thorax_under_belt"


def test_belts_may_lie_on_rigid_segments() -> None:
    system = belted(tissue=False)
    assert yielding(system, belt_tissues(system)) is system
    linear = human(preset="50M", body="previous").system.replace(belts=belted().belts)
    assert belt_tissues(linear) == {}


def test_belts_from_both_sides_are_refused() -> None:
    system = belted()
    other = replace(system.belts[0], name="back", path=(PATH[0], replace(PATH[1], side=(-1.0, 0.0, 0.0)), PATH[2]))
    system = system.replace(belts=(*system.belts, other))
    with pytest.raises(InputError, match="opposite sides"):
        yielding(system, {"thorax": LAW})


def test_a_front_without_mass_is_refused() -> None:
    with pytest.raises(InputError, match="accepted between 0 and 1"):
        BeltTissue(LAW.tissue, mass=0.0)


def test_webbing_follows_a_front_that_is_pressed_in() -> None:
    """Pressed in by 20 mm, its path is shorter by less than twice that."""
    system = yielding(belted(), {"thorax": LAW})
    compiled = compile_system(system)
    state, work = initial_state(compiled), make_work(compiled)
    lay_belts(compiled, state, work)
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    whole = work.strand[:2, strand.LENGTH].sum()
    state.now.q[-1] = 0.02
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    assert 0.005 < whole - work.strand[:2, strand.LENGTH].sum() < 0.04


@pytest.mark.needs_jit
def test_a_belted_chest_deflects_and_the_belt_is_drawn_on_the_skin() -> None:
    soft = Scenario.load("sled-frontal-50kmh").run()
    pressed = occupant_outcome(soft).pressed
    assert 0.04 < pressed["thorax"] < 0.10 and 0.01 < pressed["pelvis"] < 0.06
    assert soft.recording.balance_error < 1e-4
    (found,) = [f for f in of_result(soft, only=("chest deflection",)).findings if f.criterion == "chest deflection"]
    assert found.value == pytest.approx(1e3 * pressed["thorax"], rel=0.02)
    ready = Scenario.load("sled-frontal-50kmh").data
    rigid = Scenario({**ready, "belt": [{**ready["belt"][0], "tissue": False}]}, name="rigid").run()
    assert rigid.recording.pressed == {}
    # drawn: the middle of the webbing over the thorax is on or outside the ellipsoid of the thorax
    recording, frame = soft.recording, int(np.argmax(soft.recording.belt_force[:, 2]))
    thorax = recording.bodies.index("thorax")
    system, _ = Scenario.load("sled-frontal-50kmh").build()
    turn = rotation_matrix(recording.orientation[frame, thorax])
    local = (boxes(recording, frame)[:, 3] - recording.position[frame, thorax]) @ turn
    size = np.linalg.norm(local / np.array(system.body("thorax").shapes[0].half_size), axis=1)
    assert size.min() > 0.93


@pytest.mark.needs_jit
def test_a_belt_that_slides_off_is_noted_with_the_segment() -> None:
    """The shoulder belt of adults slides off a child without a booster; the note names the thorax, not its front."""
    run = Scenario.load("sled-frontal-50kmh", {"human.preset": "6YO", "solver.duration": 0.12}).run()
    lifted = [event.body for event in run.recording.events if event.kind == "lift"]
    assert "thorax" in lifted and not any("under_belt" in body for body in lifted)
    assert any("The belt slid off thorax at" in note for note in run.notes)


@pytest.mark.needs_jit
def test_guides_that_slide_on_neighbouring_segments_create_no_energy() -> None:
    """Thorax and abdomen follow each other; sliding both guides on the old path created 2 J in this rebound."""
    ready = Scenario.load("sled-frontal-50kmh").data
    belt = {**ready["belt"][0], "slack": 0.00115, "retractor": {"limit": 4000.0, "film": 0.04}}
    seat = {**ready["seat"][0], "back_angle": "16.77 deg"}
    human = {"age": 15.0, "sex": "male", "percentile": 95.06, "start": {"settle": True}}
    run = Scenario({**ready, "human": human, "seat": [seat], "belt": [belt]}, name="boy").run().recording
    lost = run.work[:, WORK_CLASSES.index("belt_dissipated")]
    assert {"thorax", "abdomen"} <= set(run.pressed)
    assert np.maximum(np.diff(lost), 0.0).sum() < 0.01
