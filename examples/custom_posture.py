"""A forward fall with stretched arms: a posture of one's own, kept in a file, and what it does for the head.

python examples/custom_posture.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from vitruvian import Scenario
from vitruvian.human import load_posture, posture, save_posture

ARMS_FORWARD = {
    "name": "arms-forward",
    "description": "Leaning forward, arms stretched out in front",
    "base": "standing",
    "orientation": {"pitch": "30 deg"},
    "joints": {"shoulder": {"flexion": "80 deg"}, "elbow": {"flexion": "10 deg"}, "wrist": {"extension": "20 deg"}},
}


def main() -> tuple[float, float]:
    """When the first hand and the head touch the ground [s]."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arms-forward.toml"
        save_posture(posture(ARMS_FORWARD), path)
        again = load_posture(path)
    # rotation vectors are written with all digits
    assert again == posture(ARMS_FORWARD)

    fall = Scenario(
        {
            "schema": 1,
            "title": "Forward fall on stretched arms",
            "human": {
                "height": "175 cm",
                "mass": 75,
                "posture": {"orientation": list(again.orientation), "joints": dict(again.rotations)},
                "start": {"clearance": "1 cm", "angular_velocity": [0, 1.5, 0]},
            },
            "surface": {"name": "ground", "contact": "wood-floor"},
            "solver": {"duration": "1.5 s", "stop": "head contact"},
        },
        name="forward-fall",
    )
    result = fall.run()
    touched = {row["body"]: row["time"] for row in result.summary()["first_contacts"]}
    hand = min(touched["left_hand"], touched["right_hand"])
    # arms of 0.7 m held out at 80 degrees reach the ground first
    assert hand < touched["head"], touched
    # the person is symmetric and so is the fall: both hands touch within the time a step may pass a touch by
    assert abs(touched["left_hand"] - touched["right_hand"]) < 1e-4
    return hand, touched["head"]


if __name__ == "__main__":
    hand, head = main()
    print(f"hands at {hand:.3f} s, head at {head:.3f} s")
