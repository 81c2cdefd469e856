"""Flexible bodies of the engine: bones of people, refusals, and the laboratory's rigid limit."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.flex import Interface, bone, eigenmodes, flexible
from vitruvian.lab.verify import check
from vitruvian.lab.verify.flexible_motion import rod
from vitruvian.model import Body, Joint, System
from vitruvian.model.compile import compile_system
from vitruvian.scenario import Scenario


@pytest.fixture(scope="module")
def scenes():
    rigid, _ = Scenario.load("fall-4m").build()
    bent, _ = Scenario.load("fall-4m", {"human.flexible": ["left_shank", "thigh"]}).build()
    return rigid, bent


def test_stations_keep_mass_centre_and_inertia_of_the_segment(scenes):
    rigid, bent = scenes
    places = {joint.child: np.array(joint.point_parent) for joint in bent.joints}
    for name in ("left_shank", "left_thigh", "right_thigh"):
        own = [body for body in bent.bodies if body.name.startswith(f"{name}.")]
        inertia = sum(
            b.inertia
            + b.mass * (places[b.name] @ places[b.name] * np.eye(3) - np.outer(places[b.name], places[b.name]))
            for b in own
        )
        whole = rigid.body(name)
        assert sum(b.mass for b in own) == pytest.approx(whole.mass, rel=1e-12)
        assert abs(sum(b.mass * places[b.name] for b in own)).max() < 1e-12
        assert inertia == pytest.approx(whole.inertia, abs=1e-12)
    assert bent.mass == pytest.approx(rigid.mass, rel=1e-12)


def test_tables_are_empty_without_flexible_bodies(scenes):
    rigid, bent = (compile_system(scene, rest=False) for scene in scenes)
    assert rigid.model.station.size == rigid.model.flexible.size == rigid.model.mode_stiffness.size == 0
    assert bent.n_q - rigid.n_q == bent.n_v - rigid.n_v == 3 * 6
    assert len(bent.model.flexible) == 3 and bent.pairs == rigid.pairs


def test_radau_rule_is_exact_to_its_degree():
    nodes, weights = bone.radau(5)
    assert nodes[-1] == 1.0
    for degree in range(9):
        assert weights @ nodes**degree == pytest.approx(1.0 / (degree + 1), rel=1e-12)


def test_unknown_bones_and_loose_joints_are_refused():
    with pytest.raises(InputError, match="accepted: thigh"):
        Scenario.load("fall-4m", {"human.flexible": ["rib"]})
    structure = rod(count=2)
    system = System((Body("rod", 1.0, np.ones(3)),), (Joint("top", "revolute", None, "rod"),))
    with pytest.raises(InputError, match="leave still"):
        flexible(system, "rod", structure, eigenmodes(structure, count=2), interfaces={})
    hanging = system.replace(
        bodies=(*system.bodies, Body("end", 1.0, np.ones(3))),
        joints=(*system.joints, Joint("low", "revolute", "rod", "end", (1.0, 0.1, 0.0))),
    )
    modes = eigenmodes(structure, count=2, reference="cantilever")
    with pytest.raises(InputError, match="every joint needs a node"):
        flexible(hanging, "rod", structure, modes, interfaces={"tip": Interface(2)})


@pytest.mark.parametrize("claim", ["flex-engine-static", "flex-engine-rigid"])
def test_claims_of_the_engine(claim):
    assert all(row.passed for row in check(claim))
