"""Pairs that sleep during a step: none of them touches before the step ends."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitruvian.kernels import contact_geometry, integrate, layout, loop
from vitruvian.model import Body, BodyContact, Configuration, Contact, Ellipsoid, Joint, Lines, Mesh, Plane, System
from vitruvian.model.compile import compile_system, initial_state, make_work
from vitruvian.sim.simulate import make_output, prepared
from vitruvian.sim.solver import Solver

LAW = Contact(stiffness=1e5)
FRONT = ((0.0, 0.2), (0.0, 0.5), (-0.3, 0.7), (-1.2, 0.9))
ROOF = np.array([(1.0, -0.5, 0.3), (2.0, -0.5, 0.0), (2.0, 0.5, 0.0), (1.0, 0.5, 0.3)])

number = st.floats(-1.0, 1.0)
vector = st.tuples(number, number, number)


@pytest.fixture(scope="module")
def compiled():
    """Two ellipsoids off their centres of mass, the ground, lines of a front and a roof of two faces."""
    shapes = (Ellipsoid((0.1, 0.07, 0.25), offset=(0.05, 0.0, -0.1)),)
    bodies = (Body("one", 4.0, (0.02, 0.02, 0.02), shapes), Body("two", 9.0, (0.1, 0.1, 0.1), shapes))
    joints = (Joint("one", "free", None, "one"), Joint("two", "free", None, "two"))
    surfaces = (
        Plane("ground", contact=LAW),
        Lines("front", FRONT, contact=LAW),
        Mesh("roof", vertices=ROOF, triangles=((0, 1, 2), (0, 2, 3)), open=True, contact=LAW),
    )
    return compile_system(System(bodies, joints, surfaces, (BodyContact("both", ("one",), ("two",), LAW),)))


@given(vector, vector, vector, vector, vector, vector, vector, vector, st.floats(1e-5, 3e-3))
def test_no_sleeper_touches_even_if_it_closes_twice_as_fast(compiled, p1, p2, t1, t2, v1, v2, w1, w2, span):
    """Places within 2 m, speeds within 20 m/s, spins within 30 rad/s; the bodies move on at twice the speed."""
    state, work = initial_state(compiled), make_work(compiled)
    q, v = state.now.q, state.now.v
    for k, (place, turn, speed, spin) in enumerate(((p1, t1, v1, w1), (p2, t2, v2, w2))):
        q[7 * k : 7 * k + 3] = 2.0 * np.array(place)
        quaternion = np.array([1.1, *turn])
        q[7 * k + 3 : 7 * k + 7] = quaternion / np.linalg.norm(quaternion)
        v[6 * k : 6 * k + 3], v[6 * k + 3 : 6 * k + 6] = 20.0 * np.array(speed), 30.0 * np.array(spin)
    integrate.begin(compiled.model, work, q, v, 0.0)
    asleep = [contact_geometry.asleep(work.pair, c, span) for c in range(len(work.pair))]
    assert not any(contact_geometry.asleep(work.pair, c, contact_geometry.EVER) for c in range(len(work.pair)))
    moved = q.copy()
    integrate.move(compiled.model, q, 2.0 * v, span, moved)
    integrate.begin(compiled.model, work, moved, v, 0.0)
    assert (work.pair[asleep, layout.pair.DEPTH] < 0.0).all()


@pytest.mark.parametrize(
    ("height", "turn", "speed", "sleeps"),
    [
        (1.0, 0.0, 0.0, True),
        (1.0, 0.0, 310.0, True),  # 0.65 m from the bounding sphere to the ground; 0.62 m are 2 * 310 m/s * 1 ms
        (1.0, 0.0, 320.0, False),
        (0.36, 0.0, 0.0, False),  # far, but less than SAFE_GAP
        (0.2, 1.0, 50.0, True),  # lying, 13 cm above the ground: near, the gap is exact; 0.10 m are 2 * 50 m/s * 1 ms
        (0.2, 1.0, 60.0, False),
    ],
)
def test_who_sleeps(compiled, height, turn, speed, sleeps):
    state, work = initial_state(compiled), make_work(compiled)
    state.now.q[:7] = (0.0, 0.0, height, np.sqrt(1.0 - 0.5 * turn), turn * np.sqrt(0.5), 0.0, 0.0)
    state.now.q[7:10], state.now.v[2] = (0.0, 5.0, 5.0), -speed
    ground = compiled.pairs.index(("one", "ground"))
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    assert contact_geometry.asleep(work.pair, ground, 1e-3) == sleeps
    assert work.pair[ground, layout.pair.DEPTH] == pytest.approx(-0.13 if turn else 0.35 - height)


def test_a_shape_that_came_from_behind_does_not_shorten_the_steps():
    """A left-out pair has a gap of rounding size, so all steps were as short as those that end at an onset, 10 us."""
    corners = np.array([(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0)])
    sheet = Mesh("sheet", vertices=corners, triangles=((0, 1, 2), (0, 2, 3)), open=True, contact=LAW)
    ball = Body("ball", 1.0, (0.002, 0.002, 0.002), (Ellipsoid((0.06, 0.06, 0.06)),))
    system = System((ball,), (Joint("root", "free", None, "ball"),), (sheet,), gravity=(0.0, 0.0, 0.0))
    compiled, settings = prepared(system, duration=0.1, rate=1e3, pose_rate=1e3, stop=None, solver=Solver())
    start = Configuration({"root": (0.0, 0.0, 0.03, 1.0, 0.0, 0.0, 0.0)}, {"root": (0.0, 0.0, -0.2, 0.0, 0.0, 0.0)})
    state, work, output = initial_state(compiled, start), make_work(compiled), make_output(compiled, 0.0, 0.1, 1e3, 1e3)
    work.pair[:, layout.pair.ENTERED] = -1.0
    state.tally[layout.tally.PHASE] = layout.phase.NEW_RUN
    state.tally[layout.tally.STATUS] = layout.status.RUNNING
    loop.advance(compiled.model, work, state, output, settings, 20)
    assert work.pair[0, layout.pair.ENTERED] == -1.0  # still inside
    assert work.pair[0, layout.pair.RATE] > 0.0
    assert state.clock[layout.clock.TIME] > 0.02
    assert state.now.v[2] == pytest.approx(-0.2)  # no force
