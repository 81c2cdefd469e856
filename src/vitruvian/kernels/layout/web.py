"""Columns of `state.web`, the memory of webbing: a row for each waypoint and the section after it."""

from ._columns import columns

(
    LAID,  # 1 if the belt lies
    ON,  # 1 if the webbing touches the segment (always for anchors and rings), 0 if it does not, -1 once it is lost
    GUIDE,  # point of the ellipsoid that the webbing passes, axes of the ellipsoid [m]
    ENTRY,  # where it meets the ellipsoid [m]
    EXIT,  # where it leaves it [m]
    ARC_BEFORE,  # length on the ellipsoid up to the guide [m]
    ARC_AFTER,  # and from there on [m]
    REST,  # length of the section without force [m]
    PEAK,  # largest strain of first loading so far [-]
    RATIO,  # length before any loading over REST [-]
    ENERGY,  # stored in the section [J]
    PAYOUT,  # first row: webbing that the reel has paid out [m]
    LOCKED,  # first row: 1 once the reel is locked
    PAYOUT_AT_LOCK,  # first row [m]
    PULLED,  # first row: webbing that the pretensioner has pulled in [m]
    COUNT,
) = columns(1, 1, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
