"""Every normal force law: never pulls, makes no energy, keeps its slopes, gives back what it says."""

import numpy as np
import pytest
from scipy.integrate import quad

from vitruvian.lab.single_impact import Alone, examples, impact, random_states
from vitruvian.model import Contact

EXAMPLES = examples()
laws = pytest.mark.parametrize("name", EXAMPLES)
MEMORY = [name for name in EXAMPLES if name.startswith(("curve, down", "hertz-permanent"))]


@laws
def test_signs(name):
    states = random_states(np.random.default_rng(1), 2000)
    force, elastic, by_depth, by_rate = Alone(EXAMPLES[name]).many(states).T
    assert (by_depth >= 0.0).all()
    assert (by_rate >= 0.0).all()
    if not EXAMPLES[name].pull:
        assert (force >= 0.0).all()
    else:
        assert (force < 0.0).any()
    # what is not elastic takes energy out
    assert ((force - elastic) * states[:, 1] >= -1e-12 * (abs(force) + abs(elastic))).all()


@laws
def test_slopes_against_finite_differences(name):
    alone = Alone(EXAMPLES[name])
    h, onset, largest = 1e-8, 3.0, 4.0
    for d, r, peak in ((2e-3, 1.0, 0.0), (2e-3, 3.0, 0.0), (6.5e-3, 0.2, 7e-3), (9e-3, -0.2, 9.4e-3), (0.02, 2.0, 0.0)):
        force, _, by_depth, by_rate = alone(d, r, onset, largest, peak)
        if force == 0.0:
            continue

        def at(d, r, peak=peak):
            return alone(d, r, onset, largest, peak)[0]

        slope = (at(d + h, r) - at(d - h, r)) / (2.0 * h)
        # buckling: the implicit step takes no negative stiffness
        assert by_depth == pytest.approx(max(0.0, slope), rel=2e-5, abs=1e-3)
        assert by_rate == pytest.approx((at(d, r + h) - at(d, r - h)) / (2.0 * h), rel=1e-5, abs=1e-3)


@pytest.mark.parametrize("name", MEMORY)
@pytest.mark.parametrize("top", [3e-3, 5e-3, 9e-3, 0.02, 0.035])
def test_the_way_down_gives_back_the_recoverable_energy(name, top):
    alone = Alone(EXAMPLES[name])
    corners = [0.005, 0.006, 0.012, 0.03, 0.0015]
    inside = [x for x in corners if x < top]
    stored, _ = quad(lambda d: alone(d, 0.0)[1], 0.0, top, points=inside, limit=400, epsabs=1e-11)
    back, _ = quad(lambda d: alone(d, -1e-9, peak=top)[0], 0.0, top, points=inside, limit=2000, epsabs=1e-11)
    spent, _ = quad(lambda d: alone(d, 0.0)[0], 0.0, top, points=inside, limit=400, epsabs=1e-11)
    assert back == pytest.approx(stored, rel=1e-5, abs=1e-7)
    assert back < spent


@pytest.mark.parametrize("name", MEMORY)
def test_reloads_along_the_same_path_to_the_peak(name):
    alone = Alone(EXAMPLES[name])
    top = 0.01
    for d in np.linspace(1e-4, 0.99 * top, 23):
        down, up = alone(d, -1e-12, peak=top), alone(d, 1e-12, peak=top)
        assert down[0] == pytest.approx(up[0], abs=1e-6)
    # and is continuous there
    assert alone(top * (1 - 1e-9), 0.0, peak=top)[0] == pytest.approx(alone(top, 0.0, peak=top)[0], rel=1e-5)


def test_permanent_indentation_leaves_its_depth():
    hit = impact(Contact(1e6, law="hertz-permanent", permanent=2e-3), 2.0)
    assert hit.residual == pytest.approx(2e-3, rel=0.02)
    # a second, slower impact finds the dent and is elastic
    again = Alone(Contact(1e6, law="hertz-permanent", permanent=2e-3))
    peak = hit.depth.max()
    assert again(1.9e-3, 1.0, peak=peak) == (0.0, 0.0, 0.0, 0.0)
    force, elastic, _, _ = again(4e-3, 1.0, peak=peak)
    assert force == elastic > 0.0


def test_published_reference_is_the_speed_at_onset():
    largest, onset = (Alone(Contact(1e6, restitution=0.5, reference=name)) for name in ("largest", "onset"))
    # pressed faster than it touched
    assert onset(1e-3, 2.0, 1.0, 2.0)[0] > 1.5 * largest(1e-3, 2.0, 1.0, 2.0)[0]
    assert onset(1e-3, 2.0, 2.0, 2.0) == largest(1e-3, 2.0, 2.0, 2.0)
    # before the speed at onset is known, the present one stands in
    assert onset(1e-9, 2.0)[0] == largest(1e-9, 2.0)[0]


def test_kelvin_voigt_jumps_at_touch_and_the_ramp_does_not():
    sudden = Alone(Contact(1e5, law="kelvin-voigt", damping=200.0))
    ramped = Alone(Contact(1e5, law="kelvin-voigt", damping=200.0, ramp=1e-3))
    assert sudden(1e-12, 2.0)[0] == pytest.approx(400.0)
    assert ramped(1e-12, 2.0)[0] < 1e-6
    assert ramped(1e-3, 2.0)[0] == sudden(1e-3, 2.0)[0]


def test_tissue_in_series_with_a_curve():
    contact, tissue = Contact(law="curve", curve=((0.0, 0.0), (0.01, 1000.0), (0.02, 500.0), (0.05, 4000.0))), 1.5e5
    for depth in (0.004, 0.013, 0.03, 0.07):
        alone, both = Alone(contact), Alone(contact, tissue)
        force = alone(depth, 0.0)[0]
        assert both(depth + force / tissue, 0.0)[0] == pytest.approx(force, rel=1e-12)
