"""Columns of `output.cursor` (int): next pose, next sensor sample, whether a step waits, events, next attitude."""

POSE, SENSOR, WAITING, EVENTS, ATTITUDE = range(5)
COUNT = 5
