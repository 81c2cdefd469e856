"""Force-depth curves of contact laws: their rows, checked, and their pieces with the tissue in series. SI units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from .tissue import Soft, depth_of, stiffness_at

if TYPE_CHECKING:
    from .contact import Contact

STEEP = 4.0  # an unloading curve is reached down a line this many times steeper than the steepest piece
FINER = 8  # pieces for each of a curve, with a tissue that hardens in series
SNAP = 1e-3  # depth over which the force falls where a curve falls faster than the tissue can follow [m]

Rows = tuple[tuple[float, float], ...]


def curve_rows(given: Sequence[Sequence[float]], where: str) -> Rows:
    """The rows as tuples of two floats, checked; an error names the row, counted from 1."""
    rows: list[tuple[float, float]] = []
    for number, row in enumerate(given, start=1):
        try:
            depth, force = (float(x) for x in row)
        except (TypeError, ValueError):
            raise InputError(f"{where}: row {number} is {row!r}; expected depth [m] and force [N].") from None
        if not (isfinite(depth) and isfinite(force)):
            raise InputError(f"{where}: row {number} is {depth} m, {force} N; every number must be finite.")
        if force < 0.0:
            raise InputError(f"{where}: row {number} has the force {force} N; it must not be negative.")
        if rows and depth <= rows[-1][0]:
            raise InputError(
                f"{where}: row {number} has the depth {depth} m after {rows[-1][0]} m; it must increase strictly."
            )
        rows.append((depth, force))
    if rows and rows[0] != (0.0, 0.0):
        raise InputError(
            f"{where}: row 1 is {rows[0][0]} m, {rows[0][1]} N; it must be 0 m, 0 N, or the force would jump at touch."
        )
    if len(rows) == 1 or (rows and where == "contact curve" and max(f for _, f in rows) == 0.0):
        raise InputError(f"{where} has {len(rows)} row(s) and no force; give at least a second row with a force.")
    return tuple(rows)


@lru_cache(maxsize=512)
def slopes_of(rows: Rows) -> np.ndarray:
    """Slopes of the straight pieces [N/m]; the last continues beyond the last row, but never falls. Read only."""
    depth, force = np.array(rows).T
    steep = np.diff(force) / np.diff(depth)
    slopes = np.append(steep, max(0.0, steep[-1]))
    slopes.setflags(write=False)
    return slopes


def check_hysteresis(contact: Contact) -> None:
    """The way out must lie below the way in, and the line down from the peak must be the steepest of all."""
    steepest = float(
        max(slopes_of(contact.curve).max(), slopes_of(contact.unloading).max() if contact.unloading else 0.0)
    )
    if contact.unloading_stiffness and contact.unloading_stiffness <= steepest:
        raise InputError(
            f"contact unloading_stiffness is {contact.unloading_stiffness:g} N/m; accepted above {steepest:g} N/m, the "
            "steepest piece of its curves: the way out would lie above the way in and make energy."
        )
    if not contact.unloading:
        return
    knots = sorted({depth for depth, _ in (*contact.curve, *contact.unloading)})
    for depth in [*knots, 2.0 * knots[-1]]:
        back, there = _force_at(contact.unloading, depth), _force_at(contact.curve, depth)
        if back > there * (1.0 + 1e-12):
            raise InputError(
                f"contact unloading is {back:g} N at {depth:g} m, above the curve with {there:g} N; the way out must "
                "not lie above the way in, or it would make energy."
            )


def _force_at(rows: Rows, depth: float) -> float:
    last = rows[-1][0]
    if depth > last:
        return rows[-1][1] + float(slopes_of(rows)[-1]) * (depth - last)
    return float(np.interp(depth, *np.array(rows).T))


def curve_pieces(contact: Contact, tissue: Soft) -> tuple[list[np.ndarray], float]:
    """Pieces of the curves with the tissue in series, and the unloading stiffness [N/m] with it.

    At the same force the depth of the tissue adds to that of the curve; with a linear one, F/k, straight pieces stay
    straight. On the way down its slope is k/e^2, e its restitution; of one that hardens k is the slope at the largest
    force of the curve, so that the way down is the steepest.
    """
    line = unloading_line(contact)
    if isinstance(tissue, tuple):
        curves = [_layered(contact, rows, tissue) for rows in filter(None, (contact.curve, contact.unloading))]
        highest = float(stiffness_at(tissue, max(force for _, force in contact.curve)))
        return curves, 1.0 / (1.0 / line + contact.tissue_restitution**2 / highest) if line else 0.0
    tissue_stiffness, curves = tissue, []
    for rows in filter(None, (contact.curve, contact.unloading)):
        steep = slopes_of(rows)
        if (steep <= -tissue_stiffness).any():
            if not contact.unloading_stiffness or contact.unloading:
                row = int(np.argmax(steep <= -tissue_stiffness)) + 2
                raise _falls(row, -steep.min(), tissue_stiffness)
            rows = _divided(_snapped(rows, depth_of(tissue_stiffness)), len(rows))
            steep, in_series = slopes_of(rows).copy(), np.array(rows)
            steep[-1] = _last_slope(contact.curve, tissue_stiffness)
        else:
            in_series = np.array([(depth + force / tissue_stiffness, force) for depth, force in rows])
            steep = steep / (1.0 + steep / tissue_stiffness)
        pieces = np.zeros((len(rows), 5))
        pieces[:, :2], pieces[:, 2] = in_series, steep
        curves.append(pieces)
    given = contact.tissue_restitution**2
    return curves, 1.0 / (1.0 / line + given / tissue_stiffness) if line else 0.0


def unloading_line(contact: Contact) -> float:
    """Return the stiffness with which a curve is left on the way out, without tissue [N/m]; 0 for none."""
    if contact.unloading and not contact.unloading_stiffness:
        return STEEP * float(max(slopes_of(contact.curve).max(), slopes_of(contact.unloading).max()))
    return contact.unloading_stiffness


def _falls(row: int, slope: float, tissue_stiffness: float) -> InputError:
    return InputError(
        f"contact curve: the force falls to row {row} with {slope:g} N/m, faster than the tissue with "
        f"{tissue_stiffness:g} N/m in series can follow; give a curve that falls more slowly, or an "
        "unloading_stiffness, with which the fall is lost energy."
    )


def _layered(contact: Contact, rows: Rows, tissue: Soft) -> np.ndarray:
    """Straight pieces of a curve with layers in series, fine enough to follow them."""
    fine, deep = _refined(rows), depth_of(tissue)
    depth, force = refined_columns(rows)
    whole = depth + deep(force)
    if (np.diff(whole) <= 0.0).any():
        if not contact.unloading_stiffness or contact.unloading:
            at = int(np.argmax(np.diff(whole) <= 0.0))
            row = int(np.searchsorted(np.array(rows)[:, 0], depth[at], side="right")) + 1
            fall = (force[at] - force[at + 1]) / (depth[at + 1] - depth[at])
            raise _falls(row, float(fall), float(stiffness_at(tissue, force[at])))
        whole, force = np.array(_divided(_snapped(fine, deep), len(fine))).T
    pieces = np.zeros((len(whole), 5))
    pieces[:, 0], pieces[:, 1] = whole, force
    pieces[:-1, 2] = np.diff(force) / np.diff(whole)
    pieces[-1, 2] = _last_slope(rows, float(stiffness_at(tissue, rows[-1][1])))
    return pieces


@lru_cache(maxsize=512)
def refined_columns(rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    """Return depth [m] and force [N] of refined rows."""
    depth, force = np.array(_refined(rows)).T
    return depth, np.ascontiguousarray(force)


@lru_cache(maxsize=512)
def _refined(rows: Rows) -> Rows:
    """Rows with more in between: closer to each other where the force is small and tissue is soft."""
    found = [rows[0]]
    for (depth, force), (next_depth, next_force) in pairwise(rows):
        for share in ((np.arange(1, FINER + 1) / FINER) ** (1.0 if force else 3.0)).tolist():
            found.append((depth + share * (next_depth - depth), force + share * (next_force - force)))
    return tuple(found)


def _last_slope(rows: Rows, tissue_stiffness: float) -> float:
    """Slope beyond the last row with the tissue in series [N/m]."""
    steep = float(slopes_of(rows)[-1])
    return steep / (1.0 + steep / tissue_stiffness)


def _snapped(rows: Rows, deep: Callable[[np.ndarray], np.ndarray]) -> Rows:
    """Rows of the depth with the tissue in series [m] and force [N] of a curve that falls faster than it can follow.

    At such a fall the tissue opens as fast as the part gives way: the force drops, within SNAP, to where the curve has
    the same depth in all again.
    """
    depths, forces = np.array(rows).T
    whole = list(zip((depths + deep(forces)).tolist(), forces.tolist(), strict=True))
    found = [whole[0]]
    for before, after in pairwise(whole):
        reached = found[-1][0]
        if after[0] <= reached:
            continue
        if found[-1] != before:  # the piece on which the force continues after a fall
            if after[0] <= reached + SNAP:
                continue
            share = (reached + SNAP - before[0]) / (after[0] - before[0])
            found.append((reached + SNAP, before[1] + share * (after[1] - before[1])))
        found.append(after)
    if found[-1] != whole[-1]:
        found.append((found[-1][0] + SNAP, whole[-1][1]))
    return tuple(found)


def _divided(rows: Rows, count: int) -> Rows:
    """Rows of the same straight pieces, the longest halved until there are `count`.

    How many rows a fall removes depends on the tissue; with a fixed count a study can fill in another tissue.
    """
    found = list(rows)
    while len(found) < count:
        longest = int(np.argmax(np.diff([depth for depth, _ in found])))
        (depth, force), (next_depth, next_force) = found[longest : longest + 2]
        found.insert(longest + 1, (0.5 * (depth + next_depth), 0.5 * (force + next_force)))
    return tuple(found)
