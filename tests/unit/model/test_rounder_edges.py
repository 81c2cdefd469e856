"""Edges of a solid that become rounder with the depth: another way to the depth, and one way out."""

import numpy as np
import pytest

from vitruvian.kernels import layout
from vitruvian.lab.verify.seams import PELVIS, deep_in
from vitruvian.sim.angle import rotation_matrices
from vitruvian.world.front import front

pytestmark = pytest.mark.needs_jit
RADIUS = 0.12  # of the edges of the ready fronts [m]


def shapes(car):
    """Corners (x, z) [m] of the region below the windscreen, of what is left of it inside, and the inset [m].

    Underside and inner wall, whose normals point down and back, move by a quarter of the others.
    """
    solid = front(car).surface().solids[0]
    corners = solid.whole.vertices[: len(solid.whole.vertices) // 2, [0, 2]]
    along = np.roll(corners, -1, axis=0) - corners
    normal = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
    inset, _ = solid.rounder(2.5 * RADIUS)
    level = (
        np.sum(normal * corners, axis=1) - np.where((normal[:, 1] < -0.99) | (normal[:, 0] < -0.5), 0.25, 1.0) * inset
    )
    # where two sides meet and no other side is passed
    count = range(len(level))
    meet = [np.linalg.solve(normal[[i, j]], level[[i, j]]) for i in count for j in range(i) if crossing(normal, i, j)]
    return corners, np.array([p for p in meet if (normal @ p <= level + 1e-9).all()]), inset


def crossing(normal, i, j):
    return abs(np.linalg.det(normal[[i, j]])) > 1e-9


def deepest(car, form, centre):
    """Depth [m] of an ellipsoid by bisection over dense directions, in the blend of both polygons."""
    corners, left, most = shapes(car)
    side = np.roll(corners, -1, axis=0) - corners
    angle = np.linspace(-np.pi, np.pi, 20_001)
    angle = np.sort(np.append(angle, np.arctan2(-side[:, 0], side[:, 1])))
    way = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    own = np.sqrt(np.einsum("ki,ij,kj->k", way, form[np.ix_([0, 2], [0, 2])], way)) - way @ centre[[0, 2]]
    outer, inner = (way @ corners.T).max(axis=1) + RADIUS, (way @ left.T).max(axis=1) + RADIUS + most
    # the slope of the increase by depth: a trapezium from 3/4 of the radius on
    depths = np.linspace(0.0, 1.0, 200_001)
    ramp = 0.5 * RADIUS
    slope = np.interp(depths - 0.75 * RADIUS, [0.0, ramp, most, most + ramp], [0.0, 1.0, 1.0, 0.0], left=0.0, right=0.0)
    increase = np.concatenate([[0.0], np.cumsum(0.5 * (slope[1:] + slope[:-1])) * depths[1]])
    low, high = 0.0, float((own + outer).min())
    for _ in range(40):
        depth = 0.5 * (low + high)
        share = np.interp(depth, depths, increase) / most
        found = float((own + (1.0 - share) * outer + share * inner).min())
        low, high = (depth, high) if found > depth else (low, depth)
    return low


@pytest.mark.parametrize("car", ["van", "sedan"])
def test_the_depth_is_that_in_a_blend_of_the_region_and_of_a_rounder_one(car):
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
    for car in ("van", "sedan", "suv"):
        pressed, (x, _, z) = deep_in(car)
        for height in np.arange(-0.1, 0.1, 0.02):
            forces = np.array(
                [pressed(np.array([x + s, 0.0, z + height]), np.eye(3))[0] for s in np.arange(-0.1, 0.2, 1e-3)]
            )
            size = np.linalg.norm(forces, axis=1)
            direction = forces[size > 0.0] / size[size > 0.0, None]
            assert np.linalg.norm(np.diff(direction, axis=0), axis=1).max() < 0.1
