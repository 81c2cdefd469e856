"""The modes of a bone, and the cost of leaving single ones out under a static load. SI units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .modes import Modes, truncation
from .structure import Structure

KINDS = ("stretch", "bending across y", "bending across z", "torsion")


@dataclass(frozen=True)
class ModeRow:
    """One mode.

    number     from 1, by frequency
    frequency  with the inner joint clamped [Hz]
    kind       one of KINDS
    on         whether it is in use
    change     of the missing strain energy if it is switched, off where it is on and on where it is off [-]
    """

    number: int
    frequency: float
    kind: str
    on: bool
    change: float


@dataclass(frozen=True)
class ModeReport:
    """The modes of a bone under a static load.

    bone          its name
    load          the load in words
    rows          one for each mode of the pool
    energy        part of the strain energy that is missing with the modes in use [-]
    displacement  largest error of the displacement, relative to the largest displacement [-]
    structure     the beam
    shapes        all modes of the pool
    """

    bone: str
    load: str
    rows: tuple[ModeRow, ...]
    energy: float
    displacement: float
    structure: Structure
    shapes: Modes


def mode_report(
    bone: str, structure: Structure, pool: Modes, on: list[int], load: np.ndarray, words: str
) -> ModeReport:
    """Return the report of a pool of modes of which some are on, for a static load (N,).

    on     numbers from 1 of the modes in use
    words  that describe the load
    """
    whole = truncation(structure, pool.only([k - 1 for k in on]), load)
    rows = []
    for number in range(1, pool.count + 1):
        switched = sorted(set(on) ^ {number})
        missing = truncation(structure, pool.only([k - 1 for k in switched]), load).energy if switched else 1.0
        rows.append(
            ModeRow(
                number,
                float(pool.frequency[number - 1]),
                _kind(structure, pool.shapes[:, number - 1]),
                number in on,
                missing - whole.energy,
            )
        )
    return ModeReport(bone, words, tuple(rows), whole.energy, whole.displacement, structure, pool)


def _kind(structure: Structure, shape: np.ndarray) -> str:
    """Return the word for the motion that has most of the strain energy."""
    energy = np.zeros(len(KINDS))
    for element in structure.elements:
        local = element.turned() @ (element.boolean(structure.dofs, structure.size) @ shape)
        stretch, _, _, twist, about_y, about_z = element.rigidity * (element.strains(0.5) @ local) ** 2
        energy += (stretch, about_z, about_y, twist)
    return KINDS[int(np.argmax(energy))]


def along(structure: Structure, shape: np.ndarray) -> np.ndarray:
    """Return displacement and rotation of the nodes by a mode (nodes, 6), its largest displacement or arc being 1."""
    moved = np.append(shape, 0.0)[structure.dofs]
    size = abs(moved[:, :3]).max()
    if size < 1e-9 * abs(moved[:, 3:]).max():
        size = abs(moved[:, 3:]).max()
    found: np.ndarray = moved / size
    return found
