"""Boundary conditions for a finite-element model: motion of the segments and loads on them, LS-DYNA keyword and CSV.

    main.k      units, end time, and the other files
    segments.k  every body as a rigid part: shell mesh of its shapes, mass and centre of mass (*PART_INERTIA)
    motion.k    velocity and angular velocity of every part (*BOUNDARY_PRESCRIBED_MOTION_RIGID, *DEFINE_CURVE)
    loads.k     contact and joint loads of every part at its centre of mass (*LOAD_RIGID_BODY, *DEFINE_CURVE)
    motion.csv, loads.csv  the same numbers in SI, in tidy tables

Replace a part of segments.k by your own mesh: with motion.k it moves as the segment did; left out of motion.k (or with
its joints only) it is loaded by loads.k. World axes: x forward, y left, z up.

**Rotation.** LS-DYNA integrates the angular velocity about the world axes, so its curve has to integrate to the
recorded orientations. Values at the poses alone do not (a blow of 5 ms has five of them at 1 kHz): a third point in the
middle of every interval is chosen so that the curve, straight between its points, turns the body exactly from pose to
pose. For one axis, with the angle phi from t to t + h,

    h (w(t) + 2 w(t + h/2) + w(t + h)) / 4 = phi ,

and in space the middle is found by fixed-point iteration, as rotations do not commute. The velocity likewise.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._files import write_text
from ..errors import InputError, nearest
from ..model.shape_mesh import mesh
from ..sim.angle import rotation_matrices
from ..sim.geometry import Geometry
from ..sim.recording import Recording
from .output import about
from .tidy import Column, csv_text

if TYPE_CHECKING:
    from ..sim.result import Result


class Units(NamedTuple):
    """A consistent system of units: size of one metre, second and kilogram in it, and its names."""

    metre: float
    second: float
    kilogram: float
    names: str

    @property
    def newton(self) -> float:
        """One newton [units of force]."""
        return self.kilogram * self.metre / self.second**2


UNITS = {
    "mm-ms-kg": Units(1e3, 1e3, 1.0, "mm, ms, kg, kN, GPa, J"),
    "m-s-kg": Units(1.0, 1.0, 1.0, "m, s, kg, N, Pa, J"),
    "mm-s-t": Units(1e3, 1.0, 1e-3, "mm, s, t, N, MPa, mJ"),
}
_SIDES = 20  # of the mesh of a shape, round its axis
_FINE = 8  # steps of the integration of half an interval
_ROUNDS = 6  # of the fixed-point iteration
_THICK = 1e-3  # of the shells [m]; their mass does not count
#: LS-DYNA's number of each component of a motion or a load: translations 1 to 3, rotations 5 to 7
_DOF = (1, 2, 3, 5, 6, 7)
_LETTERS = ("x", "y", "z", "rx", "ry", "rz")


def write(result: Result, folder: str | Path, *, units: str = "mm-ms-kg") -> list[Path]:
    """Write all files into a folder.

    units  of the keyword files: mm-ms-kg (as THUMS and GHBMC), m-s-kg or mm-s-t; the CSV files are in SI
    """
    if units not in UNITS:
        raise InputError(f"export to fe: units {units!r}; accepted: {', '.join(UNITS)}.{nearest(units, UNITS)}")
    if result.geometry is None:
        raise InputError("the result holds no geometry for parts; make it with Result(recording, system=...).")
    folder, system, geometry, result = Path(folder), UNITS[units], result.geometry, result.sound
    if len(result.recording.pose_time) < 2:
        raise InputError("export to fe: the result has fewer than two poses.")
    time, velocity, spin = motion_curves(result.recording)
    contact, joint = body_loads(result.recording, geometry)
    texts = {
        "main.k": _main(result, system),
        "segments.k": _segments(result, system),
        "motion.k": _motion(result, system, time, velocity, spin),
        "loads.k": _loads(result, system, contact, joint),
        "motion.csv": csv_text(_motion_table(result)),
        "loads.csv": csv_text(_loads_table(result, contact, joint)),
    }
    return [write_text(folder / name, text) for name, text in texts.items()]


# motion


def motion_curves(recording: Recording) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return times (n,) [s], velocities and angular velocities (n, body, 3) that integrate to the recorded poses.

    n is twice the number of poses less one: the poses, and the middles between them.
    """
    when, velocity, spin = recording.pose_time, recording.velocity, recording.angular_velocity
    step = np.diff(when)[:, None, None]
    moved = np.diff(recording.position, axis=0)
    middle_velocity = 2.0 * moved / step - 0.5 * (velocity[1:] + velocity[:-1])
    wanted = _relative(recording.orientation[1:], recording.orientation[:-1])
    middle_spin = 2.0 * _vector(wanted) / step - 0.5 * (spin[1:] + spin[:-1])
    for _ in range(_ROUNDS):
        turned = turned_by(spin[:-1], middle_spin, spin[1:], step)
        middle_spin += 2.0 * _vector(wanted @ np.swapaxes(turned, -1, -2)) / step
    time = _between(when, 0.5 * (when[1:] + when[:-1]))
    return time, _between(velocity, middle_velocity), _between(spin, middle_spin)


def turned_by(start: np.ndarray, middle: np.ndarray, end: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return the rotation (..., 3, 3) over a step [s] of an angular velocity, linear between three values [rad/s].

    Exponentials of the mean over small steps, after Magnus: fourth order.
    """
    total = np.broadcast_to(np.eye(3), (*start.shape[:-1], 3, 3))
    small = 0.5 * step / _FINE
    for first, last in ((start, middle), (middle, end)):
        for part in range(_FINE):
            low, high = (first + (last - first) * share for share in (part / _FINE, (part + 1) / _FINE))
            # of a straight piece the commutator is exact to fourth order: h2/12 [w1, w0] in body-fixed order
            vector = 0.5 * small * (low + high) + small**2 / 12.0 * np.cross(high, low)
            total = rotation_matrices(vector.reshape(-1, 3)).reshape(*vector.shape[:-1], 3, 3) @ total
    return np.asarray(total)


def _between(values: np.ndarray, middles: np.ndarray) -> np.ndarray:
    """Values and the middles between them, in order."""
    joined = np.empty((2 * len(values) - 1, *values.shape[1:]))
    joined[::2], joined[1::2] = values, middles
    return joined


def _relative(after: np.ndarray, before: np.ndarray) -> np.ndarray:
    """The rotation (..., 3, 3) in the world from one orientation to another (unit quaternions)."""
    return _matrix(after) @ np.swapaxes(_matrix(before), -1, -2)


def _matrix(quaternion: np.ndarray) -> np.ndarray:
    from scipy.spatial.transform import Rotation

    flat = np.roll(quaternion.reshape(-1, 4), -1, axis=1)
    return np.asarray(Rotation.from_quat(flat).as_matrix()).reshape(*quaternion.shape[:-1], 3, 3)


def _vector(turn: np.ndarray) -> np.ndarray:
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(turn.reshape(-1, 3, 3)).as_rotvec()).reshape(turn.shape[:-1])


# loads


def body_loads(recording: Recording, geometry: Geometry) -> tuple[np.ndarray, np.ndarray]:
    """Return contact and joint loads on every body (P, body, 6): force [N], and moment about the centre of mass [N m].

    What is touched gets the opposite: a body, or the one that carries the plane or the part of a surface. (An older
    result does not name the parts of a vehicle, which then gets nothing.)
    """
    place = {name: index for index, name in enumerate(recording.bodies)}
    carriers = place | {name: body for name, body in geometry.carriers().items() if body >= 0}
    count = (len(recording.pose_time), len(place), 6)
    contact, joint = np.zeros(count), np.zeros(count)

    def add(total: np.ndarray, body: int, force: np.ndarray, moment: np.ndarray | float, point: np.ndarray) -> None:
        total[:, body, :3] += force
        total[:, body, 3:] += moment + np.cross(point - recording.position[:, body], force)

    for pair, (name, other) in enumerate(recording.pairs):
        force = recording.contact_force[:, pair]
        # where there is no force there is no point either
        point = np.where(np.any(force, axis=1, keepdims=True), np.nan_to_num(recording.contact_point[:, pair]), 0.0)
        add(contact, place[name], force, 0.0, point)
        if other in carriers:
            add(contact, carriers[other], -force, 0.0, point)
    turn = _matrix(recording.orientation)
    for body, parent in enumerate(geometry.joint_parent.tolist()):
        if recording.joint_types[body] == "free":
            continue
        point = recording.position[:, body] + turn[:, body] @ geometry.joint_point_child[body]
        force, moment = recording.joint_force[:, body], recording.joint_moment[:, body]
        add(joint, body, force, moment, point)
        if parent >= 0:
            add(joint, parent, -force, -moment, point)
    return contact, joint


# keyword files


def _head(result: Result, system: Units, what: str) -> list[str]:
    facts = [f"$ {name}: {text}" for name, text in about(result).items()]
    return ["*KEYWORD", f"$ {what}", *facts, f"$ units: {system.names}; axes: x forward, y left, z up"]


def _main(result: Result, system: Units) -> str:
    names = result.recording.bodies
    table = [f"$   part {number:4d}  {name}" for number, name in enumerate(names, start=1)]
    end = result.recording.pose_time[-1] * system.second
    return _text(
        [
            *_head(result, system, "Motion of the segments as boundary conditions"),
            "$ loads.k is for parts whose motion is not prescribed: include it instead of motion.k, not in addition.",
            *table,
            "*TITLE",
            (result.title or result.name or "vitruvian")[:80],
            "*CONTROL_TERMINATION",
            _card(end),
            "*DATABASE_BINARY_D3PLOT",
            _card(1e-3 * system.second),
            "*INCLUDE",
            "segments.k",
            "*INCLUDE",
            "motion.k",
            "$*INCLUDE",
            "$loads.k",
            "*END",
        ]
    )


def _segments(result: Result, system: Units) -> str:
    """Rigid parts with shells, at the first pose."""
    recording, geometry = result.recording, result.geometry
    assert geometry is not None
    turn = _matrix(recording.orientation[0])
    lines = _head(result, system, "Bodies as rigid parts at the first pose; their own mesh may take their place")
    lines += ["*SECTION_SHELL", _card(1, 2), _card(*[_THICK * system.metre] * 4)]
    # of steel, so that contact stiffness is something; a rigid part has its mass from *PART_INERTIA
    modulus = 210e9 * system.newton / system.metre**2
    density = 7850.0 * system.kilogram / system.metre**3
    lines += ["*MAT_RIGID", _card(1, density, modulus, 0.3), _card(0.0, 0, 0), _card(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)]
    nodes: list[str] = []
    shells: list[str] = []
    node = shell = 0
    for body, name in enumerate(recording.bodies):
        vertices, triangles = _hull(geometry, body)
        place = recording.position[0, body]
        points = (place + vertices @ turn[body].T) * system.metre
        nodes += [f"{node + k:8d}{x:16.8g}{y:16.8g}{z:16.8g}" for k, (x, y, z) in enumerate(points.tolist(), start=1)]
        shells += [
            f"{shell + k:8d}{body + 1:8d}{node + a + 1:8d}{node + b + 1:8d}{node + c + 1:8d}{node + c + 1:8d}"
            for k, (a, b, c) in enumerate(triangles.tolist(), start=1)
        ]
        node, shell = node + len(points), shell + len(triangles)
        velocity = recording.velocity[0, body] * system.metre / system.second
        spin = recording.angular_velocity[0, body] / system.second
        mass = geometry.body_mass[body]
        inertia = _inertia(geometry, body, turn[body]) * system.kilogram * system.metre**2
        lines += [
            "*PART_INERTIA",
            name,
            _card(body + 1, 1, 1),
            _card(*(place * system.metre), mass * system.kilogram, 0),
            _card(inertia[0, 0], inertia[0, 1], inertia[0, 2], inertia[1, 1], inertia[1, 2], inertia[2, 2]),
            _card(*velocity, *spin),
        ]
    return _text([*lines, "*NODE", *nodes, "*ELEMENT_SHELL", *shells, "*END"])


def _hull(geometry: Geometry, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices [m] and triangles of all that a body shows, in its frame; a small tetrahedron if nothing."""
    parts = [mesh(geometry.shape(row), _SIDES) for row in np.flatnonzero(geometry.shape_body == body).tolist()]
    mine = geometry.triangle_vertices[geometry.triangle_body == body]
    if len(mine):
        used, faces = np.unique(mine, return_inverse=True)
        parts.append((geometry.vertex_position[used], faces.reshape(-1, 3)))
    if not parts:
        corners = 0.01 * np.array([(1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)])
        parts.append((corners, np.array([(0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)])))
    offsets = np.cumsum([0, *(len(vertices) for vertices, _ in parts[:-1])])
    triangles = [faces + offset for (_, faces), offset in zip(parts, offsets, strict=True)]
    return np.concatenate([vertices for vertices, _ in parts]), np.concatenate(triangles)


def _inertia(geometry: Geometry, body: int, turn: np.ndarray) -> np.ndarray:
    """Return the inertia about the centre of mass, world axes (3, 3) [kg m2], of an ellipsoid of the body's size.

    The result does not store the inertia, and a part whose motion is prescribed does not need it.
    """
    sizes = [
        geometry.shape_semi_axes[geometry.shape_body == body],
        geometry.outline_semi_axes[geometry.outline_body == body],
    ]
    half = np.concatenate(sizes)
    a, b, c = half.max(axis=0) if len(half) else (0.1, 0.1, 0.1)
    principal = geometry.body_mass[body] / 5.0 * np.diag([b * b + c * c, c * c + a * a, a * a + b * b])
    return np.asarray(turn @ principal @ turn.T)


def _motion(result: Result, system: Units, time: np.ndarray, velocity: np.ndarray, spin: np.ndarray) -> str:
    lines = _head(result, system, "Velocities [dof 1 to 3] and angular velocities about world axes [dof 5 to 7]")
    both = np.concatenate([velocity * system.metre / system.second, spin / system.second], axis=2)
    when = time * system.second
    for body, name in enumerate(result.recording.bodies):
        for component, dof in enumerate(_DOF):
            curve = 10 * (body + 1) + dof
            # part, degree of freedom, velocity (VAD 0), curve, scale
            lines += ["*BOUNDARY_PRESCRIBED_MOTION_RIGID", _card(body + 1, dof, 0, curve, 1.0)]
            lines += _curve(curve, f"{name} velocity {_LETTERS[component]}", when, both[:, body, component])
    return _text([*lines, "*END"])


def _loads(result: Result, system: Units, contact: np.ndarray, joint: np.ndarray) -> str:
    lines = _head(result, system, "Forces [dof 1 to 3] and moments about the centre of mass [dof 5 to 7]")
    when = result.recording.pose_time * system.second
    scale = system.newton * np.array([1.0, 1.0, 1.0, system.metre, system.metre, system.metre])
    for first, what, loads in ((100000, "contact", contact), (200000, "joint", joint)):
        for body, name in enumerate(result.recording.bodies):
            for component, dof in enumerate(_DOF):
                values = loads[:, body, component] * scale[component]
                if values.any():
                    curve = first + 10 * (body + 1) + dof
                    lines += ["*LOAD_RIGID_BODY", _card(body + 1, dof, curve, 1.0)]
                    lines += _curve(curve, f"{name} {what} load {_LETTERS[component]}", when, values)
    return _text([*lines, "*END"])


def _curve(number: int, title: str, time: np.ndarray, values: np.ndarray) -> Iterator[str]:
    yield "*DEFINE_CURVE_TITLE"
    yield title[:80]
    yield _card(number, 0, 1.0, 1.0, 0.0, 0.0)
    for moment, value in zip(time.tolist(), values.tolist(), strict=True):
        yield f"{moment:20.12g}{value:20.12g}"


def _card(*fields: float) -> str:
    """Return a card of fields of ten characters: integers as such, other numbers with as many digits as fit."""
    return "".join(f"{field:10d}" if isinstance(field, int) else f"{_nine(float(field)):>10s}" for field in fields)


def _nine(number: float) -> str:
    """A number in at most nine characters, with a point."""
    texts = (f"{number:.{digits}g}" for digits in range(9, 0, -1))
    pointed = (text if "." in text or "e" in text else f"{text}." for text in texts)
    return next(text for text in pointed if len(text) <= 9)


def _text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


# tables


def _motion_table(result: Result) -> list[Column]:
    recording = result.recording
    table = _keys(result)
    for name, unit, parts, samples in (
        ("position", "m", "xyz", recording.position),
        ("orientation", "-", "wxyz", recording.orientation),
        ("velocity", "m/s", "xyz", recording.velocity),
        ("angular_velocity", "rad/s", "xyz", recording.angular_velocity),
    ):
        flat = samples.reshape(-1, len(parts))
        table += [Column(f"{name}.{part}", flat[:, k], unit, f"{name}, world axes") for k, part in enumerate(parts)]
    return table


def _loads_table(result: Result, contact: np.ndarray, joint: np.ndarray) -> list[Column]:
    table = _keys(result)
    for what, loads in (("contact", contact), ("joint", joint)):
        flat = loads.reshape(-1, 6)
        for quantity, unit, first in (("force", "N", 0), ("moment", "N m", 3)):
            meaning = f"{quantity} of the {what}s at the centre of mass, world axes"
            table += [
                Column(f"{what}_{quantity}.{axis}", flat[:, first + k], unit, meaning) for k, axis in enumerate("xyz")
            ]
    return table


def _keys(result: Result) -> list[Column]:
    names = np.array(result.recording.bodies, dtype=object)
    when = result.recording.pose_time
    bodies = np.tile(names, len(when))
    return [Column("time", np.repeat(when, len(names)), "s", "time"), Column("body", bodies, "", "name of the body")]
