"""From the description of webbing to arrays, and its start: laid over the bodies."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..kernels import layout, types
from .belt import Belt, Retractor, Waypoint
from .shape import Cylinder, Ellipsoid, Shape, Sphere

if TYPE_CHECKING:
    from .compile import Compiled
    from .system import System

LONG = 1e3  # half length of the ellipsoid that stands for a cylinder [m]
#: iliac spines over their distance from each other: before and above the hip joints, and half a hip further out than
#: these (Bell et al. 1990, recalled)
SPINE_AHEAD, SPINE_ABOVE, HIPS_APART = 0.22, 0.30, 0.72
NOTCH = 0.1  # from the spines down to the middle of the webbing, over their distance (estimated) [-]
WIDE = 0.65  # half distance of the spines over the half width of a pelvis without thighs (estimated) [-]


def fill_belts(
    system: System, number: dict[str, int], world: int, add: Callable[..., int], arrays: dict[str, np.ndarray]
) -> np.ndarray:
    """Write the tables of webbing; return the times [s] at which a reel locks or a pretensioner fires."""
    kinds, values, times = [], [], [np.zeros(0)]
    point_kinds: list[tuple[int, ...]] = []
    points: list[tuple[float, ...]] = []
    for place, belt in enumerate(system.belts):
        kinds.append((len(points), len(belt.path), add(*_curves(belt)), belt.retractor is not None))
        row = _reel(belt.retractor or Retractor())
        values.append((belt.damping, *row))
        if belt.retractor is not None:
            fires, pulls = belt.retractor.pretensioner, row[7]
            ends = [pulls, pulls + fires.duration] if fires else []
            times.append(np.array([row[1], *ends]))
        for point in belt.path:
            carrier = world if point.carrier is None else number[point.carrier]
            point_kinds.append((carrier, _kind(point), place))
            points.append(_place(point, belt, system))
    arrays["belt_kind"] = np.array(kinds, np.int64).reshape(-1, layout.belt.KIND_COUNT)
    arrays["belt"] = np.array(values, np.float64).reshape(-1, layout.belt.COUNT)
    arrays["waypoint_kind"] = np.array(point_kinds, np.int64).reshape(-1, layout.waypoint.KIND_COUNT)
    arrays["waypoint"] = np.array(points, np.float64).reshape(-1, layout.waypoint.COUNT)
    found = np.concatenate(times)
    return found[(found > 0.0) & (found < np.inf)]


def _reel(reel: Retractor) -> tuple[float, ...]:
    locks = (reel.lock_time, reel.lock_acceleration, reel.lock_payout)
    time, hard, fast = (np.inf if value is None else value for value in locks)
    if locks == (None, None, None):
        time = 0.0
    fires = reel.pretensioner
    pulls = (np.inf, 0.0, 0.0, 1.0) if fires is None else (fires.time, fires.pull_in, fires.force, fires.duration)
    return reel.spring, time, hard, fast, reel.limit or np.inf, reel.film, reel.film_force, *pulls


def _curves(belt: Belt) -> tuple[np.ndarray, ...]:
    """Return loading and unloading curve, and strain over force of the latter, as rows of a knot and a polynomial."""
    unloading = belt.unloading or belt.loading
    return tuple(_pieces(np.array(rows)) for rows in (belt.loading, unloading, [row[::-1] for row in unloading]))


def _pieces(rows: np.ndarray) -> np.ndarray:
    slope = np.diff(rows[:, 1]) / np.diff(rows[:, 0])
    pieces = np.zeros((len(rows) + 1, 5))
    pieces[1:, 0], pieces[1:, 1], pieces[1:, 2] = rows[:, 0], rows[:, 1], np.append(slope, slope[-1])
    return pieces


def _place(point: Waypoint, belt: Belt, system: System) -> tuple[float, ...]:
    """Return a row of the table of waypoints."""
    if point.over is None:
        return (*point.point, *np.eye(3).ravel(), 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, point.friction, 0.0, 0.0, 0.0, 0.0)
    shape = _shape(point.over, belt, system)
    side = shape.turn.T @ np.array(point.side)
    notch = _notch(point.over, system, shape) if _kind(point) == layout.waypoint.NOTCHED else (0.0, 0.0, 0.0)
    return (*shape.offset, *shape.turn.ravel(), *semi_axes(shape), *side, point.friction, point.grip, *notch)


def _kind(point: Waypoint) -> int:
    """Return how webbing passes a waypoint: at a point, over an ellipsoid, or in the notches of a pelvis."""
    if point.over is None:
        return layout.waypoint.POINTED
    return layout.waypoint.NOTCHED if point.over.rpartition(".")[2] == "pelvis" else layout.waypoint.ROUND


def _notch(pelvis: str, system: System, shape: Shape) -> tuple[float, float, float]:
    """Return where a lap belt lies on the left of a pelvis, in the axes of its shape from the centre [m].

    The place is on the skin in front of the notch below the left iliac spine, which the hip joints give.
    """
    hips = [joint.point_parent for joint in system.joints if joint.parent == pelvis and joint.child.endswith("thigh")]
    x, y, z = shape.half_size
    apart, middle = 2.0 * WIDE * y, np.zeros(3)
    if len(hips) == 2:
        local = [shape.turn.T @ (np.array(hip) - np.array(shape.offset)) for hip in hips]
        apart, middle = abs(float(local[0][1] - local[1][1])) / HIPS_APART, np.mean(local, axis=0)
    aside = min(0.5 * apart, 0.8 * y)
    above = float(np.clip(middle[2] + (SPINE_ABOVE - NOTCH) * apart, -0.5 * z, 0.5 * z))
    ahead = x * float(np.sqrt(1.0 - (aside / y) ** 2 - (above / z) ** 2))
    return ahead, aside, above


def _shape(name: str, belt: Belt, system: System) -> Shape:
    """Return the largest ellipsoid, sphere or cylinder of a body, on which webbing lies; of a pelvis the first.

    Further shapes of a pelvis are flesh about the hips.
    """
    fit = [shape for shape in system.body(name).shapes if isinstance(shape, Ellipsoid | Sphere | Cylinder)]
    if not fit:
        kinds = ", ".join(shape.kind for shape in system.body(name).shapes) or "no shape"
        raise InputError(
            f"belt {belt.name!r}: the body {name!r} has {kinds}; webbing lies on ellipsoids, spheres and cylinders."
        )
    return fit[0] if name.rpartition(".")[2] == "pelvis" else max(fit, key=lambda shape: shape.volume)


def semi_axes(shape: Shape) -> tuple[float, float, float]:
    """Return the semi-axes [m] of the ellipsoid that webbing meets; a cylinder is one without ends."""
    x, y, z = shape.half_size
    return (x, y, LONG) if isinstance(shape, Cylinder) else (x, y, z)


def lay_belts(compiled: Compiled, state: types.State, work: types.Work) -> None:
    """Lay all webbing over the bodies as the state places them; refuse a belt that cannot lie."""
    from ..kernels import belt_memory, kinematics  # the description of a model does not need the compiler

    belts = compiled.system.belts
    if not belts:
        return
    kinematics.forward(compiled.model, work.body, state.now.q, state.now.v, float(state.clock[layout.clock.TIME]))
    for place, belt in enumerate(belts):
        _refuse_inside(compiled, work.body, place, belt)
    belt_memory.lay(compiled.model, work, np.array([belt.slack for belt in belts]))
    for place, belt in enumerate(belts):
        _refuse_missed(compiled, work, place, belt)
    state.web[:] = work.web


def _seen(compiled: Compiled, bodies: np.ndarray, row: int, point: np.ndarray) -> np.ndarray:
    """Return a place of the world [m] in the axes of the ellipsoid of a waypoint."""
    centre, turn = _stands(compiled, bodies, row)
    return turn.T @ (point - centre)


def _stands(compiled: Compiled, bodies: np.ndarray, row: int) -> tuple[np.ndarray, np.ndarray]:
    """Return place [m] and axes of a waypoint in the world."""
    places, at = layout.waypoint, compiled.model.waypoint_kind[row, layout.waypoint.BODY]
    values = compiled.model.waypoint[row]
    rotation = bodies[at, layout.body.ROTATION : layout.body.ROTATION + 9].reshape(3, 3)
    position = bodies[at, layout.body.POSITION : layout.body.POSITION + 3]
    turn = rotation @ values[places.TURN : places.TURN + 9].reshape(3, 3)
    return position + rotation @ values[places.POINT : places.POINT + 3], turn


def _refuse_inside(compiled: Compiled, bodies: np.ndarray, place: int, belt: Belt) -> None:
    """Refuse anchors and rings inside a segment that the webbing lies on."""
    first = int(compiled.model.belt_kind[place, layout.belt.FIRST])
    for k, point in enumerate(belt.path):
        if point.over is not None:
            continue
        where, _ = _stands(compiled, bodies, first + k)
        kind = "anchor" if point.anchor is not None else "ring"
        _refuse_in_person(compiled, bodies, point, where, f"belt {belt.name!r}: its {kind} (waypoint {k})")
        for m, other in enumerate(belt.path):
            if other.over is None:
                continue
            axes = compiled.model.waypoint[first + m, layout.waypoint.AXES : layout.waypoint.AXES + 3]
            local = _seen(compiled, bodies, first + m, where)
            size = float(np.linalg.norm(local / axes))
            if size <= 1.0:
                deep = 1e3 * float(np.linalg.norm(local)) * (1.0 / max(size, 1e-9) - 1.0)
                raise InputError(
                    f"belt {belt.name!r}: its {kind} (waypoint {k}) lies {deep:.0f} mm inside {other.over!r}; move it "
                    "outside."
                )


def _refuse_in_person(compiled: Compiled, bodies: np.ndarray, point: Waypoint, where: np.ndarray, what: str) -> None:
    """Refuse a place [m] inside an ellipsoid of any other body, unless a segment carries it."""
    system = compiled.system
    if point.carrier is not None and any(isinstance(s, Ellipsoid) for s in system.body(point.carrier).shapes):
        return
    for i, name in enumerate(compiled.bodies):
        position = bodies[i, layout.body.POSITION : layout.body.POSITION + 3]
        rotation = bodies[i, layout.body.ROTATION : layout.body.ROTATION + 9].reshape(3, 3)
        for shape in system.body(name).shapes:
            if isinstance(shape, Ellipsoid):
                local = shape.turn.T @ (rotation.T @ (where - position) - np.array(shape.offset))
                size = float(np.linalg.norm(local / np.array(shape.semi_axes)))
                if size < 1.0:
                    deep = 1e3 * float(np.linalg.norm(local)) * (1.0 / max(size, 1e-9) - 1.0)
                    raise InputError(f"{what} lies {deep:.0f} mm inside {name!r}; move it outside.")


def _refuse_missed(compiled: Compiled, work: types.Work, place: int, belt: Belt) -> None:
    """Refuse webbing that passes a segment without touching it, or for which no path was found."""
    first = int(compiled.model.belt_kind[place, layout.belt.FIRST])
    column = layout.strand
    for k, point in enumerate(belt.path):
        row = work.strand[first + k]
        if point.over is None:
            continue
        if compiled.model.waypoint_kind[first + k, layout.waypoint.OVER] == layout.waypoint.NOTCHED:
            _refuse_from_behind(compiled, work, belt, first + k)
            continue
        if not row[column.FOUND]:
            raise InputError(
                f"belt {belt.name!r}: no path over {point.over!r} was found from waypoint {k - 1} to waypoint {k + 1}; "
                "move these points towards the side on which the webbing lies, or give another `side`."
            )
        if row[column.ARC_BEFORE] + row[column.ARC_AFTER] <= 0.0:
            points = (work.strand[first + k - 1, column.EXIT :][:3], work.strand[first + k + 1, column.ENTRY :][:3])
            one, two = (_seen(compiled, work.body, first + k, end) for end in points)
            gap = 1e3 * _clearance(one, two, compiled.model.waypoint[first + k, layout.waypoint.AXES :][:3])
            raise InputError(
                f"belt {belt.name!r} misses {point.over!r}: straight from waypoint {k - 1} to waypoint {k + 1} it "
                f"passes at about {gap:.0f} mm. Move these points, or leave the segment out of the path."
            )


def _refuse_from_behind(compiled: Compiled, work: types.Work, belt: Belt, row: int) -> None:
    """Refuse a lap belt that would pull the pelvis forward or up."""
    column = layout.strand
    _, turn = _stands(compiled, work.body, row)
    before = next(k for k in range(row - 1, -1, -1) if work.strand[k, column.NEXT] == row)
    pull = turn.T @ (work.strand[row, column.WAY :][:3] - work.strand[before, column.WAY :][:3])
    if pull[0] >= 0.0 or pull[2] > -pull[0]:
        pelvis = belt.path[row - _first(compiled, row)].over
        raise InputError(
            f"belt {belt.name!r} does not hold {pelvis!r}: it would pull the pelvis "
            f"{'forward' if pull[0] >= 0.0 else 'upwards'}. Move the waypoints before and after it rearwards and down."
        )


def _first(compiled: Compiled, row: int) -> int:
    """Return the first row of the belt of a waypoint."""
    return int(compiled.model.belt_kind[compiled.model.waypoint_kind[row, layout.waypoint.BELT], layout.belt.FIRST])


def _clearance(one: np.ndarray, two: np.ndarray, semi_axes: np.ndarray) -> float:
    """Return about how far a straight line passes an ellipsoid [m], both in its axes."""
    share = np.linspace(0.0, 1.0, 2001)[:, None]
    line = one + share * (two - one)
    size = np.linalg.norm(line / semi_axes, axis=1)
    return float(np.min(np.linalg.norm(line, axis=1) * (1.0 - 1.0 / size)))


def spans(belts: tuple[Belt, ...]) -> tuple[str, ...]:
    """Return the labels of the waypoints of all belts: `lap.0-anchor`, `lap.1-pelvis`."""
    return tuple(
        f"{belt.name}.{k}-{point.over or ('ring' if point.anchor is None else 'anchor')}"
        for belt in belts
        for k, point in enumerate(belt.path)
    )
