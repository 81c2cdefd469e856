"""Surfaces fixed in the world. SI units, z is up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, sin

from .. import data
from ..errors import InputError, nearest
from ..model import Contact, Plane

_PARAMETERS = ("stiffness", "exponent", "restitution", "friction", "slip_speed")


def contact(given: str | Mapping[str, float] | Contact = "concrete", **changes: float) -> Contact:
    """How a surface pushes back: a row of the surface table, or a table of parameters, with some of them changed.

    given    "concrete", "asphalt", "gym-mat", ... or the parameters of vitruvian.model.Contact
    changes  stiffness [N/m^n], exponent [-], restitution [-], friction [-], slip_speed [m/s]
    """
    if isinstance(given, Contact):
        given = {name: getattr(given, name) for name in _PARAMETERS}
    parameters = data.surface(given) if isinstance(given, str) else dict(given)
    parameters |= changes
    for name in parameters:
        if name not in _PARAMETERS:
            raise InputError(
                f"a contact has no {name!r}; accepted: {', '.join(_PARAMETERS)}.{nearest(name, _PARAMETERS)}"
            )
    return Contact(**parameters)


def plane(
    name: str = "ground",
    contact_of: str | Mapping[str, float] | Contact = "concrete",
    *,
    point: Sequence[float] = (0.0, 0.0, 0.0),
    normal: Sequence[float] | None = None,
    incline: float | None = None,
    only: Sequence[str] | None = None,
) -> Plane:
    """A half-space: level ground, a slope or a wall.

    contact_of  a row of the surface table, a table of parameters, or a Contact
    point       any point of the surface [m]
    normal      direction out of the solid [-]; upwards unless given
    incline     slope that falls towards x [rad], in place of the normal
    only        names of the bodies that may touch it; all unless given
    """
    if normal is not None and incline is not None:
        raise InputError(f"surface {name!r} has both normal and incline; give one of them.")
    if incline is not None:
        normal = (sin(incline), 0.0, cos(incline))
    x, y, z = point
    nx, ny, nz = (0.0, 0.0, 1.0) if normal is None else normal
    return Plane(name, (x, y, z), (nx, ny, nz), contact(contact_of), None if only is None else tuple(only))
