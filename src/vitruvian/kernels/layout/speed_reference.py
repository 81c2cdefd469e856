"""Codes of the speed that divides the damping number of a contact, and its least value."""

LARGEST, ONSET = range(2)
LEAST = 0.05  # [m/s]; a tissue may have a larger one
