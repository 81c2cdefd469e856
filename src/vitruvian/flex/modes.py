"""Modes of structures: reference conditions, eigenmodes, Craig-Bampton modes, and the error of leaving modes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import pi
from typing import Any

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as sla

from ..errors import InputError
from .structure import Structure

REFERENCES = ("free-free", "simply-supported", "cantilever", "two-cantilever")
_DENSE = 700  # coordinates up to which all eigenvalues are computed
_ZERO = 1e-6  # of an eigenvalue of a rigid motion, relative to the first elastic one


@dataclass(frozen=True)
class Modes:
    """Shapes that replace the coordinates of a structure.

    shapes     one mode a column (N, n)
    frequency  of each mode [Hz]
    fixed      coordinates that the reference conditions fix; none for free-free modes
    """

    shapes: np.ndarray
    frequency: np.ndarray
    fixed: np.ndarray

    @property
    def count(self) -> int:
        """Number of modes."""
        return int(self.shapes.shape[1])

    def only(self, chosen: Sequence[int] | slice) -> Modes:
        """Return some of the modes: by their numbers from 0, or a slice."""
        index = chosen if isinstance(chosen, slice) else list(chosen)
        return replace(self, shapes=self.shapes[:, index], frequency=self.frequency[index])


def fixed_by(structure: Structure, reference: str) -> np.ndarray:
    """Return the coordinates that a reference condition fixes, for a beam along x.

    free-free         none: modes without rigid motion (mean axes)
    simply-supported  first node held, last node free along x and in its rotations
    cantilever        first node clamped
    two-cantilever    node at the middle clamped
    """
    if reference not in REFERENCES:
        raise InputError(f"there is no reference condition {reference!r}; accepted: {', '.join(REFERENCES)}.")
    x, dofs = structure.nodes[:, 0], structure.dofs
    first, last = int(x.argmin()), int(x.argmax())
    if reference == "free-free":
        return np.zeros(0, int)
    if reference == "simply-supported":
        held = np.concatenate([dofs[first, :4], dofs[last, 1:3]])
    elif reference == "cantilever":
        held = dofs[first]
    else:
        middle = int(abs(x - 0.5 * (x[first] + x[last])).argmin())
        if abs(x[middle] - 0.5 * (x[first] + x[last])) > 1e-9 * (x[last] - x[first]):
            raise InputError("two-cantilever needs a node at the middle; use an even number of elements.")
        held = dofs[middle]
    return held[held >= 0]


def nodal(structure: Structure, reference: str) -> Modes:
    """Return the complete set: every free coordinate, or all elastic modes for free-free."""
    if reference == "free-free":
        return eigenmodes(structure, count=structure.size - structure.rigid_modes().shape[1])
    fixed = fixed_by(structure, reference)
    free = np.setdiff1d(np.arange(structure.size), fixed)
    _factor(structure.stiffness[free][:, free])
    return Modes(np.eye(structure.size)[:, free], np.full(len(free), np.nan), fixed)


def eigenmodes(
    structure: Structure, *, count: int | None = None, below: float | None = None, reference: str = "free-free"
) -> Modes:
    """Return the lowest elastic eigenmodes, normalised to unit modal mass.

    count  number of modes, or
    below  highest frequency [Hz]
    """
    fixed = fixed_by(structure, reference)
    free = np.setdiff1d(np.arange(structure.size), fixed)
    rigid = structure.rigid_modes().shape[1] if reference == "free-free" else 0
    mass, stiffness = structure.mass[free][:, free], structure.stiffness[free][:, free]
    values, vectors = _lowest(mass, stiffness, rigid, count, below)
    shapes = np.zeros((structure.size, len(values)))
    shapes[free] = vectors
    return Modes(shapes, np.sqrt(values) / (2.0 * pi), fixed)


def craig_bampton(
    structure: Structure,
    interface: Sequence[int],
    *,
    count: int | None = None,
    below: float | None = None,
    clamped: Sequence[int] = (),
) -> Modes:
    """Return Craig-Bampton modes, orthonormalised and without rigid motion (craig1968; 2.94-2.101 with E097, E098).

    The set has one static shape for each coordinate of the interface nodes, and eigenmodes of the structure with fixed
    interface. Static loads on the interface are therefore represented without error.

    interface  nodes with joints, forces or contacts
    count      number of eigenmodes with fixed interface, one more where this would cut a pair of equal frequency, or
    below      their highest frequency [Hz]
    clamped    nodes that do not move in the frame of the body; without them the rigid motions are left out
    """
    _refuse_nodes(structure, interface, clamped)
    boundary, held = (np.unique(structure.dofs[list(nodes)]) for nodes in (interface, clamped))
    boundary, held = boundary[boundary >= 0], held[held >= 0]
    interior = np.setdiff1d(np.arange(structure.size), np.concatenate([boundary, held]))
    mass, stiffness = structure.mass, structure.stiffness
    inner = stiffness[interior][:, interior]
    shapes = np.zeros((structure.size, len(boundary)))
    shapes[boundary, np.arange(len(boundary))] = 1.0
    shapes[interior] = -_factor(inner)(stiffness[interior][:, boundary].toarray())
    if count != 0:
        _, vectors = _lowest(mass[interior][:, interior], inner, 0, count, below, whole=True)
        normal = np.zeros((structure.size, vectors.shape[1]))
        normal[interior] = vectors
        shapes = np.hstack([shapes, normal])
    reduced_mass, reduced_stiffness = shapes.T @ (mass @ shapes), shapes.T @ (stiffness @ shapes)
    values, turn = la.eigh(_symmetric(reduced_stiffness), _symmetric(reduced_mass))
    rigid = 0 if len(held) else structure.rigid_modes().shape[1]
    _refuse_mechanism(values, rigid)
    return Modes(shapes @ turn[:, rigid:], np.sqrt(values[rigid:]) / (2.0 * pi), held)


@dataclass(frozen=True)
class Truncation:
    """The error of a static deflection because of modes left out.

    energy        part of the strain energy that is missing [-]
    displacement  largest error, relative to the largest displacement [-]
    """

    energy: float
    displacement: float


def truncation(structure: Structure, modes: Modes, load: np.ndarray) -> Truncation:
    """Return the error of the modes for a static load (N,); a free structure is balanced by its inertia."""
    exact = static(structure, load, modes.fixed)
    reduced = modes.shapes.T @ (structure.stiffness @ modes.shapes)
    found = modes.shapes @ la.solve(reduced, modes.shapes.T @ load, assume_a="sym")
    whole = float(exact @ (structure.stiffness @ exact))
    part = float(found @ (structure.stiffness @ found))
    if whole == 0.0:
        return Truncation(0.0, 0.0)
    return Truncation(1.0 - part / whole, float(abs(exact - found).max() / abs(exact).max()))


def enough(structure: Structure, modes: Modes, load: np.ndarray, error: float) -> Modes:
    """Return the fewest leading modes whose missing strain energy under a static load is at most `error` [-]."""
    for count in range(1, modes.count + 1):
        chosen = modes.only(slice(count))
        if truncation(structure, chosen, load).energy <= error:
            return chosen
    raise InputError(f"{modes.count} modes leave more than {error:g} of the strain energy out; compute more modes.")


def static(structure: Structure, load: np.ndarray, fixed: np.ndarray) -> np.ndarray:
    """Return the static displacement (N,) under a load; with nothing fixed, under inertia relief and in mean axes."""
    if len(fixed):
        free = np.setdiff1d(np.arange(structure.size), fixed)
        found = np.zeros(structure.size)
        found[free] = _factor(structure.stiffness[free][:, free])(load[free])
        return found
    rigid = structure.rigid_modes()
    moved = structure.mass @ rigid
    inertia = rigid.T @ moved
    balanced = load - moved @ la.solve(inertia, rigid.T @ load)
    # a statically determinate support: the stiffness of the rigid motions alone is added, and carries no load
    scale = structure.stiffness.diagonal().mean() / np.diag(moved @ moved.T).mean()
    found = la.solve(structure.stiffness.toarray() + scale * moved @ moved.T, balanced, assume_a="sym")
    return found - rigid @ la.solve(inertia, moved.T @ found)


def _lowest(
    mass: Any, stiffness: Any, rigid: int, count: int | None, below: float | None, whole: bool = False
) -> tuple[Any, Any]:
    """Return the elastic eigenvalues [1/s2] and vectors, without the `rigid` lowest ones; `whole`: cut no pair."""
    if (count is None) == (below is None):
        raise InputError("choose modes by count or by their highest frequency, not by both or neither.")
    size = mass.shape[0]
    wanted = size if count is None else count + rigid
    if not rigid < wanted <= size:
        raise InputError(f"{count} modes were requested; accepted: 1 to {size - rigid}.")
    if size <= _DENSE:
        last = size if below is not None else min(max(wanted + whole, rigid + 6), size)
        pair = _symmetric(stiffness.toarray()), _symmetric(mass.toarray())
        values, vectors = la.eigh(*pair, subset_by_index=(0, last - 1))
    else:
        wanted = min(wanted + whole, 60 + rigid)
        shift = -1e-9 * stiffness.diagonal().sum() / mass.diagonal().sum()
        values, vectors = sla.eigsh(stiffness, k=wanted, M=mass, sigma=shift, which="LM")
        order = np.argsort(values)
        values, vectors = values[order], vectors[:, order]
    _refuse_mechanism(values, rigid)
    if below is not None:
        wanted = int(np.searchsorted(values, (2.0 * pi * below) ** 2))
        if wanted <= rigid:
            raise InputError(
                f"no mode is below {below:g} Hz; the lowest has {np.sqrt(values[rigid]) / (2 * pi):.4g} Hz."
            )
    elif count is not None:
        wanted = count + rigid
        if whole and wanted < len(values) and values[wanted] - values[wanted - 1] < 1e-6 * values[wanted]:
            wanted += 1
    return values[rigid:wanted], vectors[:, rigid:wanted]


def _refuse_nodes(structure: Structure, interface: Sequence[int], clamped: Sequence[int]) -> None:
    """Refuse nodes that the structure does not have, and interface nodes that are clamped."""
    last = len(structure.nodes) - 1
    unknown = sorted({int(node) for node in (*interface, *clamped) if not 0 <= node <= last})
    if unknown:
        raise InputError(f"there are no nodes {unknown}; the structure has the nodes 0 to {last}.")
    both = sorted({int(node) for node in interface} & {int(node) for node in clamped})
    if both:
        raise InputError(f"nodes {both} are clamped, so they cannot be interfaces; give each node once.")
    if not len(interface) and not len(clamped):
        raise InputError("Craig-Bampton modes need an interface or a clamped node; eigenmodes() needs neither.")


def _refuse_mechanism(values: np.ndarray, rigid: int) -> None:
    if len(values) <= rigid:
        raise InputError("no elastic mode is left; take eigenmodes (count) or another interface node.")
    largest = values[min(rigid + 5, len(values) - 1)]
    if values[rigid] <= _ZERO**2 * largest or (rigid and abs(values[rigid - 1]) > _ZERO * values[rigid]):
        raise InputError(
            "the stiffness does not hold the structure together: it is singular after the reference conditions, or has "
            f"more or fewer than {rigid} rigid motions; connect all elements, or fix more coordinates."
        )


def _factor(matrix: Any) -> Any:
    """Return the solver of a stiffness matrix; refuse a singular one."""
    try:
        factor = sla.splu(sp.csc_matrix(matrix))
    except RuntimeError:
        factor = None
    pivots = None if factor is None else abs(factor.U.diagonal())
    if pivots is None or pivots.min() <= 1e-14 * pivots.max():
        raise InputError(
            "the stiffness is singular after the reference conditions; fix more coordinates of the structure."
        )
    return factor.solve


def _symmetric(matrix: np.ndarray) -> np.ndarray:
    return 0.5 * (matrix + matrix.T)
