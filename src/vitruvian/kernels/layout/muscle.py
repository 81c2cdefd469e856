"""Columns of `model.muscle_kind` and `model.muscle`, and the codes of their laws. SI units."""

from ._columns import columns

FIRST, POINTS, LAW, TABLE, FIBRE, KIND_COUNT = columns(1, 1, 1, 1, 1)  # path, law, its table, coordinate of fibres
TABLE_FORCE, RIGID_TENDON, ELASTIC_TENDON = range(3)  # laws: force or activation by the table
(
    MAX_FORCE,  # isometric, at the optimal length [N]
    OPTIMAL,  # length of the fibres [m]
    SLACK,  # length of the tendon without force [m]
    WIDTH,  # of pennate fibres across the tendon, constant [m]
    MAX_SPEED,  # of shortening [m/s]
    DAMPING,  # of the fibres, force over the largest one at the largest speed [-]
    PASSIVE,  # strain of the fibres at which they bear the largest force without activation [-]
    STEEP,  # exponent of the tendon [-]
    COUNT,
) = columns(1, 1, 1, 1, 1, 1, 1, 1)
