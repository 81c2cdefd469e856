"""Bodies that light up by the contact force on them: the forces, and the colours they stand for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..sim.recording import Recording
from ..sim.result import Result

#: colours from no force to the full one: red, green, blue, 0 to 1
SCALE = np.array([(1.00, 0.90, 0.45), (0.98, 0.62, 0.18), (0.89, 0.24, 0.12), (0.55, 0.00, 0.10)])
#: the colour goes with the force to this power, so that a light touch is seen too
POWER = 0.5
_START = 0.08  # up to this share of the scale the body's own colour goes over into it


def body_forces(recording: Recording) -> np.ndarray:
    """The resultant of all contact forces on each body, of surfaces and of other bodies (P, body) [N]."""
    place = {name: index for index, name in enumerate(recording.bodies)}
    total = np.zeros((len(recording.pose_time), len(place), 3))
    for pair, (body, other) in enumerate(recording.pairs):
        total[:, place[body]] += recording.contact_force[:, pair]
        if other in place:
            total[:, place[other]] -= recording.contact_force[:, pair]
    return np.nan_to_num(np.linalg.norm(total, axis=2))


def full_force(results: Sequence[Result]) -> float:
    """The largest force on any body of some runs, for one scale [N]; 0 where nothing is touched."""
    return max((float(body_forces(result.sound.recording).max(initial=0.0)) for result in results), default=0.0)


def lit(colour: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Colours (n, 3) of bodies with a share of the full force on them (n,) [-]."""
    place = np.clip(share, 0.0, 1.0) ** POWER
    knots = np.linspace(0.0, 1.0, len(SCALE))
    warm = np.stack([np.interp(place, knots, SCALE[:, channel]) for channel in range(3)], axis=-1)
    own = np.clip(1.0 - place / _START, 0.0, 1.0)[:, None]
    return own * colour + (1.0 - own) * warm
