"""Columns of `model.shape`; see kernels.support.

A plane: PLACE is a point of it, its normal the third column of TURN. A strip: PLACE is the start of its line, TURN has
the directions along, across and out of it, TERM its length [m].
"""

from ._columns import columns

(
    PLACE,  # centre in the body frame [m]
    TURN,  # rotation matrix in the body frame
    BOUND,  # radius of the bounding sphere about the centre [m]
    ROUND,  # radius added all round [m]
    TERM,  # three triples of semi-axes [m]
    EXPONENT_1,  # of the dual norm of a superellipsoid [-]
    EXPONENT_2,
    BLEND,  # share by which its edges are blended [-]
    COUNT,
) = columns(3, 9, 1, 1, 9, 1, 1, 1)
