"""Columns of `model.law_kind` (int): codes of a contact law."""

from ._columns import columns

(
    ELASTIC,  # code of elastic_law
    DAMPING,  # code of damping_law
    FRICTION,  # code of friction_law
    CURVE,  # loading curve, a table of depth, or -1
    UNLOADING,  # unloading curve, or -1
    PULLS,  # whether the force may pull
    REFERENCE,  # code of speed_reference
    NUMBER_CURVE,  # damping number, a table of depth, or -1: that of the law
    COUNT,
) = columns(1, 1, 1, 1, 1, 1, 1, 1)
