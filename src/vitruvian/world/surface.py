"""Surfaces fixed in the world. SI units, z is up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, inf, sin
from typing import Any

from .. import data
from ..errors import InputError, nearest, shown
from ..model import Contact, Plane
from ..model.contact_law import LAWS
from ..model.field import field_of, keys_of
from ..units import quantity

_KEYS = keys_of(Contact)
_PARAMETERS = tuple(_KEYS)


def contact(given: str | Mapping[str, Any] | Contact = "concrete", **changes: Any) -> Contact:
    """Return the contact law of a surface: a row of the surface table, or a table of parameters, with changes.

    given    "concrete", "asphalt", "gym-mat", ... or the parameters of vitruvian.model.Contact
    changes  stiffness [N/m^n], exponent [-], restitution [-], friction [-], slip_speed [m/s], law, ...
    """
    if not isinstance(given, str | Mapping | Contact):
        raise InputError(f"a contact is {shown(given)}; expected a row of the surface table or a table of parameters.")
    parameters = {} if isinstance(given, Contact) else dict(data.surface(given) if isinstance(given, str) else given)
    for name in (*parameters, *changes):
        if name not in _PARAMETERS:
            raise InputError(
                f"a contact has no {name!r}; accepted: {', '.join(_PARAMETERS)}.{nearest(name, _PARAMETERS)}"
            )
    if isinstance(given, Contact):
        return given.replace(**_in_si(changes, given.law, given.exponent, given.friction_law))
    return Contact(**_in_si(with_base(parameters, changes) if isinstance(given, str) else parameters | changes))


def dimensions(law: str, exponent: float | None, friction_law: str | None) -> dict[str, str]:
    """Return the dimension of the parameters whose unit depends on the law, the exponent and the friction law."""
    exponent = LAWS[law].exponent if exponent is None else exponent
    stronge = friction_law == "stronge"
    return {
        "stiffness": {1.0: "stiffness", 1.5: "contact stiffness"}.get(exponent, "dimensionless"),
        "damping": "dimensionless" if law == "general" else "damping",
        "tangent_stiffness": "dimensionless" if stronge else "stiffness",
        "tangent_damping": "time" if stronge else "damping",
    }


def _in_si(
    given: Mapping[str, Any], law: str = "hunt-crossley", exponent: float | None = None, friction_law: str = "coulomb"
) -> dict[str, Any]:
    """Return parameters of a contact as numbers in SI; the law and its exponent are those given or the defaults."""
    found = {}
    for name, value in given.items():
        infinite = isinstance(value, float) and value == inf
        found[name] = value if value is None or infinite else _KEYS[name][0].kind.read(value, f"contact {name}")
    depends = dimensions(
        found.get("law") or law, found.get("exponent") or exponent, found.get("friction_law") or friction_law
    )
    for name, dimension in depends.items():
        if found.get(name) not in (None, inf):
            found[name] = quantity(found[name], dimension, f"contact {name}")
    return found


def with_base(base: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a contact with some of them given anew.

    A given law that takes no restitution drops that of the base.
    """
    law = LAWS.get(str(given.get("law", base.get("law", "hunt-crossley"))))
    drops = law is not None and "restitution" not in law.takes
    return {name: value for name, value in base.items() if not (drops and name == "restitution")} | dict(given)


@dataclass(frozen=True)
class Slope:
    """How a plane may be turned, other than by its normal."""

    incline: float | None = field_of(
        "angle", "slope that falls towards x, instead of the normal", default=None, drag=("deg", 0, 90, 1)
    )


def plane(
    name: str = "ground",
    contact_of: str | Mapping[str, Any] | Contact = "concrete",
    *,
    point: Sequence[float] = (0.0, 0.0, 0.0),
    normal: Sequence[float] | None = None,
    incline: float | None = None,
    only: Sequence[str] | None = None,
    carrier: str | None = None,
    points: int = 0,
) -> Plane:
    """Return a half-space: level ground, a slope or a wall.

    contact_of  a row of the surface table, a table of parameters, or a Contact
    point       any point of the surface [m]
    normal      direction out of the solid [-]; upwards unless given
    incline     slope that falls towards x [rad], instead of the normal
    only        names of the bodies that may touch it; all unless given
    carrier     body that carries it, in whose frame point and normal are; the world unless given
    points      of the surface of an ellipsoid at which it touches, each with a force of its own; 0 is the deepest point
    """
    if normal is not None and incline is not None:
        raise InputError(f"surface {name!r} has both normal and incline; give one of them.")
    if incline is not None:
        normal = (sin(incline), 0.0, cos(incline))
    x, y, z = point
    nx, ny, nz = (0.0, 0.0, 1.0) if normal is None else normal
    bodies = None if only is None else tuple(only)
    return Plane(name, (x, y, z), (nx, ny, nz), contact(contact_of), bodies, carrier, points)
