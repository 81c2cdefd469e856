"""Closed loops in the engine: joints, redundancy, refusals, release, files and scenarios."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from vitruvian import Result
from vitruvian.errors import InputError
from vitruvian.kernels import layout
from vitruvian.lab.verify import engine_loop, loop_mechanism, resisting_loop
from vitruvian.model import (
    Body,
    BodyContact,
    Configuration,
    Contact,
    Ellipsoid,
    Joint,
    Loop,
    Release,
    System,
    Table,
    frame_with_z,
)
from vitruvian.model.compile import compile_system, initial_state, make_work
from vitruvian.model.loop import EQUATIONS, close_loops
from vitruvian.scenario import Scenario
from vitruvian.sim.join import join
from vitruvian.sim.simulate import simulate

ABOUT_Y = frame_with_z((0.0, 1.0, 0.0))
FOUR_BAR = """
schema = 1
[[body]]
name = "left"
mass = 1
inertia = [0.08, 0.08, 0.001]
[[body]]
name = "right"
mass = 1
inertia = [0.08, 0.08, 0.001]
[[body]]
name = "coupler"
mass = 3
inertia = [0.01, 1, 1]
[[joint]]
name = "a"
type = "revolute"
child = "left"
point_child = ["0 m", "0 m", "50 cm"]
axis = [0, 1, 0]
start = { coordinates = "60 deg" }
[[joint]]
name = "b"
type = "revolute"
child = "right"
point_parent = [2, 0, 0]
point_child = [0, 0, 0.5]
axis = [0, 1, 0]
start = { coordinates = "60 deg" }
[[joint]]
name = "c"
type = "revolute"
parent = "left"
child = "coupler"
point_parent = [0, 0, -0.5]
point_child = [-1, 0, 0]
axis = [0, 1, 0]
start = { coordinates = "-60 deg" }
[[loop]]
name = "d"
type = "revolute"
parent = "right"
child = "coupler"
point_parent = [0, 0, -0.5]
point_child = [1, 0, 0]
axis = [0, 1, 0]
release = { time = "3 ms" }
[solver]
duration = "6 ms"
"""


@pytest.mark.parametrize("kind", EQUATIONS)
def test_a_loop_is_the_joint_of_a_tree(kind: str) -> None:
    tree, start, tied, free = engine_loop.as_tree(kind)
    one, other = engine_loop.run(tree, start, 0.005, 1e-3), engine_loop.run(tied, free, 0.005, 1e-3)
    np.testing.assert_allclose(other.position, one.position, atol=1e-10)
    np.testing.assert_allclose(other.loop_force[1::2], one.joint_force[1::2], atol=1e-6)
    np.testing.assert_allclose(other.loop_moment[1::2], one.joint_moment[1::2], atol=1e-6)
    assert sum(map(len, EQUATIONS[kind])) == 6 - tree.joints[0].dof


def test_reactions_are_the_multipliers() -> None:
    assert not [row for row in engine_loop.multipliers() if row.failed]


@pytest.mark.parametrize(("method", "left"), [("rk4", 1e-11), ("dormand-prince", 1e-11), ("semi-implicit-euler", 1e-8)])
def test_every_method_holds_the_loop(method: str, left: float) -> None:
    """One projection leaves the square of the violation of a step, which is large for a first-order method."""
    system, start = loop_mechanism.slider_crank()
    run = simulate(system, start, duration=0.01, adaptive=False, step=1e-3, method=method, rate=1000.0)
    tip = run.position[:, 1, 1] + np.sin(run.joint_rotation[:, 0, 0] + run.joint_rotation[:, 1, 0]) * 0.25
    np.testing.assert_allclose(tip, 0.0, atol=left)


def test_redundant_equations_are_named() -> None:
    system, start = loop_mechanism.parallelogram()
    compiled = compile_system(system)
    found = close_loops(compiled, initial_state(compiled, start), make_work(compiled))
    assert set(found.redundant[0].removeprefix("d: ").split(", ")) == {"force z", "moment x", "moment y"}
    assert found.undetermined == found.redundant
    run = simulate(system, start, duration=0.002, adaptive=False, step=1e-3)
    assert "d: force z" in run.message
    bricard = loop_mechanism.bricard()
    compiled = compile_system(bricard)
    found = close_loops(compiled, initial_state(compiled), make_work(compiled))
    assert len(found.redundant) == 1 and "," not in found.redundant[0]  # five equations for four freedoms
    assert found.undetermined != found.redundant


def test_a_start_is_closed_and_its_rates_with_it() -> None:
    system, start = loop_mechanism.slider_crank()
    off = start.replace({"rail": (0.002,)}, {"pin": (-20.0,)})
    run = simulate(system, off, duration=0.002, adaptive=False, step=1e-3)
    assert "'wrist' by 2 mm" in run.message
    ends = run.position[0, 1] + 0.25 * np.array([np.cos(run.joint_rotation[0, 1, 0]), 0.0, 0.0])
    np.testing.assert_allclose(run.position[0, 2, 1], ends[1], atol=1e-6)
    assert run.balance_error < 1e-4


def test_a_loop_that_cannot_close_is_refused_with_its_gap() -> None:
    rod = Body("rod", 1.0, np.array([0.1, 0.1, 0.01]))
    hinge = Joint("hinge", "revolute", None, "rod", (0.0, 0.0, 0.0), (0.0, 0.0, 0.5), ABOUT_Y, ABOUT_Y)
    far = Loop("bar", "spherical", None, "rod", (0.0, 0.0, -1.1), (0.0, 0.0, -0.5))
    with pytest.raises(InputError, match=r"loop 'bar' cannot be closed: 'rod' and the world stay apart by 100 mm"):
        simulate(System((rod,), (hinge,), loops=(far,)), duration=0.01)
    near = Loop("bar", "spherical", None, "rod", (0.0, 0.0, -1.0), (0.0, 0.0, -0.5))
    run = simulate(System((rod,), (hinge,), loops=(near,)), duration=0.01)
    np.testing.assert_allclose(run.position[-1, 0], (0.0, 0.0, -0.5), atol=1e-12)


@pytest.mark.parametrize("limit", [{"force": 20.0}, {"time": 0.0035}, {"moment": 1e-3}])
def test_release(limit: dict[str, float]) -> None:
    """A spinning pair of bodies parts: momentum stays, and the reaction ends."""
    ball = np.array([0.02, 0.03, 0.04])
    bodies = (Body("one", 1.0, ball), Body("two", 2.0, 1.5 * ball[::-1]))
    joints = (Joint("p", "free", None, "one"), Joint("q", "free", None, "two"))
    kind = "rigid" if "moment" in limit else "spherical"
    tie = Loop("tie", kind, "one", "two", (0.5, 0.0, 0.0), (-0.5, 0.0, 0.0), release=Release(**limit))
    system = System(bodies, joints, gravity=(0.0, 0.0, 0.0), loops=(tie,))
    spin = (0.5, 1.0, 10.0)
    start = Configuration(
        {"q": (1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)}, {"p": (0.0, -4.0, 0.0, *spin), "q": (0.0, 6.0, -1.0, *spin)}
    )
    run = engine_loop.run(system, start, 0.006, 1e-3)
    (event,) = run.events
    assert (event.kind, event.body, event.surface) == ("release", "two", "tie")
    assert event.time == pytest.approx(limit.get("time", 1e-3))
    after = run.pose_time > event.time + 1e-3
    assert abs(run.loop_force[run.pose_time < event.time]).max() > 20.0 and not run.loop_force[after].any()
    momentum = run.velocity[:, 0] + 2.0 * run.velocity[:, 1]
    np.testing.assert_allclose(momentum, momentum[:1].repeat(len(momentum), 0), atol=1e-12)
    np.testing.assert_allclose(run.kinetic[::2], run.kinetic[0], rtol=1e-7)


def test_a_run_with_loops_goes_on_and_is_saved(tmp_path: Path) -> None:
    system, start = loop_mechanism.slider_crank()
    options = {"adaptive": False, "step": 1e-3, "rate": 1000.0}
    whole = simulate(system, start, duration=0.006, **options)
    first = simulate(system, start, duration=0.003, **options)
    both = join(first, simulate(system, duration=0.003, resume=first.final, **options))
    np.testing.assert_array_equal(both.position, whole.position)
    Result(whole, system=system, name="loop").save(tmp_path / "result.nc")
    again = Result.load(tmp_path / "result.nc")
    np.testing.assert_array_equal(again["wrist.loop_force"].values, whole.loop_force[:, 0])
    assert again["loop_power"].dims == ("pose_time", "loop")
    with h5py.File(tmp_path / "result.nc", "a") as file:
        del file["loop_moment"]
    with pytest.raises(InputError, match="the channel loop_moment is missing"):
        Result.load(tmp_path / "result.nc")


def test_a_loop_in_a_scenario() -> None:
    run = Scenario.from_toml(FOUR_BAR).run(check=False)
    assert [event.kind for event in run.recording.events] == ["release"]
    system, _ = Scenario.from_toml(FOUR_BAR).build()
    assert system.loops[0].release.time == pytest.approx(0.003)
    with pytest.raises(InputError, match="must be greater than 0"):
        Scenario.from_toml(FOUR_BAR.replace('"3 ms"', "-1"))
    with pytest.raises(InputError, match="free"):
        Scenario.from_toml(FOUR_BAR.replace('name = "d"\ntype = "revolute"', 'name = "d"\ntype = "free"'))


def test_a_loop_on_a_driven_body_loads_its_drive() -> None:
    """A bob on a rail that is driven: hinged in the tree, and free and tied by a loop."""
    along_x = frame_with_z((1.0, 0.0, 0.0))
    motion = (Table((0.0, 0.05), (40.0, -20.0), "acceleration"),)
    rail = Joint("rail", "prismatic", None, "support", frame_parent=along_x, frame_child=along_x, motion=motion)
    hinge = {"point_child": (0.0, 0.0, 1.0), "frame_parent": ABOUT_Y, "frame_child": ABOUT_Y}
    bodies = (Body("support", 1.0, np.ones(3)), Body("bob", 2.0, np.array([0.1, 0.2, 0.3])))
    tree = System(bodies, (rail, Joint("hinge", "revolute", "support", "bob", **hinge)))
    tied = System(
        bodies, (rail, Joint("free", "free", None, "bob")), loops=(Loop("tie", "revolute", "support", "bob", **hinge),)
    )
    start = Configuration({"free": (0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0)})
    one, other = engine_loop.run(tree, None, 0.02, 1e-3), engine_loop.run(tied, start, 0.02, 1e-3)
    np.testing.assert_allclose(other.position, one.position, atol=1e-9)
    np.testing.assert_allclose(other.loop_force[1::2, 0], one.joint_force[1::2, 1], atol=1e-5)
    np.testing.assert_allclose(other.joint_force[1::2, 0], one.joint_force[1::2, 0], atol=1e-5)
    assert abs(other.work[-1, layout.work_class.PRESCRIBED]) > 0.1 and other.balance_error < 1e-6


def test_a_loop_and_a_contact_between_the_same_bodies() -> None:
    """Two bodies on one rail are pressed together: the coupled contact and the loop are solved together."""
    axes = (0.1, 0.1, 0.1)
    inertia = np.array([0.004, 0.004, 0.004])
    bodies = tuple(Body(name, 1.0, inertia, (Ellipsoid(axes, stiffness=2e4),)) for name in ("one", "two"))
    along_x = frame_with_z((1.0, 0.0, 0.0))
    rail = {"frame_parent": along_x, "frame_child": along_x}
    contacts = (BodyContact("touch", ("one",), ("two",), Contact()),)
    roots = (Joint("p", "free", None, "one"), Joint("q", "free", None, "two"))
    free = System(bodies, roots, contacts=contacts, gravity=(0.0, 0.0, 0.0))
    tied = free.replace(loops=(Loop("rail", "prismatic", "one", "two", **rail),))
    turn = (1.0, 0.0, 0.0, 0.0)
    head_on = {"q": (-1.0, 0.0, 0.0, 0.0, 0.0, 0.0)}
    start = Configuration({"q": (0.2, 0.0, 0.0, *turn)}, head_on)
    one, other = engine_loop.run(free, start, 0.01, 5e-4), engine_loop.run(tied, start, 0.01, 5e-4)
    np.testing.assert_allclose(other.position, one.position, atol=1e-12)  # the rail only guides
    assert abs(one.contact_force).max() > 50.0
    off = Configuration({"q": (0.2, 0.0, 0.0, *turn)}, {"q": (-1.0, 0.5, 0.0, 0.0, 0.0, 2.0)})
    run = engine_loop.run(tied, off, 0.01, 5e-4)
    momentum = run.velocity.sum(axis=1)
    np.testing.assert_allclose(momentum, momentum[:1].repeat(len(momentum), 0), atol=1e-9)
    across = run.position[:, 1] - run.position[:, 0]
    assert abs(run.orientation[::2, 0] - run.orientation[::2, 1]).max() < 1e-9 and abs(across[:, 1]).max() > 1e-3


def test_loops_alone_and_with_a_contact_that_couples_branches_move_alike() -> None:
    """A contact without stiffness leads to the larger system, in which loops have columns of their own."""
    system, start = engine_loop.tied_pendulums()
    balls = tuple(replace(body, shapes=(Ellipsoid((2.0, 2.0, 2.0), stiffness=1e-9),)) for body in system.bodies)
    contact = BodyContact("touch", ("left",), ("right",), Contact(restitution=1.0))
    coupled = system.replace(bodies=balls, contacts=(contact,))
    one, other = (engine_loop.run(each, start, 0.02, 5e-4) for each in (system, coupled))
    assert abs(other.contact_force).max() > 0.0
    np.testing.assert_allclose(other.position, one.position, atol=1e-10)
    np.testing.assert_allclose(other.loop_force, one.loop_force, atol=1e-6)


def test_a_loop_that_ties_a_body_to_itself_is_refused() -> None:
    rod = Body("rod", 1.0, np.array([0.1, 0.1, 0.01]))
    with pytest.raises(InputError, match="loop 'bar' ties 'rod' to itself"):
        System((rod,), (Joint("free", "free", None, "rod"),), loops=(Loop("bar", "spherical", "rod", "rod"),))


SWING = """
schema = 1
gravity = [0, 0, "-9.81 m/s^2"]
[[body]]
name = "left"
mass = "1 kg"
inertia = [0.02, 0.02, 0.02]
[[body]]
name = "right"
mass = "1 kg"
inertia = [0.02, 0.02, 0.02]
[[joint]]
name = "one"
type = "spherical"
child = "left"
point_child = [0, "-0.2 m", 0]
[[joint]]
name = "two"
type = "spherical"
child = "right"
point_parent = [0, "0.8 m", 0]
point_child = [0, "0.2 m", 0]
[[loop]]
name = "tie"
type = "TYPE"
parent = "left"
child = "right"
point_parent = [0, "0.2 m", 0]
point_child = [0, "-0.2 m", 0]
release = { time = "0.1 s" }
resistance = { damping = DAMPING }
[solver]
duration = "0.2 s"
"""


def test_a_loop_in_a_scenario_resists_until_it_opens() -> None:
    text = SWING.replace("TYPE", "spherical").replace("DAMPING", "[0.5, 0.5, 0.5]")
    run = Scenario.from_toml(text).run().recording
    lost = run.joint_loss[:, run.joints.index("tie_joint")]
    opened = [event.time for event in run.events if event.kind == "release"]
    assert opened == [pytest.approx(0.1)]
    assert run.balance_error < 1e-5
    # afterwards only the small share of the body that stays on the joint loses energy
    assert lost[run.pose_time <= 0.1][-1] == pytest.approx(float(lost.max()), rel=0.02)
    with pytest.raises(InputError, match="resists nothing"):
        Scenario.from_toml(SWING.replace("TYPE", "rigid").replace("DAMPING", "[]"))


def test_a_loop_that_resists_moves_as_the_same_joint_of_a_tree() -> None:
    assert all(check.passed for check in resisting_loop.resistance())
