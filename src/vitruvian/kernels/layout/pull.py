"""Columns of `work.pull`, muscles in one state. SI units."""

from ._columns import columns

(
    LENGTH,  # of the whole path [m]
    RATE,  # of this length [m/s]
    ACTIVATION,  # or nan for a force by a table [-]
    FIBRE,  # length of the fibres [m]
    ALONG,  # length of the fibres along the tendon [m]
    ALONG_RATE,  # of this length [m/s]
    ALONG_STEP,  # its change over a substep, over the length of the substep [m/s]
    FORCE,  # in this state [N]
    STIFFNESS,  # by the length of the path [N/m]
    DRAG,  # by its rate [N s/m]
    BY_LENGTH,  # rate of ALONG by the length of the path [1/s]
    BY_ALONG,  # and by ALONG itself [1/s]
    TENDON,  # stiffness of an elastic tendon [N/m]
    START,  # force known at the start of a substep [N]
    GAIN,  # stiffness over the substep, fibres included [N/m]
    MORE,  # what the implicit step adds to START [N]
    ANSWER,  # acceleration of the length by an added load [m/s2]
    COUNT,
) = columns(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
