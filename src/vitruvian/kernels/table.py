"""Functions of time: piecewise cubic polynomials."""

from .._jit import inner


@inner
def value(model, table, time):
    """Value, rate [1/s] and acceleration [1/s2] of a table at a time [s]."""
    # the last row that begins not after the time; the first row holds before the first knot
    low, high = model.table_start[table], model.table_start[table + 1]
    while high - low > 1:
        middle = (low + high) // 2
        if model.table[middle, 0] <= time:
            low = middle
        else:
            high = middle
    t = time - model.table[low, 0]
    c0, c1, c2, c3 = model.table[low, 1], model.table[low, 2], model.table[low, 3], model.table[low, 4]
    return c0 + t * (c1 + t * (c2 + t * c3)), c1 + t * (2.0 * c2 + t * 3.0 * c3), 2.0 * c2 + 6.0 * c3 * t
