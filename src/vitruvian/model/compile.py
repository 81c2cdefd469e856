"""From the description to arrays: the only place that makes what the kernels work on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..kernels import integrate, kinematics, layout, types
from .airbag import airbag_work, fill_airbags, gas_at_start
from .belt_table import fill_belts
from .body import Body
from .bone import whole_bones
from .configuration import Configuration
from .contact_candidate import Meeting, Pair, fill_contacts
from .curve import Curve
from .flexible import felt, fill_modes, share, whole_shafts
from .joint import JOINT_TYPES, RESISTANCE_LAWS, Joint, Resistance
from .loop import fill_loops, response_path
from .muscle_table import elastic_tendons, fill_muscles
from .pose import quaternion_product, rotation_matrix
from .range import fence, seams, swing_range
from .system import System
from .table import TableList
from .tendon_table import fill_tendons
from .tone import fill_tones

MOST_COUPLED = 24  # contacts between two bodies that are implicit at a time; more act explicitly


@dataclass(frozen=True)
class Compiled:
    """A system as arrays, with the names that belong to their rows."""

    system: System
    model: types.Model
    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    pair_size: np.ndarray  # (c,) smallest half-width of the shape that touches [m]
    pair_limit: np.ndarray  # (c,) impact speed above which the law is beyond its own validity [m/s]
    n_q: int
    n_v: int
    meetings: tuple[Meeting, ...] = ()  # (c,) the laws of the pairs before they became rows


def compile_system(system: System, *, rest: bool = True) -> Compiled:
    """Return the arrays of a system; bodies in the order parents first.

    rest  take the overlap of bodies in their rest postures off their depth; False needs no kernel, and cannot be run
    """
    joints = [system.joint_of(name) for name in system.order]
    number = {name: i for i, name in enumerate(system.order)}
    world, tables = len(joints), TableList()
    arrays: dict[str, np.ndarray] = {}
    n_q, n_v = _bodies_and_joints(system, joints, tables, arrays)
    modes = fill_modes(system, joints, arrays)
    n_q, n_v = n_q + modes, n_v + modes
    arrays["gravity"] = _floats(system.gravity)
    pairs = fill_contacts(system, number, world, tables.add_pieces, arrays)
    _elements(system, number, world, tables, arrays)
    fill_loops(system.loops, number, world, arrays)
    resting = {surface.name for surface in system.surfaces if surface.carrier is None}
    fill_tones(system.tones, [j.name for j in joints], pairs, resting, arrays)
    tables.times.append(fill_belts(system, number, world, tables.add_pieces, arrays))
    tables.times.append(fill_muscles(system, number, n_q - modes, tables.add_pieces, arrays))
    tables.times.append(fill_airbags(system, number, world, tables.add, arrays))
    arrays["path"] = response_path(arrays, world)
    tables.times.append(arrays["closure"][:, layout.closure.END])
    tables.fill(arrays)
    compiled = Compiled(
        system,
        types.Model(**arrays),
        system.order,
        tuple(j.name for j in joints),
        tuple((p.body, p.other) for p in pairs),
        np.array([p.size for p in pairs]),
        np.array([p.limit for p in pairs]),
        n_q + elastic_tendons(system),
        n_v,
        tuple(p.meeting for p in pairs if p.meeting is not None),
    )
    if rest:
        _leave_out_rest(compiled, pairs)
    return compiled


def _leave_out_rest(compiled: Compiled, pairs: list[Pair]) -> None:
    """Take the overlap of bodies in their rest postures off their depth, so that there is no force."""
    overlap = np.zeros(len(pairs))
    work = make_work(compiled)
    for rest in {id(r): r for pair in pairs for r in pair.rest}.values():
        state = initial_state(compiled, rest)
        integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
        here = np.array([any(r is rest for r in pair.rest) for pair in pairs])
        overlap = np.where(here, np.maximum(overlap, work.pair[:, layout.pair.DEPTH]), overlap)
    compiled.model.candidate_offset[:] -= overlap


def initial_state(compiled: Compiled, start: Configuration | None = None, time: float = 0.0) -> types.State:
    """The state in which the joints have the coordinates and rates of `start` (zero where it is silent)."""
    start = (start or Configuration()).checked(compiled.system)
    state = empty_state(compiled)
    q, v = state.now.q, state.now.v
    state.clock[0] = time
    joints = [compiled.system.joint(name) for name in compiled.joints]
    at = layout.joint
    rows = compiled.model.joint[:, [at.PARENT, at.FIRST_Q, at.FIRST_V]].tolist()
    for joint, (_, first, _) in zip(joints, rows, strict=True):
        if joint.type in ("spherical", "free") and not joint.motion:
            q[first + joint.dof - 3] = 1.0
    for joint, (parent, first, speed) in zip(joints, rows, strict=True):
        if joint.motion:
            continue
        coordinates, rates = start.coordinates.get(joint.name), start.rates.get(joint.name, ())
        if joint.type == "spherical":
            # absolute orientation and spin, from those of the parent
            orientation, spin = _turned(compiled, parent, state, time)
            frame = quaternion_product(orientation, joint.frame_parent)
            turn = quaternion_product(frame, coordinates or (1.0, 0.0, 0.0, 0.0))
            w, x, y, z = joint.frame_child
            q[first : first + 4] = quaternion_product(turn, (w, -x, -y, -z))
            v[speed : speed + 3] = spin
            if any(rates):
                v[speed : speed + 3] += rotation_matrix(frame) @ np.array(rates)
            continue
        if coordinates is not None:
            q[first : first + len(coordinates)] = coordinates
        if rates:
            v[speed : speed + joint.dof] = rates
    return state


def _turned(compiled: Compiled, body: int, state: types.State, time: float) -> tuple[Sequence[float], Sequence[float]]:
    """Return orientation and angular velocity [rad/s] of a body whose own coordinates are known."""
    if body == len(compiled.bodies):
        return (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    at = layout.joint
    kind, first, speed, moved = compiled.model.joint[body, [at.KIND, at.FIRST_Q, at.FIRST_V, at.MOVED]].tolist()
    if moved < 0 and kind in (layout.joint_type.SPHERICAL, layout.joint_type.FREE):  # the state holds both
        more = 3 if kind == layout.joint_type.FREE else 0
        q, v = state.now.q[first + more : first + more + 4], state.now.v[speed + more : speed + more + 3]
        return q.tolist(), v.tolist()
    work = make_work(compiled)
    kinematics.forward(compiled.model, work.body, state.now.q, state.now.v, time)
    row = work.body[body]
    place, spin = layout.body.ORIENTATION, layout.body.SPIN
    return row[place : place + 4].tolist(), row[spin : spin + 3].tolist()


def empty_state(compiled: Compiled) -> types.State:
    """Arrays of the right sizes, all zero."""
    n_pair = len(compiled.pairs)
    smooth = types.Smooth(
        np.zeros(compiled.n_q), np.zeros(compiled.n_v), np.zeros(layout.work_class.COUNT + len(compiled.bodies))
    )
    return types.State(
        smooth,
        np.zeros(n_pair, np.int64),
        np.zeros((n_pair, layout.history.COUNT)),
        np.zeros(layout.clock.COUNT),
        np.zeros(layout.tally.COUNT, np.int64),
        compiled.model.tone_person[:, layout.tone.END].copy(),
        np.full(len(compiled.model.equation), layout.equation.USED, np.int64),
        np.ones((len(compiled.model.resistance), 6)),
        np.zeros((len(compiled.model.waypoint), layout.web.COUNT)),
        whole_bones(len(compiled.model.bone)),
        gas_at_start(compiled.system.airbags),
        whole_shafts(compiled.model),
    )


def make_work(compiled: Compiled) -> types.Work:
    """Scratch for one run; the world's row is at rest."""
    n = len(compiled.bodies)
    body = np.zeros((n + 1, layout.body.COUNT))
    body[n, layout.body.ROTATION : layout.body.ROTATION + 9] = np.eye(3).ravel()
    body[n, layout.body.ORIENTATION] = 1.0
    body[:n, layout.body.RIDE] = compiled.model.joint[:, layout.joint.STATION]
    rows, places, muscles = (len(getattr(compiled.model, name)) for name in ("equation", "waypoint", "muscle"))
    coupled = min(MOST_COUPLED, int(compiled.model.candidate[:, layout.candidate.COUPLED].sum()))
    return types.Work(
        body=body,
        pair=np.zeros((len(compiled.pairs), layout.pair.COUNT)),
        load_power=np.zeros(layout.work_class.COUNT),
        vdot=np.zeros(compiled.n_v),
        out=np.zeros(out_size(compiled)),
        mean=np.zeros(out_size(compiled)),
        error=np.zeros(n * layout.out_row.BODY),
        stage_q=np.zeros((9, compiled.n_q)),
        stage_v=np.zeros((9, compiled.n_v)),
        coupled=np.zeros(coupled, np.int64),
        schur=np.zeros((size := 3 * coupled + rows + places + muscles, size + 1)),
        reply=np.zeros((rows, n + 1, layout.reply.COUNT)),
        tone=compiled.model.tone_person[:, layout.tone.END].copy(),
        closed=np.full(rows, layout.equation.USED, np.int64),
        sound=np.ones((len(compiled.model.resistance), 6)),
        bone=np.ones(len(compiled.model.bone)),
        equation=np.zeros((rows, layout.equation.COUNT)),
        web=np.zeros((places, layout.web.COUNT)),
        strand=np.zeros((places, layout.strand.COUNT)),
        stiff=np.zeros((places, places)),
        give=np.zeros((places, places)),
        feed=np.zeros((places, places)),
        pull=np.zeros((muscles, layout.pull.COUNT)),
        course=np.zeros((len(compiled.model.via), layout.course.COUNT)),
        mode=np.zeros((len(compiled.model.mode_stiffness), layout.mode.COUNT)),
        mode_stiffness=np.zeros_like(compiled.model.mode_stiffness),
        mode_matrix=np.zeros_like(compiled.model.mode_stiffness),
        mode_mass=np.zeros_like(compiled.model.mode_stiffness),
        station=np.zeros_like(compiled.model.station),
        **airbag_work(compiled.system.airbags),
    )


def out_size(compiled: Compiled) -> int:
    """Return the length of `work.out` [-]."""
    row, model = layout.out_row, compiled.model
    lines = row.STRAND * len(model.waypoint) + row.MUSCLE * len(model.muscle) + row.COURSE * len(model.via)
    loops = row.CLOSURE * len(compiled.system.loops)
    bags = row.BAG * len(model.airbag) + row.DIP * len(model.dip)
    pairs = row.PAIR * len(compiled.pairs)
    return len(compiled.bodies) * (row.BODY + row.JOINT) + pairs + lines + bags + loops + layout.work_class.COUNT


# --- parts


def _sizes(joint: Joint) -> tuple[int, int]:
    """Numbers of coordinates and velocities that a joint owns."""
    if joint.motion:
        return 0, 0
    return joint.dof + (joint.type in ("free", "spherical")), joint.dof


def _bodies_and_joints(
    system: System, joints: list[Joint], tables: TableList, arrays: dict[str, np.ndarray]
) -> tuple[int, int]:
    """Fill the tables of bodies, joints and joint resistances; return the numbers of coordinates and velocities."""
    bodies = [system.body(name) for name in system.order]
    number = {name: i for i, name in enumerate(system.order)}
    world = len(bodies)
    by_child = {j.child: j for j in joints}
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
                _driven(j, by_child),
                -1,
                -1,
                0,
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
                share(system, b),
            )
            for b, j in zip(bodies, joints, strict=True)
        ]
    )
    return int(starts[-1, 0]), int(starts[-1, 1])


def _resistances(system: System, joints: list[Joint], arrays: dict[str, np.ndarray]) -> dict[int, list[Resistance]]:
    """Fill the tables of joint resistance; child body -> the resistances of its joint."""
    rows = [(i, j.resistance) for i, j in enumerate(joints) if j.resistance and not j.motion]
    by_name = {j.name: i for i, j in enumerate(joints)}
    rows += [(by_name[t.joint], t.resistance) for t in system.torsion_springs if not joints[by_name[t.joint]].motion]
    arrays["resistance_joint"] = _ints([(i, RESISTANCE_LAWS[r.law]) for i, r in rows]).reshape(-1, 2)
    fields = ("limit_minus", "limit_plus", "stiffness", "stiffness_minus", "stiffness_plus", "damping", "rest")
    values, curves = [], [np.zeros((0, layout.curve.COUNT))]

    def started(curve: Curve | None) -> int:
        """Append a curve to the table and return its first row, or -1 if there is none."""
        if curve is None:
            return -1
        curves.append(curve.rows())
        return sum(map(len, curves[:-1]))

    for _, r in rows:
        held = r.held if r.held is not None else (0.0,) * 3 if r.law == "coordinate" else (1.0, 0.0, 0.0, 0.0)
        swing = swing_range(r)
        row = [x for name in fields for x in getattr(r, name)]
        row += [*(swing.centre if swing else (1.0, 0.0, 0.0, 0.0)), *seams(r), *r.limit_damping]
        row += [*(r.limit_damping_plus or r.limit_damping)]
        row += [*(started(curve) for curve in r.curve), r.friction, r.friction_speed, r.friction_fade]
        row += [*held, *((0.0,) if len(held) == 3 else ())]
        row += [started(swing.rim), started(swing.stiffness), np.cos(swing.extremes()[0])] if swing else [-1, -1, -2.0]
        row += [*((r.cone.width, r.cone.torque) if r.cone else (1.0, 0.0)), *fence(r, swing)]
        row += [
            *(r.flexed or (0.0, 1.0, 0.0, 0.0)),
            *r.fail_minus,
            *r.fail_plus,
            *(r.fail_width if r.fails else (0.0, 0.0, 0.0)),
            *r.fail_share,
        ]
        values.append(row)
    arrays["resistance"] = _floats(values).reshape(-1, layout.resistance.COUNT)
    arrays["curve"] = _floats(np.concatenate(curves))
    fill_tendons(system, by_name, FAST_DAMPING, arrays)
    by_child: dict[int, list[Resistance]] = {}
    for i, r in rows:
        by_child.setdefault(i, []).append(r)
    return by_child


FAST_DAMPING = 300.0  # relaxation rate of a joint, with the smaller inertia of its bodies, that is implicit [1/s]
FAST_STIFFNESS = 800.0  # frequency of a joint, with the same inertia, that is implicit [rad/s]
FAST_BEYOND = 0.1  # angle beyond a limit at which its damping is judged [rad]


def _resistance_class(resistances: list[Resistance], child: Body, parent: Body | None) -> int:
    """Whether a joint resists, and so fast that the implicit method must take it implicitly, which costs time.

    Axis by axis, against the smaller moment of inertia of the two bodies; inside the range, and beyond its limits.
    """
    if not resistances:
        return 0
    inertia = np.min([np.diag(felt(body)) for body in (child, parent) if body is not None], axis=0)
    inside, beyond = np.zeros((2, 3)), np.zeros((2, 3))  # damping, stiffness
    for r in resistances:
        curves = np.array([0.0 if c is None else c.steepest() for c in r.curve])
        limit = np.max([r.stiffness_minus, r.stiffness_plus], axis=0)
        growth = np.maximum(r.limit_damping, r.limit_damping_plus or 0.0) * limit * FAST_BEYOND
        if r.cone is not None:
            limit = np.maximum(limit, 1.5 * r.cone.torque / r.cone.width)
            growth = np.maximum(growth, r.limit_damping[0] * r.cone.torque)
        here = np.array([np.add(r.damping, r.friction / r.friction_speed), np.add(r.stiffness, curves)])
        inside += here
        beyond += np.maximum(here, [here[0] + growth, np.add(limit, curves)])
    fast = np.array([[FAST_DAMPING], [FAST_STIFFNESS**2]]) * inertia
    if (inside > fast).any():
        return layout.resists.STIFF
    return layout.resists.STIFF_BEYOND if (beyond > fast).any() else layout.resists.SOFT


def _driven(joint: Joint, by_child: dict[str, Joint]) -> bool:
    """Whether every joint from the world to this one's child is rigid or prescribed, so that its motion is given."""
    at: Joint | None = joint
    while at is not None:
        if not at.motion and at.type != "rigid":
            return False
        at = by_child[at.parent] if at.parent else None
    return True


def _elements(
    system: System, number: dict[str, int], world: int, tables: TableList, arrays: dict[str, np.ndarray]
) -> None:
    def at(name: str | None) -> int:
        return world if name is None else number[name]

    springs, loads, sensors = system.springs, system.loads, system.sensors
    arrays["spring_body"] = _ints(
        [(at(s.body_a), at(s.body_b), tables.add(s.actuator) if s.actuator else -1) for s in springs]
    ).reshape(-1, 3)
    values = [(*s.point_a, *s.point_b, s.stiffness, s.rest_length, s.damping, s.tension_only) for s in springs]
    arrays["spring"] = _floats(values).reshape(-1, layout.spring.COUNT)
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


def _floats(value: object) -> np.ndarray:
    return np.ascontiguousarray(value, dtype=np.float64)


def _ints(value: object) -> np.ndarray:
    return np.ascontiguousarray(value, dtype=np.int64)
