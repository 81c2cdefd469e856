"""Muscles along lines: their path, and their force by a table or by activation and the curves of a muscle. SI units."""

from __future__ import annotations

from dataclasses import dataclass
from math import asin, pi

import numpy as np

from ..errors import InputError
from .field import field_of
from .frame import ZERO, Vector
from .table import FUNCTION, Table, constant
from .validation import finite_vector, not_negative, positive
from .value import Components, Flag, Name, Of, Text

STEPS = 10  # knots of the activation in the shorter time constant
LAST = 20.0  # time constants after the last knot of the excitation at which the activation has ended


@dataclass(frozen=True)
class MusclePoint:
    """A place of the path of a muscle: a point, or a body that it wraps over. Exactly one of them is given."""

    point: Vector | None = field_of(
        Components("length"), "origin, via point or insertion, from the centre of mass or in the world", default=None
    )
    body: str | None = field_of(Text(), "that carries the point; the world unless given", default=None)
    over: str | None = field_of(Text(), "body over which the muscle wraps where it comes near", default=None)
    radius: float | None = field_of(
        "length",
        "of the cylinder or sphere that it wraps over; the largest ellipsoid, sphere or cylinder of the body unless "
        "given",
        default=None,
        above=0.0,
    )
    centre: Vector = field_of(Components("length"), "of this cylinder or sphere, body frame", default=ZERO)
    axis: Vector | None = field_of(
        Components("dimensionless"), "of this cylinder, body frame; a sphere unless given", default=None
    )
    side: Vector = field_of(
        Components("dimensionless"),
        "on which the muscle passes a cylinder or ellipsoid, body frame; over a sphere it takes the shortest way",
        default=(1.0, 0.0, 0.0),
    )

    def __post_init__(self) -> None:
        if (self.point is None) == (self.over is None):
            raise InputError(
                f"a place of a muscle has {'neither point nor over' if self.point is None else 'point and over'}; "
                "give one of them."
            )
        for name in ("point", "centre", "axis", "side"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, finite_vector(getattr(self, name), f"place of a muscle: {name}"))
        if self.over is not None and self.body is not None:
            raise InputError(f"a muscle over {self.over!r} has a body there, too; that is for a point.")
        if self.over is None and (self.radius is not None or self.axis is not None):
            raise InputError("a place of a muscle has a point and a radius or axis; these are for a body to wrap over.")
        if self.radius is not None:
            positive(self.radius, "place of a muscle: radius", "m")
        elif self.axis is not None:
            raise InputError(f"a muscle over {self.over!r} has an axis without a radius; give both for a cylinder.")
        for name in ("axis", "side"):
            if getattr(self, name) is not None and not any(getattr(self, name)):
                raise InputError(f"place of a muscle: {name} is the zero vector; give a direction.")

    @property
    def carrier(self) -> str | None:
        """Body that it is on; None is the world."""
        return self.body if self.over is None else self.over


@dataclass(frozen=True)
class Muscle:
    """A muscle from origin to insertion. Its force is given by `force`, or by `max_force` and `excitation`."""

    name: str = field_of(Name(dots=True), "of its own")
    path: tuple[MusclePoint, ...] = field_of(
        Of(MusclePoint, several=True), "origin, via points and bodies to wrap over, insertion"
    )
    force: Table | None = field_of(FUNCTION, "that the muscle pulls with [N], instead of max_force", default=None)
    max_force: float | None = field_of("force", "isometric, at the optimal length", default=None, above=0.0)
    fibre_length: float | None = field_of("length", "optimal, of the fibres", default=None, above=0.0)
    tendon_length: float = field_of("length", "slack, of the tendon", default=0.0)
    pennation: float = field_of("angle", "of the fibres at their optimal length", default=0.0)
    excitation: Table | None = field_of(FUNCTION, "0 to 1", default=None)
    activation: float | None = field_of(
        "dimensionless", "at the start, 0 to 1; the excitation unless given", default=None
    )
    activation_time: float = field_of("time", "time constant of a rising activation (dembia2020)", default=0.015)
    deactivation_time: float = field_of("time", "and of a falling one (dembia2020)", default=0.06)
    elastic_tendon: bool = field_of(Flag(), "whether the tendon gives", default=False)
    tendon_strain: float = field_of(
        "dimensionless", "of an elastic tendon at max_force (degroote2016)", default=0.049, above=0.0
    )
    passive_strain: float = field_of(
        "dimensionless", "of fibres that bear max_force without activation (degroote2016)", default=0.6, above=0.0
    )
    max_speed: float = field_of(
        "frequency",
        "largest speed of shortening, in optimal lengths per second (degroote2016)",
        default=10.0,
        above=0.0,
    )
    damping: float = field_of(
        "dimensionless", "of the fibres: force over max_force at max_speed (estimated)", default=0.01, above=0.0
    )

    def __post_init__(self) -> None:
        where = f"muscle {self.name!r}"
        object.__setattr__(self, "path", tuple(self.path))
        if len(self.path) < 2 or self.path[0].point is None or self.path[-1].point is None:
            raise InputError(f"{where}: its path must begin and end with a point.")
        if (self.force is None) == (self.max_force is None):
            given = "neither force nor max_force" if self.force is None else "force and max_force"
            raise InputError(f"{where} has {given}; give a force over time, or max_force with an excitation.")
        for name in ("force", "excitation"):
            if isinstance(getattr(self, name), int | float):
                object.__setattr__(self, name, constant(getattr(self, name)))
        if self.force is not None:
            self._check_force(where, self.force)
        else:
            self._check_curves(where)

    def _check_force(self, where: str, force: Table) -> None:
        if self.excitation is not None or self.elastic_tendon or self.activation is not None:
            raise InputError(
                f"{where}: excitation, activation and elastic_tendon go with max_force; leave them out, or the force."
            )
        low, _ = bounds(force)
        if low < 0.0:
            raise InputError(f"{where}: its force falls to {low:g} N; a muscle never pushes, so give 0 or more.")

    def _check_curves(self, where: str) -> None:
        positive(self.max_force or 0.0, f"{where}: max_force", "N")
        if self.fibre_length is None:
            raise InputError(f"{where}: fibre_length is missing; a muscle with max_force needs it.")
        positive(self.fibre_length, f"{where}: fibre_length", "m")
        for name, unit in (("max_speed", "1/s"), ("tendon_strain", ""), ("passive_strain", ""), ("damping", "")):
            positive(getattr(self, name), f"{where}: {name}", unit)
        for name, unit in (("tendon_length", "m"), ("activation_time", "s"), ("deactivation_time", "s")):
            not_negative(getattr(self, name), f"{where}: {name}", unit)
        if not 0.0 <= self.pennation < asin(0.99):
            raise InputError(f"{where}: pennation is {180 / pi * self.pennation:g} deg; expected 0 to 80 deg.")
        if self.elastic_tendon and self.tendon_length <= 0.0:
            raise InputError(f"{where}: an elastic tendon needs a tendon_length above 0.")
        if (self.activation_time == 0.0) != (self.deactivation_time == 0.0):
            raise InputError(f"{where}: one of the time constants is 0; give both, or 0 for both.")
        if self.activation is not None and not 0.0 <= self.activation <= 1.0:
            raise InputError(f"{where}: activation is {self.activation:g}; expected 0 to 1.")
        if self.excitation is not None:
            low, high = bounds(self.excitation)
            if low < -1e-9 or high > 1.0 + 1e-9:
                worst = low if low < 0.0 else high
                raise InputError(f"{where}: its excitation reaches {worst:g}; expected values from 0 to 1.")


def bounds(table: Table) -> tuple[float, float]:
    """Return least and largest value of a function of time, in its unit; infinite if it leaves every bound."""
    knots, pieces = table.polynomials()
    if table.kind == "acceleration" or (table.kind == "position" and (pieces[0, 1] or pieces[-1, 1])):
        raise InputError(
            f"a table of kind {table.kind!r} has no bounds after its last knot; use linear, step or smooth."
        )
    fine = np.union1d(knots, np.linspace(knots[0], knots[-1], 2001))
    values = table.at(fine)
    return float(values.min()), float(values.max())


def activation_pieces(muscle: Muscle) -> tuple[np.ndarray, np.ndarray]:
    """Return the activation over time as rows of a knot [s] and a cubic, and the times [s] at which it turns sharply.

    da/dt = (u - a) / tau, with the time constant of activation while the excitation u is above a, else that of
    deactivation. The excitation does not depend on the motion, so this is solved once, by Runge-Kutta.
    """
    excitation = muscle.excitation or constant(0.0)
    knots, pieces = excitation.polynomials()
    rise, fall = muscle.activation_time, muscle.deactivation_time
    if rise == 0.0:
        return np.column_stack([np.concatenate([knots[:1], knots]), pieces]), knots
    begin, end = min(0.0, knots[0]), knots[-1] + LAST * max(rise, fall)
    count = int(np.clip(np.ceil((end - begin) * STEPS / min(rise, fall)), 2, 200_000))
    times = np.union1d(np.linspace(begin, end, count + 1), knots)
    times = times[np.concatenate([[True], np.diff(times) > 1e-12])]
    middle = 0.5 * (times[1:] + times[:-1])
    just_before = times[1:] - 1e-9 * np.diff(times)  # a step of the excitation belongs to what follows
    drive = np.stack([excitation.at(times[:-1]), excitation.at(middle), excitation.at(just_before)])
    level = muscle.activation if muscle.activation is not None else float(excitation.at(np.array([begin]))[0])
    rows = np.zeros((len(times) + 1, 5))

    def rate(u: float, a: float) -> float:
        return (u - a) / (rise if u > a else fall)

    rows[0, :2] = times[0], level
    for k, (first, half, last) in enumerate(drive.T.tolist()):
        h = times[k + 1] - times[k]
        k1 = rate(first, level)
        k2 = rate(half, level + 0.5 * h * k1)
        k3 = rate(half, level + 0.5 * h * k2)
        k4 = rate(last, level + h * k3)
        new = level + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        slope, mean = rate(last, new), (new - level) / h
        rows[k + 1] = times[k], level, k1, (3.0 * mean - 2.0 * k1 - slope) / h, (k1 + slope - 2.0 * mean) / h**2
        level = new
    rows[-1, :2] = times[-1], level
    return rows, knots
