"""Columns of `work.pair`: the candidate pairs in the present state."""

from ._columns import columns

(
    DEPTH,  # penetration [m]
    RATE,  # closing speed [m/s]
    NORMAL,  # out of shape b
    POINT,  # of contact [m]
    POINT_VELOCITY,  # of body a relative to body b there [m/s]
    SLOPE,  # of the depth by motion along the normal [-]: 1, less on an edge that becomes rounder with the depth
    FORCE,  # on body a at the start of the step [N]
    MATRIX,  # of the implicit step: force - matrix a
    NORMAL_FORCE,  # of the law [N]
    ELASTIC,  # its elastic part [N]
    BY_DEPTH,  # slope of the normal force by depth
    BY_CLOSING,  # and by closing speed
    CENTRIPETAL,  # acceleration of the material points of body a against body b there, along the normal [m/s2]
    ROLLING,  # what the motion of the contact point over body a adds to it [m/s2]
    STORED,  # energy [J]
    LOAD_SHARE,  # [-]
    REGION_SHIFT,  # force along the normal by which shares of regions shift [N]
    DEPTH_BEFORE,  # depth before the step [m]
    NORMAL_BEFORE,  # normal before the step
    NEAREST,  # one more than the row of the nearest piece of a region (0: none)
    CLOSING,  # while the gap is large: the closing speed is at most this, wherever the shapes meet [m/s]
    ENTERED,  # 1 while the pair is in contact since it came in from outside
    PART_DEPTH,  # of a part of a region alone: depth [m],
    PART_NORMAL,  # normal, shorter where the part is deeper than the region,
    PART_POINT,  # and contact point [m]
    PART_NORMAL_BEFORE,  # that normal before the step
    PART_BY_DEPTH,  # slope of that depth by the depth in the region [-]
    PART_SHARE,  # share in its region [-]
    PART_SHIFT,  # force along that normal by which shares of parts shift [N]
    COMMON,  # of the first row of a group: share of its force that tissue common with neighbours leaves [-]
    COUNT,
) = columns(1, 1, 3, 3, 3, 1, 3, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 3, 3, 3, 1, 1, 1, 1)
