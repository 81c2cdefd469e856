"""A convex shape against facets: like a plane on a plane, like a convex body on a box, and with a potential."""

import numpy as np
import pytest

from vitruvian.kernels import layout, patch
from vitruvian.model import Facet
from vitruvian.model.facet_table import Tables
from vitruvian.model.pieces import Faces

NOWHERE = np.int64(-1)


def ellipsoid(*axes):
    kind = np.zeros((1, layout.shape_kind.COUNT), np.int64)
    kind[0, layout.shape_kind.CODE] = layout.shape_type.ELLIPSOID
    shape = np.zeros((1, layout.shape.COUNT))
    shape[0, layout.shape.TERM : layout.shape.TERM + 3] = axes
    shape[0, layout.shape.BOUND] = max(axes)
    return kind, shape


def surface(vertices, faces):
    return Faces(np.array(vertices, dtype=float), tuple(faces), (0,) * len(faces))


def sheet(heights, size=0.1):
    """A triangulated sheet over a grid of heights [m], diagonals to and fro."""
    rows, columns = heights.shape
    vertices = [(size * i, size * j, heights[i, j]) for i in range(rows) for j in range(columns)]
    faces = []
    for i in range(rows - 1):
        for j in range(columns - 1):
            a = i * columns + j
            b, c, d = a + columns, a + columns + 1, a + 1
            faces += [(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)]
    return surface(vertices, faces)


def box(x, y, z):
    vertices = [(i * x, j * y, k * z) for i in (-0.5, 0.5) for j in (-0.5, 0.5) for k in (-0.5, 0.5)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return surface(vertices, [f for a, b, c, d in sides for f in ((a, b, c), (a, c, d))])


class Touch:
    """Depth, normal and point of a shape against a surface, patch by patch."""

    def __init__(self, faces, axes, **options):
        tables = Tables()
        self.roots = [root for _, root, _ in tables.add(faces, **options)]
        self.tables = tables.arrays()
        self.shape = ellipsoid(*axes)

    def __call__(self, rotation, centre, root=0, margin=1.0):
        depth, n, x, place = patch.touch(
            *self.tables, *self.shape, 0, self.roots[root], tuple(rotation.ravel()), tuple(centre), margin, NOWHERE
        )
        return depth, np.array(n), np.array(x), place


def turned(rng):
    w, x, y, z = (q := rng.normal(size=4)) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_coplanar_triangles_are_a_plane():
    rng = np.random.default_rng(1)
    axes = np.array([0.1, 0.06, 0.04])
    touch = Touch(sheet(np.zeros((11, 11))), axes)
    for _ in range(200):
        rotation = turned(rng)
        centre = np.array([*rng.uniform(0.3, 0.7, 2), 0.0])
        reach = np.linalg.norm(axes * rotation[2])
        centre[2] = reach - rng.uniform(0.0, 0.04)
        for step in np.linspace(0.0, 0.1, 11):
            place = centre + step * np.array([1.0, 0.6, 0.0])
            depth, normal, point, _ = touch(rotation, place)
            assert abs(depth - (reach - place[2])) <= 1e-12
            assert np.abs(normal - (0.0, 0.0, 1.0)).max() <= 1e-12
            assert np.abs(point - (place - rotation @ (axes**2 * rotation[2]) / reach)).max() <= 1e-12


def test_box_mesh_is_a_convex_body():
    # depth = min over n of h(n) + max n.v - n.c: attained at the normal, and by no other direction undercut
    rng = np.random.default_rng(2)
    axes, sides = np.array([0.12, 0.1, 0.08]), np.array([0.5, 0.4, 0.3])
    faces = box(*sides)
    touch = Touch(faces, axes)
    everywhere = rng.normal(size=(20000, 3))
    everywhere /= np.linalg.norm(everywhere, axis=1)[:, None]
    touched = 0
    for _ in range(300):
        rotation, centre = turned(rng), rng.uniform(-1, 1, 3) * (0.5 * sides + 0.12)
        depth, normal, _, place = touch(rotation, centre)
        if place < 0 or (np.abs(centre) < 0.5 * sides).all():
            continue
        near = [normal + size * rng.normal(size=(100, 3)) for size in (1e-6, 1e-4, 1e-2)]
        n = np.concatenate([normal[None], *near, everywhere])
        n /= np.linalg.norm(n, axis=1)[:, None]
        phi = np.linalg.norm(axes * (n @ rotation), axis=1) + (n @ faces.vertices.T).max(axis=1) - n @ centre
        assert depth == pytest.approx(phi[0], abs=1e-13)
        assert phi.min() > depth - 1e-13
        touched += depth > 0.0
    assert touched > 50


SURFACES = {
    "facet": sheet(np.zeros((2, 2)), 0.2),
    "box": box(0.3, 0.25, 0.2),
    "valley": sheet(np.array([[0.1, 0.1], [0.0, 0.0], [0.1, 0.1]]), 0.2),
    "waves": sheet(0.02 * np.random.default_rng(3).normal(size=(5, 5))),
}


@pytest.mark.parametrize("name", SURFACES)
def test_normal_is_the_gradient_of_the_depth(name):
    rng = np.random.default_rng(4)
    axes = np.array([0.1, 0.06, 0.04])
    faces = SURFACES[name]
    touch = Touch(faces, axes)
    low, high = faces.vertices.min(axis=0) - 0.05, faces.vertices.max(axis=0) + 0.05
    h, compared = 1e-6, 0
    for _ in range(400):
        rotation, centre = turned(rng), rng.uniform(low, high)
        root = rng.integers(len(touch.roots))
        depth, normal, point, _ = touch(rotation, centre, root)
        if not 0.0 < depth < 0.04:
            continue

        def at(shift, turn):
            spin = np.array([[0, -turn[2], turn[1]], [turn[2], 0, -turn[0]], [-turn[1], turn[0], 0]])
            series = np.eye(3) + spin + 0.5 * spin @ spin
            return touch(series @ rotation, centre + shift, root)[0]  # noqa: B023

        zero = np.zeros(3)
        slope = [(at(h * e, zero) - at(-h * e, zero)) / (2 * h) for e in np.eye(3)]
        spin = [(at(zero, h * e) - at(zero, -h * e)) / (2 * h) for e in np.eye(3)]
        kink = np.abs(np.array(slope) + normal).max() > 1e-6
        if kink:  # two sides equally deep: the slope differs to both sides, the depth does not jump
            assert max(abs(at(h * e, zero) - depth) for e in np.eye(3)) <= 1.0001 * h
            continue
        assert spin == pytest.approx(-np.cross(point - centre, normal), abs=1e-6)
        compared += 1
    assert compared > 30


def star(points=9):
    """A flat star: many convex pieces of one patch."""
    angle = np.pi / points * np.arange(2 * points)
    size = np.where(np.arange(2 * points) % 2, 0.12, 0.3)
    return Facet("star", np.column_stack([size * np.cos(angle), size * np.sin(angle), 0.0 * angle])).faces


@pytest.mark.parametrize("name", ["box", "star"])
def test_tree_finds_what_all_pieces_one_by_one_have(name):
    rng = np.random.default_rng(5)
    faces = star() if name == "star" else SURFACES[name]
    whole = Touch(faces, (0.1, 0.06, 0.04))
    facet, link = whole.tables
    (root,) = whole.roots
    leaves = [k for k in range(root, link[root, layout.tree_node.SKIP]) if link[k, layout.tree_node.FACETS] >= 0]
    assert name == "box" or len(leaves) > 5
    for _ in range(300):
        rotation = turned(rng)
        centre = rng.uniform(faces.vertices.min(axis=0) - 0.05, faces.vertices.max(axis=0) + 0.05)
        depth, _, _, place = whole(rotation, centre)
        single = [
            patch.touch(facet, link, *whole.shape, 0, k, tuple(rotation.ravel()), tuple(centre), 1.0, NOWHERE)
            for k in leaves
        ]
        most = max(value for value, _, _, _ in single)
        if most > 0.0:
            assert depth == pytest.approx(most, abs=1e-13)
        else:
            assert depth <= 0.0
        guess = patch.touch(facet, link, *whole.shape, 0, root, tuple(rotation.ravel()), tuple(centre), 0.0, place)
        if depth > 0.0:
            assert guess[0] == pytest.approx(depth, abs=1e-13)
        else:
            assert guess[0] <= 0.0


def test_wholly_behind_does_not_touch():
    touch = Touch(SURFACES["facet"], (0.05, 0.05, 0.05))
    assert touch(np.eye(3), (0.1, 0.1, -0.02))[0] == pytest.approx(0.07)
    assert touch(np.eye(3), (0.1, 0.1, -0.06))[0] == pytest.approx(-0.01)
    backed = Touch(SURFACES["facet"], (0.05, 0.05, 0.05), backing=0.2)
    assert backed(np.eye(3), (0.1, 0.1, -0.06))[0] == pytest.approx(0.11)


def test_rounding_grows_the_surface():
    plain, rounded = (Touch(SURFACES["facet"], (0.05, 0.05, 0.05), rounding=r) for r in (0.0, 0.01))
    for centre in ((0.1, 0.1, 0.055), (0.23, 0.1, 0.03), (0.23, 0.23, 0.03)):
        assert rounded(np.eye(3), centre)[0] == pytest.approx(plain(np.eye(3), centre)[0] + 0.01, abs=1e-12)


def test_far_depth_bounds_the_gap():
    rng = np.random.default_rng(6)
    touch = Touch(SURFACES["box"], (0.1, 0.06, 0.04))
    for _ in range(200):
        rotation, centre = turned(rng), rng.uniform(-1.0, 1.0, 3)
        exact = touch(rotation, centre, margin=10.0)[0]
        if exact < 0.0:
            assert exact <= touch(rotation, centre, margin=0.0)[0] <= 0.0
