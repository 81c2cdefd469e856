"""The contact law: never pulls, keeps its slopes, returns its restitution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from vitruvian.kernels import contact_law, layout
from vitruvian.model.contact_law import damping_number

depth = st.floats(1e-9, 0.1)
rate = st.floats(-20.0, 20.0)
exponent = st.sampled_from([1.0, 1.5, 2.0])
restitution = st.floats(0.01, 1.0)
speed = st.floats(0.0, 20.0)


def normal_force(d, r, k, n, number, v):
    """Force, elastic part and slopes of the default law."""
    kind, row = np.zeros((1, layout.law_kind.COUNT), np.int64), np.zeros((1, layout.law.COUNT))
    kind[0, layout.law_kind.NUMBER_CURVE] = -1
    row[0, layout.law.VISCOUS_BELOW] = layout.speed_reference.LEAST
    row[0, layout.law.STIFFNESS], row[0, layout.law.EXPONENT], row[0, layout.law.NUMBER] = k, n, number
    return contact_law.normal_force(kind, row, 0, np.zeros(1, np.int64), np.zeros((0, 6)), d, r, 0.0, v, 0.0)


@given(depth, rate, exponent, restitution, speed)
def test_never_pulls(d, r, n, cr, v):
    force, elastic, by_depth, by_rate = normal_force(d, r, 1e6, n, damping_number(cr), v)
    assert min(force, elastic, by_depth, by_rate) >= 0.0


@given(depth, rate, exponent, restitution, speed)
def test_at_most_one_plus_d_times_the_elastic_force(d, r, n, cr, v):
    number = damping_number(cr)
    force, _, _, _ = normal_force(d, r, 1e6, n, number, v)
    assert force <= (1.0 + number) * 1e6 * d**n * (1.0 + 1e-12)


@pytest.mark.parametrize("n", [1.0, 1.5, 2.0])
def test_slopes_against_finite_differences(n):
    number, v = damping_number(0.4), 3.0
    for d, r in ((1e-3, 1.0), (5e-3, -0.5), (2e-2, 2.9)):
        _, _, by_depth, by_rate = normal_force(d, r, 1e6, n, number, v)

        def force(d, r):
            return normal_force(d, r, 1e6, n, number, v)[0]

        h = 1e-7
        assert by_depth == pytest.approx((force(d + h, r) - force(d - h, r)) / (2 * h), rel=1e-6)
        assert by_rate == pytest.approx((force(d, r + h) - force(d, r - h)) / (2 * h), rel=1e-5)


def test_damping_number_solves_its_equation():
    for cr in np.linspace(0.01, 0.99, 50):
        d = damping_number(cr)
        assert 0.0 < d < 1.0 / cr
        # 1 - Cr d = (1 + d) exp(-d (1 + Cr)); for small Cr the root lies close to 1/Cr
        assert 1.0 - cr * d == pytest.approx((1.0 + d) * np.exp(-d * (1.0 + cr)), rel=1e-9, abs=1e-13)
    assert damping_number(1.0) == 0.0


@pytest.mark.parametrize("n", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("cr", [0.1, 0.5, 0.9])
def test_damping_number_returns_the_restitution(n, cr):
    # m x'' = -F on a scipy integrator: nothing of the engine but the law
    number, v = damping_number(cr), 2.0

    def motion(_, y):
        force = normal_force(max(y[0], 1e-300), y[1], 1e5, n, number, v)[0] if y[0] > 0.0 else 0.0
        return [y[1], -force]

    def apart(_, y):
        return y[0]

    apart.terminal, apart.direction = True, -1
    end = solve_ivp(motion, (0.0, 1.0), [1e-12, v], events=apart, rtol=1e-10, atol=1e-13, max_step=1e-3).y[:, -1]
    assert -end[1] / v == pytest.approx(cr, abs=1e-5)
