"""A convex shape against surfaces of facets: like a plane, like a convex body, continuous, and with a potential. SI."""

from __future__ import annotations

import numpy as np

from ...kernels import layout
from ...model import Ellipsoid, Extrusion, Facet, FacetSurface, Mesh, Shape
from ...model.facet_table import Tables
from ...sim.angle import rotation_matrices
from ..evidence import Check
from ..kernels import measure
from . import convex_depth

SHAPE = Ellipsoid((0.1, 0.06, 0.04))
DEEPEST = 0.02  # [m], in the loops: less than the least radius of curvature of the shape but at its ends
SAMPLES = 50_000  # round a loop
STIFFNESS = 1e5  # [N/m^1.5]
PATHS = 10_000


class Touch:
    """Depths of shapes in all patches of a surface."""

    def __init__(self, surface: FacetSurface, shapes: tuple[Shape, ...] = (SHAPE,), *, backing: float = 0.0) -> None:
        tables = Tables()
        patches = tables.add(surface.faces, rounding=surface.rounding, backing=backing, crease=surface.crease)
        self.roots = np.array([root for _, root, _ in patches])
        self.facet, self.link = tables.arrays()
        self.shapes = convex_depth.tables(shapes)

    def __call__(
        self, poses: np.ndarray, margin: float = 1.0, roots: np.ndarray | None = None, place: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the depth [m], normal and point [m] for poses (n, 12): rotation and centre; (n, patches, 7)."""
        roots = self.roots if roots is None else roots
        found = np.zeros((len(poses), len(roots), 7))
        if place is None:
            place = np.full((len(poses), len(roots)), -1)
        measure.patch_depths(self.facet, self.link, *self.shapes, roots, poses, margin, place, found)
        return found

    def leaves(self) -> np.ndarray:
        """Return rows of the nodes that hold one piece each."""
        return np.array(
            [
                k
                for root in self.roots
                for k in range(root, self.link[root, layout.tree_node.SKIP])
                if self.link[k, layout.tree_node.FACETS] >= 0
            ]
        )


# --- surfaces


def sheet(heights: np.ndarray, size: float = 0.1, **options: object) -> Mesh:
    """Return a triangulated sheet over a grid of heights [m] with a spacing [m], alternating diagonals."""
    rows, columns = heights.shape
    vertices = np.array([(size * i, size * j, heights[i, j]) for i in range(rows) for j in range(columns)])
    triangles = []
    for i in range(rows - 1):
        for j in range(columns - 1):
            a = i * columns + j
            b, c, d = a + columns, a + columns + 1, a + 1
            triangles += [(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)]
    return Mesh("sheet", vertices=vertices, triangles=np.array(triangles), open=True, **options)  # type: ignore[arg-type]


def box(x: float, y: float, z: float, rounding: float = 0.0) -> Mesh:
    """Return a closed box of twelve triangles about the origin."""
    vertices = np.array([(i * x, j * y, k * z) for i in (-0.5, 0.5) for j in (-0.5, 0.5) for k in (-0.5, 0.5)])
    sides = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    triangles = np.array([f for a, b, c, d in sides for f in ((a, b, c), (a, c, d))])
    return Mesh("box", vertices=vertices, triangles=triangles, rounding=rounding)


def vehicle(rows: int = 25, columns: int = 10) -> Mesh:
    """Return the front of a car with a crown across: bumper, hood and windscreen; 2 rows columns triangles."""
    profile = np.array(FRONT)
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(profile, axis=0), axis=1))])
    s, y = np.linspace(0.0, way[-1], rows + 1), np.linspace(-0.85, 0.85, columns + 1)
    x, z = (np.interp(s, way, profile[:, k]) for k in (0, 1))
    vertices = np.array([(x[i] - 0.25 * w**2, w, z[i] - 0.05 * w**2) for i in range(rows + 1) for w in y])
    triangles = []
    for i in range(rows):
        for j in range(columns):
            a = i * (columns + 1) + j
            b, c, d = a + columns + 1, a + columns + 2, a + 1
            triangles += [(a, c, b), (a, d, c)]
    return Mesh("vehicle", vertices=vertices, triangles=np.array(triangles), open=True)


FRONT = (
    (0.0, 0.3),
    (0.05, 0.35),
    (0.06, 0.5),
    (0.0, 0.6),
    (-0.05, 0.75),
    (-0.5, 0.9),
    (-1.1, 1.0),
    (-1.5, 1.35),
    (-1.8, 1.5),
)
SQUARE = ((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), (0.3, 0.3, 0.0), (0.0, 0.3, 0.0))

#: surface, and the place [m] and direction about which the loops go
PLACES: dict[str, tuple[FacetSurface, tuple[float, float, float], tuple[float, float, float]]] = {
    "face of a facet": (Facet("facet", SQUARE), (0.15, 0.15, 0.0), (0.0, 0.0, 1.0)),
    "edge of a facet": (Facet("facet", SQUARE), (0.3, 0.15, 0.0), (0.6, 0.0, 0.8)),
    "corner of a facet": (Facet("facet", SQUARE), (0.3, 0.3, 0.0), (0.5, 0.5, 0.7071)),
    "edge of a profile": (Extrusion("front", FRONT, 1.7), (0.06, 0.0, 0.5), (0.9, 0.0, 0.2)),
    "rounded corner of a box": (box(0.5, 0.4, 0.3, DEEPEST), (0.25, 0.2, 0.15), (0.577, 0.577, 0.577)),
    "valley of a sheet": (
        sheet(np.array([[0.2, 0.2], [0.0, 0.0], [0.2, 0.2]]), 0.3),
        (0.3, 0.15, 0.0),
        (0.0, 0.0, 1.0),
    ),
    "ridge of a sheet": (sheet(np.array([[0.0, 0.0], [0.1, 0.1], [0.0, 0.0]]), 0.3), (0.3, 0.15, 0.1), (0.0, 0.0, 1.0)),
    "mesh of a vehicle": (vehicle(), (-0.3, 0.2, 0.83), (0.3, 0.0, 0.95)),
}


# --- claims


def plane() -> list[Check]:
    """Coplanar triangles are exactly a plane: depth, normal and point as a shape slides over all edges between them."""
    rng = np.random.default_rng(1)
    touch = Touch(sheet(np.zeros((21, 21)), 0.05))
    n = 20_000
    turn = convex_depth.rotations(rng, n)
    axes = np.array(SHAPE.semi_axes)
    reach = np.linalg.norm(turn[:, 2, :] * axes, axis=1)
    centre = np.column_stack([rng.uniform(0.3, 0.7, size=(n, 2)), reach - rng.uniform(0.0, 0.04, size=n)])
    found = touch(np.hstack([turn.reshape(n, 9), centre]))[:, 0]
    point = centre - np.einsum("nij,nj->ni", turn, axes**2 * turn[:, 2, :]) / reach[:, None]
    note = f"{n} poses over 800 triangles, to 40 mm deep"
    worst = [
        ("depth", np.abs(found[:, 0] - (reach - centre[:, 2])).max(), "m"),
        ("normal", np.abs(found[:, 1:4] - (0.0, 0.0, 1.0)).max(), "-"),
        ("point", np.abs(found[:, 4:7] - point).max(), "m"),
    ]
    return [Check.close(f"coplanar triangles, {name}", 0.0, float(e), 1e-12, unit, note) for name, e, unit in worst]


def convex_body(count: int = 400, directions: int = 20_000) -> list[Check]:
    """A box of triangles has the depth of the convex body, min over n of h(n) + max n.v - n.c.

    The depth is phi at the normal found, and no other direction undercuts it, far or near.
    """
    rng = np.random.default_rng(2)
    sides, axes = np.array([0.5, 0.4, 0.3]), np.array([0.12, 0.1, 0.08])
    mesh = box(*sides)
    touch = Touch(mesh, (Ellipsoid((0.12, 0.1, 0.08)),))
    turn = convex_depth.rotations(rng, count)
    centre = rng.uniform(-1.0, 1.0, size=(count, 3)) * (0.5 * sides + 0.12)
    found = touch(np.hstack([turn.reshape(-1, 9), centre]))[:, 0]
    # shallow, the centre outside; and not so far that a bound of the gap is enough
    chosen = (np.abs(centre) > 0.5 * sides).any(axis=1) & (found[:, 0] > -0.03)
    turn, centre, found = turn[chosen], centre[chosen], found[chosen]
    sphere = rng.normal(size=(directions, 3))
    attained = undercut = 0.0
    for depth, normal, rotation, c in zip(found[:, 0], found[:, 1:4], turn, centre, strict=True):
        near = [normal + size * rng.normal(size=(200, 3)) for size in (1e-6, 1e-4, 1e-2)]
        n = np.concatenate([normal[None], *near, sphere])
        n /= np.linalg.norm(n, axis=1)[:, None]
        phi = np.linalg.norm(axes * (n @ rotation), axis=1) + (n @ mesh.vertices.T).max(axis=1) - n @ c
        attained = max(attained, abs(phi[0] - depth))
        undercut = max(undercut, depth - phi.min())
    note = f"{len(found)} poses, {np.count_nonzero(found[:, 0] > 0.0)} touching"
    return [
        Check.close("box of triangles: depth at its normal", 0.0, attained, 1e-12, "m", note),
        Check.close("box of triangles: undercut by another direction", 0.0, undercut, 1e-12, "m", note),
    ]


def _loop(name: str, samples: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, Touch]:
    """Return poses along a closed loop about a place of a surface; velocity and spin by s of 0 to 2 pi; the surface."""
    surface, place, direction = PLACES[name]
    touch = Touch(surface)
    path = convex_depth.Loop(list(PLACES).index(name), samples)
    turn = rotation_matrices(path.vector_a).reshape(-1, 9)
    way = np.array(direction) / np.linalg.norm(direction)
    sideways = path.between - (0.0, 0.0, 1.0)
    low, high = -0.1, 0.3
    for _ in range(30):
        height = 0.5 * (low + high)
        poses = np.hstack([turn, place + height * way + 0.3 * sideways])
        deep = touch(np.ascontiguousarray(poses[::100]))[:, :, 0].max() > DEEPEST
        low, high = (height, high) if deep else (low, height)
    return np.hstack([turn, place + high * way + 0.3 * sideways]), 0.3 * path.velocity, path.spin_a, touch


def closed_loops() -> list[Check]:
    """An elastic contact does no work round a closed loop of pose: faces, edges, corners, profiles, meshes."""
    rows = []
    for name in PLACES:
        poses, velocity, spin, touch = _loop(name, SAMPLES)
        found = touch(poses)
        force = STIFFNESS * np.maximum(found[:, :, 0], 0.0) ** 1.5
        moving = velocity[:, None] + np.cross(spin[:, None], found[:, :, 4:7] - poses[:, None, 9:])
        power = np.sum(force * np.sum(found[:, :, 1:4] * moving, axis=2), axis=1)
        rows.append(convex_depth.no_work(name, power, f"to {1e3 * found[:, :, 0].max():.0f} mm deep"))
    return rows


def gradient() -> list[Check]:
    """The normal is the slope of the depth by translation, its moment that by rotation: central differences."""
    rows = []
    h = 3e-8
    for name in PLACES:
        poses, _, _, touch = _loop(name, 2000)
        found = touch(poses)
        turn, centre = poses[:, :9].reshape(-1, 3, 3), poses[:, 9:]

        def depth(shift: np.ndarray, vector: np.ndarray) -> np.ndarray:
            turned = rotation_matrices(vector[None])[0] @ turn  # noqa: B023
            return touch(np.hstack([turned.reshape(-1, 9), centre + shift]))[:, :, 0]  # noqa: B023

        zero = np.zeros(3)
        by_way = np.stack([(depth(h * e, zero) - depth(-h * e, zero)) / (2 * h) for e in np.eye(3)], axis=-1)
        by_turn = np.stack([(depth(zero, h * e) - depth(zero, -h * e)) / (2 * h) for e in np.eye(3)], axis=-1)
        moment = np.cross(found[:, :, 4:7] - centre[:, None], found[:, :, 1:4])
        error = np.maximum(
            np.abs(by_way + found[:, :, 1:4]).max(axis=2), np.abs(by_turn + moment).max(axis=2) / max(SHAPE.semi_axes)
        )[found[:, :, 0] > 2.0 * h]
        note = f"central differences at {len(error)} contacts"
        rows.append(Check.close(f"slope of the depth, {name}", 0.0, float(error.max()), 1e-6, "-", note))
    return rows


def continuity(paths: int = PATHS) -> list[Check]:
    """The depth never changes by more than the shape moves: random paths that press the shape into a mesh."""
    rng = np.random.default_rng(3)
    rows = []
    length, steps = 2e-3, 20
    for name in ("corner of a facet", "rounded corner of a box", "mesh of a vehicle"):
        surface = PLACES[name][0]
        touch = Touch(surface)
        faces = surface.faces
        chosen = rng.integers(len(faces.faces), size=paths)
        turn = convex_depth.rotations(rng, paths)
        middle = np.array([faces.vertices[list(faces.faces[f])].mean(axis=0) for f in chosen])
        normal = faces.normal[chosen]
        reach = np.linalg.norm(np.einsum("nij,ni->nj", turn, normal) * SHAPE.semi_axes, axis=1)
        aside = 0.03 * np.cross(normal, rng.normal(size=(paths, 3)))
        start = middle + aside + (reach - rng.uniform(0.0, 0.04, paths))[:, None] * normal
        way = rng.normal(size=(paths, 3))
        way *= length / steps / np.linalg.norm(way, axis=1)[:, None]
        depth = np.stack(
            [touch(np.hstack([turn.reshape(-1, 9), start + k * way]))[:, :, 0] for k in range(steps + 1)], axis=-1
        )
        contact = np.maximum(depth[..., 1:], depth[..., :-1]) > 0.0
        change = np.abs(np.diff(depth, axis=-1))[contact] / (length / steps)
        note = f"of the way moved, in steps of 0.1 mm; {paths} paths, {np.count_nonzero(contact)} steps in contact"
        largest = float(change.max())
        rows.append(Check.at_most(f"largest change of depth, {name}", 1.0, largest, "-", note, tolerance=1e-9))
    return rows


def tree(count: int = 5000) -> list[Check]:
    """The tree of boxes finds the depth that all pieces one by one have."""
    rng = np.random.default_rng(4)
    surface = vehicle()
    touch = Touch(surface)
    middle = surface.vertices[surface.triangles].mean(axis=1)[rng.integers(len(surface.triangles), size=count)]
    turn = convex_depth.rotations(rng, count).reshape(-1, 9)
    poses = np.hstack([turn, middle + 0.05 * rng.normal(size=(count, 3))])
    leaves = touch.leaves()
    single, whole = touch(poses, roots=leaves)[:, :, 0], touch(poses)[:, :, 0]
    ends = touch.link[touch.roots, layout.tree_node.SKIP]
    home = np.searchsorted(ends, leaves, side="right")
    best = np.stack([single[:, home == k].max(axis=1) for k in range(len(touch.roots))], axis=1)
    touching = best > 0.0
    error = np.abs(whole - best)[touching].max()
    missed = int(np.count_nonzero((whole > 0.0) != touching))
    note = f"{len(leaves)} pieces of {len(surface.triangles)} triangles, {np.count_nonzero(touching)} contacts"
    return [
        Check.close("tree of boxes against all pieces: depth", 0.0, float(error), 1e-13, "m", note),
        Check.close("contacts that only one of them sees", 0.0, missed, 0.0, "-", note),
    ]
