"""Muscle tone: people who hold the posture in which they start, until a time or a contact. SI units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..kernels import layout
from .frame import ZERO, Vector
from .validation import finite_vector, not_negative

if TYPE_CHECKING:
    from .contact_candidate import Pair


@dataclass(frozen=True)
class HeldJoint:
    """A joint that muscles hold, by axis of the parent's joint frame, or by coordinate.

    held       posture: a unit quaternion of a spherical joint, otherwise the coordinates [rad]
    torque     that holds the posture at the start [N m]
    stiffness  against turns from it [N m/rad]
    damping    [N m s/rad]
    strength   largest torque of the muscles [N m]
    """

    joint: str
    held: tuple[float, ...]
    torque: Vector = ZERO
    stiffness: Vector = ZERO
    damping: Vector = ZERO
    strength: Vector = ZERO

    def __post_init__(self) -> None:
        where = f"tone of joint {self.joint!r}"
        for name in ("torque", "stiffness", "damping", "strength"):
            object.__setattr__(self, name, finite_vector(getattr(self, name), f"{where}: {name}"))
            if name != "torque":
                for value in getattr(self, name):
                    not_negative(value, f"{where}: {name}", "(SI)")

    def row(self) -> tuple[float, ...]:
        """Return the row of `model.tone`."""
        held = (*self.held, 0.0, 0.0, 0.0)[:4]
        return (*self.torque, *held, *self.stiffness, *self.damping, *self.strength)


@dataclass(frozen=True)
class Tone:
    """A person whose muscles hold joints.

    joints  those that are held
    until   time at which the muscles let go [s]; the first contact if that is earlier
    fade    time over which they do [s]
    bodies  of the person: a contact of one of them with anything but themselves ends the tone
    feet    of these, bodies whose contact with a surface at rest does not
    alarmed whether a contact ends the tone
    """

    name: str
    joints: tuple[HeldJoint, ...]
    until: float = np.inf
    fade: float = 0.1
    bodies: tuple[str, ...] = ()
    feet: tuple[str, ...] = ()
    alarmed: bool = True

    def __post_init__(self) -> None:
        not_negative(self.fade, f"tone {self.name!r}: fade", "s")
        if not self.until >= 0.0:
            raise InputError(f"tone {self.name!r}: until is {self.until} s; give a time of at least zero.")

    @property
    def note(self) -> str:
        """Return in a sentence what the muscles do."""
        weak = [
            f"{held.joint} ({needed:.0f} N m needed, {held.strength[0]:.0f} N m there)"
            for held in self.joints
            if (needed := max(map(abs, held.torque))) > held.strength[0]
        ]
        return f"Its muscles hold the posture{', but are too weak at ' + ', '.join(weak) if weak else ''}."

    def ends_with(self, body: str, other: str, resting: bool) -> bool:
        """Whether the contact of a body with another body or surface ends the tone.

        resting  the other is a surface fixed in the world
        """
        if not self.alarmed or (body in self.bodies) == (other in self.bodies):
            return False
        return not (resting and body in self.feet)


def fill_tones(
    tones: Sequence[Tone],
    joints: list[str],
    pairs: list[Pair],
    resting: set[str],
    arrays: dict[str, np.ndarray],
) -> None:
    """Fill the tables of muscle tone.

    joints   names, by number
    resting  names of the surfaces fixed in the world
    """
    rows = [(joints.index(held.joint), p, held) for p, tone in enumerate(tones) for held in tone.joints]
    arrays["tone_joint"] = np.array([(i, p) for i, p, _ in rows], np.int64).reshape(-1, 2)
    arrays["tone"] = np.array([held.row() for *_, held in rows], float).reshape(-1, layout.tone.COUNT)
    arrays["tone_person"] = np.array([(tone.until, tone.fade) for tone in tones], float).reshape(-1, 2)
    arrays["alarm"] = np.full((len(pairs), 2), -1, np.int64)
    for c, pair in enumerate(pairs):
        ended = [p for p, tone in enumerate(tones) if tone.ends_with(pair.body, pair.other, pair.other in resting)]
        arrays["alarm"][c, : len(ended)] = ended
    for i, *_ in rows:  # a joint without resistance turns freely only where no muscle holds it
        resists = arrays["joint"][i, layout.joint.RESISTS]
        arrays["joint"][i, layout.joint.RESISTS] = max(int(resists), layout.resists.SOFT)
