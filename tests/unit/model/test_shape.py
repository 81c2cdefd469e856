"""Shapes of bodies: dimensions, volume, inertia, support function, mesh, and what is refused."""

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.kernels import layout, support
from vitruvian.model import Body, Box, Capsule, Cylinder, Ellipsoid, Joint, Sphere, Superellipsoid, System
from vitruvian.model.pose import lowest_distance, segment_poses
from vitruvian.model.shape_mesh import mesh

SHAPES = {
    "ellipsoid": Ellipsoid((0.1, 0.2, 0.05)),
    "sphere": Sphere(0.15),
    "capsule": Capsule(0.05, 0.3),
    "cylinder": Cylinder(0.1, 0.25),
    "box": Box((0.1, 0.2, 0.4)),
    "superellipsoid": Superellipsoid((0.1, 0.2, 0.15), (4.0, 3.0)),
    "pinched": Superellipsoid((0.1, 0.2, 0.15), (1.5, 1.25)),
    "nearly a box": Superellipsoid((0.1, 0.2, 0.15), (20.0, 20.0)),
}
EACH = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)


def directions(n):
    v = np.random.default_rng(3).normal(size=(n, 3))
    return v / np.linalg.norm(v, axis=1)[:, None]


def inside(shape, x):
    """Whether points lie in the sharp solid."""
    half = np.array(shape.half_size)
    if isinstance(shape, Box):
        return (abs(x) <= half).all(axis=1)
    if isinstance(shape, Cylinder):
        return (np.hypot(x[:, 0], x[:, 1]) <= shape.radius) & (abs(x[:, 2]) <= half[2])
    if isinstance(shape, Capsule):
        z = np.maximum(abs(x[:, 2]) - 0.5 * shape.length, 0.0)
        return x[:, 0] ** 2 + x[:, 1] ** 2 + z**2 <= shape.radius**2
    p1, p2 = getattr(shape, "exponents", (2.0, 2.0))
    a, b, c = abs(x / half).T
    return (a**p2 + b**p2) ** (p1 / p2) + c**p1 <= 1.0


@EACH
def test_extreme_dimensions_are_exact(shape):
    kind, row = shape.support_row(0)
    for axis, half in zip(np.eye(3), shape.half_size, strict=True):
        assert shape.reach(axis) == pytest.approx(half, rel=1e-12)
        assert support.point(kind[None], row[None], 0, tuple(axis))[0] == pytest.approx(half, rel=1e-12)


@EACH
def test_support_is_that_of_the_sharp_solid_but_for_the_blend(shape):
    points, _ = mesh(shape, 200)
    kind, row = shape.support_row(0)
    smallest = min(shape.half_size)
    for n in directions(200):
        reach, x = support.point(kind[None], row[None], 0, tuple(n))
        assert reach == pytest.approx(shape.reach(n), rel=1e-12)
        assert np.linalg.norm(x) <= shape.bound * (1.0 + 1e-9)
        # edges lose at most sqrt(3) of the sums of the blends; the mesh has facets
        assert reach == pytest.approx((points @ n).max(), abs=0.06 * smallest)


@EACH
def test_volume_and_inertia_are_those_of_points_inside(shape):
    half = np.array(shape.half_size)
    # Halton-like lattice: the middle points of a grid
    n = 120
    axis = (np.arange(n) + 0.5) / n * 2.0 - 1.0
    x = np.stack(np.meshgrid(axis, axis, axis), axis=-1).reshape(-1, 3) * half
    x = x[inside(shape, x)]
    assert shape.volume == pytest.approx(8.0 * half.prod() * len(x) / n**3, rel=2e-3)
    square = (x**2).mean(axis=0)
    assert shape.inertia(3.0) == pytest.approx(3.0 * (square.sum() - square), rel=5e-3)


def test_ellipsoid_and_sphere_are_superellipsoids():
    plain, power = Ellipsoid((0.1, 0.2, 0.3)), Superellipsoid((0.1, 0.2, 0.3))
    assert power.volume == pytest.approx(plain.volume, rel=1e-13)
    assert power.inertia(2.0) == pytest.approx(plain.inertia(2.0), rel=1e-13)
    assert Sphere(0.2).volume == pytest.approx(Ellipsoid((0.2, 0.2, 0.2)).volume)
    for n in directions(50):
        assert power.reach(n) == pytest.approx(plain.reach(n), rel=1e-5)


@EACH
def test_mesh_is_closed_and_turned_outwards(shape):
    vertices, faces = mesh(shape, 48)
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    _, times = np.unique(edges, axis=0, return_counts=True)
    assert (times == 2).all()
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0
    assert 0.9 * shape.volume < volume <= shape.volume * (1.0 + 1e-12)


def test_mesh_stands_in_the_body_frame():
    turn = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)  # z to x
    vertices, _ = mesh(Cylinder(0.1, 1.0, (0.0, 0.0, 2.0), turn))
    assert vertices.max(axis=0) == pytest.approx((0.5, 0.1, 2.1))
    assert vertices.min(axis=0) == pytest.approx((-0.5, -0.1, 1.9))


def test_balls_for_planes():
    turn = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)  # y to z
    box = Box((0.2, 0.4, 0.6), (1.0, 0.0, 0.0), turn, 1e5, "wood")
    low = [ball.offset[2] - ball.radius for ball in box.corner_spheres]
    assert len(low) == 8 and min(low) == pytest.approx(-0.2) and sum(z == pytest.approx(-0.2) for z in low) == 4
    assert {(ball.stiffness, ball.material) for ball in box.corner_spheres} == {(1e5, "wood")}
    ends = Capsule(0.1, 0.5, rotation=turn).end_spheres
    assert sorted(ball.offset[1] for ball in ends) == pytest.approx([-0.25, 0.25])


def test_lowest_point_of_a_system_of_shapes():
    turn = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)  # y to z
    bodies = [
        Body("box", 1.0, np.ones(3), (Box((0.2, 0.4, 0.6), (0.0, 0.0, -1.0), turn),)),
        Body("rod", 1.0, np.ones(3), (Capsule(0.1, 1.0, (0.0, 0.0, -0.6)),)),
    ]
    for body, lowest in zip(bodies, (-1.2, -1.2), strict=True):
        system = System((body,), (Joint("root", "free", None, body.name),))
        assert lowest_distance(system, segment_poses(system), (0, 0, 0), (0, 0, 1)) == pytest.approx(lowest)


def test_row_of_a_moved_shape():
    turn = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)
    kind, row = Capsule(0.1, 0.5, (0.1, 0.2, 0.3), turn).support_row(4)
    assert (kind[layout.shape_kind.CARRIER], kind[layout.shape_kind.ALIGNED], kind[layout.shape_kind.CODE]) == (
        4,
        0,
        layout.shape_type.SUM,
    )
    assert row[layout.shape.PLACE : layout.shape.PLACE + 3] == pytest.approx((0.1, 0.2, 0.3))
    assert row[layout.shape.TURN : layout.shape.TURN + 9].reshape(3, 3) @ (0, 1, 0) == pytest.approx((0, 0, 1))
    assert Sphere(0.1).support_row(0)[0][layout.shape_kind.ALIGNED] == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Ellipsoid((0.1, -0.2, 0.3)), "ellipsoid semi_axes .* greater than zero"),
        (lambda: Ellipsoid((0.1, 0.2)), "ellipsoid semi_axes has 2 numbers; expected 3"),
        (lambda: Sphere(0.0), "sphere radius is 0.0 m; it must be greater than zero"),
        (lambda: Sphere(float("nan")), "sphere radius"),
        (lambda: Capsule(0.1, -1.0), "capsule length is -1.0 m"),
        (lambda: Cylinder(float("inf"), 1.0), "cylinder radius is inf m; it must be finite"),
        (lambda: Box((1.0, 2.0, 0.0)), "box size .* greater than zero"),
        (lambda: Box((1.0, 2.0, 1.0), rotation=(2.0, 0.0, 0.0, 0.0)), "box rotation .* unit quaternion"),
        (lambda: Sphere(0.1, stiffness=-1.0), "sphere stiffness is -1.0 N/m"),
        (lambda: Superellipsoid((1.0, 1.0, 1.0), (1.0, 2.0)), "accepted 1.25 to 20"),
        (lambda: Superellipsoid((1.0, 1.0, 1.0), (2.0, 50.0)), "a box or a cylinder is the better shape"),
        (lambda: Superellipsoid((1.0, 1.0, 1.0), (2.0,)), "expected 2"),
    ],
)
def test_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()
