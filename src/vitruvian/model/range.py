"""The range of a joint: where only its inner law resists, and how the limits continue on the whole of SO(3). SI units.

Every measure of a rotation is singular or wraps round somewhere. The potential of a joint reaches one constant value
there, with zero slope, so that energy and torque are continuous wherever the joint can be pushed:

seam   the angle outside its range at which a component wraps round
rim    the boundary of the swing range, as a polar curve about the middle of the range
fence  from which on the potential blends into its value at the singular point of the measure
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import pi
from typing import NamedTuple

import numpy as np

from .curve import Curve, monotone_slopes
from .frame import Quaternion
from .joint import CARDAN_AXES, Resistance
from .pose import rotation_matrix

SEAM_WIDTH, NARROWEST = 0.5, 0.02  # largest and least half-width of the blend about a seam [rad]
FARTHEST = np.radians(160.0)  # swing of two motions together from which on their combination is limited [rad]
FREELY = np.radians(120.0)  # swing up to which it is not [rad]
KNOT_SPACING = np.radians(5.0)  # of the rim about the middle of the range [rad]
SLACK = 1e-5  # by which the rim lies outside the range [rad]
STEEPEST = 4.0  # largest slope of the rim over the longitude [-]
WIDEST_MIDDLE = np.radians(80.0)  # of the middle of a range about one axis [rad]
FREE = np.radians(30.0)  # limit of a floating axis without one, for the place of its fence [rad]


class Swing(NamedTuple):
    """The swing range of a limb.

    centre     frame of the middle of the range in the parent's joint frame, a unit quaternion
    rim        angle from the middle to the rim over the longitude about it, from -pi to pi [rad]
    stiffness  of the limit in the radial direction, over the same longitude [N m/rad]; None for the law "cone"
    """

    centre: Quaternion
    rim: Curve
    stiffness: Curve | None

    def extremes(self) -> tuple[float, float]:
        """Return the least and the largest angle from the middle to the rim [rad]."""
        return self.rim.extremes()


def limits(resistance: Resistance) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower and upper limits of the three components [rad or m], those of limit curves included."""
    lower, upper = np.array(resistance.limit_minus), np.array(resistance.limit_plus)
    for axis, curve in enumerate(resistance.curve):
        if curve is not None and curve.range is not None:
            lower[axis], upper[axis] = max(lower[axis], curve.range[0]), min(upper[axis], curve.range[1])
    return lower, upper


@lru_cache(maxsize=512)
def seams(resistance: Resistance) -> tuple[float, ...]:
    """Return the seam [rad], the energy there [J] and the half-width of the blend [rad], three components each.

    The seam is where the energy is the same from both sides. Without limits that is half a turn from the rest.
    """
    found, turn = [], 2.0 * pi
    for axis, (first, last) in enumerate(np.array(limits(resistance)).T.tolist()):
        low = last if np.isfinite(last) else resistance.rest[axis]
        high = max(low, first + turn) if np.isfinite(first) else low + turn
        energy = resistance.component(axis)
        for _ in range(50):
            seam = 0.5 * (low + high)
            if energy(seam) < energy(seam - turn):
                low = seam
            else:
                high = seam
        top = max(energy(seam), energy(seam - turn))
        room = min(seam - last, first + turn - seam) if np.isfinite(last - first) else 0.8 * SEAM_WIDTH
        found.append((seam, top, min(max(0.5 * room, NARROWEST), SEAM_WIDTH)))
    return tuple(np.array(found).T.ravel().tolist())


@lru_cache(maxsize=512)
def fence(resistance: Resistance, swing: Swing | None) -> tuple[float, float]:
    """Return the angle from which the potential blends into its singular value [rad], and that value [J]."""
    if resistance.law in CARDAN_AXES:
        floating = CARDAN_AXES[resistance.law][1]
        ends = [abs(side[floating]) for side in limits(resistance)]
        widest = max(end if np.isfinite(end) else FREE for end in ends)
        top = max(resistance.energy(floating, a) for a in (-0.5 * np.pi, 0.5 * np.pi))
        return 0.5 * (widest + 0.5 * np.pi), top
    if swing is None:
        return np.inf, 0.0
    least, most = swing.extremes()
    if resistance.cone is not None:
        return most + resistance.cone.width, resistance.cone.torque * (np.pi - least - 0.5 * resistance.cone.width)
    assert swing.stiffness is not None
    rim, stiffness = np.array(swing.rim.torques), np.array(swing.stiffness.torques)
    return 0.5 * (most + np.pi), float((0.5 * stiffness * (np.pi - rim) ** 2).max())


@lru_cache(maxsize=512)
def swing_range(resistance: Resistance) -> Swing | None:
    """Return the swing range of the laws swing_twist and cone; None if nothing limits the swing."""
    if resistance.cone is not None:
        return Swing(resistance.cone.frame, resistance.cone.rim(), None)
    low_x, low_y, high_x, high_y = (*resistance.limit_minus[:2], *resistance.limit_plus[:2])
    if resistance.law != "swing_twist" or not np.isfinite([low_x, low_y, high_x, high_y]).any():
        return None
    inner = resistance.stiffness
    below, above = (
        [side[k] - inner[k] for k in (0, 1)] for side in (resistance.stiffness_minus, resistance.stiffness_plus)
    )
    left = high_x > -low_x  # the mirror image of a right one
    if left:
        low_x, high_x = -high_x, -low_x
        below[0], above[0] = above[0], below[0]
    (w, x, y, z), rim, marks = _box((low_x, low_y, high_x, high_y))
    # between the four ends in proportion; radially the limit is softer where the rim runs obliquely
    knots, values, slopes = (np.array(part) for part in (rim.angles, rim.torques, rim.slopes))
    across = np.interp(knots, marks, [*below, *above], period=2.0 * np.pi)
    stiffness = _smooth(knots, across / (1.0 + (slopes / np.sin(np.minimum(values, 3.0))) ** 2))
    if left:
        return Swing((w, -x, y, -z), _mirrored(rim), _mirrored(stiffness))
    return Swing((w, x, y, z), rim, stiffness)


def swing_vector(direction: np.ndarray) -> np.ndarray:
    """Return the swing about x and y (..., 2) [rad] that takes z to a direction (..., 3)."""
    sine = np.hypot(direction[..., 0], direction[..., 1])
    ratio = np.where(sine > 1e-9, np.arctan2(sine, direction[..., 2]) / np.maximum(sine, 1e-300), 1.0)
    return np.stack([-ratio * direction[..., 1], ratio * direction[..., 0]], axis=-1)


def swing_direction(vector: np.ndarray) -> np.ndarray:
    """Return the direction (..., 3) to which a swing about x and y (..., 2) [rad] takes z."""
    angle = np.hypot(vector[..., 0], vector[..., 1])
    ratio = np.sinc(angle / np.pi)
    return np.stack([ratio * vector[..., 1], -ratio * vector[..., 0], np.cos(angle)], axis=-1)


def in_swing_range(resistance: Resistance, vector: np.ndarray) -> np.ndarray:
    """Return whether swings about x and y (..., 2) [rad] lie inside the limits of both, and of their combination."""
    return _in_box(vector, np.array(resistance.limit_minus[:2]), np.array(resistance.limit_plus[:2]))


def _in_box(vector: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Return whether swing vectors (..., 2) [rad] lie between limits, and no farther than their combination allows.

    If the limits together would take the limb beyond FARTHEST, a combination beyond FREELY reaches about as far as the
    motions about one axis do.
    """
    slack = 1e-9
    size = np.hypot(vector[..., 0], vector[..., 1]) + 1e-30
    ends = np.minimum(np.abs(np.where(vector < 0.0, lower, upper)), np.pi)
    widest = np.hypot(*np.maximum(-lower, upper))
    share = (vector / size[..., None]) ** 4 + 1e-30
    farthest = np.maximum(FREELY, (ends * share).sum(axis=-1) / share.sum(axis=-1)) if widest > FARTHEST else np.inf
    inside = ((vector >= lower - slack) & (vector <= upper + slack)).all(axis=-1)
    return np.asarray(inside & (size <= farthest + slack))


@lru_cache(maxsize=256)
def _box(ends: tuple[float, ...]) -> tuple[Quaternion, Curve, np.ndarray]:
    """Return the middle of a swing range, its rim, and the longitudes [rad] of the four ends of single motions.

    The rim goes round the box of swing vectors about x and y. It passes through the corners of the box and through the
    ends of the motions about one axis, and nowhere runs inside. Ends [rad]: minus x, minus y, plus x, plus y.
    """
    known = np.clip(ends, -np.pi, np.pi)
    lower, upper = known[:2], known[2:]
    centre = _middle(lower, upper)
    frame = rotation_matrix(centre)

    def polar(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return longitudes and angles from the middle [rad]."""
        x, y, z = (swing_direction(vectors) @ frame).T
        return np.clip(np.arctan2(y, x), -np.pi, np.pi - 1e-9), np.arctan2(np.hypot(x, y), z)

    def inside(longitude: np.ndarray, rho: np.ndarray) -> np.ndarray:
        sine = np.sin(rho)
        seen = np.stack([sine * np.cos(longitude), sine * np.sin(longitude), np.cos(rho) + 0.0 * longitude], axis=-1)
        vector = swing_vector(seen @ frame.T)
        return np.asarray((rho == 0.0) | _in_box(vector, lower, upper))

    def radius(longitude: np.ndarray, halvings: int = 26) -> np.ndarray:
        """Return the angle from the middle [rad] to where the box is left for the last time."""
        rho = np.linspace(0.0, np.pi - 1e-6, 46)
        within = inside(longitude[:, None], rho[None, :])
        low = rho[len(rho) - 1 - np.argmax(within[:, ::-1], axis=1)]
        high = np.minimum(low + rho[1], rho[-1])
        for _ in range(halvings):
            half = 0.5 * (low + high)
            here = inside(longitude, half)
            low, high = np.where(here, half, low), np.where(here, high, half)
        return low

    single = np.zeros((4, 2))
    single[[0, 1, 2, 3], [0, 1, 0, 1]] = known
    marks, _ = polar(single)
    corners, distances = polar(_corners(lower, upper))
    knots = _knots(marks, corners)

    # no steeper than STEEPEST, from outside: a range beyond the opposite of zero is no star about its middle
    grid = np.linspace(-np.pi, np.pi, 361)
    seen = radius(grid, halvings=4)

    def eased(longitude: np.ndarray) -> np.ndarray:
        apart = np.abs((longitude[:, None] - grid + np.pi) % (2.0 * np.pi) - np.pi)
        return np.maximum(radius(longitude), (seen - STEEPEST * apart).max(axis=1))

    # with the mean slope at a corner a cubic passes through it and bulges a little outwards on both sides
    step = 1e-5
    before, values, after = np.split(eased(np.concatenate([knots - step, knots, knots + step])), 3)
    slopes = np.clip((after - before) / (2.0 * step), -STEEPEST, STEEPEST)
    values[-1], slopes[-1] = values[0], slopes[0]
    # raised where the range reaches farther between two knots
    between = (knots[:-1, None] + np.linspace(0.1, 0.9, 9) * np.diff(knots)[:, None]).ravel()
    places, needed = np.append(between, corners), np.append(radius(between), distances)
    lacking = needed - _closed(knots, values, slopes).at(places)
    values += _largest_at_knots(knots, places, lacking) + SLACK
    w, x, y, z = centre.tolist()
    return (w, x, y, z), _closed(knots, values, slopes), marks


def _middle(lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Return the quaternion [-] of the middle of a swing range between limits about x and y [rad]."""
    tangent = np.tan(np.clip(0.5 * (lower + upper), -WIDEST_MIDDLE, WIDEST_MIDDLE))
    x, y, z = np.array([tangent[1], -tangent[0], 1.0]) / np.sqrt(1.0 + (tangent**2).sum())
    return np.asarray((1.0 + z, -y, x, 0.0) / np.sqrt(2.0 * (1.0 + z)))


def _knots(marks: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Return longitudes [rad] at the ends of single motions, at corners and at half a turn, and evenly between."""
    ends_of_pieces = [-np.pi, *marks, np.pi]
    ends_of_pieces += [c for c in corners if np.abs(c - np.array(ends_of_pieces)).min() > 0.1 * KNOT_SPACING]
    special = np.sort(ends_of_pieces)
    special = special[np.append(True, np.diff(special) > 1e-6)]
    parts = [
        np.linspace(a, b, int(np.ceil((b - a) / KNOT_SPACING - 1e-9)), endpoint=False) for a, b in pairwise(special)
    ]
    return np.append(np.concatenate(parts), np.pi)


def _largest_at_knots(knots: np.ndarray, places: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return at each knot [rad] the largest of the values in the two intervals next to it, at least zero."""
    largest = np.zeros(len(knots) - 1)
    np.maximum.at(largest, np.searchsorted(knots, places, side="right") - 1, values)
    return np.maximum(np.append(largest, largest[0]), np.append(largest[-1], largest))


def _corners(lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Return where the edges of the box of swing vectors end (8, 2) [rad]: at other edges, or at the farthest swing."""
    start = np.array(
        [(end[0], 0.0) for end in (lower, upper) for _ in (0, 1)]
        + [(0.0, end[1]) for end in (lower, upper) for _ in (0, 1)]
    )
    along = np.array(
        [(0.0, end[1]) for _ in (0, 1) for end in (lower, upper)]
        + [(end[0], 0.0) for _ in (0, 1) for end in (lower, upper)]
    )
    low, high = np.zeros((8, 1)), np.ones((8, 1))
    for _ in range(40):
        half = 0.5 * (low + high)
        inside = _in_box(start + half * along, lower, upper)[:, None]
        low, high = np.where(inside, half, low), np.where(inside, high, half)
    return start + low * along


def _closed(knots: np.ndarray, values: np.ndarray, slopes: np.ndarray) -> Curve:
    """Return the cubic curve through values with slopes at longitudes [rad] from -pi to pi."""
    return Curve(tuple(knots.tolist()), tuple(values.tolist()), "cubic", tuple(slopes.tolist()))


def _smooth(knots: np.ndarray, values: np.ndarray) -> Curve:
    """Return the smooth closed curve through values at longitudes [rad] from -pi to pi that overshoots nowhere."""
    turn = 2.0 * np.pi
    longer = np.concatenate([knots[-4:-1] - turn, knots, knots[1:4] + turn])
    slopes = monotone_slopes(longer, np.concatenate([values[-4:-1], values, values[1:4]]))
    return _closed(knots, values, slopes[3:-3])


def _mirrored(curve: Curve) -> Curve:
    """Return a closed curve with its longitude reversed."""
    assert curve.slopes is not None
    return _closed(-np.array(curve.angles)[::-1], np.array(curve.torques)[::-1], -np.array(curve.slopes)[::-1])
