"""Repeated evaluations in one compiled loop, for the bench: no time is lost between calls."""

from .._jit import kernel
from . import dynamics, integrate, kinematics


@kernel
def forward_dynamics(model, work, impact_speed, q, v, times):
    """Kinematics and accelerations so many times; a number that depends on all of them."""
    total = 0.0
    for _ in range(times):
        kinematics.forward(model, work.body, q, v, 0.0)
        dynamics.solve(model, work, impact_speed, v, 0.0)
        total += work.vdot[0]
    return total


@kernel
def right_hand_side(model, work, impact_speed, q, v, step, times):
    """All that a state fixes, with joint torques and contact, and the accelerations of a step [s], so many times."""
    total = 0.0
    for _ in range(times):
        integrate.begin(model, work, q, v, 0.0)
        dynamics.accelerations(model, work, impact_speed, v, step)
        total += work.vdot[0]
    return total
