"""Vectors and orientations as the description holds them: tuples of numbers."""

Vector = tuple[float, float, float]
#: unit quaternion, scalar first
Quaternion = tuple[float, float, float, float]
IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)
ZERO: Vector = (0.0, 0.0, 0.0)
