"""A result as a file for MuJoCo: bodies, joints with their ranges, shapes, surfaces, and the states at start and end.

MuJoCo then continues alone: load the file, reset to the key "start" and simulate. Elements without a counterpart in
MuJoCo are left out and listed in the file: springs, loads, prescribed motion (the joint remains, its motion becomes
free), torque curves and cones of joints, contact with surfaces other than planes at rest (they are drawn). Contact
forces are those of MuJoCo.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np

from .._files import write_text
from ..errors import InputError
from ..model import Ellipsoid, Joint, Plane, Resistance, Superellipsoid, System
from ..model.pose import rotation_matrix
from ..sim.recording import Recording
from .mjcf import JOINTS, mjcf
from .mjcf import numbers_text as _text
from .output import about

if TYPE_CHECKING:
    from ..sim.result import Result

_SKIN, _THING, _SURFACE = "0.85 0.65 0.52 1", "0.45 0.60 0.75 1", "0.80 0.79 0.76 1"


def write(
    result: Result,
    system: System,
    path: str | Path,
    *,
    contact: bool = True,
    resistance: bool = True,
    step: float = 1e-3,
) -> tuple[Path, list[str]]:
    """Write the file; also returns sentences on what was left out.

    system      what was simulated: of a scenario, `Scenario.build()[0]`
    contact     shapes touch the planes, by MuJoCo's soft contact
    resistance  stiffness, damping and range of the joints
    step        of MuJoCo's integrator [s]
    """
    text, notes = document(result, system, contact=contact, resistance=resistance, step=step)
    return write_text(path, text), notes


def document(
    result: Result, system: System, *, contact: bool = True, resistance: bool = True, step: float = 1e-3
) -> tuple[str, list[str]]:
    """The file as text, and what was left out."""
    if tuple(sorted(body.name for body in system.bodies)) != tuple(sorted(result.recording.bodies)):
        raise InputError("export to MJCF: the bodies of the system are not those of the result.")
    last = len(result.sound.recording.pose_time) - 1
    if last < 0:
        raise InputError("export to MJCF: the result holds no pose.")
    plain, notes = _plain(system, contact)
    root = ElementTree.fromstring(mjcf(plain, contact=contact, resistance=resistance, step=step))
    root.set("model", result.name or "vitruvian")
    bodies = {str(body.get("name")): body for body in root.iter("body")}
    _draw(root, bodies, plain, result, shapes=not contact)
    keys = ElementTree.SubElement(root, "keyframe")
    for name, sample in (("start", 0), ("end", last)):
        qpos, qvel = state(plain, result.recording, sample, list(bodies))
        time = _text(result.recording.pose_time[sample])
        ElementTree.SubElement(keys, "key", name=name, time=time, qpos=_text(qpos), qvel=_text(qvel))
    custom = ElementTree.SubElement(root, "custom")
    facts = about(result) | {"units": "SI; x forward, y left, z up"} | {
        f"left out {number}": note for number, note in enumerate(notes, start=1)
    }  # fmt: skip
    for name, text in facts.items():
        ElementTree.SubElement(custom, "text", name=name.replace(" ", "_"), data=text)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n", notes


def state(system: System, recording: Recording, sample: int, order: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return MuJoCo's qpos and qvel of a recorded pose, bodies in the order of the file.

    A free joint: place [m] and quaternion, velocity [m/s] and angular velocity in body axes [rad/s]. A ball: rotation
    of the child out of the zero of the joint, relative angular velocity in axes of the child. Slides and hinges: the
    coordinates and rates of the relative motion of the two bodies, angles within half a turn.
    """
    qpos, qvel = [], []
    for name in order:
        joint = system.joint_of(name)
        here = _Place.of(recording, sample, name)
        if joint.type == "free":
            qpos += [here.position, _quaternion(here.turn)]
            qvel += [here.velocity, here.turn.T @ here.spin]
            continue
        parent = _Place.of(recording, sample, joint.parent)
        zero = rotation_matrix(joint.frame_parent) @ rotation_matrix(joint.frame_child).T
        spin = here.spin - parent.spin
        if joint.type == "spherical":
            qpos.append(_quaternion((parent.turn @ zero).T @ here.turn))
            qvel.append(here.turn.T @ spin)
        elif joint.type != "rigid":
            coordinates, rates = _axes(joint, here, parent)
            qpos.append(coordinates)
            qvel.append(rates)
    return np.concatenate(qpos), np.concatenate(qvel)


class _Place:
    """Position [m], rotation matrix, velocity [m/s] and angular velocity [rad/s] of a body, world axes."""

    def __init__(self, position: np.ndarray, turn: np.ndarray, velocity: np.ndarray, spin: np.ndarray) -> None:
        self.position, self.turn, self.velocity, self.spin = position, turn, velocity, spin

    @classmethod
    def of(cls, recording: Recording, sample: int, name: str | None) -> _Place:
        if name is None:
            return cls(np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3))
        body = recording.bodies.index(name)
        return cls(
            recording.position[sample, body],
            rotation_matrix(recording.orientation[sample, body]),
            recording.velocity[sample, body],
            recording.angular_velocity[sample, body],
        )


def _axes(joint: Joint, here: _Place, parent: _Place) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates [m, rad] and rates [m/s, rad/s] of the slides and hinges of a joint."""
    at_parent = parent.turn @ rotation_matrix(joint.frame_parent)
    at_child = here.turn @ rotation_matrix(joint.frame_child)
    arm = here.turn @ np.array(joint.point_child)
    offset = here.position + arm - parent.position
    turn = at_parent.T @ at_child
    shift = at_parent.T @ (offset - parent.turn @ np.array(joint.point_parent))
    # the velocity of the joint point of the child, seen from the parent
    slip = here.velocity + np.cross(here.spin, arm) - parent.velocity - np.cross(parent.spin, offset)
    spin = here.spin - parent.spin

    kinds = JOINTS[joint.type]
    angle = {0: np.arctan2(turn[2, 1], turn[1, 1]), 1: np.arctan2(turn[0, 2], turn[0, 0])}
    angle[2] = np.arctan2(turn[1, 0], turn[0, 0])
    coordinates = np.array([shift[axis] if kind == "slide" else angle[axis] for kind, axis in kinds])
    rates = np.zeros(len(kinds))
    for wanted, motion in (("slide", slip), ("hinge", spin)):
        rows = [number for number, (kind, _) in enumerate(kinds) if kind == wanted]
        if rows:
            # the second hinge of a universal joint turns with the child, every other axis is fixed in the parent
            frames = [at_child if wanted == "hinge" and kinds[n][1] == 1 else at_parent for n in rows]
            axes = np.column_stack([frame[:, kinds[n][1]] for n, frame in zip(rows, frames, strict=True)])
            rates[rows] = np.linalg.lstsq(axes, motion, rcond=None)[0]
    return coordinates, rates


def _quaternion(turn: np.ndarray) -> np.ndarray:
    """The unit quaternion of a rotation matrix, scalar first."""
    from scipy.spatial.transform import Rotation

    return np.roll(Rotation.from_matrix(turn).as_quat(), 1)


# what MuJoCo can take


def _plain(system: System, contact: bool) -> tuple[System, list[str]]:
    """The system without what has no counterpart, and sentences on that."""
    notes = []
    for kind, items in (
        ("springs", system.springs),
        ("loads", system.loads),
        ("torsion springs", system.torsion_springs),
        ("passive muscles", system.tendons),
        ("closed loops", system.loops),
        ("contact between bodies", system.contacts),
    ):
        if items:
            notes.append(f"{kind}: {', '.join(item.name for item in items)}")
    joints, driven, shaped = [], [], []
    for joint in system.joints:
        if joint.motion is not None:
            driven.append(joint.name)
            joint = replace(joint, motion=None)
        law = joint.resistance
        if law is not None and (law.cone is not None or any(law.curve)):
            shaped.append(joint.name)
            joint = replace(joint, resistance=_springs_only(law))
        joints.append(joint)
    if driven:
        notes.append(f"prescribed motion of {', '.join(driven)}: the joint moves freely")
    if shaped:
        notes.append(f"torque curves and cones of {', '.join(shaped)}: springs, dampers and the widest limit stay")
    bodies, rounded = [], []
    for body in system.bodies:
        if any(isinstance(shape, Superellipsoid) for shape in body.shapes):
            rounded.append(body.name)
            shapes = [
                Ellipsoid(s.half_size, s.offset, s.rotation) if isinstance(s, Superellipsoid) else s
                for s in body.shapes
            ]
            body = replace(body, shapes=tuple(shapes))
        bodies.append(body)
    if rounded:
        notes.append(f"superellipsoids of {', '.join(rounded)}: ellipsoids of the same size")
    at_rest = tuple(s for s in system.surfaces if isinstance(s, Plane) and s.carrier is None)
    other = [s.name for s in system.surfaces if s not in at_rest]
    if other and contact:
        notes.append(f"contact with {', '.join(other)}: drawn, not touched")
    if contact:
        notes.append("contact laws: MuJoCo's soft contact with its defaults; friction is that of the planes")
    nothing: dict[str, tuple[()]] = dict.fromkeys(
        ("springs", "loads", "torsion_springs", "tendons", "loops", "contacts"), ()
    )
    return system.replace(bodies=tuple(bodies), joints=tuple(joints), surfaces=at_rest, **nothing), notes


def _springs_only(law: Resistance) -> Resistance:
    """Stiffness, damping and limits without curves and cone; the widest angle of the cone in its place."""
    changes: dict[str, object] = {"curve": (None, None, None)}
    if law.cone is not None:
        widest = law.cone.extremes()[1]
        changes |= {
            "cone": None,
            "law": "rotation_vector",
            "limit_minus": (-widest, -widest, law.limit_minus[2]),
            "limit_plus": (widest, widest, law.limit_plus[2]),
        }
    return replace(law, **changes)  # type: ignore[arg-type]


# what is seen


def _draw(
    root: ElementTree.Element,
    bodies: dict[str, ElementTree.Element],
    system: System,
    result: Result,
    *,
    shapes: bool,
) -> None:
    """Colours, shapes where there is no contact, and surfaces of faces as meshes."""
    if shapes:
        touching = ElementTree.fromstring(mjcf(system, contact=True))
        for body in touching.iter("body"):
            for geom in body.findall("geom"):
                geom.set("conaffinity", "0")
                bodies[str(body.get("name"))].append(geom)
    for name, body in bodies.items():
        for geom in body.findall("geom"):
            geom.set("rgba", _SKIN if result.roster.part(name).region else _THING)
    geometry = result.geometry
    world = root.find("worldbody")
    assert world is not None
    for geom in world.findall("geom"):
        geom.set("rgba", _SURFACE)
    if geometry is None or not len(geometry.triangle_body):
        return
    assets = ElementTree.Element("asset")
    root.insert(list(root).index(world), assets)
    for body in np.unique(geometry.triangle_body).tolist():
        name = "faces" if body < 0 else f"{result.recording.bodies[body]}.faces"
        used, faces = np.unique(geometry.triangle_vertices[geometry.triangle_body == body], return_inverse=True)
        vertices = _text(geometry.vertex_position[used])
        numbers = " ".join(map(str, faces.ravel().tolist()))
        ElementTree.SubElement(assets, "mesh", name=name, vertex=vertices, face=numbers, inertia="shell")
        carrier = world if body < 0 else bodies[result.recording.bodies[body]]
        look = {"rgba": _SURFACE, "contype": "0", "conaffinity": "0", "mass": "0"}
        ElementTree.SubElement(carrier, "geom", type="mesh", mesh=name, attrib=look)
