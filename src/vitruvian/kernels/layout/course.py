"""Columns of `work.course`, the paths of muscles in one state: a row for each point and the span after it. SI units."""

from ._columns import columns

(
    ENTRY,  # where the muscle meets the point or shape, world axes [m]
    MIDDLE,  # of the arc over the shape [m]
    EXIT,  # where it leaves it [m]
    ARC,  # length over the shape [m]
    ANGLE,  # by which it turns there [rad]
    NEXT,  # row of the next point that it meets; -1 for a row without a span
    WAY,  # direction of the free span after the point [-]
    COUNT,
) = columns(3, 3, 3, 1, 1, 1, 3)
