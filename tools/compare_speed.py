"""Compare the processor time of whole runs, from the file of a scenario to its result, in two versions of the sources.

    git worktree add ../before COMMIT
    python tools/compare_speed.py ../before/src pedestrian-side-left
    python tools/compare_speed.py ../before/src pedestrian-side-left --set human.body=previous --rounds 15

Each version has a process of its own, and they take turns, so that both meet the same load of the machine. Both run
once before anything is measured. The processor time counts one process only, whatever else runs.

--set PATH=VALUE   in the present version only, for keys that the other one does not have
--rounds N         runs of each version (9)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

WORKER = """
import json, sys, time
from vitruvian.scenario import Scenario

name, changes = sys.argv[1], json.loads(sys.argv[2])
for line in sys.stdin:
    begun = time.process_time()
    result = Scenario.load(name, changes).run(check=False)
    print(json.dumps([time.process_time() - begun, result.recording.wall_time, result.recording.steps]), flush=True)
"""
HERE = Path(__file__).resolve().parents[1] / "src"


class Version:
    """A process with one version of the package."""

    def __init__(self, sources: Path, name: str, changes: dict[str, str]) -> None:
        command = [sys.executable, "-c", WORKER, name, json.dumps(changes)]
        self.process = subprocess.Popen(
            command, env={**os.environ, "PYTHONPATH": str(sources)}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def run(self) -> list[float]:
        """Run once; return processor time [s], wall time of the loop [s] and steps."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit("one of the versions ended; its error is above.")
        found: list[float] = json.loads(answer)
        return found

    def end(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def main() -> None:
    """Print the medians of both versions and their ratio."""
    words, changes, rounds = sys.argv[1:], dict[str, str](), 9
    while len(words) > 2:
        option, value = words[-2:]
        del words[-2:]
        if option == "--set":
            changes |= [value.split("=", 1)]
        elif option == "--rounds":
            rounds = int(value)
        else:
            raise SystemExit(__doc__)
    if len(words) != 2:
        raise SystemExit(__doc__)
    versions = Version(Path(words[0]).resolve(), words[1], {}), Version(HERE, words[1], changes)
    for version in versions:
        version.run()
    found: list[list[Any]] = [[], []]
    for _ in range(rounds):
        for version, runs in zip(versions, found, strict=True):
            runs.append(version.run())
    for version in versions:
        version.end()
    (other, other_loop, other_steps), (ours, our_loop, steps) = (
        [*map(median, zip(*runs, strict=True))] for runs in found
    )
    print(f"{words[1]}, median of {rounds}, interleaved: the other version, this one, and the ratio")
    for what, one, two in (
        ("whole run, processor time", other, ours),
        ("solver loop, wall time", other_loop, our_loop),
    ):
        print(f"{what:<26}{1e3 * one:8.1f} ms {1e3 * two:8.1f} ms {two / one:8.3f}")
    print(f"{'steps':<26}{other_steps:8.0f}    {steps:8.0f}    {steps / other_steps:8.3f}")


if __name__ == "__main__":
    main()
