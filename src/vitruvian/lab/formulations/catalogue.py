"""The formulations by name."""

from __future__ import annotations

from typing import Any

from ...errors import InputError, nearest
from .euler_angles import EulerAngles
from .euler_parameters import Formulation1, Formulation2, Formulation3, Global
from .formulation import Formulation
from .mechanism import Mechanism
from .natural import Natural
from .planar import Planar

FORMULATIONS: dict[str, type[Formulation]] = {
    kind.name: kind for kind in (Formulation1, Formulation2, Formulation3, Global, EulerAngles, Natural, Planar)
}
ALIASES = {"euler-parameters": "euler-parameters-1"}


def make(mechanism: Mechanism, name: str, **options: Any) -> Formulation:
    """Return a formulation of a mechanism by name; raise InputError if it cannot be used."""
    name = ALIASES.get(name, name)
    if name == "engine":
        raise InputError(
            'formulation "engine" is not one of the laboratory: vitruvian.simulate runs it. '
            f"Accepted here: {', '.join(FORMULATIONS)}."
        )
    if name not in FORMULATIONS:
        raise InputError(
            f"formulation {name!r} is unknown; accepted: {', '.join(FORMULATIONS)}.{nearest(name, FORMULATIONS)}"
        )
    try:
        return FORMULATIONS[name](mechanism, **options)
    except TypeError:
        raise InputError(f"formulation {name!r} does not take the options {', '.join(options)}.") from None


def applies(mechanism: Mechanism, name: str) -> str:
    """Return the reason why a formulation cannot describe a mechanism; "" if it can."""
    try:
        FORMULATIONS[name](mechanism)
    except InputError as error:
        return str(error)
    return ""
