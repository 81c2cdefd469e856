"""Columns of `output.scalar` and `output.wait_scalar`: works by class, then these."""

from . import work_class

KINETIC, POTENTIAL, IMBALANCE = range(work_class.COUNT, work_class.COUNT + 3)
COUNT = work_class.COUNT + 3
# of the waiting step also its end and its length [s]
END, SPAN = COUNT, COUNT + 1
WAIT_COUNT = COUNT + 2
