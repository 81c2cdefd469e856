"""A man falls from 4 m onto concrete: how hard does the head strike, and did the flight obey Newton?

python examples/fall.py
"""

from __future__ import annotations

import numpy as np

from vitruvian import Result, Scenario

GRAVITY = 9.80665  # [m/s2]


def main() -> tuple[float, Result]:
    """HIC15 of the head [-], and the whole result."""
    scenario = Scenario.load("fall-4m")
    result = scenario.run()

    # Until something touches, the joints only push the parts of the body against each other: the centre of mass falls
    # freely. The sums over 17 bodies and the interpolated velocities leave 1e-6 of the speed.
    touch = result.summary()["first_contacts"][0]
    system, _ = scenario.build()
    mass = np.array([system.body(name).mass for name in result.recording.bodies])
    before = int(np.searchsorted(result.recording.pose_time, touch["time"])) - 1
    velocity = mass @ result.recording.velocity[before] / mass.sum()
    expected = -GRAVITY * result.recording.pose_time[before]
    assert abs(velocity[2] - expected) < 1e-6 * abs(expected), (velocity, expected)

    # energy is accounted for: 0.1 % is what the default tolerance promises
    assert result.recording.balance_error < 1e-3

    return result.summary()["peaks"]["head"]["HIC15"]["value"], result


if __name__ == "__main__":
    import matplotlib.pyplot as plt

    value, result = main()
    time, head = result.resultant_g("head")
    print(f"HIC15 {value:.0f}, peak {head.max():.0f} g")
    plt.plot(time, head)
    plt.xlabel("time [s]")
    plt.ylabel("head acceleration [g]")
    plt.show()
