"""Which shapes may touch which, by what law: the candidate pairs of a system, as arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ..errors import InputError
from ..kernels import layout
from .configuration import Configuration
from .contact import Contact, law_row
from .element import Plane
from .facet_table import Patches, joined
from .flexible import carrier, owner
from .line_profile import Lines
from .patch import FacetSurface
from .pose import rotation_matrix
from .shape import Shape
from .system import Surface, System
from .tissue import Soft, joined_soft

CURVES = (layout.law_kind.CURVE, layout.law_kind.UNLOADING, layout.law_kind.NUMBER_CURVE)  # columns that name a table


@dataclass(frozen=True)
class Meeting:
    """The law of a candidate before it becomes a row.

    contact  law of the surface, or between bodies
    soft     bodies that give way, and their tissue
    radius   of the shape that touches [m], for the Hertz stiffness
    """

    contact: Contact
    soft: tuple[tuple[str, Soft], ...]
    radius: float

    def row(self) -> tuple[tuple[int, ...], tuple[float, ...], list[Any]]:
        """Return the rows of `law_row`."""
        return law_row(self.contact, joined_soft([soft for _, soft in self.soft]), self.radius)


@dataclass(frozen=True)
class Pair:
    """A candidate.

    body     that touches
    other    surface or body that it meets
    size     smallest half-width of the shape that touches [m]
    limit    impact speed above which the law is beyond its own validity [m/s]
    rest     postures without force
    meeting  the law between them
    """

    body: str
    other: str
    size: float
    limit: float
    rest: tuple[Configuration, ...] = ()
    meeting: Meeting | None = None


class _Rows:
    """Rows of integers and floats that grow together; equal rows are kept once."""

    def __init__(self) -> None:
        self.rows: dict[tuple[tuple[int, ...], tuple[float, ...]], int] = {}

    def add(self, ints: tuple[int, ...], floats: tuple[float, ...]) -> int:
        """Number of the row, appended if it is new."""
        return self.rows.setdefault((ints, floats), len(self.rows))

    def arrays(self, n_int: int, n_float: int) -> tuple[np.ndarray, np.ndarray]:
        """Both tables."""
        ints = np.array([row[0] for row in self.rows], dtype=np.int64).reshape(-1, n_int)
        floats = np.array([row[1] for row in self.rows], dtype=np.float64).reshape(-1, n_float)
        return ints, floats


class _Candidates:
    """The candidate pairs of a system while they are gathered."""

    def __init__(self, system: System, number: dict[str, int], world: int, driven: set[str | None]) -> None:
        self.system, self.number, self.world, self.driven = system, number, world, driven
        self.shapes, self.laws = _Rows(), _Rows()
        self.curves: list[np.ndarray] = []
        self.known: dict[tuple[bytes, ...], int] = {}
        self.pairs: list[Pair] = []
        self.met: list[str | None] = []  # surface of each pair
        self.rows: list[tuple[int, int, int, bool, int, int, int]] = []
        self.bones: dict[str, int] = {}
        self.offsets: list[float] = []
        self.facets: list[Patches] = []
        self.planes: dict[str, int] = {}
        self.own: dict[tuple[str, int], tuple[int, float]] = {}  # row and radius of a shape of a body
        self.patches: dict[str, list[tuple[str, int, Contact]]] = {}

    def surfaces(self) -> None:
        """Every shape of every body against every surface that it may touch."""
        for name in self.system.order:
            body = self.system.body(name)
            for skin in body.skins():
                for surface in self.system.surfaces:
                    if name == surface.carrier or (surface.only is not None and name not in surface.only):
                        continue
                    if name in self.driven and surface.carrier in self.driven:
                        continue
                    parted = isinstance(surface, Plane) and body.regions == "apart"
                    for shapes in body.skins(on_plane=True) if parted else (skin,):
                        self._against_surface(name, shapes, surface)
                    self.met += [surface.name] * (len(self.rows) - len(self.met))

    def _against_surface(self, name: str, skin: tuple[Shape, ...], surface: Surface) -> None:
        """Rows of shapes that share the load, one group for each line of a profile and for every other surface."""
        blended, first = len(skin) > 1, len(self.rows)
        if isinstance(surface, Plane):
            if surface.name not in self.planes:
                self.planes[surface.name] = self.shapes.add(*plane_row(surface, self._carrier(surface.carrier)))
            plane, leader = self.planes[surface.name], first if blended else None
            for shape in skin:
                for part in surface.met_by(shape):
                    self._on(name, shape, part, (surface.name, plane, surface.contact), surface, leader)
        elif isinstance(surface, Lines):
            for shape in skin:
                if shape.terms[0] != layout.shape_type.ELLIPSOID:
                    raise InputError(
                        f"surface {surface.name!r}: its lines touch ellipsoids, and {name!r} has a shape of the kind "
                        f"{shape.kind}; give {name!r} an ellipsoid, leave it out (`only`), or take a profile."
                    )
            for line, row in strip_rows(surface, self._carrier(surface.carrier)):
                met = surface.label(line), self.shapes.add(*row), surface.contact_of(line)
                leader = len(self.rows) if blended else None
                for shape in skin:
                    self._on(name, shape, shape, met, surface, leader)
        else:
            for shape in skin:
                for met in self._patches(surface):
                    self._on(name, shape, shape, met, surface, first)

    def _on(
        self,
        name: str,
        shape: Shape,
        part: Shape,
        met: tuple[str, int, Contact],
        surface: Surface,
        leader: int | None,
    ) -> None:
        """Row of a part of a shape on what it meets: label, row and law."""
        label, other, contact = met
        pair = Pair(name, label, min(shape.half_size), contact.speed_limit)
        self._add(pair, part, other, contact, ((name, shape.soft),), surface.carrier, leader)

    def _patches(self, surface: FacetSurface) -> list[tuple[str, int, Contact]]:
        """Label, row and law of every patch of a surface; made once."""
        if surface.name not in self.patches:
            found = []
            if len({surface.contact_of(part).thickness for part in surface.parts}) > 1:
                raise InputError(
                    f"surface {surface.name!r}: its parts have contacts of different thickness; they share the load, "
                    "so give all of them one thickness [m]."
                )
            before = sum(len(one.facet) for one in self.facets)
            self.facets.append(surface.patches)
            for number, root, region in surface.patches.found:
                part = surface.parts[number]
                row = patch_row(surface, self._carrier(surface.carrier), before + root, before + region)
                found.append((surface.label(part), self.shapes.add(*row), surface.contact_of(part)))
            self.patches[surface.name] = found
        return self.patches[surface.name]

    def bodies(self) -> None:
        """The shapes of bodies against each other; of a driven body only as those that are met."""
        for contact in self.system.contacts:
            for one, other in _meeting(self.system, contact.one, contact.other):
                if one in self.driven:
                    one, other = other, one
                if one in self.driven:
                    continue
                for skin, facing in product(self.system.body(one).skins(), self.system.body(other).skins()):
                    first = len(self.rows) if len(skin) + len(facing) > 2 else None
                    for shape, against in product(skin, facing):
                        pair = Pair(one, other, min(shape.half_size), contact.contact.speed_limit, contact.rest)
                        soft = (one, shape.soft), (other, against.soft)
                        self._add(pair, shape, self._shape(against, other)[0], contact.contact, soft, other, first)
        self.met += [None] * (len(self.rows) - len(self.met))

    def _add(
        self,
        pair: Pair,
        shape: Shape,
        other: int,
        contact: Contact,
        soft: tuple[tuple[str, Soft], ...],
        carrier: str | None,
        leader: int | None = None,
    ) -> None:
        row, radius = self._shape(shape, pair.body)
        meeting = Meeting(contact, soft, radius)
        try:
            ints, floats, curves = meeting.row()
        except InputError as error:
            raise InputError(f"body {pair.body!r} on {pair.other!r}: {error}") from None
        self.pairs.append(Pair(pair.body, pair.other, pair.size, pair.limit, pair.rest, meeting))
        coupled = carrier not in self.driven  # else only the body that touches answers
        group = len(self.rows) if leader is None else leader
        self.rows.append(
            (
                row,
                other,
                self._law(ints, floats, curves),
                coupled,
                group,
                0,
                self._bone(pair.body),
            )
        )
        self.offsets.append(contact.thickness)

    def _bone(self, body: str) -> int:
        """Number of the bone of a body, or -1."""
        return -1 if self.system.body(body).bone is None else self.bones.setdefault(body, len(self.bones))

    def commons(self) -> tuple[list[tuple[int, int, int, int]], list[float]]:
        """Rows of the candidates of neighbours on each surface they both may meet, and the shares in common [-]."""
        spans: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for c, (met, row) in enumerate(zip(self.met, self.rows, strict=True)):
            if met is not None:
                found = spans.setdefault((self.pairs[c].body, met), [])
                if found and row[layout.candidate.GROUP] == self.rows[found[-1][0]][layout.candidate.GROUP]:
                    found[-1] = (found[-1][0], c + 1)
                else:
                    found.append((c, c + 1))
        rows, shares = [], []
        for tissue in self.system.common_tissues:
            for surface in self.system.surfaces:
                one, other = (spans.get((body, surface.name), []) for body in (tissue.one, tissue.other))
                if one and other:
                    if not tissue.first and (len(one) > 1 or len(other) > 1):
                        raise InputError(
                            f"common tissue {tissue.name!r}: {tissue.one!r} and {tissue.other!r} meet "
                            f"{surface.name!r} with several shapes; give each one shape."
                        )
                    rows.append((*one[0], *other[0]))
                    shares.append(tissue.share)
        return rows, shares

    def _carrier(self, body: str | None) -> int:
        return self.world if body is None else self.number[body]

    def _shape(self, shape: Shape, body: str) -> tuple[int, float]:
        """Return the row of a shape of a body, and its mean radius [m]; found once for all that it may touch."""
        key = body, id(shape)
        if key not in self.own:
            kind, row = shape.support_row(self.number[carrier(self.system.body(body))])
            radius = float(np.prod(shape.half_size)) ** (1.0 / 3.0)
            self.own[key] = self.shapes.add(tuple(kind.tolist()), tuple(row.tolist())), radius
        return self.own[key]

    def _law(self, ints: tuple[int, ...], floats: tuple[float, ...], curves: list[np.ndarray]) -> int:
        """Number of the law's row; its curves are counted from the first of all contacts."""
        key = tuple(curve.tobytes() for curve in curves)
        if key and key not in self.known:
            self.known[key] = len(self.curves)
            self.curves.extend(curves)
        first = self.known.get(key, 0)
        return self.laws.add(tuple(v + first if k in CURVES and v >= 0 else v for k, v in enumerate(ints)), floats)


def fill_contacts(
    system: System,
    number: dict[str, int],
    world: int,
    add_curves: Callable[..., int],
    arrays: dict[str, np.ndarray],
) -> list[Pair]:
    """Fill the tables of shapes, laws and candidates; the pairs in the order of their rows."""
    driven: set[str | None] = {name for name, i in number.items() if arrays["joint"][i, layout.joint.DRIVEN]}
    found = _Candidates(system, number, world, driven | {None})
    found.surfaces()
    found.bodies()
    arrays["candidate"] = np.array(found.rows, dtype=np.int64).reshape(-1, layout.candidate.COUNT)
    arrays["candidate_offset"] = np.array(found.offsets, dtype=np.float64)
    arrays["shape_kind"], arrays["shape"] = found.shapes.arrays(layout.shape_kind.COUNT, layout.shape.COUNT)
    _mark_regions(arrays["candidate"], arrays["shape_kind"])
    arrays["law_kind"], arrays["law"] = found.laws.arrays(layout.law_kind.COUNT, layout.law.COUNT)
    arrays["facet"], arrays["facet_link"] = joined(found.facets)
    commons, shares = found.commons()
    arrays["common_pair"] = np.array(commons, dtype=np.int64).reshape(-1, layout.common.COUNT)
    arrays["common"] = np.array(shares, dtype=np.float64)
    bones = [system.body(name).bone for name in found.bones]
    limits = [(bone.force, bone.elastic, bone.width, bone.least) for bone in bones if bone is not None]
    arrays["bone"] = np.array(limits, dtype=np.float64).reshape(-1, layout.bone.COUNT)
    first = add_curves(*found.curves)
    for column in CURVES:
        arrays["law_kind"][arrays["law_kind"][:, column] >= 0, column] += first
    return found.pairs


def _mark_regions(candidate: np.ndarray, shape_kind: np.ndarray) -> None:
    """Write the end of the rows of its region into every row; all but patches of facets are alone."""
    met = shape_kind[candidate[:, layout.candidate.SHAPE_B]]
    end = len(candidate)
    for c in range(len(candidate) - 1, -1, -1):
        follows = (
            c + 1 < len(candidate) and candidate[c + 1, layout.candidate.GROUP] == candidate[c, layout.candidate.GROUP]
        )
        patches = met[c, layout.shape_kind.CODE] == layout.shape_type.PATCH
        same = follows and candidate[c + 1, layout.candidate.SHAPE_A] == candidate[c, layout.candidate.SHAPE_A]
        if not (patches and same and met[c + 1, layout.shape_kind.REGION] == met[c, layout.shape_kind.REGION]):
            end = c + 1
        candidate[c, layout.candidate.REGION_END] = end


def _meeting(system: System, one: tuple[str, ...], other: tuple[str, ...]) -> list[tuple[str, str]]:
    """Pairs of different bodies, each once, that no joint connects."""
    joined = {frozenset((owner(system, j.parent), j.child)) for j in system.joints if j.parent}
    found: dict[frozenset[str], tuple[str, str]] = {}
    for a in one:
        for b in other:
            if a != b and frozenset((a, b)) not in joined:
                found.setdefault(frozenset((a, b)), (a, b))
    return list(found.values())


def plane_row(plane: Plane, carrier: int) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Rows of a half-space in model.shape_kind and model.shape: its normal is the third column of its rotation."""
    z = np.array(plane.normal)
    x = np.cross(z, np.eye(3)[np.argmin(abs(z))])
    x /= np.linalg.norm(x)
    row = np.zeros(layout.shape.COUNT)
    row[layout.shape.PLACE : layout.shape.PLACE + 3] = plane.point
    row[layout.shape.TURN : layout.shape.TURN + 9] = np.column_stack([x, np.cross(z, x), z]).ravel()
    row[layout.shape.BOUND] = np.inf
    return (layout.shape_type.PLANE, carrier, 0, 0, 0), tuple(row.tolist())


def patch_row(surface: FacetSurface, carrier: int, root: int, region: int) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Rows of a patch in model.shape_kind and model.shape, given the roots of its tree and of its region's."""
    row = np.zeros(layout.shape.COUNT)
    row[layout.shape.PLACE : layout.shape.PLACE + 3] = surface.place
    row[layout.shape.TURN : layout.shape.TURN + 9] = rotation_matrix(surface.rotation).ravel()
    row[layout.shape.BOUND] = np.inf
    aligned = surface.place == (0.0, 0.0, 0.0) and surface.rotation[0] == 1.0
    return (layout.shape_type.PATCH, carrier, int(aligned), root, region), tuple(row.tolist())


def strip_rows(surface: Lines, carrier: int) -> list[tuple[str, tuple[tuple[int, ...], tuple[float, ...]]]]:
    """Part and rows of every line in model.shape_kind and model.shape: along it, across it, and its normal."""
    turn, place = rotation_matrix(surface.rotation), np.array(surface.place)
    kind = (layout.shape_type.STRIP, carrier, 0, int(surface.tangent == "nearest"), 0)
    found: list[tuple[str, tuple[tuple[int, ...], tuple[float, ...]]]] = []
    for part, start, end in surface.lines:
        length = float(np.linalg.norm(end - start))
        along, across = (end - start) / length, np.array([0.0, -1.0, 0.0])
        row = np.zeros(layout.shape.COUNT)
        row[layout.shape.PLACE : layout.shape.PLACE + 3] = place + turn @ start
        row[layout.shape.TURN : layout.shape.TURN + 9] = (
            turn @ np.column_stack([along, across, np.cross(along, across)])
        ).ravel()
        row[layout.shape.BOUND], row[layout.shape.TERM] = np.inf, length
        found.append((part, (kind, tuple(row.tolist()))))
    return found
