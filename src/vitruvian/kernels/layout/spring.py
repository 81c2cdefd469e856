"""Columns of `model.spring`."""

from ._columns import columns

(
    POINT_A,  # on the first body [m]
    POINT_B,  # on the second body [m]
    STIFFNESS,  # [N/m]
    LENGTH,  # at rest [m]
    DAMPING,  # [N s/m]
    ROPE,  # whether it acts in tension only
    COUNT,
) = columns(3, 3, 1, 1, 1, 1)
