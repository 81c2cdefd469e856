"""Measure and append a row to history.csv: python benchmarks/run.py [--peers]."""

import argparse
import csv
import datetime
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from vitruvian import __version__
from vitruvian.lab.bench import engine

HISTORY = Path(__file__).with_name("history.csv")
PACKAGES = ("numba", "numpy", "mujoco", "pin")


def cpu() -> str:
    """The name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def installed(package: str) -> str:
    """Its version, or "" where it is missing."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", action="store_true", help="beside MuJoCo and Pinocchio")
    rows = engine.run(peers=parser.parse_args().peers)
    for row in rows:
        print(f"{row.name:40s} {row.got:10.4g} {row.unit:3s} {row.note}")
    common = {
        "date": datetime.date.today().isoformat(),
        "vitruvian": __version__,
        "python": platform.python_version(),
        **{package: installed(package) for package in PACKAGES},
        "cpu": cpu(),
    }
    new = not HISTORY.exists()
    with HISTORY.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*common, "name", "value", "unit"])
        if new:
            writer.writeheader()
        writer.writerows({**common, "name": row.name, "value": f"{row.got:.5g}", "unit": row.unit} for row in rows)


if __name__ == "__main__":
    main()
