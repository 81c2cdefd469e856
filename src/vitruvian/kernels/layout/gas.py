"""Columns of `state.gas`, the memory of airbags: a row for each."""

from ._columns import columns

(
    TIME,  # at which this row was true [s]
    FREE,  # volume that the gas would have after adiabatic expansion to the pressure of the surroundings [m3]
    MASS,  # of the gas [kg]
    ROOM,  # volume that the bag leaves to the gas [m3]
    RATE,  # of FREE [m3/s]
    FIRED,  # time of firing [s], inf before
    COUNT,
) = columns(1, 1, 1, 1, 1, 1)
