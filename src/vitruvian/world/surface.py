"""Surfaces fixed in the world. SI units, z is up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from math import cos, sin
from typing import Any

from .. import data
from ..errors import InputError, nearest
from ..model import Contact, Plane
from ..model.law import LAWS

_PARAMETERS = tuple(field.name for field in fields(Contact))


def contact(given: str | Mapping[str, Any] | Contact = "concrete", **changes: Any) -> Contact:
    """How a surface pushes back: a row of the surface table, or a table of parameters, with some of them changed.

    given    "concrete", "asphalt", "gym-mat", ... or the parameters of vitruvian.model.Contact
    changes  stiffness [N/m^n], exponent [-], restitution [-], friction [-], slip_speed [m/s], law, ...
    """
    parameters = {} if isinstance(given, Contact) else dict(data.surface(given) if isinstance(given, str) else given)
    for name in (*parameters, *changes):
        if name not in _PARAMETERS:
            raise InputError(
                f"a contact has no {name!r}; accepted: {', '.join(_PARAMETERS)}.{nearest(name, _PARAMETERS)}"
            )
    if isinstance(given, Contact):
        return given.replace(**changes)
    return Contact(**(with_base(parameters, changes) if isinstance(given, str) else parameters | changes))


def with_base(base: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a contact with some of them given anew.

    A given law that takes no restitution drops that of the base.
    """
    law = LAWS.get(str(given.get("law", base.get("law", "hunt-crossley"))))
    drops = law is not None and "restitution" not in law.takes
    return {name: value for name, value in base.items() if not (drops and name == "restitution")} | dict(given)


def plane(
    name: str = "ground",
    contact_of: str | Mapping[str, Any] | Contact = "concrete",
    *,
    point: Sequence[float] = (0.0, 0.0, 0.0),
    normal: Sequence[float] | None = None,
    incline: float | None = None,
    only: Sequence[str] | None = None,
    carrier: str | None = None,
) -> Plane:
    """A half-space: level ground, a slope or a wall.

    contact_of  a row of the surface table, a table of parameters, or a Contact
    point       any point of the surface [m]
    normal      direction out of the solid [-]; upwards unless given
    incline     slope that falls towards x [rad], in place of the normal
    only        names of the bodies that may touch it; all unless given
    carrier     body that carries it, in whose frame point and normal are; the world unless given
    """
    if normal is not None and incline is not None:
        raise InputError(f"surface {name!r} has both normal and incline; give one of them.")
    if incline is not None:
        normal = (sin(incline), 0.0, cos(incline))
    x, y, z = point
    nx, ny, nz = (0.0, 0.0, 1.0) if normal is None else normal
    return Plane(name, (x, y, z), (nx, ny, nz), contact(contact_of), None if only is None else tuple(only), carrier)
