"""Ready airbags of a driver and of a front passenger: size, inflator and vent. SI units. All values are estimates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import InputError
from ..model import Airbag, Inflator, System
from ..model.field import field_of
from ..model.frame import Vector
from ..model.value import Choice, Components, ListOf, Text

#: type -> size, inflator and vent, estimated: bags of 57 and 106 l that are full 25 to 30 ms after firing
READY: dict[str, dict[str, Any]] = {
    "driver": {
        "size": (0.26, 0.32, 0.32),
        "inflator": Inflator(flow=((0.0, 0.0), (0.004, 1.6), (0.018, 1.2), (0.045, 0.0)), temperature=600.0),
        "vent": 1.5e-3,
    },
    "passenger": {
        "size": (0.42, 0.32, 0.37),
        "inflator": Inflator(flow=((0.0, 0.0), (0.004, 2.9), (0.020, 2.2), (0.050, 0.0)), temperature=600.0),
        "vent": 3e-3,
    },
}
#: segments of a person that a bag in front of them pushes, of all models of people
UPPER = (
    *("head", "neck", "thorax", "upper_torso", "abdomen"),
    *(f"{side}_{part}" for side in ("left", "right") for part in ("upper_arm", "forearm", "hand")),
)


@dataclass(frozen=True)
class AirbagKeys:
    """Keys of an airbag in a file that differ from those of the model."""

    type: str | None = field_of(
        Choice(tuple(READY)), "gives size, inflator and vent where these are not given (estimates)", default=None
    )
    person: str | None = field_of(Text(), "whose upper body it pushes; the only one unless given", default=None)
    size: Vector | None = field_of(
        Components("length"), "of the full bag: depth along the axis, half width, half height", default=None
    )
    vent: float | None = field_of(
        "area", "effective area of the vent: area times discharge coefficient; none unless given", default=None
    )
    segments: tuple[str, ...] = field_of(
        ListOf(Text()), "bodies that the bag pushes; head, neck, trunk and arms of the person unless given", default=()
    )


def ready_airbag(system: System, prefix: str, type: str | None = None, **given: Any) -> Airbag:
    """Return an airbag with the keys given, and for the others those of its type.

    prefix  of the names of the person's bodies
    """
    own = dict(given)
    if not own.get("segments"):
        bodies = {body.name for body in system.bodies if body.shapes}
        own["segments"] = tuple(name for part in UPPER if (name := f"{prefix}{part}") in bodies)
        if not own["segments"]:
            raise InputError("segments is missing, and there is no person whose upper body it could push.")
    ready = dict(READY[type]) if type is not None else {}
    if own.get("pressure") is not None and "inflator" not in own:
        ready.pop("inflator", None)
    own = ready | own
    if "size" not in own:
        raise InputError("size is missing; give depth, half width and half height, or a type (driver, passenger).")
    return Airbag(**own)
