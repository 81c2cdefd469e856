"""Contact tests of two ellipsoids from the sources, as checks of the engine's own detection. SI units.

    wang               roots of the characteristic equation det(lambda A + B) = 0 (wang2001; the thesis prints a minus,
                       E039): two distinct positive roots if and only if the solids are apart
    separating_plane   a plane between them, from the same roots (wang2004)
    eberly             the least value of one quadric on the other solid, by one root (eberly2008)
    eberly_walk        the same by walking down the surface along the gradient (his second way)
    point_to_point     the closest of points sampled on both surfaces (moser1999)
    signed_gap         the distance, or minus the shortest way to push the solids apart, by optimisation: the oracle

Only the last two give a distance. `sampled_depth` is the point-sampled surface of the thesis (section 5.3) on a plane.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np

from ...errors import InputError
from ...model import Ellipsoid
from ...model.frame import IDENTITY, ZERO, Quaternion, Vector
from ...model.pose import rotation_matrix
from ...model.shape import spiral
from ...model.validation import finite_vector
from ...model.validation import rotation as unit_quaternion


class Placed:
    """An ellipsoid in a pose.

    semi_axes  (3,) [m]
    centre     (3,) [m]
    turn       (3, 3) rotation, its columns are the axes
    """

    def __init__(self, semi_axes: Vector, centre: Vector = ZERO, orientation: Quaternion = IDENTITY) -> None:
        self.semi_axes = np.array(Ellipsoid(semi_axes).semi_axes)
        self.centre = np.array(finite_vector(centre, "ellipsoid centre"))
        self.turn = rotation_matrix(unit_quaternion(orientation, "ellipsoid orientation"))

    @property
    def shape(self) -> np.ndarray:
        """(3, 3) S with (x - c)' S^-1 (x - c) = 1 on the surface [m2]."""
        return (self.turn * self.semi_axes**2) @ self.turn.T

    @property
    def quadric(self) -> np.ndarray:
        """(4, 4) Q with X' Q X < 0 inside, X = (x, 1)."""
        inverse = (self.turn / self.semi_axes**2) @ self.turn.T
        side = -inverse @ self.centre
        return np.block(
            [[inverse, side[:, None]], [side[None, :], np.array([[self.centre @ inverse @ self.centre - 1.0]])]]
        )

    def points(self, number: int) -> np.ndarray:
        """Return (number, 3) points of the surface, spread by the golden spiral of the unit sphere [m]."""
        return self.centre + (spiral(number) * self.semi_axes) @ self.turn.T

    def value(self, points: np.ndarray) -> np.ndarray:
        """Return the quadric at points (..., 3): negative inside, zero on the surface [-]."""
        local = (points - self.centre) @ self.turn / self.semi_axes
        return (local**2).sum(axis=-1) - 1.0


# --- algebra


@dataclass(frozen=True)
class Wang:
    """Answer of the algebraic test.

    apart  no common point
    roots  the positive roots of det(lambda A + B) = 0, smaller first; none if the solids overlap
    """

    apart: bool
    roots: tuple[float, ...]


def wang(a: Placed, b: Placed) -> Wang:
    """Return apply the algebraic test: apart if and only if det(lambda A + B) = 0 has two distinct positive roots.

    The roots are minus the eigenvalues of A^-1 B. They are computed where A is the unit sphere, which scales lambda
    and keeps the number of positive roots.
    """
    values, _ = _pencil(a, b)
    apart = len(values) == 2 and values[1] > values[0]
    return Wang(apart, tuple(values))


def separating_plane(a: Placed, b: Placed) -> tuple[np.ndarray, float] | None:
    """Return unit normal from a to b and level d [m] of a plane n.x = d between the solids; None if there is none.

    With (lambda_i A + B) X_i = 0, the vertex X_1 of the larger root lies inside a, X_2 inside b, and the planes
    x A X_1 + y A X_2 miss both solids for 1 < |x^2 X_1'A X_1| / (y^2 X_2'A X_2) < lambda_1 / lambda_2. The one in the
    (geometric) middle is taken.
    """
    roots, vectors = _pencil(a, b)
    if len(roots) < 2 or not roots[1] > roots[0]:
        return None
    quadric = np.diag([1.0, 1.0, 1.0, -1.0])
    inside_b, inside_a = (vector / vector[3] for vector in vectors)
    near, far = -inside_a @ quadric @ inside_a, inside_b @ quadric @ inside_b
    ratio = np.sqrt(np.sqrt(roots[1] / roots[0]) * far / near)
    plane = quadric @ (ratio * inside_a + inside_b)
    # back from the frame in which a is the unit sphere: x = c + R diag(axes) y
    normal = a.turn @ (plane[:3] / a.semi_axes)
    size = np.linalg.norm(normal)
    normal, level = normal / size, -plane[3] / size
    level += float(normal @ a.centre)
    if normal @ (b.centre - a.centre) < 0.0:
        normal, level = -normal, -level
    return normal, float(level)


def _pencil(a: Placed, b: Placed) -> tuple[list[float], list[np.ndarray]]:
    """Return positive roots, in ascending order, and their vectors, in the frame in which a is the unit sphere."""
    q = _in_sphere_frame(a, b).quadric
    # -A^-1 B with A = diag(1, 1, 1, -1)
    values, vectors = np.linalg.eig(-np.diag([1.0, 1.0, 1.0, -1.0]) @ q)
    real = [k for k in range(4) if abs(values[k].imag) <= 1e-9 * abs(values[k]) and values[k].real > 0.0]
    real.sort(key=lambda k: values[k].real)
    return [float(values[k].real) for k in real], [vectors[:, k].real for k in real]


class _Image(Placed):
    """An ellipsoid given by its centre and shape matrix."""

    def __init__(self, centre: np.ndarray, shape: np.ndarray) -> None:
        squares, axes = np.linalg.eigh(shape)
        self.semi_axes, self.centre, self.turn = np.sqrt(squares), centre, axes


def _in_sphere_frame(a: Placed, b: Placed) -> Placed:
    """Return b in the frame in which a is the unit sphere at the origin."""
    into = (a.turn / a.semi_axes).T
    return _Image(into @ (b.centre - a.centre), into @ b.shape @ into.T)


# --- one root


def eberly(a: Placed, b: Placed) -> bool:
    """Return whether the solids are apart: the least value of b's quadric on the solid a is positive.

    Where a is the unit ball and b has the centre k and the squared inverse semi-axes D, the least value outside k lies
    at y = (D + mu)^-1 D k with |y| = 1: one root of a function that falls steadily.
    """
    from scipy.optimize import brentq

    image = _in_sphere_frame(a, b)
    d = image.semi_axes**-2.0
    k = image.turn.T @ image.centre
    if k @ k <= 1.0:
        return False

    def point(mu: float) -> np.ndarray:
        return d * k / (d + mu)

    most = float(np.linalg.norm(d * k))
    mu = brentq(lambda x: float(point(x) @ point(x)) - 1.0, 0.0, most, xtol=1e-15 * most, rtol=1e-14)
    y = point(mu)
    return bool(d @ (y - k) ** 2 > 1.0)


def eberly_walk(a: Placed, b: Placed, steps: int = 10_000) -> tuple[bool, int]:
    """Return whether the surface of a stays outside b, by descent along b's quadric, and the number of steps.

    The walk starts at the point of a that faces b's centre, where the solids are unit ball and ellipsoid. It ends
    where the quadric is negative (they meet) or the tangential gradient is gone (they do not). It tests surfaces: a
    solid that lies wholly inside the other is found by its centre.
    """
    image = _in_sphere_frame(a, b)
    if image.centre @ image.centre <= 1.0 or image.value(np.zeros(3)) <= 0.0:
        return False, 0
    inverse = np.linalg.inv(image.shape)
    y = image.centre / np.linalg.norm(image.centre)
    pace = 1.0 / float(np.linalg.eigvalsh(inverse)[-1])
    for number in range(steps):
        away = y - image.centre
        if away @ inverse @ away <= 1.0:
            return False, number
        gradient = inverse @ away
        tangent = gradient - (gradient @ y) * y
        if np.linalg.norm(tangent) <= 1e-10 * np.linalg.norm(gradient):
            return True, number
        # projected gradient on the ball: the step of a convex function with this curvature
        y = y - pace * gradient
        y /= max(1.0, float(np.linalg.norm(y)))
    return True, steps


# --- points


def point_to_point(a: Placed, b: Placed, number: int = 1000) -> float:
    """Return the smallest distance of `number` points on a from as many on b [m]; 0 if one is inside the other solid.

    It is never smaller than the distance of the surfaces, and exceeds it by the coarseness of the points.
    """
    from scipy.spatial import cKDTree

    on_a, on_b = a.points(number), b.points(number)
    if (b.value(on_a) < 0.0).any() or (a.value(on_b) < 0.0).any():
        return 0.0
    return float(cKDTree(on_b).query(on_a)[0].min())


@dataclass(frozen=True)
class Sampled:
    """A point-sampled ellipsoid against a plane.

    depth   of the deepest point [m]
    inside  number of points below the plane
    total   sum of the depths of all points [m]: the force over the stiffness if every point pushes (E051)
    even    depth averaged with the share of the surface of each point, times the whole surface [m3]:
            what is left of the sum once points are weighted by area
    """

    depth: float
    inside: int
    total: float
    even: float


def sampled_depth(shape: Placed, point: Vector, normal: Vector, number: int) -> Sampled:
    """Return the depths of `number` points below a plane: the point-sampled surface of the thesis.

    point   of the plane [m]
    normal  out of the solid below it
    """
    n = np.array(finite_vector(normal, "plane normal"))
    length = np.linalg.norm(n)
    if length == 0.0:
        raise InputError("plane normal is the zero vector; give the direction out of the solid.")
    depths = (np.array(finite_vector(point, "plane point")) - shape.points(number)) @ (n / length)
    below = np.maximum(depths, 0.0)
    # area of a point: 4 pi/N of the sphere times |cofactor of the stretch . its normal|
    sphere = spiral(number)
    area = 4.0 * pi / number * np.prod(shape.semi_axes) * np.linalg.norm(sphere / shape.semi_axes, axis=1)
    return Sampled(float(depths.max()), int((depths > 0.0).sum()), float(below.sum()), float(below @ area))


def plane_depth(shape: Placed, point: Vector, normal: Vector) -> float:
    """Return the depth of the deepest point below a plane in closed form [m], the engine's own: reach - height."""
    n = np.array(normal) / np.linalg.norm(normal)
    height = n @ (shape.centre - np.array(point))
    return float(np.linalg.norm(shape.semi_axes * (shape.turn.T @ n)) - height)


# --- the oracle


def signed_gap(a: Placed, b: Placed, starts: int = 24) -> tuple[float, np.ndarray]:
    """Return the distance, or minus the least separating translation [m], and its direction from a to b.

    The largest over unit directions d of the gap d.(c_b - c_a) - h_a(d) - h_b(d) between the support planes. Apart it
    has one maximum; overlapping it may have several, so the search starts from many directions.
    """
    from scipy.optimize import minimize

    away, shape_a, shape_b = b.centre - a.centre, a.shape, b.shape

    def overlap(x: np.ndarray) -> tuple[float, np.ndarray]:
        """Return minus the gap, and its gradient, for a direction of any length."""
        size = np.linalg.norm(x)
        d = x / size
        reach_a, reach_b = np.sqrt(d @ shape_a @ d), np.sqrt(d @ shape_b @ d)
        slope = shape_a @ d / reach_a + shape_b @ d / reach_b - away
        return float(reach_a + reach_b - d @ away), (slope - (slope @ d) * d) / size

    directions = list(spiral(starts))
    if np.linalg.norm(away) > 0.0:
        directions.insert(0, away / np.linalg.norm(away))
    scale = float(max(a.semi_axes.max(), b.semi_axes.max()))
    best, where = np.inf, directions[0]
    for first in directions:
        found = minimize(overlap, first, jac=True, method="BFGS", options={"gtol": 1e-9 * scale})
        if found.fun < best:
            best, where = float(found.fun), found.x / np.linalg.norm(found.x)
        if best < -1e-6 * scale:
            break  # apart: the maximum is the only one
    return -best, where
