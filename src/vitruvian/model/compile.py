"""From the description to arrays: the only place that makes what the kernels work on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..kernels import kinematics, types
from .body import Body
from .configuration import Configuration
from .contact import Contact, law_row
from .joint import JOINT_TYPES, RESISTANCE_LAWS, Joint, Resistance
from .pose import quaternion_product, rotation_matrix
from .shape import Ellipsoid
from .system import System
from .table import Table


@dataclass(frozen=True)
class Compiled:
    """A system as arrays, with the names that belong to their rows."""

    system: System
    model: types.Model
    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    n_q: int
    n_v: int


def compile_system(system: System) -> Compiled:
    """The arrays of a system; bodies in the order parents first."""
    bodies = [system.body(name) for name in system.order]
    joints = [system.joint_of(name) for name in system.order]
    number = {name: i for i, name in enumerate(system.order)}
    world = len(bodies)
    tables = _Tables()
    arrays: dict[str, np.ndarray] = {}

    # bodies and joints
    sizes = [_sizes(j) for j in joints]
    starts = np.concatenate([[[0, 0]], np.cumsum(sizes, axis=0)])
    resistances = _resistances(system, joints, arrays)
    arrays["joint"] = _ints(
        [
            (
                world if j.parent is None else number[j.parent],
                JOINT_TYPES[j.type][0],
                tables.add(*j.motion) if j.motion else -1,
                *starts[i],
                *sizes[i],
                np.count_nonzero(b.inertia - np.diag(np.diag(b.inertia))) == 0,
                j.frame_parent[0] == 1.0 and j.frame_child[0] == 1.0,
                _resistance_class(resistances.get(i, []), b, None if j.parent is None else system.body(j.parent)),
            )
            for i, (b, j) in enumerate(zip(bodies, joints, strict=True))
        ]
    )
    upper = np.triu_indices(3)
    arrays["link"] = _floats(
        [
            (
                b.mass,
                *b.inertia[upper],
                *j.point_parent,
                *((0.0,) * 3 if j.type == "free" and not j.motion else j.point_child),
                *j.frame_parent,
                *j.frame_child,
            )
            for b, j in zip(bodies, joints, strict=True)
        ]
    )
    arrays["gravity"] = _floats(system.gravity)

    pairs = _contacts(system, arrays)
    _elements(system, number, world, tables, arrays)
    tables.fill(arrays)
    model = types.Model(**arrays)
    return Compiled(
        system, model, system.order, tuple(j.name for j in joints), pairs, int(starts[-1, 0]), int(starts[-1, 1])
    )


def initial_state(compiled: Compiled, start: Configuration | None = None, time: float = 0.0) -> types.State:
    """The state in which the joints have the coordinates and rates of `start` (zero where it is silent)."""
    start = (start or Configuration()).checked(compiled.system)
    state, work = empty_state(compiled), make_work(compiled)
    q, v = state.now.q, state.now.v
    state.clock[0] = time
    for i, name in enumerate(compiled.joints):
        joint = compiled.system.joint(name)
        if joint.type in ("spherical", "free") and not joint.motion:
            q[compiled.model.joint[i, types.FIRST_Q] + joint.dof - 3] = 1.0
    for i, name in enumerate(compiled.joints):
        joint = compiled.system.joint(name)
        coordinates = start.coordinates.get(name)
        rates = np.array(start.rates.get(name, (0.0,) * joint.dof))
        at, speed = compiled.model.joint[i, types.FIRST_Q], compiled.model.joint[i, types.FIRST_V]
        if joint.motion:
            continue
        if joint.type == "spherical":
            # absolute orientation and spin, from those of the parent
            kinematics.forward(compiled.model, work.body, q, v, time)
            parent = compiled.model.joint[i, types.PARENT]
            frame = quaternion_product(
                tuple(work.body[parent, types.ORIENTATION : types.ORIENTATION + 4]), joint.frame_parent
            )
            turn = quaternion_product(frame, coordinates or (1.0, 0.0, 0.0, 0.0))
            w, x, y, z = joint.frame_child
            q[at : at + 4] = quaternion_product(turn, (w, -x, -y, -z))
            v[speed : speed + 3] = work.body[parent, types.SPIN : types.SPIN + 3] + rotation_matrix(frame) @ rates
        else:
            if coordinates is not None:
                q[at : at + len(coordinates)] = coordinates
            v[speed : speed + joint.dof] = rates
    return state


def empty_state(compiled: Compiled) -> types.State:
    """Arrays of the right sizes, all zero."""
    n_pair = len(compiled.pairs)
    smooth = types.Smooth(np.zeros(compiled.n_q), np.zeros(compiled.n_v), np.zeros(types.N_WORK))
    return types.State(
        smooth, np.zeros(n_pair, np.int64), np.zeros(n_pair), np.zeros(types.N_CLOCK), np.zeros(types.N_TALLY, np.int64)
    )


def make_work(compiled: Compiled) -> types.Work:
    """Scratch for one run; the world's row is at rest."""
    n, c = len(compiled.bodies), len(compiled.pairs)
    n_out = n * (types.OUT_BODY + types.OUT_JOINT) + c * types.OUT_PAIR + types.N_WORK
    body = np.zeros((n + 1, types.N_BODY))
    body[n, types.ROTATION : types.ROTATION + 9] = np.eye(3).ravel()
    body[n, types.ORIENTATION] = 1.0
    return types.Work(
        body=body,
        pair=np.zeros((c, types.N_PAIR)),
        load_power=np.zeros(types.N_WORK),
        vdot=np.zeros(compiled.n_v),
        out=np.zeros(n_out),
        mean=np.zeros(n_out),
        error=np.zeros(n * types.OUT_BODY),
        stage_q=np.zeros((9, compiled.n_q)),
        stage_v=np.zeros((9, compiled.n_v)),
    )


# --- parts


def _sizes(joint: Joint) -> tuple[int, int]:
    """Numbers of coordinates and velocities that a joint owns."""
    if joint.motion:
        return 0, 0
    return joint.dof + (joint.type in ("free", "spherical")), joint.dof


def _resistances(system: System, joints: list[Joint], arrays: dict[str, np.ndarray]) -> dict[int, list[Resistance]]:
    """Fill the tables of joint resistance; child body -> the resistances of its joint."""
    rows = [(i, j.resistance) for i, j in enumerate(joints) if j.resistance and not j.motion]
    by_name = {j.name: i for i, j in enumerate(joints)}
    rows += [(by_name[t.joint], t.resistance) for t in system.torsion_springs if not joints[by_name[t.joint]].motion]
    arrays["resistance_joint"] = _ints([(i, RESISTANCE_LAWS[r.law]) for i, r in rows]).reshape(-1, 2)
    fields = ("limit_minus", "limit_plus", "stiffness", "stiffness_minus", "stiffness_plus", "damping", "rest")
    values = [[*(x for name in fields for x in getattr(r, name)), *swing_range(r)] for _, r in rows]
    arrays["resistance"] = _floats(values).reshape(-1, types.N_RESISTANCE)
    by_child: dict[int, list[Resistance]] = {}
    for i, r in rows:
        by_child.setdefault(i, []).append(r)
    return by_child


FAST_DAMPING = 300.0  # relaxation of a joint against the smaller inertia beside it that is taken implicitly [1/s]
FAST_STIFFNESS = 800.0  # frequency of the same [rad/s]


def _resistance_class(resistances: list[Resistance], child: Body, parent: Body | None) -> int:
    """Whether a joint resists, and so fast that the implicit method must take it implicitly, which costs time.

    Axis by axis, against the smaller moment of inertia of the two bodies.
    """
    if not resistances:
        return 0
    inertia = np.min([np.diag(body.inertia) for body in (child, parent) if body is not None], axis=0)
    damping = np.sum([r.damping for r in resistances], axis=0)
    steepest = [np.max([r.stiffness, r.stiffness_minus, r.stiffness_plus], axis=0) for r in resistances]
    stiffness = np.sum(steepest, axis=0)
    fast = (damping > FAST_DAMPING * inertia) | (stiffness > FAST_STIFFNESS**2 * inertia)
    return types.STIFF if fast.any() else types.SOFT


def swing_range(resistance: Resistance) -> tuple[float, ...]:
    """Middle of the swing range as a quaternion, then lower and upper limits of swing about it and of twist [rad].

    The middle is where the z axis points when it lies half-way between its limits in both planes. The limits about it
    are the swing components at which the limits about one axis alone are met.
    """
    lower, upper = np.array(resistance.limit_minus), np.array(resistance.limit_plus)
    limits = np.array([lower, upper])
    if resistance.law != "swing_twist" or not np.isfinite(limits[:, :2]).all():
        return (1.0, 0.0, 0.0, 0.0, *limits.ravel())
    about_x, about_y = np.tan(0.5 * (lower[:2] + upper[:2]))
    x, y, z = np.array([about_y, -about_x, 1.0]) / np.sqrt(1.0 + about_x**2 + about_y**2)
    centre = tuple(np.array([1.0 + z, -y, x, 0.0]) / np.sqrt(2.0 * (1.0 + z)))
    back = rotation_matrix(centre).T
    for side, angles in enumerate((lower, upper)):
        for axis in (0, 1):
            a = angles[axis]
            d = back @ (np.array([0.0, -np.sin(a), np.cos(a)]) if axis == 0 else np.array([np.sin(a), 0.0, np.cos(a)]))
            ratio = np.arctan2(np.hypot(d[0], d[1]), d[2]) / np.hypot(d[0], d[1])
            limits[side, axis] = -ratio * d[1] if axis == 0 else ratio * d[0]
    return (*centre, *limits.ravel())


def _contacts(system: System, arrays: dict[str, np.ndarray]) -> tuple[tuple[str, str], ...]:
    shapes: list[tuple[str, Ellipsoid]] = [(name, shape) for name in system.order for shape in system.body(name).shapes]
    number = {name: i for i, name in enumerate(system.order)}
    pairs = [
        (name, shape, plane)
        for name, shape in shapes
        for plane in system.surfaces
        if plane.only is None or name in plane.only
    ]
    arrays["candidate_body"] = _ints(
        [(number[name], s.offset == (0.0,) * 3 and s.rotation[0] == 1.0) for name, s, _ in pairs]
    ).reshape(-1, 2)
    rows = [
        (
            *shape.semi_axes,
            *shape.offset,
            *rotation_matrix(shape.rotation).ravel(),
            *plane.normal,
            np.dot(plane.normal, plane.point),
            *_pair_law(shape, plane.contact),
        )
        for _, shape, plane in pairs
    ]
    arrays["candidate"] = _floats(rows).reshape(-1, types.N_CANDIDATE)
    return tuple((name, plane.name) for name, _, plane in pairs)


def _pair_law(shape: Ellipsoid, contact: Contact) -> tuple[float, ...]:
    """Stiffness of tissue and surface in series, exponent, damping number, friction, slip speed."""
    kind, value, _ = law_row(contact, shape.stiffness, float(np.prod(shape.semi_axes)) ** (1.0 / 3.0))
    simple = kind[types.LAW_ELASTIC] == types.POWER and kind[types.LAW_DAMPING] == types.BY_NUMBER
    if not simple or contact.thickness or contact.pull or contact.friction_law != "coulomb":
        raise InputError(f"the contact law {contact.law!r} with these options is not yet part of the engine.")
    columns = (types.LAW_STIFFNESS, types.LAW_EXPONENT, types.LAW_NUMBER, types.LAW_MU, types.LAW_SLIP_SPEED)
    return tuple(value[column] for column in columns)


def _elements(
    system: System, number: dict[str, int], world: int, tables: _Tables, arrays: dict[str, np.ndarray]
) -> None:
    def at(name: str | None) -> int:
        return world if name is None else number[name]

    springs, loads, sensors = system.springs, system.loads, system.sensors
    arrays["spring_body"] = _ints(
        [(at(s.body_a), at(s.body_b), tables.add(s.actuator) if s.actuator else -1) for s in springs]
    ).reshape(-1, 3)
    values = [(*s.point_a, *s.point_b, s.stiffness, s.rest_length, s.damping, s.tension_only) for s in springs]
    arrays["spring"] = _floats(values).reshape(-1, types.N_SPRING)
    first = [tables.add(*e.components) for e in loads]
    rows = [
        (number[e.body], e.kind == "moment", e.axes == "body", k, k + 1, k + 2)
        for e, k in zip(loads, first, strict=True)
    ]
    arrays["load_body"] = _ints(rows).reshape(-1, 6)
    arrays["load_point"] = _floats([e.point for e in loads]).reshape(-1, 3)
    arrays["sensor_body"] = _ints([(number[s.body], s.rotation[0] == 1.0) for s in sensors]).reshape(-1, 2)
    places = [(*s.point, *rotation_matrix(s.rotation).ravel()) for s in sensors]
    arrays["sensor"] = _floats(places).reshape(-1, 12)


class _Tables:
    """Functions of time, gathered one after the other."""

    def __init__(self) -> None:
        self.items: list[Table] = []

    def add(self, *tables: Table) -> int:
        """Append tables; the number of the first."""
        self.items.extend(tables)
        return len(self.items) - len(tables)

    def fill(self, arrays: dict[str, np.ndarray]) -> None:
        """Write knots and polynomials, and the times at which a step must end."""
        parts = [table.polynomials() for table in self.items]
        arrays["table_start"] = _ints(np.concatenate([[0], np.cumsum([len(pieces) for _, pieces in parts])]))
        rows = [np.column_stack([np.concatenate([times[:1], times]), pieces]) for times, pieces in parts]
        arrays["table"] = _floats(np.concatenate([np.zeros((0, 5)), *rows]))
        arrays["schedule"] = np.unique(np.concatenate([[], *(times for times, _ in parts)]))


def _floats(value: object) -> np.ndarray:
    return np.ascontiguousarray(value, dtype=np.float64)


def _ints(value: object) -> np.ndarray:
    return np.ascontiguousarray(value, dtype=np.int64)
