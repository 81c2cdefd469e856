"""A boy of ten struck from the side by a sedan at five speeds: when, where and how hard does his head meet the car?

python examples/pedestrian_speeds.py        # prints the rows and writes pedestrian_speeds.csv
"""

from __future__ import annotations

from itertools import pairwise

from vitruvian.scenario.grid import Struck, pedestrian_grid

SPEEDS = range(20, 70, 10)  # [km/h]


def main() -> list[Struck]:
    """A row for each speed."""
    rows = pedestrian_grid(["sedan"], [f"{speed} km/h" for speed in SPEEDS], {"boy": {"sex": "male", "age": 10}})

    # The car drives under the boy while his head swings down onto the bonnet. That is mostly geometry: at every speed
    # the car has gone less than the head's way round the front (1.26 to 1.38 m), and more than half of it.
    for row in rows:
        assert row.part == "bonnet"
        assert 0.5 < row.speed * row.head_time / row.wrap_around_distance < 1.0, row

    # a faster car strikes harder
    assert all(slow.HIC15 < fast.HIC15 for slow, fast in pairwise(rows))
    return rows


if __name__ == "__main__":
    import csv
    from dataclasses import asdict

    rows = main()
    for row in rows:
        print(f"{3.6 * row.speed:3.0f} km/h  head after {1e3 * row.head_time:3.0f} ms  HIC15 {row.HIC15:5.0f}")
    with open("pedestrian_speeds.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, asdict(rows[0]))
        writer.writeheader()
        writer.writerows(asdict(row) for row in rows)
