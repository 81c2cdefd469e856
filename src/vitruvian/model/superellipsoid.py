"""Superellipsoids: convex solids between an ellipsoid and nearly a box. SI units."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import gamma

import numpy as np

from ..errors import InputError
from ..kernels import layout
from .field import field_of
from .frame import IDENTITY, ZERO, Quaternion, Vector
from .shape import OFFSET, ROTATION, STIFFNESS, Shape
from .tissue import Tissue
from .validation import finite_vector
from .value import Components

BLEND = 1e-3  # of the flat places of a superellipsoid
LEAST_EXPONENT, MOST_EXPONENT = 1.25, 20.0


@dataclass(frozen=True)
class Superellipsoid(Shape):
    """(|x/a|^p2 + |y/b|^p2)^(p1/p2) + |z/c|^p1 = 1: from an ellipsoid (2, 2) to nearly a box (20, 20)."""

    semi_axes: Vector = field_of(Components("length"), "a, b, c")
    exponents: tuple[float, float] = field_of(
        Components("dimensionless", 2),
        "p1 of the outline along z and p2 of the outline across it, 1.25 to 20",
        default=(2.0, 2.0),
    )
    offset: Vector = field_of(*OFFSET, default=ZERO)
    rotation: Quaternion = field_of(*ROTATION, default=IDENTITY)
    stiffness: float = field_of(*STIFFNESS, default=float("inf"), infinite=True)
    material: str | None = None
    tissue: Tissue | None = None

    def __post_init__(self) -> None:
        self._check_vector("semi_axes")
        object.__setattr__(self, "exponents", finite_vector(self.exponents, "superellipsoid exponents", 2))
        for p in self.exponents:
            if not LEAST_EXPONENT <= p <= MOST_EXPONENT:
                raise InputError(
                    f"superellipsoid exponents are {self.exponents}; accepted {LEAST_EXPONENT:g} to {MOST_EXPONENT:g} "
                    "each: 2 is an ellipsoid, larger is more like a box (then a box or a cylinder is the better shape)."
                )
        self._check()

    @property
    def half_size(self) -> Vector:
        return self.semi_axes

    @property
    def volume(self) -> float:
        """2 a b c e1 e2 B(e1/2 + 1, e1) B(e2/2, e2/2) with e = 2/p (jaklic2003)."""
        a, b, c = self.semi_axes
        e1, e2 = self.roundness
        return 2.0 * a * b * c * e1 * e2 * _beta(0.5 * e1 + 1.0, e1) * _beta(0.5 * e2, 0.5 * e2)

    def inertia(self, mass: float) -> np.ndarray:
        """From the moments of the solid in beta functions (jaklic2003)."""
        a, b, c = self.semi_axes
        e1, e2 = self.roundness
        density = mass / self.volume
        across = 0.5 * a * b * c * e1 * e2 * _beta(1.5 * e2, 0.5 * e2) * _beta(0.5 * e1, 2.0 * e1 + 1.0)
        along = 2.0 * a * b * c * e1 * e2 * _beta(0.5 * e2, 0.5 * e2 + 1.0) * _beta(1.5 * e1, e1 + 1.0)
        xx, yy, zz = across * a * a, across * b * b, along * c * c
        return density * np.array([yy + zz, xx + zz, xx + yy])

    @property
    def roundness(self) -> tuple[float, float]:
        """Exponents e = 2/p of the parametric form [-]."""
        p1, p2 = self.exponents
        return 2.0 / p1, 2.0 / p2

    @property
    def bound(self) -> float:
        # inside the ellipsoid's ball up to p = 2; never outside the box
        return float(max(self.semi_axes) if max(self.exponents) <= 2.0 else np.linalg.norm(self.semi_axes))

    @cached_property
    def dual(self) -> tuple[float, float]:
        """Exponents q of the support function, 1/p + 1/q = 1 [-]."""
        p1, p2 = self.exponents
        return p1 / (p1 - 1.0), p2 / (p2 - 1.0)

    @property
    def terms(self) -> tuple[int, float, tuple[Vector, ...]]:
        """The semi-axes of the blended support function: a little less, so that the extreme dimensions are exact."""
        wanted = np.array(self.semi_axes)
        axes = wanted.copy()
        for _ in range(30):
            axes *= wanted / self._blended(axes, np.eye(3))
        a, b, c = axes.tolist()
        return layout.shape_type.SUPERELLIPSOID, 0.0, ((a, b, c),)

    def _blended(self, axes: np.ndarray, n: np.ndarray) -> np.ndarray:
        q1, q2 = self.dual
        x, y, z = np.moveaxis(axes * np.sqrt(n * n + BLEND**2), -1, 0)
        return ((x**q2 + y**q2) ** (q1 / q2) + z**q1) ** (1.0 / q1)

    def reach(self, direction: np.ndarray) -> np.ndarray:
        return self._blended(np.array(self.terms[2][0]), direction)

    def support_row(self, carrier: int) -> tuple[np.ndarray, np.ndarray]:
        kind, row = super().support_row(carrier)
        row[layout.shape.EXPONENT_1], row[layout.shape.EXPONENT_2] = self.dual
        row[layout.shape.BLEND] = BLEND
        return kind, row


def _beta(x: float, y: float) -> float:
    return gamma(x) * gamma(y) / gamma(x + y)
