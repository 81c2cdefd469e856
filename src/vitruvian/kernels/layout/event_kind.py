"""Codes of events."""

TOUCH, SEPARATION, RELEASE = range(3)
