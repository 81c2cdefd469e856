"""Numbers of one fall: contacts, HIC, joint loads, and their sensitivity to the tolerance. SI units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...human.mirror import plain_name
from ...injury import hic
from ...scenario import Scenario
from ...sim.plausibility import beyond_limits, compression
from ...sim.result import Result
from ...sim.solver import METHODS

RATE = 1e5  # of the head [Hz]; its pulse lasts 1 ms, and at 10 kHz the HIC depends by 1.5 % on where the samples fall
LOAD_RATE = 1e4  # of joint and contact loads [Hz]
APART = 0.01  # distance of a segment in two runs beyond which details are not predictable [m]
SEEN = 0.015  # of the head's pulse after its first touch that belongs to the first impact [s]


@dataclass(frozen=True)
class Outcome:
    """Numbers of a fall that are compared.

    order        segments in the order of their first contacts, sides left out
    head_speed   at its first contact [m/s]; NaN without a contact
    hic15        of the whole run [-]
    first_hic    HIC15 up to the end of the first impact of the head [-]
    force        joint -> largest force [N]
    moment       joint -> largest moment [N m]
    squeezed     segment -> largest compression over its half-width [-]
    bent         joint -> largest angle past a limit [rad]
    wall_time    of a run with the default rates [s]
    factor       how many times faster than real time [-]
    balance      energy balance error [-]
    first_change relative change of first_hic at half the tolerance [-]
    horizon      time up to which half the tolerance moves no segment by more than 1 cm [s]
    end          of the run [s]
    """

    order: tuple[str, ...]
    head_speed: float
    hic15: float
    first_hic: float
    force: dict[str, float]
    moment: dict[str, float]
    squeezed: dict[str, float]
    bent: dict[str, float]
    wall_time: float
    factor: float
    balance: float
    first_change: float
    horizon: float
    end: float


#: the published models have one stiffness for each segment and bones that do not give way, as our previous body
PREVIOUS = {"human.body": "previous"}


def outcome(name: str, joints: str = "recommended", **changes: Any) -> Outcome:
    """Return the numbers of a ready fall, run three times: as it is, finely sampled, and at half the tolerance."""
    scenario = Scenario.load(name, PREVIOUS | {"human.joints": joints} | changes)
    system, _ = scenario.build()
    plain = scenario.run().summary()
    tolerance = scenario.table.solver.tolerance or METHODS["implicit"][2]
    fine = scenario.replace({"output.rate": RATE, "output.pose_rate": LOAD_RATE, "solver.tolerance": tolerance}).run()
    recording, loads = fine.recording, range(1, len(fine.recording.joints))
    peaks = [np.linalg.norm(array, axis=2).max(axis=0) for array in (recording.joint_force, recording.joint_moment)]
    force, moment = ({recording.joints[place]: float(peak[place]) for place in loads} for peak in peaks)
    squeezed, bent = compression(recording, system), beyond_limits(recording, system)
    whole, first = head_hic(fine)
    speed = next((c["speed"] for c in plain["first_contacts"] if c["body"] == "head"), float("nan"))
    times, position = recording.pose_time, recording.position
    del fine, recording

    finer = scenario.replace({"output.rate": RATE, "output.pose_rate": LOAD_RATE, "solver.tolerance": 0.5 * tolerance})
    half = finer.run()
    apart = np.linalg.norm(half.recording.position - position, axis=2).max(axis=1) > APART
    horizon = times[apart.argmax()] if apart.any() else times[-1]
    half_first = head_hic(half)[1]
    return Outcome(
        order=contact_order(plain),
        head_speed=speed,
        hic15=whole,
        first_hic=first,
        force=force,
        moment=moment,
        squeezed=squeezed,
        bent=bent,
        wall_time=plain["wall_time"],
        factor=plain["real_time_factor"],
        balance=plain["balance_error"],
        first_change=half_first / first - 1.0 if first > 0.0 else 0.0,
        horizon=float(horizon),
        end=float(times[-1]),
    )


def head_hic(run: Result) -> tuple[float, float]:
    """Return HIC15 of the whole run, and to the end of the first head impact [-]; equal without contact."""
    time, acceleration = run.resultant_g("head")
    whole = hic(time, acceleration, assume_units=True).value
    touches = [event.time for event in run.recording.events if (event.kind, event.body) == ("touch", "head")]
    if not touches:
        return whole, whole
    early = time <= min(touches) + SEEN
    return whole, hic(time[early], acceleration[early], assume_units=True).value


def contact_order(summary: dict[str, Any]) -> tuple[str, ...]:
    """Return the segments in the order of their first contacts, without sides."""
    bodies = [plain_name(contact["body"]) for contact in summary["first_contacts"]]
    return tuple(dict.fromkeys(bodies))
