"""Edges of a solid that become rounder with the depth: another way to the depth, and one way out."""

import numpy as np
import pytest

from vitruvian.kernels import layout
from vitruvian.lab.verify.seams import PELVIS, deep_in
from vitruvian.sim.angle import rotation_matrices
from vitruvian.world.front import front

pytestmark = pytest.mark.needs_jit
RADIUS = 0.12  # of the edges of the ready fronts [m]


def outline(car):
    """Sides of the region below the windscreen: normals in the x-z plane and levels [m], without the edge radius."""
    solid = front(car).surface().solids[0]
    corners = solid.whole.vertices[: len(solid.whole.vertices) // 2, [0, 2]]
    along = np.roll(corners, -1, axis=0) - corners
    along /= np.linalg.norm(along, axis=1)[:, None]
    normal = np.stack([along[:, 1], -along[:, 0]], axis=1)
    bent = np.linalg.norm(normal - np.roll(normal, 1, axis=0), axis=1) > 1e-6  # bonnet and cowl lie in one plane
    return normal[bent], np.sum(normal * corners, axis=1)[bent], solid.inset


def reach(normal, level, direction):
    """Support of the polygon of all sides along directions [m], by the corners where neighbouring sides meet."""
    corners = [
        np.linalg.solve(np.stack([normal[k - 1], normal[k]]), (level[k - 1], level[k])) for k in range(len(level))
    ]
    return (direction @ np.array(corners).T).max(axis=1)


def deepest(car, form, centre):
    """Depth [m] of an ellipsoid by bisection over dense directions; the edge radius grows as in the theory."""
    normal, level, inset = outline(car)
    most = min(RADIUS, 0.99 * inset)
    angle = np.linspace(-np.pi, np.pi, 20_001)
    angle = np.sort(np.append(angle, np.arctan2(normal[:, 1], normal[:, 0])))
    way = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    flat = form[np.ix_([0, 2], [0, 2])]
    own = np.sqrt(np.einsum("ki,ij,kj->k", way, flat, way)) - way @ centre[[0, 2]]
    low, high = 0.0, float((own + reach(normal, level, way)).min()) + RADIUS
    for _ in range(40):
        depth = 0.5 * (low + high)
        x = np.clip((depth - 0.5 * RADIUS) / (1.5 * most), 0.0, 1.0)
        more = most * x * x * (3.0 - 2.0 * x)
        found = float((own + reach(normal, level - more, way)).min()) + RADIUS + more
        low, high = (depth, high) if found > depth else (low, depth)
    return low


@pytest.mark.parametrize("car", ["van", "sedan"])
def test_the_depth_is_that_of_a_polygon_whose_sides_are_moved_inwards(car):
    pressed, (x, _, z) = deep_in(car)
    rng, deep = np.random.default_rng(5), 0
    for _ in range(40):
        turn = rotation_matrices(rng.normal(size=(1, 3)))[0]
        centre = np.array([x + rng.uniform(-0.1, 0.2), 0.0, z + rng.uniform(-0.15, 0.1)])
        pressed(centre, turn)
        pairs, candidate = pressed.work.pair, pressed.compiled.model.candidate
        region = pressed.compiled.model.shape_kind[candidate[:, layout.candidate.SHAPE_B], layout.shape_kind.REGION]
        depth = pairs[region == region[0], layout.pair.DEPTH].max()
        expected = deepest(car, turn @ np.diag(np.square(PELVIS)) @ turn.T, centre)
        deep += expected > RADIUS
        assert max(depth, 0.0) == pytest.approx(expected, abs=2e-7)
    assert deep > 10


def test_the_way_out_turns_by_little_from_one_millimetre_to_the_next():
    """The pelvis of a 95M, 185 mm deep in a van at 40.85 km/h, found its force turned by 27 degrees in a step."""
    pressed, (x, _, z) = deep_in("van")
    tilt = rotation_matrices(np.array([[0.0, -0.3, 0.0]]))[0]
    for ahead in (0.1, 0.08, 0.06):
        forces = np.array([pressed(np.array([x + ahead, 0.0, z + s]), tilt)[0] for s in np.arange(-0.15, 0.0, 1e-3)])
        size = np.linalg.norm(forces, axis=1)
        assert size.min() > 10e3  # 1e5 N/m: more than 0.1 m deep
        assert np.linalg.norm(np.diff(forces / size[:, None], axis=0), axis=1).max() < 0.1
