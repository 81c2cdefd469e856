"""Columns of the arcs in `model.facet`: an edge and the normals cos(t) U + sin(t) W that it can have."""

from ._columns import columns

(
    POINT,  # first end [m]
    U,
    W,
    COS,  # of the largest t
    SIN,
    STEPS,  # number of steps in which it is searched,
    STEP_COS,  # and cosine and sine of one
    STEP_SIN,
    LENGTH,  # along U x W [m]
    SHIFT,  # of a solid whose edges become rounder by d [m]: its first end moves by -d SHIFT,
    SHORTER,  # and its length changes by -d SHORTER
    COUNT,
) = columns(3, 3, 3, 1, 1, 1, 1, 1, 1, 3, 1)

# facet_link (int): the corners at both ends, or -1
FIRST, LAST = range(2)
