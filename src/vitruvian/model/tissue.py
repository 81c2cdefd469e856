"""Soft tissue over a core that gives way, and what it does in series with the surface it meets. SI units.

    tissue  F = K x^n / (1 - x/t)^m     hardens towards its thickness t, which no force reaches
    core    F = k y / (1 - y/L)         bone, ribs or a whole foot: hardens towards its own depth L

Both carry the same force, and so does the surface: their depths add. The sum is tabulated once, at compile, over the
force. Its damping number is that of the layers, weighted by their shares of the compliance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, isfinite

import numpy as np

from ..errors import InputError
from ..kernels.layout import speed_reference
from .contact_law import LEAST_RESTITUTION, damping_number
from .field import field_of
from .validation import positive

#: forces [N] at which layers in series are tabulated: from touch to far beyond any impact
FORCES = np.geomspace(0.1, 1e7, 97)
TYPICAL = 1e3  # force [N] at which one number stands for a layer where only a linear one is understood
ITERATIONS = 7  # of Newton's method, which converge to rounding
LEAST_DEPTH = 1e-99  # below which a compression is taken for this [m]
_PRESSED = "_pressed"  # attribute of a layer with the compressions that it knows


@dataclass(frozen=True)
class Tissue:
    """Tissue of a segment: soft, hardening towards its thickness, over a core."""

    stiffness: float = field_of("stiffness", "K of the tissue, at 1 m^(1 - n)")
    thickness: float = field_of("length", "t: depth beyond which no force compresses the tissue")
    exponent: float = field_of("dimensionless", "n, 1 to 3", default=1.0)
    hardening: float = field_of("dimensionless", "m: how the tissue hardens towards its thickness, 0 to 4", default=1.0)
    core: float = field_of("stiffness", "k of what lies under the tissue, at small force", default=inf, infinite=True)
    core_depth: float = field_of(
        "length",
        "L: depth beyond which no force compresses the core; the whole width of the segment less the thickness unless "
        "given",
        default=inf,
        infinite=True,
    )
    restitution: float = field_of("dimensionless", "rebound of both, 0.01 to 1", default=0.5)
    viscous_below: float = field_of(
        "velocity",
        "impact speed from which on the rebound is the restitution; below it the damping is proportional to the speed "
        "and a slow press meets the elastic force alone",
        default=speed_reference.LEAST,
        implied=True,
    )

    def __post_init__(self) -> None:
        for name, unit in (("stiffness", "N/m^n"), ("thickness", "m"), ("core", "N/m"), ("core_depth", "m")):
            positive(getattr(self, name), f"tissue {name}", unit)
        if not isfinite(self.stiffness):
            raise InputError("tissue stiffness is infinite; give a finite one [N/m].")
        for name, low, high in (
            ("exponent", 1.0, 3.0),
            ("hardening", 0.0, 4.0),
            ("restitution", LEAST_RESTITUTION, 1.0),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                why = ": its curve would fall" if name == "hardening" and value < 0.0 else ""
                raise InputError(f"tissue {name} is {value:g}; accepted {low:g} to {high:g}{why}.")
        if not speed_reference.LEAST <= self.viscous_below < inf:
            raise InputError(
                f"tissue viscous_below is {self.viscous_below:g} m/s; accepted from {speed_reference.LEAST:g} m/s on."
            )
        if self.hardening == 0.0 and isfinite(self.thickness):
            raise InputError(
                f"tissue hardening is 0 with a thickness of {self.thickness:g} m: nothing would stop it there; give a "
                "hardening above 0, 1 unless you know better."
            )

    @classmethod
    def linear(cls, stiffness: float) -> Tissue:
        """Return an elastic layer of one stiffness [N/m] without end."""
        return cls(stiffness, inf, hardening=0.0, restitution=1.0)

    def force(self, depth: np.ndarray) -> np.ndarray:
        """Return the force [N] of the tissue alone at depths below its thickness [m]."""
        return self.stiffness * depth**self.exponent / (1.0 - depth / self.thickness) ** self.hardening

    def compression(self, force: np.ndarray | float) -> np.ndarray:
        """Return the depth [m] of the tissue alone under forces [N]: less than its thickness."""
        force = np.asarray(force, dtype=float)
        known: dict[bytes, np.ndarray] = self.__dict__.get(_PRESSED, {})
        return known[key] if known and (key := force.tobytes()) in known else self._compressed(force)

    def _compressed(self, force: np.ndarray) -> np.ndarray:
        free = (force / self.stiffness) ** (1.0 / self.exponent)  # without hardening
        if self.hardening == 0.0 or not isfinite(self.thickness):
            return free
        # with x = t/(1 + e^-u), n log x - m log(1 - x/t) = log(F/K) has slopes between n and m: Newton's method needs
        # few iterations from the larger of both straight asymptotes
        n, m = self.exponent, self.hardening
        wanted = n * np.log(np.maximum(free, LEAST_DEPTH) / self.thickness)
        u = np.where(wanted > 0.0, wanted / m, wanted / n)
        for _ in range(ITERATIONS):
            error = n * u + (m - n) * np.logaddexp(0.0, u) - wanted
            u = u - error / (n + (m - n) / (1.0 + np.exp(-u)))
        depth = np.minimum(self.thickness / (1.0 + np.exp(-u)), np.nextafter(self.thickness, 0.0))
        return np.where(force > 0.0, depth, 0.0)

    def depth(self, force: np.ndarray | float, compression: np.ndarray | None = None) -> np.ndarray:
        """Return the depth [m] of tissue and core under forces [N]; `compression` of the tissue if it is known [m]."""
        force = np.asarray(force, dtype=float)
        x = self.compression(force) if compression is None else compression
        return x + force / (self.core + force / self.core_depth)

    def compliance(self, force: np.ndarray | float, compression: np.ndarray | None = None) -> np.ndarray:
        """Return d depth/d force [m/N] of tissue and core under positive forces [N]; `compression` as in `depth`."""
        force = np.asarray(force, dtype=float)
        x = self.compression(force) if compression is None else compression
        stiffer = self.exponent / x + self.hardening / (self.thickness - x)
        core = 0.0 if not isfinite(self.core) else self.core / (self.core + force / self.core_depth) ** 2
        return 1.0 / (force * stiffer) + core

    def fitted(self, room: float, where: str) -> Tissue:
        """Return the tissue in a segment of a half-width [m]; refuse one that is thicker.

        The core has the rest of the whole width, because both sides give way. With the rest of the half-width, 10 mm in
        a pelvis, flesh over bone would end in a wall: a fall from 3 m would push with 1 MN.
        """
        if self.thickness >= room:
            raise InputError(
                f"{where}: the tissue is {self.thickness:g} m thick, and the segment {room:.3g} m from its middle to "
                "its surface where it is thinnest; give less."
            )
        return replace(self, core_depth=min(self.core_depth, 2.0 * room - self.thickness))

    @property
    def room(self) -> float:
        """Depth [m] that no force exceeds: thickness, and the depth of the core if it gives way."""
        return self.thickness + (self.core_depth if isfinite(self.core) else 0.0)

    @property
    def number(self) -> float:
        """Damping number [-] that returns the restitution."""
        return damping_number(self.restitution)


Soft = float | tuple[Tissue, ...]  # what touches: the stiffness of a linear tissue [N/m], or layers in series


def both(one: Soft, other: Soft) -> Soft:
    """Return two soft bodies in series."""
    if isinstance(one, float) and isinstance(other, float):
        flexibility = 1.0 / one + 1.0 / other
        return 1.0 / flexibility if flexibility > 0.0 else inf
    return _layers(one) + _layers(other)


def joined_soft(softs: Sequence[Soft]) -> Soft:
    """Return one soft body, or two in series."""
    return softs[0] if len(softs) == 1 else both(*softs)


def stiffer(soft: Soft, by: float) -> Soft:
    """Return a soft body whose force at every depth is multiplied by a factor [-]."""
    if by == 1.0:
        return soft
    if isinstance(soft, float):
        return by * soft
    return tuple(_scaled(layer, by) for layer in soft)


def _scaled(layer: Tissue, by: float) -> Tissue:
    """Return a layer that is stiffer by a positive factor; its numbers were checked."""
    made: Tissue = object.__new__(Tissue)
    made.__dict__.update({name: value for name, value in layer.__dict__.items() if name != _PRESSED})
    made.__dict__.update(stiffness=by * layer.stiffness, core=by * layer.core)
    return made


def know(layer: Tissue, forces: np.ndarray, compression: np.ndarray) -> None:
    """Let a layer that belongs to one thread know its compression [m] under an array of forces [N]."""
    layer.__dict__.setdefault(_PRESSED, {})[forces.tobytes()] = compression


def _layers(soft: Soft) -> tuple[Tissue, ...]:
    if isinstance(soft, tuple):
        return soft
    return (Tissue.linear(soft),) if isfinite(soft) else ()


def depth_of(soft: Soft) -> Callable[[np.ndarray], np.ndarray]:
    """Return the depth [m] of what touches as a function of the force [N]."""
    if isinstance(soft, float):
        return lambda force: np.asarray(force) / soft
    return lambda force: np.sum([layer.depth(force) for layer in soft], axis=0)


def stiffness_at(soft: Soft, force: np.ndarray | float = TYPICAL) -> np.ndarray:
    """Return the slope [N/m] of what touches at forces [N]; of a linear tissue its stiffness."""
    if isinstance(soft, float):
        return np.full_like(np.asarray(force, dtype=float), soft)
    if isinstance(force, float):
        return _stiffness_at(soft, force)
    return 1.0 / np.sum([layer.compliance(np.maximum(force, FORCES[0])) for layer in soft], axis=0)


@lru_cache(maxsize=4096)  # every part of a front asks for the same segments
def _stiffness_at(soft: tuple[Tissue, ...], force: float) -> np.ndarray:
    # of an array, because powers of numpy's scalars round otherwise
    return stiffness_at(soft, np.array([force]))[0]


def series_pieces(
    layers: Sequence[Tissue], stiffness: float, exponent: float, number: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return force [N] and damping number [-] over the depth [m] of layers on a surface, as pieces of tables.

    stiffness, exponent  k [N/m^n] and n of the surface alone, F = k y^n; inf is rigid
    number               its damping number [-]

    The pieces of the force are cubic, with the slopes of the law at their ends.
    """
    force = FORCES
    compliance, known = _compliances(layers, stiffness, exponent, number, force)
    surface = _surface_depth(stiffness, exponent)
    depth = np.concatenate([[0.0], np.sum([layer.depth(force) for layer in layers], axis=0) + surface])
    slope = 1.0 / compliance.sum(axis=0)
    numbers = known @ compliance * slope
    return (
        _cubics(depth, np.concatenate([[0.0], force]), np.concatenate([[force[0] / depth[1]], slope])),
        _lines(depth, np.concatenate([numbers[:1], numbers])),
    )


@lru_cache(maxsize=256)  # tissue varies from case to case of a study, surfaces do not
def _surface_depth(stiffness: float, exponent: float) -> np.ndarray:
    """Return the depth [m] of a surface alone under FORCES."""
    found = (FORCES / stiffness) ** (1.0 / exponent) if isfinite(stiffness) else np.zeros_like(FORCES)
    found.setflags(write=False)
    return found


def viscous_speed(layers: Sequence[Tissue], stiffness: float, exponent: float, number: float) -> float:
    """Return the speed [m/s] below which the damping of layers on a surface is proportional to the speed.

    The arguments are those of `series_pieces`. Viscosities, number over speed, add by their shares of the compliance at
    a typical force.
    """
    compliance, known = _compliances(layers, stiffness, exponent, number, np.array([TYPICAL]))
    speeds = np.append([layer.viscous_below for layer in layers], speed_reference.LEAST)[: len(known)]
    viscosity = float(known / speeds @ compliance[:, 0])
    return float(known @ compliance[:, 0]) / viscosity if viscosity > 0.0 else speed_reference.LEAST


def _compliances(
    layers: Sequence[Tissue], stiffness: float, exponent: float, number: float, force: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return compliances [m/N] at forces [N] and damping numbers [-] of layers and of a surface that gives way."""
    rows, known = [layer.compliance(force) for layer in layers], [layer.number for layer in layers]
    if isfinite(stiffness):
        depth = _surface_depth(stiffness, exponent) if force is FORCES else (force / stiffness) ** (1.0 / exponent)
        rows, known = [*rows, depth / (exponent * force)], [*known, number]
    return np.array(rows), np.array(known)


def _cubics(x: np.ndarray, y: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Return rows of a knot and the cubic to the next with given slopes; the first and the last are straight."""
    length, chord = np.diff(x), np.diff(y) / np.diff(x)
    pieces = np.zeros((len(x), 5))
    pieces[:, 0], pieces[:, 1], pieces[:, 2] = x, y, slope
    pieces[1:-1, 3] = (3.0 * chord - 2.0 * slope[:-1] - slope[1:])[1:] / length[1:]
    pieces[1:-1, 4] = (slope[:-1] + slope[1:] - 2.0 * chord)[1:] / length[1:] ** 2
    return pieces


def _lines(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return rows of a knot and the straight line to the next; the last continues level."""
    pieces = np.zeros((len(x), 5))
    pieces[:, 0], pieces[:, 1] = x, y
    pieces[:-1, 2] = np.diff(y) / np.diff(x)
    return pieces


def piece_value(pieces: np.ndarray, x: np.ndarray | float) -> np.ndarray:
    """Return the value of a table of pieces at x, as the kernels do."""
    row = np.maximum(np.searchsorted(pieces[:, 0], x, side="right") - 1, 0)
    t = x - pieces[row, 0]
    return pieces[row, 1] + t * (pieces[row, 2] + t * (pieces[row, 3] + t * pieces[row, 4]))
