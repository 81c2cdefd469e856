"""The impulse process at one point: friction cone, ends of the phases, plane and space, energy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from vitruvian.errors import InputError
from vitruvian.lab.impact import process
from vitruvian.lab.impact.process import LAWS, stroke

number = st.floats(-1.0, 1.0)
restitution = st.floats(0.0, 1.0)
friction = st.floats(0.0, 1.5)


def inverse_of(entries):
    half = np.array(entries).reshape(3, 3)
    return half @ half.T + 0.05 * np.eye(3)


def energy_change(velocity, done):
    return done.impulse @ (velocity + done.velocity) / 2.0


matrices = st.lists(number, min_size=9, max_size=9).map(inverse_of)
closing = st.tuples(st.floats(0.05, 2.0), number, number).map(lambda u: np.array([-u[0], u[1], u[2]]))


@given(matrices, closing, restitution, friction, st.sampled_from(["poisson", "stronge"]))
def test_friction_and_energy(inverse, velocity, e, mu, law):
    done = stroke(inverse, velocity, e, mu, law)
    assert np.linalg.norm(done.impulse[1:]) <= mu * done.impulse[0] * (1.0 + 1e-9) + 1e-12
    assert done.velocity == pytest.approx(velocity + inverse @ done.impulse, abs=1e-8)
    assert done.velocity[0] >= -1e-9
    assert energy_change(velocity, done) <= 1e-9


@given(matrices, closing, restitution, friction)
def test_each_law_ends_where_it_says(inverse, velocity, e, mu):
    poisson, stronge = (stroke(inverse, velocity, e, mu, law) for law in ("poisson", "stronge"))
    assert poisson.impulse[0] == pytest.approx((1.0 + e) * poisson.compression, rel=1e-9)
    assert stronge.work_restitution == pytest.approx(-(e**2) * stronge.work_compression, rel=1e-8, abs=1e-11)
    assert poisson.compression == pytest.approx(stronge.compression, rel=1e-9)


@given(matrices, closing, restitution)
def test_without_friction_the_laws_are_one(inverse, velocity, e):
    for law in LAWS:
        done = stroke(inverse, velocity, e, 0.0, law)
        assert done.impulse == pytest.approx([-(1.0 + e) * velocity[0] / inverse[0, 0], 0.0, 0.0])
        assert done.velocity[0] == pytest.approx(-e * velocity[0], abs=1e-12)


@pytest.mark.parametrize("law", LAWS)
def test_the_tangents_may_be_turned(law):
    """The answer does not depend on the frame: straight legs of a plane impact against the curve of the hodograph."""
    inverse = np.array([[2.0, -0.8, 0.0], [-0.8, 1.5, 0.0], [0.0, 0.0, 1.2]])
    velocity = np.array([-1.0, 0.5, 0.0])
    expected = stroke(inverse, velocity, 0.6, 0.4, law)
    turn = Rotation.from_rotvec([0.7, 0.0, 0.0]).as_matrix()
    got = stroke(turn @ inverse @ turn.T, turn @ velocity, 0.6, 0.4, law)
    assert got.impulse == pytest.approx(turn @ expected.impulse, abs=1e-12)
    assert got.slip == expected.slip


def test_the_hodograph_meets_the_plane_from_beside():
    """A slip that starts a little out of the plane of symmetry ends a little beside the closed form."""
    inverse = np.array([[2.0, -0.8, 0.0], [-0.8, 1.5, 0.0], [0.0, 0.0, 1.2]])
    straight = stroke(inverse, np.array([-1.0, 0.5, 0.0]), 0.6, 0.4, "stronge")
    curved = stroke(inverse, np.array([-1.0, 0.5, 1e-6]), 0.6, 0.4, "stronge")
    assert straight.slip == ("slip", "reverse")
    assert curved.impulse == pytest.approx(straight.impulse, abs=1e-5)


def test_a_fine_sum_of_impulses_gives_the_same():
    """Routh's process stepped by hand in many small impulses."""
    inverse = inverse_of([1.0, 0.3, -0.2, 0.4, 0.9, 0.1, 0.2, -0.5, 1.1])
    velocity, e, mu = np.array([-1.0, 0.6, -0.4]), 0.7, 0.3
    done = stroke(inverse, velocity, e, mu, "stronge")
    u, p, work, absorbed, step = velocity.copy(), np.zeros(3), 0.0, None, 5e-5
    while absorbed is None or work < e**2 * absorbed:
        s = u[1:] / np.linalg.norm(u[1:])
        dp = step * np.array([1.0, *(-mu * s)])
        new = u + inverse @ dp
        work += 0.5 * (u[0] + new[0]) * step
        u, p = new, p + dp
        if absorbed is None and u[0] >= 0.0:
            absorbed, work = -work, 0.0
    assert done.slip == ("slip",)
    assert done.impulse == pytest.approx(p, abs=1.5e-4)


def test_heavy_friction_at_rest_sticks_and_light_friction_slips_where_slip_can_grow():
    inverse = np.array([[2.0, -0.8, 0.3], [-0.8, 1.5, 0.2], [0.3, 0.2, 1.2]])
    velocity = np.array([-1.0, 0.0, 0.0])
    sticking = stroke(inverse, velocity, 0.5, 1.0, "stronge")
    assert sticking.slip == ("stick",)
    assert sticking.velocity[1:] == pytest.approx([0.0, 0.0], abs=1e-14)
    slipping = stroke(inverse, velocity, 0.5, 0.1, "stronge")
    assert slipping.slip == ("slip",)
    # friction lies exactly against the slip
    s = slipping.velocity[1:] / np.linalg.norm(slipping.velocity[1:])
    assert slipping.impulse[1:] == pytest.approx(-0.1 * slipping.impulse[0] * s, abs=1e-12)


def test_newton_can_gain_energy_where_slip_turns_round():
    # Kane's double pendulum: inverse inertia at its tip
    inverse = np.zeros((3, 3))
    inverse[:2, :2] = [[1.0096, 1.5213], [1.5213, 2.4403]]
    velocity = np.array([-0.134, -0.267, 0.0])
    changes = {law: energy_change(velocity, stroke(inverse, velocity, 0.9, 0.5, law)) for law in LAWS}
    assert changes["newton"] > 0.01
    assert changes["stronge"] < 0.0
    assert changes["poisson"] < 0.0


def test_a_locked_tangent_gets_no_impulse():
    inverse = np.array([[2.0, -0.8, 0.0], [-0.8, 1.5, 0.0], [0.0, 0.0, 0.0]])
    for law in LAWS:
        for mu in (0.2, 0.9):
            done = stroke(inverse, np.array([-1.0, 0.2, 0.0]), 0.5, mu, law)
            assert done.impulse[2] == pytest.approx(0.0, abs=1e-15)
            assert np.isfinite(done.impulse).all()


def test_bad_input():
    inverse = np.eye(3)
    with pytest.raises(InputError, match="do not close"):
        stroke(inverse, np.array([0.0, 1.0, 0.0]), 0.5, 0.1, "stronge")
    for value in (-0.1, 1.1, float("nan")):
        with pytest.raises(InputError, match="accepted 0 "):
            process.checked_restitution(value)
    for value in (-0.1, float("nan"), float("inf")):
        with pytest.raises(InputError, match="finite number"):
            process.checked_friction(value)
    with pytest.raises(InputError, match='Did you mean "stronge"'):
        process.checked_law("strong")


def test_friction_too_small_to_matter():
    inverse = np.array([[1.0, 0.3, 0.0], [0.3, 1.0, 0.0], [0.0, 0.0, 1.0]])
    tiny, none = (stroke(inverse, np.array([-1.0, 0.0, 0.0]), 0.5, mu, "stronge") for mu in (1e-161, 0.0))
    assert tiny.impulse == pytest.approx(none.impulse)
