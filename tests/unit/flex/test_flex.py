"""Beams, modes and reduced bodies: textbook matrices, rigid motions, bad input."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.io import mmwrite

from vitruvian.errors import InputError
from vitruvian.flex import (
    Interface,
    Material,
    Section,
    beam,
    craig_bampton,
    eigenmodes,
    imported,
    nodal,
    read_matrix,
    reduced,
    straight,
    truncation,
    tube,
)
from vitruvian.flex.structure import element_axes

STEEL = Material(2e11, 0.3, 7800.0)
SECTION = tube(0.02, 0.015)


def test_planar_element_is_the_textbook_one() -> None:
    """Stiffness, consistent mass and geometric stiffness of one Euler-Bernoulli element."""
    length = 0.5
    one = beam(straight(length, 1), SECTION, STEEL, planar=True, theory="euler-bernoulli", rotary=False)
    bend = STEEL.young * SECTION.inertia_z / length**3
    stiffness = bend * np.array(
        [
            [12, 6 * length, -12, 6 * length],
            [6 * length, 4 * length**2, -6 * length, 2 * length**2],
            [-12, -6 * length, 12, -6 * length],
            [6 * length, 2 * length**2, -6 * length, 4 * length**2],
        ]
    )
    l, l2 = length, length**2
    mass = (STEEL.density * SECTION.area * length / 420.0) * np.array(
        [
            [156, 22 * l, 54, -13 * l],
            [22 * l, 4 * l2, 13 * l, -3 * l2],
            [54, 13 * l, 156, -22 * l],
            [-13 * l, -3 * l2, -22 * l, 4 * l2],
        ]
    )
    tension = np.array(
        [[36, 3 * l, -36, 3 * l], [3 * l, 4 * l2, -3 * l, -l2], [-36, -3 * l, 36, -3 * l], [3 * l, -l2, -3 * l, 4 * l2]]
    ) / (30.0 * l)
    across = np.ix_([1, 2, 4, 5], [1, 2, 4, 5])
    np.testing.assert_allclose(one.stiffness.toarray()[across], stiffness, rtol=1e-12)
    np.testing.assert_allclose(one.mass.toarray()[across], mass, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(one.geometric(np.ones(1)).toarray()[across], tension, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("theory", ["euler-bernoulli", "timoshenko"])
def test_rigid_motions_cost_no_energy_and_carry_the_inertia(theory: str) -> None:
    """A bent frame in space: K R = 0, and R^T M R has the mass on its diagonal."""
    nodes = np.array([[0.0, 0, 0], [0.4, 0.1, 0.0], [0.5, 0.5, 0.2], [0.5, 0.5, 0.9]])
    frame = beam(nodes, SECTION, STEEL, theory=theory)
    rigid = frame.rigid_modes()
    mass = STEEL.density * SECTION.area * sum(np.linalg.norm(np.diff(nodes, axis=0), axis=1))
    assert abs(frame.stiffness @ rigid).max() < 1e-9 * abs(frame.stiffness).max()
    np.testing.assert_allclose(np.diag(rigid.T @ (frame.mass @ rigid))[:3], mass, rtol=1e-12)


def test_turned_beam_has_the_same_frequencies() -> None:
    """Element rotation (2.69): a beam in any direction."""
    turn = element_axes(np.zeros(3), np.array([1.0, 2.0, -0.5]))[1]
    there, here = (beam(straight(1.0, 4) @ t.T, SECTION, STEEL) for t in (turn, np.eye(3)))
    np.testing.assert_allclose(eigenmodes(there, count=6).frequency, eigenmodes(here, count=6).frequency, rtol=1e-8)


def test_reduced_body_does_not_depend_on_the_mesh() -> None:
    """The arrays have the size of the modes; the mass properties are those of the rod."""
    sizes = []
    for count in (4, 16):
        rod = beam(straight(1.0, count), SECTION, STEEL)
        body = reduced("rod", rod, eigenmodes(rod, count=3), interfaces={"end": Interface(count, (0.0, 0.1, 0.0))})
        sizes.append(body.product.shape)
        assert body.second[0, 0] == pytest.approx(body.mass / 3.0, rel=1e-12)
        np.testing.assert_allclose(body.markers["end"].place, [1.0, 0.1, 0.0])
    assert sizes[0] == sizes[1] == (3, 3, 3, 3)


def test_modes_may_be_switched_off() -> None:
    """Fewer modes leave more energy out."""
    rod = beam(straight(1.0, 8), SECTION, STEEL, planar=True)
    modes = craig_bampton(rod, (0, 8), count=4)
    load = rod.load(4, (0.0, 100.0, 0.0))
    missing = [truncation(rod, modes.only(range(n)), load).energy for n in range(1, modes.count + 1)]
    assert all(after <= before + 1e-12 for before, after in pairwise(missing))


def test_matrices_are_read(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Matrix Market and NumPy files give the same matrix."""
    matrix = np.diag([1.0, 2.0, 3.0])
    np.save(tmp_path / "m.npy", matrix)
    mmwrite(tmp_path / "m.mtx", matrix)
    np.testing.assert_array_equal(read_matrix(tmp_path / "m.npy"), matrix)
    np.testing.assert_array_equal(np.asarray(read_matrix(tmp_path / "m.mtx")), matrix)
    with pytest.raises(InputError, match="Matrix Market"):
        read_matrix(tmp_path / "m.txt")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Material(1e9, 0.3, 0.0), "density"),
        (lambda: Section(0.0, 1.0, 1.0, 1.0), "area"),
        (lambda: tube(0.01, 0.02), "outer > inner"),
        (lambda: beam(straight(1.0, 2), SECTION, STEEL, theory="shell"), "timoshenko"),
        (lambda: beam(np.zeros((2, 3)), SECTION, STEEL), "no length"),
        (lambda: beam(straight(1.0, 2), SECTION, STEEL, rotary=False), "torsion"),
        (lambda: eigenmodes(beam(straight(1.0, 2), SECTION, STEEL), count=1, reference="glued"), "free-free"),
        (lambda: nodal(beam(straight(1.0, 3), SECTION, STEEL), "two-cantilever"), "middle"),
        (lambda: craig_bampton(beam(straight(1.0, 2), SECTION, STEEL), [7], count=1), r"no nodes \[7\]"),
        (lambda: craig_bampton(beam(straight(1.0, 2), SECTION, STEEL), [2], count=1, clamped=[2]), "clamped, so"),
        (lambda: craig_bampton(beam(straight(1.0, 2), SECTION, STEEL), [], count=1), "need an interface"),
        (lambda: craig_bampton(beam(straight(1.0, 2), SECTION, STEEL), [1], count=0), "no elastic mode"),
        (lambda: imported(np.eye(3), np.eye(6), np.zeros((2, 3))), "6 x 6"),
        (lambda: imported(np.zeros((6, 6)), np.eye(6), np.zeros((2, 3))), "density"),
        (lambda: eigenmodes(imported(np.eye(6), np.zeros((6, 6)), np.eye(3)[:2]), count=1), "requested|singular"),
        (
            lambda: reduced("rod", r := beam(straight(1.0, 2), SECTION, STEEL), nodal(r, "cantilever")).marker("knee"),
            "interface",
        ),
    ],
)
def test_bad_input_is_refused(make, message: str) -> None:  # type: ignore[no-untyped-def]
    """The message names the item."""
    with pytest.raises(InputError, match=message):
        make()
