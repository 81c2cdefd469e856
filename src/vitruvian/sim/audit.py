"""The contact audit: what every body did with every surface or body that it touched. SI units."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from .._files import csv_cell, writing
from ..kernels import layout
from ..model import CommonTissue
from ..model.roster import Roster
from .recording import Recording

LEAST_GAIN, GAIN_SHARE = 2.0, 0.02  # energy returned beyond what was received [J], over what was stored [-]
DEEP_START, DEEP_SHARE = 1500.0, 0.25  # force of the first step of a contact [N], and over its largest [-]
LEAST_PULL, PULL_SHARE = 100.0, 0.05  # pull of a step [N], and over the largest force of the contact [-]
LEAST_RUB, RUB_SHARE = 500.0, 0.3  # friction beyond mu N of a step, likewise
LEAST_FLIP, FLIP_SHARE = 1500.0, 0.25  # change of the force by a sudden turn of its direction, likewise


@dataclass(frozen=True)
class Contact:
    """One body and one surface (or another body), all their shapes together.

    order        of the first touch in the run, from 1
    time, speed  of the first touch [s], [m/s] closing
    touches      how often they touched
    peak_force   largest resultant [N], and its time [s]: of a step if one shape touches, of a sample if several do
    impulse      on the body, world axes [N s]
    stored       largest energy stored in the contact [J]
    dissipated   energy lost in the normal direction [J]
    friction     energy lost in the tangential direction (a bristle's stored part included) [J]
    depth        largest, of flesh and surface together [m]
    share        largest compression of the flesh: of its depth if it is layered, else of the half-width [-]
    path         of the contact point: length [m] from sample to sample while in contact
    note         "" or what to think of
    """

    body: str
    other: str
    order: int
    time: float
    speed: float
    touches: int
    peak_force: float
    peak_time: float
    impulse: tuple[float, float, float]
    stored: float
    dissipated: float
    friction: float
    depth: float
    share: float
    path: float
    note: str


def contacts(recording: Recording) -> list[Contact]:
    """A row for each pair that touched, in the order of touching; empty for results of before the audit."""
    memory = recording.final.get("memory")
    if memory is None or not memory.size:
        return []
    groups: dict[tuple[str, str], list[int]] = {}
    for c, pair in enumerate(recording.pairs):
        if memory[c, layout.history.TOUCHES] > 0:
            groups.setdefault(pair, []).append(c)
    first = {pair: memory[rows, layout.history.FIRST_TIME].min() for pair, rows in groups.items()}
    return [
        _contact(recording, memory, pair, groups[pair], order)
        for order, pair in enumerate(sorted(groups, key=first.__getitem__), 1)
    ]


def faults(recording: Recording, common: Iterable[CommonTissue] = ()) -> tuple[str, ...]:
    """Return a sentence for each kind of thing that a contact must not do and did; none in a sound run.

    common  tissue that bodies share

    Returned energy is that of a body and a whole surface, because the parts of a surface pass energy to each other; of
    the lines of a profile that of each line. Bodies that share tissue pass energy to each other too and count as one.
    """
    memory, group = recording.final.get("memory"), recording.final.get("pair_group")
    if memory is None or group is None or not memory.size or memory.shape[1] != layout.history.COUNT:
        return ()
    sentences = []
    pairs: dict[tuple[str, str, int], list[int]] = {}
    for c, (body, other) in enumerate(recording.pairs):
        if memory[c, layout.history.TOUCHES] > 0:
            pairs.setdefault((body, recording.roster.surface(other), int(group[c])), []).append(c)
    joined, one = _joined(common), dict[tuple[frozenset[str], str], np.ndarray]()
    gains: dict[str, float] = {}
    starts: dict[str, float] = {}
    pulls: dict[str, float] = {}
    for (body, other, _), rows in pairs.items():
        name, peak = f"{body} on {other}", memory[rows, layout.history.PEAK_FORCE]
        # the normal work of a whole contact, elastic and lost, is never positive
        works = memory[rows, layout.history.WORK : layout.history.WORK + 2].sum()
        account = np.array([works, memory[rows, layout.history.PEAK_STORED].sum()])
        if body in joined:
            key = (joined[body], other)
            one[key] = one.get(key, np.zeros(2)) + account
        elif _gained(account):
            gains[name] = max(gains.get(name, 0.0), float(works))
        first = memory[rows, layout.history.FIRST_FORCE]
        deep = first > np.maximum(DEEP_START, DEEP_SHARE * peak)
        if deep.any():
            starts[name] = float(first[deep].max())
        bounds = ((layout.history.PULL, LEAST_PULL, PULL_SHARE), (layout.history.EXCESS_RUB, LEAST_RUB, RUB_SHARE))
        for column, least, share in bounds:
            wrong = memory[rows, column]
            bad = wrong > np.maximum(least, share * peak)
            if bad.any():
                pulls[name] = max(pulls.get(name, 0.0), float(wrong[bad].max()))
    for (bodies, other), account in one.items():
        if _gained(account):
            gains[f"{', '.join(sorted(bodies))} on {other}"] = float(account[0])
    if gains:
        sentences.append(
            f"Contacts returned more energy than they received: {_listed(gains, 'J')}. The motion after them is too "
            "fast; take a continuous rule of contact, or report it."
        )
    if starts:
        sentences.append(
            f"Contacts began with a large force, as if deep inside: {_listed(starts, 'N')}. Peaks at that time are "
            "not to be trusted; check that nothing starts inside a surface."
        )
    if pulls:
        sentences.append(
            f"Contacts pulled, or rubbed with more than the friction coefficient allows: by {_listed(pulls, 'N')}. "
            "Reduce solver.tolerance."
        )
    return tuple(sentences)


def _gained(account: np.ndarray) -> bool:
    """Return whether normal work and largest stored energy [J] are those of a contact that makes energy."""
    return bool(account[0] > max(LEAST_GAIN, GAIN_SHARE * account[1]))


def _joined(common: Iterable[CommonTissue]) -> dict[str, frozenset[str]]:
    """Return all bodies that share tissue with a body, directly or through others, by body."""
    found: dict[str, frozenset[str]] = {}
    for tissue in common:
        both = found.get(tissue.one, frozenset({tissue.one})) | found.get(tissue.other, frozenset({tissue.other}))
        found |= dict.fromkeys(both, both)
    return found


def flips(recording: Recording) -> tuple[str, ...]:
    """Return a sentence if a force changed its direction at once, which happens to a body that is very deep.

    Where two ways out of a surface are equally long, the shorter one and with it the normal changes from one instant to
    the next. The depth and the energy stay continuous, the force does not. Ready fronts have round edges that become
    rounder with the depth, so it takes more than about 0.4 m. The forces by which parts shift their shares count too.
    """
    memory = recording.final.get("memory")
    if memory is None or not memory.size or memory.shape[1] != layout.history.COUNT:
        return ()
    found: dict[str, float] = {}
    for (body, other), row in zip(recording.pairs, memory, strict=True):
        if row[layout.history.FLIP] > max(LEAST_FLIP, FLIP_SHARE * row[layout.history.PEAK_FORCE]):
            name = f"{body} on {other.split('.')[0]}"
            found[name] = max(found.get(name, 0.0), float(row[layout.history.FLIP]))
    if not found:
        return ()
    return (
        f"Contact forces changed their direction at once, by {_listed(found, 'N')}: so deep inside, two ways out are "
        "equally long. What follows depends on small changes of the start; vary the speed to see how much.",
    )


def _listed(values: dict[str, float], unit: str) -> str:
    """The three largest of them, and how many there are in all."""
    worst = sorted(values, key=values.__getitem__, reverse=True)
    text = ", ".join(f"{name} {values[name]:.3g} {unit}" for name in worst[:3])
    return text if len(worst) <= 3 else f"{text} and {len(worst) - 3} more"


def write_csv(rows: list[Contact], path: Path) -> None:
    """The audit as a table in SI units; the impulse in three columns."""
    names = [item.name for item in fields(Contact)]
    parts = {"impulse": ["impulse_x", "impulse_y", "impulse_z"]}
    with writing(path, new_folder=False) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow([part for name in names for part in parts.get(name, [name])])
        for row in rows:
            values = [getattr(row, name) for name in names]
            cells = [cell for value in values for cell in (value if isinstance(value, tuple) else (value,))]
            table.writerow([csv_cell(cell) if isinstance(cell, str) else cell for cell in cells])


def _contact(recording: Recording, memory: np.ndarray, pair: tuple[str, str], rows: list[int], order: int) -> Contact:
    earliest = min(rows, key=lambda c: memory[c, layout.history.FIRST_TIME])
    peak_force, peak_time = _peak(recording, memory, rows)
    if "pair_share" in recording.final:
        shares = recording.final["pair_share"][rows]
    else:  # of a run whose system is not at hand, or of an earlier version
        shares = memory[rows, layout.history.PEAK_DEPTH] / recording.final["pair_size"][rows]
    work = memory[rows, layout.history.WORK : layout.history.WORK + 3].sum(axis=0)
    impulse = memory[rows, layout.history.IMPULSE : layout.history.IMPULSE + 3].sum(axis=0)
    speed, limit = memory[rows, layout.history.FIRST_SPEED].max(), recording.final["pair_limit"][rows].min()
    notes = []
    if shares.max() > 0.5:
        notes.append(f"flesh compressed by {100 * shares.max():.0f} %: beyond what a contact law describes")
    if speed > limit:
        notes.append(f"impact speed above {limit:.2g} m/s, to which the law is quasi-static (E072): a penalty model")
    return Contact(
        body=pair[0],
        other=pair[1],
        order=order,
        time=float(memory[earliest, layout.history.FIRST_TIME]),
        speed=float(memory[earliest, layout.history.FIRST_SPEED]),
        touches=int(memory[rows, layout.history.TOUCHES].sum()),
        peak_force=peak_force,
        peak_time=peak_time,
        impulse=(float(impulse[0]), float(impulse[1]), float(impulse[2])),
        stored=float(memory[rows, layout.history.PEAK_STORED].max()),
        dissipated=float(-work[1]),
        friction=float(-work[2]),
        depth=float(memory[rows, layout.history.PEAK_DEPTH].max()),
        share=float(shares.max()),
        path=sum(_length(recording.contact_point[:, c]) for c in rows),
        note="; ".join(notes),
    )


def _peak(recording: Recording, memory: np.ndarray, rows: list[int]) -> tuple[float, float]:
    """Return the largest resultant of some pairs [N] and its time [s]: of a step of one pair, or of a sample of all."""
    peaks = memory[rows, layout.history.PEAK_FORCE]
    one = float(peaks.max()), float(memory[rows[int(peaks.argmax())], layout.history.PEAK_TIME])
    if len(rows) == 1:
        return one
    sums = np.nan_to_num(np.linalg.norm(recording.contact_force[:, rows].sum(axis=1), axis=1))
    sample = int(sums.argmax())
    return max(one, (float(sums[sample]), float(recording.pose_time[sample])))


def _length(points: np.ndarray) -> float:
    """Length [m] of the path through the points (n, 3), gaps (not a number) left out."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    return float(np.nansum(steps))


def together(contacts: list[dict[str, Any]], roster: Roster) -> list[tuple[str, str, float, float]]:
    """Return body, surface, time and speed; contacts of left and right at one moment in one row."""
    rows: list[tuple[str, str, float, float]] = []
    for contact in contacts:
        body, surface, time = contact["body"], contact["surface"], contact["time"]
        same = rows and abs(rows[-1][2] - time) < 5e-5 and rows[-1][1] == surface
        if same and (both := roster.both_sides(rows[-1][0], body)):
            rows[-1] = (both, *rows[-1][1:])
        else:
            rows.append((body, surface, time, max(contact["speed"], 0.0) + 0.0))
    return rows


def spoken(name: str) -> str:
    """A body, joint or part of a surface: "left_thigh" is left thigh, "front.leading_edge" front leading edge."""
    return name.replace("left_/right_", "left and right ").replace(".", " ").replace("_", " ")


def sentence(text: str, names: Iterable[str]) -> str:
    """Return a sentence with names as they are spoken."""
    for name in sorted((name for name in names if spoken(name) != name), key=len, reverse=True):
        text = text.replace(name, spoken(name))
    return text
