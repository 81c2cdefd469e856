"""Torque over an angle, as tables and exponentials, and the cone that limits a limb. SI units.

A curve is the torque with which a joint resists, g = dV/da: positive where it pushes towards smaller angles. Its energy
is the exact integral, counted from the angle zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp

import numpy as np

from ..errors import InputError
from ..kernels import layout
from .field import field_of
from .frame import IDENTITY, Quaternion
from .validation import finite_vector, not_negative, positive, rotation
from .value import Choice, Depends, ListOf

KINDS = ("linear", "cubic", "exponential")
LARGEST_EXPONENT = 50.0  # of a term at the ends of its curve [-]


@dataclass(frozen=True)
class Curve:
    """Torque of a joint over one of its angles (force over a displacement).

    kind     "linear": straight between the knots; "cubic": smooth through them; "exponential": a sum of terms, whose
             two angles are the ends beyond which it continues straight
    slopes   of "cubic", at the knots [N m/rad]; None: so that the curve rises and falls only where the table does
             (fritsch1980)
    terms    of "exponential": (A [N m], B [1/rad], C [rad]) each, A exp(B (a - C)); B = 0 is a constant

    Beyond the last knots every curve continues straight, with the slope it has there.
    """

    angles: tuple[float, ...] = field_of(ListOf(Depends("rad or m")), "knots, increasing", implied=True)
    torques: tuple[float, ...] = field_of(
        ListOf(Depends("N m or N")),
        "dV/da at the knots, rising or not; positive pushes towards smaller angles",
        default=(),
        implied=True,
    )
    kind: str = field_of(Choice(("linear", "cubic")), "how the knots are joined", default="linear")
    slopes: tuple[float, ...] | None = None
    terms: tuple[tuple[float, float, float], ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"curve kind {self.kind!r} is unknown; accepted: {', '.join(KINDS)}.")
        angles = finite_vector(self.angles, "curve angles", len(tuple(self.angles)))
        object.__setattr__(self, "angles", angles)
        if len(angles) < 2 or not all(np.diff(angles) > 0.0):
            raise InputError(f"curve angles are {angles}; expected two or more, each greater than the one before.")
        if self.kind == "exponential":
            self._check_terms()
            return
        if self.terms:
            raise InputError(f"curve terms belong to the kind 'exponential', not {self.kind!r}.")
        object.__setattr__(self, "torques", finite_vector(self.torques, "curve torques", len(angles)))
        if self.slopes is not None:
            if self.kind != "cubic":
                raise InputError(f"curve slopes belong to the kind 'cubic', not {self.kind!r}.")
            object.__setattr__(self, "slopes", finite_vector(self.slopes, "curve slopes", len(angles)))

    def _check_terms(self) -> None:
        if len(self.angles) != 2 or self.torques or self.slopes is not None:
            raise InputError("a curve of the kind 'exponential' takes two angles (its ends) and terms, no torques.")
        if not self.terms:
            raise InputError("a curve of the kind 'exponential' needs terms (A, B, C).")
        terms = tuple(finite_vector(term, "curve term") for term in self.terms)
        object.__setattr__(self, "terms", terms)
        for _, b, c in terms:
            if max(b * (end - c) for end in self.angles) > LARGEST_EXPONENT:
                raise InputError(f"curve term exp({b:g} (a - {c:g})) overflows at its ends {self.angles}; narrow them.")

    @property
    def range(self) -> tuple[float, float] | None:
        """The angles between which a curve of limits has no torque [rad]; None for other curves."""
        free = [a for a, g in zip(self.angles, self.torques, strict=True) if g == 0.0] if self.torques else []
        return (free[0], free[-1]) if len(free) == 2 and self.slopes is not None else None

    def mirrored(self) -> Curve:
        """The curve of the reversed axis: g(a) becomes -g(-a)."""
        return Curve(
            tuple(-a for a in reversed(self.angles)),
            tuple(-g for g in reversed(self.torques)),
            self.kind,
            None if self.slopes is None else tuple(reversed(self.slopes)),
            tuple((-a, -b, -c) for a, b, c in self.terms),
        )

    def scaled(self, factor: float) -> Curve:
        """The curve with all torques multiplied [-]."""
        return Curve(
            self.angles,
            tuple(factor * g for g in self.torques),
            self.kind,
            None if self.slopes is None else tuple(factor * s for s in self.slopes),
            tuple((factor * a, b, c) for a, b, c in self.terms),
        )

    def at(self, angle: np.ndarray) -> np.ndarray:
        """Return the torque dV/da [N m] of a table at angles [rad]."""
        pieces = self.rows()[1:]
        x, (c0, c1, c2, c3) = self._piece(pieces, np.asarray(angle))
        return np.asarray(c0 + x * (c1 + x * (c2 + x * c3)))

    def energy(self, angle: float) -> float:
        """Return the energy [J] at an angle [rad], zero at the angle zero."""
        rows = self.rows()
        if self.kind != "exponential":
            return _energy(rows[1:], angle)
        at = min(max(angle, self.angles[0]), self.angles[1])
        return _exponential_energy(self.terms, at, angle) - float(rows[0, 4])

    @staticmethod
    def _piece(pieces: np.ndarray, angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the place in its piece [rad] and the polynomial (4, ...) of each angle [rad]."""
        row = np.searchsorted(pieces[1:, 0], angle, side="right")
        return angle - pieces[row, 0], np.moveaxis(pieces[row, 2:], -1, 0)

    def extremes(self) -> tuple[float, float]:
        """Return the least and the largest torque [N m] of a table between its first and its last knot."""
        _, _, c0, c1, c2, c3 = self.rows()[2:-1].T
        found = [np.array(self.torques)]
        with np.errstate(divide="ignore", invalid="ignore"):
            root = np.sqrt(c2 * c2 - 3.0 * c1 * c3)
            for x in ((-c2 + root) / (3.0 * c3), (-c2 - root) / (3.0 * c3), -c1 / (2.0 * c2)):
                inside = (x > 0.0) & (x < np.diff(self.angles))
                found.append((c0 + x * (c1 + x * (c2 + x * c3)))[inside])
        values = np.concatenate(found)
        return float(values.min()), float(values.max())

    def steepest(self) -> float:
        """The largest slope [N m/rad] of the curve on its knots."""
        return _steepest(self)

    def _largest_slope(self) -> float:
        rows = self.rows()
        if self.kind == "exponential":
            slopes = [sum(a * b * exp(b * (end - c)) for a, b, c in self.terms) for end in self.angles]
            return max(slopes)
        # a parabola between knots: its ends and its top
        found = [0.0]
        for (_, _, _, c1, c2, c3), width in zip(rows[1:], [0.0, *np.diff(self.angles), 0.0], strict=True):
            places = [0.0, width] + ([-c2 / (3.0 * c3)] if c3 < 0.0 < -c2 / (3.0 * c3) < width else [])
            found += [c1 + x * (2.0 * c2 + 3.0 * x * c3) for x in places]
        return float(max(found))

    def rows(self) -> np.ndarray:
        """The rows of the kernels' table (types.N_CURVE columns), read only."""
        return _rows(self)

    def _made_rows(self) -> np.ndarray:
        if self.kind == "exponential":
            return self._exponential_rows()
        a, g = np.array(self.angles), np.array(self.torques)
        width, chord = np.diff(a), np.diff(g) / np.diff(a)
        if self.kind == "linear":
            first, last, slopes = chord[0], chord[-1], None
        else:
            slopes = np.array(self.slopes) if self.slopes is not None else monotone_slopes(a, g)
            first, last = slopes[0], slopes[-1]
        inner = np.zeros((len(width), 4))
        inner[:, 0], inner[:, 1] = g[:-1], chord
        if slopes is not None:
            inner[:, 1] = slopes[:-1]
            inner[:, 2] = (3.0 * chord - 2.0 * slopes[:-1] - slopes[1:]) / width
            inner[:, 3] = (slopes[:-1] + slopes[1:] - 2.0 * chord) / width**2
        c0, c1, c2, c3 = inner.T
        gained = width * (c0 + width * (c1 / 2.0 + width * (c2 / 3.0 + width * c3 / 4.0)))
        energy = np.concatenate([[0.0], np.cumsum(gained)])
        rows = np.zeros((len(a) + 2, layout.curve.COUNT))
        rows[0, 0] = len(a) + 1
        rows[1] = a[0], 0.0, g[0], first, 0.0, 0.0  # below the first knot
        rows[2:-1, 0], rows[2:-1, 1], rows[2:-1, 2:] = a[:-1], energy[:-1], inner
        rows[-1] = a[-1], energy[-1], g[-1], last, 0.0, 0.0  # above the last
        # the first piece holds from minus infinity: the search compares with the next ones only
        rows[1:, 1] -= _energy(rows[1:], 0.0)
        return rows

    def _exponential_rows(self) -> np.ndarray:
        rows = np.zeros((1 + len(self.terms), layout.curve.COUNT))
        rows[0, 1], rows[0, 2:4] = len(self.terms), self.angles
        rows[1:, :3] = self.terms
        # energy at zero, by the same rule as in the kernel
        rows[0, 4] = _exponential_energy(self.terms, min(max(0.0, self.angles[0]), self.angles[1]), 0.0)
        return rows


def _energy(pieces: np.ndarray, a: float) -> float:
    """Energy of a curve of pieces at an angle [J]."""
    row = pieces[max(0, int(np.searchsorted(pieces[1:, 0], a, side="right")))]
    x, (c0, c1, c2, c3) = a - row[0], row[2:]
    return float(row[1] + x * (c0 + x * (c1 / 2.0 + x * (c2 / 3.0 + x * c3 / 4.0))))


def _exponential_energy(terms: tuple[tuple[float, float, float], ...], at: float, angle: float) -> float:
    """Return the integral [J] of a sum of exponentials up to `at`, and straight on from there to an angle [rad]."""
    parts = [(a * exp(b * (at - c)), b) for a, b, c in terms]
    torque, slope = sum(part for part, _ in parts), sum(part * b for part, b in parts)
    x = angle - at
    return sum(part / b if b else part * at for part, b in parts) + x * (torque + 0.5 * slope * x)


def monotone_slopes(a: np.ndarray, g: np.ndarray) -> np.ndarray:
    """Slopes at the knots of a smooth cubic that rises and falls only where the table does (fritsch1980).

    Inside: the harmonic mean of the neighbouring chords, weighted by their widths; zero at a turning point. At the
    ends: the parabola through three knots, kept between zero and three times the chord.
    """
    width, chord = np.diff(a), np.diff(g) / np.diff(a)
    if len(a) == 2:
        return np.array([chord[0], chord[0]])
    slopes = np.zeros(len(a))
    for k in range(1, len(a) - 1):
        if chord[k - 1] * chord[k] > 0.0:
            w1, w2 = 2.0 * width[k] + width[k - 1], width[k] + 2.0 * width[k - 1]
            slopes[k] = (w1 + w2) / (w1 / chord[k - 1] + w2 / chord[k])
    for end, near, far in ((0, 0, 1), (-1, -1, -2)):
        slope = ((2.0 * width[near] + width[far]) * chord[near] - width[near] * chord[far]) / (width[near] + width[far])
        if slope * chord[near] <= 0.0:
            slope = 0.0
        elif chord[near] * chord[far] <= 0.0 and abs(slope) > 3.0 * abs(chord[near]):
            slope = 3.0 * chord[near]
        slopes[end] = slope
    return slopes


def limit_curve(minus: float, plus: float, width: float, torque: float) -> Curve:
    """No torque between two limits [rad]; beyond them torque (3 x^2 - 2 x^3), x = angle beyond / width, up to `torque`.

    The third-order curve of silva1997 eq. 25 for a hinge, kept at its top from x = 1 on (E078).
    """
    positive(width, "limit curve width", "rad")
    not_negative(torque, "limit curve torque", "N m")
    if not minus < plus:
        raise InputError(f"limits are crossed: the lower one is {minus:g} rad, the upper one {plus:g} rad.")
    return Curve((minus - width, minus, plus, plus + width), (-torque, 0.0, 0.0, torque), "cubic", (0.0,) * 4)


@dataclass(frozen=True)
class Cone:
    """The cone in which a limb axis (z of the child) may move, after silva1997 section 5.2.

    limits  latitudes at which it ends towards x, y, -x and -y of the cone's frame [rad]; between them a closed cubic
            spline over the longitude
    width   angle beyond the limit over which the torque grows to its top [rad]
    torque  its top [N m]
    frame   of the cone in the parent's joint frame, a unit quaternion; its z is the axis of the cone
    """

    limits: tuple[float, float, float, float]
    width: float
    torque: float
    frame: Quaternion = IDENTITY

    def __post_init__(self) -> None:
        object.__setattr__(self, "limits", finite_vector(self.limits, "cone limits", 4))
        object.__setattr__(self, "frame", rotation(self.frame, "cone frame"))
        positive(self.width, "cone width", "rad")
        not_negative(self.torque, "cone torque", "N m")
        least, most = self.extremes()
        if not least > 0.0 or not most + self.width < np.pi:
            raise InputError(
                f"cone limits are {np.degrees(self.limits).round(1).tolist()} deg: between them the rim runs from "
                f"{np.degrees(least):.1f} to {np.degrees(most):.1f} deg; it must stay above 0 and, with the width of "
                f"{np.degrees(self.width):.1f} deg, below 180 deg."
            )

    def rim(self) -> Curve:
        """Return the latitude of the rim [rad] over the longitude from -pi to pi [rad]: a closed cubic spline."""
        y, h = np.array(self.limits), 0.5 * np.pi
        # slopes s of the closed spline: s[k-1] + 4 s[k] + s[k+1] = 3 (y[k+1] - y[k-1]) / h
        ahead, back = np.roll(np.eye(4), 1, axis=1), np.roll(np.eye(4), -1, axis=1)
        slopes = np.linalg.solve(4.0 * np.eye(4) + ahead + back, 3.0 * (np.roll(y, -1) - np.roll(y, 1)) / h)
        around = [2, 3, 0, 1, 2]
        return Curve(
            tuple(h * k for k in range(-2, 3)), tuple(y[around].tolist()), "cubic", tuple(slopes[around].tolist())
        )

    def limit(self, longitude: np.ndarray) -> np.ndarray:
        """Return the latitude of the rim [rad] at longitudes [rad]."""
        return self.rim().at((np.asarray(longitude) + np.pi) % (2.0 * np.pi) - np.pi)

    def extremes(self) -> tuple[float, float]:
        """Return the least and the largest limit [rad]."""
        return self.rim().extremes()

    def mirrored(self) -> Cone:
        """The mirror image in the xz plane."""
        x, y, minus_x, minus_y = self.limits
        w, qx, qy, qz = self.frame
        return Cone((x, minus_y, minus_x, y), self.width, self.torque, (w, -qx, qy, -qz))


# made once for equal curves, because most people share those of the tables


@lru_cache(maxsize=1024)
def _rows(curve: Curve) -> np.ndarray:
    rows = curve._made_rows()
    rows.setflags(write=False)
    return rows


@lru_cache(maxsize=1024)
def _steepest(curve: Curve) -> float:
    return curve._largest_slope()
