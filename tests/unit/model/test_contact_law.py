"""Contacts: what a law takes, what is refused, and the Hertz stiffness."""

import re
from math import inf, pi, sqrt

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.lab.single_impact import examples, impact
from vitruvian.model.contact import Contact, law_row
from vitruvian.model.contact_law import FAMILY, LAWS, damping_number, hertz_stiffness, returned_restitution

CURVE = ((0.0, 0.0), (0.01, 1000.0), (0.02, 3000.0))


def test_defaults_are_those_of_the_engine():
    contact = Contact()
    assert (contact.stiffness, contact.exponent, contact.restitution) == (inf, 1.0, 0.1)
    assert (contact.friction, contact.slip_speed, contact.law) == (0.6, 0.05, "hunt-crossley")
    assert contact.number == damping_number(0.1)


def test_exponent_is_that_of_the_law_unless_given():
    assert Contact(1e6, law="hertz").exponent == 1.5
    assert Contact(1e6, law="impact", damping=1.0, ramp=1e-3).exponent == 2.2
    assert Contact(1e6, 2.0, law="flores").exponent == 2.0
    assert Contact(1e6).replace(law="flores").exponent == 1.5
    assert Contact(1e6, 1.3).replace(law="flores").exponent == 1.3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"stiffness": -1.0}, "stiffness is -1.0 N/m.n; it must be greater than zero"),
        ({"restitution": -0.1}, "restitution is -0.1; accepted 0 to 1"),
        ({"restitution": 1.1}, "restitution is 1.1; accepted 0 to 1"),
        ({"restitution": 0.0}, "accepted 0.01 to 1 with the law 'hunt-crossley'"),
        ({"restitution": 0.005, "law": "flores"}, "accepted 0.01 to 1 with the law 'flores'"),
        ({"restitution": float("nan")}, "accepted 0 to 1"),
        ({"law": "hunt-crosley"}, 'Did you mean "hunt-crossley"'),
        ({"law": "kelvin-voigt"}, "needs damping"),
        ({"law": "impact", "damping": 1.0}, "needs ramp"),
        ({"damping": 3.0}, "'hunt-crossley' does not take damping.*Laws that do: kelvin-voigt"),
        ({"law": "kelvin-voigt", "damping": -3.0}, "damping is -3.0; it must not be negative"),
        ({"law": "linear", "exponent": 1.5}, "'linear' has none but 1"),
        ({"exponent": 0.5}, "exponent is 0.5; accepted 1 to 4"),
        ({"law": "general", "damping": 1.0, "rate_power": 0.5}, "rate_power is 0.5; accepted from 1"),
        ({"law": "hertz", "young": 1e9, "stiffness": 1e6}, "both stiffness and young"),
        ({"law": "hertz", "young": 1e9, "poisson": 0.7}, "poisson is 0.7"),
        ({"law": "hertz", "young": -1e9}, "young is -1000000000.0 Pa"),
        ({"reference": "first"}, "accepted: largest, onset"),
        ({"friction_law": "coulom"}, 'Did you mean "coulomb"'),
        ({"thickness": -1e-3}, "thickness is -0.001"),
        ({"law": "curve"}, "needs curve"),
        ({"law": "curve", "curve": CURVE, "stiffness": 1e5}, "takes its curve alone"),
        ({"law": "curve", "curve": (*CURVE, (0.02, 4000.0))}, "row 4 has the depth 0.02 m after 0.02 m"),
        ({"law": "curve", "curve": (*CURVE, (0.03, -1.0))}, "row 4 has the force -1.0 N"),
        ({"law": "curve", "curve": (*CURVE, (0.03, float("nan")))}, "row 4 .*finite"),
        ({"law": "curve", "curve": (*CURVE, (0.03,))}, "row 4 is .*expected depth"),
        ({"law": "curve", "curve": CURVE[1:]}, "row 1 is 0.01 m, 1000.0 N; it must be 0 m, 0 N"),
        ({"law": "curve", "curve": CURVE[:1]}, "at least a second row"),
        ({"law": "curve", "curve": CURVE, "unloading_stiffness": 1e5}, "accepted above 200000 N/m"),
        ({"law": "curve", "curve": CURVE, "unloading": ((0.0, 0.0), (0.02, 3100.0))}, "makes? energy"),
    ],
)
def test_refused(given, message):
    with pytest.raises(InputError) as refused:
        Contact(**given)
    assert re.search(message, str(refused.value)), refused.value


def test_curve_that_falls_faster_than_the_tissue_is_refused():
    contact = Contact(law="curve", curve=((0.0, 0.0), (0.01, 5000.0), (0.011, 0.0)))
    with pytest.raises(InputError, match="falls to row 3"):
        law_row(contact, 1e6)


def test_rigid_against_rigid_is_refused():
    with pytest.raises(InputError, match="rigid"):
        law_row(Contact())


def test_laws_that_do_not_divide_accept_zero():
    assert Contact(1e6, restitution=0.0, law="lankarani-nikravesh").number == 0.75
    assert {name for name in FAMILY if LAWS[name].divides} == {
        "hunt-crossley", "gonthier", "flores", "flores-thesis", "gharib-hurmuzlu", "gharib-hurmuzlu-thesis",
    }  # fmt: skip


def test_hertz_stiffness():
    # two steel balls of 10 mm: k = 2/3 E/(1 - nu2) sqrt(R/2)
    assert hertz_stiffness(0.01, 2e11, 0.3, 0.01, 2e11, 0.3) == pytest.approx(
        2.0 / 3.0 * 2e11 / 0.91 * sqrt(0.005), rel=1e-12
    )
    # a sphere on a rigid plane, and the order of the bodies
    assert hertz_stiffness(0.2, 1e7, 0.5) == pytest.approx(4.0 / 3.0 * 1e7 / 0.75 * sqrt(0.2), rel=1e-12)
    assert hertz_stiffness(0.2, inf, 0.3, inf, 1e7, 0.5) == pytest.approx(hertz_stiffness(0.2, 1e7, 0.5), rel=1e-12)
    for bad in ({"young": inf}, {"radius": inf}, {"poisson": 0.6}, {"radius": -1.0}):
        with pytest.raises(InputError):
            hertz_stiffness(**({"radius": 0.1, "young": 1e9, "poisson": 0.3} | bad))


def test_hertz_contact_takes_the_radius_of_the_shape():
    contact = Contact(law="hertz", young=1e7, poisson=0.5, body_young=1e8, body_poisson=0.3)
    from vitruvian.kernels import layout

    _, row, _ = law_row(contact, radius=0.2)
    assert row[layout.law.STIFFNESS] == pytest.approx(hertz_stiffness(0.2, 1e7, 0.5, inf, 1e8, 0.3), rel=1e-12)
    with pytest.raises(InputError, match="radius"):
        law_row(contact)


def test_returned_restitution_is_the_inverse():
    for e in np.linspace(0.02, 0.999, 40):
        assert returned_restitution(damping_number(e)) == pytest.approx(e, abs=1e-9)
    assert returned_restitution(0.0) == 1.0


@pytest.mark.parametrize("name", ["hunt-crossley", "lankarani-nikravesh", "flores"])
def test_returned_restitution_is_what_a_mass_does(name):
    contact = Contact(1e6, 1.5, 0.3, law=name)
    assert impact(contact, 2.0).restitution == pytest.approx(returned_restitution(contact.number), abs=1e-8)


def test_hertz_peak_and_duration():
    # closed form: d = (5 m v2/(4 k))^(2/5), t = 2.94328 d/v (Johnson 1985)
    from scipy.special import gamma

    hit = impact(Contact(1e6, law="hertz"), 2.0)
    depth = (1.25 * 2.0**2 / 1e6) ** 0.4
    assert hit.depth.max() == pytest.approx(depth, rel=1e-8)
    assert hit.force.max() == pytest.approx(1e6 * depth**1.5, rel=1e-8)
    assert hit.time[-1] == pytest.approx(2.0 * sqrt(pi) * gamma(1.4) / gamma(0.9) * depth / 2.0, rel=1e-6)
    assert hit.restitution == pytest.approx(1.0, abs=1e-6)


def test_caution_names_the_limits():
    assert Contact(1e6).caution(5.0) == ""
    assert "returns 0.67 for the restitution 0.1" in Contact(1e6, law="lankarani-nikravesh").caution(1.0)
    # bone, E072: 0.03 m/s
    bone = Contact(law="hertz", young=17e9, density=1900.0)
    assert bone.speed_limit == pytest.approx(0.03, rel=0.01)
    assert bone.caution(0.02) == ""
    assert "penalty" in bone.caution(3.0)


def test_every_law_has_an_example_and_a_range():
    assert set(LAWS) <= {contact.law for contact in examples().values()}
    assert all(law.valid and law.source for law in LAWS.values())


@pytest.mark.needs_jit
def test_thickness_makes_the_force_begin_at_a_gap():
    from vitruvian.lab.verify.block_and_ball import bounce

    # 3 m/s from 20 mm above: the touch is 5 mm earlier, the rest is the same
    plain, thick = (bounce(Contact(1e5, restitution=0.5, friction=0.0, thickness=t), 3.0) for t in (0.0, 5e-3))
    touch = [next(e.time for e in run.events if e.kind == "touch") for run in (plain, thick)]
    assert touch == pytest.approx([0.02 / 3.0, 0.015 / 3.0], abs=1e-6)
    assert thick.velocity[-1, 0, 2] == pytest.approx(plain.velocity[-1, 0, 2], rel=1e-4)


@pytest.mark.needs_jit
def test_curves_reach_the_engine_with_the_tissue_in_series():
    import numpy as np

    from vitruvian.model import Body, Configuration, Ellipsoid, Joint, Plane, System
    from vitruvian.sim.simulate import simulate

    # a weight that rests on a curve and its tissue: depth of both at the weight
    tissue, mass = 1e5, 50.0
    contact = Contact(law="curve", curve=((0.0, 0.0), (0.01, 400.0), (0.03, 2000.0)), damping=3000.0, friction=0.0)
    body = Body("block", mass, np.ones(3), (Ellipsoid((0.1, 0.1, 0.1), stiffness=tissue),))
    system = System((body,), (Joint("up", "prismatic", None, "block"),), (Plane("seat", contact=contact),))
    weight = mass * 9.80665
    depth = 0.01 + (weight - 400.0) / 8e4 + weight / tissue
    run = simulate(system, Configuration({"up": (0.1 - 0.9 * depth,)}), duration=2.0)
    assert run.contact_depth[-1, 0] == pytest.approx(depth, rel=1e-4)
    assert run.contact_force[-1, 0, 2] == pytest.approx(weight, rel=1e-4)
