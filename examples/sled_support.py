"""A sled is braked from 50 km/h by a pulse, and a trunk, hinged and held by a spring, swings forward on it.

The motion of the sled is prescribed by a table of accelerations; the force that it takes is a channel.

    python examples/sled_support.py
"""

from __future__ import annotations

import numpy as np

from vitruvian import System, simulate
from vitruvian.model import Body, Joint, Resistance, Table, frame_with_z
from vitruvian.sim import Recording

SPEED = 50.0 / 3.6  # [m/s]
PULSE_TIME = (0.0, 0.01, 0.06, 0.08)  # [s]
PULSE = (0.0, -200.0, -200.0, 0.0)  # [m/s2]
SLED, TRUNK = 400.0, 45.0  # [kg]


def main() -> tuple[float, Recording]:
    """Largest forward lean of the trunk [deg], and the recording."""
    along_x, about_y = frame_with_z((1.0, 0.0, 0.0)), frame_with_z((0.0, 1.0, 0.0))
    # what holds the trunk, seat back and belt in one: 6000 N m/rad forward, 20000 backward
    spring = Resistance(
        law="coordinate",
        limit_minus=(0.0, -np.inf, -np.inf),
        stiffness=(6000.0, 0.0, 0.0),
        stiffness_minus=(20_000.0, 0.0, 0.0),
        damping=(100.0, 0.0, 0.0),
    )
    system = System(
        bodies=(Body("sled", SLED, (50.0, 100.0, 120.0)), Body("trunk", TRUNK, (2.5, 2.5, 0.6))),
        joints=(
            Joint(
                "rail",
                "prismatic",
                parent=None,
                child="sled",
                frame_parent=along_x,
                frame_child=along_x,
                motion=(Table(PULSE_TIME, PULSE, "acceleration", start_rate=SPEED),),
            ),
            Joint(
                "hinge",
                "revolute",
                parent="sled",
                child="trunk",
                point_parent=(0.0, 0.0, 0.3),
                point_child=(0.0, 0.0, -0.35),
                frame_parent=about_y,
                frame_child=about_y,
                resistance=spring,
            ),
        ),
    )
    run = simulate(system, duration=0.2, pose_rate=20_000.0)
    rail, hinge = run.joints.index("rail"), run.joints.index("hinge")

    # the sled moves as prescribed: its last speed is the first one less the area of the pulse, to rounding
    sled = run.velocity[:, run.bodies.index("sled"), 0]
    area = np.trapezoid(PULSE, PULSE_TIME)
    assert abs(sled[-1] - (SPEED + area)) < 1e-9

    # what the rail does to the sled is the change of momentum of both bodies; 0.1 % is left to the trapezoidal rule on
    # samples of means over steps
    trunk = run.velocity[:, run.bodies.index("trunk"), 0]
    impulse = np.trapezoid(run.joint_force[:, rail, 0], run.pose_time)
    change = SLED * (sled[-1] - sled[0]) + TRUNK * (trunk[-1] - trunk[0])
    assert abs(impulse - change) < 1e-3 * abs(change), (impulse, change)

    return float(np.degrees(run.joint_rotation[:, hinge, 0].max())), run


if __name__ == "__main__":
    import matplotlib.pyplot as plt

    lean, run = main()
    print(f"the trunk leans forward by {lean:.1f} degrees")
    plt.plot(run.pose_time, run.joint_force[:, run.joints.index("rail"), 0] / 1000.0)
    plt.xlabel("time [s]")
    plt.ylabel("force of the rail on the sled [kN]")
    plt.show()
