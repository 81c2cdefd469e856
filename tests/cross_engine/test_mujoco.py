"""Stage by stage the same as MuJoCo: poses, velocities, accelerations; then the export itself."""

from xml.etree import ElementTree

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.export.mjcf import mjcf
from vitruvian.human import human
from vitruvian.lab import example_system
from vitruvian.lab.bench import peers
from vitruvian.lab.verify import cross_engine
from vitruvian.model.compile import compile_system

pytestmark = pytest.mark.needs_jit

SYSTEMS = cross_engine.systems()


@pytest.fixture(params=SYSTEMS)
def system(request):
    pytest.importorskip("mujoco")
    return SYSTEMS[request.param]


def test_poses_and_velocities(system):
    theirs, compiled, rng = peers.Mujoco(system), compile_system(system), np.random.default_rng(1)
    for _ in range(10):
        start = example_system.random_configuration(system, rng)
        ours = example_system.evaluate(compiled, start)
        theirs.place(start)
        np.testing.assert_allclose(ours.position, theirs.positions(), rtol=0, atol=1e-12)
        np.testing.assert_allclose(ours.rotation, theirs.rotations(), rtol=0, atol=1e-12)
        velocity = np.zeros(6)
        for i, row in enumerate(theirs.rows):
            kind = theirs.mujoco.mjtObj.mjOBJ_BODY
            theirs.mujoco.mj_objectVelocity(theirs.model, theirs.data, kind, row, velocity, 0)
            np.testing.assert_allclose(ours.spin[i], velocity[:3], rtol=0, atol=1e-11)
            np.testing.assert_allclose(ours.velocity[i], velocity[3:], rtol=0, atol=1e-11)


def test_accelerations(system):
    theirs, compiled, rng = peers.Mujoco(system), compile_system(system), np.random.default_rng(2)
    for _ in range(20):
        start = example_system.random_configuration(system, rng)
        theirs.place(start)
        assert peers.difference(example_system.evaluate(compiled, start), theirs.accelerations()) < 1e-9


def test_kinetic_energy(system):
    theirs, compiled, rng = peers.Mujoco(system), compile_system(system), np.random.default_rng(3)
    for _ in range(5):
        start = example_system.random_configuration(system, rng)
        theirs.place(start)
        theirs.mujoco.mj_energyVel(theirs.model, theirs.data)
        found = example_system.evaluate(compiled, start)
        energy = 0.0
        for i, name in enumerate(compiled.bodies):
            body = system.body(name)
            local = found.rotation[i].T @ found.spin[i]
            energy += 0.5 * body.mass * found.velocity[i] @ found.velocity[i] + 0.5 * local @ body.inertia @ local
        assert energy == pytest.approx(theirs.data.energy[1], rel=1e-10)


def test_pinocchio_accelerations():
    pytest.importorskip("pinocchio")
    for row in cross_engine.pinocchio():
        assert row.passed, row


def test_export_holds_every_body_with_its_mass():
    person = human(1.7, 70.0, body="previous").system  # MuJoCo knows no torque curves
    root = ElementTree.fromstring(mjcf(person, contact=True, resistance=True))
    masses = {body.get("name"): float(body.find("inertial").get("mass")) for body in root.iter("body")}
    assert masses == {body.name: body.mass for body in person.bodies}
    assert len(list(root.iter("geom"))) == 17
    assert len(list(root.iter("joint"))) == 16 + 1  # and the defaults


def test_export_refuses_what_has_no_counterpart():
    with pytest.raises(InputError, match="springs have no counterpart"):
        mjcf(example_system.loaded(example_system.every_joint()))
