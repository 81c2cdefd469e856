"""Natural coordinates (Silva, Ambrosio and Pereira, eqs 1-16): points and unit vectors, a constant mass matrix.

Each point of a body is linear in the coordinates, with C = [(1 - c1) I, c1 I, c2 I, c3 I] (eq. 2 with E068). The mass
matrix M = integral of rho C'C is therefore constant (eqs 6, 7 with E069); with the matrices E of `natural_nodes` that
of the mechanism is M = sum E' m E. Further equations (universal, sliding joints, loops) are products of two linear
combinations, as eqs 13 are: (w_a X) . (w_b X) = const, with the acceleration term -2 (w_a X') . (w_b X').
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...errors import InputError
from .constraint import DOTS, SLIDES
from .equation import Equations
from .formulation import Formulation
from .mechanism import Mechanism, Motion
from .natural_nodes import SHARE_AXIS, SHARE_POINT, Nodes, basic_mass
from .orientation import Array, cross, nearest_rotation, parameters, rotation_matrix


@dataclass
class _Terms:
    """Constraint rows under construction."""

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
    """Equations in the nodes X (points and unit vectors, three numbers each) of the mechanism."""

    name, label = "natural", "natural coordinates"

    def __init__(self, mechanism: Mechanism) -> None:
        super().__init__(mechanism)
        driven = [joint.name for joint in mechanism.joints if joint.motion]
        if driven:
            raise InputError(
                f"natural: joint {driven[0]!r} is driven, which natural coordinates do not offer here; "
                "take euler-parameters-1."
            )
        self.nodes = Nodes(mechanism)
        self._masses()
        self._equations()

    def _masses(self) -> None:
        """Build the constant mass matrix: m of every body (eq. 7) and M = sum E' m E, times the unit 3x3."""
        total = np.zeros((self.nodes.count, self.nodes.count))
        self.centre = np.zeros((self.mechanism.n, self.nodes.count))
        for i in range(self.mechanism.n):
            small = basic_mass(
                self.mechanism.mass[i], self.mechanism.inertia[i], self.nodes.origin[i], self.nodes.base[i]
            )
            total += self.nodes.elements[i].T @ small @ self.nodes.elements[i]
            self.centre[i] = self.nodes.point(i, np.zeros(3))
        self.mass_matrix = np.kron(total, np.eye(3))
        self.block = self.mass_matrix[None]  # the same object in all equations: it never changes

    # --- constraints

    def _equations(self) -> None:
        """Build the rows (w_a X + a0) . (w_b X + b0) = c and w X + w0 = 0; a0, b0 and w0 are fixed in the world."""
        terms = _Terms()
        for i in range(self.mechanism.n):
            self._rigid_body(i, terms)
        for k in range(len(self.mechanism.joints)):
            self._joint(k, terms)
        self.first, self.second = (np.array(rows).reshape(-1, self.nodes.count) for rows in (terms.first, terms.second))
        self.first_fixed, self.second_fixed = (
            np.array(rows).reshape(-1, 3) for rows in (terms.first_fixed, terms.second_fixed)
        )
        self.constant = np.array(terms.constant)
        self.linear = np.array(terms.linear).reshape(-1, self.nodes.count)
        self.linear_fixed = np.array(terms.linear_fixed).reshape(-1, 3)
        #: label and bodies of every row
        self.owner: list[tuple[str, tuple[int, ...]]] = [
            *terms.owner,
            *((f"{label}[{axis}]", bodies) for label, bodies in terms.linear_owner for axis in range(3)),
        ]
        self.linear_jacobian = np.kron(self.linear, np.eye(3))

    def _rigid_body(self, i: int, terms: _Terms) -> None:
        """Append lengths and angles of r_ij, u, v (eqs 13); a body rigid with its parent has none of its own."""
        mechanism, k = self.mechanism, self.nodes.joint_of[i]
        if k is not None and mechanism.joints[k].type == "rigid" and mechanism.parent[k] < mechanism.n:
            return
        e = self.nodes.elements[i]
        parts = (e[1] - e[0], e[2], e[3])
        gram, zero = self.nodes.base[i].T @ self.nodes.base[i], np.zeros(3)
        for a in range(3):
            for b in range(a, 3):
                if a == b == 1 and self.nodes.shared[i][1]:
                    continue  # |u| = 1 is the parent's
                label = f"{mechanism.bodies[i]}[{a}{b}]"
                terms.product((parts[a], zero), (parts[b], zero), float(gram[a, b]), label, (i,))

    def _joint(self, k: int, terms: _Terms) -> None:
        """Append the rows of a joint that shared points and axes do not satisfy already."""
        mechanism, joint, zero = self.mechanism, self.mechanism.joints[k], np.zeros(3)
        p, c = int(mechanism.parent[k]), int(mechanism.child[k])
        inside, loop = p < mechanism.n, joint.name not in mechanism.compiled.joints
        bodies = (p, c) if inside else (c,)
        frame_p, frame_c = (rotation_matrix(np.array(f)) for f in (joint.frame_parent, joint.frame_child))
        point_p, point_c = np.array(joint.point_parent), np.array(joint.point_child)
        nothing = np.zeros(self.nodes.count)
        at_p, at_p0 = (self.nodes.point(p, point_p), zero) if inside else (nothing, point_p)
        gap = self.nodes.point(c, point_c) - at_p
        if joint.type in SHARE_POINT and (loop or not inside):
            terms.linear.append(gap)
            terms.linear_fixed.append(-at_p0)
            terms.linear_owner.append((joint.name, bodies))
        if joint.type == "rigid" and inside and not loop:
            return

        def axis_of_parent(axis: int) -> tuple[Array, Array]:
            return (self.nodes.vector(p, frame_p[:, axis]), zero) if inside else (nothing, frame_p[:, axis])

        for axis in SLIDES.get(joint.type, ()):
            terms.product(axis_of_parent(axis), (gap, -at_p0), 0.0, joint.name, bodies)
        for axis, other in DOTS.get(joint.type, ()):
            if inside and not loop and joint.type in SHARE_AXIS and other == 2:
                continue  # z is shared
            terms.product(
                axis_of_parent(axis), (self.nodes.vector(c, frame_c[:, other]), zero), 0.0, joint.name, bodies
            )

    # --- coordinates

    def coordinates(self, motion: Motion, near: Array | None = None) -> tuple[Array, Array]:
        turn = motion.rotation
        place, speed = np.zeros((self.nodes.count, 3)), np.zeros((self.nodes.count, 3))
        for node, (body, element) in enumerate(self.nodes.home):
            local = self.nodes.origin[body] if element < 2 else np.zeros(3)
            if element:
                local = local + self.nodes.base[body][:, element - 1]
            arm = turn[body] @ local
            place[node], speed[node] = arm, np.cross(motion.spin[body], arm)
            if element < 2:
                place[node] += motion.position[body]
                speed[node] += motion.velocity[body]
        return place.ravel(), speed.ravel()

    def _frames(self, nodes: Array) -> Array:
        """Return [r_j - r_i, u, v] of every body in world axes, (n, 3, 3)."""
        own = np.einsum("nek,kx->nex", self.nodes.elements, nodes)
        columns = np.stack((own[:, 1] - own[:, 0], own[:, 2], own[:, 3]), axis=2)
        return columns

    def motion(self, q: Array, v: Array) -> Motion:
        place, speed = q.reshape(-1, 3), v.reshape(-1, 3)
        turn, spin = nearest_rotation(
            self._frames(place) @ self.nodes.inverse, self._frames(speed) @ self.nodes.inverse
        )
        return Motion(self.centre @ place, parameters(turn), self.centre @ speed, spin)

    def rates(self, q: Array, v: Array) -> Array:
        return v

    def accelerations(self, x: Array) -> Array:
        return x.ravel()

    # --- equations

    def _rows(self, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        """Return C, dC/dt, C_q and gamma."""
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
        """Return moments [N m] as pairs of forces f at r_i + u_m and -f at r_i, m = u_m x f (eqs 10-12, sign of E070).
        u_m is at right angles to m and to r_ij (eq. 11); if m is along r_ij, any direction normal to r_ij is valid.
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
        parts = np.einsum("nij,nj->ni", self.nodes.inverse, local)
        weights = np.concatenate((-parts[:, :1], parts), axis=1)  # of r_i, r_j, u, v
        return np.einsum("ne,nek,nx->kx", weights, self.nodes.elements, force)

    def violation(self, time: float, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        value, rate, jacobian, _ = self._rows(q, v)
        return value, rate, jacobian, jacobian

    def incidence(self, size: int) -> Array:
        return np.repeat((self.nodes.elements != 0.0).any(axis=1), 3, axis=1)

    def row_bodies(self) -> Array:
        out = np.zeros((len(self.owner), self.mechanism.n), dtype=bool)
        for row, (_, bodies) in enumerate(self.owner):
            out[row, list(bodies)] = True
        return out

    def row_label(self, row: int) -> str:
        return self.owner[row][0]

    def reactions(self, time: float, q: Array, v: Array, multipliers: Array) -> tuple[Array, Array]:
        """Return joint forces [N] and moments [N m] by Newton's and Euler's laws of the bodies distal to each joint.

        Shared points have no multipliers.

        Joints that close loops, and those proximal to them, get nan.
        """
        mechanism = self.mechanism
        motion = self.motion(q, v)
        _, _, jacobian, _ = self._rows(q, v)
        force, moment = self.loads(motion, time)
        right = (self.centre.T @ force + self.couples(motion, q, moment)).ravel()
        accelerations = np.linalg.solve(self.mass_matrix, right + jacobian.T @ multipliers).reshape(-1, 3)
        linear = self.centre @ accelerations
        turn = self._frames(accelerations) @ self.nodes.inverse  # A''
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
            k = self.nodes.joint_of[i]
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
