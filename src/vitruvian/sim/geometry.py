"""Geometry of a system, to draw it and to weigh its motion: shapes, surfaces, joint points, masses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import Field, dataclass, field, fields
from typing import Any

import numpy as np

from ..model import FacetSurface, Plane, System
from ..model.body import Station
from ..model.pose import rotation_matrix
from ..model.shape import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere
from ..model.superellipsoid import Superellipsoid

SHAPE_KINDS = ("ellipsoid", "sphere", "capsule", "cylinder", "box", "superellipsoid")


def _array(units: str, dims: str, long_name: str) -> dict[str, Any]:
    """Declare an array with its unit, dimensions and meaning; file and checks follow from them."""
    return {"units": units, "dims": tuple(dims.split()), "long_name": long_name}


def _places(dims: str, long_name: str, least: int, of: str) -> dict[str, Any]:
    """Declare an array of whole numbers: places in a list of bodies, vertices, parts or kinds, from `least` on."""
    return _array("1", dims, f"number of the {long_name}") | {"least": least, "of": of}


@dataclass(frozen=True, kw_only=True)
class Geometry:
    """Arrays and names, bodies in the order of `Recording.bodies`. SI units.

    A joint belongs to the body that is its child; parent -1 is the world, and its point then a world position.
    """

    body_mass: np.ndarray = field(metadata=_array("kg", "body", "mass of the body"))
    shape_body: np.ndarray = field(metadata=_places("shape", "body that carries the shape", 0, "body"))
    shape_kind: np.ndarray = field(
        metadata=_places("shape", f"kind of the shape in the list {', '.join(SHAPE_KINDS)}", 0, "kind")
    )
    shape_semi_axes: np.ndarray = field(
        metadata=_array("m", "shape axis", "half dimensions along the axes of the shape")
    )
    shape_exponents: np.ndarray = field(
        metadata=_array("1", "shape exponent", "exponents of a superellipsoid, 2 for all others")
    )
    shape_offset: np.ndarray = field(
        metadata=_array("m", "shape axis", "from the centre of mass to the shape, body axes")
    )
    shape_rotation: np.ndarray = field(
        metadata=_array("1", "shape quaternion", "unit quaternion from shape to body axes")
    )
    outline_body: np.ndarray = field(
        metadata=_places("outline", "body whose shapes are regions of one ellipsoid", 0, "body")
    )
    outline_semi_axes: np.ndarray = field(
        metadata=_array("m", "outline axis", "semi-axes of this ellipsoid, body axes")
    )
    outline_offset: np.ndarray = field(metadata=_array("m", "outline axis", "from the centre of mass to it, body axes"))
    surface_name: tuple[str, ...]
    surface_body: np.ndarray = field(
        metadata=_places("surface", "body that carries the plane, -1 for the world", -1, "body")
    )
    surface_point: np.ndarray = field(metadata=_array("m", "surface axis", "point of the plane, in its frame"))
    surface_normal: np.ndarray = field(
        metadata=_array("1", "surface axis", "unit normal out of the solid, in its frame")
    )
    vertex_position: np.ndarray = field(
        metadata=_array("m", "vertex axis", "corner of a surface of faces, in the frame of its carrier")
    )
    triangle_vertices: np.ndarray = field(
        metadata=_places("triangle axis", "corners, anticlockwise from outside", 0, "vertex")
    )
    triangle_body: np.ndarray = field(
        metadata=_places("triangle", "body that carries the triangle, -1 for the world", -1, "body")
    )
    triangle_part: np.ndarray = field(metadata=_places("triangle", "part of a surface, -1 if not known", -1, "part"))
    part_name: tuple[str, ...]  # of the surfaces of faces, as the pairs of a recording have them
    joint_parent: np.ndarray = field(
        metadata=_places("body", "parent of the joint of the body, -1 for the world", -1, "body")
    )
    joint_point_parent: np.ndarray = field(
        metadata=_array("m", "body axis", "from the parent's centre of mass to the joint, its axes")
    )
    joint_point_child: np.ndarray = field(
        metadata=_array("m", "body axis", "from the child's centre of mass to the joint, its axes")
    )
    airbag_body: np.ndarray = field(
        metadata=_places("airbag", "body that carries the airbag, -1 for the world", -1, "body")
    )
    airbag_point: np.ndarray = field(metadata=_array("m", "airbag axis", "middle of its back, in the carrier's frame"))
    airbag_depth: np.ndarray = field(metadata=_array("m", "airbag axis", "from there to the middle of its front"))
    airbag_width: np.ndarray = field(metadata=_array("m", "airbag axis", "from there to its left edge"))
    airbag_height: np.ndarray = field(metadata=_array("m", "airbag axis", "from there to its upper edge"))
    loop_body: np.ndarray = field(metadata=_places("loop", "child of the loop", 0, "body"))
    loop_point: np.ndarray = field(metadata=_array("m", "loop axis", "joint point of the loop, in the child's frame"))

    @classmethod
    def of(cls, system: System, bodies: tuple[str, ...]) -> Geometry:
        """The geometry of a system, bodies in the given order."""
        place = {name: index for index, name in enumerate(bodies)}
        shapes = [(place[body.name], shape) for body in system.bodies for shape in body.shapes]
        wholes = [(place[b.name], b.outline) for b in system.bodies if b.outline is not None and b.regions and b.shapes]
        joints = [system.joint_of(name) for name in bodies]
        planes = [surface for surface in system.surfaces if isinstance(surface, Plane)]
        meshes = [surface for surface in system.surfaces if not isinstance(surface, Plane)]
        vertices, triangles, parts = _faces(meshes)
        carriers = [_carrier(surface.carrier, place) for surface in meshes for _ in surface.parts]
        return cls(
            body_mass=np.array([_mass(system, name) for name in bodies]),
            shape_body=np.array([index for index, _ in shapes], dtype=np.int64),
            shape_kind=np.array([SHAPE_KINDS.index(shape.kind) for _, shape in shapes], dtype=np.int64),
            shape_semi_axes=_rows([shape.half_size for _, shape in shapes], 3),
            shape_exponents=_rows([getattr(shape, "exponents", (2.0, 2.0)) for _, shape in shapes], 2),
            shape_offset=_rows([shape.offset for _, shape in shapes], 3),
            shape_rotation=_rows([shape.rotation for _, shape in shapes], 4),
            outline_body=np.array([index for index, _ in wholes], dtype=np.int64),
            outline_semi_axes=_rows([whole.half_size for _, whole in wholes], 3),
            outline_offset=_rows([whole.offset for _, whole in wholes], 3),
            surface_name=tuple(plane.name for plane in planes),
            surface_body=np.array([_carrier(plane.carrier, place) for plane in planes], dtype=np.int64),
            surface_point=_rows([plane.point for plane in planes], 3),
            surface_normal=_rows([plane.normal for plane in planes], 3),
            vertex_position=vertices,
            triangle_vertices=triangles,
            triangle_body=np.array(carriers, dtype=np.int64)[parts],
            triangle_part=parts,
            part_name=tuple(label for surface in meshes for label in surface.labels),
            joint_parent=np.array(
                [-1 if joint.parent is None else place[joint.parent] for joint in joints], dtype=np.int64
            ),
            joint_point_parent=_rows([joint.point_parent for joint in joints], 3),
            joint_point_child=_rows([joint.point_child for joint in joints], 3),
            airbag_body=np.array([_carrier(bag.carrier, place) for bag in system.airbags], dtype=np.int64),
            airbag_point=_rows([bag.place for bag in system.airbags], 3),
            airbag_depth=_rows([bag.size[0] * bag.turn[:, 0] for bag in system.airbags], 3),
            airbag_width=_rows([bag.size[1] * bag.turn[:, 1] for bag in system.airbags], 3),
            airbag_height=_rows([bag.size[2] * bag.turn[:, 2] for bag in system.airbags], 3),
            loop_body=np.array([place[loop.child] for loop in system.loops], dtype=np.int64),
            loop_point=_rows([loop.point_child for loop in system.loops], 3),
        )

    def shape(self, index: int) -> Shape:
        """A shape as the model has it, rigid."""
        kind = SHAPE_KINDS[self.shape_kind[index]]
        a, b, c = self.shape_semi_axes[index].tolist()
        offset, rotation = tuple(self.shape_offset[index]), tuple(self.shape_rotation[index])
        if kind == "sphere":
            return Sphere(a, offset, rotation)
        if kind == "capsule":
            return Capsule(a, 2.0 * (c - a), offset, rotation)
        if kind == "cylinder":
            return Cylinder(a, 2.0 * c, offset, rotation)
        if kind == "box":
            return Box((2.0 * a, 2.0 * b, 2.0 * c), offset, rotation)
        if kind == "superellipsoid":
            return Superellipsoid((a, b, c), tuple(self.shape_exponents[index]), offset, rotation)
        return Ellipsoid((a, b, c), offset, rotation)

    def outline(self, body: int) -> Shape | None:
        """The shape that gives the size of a body: the ellipsoid that its regions divide, or its first shape."""
        for row in np.flatnonzero(self.outline_body == body).tolist():
            a, b, c = self.outline_semi_axes[row].tolist()
            return Ellipsoid((a, b, c), tuple(self.outline_offset[row]))
        return next((self.shape(row) for row in np.flatnonzero(self.shape_body == body).tolist()), None)

    @classmethod
    def arrays(cls) -> list[Field]:
        """Return the declaration of every array: its name, and in `metadata` units, dims, long_name, least and of."""
        return [item for item in fields(cls) if item.metadata]

    def carriers(self) -> dict[str, int]:
        """Name of a plane or of a part of a surface -> number of the body that carries it, -1 for the world."""
        planes = zip(self.surface_name, self.surface_body.tolist(), strict=True)
        faces = zip(self.triangle_part.tolist(), self.triangle_body.tolist(), strict=True)
        return dict(planes) | {self.part_name[part]: body for part, body in faces if part >= 0}


def _mass(system: System, name: str) -> float:
    """Return the mass of a body [kg]; that of a body that bends is the sum over its stations, which have none here."""
    body = system.body(name)
    if isinstance(body, Station):
        return 0.0
    return body.mass + sum(b.mass for b in system.bodies if isinstance(b, Station) and b.owner == name)


def _carrier(body: str | None, place: dict[str, int]) -> int:
    return -1 if body is None else place[body]


def _faces(meshes: Sequence[FacetSurface]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertices and triangles of all surfaces of faces, and the part of each triangle, counted through all of them."""
    vertices, triangles, parts = [np.zeros((0, 3))], [np.zeros((0, 3), dtype=np.int64)], [0][:0]
    points = before = 0
    for surface in meshes:
        faces = surface.faces
        vertices.append(np.array(surface.place) + faces.vertices @ rotation_matrix(surface.rotation).T)
        fans = [
            ((face[0], face[k], face[k + 1]), before + part)
            for face, part in zip(faces.faces, faces.part, strict=True)
            for k in range(1, len(face) - 1)
        ]
        triangles.append(points + np.array([fan for fan, _ in fans], dtype=np.int64))
        parts += [part for _, part in fans]
        points, before = points + len(faces.vertices), before + len(surface.parts)
    return np.concatenate(vertices), np.concatenate(triangles), np.array(parts, dtype=np.int64)


def _rows(rows: list, width: int) -> np.ndarray:
    return np.array(rows, dtype=float).reshape(len(rows), width)
