"""A system as MJCF, the model format of MuJoCo. SI units.

Body frames lie at the centre of mass, as here, and inertia is written out, so that nothing is guessed from shapes.

| joint       | MJCF                                   |
|-------------|----------------------------------------|
| free        | freejoint                              |
| spherical   | ball                                   |
| revolute    | hinge                                  |
| universal   | two hinges                             |
| cylindrical | slide and hinge along one axis         |
| prismatic   | slide                                  |
| planar      | two slides and a hinge                 |
| translational | three slides                         |
| rigid       | none                                   |

Springs, loads and prescribed motion have no counterpart here and are refused.
"""

from __future__ import annotations

from math import isfinite
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ..errors import InputError
from ..model import Body, Capsule, Cylinder, Joint, Plane, Resistance, Shape, Sphere, Superellipsoid, System
from ..model.pose import rotation_matrix

Element = ElementTree.Element

#: joint type -> (kind in MJCF, axis of the joint frame), in the order in which MJCF applies them
JOINTS: dict[str, tuple[tuple[str, int], ...]] = {
    "revolute": (("hinge", 2),),
    "universal": (("hinge", 0), ("hinge", 1)),
    "cylindrical": (("slide", 2), ("hinge", 2)),
    "prismatic": (("slide", 2),),
    "planar": (("slide", 0), ("slide", 1), ("hinge", 2)),
    "translational": (("slide", 0), ("slide", 1), ("slide", 2)),
    "rigid": (),
}
#: number of our coordinate that each of them takes
ORDER = {
    "revolute": (0,),
    "universal": (0, 1),
    "cylindrical": (1, 0),
    "prismatic": (0,),
    "planar": (0, 1, 2),
    "translational": (0, 1, 2),
}


def mjcf(system: System, *, contact: bool = False, resistance: bool = False, step: float = 1e-3) -> str:
    """Return the system as MJCF text.

    contact     ellipsoids that touch the surfaces, by MuJoCo's own soft contact with its defaults
    resistance  springs, dampers and limits of the joints in MuJoCo's terms; of a spherical joint one stiffness and
                damping (the means of ours) and one largest angle (our widest limit) for all directions
    step        of its integrator [s]
    """
    for kind, items in (
        ("springs", system.springs),
        ("loads", system.loads),
        ("torsion_springs", system.torsion_springs),
    ):
        if items:
            raise InputError(f"export to MJCF: {kind} have no counterpart there; leave {items[0].name!r} out.")
    root = ElementTree.Element("mujoco", model="vitruvian")
    ElementTree.SubElement(root, "compiler", angle="radian", autolimits="true", balanceinertia="false")
    option = ElementTree.SubElement(root, "option", timestep=numbers_text(step), gravity=numbers_text(*system.gravity))
    if not contact:
        ElementTree.SubElement(option, "flag", contact="disable")
    default = ElementTree.SubElement(root, "default")
    ElementTree.SubElement(default, "joint", armature="0", damping="0", stiffness="0")
    world = ElementTree.SubElement(root, "worldbody")
    if contact:
        for plane in system.surfaces:
            if not isinstance(plane, Plane) or plane.carrier is not None:
                raise InputError(
                    f"export to MJCF: the surface {plane.name!r} is no plane at rest; export without contact."
                )
            ElementTree.SubElement(
                world,
                "geom",
                name=plane.name,
                type="plane",
                size="0 0 1",
                pos=numbers_text(*plane.point),
                zaxis=numbers_text(*plane.normal),
                friction=numbers_text(plane.contact.friction, 0.0, 0.0),
                contype="1",
                conaffinity="0",
            )
    elements: dict[str | None, Element] = {None: world}
    for name in system.order:
        joint = system.joint_of(name)
        if joint.motion is not None:
            raise InputError(f"export to MJCF: the prescribed motion of joint {joint.name!r} has no counterpart there.")
        elements[name] = _body(elements[joint.parent], system.body(name), joint, contact, resistance)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode")


def _body(parent: Element, body: Body, joint: Joint, contact: bool, resistance: bool) -> Element:
    """A body with its joint, inertia and shapes."""
    turn = rotation_matrix(joint.frame_parent) @ rotation_matrix(joint.frame_child).T
    place = np.array(joint.point_parent) - turn @ np.array(joint.point_child)
    if joint.type == "free":
        turn, place = np.eye(3), np.zeros(3)
    element = ElementTree.SubElement(
        parent, "body", name=body.name, pos=numbers_text(*place), xyaxes=numbers_text(*turn[:, 0], *turn[:, 1])
    )
    _joints(element, joint, resistance)
    inertia = body.inertia
    ElementTree.SubElement(
        element,
        "inertial",
        pos="0 0 0",
        mass=numbers_text(body.mass),
        fullinertia=numbers_text(*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]),
    )
    if contact:
        for shape in body.shapes:
            ElementTree.SubElement(
                element,
                "geom",
                type=shape.kind,
                size=numbers_text(*_geom_size(shape)),
                pos=numbers_text(*shape.offset),
                quat=numbers_text(*shape.rotation),
                contype="0",
                conaffinity="1",
            )
    return element


def _geom_size(shape: Shape) -> tuple[float, ...]:
    """Return the MJCF size of a geom: half dimensions, for a capsule without its ends [m]."""
    if isinstance(shape, Superellipsoid):
        raise InputError("export to MJCF: a superellipsoid has no counterpart there; an ellipsoid or a box has.")
    if isinstance(shape, Sphere):
        return (shape.radius,)
    if isinstance(shape, Capsule | Cylinder):
        return shape.radius, 0.5 * shape.length
    return shape.half_size


def _joints(element: Element, joint: Joint, resistance: bool) -> None:
    """The one to three MJCF joints that make a joint."""
    if joint.type == "free":
        ElementTree.SubElement(element, "freejoint", name=joint.name)
    elif joint.type == "spherical":
        if resistance and joint.resistance is not None and (joint.resistance.cone or any(joint.resistance.curve)):
            raise InputError(
                f"joint {joint.name!r}: MuJoCo knows neither a cone of circumduction nor a torque curve; "
                "export without resistance."
            )
        laws = _ball_law(joint.resistance) if resistance and joint.resistance else {}
        ElementTree.SubElement(
            element, "joint", name=joint.name, type="ball", pos=numbers_text(*joint.point_child), attrib=laws
        )
    else:
        axes = rotation_matrix(joint.frame_child)
        for number, (kind, axis) in enumerate(JOINTS[joint.type]):
            law = joint.resistance if resistance else None
            ElementTree.SubElement(
                element,
                "joint",
                name=joint.name if number == 0 else f"{joint.name}.{number}",
                type=kind,
                pos=numbers_text(*joint.point_child),
                axis=numbers_text(*axes[:, axis]),
                attrib=_axis_law(law, ORDER[joint.type][number]) if law else {},
            )


def _ball_law(law: Resistance) -> dict[str, str]:
    """Stiffness [N m/rad], damping [N m s/rad] and largest angle [rad] of a ball joint."""
    attributes = {
        "stiffness": numbers_text(float(np.mean(law.stiffness))),
        "damping": numbers_text(float(np.mean(law.damping))),
    }
    widest = max(max(-low, high) for low, high in zip(law.limit_minus, law.limit_plus, strict=True))
    if isfinite(widest):
        attributes["range"] = numbers_text(0.0, min(widest, 3.1))
    return attributes


def _axis_law(law: Resistance, coordinate: int) -> dict[str, str]:
    """Stiffness, damping, rest and range of one coordinate of a joint (SI)."""
    attributes = {
        "stiffness": numbers_text(law.stiffness[coordinate]),
        "damping": numbers_text(law.damping[coordinate]),
        "springref": numbers_text(law.rest[coordinate]),
    }
    limits = law.limit_minus[coordinate], law.limit_plus[coordinate]
    if isfinite(limits[0]) and isfinite(limits[1]):
        attributes["range"] = numbers_text(*limits)
    return attributes


def numbers_text(*numbers: Any) -> str:
    """Numbers with all digits."""
    return " ".join(repr(float(number)) for number in np.ravel(numbers))
