"""Passive resistance of the joints of a body of any size, in several sets. SI units.

recommended       the newest of the following sets
recommended-2     fitted to measurements: passive muscles over two joints, a knee that is stiff sideways only when
                  straight, failure (`vitruvian validate --calibrate`); estimates where nothing is measured
recommended-1     limits of clinical lists, soft inside, steep beyond, damping that grows beyond the limit
thesis            the limits of Table 4.3 of spicka2020 as printed, left and right rows as printed; components of the
                  rotation vector at every joint; no damping (eq. 4.11 has none)
thesis-corrected  the same table with its errors corrected (E034 to E038), in the laws and with the damping of the
                  set recommended-1
silva             cones of circumduction, hinges and damping of silva1997 Table VI, and the torque with which muscles
                  hold a person at first
silva-dummy       the same with the constant dry torque of a dummy's joints

The thesis prints no stiffness: its sets take that of recommended-1. Table VI knows neither the wrist, the ankle, the
lumbar joint nor the twist of a limb: those are as in recommended-1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import copysign, inf, pi

import numpy as np

from .. import data
from ..errors import InputError, nearest
from ..model import Cone, Curve, Resistance, limit_curve
from ..model.pose import quaternion_of_vector
from .flexibility import HYPEREXTENSION, movements, range_ratio

HEIGHT_REFERENCE = 1.80  # [m], the body the table is made for
MASS_REFERENCE = 80.0  # [kg]
NEWEST = "recommended-1"  # what "recommended" stands for
TABLES = {"recommended-1": "joint_resistance", "recommended-2": "joint_resistance_2"}
JOINT_SETS = ("recommended", "recommended-2", "recommended-1", "thesis", "thesis-corrected", "silva", "silva-dummy")
SCALED_SETS = (
    "recommended",
    "recommended-2",
    "recommended-1",
    "thesis-corrected",
)  # whose limits can be scaled by age or measured
WIDEST = 175.0 * pi / 180.0  # [rad], to which a limit may grow with youth
HOLDING_ANGLE = 5.0 * pi / 180.0  # over which the first muscle torque fades [rad]; "small" in silva1997: estimated
SLIP = 0.05  # speed below which a dry torque is viscous [rad/s]


def joint_resistance(
    joint: str,
    height: float,
    mass: float,
    law: str,
    joints: str = "recommended",
    *,
    weight: float = 0.0,
    reach: float = 1.0,
) -> Resistance:
    """Return the resistance of a midline or right joint.
    height  of the body [m]; damping scales with mass x height
    mass    of the body [kg]; stiffness scales with it
    law     of the recommended set: "cardan_yxz", "cardan_xyz" or "swing_twist"
    joints  one of JOINT_SETS
    weight  torque of the weight beyond the joint, stretched out level [N m]; of the dry torque of silva1997
    reach   factor of the limits of silva1997 [-]
    """
    if joints not in JOINT_SETS:
        raise InputError(
            f"joints is {joints!r}; accepted: {', '.join(JOINT_SETS)}, or none.{nearest(joints, JOINT_SETS)}"
        )
    ours = _recommended(joint, height, mass, law, table_of(joints))
    if joints == "thesis":
        side = "right_" if f"right_{joint}" in data.values("joint_range_thesis") else ""
        return printed(side + joint, replace(ours, law="rotation_vector", damping=(0.0,) * 3, limit_damping=(0.0,) * 3))
    if joints == "thesis-corrected":
        return _corrected(joint, ours)
    if joints.startswith("silva") and joint in data.values("joint_cone_silva"):
        scales = mass / MASS_REFERENCE, height / HEIGHT_REFERENCE
        return _silva(joint, ours, scales, weight, joints == "silva", reach)
    return ours


def table_of(joints: str | None) -> str:
    """Return the name of the data table of a joint set; sets of other sources fill it up from recommended-1."""
    return TABLES.get(NEWEST if joints == "recommended" else str(joints), TABLES["recommended-1"])


def printed(joint: str, resistance: Resistance) -> Resistance:
    """Return the resistance with the limits of Table 4.3 of spicka2020 as printed for that joint, left or right."""
    row = data.values("joint_range_thesis")[joint]
    return replace(resistance, limit_minus=_axes(row, "limit_minus"), limit_plus=_axes(row, "limit_plus"))


def aged(resistance: Resistance, joint: str, age: float, sex: str, table: str = TABLES["recommended-1"]) -> Resistance:
    """Return the resistance of a midline or right joint with limits scaled from men of 20-44 years to an age.

    Movements measured by soucie2011 are scaled by their own ratio, other movements of the joint by its mean ratio,
    other joints by the mean of all. Limits that only keep a joint a hinge stay (estimates of this package). No limit
    grows beyond 175 degrees, because the swing angle is not defined beyond 180 degrees.
    """
    limits = {"limit_minus": list(resistance.limit_minus), "limit_plus": list(resistance.limit_plus)}
    for row in data.table(table):
        if row.item == joint and row.movement and row.source != "vitruvian":
            side, axis = row.quantity.rsplit("_", 1)
            end = limits[side]["xyz".index(axis)]
            scaled = abs(end) * range_ratio_of(joint, row.movement, age, sex)
            limits[side]["xyz".index(axis)] = copysign(min(scaled, max(abs(end), WIDEST)), end)
    return replace(resistance, limit_minus=tuple(limits["limit_minus"]), limit_plus=tuple(limits["limit_plus"]))


def ranged(resistance: Resistance, joint: str, ranges: Mapping[str, float]) -> Resistance:
    """Return the resistance of a midline or right joint with measured ends of its range: movement -> angle [rad]."""
    limits = {-1: list(resistance.limit_minus), 1: list(resistance.limit_plus)}
    for movement, angle in ranges.items():
        axis, sign = data.movements()[joint][movement]
        limits[sign][axis] = sign * angle
    return replace(resistance, limit_minus=tuple(limits[-1]), limit_plus=tuple(limits[1]))


def hardened(resistance: Resistance, joint: str, mass: float, table: str) -> Resistance:
    """Return the resistance of a joint that stiffens beyond the largest moment at which it was measured.

    Up to the moment `hard_moment` of the table it is unchanged; beyond it the stiffness is `hard_stiffness`. The table
    gives both for all directions or for one: `hard_moment_plus_y`. Apply it after the limits are final, because it
    follows them. `mass` is that of the body [kg].
    """
    row, heavier = data.values(table)[joint], mass / MASS_REFERENCE
    curves = list(resistance.curve)
    for axis, letter in enumerate("xyz"):
        sides = [_hard(row, f"{side}_{letter}", heavier) for side in ("minus", "plus")]
        if curves[axis] is not None or not any(sides):
            continue
        (low, below), (high, above) = (
            _end(resistance, axis, sign, hard) for sign, hard in zip((-1.0, 1.0), sides, strict=True)
        )
        curves[axis] = Curve((low - 1.0, low, high, high + 1.0), (-below, 0.0, 0.0, above))
    return replace(resistance, curve=tuple(curves))


def _hard(row: Mapping[str, float], way: str, heavier: float) -> tuple[float, float] | None:
    """Return the moment [N m] beyond which a direction stiffens and its stiffness there [N m/rad], None if never."""
    moment = row.get(f"hard_moment_{way}", row.get("hard_moment"))
    if moment is None:
        return None
    return heavier * moment, heavier * row.get(f"hard_stiffness_{way}", row.get("hard_stiffness", 0.0))


def _end(resistance: Resistance, axis: int, sign: float, hard: tuple[float, float] | None) -> tuple[float, float]:
    """Return the angle [rad] at which a side of an axis stiffens and by how much [N m/rad]."""
    limits, stiffness = (
        (resistance.limit_plus, resistance.stiffness_plus)
        if sign > 0.0
        else (resistance.limit_minus, resistance.stiffness_minus)
    )
    if hard is None:
        return limits[axis], 0.0
    at_limit = sign * resistance.stiffness[axis] * (limits[axis] - resistance.rest[axis])
    return limits[axis] + sign * max(0.0, hard[0] - at_limit) / stiffness[axis], hard[1] - stiffness[axis]


def range_ratio_of(joint: str, movement: str, age: float, sex: str) -> float:
    """Return the range of a joint's movement at an age [years] over that of men of 20-44 years [-]."""
    if movement == "hyperextension":
        return 1.0
    name = f"{'forearm' if movement in ('pronation', 'supination') else joint}_{movement}"
    measured = [known for known in movements() if known not in HYPEREXTENSION]
    if name in measured:
        return range_ratio(name, age, sex)
    alike = [known for known in measured if known.startswith(f"{joint}_")] or measured
    return float(np.mean([range_ratio(known, age, sex) for known in alike]))


def hinge_resistance(resistance: Resistance, axis: str) -> Resistance:
    """Return one component of a resistance as that of a joint with one coordinate, revolute or prismatic."""
    place = "xyz".index(axis)

    def first(values: tuple[float, ...], rest: float) -> tuple[float, float, float]:
        return (values[place], rest, rest)

    return replace(
        resistance,
        law="coordinate",
        limit_minus=first(resistance.limit_minus, -inf),
        limit_plus=first(resistance.limit_plus, inf),
        stiffness=first(resistance.stiffness, 0.0),
        stiffness_minus=first(resistance.stiffness_minus, 0.0),
        stiffness_plus=first(resistance.stiffness_plus, 0.0),
        damping=first(resistance.damping, 0.0),
        rest=first(resistance.rest, 0.0),
        limit_damping=first(resistance.limit_damping, 0.0),
        limit_damping_plus=resistance.limit_damping_plus and first(resistance.limit_damping_plus, 0.0),
        curve=(resistance.curve[place], None, None),
        held=None,
        flexed=None,
        fail_minus=first(resistance.fail_minus, -inf),
        fail_plus=first(resistance.fail_plus, inf),
        fail_width=(resistance.fail_width[place],) * 3,
        fail_share=(resistance.fail_share[place],) * 3,
        injury=(resistance.injury[place],) * 3,
    )


# the sets


def _recommended(joint: str, height: float, mass: float, law: str, table: str) -> Resistance:
    row = data.values(table)[joint]
    heavier, taller = mass / MASS_REFERENCE, height / HEIGHT_REFERENCE
    return Resistance(
        law=law,
        limit_minus=_axes(row, "limit_minus"),
        limit_plus=_axes(row, "limit_plus"),
        stiffness=_axes(row, "stiffness", heavier),
        stiffness_minus=_axes(row, "stiffness_minus", heavier),
        stiffness_plus=_axes(row, "stiffness_plus", heavier),
        damping=_axes(row, "damping", heavier * taller),
        limit_damping=_axes(row, "limit_damping"),
        limit_damping_plus=_plus_damping(row),
        rest=tuple(row.get(f"rest_{axis}", 0.0) for axis in "xyz"),
        curve=tuple(_soft_end(row, axis, heavier) for axis in "xyz"),
        flexed=_flexed(row, heavier),
    )


def _plus_damping(row: Mapping[str, float]) -> tuple[float, ...] | None:
    """Return the damping of the positive limits; None if no axis has its own."""
    own = {axis: row[key] for axis in "xyz" if (key := f"limit_damping_plus_{axis}") in row}
    return tuple(own.get(axis, row[f"limit_damping_{axis}"]) for axis in "xyz") if own else None


def _flexed(row: Mapping[str, float], heavier: float) -> tuple[float, float, float, float] | None:
    """Return how the lateral resistance of a joint changes with flexion; None if it does not."""
    if "flexed_angle" not in row:
        return None
    return row["flexed_angle"], row["flexed_share"], row["flexed_slack"], heavier * row["flexed_stiffness"]


def _soft_end(row: Mapping[str, float], axis: str, heavier: float) -> Curve | None:
    """Return the torque that grows to its measured value at the limits of an axis, None if there is none."""
    if f"end_moment_plus_{axis}" not in row:
        return None
    low, high, free = row[f"limit_minus_{axis}"], row[f"limit_plus_{axis}"], row["free_share"]
    below, above = (heavier * row[f"end_moment_{side}_{axis}"] for side in ("minus", "plus"))
    return Curve((low, free * low, free * high, high), (-below, 0.0, 0.0, above), "cubic")


def _corrected(joint: str, ours: Resistance) -> Resistance:
    """Return the resistance with the corrected limits of Table 4.3.

    The right row holds for both sides (E034), the knee flexes forward (E035), C7/T1 is as recommended (E036), inversion
    and toe-in are exchanged (E037), angles are from standing (E038). The shoulder flexes to overhead at most, where a
    swing has no direction.
    """
    if joint == "lower_neck":
        return ours
    table = data.values("joint_range_thesis")
    limits = printed(joint if joint in table else f"right_{joint}", ours)
    minus, plus = list(limits.limit_minus), list(limits.limit_plus)
    if joint == "knee":
        minus[1], plus[1] = -plus[1], -minus[1]
    if joint == "ankle":
        minus[0], minus[2] = minus[2], minus[0]
        plus[0], plus[2] = plus[2], plus[0]
    if joint == "shoulder":  # 188 deg of flexion
        minus[1] = max(minus[1], -WIDEST)
    return replace(limits, limit_minus=tuple(minus), limit_plus=tuple(plus))


def _silva(
    joint: str, ours: Resistance, scales: tuple[float, float], weight: float, muscles: bool, reach: float
) -> Resistance:
    """Return a cone, or a hinge on the flexion axis y whose other axes are kept as recommended; no stiffness inside.

    scales  mass and height over those of the reference [-]
    """
    row, (heavier, taller) = data.values("joint_cone_silva")[joint], scales
    common = replace(
        ours,
        damping=(row["damping"] * heavier * taller,) * 3,
        limit_damping=(0.0,) * 3,
        friction=row["friction"] * weight,
        friction_speed=SLIP,
        friction_fade=HOLDING_ANGLE if muscles else 0.0,
    )
    if "cone_x" in row:
        forward, left, backward, right = (reach * row[f"cone_{axis}"] for axis in ("x", "y", "minus_x", "minus_y"))
        frame = quaternion_of_vector((0.0, row["zero_y"], 0.0))
        return replace(
            common,
            law="cone",
            cone=Cone((forward, left, backward, right), row["width"], row["torque"] * heavier, frame),
            limit_minus=(-inf, -inf, ours.limit_minus[2]),
            limit_plus=(inf, inf, ours.limit_plus[2]),
            stiffness=(0.0, 0.0, ours.stiffness[2]),
        )
    low, high = (row["zero_y"] + reach * row[f"hinge_{side}"] for side in ("minus", "plus"))
    curve = limit_curve(low, high, row["width"], row["torque"] * heavier)
    return replace(
        common,
        limit_minus=(ours.limit_minus[0], -inf, ours.limit_minus[2]),
        limit_plus=(ours.limit_plus[0], inf, ours.limit_plus[2]),
        stiffness=(ours.stiffness[0], 0.0, ours.stiffness[2]),
        curve=(None, curve, None),
    )


def _axes(row: Mapping[str, float], quantity: str, scale: float = 1.0) -> tuple[float, ...]:
    """Return x, y and z of a quantity."""
    return tuple(row[f"{quantity}_{axis}"] * scale for axis in "xyz")
