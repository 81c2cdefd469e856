"""Codes of events."""

TOUCH, SEPARATION, RELEASE, FAILURE = range(4)
