"""Codes of `tally.PHASE`: before the first step, at an accepted state, at the end of a step on trial."""

NEW_RUN, SETTLED, ON_TRIAL = range(3)
