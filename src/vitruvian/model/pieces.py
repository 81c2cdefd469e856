"""A surface of flat faces split into convex pieces, and the pieces as arrays for `kernels.patch`. SI units.

A piece is a set of faces that bound a convex solid: every vertex of it lies below the planes of its faces and of the
walls at its rim. A wall stands across the face at a rim edge, or lies in the neighbouring face where the edge is
sharper than a right angle, so that it stays inside the solid behind the surface. Pieces that meet at a flat or convex
edge form a patch, as do pieces that meet at a concave edge of less than the crease angle: a patch touches once, at the
deepest of its pieces. Where the surface turns inwards by more, a shape in the valley touches the patches on both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..kernels import types

FLAT = 1e-4  # [rad], faces that meet at less than this lie in one plane: the rounding of coordinates in STL files
SLACK = 1e-5  # share of the size of a piece by which a vertex may lie above a plane of it
STEP = 0.4  # [rad], between places on an arc between which at most one minimum is looked for
CREASE = float(np.radians(1.0))  # [rad]

Face = tuple[int, ...]
Edge = tuple[int, int]


@dataclass(frozen=True)
class Faces:
    """A surface: flat convex faces with their corners in order, anticlockwise seen from outside.

    vertices  (n, 3) [m]
    faces     rows of vertices
    part      number of the part that each face belongs to
    """

    vertices: np.ndarray
    faces: tuple[Face, ...]
    part: tuple[int, ...]
    normal: np.ndarray = field(init=False)  # (f, 3) out of the solid [-]
    area: np.ndarray = field(init=False)  # (f,) [m2]
    owner: dict[Edge, int] = field(init=False)  # face on the left of each edge, looked at from outside
    outward: dict[Edge, np.ndarray] = field(init=False)  # unit vector in that face, across the edge and away from it
    angle: dict[Edge, float] = field(init=False)  # by which the surface turns there [rad], negative in a valley

    def __post_init__(self) -> None:
        double = np.array([_vector_area(self.vertices[list(face)]) for face in self.faces]).reshape(-1, 3)
        area = np.linalg.norm(double, axis=1)
        object.__setattr__(self, "area", 0.5 * area)
        object.__setattr__(self, "normal", double / np.where(area > 0.0, area, 1.0)[:, None])
        owner = {edge: f for f, face in enumerate(self.faces) for edge in edges(face)}
        first, second = np.array(list(owner)).reshape(-1, 2).T
        across = np.cross(self.vertices[second] - self.vertices[first], self.normal[list(owner.values())])
        outward = dict(zip(owner, across / np.linalg.norm(across, axis=1)[:, None], strict=True))
        angle = {
            (i, j): float(np.arctan2(outward[i, j] @ self.normal[g], self.normal[f] @ self.normal[g]))
            for (i, j), f in owner.items()
            if (g := owner.get((j, i))) is not None
        }
        for name, value in (("owner", owner), ("outward", outward), ("angle", angle)):
            object.__setattr__(self, name, value)

    def neighbour(self, edge: Edge) -> int | None:
        """The face on the other side of an edge."""
        return self.owner.get((edge[1], edge[0]))

    def wall(self, edge: Edge) -> np.ndarray:
        """Normal of the wall at an edge: across its face, or that of the neighbour beyond an edge that is sharper."""
        if self.angle.get(edge, 0.0) > 0.5 * np.pi:
            return self.normal[self.owner[edge[1], edge[0]]]
        return self.outward[edge]


def edges(face: Face) -> list[Edge]:
    """The directed edges of a face."""
    return list(zip(face, (*face[1:], face[0]), strict=True))


def _vector_area(corners: np.ndarray) -> np.ndarray:
    """Twice the area of a flat polygon along its normal [m2]."""
    arms = corners[1:] - corners[0]
    return np.sum(np.cross(arms[:-1], arms[1:]), axis=0)


# --- splitting


@dataclass(frozen=True)
class Split:
    """Pieces of a surface, and the patches that they form.

    pieces  faces of each piece
    patch   number of the patch of each piece
    part    number of the part of each patch
    rivals  pairs of patches of different parts that meet at an edge and of which only the deeper one touches
    """

    pieces: tuple[tuple[int, ...], ...]
    patch: tuple[int, ...]
    part: tuple[int, ...]
    rivals: tuple[Edge, ...]


def split(surface: Faces, crease: float = CREASE) -> Split:
    """The surface in pieces and patches; crease is the largest angle of a valley inside a patch [rad]."""
    count = len(surface.faces)
    inner = [
        (angle, surface.owner[edge], surface.owner[edge[1], edge[0]])
        for edge, angle in surface.angle.items()
        if edge[0] < edge[1]
    ]
    within = [(a, f, g) for a, f, g in inner if surface.part[f] == surface.part[g]]
    convex = _Groups(count)
    for a, f, g in within:
        if a > -FLAT:
            convex.join(f, g)
    pieces: list[tuple[int, ...]] = []
    for group in convex.members():
        if is_convex(surface, group):
            pieces.append(group)
        else:
            chosen = set(group)
            pieces += _grown(surface, group, [(a, f, g) for a, f, g in within if f in chosen and a > -FLAT])
    home = {f: p for p, piece in enumerate(pieces) for f in piece}
    patches = _Groups(len(pieces))
    for a, f, g in within:
        if a > -max(crease, FLAT):
            patches.join(home[f], home[g])
    members = patches.members()
    patch = {p: k for k, group in enumerate(members) for p in group}
    part = tuple(surface.part[pieces[group[0]][0]] for group in members)
    rivals = {
        (patch[home[f]], patch[home[g]])
        for a, f, g in inner
        if surface.part[f] != surface.part[g] and a > -max(crease, FLAT)
    }
    both = sorted(rivals | {(k, j) for j, k in rivals})
    return Split(tuple(pieces), tuple(patch[p] for p in range(len(pieces))), part, tuple(both))


def _grown(surface: Faces, group: tuple[int, ...], joints: list[tuple[float, int, int]]) -> list[tuple[int, ...]]:
    """Faces joined into convex pieces over flat edges, then over ridges, as long as the pieces stay convex."""
    pieces: dict[int, tuple[int, ...]] = {f: (f,) for f in group}  # by one of the faces
    home = {f: f for f in group}
    flat = _Groups(max(group) + 1)
    for a, f, g in joints:
        if abs(a) <= FLAT:
            flat.join(f, g)
    for region in flat.members(group):
        if len(region) > 1 and is_convex(surface, region):
            for f in region:
                pieces.pop(f)
                home[f] = region[0]
            pieces[region[0]] = region
    refused: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    changed = True
    while changed:
        changed = False
        for _, f, g in sorted(joints, key=lambda joint: (abs(joint[0]) > FLAT, joint[0])):
            a, b = home[f], home[g]
            if a == b or (pieces[a], pieces[b]) in refused:
                continue
            union = pieces[a] + pieces[b]
            if is_convex(surface, union):
                pieces[a] = union
                for face in pieces.pop(b):
                    home[face] = a
                changed = True
            else:
                refused.add((pieces[a], pieces[b]))
    return list(pieces.values())


def is_convex(surface: Faces, piece: Sequence[int]) -> bool:
    """Whether faces bound a convex solid together with the walls at their rim."""
    chosen = set(piece)
    corners = sorted({v for f in piece for v in surface.faces[f]})
    points = surface.vertices[corners]
    slack = SLACK * float(np.linalg.norm(points.max(axis=0) - points.min(axis=0)))
    planes = [(surface.normal[f], surface.vertices[surface.faces[f][0]]) for f in piece]
    rim: dict[int, int] = {}
    for f in piece:
        for edge in edges(surface.faces[f]):
            if surface.neighbour(edge) not in chosen:
                planes.append((surface.wall(edge), surface.vertices[edge[0]]))
                for v in edge:
                    rim[v] = rim.get(v, 0) + 1
    if any(count != 2 for count in rim.values()):
        return False
    normals, places = np.array([n for n, _ in planes]), np.array([x for _, x in planes])
    return bool((points @ normals.T - np.sum(normals * places, axis=1)).max() <= slack)


class _Groups:
    """Numbers that belong together (union-find)."""

    def __init__(self, count: int) -> None:
        self.parent = list(range(count))

    def root(self, i: int) -> int:
        while self.parent[i] != i:
            self.parent[i] = self.parent[self.parent[i]]
            i = self.parent[i]
        return i

    def join(self, i: int, j: int) -> None:
        i, j = self.root(i), self.root(j)
        self.parent[max(i, j)] = min(i, j)

    def members(self, of: Iterable[int] | None = None) -> list[tuple[int, ...]]:
        groups: dict[int, list[int]] = {}
        for i in range(len(self.parent)) if of is None else of:
            groups.setdefault(self.root(i), []).append(i)
        return [tuple(group) for group in groups.values()]


# --- arrays


class Tables:
    """Patches of any number of surfaces, gathered one after the other in two tables."""

    def __init__(self) -> None:
        self.rows: list[tuple[float, ...]] = []
        self.links: list[list[int]] = []

    def add(
        self, surface: Faces, *, rounding: float = 0.0, backing: float = 0.0, crease: float = CREASE
    ) -> list[tuple[int, int]]:
        """Append a surface; part and root of each of its patches.

        rounding  radius by which the surface grows, which rounds its edges [m]
        backing   depth to which it is solid [m]; a shape that is wholly behind it and deeper does not touch
        """
        parts = split(surface, crease)
        leaves = []
        for piece in parts.pieces:
            points = surface.vertices[sorted({v for f in piece for v in surface.faces[f]})]
            leaves.append(_Leaf(points.min(axis=0), points.max(axis=0), *self._add_piece(surface, piece)))
        roots = []
        for k in range(len(parts.part)):
            members = [leaf for leaf, patch in zip(leaves, parts.patch, strict=True) if patch == k]
            roots.append(self._add_tree(members, (rounding, backing)))
        for k, root in enumerate(roots):
            first = len(self.rows)
            for i, j in parts.rivals:
                if i == k:
                    self._add((), (roots[j],))
            self.links[root][types.RIVALS : types.RIVALS_END + 1] = [first, len(self.rows)]
        return list(zip(parts.part, roots, strict=True))

    def groups(self, roots: list[int]) -> list[int]:
        """For each patch of a surface, by its root, a number that it shares with its rivals and with theirs."""
        group = _Groups(len(roots))
        for k, root in enumerate(roots):
            for row in range(*self.links[root][types.RIVALS : types.RIVALS_END + 1]):
                group.join(k, roots.index(self.links[row][0]))
        return [group.root(k) for k in range(len(roots))]

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """`facet` and `facet_link` of the kernels."""
        facet = np.zeros((len(self.rows), types.N_FACET))
        for k, row in enumerate(self.rows):
            facet[k, : len(row)] = row
        return facet, np.array(self.links, dtype=np.int64).reshape(-1, types.N_FACET_LINK)

    def _add(self, row: Sequence[float] | np.ndarray, link: Sequence[int] = ()) -> int:
        """Append a row; its number."""
        self.rows.append(tuple(row))
        self.links.append([*link, *(-1,) * (types.N_FACET_LINK - len(link))])
        return len(self.rows) - 1

    def _add_tree(self, leaves: list[_Leaf], more: tuple[float, float]) -> int:
        """Nodes of a tree of boxes, halved across the longest side, in depth-first order; the row of its root."""
        low, high = np.min([leaf.low for leaf in leaves], axis=0), np.max([leaf.high for leaf in leaves], axis=0)
        sides = leaves[0].sides
        for leaf in leaves:
            sides &= leaf.sides
        rows = leaves[0].rows if len(leaves) == 1 else (-1, -1, -1)
        root = self._add((*low, *high, *more), (0, *rows, 0, 0, sides))
        if len(leaves) > 1:
            middle = np.array([leaf.low + leaf.high for leaf in leaves])
            order = np.argsort(middle[:, int(np.argmax(np.ptp(middle, axis=0)))], kind="stable")
            half = len(leaves) // 2
            self._add_tree([leaves[k] for k in order[:half]], more)
            self._add_tree([leaves[k] for k in order[half:]], more)
        self.links[root][types.SKIP] = len(self.rows)
        return root

    def _add_piece(self, surface: Faces, piece: tuple[int, ...]) -> tuple[tuple[int, int, int], int]:
        """Facets, arcs and corners of one convex piece: a polyhedron of its planes and the walls at its rim.

        First row of the facets, first row of the arcs, end of the arcs; the axes that are normals of it, a bit each.
        """
        vertices, chosen = surface.vertices, set(piece)
        planes = _Groups(len(piece))  # faces in one plane
        number = {f: i for i, f in enumerate(piece)}
        rim: list[tuple[int, Edge]] = []
        inside: list[tuple[int, int, Edge]] = []
        for f in piece:
            for edge in edges(surface.faces[f]):
                g = surface.neighbour(edge)
                if g is None or g not in chosen:
                    rim.append((f, edge))
                elif edge[0] < edge[1]:
                    inside.append((f, g, edge))
                    if surface.normal[f] @ surface.normal[g] >= np.cos(FLAT):
                        planes.join(number[f], number[g])
        walls = _Groups(len(rim))  # rim edges with one wall
        normals = [surface.wall(edge) for f, edge in rim]
        starts = {edge[0]: i for i, (_, edge) in enumerate(rim)}
        for i, (_, edge) in enumerate(rim):
            follower = starts[edge[1]]
            if normals[i] @ normals[follower] >= np.cos(FLAT):
                walls.join(i, follower)

        # the normals of the planes: those of facets are numbered by a face, those of walls by -1 - rim edge
        direction: dict[int, np.ndarray] = {}
        facets = []
        for region in planes.members():
            largest = max(region, key=lambda i: surface.area[piece[i]])
            n = surface.normal[piece[largest]]
            direction[planes.root(region[0])] = n
            level = max(float(n @ vertices[v]) for i in region for v in surface.faces[piece[i]])
            facets.append((*n, level))
        for group in walls.members():
            direction[-1 - walls.root(group[0])] = normals[group[0]]
        face_of = {f: planes.root(i) for f, i in number.items()}
        wall_of = [-1 - walls.root(i) for i in range(len(rim))]

        # the vertices of each edge between two planes, and the planes around each vertex
        lines: dict[Edge, set[int]] = {}
        around: dict[int, set[int]] = {}
        for f in piece:
            for v in surface.faces[f]:
                around.setdefault(v, set()).add(face_of[f])
        for f, g, edge in inside:
            if face_of[f] != face_of[g]:
                lines.setdefault(_pair(face_of[f], face_of[g]), set()).update(edge)
        for i, (f, edge) in enumerate(rim):
            lines.setdefault(_pair(face_of[f], wall_of[i]), set()).update(edge)
            for v in edge:
                around[v].add(wall_of[i])

        # arcs, with the vertices at their ends, and the directions of the edges that leave each corner
        arcs: list[tuple[tuple[float, ...], tuple[int, int]]] = []
        leaving: dict[int, list[np.ndarray]] = {v: [] for v in sorted(around) if len(around[v]) >= 3}
        for (a, b), ends in lines.items():
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

        corner: dict[int, int] = {}
        for v, directions in leaving.items():
            corner[v] = self._add(vertices[v], (len(self.rows) + 1 + len(directions),))
            for e in directions:
                self._add(e)
        start = len(self.rows)
        for facet in facets:
            self._add(facet)
        middle = len(self.rows)
        for row, (first, last) in arcs:
            self._add(row, (corner.get(first, -1), corner.get(last, -1)))
        return (start, middle, len(self.rows)), _sides(vertices, leaving)


@dataclass(frozen=True)
class _Leaf:
    """Box of a piece [m], its first facet, its first arc and the end of its arcs, and the axes that are its normals."""

    low: np.ndarray
    high: np.ndarray
    rows: tuple[int, int, int]
    sides: int


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
