"""Regions of a segment, each a shape with its own tissue: heel and forefoot, chest, back and flanks, vault and face.

Regions of the thorax are parts of one skin: they overlap and share the load by their depths, with a potential
(`kernels.contact_share`). Where a region reaches farther than the others it carries nearly all. Heel and forefoot, and
vault and face, lie apart: on a plane their forces add, and they share the load of a vehicle (`model.Body`).

Shapes are fractions of the semi-axes of the segment, in data/segment_region.csv, with the tissue of every region but
the first, which has that of the segment. Bones of the face break at 1 to 2 kN (allsop1988) and the nose at 0.45 to 0.85
kN (cormier2010): such fractures are not modelled.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .. import data
from ..model import Ellipsoid
from ..model.tissue import Tissue

Vector = tuple[float, float, float]

REGIONS = MappingProxyType(
    {"thorax": ("chest", "back", "flank"), "head": ("vault", "face"), "foot": ("heel", "forefoot")}
)
JOINED = frozenset({"thorax"})  # segments whose regions are one skin


def segment_of(name: str) -> str:
    """Return the segment that a region belongs to; a segment itself is returned unchanged."""
    return next((segment for segment, regions in REGIONS.items() if name in regions), name)


def relation(segment: str, shapes: int) -> str:
    """Return what the shapes of a segment are to each other (`model.Body.regions`)."""
    return "" if shapes < 2 else "joined" if segment in JOINED else "apart"


def regional(whole: Ellipsoid, segment: str, tissue: Mapping[str, Tissue | None]) -> tuple[Ellipsoid, ...]:
    """Return the shapes of the regions of a segment, made from the ellipsoid of the whole; it alone if it has none."""
    names = REGIONS.get(segment, ())
    if not names or whole.tissue is None:
        return (whole,)
    return tuple(_region(whole, name, whole.tissue if name == names[0] else tissue[name]) for name in names)


def _region(whole: Ellipsoid, name: str, tissue: Tissue | None) -> Ellipsoid:
    row = data.values("segment_region")[name]
    x, y, z = (row[f"semi_axis_{axis}"] * half for axis, half in zip("xyz", whole.semi_axes, strict=True))
    u, v, w = (row.get(f"offset_{axis}", 0.0) * half for axis, half in zip("xyz", whole.semi_axes, strict=True))
    return Ellipsoid((x, y, z), offset=(u, v, w), stiffness=whole.stiffness, tissue=tissue)
