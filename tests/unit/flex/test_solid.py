"""Solids of finite elements, files of matrices, and mass points that do not depend on the mesh."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import scipy.sparse as sp

from vitruvian.errors import InputError, MissingExtra
from vitruvian.flex import (
    Interface,
    Material,
    craig_bampton,
    flexible,
    read_matrix,
    read_solid,
    read_structure,
    reduced,
    solid,
    tube_mesh,
)
from vitruvian.flex.station import mass_points
from vitruvian.model import Body, Joint, System

BONE = Material(17e9, 0.3, 1900.0)


@pytest.fixture(scope="module")
def tube():
    return solid(*tube_mesh(0.037, 0.027, 0.421, (12, 1, 2)), BONE)


def test_mass_points_keep_all_integrals_and_do_not_grow_with_the_mesh(tube):
    ring = np.flatnonzero(tube.nodes[:, 0] < 1e-9)
    modes = craig_bampton(tube, [int(np.argmax(tube.nodes[:, 0]))], count=2, clamped=ring)
    body, points = reduced("tube", tube, modes), mass_points(tube, modes)
    assert len(points) == 4 + 3 * modes.count < len(tube.nodes)
    mass = np.array([point.mass for point in points])
    place = np.array([point.point for point in points])
    shape = np.array([point.shape[:, 3:] for point in points])  # (point, mode, direction)
    assert mass.sum() == pytest.approx(body.mass)
    assert mass @ place == pytest.approx(body.moment, abs=1e-12)
    assert np.einsum("p,pi,pj->ij", mass, place, place) == pytest.approx(body.second, abs=1e-12)
    assert np.einsum("p,pki->ik", mass, shape) == pytest.approx(body.shift, abs=1e-10)
    assert np.einsum("p,pi,pkj->ijk", mass, place, shape) == pytest.approx(body.mixed, abs=1e-10)
    assert np.einsum("p,pki,plj->ijkl", mass, shape, shape) == pytest.approx(body.product, abs=1e-8)


def test_matrices_and_meshes_come_back_from_files(tube, tmp_path):
    import meshio

    sp.save_npz(tmp_path / "mass.npz", sp.csr_matrix(tube.mass))
    from scipy.io import mmwrite

    mmwrite(tmp_path / "stiffness.mtx", tube.stiffness)
    np.save(tmp_path / "nodes.npy", tube.nodes)
    again = read_structure(tmp_path / "mass.npz", tmp_path / "stiffness.mtx", tmp_path / "nodes.npy")
    points, cells = tube_mesh(0.037, 0.027, 0.421, (12, 1, 2))
    meshio.write(tmp_path / "tube.vtu", meshio.Mesh(points, [("hexahedron", cells)]))
    from_mesh = read_solid(tmp_path / "tube.vtu", BONE)
    for other in (again, from_mesh):
        for name in ("mass", "stiffness"):
            wanted = getattr(tube, name)
            assert abs(getattr(other, name) - wanted).max() < 1e-12 * abs(wanted).max()


def test_wrong_solids_are_refused_with_the_item(tube, tmp_path, monkeypatch):
    import meshio

    points, cells = tube_mesh(0.037, 0.027, 0.421, (12, 1, 2))
    with pytest.raises(InputError, match="density"):
        Material(17e9, 0.3, 0.0)
    with pytest.raises(InputError, match="'wedge' are not supported"):
        solid(points, cells, BONE, "wedge")
    with pytest.raises(InputError, match="have 4 corners"):
        solid(points, cells, BONE, "tetra")
    with pytest.raises(InputError, match="there are points 0 to"):
        solid(points, cells + 1000, BONE)
    meshio.write(tmp_path / "skin.vtu", meshio.Mesh(points, [("quad", cells[:, :4])]))
    with pytest.raises(InputError, match="kinds quad; accepted: one block"):
        read_solid(tmp_path / "skin.vtu", BONE)
    with pytest.raises(InputError, match="no mesh can be read"):
        read_solid(tmp_path / "none.vtu", BONE)
    with pytest.raises(InputError, match=r"\.npz"):
        read_matrix(tmp_path / "mass.txt")
    with pytest.raises(InputError, match="singular"):
        craig_bampton(tube, [], count=1, clamped=[0])
    ring = np.flatnonzero(tube.nodes[:, 0] < 1e-9)
    modes = craig_bampton(tube, [int(np.argmax(tube.nodes[:, 0]))], count=1, clamped=ring)
    system = System(
        (Body("tube", 1.0, np.ones(3)), Body("end", 1.0, np.ones(3))),
        (
            Joint("top", "revolute", None, "tube", point_child=tuple(tube.nodes[ring[0]].tolist())),
            Joint("low", "revolute", "tube", "end", (0.421, 0.0, 0.0)),
        ),
    )
    with pytest.raises(InputError, match="every joint needs a node"):
        flexible(system, "tube", tube, modes, interfaces={"side": Interface(int(ring[0]))})
    monkeypatch.setitem(sys.modules, "skfem", None)
    with pytest.raises(MissingExtra, match=r"vitruvian\[solid\]"):
        solid(points, cells, BONE)
