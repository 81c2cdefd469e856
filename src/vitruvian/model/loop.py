"""Joints that close loops of the tree: their constraint equations, and a start in which they are closed.

| type        | distances | angles        | equations |
|-------------|-----------|---------------|-----------|
| spherical   | x, y, z   |               | 3         |
| universal   | x, y, z   | x.y           | 4         |
| revolute    | x, y, z   | x.z, y.z      | 5         |
| cylindrical | x, y      | x.z, y.z      | 4         |
| prismatic   | x, y      | x.z, y.z, x.y | 5         |
| planar      | z         | x.z, y.z      | 3         |
| rigid       | x, y, z   | x.z, y.z, x.y | 6         |

A distance is measured between the two joint points along an axis of the joint frame in the parent. An angle is a right
angle between an axis in the parent and one in the child (`kernels.closure`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import InputError
from ..kernels import layout, types
from .field import field_of
from .joint import Joint, Resistance
from .pose import quaternion_product, rotation_matrix
from .table import Table
from .validation import positive
from .value import Choice, Of

if TYPE_CHECKING:
    from .compile import Compiled
    from .configuration import Configuration
    from .system import System

_ALL, _SQUARE = (0, 1, 2), ((0, 2), (1, 2))
#: joint type -> axes of its distances, pairs of axes (parent, child) of its angles
EQUATIONS: dict[str, tuple[tuple[int, ...], tuple[tuple[int, int], ...]]] = {
    "spherical": (_ALL, ()),
    "universal": (_ALL, ((0, 1),)),
    "revolute": (_ALL, _SQUARE),
    "cylindrical": ((0, 1), _SQUARE),
    "prismatic": ((0, 1), (*_SQUARE, (0, 1))),
    "planar": ((2,), _SQUARE),
    "translational": ((), (*_SQUARE, (0, 1))),
    "rigid": (_ALL, (*_SQUARE, (0, 1))),
}
OPEN = 1e-9  # largest violation of a closed loop [m, -]
WEIGHT = 1e-6  # least weight of an equation in a redundant one that makes its reaction undetermined [-]


@dataclass(frozen=True)
class Release:
    """Limits that open a loop during the run; the first limit that is reached counts."""

    force: float | None = field_of("force", "mean reaction over a step", default=None, above=0.0)
    moment: float | None = field_of("moment", "mean moment over a step", default=None, above=0.0)
    time: float | None = field_of("time", "of the run", default=None, above=0.0)

    def __post_init__(self) -> None:
        for name in ("force", "moment", "time"):
            if (value := getattr(self, name)) is not None:
                positive(value, f"release {name}", "(SI)")


@dataclass(frozen=True)
class Loop(Joint):
    """A joint that closes a loop: it ties two bodies that hang on joints of their own, until it opens."""

    type: str = field_of(Choice(tuple(EQUATIONS)), "which motion it leaves")
    resistance: Resistance | None = field_of(
        Of(Resistance), "elastic, viscous and dry torque; in Python use `resisting_loop`", default=None
    )
    motion: tuple[Table, ...] | None = None
    release: Release | None = field_of(Of(Release), "when it opens; never unless given", default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.parent == self.child:
            raise InputError(f"loop {self.name!r} ties {self.child!r} to itself; parent and child must differ.")

    @property
    def limits(self) -> tuple[float, float, float]:
        """Force [N], moment [N m] and time [s] at which the loop opens; infinite where none is given."""
        given = self.release or Release()
        return tuple(np.inf if x is None else float(x) for x in (given.force, given.moment, given.time))  # type: ignore[return-value]


class Closing(NamedTuple):
    """The start of a system with loops.

    gap           distance of the joint points of each loop before they were closed [m]
    redundant     equations left out because the others imply them, as "loop: force z, moment x"
    undetermined  components of the reactions, in the joint frame of the parent, that the motion does not determine
    """

    gap: dict[str, float]
    redundant: tuple[str, ...]
    undetermined: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """Return notes on a moved start and on undetermined reactions, as sentences; "" if there are none."""
        text = ""
        if moved := [f"{name!r} by {1e3 * gap:.3g} mm" for name, gap in self.gap.items() if gap > 1e-6]:
            text += f" The start was moved to close the loops: {', '.join(moved)}."
        if self.undetermined:
            text += (
                f" The loops have redundant equations ({'; '.join(self.redundant)}); these reactions are undetermined "
                f"and recorded as one of the possible values: {'; '.join(self.undetermined)}."
            )
        return text


def rows(loop: Joint) -> list[tuple[int, int, int]]:
    """Return the equations of a loop: whether it holds an angle, axis of the parent, axis of the child."""
    distances, angles = EQUATIONS[loop.type]
    return [(0, axis, 0) for axis in distances] + [(1, a, b) for a, b in angles]


def fill_loops(loops: tuple[Joint, ...], number: dict[str, int], world: int, arrays: dict[str, np.ndarray]) -> None:
    """Write the tables of the loops."""
    bodies, values = [], []
    equations: list[tuple[int, ...]] = []
    for place, loop in enumerate(loops):
        parent = world if loop.parent is None else number[loop.parent]
        bodies.append((parent, number[loop.child], len(equations), len(rows(loop))))
        limits = loop.limits if isinstance(loop, Loop) else (np.inf,) * 3
        values.append((*loop.point_parent, *loop.point_child, *loop.frame_parent, *loop.frame_child, *limits))
        equations += [(place, *row) for row in rows(loop)]
    arrays["closure_body"] = np.array(bodies, np.int64).reshape(-1, layout.closure.BODY_COUNT)
    arrays["closure"] = np.array(values, np.float64).reshape(-1, layout.closure.COUNT)
    arrays["equation"] = np.array(equations, np.int64).reshape(-1, layout.equation.INT_COUNT)


def close_loops(compiled: Compiled, state: types.State, work: types.Work) -> Closing:
    """Move the coordinates and rates of a state so that all loops are closed; refuse a start from which they cannot be.

    The change is the smallest in the norm of the mass matrix. Equations that the others imply are set aside.
    """
    from ..kernels import kinematics, projection  # the description of a model does not need the compiler

    loops = compiled.system.loops
    if not loops:
        return Closing({}, (), ())
    begin = float(state.clock[layout.clock.TIME])
    kinematics.forward(compiled.model, work.body, state.now.q, state.now.v, begin)
    gap = {loop.name: _gap(compiled, work.body, place) for place, loop in enumerate(loops)}
    left = float(projection.assemble(compiled.model, work, state.closed, state.now.q, state.now.v, begin))
    if not left <= OPEN:
        values = abs(work.equation[:, layout.equation.VALUE])
        row = int(np.argmax(values)) if np.isfinite(values).all() else 0
        loop = loops[int(compiled.model.equation[row, layout.equation.CLOSURE])]
        unit = "rad" if compiled.model.equation[row, layout.equation.TURNS] else "mm"
        ends = f"{loop.child!r} and {repr(loop.parent) if loop.parent else 'the world'}"
        size = values[row] * (1.0 if unit == "rad" else 1e3)
        raise InputError(
            f"loop {loop.name!r} cannot be closed: {ends} stay apart by {size:.3g} {unit} "
            f"({1e3 * gap[loop.name]:.3g} mm at the start). Start closer to a closed posture, or check the "
            "lengths, the joint points and the axes."
        )
    return _closing(compiled, state, work, gap)


def closed(system: System, start: Configuration) -> Configuration:
    """Return the start with coordinates at which all loops are closed."""
    from .compile import compile_system, initial_state, make_work

    compiled = compile_system(system, rest=False)
    state = initial_state(compiled, start)
    close_loops(compiled, state, make_work(compiled))
    return _configuration(compiled, state, start)


def _configuration(compiled: Compiled, state: types.State, rates: Configuration) -> Configuration:
    """Return the configuration with the coordinates of a state and given rates, the inverse of `initial_state`."""
    from ..kernels import kinematics
    from .compile import make_work
    from .configuration import Configuration

    work = make_work(compiled)
    found: dict[str, tuple[float, ...]] = {}
    kinematics.forward(compiled.model, work.body, state.now.q, state.now.v, float(state.clock[layout.clock.TIME]))
    turn = work.body[:, layout.body.ORIENTATION : layout.body.ORIENTATION + 4]
    for i, name in enumerate(compiled.joints):
        joint, at = compiled.system.joint(name), int(compiled.model.joint[i, layout.joint.FIRST_Q])
        if joint.motion or not joint.dof:
            continue
        if joint.type == "spherical":
            w, x, y, z = quaternion_product(
                tuple(turn[compiled.model.joint[i, layout.joint.PARENT]]), joint.frame_parent
            )
            child = quaternion_product(tuple(turn[i]), joint.frame_child)
            found[name] = quaternion_product((w, -x, -y, -z), child)
        else:
            found[name] = tuple(state.now.q[at : at + joint.dof + (joint.type == "free")].tolist())
    return Configuration(found, rates.rates)


def _gap(compiled: Compiled, bodies: np.ndarray, place: int) -> float:
    """Return the distance [m] between the joint points of a loop along the axes that it holds."""
    loop, (parent, child) = compiled.system.loops[place], compiled.model.closure_body[place, :2]

    def turned(body: int, vector: object) -> np.ndarray:
        at = layout.body.ROTATION
        return bodies[body, at : at + 9].reshape(3, 3) @ np.asarray(vector)

    def point(body: int, local: object) -> np.ndarray:
        return bodies[body, layout.body.POSITION : layout.body.POSITION + 3] + turned(body, local)

    apart = point(child, loop.point_child) - point(parent, loop.point_parent)
    held = rotation_matrix(loop.frame_parent)[:, EQUATIONS[loop.type][0]]
    return float(np.linalg.norm(turned(parent, held).T @ apart))


def _closing(compiled: Compiled, state: types.State, work: types.Work, gap: dict[str, float]) -> Closing:
    """Name the equations that are set aside, and those whose reactions they leave undetermined."""
    aside = state.closed == layout.equation.REDUNDANT
    weight = abs(work.schur[: len(aside), : len(aside)][aside])  # of every equation in those set aside
    used = state.closed == layout.equation.USED
    vague = aside | (used & (weight > WEIGHT).any(axis=0))
    return Closing(gap, _named(compiled, aside), _named(compiled, vague))


def _named(compiled: Compiled, chosen: np.ndarray) -> tuple[str, ...]:
    """Return the chosen equations by loop, in words."""
    words: dict[str, list[str]] = {}
    for row, (loop, turns, a, b) in enumerate(compiled.model.equation):
        if chosen[row]:
            component = f"moment {'xyz'[3 - a - b]}" if turns else f"force {'xyz'[a]}"
            words.setdefault(compiled.system.loops[loop].name, []).append(component)
    return tuple(f"{name}: {', '.join(found)}" for name, found in words.items())


def response_path(arrays: dict[str, np.ndarray], world: int) -> np.ndarray:
    """Return the bodies of coupled contacts, loops, webbing and muscles, all to the world, parents first."""
    candidates, places = arrays["candidate"], layout.candidate
    shapes = candidates[candidates[:, places.COUPLED] == 1][:, [places.SHAPE_A, places.SHAPE_B]].ravel()
    ends = {*arrays["shape_kind"][shapes, layout.shape_kind.CARRIER].tolist(), *arrays["closure_body"][:, :2].flat}
    ends |= {*arrays["waypoint_kind"][:, layout.waypoint.BODY].flat, *arrays["via_kind"][:, layout.via.BODY].flat}
    path: set[int] = set()
    for body in map(int, ends):
        while body != world and body not in path:
            path.add(body)
            body = int(arrays["joint"][body, layout.joint.PARENT])
    return np.array(sorted(path), np.int64)
