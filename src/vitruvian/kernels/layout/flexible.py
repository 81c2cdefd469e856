"""Columns of `model.flexible` (int): one row for each body that bends."""

(
    BODY,  # whose frame the modes are measured in
    FIRST,  # its first mode in `model.mode` and `work.mode`
    MODES,  # their number
    STIFFENED,  # whether turning stiffens it
    RIDE,  # row of `model.ride` of its surface, or -1
) = range(5)
COUNT = 5
