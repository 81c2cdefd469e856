"""How a resistance falls beyond its limit: one law for joints, for bones under a contact and for bones that bend."""

from .._jit import inlined


@inlined
def left(over, width, least):
    """Return the share of a resistance that is left [-] at so much beyond its limit.

    over, width  beyond the limit, and the width of the fall, in one unit (angle, depth, strain); `over` may be negative
    least        share that stays [-]

    The caller keeps the least share so far as memory, constant during a step, and counts the energy that the resistance
    loses with it as dissipated.
    """
    return max(least, 1.0 - (1.0 - least) * max(0.0, over) / width)
