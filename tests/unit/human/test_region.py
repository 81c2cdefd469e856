"""Regions of a segment: heel and forefoot, chest, back and flanks, vault and face. They keep a potential together."""

from dataclasses import replace

import numpy as np
import pytest

from vitruvian import data
from vitruvian.human import human
from vitruvian.human.region import JOINED, REGIONS
from vitruvian.kernels import dynamics, integrate, layout
from vitruvian.lab.verify.seams import elastic, floor
from vitruvian.model import Body, BodyContact, Box, Configuration, Contact, Ellipsoid, Joint, Plane, Sphere, System
from vitruvian.model.compile import compile_system, initial_state, make_work
from vitruvian.model.contact import law_row
from vitruvian.model.tissue import piece_value
from vitruvian.sim import simulate

PERSON = human(1.75, 77.0)
SAMPLES = 3000  # round a closed path
WAYS = {"front": (1.0, 0.0, 0.0), "behind": (-1.0, 0.0, 0.0), "aside": (0.0, 1.0, 0.0)}
RIGID = Contact(friction=0.0, restitution=1.0)


def segment(name: str, **changes: object) -> Body:
    """Return a segment whose tissue has changes: restitution, ..."""
    body = PERSON.system.body(name)
    return replace(body, shapes=tuple(replace(s, tissue=replace(s.tissue, **changes)) for s in body.shapes))


def free(body: Body, *others: Body, surfaces: tuple = (), contacts: tuple = ()) -> System:
    """Return a free segment with other bodies fixed in the world, without gravity."""
    held = tuple(Joint(f"held {other.name}", "rigid", None, other.name) for other in others)
    joints = (Joint("root", "free", None, body.name), *held)
    return System((body, *others), joints, surfaces, gravity=(0.0, 0.0, 0.0), contacts=contacts)


def loads(compiled, work, state) -> tuple[np.ndarray, np.ndarray]:
    """Return force [N] and moment about the centre of mass [N m] on the first body of a system at rest."""
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    dynamics.accelerations(compiled.model, work, state.memory, state.now.v, 0.0)
    row = work.out[: layout.out_row.BODY]
    body, turn = compiled.system.body(compiled.bodies[0]), work.body[0, layout.body.ROTATION :][:9].reshape(3, 3)
    return body.mass * row[:3], turn @ body.inertia @ turn.T @ row[3:6]


def place(state, where: np.ndarray, angle: float, axis: np.ndarray) -> None:
    state.now.q[:3] = where
    state.now.q[3:7] = (np.cos(0.5 * angle), *(np.sin(0.5 * angle) * axis))


def toward(way: tuple[float, ...]) -> Plane:
    """Return a rigid half-space whose surface meets the origin from a side of the segment."""
    return Plane("wall", normal=tuple(-np.array(way)), contact=RIGID)


def test_every_region_has_its_shape_and_its_tissue() -> None:
    rows = data.values("segment_region")
    assert set(rows) == {name for names in REGIONS.values() for name in names}
    for segment_name, names in REGIONS.items():
        body = PERSON.system.body(segment_name if segment_name != "foot" else "left_foot")
        assert len(body.shapes) == len(names) and body.regions == ("joined" if segment_name in JOINED else "apart")
        assert {shape.tissue for shape in body.shapes[1:]}.isdisjoint({body.shapes[0].tissue})
    assert all(len(body.shapes) == 1 for body in human(1.75, 77.0, body="previous").system.bodies)


def test_regions_do_not_reach_beyond_the_chest_and_the_foot() -> None:
    """Chest depth and breadth, and length, breadth and height of the foot, are those of the whole segment."""
    rng = np.random.default_rng(1)
    ways = rng.normal(size=(200, 3))
    for name in ("thorax", "left_foot"):
        whole = Ellipsoid(PERSON.dimensions.semi_axes[name.removeprefix("left_")])
        for way in (*ways / np.linalg.norm(ways, axis=1)[:, None], *np.eye(3), *-np.eye(3)):
            reach = max(np.dot(s.offset, way) + s.reach(way) for s in PERSON.system.body(name).shapes)
            if name == "thorax":
                assert reach <= 1.02 * whole.reach(way)
            if np.count_nonzero(way) == 1 and (name == "thorax" or way[2] <= 0.0):
                assert reach == pytest.approx(whole.reach(way), rel=0.005)


@pytest.mark.parametrize("name", ["thorax", "head", "left_foot"])
@pytest.mark.parametrize("kind", ["plane", "ridge of two parts", "box", "ball that meets it"])
def test_no_closed_path_creates_energy(name: str, kind: str) -> None:
    """The work of the elastic contact round closed paths that turn the segment from one region to another is zero."""
    body = segment(name, restitution=1.0)
    height, rise = {"thorax": (0.11, 0.04), "head": (0.085, 0.015), "left_foot": (0.032, 0.01)}[name]  # [m]
    turn = 0.4 if name == "left_foot" else np.pi  # [rad]: a foot lies flat, heel down and toes down
    if kind == "ball that meets it":  # the regions are the second shapes of the pairs
        block = Body("block", 10.0, np.ones(3), (Sphere(0.5, offset=(0.0, 0.0, -0.5)),))
        system = free(body, block, contacts=(BodyContact("touch", ("block",), (name,), RIGID),))
        system = system.replace(joints=(system.joints[0], Joint("loose", "free", None, "block")))
    elif kind == "box":
        box = Box((0.6, 0.4, 0.2))
        block = Body("block", 10.0, np.ones(3), (replace(box, offset=(0.0, 0.0, -box.half_size[2])),))
        system = free(body, block, contacts=(BodyContact("touch", (name,), ("block",), RIGID),))
    else:
        surface = Plane("floor", contact=RIGID) if kind == "plane" else floor(elastic(5e4), elastic(5e5), 0.4)
        system = free(body, surfaces=(surface,))
    compiled = compile_system(system, rest=False)
    work, state, rng = make_work(compiled), initial_state(compiled), np.random.default_rng(5)
    if kind == "ball that meets it":
        assert {pair[0] for pair in compiled.pairs} == {"block"}
    exchanged = 0.0  # [J]
    for _ in range(3):
        axis, phase = rng.normal(size=3), rng.uniform(0.0, 2.0 * np.pi, 3)
        axis /= np.linalg.norm(axis)
        total, done = 0.0, 0.0
        for t in 2.0 * np.pi * np.arange(SAMPLES) / SAMPLES:
            swing, middle = np.array([0.05, 0.05, rise]), np.array([0.02, 0.01, height])
            place(state, middle + swing * np.sin(t + phase[0]), turn * np.sin(t + phase[1]), axis)
            force, moment = loads(compiled, work, state)
            spin = turn * np.cos(t + phase[1]) * axis
            power = float(force @ (swing * np.cos(t + phase[0])) + moment @ spin)
            total, done = total + power, done + abs(power)
        exchanged += done * 2.0 * np.pi / SAMPLES
        assert abs(total) <= 2e-4 * done
    assert exchanged > 1.0


@pytest.mark.parametrize("name", ["thorax", "head", "left_foot"])
def test_the_force_is_continuous_from_region_to_region(name: str) -> None:
    """Halving the steps of a whole turn of the pressed segment halves the largest change of the force."""
    compiled = compile_system(free(segment(name), surfaces=(Plane("floor", contact=RIGID),)))
    work, state = make_work(compiled), initial_state(compiled)
    jumps = []
    for steps in (4000, 8000):
        forces = []
        for angle in np.linspace(0.0, 2.0 * np.pi, steps):
            place(state, np.array([0.0, 0.0, 0.07]), angle, np.array([0.0, 1.0, 0.0]))
            forces.append(np.hstack(loads(compiled, work, state)))
        jumps.append(np.linalg.norm(np.diff(forces, axis=0), axis=1).max())
    assert jumps[1] < 0.6 * jumps[0]


@pytest.mark.parametrize(("way", "name"), [("front", "chest"), ("behind", "back"), ("aside", "flank")])
def test_a_side_of_the_thorax_pushes_with_its_own_tissue(way: str, name: str) -> None:
    body = segment("thorax", restitution=1.0)
    own = body.shapes[REGIONS["thorax"].index(name)]
    compiled = compile_system(free(body, surfaces=(toward(WAYS[way]),)))
    work, state, depth = make_work(compiled), initial_state(compiled), 0.03
    reach = float(np.dot(own.offset, WAYS[way]) + own.reach(np.array(WAYS[way])))
    place(state, -(reach - depth) * np.array(WAYS[way]), 0.0, np.eye(3)[0])
    force = float(loads(compiled, work, state)[0] @ -np.array(WAYS[way]))
    alone = float(piece_value(law_row(RIGID, (own.tissue,))[2][0], depth))
    assert force == pytest.approx(alone, rel=0.03)


def test_heel_and_forefoot_add_their_forces() -> None:
    body = segment("left_foot", restitution=1.0)
    compiled = compile_system(free(body, surfaces=(Plane("floor", contact=RIGID),)))
    work, state, depth = make_work(compiled), initial_state(compiled), 0.006
    place(state, np.array([0.0, 0.0, body.shapes[0].semi_axes[2] - depth]), 0.0, np.eye(3)[0])
    alone = [float(piece_value(law_row(RIGID, (shape.tissue,))[2][0], depth)) for shape in body.shapes]
    force, moment = loads(compiled, work, state)
    assert force[2] == pytest.approx(sum(alone), rel=1e-6)
    assert moment[1] == pytest.approx(-sum(f * s.offset[0] for f, s in zip(alone, body.shapes, strict=True)), rel=1e-6)


@pytest.mark.parametrize("name", ["thorax", "head", "left_foot"])
@pytest.mark.parametrize("speed", [2.0, 12.0, 40.0])
def test_no_impact_compresses_a_region_beyond_its_depth(name: str, speed: float) -> None:
    rng = np.random.default_rng(int(speed))
    body = PERSON.system.body(name)
    for _ in range(3):
        turn = rng.normal(size=4)
        start = (0.0, 0.0, 0.3, *(turn / np.linalg.norm(turn)))
        run = simulate(
            free(body, surfaces=(Plane("plate"),)),
            Configuration({"root": start}, {"root": (0.0, 0.0, -speed, 0.0, 0.0, 0.0)}),
            duration=0.3 / speed + 0.1 / speed**0.3, rate=1e4, pose_rate=1e4,
        )  # fmt: skip
        deepest = run.contact_depth.max(axis=0)
        assert deepest.max() > 0.0
        for depth, shape in zip(deepest, body.shapes, strict=True):
            assert depth < shape.tissue.room
        assert run.balance_error < 1e-3


def test_own_tissue_of_a_segment_holds_for_all_its_regions() -> None:
    soft = {"stiffness": 1e4, "thickness": 0.05}
    shapes = human(1.75, 77.0, tissue={"thorax": soft}).system.body("thorax").shapes
    assert len({shape.tissue for shape in shapes}) == 1
    shapes = human(1.75, 77.0, tissue={"back": soft}).system.body("thorax").shapes
    assert shapes[1].tissue.stiffness == 1e4 and shapes[0].tissue == PERSON.system.body("thorax").shapes[0].tissue


def test_a_region_that_barely_touches_does_not_overflow() -> None:
    """The ratio of depths of 5 cm and 1e-16 m to the power of 24 is beyond the largest number."""
    tissue = PERSON.system.body("thorax").shapes[0].tissue
    deep = [Ellipsoid((0.1, 0.1, 0.1), offset=(x, 0.0, 0.0), tissue=tissue) for x in (-0.02, 0.02)]
    shapes = (*deep, Ellipsoid((0.05, 0.05, 0.05), offset=(0.0, 0.0, -1e-16), tissue=tissue))
    body = Body("skin", 10.0, np.full(3, 0.1), shapes, regions="joined")
    compiled = compile_system(free(body, surfaces=(Plane("floor", contact=RIGID),)))
    work, state = make_work(compiled), initial_state(compiled)
    place(state, np.array([0.0, 0.0, 0.05]), 0.0, np.eye(3)[0])
    force, moment = loads(compiled, work, state)
    alone = float(piece_value(law_row(RIGID, (tissue,))[2][0], 0.05))
    assert force[2] == pytest.approx(alone, rel=1e-9) and np.isfinite(moment).all()


def test_a_face_on_a_structure_does_not_double_its_stiffness() -> None:
    """A panel of 50 kN/m that vault and face meet pushes as on one head, not as on two."""
    body, stiffness, depth = segment("head", restitution=1.0), 5e4, 0.03
    compiled = compile_system(free(body, surfaces=(floor(elastic(stiffness), elastic(stiffness), 0.4),)), rest=False)
    work, state = make_work(compiled), initial_state(compiled)
    turn = np.radians(52.0)  # nose down: both regions touch
    axes = np.array([[np.cos(turn), 0.0, np.sin(turn)], [0.0, 1.0, 0.0], [-np.sin(turn), 0.0, np.cos(turn)]])
    down = -axes[2]
    reach = [float(down @ np.array(shape.offset)) + float(shape.reach(down)) for shape in body.shapes]
    place(state, np.array([0.02, 0.0, max(reach) - depth]), turn, np.eye(3)[1])
    force = float(loads(compiled, work, state)[0][2])
    assert min(reach) > max(reach) - depth  # both are in the panel
    assert 0.0 < force < 1.05 * stiffness * depth
