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
    """Depth [m], bottom point along the line and across it [m], and the normal along x and z of the line.

    axes      semi-axes [m]
    rotation  ellipsoid to the frame of the line, nine entries
    centre    from P [m]
    length    of the line [m]
    nearest   1: the nearer of the two tangents counts, as in the paper; 0: the one against the normal

    Without contact the depth is minus a lower bound of the way to it along the normal, and the point is where they come
    closest: the larger gap of the two boxes, along and across the line, or from an end of it to the ellipse.
    """
    xx, xy, xz, _, yz, zz = mat3.rotated_diagonal(rotation, (axes[0] * axes[0], axes[1] * axes[1], axes[2] * axes[2]))
    x, y, z = centre
    reach, half = sqrt(zz), sqrt(xx)
    beside, beyond = max(-x, x - length) - half, abs(z) - reach
    if beside > 0.0 and beside > beyond:
        return -beside, min(max(x, 0.0), length), y, (-1.0 if x < 0.0 else 1.0), 0.0
    if z <= -reach:
        return -beyond, min(max(x + xz / reach, 0.0), length), y + yz / reach, 0.0, -1.0
    det = xx * zz - xz * xz
    side = 1.0
    if z < reach:
        middle, chord = x - xz * z / zz, sqrt(det * (zz - z * z)) / zz
        if middle + chord < 0.0 or middle - chord > length:
            # grown(end) = 1 on the ellipse; it is convex, so (grown - 1) / slope is a lower bound of the distance
            end = 0.0 if middle + chord < 0.0 else length
            u = end - x
            p, q = (zz * u + xz * z) / det, -(xz * u + xx * z) / det
            grown, slope = sqrt(u * p - z * q), sqrt(p * p + q * q)
            return (1.0 - grown) * grown / slope, end, y, -p / slope, -q / slope
        if nearest and z < 0.0:
            side, xz, yz, z = -1.0, -xz, -yz, -z
    place = x - xz / reach
    if 0.0 <= place <= length or z >= reach:
        return reach - z, min(max(place, 0.0), length), y - yz / reach, 0.0, side
    place = 0.0 if place < 0.0 else length
    u = place - x
    low = xz * u / xx - sqrt(max(0.0, (xx - u * u) * det)) / xx
    return -z - low, place, y + (xy * (zz * u - xz * low) + yz * (xx * low - xz * u)) / det, 0.0, side
