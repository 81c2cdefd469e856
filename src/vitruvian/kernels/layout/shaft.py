"""Columns of `state.shaft`: what bodies that bend remember."""

from ._columns import columns

(
    RIDE,  # row of `model.station` where its surface rides, with a fraction
    MEMORY_COUNT,
) = columns(1)
