"""From the description of muscles to arrays, and the checks of their paths at the start."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sin
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..kernels import hill, layout, types
from .joint import frame_with_z
from .muscle import Muscle, MusclePoint, activation_pieces
from .pose import rotation_matrix
from .shape import Cylinder, Ellipsoid, Shape, Sphere

if TYPE_CHECKING:
    from .compile import Compiled
    from .system import System

SHORTEST = 1e-6  # path of a muscle that is refused [m]


def fill_muscles(
    system: System,
    number: dict[str, int],
    fibre: int,
    add: Callable[..., int],
    arrays: dict[str, np.ndarray],
) -> np.ndarray:
    """Write the tables of muscles; return the times [s] at which force or excitation turns sharply.

    fibre  first coordinate of the fibres with an elastic tendon
    add    puts functions, given as rows of a knot and its polynomial, into the table of functions
    """
    law, times = layout.muscle, [np.zeros(0)]
    kinds: list[tuple[int, ...]] = []
    point_kinds: list[tuple[int, int]] = []
    points: list[tuple[float, ...]] = []
    values = []
    for muscle in system.muscles:
        if muscle.force is not None:
            knots, pieces = muscle.force.polynomials()
            rows, kind = np.column_stack([np.concatenate([knots[:1], knots]), pieces]), law.TABLE_FORCE
        else:
            rows, knots = activation_pieces(muscle)
            kind = law.ELASTIC_TENDON if muscle.elastic_tendon else law.RIGID_TENDON
        times.append(knots)
        kinds.append((len(points), len(muscle.path), kind, add(rows), fibre if muscle.elastic_tendon else -1))
        fibre += muscle.elastic_tendon
        values.append(_values(muscle))
        for place in muscle.path:
            point_kinds.append(
                (len(number) if place.carrier is None else number[place.carrier], _shape_kind(place, system, muscle))
            )
            points.append(_place(place, system, muscle))
    arrays["muscle_kind"] = np.array(kinds, np.int64).reshape(-1, law.KIND_COUNT)
    arrays["muscle"] = np.array(values, np.float64).reshape(-1, law.COUNT)
    arrays["via_kind"] = np.array(point_kinds, np.int64).reshape(-1, layout.via.KIND_COUNT)
    arrays["via"] = np.array(points, np.float64).reshape(-1, layout.via.COUNT)
    return np.concatenate(times)


def elastic_tendons(system: System) -> int:
    """Return the number of muscles whose fibres have a coordinate of their own [-]."""
    return sum(muscle.elastic_tendon for muscle in system.muscles)


def _values(muscle: Muscle) -> tuple[float, ...]:
    fibre, steep = muscle.fibre_length or 1.0, log((1.0 + hill.TENDON) / hill.TENDON) / muscle.tendon_strain
    return (
        muscle.max_force or 0.0,
        fibre,
        muscle.tendon_length,
        fibre * sin(muscle.pennation),
        muscle.max_speed * fibre,
        muscle.damping,
        muscle.passive_strain,
        steep,
    )


def _shape(place: MusclePoint, system: System, muscle: Muscle) -> Shape:
    """Return the largest ellipsoid, sphere or cylinder of the body that a muscle wraps over."""
    body = system.body(place.over or "")
    fit = [shape for shape in body.shapes if isinstance(shape, Ellipsoid | Sphere | Cylinder)]
    if not fit:
        kinds = ", ".join(shape.kind for shape in body.shapes) or "no shape"
        raise InputError(
            f"muscle {muscle.name!r}: the body {place.over!r} has {kinds}; muscles wrap over ellipsoids, spheres and "
            "cylinders. Give a radius, and an axis for a cylinder."
        )
    return max(fit, key=lambda shape: shape.volume)


def _shape_kind(place: MusclePoint, system: System, muscle: Muscle) -> int:
    if place.over is None:
        return layout.via.POINT_FIXED
    if place.radius is not None:
        return layout.via.OVER_SPHERE if place.axis is None else layout.via.OVER_CYLINDER
    shape = _shape(place, system, muscle)
    if isinstance(shape, Cylinder):
        return layout.via.OVER_CYLINDER
    x, y, z = shape.half_size
    return layout.via.OVER_SPHERE if x == y == z else layout.via.OVER_ELLIPSOID


def _place(place: MusclePoint, system: System, muscle: Muscle) -> tuple[float, ...]:
    """Return a row of the table of points."""
    if place.over is None:
        return (*(place.point or ()), *np.eye(3).ravel(), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if place.radius is not None:
        turn, centre, axes = np.eye(3), place.centre, (place.radius,) * 3
        if place.axis is not None:
            turn = rotation_matrix(frame_with_z(place.axis))
    else:
        shape = _shape(place, system, muscle)
        turn, centre, axes = shape.turn, shape.offset, shape.half_size
    return (*centre, *turn.ravel(), *axes, *(turn.T @ np.array(place.side)))


def lay_muscles(compiled: Compiled, state: types.State, work: types.Work) -> None:
    """Place all muscles as the state has the bodies, with fibres in equilibrium; refuse a path that cannot be."""
    from ..kernels import muscle as kernel  # the description of a model does not need the compiler

    if not compiled.system.muscles:
        return
    kernel.lay(compiled.model, work, state.now.q, state.now.v, float(state.clock[layout.clock.TIME]))
    for number, muscle in enumerate(compiled.system.muscles):
        _refuse_inside(compiled, work, number, muscle)
        length = float(work.pull[number, layout.pull.LENGTH])
        if length < SHORTEST:
            raise InputError(
                f"muscle {muscle.name!r} has no length: its origin and insertion are at one place. Move one of them."
            )
        if muscle.max_force is not None and length <= muscle.tendon_length:
            raise InputError(
                f"muscle {muscle.name!r}: its path of {1e3 * length:.0f} mm is not longer than its tendon of "
                f"{1e3 * muscle.tendon_length:.0f} mm at the start; shorten tendon_length, or move its points."
            )


def _refuse_inside(compiled: Compiled, work: types.Work, number: int, muscle: Muscle) -> None:
    """Refuse points and spans that pass through a body over which the muscle wraps, and a path that was not found."""
    first, column = int(compiled.model.muscle_kind[number, layout.muscle.FIRST]), layout.course
    spans = [(k, int(work.course[first + k, column.NEXT]) - first) for k in range(len(muscle.path) - 1)]
    for k, place in enumerate(muscle.path):
        if place.over is None:
            continue
        if work.course[first + k, column.ANGLE] < 0.0:
            raise InputError(
                f"muscle {muscle.name!r}: no path over {place.over!r} (place {k}) was found; give another `side`, or "
                f"move the places {k - 1} and {k + 1} towards it."
            )
        for m in (k - 1, k + 1):
            point = work.course[first + m, column.ENTRY : column.ENTRY + 3]
            if muscle.path[m].point is not None and (share := _share(compiled, work, first + k, point, point)) < 1.0:
                raise InputError(
                    f"muscle {muscle.name!r}: place {m} of its path lies inside {place.over!r} (place {k}), over which "
                    f"it wraps, at {100 * share:.0f} % of the way to its surface. Move it outside."
                )
        for one, two in spans:
            if two < 0 or one <= k <= two:
                continue
            ends = work.course[first + one, column.EXIT :][:3], work.course[first + two, column.ENTRY :][:3]
            if _share(compiled, work, first + k, *ends) < 1.0:
                raise InputError(
                    f"muscle {muscle.name!r}: its path crosses itself inside {place.over!r} (place {k}), over which it "
                    f"wraps: it passes through it from place {one} to place {two}. Change the order of its places."
                )


def _share(compiled: Compiled, work: types.Work, row: int, one: np.ndarray, two: np.ndarray) -> float:
    """Return how near a span [m] comes to the centre of a shape, over its surface: below 1 it passes through it."""
    via, body = layout.via, layout.body
    at = work.body[compiled.model.via_kind[row, via.BODY]]
    rotation, values = at[body.ROTATION : body.ROTATION + 9].reshape(3, 3), compiled.model.via[row]
    centre = at[body.POSITION : body.POSITION + 3] + rotation @ values[via.POINT : via.POINT + 3]
    turn = rotation @ values[via.TURN : via.TURN + 9].reshape(3, 3)
    axes = values[via.AXES : via.AXES + 3].copy()
    if compiled.model.via_kind[row, via.SHAPE] == via.OVER_CYLINDER:
        axes[2] = np.inf
    a, b = turn.T @ (one - centre) / axes, turn.T @ (two - centre) / axes
    along = b - a
    near = a + np.clip(-(a @ along) / max(along @ along, 1e-300), 0.0, 1.0) * along
    return float(np.linalg.norm(near)) + 1e-9


def places(muscles: tuple[Muscle, ...]) -> tuple[str, ...]:
    """Return the labels of the places of all muscles: `soleus.0-point`, `soleus.1-shank` for a body to wrap over."""
    return tuple(
        f"{muscle.name}.{k}-{place.over or 'point'}" for muscle in muscles for k, place in enumerate(muscle.path)
    )
