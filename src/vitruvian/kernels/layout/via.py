"""Columns of `model.via_kind` and `model.via`: points of the paths of muscles, and what they wrap over. SI units."""

from ._columns import columns

BODY, SHAPE, KIND_COUNT = columns(1, 1)
POINT_FIXED, OVER_CYLINDER, OVER_SPHERE, OVER_ELLIPSOID = range(4)  # shapes
(
    POINT,  # or the centre of the shape, body frame [m]
    TURN,  # axes of the shape in the body frame
    AXES,  # semi-axes of the shape [m]
    SIDE,  # of the shape on which the muscle passes, its axes
    COUNT,
) = columns(3, 9, 3, 3)
