"""Columns of `model.shape_kind` (int); see kernels.support."""

(
    CODE,  # code of shape_type
    CARRIER,  # body
    ALIGNED,  # whether it is neither moved nor turned in that body
    FIRST,  # of a patch its root in model.facet; of a strip whether the nearer tangent counts
    REGION,  # of a patch the root of its region in model.facet
) = range(5)
COUNT = 5
