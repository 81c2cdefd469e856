"""Where the front of a vehicle first touches a shape, in the order of operations of numpy: the same bits."""

from math import inf

from .._jit import exact


@exact
def nearest(reach, sine, cosine, height, middle, ahead, pieces):
    """Return the smallest distance [m] from a profile to the outline of a shape at some heights; inf if they miss.

    reach         of the shape along directions in the plane of the path (d) [m], whose sine and cosine are given [-]
    height        heights that are compared (h) [m]
    middle, ahead height and place along the path of the centre of the shape [m]
    pieces        x and z of both ends of the pieces of the profile (4, n) [m]
    """
    gap, best = inf, 0
    for h in range(height.shape[0]):
        z = height[h]
        foremost = -inf
        for k in range(pieces.shape[1]):
            x0, z0, x1, z1 = pieces[0, k], pieces[1, k], pieces[2, k], pieces[3, k]
            if min(z0, z1) <= z <= max(z0, z1):
                x = x0 + (x1 - x0) * (z - z0) / (z1 - z0) if z1 != z0 else max(x0, x1)
                foremost = max(foremost, x)
        if foremost == -inf:
            continue
        # the direction that counted at the last height shows at once that most heights are no nearer
        most = (reach[best] - sine[best] * (z - middle)) / cosine[best]
        for k in range(reach.shape[0]):
            if ahead + most - foremost >= gap:
                break
            far = (reach[k] - sine[k] * (z - middle)) / cosine[k]
            if far > most:
                most, best = far, k
        gap = min(gap, ahead + most - foremost)
    return gap
