"""Columns of `model.bone`: bones that break under a contact; and of `state.bone`, what they remember."""

from ._columns import columns

(
    FORCE,  # contact force at which it breaks [N]
    ELASTIC,  # force without damping at which it breaks [N]: that of a deflection
    WIDTH,  # further depth over which the resistance falls [m]
    LEAST,  # share of the resistance that stays [-]
    COUNT,
) = columns(1, 1, 1, 1)

(
    SOUND,  # share of the resistance that is left [-]
    BROKEN,  # one more than the first row of the group of pairs that broke it; 0: it is whole
    DEPTH,  # depth of that group when it broke [m]
    LOAD,  # its largest load at an accepted step, as a share of the limit [-]
    MEMORY_COUNT,
) = columns(1, 1, 1, 1)
