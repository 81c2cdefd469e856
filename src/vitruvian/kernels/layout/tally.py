"""Columns of `state.tally` (int): counts and codes of a run."""

STEPS, REJECTED, EVALUATIONS, STATUS, CULPRIT, FRESH, PHASE = range(7)
COUNT = 7
