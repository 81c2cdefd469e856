"""Regions and tables that depend on the shape of a surface alone, made once for all surfaces of that shape. SI units.

A study builds the front of one car thousands of times, a run twice. Its regions and tables take longer than a
simulated impact, and depend on neither the laws of its parts nor the place of the car.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .facet_table import Patches, Tables

if TYPE_CHECKING:
    from .patch import FacetSurface
    from .solid import Solid

KEPT = 64  # shapes
#: fields that have no influence on the shape; segments have one by the numbers of their parts
OTHERS = frozenset(("name", "contact", "only", "carrier", "place", "rotation", "segments"))


@dataclass(frozen=True)
class SameShape:
    """The shape of a surface by its values; two that are equal have equal regions and tables.

    surface  one of this shape
    """

    values: tuple[Any, ...]
    surface: FacetSurface = field(compare=False, repr=False)

    @classmethod
    def of(cls, surface: FacetSurface) -> SameShape:
        """Return the shape of a surface."""
        values = (getattr(surface, item.name) for item in fields(surface) if item.name not in OTHERS)
        plain = ((v.shape, v.dtype.str, v.tobytes()) if isinstance(v, np.ndarray) else v for v in values)
        return cls((type(surface), surface.part_numbers, *plain), surface)


@lru_cache(maxsize=KEPT)
def patches_of(shape: SameShape) -> Patches:
    """Return the tables of the patches of a shape, which are read only."""
    surface, tables = shape.surface, Tables()
    faces, rounding = surface.core
    options = {"rounding": rounding, "backing": surface.backing, "crease": surface.crease}
    solids = surface.solids
    found = tables.add_solids(solids, **options) if solids else tables.add(faces, **options)
    facet, link = tables.arrays()
    for array in (facet, link):
        array.setflags(write=False)
    return Patches(facet, link, tuple(found))


@lru_cache(maxsize=KEPT)
def solids_of(shape: SameShape) -> tuple[Solid, ...]:
    """Return the convex regions of the solid of a shape."""
    return shape.surface._regions()
