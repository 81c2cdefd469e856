"""Columns of `state.clock`: times and what is measured by them."""

TIME, BEFORE, NEXT_STEP, LAST_STEP, LAST_ERROR, KINETIC_START, REST_SINCE, BALANCE, SLOW_SINCE, SLOWEST = range(10)
COUNT = 10
