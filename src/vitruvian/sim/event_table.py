"""Events of a run with their names, from the table of the kernels, and fractures of bones that bend."""

from __future__ import annotations

import numpy as np

from ..kernels import layout, types
from ..model.compile import Compiled
from .bone_load import fractures
from .event_row import event_of
from .recording import Event

MAX_EVENTS = 20_000


def events(compiled: Compiled, output: types.Output, moment: np.ndarray) -> list[Event]:
    """Return what happened in a run, and the fractures that bending moments [N m] of bones (N, point) mean."""
    count = min(int(output.cursor[layout.cursor.EVENTS]), MAX_EVENTS)
    found = [event_of(compiled, row) for row in output.event[:count].tolist()]
    return found + fractures(compiled.system, output.time[: len(moment)], moment)
