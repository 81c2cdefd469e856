"""Joints, their resistance and their prescribed motion.

A joint connects a point of the parent to a point of the child and owns the coordinates of the child. Its frame is
given in both bodies; in the zero posture the two frames coincide. Axes, in the joint frame:

| type        | coordinates                                            | number |
|-------------|--------------------------------------------------------|--------|
| spherical   | orientation                                            | 3      |
| revolute    | angle about z                                          | 1      |
| universal   | angle about x of the parent, then y of the child       | 2      |
| cylindrical | angle about z, displacement along z                    | 2      |
| prismatic   | displacement along z                                   | 1      |
| planar      | displacements along x and y, angle about z             | 3      |
| rigid       | none                                                   | 0      |
| free        | position and orientation (child of the world only)     | 6      |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import InputError, nearest
from .curve import Cone, Curve
from .field import field_of
from .frame import IDENTITY, ZERO, Quaternion, Vector
from .table import FUNCTION, Table
from .validation import finite_vector, not_negative, positive, rotation
from .value import Choice, Components, Depends, ListOf, Name, Of, Rotation, Text

#: joint type -> (integer code in the kernels, degrees of freedom)
JOINT_TYPES: dict[str, tuple[int, int]] = {
    "free": (0, 6),
    "spherical": (1, 3),
    "revolute": (2, 1),
    "universal": (3, 2),
    "cylindrical": (4, 2),
    "prismatic": (5, 1),
    "planar": (6, 3),
    "rigid": (7, 0),
    "translational": (8, 3),
    "modal": (9, 0),
}
#: joint types that a user may choose; "modal" ties a station to a flexible body and is made by `model.flexible`
CHOSEN_TYPES = tuple(name for name in JOINT_TYPES if name != "modal")

#: law of a resistance -> integer code in the kernels
RESISTANCE_LAWS: dict[str, int] = {
    "rotation_vector": 0,
    "swing_twist": 1,
    "coordinate": 2,
    "cone": 3,
    "cardan_yxz": 4,
    "cardan_xyz": 5,
    "quaternion": 6,
}
#: law in Cardan angles -> its axes in their order: fixed in the parent, floating, fixed in the child
CARDAN_AXES: dict[str, tuple[int, int, int]] = {"cardan_yxz": (1, 0, 2), "cardan_xyz": (0, 1, 2)}


_ANGLE = Depends("rad or m", several=True)
_STIFFNESS = Depends("N m/rad or N/m", several=True)


@dataclass(frozen=True)
class Resistance:
    """Elastic, viscous and dry resistance of a joint; one value for each coordinate, or a number for one.

    The elastic part has a potential V = sum V_i(a_i).

    law              "rotation_vector" (components of the rotation vector of the child in the parent's joint frame; its
                     energy jumps at half a turn),
                     "cardan_yxz" (Cardan angles: about y of the parent, the floating x axis, z of the child; for
                     hinge-like joints), "cardan_xyz" (the same, about x of the parent first),
                     "swing_twist" (swing of the child's z axis about x and y, twist about it; for ball joints),
                     "cone" (the same, with the swing limited by `cone` and the twist by the limits of z),
                     "quaternion" (smooth on all rotations, k (1 - cos) about an axis; without limits and curves),
                     "coordinate" (the joint's own angles and displacements: revolute, universal, prismatic ...)
    cone             a Cone, of the law "cone"
    held             where friction starts to fade: rotation of the child as a unit quaternion, or the coordinates
    flexed           of a Cardan law: first angle [rad] at which the floating axis has lost half of what it loses, the
                     share [-] of its resistance that stays, and the angle about the floating axis [rad] beyond which
                     what is lost is replaced by a stiffness [N m/rad]; None: it loses nothing
    limit_damping_plus  of the positive limits, where it is not that of the negative ones; None: it is
    fail_minus, fail_plus  angles [rad] at which the resistance of each component begins to fail; infinite: never. Of
                     the law quaternion the first of fail_plus, for turns about x and y together (`model.fracture`)
    fail_width       angle [rad] over which that of each component falls to the share `fail_share` [-]
    injury           words of the report for the failure of each component

    dV_i/da = k (a - rest) + (k_plus - k) max(0, a - limit_plus) - (k_minus - k) max(0, limit_minus - a) + curve(a)
    """

    law: str = field_of(
        Choice(tuple(RESISTANCE_LAWS)),
        "in a file rotation_vector for spherical joints and coordinate for others unless given",
        default="rotation_vector",
        implied=True,
    )
    limit_minus: tuple[float, ...] = field_of(
        _ANGLE,
        "end of the range to the negative side, not positive; -inf for none",
        default=(-np.inf,) * 3,
        implied=True,
    )
    limit_plus: tuple[float, ...] = field_of(
        _ANGLE, "end of the range to the positive side, not negative; inf for none", default=(np.inf,) * 3, implied=True
    )
    stiffness: tuple[float, ...] = field_of(_STIFFNESS, "inside the range", default=ZERO, implied=True)
    stiffness_minus: tuple[float, ...] = field_of(
        _STIFFNESS, "beyond the negative limit, instead of stiffness", default=ZERO, implied=True
    )
    stiffness_plus: tuple[float, ...] = field_of(
        _STIFFNESS, "beyond the positive limit, instead of stiffness", default=ZERO, implied=True
    )
    damping: tuple[float, ...] = field_of(
        Depends("N m s/rad or N s/m", several=True),
        "on the relative angular velocity, joint frame of the parent",
        default=ZERO,
        implied=True,
    )
    rest: tuple[float, ...] = field_of(_ANGLE, "where the inner spring is without torque", default=ZERO, implied=True)
    limit_damping: tuple[float, ...] = field_of(
        Depends("s/rad or s/m", several=True),
        "damping gained beyond a limit over the torque of the limit, so that it begins at zero there and a limit does "
        "not bounce",
        default=ZERO,
        implied=True,
    )
    curve: tuple[Curve | None, ...] = field_of(
        Of(Curve, several=True),
        "torque over each component, in addition (not with swing_twist and cone); in a file an empty table for none",
        default=(None, None, None),
        implied=True,
    )
    cone: Cone | None = None
    friction: float = field_of(
        Depends("N m or N"),
        "dry torque against the motion, along the relative angular velocity or on each coordinate",
        default=0.0,
    )
    friction_speed: float = field_of(Depends("rad/s or m/s"), "below which friction is viscous", default=0.05)
    friction_fade: float = field_of(
        Depends("rad or m"), "angle from the start over which friction falls to zero; 0: it stays", default=0.0
    )
    held: tuple[float, ...] | None = None
    flexed: tuple[float, float, float, float] | None = None
    limit_damping_plus: tuple[float, ...] | None = None
    fail_minus: tuple[float, ...] = (-np.inf,) * 3
    fail_plus: tuple[float, ...] = (np.inf,) * 3
    fail_width: tuple[float, ...] = (np.pi / 36.0,) * 3
    fail_share: tuple[float, ...] = (0.1,) * 3
    injury: tuple[str, ...] = ("torn",) * 3

    def __post_init__(self) -> None:
        if self.law not in RESISTANCE_LAWS:
            raise InputError(
                f"resistance law {self.law!r} is unknown; accepted: {', '.join(RESISTANCE_LAWS)}."
                + nearest(self.law, RESISTANCE_LAWS)
            )
        for name in ("stiffness", "stiffness_minus", "stiffness_plus", "damping", "rest", "limit_damping"):
            object.__setattr__(self, name, finite_vector(getattr(self, name), f"resistance {name}"))
        for name in ("stiffness", "stiffness_minus", "stiffness_plus", "damping", "limit_damping"):
            for value in getattr(self, name):
                not_negative(value, f"resistance {name}", "(SI)")
        for name, sign in (("limit_minus", -1.0), ("limit_plus", 1.0)):
            limits = tuple(float(x) for x in getattr(self, name))
            object.__setattr__(self, name, limits)
            if len(limits) != 3 or not all(sign * x >= 0.0 for x in limits):
                raise InputError(
                    f"resistance {name} is {limits}; three numbers, none {'below' if sign > 0 else 'above'} zero."
                )
        self._check_shape()
        self._check_plain()
        self._check_failure()
        not_negative(self.friction, "resistance friction", "(SI)")
        positive(self.friction_speed, "resistance friction_speed", "(SI)")
        not_negative(self.friction_fade, "resistance friction_fade", "(SI)")
        if self.held is not None:
            check = finite_vector if self.law == "coordinate" else rotation
            object.__setattr__(self, "held", check(self.held, "resistance held"))

    def _check_shape(self) -> None:
        """Curves and cone fit the law."""
        object.__setattr__(self, "curve", tuple(self.curve))
        if len(self.curve) != 3 or not all(c is None or isinstance(c, Curve) for c in self.curve):
            raise InputError("resistance curve: expected three, each a Curve or None.")
        if any(self.curve) and self.law in ("swing_twist", "cone"):
            raise InputError(
                f"resistance curve: the law {self.law!r} takes none, because a swing has no angle about one axis; "
                "use cardan_yxz, cardan_xyz, rotation_vector or coordinate."
            )
        if self.law in CARDAN_AXES:
            axis = CARDAN_AXES[self.law][1]
            for end in (self.limit_minus[axis], self.limit_plus[axis]):
                if 0.5 * np.pi <= abs(end) < np.inf:
                    raise InputError(
                        f"resistance law {self.law!r}: the limit about its floating axis {'xyz'[axis]} is "
                        f"{np.degrees(end):g} deg; it must stay within 90 deg. Take swing_twist for wider ranges."
                    )
        if (self.cone is not None) != (self.law == "cone"):
            raise InputError("resistance cone: the law 'cone' needs one, and no other law takes one.")
        if self.law == "cone" and np.isfinite([*self.limit_minus[:2], *self.limit_plus[:2]]).any():
            raise InputError("resistance: the law 'cone' limits the swing by its cone; give limits of z (twist) only.")

    @property
    def fails(self) -> bool:
        """Whether any component can fail."""
        return bool(np.isfinite([*self.fail_minus, *self.fail_plus]).any())

    def _check_plain(self) -> None:
        """The law quaternion has springs and dampers only."""
        ends = (*self.limit_minus, *self.limit_plus)
        if self.law == "quaternion" and (any(self.rest) or any(self.curve) or np.isfinite(ends).any()):
            raise InputError(
                "resistance law 'quaternion' takes stiffness and damping, without rest angles, limits and curves; take "
                "cardan_yxz, cardan_xyz or swing_twist for these."
            )

    def _check_failure(self) -> None:
        """Failure lies outside the range, and the law has an angle about one axis."""
        if self.flexed is not None and self.law not in CARDAN_AXES:
            raise InputError(
                f"resistance flexed: the law {self.law!r} has no floating axis; use cardan_yxz or cardan_xyz."
            )
        if not self.fails:
            return
        if self.law not in (*CARDAN_AXES, "coordinate", "quaternion"):
            raise InputError(
                f"resistance failure: the law {self.law!r} has none; use cardan_yxz, cardan_xyz, quaternion or "
                "coordinate."
            )
        for width in self.fail_width:
            positive(width, "resistance fail_width", "rad or m")
        if self.law == "quaternion":
            return
        for axis, (low, high) in enumerate(zip(self.fail_minus, self.fail_plus, strict=True)):
            if low > self.limit_minus[axis] or high < self.limit_plus[axis]:
                raise InputError(
                    f"resistance about {'xyz'[axis]} fails at {np.degrees(low):.4g} and {np.degrees(high):.4g} deg, "
                    f"inside its working range of {np.degrees(self.limit_minus[axis]):.4g} to "
                    f"{np.degrees(self.limit_plus[axis]):.4g} deg; failure must lie beyond the limits."
                )

    def energy(self, axis: int, angle: float) -> float:
        """Return the energy [J] of one component at an angle [rad]: inner spring, limits and curve."""
        return self.component(axis)(angle)

    def component(self, axis: int) -> Callable[[float], float]:
        """Return the energy [J] of one component as a function of the angle [rad]."""
        inner, curve, rest = self.stiffness[axis], self.curve[axis], self.rest[axis]
        low, high = self.limit_minus[axis], self.limit_plus[axis]
        more, less = self.stiffness_plus[axis] - inner, self.stiffness_minus[axis] - inner

        def energy(angle: float) -> float:
            found = 0.5 * inner * (angle - rest) ** 2
            if angle > high:
                found += 0.5 * more * (angle - high) ** 2
            if angle < low:
                found += 0.5 * less * (low - angle) ** 2
            return found + (0.0 if curve is None else curve.energy(angle))

        return energy


@dataclass(frozen=True)
class Joint:
    """A joint between a parent, or the world, and a child; it turns about and slides along its axis z.

    The coordinates of a prescribed spherical joint are the components of the rotation vector of the child in the
    parent's joint frame, those of a free joint x, y, z and the rotation vector.
    """

    name: str = field_of(Name(), "of its own")
    type: str = field_of(Choice(CHOSEN_TYPES), "which coordinates it has")
    parent: str | None = field_of(Text(), "body; the world unless given", implied=True)
    child: str = field_of(Text(), "body")
    point_parent: Vector = field_of(
        Components("length"),
        "joint point from the parent's centre of mass, parent frame; or in the world",
        default=ZERO,
    )
    point_child: Vector = field_of(
        Components("length"), "joint point from the child's centre of mass, child frame", default=ZERO
    )
    frame_parent: Quaternion = field_of(Rotation(), "joint frame in the parent", default=IDENTITY, implied=True)
    frame_child: Quaternion = field_of(Rotation(), "joint frame in the child", default=IDENTITY, implied=True)
    resistance: Resistance | None = field_of(Of(Resistance), "elastic, viscous and dry torque", default=None)
    motion: tuple[Table, ...] | None = field_of(
        ListOf(FUNCTION, alone=True),
        "one function of time for each coordinate, if the motion is prescribed",
        default=None,
    )
    shape: np.ndarray | None = None  # of a modal joint: rotation vector and displacement of the child by mode (n, 6)

    def __post_init__(self) -> None:
        where = f"joint {self.name!r}"
        if self.type not in JOINT_TYPES:
            raise InputError(
                f"{where}: type {self.type!r} is unknown; accepted: {', '.join(JOINT_TYPES)}."
                + nearest(self.type, JOINT_TYPES)
            )
        object.__setattr__(self, "point_parent", finite_vector(self.point_parent, f"{where}: point_parent"))
        object.__setattr__(self, "point_child", finite_vector(self.point_child, f"{where}: point_child"))
        object.__setattr__(self, "frame_parent", rotation(self.frame_parent, f"{where}: frame_parent"))
        object.__setattr__(self, "frame_child", rotation(self.frame_child, f"{where}: frame_child"))
        if self.type == "free" and self.parent is not None:
            raise InputError(
                f"{where}: a free joint hangs on the world; its parent must be left out, not {self.parent!r}."
            )
        if self.motion is not None:
            object.__setattr__(self, "motion", tuple(self.motion))
            if len(self.motion) != self.dof:
                raise InputError(
                    f"{where}: motion has {len(self.motion)} tables; a {self.type} joint has {self.dof} coordinates."
                )
        if self.resistance is not None:
            rotational = self.resistance.law != "coordinate"
            if rotational != (self.type == "spherical"):
                raise InputError(
                    f"{where}: a {self.type} joint cannot have the resistance law {self.resistance.law!r}; "
                    "spherical joints take rotation_vector, cardan_yxz, cardan_xyz, swing_twist, cone or quaternion, "
                    "others (not free, rigid) take coordinate."
                )

    @property
    def dof(self) -> int:
        """Degrees of freedom of the joint type [-]."""
        return JOINT_TYPES[self.type][1]


def frame_with_z(axis: Vector) -> Quaternion:
    """Joint frame whose z axis lies along `axis`: the smallest rotation that takes z there."""
    x, y, z = finite_vector(axis, "axis")
    norm = float(np.sqrt(x * x + y * y + z * z))
    if norm == 0.0:
        raise InputError("axis is the zero vector; give a direction.")
    x, y, z = x / norm, y / norm, z / norm
    if z < -1.0 + 1e-12:
        return (0.0, 1.0, 0.0, 0.0)
    w = 1.0 + z
    scale = 1.0 / float(np.sqrt(w * w + x * x + y * y))
    return (w * scale, -y * scale, x * scale, 0.0)
