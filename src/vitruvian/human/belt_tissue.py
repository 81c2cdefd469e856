"""Tissue of a person under webbing: that of the segments, stiffer and thinner (table `belt_tissue`). SI units.

A belt spreads its load over ribs or over the iliac spines, where a hub or the floor meets other parts of the segment.
With the factors f and g of the table K -> f K, k -> f k, t -> g t. Only layered tissue gives way; with linear tissue,
and the people of `occupant12`, webbing lies on rigid segments.
"""

from __future__ import annotations

from dataclasses import replace

from .. import data
from ..model import System
from ..model.belt_tissue import BeltTissue


def belt_tissues(system: System) -> dict[str, BeltTissue]:
    """Return segment -> what gives way under webbing, of all segments that webbing of the system lies on."""
    table, found = data.values("belt_tissue"), {}
    for name in dict.fromkeys(point.over for belt in system.belts for point in belt.path if point.over):
        row = table.get(system.roster.role(name)) if system.roster.owner(name) else None
        tissue = system.body(name).shapes[0].tissue if row is not None else None
        if row is None or tissue is None:
            continue
        under = replace(
            tissue,
            stiffness=row["stiffer"] * tissue.stiffness,
            core=row["stiffer"] * tissue.core,
            thickness=row["thinner"] * tissue.thickness,
        )
        found[name] = BeltTissue(under, row["mass"], row["speed"])
    return found
