"""Columns of `work.body`, world frame; the row after the last body is the world."""

from ._columns import columns

(
    ROTATION,  # body to world
    ORIENTATION,  # the same as a quaternion
    POSITION,  # of the centre of mass [m]
    VELOCITY,  # [m/s]
    SPIN,  # angular velocity [rad/s]
    JOINT_POINT,  # [m]
    ARM,  # from the joint point to the centre of mass [m]
    OFFSET,  # from the parent's joint point to this one [m]
    BIAS,  # acceleration of the joint point that no unknown makes [m/s2]
    BIAS_SPIN,  # angular acceleration of the same kind, relative to the parent [rad/s2]
    AXIS,  # three directions of freedom: angular part, linear part
    SLIDE,  # relative velocity of the joint point [m/s]
    OWN_INERTIA,  # of the body alone about the joint point [kg m2]
    OWN_FORCE,  # bias wrench of the body alone, weight included [N]
    OWN_MOMENT,  # [N m]
    ELASTIC,  # elastic torque on the child; by coordinate where the joint is not spherical [N m, N]
    TONE,  # part of it that muscles make
    DAMPING,  # by axis of the joint frame, or by coordinate [N m s/rad, N s/m]
    STIFFNESS,  # tangent, likewise, for the implicit step
    ENERGY,  # stored in the joint [J]
    FAST,  # 1 where the implicit step takes the joint implicitly in this state
    FORCE,  # explicit applied force (springs, loads) [N]
    MOMENT,  # and its moment about the joint point [N m]
    ANGULAR,  # articulated inertia about the joint point: A
    COUPLING,  # B
    MASS,  # M
    MOMENT_BIAS,  # p_n
    FORCE_BIAS,  # p_f
    GAIN,  # A^-1 B
    PUSH,  # A^-1 (torque - p_n)
    SPREAD,  # A^-1 D of implicit joint damping D
    LEVER,  # I S of joints with axes
    PIVOT,  # (S' I S)^-1 of joints with axes; D of spherical ones
    DRIVE,  # torque - S' p of joints with axes; torque of spherical ones
    ACCEL,  # acceleration of the joint point [m/s2]
    ALPHA,  # angular acceleration [rad/s2]
    INVERSE,  # A^-1 of free and spherical joints, (A + D)^-1 of damped ones
    INVERSE_MASS,  # M*^-1 of free ones
    MORE_MOMENT,  # those forces as bias: about the joint point,
    MORE_FORCE,
    MORE_PUSH,  # what they make of PUSH or DRIVE,
    MORE_ACCEL,  # and of the accelerations
    MORE_ALPHA,
    TURN,  # of a station: rotation vector against the frame [rad]
    RIDE,  # row of model.station where it is, with a fraction between two rows
    COUNT,
) = columns(
    9, 4, 3, 3, 3, 3, 3, 3, 3, 3, 18, 3, 6, 3, 3, 3, 3, 3, 3, 1, 1, 3, 3, 6, 9, 6, 3, 3, 9, 3, 9, 18, 6, 3, 3, 3,
    6, 6, 3, 3, 3, 3, 3, 3, 1
)  # fmt: skip
