"""Codes of the friction laws."""

COULOMB, BRISTLE, STRONGE, SPRING_DAMPER, VISCOUS = range(5)
