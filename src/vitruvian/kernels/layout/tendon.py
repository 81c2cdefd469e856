"""Columns of `model.tendon`: passive muscles over one or two joints. SI units, rad."""

from ._columns import columns

(
    ARM,  # share of the flexion of the first joint in the stretch u [-]
    OTHER_ARM,  # and of the second
    SLACK,  # stretch at which the torque is TORQUE
    TORQUE,  # [N m]
    RATE,  # of the exponential [1/rad]
    MOST,  # torque from which on it grows straight [N m]
    LOSS,  # share of the torque by which it differs between stretching and letting go [-]
    LOSS_SPEED,  # speed of stretching below which this share is proportional to the speed [rad/s]
    FAST_DRAG,  # damping above which the step takes it implicitly [N m s/rad]
    COUNT,
) = columns(1, 1, 1, 1, 1, 1, 1, 1, 1)
