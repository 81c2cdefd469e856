"""Tissue under webbing, in series with it. SI units.

Webbing that presses a segment lies on an ellipsoid that moves inwards: the front of the segment, a body with a small
share of its mass and inertia. It slides along one direction against the law of the tissue,

    F = F_t(x) (1 + chi x'),   chi = d/v,

with the elastic force F_t of tissue and core (`model.tissue`), the damping number d of the rebound and the impact speed
v for which that rebound holds. Front and segment have one centre of mass, so the segment weighs and turns as before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..errors import InputError
from ..kernels.layout import speed_reference
from .belt import Belt
from .curve import Curve
from .joint import Joint, Resistance, frame_with_z
from .system import System
from .tissue import Tissue
from .validation import positive

SUFFIX = "_under_belt"
FORCES = np.geomspace(1.0, 1e6, 61)  # at which the law is tabulated [N]


@dataclass(frozen=True)
class BeltTissue:
    """The tissue of a segment under webbing.

    tissue  its elastic law and its rebound
    mass    of the front over that of the segment [-]
    speed   impact speed for which the rebound holds [m/s]
    """

    tissue: Tissue
    mass: float = 0.02
    speed: float = speed_reference.LEAST

    def __post_init__(self) -> None:
        positive(self.speed, "belt tissue: speed", "m/s")
        if not 0.0 < self.mass < 1.0:
            raise InputError(f"belt tissue: mass is {self.mass:g} of the segment; accepted between 0 and 1.")

    @property
    def resistance(self) -> Resistance:
        """Force over compression and its rate, along the coordinate of a slide."""
        depth, slope = self.tissue.depth(FORCES), 1.0 / self.tissue.compliance(FORCES)
        first = float(FORCES[0] / depth[0])
        curve = Curve(
            (0.0, *depth.tolist()), (0.0, *FORCES.tolist()), "cubic", slopes=(first, first, *slope[1:].tolist())
        )
        return Resistance(
            law="coordinate",
            curve=(curve, None, None),
            limit_damping=(self.tissue.number / self.speed, 0.0, 0.0),
        )


def yielding(system: System, laws: Mapping[str, BeltTissue]) -> System:
    """Return the system in which the named segments give way under the webbing that lies over them.

    The front of `thorax` is the body `thorax_under_belt`; the joint of the same name has the compression as its
    coordinate. Segments without webbing stay as they are.
    """
    sides: dict[str, np.ndarray] = {}
    for belt in system.belts:
        for point in belt.path:
            if belt.tissue and point.over is not None and point.over in laws:
                out = np.array(point.side)
                sides[point.over] = sides.get(point.over, np.zeros(3)) + out / np.linalg.norm(out)
    if not sides:
        return system
    bodies, fronts, joints = {body.name: body for body in system.bodies}, [], []
    for name, side in sides.items():
        law, whole = laws[name], bodies[name]
        if not np.linalg.norm(side) > 0.0:
            raise InputError(f"belts press {name!r} from opposite sides; its tissue gives way on one side only.")
        bodies[name] = replace(whole, mass=(1.0 - law.mass) * whole.mass, inertia=(1.0 - law.mass) * whole.inertia)
        front = replace(
            whole, name=name + SUFFIX, mass=law.mass * whole.mass, inertia=law.mass * whole.inertia, shapes=()
        )
        x, y, z = (-side / np.linalg.norm(side)).tolist()
        turn = frame_with_z((x, y, z))
        fronts.append(front)
        joints.append(
            Joint(
                front.name,
                "prismatic",
                name,
                front.name,
                frame_parent=turn,
                frame_child=turn,
                resistance=law.resistance,
            )
        )
    belts = tuple(_on_fronts(belt, sides) if belt.tissue else belt for belt in system.belts)
    people = tuple(
        replace(who, links=(*who.links, *(name + SUFFIX for name in sides if name in who.segments.values())))
        for who in system.roster.people
    )
    return system.replace(
        bodies=(*bodies.values(), *fronts),
        joints=(*system.joints, *joints),
        belts=belts,
        roster=replace(system.roster, people=people),
    )


def _on_fronts(belt: Belt, names: Collection[str]) -> Belt:
    """Return a belt that lies on the fronts of the named segments."""
    path = (replace(point, front=f"{point.over}{SUFFIX}") if point.over in names else point for point in belt.path)
    return replace(belt, path=tuple(path))
