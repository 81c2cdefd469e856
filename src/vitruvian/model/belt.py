"""Webbing: anchors, slip rings, segments that it lies on, its force-elongation curve and its retractor. SI units."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..errors import InputError
from .field import field_of
from .frame import Vector
from .validation import finite_vector, not_negative, positive
from .value import Components, Flag, Name, Of, Rows, Text

#: force over strain of webbing, 8 % at 11.1 kN, and that of stiff webbing (estimated: linear)
WEBBING = ((0.0, 0.0), (0.08, 11.1e3))
FRICTION = 0.2  # of webbing on clothes and in rings, estimated [-]
GRIP = 1.0  # of a segment across the webbing, estimated [-]
DAMPING = 0.002  # relaxation time of webbing, estimated [s]

_CURVE = Rows(("dimensionless", "force"), "rows of strain and force, from 0, 0 on, both increasing")


@dataclass(frozen=True)
class Waypoint:
    """A place of the webbing: an anchor, a slip ring, or a segment that it lies on. Exactly one of them is given.

    front  body that moves the ellipsoid of `over` where tissue gives way (`belt_tissue`); the segment unless given
    """

    anchor: Vector | None = field_of(
        Components("length"), "end of the webbing: from the centre of mass of its body, or in the world", default=None
    )
    ring: Vector | None = field_of(Components("length"), "slip ring, likewise", default=None)
    over: str | None = field_of(Text(), "body on whose ellipsoid or cylinder the webbing lies", default=None)
    body: str | None = field_of(Text(), "that carries the anchor or ring; the world unless given", default=None)
    friction: float = field_of("dimensionless", "along the webbing, of a ring or segment (estimated)", default=FRICTION)
    grip: float = field_of(
        "dimensionless",
        "friction across the webbing, of a segment; it stands for bones that hold the webbing, too (estimated)",
        default=GRIP,
    )
    side: Vector = field_of(
        Components("dimensionless"), "of the segment on which the webbing lies, body frame", default=(1.0, 0.0, 0.0)
    )
    front: str | None = None

    def __post_init__(self) -> None:
        given = [name for name in ("anchor", "ring", "over") if getattr(self, name) is not None]
        if len(given) != 1:
            raise InputError(
                f"a waypoint of a belt has {' and '.join(given) or 'nothing'}; give one of anchor, ring and over."
            )
        for name in ("anchor", "ring", "side"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, finite_vector(getattr(self, name), f"waypoint {name}"))
        if self.over is not None and self.body is not None:
            raise InputError(f"a waypoint over {self.over!r} has a body, too; that is for an anchor or ring.")
        if not any(self.side):
            raise InputError("waypoint side is the zero vector; give a direction out of the segment.")
        not_negative(self.friction, "waypoint friction", "")
        not_negative(self.grip, "waypoint grip", "")

    @property
    def carrier(self) -> str | None:
        """Body that it is on; None is the world."""
        return self.front or (self.body if self.over is None else self.over)

    @property
    def point(self) -> Vector:
        """Anchor or ring [m]; the origin for a segment."""
        return self.anchor or self.ring or (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Pretensioner:
    """A device that pulls webbing in at the retractor."""

    time: float = field_of("time", "at which it fires")
    pull_in: float = field_of("length", "webbing that it pulls in", default=0.08, above=0.0)
    force: float = field_of("force", "most that it pulls with (estimated)", default=2000.0, above=0.0)
    duration: float = field_of("time", "in which it could pull all of it in (estimated)", default=0.006, above=0.0)

    def __post_init__(self) -> None:
        not_negative(self.time, "pretensioner time", "s")
        for name, unit in (("pull_in", "m"), ("force", "N"), ("duration", "s")):
            positive(getattr(self, name), f"pretensioner {name}", unit)


@dataclass(frozen=True)
class Retractor:
    """The reel at the first anchor. It pays webbing out at the force of its spring until the first lock is reached."""

    lock_time: float | None = field_of("time", "at which it locks; at once if no lock is given", default=None)
    lock_acceleration: float | None = field_of(
        "acceleration", "of its body, at which it locks", default=None, above=0.0
    )
    lock_payout: float | None = field_of(
        "velocity", "of the webbing out of it, at which it locks", default=None, above=0.0
    )
    spring: float = field_of("force", "of the reel until it locks (estimated)", default=10.0, above=0.0)
    limit: float | None = field_of(
        "force", "at which the locked reel pays out: a load limiter", default=None, above=0.0
    )
    film: float = field_of("length", "webbing that the locked reel gives as it tightens", default=0.0)
    film_force: float = field_of("force", "at which it is tight", default=1000.0, above=0.0)
    pretensioner: Pretensioner | None = field_of(Of(Pretensioner), "none unless given", default=None)

    def __post_init__(self) -> None:
        for name, unit in (("lock_acceleration", "m/s2"), ("lock_payout", "m/s"), ("limit", "N")):
            if getattr(self, name) is not None:
                positive(getattr(self, name), f"retractor {name}", unit)
        positive(self.spring, "retractor spring", "N")
        positive(self.film_force, "retractor film_force", "N")
        not_negative(self.film, "retractor film", "m")
        if self.lock_time is not None:
            not_negative(self.lock_time, "retractor lock_time", "s")


@dataclass(frozen=True)
class Belt:
    """Webbing between two anchors, over segments and through slip rings."""

    name: str = field_of(Name(dots=True), "of its own")
    path: tuple[Waypoint, ...] = field_of(
        Of(Waypoint, several=True), "waypoints from the first anchor, which may have a retractor, to the last"
    )
    loading: tuple[tuple[float, float], ...] = field_of(
        _CURVE, "force [N] over strain [-] when first loaded (estimated: linear, 8 % at 11.1 kN)", default=WEBBING
    )
    unloading: tuple[tuple[float, float], ...] | None = field_of(
        _CURVE, "force [N] over strain from the length left without force; as loading unless given", default=None
    )
    damping: float = field_of("time", "viscous force over stiffness (estimated)", default=DAMPING)
    slack: float = field_of("length", "webbing beyond the shortest path at the start", default=0.0)
    retractor: Retractor | None = field_of(Of(Retractor), "reel at the first anchor; none unless given", default=None)
    tissue: bool = field_of(
        Flag(), "whether segments of people with layered tissue give way under the webbing", default=True
    )

    def __post_init__(self) -> None:
        where = f"belt {self.name!r}"
        object.__setattr__(self, "path", tuple(self.path))
        if len(self.path) < 2 or self.path[0].anchor is None or self.path[-1].anchor is None:
            raise InputError(f"{where}: its path must begin and end with an anchor.")
        if inner := [k for k, point in enumerate(self.path[1:-1], 1) if point.anchor is not None]:
            raise InputError(f"{where}: waypoint {inner[0]} is an anchor inside the path; use a ring.")
        not_negative(self.damping, f"{where}: damping", "s")
        not_negative(self.slack, f"{where}: slack", "m")
        object.__setattr__(self, "loading", _curve(self.loading, f"{where}: loading"))
        if self.unloading is not None:
            object.__setattr__(self, "unloading", _curve(self.unloading, f"{where}: unloading"))
            self._check_hysteresis(where)

    def _check_hysteresis(self, where: str) -> None:
        """Refuse an unloading curve that is softer than the loading curve: it would return more than it took."""
        forces = sorted({force for curve in (self.loading, self.unloading or ()) for _, force in curve})
        apart = [strain_at(self.loading, f) - strain_at(self.unloading or (), f) for f in forces]
        for k, (one, next_one) in enumerate(pairwise(apart)):
            if next_one < one - 1e-12:
                raise InputError(
                    f"{where}: between {forces[k]:g} and {forces[k + 1]:g} N the unloading curve is flatter than the "
                    "loading curve, so that webbing would return more energy than it took; make it steeper."
                )


def strain_at(curve: tuple[tuple[float, float], ...], force: float) -> float:
    """Return the strain [-] at which a curve of webbing reaches a force [N]; its last line continues."""
    strains, forces = np.array(curve).T
    if force <= forces[-1]:
        return float(np.interp(force, forces, strains))
    return float(strains[-1] + (force - forces[-1]) * (strains[-1] - strains[-2]) / (forces[-1] - forces[-2]))


def _curve(rows: tuple[tuple[float, float], ...], where: str) -> tuple[tuple[float, float], ...]:
    values = np.array(rows, dtype=float)
    if values.ndim != 2 or values.shape[1:] != (2,) or len(values) < 2 or not np.isfinite(values).all():
        raise InputError(f"{where} needs at least two rows of strain and force.")
    if values[0].any() or (np.diff(values, axis=0) <= 0.0).any():
        raise InputError(f"{where} must begin with 0, 0, and strain and force must increase from row to row.")
    return tuple((float(strain), float(force)) for strain, force in values)
