"""Columns of `model.dip` and `model.dip_kind` (int), segments that may dip into an airbag, and of `work.dip`."""

from ._columns import columns

(
    POINT,  # centre of the ellipsoid, body frame [m]
    TURN,  # its rotation matrix in the body frame
    AXES,  # its semi-axes [m]
    AREA,  # largest cross-section that the bag meets [m2]
    HALF,  # half of its thickness across that [m]
    COUNT,
) = columns(3, 9, 3, 1, 1)

# `model.dip_kind` (int): the airbag, the body
BAG, BODY = range(2)
KIND_COUNT = 2

# `work.dip`: depth [m], direction out of the bag, times about one [-], contact point [m], area [m2], force [N]
DEPTH, WAY, PLACE, MET, FORCE, WORK_COUNT = columns(1, 3, 3, 1, 1)
