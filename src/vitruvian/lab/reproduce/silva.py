"""The occupant of silva1997: tables, counts, misprints, and the applications of sections 6.1 to 6.3.

The figures have no data in the text, so of section 6.1 the statements are compared. Sections 6.2 and 6.3 are in
`silva_impacts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import data
from ...human.individual import SEGMENTS, printed
from ...model.contact import Contact
from ...model.curve import limit_curve
from ...scenario import Scenario
from ...sim.plausibility import past_each
from ...sim.result import Result
from ..formulations.natural_nodes import basic_mass
from ..single_impact import impact
from ..verdict import Cause, Progress, Report, Reproduced, Table
from ..verify.occupant import natural_layout
from . import silva_impacts

if TYPE_CHECKING:
    from ...view.canvas import Canvas

SOURCE = "silva1997: Tables I to VI, eqs 2 to 25 with E068 to E080, section 4.1 and sections 6.1 to 6.3"
SCENARIOS = {"human": "seat-forward-fall", "dummy": "seat-forward-fall-dummy"}
POUND_INCH = 0.112984829  # lbf in s2 in kg m2
#: word -> what the source leaves open, as changes of the individual or, with a dot, of the human scenario
VARIANTS: dict[str, dict[str, Any]] = {
    "as the scenario": {},
    "head centre from the condyles (0.141 m)": {"head_centre": "condyles"},
    "e = 0": {"shoulder_drop": 0.0},
    "e = 0.102 m": {"shoulder_drop": 0.102},
    "head-neck damping 3.39 N m s (E077)": {"upper_neck_damping": 3.39},
    "holding torques as E076 reads them": {"holding": 1.0},
    "joint limits 10 % nearer": {"limits": 0.9},
    "joint limits 10 % farther": {"limits": 1.1},
    "seat of 50 kN/m": {"surface.seat.contact.stiffness": "50 kN/m"},
    "seat with restitution 0.5": {"surface.seat.contact.restitution": 0.5},
    "seat without friction": {"surface.seat.contact.friction": 0.0},
    "seat with friction 0.6": {"surface.seat.contact.friction": 0.6},
    "floor of 50 kN/m": {"surface.floor.contact.stiffness": "50 kN/m"},
    "floor without friction": {"surface.floor.contact.friction": 0.0},
}


def silva(progress: Progress) -> Report:
    """Compare tables, counts, misprints and the three applications of the occupant with the paper."""
    progress("tables and misprints", 0, 5)
    rows = [*_tables(), *_counts(), *_algebra(), *_laws()]
    progress("forward fall", 1, 5)
    falls = {who: fall(name) for who, name in SCENARIOS.items()}
    for who, found in falls.items():
        rows += _forward_fall(who, found)
    progress("variants", 2, 5)
    variants = {words: falls["human"] if not changes else fall(SCENARIOS["human"], changes)
                for words, changes in VARIANTS.items()}  # fmt: skip
    held = variants["holding torques as E076 reads them"]
    rows.append(
        Reproduced.same(
            "6.1, holding torques as E076 reads them: torso",
            "falls",
            "falls" if held.lean > np.radians(30.0) else "is held",
            cause=Cause.computed(
                "the level torso needs half of the torque of the back, so no lean can start a fall from rest; without "
                f"them it leans by {np.degrees(falls['human'].lean):.0f} degrees",
                falls["human"].lean > np.radians(30.0),
            ),
        )
    )
    progress("sled", 3, 5)
    sled_rows, sled_table = silva_impacts.sled()
    progress("tackle", 4, 5)
    tackle_rows, tackle_table, tackled = silva_impacts.tackle()
    rows += (*sled_rows, *tackle_rows)
    notes = (
        "Section 6.1 prints no angle, seat, time or force. A lean of 10 degrees, a seat of 500 kN/m and no holding "
        "torques are our choice.",
        "Section 6.2 prints no number but 15 km/h; mass of the sled, absorbers, belts and seat are our estimates. "
        "Section 6.3 prints neither shape, height and stiffness of the incoming player nor the ground.",
        "E071 (D multiplies the rate) and E080 (a lost dot) are readings: contact.md and joint-resistance.md use them.",
    )
    limits = (_limits(who, found) for who, found in falls.items())
    tables = (*limits, _variants(variants), sled_table, tackle_table)
    figures = {SCENARIOS[who]: partial(_frames, found.result) for who, found in falls.items()}
    figures["tackle"] = partial(_frames, tackled)
    return Report("The occupant of SOMLA: tables, fall, sled and tackle", SOURCE, tuple(rows), tables, figures, notes)


# tables and counts


def _tables() -> list[Reproduced]:
    rows = []
    for name, mass, height in (("human50", 81.416, 1.820), ("dummy50", 74.600, 1.781)):
        own = printed(name)
        rows += [
            Reproduced.close(f"Table III, {name}: sum of the masses", mass, own.whole_mass, 5e-4, "kg", origin="sum"),
            Reproduced.close(f"Table II, {name}: sum of the links", height, own.height, 5e-4, "m", origin="sum"),
        ]
        moments = sum(value for segment in SEGMENTS for value in own.inertia[segment])
        table = data.values(f"occupant_{name}")
        as_printed = sum(
            table[segment]["inertia_eta"] * (1.0 + table[segment]["ratio_xi"] + table[segment]["ratio_zeta"])
            for segment in SEGMENTS
        )
        bars = _bars(name)
        rows.append(
            Reproduced.factor(
                f"Table IV, {name}: sum of all moments, one side",
                as_printed,
                moments,
                2.0,
                "kg m2",
                cause=Cause.computed(
                    f"E074: times 386.09, after E075; solids of the contact surfaces have {bars:.3g} kg m2",
                    0.5 < moments / bars < 2.0,
                ),
            )
        )
    eta = printed("human50").inertia["pelvis"][1] / POUND_INCH
    rows.append(Reproduced.close("E074: moment of the pelvis in lbf in s2", 1.19, eta, 5e-4, origin="round number"))
    rows.append(
        Reproduced.close(
            "E075: moment of the forearm, exponent as printed",
            7.433e-4,
            data.values("occupant_human50")["forearm"]["inertia_eta"],
            1e-9,
            "kg m2",
            cause=Cause.cited("E075: the exponent is -5; as printed it would be larger than that of the thigh"),
        )
    )
    return rows


def _bars(name: str) -> float:
    """Return the sum of the moments of solids with the shapes of the contact surfaces [kg m2]."""
    from ...human.occupant12 import contact_surface

    own = printed(name)
    return float(sum(contact_surface(own, segment)[0].inertia(own.mass[segment]).sum() for segment in SEGMENTS))


def _counts() -> list[Reproduced]:
    words = "occupant12, natural coordinates: "
    return [
        Reproduced.close(f"section 4.1: {row.name.removeprefix(words)}", row.expected, row.got, 0.0)
        for row in natural_layout()
    ]


# misprints


def _algebra() -> list[Reproduced]:
    """Return the rows of the equations of natural coordinates, E068 to E070."""
    rng = np.random.default_rng(3)
    base, parts = rng.normal(size=(3, 3)), rng.normal(size=3)
    point = base @ parts
    as_printed = base @ np.array([parts[0], parts[2], parts[2]])
    rows = [
        Reproduced.close(
            "E068: error of a point by eq. 2 as printed",
            0.0,
            float(np.linalg.norm(as_printed - point)),
            1e-9,
            "m",
            origin="identity",
            cause=Cause.cited("E068: the third block is c2"),
        )
    ]
    inertia, origin = np.diag([0.3, 0.4, 0.5]), np.array([0.1, -0.2, 0.3])
    mass = basic_mass(5.0, inertia, origin, base)
    together = np.array([1.0, 1.0, 0.0, 0.0])
    wrong = mass.copy()
    moment = np.linalg.inv(base) @ -origin * 5.0
    wrong[0, 1:] = wrong[1:, 0] = 2.0 * moment - mass[0, 1:]
    for words, matrix, cause in (
        ("as printed", wrong, Cause.cited("E069: m a - z in the first row")),
        ("with E069", mass, None),
    ):
        got = float(together @ matrix @ together)
        name = f"E069: mass of a body of 5 kg that translates, eq. 7 {words}"
        rows.append(Reproduced.close(name, 5.0, got, 1e-9, "kg", origin="identity", cause=cause))
    at, arm = np.array([1.0, 0.0, 0.0, 0.0]), np.array([1.0 - parts[0], *parts])  # C_i and C_(i + u_m)
    for words, pair, cause in (
        ("as printed", at + arm, Cause.cited("E070: the forces are opposite, so the sign is minus")),
        ("with E070", arm - at, None),
    ):
        name = f"E070: net force of a couple of 1 N by eq. 12 {words}"
        net = float(abs(pair @ together))
        rows.append(Reproduced.close(name, 0.0, net, 1e-12, "N", origin="identity", cause=cause))
    return rows


def _laws() -> list[Reproduced]:
    """Return the rows of the contact law and of the penalty torque, E072 to E079."""
    bound = 1e-5 * sqrt(2.1e11 / 7850.0)
    rows = [
        Reproduced.same(
            "E072: the criterion of eq. 18 for steel at 3 m/s",
            "fulfilled",
            "fulfilled" if bound >= 3.0 else "not fulfilled",
            cause=Cause.cited(f"E072: the bound is {bound:.2g} m/s"),
        )
    ]
    for law, cause in (
        ("lankarani-nikravesh", Cause.cited("E073: eq. 18 holds near e = 1")),
        ("gonthier", None),
    ):
        got = impact(Contact(1e5, 1.5, 0.1, 0.0, law=law), 3.0).restitution
        words = "eq. 18" if cause else "Gonthier"
        rows.append(Reproduced.close(f"E073: rebound for e = 0.1, {words}", 0.1, got, 0.01, origin="e", cause=cause))
    curve = limit_curve(-0.1, 0.1, 0.2, 226.0)
    x = 1.5
    rows.append(
        Reproduced.close(
            "E078: penalty torque at 1.5 delta-beta beyond the limit",
            226.0 * (3.0 * x**2 - 2.0 * x**3),
            float(curve.at(np.array(0.1 + 0.2 * x))),
            1e-9,
            "N m",
            cause=Cause.cited("E078: the polynomial returns to zero; ours stays at its top"),
        )
    )
    axis, limb = np.array([0.0, 0.0, 1.0]), np.array([np.sin(0.3), 0.0, np.cos(0.3)])
    away = float(np.cross(axis, limb)[1])  # a turn about y by the right-hand rule takes z towards x: away
    rows.append(
        Reproduced.same(
            "E079: torque of eq. 25 on a limb beyond the cone",
            "restores",
            "restores" if away < 0.0 else "pushes outwards",
            cause=Cause.cited("E079: the torque acts along u_r x u_zeta; ours in 6.1 below"),
        )
    )
    return rows


# section 6.1


@dataclass(frozen=True)
class Fall:
    """A forward fall and what its joints did.

    past   joint -> angle beyond its limit at every pose, negative inside [rad]
    width  joint -> delta-beta [rad]
    lean   largest pitch of the thorax beyond its start [rad]
    """

    result: Result
    time: np.ndarray
    past: dict[str, np.ndarray]
    width: dict[str, float]
    lean: float

    @property
    def reached(self) -> list[str]:
        """Return the joints that passed a limit, in the order of time."""
        hit = {name: int(np.argmax(past > 0.0)) for name, past in self.past.items() if (past > 0.0).any()}
        return sorted(hit, key=hit.__getitem__)

    @property
    def largest(self) -> float:
        """Return the largest angle beyond a limit over delta-beta [-]."""
        return max(float(past.max()) / self.width[name] for name, past in self.past.items())


def fall(name: str, changes: dict[str, Any] | None = None) -> Fall:
    """Run a forward fall, with changes of the individual or, with a dot, of the scenario."""
    scenario = Scenario.load(name)
    if changes:
        own = scenario.table.human[0].individual
        assert isinstance(own, dict)
        own |= {key: value for key, value in changes.items() if "." not in key}
        others = {key: value for key, value in changes.items() if "." in key}
        scenario = scenario.replace({"human.individual": own} | others)
    system, _ = scenario.build()
    result = scenario.run()
    recording = result.recording
    table = data.values("joint_cone_silva")
    past, width = {}, {}
    for place, joint in enumerate(recording.joints):
        resistance = system.joint(joint).resistance
        plain = joint.removeprefix("left_").removeprefix("right_")
        if resistance is not None and plain in table:
            past[joint] = past_each(recording.joint_rotation[:, place], resistance)[:, 0]
            width[joint] = table[plain]["width"]
    turn = recording.orientation[:, recording.bodies.index("thorax")]
    w, x, y, z = turn.T
    pitch = np.arctan2(2.0 * (w * y + x * z), 1.0 - 2.0 * (x * x + y * y))
    return Fall(result, recording.pose_time, past, width, float((pitch - pitch[0]).max()))


def _forward_fall(who: str, found: Fall) -> list[Reproduced]:
    reached = found.reached
    return [
        Reproduced.same(f"6.1, {who}: joints that reach their limits", "several",
                        "several" if len(reached) > 1 else "none" if not reached else "one",
                        note=", ".join(reached)),
        Reproduced.at_most(f"6.1, {who}: largest rotation beyond a limit over delta-beta", 1.0, found.largest),
        Reproduced.same(f"6.1, {who}: torque of the back at its largest rotation", "restores", _restores(found),
                        origin="E079"),
    ]  # fmt: skip


def _restores(found: Fall) -> str:
    """Return what the torque of the back does where it is bent most; all turns are about y, which is common."""
    recording = found.result.recording
    place, most = recording.joints.index("thoracolumbar"), int(np.argmax(found.past["thoracolumbar"]))
    work = recording.joint_torque[most, place, 1] * recording.joint_rotation[most, place, 1]
    return "restores" if work < 0.0 else "pushes outwards"


def _limits(who: str, found: Fall) -> Table:
    rows = []
    for name in found.reached:
        past = found.past[name]
        beyond = past > 0.0
        rows.append(
            (
                name,
                f"{found.time[int(np.argmax(beyond))]:.3f}",
                f"{found.time[len(beyond) - 1 - int(np.argmax(beyond[::-1]))]:.3f}",
                f"{np.degrees(past.max()):.1f}",
                f"{np.degrees(found.width[name]):.1f}",
            )
        )
    headings = ("joint", "first beyond [s]", "last beyond [s]", "largest beyond [deg]", "delta-beta [deg]")
    return Table(f"limits-{who}", f"Joints beyond their limits in the forward fall, {who}", headings, tuple(rows))


def _frames(result: Result) -> Canvas:
    """Return the pictures of a fall."""
    from ...view.frames import picture

    return picture(result, dots=75)


def _variants(variants: dict[str, Fall]) -> Table:
    rows = tuple(
        (
            words,
            f"{np.degrees(found.lean):.0f}",
            str(len(found.reached)),
            f"{found.time[int(np.argmax(found.past[found.reached[0]] > 0.0))]:.3f}" if found.reached else "",
            f"{max(found.largest, 0.0):.2f}",
            f"{found.result.resultant_g('head')[1].max():.1f}",
        )
        for words, found in variants.items()
    )
    headings = ("human, variant", "lean of the torso [deg]", "joints at a limit", "first at [s]",
                "largest beyond over delta-beta", "head [g]")  # fmt: skip
    return Table("variants", "What the paper leaves open, in the forward fall of the human", headings, rows)
