"""Columns of `work.mode`: one row for each mode of each body that bends."""

from ._columns import columns

(
    ELASTIC,  # force of stiffness along the mode
    BIAS,  # what is left of the equation of the mode without accelerations
    LEVER,  # inertia that couples the mode with the body: moment and force at its joint point by unit acceleration
    OWN_LEVER,  # the part of LEVER that no step changes
    GAIN,  # L^-1 of LEVER, with M = L L' the matrix of the modes
    PUSH,  # L^-1 of BIAS
    ACCEL,  # second rate of the coordinate
    MORE_BIAS,  # what added forces make of BIAS,
    MORE_PUSH,  # of PUSH,
    MORE_ACCEL,  # and of ACCEL
    COUNT,
) = columns(1, 1, 6, 6, 6, 1, 1, 1, 1, 1)
