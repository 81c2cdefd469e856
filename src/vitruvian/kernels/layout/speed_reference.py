"""Codes of the speed that divides the damping number of a contact."""

LARGEST, ONSET = range(2)
