"""Natural coordinates in the layout of silva1997: every joint and every end of a limb is a basic point of its own.

A torso part with three or more joints is described by three of its joint points and one unit vector across their
plane; its further joints are points tied to it by three linear equations each. Other bodies are two points, the axis
of a hinge and one more unit vector. The two bodies of a hinge share its axis.

The 12-body occupant has 11 joint points and 5 ends, and 17 unit vectors: 3 for each of its 5 hinged pairs and 1 for
each of the two torso parts. That makes 99 coordinates and 70 constraints: 6 for the lower torso, 6 + 3 for the upper
torso, and 6 + 5 for each hinged pair.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ...errors import InputError
from .mechanism import Mechanism
from .natural import Natural, _Terms
from .natural_nodes import LEAST_LENGTH, Nodes, _basis
from .orientation import Array, rotation_matrix

LEAST_AREA = 1e-4  # of the triangle of three joints of a torso part, twice [m2]


class PointNodes(Nodes):
    """The nodes of a free tree of ball joints and hinges, each joint and each end of a limb a point.

    corners  body -> joints of the three basic points of a torso part; empty for other bodies
    place    joint -> weights of its point
    ties     (body, joint): joint points that are tied to the basis of the body
    """

    def __init__(self, mechanism: Mechanism) -> None:
        other = [joint for joint in mechanism.joints if joint.type not in ("spherical", "revolute")]
        if other or mechanism.system.loops or np.any(mechanism.parent == mechanism.n):
            raise InputError(
                "natural-points describes free trees of spherical and revolute joints"
                + (f"; joint {other[0].name!r} is {other[0].type}" if other else "")
                + ". Take natural."
            )
        self.corners: dict[int, list[int]] = {}
        self.place: dict[int, Array] = {}
        self.ties: list[tuple[int, int]] = []
        super().__init__(mechanism)

    def joint_point(self, body: int, k: int) -> Array:
        """Return the point of a joint in the axes of one of its bodies, from the centre of mass [m]."""
        joint = self.mechanism.joints[k]
        return np.array(joint.point_parent if self.mechanism.parent[k] == body else joint.point_child)

    def _attached(self, i: int) -> list[int]:
        """Return the joints of a body, that to its parent first."""
        own = self.joint_of[i]
        return ([] if own is None else [own]) + np.flatnonzero(self.mechanism.parent == i).tolist()

    def _make_base(self, i: int) -> None:
        self.corners[i] = self._corners(i)
        if not self.corners[i]:
            self._make_limb(i)
            return
        a, b, c = (self.joint_point(i, k) for k in self.corners[i])
        across = np.cross(b - a, c - a)
        self.origin[i] = a
        self.base[i] = np.stack((b - a, across / np.linalg.norm(across), c - a), axis=1)

    def _corners(self, i: int) -> list[int]:
        """Return the joints of the largest triangle of a torso part, its own joint first; none for other bodies."""
        own, joints = self.joint_of[i], self._attached(i)
        if len(joints) < 3 or (own is not None and self.mechanism.joints[own].type == "revolute"):
            return []
        best: list[int] = []
        area = LEAST_AREA
        for chosen in combinations(joints, 3):
            a, b, c = (self.joint_point(i, k) for k in chosen)
            size = float(np.linalg.norm(np.cross(b - a, c - a)))
            if size > area and (own is None or own in chosen):
                best, area = list(chosen), size
        return best

    def _make_limb(self, i: int) -> None:
        """Choose r_i at the upper joint, r_j at the next joint or the end, u along a hinge."""
        joints, own, attached = self.mechanism.joints, self.joint_of[i], self._attached(i)
        self.origin[i] = self.joint_point(i, attached[0]) if attached else np.zeros(3)
        hinges = [k for k in attached if joints[k].type == "revolute"]
        axis = None
        if hinges:
            frame = joints[hinges[0]].frame_child if hinges[0] == own else joints[hinges[0]].frame_parent
            axis = rotation_matrix(np.array(frame))[:, 2]
        reach = [self.joint_point(i, k) - self.origin[i] for k in attached[1:]]
        self.base[i] = _basis([*reach, self._end(i) - self.origin[i]], axis)

    def _end(self, i: int) -> Array:
        """Return the end of a limb [m]: from its joint through the centre of mass to the end of its shapes."""
        along = -self.origin[i]
        length = float(np.linalg.norm(along))
        shapes = self.mechanism.system.body(self.mechanism.bodies[i]).shapes
        if length < LEAST_LENGTH or not shapes:
            return np.zeros(3)
        along = along / length
        far = max(float(np.array(shape.offset) @ along + shape.reach(shape.turn.T @ along)) for shape in shapes)
        return along * max(far, 0.0)

    def _share(self, i: int) -> None:
        """Fill E of a body; a node for every joint point, end and unit vector."""
        k, own = self.joint_of[i], self.elements[i]
        if self.corners[i]:
            first, second, third = (self._placed(i, c) for c in self.corners[i])
            own[:] = first, second, self._new(i, self.base[i][:, 1], False), third - first
        else:
            self._share_limb(i)
        self.shared.append((k is not None, k is not None and self.mechanism.joints[k].type == "revolute"))
        for c in self._attached(i):
            if c not in self.place:
                self._placed(i, c)
                self.ties.append((i, c))

    def _placed(self, i: int, k: int) -> Array:
        """Return the weights of a joint point, a new node of the body if it has none yet."""
        if k not in self.place:
            self.place[k] = self._new(i, self.joint_point(i, k), True)
        return self.place[k]

    def _share_limb(self, i: int) -> None:
        """Fill E of a body that is no torso part."""
        k, own = self.joint_of[i], self.elements[i]
        own[0] = self._new(i, self.origin[i], True) if k is None else self.place[k]
        own[1] = self._new(i, self._local(i, 1), True)
        for c in self._attached(i):
            for element in (0, 1):
                if c not in self.place and np.allclose(self.joint_point(i, c), self._local(i, element)):
                    self.place[c] = own[element].copy()
        if k is not None and self.mechanism.joints[k].type == "revolute":
            parent = int(self.mechanism.parent[k])
            axis = rotation_matrix(np.array(self.mechanism.joints[k].frame_parent))[:, 2]
            own[2] = self._combined(parent, self._vector_weights(parent, axis))
        else:
            own[2] = self._new(i, self._local(i, 2), False)
        own[3] = self._new(i, self._local(i, 3), False)


class NaturalPoints(Natural):
    """Equations in the points of all joints and ends, and unit vectors. Trees of ball joints and hinges."""

    name, label = "natural-points", "natural coordinates, joints as points"
    layout = PointNodes

    def _rigid_body(self, i: int, terms: _Terms) -> None:
        super()._rigid_body(i, terms)
        nodes = self.nodes
        assert isinstance(nodes, PointNodes)
        for body, k in nodes.ties:
            if body == i:
                own = nodes.point(i, nodes.joint_point(i, k))
                terms.linear.append(nodes.place[k][: nodes.count] - own)
                terms.linear_fixed.append(np.zeros(3))
                terms.linear_owner.append((self.mechanism.joints[k].name, (i, int(self.mechanism.child[k]))))
