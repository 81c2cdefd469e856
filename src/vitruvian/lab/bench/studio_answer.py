"""How quickly does the studio answer? Time in s."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from ..evidence import Check

ROUNDS = 5
AIM = 1.0  # [s]


def rows(rounds: int = ROUNDS) -> list[Check]:
    """Measure the time from pressing Run in a warm studio to its last message; no row without the extra "studio".

    That is simulation, criteria, tables, charts and the meshes of this run and the one before; the browser's drawing of
    them is not in it.
    """
    if find_spec("viser") is None:
        return []
    from ...studio import headless

    times = []
    with TemporaryDirectory() as folder, headless.session("fall-4m", Path(folder)) as (session, _):
        for round in range(rounds):
            session.set_text(f'human.height = "{179 - round} cm"')
            session.worker.join()
            session.run()
            session.worker.join()
            session.pause()
            times.append(session.answered_in or float("inf"))
    return [Check.at_most("studio, answer for fall-4m", AIM, min(times), "s", "without the browser")]
