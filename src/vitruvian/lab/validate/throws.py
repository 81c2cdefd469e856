"""Pedestrians thrown to rest, compared with Searle's bounds, which give a speed from a throw distance.

Source: the bounds are recalled; they are derived on the theory page of the pedestrian. No measured throw was at hand.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from ...injury.strike import launch_speed, searle_bounds
from ...scenario import Scenario
from ...scenario.impact_outcome import Outcome
from ...scenario.pedestrian import pedestrian_outcome
from ..verdict import Progress, Report, Table, Validated
from . import body

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FRONTS = ("small-car", "sedan", "suv", "van")
SPEEDS = (30, 40, 50)  # [km/h]
FRICTION = 0.6  # of the ground, asphalt [-]
LEVEL = -0.05  # rise over speed below which a launch counts as downwards [-]

_SEARLE = "Searle's bounds, friction 0.6 (recalled)"


@cache
def thrown(front: str, speed: float, preset: str = "") -> Outcome:
    """Run a walking person struck by a braking car at a speed [km/h], to rest; a man of 180 cm without a preset."""
    changes = body.changes() | {"vehicle.front": front, "vehicle.speed": f"{speed} km/h"}
    if preset:
        changes |= {"human.preset": preset, "human.height": None, "human.mass": None}
    return pedestrian_outcome(Scenario.load("pedestrian-throw", changes).run())


def throws(progress: Progress) -> Report:
    """Compare launch speed and car speed with Searle's bounds, four cars at three speeds."""
    cases = [(front, speed) for front in FRONTS for speed in SPEEDS]
    found: dict[tuple[str, int], Outcome] = {}
    with ThreadPoolExecutor(2) as pool:
        runs = {case: pool.submit(thrown, *case) for case in cases}
        for number, case in enumerate(cases):
            progress(f"{case[0]} at {case[1]} km/h", number, len(cases))
            found[case] = runs[case].result()
    rows = [row for case, outcome in found.items() for row in _rows(*case, outcome)]
    off = [abs(predicted(outcome) / outcome.launch.speed - 1.0) for outcome in found.values() if outcome.launch]
    wraps = [row for row in rows if row.quantity.endswith("whole throw") and not row.quantity.startswith("van")]
    inside = sum(row.inside for row in wraps)
    return Report(
        title="Pedestrian throws",
        source="Searle's bounds (recalled, derived on the page The pedestrian)",
        rows=tuple(rows),
        tables=(_table(found),),
        figures={"throws": partial(_draw, found)},
        notes=(
            "A walking man of 1.80 m is struck from his left by a car that brakes with 7 m/s2 from the impact on, and "
            "runs until he lies at rest. Friction on the ground is 0.6, on the car 0.3.",
            "S after the car is measured from where the last contact with the car ends, and the launch speed is that "
            "of the centre of mass there, horizontally. The bounds suppose a launch from the level of rest, level or "
            "upwards. People who slide off a braking bonnet leave it downwards and from a height: those rows are "
            "outside.",
            f"With the angle and the height of each launch put into the same formula it gives the launch speed within "
            f"{100.0 * max(off):.0f} % ({100.0 * float(np.mean(off)):.0f} % on average): the bodies slide and tumble "
            "as the friction says.",
            "Read as in a reconstruction, from the whole throw to the speed of the car, the bounds hold for "
            f"{inside} of {len(wraps)} impacts of cars with a bonnet. A van throws people ahead of itself as fast as "
            "it is: its speed is overestimated.",
            "What to take from this: for a car with a bonnet take the whole throw; the way after the last contact fits "
            "the bounds only where the launch is level or upwards and from near the ground, else use the formula with "
            "the angle and the height of the launch.",
        ),
    )


def predicted(outcome: Outcome) -> float:
    """Return the horizontal launch speed [m/s] from the throw distance, launch angle and launch height."""
    launch = outcome.launch
    if launch is None:
        return float("nan")
    return launch_speed(launch.distance, FRICTION, launch.rise, launch.drop)


def _rows(front: str, speed: int, outcome: Outcome) -> list[Validated]:
    name = f"{front} at {speed} km/h"
    rows = []
    if outcome.launch is not None:
        launch = outcome.launch
        low, high = searle_bounds(launch.distance, FRICTION)
        note = ""
        if not low <= launch.speed <= high:
            way = "downwards" if launch.rise < LEVEL * launch.speed else "level" if launch.rise <= 0.0 else "upwards"
            note = f"leaves {way} at {launch.rise:+.1f} m/s, {launch.drop:.1f} m above rest"
        words = f"{name}: launch speed from S after the car"
        rows.append(Validated(words, low, high, launch.speed, "m/s", source=_SEARLE, note=note))
    if outcome.throw is not None:
        low, high = searle_bounds(outcome.throw.value, FRICTION)
        note = ""
        if not low <= outcome.speed <= high:
            ratio = "" if outcome.launch is None else f"leaves at {outcome.launch.ratio:.2f} of the car's speed"
            note = f"thrown forward: {ratio}" if outcome.speed < low else f"carried and braked by the car: {ratio}"
        words = f"{name}: car speed from the whole throw"
        rows.append(Validated(words, low, high, outcome.speed, "m/s", source=_SEARLE, note=note))
    return rows


def _table(found: dict[tuple[str, int], Outcome]) -> Table:
    headings = (
        "car", "speed [km/h]", "leaves at [s]", "v [m/s]", "v / car", "upwards [m/s]", "drop [m]", "S [m]",
        "formula v [m/s]", "whole throw [m]",
    )  # fmt: skip
    rows = []
    for (front, speed), outcome in found.items():
        launch, throw = outcome.launch, outcome.throw
        if launch is None or throw is None:
            continue
        values = (launch.time, launch.speed, launch.ratio, launch.rise, launch.drop, launch.distance)
        cells = (f"{value:.2f}" for value in (*values, predicted(outcome), throw.value))
        rows.append((front, f"{speed}", *cells))
    return Table("launches", "Launches", headings, tuple(rows))


def _draw(found: dict[tuple[str, int], Outcome]) -> Figure:
    """Draw car speed over the throw distance with the bounds, and launch speed by the formula over that of the run."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 3.8), layout="constrained")
    whole = figure.add_subplot(1, 2, 1, xlabel="whole throw [m]", ylabel="car speed [m/s]")
    after = figure.add_subplot(1, 2, 2, xlabel="launch speed [m/s]", ylabel="by the formula [m/s]")
    distance = np.linspace(0.5, 30.0, 100)
    bounds = np.array([searle_bounds(way, FRICTION) for way in distance])
    whole.fill_between(distance, bounds[:, 0], bounds[:, 1], color="#f2cc8f", alpha=0.5, label="Searle's bounds")
    for front in FRONTS:
        outcomes = [outcome for (name, _), outcome in found.items() if name == front]
        throws = [outcome.throw.value for outcome in outcomes if outcome.throw]
        whole.plot(throws, [outcome.speed for outcome in outcomes], "o-", label=front)
        launched = [outcome for outcome in outcomes if outcome.launch]
        after.plot([o.launch.speed for o in launched if o.launch], [predicted(o) for o in launched], "o", label=front)
    after.axline((0.0, 0.0), slope=1.0, color="#888888", linewidth=0.8)
    whole.legend(frameon=False, fontsize=9)
    return figure
