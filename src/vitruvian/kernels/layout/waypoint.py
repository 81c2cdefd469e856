"""Columns of `model.waypoint` and `model.waypoint_kind` (int), the places of webbing one belt after the other.

A row also stands for the section of webbing from its waypoint to the next one of its belt.
"""

from ._columns import columns

(
    POINT,  # anchor, ring or centre of the ellipsoid, body frame [m]
    TURN,  # rotation matrix of the ellipsoid in the body frame
    AXES,  # its semi-axes [m]
    SIDE,  # direction to the side on which the webbing lies, axes of the ellipsoid
    FRICTION,  # along the webbing [-]
    GRIP,  # friction across the webbing [-]
    NOTCH,  # of a pelvis: where webbing meets its left side, axes of the ellipsoid from its centre [m]
    COUNT,
) = columns(3, 9, 3, 3, 1, 1, 3)

# `model.waypoint_kind` (int): the body, how webbing passes it, the belt
BODY, OVER, BELT = range(3)
KIND_COUNT = 3

# how webbing passes: an anchor or ring, an ellipsoid, the notches of a pelvis below its iliac spines
POINTED, ROUND, NOTCHED = range(3)
