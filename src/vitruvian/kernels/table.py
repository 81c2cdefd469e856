"""Functions given by a table, of time or of depth: piecewise cubic polynomials."""

from .._jit import inlined, inner


@inner
def value(model, table, time):
    """Value, rate [1/s] and acceleration [1/s2] of a table at a time [s]."""
    return cubic(model.table_start, model.table, table, time)


@inner
def area(table_start, table, k, x):
    """Return the integral of table k from its first knot to x, in the unit of value times argument [any unit]."""
    low = _row(table_start, table, k, x)
    t = x - table[low, 0]
    c0, c1, c2, c3 = table[low, 1], table[low, 2], table[low, 3], table[low, 4]
    return table[low, 5] + t * (c0 + t * (c1 / 2.0 + t * (c2 / 3.0 + t * c3 / 4.0)))


@inlined
def _row(table_start, table, k, x):
    """Return the last row of table k that begins not after x, or the first row before its first knot."""
    low, high = table_start[k], table_start[k + 1]
    while high - low > 1:
        middle = (low + high) // 2
        if table[middle, 0] <= x:
            low = middle
        else:
            high = middle
    return low


@inner
def cubic(table_start, table, k, x):
    """Return value, slope and curvature of table k at x, in the units of the table [any unit]."""
    low = _row(table_start, table, k, x)
    t = x - table[low, 0]
    c0, c1, c2, c3 = table[low, 1], table[low, 2], table[low, 3], table[low, 4]
    return c0 + t * (c1 + t * (c2 + t * c3)), c1 + t * (2.0 * c2 + t * 3.0 * c3), 2.0 * c2 + 6.0 * c3 * t
