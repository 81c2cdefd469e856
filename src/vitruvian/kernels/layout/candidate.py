"""Columns of `model.candidate` (int): pairs of shapes that may touch.

The patches of one surface against one shape are consecutive rows, a group; those of a region are consecutive, too.
They share the load and the memory of the impact speed.
"""

(
    SHAPE_A,  # the shape that touches
    SHAPE_B,  # the shape that it meets
    LAW,  # row of the contact law
    COUPLED,  # whether the body that is met answers: it is neither the world nor driven
    GROUP,  # first row of its group
    REGION_END,  # end of the rows of its region
    BONE,  # row of the bone under the shape that touches, or -1
) = range(7)
COUNT = 7
