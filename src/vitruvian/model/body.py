"""Bodies and the shapes they carry. Body frame: origin at the centre of mass. SI units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from .bone import Bone
from .field import field_of
from .shape import Shape
from .validation import positive
from .value import Inertia, Name, Of


@dataclass(frozen=True)
class Body:
    """A rigid body; without a joint it moves freely. `bone` breaks under a contact of its shapes."""

    name: str = field_of(Name(), "of its own")
    mass: float = field_of("mass", "of the body", above=0.0)
    inertia: np.ndarray = field_of(
        Inertia(),
        "about the centre of mass, body frame: three principal moments or a full 3x3 tensor; in a file that of the "
        "solid shape if left out",
        implied=True,
    )
    shapes: tuple[Shape, ...] = field_of(
        Of(Shape, several=True), "convex solids that touch surfaces and other bodies", default=()
    )

    bone: Bone | None = None

    def __post_init__(self) -> None:
        positive(self.mass, f"body {self.name!r}: mass", "kg")
        object.__setattr__(self, "inertia", _inertia(self.inertia, self.name))
        object.__setattr__(self, "shapes", tuple(self.shapes))


def _inertia(value: object, name: str) -> np.ndarray:
    """The inertia as a checked 3x3 tensor [kg m2]."""
    tensor = np.array(value, dtype=float)
    if tensor.shape == (3,):
        tensor = np.diag(tensor)
    where = f"body {name!r}: inertia"
    if tensor.shape != (3, 3) or not np.isfinite(tensor).all():
        raise InputError(f"{where} must be three principal moments or a 3x3 tensor of finite numbers [kg m2].")
    if not np.allclose(tensor, tensor.T, rtol=0, atol=1e-9 * abs(tensor).max()):
        raise InputError(f"{where} is not symmetric; the entries xy and yx (and so on) must be equal.")
    tensor = 0.5 * (tensor + tensor.T)
    moments = np.linalg.eigvalsh(tensor)
    if moments[0] <= 0.0:
        raise InputError(f"{where} has the principal moments {moments} kg m2; all must be greater than zero.")
    if moments[0] + moments[1] < moments[2] * (1.0 - 1e-9):
        raise InputError(
            f"{where} has the principal moments {moments} kg m2, which no body can have: "
            "the sum of any two must be at least the third (triangle inequality)."
        )
    tensor.setflags(write=False)
    return tensor
