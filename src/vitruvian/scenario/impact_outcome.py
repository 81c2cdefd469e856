"""The outcome of a pedestrian impact in numbers, as a sentence and as rows of a table. SI units."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..injury.finding import criteria
from ..injury.strike import FirstContact, Throw

#: from which ligaments of a knee tear: the limit of the first legform of the regulations (recalled) [rad]
KNEE_INJURED = float(np.radians(15.0))


@dataclass(frozen=True)
class HeadStrike:
    """The head meets the vehicle.

    time      of the touch [s]; `after` the first contact of the person with the vehicle [s]
    speed     of the head's centre of mass against the vehicle just before [m/s]
    angle     of that velocity to the horizontal, positive downwards [rad]
    part      of the front
    place     on the vehicle: forward from its foremost point, left, up [m]
    wrap_around_distance  from the ground under the front, over the profile, to that place [m]
    """

    time: float
    after: float
    speed: float
    angle: float
    part: str
    place: tuple[float, float, float]
    wrap_around_distance: float


@dataclass(frozen=True)
class KneeLoad:
    """The largest of a knee, loads at CFC 600; in the plane both legs are one, and so are their loads.

    force    [N]; `shear` its part across the shank [N]
    bending  moment across the shank [N m], with what damping beyond the limits of the joint adds
    sideways angle by which the shank leaves the plane in which the thigh and knee swing [rad], to either side
    extension  angle by which the knee is bent forwards, beyond straight [rad]; 0 if it never is
    """

    force: float
    shear: float
    bending: float
    sideways: float
    extension: float


@dataclass(frozen=True)
class Launch:
    """The person leaves the vehicle for the last time.

    time      [s]
    speed     horizontal, of the centre of mass [m/s]; `rise` its vertical part, upwards [m/s]
    ratio     of the speed to that of the vehicle at the first contact [-]
    drop      of the centre of mass from there to the end of the run [m]
    distance  horizontal, of the centre of mass from there to where it is at the end of the run [m]
    """

    time: float
    speed: float
    rise: float
    ratio: float
    drop: float
    distance: float


@dataclass(frozen=True)
class Outcome:
    """A pedestrian impact in numbers.

    vehicle   front, and speed at the first contact [m/s]
    first     time of the first contact with the vehicle [s], or None
    contacts  first touch of every segment with every part of the vehicle, in order
    head      how the head met the vehicle, or None if it did not
    HIC       without a window, HIC15, HIC36 and SI [-] at CFC 1000, of the whole run
    HIC15_vehicle, HIC15_ground, HIC15_free  of the head on the vehicle, on anything else, and without contact [-];
              None if the head has no such contact (`injury.head_contact`)
    chest_3ms acceleration of the thorax exceeded for 3 ms in all, CFC 180 [g]
    knees     joint -> largest loads and angles
    tibias    end of a tibia -> tibia index [-] with the constants of the person's size (not recommended for a rigid
              shank); empty if they are not known, with the reason in `tibia_missing`
    end       of the run [s], and whether it ended at rest, or nearly so
    throw     of the centre of mass from the first contact to the end of the run, along and across the way [m]
    launch    when the person left the vehicle for the last time, or None if they still touch
    """

    vehicle: str
    speed: float
    first: float | None
    contacts: tuple[FirstContact, ...]
    head: HeadStrike | None
    HIC: float
    HIC15: float
    HIC36: float
    SI: float
    HIC15_vehicle: float | None
    HIC15_ground: float | None
    HIC15_free: float | None
    chest_3ms: float
    knees: dict[str, KneeLoad]
    tibias: dict[str, float]
    tibia_missing: str
    end: float
    rest: bool
    throw: Throw | None
    launch: Launch | None

    @property
    def _missed(self) -> str:
        return "the head does not meet the vehicle" + ("" if self.rest else f" in {self.end:.3g} s")

    @property
    def line(self) -> str:
        """The answer in one sentence."""
        if self.first is None:
            return f"{self.vehicle} at {3.6 * self.speed:.0f} km/h: no contact."
        struck = self._missed
        if self.head is not None:
            struck = (
                f"head on the {self.head.part.replace('_', ' ')} after {1e3 * self.head.after:.0f} ms at "
                f"{self.head.speed:.1f} m/s, wrap-around distance {self.head.wrap_around_distance:.2f} m"
            )
        hits = ", ".join(f"{value:.0f} {where}" for where, value in self._hits if value is not None)
        chest = f", chest 3 ms {self.chest_3ms:.0f} g" if np.isfinite(self.chest_3ms) else ""
        thrown = f", thrown {self.throw.along:.1f} m" if self.rest and self.throw is not None else ""
        return f"{self.vehicle} at {3.6 * self.speed:.0f} km/h: {struck}, HIC15 {hits}{chest}{thrown}."

    @property
    def _hits(self) -> tuple[tuple[str, float | None], ...]:
        """Contact of the head in words, and its HIC15."""
        free = self.HIC15_free if self.HIC15_vehicle is None and self.HIC15_ground is None else None
        return ("on the vehicle", self.HIC15_vehicle), ("on the ground", self.HIC15_ground), ("without contact", free)

    def rows(self) -> list[tuple[str, str]]:
        """Names and values, for a table."""
        found = [
            *(
                (f"HIC15 {where}", _trusted(f"{value:.0f}", "HIC15"))
                for where, value in (*self._hits[:2], ("without contact", self.HIC15_free))
                if value is not None
            ),
            ("HIC15 of the whole run", _trusted(f"{self.HIC15:.0f}", "HIC15")),
            ("HIC36", _trusted(f"{self.HIC36:.0f}", "HIC36")),
            ("HIC without window", _trusted(f"{self.HIC:.0f}", "HIC36")),
            ("SI", _trusted(f"{self.SI:.0f}", "SI")),
        ]
        if np.isfinite(self.chest_3ms):
            found.append(("chest 3 ms, CFC 180", _trusted(f"{self.chest_3ms:.1f} g", "chest 3ms")))
        if self.head is not None:
            x, y, z = self.head.place
            part = self.head.part.replace("_", " ")
            found += [
                ("head impact time", f"{1e3 * self.head.after:.1f} ms after the first contact"),
                ("head impact speed", f"{self.head.speed:.2f} m/s of its centre of mass against the vehicle"),
                ("head impact angle", f"{np.degrees(self.head.angle):.0f} deg downwards"),
                ("head impact place", f"{part}, {-x:.2f} m back{_aside(y)}, {z:.2f} m up"),
                ("wrap-around distance", f"{self.head.wrap_around_distance:.2f} m"),
            ]
        else:
            found.append(("head impact", self._missed))
        found += [(name.replace("_", " "), _knee_words(name, load)) for name, load in self.knees.items()]
        if self.tibias:
            worst = max(self.tibias, key=self.tibias.__getitem__)
            found.append(("tibia index", _trusted(f"{self.tibias[worst]:.2f} ({worst.replace('_', ' ')})", "TI")))
        elif self.tibia_missing.startswith("no constants"):
            found.append(("tibia index", self.tibia_missing))
        if self.launch is not None:
            words = "leaves the vehicle" if self.rest else "touched it last so far"
            found.append((words, f"at {self.launch.time:.3f} s, moving at {self.launch.speed:.2f} m/s"))
        if self.throw is not None:
            moving = "" if self.rest else " (still moving; --to-rest follows it to rest)"
            words = "throw distance" if self.rest else "displacement at the end"
            found.append((words, f"{self.throw.along:.2f} m{_aside(self.throw.across)}{moving}"))
        order = list(dict.fromkeys(contact.body.replace("_", " ") for contact in self.contacts))
        found.append(("order of contacts", ", ".join(order) or "none"))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        found = asdict(self)
        found["contacts"] = [contact._asdict() for contact in self.contacts]
        found["throw"] = None if self.throw is None else self.throw._asdict()
        return found


def _trusted(value: str, criterion: str) -> str:
    """Return a value in words with how far its criterion was checked for a human of rigid segments."""
    return f"{value}, {criteria()[criterion]['trust']}"


def _aside(across: float) -> str:
    """How far to a side [m] in words; nothing for the middle."""
    return "" if abs(across) < 5e-3 else f", {abs(across):.2f} m to the {'left' if across > 0.0 else 'right'}"


def _knee_words(name: str, load: KneeLoad) -> str:
    """The loads of a knee in a line."""
    sideways, extension = np.degrees(load.sideways), np.degrees(load.extension)
    torn = " (ligaments tear at 15)" if load.sideways > KNEE_INJURED else ""
    angles = [f"{sideways:.0f} deg sideways{torn}"] if sideways >= 1.0 else []
    angles += [f"{extension:.0f} deg hyperextension"] if extension >= 1.0 else []
    loads = f"{1e-3 * load.shear:.2f} kN shear, {load.bending:.0f} N m{' (both legs)' * (name == 'knee')}"
    return ", ".join([*angles, loads])
