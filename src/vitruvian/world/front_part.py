"""Parts of a vehicle front and their ready laws, from the table vehicle_curve. SI units."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from .. import data
from ..errors import InputError, nearest, shown
from ..model import Contact

#: the parts, in the order in which a front has them from below upwards and back
PARTS = ("spoiler", "bumper", "grille", "leading_edge", "bonnet", "cowl", "windscreen", "roof_edge")
#: of cars, and of the flat fronts of buses and trams: a panel over a frame
GRADES = ("soft", "medium", "stiff", "heavy")
#: ready front -> grade of its parts, where they have it
GRADE_OF = {"bus": "heavy", "tram": "heavy"}
#: part of a side strip -> part of the profile that it runs along
SIDE_PARTS = {"wing": "bonnet", "pillar": "windscreen"}
#: part -> part whose curves it has
CURVE_OF = {part: part for part in (*PARTS, *SIDE_PARTS)} | {"spoiler": "bumper", "grille": "leading_edge"}

FRICTION = 0.3  # clothes on bodywork [-], estimated
RAMP = 2e-3  # depth over which the damping of a part grows, so that the force does not jump at touch [m]
UNLOADING = 4.0  # slope of the unloading curve over the mean slope of the curve [-]
STEEPER = 1.1  # least slope of the unloading curve over the steepest piece of the curve [-]
TISSUE_RESTITUTION = 0.1  # of the flesh between bone and bodywork [-], that of the ready surfaces


@cache
def part_contact(part: str, grade: str | None = None, friction: float = FRICTION) -> Contact:
    """Return the ready law of a part.

    part   of PARTS or SIDE_PARTS
    grade  of GRADES; without it the middle one of cars that the part has

    The curve is that of the vehicle alone; the soft tissue of the segment is in series with it. It opens down a
    line that leaves the dent, so that nothing rebounds elastically.
    """
    known = data.values("vehicle_curve")
    known_part(part, (*PARTS, *SIDE_PARTS), "the part of a front")
    family = CURVE_OF[part]
    has = [name for name in GRADES if f"{family}-{name}" in known]
    grade = ("medium" if "medium" in has else has[0]) if grade is None else grade
    if not isinstance(grade, str) or grade not in has:
        hint = nearest(grade, has) if isinstance(grade, str) else ""
        raise InputError(f"the part {part!r} has no grade {shown(grade)}; accepted: {', '.join(has)}.{hint}")
    row = known[f"{family}-{grade}"]
    count = sum(name.startswith("depth_") for name in row)
    curve = ((0.0, 0.0), *((row[f"depth_{k}"], row[f"force_{k}"]) for k in range(1, count + 1)))
    steepest = max((b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(curve))
    usual = max(UNLOADING * curve[-1][1] / curve[-1][0], STEEPER * steepest)
    return Contact(
        law="curve",
        curve=curve,
        damping=row["damping"],
        ramp=RAMP,
        unloading_stiffness=row.get("unloading", usual),
        tissue_restitution=TISSUE_RESTITUTION,
        friction=friction,
    )


def ready_contact(vehicle: str, part: str) -> Contact:
    """Return the law of a part of a ready front: that of its own grade where the part has it, else the usual one."""
    grade = GRADE_OF.get(vehicle)
    return part_contact(part, grade if f"{CURVE_OF[part]}-{grade}" in data.values("vehicle_curve") else None)


def strip_parts(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parts of side strips along the parts of a profile."""
    return tuple(part for part, along in SIDE_PARTS.items() if along in parts)


def known_part(name: str, accepted: tuple[str, ...], where: str) -> int:
    """Place of a name; refused with the nearest one if it is not there."""
    if not isinstance(name, str) or name not in accepted:
        hint = nearest(name, accepted) if isinstance(name, str) else ""
        once = ", ".join(dict.fromkeys(accepted))
        raise InputError(f"{where} {shown(name)} is not known; accepted: {once}.{hint}")
    return accepted.index(name)
