"""Columns of `model.common_pair` (int): pairs of groups that meet one surface with tissue in common."""

(
    FIRST_A,  # first row of the candidates of one segment
    END_A,  # and their end
    FIRST_B,  # likewise of its neighbour
    END_B,
) = range(4)
COUNT = 4
