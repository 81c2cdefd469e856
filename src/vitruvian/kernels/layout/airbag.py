"""Columns of `model.airbag` and `model.airbag_kind` (int), one row for each airbag."""

from ._columns import columns

(
    POINT,  # middle of its back, where it is mounted, carrier frame [m]
    TURN,  # rotation matrix in the carrier frame; x is the direction in which it deploys
    AXES,  # semi-axes [m]
    VOLUME,  # of the full bag [m3]
    VENT,  # effective area: area times discharge coefficient [m2]
    VENT_PRESSURE,  # gauge pressure from which the vent is open [Pa]
    INFLOW,  # temperature of the gas that flows in times its specific gas constant [J/kg]
    HEAT_RATIO,  # of the gas [-]
    AMBIENT,  # pressure of the surroundings [Pa]
    FIRE_TIME,  # [s], inf for none
    FIRE_ACCELERATION,  # of its carrier [m/s2], inf for none
    DELAY,  # from that acceleration to the firing [s]
    COUNT,
) = columns(3, 9, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1)

# `model.airbag_kind` (int): carrier, table of the mass flow [kg/s] over the time since firing or -1 for none
CARRIER, TABLE = range(2)
KIND_COUNT = 2
