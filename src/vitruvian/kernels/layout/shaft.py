"""Columns of `model.shaft`: bodies that bend and may break; and of `state.shaft`, what they remember."""

from ._columns import columns

(
    MOMENT,  # bending moment at which it breaks [N m]; infinite if it stays whole
    WIDTH,  # further bend of the broken section over which the resistance falls [rad]
    LEAST,  # share of the resistance that stays [-]
    COUNT,
) = columns(1, 1, 1)

(
    SOUND,  # share of the resistance that is left [-]
    BROKEN,  # one more than the number of the section that broke; 0: it is whole
    BEND,  # of that section when it broke [rad]
    RIDE,  # row of `model.station` where its surface rides, with a fraction
    MEMORY_COUNT,
) = columns(1, 1, 1, 1)
