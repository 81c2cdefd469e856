"""An ellipsoid against one line of a polygon in the plane, by the rule of the 2D pedestrian paper. SI units.

Section 3.5 of the paper, hyncik2011. In the frame of the line, x along it from P, y across the plane, z its normal, out
of the solid. What counts is the shadow of the ellipsoid along y, an ellipse; if the plane of motion is one of the
ellipsoid's planes of symmetry, that is its section too. With Q = R S^2 R' the form of the ellipsoid, the shadow about
its centre c is

    Q_zz x^2 - 2 Q_xz x z + Q_xx z^2 <= det,   det = Q_xx Q_zz - Q_xz^2

Its lowest point is C = c - (Q_xz, Q_zz) / sqrt(Q_zz); the depth is that of C below the line, at its foot B. Where B
lies beyond an end of the line, it moves to that end, and the depth is that of the ellipse below the end along z (the
edge rule). A line touches only what it meets: the chord that the ellipse cuts out of the endless line (eqs 21 to 24 of
the paper) must have a point between P and Q.
"""

from math import sqrt

from .._jit import kernel
from . import mat3


@kernel
def touch(axes, rotation, centre, length, nearest):
    """Depth [m], place of B along the line [m] and across [m], and the side on which it touches.

    axes      semi-axes [m]
    rotation  ellipsoid to the frame of the line, nine entries
    centre    from P [m]
    length    of the line [m]
    nearest   1: the nearer of the two tangents counts, as in the paper; 0: the one against the normal

    The side is 1 where the line pushes along its normal, -1 where against it. Without contact the depth is minus a
    lower bound of the way to it: along the normal (side 1), from behind (-1), in any direction (0).
    """
    xx, xy, xz, _, yz, zz = mat3.rotated_diagonal(rotation, (axes[0] * axes[0], axes[1] * axes[1], axes[2] * axes[2]))
    x, y, z = centre
    reach, side = sqrt(zz), 1.0
    if z <= -reach:
        return z + reach, x, y, -1.0
    det = xx * zz - xz * xz
    if z < reach:
        middle, half = x - xz * z / zz, sqrt(det * (zz - z * z)) / zz
        if middle + half < 0.0 or middle - half > length:
            end = 0.0 if middle + half < 0.0 else length
            u = end - x
            # the ellipse must grow by this factor to reach the end
            grown = sqrt((zz * u * u + 2.0 * xz * u * z + xx * z * z) / det)
            return (1.0 - grown) * sqrt(det / (xx + zz)), end, y, 0.0
        if nearest and z < 0.0:
            side, xz, yz, z = -1.0, -xz, -yz, -z
    place = x - xz / reach
    if 0.0 <= place <= length or z >= reach:
        return reach - z, min(max(place, 0.0), length), y - yz / reach, side
    place = 0.0 if place < 0.0 else length
    u = place - x
    low = xz * u / xx - sqrt(max(0.0, (xx - u * u) * det)) / xx
    return -z - low, place, y + (xy * (zz * u - xz * low) + yz * (xx * low - xz * u)) / det, side
