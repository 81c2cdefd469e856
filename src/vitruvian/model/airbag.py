"""Airbags: size, inflator, vent, firing, and the segments that they act on. SI units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..kernels import layout
from .field import field_of
from .frame import Vector
from .table import Table
from .validation import finite_vector, not_negative, positive
from .value import Components, ListOf, Name, Of, Rows, Text

if TYPE_CHECKING:
    from .system import System

GAS_CONSTANT = 296.8  # specific, of nitrogen [J/(kg K)]
HEAT_RATIO = 1.4  # of nitrogen and air [-]
AMBIENT_PRESSURE = 101325.0  # [Pa]
AMBIENT_TEMPERATURE = 293.15  # [K]
COLUMNS = ("pressure", "volume", "inflow", "vent_flow", "size")


@dataclass(frozen=True)
class Inflator:
    """A gas generator: mass flow over the time since firing."""

    flow: tuple[tuple[float, float], ...] = field_of(
        Rows(("time", "mass flow"), "rows of time since firing and mass flow"), "linear between its rows, then zero"
    )
    temperature: float = field_of("temperature", "of the gas that flows in", default=600.0, above=0.0)

    def __post_init__(self) -> None:
        rows = np.array(self.flow, dtype=float)
        if rows.ndim != 2 or rows.shape[1:] != (2,) or len(rows) < 2:
            raise InputError("inflator flow needs at least two rows of time and mass flow.")
        if rows[0, 0] != 0.0 or (np.diff(rows[:, 0]) <= 0.0).any():
            raise InputError("inflator flow must begin at time 0, and times must increase from row to row.")
        if (rows[:, 1] < 0.0).any():
            raise InputError("inflator flow has a negative mass flow; gas leaves through the vent.")
        positive(self.temperature, "inflator temperature", "K")
        object.__setattr__(self, "flow", tuple((float(t), float(m)) for t, m in rows))

    @property
    def mass(self) -> float:
        """Mass of all gas [kg]."""
        times, flow = np.array(self.flow).T
        return float(np.trapezoid(flow, times))


@dataclass(frozen=True)
class Firing:
    """When an airbag fires: at a time, or after its carrier was accelerated hard enough. Exactly one is given."""

    time: float | None = field_of("time", "of the run", default=None)
    acceleration: float | None = field_of(
        "acceleration", "of the carrier, mean over a step, at which the delay begins", default=None, above=0.0
    )
    delay: float = field_of("time", "from that acceleration to the firing", default=0.0)

    def __post_init__(self) -> None:
        if (self.time is None) == (self.acceleration is None):
            raise InputError("fire needs either a time or an acceleration.")
        not_negative(self.delay, "fire delay", "s")
        if self.time is not None:
            not_negative(self.time, "fire time", "s")
            if self.delay:
                raise InputError("fire delay goes with an acceleration; give the time of firing alone.")


@dataclass(frozen=True, kw_only=True)
class Airbag:
    """A bag with uniform pressure: half an ellipsoid in front of its mount when full."""

    name: str = field_of(Name(), "of its own")
    carrier: str | None = field_of(Text(), "body that carries it; the world unless given", default=None)
    place: Vector = field_of(Components("length"), "middle of its back: from the centre of mass of its carrier")
    axis: Vector = field_of(
        Components("dimensionless"), "direction in which it deploys, carrier frame", default=(-1.0, 0.0, 0.0)
    )
    size: Vector = field_of(Components("length"), "of the full bag: depth along the axis, half width, half height")
    volume: float | None = field_of(
        "volume", "of the full bag; half the ellipsoid unless given", default=None, above=0.0
    )
    segments: tuple[str, ...] = field_of(ListOf(Text()), "bodies that the bag pushes")
    inflator: Inflator | None = field_of(Of(Inflator), "none unless given", default=None)
    fire: Firing | None = field_of(Of(Firing), "when the inflator fires", default=None)
    vent: float = field_of("area", "effective area of the vent: area times discharge coefficient", default=0.0)
    vent_pressure: float = field_of("pressure", "gauge pressure from which the vent is open", default=0.0)
    pressure: float | None = field_of(
        "pressure",
        "gauge pressure of a bag that is full of air at the start, before anything dips into it",
        default=None,
    )
    heat_ratio: float = field_of("dimensionless", "of the gas: c_p / c_v", default=HEAT_RATIO, above=1.0)

    def __post_init__(self) -> None:
        where = f"airbag {self.name!r}"
        for name in ("place", "axis", "size"):
            object.__setattr__(self, name, finite_vector(getattr(self, name), f"{where}: {name}"))
        object.__setattr__(self, "segments", tuple(self.segments))
        if not any(self.axis):
            raise InputError(f"{where}: axis is the zero vector; give the direction in which it deploys.")
        for k, word in enumerate(("depth", "half width", "half height")):
            positive(self.size[k], f"{where}: size, {word}", "m")
        if self.volume is not None:
            positive(self.volume, f"{where}: volume", "m3")
        if not self.segments:
            raise InputError(f"{where}: segments is empty; name the bodies that the bag pushes.")
        if len(set(self.segments)) < len(self.segments):
            raise InputError(f"{where}: segments has a body twice; name each once.")
        if self.inflator is None and self.pressure is None:
            raise InputError(f"{where}: it has no gas; give an inflator, or a pressure at the start.")
        if (self.inflator is None) != (self.fire is None):
            raise InputError(f"{where}: inflator and fire belong together; give both or neither.")
        for name, unit in (("vent", "m2"), ("vent_pressure", "Pa"), ("pressure", "Pa")):
            not_negative(getattr(self, name) or 0.0, f"{where}: {name}", unit)
        if not 1.0 < self.heat_ratio < 3.0:
            raise InputError(f"{where}: heat_ratio is {self.heat_ratio:g}; accepted are values between 1 and 3.")

    @property
    def full(self) -> float:
        """Volume of the full bag [m3]."""
        return self.volume or 2.0 / 3.0 * pi * float(np.prod(self.size))

    @property
    def turn(self) -> np.ndarray:
        """Rotation matrix in the carrier frame: x along the axis, z as near to upwards as it can be."""
        x = np.array(self.axis) / np.linalg.norm(self.axis)
        up = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.99 else np.array([1.0, 0.0, 0.0])
        y = np.cross(up, x)
        y /= np.linalg.norm(y)
        return np.column_stack([x, y, np.cross(x, y)])

    @property
    def gas(self) -> tuple[float, float]:
        """Volume [m3] after adiabatic expansion to the ambient pressure, and mass [kg], of the gas at the start."""
        if self.pressure is None:
            return 0.0, 0.0
        inside = AMBIENT_PRESSURE + self.pressure
        free = self.full * (inside / AMBIENT_PRESSURE) ** (1.0 / self.heat_ratio)
        return free, inside * self.full / (GAS_CONSTANT * AMBIENT_TEMPERATURE)


def fill_airbags(
    system: System, number: dict[str, int], world: int, add: Callable[..., int], arrays: dict[str, np.ndarray]
) -> np.ndarray:
    """Write the tables of airbags; return the times [s] at which one fires or its mass flow has a knot."""
    kinds, values, dip_kinds, dips, times = [], [], [], [], [np.zeros(0)]
    for place, bag in enumerate(system.airbags):
        carrier = world if bag.carrier is None else number[bag.carrier]
        fire, table, heat = bag.fire or Firing(time=np.inf), -1, 0.0
        if bag.inflator is not None:
            knots, flow = np.array(bag.inflator.flow).T
            table, heat = add(*_ended(knots, flow)), bag.inflator.temperature * GAS_CONSTANT
            if fire.time is not None:
                times.append(fire.time + knots)
        kinds.append((carrier, table))
        starts = [np.inf if x is None else x for x in (fire.time, fire.acceleration)]
        gas = (bag.full, bag.vent, bag.vent_pressure, heat, bag.heat_ratio, AMBIENT_PRESSURE)
        values.append((*bag.place, *bag.turn.ravel(), *bag.size, *gas, *starts, fire.delay))
        dip_kinds += [(place, number[name]) for name in bag.segments]
        dips += [_dip(system, bag, name) for name in bag.segments]
    arrays["airbag_kind"] = np.array(kinds, np.int64).reshape(-1, layout.airbag.KIND_COUNT)
    arrays["airbag"] = np.array(values, np.float64).reshape(-1, layout.airbag.COUNT)
    arrays["dip_kind"] = np.array(dip_kinds, np.int64).reshape(-1, layout.dip.KIND_COUNT)
    arrays["dip"] = np.array(dips, np.float64).reshape(-1, layout.dip.COUNT)
    return np.concatenate(times)


def _ended(knots: np.ndarray, flow: np.ndarray) -> tuple[Table, ...]:
    """Return the mass flow as a function of time that is zero after its last row."""
    if flow[-1] > 0.0:
        knots, flow = np.append(knots, knots[-1] + 1e-6), np.append(flow, 0.0)
    return (Table(tuple(knots), tuple(flow)),)


def _dip(system: System, bag: Airbag, name: str) -> tuple[float, ...]:
    """Return the row of a segment: the ellipsoid of its largest shape, and the cross-section that the bag meets.

    The cross-section is the one across the axis of the bag when the segment stands upright, facing forward.
    """
    shapes = system.body(name).shapes
    if not shapes:
        raise InputError(f"airbag {bag.name!r}: the body {name!r} has no shape, so that it cannot dip into the bag.")
    shape = max(shapes, key=lambda one: one.volume)
    a, b, c = shape.half_size
    x, y, z = shape.turn.T @ bag.turn[:, 0]
    area = pi * float(np.sqrt((b * c * x) ** 2 + (a * c * y) ** 2 + (a * b * z) ** 2))
    return (*shape.offset, *shape.turn.ravel(), a, b, c, area, pi * a * b * c / area)


def gas_at_start(airbags: tuple[Airbag, ...]) -> np.ndarray:
    """Return the memory of airbags at the start of a run."""
    rows = np.zeros((len(airbags), layout.gas.COUNT))
    for row, bag in zip(rows, airbags, strict=True):
        row[layout.gas.FREE], row[layout.gas.MASS] = bag.gas
        row[layout.gas.ROOM], row[layout.gas.FIRED] = bag.full, np.inf
    return rows


def airbag_work(airbags: tuple[Airbag, ...]) -> dict[str, np.ndarray]:
    """Return the scratch arrays of airbags for one run."""
    segments = sum(len(bag.segments) for bag in airbags)
    return {
        "gas": gas_at_start(airbags),
        "bag": np.zeros((len(airbags), layout.bag.COUNT)),
        "dip": np.zeros((segments, layout.dip.WORK_COUNT)),
    }


def dips(airbags: tuple[Airbag, ...]) -> tuple[str, ...]:
    """Return the labels of the segments of all airbags: `driver-head`."""
    return tuple(f"{bag.name}-{segment}" for bag in airbags for segment in bag.segments)
