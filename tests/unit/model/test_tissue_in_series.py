"""A soft tissue on a surface: both carry the same force, whatever the exponent of the surface."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.kernels import contact_law, layout
from vitruvian.lab.single_impact import Alone
from vitruvian.model import LAWS, Contact
from vitruvian.model.contact import law_row, tissue_share

TISSUE = 1e6  # [N/m]


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("depth", [1e-5, 1e-3, 0.02])
def test_depths_add_up_at_the_same_force(exponent, depth):
    """Item 3: k_tissue [N/m] and k_surface [N/m^n] were added as if they were of one kind."""
    contact = Contact(5e8, exponent, law="hunt-crossley", restitution=1.0)
    force, elastic, slope, _ = Alone(contact, TISSUE)(depth, 0.0)
    expected = brentq(lambda f: f / TISSUE + (f / 5e8) ** (1.0 / exponent) - depth, 0.0, TISSUE * depth, xtol=1e-12)
    assert force == pytest.approx(expected, rel=1e-9)
    assert elastic == force
    h = 1e-4 * depth
    around = [Alone(contact, TISSUE)(depth + side * h, 0.0)[0] for side in (-1.0, 1.0)]
    assert slope == pytest.approx((around[1] - around[0]) / (2.0 * h), rel=1e-5)


@pytest.mark.parametrize("name", ["hertz", "hertz-permanent", "linear", "curve"])
def test_stored_energy_is_the_integral_of_the_way_out(name):
    options = {"curve": {"curve": ((0.0, 0.0), (0.01, 3e3), (0.03, 5e3)), "unloading_stiffness": 6e5}}
    contact = Contact(law=name, **options.get(name, {"stiffness": 5e7}))
    alone, peak = Alone(contact, TISSUE), 0.025
    for depth in (0.004, 0.018, 0.025):
        out, _ = quad(lambda d: alone(d, -1e-9, peak=peak)[0], 0.0, depth, limit=2000, epsabs=1e-10)
        kept = contact_law.stored(alone.kind, alone.value, 0, alone.start, alone.table, depth, peak)
        assert kept == pytest.approx(out, rel=1e-5, abs=1e-8)


def test_permanent_indentation_is_that_of_the_surface_not_of_the_tissue():
    contact = Contact(5e7, law="hertz-permanent", permanent=2e-3)
    alone, peak = Alone(contact, TISSUE), 0.02
    assert alone(1.9e-3, -1.0, peak=peak)[0] == 0.0
    assert alone(2.1e-3, -1.0, peak=peak)[0] > 0.0
    # continuous at the peak, and back to it
    at = alone(peak, 0.0, peak=peak)[0]
    assert alone(peak * (1.0 - 1e-9), -1.0, peak=peak)[0] == pytest.approx(at, rel=1e-6)


def test_on_a_rigid_surface_the_tissue_alone_gives_way():
    for exponent in (1.0, 1.5):
        _, row, _ = law_row(Contact(exponent=exponent), TISSUE)
        assert (row[layout.law.STIFFNESS], row[layout.law.EXPONENT], row[layout.law.TISSUE]) == (TISSUE, 1.0, 0.0)
    with pytest.raises(InputError, match="leaves a dent in the surface, which is rigid"):
        law_row(Contact(law="hertz-permanent"), TISSUE)


def test_share_of_the_tissue():
    depth = np.array([1e-3, 0.01])
    assert tissue_share(Contact(TISSUE), TISSUE, depth) == pytest.approx([0.5, 0.5])
    assert tissue_share(Contact(), TISSUE, depth) == pytest.approx([1.0, 1.0])
    share = tissue_share(Contact(5e8, 1.5), TISSUE, depth)
    force = TISSUE * share * depth
    assert force == pytest.approx(5e8 * ((1.0 - share) * depth) ** 1.5, rel=1e-9)


@pytest.mark.needs_jit
def test_a_head_on_hard_ground_does_not_depend_on_the_exponent_of_the_ground():
    """Item 3: 144 g and 38 mm on Hertz concrete in place of 420 g and 3.8 mm."""
    peaks, depths = [], []
    for exponent, stiffness in ((1.0, 1.9e9), (1.5, 1e11)):
        contact = {"law": "hunt-crossley", "exponent": exponent, "stiffness": stiffness, "restitution": 0.1}
        result = Scenario.load("fall-standing-backward", {"surface.ground.contact": contact}).run()
        rows = [c for c, (body, _) in enumerate(result.recording.pairs) if body == "head"]
        peaks.append(result.resultant_g("head")[1].max())
        depths.append(result.recording.final["memory"][rows, layout.history.PEAK_DEPTH].max())
    assert peaks[1] == pytest.approx(peaks[0], rel=0.03)
    assert depths[1] == pytest.approx(depths[0], rel=0.05)


@pytest.mark.parametrize("name", [name for name, entry in LAWS.items() if "restitution" not in entry.takes])
def test_a_law_without_a_restitution_refuses_one(name):
    """Item 7: hertz with a restitution of 0.2 rebounded with 0.9997."""
    given = {"damping": 100.0, "ramp": 1e-3, "curve": ((0.0, 0.0), (0.01, 1e3))}
    needs = {need: given[need] for need in LAWS[name].needs}
    assert Contact(law=name, **needs).restitution is None
    with pytest.raises(InputError, match=f"contact law '{name}' does not take restitution"):
        Contact(law=name, restitution=0.2, **needs)


def test_a_row_of_the_surface_table_with_another_law_keeps_no_restitution():
    contact = {"base": "concrete", "law": "hertz", "stiffness": 1e9}
    system, _ = Scenario.load("fall-1cm", {"surface.ground.contact": contact}).build()
    assert system.surfaces[0].contact.restitution is None
    with pytest.raises(InputError, match="does not take restitution"):
        Scenario.load("fall-1cm", {"surface.ground.contact": contact | {"restitution": 0.3}}).build()
