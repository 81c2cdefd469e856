"""Columns of `output.pose`."""

from ._columns import columns

(
    POSITION,  # [m]
    ORIENTATION,  # quaternion
    VELOCITY,  # [m/s]
    SPIN,  # angular velocity [rad/s]
    JOINT,  # joint coordinates
    COUNT,
) = columns(3, 4, 3, 3, 3)
