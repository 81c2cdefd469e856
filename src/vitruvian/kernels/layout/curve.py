"""Columns of `model.curve`: torque over angle, one curve after the other.

The first row of a curve has the number of its pieces. A piece has the angle from which it holds (the first one holds
below it too), the energy there, and the cubic polynomial of the torque. A curve without pieces is a sum of
exponentials: its first row has 0, the number of terms, the angles beyond which it continues straight, and the energy
to subtract; a term A exp(B (a - C)) has A, B, C.
"""

from ._columns import columns

ANGLE, ENERGY, TORQUE, COUNT = columns(1, 1, 4)
