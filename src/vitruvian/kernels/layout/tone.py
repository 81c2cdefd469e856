"""Columns of `model.tone` (a row for each joint that muscles hold) and of `model.tone_person`. SI units, rad."""

from ._columns import columns

(
    TORQUE,  # that holds the posture at the start: parent's joint frame, or by coordinate [N m]
    HELD,  # the posture: quaternion in the joint frames, or coordinates
    STIFFNESS,  # by axis [N m/rad]
    DAMPING,  # [N m s/rad]
    STRENGTH,  # largest torque [N m]
    COUNT,
) = columns(3, 4, 3, 3, 3)

END, FADE = range(2)  # of a person: when its muscles let go unless a contact comes first [s], and over which time [s]
PERSON_COUNT = 2
