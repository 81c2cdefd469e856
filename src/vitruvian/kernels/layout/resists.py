"""Codes of `joint.RESISTS`. 0: no resistance.

SOFT          torque is explicit
STIFF         damping and stiffness are implicit
STIFF_BEYOND  implicit only while a limit is exceeded
"""

SOFT, STIFF, STIFF_BEYOND = 1, 2, 3
