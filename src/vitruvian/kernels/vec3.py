"""Vectors of three as tuples: they live in registers, and kernels read like the equations."""

from math import sqrt

from .._jit import kernel


@kernel
def load(table, i, column):
    """Return the three components in row i of a table from a column on [any unit]."""
    return table[i, column], table[i, column + 1], table[i, column + 2]


@kernel
def store(table, i, column, a):
    """Write vector a into row i of a table from a column on [any unit]."""
    table[i, column], table[i, column + 1], table[i, column + 2] = a


@kernel
def increase(table, i, column, a):
    """Add vector a to row i of a table from a column on [any unit]."""
    table[i, column] += a[0]
    table[i, column + 1] += a[1]
    table[i, column + 2] += a[2]


@kernel
def load_at(flat, k):
    """Return the three components in a flat array from place k on [any unit]."""
    return flat[k], flat[k + 1], flat[k + 2]


@kernel
def store_at(flat, k, a):
    """Write vector a into a flat array from place k on [any unit]."""
    flat[k], flat[k + 1], flat[k + 2] = a


@kernel
def add(a, b):
    """Return a + b, in the unit of both [any unit]."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def sub(a, b):
    """Return a - b, in the unit of both [any unit]."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def scale(s, a):
    """Return s a, in the unit of the product [any unit]."""
    return s * a[0], s * a[1], s * a[2]


@kernel
def axpy(s, a, b):
    """Return s a + b, in the unit of b [any unit]."""
    return s * a[0] + b[0], s * a[1] + b[1], s * a[2] + b[2]


@kernel
def dot(a, b):
    """Return a . b, in the unit of the product [any unit]."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    """Return a x b, in the unit of the product [any unit]."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def norm(a):
    """Return |a|, in the unit of a [any unit]."""
    return sqrt(dot(a, a))


@kernel
def unit(a):
    """Return the unit vector a / |a| [-]."""
    return scale(1.0 / norm(a), a)
