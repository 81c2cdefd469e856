"""The front of a vehicle: an open polygon of named parts, each with its force-penetration curve. SI units.

Frame of the vehicle: x forward from the foremost point of the front, y left, z up from the ground. The ready fronts and
curves are estimates (tables vehicle_front and vehicle_curve): no measured front was at hand. The curves were shaped so
that a drop of the regulatory impactor on them gives a usual result.

The polygon is extruded over the width. Along both sides of a car runs a stiff strip: the flange of the wing next to the
bonnet, and the A-pillar next to the windscreen. Each strip is a surface whose force adds to that of the front.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from .. import data
from ..errors import InputError, nearest, shown, spelled
from ..model import Contact, Extrusion, Lines
from ..model.polygon import rounded
from ..units import quantity, vector
from .front_part import CURVE_OF, PARTS, SIDE_PARTS, known_part, part_contact, ready_contact, strip_parts
from .surface import contact

Point = tuple[float, float]

BACKING = 0.3  # depth to which a front is solid [m]
LENGTH = 4.0  # of the solid behind a front [m], estimated: a car is 3.6 to 5 m long
EDGE_RADIUS = 0.12  # of the ridges of a front for which none is given [m], estimated; bodywork has 0.03 to 0.15 m
SIDE_WIDTH = 0.12  # of a side strip [m], estimated: an A-pillar with its seal is 0.08 to 0.14 m wide
SIDE_RADIUS = 0.05  # of the ridges of a side strip [m], estimated
SIDE_HEIGHT = 0.2  # of the upright end of a wing, hidden behind the grille [m], estimated
PROUD = 5e-3  # height of a side strip over the front [m], estimated
FLAT_SHARE = 0.4  # of every segment that the ridges of such a radius leave flat [-]
END_SHARE = 0.1  # of the first and last segment that ridge and round end leave flat [-]

_KEYS = (
    "name",
    "title",
    "base",
    "profile",
    "parts",
    "width",
    "edge_radius",
    "plan",
    "sides",
    "grades",
    "contacts",
    "friction",
    "source",
)


@dataclass(frozen=True)
class Front:
    """The front of a vehicle.

    profile   corners (x, z) [m] from below, upwards and back; the foremost has x = 0
    parts     name of each segment, in the order of PARTS
    width     [m]
    contacts  part -> how it pushes back; also of the parts of its side strips
    plan      how the profile is shifted along x over the width: rows (y, shift) [m], none of them forward; or None
    source    where the numbers come from, in words
    edge_radius  of the ridges of its surface, inside the profile [m]
    sides     distance of the middle of the side strips, wing and pillar, from the middle of the front [m]; 0 for none
    """

    name: str
    profile: tuple[Point, ...]
    parts: tuple[str, ...]
    width: float
    contacts: Mapping[str, Contact] = field(repr=False)
    plan: tuple[Point, ...] | None = None
    title: str = ""
    source: str = ""
    edge_radius: float = 0.0
    sides: float = 0.0

    def __post_init__(self) -> None:
        where = f"front {self.name!r}"
        self.surface()  # refuses what is no profile
        order = [known_part(part, PARTS, f"{where}: part") for part in self.parts]
        for before, after in pairwise(order):
            if after < before:
                raise InputError(
                    f"{where}: the part {PARTS[after]!r} comes after {PARTS[before]!r}; from below upwards and back "
                    f"the order is {', '.join(PARTS)}."
                )
        points = np.array(self.profile)
        if points[:, 1].min() < 0.0:
            raise InputError(f"{where}: the profile goes {-points[:, 1].min():g} m below the ground; z is up from it.")
        if points[-1, 1] <= points[0, 1]:
            raise InputError(
                f"{where}: the profile must go from below upwards and back; its last corner is not higher."
            )
        if abs(points[:, 0].max()) > 1e-9:
            raise InputError(
                f"{where}: the foremost corner of the profile is at x = {points[:, 0].max():g} m; x is forward from "
                "the foremost point, so it must be 0 there and negative behind."
            )
        if self.plan is not None and max(shift for _, shift in self.plan) > 1e-9:
            raise InputError(f"{where}: the plan moves the profile forward; shifts are 0 or negative.")
        if self.sides:
            self._check_sides(where)

    def _check_sides(self, where: str) -> None:
        most = 0.5 * (self.width - SIDE_WIDTH)
        if not SIDE_WIDTH <= self.sides <= most:
            raise InputError(
                f"{where}: sides is {self.sides:g} m; accepted {SIDE_WIDTH:g} to {most:g} m from the middle, or 0 for "
                "none."
            )
        if self.plan is not None:
            raise InputError(f"{where}: a front with a plan has no side strips; leave plan out, or give sides = 0.")
        if not self.side_parts:
            along = " or ".join(SIDE_PARTS.values())
            raise InputError(f"{where}: side strips run along a {along}, and it has neither; give sides = 0.")

    @property
    def side_parts(self) -> tuple[str, ...]:
        """Names of the parts that its side strips have or would have."""
        return strip_parts(self.parts)

    def surface(self, name: str = "front", **more: Any) -> Extrusion:
        """Return the front as a surface; `more` as carrier, place and rotation of vitruvian.model.FacetSurface."""
        return Extrusion(
            name,
            self.profile,
            self.width,
            self.parts,
            self.plan,
            contact={part: self.contacts[part] for part in self.parts},
            backing=BACKING,
            solid=LENGTH,
            edge_radius=self.edge_radius,
            **more,
        )

    def strips(self, name: str = "front", **more: Any) -> tuple[Extrusion, ...]:
        """Return the side strips as surfaces, left and right; `more` as in `surface`, without a place."""
        if not self.sides:
            return ()
        of_part = {along: part for part, along in SIDE_PARTS.items()}
        found = [k for k, part in enumerate(self.parts) if part in of_part]
        first, last = found[0], found[-1] + 1
        profile = list(self.profile[first : last + 1])
        parts = [of_part.get(part, "wing") for part in self.parts[first:last]]  # a wing runs along the cowl, too
        x, z = profile[0]
        if parts[0] == "wing":
            profile, parts = [(x, z - SIDE_HEIGHT), *profile], ["wing", *parts]
        return tuple(
            Extrusion(
                f"{name}_{side}",
                tuple(profile),
                SIDE_WIDTH,
                tuple(parts),
                contact={part: self.contacts[part] for part in parts},
                backing=BACKING,
                solid=LENGTH,
                edge_radius=SIDE_RADIUS,
                place=(0.0, y, PROUD),
                **more,
            )
            for side, y in (("left", self.sides), ("right", -self.sides))
        )

    def lines(self, name: str = "front", tangent: str = "outer", **more: Any) -> Lines:
        """Return the front as lines for motion in a plane; `tangent` as in vitruvian.model.Lines, `more` as above."""
        laws = {part: self.contacts[part] for part in self.parts}
        more |= {"tangent": tangent, "contact": laws, "solid": LENGTH}
        return Lines(name, self.profile, self.width, self.parts, self.plan, **more)

    def table(self) -> dict[str, Any]:
        """Return the front as a table in SI, from which `front` makes the same."""
        given: dict[str, Any] = {"name": self.name, "title": self.title, "source": self.source}
        given |= {"profile": [list(point) for point in self.profile], "parts": list(self.parts), "width": self.width}
        given |= {"edge_radius": self.edge_radius, "sides": self.sides}
        if self.plan is not None:
            given["plan"] = [list(row) for row in self.plan]
        return given | {"contacts": {part: _parameters(law) for part, law in self.contacts.items()}}

    def replace(self, **changes: Any) -> Front:
        """Return a copy with some fields changed, checked again."""
        return replace(self, **changes)

    @cached_property
    def pieces(self) -> np.ndarray:
        """Return x and z of both ends of the pieces of the profile with round ridges (4, n) [m]."""
        corners = rounded(self.profile, self.edge_radius)
        return np.ascontiguousarray(np.stack([corners[:-1], corners[1:]], axis=1).reshape(-1, 4).T)


def fronts() -> tuple[str, ...]:
    """Return the names of the ready fronts."""
    return tuple(data.values("vehicle_front"))


def front(
    given: str | Mapping[str, Any] | Front,
    *,
    grades: Mapping[str, str] | None = None,
    friction: float | None = None,
    folder: str | Path = "",
    where: str = "front",
) -> Front:
    """Return a front: a ready one by name, one from a TOML file or a table, or unchanged.

    given     "sedan", "mycar.toml", a table, or a Front
    grades    part -> "soft", "medium", "stiff" or "heavy": takes the ready curve of that grade
    friction  coefficient of all parts [-]
    folder    in which a file is looked up
    """
    if isinstance(given, Front):
        found = given
    elif isinstance(given, str):
        found = _read(Path(folder) / given) if given.endswith(".toml") else _ready(given, where)
    elif isinstance(given, Mapping):
        found = _from_table(given, str(given.get("base", "custom")), where)
    else:
        raise InputError(f"{where} is {shown(given)}; expected the name of a front, a file or a table.")
    laws = dict(found.contacts) | _graded(grades or {}, tuple(found.contacts), f"{where}: grades")
    if friction is not None:
        laws = {part: _at(f"{where}: friction", law.replace, friction=friction) for part, law in laws.items()}
    return found if laws == dict(found.contacts) else found.replace(contacts=laws)


# --- reading


def _ready(name: str, where: str) -> Front:
    """Return a row of the table of fronts by its name."""
    known = data.values("vehicle_front")
    if name not in known:
        raise InputError(
            f"{where} is {shown(name)}; accepted: {', '.join(known)}, or a file.toml.{nearest(name, known)}"
        )
    return _of_table(name)


@cache
def _of_table(name: str) -> Front:
    """Return a row of the table of fronts; a corner bears the name of the part that begins there.

    Spoiler and grille have the curves of bumper and leading edge and count as them: fewer parts are faster.
    """
    row = data.values("vehicle_front")[name]
    corners = tuple(part for part in PARTS if f"x_{part}" in row)
    profile = tuple((row[f"x_{corner}"], row[f"z_{corner}"]) for corner in (*corners, "end"))
    parts = tuple(CURVE_OF[part] for part in corners)
    if "cowl" in row:
        profile, parts = _with_cowl(profile, parts, row["cowl"])
    sides = row.get("sides", 0.0)
    laws = {part: ready_contact(name, part) for part in (*parts, *(strip_parts(parts) if sides else ()))}
    origin = "estimated: table vehicle_front"
    radius = row["edge_radius"]
    return Front(name, profile, parts, row["width"], laws, title=name, source=origin, edge_radius=radius, sides=sides)


def _with_cowl(
    profile: tuple[Point, ...], parts: tuple[str, ...], reach: float
) -> tuple[tuple[Point, ...], tuple[str, ...]]:
    """Return a profile with a cowl that reaches some distance [m] before and behind the base of its windscreen."""
    base = parts.index("windscreen")
    before, corner, behind = (np.array(profile[base + k]) for k in (-1, 0, 1))
    start, end = (corner + reach * (to - corner) / np.linalg.norm(to - corner) for to in (before, behind))
    ends = [(float(x), float(z)) for x, z in (start, end)]
    return (
        (*profile[:base], ends[0], profile[base], ends[1], *profile[base + 1 :]),
        (*parts[:base], "cowl", "cowl", *parts[base:]),
    )


def _read(path: Path) -> Front:
    table = data.read_toml(path)
    return _at(str(path), _from_table, table, path.stem, "front")


def _text(table: Mapping[str, Any], key: str, default: str) -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        raise InputError(f"{key} is {shown(value)}; expected text in quotes.")
    return value


def _table(table: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, Mapping):
        raise InputError(f"{where}.{key} is {shown(value)}; expected a table with an entry for each part.")
    return value


def _from_table(table: Mapping[str, Any], name: str, where: str) -> Front:
    for key in table:
        if key not in _KEYS:
            raise InputError(
                f"{where}.{spelled(key)} is not known; accepted: {', '.join(_KEYS)}.{nearest(str(key), _KEYS)}"
            )
    name, title, source, ready = (
        _at(where, _text, table, key, default, joint=".")
        for key, default in (("name", name), ("title", ""), ("source", ""), ("base", ""))
    )
    base = _ready(ready, f"{where}.base") if "base" in table else None
    for key in ("profile", "parts", "width"):
        if base is None and key not in table:
            raise InputError(f"{where}.{key} is missing; a front needs profile, parts and width, or a base.")
    profile, parts, width = (base.profile, base.parts, base.width) if base else ((), (), 0.0)
    profile = _rows(table["profile"], f"{where}.profile") if "profile" in table else profile
    parts = _names(table["parts"], f"{where}.parts") if "parts" in table else parts
    width = quantity(table["width"], "length", f"{where}.width") if "width" in table else width
    plan = _rows(table["plan"], f"{where}.plan") if "plan" in table else None
    if "sides" in table:
        sides = quantity(table["sides"], "length", f"{where}.sides")
    else:  # those of the base, where its strips still fit
        sides = base.sides * width / base.width if base and plan is None and strip_parts(parts) else 0.0
    every = (*parts, *(strip_parts(parts) if sides else ()))
    laws = {part: (base.contacts.get(part) if base else None) or part_contact(part) for part in every}
    laws |= _graded(_table(table, "grades", where), every, f"{where}.grades")
    for part, given in _table(table, "contacts", where).items():
        known_part(part, every, f"{where}.contacts.{spelled(part)}: the part")
        laws[part] = _at(f"{where}.contacts.{part}", contact, given)
    if "friction" in table:
        coefficient = quantity(table["friction"], "dimensionless", f"{where}.friction")
        laws = {part: _at(f"{where}.friction", law.replace, friction=coefficient) for part, law in laws.items()}
    if "edge_radius" in table:
        radius = quantity(table["edge_radius"], "length", f"{where}.edge_radius")
    else:
        radius = base.edge_radius if base and profile == base.profile else _usual_radius(profile, plan)
    return _at(where, Front, name, profile, parts, width, laws, plan, title, source, radius, sides)


def _usual_radius(profile: tuple[Point, ...], plan: tuple[Point, ...] | None) -> float:
    """Return the edge radius [m] of a front without one: EDGE_RADIUS, or less where segments are short."""
    points = np.array(profile)
    along = np.diff(points, axis=0)
    length = np.linalg.norm(along, axis=1)
    if plan is not None or len(points) < 3 or not length.all():
        return 0.0
    turn = np.abs(np.diff(np.unwrap(np.arctan2(along[:, 1], along[:, 0]))))
    lost = np.tan(0.5 * np.minimum(turn, 3.0))  # of the segments at each corner, per radius
    most = (1.0 - FLAT_SHARE) * length / (np.concatenate([[1e-9], lost]) + np.concatenate([lost, [1e-9]]))
    ends = (1.0 - END_SHARE) * length[[0, -1]] / (1.0 + lost[[0, -1]])  # an end is round, too
    return float(min(EDGE_RADIUS, most.min(), ends.min()))


def _parameters(law: Contact) -> dict[str, Any]:
    """Return the fields of a contact that are not at their defaults."""
    given = {f.name: getattr(law, f.name) for f in fields(law) if getattr(law, f.name) != f.default}
    return {name: [list(row) for row in value] if isinstance(value, tuple) else value for name, value in given.items()}


def _graded(grades: Mapping[str, str], parts: tuple[str, ...], where: str) -> dict[str, Contact]:
    for part in grades:
        known_part(part, parts, f"{where}.{spelled(part)}: the part")
    return {part: _at(f"{where}.{part}", part_contact, part, grade) for part, grade in grades.items()}


def _rows(given: Any, where: str) -> tuple[Point, ...]:
    if not isinstance(given, list | tuple):
        raise InputError(f"{where} is {shown(given)}; expected rows of two lengths [m].")
    rows = (vector(row, "length", f"{where}[{i}]", 2) for i, row in enumerate(given))
    return tuple((x, y) for x, y in rows)


def _names(given: Any, where: str) -> tuple[str, ...]:
    """Return names of parts, one for each segment of the profile."""
    if not isinstance(given, list | tuple):
        raise InputError(f"{where} is {shown(given)}; expected a list of parts: {', '.join(PARTS)}.")
    for i, part in enumerate(given):
        known_part(part, PARTS, f"{where}[{i}]: the part")
    return tuple(given)


def _at(where: str, function: Any, *arguments: Any, joint: str = ": ", **options: Any) -> Any:
    """Return the value of a function; errors start with the place."""
    try:
        return function(*arguments, **options)
    except InputError as error:
        raise InputError(f"{where}{joint}{error}") from None
