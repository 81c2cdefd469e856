"""How quickly is a report written, and how large is what a browser has to hold? Times in s, sizes in MB."""

from __future__ import annotations

from tempfile import TemporaryDirectory

from ...scenario import Scenario
from ...view.replay import Block, tree
from ...view.scene import Scene
from ..evidence import Check, least_time

ROUNDS = 3
AIM_REPORT = 2.0  # [s], of a run of 0.3 s
AIM_FILE = 12.0  # [MB], a report
AIM_REPLAY = 25.0  # [MB], 1.5 s of fall at 1,000 frames a second, unpacked in the browser


def rows(rounds: int = ROUNDS) -> list[Check]:
    """Measure the report of a run of 0.3 s and the replay of a fall of 1.5 s with 1,000 frames a second."""
    struck = Scenario.load("struck-by-front").run()
    fall = Scenario.load("fall-4m", {"output.pose_rate": 1000.0, "solver.duration": 1.5}).run()
    with TemporaryDirectory() as folder:
        path = f"{folder}/report.html"
        best = least_time(lambda: struck.report(path), rounds)
        size = fall.report(path).stat().st_size
    block = Block()
    actor = tree([Scene(fall)], block)["actors"][0]
    frames = actor["time"]["length"]
    return [
        Check.at_most("report of a run of 0.3 s", AIM_REPORT, best, "s", "replay, charts and a picture of the motion"),
        Check.at_most("report of a fall of 1.5 s", AIM_FILE, 1e-6 * size, "MB", "the file"),
        Check.at_most(
            "replay of a fall of 1.5 s", AIM_REPLAY, 1e-6 * block.size, "MB", f"{frames} frames in the browser"
        ),
    ]
