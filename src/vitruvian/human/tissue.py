"""The tissue of a person's segments. SI units. The numbers are in data/tissue.csv, with source, status and range.

layered   soft tissue that hardens towards its thickness, over bone that gives way (model.tissue); own rebound
linear-1  one stiffness for each segment, and the restitution of the surface: the tissue of earlier versions

A segment may have regions that differ (`human.region`); the table holds for the first of them.

Lengths follow the half-width of the segment, stiffness of the same material too (K x^n with all lengths scaled by s and
the same stress grows by s^(2 - n)). The skull of a child has the modulus of its age.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np

from .. import data
from ..errors import InputError, nearest
from ..kernels.layout import speed_reference
from ..model.field import field_of
from ..model.tissue import Tissue
from ..model.value import Of
from .dimensions import Dimensions, dimensions
from .proportion import ADULT_AGE
from .region import REGIONS, segment_of

TISSUES = ("layered", "linear-1")
REFERENCE = (1.75, 77.0)  # height [m] and mass [kg] of the man for whom the table holds

_OWN = Of(Tissue)


@dataclass(frozen=True)
class OwnTissue:
    """Own values of the tissue of some segments; the others are layered.

    Those of a segment with regions hold for all regions that have no own values.
    """

    pelvis: Tissue | None = field_of(_OWN, "hip and buttocks", default=None)
    abdomen: Tissue | None = field_of(_OWN, "belly", default=None)
    thorax: Tissue | None = field_of(_OWN, "chest, back and flanks", default=None)
    back: Tissue | None = field_of(_OWN, "back of the chest", default=None)
    flank: Tissue | None = field_of(_OWN, "both sides of the chest", default=None)
    neck: Tissue | None = field_of(_OWN, "neck", default=None)
    head: Tissue | None = field_of(_OWN, "scalp over skull, and face", default=None)
    face: Tissue | None = field_of(_OWN, "face, without the forehead", default=None)
    upper_arm: Tissue | None = field_of(_OWN, "both", default=None)
    forearm: Tissue | None = field_of(_OWN, "both", default=None)
    hand: Tissue | None = field_of(_OWN, "both", default=None)
    thigh: Tissue | None = field_of(_OWN, "both", default=None)
    shank: Tissue | None = field_of(_OWN, "both", default=None)
    foot: Tissue | None = field_of(_OWN, "both; heel pad over ankle and leg, and forefoot", default=None)
    forefoot: Tissue | None = field_of(_OWN, "both; pads over the arch", default=None)


def own_tissue(given: Any, where: str) -> str | OwnTissue:
    """Return the word of a tissue, or own values of some segments: an OwnTissue, or segment -> Tissue or its fields."""
    if isinstance(given, OwnTissue):
        return given
    if isinstance(given, Mapping):
        known = [field.name for field in fields(OwnTissue)]
        for name in given:
            if name not in known:
                raise InputError(f"{where}.{name} is no segment; accepted: {', '.join(known)}.{nearest(name, known)}")
        return OwnTissue(**{name: _one(value, f"{where}.{name}") for name, value in given.items() if value is not None})
    if given not in TISSUES:
        hint = nearest(given, TISSUES) if isinstance(given, str) else ""
        raise InputError(f"{where} is {given!r}; accepted: {', '.join(TISSUES)}, or a table of segments.{hint}")
    return str(given)


def _one(given: Any, where: str) -> Tissue:
    if isinstance(given, Tissue):
        return given
    try:
        return Tissue(**given)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def tissues(given: str | OwnTissue, sized: Dimensions, where: str) -> dict[str, Tissue | None]:
    """Return the tissue of every segment of a person and of further regions of segments; None is linear."""
    if given == "linear-1":
        return dict.fromkeys(sized.segments)
    own = given if isinstance(given, OwnTissue) else OwnTissue()
    further = [region for regions in REGIONS.values() for region in regions[1:]]
    found: dict[str, Tissue | None] = {}
    for name in (*sized.segments, *further):
        segment = segment_of(name)
        tissue = getattr(own, name, None) or getattr(own, segment, None) or layered(name, sized)
        found[name] = tissue.fitted(min(sized.semi_axes[segment]), f"{where}, {name}")
    return found


def layered(name: str, sized: Dimensions) -> Tissue:
    """Return the tissue of a segment of a person, or of a further region, by the tables, at its size and age."""
    segment = segment_of(name)
    row = data.values("tissue" if name == segment else "segment_region")[name]
    scale = relative_size(segment, sized)
    exponent = row.get("exponent", 1.0)
    return Tissue(
        stiffness=row["layer_stiffness"] * scale ** (2.0 - exponent),
        thickness=row["thickness"] * scale,
        exponent=exponent,
        hardening=row["hardening"],
        core=row["core_stiffness"] * scale * (bone_by_age(sized.age) if segment == "head" else 1.0),
        restitution=row["rebound"],
        viscous_below=row.get("viscous_below", speed_reference.LEAST),
    )


def relative_size(segment: str, sized: Dimensions) -> float:
    """Return the half-width of a segment of a person over that of the man of the table [-]."""
    return min(sized.semi_axes[segment]) / min(_reference()[segment])


def bone_by_age(age: float | None) -> float:
    """Return the modulus of the cranial bone at an age [years] over that of adults [-]."""
    if age is None or age >= ADULT_AGE:
        return 1.0
    rows = [(float(row.age_group), row.si) for row in data.table("tissue") if row.quantity == "core_by_age"]
    ages, shares = np.array([*rows, (ADULT_AGE, 1.0)]).T
    return float(np.interp(age, ages, shares))


@cache
def _reference() -> Mapping[str, tuple[float, float, float]]:
    return MappingProxyType(dict(dimensions(*REFERENCE).semi_axes))
