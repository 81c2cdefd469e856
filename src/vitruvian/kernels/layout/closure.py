"""Columns of `model.closure`, the joints that close loops, and of `model.closure_body`."""

from ._columns import columns

(
    POINT_PARENT,  # joint point in the parent [m]
    POINT_CHILD,  # and in the child [m]
    FRAME_PARENT,  # joint frame in the parent, quaternion
    FRAME_CHILD,  # and in the child
    MOST_FORCE,  # reaction at which the loop opens [N], inf for none
    MOST_MOMENT,  # [N m]
    END,  # time at which it opens [s]
    COUNT,
) = columns(3, 3, 4, 4, 1, 1, 1)

# `model.closure_body` (int): the two bodies, the first of its equations, their number
PARENT, CHILD, FIRST, ROWS = range(4)
BODY_COUNT = 4
