"""Nodes of natural coordinates: points and unit vectors of bodies, shared between them by the joints. SI units.

A basic body is two points r_i, r_j and two unit vectors u, v, not in one plane. Each of its points is r = r_i +
c1 (r_j - r_i) + c2 u + c3 v. The child of a spherical joint takes its r_i from the parent, that of a revolute joint
also its u, a rigid one all four (Silva, Ambrosio and Pereira, section 2.3). A shared element is in general a linear
combination of the parent's elements. Every body therefore has a constant matrix E (4 x nodes) from the nodes X of the
mechanism to its own r_i, r_j, u, v.
"""

from __future__ import annotations

import numpy as np

from ...model import Joint
from .mechanism import Mechanism
from .orientation import Array, rotation_matrix

SHARE_POINT = ("spherical", "revolute", "universal", "rigid")
SHARE_AXIS = ("revolute", "cylindrical", "prismatic", "planar")
LEAST_LENGTH = 0.02  # between r_i and r_j [m]; otherwise r_j is an auxiliary point


class Nodes:
    """The nodes of a mechanism.

    count     number of nodes, three coordinates each
    origin    r_i of every body from its centre of mass, body axes [m]
    base      columns r_j - r_i, u, v of every body, body axes; inverse: their inverses
    elements  matrices E, (n, 4, count)
    home      body and element of every node
    shared    whether r_i and u of a body belong to its parent
    joint_of  number of the tree joint that carries a body, or None
    """

    def __init__(self, mechanism: Mechanism) -> None:
        n = mechanism.n
        self.mechanism = mechanism
        self.joint_of: list[int | None] = [None] * n
        names = set(mechanism.compiled.joints)
        for k, joint in enumerate(mechanism.joints):
            if joint.name in names:
                self.joint_of[mechanism.child[k]] = k
        self.origin, self.base = np.zeros((n, 3)), np.zeros((n, 3, 3))
        for i in range(n):
            self._make_base(i)
        self.inverse = np.linalg.inv(self.base)
        self.home: list[tuple[int, int]] = []
        self.shared: list[tuple[bool, bool]] = []
        self.elements = np.zeros((n, 4, 4 * n))
        for i in range(n):
            self._share(i)
        self.count = len(self.home)
        self.elements = np.ascontiguousarray(self.elements[:, :, : self.count])

    def point(self, body: int, local: Array) -> Array:
        """Return the weights of all nodes in a point of a body, given from its centre of mass in body axes [m]."""
        return self._point_weights(body, local) @ self.elements[body]

    def vector(self, body: int, local: Array) -> Array:
        """Return the weights of all nodes in a direction of a body, given in body axes."""
        return self._vector_weights(body, local) @ self.elements[body]

    def _point_weights(self, body: int, local: Array) -> Array:
        """Return 1 - c1, c1, c2, c3 of a point given from the centre of mass (eq. 2 with E068)."""
        c = self.inverse[body] @ (local - self.origin[body])
        return np.array([1.0 - c[0], *c])

    def _vector_weights(self, body: int, local: Array) -> Array:
        """Return -c1, c1, c2, c3 of a direction."""
        c = self.inverse[body] @ local
        return np.array([-c[0], *c])

    def _make_base(self, i: int) -> None:
        """Choose r_i, and the columns r_j - r_i, u, v of a body."""
        mechanism, own = self.mechanism, self.joint_of[i]
        axis = None
        if own is not None:
            joint = mechanism.joints[own]
            self.origin[i] = joint.point_child
            if joint.type in SHARE_AXIS:
                axis = rotation_matrix(np.array(joint.frame_child))[:, 2]
        reach = [
            np.array(other.point_parent) - self.origin[i]
            for c, other in enumerate(mechanism.joints)
            if mechanism.parent[c] == i
        ]
        self.base[i] = _basis([*reach, -self.origin[i]], axis)

    def _share(self, i: int) -> None:
        """Fill E of a body; elements that its parent does not share become new nodes."""
        k = self.joint_of[i]
        parent = self.mechanism.n if k is None else int(self.mechanism.parent[k])
        joint = None if k is None or parent == self.mechanism.n else self.mechanism.joints[k]
        if joint is not None and joint.type == "rigid":
            self._share_all(i, parent, joint)
            return
        shared_point, shared_axis = (joint is not None and joint.type in kinds for kinds in (SHARE_POINT, SHARE_AXIS))
        own = self.elements[i]
        for element in range(4):
            if joint is not None and element == 0 and shared_point:
                own[0] = self._combined(parent, self._point_weights(parent, np.array(joint.point_parent)))
            elif joint is not None and element == 2 and shared_axis:
                axis = rotation_matrix(np.array(joint.frame_parent))[:, 2]
                own[2] = self._combined(parent, self._vector_weights(parent, axis))
            else:
                own[element, len(self.home)] = 1.0
                self.home.append((i, element))
        self.shared.append((shared_point, shared_axis))

    def _share_all(self, i: int, parent: int, joint: Joint) -> None:
        """Fill E of a body that is rigid with its parent: all elements are combinations of the parent's."""
        turn = rotation_matrix(np.array(joint.frame_parent)) @ rotation_matrix(np.array(joint.frame_child)).T
        along, u, v = (turn @ self.base[i][:, column] for column in range(3))
        at = np.array(joint.point_parent)
        weights = [self._point_weights(parent, point) for point in (at, at + along)]
        weights += [self._vector_weights(parent, vector) for vector in (u, v)]
        for element, row in enumerate(weights):
            self.elements[i, element] = self._combined(parent, row)
        self.shared.append((True, True))

    def _combined(self, parent: int, weights: Array) -> Array:
        total = sum(float(weight) * element for weight, element in zip(weights, self.elements[parent], strict=True))
        return np.where(abs(total) > 1e-14, total, 0.0)


def _basis(reach: list[Array], axis: Array | None) -> Array:
    """Return columns r_j - r_i, u, v; r_j is the first point of `reach` that is far enough and not along `axis` (u)."""
    along = None
    for candidate in reach:
        length = float(np.linalg.norm(candidate))
        if length > LEAST_LENGTH and (axis is None or abs(candidate @ axis) < 0.9 * length):
            along = candidate
            break
    if along is None:
        helper = np.eye(3)[abs(axis).argmin()] if axis is not None else np.array([0.0, 0.0, 1.0])
        along = 0.1 * (helper if axis is None else np.cross(axis, helper) / np.linalg.norm(np.cross(axis, helper)))
    if axis is None:
        axis = np.cross(along, np.eye(3)[abs(along).argmin()])
        axis = axis / np.linalg.norm(axis)
    across = np.cross(along, axis)
    return np.stack((along, axis, across / np.linalg.norm(across)), axis=1)


def basic_mass(mass: float, inertia: Array, origin: Array, base: Array) -> Array:
    """Return the 4x4 matrix whose product with the unit 3x3 is the mass matrix of eq. 7, with the signs of E069.

    a: the centre of mass, z: the second moments, both in the affine axes of r_i:  z = S / ...,
    S = integral of rho x x' = (trace J / 2) 1 - J about the centre of mass, moved to r_i
    """
    inverse = np.linalg.inv(base)
    second = 0.5 * np.trace(inertia) * np.eye(3) - inertia + mass * np.outer(origin, origin)
    a = inverse @ -origin
    z = inverse @ second @ inverse.T
    out = np.zeros((4, 4))
    out[0, 0] = mass - 2.0 * mass * a[0] + z[0, 0]
    out[0, 1:] = out[1:, 0] = mass * a - z[0]
    out[1:, 1:] = z
    return out
