"""Columns of the nodes in `model.facet` and `model.facet_link`: a patch is a tree of boxes about convex pieces.

Nodes are in depth-first order. A patch is known by the row of its root.
"""

from ._columns import columns

(
    BOX_LOW,  # [m]
    BOX_HIGH,  # [m]
    ROUNDING,  # radius by which the surface is rounded [m]
    BACKING,  # depth to which it is solid [m], infinite for a convex prism of a solid
    MEAN_NORMAL,  # of a root: mean normal of the patch, zero if it closes on itself
    APART_COSINE,  # of a root: cosine of the angle of two mean normals from which patches of a valley share no load
    SHARED_COSINE,  # and up to which they share all of it
    PASSED,  # of a root: depth of the centre of a shape from which it has passed through [m]
    MIDDLE,  # of a root: middle of the box about its outer faces [m]
    ROUNDEST,  # of a root: largest increase of the edge radius of its solid [m], 0 if its edges stay as they are
    COUNT,
) = columns(3, 3, 1, 1, 3, 1, 1, 1, 3, 1)

# facet_link (int)
(
    SKIP,  # next node if this one is skipped
    FACETS,  # of a leaf the first facet of its piece, otherwise -1
    ARCS,  # its first arc
    ARCS_END,  # the end of its arcs
    SIDES,  # which of -x, x, -y, y, -z, z are normals of all pieces below it, a bit each
) = range(5)
