"""Columns of `work.strand`, webbing in one state: a row for each waypoint and the section after it."""

from ._columns import columns

(
    ENTRY,  # where the webbing meets the waypoint, world axes [m]
    EXIT,  # where it leaves it [m]
    LOCAL_ENTRY,  # the same in the axes of the ellipsoid [m]
    LOCAL_EXIT,
    ARRIVAL,  # direction of the webbing before and
    DEPARTURE,  # after the guide, axes of the ellipsoid
    ARC_BEFORE,  # length on the ellipsoid up to the guide [m]
    ARC_AFTER,  # and from there on [m]
    ANGLE_BEFORE,  # by which it turns on them [rad]
    ANGLE_AFTER,
    TURN_BEFORE,  # by how much arrival and departure turn if the guide moves aside [1/m]
    TURN_AFTER,
    FOUND,  # whether the geodesic was found
    RATIO,  # largest ratio of the tensions on both sides [-]
    NEXT,  # row of the next waypoint that the webbing touches; -1 for a row without a section
    WAY,  # direction of the free span [-]
    LENGTH,  # of the section [m]
    RATE,  # at which its ends part [m/s]
    REST,  # length without force, slip of this state included [m]
    ELASTIC,  # tension without damping [N]
    STIFFNESS,  # [N/m]
    VISCOUS,  # tension by damping [N]
    DRAG,  # viscous tension over the rate of the whole length; zero if damping is at its bound [N s/m]
    SLIDES,  # slip at the waypoint: 1 towards the section after it, -1 before it, 0 sticks
    PAYOUT,  # first row: of the reel, slip of this state included [m]
    PULLED,  # first row: by the pretensioner [m]
    PULL,  # tension at the start of a substep [N]
    MORE,  # what the implicit step adds to it [N]
    ANSWER,  # acceleration at which its ends part by an added load [m/s2]
    COUNT,
) = columns(3, 3, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
