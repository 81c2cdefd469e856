"""Joints as constraint equations between absolute poses (thesis Table 3.1), with Jacobian and acceleration terms.

Three kinds of row, of which every joint is made. a, b are directions, s points, carried by parent p and child c;
d = r_c + s_c - r_p - s_p is the vector between the two joint points; all in world axes:

    point   r_c + s_c - r_p - s_p = 0        three rows; thesis eq. 3.41
    slide   a . d = 0                        the point of the child stays in a plane of the parent
    dot     a . b = 0                        two directions stay at right angles

| joint       | point | slide      | dot                       | rows |
|-------------|-------|------------|---------------------------|------|
| spherical   | yes   |            |                           | 3    |
| universal   | yes   |            | x_p.y_c                   | 4    |
| revolute    | yes   |            | x_p.z_c, y_p.z_c          | 5    |
| cylindrical |       | x_p, y_p   | x_p.z_c, y_p.z_c          | 4    |
| prismatic   |       | x_p, y_p   | x_p.z_c, y_p.z_c, x_p.y_c | 5    |
| planar      |       | z_p        | x_p.z_c, y_p.z_c          | 3    |
| rigid       | yes   |            | x_p.z_c, y_p.z_c, x_p.y_c | 6    |

A driven joint (`Joint.motion`) is a rigid one whose frame in the parent moves with time, which gives C_t and C_tt.

Jacobians are kept by the body's own displacement: a row is J_r . dr + J_w . dphi for each of its two bodies, with dphi
the small rotation in world axes. A formulation multiplies J_w with its own matrix of omega (2 G, Gbar ...): thesis eq.
3.42 with the signs of ERRATA E006, and 3.77-3.78 in the tangent form of E016.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...kernels.rotation import angular_acceleration, left_jacobian_dot
from ...model import Joint
from .mechanism import Mechanism, Motion
from .orientation import Array, cross, dot, exponential, rotation_matrix, turned

X, Y, Z = np.eye(3)
POINT = {"spherical", "universal", "revolute", "rigid"}
SLIDES = {"cylindrical": (0, 1), "prismatic": (0, 1), "planar": (2,)}
TWO_DOTS = ((0, 2), (1, 2))
DOTS = {
    "universal": ((0, 1),),
    "revolute": TWO_DOTS,
    "cylindrical": TWO_DOTS,
    "prismatic": (*TWO_DOTS, (0, 1)),
    "translational": (*TWO_DOTS, (0, 1)),
    "planar": TWO_DOTS,
    "rigid": (*TWO_DOTS, (0, 1)),
}


class Rows(NamedTuple):
    """The constraint equations in one state."""

    value: Array  # (m,) C
    rate: Array  # (m,) dC/dt
    linear: Array  # (m, 2, 3) J_r of parent and child
    angular: Array  # (m, 2, 3) J_w of parent and child, world axes
    gamma: Array  # (m,) J . accelerations = gamma
    partial: Array  # (m,) C_t: the part of dC/dt that no velocity makes


class _Moved(NamedTuple):
    """Motion of points and frames of driven joints in their parents, one row per joint, world axes."""

    rate: Array  # of the point [m/s]
    accel: Array  # [m/s2]
    spin: Array  # of the frame [rad/s]
    spin_rate: Array  # [rad/s2]


class _Placed(NamedTuple):
    """Joint points and frames in one state, one row per joint; world axes except `frame`."""

    turn_p: Array  # rotation of the parent, and of the child
    turn_c: Array
    spin_p: Array  # [rad/s]
    spin_c: Array
    s_p: Array  # joint point from the centre of mass of the parent, and of the child [m]
    s_c: Array
    frame: Array  # of the joint, in the parent's axes
    gap: Array  # between the two joint points [m]
    gap_rate: Array  # [m/s], and its acceleration that no acceleration of a body makes [m/s2]
    bias: Array
    drive: _Moved | None


class Constraints:
    """All joints of a mechanism as rows; `body` holds the two bodies of each row, n for the world."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.driven = [k for k, joint in enumerate(mechanism.joints) if joint.motion]
        self._drives = {k: _Drive(mechanism.joints[k]) for k in self.driven}
        points: list[tuple[int, int]] = []  # joint, first row
        slides: list[tuple[int, int, int]] = []  # joint, row, axis of the parent
        dots: list[tuple[int, int, int, int]] = []  # joint, row, axis of the parent, axis of the child
        row = 0
        self.first: list[int] = []
        for k, joint in enumerate(mechanism.joints):
            kind = "rigid" if joint.motion else joint.type
            self.first.append(row)
            if kind in POINT:
                points.append((k, row))
                row += 3
            for axis in SLIDES.get(kind, ()):
                slides.append((k, row, axis))
                row += 1
            for a, b in DOTS.get(kind, ()):
                dots.append((k, row, a, b))
                row += 1
        self.first.append(row)
        self.m = row
        #: joint of each row
        self.joint = np.repeat(np.arange(len(mechanism.joints)), np.diff(self.first))
        self.body = np.stack((mechanism.parent[self.joint], mechanism.child[self.joint]), axis=1)
        self._point = np.array(points, dtype=int).reshape(-1, 2)
        self._slide = np.array(slides, dtype=int).reshape(-1, 3)
        self._dot = np.array(dots, dtype=int).reshape(-1, 4)
        joints = mechanism.joints
        self._s_parent = np.array([j.point_parent for j in joints]).reshape(-1, 3)
        self._s_child = np.array([j.point_child for j in joints]).reshape(-1, 3)
        self._f_parent = rotation_matrix(np.array([j.frame_parent for j in joints]).reshape(-1, 4))
        self._f_child = rotation_matrix(np.array([j.frame_child for j in joints]).reshape(-1, 4))

    @property
    def local_points(self) -> tuple[Array, Array]:
        """Joint points in parent and child, from the centres of mass, body axes [m]."""
        return self._s_parent, self._s_child

    def label(self, row: int) -> str:
        """Return the joint and the equation of a row as text."""
        k = int(self.joint[row])
        return f"{self.mechanism.joints[k].name}[{row - self.first[k]}]"

    def rows(self, motion: Motion, time: float) -> Rows:
        """Return all rows in one state."""
        m, here = self.m, self._placed(motion, time)
        found = Rows(np.zeros(m), np.zeros(m), np.zeros((m, 2, 3)), np.zeros((m, 2, 3)), np.zeros(m), np.zeros(m))
        if len(self._point):
            self._point_rows(found, here)
        if len(self._slide):
            self._slide_rows(found, here)
        if len(self._dot):
            self._dot_rows(found, here)
        return found

    def _placed(self, motion: Motion, time: float) -> _Placed:
        """Return joint points and frames in the world; those of driven joints move in the parent."""
        turn = np.concatenate((motion.rotation, np.eye(3)[None]))
        position, velocity, spin = (
            np.concatenate((part, np.zeros((1, 3)))) for part in (motion.position, motion.velocity, motion.spin)
        )
        p, c = self.mechanism.parent, self.mechanism.child
        local_s, local_f, drive = self._s_parent, self._f_parent, None
        if self.driven:
            local_s, local_f = local_s.copy(), local_f.copy()
            rates = np.zeros((4, len(p), 3))
            for k, driven in self._drives.items():
                shift, local_f[k], rates[:, k] = driven(time)
                local_s[k] += shift
            drive = _Moved(*(turned(turn[p], part) for part in rates))
        s_p, s_c = turned(turn[p], local_s), turned(turn[c], self._s_child)
        return _Placed(
            turn_p=turn[p],
            turn_c=turn[c],
            spin_p=spin[p],
            spin_c=spin[c],
            s_p=s_p,
            s_c=s_c,
            frame=local_f,
            gap=position[c] + s_c - position[p] - s_p,
            gap_rate=velocity[c] + cross(spin[c], s_c) - velocity[p] - cross(spin[p], s_p),
            bias=cross(spin[c], cross(spin[c], s_c)) - cross(spin[p], cross(spin[p], s_p)),
            drive=drive,
        )

    def _point_rows(self, rows: Rows, here: _Placed) -> None:
        which, first = self._point.T
        at = first[:, None] + np.arange(3)
        rows.value[at], rows.rate[at] = here.gap[which], here.gap_rate[which]
        rows.gamma[at] = -here.bias[which]
        if here.drive is not None:
            s_rate = here.drive.rate[which]
            rows.rate[at] -= s_rate
            rows.partial[at] = -s_rate
            rows.gamma[at] += 2.0 * cross(here.spin_p[which], s_rate) + here.drive.accel[which]
        for axis, unit in enumerate(np.eye(3)):
            rows.linear[first + axis, 0], rows.linear[first + axis, 1] = -unit, unit
            # e . (w x s) = w . (s x e)
            rows.angular[first + axis, 0] = -cross(here.s_p[which], unit[None])
            rows.angular[first + axis, 1] = cross(here.s_c[which], unit[None])

    def _slide_rows(self, rows: Rows, here: _Placed) -> None:
        which, at, along = self._slide.T
        a = turned(here.turn_p[which], here.frame[which, :, along])
        d, d_rate, w_p = here.gap[which], here.gap_rate[which], here.spin_p[which]
        a_rate = cross(w_p, a)
        rows.value[at] = dot(a, d)
        rows.rate[at] = dot(a, d_rate) + dot(d, a_rate)
        rows.linear[at, 0], rows.linear[at, 1] = -a, a
        rows.angular[at, 0] = cross(a, d) - cross(here.s_p[which], a)
        rows.angular[at, 1] = cross(here.s_c[which], a)
        rows.gamma[at] = -dot(a, here.bias[which]) - 2.0 * dot(a_rate, d_rate) - dot(d, cross(w_p, a_rate))

    def _dot_rows(self, rows: Rows, here: _Placed) -> None:
        which, at, first_axis, second_axis = self._dot.T
        a = turned(here.turn_p[which], here.frame[which, :, first_axis])
        b = turned(here.turn_c[which], self._f_child[which, :, second_axis])
        w_p, w_c = here.spin_p[which], here.spin_c[which]
        b_rate = cross(w_c, b)
        rows.value[at] = dot(a, b)
        rows.angular[at, 0], rows.angular[at, 1] = cross(a, b), cross(b, a)
        a_rate, a_bias = cross(w_p, a), cross(w_p, cross(w_p, a))
        if here.drive is not None:
            spin, accel = here.drive.spin[which], here.drive.spin_rate[which]
            own = cross(spin, a)
            rows.partial[at] = dot(b, own)
            a_bias = a_bias + 2.0 * cross(w_p, own) + cross(spin, own) + cross(accel, a)
            a_rate = a_rate + own
        rows.rate[at] = dot(a, b_rate) + dot(b, a_rate)
        rows.gamma[at] = -dot(a, cross(w_c, b_rate)) - dot(b, a_bias) - 2.0 * dot(a_rate, b_rate)

    def joint_loads(self, rows: Rows, multipliers: Array, motion: Motion) -> tuple[Array, Array]:
        """Return force [N] and moment [N m] on the child at its joint point, by joint: +J' lambda (ERRATA E002)."""
        n_joint = len(self.mechanism.joints)
        force, moment = np.zeros((n_joint, 3)), np.zeros((n_joint, 3))
        np.add.at(force, self.joint, rows.linear[:, 1] * multipliers[:, None])
        np.add.at(moment, self.joint, rows.angular[:, 1] * multipliers[:, None])
        child = self.mechanism.child
        lever = turned(motion.rotation[child], self._s_child)
        return force, moment - cross(lever, force)


class _Drive:
    """The prescribed motion of a joint: its point and frame in the parent's axes at a time."""

    def __init__(self, joint: Joint) -> None:
        self.joint = joint
        self.frame = rotation_matrix(np.array(joint.frame_parent))
        self.tables = [table.polynomials() for table in joint.motion or ()]

    def __call__(self, time: float) -> tuple[Array, Array, tuple[Array, Array, Array, Array]]:
        """Return shift [m], frame, rate and acceleration of the shift, spin and angular acceleration of the frame."""
        values = np.array([_table_value(knots, pieces, time) for knots, pieces in self.tables])
        theta, shift, kind = np.zeros((3, 3)), np.zeros((3, 3)), self.joint.type  # value, rate, acceleration
        if kind == "universal":
            return self._universal(values)
        if kind == "free":
            shift, theta = values[:3].T, values[3:].T
        elif kind == "spherical":
            theta = values.T
        elif kind == "translational":
            shift = values.T
        elif kind == "planar":
            shift[:, :2], theta[:, 2] = values[:2].T, values[2]
        elif kind == "prismatic":
            shift[:, 2] = values[0]
        else:  # revolute, cylindrical
            theta[:, 2] = values[0]
            if kind == "cylindrical":
                shift[:, 2] = values[1]
        angle, rate, accel = (tuple(row.tolist()) for row in theta)
        spin = self.frame @ np.array(left_jacobian_dot(angle, rate))
        spin_rate = self.frame @ np.array(angular_acceleration(angle, rate, accel))
        turn = self.frame @ rotation_matrix(exponential(theta[0]))
        move, move_rate, move_accel = shift @ self.frame.T
        return move, turn, (move_rate, move_accel, spin, spin_rate)

    def _universal(self, values: Array) -> tuple[Array, Array, tuple[Array, Array, Array, Array]]:
        """Return the rotation about x of the parent, then about the y that moved with it, with its derivatives."""
        (a, a_rate, a_accel), (b, b_rate, b_accel) = values
        first = rotation_matrix(exponential(np.array([a, 0.0, 0.0])))
        turn = first @ rotation_matrix(exponential(np.array([0.0, b, 0.0])))
        second = first @ Y
        spin = a_rate * X + b_rate * second
        accel = a_accel * X + b_accel * second + a_rate * b_rate * np.cross(X, second)
        zero = np.zeros(3)
        return zero, self.frame @ turn, (zero, zero, self.frame @ spin, self.frame @ accel)


def _table_value(knots: Array, pieces: Array, time: float) -> tuple[float, float, float]:
    """Return value, rate and acceleration of a table at a time [s]."""
    piece = int(np.searchsorted(knots, time, side="right"))
    t = time - float(knots[max(piece - 1, 0)])
    c0, c1, c2, c3 = pieces[piece]
    return c0 + t * (c1 + t * (c2 + t * c3)), c1 + t * (2.0 * c2 + 3.0 * t * c3), 2.0 * c2 + 6.0 * c3 * t


@lru_cache(maxsize=1024)
def _frame(quaternion: tuple[float, ...]) -> Array:
    """Return the constant rotation matrix of a joint frame."""
    return rotation_matrix(np.array(quaternion))


def joint_coordinates(
    joint: Joint, parent: int, child: int, motion: Motion, near: Array | None = None
) -> tuple[Array, Array, Array]:
    """Return angles [rad] and displacements [m] of a joint, their rates, and its axes (dof, 6: angular, linear), world.

    Not for spherical and free joints. Angles lie within half a turn of `near` (of zero unless given).
    """
    world = parent == len(motion.position)
    turn_p = np.eye(3) if world else motion.rotation[parent]
    turn_c = motion.rotation[child]
    zero = np.zeros(3)
    r_p, v_p, w_p = (
        (zero, zero, zero) if world else (motion.position[parent], motion.velocity[parent], motion.spin[parent])
    )
    s_p, s_c = turn_p @ np.array(joint.point_parent), turn_c @ np.array(joint.point_child)
    frame = turn_p @ _frame(joint.frame_parent)
    relative = frame.T @ turn_c @ _frame(joint.frame_child)
    gap = motion.position[child] + s_c - r_p - s_p
    w = motion.spin[child] - w_p
    slip = motion.velocity[child] + cross(motion.spin[child], s_c) - v_p - cross(w_p, s_p + gap)
    x, y, z = frame.T
    about = np.arctan2(relative[1, 0], relative[0, 0])
    turning, sliding = [], []  # value, rate, axis
    if joint.type == "universal":
        a, b = np.arctan2(relative[2, 1], relative[1, 1]), np.arctan2(relative[0, 2], relative[0, 0])
        second = frame @ np.array([0.0, np.cos(a), np.sin(a)])
        turning = [(a, w @ x, x), (b, w @ second, second)]
    elif joint.type in ("revolute", "cylindrical", "planar"):
        turning = [(about, w @ z, z)]
    directions = {"cylindrical": (z,), "prismatic": (z,), "planar": (x, y), "translational": (x, y, z)}.get(
        joint.type, ()
    )
    sliding = [(gap @ axis, slip @ axis, axis) for axis in directions]
    turns = [(value, rate, np.concatenate((axis, zero))) for value, rate, axis in turning]
    slides = [(value, rate, np.concatenate((zero, axis))) for value, rate, axis in sliding]
    parts = slides + turns if joint.type == "planar" else turns + slides
    values = np.array([part[0] for part in parts])
    angular = np.array([bool(part[2][:3].any()) for part in parts])
    nearest = np.zeros(len(parts)) if near is None else near
    values = values + np.where(angular, 2.0 * np.pi * np.round((nearest - values) / (2.0 * np.pi)), 0.0)
    return values, np.array([part[1] for part in parts]), np.array([part[2] for part in parts])
