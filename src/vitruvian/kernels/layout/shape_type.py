"""Codes of the shapes."""

ELLIPSOID, SUM, SUPERELLIPSOID, PLANE, PATCH, STRIP = range(6)
