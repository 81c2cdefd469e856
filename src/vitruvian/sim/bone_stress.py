"""Stress and strain at the surface of bones that bend, in all directions, from those along the bone. SI units.

The surface is free, so at a point of it only two stresses are not zero: s along the bone and the shear stress t along
the circumference, both in the plane of bone and circumference:

    principal stresses  s/2 +- sqrt(s^2/4 + t^2)          von Mises  sqrt(s^2 + 3 t^2)

In world axes the bone turns with its segment; that bending turns the section further, by a few degrees at most, is
left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .load_cell import cross, to_body_axes

if TYPE_CHECKING:
    from .recording import Recording

_ROW, _COLUMN = (0, 1, 2, 0, 1, 0), (0, 1, 2, 1, 2, 2)  # of the components xx, yy, zz, xy, yz, xz


def von_mises(recording: Recording) -> np.ndarray:
    """Return von Mises' stress (N, point) [Pa]."""
    found: np.ndarray = np.sqrt(recording.stress**2 + 3.0 * recording.shear_stress**2)
    return found


def principal_stress(recording: Recording) -> np.ndarray:
    """Return the largest and the least stress in the surface (N, point, 2) [Pa]."""
    middle = 0.5 * recording.stress
    radius = np.hypot(middle, recording.shear_stress)
    return np.stack([middle + radius, middle - radius], axis=-1)


def principal_strain(recording: Recording) -> np.ndarray:
    """Return the largest and the least strain in the surface (N, point, 2) [-]."""
    stress = principal_stress(recording)
    ratio = recording.point_poisson[:, None]
    found: np.ndarray = (stress - ratio * stress[..., ::-1]) / recording.point_young[:, None]
    return found


def world_stress(recording: Recording) -> np.ndarray:
    """Return the stress in world axes (N, point, 6) [Pa], components xx, yy, zz, xy, yz, xz."""
    along, outward = _directions(recording)
    across = cross(along, outward)  # along the circumference
    stress, shear = recording.stress[..., None], recording.shear_stress[..., None]
    found: np.ndarray = stress * along[..., _ROW] * along[..., _COLUMN]
    found = found + shear * (along[..., _ROW] * across[..., _COLUMN] + across[..., _ROW] * along[..., _COLUMN])
    return found


def world_strain(recording: Recording) -> np.ndarray:
    """Return the strain in world axes (N, point, 6) [-], components as those of stress, not twice their value."""
    stress, ratio = world_stress(recording), recording.point_poisson[:, None]
    trace = stress[..., :3].sum(axis=-1, keepdims=True) * (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    found: np.ndarray = ((1.0 + ratio) * stress - ratio * trace) / recording.point_young[:, None]
    return found


def _directions(recording: Recording) -> tuple[np.ndarray, np.ndarray]:
    """Return the directions along the bone and out of its surface in world axes, twice (N, point, 3)."""
    own = [recording.bodies.index(label.rpartition(".")[0]) for label in recording.points]
    back = recording.attitude[:, own].astype(float) * (1.0, -1.0, -1.0, -1.0)
    along, outward = (to_body_axes(back, recording.point_axes[None, :, k]) for k in range(2))
    return along, outward


#: derived channels of points: name, dimensions after the point, unit, meaning, function
DERIVED: tuple[tuple[str, tuple[str, ...], str, str, Callable[[Recording], np.ndarray]], ...] = (
    ("von_mises_stress", (), "Pa", "von Mises stress at the surface of the bone", von_mises),
    ("principal_stress", ("principal",), "Pa", "largest and least stress in the surface of the bone", principal_stress),
    ("principal_strain", ("principal",), "1", "largest and least strain in the surface of the bone", principal_strain),
    ("stress_world", ("tensor",), "Pa", "stress at the surface of the bone, world axes", world_stress),
    ("strain_world", ("tensor",), "1", "strain at the surface of the bone, world axes", world_strain),
)
