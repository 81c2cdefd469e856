"""Contact laws of one body whose tissue becomes stiffer, all filled at once. SI units.

The numbers are those of `contact.law_row`, bit for bit. A body before a vehicle meets dozens of curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..kernels import layout, types
from .contact import tissue_part
from .contact_candidate import Meeting
from .contact_curve import SNAP, refined_columns, slopes_of, unloading_line
from .contact_law import LAWS
from .table import with_areas
from .tissue import FORCES, TYPICAL, Soft, Tissue, know, stiffer


class Row(NamedTuple):
    """A row of `model.law`: its number, where it comes from, and where its curves are in `model.table`."""

    number: int
    meeting: Meeting
    curves: tuple[slice, ...]

    def fill(self, soft: Soft, model: types.Model) -> None:
        """Write the row and its curves with other tissue."""
        numbers, curves = tissue_part(self.meeting.contact, soft, self.meeting.radius)
        for column, number in numbers.items():
            model.law[self.number, column] = number
        if [len(curve) for curve in curves] != [place.stop - place.start for place in self.curves]:
            raise UnfillableError("a curve has another number of rows.")
        if curves:
            model.table[self.curves[0].start : self.curves[-1].stop] = with_areas(curves)


#: forces at which one number counts [N]
_COUNTED = np.unique([*FORCES, TYPICAL])


class UnfillableError(ValueError):
    """Numbers that need other arrays than those of the compiled system."""


@dataclass(frozen=True)
class BodyLaws:
    """Rows of `model.law` of one body that meets surfaces.

    soft    the body's tissue
    curves  rows with measured curves
    others  rows of other laws
    """

    soft: Soft
    curves: CurveRows | None
    others: tuple[Row, ...]

    @classmethod
    def of(cls, soft: Soft, rows: Sequence[Row]) -> BodyLaws:
        """Return the laws of a body from all its rows."""
        one = isinstance(soft, float) or len(soft) == 1
        given = [row for row in rows if one and LAWS[row.meeting.contact.law].elastic == layout.elastic_law.TABULATED]
        others = tuple(row for row in rows if row not in given)
        return cls(soft, CurveRows.of(soft, given) if given else None, others)

    def fill(self, by: float, model: types.Model) -> None:
        """Write the laws with tissue that is stiffer by a factor [-]."""
        curves, others = self.curves, list(self.others)
        soft = pressed(self.soft, by, _COUNTED if curves is None else curves.points)
        if curves is not None:
            others += curves.fill_layer(soft[0], model) if isinstance(soft, tuple) else curves.fill_linear(soft, model)
        for row in others:
            row.fill(soft, model)


def pressed(soft: Soft, by: float, points: np.ndarray = _COUNTED) -> Soft:
    """Return tissue that is stiffer by a factor, and knows its compression under FORCES and TYPICAL.

    points  forces under which it is found at once [N], sorted
    """
    found = stiffer(soft, by)
    if by != 1.0 and isinstance(found, tuple):  # with a factor of 1 it belongs to all threads
        for layer in found:
            compression = layer.compression(points)
            for forces in (points, FORCES, np.array([TYPICAL])):
                know(layer, forces, compression[np.searchsorted(points, forces)])
    return found


@dataclass(frozen=True)
class CurveRows:
    """Rows of laws with measured curves, with all knots one after the other (n).

    rows    in the order of `owner`
    number  of each row in `model.law` (r)
    line    stiffness of unloading without tissue (r) [N/m]; 0 for none
    given   squared restitution of the tissue (r) [-]
    owner   row of each curve (c); first: its first knot, and n (c + 1); at: where it begins in `model.table` (c)
    force   of each knot [N]; depth: of the surface alone [m]; steep: slope of the curve from there on [N/m]
    ends    forces of the last knots, largest forces of the rows, and TYPICAL [N]
    breaks  whether a curve may fall faster than the tissue can follow (c)
    points  forces under which the tissue is compressed [N], sorted; at_knot, at_end: places of `force` and `ends`
    """

    rows: tuple[Row, ...]
    number: np.ndarray
    line: np.ndarray
    given: np.ndarray
    owner: np.ndarray
    first: np.ndarray
    at: np.ndarray
    force: np.ndarray
    depth: np.ndarray
    steep: np.ndarray
    ends: np.ndarray
    breaks: np.ndarray
    points: np.ndarray
    at_knot: np.ndarray
    at_end: np.ndarray

    @classmethod
    def of(cls, soft: Soft, rows: Sequence[Row]) -> CurveRows:
        """Return the curves of some rows of a body with some tissue."""
        layered, knots, owner, at = isinstance(soft, tuple), [], [], []
        contacts = [row.meeting.contact for row in rows]
        for place, contact in enumerate(contacts):
            for curve, begin in zip(filter(None, (contact.curve, contact.unloading)), rows[place].curves, strict=True):
                depth, force = refined_columns(curve) if layered else np.array(curve).T
                slopes = slopes_of(curve)
                knots.append((force, depth, np.full(len(force), slopes[-1]) if layered else slopes))
                owner.append(place)
                at.append(begin.start)
        first = np.cumsum([0, *(len(force) for force, _, _ in knots)])
        force, depth, steep = (np.concatenate(part) for part in zip(*knots, strict=True))
        most = [max(force for _, force in contact.curve) for contact in contacts]
        ends = np.maximum(np.concatenate([force[first[1:] - 1], most, [TYPICAL]]), FORCES[0])
        points = np.unique(np.concatenate([_COUNTED, force, ends]))
        return cls(
            rows=tuple(rows),
            number=np.array([row.number for row in rows], np.int64),
            line=np.array([unloading_line(contact) for contact in contacts]),
            given=np.array([contact.tissue_restitution**2 for contact in contacts]),
            owner=np.array(owner, np.int64),
            first=first,
            at=np.array(at, np.int64),
            force=force,
            depth=depth,
            steep=steep,
            ends=ends,
            breaks=np.array([bool(contacts[k].unloading_stiffness and not contacts[k].unloading) for k in owner]),
            points=points,
            at_knot=np.searchsorted(points, force),
            at_end=np.searchsorted(points, ends),
        )

    def fill_layer(self, layer: Tissue, model: types.Model) -> list[Row]:
        """Write the laws with a layer that hardens, which knows its compression under some forces [N].

        Return the rows with a curve that falls faster than the tissue can follow; they are not as they should be.
        """
        compression = layer.compression(self.points)
        whole = self.depth + layer.depth(self.points, compression)[self.at_knot]
        stiff = 1.0 / layer.compliance(self.ends, compression[self.at_end])
        last, curves = self.first[1:] - 1, len(self.at)
        rise = np.diff(whole)
        rise[last[:-1]] = 1.0  # from one curve to the next
        falls = self._curves(rise <= 0.0)
        slope = np.empty_like(whole)
        np.divide(np.diff(self.force), rise, out=slope[:-1])
        slope[last] = self.steep[last] / (1.0 + self.steep[last] / stiff[:curves])
        return self._fill(whole, slope, falls, stiff[curves:-1], float(stiff[-1]), model)

    def fill_linear(self, stiffness: float, model: types.Model) -> list[Row]:
        """Write the laws with a linear tissue [N/m]; return rows as `fill_layer` does."""
        whole, slope = self.depth + self.force / stiffness, self.steep / (1.0 + self.steep / stiffness)
        falls = self._curves(self.steep <= -stiffness)
        return self._fill(whole, slope, falls, np.full(len(self.rows), stiffness), stiffness, model)

    def _curves(self, falls: np.ndarray) -> list[int]:
        """Return the curves of which a knot is marked."""
        if not falls.any():
            return []
        return np.unique(np.searchsorted(self.first, np.flatnonzero(falls), side="right") - 1).tolist()

    def _fill(
        self, whole: np.ndarray, slope: np.ndarray, falls: list[int], highest: np.ndarray, typical: float,
        model: types.Model,
    ) -> list[Row]:  # fmt: skip
        """Write knots, slopes, and stiffness at the largest forces and at a typical one [N/m]."""
        from ..kernels.contact_table import lay_lines, snap

        force, left = self.force.copy() if falls else self.force, []
        for curve in falls:
            first, end = self.first[curve], self.first[curve + 1]
            n = end - first
            knots = np.empty((2, 2 * n))
            if not self.breaks[curve] or snap(whole[first:end], force[first:end], SNAP, knots[0], knots[1]) != n:
                left.append(self.rows[self.owner[curve]])
                continue
            whole[first:end], force[first:end] = knots[:, :n]
            slope[first : end - 1] = np.diff(knots[1, :n]) / np.diff(knots[0, :n])
        lay_lines(whole, force, slope, self.first, self.at, model.table)
        with np.errstate(divide="ignore"):
            line = np.where(self.line > 0.0, 1.0 / (1.0 / self.line + self.given / highest), 0.0)
        model.law[self.number, layout.law.UNLOADING_STIFFNESS] = line
        model.law[self.number, layout.law.TISSUE] = 1.0 / typical
        return left
