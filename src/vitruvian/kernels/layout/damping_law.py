"""Codes of how a contact force is damped."""

BY_NUMBER, BY_RATE, BY_POWERS = range(3)
