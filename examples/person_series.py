"""People of several heights at one body mass index, dropped on their backs onto a gym mat from half a metre.

python examples/person_series.py
"""

from __future__ import annotations

import numpy as np

from vitruvian import simulate
from vitruvian.human import human, place
from vitruvian.model.pose import centre_of_mass, segment_poses
from vitruvian.world.surface import plane

BODY_MASS_INDEX = 24.0  # [kg/m2]
HEIGHTS = (1.55, 1.70, 1.85, 2.00)  # [m]


def main() -> list[dict[str, float]]:
    """A row for each height: mass [kg], centre of mass when standing over height [-], peak of the pelvis [g]."""
    rows = []
    for height in HEIGHTS:
        person = human(height, BODY_MASS_INDEX * height**2)
        system = person.system.replace(surfaces=(plane("mat", "gym-mat"),))

        # the segments have the mass of the body, to rounding
        assert abs(system.mass - person.mass) < 1e-9 * person.mass

        # Standing, the centre of mass of adult men lies between 0.54 and 0.58 of their height: a check of the segment
        # masses and places together.
        standing = segment_poses(person.system, place(person, "standing"))
        share = float(centre_of_mass(person.system, standing)[2] / height)
        assert 0.54 < share < 0.58, share

        start = place(person, "supine", clearance=0.5)
        run = simulate(system, start, duration=0.5)
        assert run.balance_error < 1e-3
        pelvis = run.sensor_acceleration[:, run.sensors.index("pelvis")]
        peak = float(np.linalg.norm(pelvis, axis=1).max() / 9.80665)
        rows.append({"height": height, "mass": person.mass, "centre": share, "peak": peak})
    return rows


if __name__ == "__main__":
    import matplotlib.pyplot as plt

    rows = main()
    for row in rows:
        print("{height:.2f} m  {mass:5.1f} kg  centre {centre:.3f}  pelvis {peak:.1f} g".format(**row))
    plt.plot([row["height"] for row in rows], [row["peak"] for row in rows], "o-")
    plt.xlabel("height [m]")
    plt.ylabel("peak acceleration of the pelvis [g]")
    plt.show()
