"""ISO/TS 18571 against objective_rating_metrics, and by hand where the answer is plain; CORA-like corridors."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.injury.rating import _warped, corridor_rating, iso18571

TIME = np.arange(600) * 1e-4


def wave(shift: float = 0.0, scale: float = 1.0) -> np.ndarray:
    t = TIME - shift
    return scale * 50.0 * np.sin(2.0 * np.pi * 30.0 * t) * np.exp(-(((t - 0.03) / 0.012) ** 2))


def test_a_curve_agrees_with_itself() -> None:
    found = iso18571(TIME, wave(), wave())
    assert found[:6] == pytest.approx((1.0, 1.0, 1.0, 1.0, 1.0, 0.0))
    assert found.grade == "excellent"
    assert corridor_rating(TIME, wave(), wave()).value == pytest.approx(1.0)


def test_a_shift_costs_phase_only_after_shifting_back() -> None:
    """30 samples of 600 late: phase 1 - 30 / 120; magnitude and slope are those of equal curves, nearly."""
    found = iso18571(TIME, wave(), wave(0.003))
    assert found.shift == pytest.approx(0.003)
    assert found.phase == pytest.approx(0.75)
    assert found.magnitude == pytest.approx(1.0, abs=1e-3)
    assert found.slope == pytest.approx(1.0, abs=1e-3)
    assert iso18571(TIME, wave(), wave(-0.003)).shift == pytest.approx(-0.003)


def test_a_size_costs_magnitude_and_slope_by_its_excess() -> None:
    """10 % too large: slope error 0.1 of 2; no shift."""
    found = iso18571(TIME, wave(), wave(scale=1.1))
    assert (found.phase, found.slope) == pytest.approx((1.0, 0.95))
    assert 0.8 <= found.magnitude < 1.0  # warping takes away part of the excess


def test_the_corridor_by_hand() -> None:
    """A constant offset of 27.5 % of the peak is half way between the corridors: a quarter."""
    reference = wave()
    offset = reference + 0.275 * np.abs(reference).max()
    assert iso18571(TIME, reference, offset).corridor == pytest.approx(0.25)
    assert iso18571(TIME, reference, reference + 0.04 * np.abs(reference).max()).corridor == pytest.approx(1.0)
    assert iso18571(TIME, reference, reference + 0.6 * np.abs(reference).max()).corridor == 0.0


def test_warping_is_the_cheapest_path() -> None:
    """Against the plain recursion over all cells."""
    random = np.random.default_rng(1)
    one, two = np.cumsum(random.normal(size=(2, 60)), axis=1)
    n, reach = 60, int(np.ceil(0.1 * 60)) - 1
    cost = np.full((n, n), np.inf)
    for i in range(n):
        for j in range(max(0, i - reach), min(n, i + reach + 1)):
            before = [cost[i - 1, j] if i else np.inf, cost[i, j - 1] if j else np.inf]
            before.append(cost[i - 1, j - 1] if i and j else np.inf)
            cost[i, j] = (one[i] - two[j]) ** 2 + (0.0 if i == j == 0 else min(before))
    first, second = _warped(one, two)
    assert ((one[first] - two[second]) ** 2).sum() == pytest.approx(cost[-1, -1])
    assert np.abs(first - second).max() <= reach
    assert set(np.diff(first)) | set(np.diff(second)) <= {0, 1}


@pytest.mark.parametrize("seed", range(6))
def test_against_objective_rating_metrics(seed: int) -> None:
    """All four parts and the whole, on noisy curves; that package is right here."""
    theirs = pytest.importorskip("objective_rating_metrics.rating")
    random = np.random.default_rng(seed)
    other = wave(0.002 * random.normal(), 1.0 + 0.2 * random.normal()) + random.normal(size=600) + 2.0 * random.normal()
    found = iso18571(TIME, wave(), other)
    rating = theirs.ISO18571(np.column_stack([TIME, wave()]), np.column_stack([TIME, other]))
    parts = ("overall", "corridor", "phase", "magnitude", "slope")
    assert found[:5] == pytest.approx([float(getattr(rating, f"{part}_rating")(-1)) for part in parts], abs=1e-9)


def test_measured_corridors() -> None:
    """Inside the inner band 1, outside the outer one 0, and a band that is wider above than below."""
    reference = wave()
    inner = (reference - 1.0, reference + 2.0)
    outer = (reference - 5.0, reference + 6.0)
    assert corridor_rating(TIME, reference, reference + 2.0, inner=inner, outer=outer).corridor == pytest.approx(1.0)
    assert corridor_rating(TIME, reference, reference - 3.0, inner=inner, outer=outer).corridor == pytest.approx(0.25)
    assert corridor_rating(TIME, reference, reference + 7.0, inner=inner, outer=outer).corridor == 0.0
    with pytest.raises(InputError, match="lower, upper"):
        corridor_rating(TIME, reference, reference, inner=(reference + 1.0, reference - 1.0))


def test_bad_curves_are_refused() -> None:
    with pytest.raises(InputError, match="zero throughout"):
        iso18571(TIME, np.zeros(600), wave())
    with pytest.raises(InputError, match="too few"):
        iso18571(TIME[:10], wave()[:10], wave()[:10])
    bad = wave()
    bad[5] = np.nan
    with pytest.raises(InputError, match="rating: curve: sample 5"):
        iso18571(TIME, wave(), bad)
