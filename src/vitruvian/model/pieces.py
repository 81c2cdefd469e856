"""A surface of flat faces split into convex pieces. SI units.

A piece is a set of faces that bound a convex solid: every vertex of it lies below the planes of its faces and of the
walls at its rim. A wall stands across the face at a rim edge, halves a valley, or lies in the neighbouring face where
the edge is sharper than a right angle, so that it stays inside the solid behind the surface. Pieces of one part that
meet at a flat or convex edge form a patch: it touches once, at the deepest of its pieces. Patches that meet in a
valley, and those of different parts, touch each for itself and share the load (`kernels.patch.overlap`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

FLAT = 1e-4  # [rad], faces that meet at less than this lie in one plane: the rounding of coordinates in STL files
SLACK = 1e-5  # share of the size of a piece by which a vertex may lie above a plane of it
VALLEY = float(np.radians(1.0))  # [rad], a valley that is flatter does not part a patch

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
        """Normal of the wall at an edge: across its face, or that of the neighbour beyond an edge that is sharper.

        In a valley the walls of both sides are the plane that halves it: the solid below has no gap between them.
        """
        angle = self.angle.get(edge, 0.0)
        if angle > 0.5 * np.pi:
            return self.normal[self.owner[edge[1], edge[0]]]
        if angle < -FLAT:
            return np.cos(0.5 * angle) * self.outward[edge] - np.sin(0.5 * angle) * self.normal[self.owner[edge]]
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
    """

    pieces: tuple[tuple[int, ...], ...]
    patch: tuple[int, ...]
    part: tuple[int, ...]


def split(surface: Faces) -> Split:
    """Split a surface into pieces and patches."""
    count = len(surface.faces)
    inner = [
        (angle, surface.owner[edge], surface.owner[edge[1], edge[0]])
        for edge, angle in surface.angle.items()
        if edge[0] < edge[1]
    ]
    within = [(a, f, g) for a, f, g in inner if surface.part[f] == surface.part[g]]
    convex = Groups(count)
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
    patches = Groups(len(pieces))
    for a, f, g in within:
        if a > -VALLEY:
            patches.join(home[f], home[g])
    members = patches.members()
    patch = {p: k for k, group in enumerate(members) for p in group}
    part = tuple(surface.part[pieces[group[0]][0]] for group in members)
    return Split(tuple(pieces), tuple(patch[p] for p in range(len(pieces))), part)


def _grown(surface: Faces, group: tuple[int, ...], joints: list[tuple[float, int, int]]) -> list[tuple[int, ...]]:
    """Faces joined into convex pieces over flat edges, then over ridges, as long as the pieces stay convex."""
    pieces: dict[int, tuple[int, ...]] = {f: (f,) for f in group}  # by one of the faces
    home = {f: f for f in group}
    flat = Groups(max(group) + 1)
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


class Groups:
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
