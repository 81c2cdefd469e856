"""Five people and four cars: head impact time, wrap-around distance, launch and throw; targets C15 to C26.

Most of these targets are recalled, some with low confidence: see the table of targets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...human import human
from ...scenario.impact_outcome import Outcome
from ..verdict import Progress, Report, Table
from .target import Compared, compared, targets
from .throws import FRONTS, thrown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: person -> keys of [human]; None is the man of the ready scenario
PEOPLE: dict[str, dict[str, object]] = {
    "man 180 cm": {},
    "50M": {"preset": "50M"},
    "5F": {"preset": "5F"},
    "95M": {"preset": "95M"},
    "6YO": {"preset": "6YO"},
}
CHILD = "6YO"
SPEED = 40  # of the car [km/h]
BONNETS = ("small-car", "sedan")
WRAP_EXPONENT, FORWARD_EXPONENT = 0.57, 0.61  # of Toor & Araszewski: targets C15 and C16

Pair = tuple[str, str]
Found = dict[Pair, Outcome]


def pairs(progress: Progress) -> Report:
    """Compare head impact, launch and throw of twenty pairs of person and car with published values."""
    cases = [(person, front) for person in PEOPLE for front in FRONTS]
    found: Found = {}
    with ThreadPoolExecutor(2) as pool:
        runs = {case: pool.submit(thrown, case[1], SPEED, **PEOPLE[case[0]]) for case in cases}
        for number, case in enumerate(cases):
            progress(f"{case[0]}, {case[1]}", number, len(cases))
            found[case] = runs[case].result()
    return Report(
        title="People and cars",
        source="targets C15 to C26",
        rows=tuple(_rows(found)),
        tables=(_table(found),),
        figures={"pairs": partial(_draw, found)},
        notes=(
            f"{len(PEOPLE)} people and {len(FRONTS)} cars: {len(found)} pairs at {SPEED} km/h, struck from the left "
            "while walking. The car brakes with 7 m/s2 from the impact on, and the run continues until the person "
            "lies at rest.",
            "Each target is compared with the mean of the pairs that it describes; the remark gives the extremes and "
            "how many pairs are inside on their own.",
            "Fronts are estimated shapes and stiffnesses, and most targets are recalled: this checks orders of "
            "magnitude.",
        ),
    )


def stature(person: str) -> float:
    """Return the stature of a person of PEOPLE [m]."""
    options = PEOPLE[person] or {"height": 1.80, "mass": 80.0}
    return human(**options).height  # type: ignore[arg-type]


def _rows(found: Found) -> list[Compared]:
    adult = [pair for pair in found if pair[0] != CHILD]
    sedan = [pair for pair in adult if pair[1] == "sedan"]
    wrapped = [pair for pair in adult if pair[1] in BONNETS]
    high = [pair for pair in found if pair not in wrapped]
    vans = [pair for pair in adult if pair[1] == "van"]

    def whole(exponent: float, unit: float) -> Callable[[Pair], float | None]:
        def constant(pair: Pair) -> float | None:
            outcome = found[pair]
            return None if outcome.throw is None else unit * outcome.speed / outcome.throw.value**exponent

        return constant

    def ratio(pair: Pair) -> float | None:
        launch = found[pair].launch
        return None if launch is None else launch.ratio

    def head_time(pair: Pair) -> float | None:
        head = found[pair].head
        return None if head is None else 1e3 * head.after

    def wrap(pair: Pair) -> float | None:
        head = found[pair].head
        return None if head is None else head.wrap_around_distance / stature(pair[0])

    return [
        _mean("C15", wrapped, whole(WRAP_EXPONENT, 3.6), note="constant a, with exponent 0.57; "),
        _mean("C16", vans, whole(FORWARD_EXPONENT, 3.6), note="constant a, with exponent 0.61; "),
        _mean("C17", found, whole(0.5, 1.0)),
        _mean("C18", found, whole(0.5, 1.0)),
        _mean("C19", wrapped, ratio),
        _mean("C20", high, ratio),
        _mean("C25", sedan, head_time),
        _mean("C26", sedan, wrap),
    ]


def _mean(target: str, who: Iterable[Pair], value: Callable[[Pair], float | None], note: str = "") -> Compared:
    """Return the mean of a value over pairs, with the extremes in the remark."""
    who = list(who)
    values = [number for pair in who if (number := value(pair)) is not None]
    if not values:
        return compared(target, float("nan"), f"none of {len(who)} pairs has a value")
    row = targets()[target]
    inside = sum(row.low <= number <= row.high for number in values)
    alone = f", {inside} of {len(values)} inside" if row.bounded else ""
    return compared(
        target, float(np.mean(values)), f"{note}{len(values)} pairs, {min(values):.3g} to {max(values):.3g}{alone}"
    )


def _table(found: Found) -> Table:
    headings = (
        "person", "car", "head after [ms]", "head on", "head speed [m/s]", "WAD [m]", "WAD / stature",
        "launch / car", "whole throw [m]", "v / sqrt(S) [m^0.5/s]",
    )  # fmt: skip
    rows = []
    for (person, front), outcome in found.items():
        head, launch, throw = outcome.head, outcome.launch, outcome.throw
        struck = ("", "none", "", "", "")
        if head is not None:
            distance = head.wrap_around_distance
            struck = (f"{1e3 * head.after:.0f}", head.part.replace("_", " "), f"{head.speed:.1f}", f"{distance:.2f}",
                      f"{distance / stature(person):.2f}")  # fmt: skip
        way = ("", "") if throw is None else (f"{throw.value:.1f}", f"{outcome.speed / throw.value**0.5:.2f}")
        rows.append((person, front, *struck, "" if launch is None else f"{launch.ratio:.2f}", *way))
    return Table("pairs", f"Pairs at {SPEED} km/h", headings, tuple(rows))


def _draw(found: Found) -> Figure:
    """Draw head impact time and wrap-around distance over stature, and throws by car."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.0, 3.8), layout="constrained")
    time = figure.add_subplot(1, 3, 1, xlabel="stature [m]", ylabel="head impact time [ms]")
    wrap = figure.add_subplot(1, 3, 2, xlabel="stature [m]", ylabel="wrap-around distance / stature [-]")
    whole = figure.add_subplot(1, 3, 3, xlabel="stature [m]", ylabel="whole throw [m]")
    for axes, target in ((time, targets()["C25"]), (wrap, targets()["C26"])):
        axes.axhspan(target.low, target.high, color="#f2cc8f", alpha=0.5, label="adults and a sedan")
    far = [(SPEED / 3.6 / k) ** 2 for k in (targets()["C18"].low, targets()["C18"].high)]
    whole.axhspan(far[1], far[0], color="#f2cc8f", alpha=0.5, label="Wood & Simms")
    for front in FRONTS:
        struck = {stature(p): outcome for (p, car), outcome in found.items() if car == front}
        heads = {tall: outcome.head for tall, outcome in struck.items() if outcome.head is not None}
        time.plot(list(heads), [1e3 * head.after for head in heads.values()], "o", label=front)
        wrap.plot(list(heads), [head.wrap_around_distance / tall for tall, head in heads.items()], "o", label=front)
        throws = {tall: outcome.throw.value for tall, outcome in struck.items() if outcome.throw}
        whole.plot(list(throws), list(throws.values()), "o", label=front)
    for axes in (time, wrap, whole):
        axes.legend(frameon=False, fontsize=8)
    return figure
