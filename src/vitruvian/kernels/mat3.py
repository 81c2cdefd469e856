"""Matrices of three by three as tuples: nine entries row by row, or six of a symmetric one (xx, xy, xz, yy, yz, zz)."""

from .._jit import kernel

# --- general, nine entries


@kernel
def load(table, i, k):
    """Return the nine entries of row i of a table from column k on [any unit]."""
    return (
        table[i, k], table[i, k + 1], table[i, k + 2],
        table[i, k + 3], table[i, k + 4], table[i, k + 5],
        table[i, k + 6], table[i, k + 7], table[i, k + 8],
    )  # fmt: skip


@kernel
def store(table, i, k, m):
    """Write matrix m into row i of a table from column k on [any unit]."""
    table[i, k], table[i, k + 1], table[i, k + 2] = m[0], m[1], m[2]
    table[i, k + 3], table[i, k + 4], table[i, k + 5] = m[3], m[4], m[5]
    table[i, k + 6], table[i, k + 7], table[i, k + 8] = m[6], m[7], m[8]


@kernel
def increase(table, i, k, m):
    """Add matrix m to row i of a table from column k on [any unit]."""
    for j in range(9):
        table[i, k + j] += m[j]


@kernel
def dot(m, a):
    """Return m a, in the unit of the product [any unit]."""
    return (
        m[0] * a[0] + m[1] * a[1] + m[2] * a[2],
        m[3] * a[0] + m[4] * a[1] + m[5] * a[2],
        m[6] * a[0] + m[7] * a[1] + m[8] * a[2],
    )


@kernel
def transposed_dot(m, a):
    """Return m' a, in the unit of the product [any unit]."""
    return (
        m[0] * a[0] + m[3] * a[1] + m[6] * a[2],
        m[1] * a[0] + m[4] * a[1] + m[7] * a[2],
        m[2] * a[0] + m[5] * a[1] + m[8] * a[2],
    )


@kernel
def product(m, n):
    """Return m n, in the unit of the product [any unit]."""
    return (
        m[0] * n[0] + m[1] * n[3] + m[2] * n[6],
        m[0] * n[1] + m[1] * n[4] + m[2] * n[7],
        m[0] * n[2] + m[1] * n[5] + m[2] * n[8],
        m[3] * n[0] + m[4] * n[3] + m[5] * n[6],
        m[3] * n[1] + m[4] * n[4] + m[5] * n[7],
        m[3] * n[2] + m[4] * n[5] + m[5] * n[8],
        m[6] * n[0] + m[7] * n[3] + m[8] * n[6],
        m[6] * n[1] + m[7] * n[4] + m[8] * n[7],
        m[6] * n[2] + m[7] * n[5] + m[8] * n[8],
    )


@kernel
def transposed_product(m, n):
    """Return m' n, in the unit of the product [any unit]."""
    return (
        m[0] * n[0] + m[3] * n[3] + m[6] * n[6],
        m[0] * n[1] + m[3] * n[4] + m[6] * n[7],
        m[0] * n[2] + m[3] * n[5] + m[6] * n[8],
        m[1] * n[0] + m[4] * n[3] + m[7] * n[6],
        m[1] * n[1] + m[4] * n[4] + m[7] * n[7],
        m[1] * n[2] + m[4] * n[5] + m[7] * n[8],
        m[2] * n[0] + m[5] * n[3] + m[8] * n[6],
        m[2] * n[1] + m[5] * n[4] + m[8] * n[7],
        m[2] * n[2] + m[5] * n[5] + m[8] * n[8],
    )


@kernel
def column(m, k):
    """Return column k of m, in its unit [any unit]."""
    return m[k], m[3 + k], m[6 + k]


@kernel
def sub(m, n):
    """Return m - n, in the unit of both [any unit]."""
    return (
        m[0] - n[0], m[1] - n[1], m[2] - n[2],
        m[3] - n[3], m[4] - n[4], m[5] - n[5],
        m[6] - n[6], m[7] - n[7], m[8] - n[8],
    )  # fmt: skip


@kernel
def add(m, n):
    """Return m + n, in the unit of both [any unit]."""
    return (
        m[0] + n[0], m[1] + n[1], m[2] + n[2],
        m[3] + n[3], m[4] + n[4], m[5] + n[5],
        m[6] + n[6], m[7] + n[7], m[8] + n[8],
    )  # fmt: skip


@kernel
def skew(r):
    """[r], so that [r] a = r x a."""
    return 0.0, -r[2], r[1], r[2], 0.0, -r[0], -r[1], r[0], 0.0


@kernel
def dot_skew_symmetric(m, r):
    """m [r] for an m that makes the product symmetric: six entries."""
    return (
        m[1] * r[2] - m[2] * r[1],
        m[2] * r[0] - m[0] * r[2],
        m[0] * r[1] - m[1] * r[0],
        m[5] * r[0] - m[3] * r[2],
        m[3] * r[1] - m[4] * r[0],
        m[6] * r[1] - m[7] * r[0],
    )


# --- symmetric, six entries


@kernel
def load_sym(table, i, k):
    """Return the six entries of row i of a table from column k on [any unit]."""
    return table[i, k], table[i, k + 1], table[i, k + 2], table[i, k + 3], table[i, k + 4], table[i, k + 5]


@kernel
def store_sym(table, i, k, s):
    """Write symmetric matrix s into row i of a table from column k on [any unit]."""
    table[i, k], table[i, k + 1], table[i, k + 2], table[i, k + 3], table[i, k + 4], table[i, k + 5] = s


@kernel
def increase_sym(table, i, k, s):
    """Add symmetric matrix s to row i of a table from column k on [any unit]."""
    for j in range(6):
        table[i, k + j] += s[j]


@kernel
def full(s):
    """Return the symmetric matrix s with all nine entries, in its unit [any unit]."""
    return s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5]


@kernel
def sym_add(s, t):
    """Return s + t, in the unit of both [any unit]."""
    return s[0] + t[0], s[1] + t[1], s[2] + t[2], s[3] + t[3], s[4] + t[4], s[5] + t[5]


@kernel
def sym_sub(s, t):
    """Return s - t, in the unit of both [any unit]."""
    return s[0] - t[0], s[1] - t[1], s[2] - t[2], s[3] - t[3], s[4] - t[4], s[5] - t[5]


@kernel
def sym_scale(k, s):
    """Return k s, in the unit of the product [any unit]."""
    return k * s[0], k * s[1], k * s[2], k * s[3], k * s[4], k * s[5]


@kernel
def sym_dot(s, a):
    """Return s a, in the unit of the product [any unit]."""
    return (
        s[0] * a[0] + s[1] * a[1] + s[2] * a[2],
        s[1] * a[0] + s[3] * a[1] + s[4] * a[2],
        s[2] * a[0] + s[4] * a[1] + s[5] * a[2],
    )


@kernel
def sym_product(s, m):
    """Return s m with a general m as nine entries, in the unit of the product [any unit]."""
    return (
        s[0] * m[0] + s[1] * m[3] + s[2] * m[6],
        s[0] * m[1] + s[1] * m[4] + s[2] * m[7],
        s[0] * m[2] + s[1] * m[5] + s[2] * m[8],
        s[1] * m[0] + s[3] * m[3] + s[4] * m[6],
        s[1] * m[1] + s[3] * m[4] + s[4] * m[7],
        s[1] * m[2] + s[3] * m[5] + s[4] * m[8],
        s[2] * m[0] + s[4] * m[3] + s[5] * m[6],
        s[2] * m[1] + s[4] * m[4] + s[5] * m[7],
        s[2] * m[2] + s[4] * m[5] + s[5] * m[8],
    )


@kernel
def transposed_product_symmetric(m, n):
    """Return m' n, which is symmetric for these factors, as six entries in the unit of the product [any unit]."""
    return (
        m[0] * n[0] + m[3] * n[3] + m[6] * n[6],
        m[0] * n[1] + m[3] * n[4] + m[6] * n[7],
        m[0] * n[2] + m[3] * n[5] + m[6] * n[8],
        m[1] * n[1] + m[4] * n[4] + m[7] * n[7],
        m[1] * n[2] + m[4] * n[5] + m[7] * n[8],
        m[2] * n[2] + m[5] * n[5] + m[8] * n[8],
    )


@kernel
def skew_sym(r, s):
    """[r] s for a symmetric s: nine entries."""
    return (
        r[1] * s[2] - r[2] * s[1], r[1] * s[4] - r[2] * s[3], r[1] * s[5] - r[2] * s[4],
        r[2] * s[0] - r[0] * s[2], r[2] * s[1] - r[0] * s[4], r[2] * s[2] - r[0] * s[5],
        r[0] * s[1] - r[1] * s[0], r[0] * s[3] - r[1] * s[1], r[0] * s[4] - r[1] * s[2],
    )  # fmt: skip


@kernel
def sym_inverse(s):
    """Return the inverse of a symmetric matrix, in the inverse unit [any unit]."""
    c0 = s[3] * s[5] - s[4] * s[4]
    c1 = s[2] * s[4] - s[1] * s[5]
    c2 = s[1] * s[4] - s[2] * s[3]
    d = 1.0 / (s[0] * c0 + s[1] * c1 + s[2] * c2)
    return (
        d * c0,
        d * c1,
        d * c2,
        d * (s[0] * s[5] - s[2] * s[2]),
        d * (s[1] * s[2] - s[0] * s[4]),
        d * (s[0] * s[3] - s[1] * s[1]),
    )


@kernel
def rotated_diagonal(r, a):
    """Return R diag(a) R' of a rotation r as six entries, in the unit of a [any unit]."""
    p0, p1, p2 = r[0] * a[0], r[1] * a[1], r[2] * a[2]
    p3, p4, p5 = r[3] * a[0], r[4] * a[1], r[5] * a[2]
    return (
        p0 * r[0] + p1 * r[1] + p2 * r[2],
        p0 * r[3] + p1 * r[4] + p2 * r[5],
        p0 * r[6] + p1 * r[7] + p2 * r[8],
        p3 * r[3] + p4 * r[4] + p5 * r[5],
        p3 * r[6] + p4 * r[7] + p5 * r[8],
        (r[6] * a[0]) * r[6] + (r[7] * a[1]) * r[7] + (r[8] * a[2]) * r[8],
    )


@kernel
def rotated(r, s):
    """Return R s R' of a rotation r and a symmetric s as six entries, in the unit of s [any unit]."""
    p = product(r, full(s))
    return (
        p[0] * r[0] + p[1] * r[1] + p[2] * r[2],
        p[0] * r[3] + p[1] * r[4] + p[2] * r[5],
        p[0] * r[6] + p[1] * r[7] + p[2] * r[8],
        p[3] * r[3] + p[4] * r[4] + p[5] * r[5],
        p[3] * r[6] + p[4] * r[7] + p[5] * r[8],
        p[6] * r[6] + p[7] * r[7] + p[8] * r[8],
    )
