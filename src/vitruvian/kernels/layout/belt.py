"""Columns of `model.belt` and `model.belt_kind` (int), one row for each piece of webbing."""

from ._columns import columns

(
    DAMPING,  # viscous force over stiffness times rate [s]
    SPRING,  # force of the reel until it locks [N]
    LOCK_TIME,  # [s], inf for none
    LOCK_ACCELERATION,  # of the body of the reel [m/s2], inf for none
    LOCK_PAYOUT,  # speed of the webbing out of the reel [m/s], inf for none
    LIMIT,  # force at which the locked reel pays out [N], inf for none
    FILM,  # webbing that the locked reel gives as it tightens [m]
    FILM_FORCE,  # at which it is tight [N]
    FIRE_TIME,  # of the pretensioner [s], inf for none
    PULL_IN,  # webbing that it pulls in [m]
    FIRE_FORCE,  # most that it pulls with [N]
    FIRE_DURATION,  # in which it could pull all of it in [s]
    COUNT,
) = columns(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)

# `model.belt_kind` (int): first row in model.waypoint, number of waypoints, table of the loading curve (the next are
# the unloading curve and strain over force of the unloading curve), whether there is a reel at the first anchor
FIRST, POINTS, TABLE, REEL = range(4)
KIND_COUNT = 4
