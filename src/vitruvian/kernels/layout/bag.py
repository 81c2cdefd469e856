"""Columns of `work.bag`, airbags in one state: a row for each."""

from ._columns import columns

(
    PRESSURE,  # above that of the surroundings [Pa]
    VOLUME,  # of the gas [m3]
    ROOM,  # volume that the bag leaves to the gas [m3]
    COUNT,
) = columns(1, 1, 1)
