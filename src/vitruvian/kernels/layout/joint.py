"""Columns of `model.joint` (int)."""

(
    PARENT,  # body
    KIND,  # code of joint_type
    MOVED,  # first motion table, or -1
    FIRST_Q,  # first coordinate
    FIRST_V,  # first velocity
    NQ,  # number of coordinates
    NV,  # number of velocities
    DIAGONAL,  # whether the inertia is diagonal
    ALIGNED,  # whether the joint frames are the body frames
    RESISTS,  # code of resists, or 0
    DRIVEN,  # whether the motion of the body is given: all joints from the world to it are rigid or prescribed
    FLEXIBLE,  # row of the body in model.flexible, or -1
    STATION,  # of a modal joint its row in model.station, else -1
    ALONE,  # whether it is a station that carries neither bodies nor shapes, so that no step changes its inertia
) = range(14)
COUNT = 14
