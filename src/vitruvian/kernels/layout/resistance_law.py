"""Codes of the laws of joint resistance."""

ROTATION_VECTOR, SWING_TWIST, COORDINATE, CONE, CARDAN_YXZ, CARDAN_XYZ, QUATERNION = range(7)
