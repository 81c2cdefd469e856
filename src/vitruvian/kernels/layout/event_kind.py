"""Codes of events."""

TOUCH, SEPARATION, RELEASE, LOCK, SUBMARINE, LEFT = range(6)
