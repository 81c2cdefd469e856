"""Columns of `model.resistance`: the laws of joint resistance, three components each unless noted. SI units, rad."""

from ._columns import columns

(
    LIMIT_MINUS,
    LIMIT_PLUS,
    STIFFNESS_IN,  # inside the limits
    STIFFNESS_MINUS,  # beyond the lower limit
    STIFFNESS_PLUS,  # beyond the upper limit
    VISCOSITY,  # damping
    REST,
    CENTRE,  # rotation to the middle of the range of a swing, quaternion
    SEAM,  # where each angle wraps round
    SEAM_TOP,  # energy there
    SEAM_WIDTH,  # width of the blend there
    LIMIT_DAMPING,  # growth of damping beyond a limit [s/rad]
    LIMIT_DAMPING_PLUS,  # that of a component beyond its upper limit
    CURVE,  # first row of a torque curve, or -1
    DRY,  # dry torque, one value,
    DRY_SPEED,  # its slip speed,
    DRY_FADE,  # the angle over which it fades (0: never),
    DRY_FROM,  # and the position from which, quaternion
    RIM,  # first row of the rim of the swing (-1: a cone)
    RIM_STIFFNESS,  # first row of its stiffness
    RIM_COSINE,  # cosine of the least rim
    CONE_WIDTH,
    CONE_TORQUE,
    FENCE,  # angle from which the energy blends into its value at the singular point of the measure
    FENCE_TOP,  # that value
    FLEXED,  # first Cardan angle at which half of what the floating axis loses is lost (0: it loses nothing)
    FLEXED_SHARE,  # of its resistance that stays
    FLEXED_SLACK,  # angle about the floating axis beyond which what is lost is replaced,
    FLEXED_STIFFNESS,  # and the stiffness there
    FAIL_MINUS,  # angles at which the resistance of a component begins to fail
    FAIL_PLUS,
    FAIL_WIDTH,  # angle over which it falls; 0 if nothing fails
    FAIL_SHARE,  # share that stays
    COUNT,
) = columns(3, 3, 3, 3, 3, 3, 3, 4, 3, 3, 3, 3, 3, 3, 1, 1, 1, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3)
FADE_COSINE = -0.7071067811865476  # of a swing of 135 degrees, beyond which the potential of the twist fades
