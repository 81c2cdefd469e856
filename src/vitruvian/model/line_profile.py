"""A profile taken line by line, by the rule of the 2D pedestrian paper. SI units."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..errors import InputError
from .facet_table import CREASE
from .field import field_of
from .patch import Extrusion
from .solid import Solid
from .value import Choice

TANGENTS = ("outer", "nearest")


@dataclass(frozen=True)
class Lines(Extrusion):
    """An open polygon in the x-z plane that touches ellipsoids line by line, by the rule of the 2D pedestrian paper.

    For motion in a plane. The tangent of the ellipsoid's shadow parallel to a line is as deep as the distance of the
    two; the force acts along the normal of the line at its bottom point, which stays on the line (`kernels/strip.py`).
    Every line is a contact of its own, also where two meet.

    With the tangent "outer" a line pushes along its normal, out of the solid. With "nearest" the nearer of the two
    tangents counts, as in the paper, which turns the force round when the centre of the ellipsoid crosses the line.
    """

    width: float = field_of("length", "along y; only drawn", default=1.0, implied=True)
    tangent: str = field_of(
        Choice(TANGENTS),
        "outer (a line pushes along its normal) or nearest (the nearer tangent counts, as in the 2D paper)",
        default="outer",
        implied=True,
    )
    # lines have none of these, so that a file cannot give them
    rounding: float = field(default=0.0, kw_only=True)
    edge_radius: float = field(default=0.0, kw_only=True)
    backing: float = field(default=0.0, kw_only=True)
    crease: float = field(default=CREASE, kw_only=True)

    def _check(self) -> None:
        super()._check()
        if self.tangent not in TANGENTS:
            raise InputError(f"{self.where}: tangent is {self.tangent!r}; accepted: {', '.join(TANGENTS)}.")
        for name in ("rounding", "backing", "edge_radius"):
            if getattr(self, name):
                raise InputError(f"{self.where}: lines have no {name}; leave it out, or take an Extrusion.")

    @property
    def solids(self) -> tuple[Solid, ...]:
        """None: lines are open."""
        return ()

    @property
    def lines(self) -> tuple[tuple[str, np.ndarray, np.ndarray], ...]:
        """Part, start [m] and end [m] of every line, in its own frame."""
        points = [np.array([x, 0.0, z]) for x, z in self.profile]
        names = self.segments or (self.name,) * (len(points) - 1)
        return tuple(zip(names, points, points[1:], strict=False))
