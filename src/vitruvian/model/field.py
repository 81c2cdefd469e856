"""Fields of a dataclass that a user can write: name, unit, default, bounds and meaning, defined here and nowhere else.

    @dataclass(frozen=True)
    class Brake:
        deceleration: float = field_of("acceleration", "until it stands", above=0.0)

The reader of scenarios, its errors, the reference page, the sliders of the studio and the JSON schema are made from
these definitions (`vitruvian.scenario.definition`). A field without one cannot be written in a file.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from .value import Choice, Kind, Quantity

_KEY = "vitruvian"


@dataclass(frozen=True)
class Key:
    """The input that a field accepts.

    kind     what is accepted
    doc      meaning, in a line, without the unit of a quantity
    key      how it is written in a file, if other than the name of the field
    needed   whether a file must give it, though the dataclass has a default
    implied  whether the dataclass gives the default: a scenario that is written out leaves the field out
    drag     unit, lowest and highest value and step of a slider
    """

    kind: Kind
    doc: str = ""
    key: str | None = None
    needed: bool = False
    implied: bool = False
    drag: tuple[str, float, float, float] | None = None


def field_of(
    kind: str | Kind,
    doc: str = "",
    *,
    default: Any = MISSING,
    factory: Any = MISSING,
    above: float | None = None,
    at_most: float | None = None,
    infinite: bool = False,
    **more: Any,
) -> Any:
    """Return a field of a dataclass that a user can write.

    kind     a dimension, whose bounds are `above`, `at_most` and `infinite` (see value.Quantity), or another kind
    doc      meaning, in a line, without the unit of a quantity
    default  value of the dataclass if nothing is given; `factory` makes one
    more     key, needed, implied, drag: see Key
    """
    accepted = Quantity(kind, above, at_most, infinite) if isinstance(kind, str) else kind
    metadata = {_KEY: Key(accepted, doc, **more)}
    return field(default=default, default_factory=factory, metadata=metadata)


def keys_of(described: type) -> dict[str, tuple[Key, Any]]:
    """Return the fields of a dataclass that can be written: name -> its key and its default, MISSING if it has none."""
    found = {}
    for item in fields(described):
        if _KEY in item.metadata:
            default = item.default if item.default_factory is MISSING else item.default_factory()
            found[item.name] = (item.metadata[_KEY], default)
    return found


def help_of(described: type, name: str) -> str:
    """Return what a field means, with the words it accepts or its unit, as a sentence for a help text."""
    key, _ = keys_of(described)[name]
    text = f"{key.doc[:1].upper()}{key.doc[1:]}"
    if isinstance(key.kind, Choice):
        return f"{text}: {', '.join(key.kind.accepted)}."
    unit = key.kind.unit if isinstance(key.kind, Quantity) else "-"
    return f"{text}." if unit == "-" else f"{text} [{unit}]."
