"""Codes of contact events."""

TOUCH, SEPARATION = range(2)
