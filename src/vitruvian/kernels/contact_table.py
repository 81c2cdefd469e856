"""Tables of contact laws, written in the order of operations of `model.table.with_areas`: the same bits."""

from .._jit import exact


@exact
def lay_lines(x, y, slope, first, at, table):
    """Write curves of straight pieces into tables of rows of knot, polynomial and integral from the first knot on.

    x, y, slope  knots [m], values [N] and slopes [N/m] of all curves, one after the other (n)
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


@exact
def snap(x, y, width, found_x, found_y):
    """Write a curve without its falls and return the number of its knots [-]: that of the curve, or more.

    Where x does not rise from knot to knot, y drops within a width [m] to where the curve has the same x again. The
    longest pieces are then halved until there are as many knots as before.

    x, y               knots [m] and values [N] (n); y drops at once where x falls
    found_x, found_y   of the new curve (2 n)
    """
    n, count, at = x.shape[0], 1, 0  # at: the knot that was written last, -1 if it is none of the curve's
    found_x[0], found_y[0] = x[0], y[0]
    for k in range(n - 1):
        reached = found_x[count - 1]
        if x[k + 1] <= reached:
            continue
        if at != k and not (found_x[count - 1] == x[k] and found_y[count - 1] == y[k]):
            if x[k + 1] <= reached + width:
                continue
            share = (reached + width - x[k]) / (x[k + 1] - x[k])
            found_x[count], found_y[count] = reached + width, y[k] + share * (y[k + 1] - y[k])
            count += 1
        found_x[count], found_y[count] = x[k + 1], y[k + 1]
        at = k + 1
        count += 1
    if not (found_x[count - 1] == x[n - 1] and found_y[count - 1] == y[n - 1]):
        found_x[count], found_y[count] = found_x[count - 1] + width, y[n - 1]
        count += 1
    while count < n:
        longest = 0
        for k in range(1, count - 1):
            if found_x[k + 1] - found_x[k] > found_x[longest + 1] - found_x[longest]:
                longest = k
        for k in range(count, longest + 1, -1):
            found_x[k], found_y[k] = found_x[k - 1], found_y[k - 1]
        found_x[longest + 1] = 0.5 * (found_x[longest] + found_x[longest + 2])
        found_y[longest + 1] = 0.5 * (found_y[longest] + found_y[longest + 2])
        count += 1
    return count
