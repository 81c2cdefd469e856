"""Columns of the corners in `model.facet` and `facet_link`.

A corner has its point [m]. The rows that follow have the directions e of its edges: its normals have n.e <= 0.
"""

# facet_link (int): end of these rows
END = 0
