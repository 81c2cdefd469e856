"""A pendulum built in Python, without a scenario file: its period against the elliptic integral.

python examples/pendulum.py
"""

from __future__ import annotations

import numpy as np
from scipy.special import ellipk

from vitruvian import System, simulate
from vitruvian.model import Body, Configuration, Joint, frame_with_z
from vitruvian.sim import Recording

GRAVITY = 9.80665  # [m/s2]
LENGTH = 1.0  # [m], from the hinge to the centre of mass
AMPLITUDE = np.radians(60.0)
MASS, INERTIA = 2.0, 0.003  # [kg], [kg m2]


def main() -> tuple[float, Recording]:
    """The period [s], and the recording."""
    about_y = frame_with_z((0.0, 1.0, 0.0))
    system = System(
        bodies=(Body("bob", MASS, (INERTIA, INERTIA, INERTIA)),),
        joints=(
            Joint(
                "hinge",
                "revolute",
                parent=None,
                child="bob",
                point_child=(0.0, 0.0, LENGTH),
                frame_parent=about_y,
                frame_child=about_y,
            ),
        ),
    )
    start = Configuration(coordinates={"hinge": (AMPLITUDE,)})
    run = simulate(system, start, duration=10.0, method="dormand-prince", tolerance=1e-10)

    # the angle passes zero twice a period; between two samples (1 ms) it is nearly a straight line
    angle, time = run.joint_rotation[:, 0, 0], run.pose_time
    falling = np.nonzero((angle[:-1] > 0.0) & (angle[1:] <= 0.0))[0]
    share = angle[falling] / (angle[falling] - angle[falling + 1])
    zeros = time[falling] + share * (time[falling + 1] - time[falling])
    period = float(np.diff(zeros).mean())

    # T = 4 sqrt(I / m g L) K(sin^2(amplitude/2)), I about the hinge. The line between two samples leaves less than
    # 1e-7 s, because the acceleration is zero where the angle is.
    about_hinge = INERTIA + MASS * LENGTH**2
    exact = 4.0 * np.sqrt(about_hinge / (MASS * GRAVITY * LENGTH)) * ellipk(np.sin(AMPLITUDE / 2.0) ** 2)
    assert abs(period - exact) < 1e-7, (period, exact)
    return period, run


if __name__ == "__main__":
    import matplotlib.pyplot as plt

    period, run = main()
    print(f"period {period:.6f} s")
    plt.plot(run.pose_time, np.degrees(run.joint_rotation[:, 0, 0]))
    plt.xlabel("time [s]")
    plt.ylabel("angle [deg]")
    plt.show()
