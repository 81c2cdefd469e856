"""Columns of `model.link`: inertia of a body and the frames of its joint."""

from ._columns import columns

(
    MASS,  # [kg]
    INERTIA,  # in the body frame [kg m2]
    POINT_PARENT,  # joint point in the parent [m]
    POINT_CHILD,  # and in the child [m]
    FRAME_PARENT,  # joint frame in the parent, quaternion
    FRAME_CHILD,  # and in the child
    SHARE,  # weight in means over bodies [-]: 1, of a station its part of the mass, of a frame that bends 0
    COUNT,
) = columns(1, 6, 3, 3, 4, 4, 1)
