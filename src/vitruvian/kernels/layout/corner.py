"""Columns of the corners in `model.facet` and `facet_link`.

A corner has its point [m]; it moves by -d SHIFT if the edges of its solid become rounder by d [m]. The rows that follow
have the directions e of its edges: its normals have n.e <= 0.
"""

from ._columns import columns

POINT, SHIFT, _ = columns(3, 3)

# facet_link (int): end of these rows
END = 0
