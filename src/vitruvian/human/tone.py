"""Muscle tone: people hold the posture in which they start until something happens. SI units.

The torque that holds the posture is found by inverse dynamics: with every joint locked where it starts, the moment that
the lock bears, less the passive resistance, is what the muscles must bear. Changes of the posture are resisted by a
stiffness and a damping in proportion to the strength of the joint,

    stiffness = strength/0.5 rad,   damping = 0.03 s stiffness,

which at the two ankles of a standing man is 0.7 of weight times height of the centre of mass, as measured in quiet
standing (Casadio 2005: 0.64; Loram and Lakie 2002: 0.91; both recalled). Angle and time are estimates (0.35 to 0.8
rad, 0.01 to 0.05 s).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .. import data
from ..errors import InputError
from ..kernels import layout
from ..model import Configuration, Joint, System
from ..model.field import field_of
from ..model.frame import Vector
from ..model.pose import rotation_matrix
from ..model.system import GRAVITY
from ..model.tone import HeldJoint, Tone
from ..model.validation import finite_vector
from ..model.value import Choice, Quantity, ReadBy
from .held import SLIDING, locked
from .human17 import Human

if TYPE_CHECKING:
    from ..kernels.types import Work
    from ..model.compile import Compiled

#: tone -> share of stiffness and damping
TONES = {"limp": 0.0, "relaxed": 0.25, "standing": 1.0}
YIELD = 0.5  # turn from the posture at which the muscles give their whole strength [rad]
DELAY = 0.03  # damping over stiffness [s]
FADE = 0.1  # in which muscles let go [s]; estimated, range 0.05 to 0.2
TURNING = {"spherical": 3, "revolute": 1}


@dataclass(frozen=True)
class ToneKeys:
    """How the muscles of a person hold the posture."""

    tone: str = field_of(
        Choice(tuple(TONES)),
        "muscles at the start: limp (none), standing (hold the posture) or relaxed (hold it with a quarter of the "
        "stiffness)",
        default="limp",
    )
    tone_until: float | str = field_of(
        ReadBy(lambda value, where, _: until(value, where), ("number", "string")),
        'when the muscles let go: "contact" (anything touches the person, but the ground its feet), "end" or a time',
        default="contact",
    )
    tone_fade: float | str = field_of("time", "in which they let go", default=FADE)


def until(value: float | str, where: str) -> float | str:
    """Return when muscles let go: "contact", "end", or a time [s]."""
    if value in ("contact", "end"):
        return value
    try:
        return Quantity("time").read(value, where)
    except InputError:
        raise InputError(f'{where} is {value!r}; accepted: "contact", "end", or a time such as "50 ms".') from None


def tone_of(person: Human, alone: System, start: Configuration, keys: ToneKeys) -> Tone | None:
    """Return the muscle tone of a person, or None if limp.

    alone  the person with what carries it at the start: a ground, a seat
    """
    if keys.tone == "limp":
        return None
    names = tuple(body.name for body in person.system.bodies)
    strength = dict(_strengths(person))
    torques = holding_torques(alone, start, tuple(strength))
    held = []
    for name, most in strength.items():
        joint = person.system.joint(name)
        axes = np.arange(3) < TURNING[joint.type]
        stiffness = TONES[keys.tone] * most / YIELD
        laws = [finite_vector(value * axes, "tone") for value in (stiffness, DELAY * stiffness, most)]
        held.append(HeldJoint(name, _place(joint, start), torques[name], *laws))  # type: ignore[arg-type]
    timed = not isinstance(keys.tone_until, str)
    return Tone(
        person.name,
        tuple(held),
        until=float(keys.tone_until) if timed else np.inf,
        fade=float(keys.tone_fade),
        bodies=names,
        feet=tuple(name for name in names if name.endswith("foot")),
        alarmed=keys.tone_until == "contact",
    )


def _strengths(person: Human) -> Iterator[tuple[str, float]]:
    """Yield the joints that muscles hold, with the largest torque [N m]; a joint of a planar person stands for two."""
    table = data.values("joint_strength", person.person.sex)
    for joint in person.system.joints:
        bare = joint.name.removeprefix(person.prefix)
        kind = bare.removeprefix("left_").removeprefix("right_")
        if kind in table and joint.type in TURNING and not joint.motion:
            pair = joint.type == "revolute" and bare == kind and kind in PAIRED and "left_" + kind not in _names(person)
            yield joint.name, (1 + pair) * table[kind]["strength"] * person.mass * -GRAVITY[2] * person.height


PAIRED = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle")


def _names(person: Human) -> set[str]:
    return {joint.name.removeprefix(person.prefix) for joint in person.system.joints}


@dataclass(frozen=True)
class Holding:
    """Inverse dynamics of a held posture, compiled once for many starts that differ in place and motion only.

    system  the person with what carries it
    joints  that are held
    piece   the person with these joints locked where they start; slides are locked, too
    whole   the person as it is
    fixed   names of the locked joints
    """

    system: System
    joints: tuple[str, ...]
    piece: Compiled
    whole: Compiled
    fixed: frozenset[str]

    @classmethod
    def of(cls, system: System, start: Configuration, joints: tuple[str, ...]) -> Holding:
        """Return the inverse dynamics of a person who holds the posture of a start."""
        from ..model.compile import compile_system

        fixed = frozenset(joint.name for joint in system.joints if joint.name in joints or joint.type in SLIDING)
        piece = system.replace(
            joints=tuple(
                locked(joint, start.coordinates.get(joint.name)) if joint.name in fixed else joint
                for joint in system.joints
            ),
            tones=(),
            tendons=(),
            torsion_springs=(),
        )
        return cls(system, joints, compile_system(piece), compile_system(system.replace(tones=())), fixed)

    def torques(self, start: Configuration) -> dict[str, Vector]:
        """Return the torques with which the joints keep the posture of a start [N m].

        In the parent's joint frame of a spherical joint, about the axis of a hinge; what is left of the body moves as
        one piece by the forces on it.
        """
        piece, whole = _evaluated(self.piece, start.without(self.fixed)), _evaluated(self.whole, start)
        bodies, row, at = len(self.piece.bodies), layout.out_row, layout.body
        found: dict[str, Vector] = {}
        for name in self.joints:
            joint, i = self.system.joint(name), self.piece.joints.index(name)
            load = row.BODY * bodies + row.JOINT * i + row.JOINT_REACTION + 3
            parent = piece.body[self.piece.model.joint[i, layout.joint.PARENT], at.ROTATION : at.ROTATION + 9]
            moment = piece.out[load : load + 3]
            passive = whole.body[self.whole.joints.index(name), at.ELASTIC : at.ELASTIC + 3]
            frame = (parent.reshape(3, 3) @ rotation_matrix(joint.frame_parent)).T
            if joint.type == "spherical":
                x, y, z = (frame @ moment - frame @ passive).tolist()
                found[name] = (x, y, z)
            else:
                found[name] = (float((frame @ moment)[2] - passive[0]), 0.0, 0.0)
        return found


def holding_torques(system: System, start: Configuration, joints: tuple[str, ...]) -> dict[str, Vector]:
    """Return the torques with which joints keep the posture of a start [N m], by inverse dynamics."""
    return Holding.of(system, start, joints).torques(start)


def _place(joint: Joint, start: Configuration) -> tuple[float, ...]:
    """Return where a joint starts: a quaternion of a spherical joint, the angle of a hinge [rad]."""
    return start.coordinates.get(joint.name, (1.0, 0.0, 0.0, 0.0) if joint.type == "spherical" else (0.0,))


def _evaluated(compiled: Compiled, start: Configuration) -> Work:
    """Evaluate a state once."""
    from ..kernels import dynamics, integrate
    from ..model.compile import initial_state, make_work

    state, work = initial_state(compiled, start), make_work(compiled)
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    dynamics.accelerations(compiled.model, work, state.memory, state.now.v, 0.0)
    return work
