"""Columns of `work.reply`: what a unit load along an equation of the loops makes at every joint (`loop_response`)."""

from ._columns import columns

(
    MOMENT,  # on the body about its joint point, by the load and by branches [N m]
    FORCE,  # [N]
    OVER,  # D^-1 u of the joint, of a free one its angular part
    OVER_FORCE,  # and its linear part, zero for others
    COUNT,
) = columns(3, 3, 3, 3)
