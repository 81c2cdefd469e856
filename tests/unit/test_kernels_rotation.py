"""Vectors, matrices, quaternions and other measures of a rotation: properties that any right one has."""

from math import cos, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vitruvian.kernels import mat3, quaternion, rotation, vec3

number = st.floats(-10.0, 10.0, allow_nan=False)
vector = st.tuples(number, number, number)
angle = st.floats(-3.0, 3.0)


def turned(largest):
    """Rotation vectors up to an angle, small ones among them."""
    direction = vector.filter(lambda a: np.linalg.norm(a) > 1e-3)
    size = st.one_of(st.floats(0.0, largest), st.floats(0.0, 1e-3), st.floats(0.0, 1e-8))
    return st.builds(lambda d, s: tuple((np.array(d) / np.linalg.norm(d) * s).tolist()), direction, size)


unit = turned(3.1).map(quaternion.exponential)


def square(m):
    return np.array(m).reshape(3, 3)


def symmetric(s):
    return square(mat3.full(s))


def near(a, b, tolerance=1e-12):
    np.testing.assert_allclose(np.array(a), np.array(b), rtol=0.0, atol=tolerance)


# --- vectors and matrices


@given(vector, vector, number)
def test_vectors_do_what_numpy_does(a, b, s):
    near(vec3.add(a, b), np.add(a, b))
    near(vec3.sub(a, b), np.subtract(a, b))
    near(vec3.scale(s, a), s * np.array(a), 1e-11)
    near(vec3.axpy(s, a, b), s * np.array(a) + b, 1e-11)
    near(vec3.cross(a, b), np.cross(a, b), 1e-11)
    near(vec3.dot(a, b), np.dot(a, b), 1e-11)
    near(vec3.norm(a), np.linalg.norm(a), 1e-12)


def test_matrices_do_what_numpy_does():
    rng = np.random.default_rng(1)
    for _ in range(20):
        m, n, r, a = (rng.normal(size=k) for k in (9, 9, 3, 3))
        s, t = rng.normal(size=6), rng.normal(size=6)
        left, right = square(m), square(n)
        near(mat3.dot(m, a), left @ a)
        near(mat3.transposed_dot(m, a), left.T @ a)
        near(square(mat3.product(m, n)), left @ right)
        near(square(mat3.skew(r)) @ a, np.cross(r, a))
        near(square(mat3.add(m, n)), left + right)
        near(square(mat3.sub(m, n)), left - right)
        near(symmetric(mat3.sym_add(s, t)), symmetric(s) + symmetric(t))
        near(mat3.sym_dot(s, a), symmetric(s) @ a)
        near(mat3.column(m, 1), left[:, 1])


def test_inverse_of_a_positive_matrix():
    rng = np.random.default_rng(2)
    for _ in range(20):
        root = rng.normal(size=(3, 3))
        full = root @ root.T + 0.1 * np.eye(3)
        s = full[np.triu_indices(3)]
        near(symmetric(mat3.sym_inverse(tuple(s))) @ full, np.eye(3), 1e-9)


def test_turned_tensors():
    rng = np.random.default_rng(3)
    for _ in range(20):
        turn = square(quaternion.matrix(quaternion.exponential(tuple(rng.normal(size=3)))))
        diagonal, s = rng.normal(size=3), rng.normal(size=6)
        near(symmetric(mat3.rotated_diagonal(tuple(turn.ravel()), tuple(diagonal))), turn @ np.diag(diagonal) @ turn.T)
        near(symmetric(mat3.rotated(tuple(turn.ravel()), tuple(s))), turn @ symmetric(s) @ turn.T)


# --- quaternions


@given(turned(pi - 1e-6))
def test_logarithm_undoes_exponential(theta):
    near(quaternion.logarithm(quaternion.exponential(theta)), theta, 1e-9)


@given(turned(3.0), st.floats(1e-3, 1e3))
def test_logarithm_does_not_mind_the_length(theta, scale):
    q = tuple(scale * x for x in quaternion.exponential(theta))
    near(quaternion.logarithm(q), theta, 1e-12)


@given(unit)
def test_exponential_undoes_logarithm(q):
    near(
        square(quaternion.matrix(quaternion.exponential(quaternion.logarithm(q)))), square(quaternion.matrix(q)), 1e-12
    )


def test_half_a_turn():
    for axis in np.eye(3):
        theta = quaternion.logarithm(quaternion.exponential(tuple(pi * axis)))
        near(abs(np.array(theta)), pi * axis, 1e-12)


@given(unit, unit, vector)
def test_product_is_one_rotation_after_the_other(p, q, a):
    near(quaternion.rotate(quaternion.product(p, q), a), quaternion.rotate(p, quaternion.rotate(q, a)), 1e-11)
    near(
        square(quaternion.matrix(quaternion.product(p, q))), square(quaternion.matrix(p)) @ square(quaternion.matrix(q))
    )
    near(mat3.dot(quaternion.matrix(q), a), quaternion.rotate(q, a), 1e-11)
    near(quaternion.product(q, quaternion.conjugate(q)), (1.0, 0.0, 0.0, 0.0))


@given(unit, st.floats(0.5, 2.0))
def test_matrix_is_a_rotation_whatever_the_length(q, scale):
    m = square(quaternion.matrix(tuple(scale * x for x in q)))
    near(m @ m.T, np.eye(3))
    near(np.linalg.det(m), 1.0)


@given(unit)
def test_quaternion_of_a_matrix(q):
    back = quaternion.from_matrix(quaternion.matrix(q))
    assert back[0] >= 0.0
    near(abs(np.dot(back, q)), 1.0, 1e-12)


@given(unit, vector)
def test_rate_against_a_finite_difference(q, omega):
    h = 1e-6
    ahead = quaternion.product(quaternion.exponential(tuple(h * w for w in omega)), q)
    back = quaternion.product(quaternion.exponential(tuple(-h * w for w in omega)), q)
    rate = quaternion.rate(q, omega)
    near(rate, (np.array(ahead) - back) / (2.0 * h), 1e-7)
    near(quaternion.angular_velocity(q, rate), omega, 1e-12)
    near(np.dot(rate, q), 0.0, 1e-12)


# --- rotation vector


@given(turned(6.0), vector)
def test_left_jacobian_against_a_finite_difference(theta, rate):
    h = 1e-6
    ahead, back = (quaternion.exponential(tuple(np.array(theta) + sign * h * np.array(rate))) for sign in (1.0, -1.0))
    turn = quaternion.logarithm(quaternion.product(ahead, quaternion.conjugate(back)))
    near(rotation.left_jacobian_dot(theta, rate), np.array(turn) / (2.0 * h), 1e-6)


@given(turned(5.5), vector)
def test_left_jacobian_inverse(theta, a):
    near(rotation.left_jacobian_inverse_dot(theta, rotation.left_jacobian_dot(theta, a)), a, 1e-9)


@given(turned(3.1), vector, vector)
def test_transposed_inverse_moves_power_from_rates_to_spin(theta, gradient, rate):
    # dV/dtheta . rate = moment . spin
    moment = rotation.left_jacobian_inverse_transposed_dot(theta, gradient)
    near(np.dot(moment, rotation.left_jacobian_dot(theta, rate)), np.dot(gradient, rate), 1e-8)


@given(turned(3.0), vector, vector)
def test_angular_acceleration_against_a_finite_difference(theta, rate, acceleration):
    h = 1e-5
    theta, rate, acceleration = (0.5 * np.array(x) for x in (theta, rate, acceleration))

    def spin(t):
        return rotation.left_jacobian_dot(
            tuple(theta + t * rate + 0.5 * t * t * acceleration), tuple(rate + t * acceleration)
        )

    difference = (np.array(spin(h)) - spin(-h)) / (2.0 * h)
    near(rotation.angular_acceleration(tuple(theta), tuple(rate), tuple(acceleration)), difference, 1e-5)


# --- swing and twist


@given(turned(3.0))
def test_swing_and_twist_recompose(theta):
    q = quaternion.exponential(theta)
    assume(quaternion.rotate(q, (0.0, 0.0, 1.0))[2] > -0.99)
    x, y, twist = rotation.swing_twist(q)
    swing = quaternion.exponential((x, y, 0.0))
    again = quaternion.product(swing, (cos(0.5 * twist), 0.0, 0.0, sin(0.5 * twist)))
    near(abs(np.dot(again, q)), 1.0, 1e-12)
    near(square(quaternion.matrix(again)), square(quaternion.matrix(q)), 1e-9)


# --- Euler, Cardan, Rodrigues


@given(angle, st.floats(0.05, 3.09), angle)
def test_euler_angles_both_ways(psi, theta, phi):
    near(rotation.euler_zxz(rotation.euler_zxz_matrix(psi, theta, phi)), (psi, theta, phi), 1e-9)


@given(angle, st.floats(-1.5, 1.5), angle)
def test_cardan_angles_both_ways(a, b, c):
    near(rotation.cardan_xyz(rotation.cardan_xyz_matrix(a, b, c)), (a, b, c), 1e-9)


@pytest.mark.parametrize("theta", [0.0, pi])
def test_euler_angles_where_they_are_not_unique(theta):
    m = rotation.euler_zxz_matrix(0.4, theta, 0.7)
    near(rotation.euler_zxz_matrix(*rotation.euler_zxz(m)), m, 1e-12)


@pytest.mark.parametrize("b", [0.5 * pi, -0.5 * pi])
def test_cardan_angles_where_they_are_not_unique(b):
    m = rotation.cardan_xyz_matrix(0.4, b, 0.7)
    near(rotation.cardan_xyz_matrix(*rotation.cardan_xyz(m)), m, 1e-12)


@pytest.mark.parametrize(
    ("matrix", "velocity", "rates"),
    [
        (rotation.euler_zxz_matrix, rotation.euler_zxz_velocity, rotation.euler_zxz_rates),
        (rotation.cardan_xyz_matrix, rotation.cardan_xyz_velocity, rotation.cardan_xyz_rates),
    ],
)
def test_angular_velocity_of_angles(matrix, velocity, rates):
    rng = np.random.default_rng(4)
    for _ in range(20):
        angles, speed = rng.uniform(0.2, 1.3, size=3), rng.normal(size=3)
        h = 1e-6
        ahead, back = (square(matrix(*(angles + sign * h * speed))) for sign in (1.0, -1.0))
        skew = (ahead - back) / (2.0 * h) @ square(matrix(*angles)).T
        omega = velocity(*angles, tuple(speed))
        near(omega, (skew[2, 1], skew[0, 2], skew[1, 0]), 1e-8)
        near(rates(*angles, omega), speed, 1e-12)


@given(turned(2.5), vector)
def test_rodrigues_parameters_both_ways(theta, rate):
    q = quaternion.exponential(theta)
    g = rotation.rodrigues(q)
    near(g, np.tan(0.5 * np.linalg.norm(theta)) * np.array(theta) / max(np.linalg.norm(theta), 1e-300), 1e-9)
    near(rotation.rodrigues_quaternion(g), q, 1e-12)
    near(rotation.rodrigues_rates(g, rotation.rodrigues_velocity(g, rate)), rate, 1e-9)


def test_angle_between():
    near(rotation.angle_between((1.0, 0.0, 0.0), (sqrt(0.5), sqrt(0.5), 0.0)), 0.25 * pi)
    near(rotation.angle_between((1.0, 0.0, 0.0), (1.0 + 1e-15, 0.0, 0.0)), 0.0)
