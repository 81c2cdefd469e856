"""Columns of the facets in `model.facet`; COUNT and LINK_COUNT hold for all rows of `facet` and `facet_link`."""

from . import arc, tree_node
from ._columns import columns

NORMAL, LEVEL, _ = columns(3, 1)  # unit normal; n.x of the plane [m]
COUNT = max(arc.COUNT, tree_node.COUNT)
LINK_COUNT = 5
