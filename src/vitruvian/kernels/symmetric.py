"""Symmetric positive definite systems in a table, of which only the lower triangle is read: L D L', in place."""

from .._jit import inner


@inner
def factor(matrix, n):
    """Replace the lower triangle of the first n rows [any unit] by L, and the diagonal by 1 / D."""
    for k in range(n):
        for j in range(k):
            value = matrix[k, j]
            for m in range(j):
                value -= matrix[k, m] * matrix[j, m]
            matrix[k, j] = value  # L D until the row is done
        pivot = matrix[k, k]
        for j in range(k):
            value = matrix[k, j] * matrix[j, j]
            pivot -= value * matrix[k, j]
            matrix[k, j] = value
        matrix[k, k] = 1.0 / pivot


@inner
def solve(matrix, n, last):
    """Solve for column `last` of the first n rows [any unit], in place, after `factor`."""
    for k in range(n):
        for m in range(k):
            matrix[k, last] -= matrix[k, m] * matrix[m, last]
    for k in range(n - 1, -1, -1):
        value = matrix[k, last] * matrix[k, k]
        for m in range(k + 1, n):
            value -= matrix[m, k] * matrix[m, last]
        matrix[k, last] = value
