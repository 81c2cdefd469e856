"""Vectors, matrices, quaternions and other measures of a rotation: properties that any right one has."""

from math import pi

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vitruvian.kernels import mat3, quaternion, rotation, vec3

number = st.floats(-10.0, 10.0, allow_nan=False)
vector = st.tuples(number, number, number)


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
