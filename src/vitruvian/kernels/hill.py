"""Curves of a muscle: active and passive force over length, force over speed, tendon (degroote2016).

All are without units: force over the largest isometric force, length over the optimal length of the fibres or over the
length of the slack tendon, speed over the largest speed of shortening, positive while the fibres lengthen. The values
are those of OpenSim (dembia2020), chosen there so that the curves pass exactly through 1 at length 1, through 1 at
rest and through 0 at the largest speed of shortening.
"""

from math import asinh, exp, log, sqrt

from .._jit import inner, kernel

ACTIVE = (
    (0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465),
    (0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188),
    (0.1, 1.0, 0.3535533905932738, 0.0),
)
SPEED = (-0.3211346127989808, -8.149, -0.374, 0.8825327733249912)
PASSIVE = 4.0  # exponent of the passive force
SHORTEST = 0.2  # length below which fibres bear nothing without activation
TENDON = 0.2  # scale of the tendon
STRAIGHT = 2.0  # strain, over that at the largest force, from which on tendon and passive force grow straight


@inner
def _bell(k, length):
    """One of the three bells of the active force and its slope."""
    height, centre, width, growth = ACTIVE[k]
    spread = width + growth * length
    if abs(spread) < 1e-9:
        return 0.0, 0.0
    x = (length - centre) / spread
    value = height * exp(-0.5 * x * x)
    return value, -value * x * (1.0 - growth * x) / spread


@kernel
def active(length):
    """Return active force and its slope at a length of the fibres [-]."""
    a, da = _bell(0, length)
    b, db = _bell(1, length)
    c, dc = _bell(2, length)
    return a + b + c, da + db + dc


@kernel
def speed_factor(speed):
    """Return the factor of the active force and its slope at a speed of the fibres [-]."""
    x = SPEED[1] * speed + SPEED[2]
    return SPEED[0] * asinh(x) + SPEED[3], SPEED[0] * SPEED[1] / sqrt(x * x + 1.0)


@kernel
def passive(length, strain):
    """Return passive force and its slope at a length of the fibres; it is 1 at 1 + strain, and 0 below 0.2 [-]."""
    if length <= SHORTEST:
        return 0.0, 0.0
    start = exp(PASSIVE * (SHORTEST - 1.0) / strain)
    last = min(length, 1.0 + STRAIGHT * strain)
    value, scale = exp(PASSIVE * (last - 1.0) / strain), 1.0 / (exp(PASSIVE) - start)
    slope = scale * value * PASSIVE / strain
    return scale * (value - start) + slope * (length - last), slope


@kernel
def tendon(length, steep):
    """Return force and its slope at a length of the tendon with an exponent; a slack tendon bears nothing [-]."""
    if length <= 1.0:
        return 0.0, 0.0
    last = min(length, 1.0 + STRAIGHT * log((1.0 + TENDON) / TENDON) / steep)
    value = TENDON * exp(steep * (last - 1.0))
    return value - TENDON + steep * value * (length - last), steep * value
