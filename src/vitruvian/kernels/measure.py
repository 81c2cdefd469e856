"""Repeated evaluations in one compiled loop, for bench and verify: no time is lost between calls."""

from .._jit import kernel
from . import dynamics, integrate, kinematics
from .law import normal_force


@kernel
def forward_dynamics(model, work, memory, q, v, times):
    """Kinematics and accelerations so many times; a number that depends on all of them."""
    total = 0.0
    for _ in range(times):
        kinematics.forward(model, work.body, q, v, 0.0)
        dynamics.solve(model, work, memory, v, 0.0)
        total += work.vdot[0]
    return total


@kernel
def right_hand_side(model, work, memory, q, v, step, times):
    """All that a state fixes, with joint torques and contact, and the accelerations of a step [s], so many times."""
    total = 0.0
    for _ in range(times):
        integrate.begin(model, work, q, v, 0.0)
        dynamics.accelerations(model, work, memory, v, step)
        total += work.vdot[0]
    return total


@kernel
def normal_forces(law_kind, law, l, table_start, table, states, forces):
    """The normal force law at many states.

    states  (n, 5): depth, rate, speed at onset, largest speed, largest depth
    forces  (n, 4): force, its elastic part, its slopes by depth and by rate
    """
    for k in range(states.shape[0]):
        depth, rate, onset, impact, peak = states[k, 0], states[k, 1], states[k, 2], states[k, 3], states[k, 4]
        force, elastic, by_depth, by_rate = normal_force(
            law_kind, law, l, table_start, table, depth, rate, onset, impact, peak
        )
        forces[k, 0], forces[k, 1], forces[k, 2], forces[k, 3] = force, elastic, by_depth, by_rate
