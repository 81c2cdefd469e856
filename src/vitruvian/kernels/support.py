"""Support functions of convex shapes: how far a shape reaches along a direction. SI units, frame of the shape.

h(n) = max of n.x over the shape, x(n) = grad h the point that reaches farthest, H(n) = grad grad h the curvature: on a
unit normal its eigenvalues in the tangent plane are the radii of curvature of the surface (schneider2014, section 2.5).
Every shape of the family has its centre in its origin and is its own mirror image: h(-n) = h(n), x(-n) = -x(n).

    ellipsoid, sum     h = r |n| + sum_m sqrt(n' S_m^2 n), one or three triples of semi-axes S_m (ellipsoid: r = 0)
    superellipsoid     h = ((u_x^q2 + u_y^q2)^(q1/q2) + u_z^q1)^(1/q1), u_i = a_i sqrt(n_i^2 + e^2 |n|^2)

with 1/q + 1/p = 1 for the exponents p of the surface. The blend e keeps the curvature finite where the surface of
|x/a|^p + ... = 1 is flat.
"""

from math import sqrt

from .._jit import kernel
from . import vec3
from .layout import shape, shape_kind, shape_type
from .vec3 import add, axpy, dot, scale

ZERO = (0.0, 0.0, 0.0)


@kernel
def point(shape_kinds, shapes, s, n):
    """Support value [m] and support point from the centre [m] of shape s along the unit vector n."""
    kind = shape_kinds[s, shape_kind.CODE]
    if kind == shape_type.ELLIPSOID:
        return _ellipsoid(vec3.load(shapes, s, shape.TERM), n)
    if kind == shape_type.SUPERELLIPSOID:
        h, x, _, _, _ = _superellipsoid(shapes, s, n, ZERO, ZERO)
        return h, x
    h = shapes[s, shape.ROUND]
    x = scale(h, n)
    for m in range(3):
        axes = vec3.load(shapes, s, shape.TERM + 3 * m)
        if axes[0] > 0.0:
            more, reach = _ellipsoid(axes, n)
            h += more
            x = add(x, reach)
    return h, x


@kernel
def curved(shape_kinds, shapes, s, n, t, u):
    """Return support value [m], support point from the centre [m] and curvature t'Ht, t'Hu, u'Hu [m] of shape s.

    n  unit vector of the support direction; t, u: unit vectors across it
    """
    kind = shape_kinds[s, shape_kind.CODE]
    if kind == shape_type.ELLIPSOID:
        return _ellipsoid_curved(vec3.load(shapes, s, shape.TERM), n, t, u)
    if kind == shape_type.SUPERELLIPSOID:
        return _superellipsoid(shapes, s, n, t, u)
    h = shapes[s, shape.ROUND]
    x = scale(h, n)
    tt, tu, uu = h * dot(t, t), h * dot(t, u), h * dot(u, u)
    for m in range(3):
        axes = vec3.load(shapes, s, shape.TERM + 3 * m)
        if axes[0] > 0.0:
            more, reach, a, b, c = _ellipsoid_curved(axes, n, t, u)
            h += more
            x = add(x, reach)
            tt += a
            tu += b
            uu += c
    return h, x, tt, tu, uu


@kernel
def extent(shapes, s):
    """Half the sides of the box about the shape, along its own axes [m]; a superellipsoid's to its blend."""
    r = shapes[s, shape.ROUND]
    x, y, z = r, r, r
    for m in range(3):
        x += shapes[s, shape.TERM + 3 * m]
        y += shapes[s, shape.TERM + 3 * m + 1]
        z += shapes[s, shape.TERM + 3 * m + 2]
    return x, y, z


@kernel
def _ellipsoid(axes, n):
    """h = |S n| and x = S^2 n / h."""
    y = axes[0] * n[0], axes[1] * n[1], axes[2] * n[2]
    h = vec3.norm(y)
    return h, (axes[0] * y[0] / h, axes[1] * y[1] / h, axes[2] * y[2] / h)


@kernel
def _ellipsoid_curved(axes, n, t, u):
    """Return h = |S n|, x = S^2 n / h, and t'Ht, t'Hu, u'Hu with H = (S^2 - x x')/h."""
    h, x = _ellipsoid(axes, n)
    p = axes[0] * t[0], axes[1] * t[1], axes[2] * t[2]
    q = axes[0] * u[0], axes[1] * u[1], axes[2] * u[2]
    a, b = dot(x, t), dot(x, u)
    return h, x, (dot(p, p) - a * a) / h, (dot(p, q) - a * b) / h, (dot(q, q) - b * b) / h


@kernel
def _blended(axis, k, e2, n, t, u):
    """u_k = a sqrt(n_k^2 + e^2 |n|^2), its gradient, and its curvature: an ellipsoid with the semi-axes a e and, along
    k, a sqrt(1 + e^2)."""
    root = sqrt(n[k] * n[k] + e2 * dot(n, n))
    x = scale(e2 * axis / root, n)
    along = axis * n[k] / root
    if k == 0:
        x = (x[0] + along, x[1], x[2])
    elif k == 1:
        x = (x[0], x[1] + along, x[2])
    else:
        x = (x[0], x[1], x[2] + along)
    h = axis * root
    a, b = dot(x, t), dot(x, u)
    square = axis * axis
    return (
        h,
        x,
        a,
        b,
        (square * (t[k] * t[k] + e2 * dot(t, t)) - a * a) / h,
        (square * (t[k] * u[k] + e2 * dot(t, u)) - a * b) / h,
        (square * (u[k] * u[k] + e2 * dot(u, u)) - b * b) / h,
    )


@kernel
def _norm(a, b, q):
    """f = (a^q + b^q)^(1/q) of two positive numbers, its slopes f_a, f_b and second slopes f_aa, f_ab, f_bb."""
    large = max(a, b)
    a, b = a / large, b / large
    power_a, power_b = a**q, b**q
    total = power_a + power_b
    f = total ** (1.0 / q)
    share_a, share_b = power_a / total, power_b / total
    slope_a, slope_b = share_a * f / a, share_b * f / b
    bend = (q - 1.0) / large
    return (
        large * f,
        slope_a,
        slope_b,
        bend * slope_a * share_b / a,
        -bend * slope_a * slope_b / f,
        bend * slope_b * share_a / b,
    )


@kernel
def _superellipsoid(shapes, s, n, t, u):
    """h, x, t'Ht, t'Hu, u'Hu of the blended dual norm: chain rule over u_x, u_y -> g, then g, u_z -> h."""
    axes = vec3.load(shapes, s, shape.TERM)
    e2 = shapes[s, shape.BLEND] * shapes[s, shape.BLEND]
    hx, x, xt, xu, xtt, xtu, xuu = _blended(axes[0], 0, e2, n, t, u)
    hy, y, yt, yu, ytt, ytu, yuu = _blended(axes[1], 1, e2, n, t, u)
    hz, z, zt, zu, ztt, ztu, zuu = _blended(axes[2], 2, e2, n, t, u)
    g, fx, fy, fxx, fxy, fyy = _norm(hx, hy, shapes[s, shape.EXPONENT_2])
    along = axpy(fx, x, scale(fy, y))
    gt, gu = fx * xt + fy * yt, fx * xu + fy * yu
    gtt = fx * xtt + fy * ytt + fxx * xt * xt + 2.0 * fxy * xt * yt + fyy * yt * yt
    gtu = fx * xtu + fy * ytu + fxx * xt * xu + fxy * (xt * yu + xu * yt) + fyy * yt * yu
    guu = fx * xuu + fy * yuu + fxx * xu * xu + 2.0 * fxy * xu * yu + fyy * yu * yu
    h, fg, fz, fgg, fgz, fzz = _norm(g, hz, shapes[s, shape.EXPONENT_1])
    return (
        h,
        axpy(fg, along, scale(fz, z)),
        fg * gtt + fz * ztt + fgg * gt * gt + 2.0 * fgz * gt * zt + fzz * zt * zt,
        fg * gtu + fz * ztu + fgg * gt * gu + fgz * (gt * zu + gu * zt) + fzz * zt * zu,
        fg * guu + fz * zuu + fgg * gu * gu + 2.0 * fgz * gu * zu + fzz * zu * zu,
    )
