"""Columns of `work.equation`, one row for each constraint equation of the loops, and of `model.equation`."""

from ._columns import columns

(
    DIRECTION,  # of the force or moment that holds it, world axes
    POINT,  # of the force: the joint point of the child [m]
    VALUE,  # violation [m, -]
    RATE,  # [m/s, 1/s]
    BIAS,  # its second derivative that no acceleration makes [m/s2, 1/s2]
    LOAD,  # multiplier of this evaluation [N, N m]
    COUNT,
) = columns(3, 3, 1, 1, 1, 1)

# `model.equation` (int): its closure; whether it holds an angle (else a distance); axis of the parent, of the child
CLOSURE, TURNS, AXIS_PARENT, AXIS_CHILD = range(4)
INT_COUNT = 4

# state of an equation in `work.closed` and `state.closed`
OPEN, REDUNDANT, USED = -1, 0, 1
