"""Codes of how the elastic contact force follows the penetration."""

POWER, PERMANENT, TABULATED = range(3)
