"""Convex pieces of surfaces as the tables of `kernels.patch`: facets, arcs, corners, and a tree of boxes. SI units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..kernels import layout
from .pieces import FLAT, Edge, Faces, Groups, edges, split
from .solid import Solid

CREASE = float(np.radians(45.0))  # [rad]
BLEND = float(np.radians(15.0))  # [rad], to both sides of the crease: in between the load is shared in part
SAME = 1e-9  # [m], vertices in the plane of a facet, and [-], of a facet that stays in place
OPEN = 1e-6  # least mean normal of a patch over its area [-]
ROUNDEST = 2.5  # largest increase of the edge radius of a solid, over the radius
STEP = 0.4  # [rad], between places on an arc between which at most one minimum is looked for


class Patches(NamedTuple):
    """The patches of one surface, with its rows counted from 0.

    facet, link  `facet` and `facet_link` of the kernels
    found        part, root and root of the region of each patch
    """

    facet: np.ndarray
    link: np.ndarray
    found: tuple[tuple[int, int, int], ...]

    def links_after(self, count: int) -> np.ndarray:
        """Return `link` for a surface that follows a number of rows of others."""
        link = self.link.copy()
        rows = link[:, : layout.tree_node.SIDES]
        rows[rows >= 0] += count
        return link


def joined(surfaces: Sequence[Patches]) -> tuple[np.ndarray, np.ndarray]:
    """Return `facet` and `facet_link` of the kernels for surfaces one after the other."""
    facets, links, count = [np.zeros((0, layout.facet.COUNT))], [np.zeros((0, layout.facet.LINK_COUNT), np.int64)], 0
    for one in surfaces:
        facets.append(one.facet)
        links.append(one.links_after(count))
        count += len(one.facet)
    return np.concatenate(facets), np.concatenate(links)


class Tables:
    """Patches of any number of surfaces, gathered one after the other in two tables."""

    def __init__(self) -> None:
        self.rows: list[tuple[float, ...]] = []
        self.links: list[list[int]] = []

    def add(
        self, surface: Faces, *, rounding: float = 0.0, backing: float = 0.0, crease: float = CREASE
    ) -> list[tuple[int, int, int]]:
        """Append a surface; part, root and root of the region of each of its patches, one region after the other.

        rounding  radius by which the surface grows, which rounds its edges [m]
        backing   depth to which it is solid [m]; a shape that is wholly behind it and deeper does not touch
        crease    angle of a valley about which its sides change from sharing the load to pushing each alone [rad]

        A region is what a patch would be if the surface had one part only. A part that fills its region is the region.
        """
        options = (rounding, backing, backing, *_crease_cosines(crease))
        whole, parts = split(Faces(surface.vertices, surface.faces, (0,) * len(surface.faces))), split(surface)
        of_face = {f: region for piece, region in zip(whole.pieces, whole.patch, strict=True) for f in piece}
        found = []
        for region in range(len(whole.part)):
            root = self._add_patch(
                surface, [p for p, k in zip(whole.pieces, whole.patch, strict=True) if k == region], options
            )
            patches = sorted({k for p, k in zip(parts.pieces, parts.patch, strict=True) if of_face[p[0]] == region})
            for patch in patches:
                pieces = [p for p, k in zip(parts.pieces, parts.patch, strict=True) if k == patch]
                own = root if len(patches) == 1 else self._add_patch(surface, pieces, options)
                found.append((parts.part[patch], own, root))
        return found

    def add_solids(
        self, regions: Sequence[Solid], *, rounding: float = 0.0, backing: float = 0.0, crease: float = CREASE
    ) -> list[tuple[int, int, int]]:
        """Append the regions of a solid; result and options as in `add`, but a solid is one to any depth.

        backing  depth of the centre of a shape from which it counts as having passed through [m]
        """
        options = (rounding, np.inf, backing, *_crease_cosines(crease))
        found = []
        for region in regions:
            root = self._add_patch(region.whole, [_all(region.whole)], options, region.outer)
            more, (shift, *shifts) = region.rounder(ROUNDEST * rounding)
            self._add_rounder(root, region.whole, more, shift)
            for (part, sides), shift in zip(region.parts, shifts, strict=True):
                own = root
                if len(region.parts) > 1:
                    own = self._add_patch(sides, [_all(sides)], options)
                    self._add_rounder(own, sides, more, shift)
                found.append((part, own, root))
        return found

    def _add_rounder(self, root: int, prism: Faces, more: float, shift: np.ndarray) -> None:
        """Append to the rows of a patch, which is one piece, how they move if its edges become rounder.

        prism  the patch, all of a region or one of its parts
        more   largest increase of the edge radius [m]
        shift  of each vertex inwards over that [-]
        """
        self.rows[root] += (more,)
        of_vertex = {tuple(v): q for v, q in zip(prism.vertices.tolist(), shift, strict=True)}
        link = self.links[root]
        for k in range(link[layout.tree_node.ARCS], link[layout.tree_node.ARCS_END]):
            ends = self.links[k][layout.arc.FIRST], self.links[k][layout.arc.LAST]
            first, last = (of_vertex[tuple(self.rows[v][:3])] for v in ends)
            for v, q in zip(ends, (first, last), strict=True):
                self.rows[v] = (*self.rows[v][:3], *q)
            u, w = self.rows[k][layout.arc.U : layout.arc.W], self.rows[k][layout.arc.W : layout.arc.COS]
            self.rows[k] += (*first, float((last - first) @ np.cross(u, w)))
        for f in range(link[layout.tree_node.FACETS], link[layout.tree_node.ARCS]):
            n = np.array(self.rows[f][:3])
            height = prism.vertices @ n
            fall = float(np.min(shift[height > height.max() - SAME] @ n)) - 1.0
            self.rows[f] += (fall if abs(fall) > SAME else 0.0,)

    def _add_patch(
        self, surface: Faces, pieces: list[tuple[int, ...]], options: tuple[float, ...], outer: Faces | None = None
    ) -> int:
        """Append the pieces of a patch and the tree of their boxes; the row of its root.

        outer  the faces that have its mean normal and middle; all of them unless given
        """
        rounding, backing, most, apart, shared = options
        surface, pieces = _under_valleys(surface, pieces, most)
        leaves = []
        for piece in pieces:
            points = surface.vertices[sorted({v for f in piece for v in surface.faces[f]})]
            leaves.append(_Leaf(points.min(axis=0), points.max(axis=0), *self._add_piece(surface, piece)))
        root = self._add_tree(leaves, (rounding, backing))
        if outer is None:
            outer, faces = surface, [f for piece in pieces for f in piece]
        else:
            faces = list(_all(outer))
        mean = np.sum(outer.area[faces, None] * outer.normal[faces], axis=0)
        length = float(np.linalg.norm(mean))
        # a patch that closes on itself has no mean normal: to all others it is a ridge
        mean = mean / length if length > OPEN * outer.area[faces].sum() else np.zeros(3)
        points = outer.vertices[sorted({v for f in faces for v in outer.faces[f]})]
        middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
        self.rows[root] += (*mean.tolist(), apart, shared, most, *middle.tolist())
        return root

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """`facet` and `facet_link` of the kernels."""
        facet = np.zeros((len(self.rows), layout.facet.COUNT))
        for k, row in enumerate(self.rows):
            facet[k, : len(row)] = row
        return facet, np.array(self.links, dtype=np.int64).reshape(-1, layout.facet.LINK_COUNT)

    def _add(self, row: Sequence[float] | np.ndarray, link: Sequence[int] = ()) -> int:
        """Append a row; its number."""
        self.rows.append(tuple(row))
        self.links.append([*link, *(-1,) * (layout.facet.LINK_COUNT - len(link))])
        return len(self.rows) - 1

    def _add_tree(self, leaves: list[_Leaf], more: tuple[float, float]) -> int:
        """Nodes of a tree of boxes, halved across the longest side, in depth-first order; the row of its root."""
        low, high = np.min([leaf.low for leaf in leaves], axis=0), np.max([leaf.high for leaf in leaves], axis=0)
        sides = leaves[0].sides
        for leaf in leaves:
            sides &= leaf.sides
        rows = leaves[0].rows if len(leaves) == 1 else (-1, -1, -1)
        root = self._add((*low, *high, *more), (0, *rows, sides))
        if len(leaves) > 1:
            middle = np.array([leaf.low + leaf.high for leaf in leaves])
            order = np.argsort(middle[:, int(np.argmax(np.ptp(middle, axis=0)))], kind="stable")
            half = len(leaves) // 2
            self._add_tree([leaves[k] for k in order[:half]], more)
            self._add_tree([leaves[k] for k in order[half:]], more)
        self.links[root][layout.tree_node.SKIP] = len(self.rows)
        return root

    def _add_piece(self, surface: Faces, piece: tuple[int, ...]) -> tuple[tuple[int, int, int], int]:
        """Append facets, arcs and corners of one convex piece.

        First row of the facets, first row of the arcs, end of the arcs; the axes that are normals of it, a bit each.
        """
        solid = _Polyhedron(surface, piece)
        arcs, leaving = solid.arcs()
        corner: dict[int, int] = {}
        for v, directions in leaving.items():
            corner[v] = self._add(surface.vertices[v], (len(self.rows) + 1 + len(directions),))
            for e in directions:
                self._add(e)
        start = len(self.rows)
        for facet in solid.facets:
            self._add(facet)
        middle = len(self.rows)
        for row, (first, last) in arcs:
            self._add(row, (corner.get(first, -1), corner.get(last, -1)))
        return (start, middle, len(self.rows)), _sides(surface.vertices, leaving)


def _crease_cosines(crease: float) -> tuple[float, float]:
    """Return the cosines of the angles about a crease [rad] at which two sides share nothing and all."""
    apart, shared = (float(np.cos(np.clip(crease + side, 0.0, np.pi))) for side in (BLEND, -BLEND))
    return apart, shared


def _all(surface: Faces) -> tuple[int, ...]:
    return tuple(range(len(surface.faces)))


def _under_valleys(surface: Faces, pieces: list[tuple[int, ...]], reach: float) -> tuple[Faces, list[tuple[int, ...]]]:
    """Return a patch drawn out below its neighbours beyond the valleys at its rim, by a reach [m].

    Below a valley the solid is all that is below one of its sides. Without this a shape that is deeper than its own
    radius would find the shortest way out of one side into the other, and sink between them.
    """
    faces = [f for piece in pieces for f in piece]
    chosen, outward = set(faces), dict[int, list[np.ndarray]]()
    for f in faces:
        for edge in edges(surface.faces[f]):
            angle = surface.angle.get(edge, 0.0)
            if surface.neighbour(edge) in chosen or angle >= -FLAT:
                continue
            for v in edge:
                outward.setdefault(v, []).append(surface.outward[edge])
    sharp = any(surface.angle.get(edge, 0.0) > 0.5 * np.pi for f in faces for edge in edges(surface.faces[f]))
    straight = all(np.dot(one, other) > np.cos(FLAT) for ways in outward.values() for one in ways for other in ways)
    if reach == 0.0 or not outward or sharp or not straight:
        return surface, pieces
    vertices = surface.vertices.copy()
    for v, ways in outward.items():
        vertices[v] += reach * ways[0]
    number = {f: k for k, f in enumerate(faces)}
    drawn = Faces(vertices, tuple(surface.faces[f] for f in faces), tuple(surface.part[f] for f in faces))
    return drawn, [tuple(number[f] for f in piece) for piece in pieces]


@dataclass(frozen=True)
class _Leaf:
    """Box of a piece [m], its first facet, its first arc and the end of its arcs, and the axes that are its normals."""

    low: np.ndarray
    high: np.ndarray
    rows: tuple[int, int, int]
    sides: int


class _Polyhedron:
    """A convex piece as the polyhedron of its planes and of the walls at its rim.

    facets     normal and level [m] of each plane that the surface has
    direction  normals of all planes; those of facets are numbered by a face, those of walls by -1 - rim edge
    lines      the vertices on each edge between two planes; around: the planes around each vertex
    """

    def __init__(self, surface: Faces, piece: tuple[int, ...]) -> None:
        self.vertices = surface.vertices
        rim, inside = _rim(surface, piece)
        planes = Groups(len(piece))  # faces in one plane
        number = {f: i for i, f in enumerate(piece)}
        for f, g, _ in inside:
            if surface.normal[f] @ surface.normal[g] >= np.cos(FLAT):
                planes.join(number[f], number[g])
        walls = Groups(len(rim))  # rim edges with one wall
        normals = [surface.wall(edge) for _, edge in rim]
        starts = {edge[0]: i for i, (_, edge) in enumerate(rim)}
        for i, (_, edge) in enumerate(rim):
            follower = starts[edge[1]]
            if normals[i] @ normals[follower] >= np.cos(FLAT):
                walls.join(i, follower)

        self.direction: dict[int, np.ndarray] = {}
        self.facets: list[tuple[float, ...]] = []
        for region in planes.members():
            largest = max(region, key=lambda i: surface.area[piece[i]])
            n = surface.normal[piece[largest]]
            self.direction[planes.root(region[0])] = n
            level = max(float(n @ self.vertices[v]) for i in region for v in surface.faces[piece[i]])
            self.facets.append((*n, level))
        for group in walls.members():
            self.direction[-1 - walls.root(group[0])] = normals[group[0]]

        face_of = {f: planes.root(i) for f, i in number.items()}
        wall_of = [-1 - walls.root(i) for i in range(len(rim))]
        self.lines: dict[Edge, set[int]] = {}
        self.around: dict[int, set[int]] = {}
        for f in piece:
            for v in surface.faces[f]:
                self.around.setdefault(v, set()).add(face_of[f])
        for f, g, edge in inside:
            if face_of[f] != face_of[g]:
                self.lines.setdefault(_pair(face_of[f], face_of[g]), set()).update(edge)
        for i, (f, edge) in enumerate(rim):
            self.lines.setdefault(_pair(face_of[f], wall_of[i]), set()).update(edge)
            for v in edge:
                self.around[v].add(wall_of[i])

    def arcs(self) -> tuple[list[tuple[tuple[float, ...], tuple[int, int]]], dict[int, list[np.ndarray]]]:
        """Rows of the arcs with the vertices at their ends; directions of the edges that leave each corner."""
        vertices, around, direction = self.vertices, self.around, self.direction
        arcs: list[tuple[tuple[float, ...], tuple[int, int]]] = []
        leaving: dict[int, list[np.ndarray]] = {v: [] for v in sorted(around) if len(around[v]) >= 3}
        for (a, b), ends in self.lines.items():
            u, w, angle = _arc(direction[a], direction[b])
            along = np.cross(u, w)
            ordered = sorted(ends, key=lambda v: float(vertices[v] @ along))
            first, last = ordered[0], ordered[-1]
            length = float((vertices[last] - vertices[first]) @ along)
            arcs.append((_arc_row(vertices[first], u, w, angle, length), (first, last)))
            for v, sense in ((first, 1.0), (last, -1.0)):
                if v in leaving:
                    leaving[v].append(sense * along)
        for v, directions in leaving.items():
            sides = sorted(p for p in around[v] if p < 0)
            if len(sides) == 2:
                # where two walls meet: an edge down into the solid
                u, w, angle = _arc(direction[sides[0]], direction[sides[1]])
                if np.cross(u, w) @ np.sum([direction[p] for p in around[v] if p >= 0], axis=0) > 0.0:
                    u, w, angle = _arc(direction[sides[1]], direction[sides[0]])
                arcs.append((_arc_row(vertices[v], u, w, angle, float("inf")), (v, -1)))
                directions.append(np.cross(u, w))
        return arcs, leaving


def _rim(surface: Faces, piece: tuple[int, ...]) -> tuple[list[tuple[int, Edge]], list[tuple[int, int, Edge]]]:
    """Face and edge of every edge at the rim of a piece; both faces and the edge of every edge inside it."""
    chosen = set(piece)
    rim: list[tuple[int, Edge]] = []
    inside: list[tuple[int, int, Edge]] = []
    for f in piece:
        for edge in edges(surface.faces[f]):
            g = surface.neighbour(edge)
            if g is None or g not in chosen:
                rim.append((f, edge))
            elif edge[0] < edge[1]:
                inside.append((f, g, edge))
    return rim, inside


def _sides(vertices: np.ndarray, leaving: dict[int, list[np.ndarray]]) -> int:
    """Which of -x, x, -y, y, -z, z are normals at the corner of a piece that is farthest along them, a bit each."""
    sides = 0
    for bit, axis in enumerate(sign * e for e in np.eye(3) for sign in (-1.0, 1.0)):
        far = max(leaving, key=lambda v: float(vertices[v] @ axis), default=None)
        if far is not None and all(float(axis @ e) <= 1e-12 for e in leaving[far]):
            sides |= 1 << bit
    return sides


def _arc_row(point: np.ndarray, u: np.ndarray, w: np.ndarray, angle: float, length: float) -> tuple[float, ...]:
    steps = 1 + int(angle / STEP)
    turns = (np.cos(angle), np.sin(angle), steps, np.cos(angle / steps), np.sin(angle / steps))
    return (*point, *u, *w, *map(float, turns), length)


def _pair(a: int, b: int) -> Edge:
    return min(a, b), max(a, b)


def _arc(u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Unit vectors u, w and the angle [rad] with v = cos u + sin w."""
    across = v - (u @ v) * u
    length = float(np.linalg.norm(across))
    return u, across / length, float(np.arctan2(length, u @ v))
