"""The quantities of a scenario, in SI once they are read."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator

from ..human.anthropometry import checked_percentile
from .value import WHERE, Vector, number, numbers, told

Mass = Annotated[float, number("mass")]
Age = Annotated[float, number("age")]
Percentile = Annotated[
    float, BeforeValidator(lambda value: told(checked_percentile, value, WHERE), json_schema_input_type=float | str)
]
Length = Annotated[float, number("length")]
Time = Annotated[float, number("time", above=0.0)]
Moment = Annotated[float, number("time")]
Frequency = Annotated[float, number("frequency", above=0.0, at_most=1e7)]
Angle = Annotated[float, number("angle")]
Speed = Annotated[float, number("velocity")]
Acceleration = Annotated[float, number("acceleration")]
Ratio = Annotated[float, number("dimensionless")]
Point = Annotated[Vector, numbers("length")]
Direction = Annotated[Vector, numbers("dimensionless")]
Velocity = Annotated[Vector, numbers("velocity")]
AngularVelocity = Annotated[Vector, numbers("angular velocity")]
