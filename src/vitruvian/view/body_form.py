"""The outer form of a person as round solids on each segment, from the dimensions of the segments. SI units.

The solids are drawn only; contact uses the shapes of the model. Proportions within a segment (calf, heel, jaw) are an
artist's choice. Lengths and widths of the segments are those of the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

#: of a limb that the model has once for both sides: half the distance between hips and between shoulders, of the
#: half-width of the pelvis and of the thorax
_HIPS, _SHOULDERS = 0.47, 1.22
_FORWARD = np.array([1.0, 0.0, 0.0])
ARM, LEG = ("upper_arm", "forearm", "hand"), ("thigh", "shank", "foot")


class Cone(NamedTuple):
    """A cone with round ends, squeezed along the axes of its segment.

    start, end    centres of the ends [m]
    radii         of the ends [m]
    stretch       factors along x, y, z
    """

    start: np.ndarray
    end: np.ndarray
    radii: tuple[float, float]
    stretch: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def distance(self, points: np.ndarray) -> np.ndarray:
        """Return about how far points (n, 3) [m] are outside (n,) [m]; negative inside."""
        stretch = np.array(self.stretch)
        start, along = self.start / stretch, (self.end - self.start) / stretch
        offset = points / stretch - start
        share = np.clip(offset @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
        radius = self.radii[0] + share * (self.radii[1] - self.radii[0])
        gap = np.linalg.norm(offset - share[:, None] * along, axis=1) - radius
        return gap * float(stretch.min())

    @property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """The lowest and highest coordinates [m]."""
        ends = np.array([self.start, self.end])
        reach = max(self.radii) * np.array(self.stretch)
        return ends.min(axis=0) - reach, ends.max(axis=0) + reach


class Ball(NamedTuple):
    """An ellipsoid along the axes of its segment: centre and semi-axes [m]."""

    centre: np.ndarray
    semi_axes: np.ndarray

    def distance(self, points: np.ndarray) -> np.ndarray:
        """Return about how far points (n, 3) [m] are outside (n,) [m]; negative inside."""
        offset = (points - self.centre) / self.semi_axes
        size = np.linalg.norm(offset, axis=1)
        slope = np.linalg.norm(offset / self.semi_axes, axis=1)
        return size * (size - 1.0) / np.maximum(slope, 1e-9)

    @property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """The lowest and highest coordinates [m]."""
        return self.centre - self.semi_axes, self.centre + self.semi_axes


Solid = Cone | Ball


@dataclass(frozen=True)
class Frame:
    """A segment as the form needs it, in its own frame.

    half    half sizes of its shape along x, y, z [m]; of all of it if it has regions
    middle  of that shape [m]
    joint   to the segment above [m]
    ends    region of each segment below -> joints to it [m], on either side
    whole   half-widths of pelvis and thorax [m], for limbs that stand for both sides
    """

    region: str
    side: str
    half: np.ndarray
    middle: np.ndarray
    joint: np.ndarray
    ends: dict[str, list[np.ndarray]]
    whole: tuple[float, float]
    female: bool
    adult: bool

    @property
    def tip(self) -> np.ndarray:
        """The joint at the lower end, or the lower end of the shape [m]."""
        below = [point for region in (*ARM, *LEG) for point in self.ends.get(region, [])]
        return below[0] if below else self.middle - _at(0.0, 0.0, 0.97 * self.half[2])

    @property
    def width(self) -> float:
        """Half of the smaller size across [m]."""
        return float(np.sort(self.half)[0])


def form(frame: Frame) -> list[Solid]:
    """Return the solids of a segment in its frame; a limb for both sides gets them twice."""
    solids = _RECIPES.get(frame.region, _plain)(frame)
    limb = frame.region in (*ARM, *LEG)
    if not limb or frame.side:
        return solids
    aside = _HIPS * frame.whole[0] if frame.region in LEG else _SHOULDERS * frame.whole[1]
    return [moved for solid in solids for moved in (_aside(solid, aside), _aside(solid, -aside))]


def _aside(solid: Solid, y: float) -> Solid:
    step = _at(0.0, y, 0.0)
    if isinstance(solid, Ball):
        return solid._replace(centre=solid.centre + step)
    return solid._replace(start=solid.start + step, end=solid.end + step)


def _at(x: float, y: float, z: float) -> np.ndarray:
    return np.array([x, y, z])


def _between(start: np.ndarray, end: np.ndarray, share: float) -> np.ndarray:
    return start + share * (end - start)


def _plain(frame: Frame) -> list[Solid]:
    return [Ball(frame.middle, frame.half)]


def _thigh(frame: Frame) -> list[Solid]:
    w, top, knee = frame.width, frame.joint, frame.tip
    return [
        Cone(_between(top, knee, 0.12), knee, (0.84 * w, 0.52 * w)),
        Ball(_between(top, knee, 0.42) + 0.10 * w * _FORWARD, _at(0.78 * w, 0.76 * w, 0.16)),
    ]


def _shank(frame: Frame) -> list[Solid]:
    w, knee, ankle = frame.width, frame.joint, frame.tip
    length = float(np.linalg.norm(ankle - knee))
    solids: list[Solid] = [
        Cone(knee, ankle, (0.92 * w, 0.58 * w)),
        Ball(_between(knee, ankle, 0.30) - 0.22 * w * _FORWARD, _at(0.98 * w, 1.0 * w, 0.28 * length)),
    ]
    if "foot" not in frame.ends:  # a model without feet gets them for the eye
        heel = ankle + _at(-0.25 * w, 0.0, 0.55 * w)
        solids.append(Cone(heel, ankle + _at(3.2 * w, 0.0, 0.34 * w), (0.62 * w, 0.40 * w), (1.0, 1.15, 0.85)))
        solids[0] = Cone(knee, _between(knee, ankle, 0.9), (0.92 * w, 0.58 * w))
    return solids


def _foot(frame: Frame) -> list[Solid]:
    if frame.half[2] > frame.half[0]:  # the shape is turned: its long axis lies along the foot
        long, thick = float(frame.half[2]) * 1.3, float(frame.half[0])
        heel_x = float(frame.joint[0]) - 0.35 * long
    else:
        long, thick = float(frame.half[0]), float(frame.half[2])
        heel_x = float(frame.middle[0]) - 0.98 * long
    sole = float(frame.middle[2]) - thick if frame.half[2] <= frame.half[0] else -1.2 * thick
    ankle = frame.joint
    r, toe_r = 0.036 * long / 0.135, 0.023 * long / 0.135
    heel = _at(heel_x + r, ankle[1], sole + r)
    ball = _at(heel_x + 1.42 * long, ankle[1], sole + 1.10 * toe_r)
    toe = _at(heel_x + 2.0 * long - toe_r, ankle[1], sole + toe_r)
    return [
        Cone(heel, ball, (r, 1.1 * toe_r), (1.0, 1.15, 1.0)),
        Cone(ball, toe, (1.15 * toe_r, toe_r), (1.0, 1.75, 1.0)),
        Cone(ankle, ball - _at(0.22 * long, 0.0, -0.4 * toe_r), (1.05 * r, 0.95 * r), (1.0, 1.0, 1.0)),
    ]


def _upper_arm(frame: Frame) -> list[Solid]:
    w, top, elbow = frame.width, frame.joint, frame.tip
    return [
        Cone(top, elbow, (0.90 * w, 0.72 * w)),
        Ball(_between(top, elbow, 0.45) + 0.12 * w * _FORWARD, _at(0.92 * w, 0.84 * w, 0.10)),
    ]


def _forearm(frame: Frame) -> list[Solid]:
    w, elbow, wrist = frame.width, frame.joint, frame.tip
    solids: list[Solid] = [
        Cone(elbow, wrist, (0.86 * w, 0.58 * w)),
        Ball(_between(elbow, wrist, 0.25), _at(1.0 * w, 0.92 * w, 0.30 * float(np.linalg.norm(wrist - elbow)))),
    ]
    if "hand" not in frame.ends:  # a model without hands gets them for the eye
        palm = _between(elbow, wrist, 0.80)
        solids = [Cone(elbow, palm, (0.86 * w, 0.60 * w)), Cone(palm, wrist, (0.85 * w, 0.60 * w), (1.0, 0.5, 1.0))]
    return solids


def _hand(frame: Frame) -> list[Solid]:
    across, thick = float(np.sort(frame.half)[1]), float(np.sort(frame.half)[0])
    wrist, tip = frame.joint, frame.middle - _at(0.0, 0.0, 0.85 * frame.half[2])
    palm, knuckle = _between(wrist, tip, 0.25), _between(wrist, tip, 0.55)
    flat = (1.0, 0.62 * thick / 0.024 * 0.043 / across, 1.0)
    return [
        Cone(wrist, palm, (0.60 * across, 0.78 * across), flat),
        Cone(palm, knuckle, (0.86 * across, 0.86 * across), flat),
        Cone(knuckle, tip, (0.78 * across, 0.42 * across), flat),
        Cone(palm + 0.55 * across * _FORWARD, knuckle + 1.15 * across * _FORWARD, (0.33 * across, 0.27 * across)),
    ]


def _head(frame: Frame) -> list[Solid]:
    a, b, c = frame.half.tolist()
    m = frame.middle
    jaw, chin = m + _at(0.18 * a, 0.0, -0.38 * c), m + _at(0.52 * a, 0.0, -0.74 * c)
    return [
        Ball(m + _at(-0.06 * a, 0.0, 0.22 * c), _at(0.93 * a, 0.95 * b, 0.78 * c)),
        Cone(jaw, chin, (0.74 * b, 0.44 * b)),
        Ball(m + _at(0.88 * a, 0.0, -0.14 * c), _at(0.17, 0.13, 0.22) * a),
        *[Ball(m + _at(-0.08 * a, y * b, -0.08 * c), _at(0.20, 0.12, 0.28) * a) for y in (-0.97, 0.97)],
    ]


def _neck(frame: Frame) -> list[Solid]:
    w, low = frame.width, frame.joint
    high = frame.ends["head"][0] if frame.ends.get("head") else frame.middle + _at(0.0, 0.0, frame.half[2])
    return [Cone(low - _at(0.0, 0.0, 0.4 * w), high + _at(0.0, 0.0, 0.5 * w), (1.05 * w, 0.98 * w))]


def _thorax(frame: Frame) -> list[Solid]:
    a, b, c = frame.half.tolist()
    m = frame.middle
    base = frame.ends["neck"][0] if frame.ends.get("neck") else m + _at(0.0, 0.0, 0.9 * c)
    shoulders = frame.ends.get("upper_arm", [])
    if shoulders and abs(shoulders[0][1]) < 1e-9:
        shoulders = [shoulders[0] + _at(0.0, y * _SHOULDERS * b, 0.0) for y in (-1.0, 1.0)]
    solids: list[Solid] = [
        Ball(m + _at(0.0, 0.0, 0.05 * c), _at(0.86 * a, 1.02 * b, 0.95 * c)),
        Ball(m + _at(0.0, 0.0, -0.45 * c), _at(0.84 * a, 0.98 * b, 0.75 * c)),
    ]
    for point in shoulders:
        root = _at(base[0], 0.12 * point[1], base[2])
        solids.append(Cone(root, point, (0.42 * b, 0.33 * b), (0.95, 1.0, 0.95)))
        solids.append(Ball(m + _at(0.28 * a, 0.42 * point[1], 0.12 * c), _at(0.62 * a, 0.52 * b, 0.42 * c)))
        if frame.female and frame.adult:
            solids.append(Ball(m + _at(0.70 * a, 0.46 * point[1], -0.10 * c), _at(0.46 * a, 0.42 * b, 0.36 * c)))
    return solids


def _abdomen(frame: Frame) -> list[Solid]:
    a, b, c = frame.half.tolist()
    waist = 0.80 if frame.female and frame.adult else 0.87
    high = frame.ends["thorax"][0] if frame.ends.get("thorax") else frame.middle + _at(0.0, 0.0, 0.5 * c)
    depth = (0.92 * a / (waist * b), 1.0, 1.0)
    return [
        Ball(frame.middle + _at(0.04 * a, 0.0, 0.0), _at(0.88 * a, waist * b, 1.05 * c)),
        Cone(frame.joint, high + _at(0.0, 0.0, 0.3 * c), (0.98 * waist * b, waist * b), depth),
    ]


def _pelvis(frame: Frame) -> list[Solid]:
    a, b, c = frame.half.tolist()
    m, hips = frame.middle, frame.ends.get("thigh", [])
    if hips and abs(hips[0][1]) < 1e-9:
        hips = [hips[0] + _at(0.0, y * _HIPS * b, 0.0) for y in (-1.0, 1.0)]
    drop = float(hips[0][2]) if hips else m[2] - 0.5 * c
    solids: list[Solid] = [
        Ball(m, _at(0.90 * a, 0.96 * b, max(c, 0.09))),
        Ball(_at(m[0], 0.0, drop), _at(0.72 * a, 0.74 * b, 0.55 * a)),
    ]
    for point in hips:
        solids.append(Ball(point + _at(-0.42 * a, -0.05 * point[1], 0.12 * a), _at(0.62, 0.64, 0.74) * a))
    return solids


_RECIPES = {
    "thigh": _thigh,
    "shank": _shank,
    "foot": _foot,
    "upper_arm": _upper_arm,
    "forearm": _forearm,
    "hand": _hand,
    "head": _head,
    "neck": _neck,
    "thorax": _thorax,
    "abdomen": _abdomen,
    "pelvis": _pelvis,
}
