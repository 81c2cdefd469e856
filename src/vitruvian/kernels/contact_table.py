"""Tables of contact laws, written in the order of operations of `model.table.with_areas`: the same bits."""

from .._jit import exact


@exact
def lay_lines(x, y, slope, first, at, table):
    """Write curves of straight pieces into tables of rows of knot, polynomial and integral from the first knot on.

    x, y, slope  knots, values and slopes of all curves, one after the other (n)
    first        place of the first knot of each curve, and n
    at           row of `table` with which each curve begins
    """
    for curve in range(at.shape[0]):
        area, to = 0.0, at[curve]
        begin, end = first[curve], first[curve + 1]
        for k in range(begin, end):
            row = to + k - begin
            table[row, 0], table[row, 1], table[row, 2] = x[k], y[k], slope[k]
            table[row, 3], table[row, 4], table[row, 5] = 0.0, 0.0, area
            if k + 1 < end:
                length = x[k + 1] - x[k]
                piece = y[k] * length + slope[k] * (length * length) / 2.0
                area = piece if k == begin else area + piece
