"""Bodies and the shapes they carry. Body frame: origin at the centre of mass. SI units."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, isfinite, pi

import numpy as np

from ..errors import InputError
from .bone import Bone
from .field import field_of
from .frame import ZERO, Vector
from .mode_choice import Modes, read_modes
from .shape import Shape
from .validation import not_negative, positive
from .value import Inertia, Name, Of, ReadBy


@dataclass(frozen=True)
class Tube:
    """The hollow section of a bone, from the inner joint of its body to its farthest other joint."""

    outer: float = field_of("length", "radius of the surface", above=0.0)
    inner: float = field_of("length", "radius of the cavity", default=0.0)
    young: float = field_of("pressure", "Young's modulus along the bone", default=17e9, above=0.0)
    poisson: float = field_of("dimensionless", "Poisson's ratio", default=0.3, above=-1.0, at_most=0.49)
    failure: float = field_of("moment", "mean bending moment at which it breaks", default=inf, infinite=True)
    spread: float = field_of("moment", "standard deviation of this moment", default=0.0)
    fall: float = field_of(
        "angle",
        "bend of the section that breaks over which its moment falls to zero; it stays whole unless given",
        default=inf,
        above=0.0,
        infinite=True,
    )
    least: float = field_of(
        "dimensionless",
        "bending stiffness of the hinge of a broken bone over that of the bone, for muscles and skin",
        default=0.01,
        above=0.0,
        at_most=1.0,
    )
    section: float = field_of(
        "dimensionless",
        "share of its length, from the inner joint, at which it breaks",
        default=0.5,
        above=0.1,
        at_most=0.9,
    )
    damping: float | None = field_of(
        "dimensionless",
        "ratio of critical damping of its modes; that of bones of people unless given",
        default=None,
        above=0.0,
        at_most=1.0,
    )
    modes: Modes = field_of(
        ReadBy(read_modes, ("integer", "array", "string")),
        'in which it bends: a number, a list as [1, 2, 5], those below "2 kHz", or with an error of "1 %"',
        default=6,
    )

    def __post_init__(self) -> None:
        if not 0.0 <= self.inner < self.outer:
            raise InputError(f"tube: inner is {self.inner:g} m; accepted: 0 to less than outer, {self.outer:g} m.")

        if self.breaks and not isfinite(self.failure):
            raise InputError("tube: fall needs the bending moment at which the bone breaks; give failure, or no fall.")

    @property
    def breaks(self) -> bool:
        """Whether it becomes a hinge when the bending moment of its section reaches `failure` (`model.fracture`)."""
        return isfinite(self.fall)

    @property
    def area(self) -> float:
        """Return the area of the section [m2]."""
        return pi * (self.outer**2 - self.inner**2)

    @property
    def second(self) -> float:
        """Return the second moment of area [m4]."""
        return 0.25 * pi * (self.outer**4 - self.inner**4)


@dataclass(frozen=True)
class Bend:
    """The modes of a body that bends (`model.flexible`).

    stiffness   of the modal coordinates (n, n)
    damping     (n, n)
    stiffening  stiffness by the products of the angular velocity in body axes (3, 3, n, n), or None
    surface     station on which contact shapes ride, "" for the frame
    line        start and end of the body in its frame [m]: along it the station of the surface goes where it is touched
    along       shapes at equal distances on that line (g, n, 6), or None: the station stays
    inertia     of the whole body about its centre (3, 3) [kg m2]
    frequency   of the modes [Hz], if known
    tube        section of a bone, for strain and fracture
    """

    stiffness: np.ndarray
    damping: np.ndarray
    stiffening: np.ndarray | None = None
    surface: str = ""
    line: tuple[Vector, Vector] = (ZERO, ZERO)
    along: np.ndarray | None = None
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    frequency: np.ndarray | None = None
    tube: Tube | None = None


@dataclass(frozen=True)
class Body:
    """A rigid body, or the frame of one that bends; `bone` breaks under a contact of its shapes.

    Without a joint it moves freely. `regions` says what its shapes are to each other (`kernels.contact_share`):

    ""        independent: their forces on anything add
    "joined"  regions of one skin: they share the load of whatever they meet by their depths
    "apart"   regions that lie apart: their forces add on a plane, where each presses at its own place, and they share
              the load of anything else, whose law is that of a whole structure and would count twice

    `outline` is the shape that they divide, which gives the size of the body; without regions it is the first shape.
    """

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
    bend: Bend | None = None
    tube: Tube | None = field_of(Of(Tube), "section of a body that bends; rigid unless given", default=None)
    regions: str = ""
    outline: Shape | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "shapes", tuple(self.shapes))
        if self.bend is not None or isinstance(self, Station):  # its mass may ride elsewhere
            not_negative(self.mass, f"body {self.name!r}: mass", "kg")
            return
        positive(self.mass, f"body {self.name!r}: mass", "kg")
        object.__setattr__(self, "inertia", _inertia(self.inertia, self.name))

    def skins(self, on_plane: bool = False) -> tuple[tuple[Shape, ...], ...]:
        """Return the shapes in groups that share the load of a plane, or of anything else."""
        shared = self.regions == "joined" or (self.regions == "apart" and not on_plane)
        return (self.shapes,) if shared and self.shapes else tuple((shape,) for shape in self.shapes)


@dataclass(frozen=True)
class Station(Body):
    """A body that rides on the modes of another; it may be without mass.

    owner  the body that bends
    whole  inertia of all of it (3, 3) [kg m2]
    """

    owner: str = ""
    whole: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))


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
