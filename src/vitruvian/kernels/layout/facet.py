"""Columns of the facets in `model.facet`; COUNT and LINK_COUNT hold for all rows of `facet` and `facet_link`."""

from . import arc, tree_node
from ._columns import columns

# unit normal; n.x of the plane [m]; of a solid whose edges become rounder by d [m]: its level falls by d SHIFT
NORMAL, LEVEL, SHIFT, _ = columns(3, 1, 1)
COUNT = max(arc.COUNT, tree_node.COUNT)
LINK_COUNT = 5
