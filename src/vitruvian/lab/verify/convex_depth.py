"""Depth of two convex shapes: correct, frame-invariant, and with a potential. SI units."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np

from ...model import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere, Superellipsoid
from ...model.pose import rotation_matrix
from ...sim.angle import rotation_matrices
from ..evidence import Check
from ..kernels import measure

PAIRS = 10_000
ASPECT = 20.0  # largest ratio of semi-axes
SAMPLES = 20_000  # round a loop
STIFFNESS = 1e5  # [N/m]
LEAST_SLACK = 1e-13  # of 1 - |u|^2, where the interior-point method stops: a share of the semi-axes
THICKNESS = 0.005  # [m], of the elastic layer round the shapes

FAMILY: tuple[Shape, ...] = (
    Ellipsoid((0.1, 0.2, 0.05)),
    Sphere(0.12),
    Capsule(0.06, 0.3),
    Cylinder(0.1, 0.25),
    Box((0.1, 0.3, 0.2)),
    Superellipsoid((0.1, 0.2, 0.15), (4.0, 3.0)),
)


# --- pairs of ellipsoids


def rotations(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return uniformly distributed random rotation matrices (n, 3, 3)."""
    q = rng.normal(size=(n, 4))
    return rotation_matrix(q / np.linalg.norm(q, axis=1)[:, None])


def random_pairs(n: int, seed: int = 5, reach: float = 1.2) -> np.ndarray:
    """Return rows for `measure.ellipsoid_depths`: semi-axes of 15 to 300 mm, ratios to 1:20, centres near [m]."""
    rng = np.random.default_rng(seed)
    axes = 0.3 * ASPECT ** -rng.uniform(size=(2, n, 3))
    direction = rng.normal(size=(n, 3))
    between = direction / np.linalg.norm(direction, axis=1)[:, None] * rng.uniform(0.0, reach, size=(n, 1))
    turn_a, turn_b = rotations(rng, n).reshape(n, 9), rotations(rng, n).reshape(n, 9)
    return np.hstack([axes[0], turn_a, axes[1], turn_b, between])


def depths(pairs: np.ndarray, guess: np.ndarray | None = None) -> np.ndarray:
    """Return the depth [m], normal and evaluations of pairs of ellipsoids (n, 5)."""
    found = np.zeros((len(pairs), 5))
    measure.ellipsoid_depths(pairs, np.zeros((len(pairs), 3)) if guess is None else guess, found)
    return found


def point_distance(pairs: np.ndarray, steps: int = 60) -> np.ndarray:
    """Return the distance of ellipsoids [m] by an independent method, without support function and normal.

    The nearest points x_a = c + A u, x_b = B v with |u|, |v| <= 1 of all pairs at once follow from a primal-dual
    interior-point method:

    minimise |c + A u - B v|^2 / 2 under (1 - |u|^2)/2 >= 0, (1 - |v|^2)/2 >= 0
    """
    n = len(pairs)
    a = pairs[:, 3:12].reshape(n, 3, 3) * pairs[:, None, 0:3]
    b = pairs[:, 15:24].reshape(n, 3, 3) * pairs[:, None, 12:15]
    both = np.concatenate([a, -b], axis=2)
    c = pairs[:, 24:27]
    normal_form = np.einsum("nki,nkj->nij", both, both)
    x = np.zeros((n, 6))
    force = np.full((n, 2), 0.1)
    same = np.kron(np.eye(2), np.ones((3, 3)))
    eye = np.repeat(np.eye(2), 3, axis=1)  # which of the two balls a component belongs to

    def slack(x: np.ndarray) -> np.ndarray:
        return 0.5 * (1.0 - (x**2) @ eye.T)

    for _ in range(steps):
        s = slack(x)
        gap = np.einsum("nkj,nj->nk", both, x) + c
        target = np.maximum(0.2 * (s * force).mean(axis=1, keepdims=True), LEAST_SLACK * force)
        # slope of the Lagrangian, and the step that solves it and force x slack = target
        weight = force @ eye
        slope = np.einsum("nkj,nk->nj", both, gap) + weight * x
        ratio = (force / s) @ eye
        bend = ratio[:, :, None] * x[:, :, None] * x[:, None, :] * same
        matrix = normal_form + weight[:, :, None] * np.eye(6) + bend
        right = -slope - x * (((target - s * force) / s) @ eye)
        step = np.linalg.solve(matrix, right[:, :, None])[:, :, 0]
        more = (target - s * force + force * ((x * step) @ eye.T)) / s
        # as far as nothing becomes negative
        far = np.ones(n)
        for _ in range(60):
            low = np.hstack([slack(x + far[:, None] * step) <= 0.1 * s, force + far[:, None] * more <= 0.1 * force])
            bad = low.any(axis=1)
            if not bad.any():
                break
            far[bad] *= 0.8
        x = x + far[:, None] * step
        force = force + far[:, None] * more
    return np.linalg.norm(np.einsum("nkj,nj->nk", both, x) + c, axis=1)


def distance() -> list[Check]:
    """Distance of 10,000 pairs that are apart, against the nearest points; the other pairs are really in touch."""
    pairs = random_pairs(PAIRS * 5 // 4)
    found = depths(pairs)[:, 0]
    apart = np.flatnonzero(found < 0.0)[:PAIRS]
    other = np.flatnonzero(found >= 0.0)
    error = np.abs(point_distance(pairs[apart]) + found[apart]).max()
    note = f"nearest points; semi-axes to 1:{ASPECT:g}, {-found[apart].max():.1e} to {-found[apart].min():.2f} m apart"
    # without a distance to measure the points only come nearer from step to step
    touching = point_distance(pairs[other], 20).max()
    return [
        Check.close(f"distance of {len(apart)} pairs of ellipsoids", 0.0, error, 1e-9, "m", note),
        Check.close(f"distance of {len(other)} pairs that overlap", 0.0, touching, 1e-6, "m", "nearest points"),
    ]


def overlap(directions: int = 4000, count: int = 500) -> list[Check]:
    """No direction out of thousands parts overlapping ellipsoids by less than the depth, even with one centre."""
    rng = np.random.default_rng(8)
    n = rng.normal(size=(directions, 3))
    n /= np.linalg.norm(n, axis=1)[:, None]
    rows = []
    for name, reach in (("overlapping", 0.3), ("concentric", 0.0)):
        pairs = random_pairs(count, 9, reach)
        found = depths(pairs)[:, 0]
        lower = 0.0
        for pair, depth in zip(pairs, found, strict=True):
            a = n @ pair[3:12].reshape(3, 3) * pair[0:3]
            b = n @ pair[15:24].reshape(3, 3) * pair[12:15]
            value = np.linalg.norm(a, axis=1) + np.linalg.norm(b, axis=1) - n @ pair[24:27]
            lower = max(lower, depth - float(value.min()))
        note = f"{count} pairs, {directions} directions each"
        rows.append(Check.close(f"{name} ellipsoids: a direction lower than the depth", 0.0, lower, 1e-12, "m", note))
    return rows


def invariance(count: int = 2000) -> list[Check]:
    """Depth is equal and the normal opposite when a and b are exchanged; both are invariant to a common rotation."""
    pairs = random_pairs(count, 6)
    found = depths(pairs)
    swapped = pairs[:, [*range(12, 24), *range(12), 24, 25, 26]].copy()
    swapped[:, 24:] *= -1.0
    back = depths(swapped)
    turn = rotations(np.random.default_rng(7), count)
    turned = pairs.copy()
    for k in (3, 15):
        turned[:, k : k + 9] = (turn @ pairs[:, k : k + 9].reshape(-1, 3, 3)).reshape(-1, 9)
    turned[:, 24:] = np.einsum("nij,nj->ni", turn, pairs[:, 24:])
    moved = depths(turned)
    note = f"{count} pairs"
    normal = np.einsum("nij,nj->ni", turn, found[:, 1:4])
    return [
        Check.close("ellipsoids exchanged: depth", 0.0, np.abs(found - back)[:, 0].max(), 1e-12, "m", note),
        Check.close("ellipsoids exchanged: normal", 0.0, np.abs(found + back)[:, 1:4].max(), 1e-9, "-", note),
        Check.close("ellipsoids turned together: depth", 0.0, np.abs(found - moved)[:, 0].max(), 1e-12, "m", note),
        Check.close("ellipsoids turned together: normal", 0.0, np.abs(normal - moved[:, 1:4]).max(), 1e-9, "-", note),
    ]


# --- any pair of the family


def tables(shapes: tuple[Shape, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return model.shape_kind and model.shape of some shapes."""
    rows = [shape.support_row(0) for shape in shapes]
    return np.array([kind for kind, _ in rows]), np.array([row for _, row in rows])


def convex_depths(a: Shape, b: Shape, poses: np.ndarray) -> np.ndarray:
    """Return the depth [m], normal, evaluations and middle point [m] of two shapes in many poses (n, 8)."""
    found = np.zeros((len(poses), 8))
    measure.convex_depths(*tables((a, b)), 0, 1, poses, np.zeros((len(poses), 3)), found)
    return found


def spin_of(vector: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Return the angular velocity [rad/s] of a rotation vector and its rate: left Jacobian of SO(3) times the rate."""
    angle = np.linalg.norm(vector, axis=1)[:, None]
    square = np.maximum(angle**2, 1e-30)
    first, second = (1.0 - np.cos(angle)) / square, (angle - np.sin(angle)) / (square * np.maximum(angle, 1e-15))
    turned = np.cross(vector, rate)
    return rate + first * turned + second * np.cross(vector, turned)


class Loop:
    """A smooth closed path of the relative pose of two shapes, at even places s of 0 to 2 pi: three harmonics."""

    def __init__(self, seed: int, samples: int = SAMPLES) -> None:
        rng = np.random.default_rng(seed)
        s = np.linspace(0.0, 2.0 * np.pi, samples, endpoint=False)
        k = np.arange(1, 4)
        cosine, sine = np.cos(np.outer(s, k)), np.sin(np.outer(s, k))
        wave, rate = np.hstack([cosine, sine]), np.hstack([-k * sine, k * cosine])
        turn_a, turn_b, way = np.tile(1.0 / k, 2)[:, None] * rng.normal(size=(3, 6, 3))
        self.vector_a = rng.normal(size=3) + 0.4 * wave @ turn_a
        self.vector_b = rng.normal(size=3) + 0.4 * wave @ turn_b
        self.spin_a = spin_of(self.vector_a, 0.4 * rate @ turn_a)
        self.spin_b = spin_of(self.vector_b, 0.4 * rate @ turn_b)
        self.between = np.array([0.0, 0.0, 1.0]) + 0.15 * wave @ way
        self.velocity = 0.15 * rate @ way

    def poses(self, scale: float, every: int = 1) -> np.ndarray:
        """Return rows for `measure.convex_depths`, the centres a scale [m] apart."""
        n = len(self.between[::every])
        turn = (rotation_matrices(vector[::every]).reshape(n, 9) for vector in (self.vector_a, self.vector_b))
        return np.hstack([*turn, scale * self.between[::every]])


def no_work(name: str, power: np.ndarray, note: str) -> Check:
    """Return the row of a contact that does no work round a closed loop, given its power at even places of the loop.

    note  what follows "of so many J in and out"
    """
    step = 2.0 * np.pi / len(power)
    done = float(np.maximum(power, 0.0).sum()) * step
    work = abs(float(power.sum())) * step / done
    return Check.close(f"closed loop, {name}: work", 0.0, work, 1e-6, "-", f"of {done:.3g} J in and out, {note}")


def loop_work(a: Shape, b: Shape, deepest: float, seed: int) -> tuple[float, float]:
    """Return the work of an elastic contact along a closed loop [J], and that of its force where it separates [J].

    F = k (depth + t)^(3/2) at the middle between the nearest points; the loop is as near as makes the depth at most
    `deepest` [m]; the layer t > 0 is so thick that the force never ends.
    """
    path = Loop(seed)
    near, far = 0.0, 3.0
    for _ in range(30):
        scale = 0.5 * (near + far)
        near, far = (near, scale) if convex_depths(a, b, path.poses(scale, 50))[:, 0].max() < deepest else (scale, far)
    found = convex_depths(a, b, path.poses(far))
    depth, normal, point = found[:, 0], found[:, 1:4], found[:, 5:8]
    layer = THICKNESS - min(0.0, float(depth.min()))
    between = far * path.between
    moving = far * path.velocity + np.cross(path.spin_a, point - between) - np.cross(path.spin_b, point)
    power = STIFFNESS * (depth + layer) ** 1.5 * np.einsum("ij,ij->i", normal, moving)
    step = 2.0 * np.pi / len(power)
    return abs(float(power.sum())) * step, float(np.maximum(power, 0.0).sum()) * step


def closed_loops() -> list[Check]:
    """An elastic contact does no work round a closed loop of relative pose, for every pair of convex shapes.

    The shapes go into each other by 5 mm; two boxes only by 0.1 mm, less than the radius of their edges: deeper, the
    normal changes at once from one face to the other (the depth does not), which a quadrature meets badly.
    """
    rows = []
    for number, (a, b) in enumerate(combinations_with_replacement(FAMILY, 2)):
        deepest = 1e-4 if isinstance(a, Box) and isinstance(b, Box) else 5e-3
        work, done = loop_work(a, b, deepest, 100 + number)
        note = f"of {done:.3g} J in and out"
        rows.append(Check.close(f"closed loop, {a.kind} and {b.kind}: work", 0.0, work / done, 1e-8, "-", note))
    return rows


def gradient(count: int = 40) -> list[Check]:
    """The slope of the depth is the normal by translation and its moment by rotation, for every pair of shapes; and
    it does not change where the shapes begin to touch."""
    rng = np.random.default_rng(11)
    by_shift, by_turn, at_touch = 0.0, 0.0, 0.0
    for a, b in combinations_with_replacement(FAMILY, 2):
        poses = np.hstack([rotations(rng, 2 * count).reshape(count, 18), 0.3 * rng.normal(size=(count, 3))])
        poses = poses[convex_depths(a, b, poses)[:, 0] < 0.01]
        found = convex_depths(a, b, poses)
        normal, lever = found[:, 1:4], found[:, 5:8] - poses[:, 18:21]
        by_shift = max(by_shift, float(np.abs(_slopes(a, b, poses, _shifted) + normal).max()))
        moment = np.cross(lever, normal)
        by_turn = max(by_turn, float(np.abs(_slopes(a, b, poses, _turned) + moment).max()))
        # along the normal until they touch, and on either side of that
        touching = poses.copy()
        for _ in range(60):
            found = convex_depths(a, b, touching)
            touching[:, 18:21] += found[:, :1] * found[:, 1:4]
        way = rng.normal(size=(len(poses), 3))
        e = 1e-8
        before, at, after = (convex_depths(a, b, _shifted(touching, s * e * way))[:, 0] for s in (-1.0, 0.0, 1.0))
        at_touch = max(at_touch, float(np.abs(before - 2.0 * at + after).max() / e))
    pairs = f"{len(FAMILY) * (len(FAMILY) + 1) // 2} pairs of shapes"
    return [
        Check.close("slope of the depth by translation: normal", 0.0, by_shift, 1e-7, "-", pairs),
        Check.close("slope of the depth by rotation: moment", 0.0, by_turn, 1e-7, "m", pairs),
        Check.close("change of the slope at first touch", 0.0, at_touch, 1e-3, "-", f"{pairs}, 10 nm on either side"),
    ]


def _shifted(poses: np.ndarray, shift: np.ndarray) -> np.ndarray:
    moved = poses.copy()
    moved[:, 18:21] += shift
    return moved


def _turned(poses: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return shape a turned about its centre by a rotation vector in the world [rad]."""
    moved = poses.copy()
    turn = rotation_matrices(np.broadcast_to(vector, (len(poses), 3)))
    moved[:, :9] = (turn @ poses[:, :9].reshape(-1, 3, 3)).reshape(-1, 9)
    return moved


def _slopes(a: Shape, b: Shape, poses: np.ndarray, move: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """Return the slope of the depth along three axes, by differences of two widths, extrapolated to zero width."""

    def slope(axis: np.ndarray, e: float) -> np.ndarray:
        ahead, behind = (convex_depths(a, b, move(poses, s * e * axis))[:, 0] for s in (1.0, -1.0))
        return (ahead - behind) / (2.0 * e)

    return np.stack([(4.0 * slope(axis, 1e-6) - slope(axis, 2e-6)) / 3.0 for axis in np.eye(3)], axis=1)
