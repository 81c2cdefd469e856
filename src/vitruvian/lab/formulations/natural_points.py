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
from .natural import LEAST_LENGTH, Natural, _basis, _Terms, point_weights, vector_weights
from .orientation import Array, rotation_matrix

Weights = dict[int, float]
LEAST_AREA = 1e-4  # of the triangle of three joints of a torso part, twice [m2]


class NaturalPoints(Natural):
    """Nodes X: the points of all joints and ends, and unit vectors. Trees of ball joints and hinges."""

    name, label = "natural-points", "natural coordinates, joints as points"

    def _bases(self) -> None:
        super()._bases()
        mechanism = self.mechanism
        other = [joint for joint in mechanism.joints if joint.type not in ("spherical", "revolute")]
        if other or mechanism.system.loops or np.any(mechanism.parent == mechanism.n):
            raise InputError(
                "natural-points describes free trees of spherical and revolute joints"
                + (f"; joint {other[0].name!r} is {other[0].type}" if other else "")
                + ". Take natural."
            )
        #: joints whose parent is a body, and the body's three basic joint points if it is a torso part
        self.below = [[k for k in range(len(mechanism.joints)) if mechanism.parent[k] == i] for i in range(mechanism.n)]
        self.corners: list[list[int]] = []
        for i in range(mechanism.n):
            self.corners.append(self._corners(i))
            if self.corners[i]:
                a, b, c = (self._joint_point(i, k) for k in self.corners[i])
                across = np.cross(b - a, c - a)
                self.origin[i] = a
                self.base[i] = np.stack((b - a, across / np.linalg.norm(across), c - a), axis=1)
            else:
                self._limb(i)

    def _joint_point(self, body: int, k: int) -> Array:
        """Return the point of a joint in the axes of one of its bodies, from the centre of mass [m]."""
        joint = self.mechanism.joints[k]
        return np.array(joint.point_parent if self.mechanism.parent[k] == body else joint.point_child)

    def _corners(self, i: int) -> list[int]:
        """Return the joints of the largest triangle of a torso part, its own joint first; none for other bodies."""
        own = self.joint_of[i]
        joints = ([] if own is None else [own]) + self.below[i]
        if len(joints) < 3 or (own is not None and self.mechanism.joints[own].type == "revolute"):
            return []
        best, area = [], LEAST_AREA
        for chosen in combinations(joints, 3):
            a, b, c = (self._joint_point(i, k) for k in chosen)
            size = float(np.linalg.norm(np.cross(b - a, c - a)))
            if size > area and (own is None or own in chosen):
                best, area = list(chosen), size
        return best

    def _limb(self, i: int) -> None:
        """Choose r_i at the upper joint, r_j at the next joint or the end, u along a hinge."""
        joints = self.mechanism.joints
        own = self.joint_of[i]
        attached = ([] if own is None else [own]) + self.below[i]
        self.origin[i] = self._joint_point(i, attached[0]) if attached else np.zeros(3)
        hinges = [k for k in attached if joints[k].type == "revolute"]
        axis = None
        if hinges:
            frame = joints[hinges[0]].frame_child if hinges[0] == own else joints[hinges[0]].frame_parent
            axis = rotation_matrix(np.array(frame))[:, 2]
        reach = [self._joint_point(i, k) - self.origin[i] for k in self.below[i]] + [self._end(i) - self.origin[i]]
        self.base[i] = _basis(reach, axis)

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

    def _sharing(self) -> None:
        """Fill E of every body; a node for every joint point, end and unit vector."""
        mechanism = self.mechanism
        self.nodes, self.home, self.shared = 0, [], []
        self.inverse = np.linalg.inv(self.base)
        rows: list[list[Weights]] = []
        place: dict[int, Weights] = {}  # joint -> its point
        #: (body, joint, node): joint points that are tied to the basis of the parent
        self.ties: list[tuple[int, int, int]] = []
        for i in range(mechanism.n):
            k = self.joint_of[i]
            corners = self.corners[i]
            if corners:
                points = [
                    place[c] if c in place else place.setdefault(c, self._new(i, self._joint_point(i, c), True))
                    for c in corners
                ]
                first, second, third = points
                away = dict(third)
                for node, part in first.items():
                    away[node] = away.get(node, 0.0) - part
                own = [first, second, self._new(i, self.base[i][:, 1], False), away]
            else:
                own = self._limb_nodes(i, rows, place)
            rows.append(own)
            self.shared.append((k is not None, k is not None and mechanism.joints[k].type == "revolute"))
            for c in self.below[i]:
                if c not in place:
                    place[c] = self._new(i, self._joint_point(i, c), True)
                    self.ties.append((i, c, self.nodes - 1))
        self._weigh(rows)

    def _limb_nodes(self, i: int, rows: list[list[Weights]], place: dict[int, Weights]) -> list[Weights]:
        """Return the weights of r_i, r_j, u, v of a body that is no torso part."""
        k = self.joint_of[i]
        at = [c for c in self.below[i] if np.allclose(self._joint_point(i, c), self.origin[i])]
        start = place[k] if k is not None else self._new(i, self.origin[i], True)
        for c in at:
            place.setdefault(c, start)
        end = self._new(i, self._local(i, 1), True)
        for c in self.below[i]:
            if c not in place and np.allclose(self._joint_point(i, c), self._local(i, 1)):
                place[c] = end
        if k is not None and self.mechanism.joints[k].type == "revolute":
            parent, joint = int(self.mechanism.parent[k]), self.mechanism.joints[k]
            axis = rotation_matrix(np.array(joint.frame_parent))[:, 2]
            shared: Weights = {}
            for weight, element in zip(vector_weights(self.inverse, parent, axis), rows[parent], strict=True):
                for node, part in element.items():
                    shared[node] = shared.get(node, 0.0) + float(weight) * part
            along = {node: part for node, part in shared.items() if abs(part) > 1e-14}
        else:
            along = self._new(i, self._local(i, 2), False)
        return [start, end, along, self._new(i, self._local(i, 3), False)]

    def _rigid_body(self, i: int, terms: _Terms) -> None:
        super()._rigid_body(i, terms)
        for body, k, node in self.ties:
            if body == i:
                own = point_weights(self, self.inverse, i, self._joint_point(i, k)) @ self.elements[i]
                terms.linear.append(np.eye(self.nodes)[node] - own)
                terms.linear_fixed.append(np.zeros(3))
                terms.linear_owner.append((self.mechanism.joints[k].name, (i, int(self.mechanism.child[k]))))
