"""Tissue with a thickness: it cannot be compressed beyond it, keeps its energy, and returns its restitution."""

from dataclasses import replace

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.human import human, own_tissue
from vitruvian.kernels import contact_law as kernel
from vitruvian.lab.single_impact import Alone
from vitruvian.model import Body, Configuration, Contact, Ellipsoid, Joint, Plane, System
from vitruvian.model.contact import law_row
from vitruvian.model.contact_law import returned_restitution
from vitruvian.model.tissue import FORCES, Tissue, both, depth_of, piece_value, stiffness_at, viscous_speed
from vitruvian.sim import simulate

HEEL = Tissue(7e3, 0.0176, hardening=2.0, core=4e5, core_depth=0.0147, restitution=0.54)
FLESH = Tissue(2e4, 0.08, hardening=0.3, core=1.5e5, core_depth=0.02, restitution=0.5)
SQUARE = Tissue(3e6, 0.02, exponent=2.0, restitution=0.9)
SCALP = Tissue(1e8, 0.005, exponent=2.0, hardening=3.0, core=8e5, core_depth=0.075, restitution=0.17, viscous_below=1.2)
BUCKLING = ((0.0, 0.0), (0.005, 1000.0), (0.012, 400.0), (0.03, 1500.0), (0.04, 5000.0))


def test_compression_inverts_the_force() -> None:
    """Against bisection, for soft and hard layers, from no force to far beyond any impact."""
    random, force = np.random.default_rng(0), np.concatenate([[0.0], np.geomspace(1e-3, 1e8, 60)])
    for _ in range(100):
        thickness, exponent, hardening = random.uniform([1e-3, 1.0, 0.05], [0.1, 3.0, 4.0]).tolist()
        tissue = Tissue(10.0 ** random.uniform(3.0, 8.0), thickness, exponent, hardening)
        low, high = np.zeros_like(force), np.full_like(force, np.nextafter(thickness, 0.0))
        for _ in range(200):
            middle = 0.5 * (low + high)
            above = tissue.force(middle) > force
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        assert np.allclose(tissue.compression(force), low, rtol=1e-13, atol=0.0)


@pytest.mark.parametrize("tissue", [HEEL, FLESH, SQUARE, SCALP])
def test_no_force_reaches_the_thickness(tissue: Tissue) -> None:
    force = np.geomspace(1e-3, 1e12, 200)
    depth = tissue.compression(force)
    assert (depth < tissue.thickness).all() and (np.diff(depth) >= 0.0).all()
    soft = force < 1e5
    assert tissue.force(depth[soft]) == pytest.approx(force[soft], rel=1e-6)
    step = 1e-4 * force[soft]
    slope = (tissue.depth(force[soft] + step) - tissue.depth(force[soft] - step)) / (2.0 * step)
    assert tissue.compliance(force[soft]) == pytest.approx(slope, rel=1e-4)


@pytest.mark.parametrize("speed", [1.0, 10.0, 40.0])
@pytest.mark.parametrize("tissue", [HEEL, FLESH, SCALP])
def test_an_impact_never_compresses_beyond_the_thickness(tissue: Tissue, speed: float) -> None:
    room = tissue.thickness + tissue.core_depth
    ball = Body("ball", 5.0, np.full(3, 0.02), (Ellipsoid((0.2, 0.2, 0.2), tissue=tissue),))
    system = System((ball,), (Joint("root", "free", None, "ball"),), (Plane("plate"),), gravity=(0.0, 0.0, 0.0))
    start = Configuration({"root": (0, 0, 0.2001, 1, 0, 0, 0)}, {"root": (0, 0, -speed, 0, 0, 0)})
    run = simulate(system, start, duration=0.2 / speed**0.3, rate=1e4, pose_rate=1e4)
    deepest = run.contact_depth.max()
    elastic = piece_value(law_row(Contact(), (tissue,))[2][0], deepest)
    assert 0.0 < deepest < room
    assert tissue.compression(elastic) < tissue.thickness
    assert run.balance_error < 1e-4
    rebound = returned_restitution(tissue.number * min(1.0, speed / tissue.viscous_below))
    assert run.velocity[-1, 0, 2] / speed == pytest.approx(rebound, abs=0.01)


@pytest.mark.parametrize("contact", [Contact(), Contact(1e6, restitution=0.3), Contact(1e7, 1.5, law="hertz")])
def test_layers_and_surface_add_their_depths(contact: Contact) -> None:
    table = law_row(contact, (HEEL,))[2][0]
    force = np.array([3.0, 50.0, 700.0, 9e3, 2e5])
    surface = (force / contact.stiffness) ** (1.0 / contact.exponent)
    assert piece_value(table, HEEL.depth(force) + surface) == pytest.approx(force, rel=1e-3)
    fine = np.linspace(0.0, table[-1, 0], 20000)
    assert (np.diff(piece_value(table, fine)) >= 0.0).all()


def test_the_force_is_the_slope_of_what_is_stored_and_damping_takes_energy() -> None:
    alone = Alone(Contact(5e4, restitution=0.3), (HEEL,))
    tables = alone.kind, alone.value, 0, alone.start, alone.table
    for depth in (1e-4, 3e-3, 0.012, 0.02):
        step = 1e-7
        more, less = (kernel.stored(*tables, depth + sign * step, 0.0) for sign in (1, -1))
        force, elastic, _, _ = alone(depth, 0.0, 1.0, 1.0)
        assert force == pytest.approx(elastic) == pytest.approx((more - less) / (2.0 * step), rel=1e-4)
        for rate in (-0.5, 0.8):
            pushed, _, slope, _ = alone(depth, rate, 1.0, 1.0)
            assert (pushed - elastic) * rate >= 0.0
            further = alone(depth + step, rate, 1.0, 1.0)[0] - alone(depth - step, rate, 1.0, 1.0)[0]
            assert slope == pytest.approx(max(0.0, further / (2.0 * step)), rel=1e-3)


def test_a_curve_has_the_layers_in_series_and_its_way_down_is_the_steepest() -> None:
    part = Contact(law="curve", curve=BUCKLING, unloading_stiffness=1e6)
    _, row, (pieces,) = law_row(part, (HEEL,))
    assert (np.diff(pieces[:, 0]) > 0.0).all()
    assert max(row) > pieces[:, 2].max()
    for depth, force in BUCKLING[1:]:
        if force >= 1000.0:
            assert piece_value(pieces, depth + float(HEEL.depth(force))) == pytest.approx(force, rel=1e-9)


@pytest.mark.parametrize("speed", [0.2, 1.0, 4.0])
def test_below_its_speed_a_tissue_is_viscous(speed: float) -> None:
    # a constant viscosity is the law of a reference speed of v0 with the number reduced by v0 over that speed
    slow = replace(SQUARE, restitution=0.2, viscous_below=2.0)
    ball = Body("ball", 5.0, np.full(3, 0.02), (Ellipsoid((0.2, 0.2, 0.2), tissue=slow),))
    system = System((ball,), (Joint("root", "free", None, "ball"),), (Plane("plate"),), gravity=(0.0, 0.0, 0.0))
    start = Configuration({"root": (0, 0, 0.2001, 1, 0, 0, 0)}, {"root": (0, 0, -speed, 0, 0, 0)})
    run = simulate(system, start, duration=0.6 / speed**0.5, rate=1e4, pose_rate=1e4)
    expected = returned_restitution(slow.number * min(1.0, speed / slow.viscous_below))
    assert run.velocity[-1, 0, 2] / speed == pytest.approx(expected, abs=0.005)
    assert run.balance_error < 1e-4


def test_a_slow_press_meets_the_elastic_force() -> None:
    for tissue, more in ((HEEL, 0.1), (replace(HEEL, viscous_below=5.0), 1e-3)):
        alone = Alone(Contact(), (tissue,))
        force, elastic, _, _ = alone(0.01, 5e-3, 5e-3, 5e-3)
        assert force == pytest.approx(elastic * (1.0 + more * tissue.number), rel=1e-6)


def test_viscosities_add_in_series() -> None:
    quick, slow = Tissue.linear(1e5), replace(Tissue.linear(3e5), restitution=0.3, viscous_below=2.0)
    quick = replace(quick, restitution=0.5)
    # compliances 3 to 1: number over speed, weighted
    share = np.array([0.75, 0.25])
    numbers, speeds = np.array([quick.number, slow.number]), np.array([quick.viscous_below, slow.viscous_below])
    expected = numbers @ share / (numbers / speeds @ share)
    assert viscous_speed((quick, slow), np.inf, 1.0, 0.0) == pytest.approx(expected)
    assert viscous_speed((slow,), 1e5, 1.0, quick.number) == pytest.approx(expected)
    assert viscous_speed((slow,), np.inf, 1.0, 0.0) == pytest.approx(2.0)
    with pytest.raises(InputError, match="viscous_below"):
        replace(slow, viscous_below=0.0)


def test_two_bodies_in_series() -> None:
    assert both(1e5, 1e5) == pytest.approx(5e4)
    force = FORCES[::8]
    pair = both((HEEL,), 1e5)
    assert depth_of(pair)(force) == pytest.approx(HEEL.depth(force) + force / 1e5)
    assert stiffness_at(1e5) == 1e5


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"head": {"stiffness": 1e5, "thickness": 0.2}}, "head: the tissue is 0.2 m thick"),
        ({"head": {"stiffness": 1e5, "thickness": 0.01, "hardening": -1.0}}, "would fall"),
        ({"haed": {"stiffness": 1e5, "thickness": 0.01}}, "head"),
        ("soft", "layered"),
    ],
)
def test_refused_tissue_is_named(given: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        human("175 cm", 77, tissue=own_tissue(given, "human.tissue"))


def test_tissue_follows_size_and_age() -> None:
    man, child = (human(tissue="layered", preset=name) for name in ("50M", "6YO"))
    adult, young = (who.system.body("head").shapes[0].tissue for who in (man, child))
    assert young.core < 0.75 * adult.core
    heel = child.system.body("left_foot").shapes[0].tissue
    assert heel.thickness < man.system.body("left_foot").shapes[0].tissue.thickness
    assert human("175 cm", 77, tissue="linear-1").system.body("head").shapes[0].tissue is None


def test_the_scalp_is_a_layer_of_skin_on_a_round_head() -> None:
    # every ring of the layer is compressed by x - r^2/(2 R): the force is 2 pi R t times the energy density at x/t
    scalp = human("175 cm", 77, tissue="layered").system.body("head").shapes[0].tissue
    modulus, exponent, radius = 1.11e6, 12.0, 0.09
    x = np.linspace(0.1, 0.52, 60) * scalp.thickness
    stretch = 1.0 - x / scalp.thickness
    energy = 2.0 * modulus / exponent**2 * (stretch**exponent + 2.0 * stretch ** (-0.5 * exponent) - 3.0)
    skin = 2.0 * np.pi * radius * scalp.thickness * energy
    used = (skin > 100.0) & (skin < 7e3)
    assert used.sum() > 40
    assert scalp.force(x[used]) == pytest.approx(skin[used], rel=0.17)


def test_a_body_that_gives_way_keeps_its_mass_and_posture() -> None:
    rigid, soft = (human("175 cm", 77, axial=word) for word in ("rigid", "compliant"))
    assert soft.system.mass == pytest.approx(rigid.system.mass)
    assert {joint.name: joint.type for joint in soft.system.joints if joint.name.endswith("_slide")} == {
        "lumbar_slide": "prismatic",
        "left_knee_slide": "translational",
        "right_knee_slide": "translational",
    }


@pytest.mark.needs_jit
def test_flesh_over_bone_does_not_end_in_a_wall():
    """Buttocks from 3 m: with a core that ends at the middle of the segment the ground pushed with 1 MN."""
    run = Scenario.load("fall-ladder-3m").run(check=False).recording
    force = np.linalg.norm(run.contact_force, axis=2)[:, [body == "pelvis" for body, _ in run.pairs]]
    assert 5e3 < force.max() < 40e3
