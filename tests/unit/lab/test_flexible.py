"""The floating frame of reference and the misprints E081 to E098 of its source, by differentiation or dimension."""

import numpy as np
import pytest

from vitruvian.flex import Interface, Material, beam, craig_bampton, eigenmodes, nodal, reduced, straight, tube
from vitruvian.lab.flexible import Mechanism, Pin, PlanarBody, SpatialBody
from vitruvian.lab.flexible.planar import SKEW, rotation

ROD = beam(straight(1.0, 3), tube(0.02, 0.01), Material(1e9, 0.3, 1000.0), planar=True)
MODES = nodal(ROD, "cantilever")
BODY = reduced("rod", ROD, MODES, interfaces={"tip": Interface(3)})
PLANAR = PlanarBody(BODY)
FIELD = (ROD.field @ MODES.shapes).reshape(len(ROD.root), 3, -1)[:, :2]
PLACE = ROD.place[:, :2]
RANDOM = np.random.default_rng(17)
Q = 0.1 * RANDOM.normal(size=PLANAR.coordinates)
V = RANDOM.normal(size=PLANAR.coordinates)
STEP = 1e-6


def kinetic(q: np.ndarray, v: np.ndarray) -> float:
    """Return the kinetic energy of the mass points, without any integral of the formulation."""
    a, slope = rotation(q[2])
    local = PLACE + FIELD @ q[3:]
    velocity = ROD.root[:, None] * v[:2] + v[2] * local @ slope.T + (FIELD @ v[3:]) @ a.T
    return 0.5 * float((velocity**2).sum())


def rate(function) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Return the time derivative of a function of q along V."""
    return (function(Q + STEP * V) - function(Q - STEP * V)) / (2.0 * STEP)


def test_rates_of_rotation_and_jacobian() -> None:
    """E081: Adot = A_theta thetadot. E082: Bdot = -A ubar thetadot + A_theta S qdot."""
    tip = BODY.marker("tip")
    a, slope = rotation(Q[2])
    np.testing.assert_allclose(rate(lambda q: rotation(q[2])[0]), slope * V[2], atol=1e-9)
    local, drift = tip.place[:2] + tip.shape[:2] @ Q[3:], tip.shape[:2] @ V[3:]
    exact = -a @ local * V[2] + slope @ drift
    np.testing.assert_allclose(rate(lambda q: PLANAR.point(q, V, tip)[1][:, 2]), exact, atol=1e-8)
    total = rate(lambda q: PLANAR.point(q, V, tip)[1]) @ V
    np.testing.assert_allclose(PLANAR.point(Q, V, tip)[2], total, atol=1e-8)


def test_mass_matrix_is_that_of_the_kinetic_energy() -> None:
    """E083: S-bar is the integral of rho S. E084: the transpose in m_theta_f. E090: the matrix is symmetric."""
    matrix = PLANAR.mass_matrix(Q)
    np.testing.assert_allclose(matrix, matrix.T)
    assert kinetic(Q, V) == pytest.approx(0.5 * V @ matrix @ V, rel=1e-13)
    np.testing.assert_allclose(PLANAR.shift, np.einsum("g,gik->ik", ROD.root, FIELD))
    assert PLANAR.shift.shape == (2, BODY.count)  # as printed, 2.31 would be a vector of two
    assert (PLACE[0] @ SKEW @ FIELD[0]).shape == (BODY.count,)


def test_quadratic_velocity_vector_by_differentiation() -> None:
    """E087, E088, E089: Q_v = dT/dq - Mdot v; the printed vectors, with their lost dots, fail."""
    slope = [(kinetic(Q + STEP * e, V) - kinetic(Q - STEP * e, V)) / (2.0 * STEP) for e in np.eye(len(Q))]
    exact = np.array(slope) - rate(PLANAR.mass_matrix) @ V
    got = PLANAR.quadratic(Q, V)
    np.testing.assert_allclose(got, exact, atol=1e-8)
    a, turned = rotation(Q[2])
    out = PLANAR.modal_mass @ Q[3:] + PLANAR.stretch
    printed = {
        "E087": Q[2] ** 2 * a @ (PLANAR.shift @ Q[3:] + PLANAR.moment) - 2.0 * V[2] * turned @ PLANAR.shift @ Q[3:],
        "E088": np.array([-2.0 * V[2] * Q[3:] @ out]),
        "E089": V[2] ** 2 * out + 2.0 * V[2] * PLANAR.skew @ Q[3:],
    }
    for name, part in zip(printed, (slice(0, 2), slice(2, 3), slice(3, None)), strict=True):
        assert abs(printed[name] - exact[part]).max() > 1e-3, name


def test_virtual_work_is_a_number() -> None:
    """E085, E086: Q_e^T dq and q_f^T K dq_f; the generalised force of a point load has the power F v."""
    tip, force = BODY.marker("tip"), np.array([3.0, -2.0])
    jacobian = PLANAR.point(Q, V, tip)[1]
    velocity = rate(lambda q: PLANAR.point(q, V, tip)[0])
    assert (force @ jacobian) @ V == pytest.approx(force @ velocity, rel=1e-6)
    energy = rate(lambda q: 0.5 * q[3:] @ BODY.stiffness @ q[3:])
    assert Q[3:] @ BODY.stiffness @ V[3:] == pytest.approx(float(energy), rel=1e-6)


def test_boolean_map_picks_columns() -> None:
    """E091: B e without a transpose; the maps of neighbours share a node."""
    first, second = (element.boolean(ROD.dofs, ROD.size) for element in ROD.elements[:2])
    e = np.arange(float(ROD.size))
    np.testing.assert_array_equal((first @ e)[6:], (second @ e)[:6])
    assert first.shape == (12, ROD.size)


def test_modes_are_columns_and_orthogonal() -> None:
    """E092, E093, E095: Phi has modes as columns, Phi^T m_ff Phi and Phi^T K_ff Phi are diagonal."""
    modes = eigenmodes(ROD, count=5)
    assert modes.shapes.shape == (ROD.size, 5)
    np.testing.assert_allclose(modes.shapes.T @ (ROD.mass @ modes.shapes), np.eye(5), atol=1e-9)
    stiffness = modes.shapes.T @ (ROD.stiffness @ modes.shapes)
    np.testing.assert_allclose(stiffness, np.diag((2.0 * np.pi * modes.frequency) ** 2), atol=1e-6 * stiffness.max())


def test_constraint_jacobian_follows_the_chain_rule() -> None:
    """E094, E096: C_p = C_q Phi, and the projected multiplier force is C_p^T lambda without a second Phi^T."""
    modes = eigenmodes(ROD, count=2, reference="cantilever")
    small = PlanarBody(reduced("rod", ROD, modes, interfaces={"tip": Interface(3)}))
    phi = np.linalg.lstsq(MODES.shapes, modes.shapes, rcond=None)[0]
    whole = np.zeros((PLANAR.coordinates, 5))
    whole[:3, :3], whole[3:, 3:] = np.eye(3), phi
    p = 0.1 * RANDOM.normal(size=5)
    jacobian = PLANAR.point(whole @ p, 0 * V, BODY.marker("tip"))[1]
    reduced_jacobian = small.point(p, np.zeros(5), small.body.marker("tip"))[1]
    np.testing.assert_allclose(reduced_jacobian, jacobian @ whole, atol=1e-12)
    multipliers = np.array([1.0, -2.0])
    np.testing.assert_allclose(whole.T @ (jacobian.T @ multipliers), reduced_jacobian.T @ multipliers, atol=1e-12)


def test_craig_bampton_partitions_the_elastic_coordinates() -> None:
    """E097, E098: boundary and interior coordinates; orthogonal modes are Psi N, and contain every boundary motion."""
    modes = craig_bampton(ROD, (0, 3), count=2)
    np.testing.assert_allclose(modes.shapes.T @ (ROD.mass @ modes.shapes), np.eye(modes.count), atol=1e-9)
    boundary = ROD.dofs[[0, 3]].ravel()
    with_rigid = np.hstack([modes.shapes, ROD.rigid_modes()])
    assert np.linalg.matrix_rank(with_rigid[boundary[boundary >= 0]]) == 6


def test_spatial_equations_by_differentiation() -> None:
    """The quadratic velocity vector in space gives the rate of momentum zero for a free body."""
    rod = beam(straight(1.0, 3), tube(0.02, 0.01), Material(1e9, 0.3, 1000.0))
    body = SpatialBody(reduced("rod", rod, eigenmodes(rod, count=4)))
    q = np.concatenate([RANDOM.normal(size=3), [1.0, 0.2, -0.3, 0.4], 0.05 * RANDOM.normal(size=4)])
    q = body.normal(q)
    v = RANDOM.normal(size=body.velocities)
    mechanism = Mechanism((body,), gravity=np.zeros(3))
    a = mechanism.accelerations(0.0, q, v)[0]
    ahead, behind = (mechanism.momentum(0.0, body.normal(q + s * body.rates(q, v)), v + s * a) for s in (STEP, -STEP))
    np.testing.assert_allclose((ahead - behind) / (2.0 * STEP), 0.0, atol=1e-6)
    energy = [mechanism.energy(0.0, body.normal(q + s * body.rates(q, v)), v + s * a) for s in (STEP, -STEP)]
    assert (energy[0] - energy[1]) / (2.0 * STEP) == pytest.approx(0.0, abs=1e-5)


def test_multiplier_is_the_reaction() -> None:
    """A rod that hangs at rest carries its weight at the pin."""
    body = PlanarBody(reduced("rod", ROD, eigenmodes(ROD, count=3), interfaces={"top": Interface(0)}))
    pin = Pin(0, body.body.marker("top"), None, np.zeros(2))
    q = np.zeros(6)
    q[2] = -0.5 * np.pi
    multipliers = Mechanism((body,), (pin,)).accelerations(0.0, q, np.zeros(6))[1]
    assert -multipliers[0] == pytest.approx(0.0, abs=1e-9)
    assert -multipliers[1] == pytest.approx(body.body.mass * 9.81)  # three bending modes, so that it does not stretch
