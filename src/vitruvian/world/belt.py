"""Ready belts: where the anchors and rings of a lap, shoulder, three-point and four-point belt are. SI units.

The places are in the axes of what carries the belt: x forward, y left, z up. The lap anchors are on lines that fall
from the hip joints rearwards by 45 degrees: 49 CFR 571.210 S4.3.1 allows 30 to 75 degrees from the seating reference
point, UN R14 45 to 80 (recalled). Distances are estimates that grow with the person. The outboard side is the left one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any

import numpy as np

from ..errors import InputError
from ..model import Belt, Retractor, System, Waypoint
from ..model.field import field_of
from ..model.pose import Pose
from ..model.value import Choice, Of, Text

TYPES = ("lap", "shoulder", "three-point", "four-point")
LAP_ANGLE = radians(45.0)  # of the lap part from the horizontal [rad]
LAP_LENGTH = 1.0  # from a hip joint to its lap anchor, over the half width of the pelvis [-]
BUCKLE_LENGTH = 0.6  # from a hip joint to the buckle, likewise [-]
ASIDE = 0.03  # from the side of the pelvis to an anchor [m]
ABOVE = 0.06  # from the top of the thorax to the upper ring [m]
UPPER_ASIDE, STRAP_ASIDE = 1.3, 0.5  # of the upper ring, of the straps of a four-point belt, over the half chest [-]


@dataclass(frozen=True)
class BeltKeys:
    """Keys of a belt in a file beyond those of the model."""

    path: tuple[Any, ...] = field_of(
        Of(Waypoint, several=True),
        "waypoints from the first anchor, which may have a retractor, to the last; or give a type",
        default=(),
    )
    type: str | None = field_of(Choice(TYPES), "a ready path (its places are estimates)", default=None)
    person: str | None = field_of(Text(), "of a ready path: who wears it; the only one unless given", default=None)
    carrier: str | None = field_of(
        Text(), "of a ready path: body that carries its anchors; the world unless given", default=None
    )


def ready_belts(
    type: str, system: System, poses: Mapping[str, Pose], *, prefix: str = "", carrier: str | None = None, **more: Any
) -> tuple[Belt, ...]:
    """Return a ready belt of a person who sits as `poses` say; a four-point belt is three pieces of webbing.

    type     "lap", "shoulder", "three-point" or "four-point"
    prefix   of the names of the person's bodies
    carrier  body that carries anchors and rings; None is the world
    more     name and further fields of `model.Belt`
    """
    if type not in TYPES:
        raise InputError(f"a belt of type {type!r} is not known; accepted: {', '.join(TYPES)}.")
    place = _Place(system, poses, prefix, carrier)
    name = more.pop("name", type)
    pelvis, thorax, abdomen = f"{prefix}pelvis", f"{prefix}thorax", f"{prefix}abdomen"

    def over(body: str, left: float = 0.0) -> Waypoint:
        return Waypoint(over=body, side=(1.0, left, 0.4 if body == pelvis else 0.0))

    has_belly = abdomen in poses and bool(system.body(abdomen).shapes)
    trunk = (over(thorax), over(abdomen)) if has_belly else (over(thorax),)

    left, right = place.lap(1.0), place.lap(-1.0)
    if type == "lap":
        return (Belt(name, (place.anchor(left), over(pelvis), place.anchor(right)), **more),)
    upper = place.upper(1.0)
    if type == "shoulder":
        return (Belt(name, (place.anchor(upper), *trunk, place.anchor(place.buckle)), **more),)
    if type == "three-point":
        path = (
            place.anchor((upper[0], upper[1], left[2])),
            place.ring(upper),
            *trunk,
            place.ring(place.buckle),
            over(pelvis),
            place.anchor(left),
        )
        return (Belt(name, path, **({"retractor": Retractor()} | more)),)
    lap = {key: value for key, value in more.items() if key != "retractor"}
    return (
        Belt(f"{name}.lap", (place.anchor(left), over(pelvis), place.anchor(right)), **lap),
        *(
            Belt(
                f"{name}.{side}",
                (place.anchor(place.upper(sign, STRAP_ASIDE)), over(thorax, 0.4 * sign), place.anchor(place.lap(sign))),
                **more,
            )
            for side, sign in (("left", 1.0), ("right", -1.0))
        ),
    )


class _Place:
    """Places relative to a seated person, in the axes of the carrier; from its centre of mass, or in the world."""

    def __init__(self, system: System, poses: Mapping[str, Pose], prefix: str, carrier: str | None) -> None:
        for body in (f"{prefix}pelvis", f"{prefix}thorax"):
            if body not in poses or not system.body(body).shapes:
                raise InputError(f"a ready belt needs the body {body!r}, with a shape; it lies over it.")
        self.carrier = carrier
        self.pelvis, self.thorax = (poses[f"{prefix}{part}"][0] for part in ("pelvis", "thorax"))
        self.half_pelvis, self.half_thorax = (
            system.body(f"{prefix}{part}").shapes[0].half_size for part in ("pelvis", "thorax")
        )
        hips = [system.joint(f"{prefix}{side}_hip").point_parent for side in ("left", "right")]
        self.hip = self.pelvis + poses[f"{prefix}pelvis"][1] @ np.mean(hips, axis=0)
        if carrier is None:
            left = poses[f"{prefix}pelvis"][1][:, 1] * (1.0, 1.0, 0.0)
            left = left / np.linalg.norm(left)
            self.origin, self.axes = np.zeros(3), np.array([[left[1], -left[0], 0.0], left, [0.0, 0.0, 1.0]]).T
            self.home = np.eye(3)
        else:
            self.origin, self.axes = poses[carrier]
            self.home = self.axes

    def _from(self, centre: np.ndarray, x: float, y: float, z: float) -> tuple[float, float, float]:
        """Return a place so far forward, left and above of a centre, in the frame of the carrier."""
        at = self.home.T @ (centre + self.axes @ np.array([x, y, z]) - self.origin)
        return float(at[0]), float(at[1]), float(at[2])

    def lap(self, sign: float) -> tuple[float, float, float]:
        """Return the lap anchor on a side: 1 left, -1 right."""
        return self._behind(LAP_LENGTH, sign)

    def upper(self, sign: float, aside: float = UPPER_ASIDE) -> tuple[float, float, float]:
        """Return the upper ring or anchor behind a shoulder."""
        return self._from(self.thorax, -0.30, sign * aside * self.half_thorax[1], self.half_thorax[2] + ABOVE)

    @property
    def buckle(self) -> tuple[float, float, float]:
        """Place of the buckle, inboard of the pelvis."""
        return self._behind(BUCKLE_LENGTH, -1.0)

    def _behind(self, far: float, sign: float) -> tuple[float, float, float]:
        """Return a place on the line that falls from the hip rearwards, so many half widths of the pelvis from it."""
        far *= self.half_pelvis[1]
        side = sign * (self.half_pelvis[1] + ASIDE)
        return self._from(self.hip, -far * cos(LAP_ANGLE), side, -far * sin(LAP_ANGLE))

    def anchor(self, point: tuple[float, float, float]) -> Waypoint:
        """Return an anchor on the carrier."""
        return Waypoint(anchor=point, body=self.carrier)

    def ring(self, point: tuple[float, float, float]) -> Waypoint:
        """Return a ring on the carrier."""
        return Waypoint(ring=point, body=self.carrier)
