"""How a resistance falls beyond its limit: for joints, for bones under a contact and for bones that bend."""

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


@inlined
def cohesive(over, width, least, whole):
    """Return the share of a resistance that is left [-] if its load is to fall linearly to zero, at so much beyond it.

    whole  load at the limit over the load that the sound resistance would have now [-]

    So that a stiff resistance, whose load would grow far in the width, falls from its limit on. Memory as for `left`.
    """
    return max(least, whole * (1.0 - over / width))
