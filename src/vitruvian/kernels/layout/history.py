"""Columns of `state.memory`: what a candidate pair remembers; constant during a step."""

from ._columns import columns

(
    ONSET_SPEED,  # closing speed at onset, and
    IMPACT_SPEED,  # the largest since [m/s]
    PEAK_DEPTH,  # the largest depth of all [m]
    HELD,  # whether the bristle is measured:
    DEFLECTION,  # its deflection, frame of body b [m], and
    ANCHOR_A,  # the contact point when it was measured, frame of body a and
    ANCHOR_B,  # of body b [m]
    TOUCHES,  # how often it has touched, for the audit:
    FIRST_TIME,  # when first [s], and
    FIRST_SPEED,  # how fast [m/s]
    IMPULSE,  # on body a [N s]
    PEAK_FORCE,  # largest force [N], and
    PEAK_TIME,  # when [s]
    WORK,  # done on the bodies so far: elastic, dissipated, friction [J]
    PEAK_STORED,  # largest energy stored in the contact [J]
    FIRST_FORCE,  # largest force of a step in which a contact began [N]
    PULL,  # largest pull of a step, against the normal [N]
    EXCESS_RUB,  # largest friction beyond mu N of a step [N]
    FLIP,  # largest change of the force of a step by a sudden turn of the normal [N]
    COUNT,
) = columns(1, 1, 1, 1, 3, 3, 3, 1, 1, 1, 3, 1, 1, 3, 1, 1, 1, 1, 1)
