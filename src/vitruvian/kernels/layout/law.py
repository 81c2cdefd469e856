"""Columns of `model.law`: parameters of a contact law."""

from ._columns import columns

(
    STIFFNESS,  # k [N/m^n]
    TISSUE,  # flexibility of a linear tissue in series [m/N]; 0: none, or nothing else gives way
    EXPONENT,  # n [-]
    NUMBER,  # damping number chi v_ref [-]
    VISCOUS_BELOW,  # least v_ref [m/s]: below it the damping is proportional to the speed
    CHI,  # damping itself: [N s/m], or chi of chi d^p d'^q [N s^q/m^(p+q)]
    DEPTH_POWER,  # p [-]
    RATE_POWER,  # q [-]
    RAMP,  # depth over which the damping grows to its full size [m]
    PERMANENT,  # permanent indentation [m], and
    PERMANENT_SHARE,  # the largest share of the peak depth that it may be [-]
    UNLOADING_STIFFNESS,  # slope of unloading from the peak of a curve [N/m]; 0: unloading follows loading
    THICKNESS,  # gap at which the force begins [m]
    MU,  # coefficient of friction [-]
    SLIP_SPEED,  # below which Coulomb friction is viscous [m/s]
    TANGENT_STIFFNESS,  # [N/m]
    TANGENT_DAMPING,  # [N s/m]
    COUNT,
) = columns(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
