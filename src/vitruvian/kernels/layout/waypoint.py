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
    CREST,  # height above the centre, along z of the ellipsoid, beyond which webbing has left the segment [m]
    COUNT,
) = columns(3, 9, 3, 3, 1, 1, 1)

# `model.waypoint_kind` (int): the body, whether webbing lies over its ellipsoid, the belt
BODY, OVER, BELT = range(3)
KIND_COUNT = 3
