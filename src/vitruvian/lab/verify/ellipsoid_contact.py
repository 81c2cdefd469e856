"""Detection: the tests of the sources against an optimiser, sampled surfaces, the ellipse in the plane. SI units."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ..evidence import Check
from ..example_system import unit_quaternion, vector
from ..impact import detection
from ..impact import ellipse_polyline as planar
from ..impact.detection import Placed


def random_pair(rng: np.random.Generator) -> tuple[Placed, Placed]:
    """Return two ellipsoids with semi-axes from 0.22 m to 4.5 m (aspect to 1:20), about as often apart as not."""
    a, b = (
        Placed(tuple(np.exp(rng.uniform(-1.5, 1.5, 3))), vector(rng, 1.3), unit_quaternion(rng))  # type: ignore[arg-type]
        for _ in range(2)
    )
    return a, b


def _printed(a: Placed, b: Placed) -> bool:
    """Return Wang's test as the thesis prints it: det(lambda A - B) = 0 with two distinct positive roots."""
    roots = np.linalg.eigvals(np.linalg.solve(a.quadric, b.quadric))
    positive = sorted(root.real for root in roots if abs(root.imag) <= 1e-9 * abs(root) and root.real > 0.0)
    return len(positive) == 2 and positive[1] > positive[0] * (1.0 + 1e-6)


def ellipsoid_pairs(pairs: int = 100) -> list[Check]:
    """Wang's and Eberly's tests agree with the sign of the distance, and the separating plane separates."""
    rng = np.random.default_rng(39)
    wrong = dict.fromkeys(("wang", "eberly", "walk", "printed"), 0)
    apart, inside = 0, -np.inf
    for _ in range(pairs):
        a, b = random_pair(rng)
        truth = detection.signed_gap(a, b, starts=12)[0] > 0.0
        apart += truth
        wrong["wang"] += detection.wang(a, b).apart != truth
        wrong["eberly"] += detection.eberly(a, b) != truth
        wrong["walk"] += detection.eberly_walk(a, b)[0] != truth
        wrong["printed"] += _printed(a, b) != truth
        plane = detection.separating_plane(a, b)
        if truth:
            assert plane is not None
            normal, level = plane
            for shape, side in ((a, 1.0), (b, -1.0)):
                reach = np.linalg.norm(shape.semi_axes * (shape.turn.T @ normal))
                inside = max(inside, float(side * (normal @ shape.centre - level) + reach))
    note = f"{apart} of {pairs} pairs apart"
    printed = f"{note}; as printed in the thesis (E039) {wrong['printed']} wrong"
    return [
        Check.close("Wang's test: wrong answers", 0.0, wrong["wang"], 0.0, "-", printed),
        Check.close("Eberly's test, one root: wrong answers", 0.0, wrong["eberly"], 0.0, "-", note),
        Check.close("Eberly's test, gradient walk: wrong answers", 0.0, wrong["walk"], 0.0, "-", note),
        Check.at_most("separating plane: deepest reach across it", 0.0, inside, "m", "both solids", tolerance=1e-12),
    ]


def sampled_surface() -> list[Check]:
    """A point-sampled surface: the depth is short by an error that falls with the number of points; the sum grows."""
    rng = np.random.default_rng(51)
    numbers = (100, 1000, 10_000)
    short, total, even = ({number: 0.0 for number in numbers} for _ in range(3))
    for _ in range(50):
        shape = Placed((0.10, 0.05, 0.20), (0.0, 0.0, 0.0), unit_quaternion(rng))  # type: ignore[arg-type]
        reach = detection.plane_depth(shape, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
        ground = (0.0, 0.0, -0.8 * reach)
        depth = detection.plane_depth(shape, ground, (0.0, 0.0, 1.0))
        for number in numbers:
            found = detection.sampled_depth(shape, ground, (0.0, 0.0, 1.0), number)
            short[number] += (depth - found.depth) / depth / 50.0
            total[number] += found.total / 50.0
            even[number] += found.even / 50.0
    few, many = numbers[0], numbers[-1]
    order = float(np.log(short[few] / short[many]) / np.log(many / few))
    shares = ", ".join(f"{number}: {100.0 * short[number]:.2g} %" for number in numbers)
    return [
        Check.close("sampled surface: order of the depth in the points", 1.0, order, 0.15, "-", f"short by {shares}"),
        Check.close(
            "sampled surface: force of 100 times the points", 100.0, total[many] / total[few], 3.0, "-",
            "a force at every point, E051",
        ),
        Check.close("the same, points weighted by area", 1.0, even[many] / even[few], 0.03, "-"),
    ]  # fmt: skip


def ellipse_polyline(cases: int = 300) -> list[Check]:
    """An ellipse on a line: the tangent touches, depth is the distance, the discriminant agrees, edges are smooth."""
    rng = np.random.default_rng(113)
    off_tangent, off_depth, disagree = 0.0, 0.0, 0
    turn = np.linspace(0.0, 2.0 * np.pi, 20_001)
    for _ in range(cases):
        ellipse = planar.Ellipse(tuple(rng.uniform(0.1, 1.0, 2)), tuple(rng.normal(size=2)), float(rng.normal()))
        p, q = rng.normal(size=2), rng.normal(size=2) * 3.0
        value, roots = planar.discriminant(ellipse, tuple(p), tuple(q))
        found = planar.line_contact(ellipse, tuple(p), tuple(q), nearest=True)
        crossed = value >= 0.0 and roots[0] <= 1.0 and roots[1] >= 0.0
        disagree += (crossed and found is None) or (found is not None and value < 0.0)
        if found is not None and not found.edge:
            # the parallel through the contact point meets the ellipse once
            along = (q - p) / np.linalg.norm(q - p)
            single, _ = planar.discriminant(ellipse, tuple(found.point), tuple(found.point + along))
            off_tangent = max(off_tangent, abs(single))
            edge = np.array(ellipse.centre)[:, None] + ellipse.turn @ (
                np.array(ellipse.semi_axes)[:, None] * np.array([np.cos(turn), np.sin(turn)])
            )
            deepest = float((found.normal @ (p[:, None] - edge)).max())
            off_depth = max(off_depth, abs(found.depth - deepest))
    # slide an ellipse past the end of a line: depth does not jump
    depths = []
    for x in np.linspace(0.5, 2.0, 3001):
        ellipse = planar.Ellipse((0.5, 0.2), (float(x), 0.25), 0.5)
        found = planar.line_contact(ellipse, (0.0, 0.0), (1.0, 0.0))
        depths.append(0.0 if found is None else found.depth)
    jump = max(abs(b - a) for a, b in pairwise(depths))
    return [
        Check.close("ellipse and line: the tangent is tangent", 0.0, off_tangent, 1e-9, "-", "its discriminant"),
        Check.close("ellipse and line: depth", 0.0, off_depth, 1e-6, "m", "against 20,000 points of the ellipse"),
        Check.close(
            "ellipse and line: discriminant and depth disagree",
            0.0,
            disagree,
            0.0,
            "-",
            f"of {cases}: a crossed line has a depth, a depth a crossing",
        ),
        Check.close("ellipse past an edge: largest jump of depth", 0.0, jump, 2e-3, "m", "in steps of 0.5 mm"),
    ]
