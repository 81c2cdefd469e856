"""Codes of the integration methods."""

IMPLICIT, SEMI_IMPLICIT_EULER, RK4, DORMAND_PRINCE = range(4)
