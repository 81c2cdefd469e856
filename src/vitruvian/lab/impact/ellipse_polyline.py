"""An ellipse against an open polygon in the plane, with the edge rule of the 2D pedestrian paper (section 3.5). SI.

A line of the polygon runs from P to Q with the solid on its right, so that its normal n points to the left, out of the
solid. The tangent of the ellipse parallel to the line touches at C, the deepest point; the penetration is the distance
of the two lines, and B, the bottom point, is the foot of C on the line. Where B lies beyond an end of the line it
moves to that end, and the penetration is measured there along n (the edge rule). In other words: the depth is how far
the ellipse reaches into the strip below the line, at most. So it is continuous when the ellipse slides over a corner.

The paper takes the nearer of the two parallel tangents (`nearest=True`). That turns the force round when the centre
of the ellipse crosses the line; the default keeps to the side of the normal. The paper's test for a collision is that
the line from P to Q meets the ellipse (`crossed=True`, eqs 21 to 24); without it a line is solid to any depth, so that
a leg before the bumper is deep below the bonnet as soon as it is behind its front edge.

The engine has the same rule, with `crossed`, in `kernels/strip.py`; this is what it is checked against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, sin

import numpy as np

from ...errors import InputError
from ...model.validation import finite_vector

Point = tuple[float, float]


@dataclass(frozen=True)
class Ellipse:
    """An ellipse in the plane.

    semi_axes  a, b [m]
    centre     [m]
    angle      of the first axis, counter-clockwise from x [rad]
    """

    semi_axes: Point
    centre: Point = (0.0, 0.0)
    angle: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "semi_axes", finite_vector(self.semi_axes, "ellipse semi_axes", 2))
        object.__setattr__(self, "centre", finite_vector(self.centre, "ellipse centre", 2))
        object.__setattr__(self, "angle", finite_vector((self.angle,), "ellipse angle", 1)[0])
        if min(self.semi_axes) <= 0.0:
            raise InputError(f"ellipse semi_axes are {self.semi_axes} m; both must be greater than zero.")

    @property
    def turn(self) -> np.ndarray:
        """(2, 2) rotation, its columns are the axes."""
        return np.array([[cos(self.angle), -sin(self.angle)], [sin(self.angle), cos(self.angle)]])

    @property
    def matrix(self) -> np.ndarray:
        """(3, 3) A of X' A X = 0 in homogeneous coordinates: R^-T diag(1/a2, 1/b2, -1) R^-1.

        R takes the ellipse from its own axes to the plane; eq. 23 of the paper prints R where its inverse belongs
        (E113).
        """
        move = np.eye(3)
        move[:2, :2], move[:2, 2] = self.turn, self.centre
        back = np.linalg.inv(move)
        a, b = self.semi_axes
        return back.T @ np.diag([a**-2.0, b**-2.0, -1.0]) @ back

    def support(self, direction: np.ndarray) -> np.ndarray:
        """Return the farthest point of the ellipse in a direction [m]."""
        squares = np.array(self.semi_axes) ** 2
        local = self.turn.T @ direction
        return np.array(self.centre) + self.turn @ (squares * local) / np.sqrt(squares @ local**2)


@dataclass(frozen=True)
class LineContact:
    """An ellipse in contact with one line of a polygon.

    line    number of the line
    depth   penetration [m]
    point   on the ellipse: C, or at an end of the line the point of the ellipse below it [m]
    bottom  B on the line [m]
    normal  direction of the push on the ellipse [-]
    place   t of B on the line, 0 at P, 1 at Q [-]
    edge    whether B was moved to an end of the line
    """

    line: int
    depth: float
    point: np.ndarray
    bottom: np.ndarray
    normal: np.ndarray
    place: float
    edge: bool

    def load(self, normal_force: float, friction: float, slip: float, about: Point) -> tuple[np.ndarray, float]:
        """Return force [N] and moment about a point [N m] on the ellipse: N (n - f t sign of slip), eqs 26 and 27.

        normal_force  N >= 0 [N], from a force law
        slip          speed of the ellipse along t [m/s]; t is n turned clockwise, the direction of the line
        """
        tangent = np.array([self.normal[1], -self.normal[0]])
        force = normal_force * (self.normal - friction * np.sign(slip) * tangent)
        arm = self.bottom - np.array(about)
        return force, float(arm[0] * force[1] - arm[1] * force[0])


def line_contact(
    ellipse: Ellipse, p: Point, q: Point, *, line: int = 0, nearest: bool = False, crossed: bool = False
) -> LineContact | None:
    """Return the contact of an ellipse with a line from P to Q, or None.

    nearest  take the nearer of the two parallel tangents, as the paper does
    crossed  only an ellipse that meets the line between P and Q is in contact with it
    """
    start, end = (np.array(finite_vector(x, f"line {line}: {name}", 2)) for x, name in ((p, "P"), (q, "Q")))
    along = end - start
    length = float(np.linalg.norm(along))
    if length == 0.0:
        raise InputError(f"line {line}: P and Q are the same point {tuple(start.tolist())}; leave one of them out.")
    if crossed and not meets(ellipse, p, q):
        return None
    normal = np.array([-along[1], along[0]]) / length
    if nearest and normal @ (np.array(ellipse.centre) - start) < 0.0:
        normal = -normal
    point = ellipse.support(-normal)
    depth = float(normal @ (start - point))
    place = float(along @ (point - start)) / length**2
    edge = not 0.0 <= place <= 1.0
    if edge:
        place = min(max(place, 0.0), 1.0)
        depth, point = _below(ellipse, start + place * along, normal)
    if depth <= 0.0:
        return None
    return LineContact(line, depth, point, start + place * along, normal, place, edge)


def polyline_contacts(
    ellipse: Ellipse, vertices: Sequence[Point], *, nearest: bool = False, crossed: bool = False
) -> tuple[LineContact, ...]:
    """Return the contacts of an ellipse with all lines of an open polygon, each treated alone, as in the paper."""
    if len(vertices) < 2:
        raise InputError(f"a polygon of {len(vertices)} points has no line; give two or more.")
    found = (
        line_contact(ellipse, p, q, line=k, nearest=nearest, crossed=crossed)
        for k, (p, q) in enumerate(pairwise(vertices))
    )
    return tuple(contact for contact in found if contact is not None)


def meets(ellipse: Ellipse, p: Point, q: Point) -> bool:
    """Return whether the line from P to Q and the ellipse have a point in common."""
    _, roots = discriminant(ellipse, p, q)
    return bool(roots) and roots[0] <= 1.0 and roots[1] >= 0.0


def discriminant(ellipse: Ellipse, p: Point, q: Point) -> tuple[float, tuple[float, ...]]:
    """Return the discriminant of X(t)' A X(t) = 0 with X = P + (Q - P) t (eqs 21 to 24), and its real roots t.

    Negative: the endless line misses the ellipse. The line from P to Q meets the solid if [0, 1] and the interval of
    the roots have a common point.
    """
    start, end = np.array([*p, 1.0]), np.array([*q, 1.0])
    along, a = end - start, ellipse.matrix
    two, one, none = float(along @ a @ along), float(2.0 * along @ a @ start), float(start @ a @ start)
    value = one * one - 4.0 * two * none
    if value < 0.0:
        return value, ()
    root = np.sqrt(value)
    return value, ((-one - root) / (2.0 * two), (-one + root) / (2.0 * two))


def _below(ellipse: Ellipse, corner: np.ndarray, normal: np.ndarray) -> tuple[float, np.ndarray]:
    """Return how far the ellipse reaches below a corner along -normal [m], and where; not positive if it does not."""
    _, roots = discriminant(ellipse, tuple(corner), tuple(corner - normal))
    if not roots or roots[1] <= 0.0:
        return 0.0, corner
    return float(roots[1]), corner - roots[1] * normal
