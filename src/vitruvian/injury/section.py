"""Section loads in the axes and signs of SAE J1733, out of the load cells of a run. SI units.

Axes and signs are those of `vitruvian.sim.load_cell`: x forward, y to the right, z down, turning with the segment; Fz
positive in tension, My positive in flexion.

The rigid segments have no section inside, so a load is that of the joint at the end of the segment: the femur at the
hip and at the knee, the tibia at the knee and at the ankle. The upper neck joint lies at the occipital condyles.
Source: saej1733.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..sim.load_cell import Cell, loads, to_j211
from ..sim.load_cell import Loads as Section

if TYPE_CHECKING:
    from ..sim.recording import Recording

__all__ = ["CUTS", "Cut", "Section", "section", "to_j211"]


class Cut(NamedTuple):
    """Where a section load comes from: the joint, and its load cell if that has other axes than those of the joint."""

    joint: str
    cell: Cell | None = None


def _legs() -> dict[str, Cut]:
    cuts = {}
    for side in ("left", "right"):
        cuts[f"{side}_femur_upper"] = Cut(f"{side}_hip")
        cuts[f"{side}_femur_lower"] = Cut(f"{side}_knee", Cell(-1.0, "parent"))
        cuts[f"{side}_tibia_upper"] = Cut(f"{side}_knee")
        cuts[f"{side}_tibia_lower"] = Cut(f"{side}_ankle")
    return cuts


CUTS: dict[str, Cut] = {name: Cut(name) for name in ("upper_neck", "lower_neck", "thoracolumbar", "lumbar")} | _legs()


def section(recording: Recording, name: str, prefix: str = "") -> Section | None:
    """Return a section load of a run at the full rate, or None if the run has no such joint.

    name    "upper_neck", "left_femur_upper", ... (CUTS)
    prefix  of the channels of the person: "" or "anna."
    """
    cut = CUTS[name]
    joint = recording.roster.joints_by_role(recording.joints).get(prefix, {}).get(cut.joint)
    return None if joint is None else loads(recording, joint, cut.cell)
