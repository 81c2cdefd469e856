"""Sections 6.2 and 6.3 of silva1997: the sled at 15 km/h and the offside tackle, with what the paper leaves open.

Of section 6.2 only figures exist, which have no data in the text. Section 6.3 prints SI 2170 and HIC 873, "the
survivability limit". Mass, shape, stiffness and height of what strikes, ground, belts, sled and absorbers are open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...injury.assessment import of_result
from ...scenario import Scenario
from ...scenario.occupant import belt_forces, sled_pulse
from ...sim.result import Result
from ..verdict import Cause, Reproduced, Table

PRINTED_SI, PRINTED_HIC = 2170.0, 873.0
HIC_LIMIT = 1000.0  # HIC36 that regulations accept
_SLED, _TACKLE = "sled-15kmh", "tackle"
_STIFF = {"loading": [[0, 0], [0.04, 11.1e3]]}
_SOFT = {"loading": [[0, 0], [0.16, 11.1e3]]}
_BELT = {"name": "belt", "type": "three-point", "carrier": "sled"}
#: of an absorber: crush [m] and force [N], by which it takes the 2.35 kJ that the half-sine of the scenario takes
_RECTANGLE = [[0, 0], [0.005, 15.2e3], [0.3, 15.2e3]]
_TRIANGLE = [[0, 0], [0.155, 30.3e3], [0.3, 30.3e3]]
_SHORT = [[0, 0], [0.0775, 60.7e3], [0.3, 60.7e3]]
#: word -> scenario and changes of what section 6.2 leaves open
SLEDS: dict[str, tuple[str, dict[str, Any]]] = {
    "human, as the scenario": (_SLED, {}),
    "dummy": ("sled-15kmh-dummy", {}),
    "webbing twice as stiff": (_SLED, {"belt": [_BELT | _STIFF]}),
    "webbing half as stiff": (_SLED, {"belt": [_BELT | _SOFT]}),
    "slack of 40 mm": (_SLED, {"belt": [_BELT | {"slack": 0.04}]}),
    "four-point belt": (_SLED, {"belt": [_BELT | {"type": "four-point"}]}),
    "sled of 300 kg, same absorbers": (_SLED, {"sled.mass": 300.0}),
    "sled of 1000 kg, same absorbers": (_SLED, {"sled.mass": 1000.0}),
    "absorbers of constant force": (_SLED, {"sled.barrier.curve": _RECTANGLE}),
    "absorbers of linear force": (_SLED, {"sled.barrier.curve": _TRIANGLE}),
    "the same in half of the way": (_SLED, {"sled.barrier.curve": _SHORT}),
    "joint limits 10 % nearer": (_SLED, {"human.individual": {"base": "human50", "limits": 0.9}}),
    "joint limits 10 % farther": (_SLED, {"human.individual": {"base": "human50", "limits": 1.1}}),
    "seat without friction": (_SLED, {"seat.friction": 0.0}),
    "cushion instead of the rigid seat": (_SLED, {"seat.cushion": "cushion"}),
    "head-neck damping 3.39 N m s (E077)": (
        _SLED, {"human.individual": {"base": "human50", "upper_neck_damping": 3.39}},
    ),
}  # fmt: skip
_CONCRETE = [{"name": "ground", "contact": "concrete"}]


def _player(height: float, stiffness: str = "100 kN/m") -> dict[str, Any]:
    shape = {"kind": "ellipsoid", "semi_axes": [0.35, 0.2, 0.2], "stiffness": stiffness}
    start = {"position": [-0.6, 0.0, height], "velocity": [3.0, 0.0, 0.0]}
    return {"body": [{"name": "player", "mass": 75.0, "shapes": [shape], "start": start}]}


#: word -> changes of what section 6.3 leaves open
TACKLES: dict[str, dict[str, Any]] = {
    "as the scenario (hip, 1.05 m)": {},
    "at the shoulder, 1.40 m": _player(1.40),
    "at the neck and jaw, 1.55 m": _player(1.55),
    "at the head, 1.70 m": _player(1.70),
    "at the head, 1 MN/m": _player(1.70, "1 MN/m"),
    "hip, 1 MN/m": _player(1.05, "1 MN/m"),
    "on concrete": {"surface": _CONCRETE},
    "at the shoulder, on concrete": _player(1.40) | {"surface": _CONCRETE},
    "on turf with friction 0.4": {"surface.ground.contact.friction": 0.4},
    "on turf of 50 kN/m": {"surface.ground.contact.stiffness": "50 kN/m"},
    "player with friction 0": {"contact.tackle.contact.friction": 0.0},
    "player with restitution 0.5": {"contact.tackle.contact.restitution": 0.5},
    "joint limits 10 % nearer": {"human.individual": {"base": "human50", "limits": 0.9}},
    "joint limits 10 % farther": {"human.individual": {"base": "human50", "limits": 1.1}},
    "dummy": {"human.joints": "silva-dummy"},
}


@dataclass(frozen=True)
class Head:
    """Head of a run: peak acceleration [g], HIC15, HIC36, SI [-], and the run."""

    result: Result
    peak: float
    hic15: float
    hic36: float
    si: float


def head(scenario: str, changes: dict[str, Any]) -> Head:
    """Run a scenario with changes and evaluate the first head."""
    made = Scenario.load(scenario)
    result = (made.replace(changes) if changes else made).run(check=False)
    found = {f.criterion: f.value for f in of_result(result, only=("HIC15", "HIC36", "SI")).findings}
    peak = float(result.resultant_g("head")[1].max())
    return Head(result, peak, found["HIC15"], found["HIC36"], found["SI"])


def sled() -> tuple[list[Reproduced], Table]:
    """Return rows and the sensitivity table of section 6.2."""
    runs = {words: head(*given) for words, given in SLEDS.items()}
    own = runs["human, as the scenario"].result.recording
    change, peak = sled_pulse(own, "sled")
    rows = [
        Reproduced.close("6.2: speed that the sled loses", 15.0, -3.6 * change, 1.0, "km/h",
                         note="with the rebound of the absorbers and the occupant"),
        Reproduced("6.2: peak deceleration of the sled", None, peak, "g", note="aim of the estimated absorbers: 9 g"),
        Reproduced("6.2: HIC36 of the head", None, runs["human, as the scenario"].hic36,
                   note="Fig. 18 has no data in the text"),
    ]  # fmt: skip
    return rows, Table(
        "sled-15kmh", "Section 6.2: what the paper leaves open",
        ("variant", "sled [g]", "head [g]", "HIC36", "neck-torso torque [N m]", "largest belt force [kN]"),
        tuple((words, f"{sled_pulse(run.result.recording, 'sled')[1]:.1f}", f"{run.peak:.1f}", f"{run.hic36:.1f}",
               f"{_neck(run.result):.0f}", f"{1e-3 * max(belt_forces(run.result.recording).values()):.2f}")
              for words, run in runs.items()),
    )  # fmt: skip


def _neck(result: Result) -> float:
    """Return the largest torque of the neck-torso joint [N m]."""
    recording = result.recording
    place = recording.joints.index("lower_neck")
    return float(np.linalg.norm(recording.joint_torque[:, place], axis=1).max())


def tackle() -> tuple[list[Reproduced], Table, Result]:
    """Return rows, the sensitivity table and the run of section 6.3."""
    runs = {words: head(_TACKLE, changes) for words, changes in TACKLES.items()}
    own = next(iter(runs.values()))
    hics, sis = [run.hic36 for run in runs.values()], [run.si for run in runs.values()]
    span = "over what the paper leaves open (height, stiffness, ground, joint limits) ours are"
    rows = [
        Reproduced.factor("6.3: HIC of the athlete's head", PRINTED_HIC, own.hic36, 1.5, cause=Cause.computed(
            f"{span} {min(hics):.0f} to {max(hics):.0f}", min(hics) <= PRINTED_HIC <= max(hics))),
        Reproduced.factor("6.3: SI of the athlete's head", PRINTED_SI, own.si, 1.5, cause=Cause.computed(
            f"{span} {min(sis):.0f} to {max(sis):.0f}", min(sis) <= PRINTED_SI <= max(sis))),
        Reproduced("6.3: HIC over the limit of 1000", PRINTED_HIC / HIC_LIMIT, own.hic36 / HIC_LIMIT,
                   note="the paper calls 873 the survivability limit; HIC 1000 is a limit of severe injury"),
        Reproduced("6.3: SI over HIC", PRINTED_SI / PRINTED_HIC, own.si / own.hic36,
                   note="a single half-sine has 1.2; a larger ratio needs several blows or a long tail"),
    ]  # fmt: skip
    return rows, Table(
        "tackle", "Section 6.3: what the paper leaves open",
        ("variant", "head [g]", "HIC15", "HIC36", "SI", "SI over HIC36"),
        tuple((words, f"{run.peak:.0f}", f"{run.hic15:.0f}", f"{run.hic36:.0f}", f"{run.si:.0f}",
               f"{run.si / run.hic36:.2f}") for words, run in runs.items()),
    ), own.result  # fmt: skip
