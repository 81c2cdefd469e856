"""The contact point of a body that turns: how the depth accelerates without forces."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vitruvian.kernels import dynamics, integrate, layout
from vitruvian.model import Body, Capsule, Contact, Ellipsoid, Joint, Mesh, Plane, System
from vitruvian.model.compile import compile_system, initial_state, make_work

LAW = Contact(stiffness=1e5)
SHAPES = {
    "ellipsoid": Ellipsoid((0.1, 0.07, 0.25), offset=(0.05, 0.0, -0.1)),
    "capsule": Capsule(0.07, 0.3),
}
SURFACES = {
    "plane": Plane("ground", contact=LAW),
    "mesh": Mesh(
        "ground",
        vertices=np.array([(-3.0, -3.0, 0.0), (3.0, -3.0, 0.0), (3.0, 3.0, 0.0), (-3.0, 3.0, 0.0)]),
        triangles=((0, 1, 2), (0, 2, 3)),
        open=True,
        contact=LAW,
    ),
}
number = st.floats(-1.0, 1.0)
vector = st.tuples(number, number, number)


@pytest.fixture(scope="module")
def compiled():
    return {
        (shape, surface): compile_system(
            System(
                (Body("body", 4.0, (0.02, 0.02, 0.02), (SHAPES[shape],)),),
                (Joint("body", "free", None, "body"),),
                surfaces=(SURFACES[surface],),
            )
        )
        for shape in SHAPES
        for surface in SURFACES
    }


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=25, deadline=None)
@given(turn=vector, spin=vector)
def test_known_accelerations_are_the_second_derivative_of_the_depth(compiled, shape, surface, turn, spin):
    """Central differences of the depth of a body that keeps its velocity and its spin, with the signs of the depth."""
    system = compiled[shape, surface]
    state, work = initial_state(system), make_work(system)
    q, v, moved = state.now.q, state.now.v, state.now.q.copy()
    quaternion = np.array([1.1, *turn])
    q[3:7] = quaternion / np.linalg.norm(quaternion)
    v[3:6] = 10.0 * np.array(spin)
    integrate.begin(system.model, work, q, v, 0.0)
    q[2] += work.pair[0, layout.pair.DEPTH] - 0.01  # 1 cm deep
    depth, h = [], 1e-4
    for time in (-h, 0.0, h):
        integrate.move(system.model, q, v, time, moved)
        integrate.begin(system.model, work, moved, v, 0.0)
        depth.append(work.pair[0, layout.pair.DEPTH])
    integrate.begin(system.model, work, q, v, 0.0)
    dynamics.accelerations(system.model, work, state.memory, v, 0.0)
    known = work.pair[0, layout.pair.CENTRIPETAL] + work.pair[0, layout.pair.ROLLING]
    found = -(depth[0] - 2.0 * depth[1] + depth[2]) / h**2
    assert known == pytest.approx(found, rel=2e-3, abs=2e-3 * (1.0 + v[3:6] @ v[3:6]) * 0.25)
