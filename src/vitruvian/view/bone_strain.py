"""Strain of bones that bend as colour on their segments: a sleeve of five sections in the colour of a band. SI units.

Bands are absolute, so that pictures of different runs can be compared. Every band is a mesh of its own; at each frame a
section is drawn by the band of its largest strain, and the other bands have it too small to be seen.
"""

from __future__ import annotations

import numpy as np

from ..model.flexible import MASS
from ..sim.bone_load import SHARES, SIDES
from ..sim.geometry import Geometry
from ..sim.recording import Recording
from .colour import Colour

#: upper ends of the bands [1e-6] and their colours; cortical bone yields at about 7000
BANDS: dict[float, Colour] = {
    500.0: (0.93, 0.93, 0.86),
    1000.0: (0.99, 0.88, 0.45),
    2000.0: (0.98, 0.66, 0.22),
    4000.0: (0.93, 0.40, 0.15),
    8000.0: (0.78, 0.12, 0.14),
    np.inf: (0.38, 0.00, 0.25),
}
_HIDDEN = 1e-3  # size of a section that is drawn by another band [-]


def bones(recording: Recording) -> dict[str, list[int]]:
    """Return the bones that have strain, with the numbers of their points in `recording.points`."""
    found: dict[str, list[int]] = {}
    for number, label in enumerate(recording.points):
        found.setdefault(label.rpartition(".")[0], []).append(number)
    return found


def legend() -> list[tuple[str, str]]:
    """Return the words and the colour, as in web pages, of every band."""
    found, low = [], 0.0
    for high, colour in BANDS.items():
        words = f"{low:g} to {high:g}" if np.isfinite(high) else f"above {low:g}"
        found.append((words, "#" + "".join(f"{round(255 * part):02x}" for part in colour)))
        low = high
    return found


def bands(recording: Recording, frame: int) -> np.ndarray:
    """Return the band of every section of every bone at a pose (bone, section)."""
    at = min(int(np.searchsorted(recording.time, recording.pose_time[frame])), len(recording.time) - 1)
    strain = abs(recording.channels["strain"][at]).reshape(-1, len(SHARES), len(SIDES)).max(axis=2)
    return np.searchsorted(list(BANDS), 1e6 * np.nan_to_num(strain))


def stations(recording: Recording, geometry: Geometry, bone: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the bodies that carry the mass of a bone, and their places from its first joint to its far end [-]."""
    number = recording.bodies.index(bone)
    own = np.flatnonzero(geometry.joint_parent == number)
    place = geometry.joint_point_parent[own] - geometry.joint_point_child[number]
    end = place[np.argmax(np.linalg.norm(place, axis=1))]
    heavy = [recording.bodies[body].startswith(f"{bone}.{MASS}") for body in own]
    return own[heavy], (place @ end / (end @ end))[heavy]


def sections(recording: Recording, geometry: Geometry, radius: np.ndarray, band: int, frame: int) -> np.ndarray:
    """Return length, radii and centre of every section (n, 4, 3) [m]; those of other bands are tiny.

    radius  of the sleeve of every bone [m]
    """
    position, found = recording.position[frame], [np.zeros((0, 4, 3))]
    shown = bands(recording, frame) == band
    for number, name in enumerate(bones(recording)):
        own, share = stations(recording, geometry, name)
        path = position[own]
        line = np.array([np.polyfit(share, path[:, k], 2) for k in range(3)])
        ends = np.stack(
            [np.polyval(coefficients, np.linspace(0.0, 1.0, len(SHARES) + 1)) for coefficients in line], axis=1
        )
        along = np.diff(ends, axis=0)
        way = along / np.linalg.norm(along, axis=1, keepdims=True)
        across = np.cross(way, np.eye(3)[np.argmin(abs(way), axis=1)])
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        size = np.where(shown[number], 1.0, _HIDDEN)[:, None]
        wide = radius[number] * size
        middle = 0.5 * (ends[1:] + ends[:-1])
        found.append(np.stack([0.98 * size * along, wide * across, wide * np.cross(way, across), middle], axis=1))
    return np.concatenate(found)
