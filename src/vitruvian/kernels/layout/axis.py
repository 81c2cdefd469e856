"""Numbers of the axes."""

from ._columns import columns

X, Y, Z, _ = columns(1, 1, 1)
