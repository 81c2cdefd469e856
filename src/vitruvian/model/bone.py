"""Bones that break under a contact. SI units."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite

import numpy as np

from ..errors import InputError
from ..kernels import layout
from .validation import positive

WORKING = 100.0  # a bone must not break below this force [N]


@dataclass(frozen=True)
class Bone:
    """Limits of the bone under the shapes of a body, and how the resistance falls beyond them.

    force    contact force at which it breaks [N]
    elastic  force without damping at which it breaks [N], which belongs to a deflection of the tissue
    width    further depth of the contact over which the resistance falls [m]
    least    share of the resistance that stays [-]
    injury   words of the report for the fracture
    """

    force: float = inf
    elastic: float = inf
    width: float = 0.005
    least: float = 0.3
    injury: str = "bone fractured"

    def __post_init__(self) -> None:
        for name, unit in (("force", "N"), ("elastic", "N"), ("width", "m")):
            positive(getattr(self, name), f"bone {name}", unit)
        if not isfinite(self.width):
            raise InputError("bone width is infinite; give the depth [m] over which the resistance falls.")
        if not 0.0 < self.least <= 1.0:
            raise InputError(f"bone least is {self.least}; expected a share above 0 and at most 1.")
        if min(self.force, self.elastic) < WORKING:
            raise InputError(
                f"bone: it breaks at {min(self.force, self.elastic):g} N, which is within its working range; "
                f"expected at least {WORKING:g} N."
            )


def whole_bones(count: int) -> np.ndarray:
    """Return the memory of so many bones that are whole, rows of `state.bone`."""
    memory = np.zeros((count, layout.bone.MEMORY_COUNT))
    memory[:, layout.bone.SOUND] = 1.0
    return memory
