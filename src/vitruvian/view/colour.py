"""Colours of bodies, surfaces and marks, and of bodies under contact force. Red, green, blue from 0 to 1."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import numpy as np

from ..model.fracture import DISTAL
from ..sim.recording import Recording
from ..sim.result import Result

Colour = tuple[float, float, float]

_SKIN: Colour = (0.93, 0.70, 0.53)
#: regions of a person
REGION: dict[str, Colour] = {
    "head": _SKIN,
    "neck": (0.88, 0.64, 0.48),
    "thorax": (0.30, 0.50, 0.70),
    "abdomen": (0.36, 0.56, 0.75),
    "pelvis": (0.24, 0.42, 0.61),
    "upper_arm": (0.45, 0.68, 0.62),
    "forearm": (0.53, 0.75, 0.68),
    "hand": _SKIN,
    "thigh": (0.46, 0.47, 0.62),
    "shank": (0.55, 0.56, 0.71),
    "foot": (0.33, 0.33, 0.42),
}
#: what covers a person in pictures
CLOTH: dict[str, Colour] = {
    "skin": (0.87, 0.67, 0.54),
    "shirt": (0.42, 0.55, 0.66),
    "trousers": (0.30, 0.33, 0.40),
    "shoe": (0.20, 0.20, 0.22),
    "hair": (0.27, 0.21, 0.17),
}
_FIXED, _MOVING = (0.86, 0.85, 0.81), (0.86, 0.87, 0.89)  # surfaces of the world and of bodies
_VEHICLE = {"windscreen": (0.62, 0.72, 0.80), "bumper": (0.66, 0.67, 0.69)}
PAINT: Colour = (0.70, 0.73, 0.77)  # bodywork of vehicles behind their fronts
GLASS: Colour = (0.30, 0.36, 0.42)
RIM: Colour = (0.66, 0.68, 0.70)
FRAME: Colour = (0.16, 0.38, 0.46)  # tubes of bicycles
FABRIC: Colour = (0.36, 0.38, 0.43)  # upholstery of seats
TYRE: Colour = (0.13, 0.13, 0.14)
FORCE: Colour = (0.82, 0.10, 0.26)  # arrows of contact forces
STRAINED: Colour = (0.86, 0.10, 0.60)  # joints past their limits
IMPACT: Colour = (0.98, 0.75, 0.05)  # head impact points
GROUND: Colour = (0.93, 0.93, 0.91)
BELT: Colour = (0.16, 0.17, 0.20)  # webbing
MUSCLE: Colour = (0.70, 0.16, 0.15)  # muscles
AIRBAG: Colour = (0.90, 0.90, 0.93)
LOOP: Colour = (0.10, 0.45, 0.60)  # joint points of loops
ROD: Colour = (0.45, 0.46, 0.48)

#: colours from no contact force to the largest one
SCALE = np.array([(1.00, 0.90, 0.45), (0.98, 0.62, 0.18), (0.89, 0.24, 0.12), (0.55, 0.00, 0.10)])
#: the place on the scale is the share of the force to this power, so that a small force is visible too
POWER = 0.5
_START = 0.08  # up to this place on the scale the body's own colour blends into it


def colour_of(recording: Recording, body: int) -> Colour:
    """Return the colour of a body: by region, the left side darker; other bodies cycle through the hues."""
    region, side = recording.roster.part(recording.bodies[body].removesuffix(DISTAL))
    if region not in REGION:
        return colorsys.hls_to_rgb((0.58 + 0.17 * body) % 1.0, 0.58, 0.40)
    red, green, blue = REGION[region]
    scale = 0.87 if side == "left" else 1.0
    return red * scale, green * scale, blue * scale


def surface_colour(part: str, body: int) -> Colour:
    """Return the colour of a part of a surface, on a body or (-1) in the world."""
    return _FIXED if body < 0 else _VEHICLE.get(part, _MOVING)


def body_forces(recording: Recording) -> np.ndarray:
    """Return the resultant of all contact forces on each body, from surfaces and other bodies (frame, body) [N]."""
    place = {name: index for index, name in enumerate(recording.bodies)}
    total = np.zeros((len(recording.pose_time), len(place), 3))
    for pair, (body, other) in enumerate(recording.pairs):
        total[:, place[body]] += recording.contact_force[:, pair]
        if other in place:
            total[:, place[other]] -= recording.contact_force[:, pair]
    return np.nan_to_num(np.linalg.norm(total, axis=2))


def full_force(results: Sequence[Result]) -> float:
    """Return the largest force on any body of some runs, for a common scale [N]; 0 without contact."""
    return max((float(body_forces(result.sound.recording).max(initial=0.0)) for result in results), default=0.0)


def lit(colour: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return the colours (n, 3) of bodies under a share of the full force (n,) [-]."""
    place = np.clip(share, 0.0, 1.0) ** POWER
    knots = np.linspace(0.0, 1.0, len(SCALE))
    warm = np.stack([np.interp(place, knots, SCALE[:, channel]) for channel in range(3)], axis=-1)
    own = np.clip(1.0 - place / _START, 0.0, 1.0)[:, None]
    return own * colour + (1.0 - own) * warm
