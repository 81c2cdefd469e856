"""Natural coordinates (Silva, Ambrosio and Pereira, eqs 1-16): points and unit vectors, a constant mass matrix.

A basic body is two points r_i, r_j and two unit vectors u, v, not in one plane. Every point of it is r = r_i +
c1 (r_j - r_i) + c2 u + c3 v, linear in its coordinates, with C = [(1 - c1) I, c1 I, c2 I, c3 I] (eq. 2 with E068), so
the mass matrix M = integral of rho C'C is constant (eqs 6, 7 with E069).

Joints are made by sharing (section 2.3): the child of a ball joint takes its r_i from the parent, that of a hinge also
its u, a rigid one everything. What is shared is often not a basic point or vector of the parent but a further one of
it, a linear combination: the coordinate transformation of section 2.2. So every body has a constant matrix E
(4 x nodes) from the nodes X of the whole mechanism to its own r_i, r_j, u, v, and M = sum E' m E.
Further equations (universal, sliding joints, loops) are products of two such combinations, as eqs 13 are:
(w_a X) . (w_b X) = const, with the acceleration term -2 (w_a X') . (w_b X').
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...errors import InputError
from .constraint import DOTS, SLIDES
from .equation import Equations
from .formulation import Formulation
from .mechanism import Mechanism, Motion
from .orientation import Array, cross, nearest_rotation, parameters, rotation_matrix

SHARE_POINT = ("spherical", "revolute", "universal", "rigid")
SHARE_AXIS = ("revolute", "cylindrical", "prismatic", "planar")
LEAST_LENGTH = 0.02  # between r_i and r_j [m]; else r_j is made up


@dataclass
class _Terms:
    """The constraint rows as they are gathered."""

    first: list[Array] = field(default_factory=list)
    second: list[Array] = field(default_factory=list)
    first_fixed: list[Array] = field(default_factory=list)
    second_fixed: list[Array] = field(default_factory=list)
    constant: list[float] = field(default_factory=list)
    owner: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    linear: list[Array] = field(default_factory=list)
    linear_fixed: list[Array] = field(default_factory=list)
    linear_owner: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)

    def product(
        self, a: tuple[Array, Array], b: tuple[Array, Array], c: float, label: str, bodies: tuple[int, ...]
    ) -> None:
        """Append (w_a X + a0) . (w_b X + b0) = c; a and b are (w, fixed part)."""
        self.first.append(a[0])
        self.first_fixed.append(a[1])
        self.second.append(b[0])
        self.second_fixed.append(b[1])
        self.constant.append(c)
        self.owner.append((label, bodies))


class Natural(Formulation):
    """Nodes X (points and unit vectors, three numbers each) of the whole mechanism."""

    name, label = "natural", "natural coordinates"

    def __init__(self, mechanism: Mechanism) -> None:
        super().__init__(mechanism)
        driven = [joint.name for joint in mechanism.joints if joint.motion]
        if driven:
            raise InputError(
                f"natural: joint {driven[0]!r} is driven, which natural coordinates do not offer here; "
                "take euler-parameters-1."
            )
        self._bases()
        self._sharing()
        self._masses()
        self._equations()

    # --- from the joints to nodes

    def _bases(self) -> None:
        """Local r_i, and the columns r_j - r_i, u, v of every body."""
        mechanism = self.mechanism
        n = mechanism.n
        self.origin, self.base = np.zeros((n, 3)), np.zeros((n, 3, 3))
        self.joint_of: list[int | None] = [None] * n
        names = set(mechanism.compiled.joints)
        for k, joint in enumerate(mechanism.joints):
            if joint.name in names:
                self.joint_of[mechanism.child[k]] = k
        for i in range(n):
            own = self.joint_of[i]
            hung = None if own is None else mechanism.joints[own]
            self.origin[i] = np.zeros(3) if hung is None else hung.point_child
            axis = None
            if hung is not None and hung.type in SHARE_AXIS:
                axis = rotation_matrix(np.array(hung.frame_child))[:, 2]
            reach = [
                np.array(other.point_parent) - self.origin[i]
                for c, other in enumerate(mechanism.joints)
                if mechanism.parent[c] == i
            ] + [-self.origin[i]]
            self.base[i] = _basis(reach, axis)

    def _sharing(self) -> None:
        """E of every body; new nodes where nothing is shared."""
        mechanism = self.mechanism
        rows: list[list[dict[int, float]]] = []
        self.nodes = 0
        #: where the nodes are, to fill X from poses: body, point or direction in its axes, whether it is a point
        self.home: list[tuple[int, Array, bool]] = []
        self.shared: list[tuple[bool, bool]] = []  # r_i, u
        inverse = np.linalg.inv(self.base)

        def combined(parent: int, weights: Array) -> dict[int, float]:
            out: dict[int, float] = {}
            for weight, element in zip(weights, rows[parent], strict=True):
                for node, part in element.items():
                    out[node] = out.get(node, 0.0) + float(weight) * part
            return {node: part for node, part in out.items() if abs(part) > 1e-14}

        def new(body: int, element: int) -> dict[int, float]:
            return self._new(body, self._local(body, element), element < 2)

        for i in range(mechanism.n):
            k = self.joint_of[i]
            joint = None if k is None else mechanism.joints[k]
            parent = mechanism.n if k is None else int(mechanism.parent[k])
            inside = parent < mechanism.n
            own: list[dict[int, float]] = []
            kind = "" if joint is None else joint.type
            if joint is not None and inside and kind == "rigid":
                # all four are combinations of the parent's
                turn = rotation_matrix(np.array(joint.frame_parent)) @ rotation_matrix(np.array(joint.frame_child)).T
                for element in range(4):
                    vector = turn @ (self.base[i][:, element - 1] if element else np.zeros(3))
                    if element in (0, 1):
                        point = np.array(joint.point_parent) + (vector if element else 0.0)
                        own.append(combined(parent, point_weights(self, inverse, parent, point)))
                    else:
                        own.append(combined(parent, vector_weights(inverse, parent, vector)))
                rows.append(own)
                self.shared.append((True, True))
                continue
            point_shared = joint is not None and inside and kind in SHARE_POINT
            axis_shared = joint is not None and inside and kind in SHARE_AXIS
            if joint is not None and point_shared:
                own.append(combined(parent, point_weights(self, inverse, parent, np.array(joint.point_parent))))
            else:
                own.append(new(i, 0))
            own.append(new(i, 1))
            if joint is not None and axis_shared:
                axis = rotation_matrix(np.array(joint.frame_parent))[:, 2]
                own.append(combined(parent, vector_weights(inverse, parent, axis)))
            else:
                own.append(new(i, 2))
            own.append(new(i, 3))
            rows.append(own)
            self.shared.append((point_shared, axis_shared))
        self._weigh(rows)
        self.inverse = inverse

    def _weigh(self, rows: list[list[dict[int, float]]]) -> None:
        """Fill E of every body from the weights of its elements."""
        self.elements = np.zeros((self.mechanism.n, 4, self.nodes))
        for i, own in enumerate(rows):
            for element, parts in enumerate(own):
                for node, part in parts.items():
                    self.elements[i, element, node] = part

    def _local(self, body: int, element: int) -> Array:
        """Return r_i, r_j (points) or u, v (directions) of a body in its axes."""
        local = self.origin[body] if element < 2 else np.zeros(3)
        return local + self.base[body][:, element - 1] if element else local

    def _new(self, body: int, local: Array, is_point: bool) -> dict[int, float]:
        """Return the weights of a new node: a point or direction of a body."""
        self.home.append((body, local, is_point))
        self.nodes += 1
        return {self.nodes - 1: 1.0}

    def point(self, body: int, local: Array) -> Array:
        """Weights of all nodes in a point of a body, given from its centre of mass in its axes."""
        return point_weights(self, self.inverse, body, local) @ self.elements[body]

    def vector(self, body: int, local: Array) -> Array:
        """Weights of all nodes in a direction of a body."""
        return vector_weights(self.inverse, body, local) @ self.elements[body]

    def _masses(self) -> None:
        """The constant mass matrix: m of every body (eq. 7) and M = sum E' m E, times the unit 3x3."""
        total = np.zeros((self.nodes, self.nodes))
        self.centre = np.zeros((self.mechanism.n, self.nodes))
        for i in range(self.mechanism.n):
            small = basic_mass(self.mechanism.mass[i], self.mechanism.inertia[i], self.origin[i], self.base[i])
            total += self.elements[i].T @ small @ self.elements[i]
            self.centre[i] = self.point(i, np.zeros(3))
        self.mass_matrix = np.kron(total, np.eye(3))
        self.block = self.mass_matrix[None]  # the same object in all equations: it never changes

    # --- constraints

    def _equations(self) -> None:
        """Rows (w_a X + a0) . (w_b X + b0) = c, and linear rows w X + w0 = 0; a0, b0, w0 belong to the world."""
        terms = _Terms()
        for i in range(self.mechanism.n):
            self._rigid_body(i, terms)
        for k in range(len(self.mechanism.joints)):
            self._joint(k, terms)
        self.first, self.second = (np.array(rows).reshape(-1, self.nodes) for rows in (terms.first, terms.second))
        self.first_fixed, self.second_fixed = (
            np.array(rows).reshape(-1, 3) for rows in (terms.first_fixed, terms.second_fixed)
        )
        self.constant = np.array(terms.constant)
        self.linear = np.array(terms.linear).reshape(-1, self.nodes)
        self.linear_fixed = np.array(terms.linear_fixed).reshape(-1, 3)
        #: label and bodies of every row
        self.owner: list[tuple[str, tuple[int, ...]]] = [
            *terms.owner,
            *((f"{label}[{axis}]", bodies) for label, bodies in terms.linear_owner for axis in range(3)),
        ]
        self.linear_jacobian = np.kron(self.linear, np.eye(3))

    def _rigid_body(self, i: int, terms: _Terms) -> None:
        """Lengths and angles of r_ij, u, v (eqs 13); a body that is rigid with its parent has none of its own."""
        mechanism, k = self.mechanism, self.joint_of[i]
        if k is not None and mechanism.joints[k].type == "rigid" and mechanism.parent[k] < mechanism.n:
            return
        e = self.elements[i]
        parts = (e[1] - e[0], e[2], e[3])
        gram, zero = self.base[i].T @ self.base[i], np.zeros(3)
        for a in range(3):
            for b in range(a, 3):
                if a == b == 1 and self.shared[i][1]:
                    continue  # |u| = 1 is the parent's
                label = f"{mechanism.bodies[i]}[{a}{b}]"
                terms.product((parts[a], zero), (parts[b], zero), float(gram[a, b]), label, (i,))

    def _joint(self, k: int, terms: _Terms) -> None:
        """The rows of a joint that shared points and axes do not fulfil by themselves."""
        mechanism, joint, zero = self.mechanism, self.mechanism.joints[k], np.zeros(3)
        p, c = int(mechanism.parent[k]), int(mechanism.child[k])
        inside, loop = p < mechanism.n, joint.name not in mechanism.compiled.joints
        bodies = (p, c) if inside else (c,)
        frame_p, frame_c = (rotation_matrix(np.array(f)) for f in (joint.frame_parent, joint.frame_child))
        point_p, point_c = np.array(joint.point_parent), np.array(joint.point_child)
        nothing = np.zeros(self.nodes)
        at_p, at_p0 = (self.point(p, point_p), zero) if inside else (nothing, point_p)
        gap = self.point(c, point_c) - at_p
        if joint.type in SHARE_POINT and (loop or not inside):
            terms.linear.append(gap)
            terms.linear_fixed.append(-at_p0)
            terms.linear_owner.append((joint.name, bodies))
        if joint.type == "rigid" and inside and not loop:
            return

        def axis_of_parent(axis: int) -> tuple[Array, Array]:
            return (self.vector(p, frame_p[:, axis]), zero) if inside else (nothing, frame_p[:, axis])

        for axis in SLIDES.get(joint.type, ()):
            terms.product(axis_of_parent(axis), (gap, -at_p0), 0.0, joint.name, bodies)
        for axis, other in DOTS.get(joint.type, ()):
            if inside and not loop and joint.type in SHARE_AXIS and other == 2:
                continue  # z is shared
            terms.product(axis_of_parent(axis), (self.vector(c, frame_c[:, other]), zero), 0.0, joint.name, bodies)

    # --- coordinates

    def coordinates(self, motion: Motion, near: Array | None = None) -> tuple[Array, Array]:
        turn = motion.rotation
        place, speed = np.zeros((self.nodes, 3)), np.zeros((self.nodes, 3))
        for node, (body, local, is_point) in enumerate(self.home):
            arm = turn[body] @ local
            place[node], speed[node] = arm, np.cross(motion.spin[body], arm)
            if is_point:
                place[node] += motion.position[body]
                speed[node] += motion.velocity[body]
        return place.ravel(), speed.ravel()

    def _frames(self, nodes: Array) -> Array:
        """[r_j - r_i, u, v] of every body in world axes, (n, 3, 3)."""
        own = np.einsum("nek,kx->nex", self.elements, nodes)
        columns = np.stack((own[:, 1] - own[:, 0], own[:, 2], own[:, 3]), axis=2)
        return columns

    def motion(self, q: Array, v: Array) -> Motion:
        place, speed = q.reshape(-1, 3), v.reshape(-1, 3)
        turn, spin = nearest_rotation(self._frames(place) @ self.inverse, self._frames(speed) @ self.inverse)
        return Motion(self.centre @ place, parameters(turn), self.centre @ speed, spin)

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def accelerations(self, x: Array) -> Array:
        return x.ravel()

    # --- equations

    def _rows(self, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        """C, dC/dt, C_q and gamma."""
        place, speed = q.reshape(-1, 3), v.reshape(-1, 3)
        a, b = self.first @ place + self.first_fixed, self.second @ place + self.second_fixed
        a_rate, b_rate = self.first @ speed, self.second @ speed
        value = np.concatenate(((a * b).sum(axis=1) - self.constant, (self.linear @ place + self.linear_fixed).ravel()))
        rate = np.concatenate(((a_rate * b + a * b_rate).sum(axis=1), (self.linear @ speed).ravel()))
        jacobian = self.first[:, :, None] * b[:, None, :] + self.second[:, :, None] * a[:, None, :]
        full = np.concatenate((jacobian.reshape(len(a), -1), self.linear_jacobian))
        gamma = np.concatenate((-2.0 * (a_rate * b_rate).sum(axis=1), np.zeros(3 * len(self.linear))))
        return value, rate, full, gamma

    def equations(self, time: float, q: Array, v: Array) -> Equations:
        motion = self.motion(q, v)
        force, moment = self.loads(motion, time)
        right = self.centre.T @ force + self.couples(motion, q, moment)
        value, rate, jacobian, gamma = self._rows(q, v)
        block = np.zeros((len(value), 1), dtype=int)
        return Equations(self.block, right.reshape(1, -1), jacobian[:, None, :], block, None, gamma, value, rate)

    def couples(self, motion: Motion, q: Array, moment: Array) -> Array:
        """Moments as pairs of forces f at r_i + u_m and -f at r_i, with m = u_m x f (eqs 10-12, the sign of E070).

        u_m is at right angles to m and to r_ij (eq. 11); where m lies along r_ij any direction across r_ij will do.
        """
        along = self._frames(q.reshape(-1, 3))[:, :, 0]
        arm = -cross(moment, along)
        size = np.linalg.norm(arm, axis=1)
        limit = 1e-9 * np.linalg.norm(moment, axis=1) * np.linalg.norm(along, axis=1)
        parallel = size <= limit
        if parallel.any():
            least = np.eye(3)[abs(along[parallel]).argmin(axis=1)]
            arm[parallel] = cross(along[parallel], least)
            size = np.linalg.norm(arm, axis=1)
        arm = arm / size[:, None]
        force = cross(moment, arm)
        # C_(i + u_m) - C_i: the weights of the direction u_m
        local = np.einsum("nji,nj->ni", motion.rotation, arm)
        parts = np.einsum("nij,nj->ni", self.inverse, local)
        weights = np.concatenate((-parts[:, :1], parts), axis=1)  # of r_i, r_j, u, v
        return np.einsum("ne,nek,nx->kx", weights, self.elements, force)

    def violation(self, time: float, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        value, rate, jacobian, _ = self._rows(q, v)
        return value, rate, jacobian, jacobian

    def incidence(self, size: int) -> Array:
        return np.repeat((self.elements != 0.0).any(axis=1), 3, axis=1)

    def row_bodies(self) -> Array:
        out = np.zeros((len(self.owner), self.mechanism.n), dtype=bool)
        for row, (_, bodies) in enumerate(self.owner):
            out[row, list(bodies)] = True
        return out

    def row_label(self, row: int) -> str:
        return self.owner[row][0]

    def reactions(self, time: float, q: Array, v: Array, multipliers: Array) -> tuple[Array, Array]:
        """By Newton's and Euler's laws of the bodies below each joint: shared points have no multipliers of their own.

        Trees only; joints that close loops, and those above them, get nan.
        """
        mechanism = self.mechanism
        motion = self.motion(q, v)
        _, _, jacobian, _ = self._rows(q, v)
        force, moment = self.loads(motion, time)
        right = (self.centre.T @ force + self.couples(motion, q, moment)).ravel()
        accelerations = np.linalg.solve(self.mass_matrix, right + jacobian.T @ multipliers).reshape(-1, 3)
        linear = self.centre @ accelerations
        turn = self._frames(accelerations) @ self.inverse  # A''
        whirl = turn @ np.swapaxes(motion.rotation, 1, 2)
        angular = 0.5 * np.stack(
            (whirl[:, 2, 1] - whirl[:, 1, 2], whirl[:, 0, 2] - whirl[:, 2, 0], whirl[:, 1, 0] - whirl[:, 0, 1]), axis=1
        )
        inertia = mechanism.world_inertia(motion)
        need = mechanism.mass[:, None] * linear - force
        turning = np.einsum("nij,nj->ni", inertia, angular)
        turning += cross(motion.spin, np.einsum("nij,nj->ni", inertia, motion.spin)) - moment
        out_force, out_moment = (np.full((len(mechanism.joints), 3), np.nan) for _ in range(2))
        loops = {int(b) for k, j in enumerate(mechanism.joints) if j in mechanism.system.loops
                 for b in (mechanism.parent[k], mechanism.child[k])}  # fmt: skip
        unknown = np.zeros(mechanism.n, dtype=bool)
        unknown[[b for b in loops if b < mechanism.n]] = True
        for i in range(mechanism.n - 1, -1, -1):
            k = self.joint_of[i]
            if k is None:
                continue
            joint, parent = mechanism.joints[k], int(mechanism.parent[k])
            point = motion.position[i] + motion.rotation[i] @ np.array(joint.point_child)
            if not unknown[i]:
                out_force[k] = need[i]
                out_moment[k] = turning[i] - np.cross(point - motion.position[i], need[i])
            if parent < mechanism.n:
                unknown[parent] |= unknown[i]
                need[parent] += need[i]
                arm = motion.position[i] - motion.position[parent]
                turning[parent] += turning[i] + np.cross(arm, need[i])
        return out_force, out_moment


def _basis(reach: list[Array], axis: Array | None) -> Array:
    """Columns r_j - r_i, u, v: towards the first of `reach` that is long enough and not along `axis` (which is u)."""
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


def point_weights(natural: Natural, inverse: Array, body: int, local: Array) -> Array:
    """1 - c1, c1, c2, c3 of a point given from the centre of mass (eq. 2 with E068)."""
    c = inverse[body] @ (local - natural.origin[body])
    return np.array([1.0 - c[0], *c])


def vector_weights(inverse: Array, body: int, local: Array) -> Array:
    """-c1, c1, c2, c3 of a direction."""
    c = inverse[body] @ local
    return np.array([-c[0], *c])


def basic_mass(mass: float, inertia: Array, origin: Array, base: Array) -> Array:
    """The 4x4 matrix whose product with the unit 3x3 is the mass matrix of eq. 7, with the signs of E069.

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
