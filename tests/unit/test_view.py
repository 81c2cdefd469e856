"""Pictures: outlines of the right size, what is nearer hides what is behind, and a file that is a picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.human import human, place
from vitruvian.model import Body, Joint, Plane, System
from vitruvian.model.pose import segment_poses, vector_of_quaternion
from vitruvian.sim.recording import WORK_CLASSES, Event, Recording
from vitruvian.sim.result import Result
from vitruvian.view import scene
from vitruvian.view.frames import chosen, motion

RED, BLUE = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


def ellipsoid(semi_axes: tuple[float, ...], centre: tuple[float, ...], colour: np.ndarray) -> scene.Ellipsoids:
    return scene.Ellipsoids(np.array([centre]), np.diag(np.square(semi_axes))[None], colour[None])


@pytest.mark.parametrize(("azimuth", "elevation"), [(0.0, 0.0), (0.7, 0.3), (-2.0, 1.2)])
def test_the_outline_has_the_right_area(azimuth: float, elevation: float) -> None:
    """Seen along n, an ellipsoid covers pi a b c |S^-1 n|, S = diag(a, b, c)."""
    semi_axes = (0.5, 0.3, 0.8)
    camera = scene.Camera.at(azimuth, elevation)
    picture = scene.render(ellipsoid(semi_axes, (0, 0, 0), RED), None, camera, (-1, 1, -1, 1), (400, 400))
    covered = (picture[..., 1] < 0.5).sum() * (2.0 / 400) ** 2
    expected = np.pi * np.prod(semi_axes) * np.linalg.norm(camera.towards / semi_axes)
    assert covered == pytest.approx(expected, rel=0.01)


def test_the_nearer_one_is_seen() -> None:
    """From x, the ball at larger x hides the other, whichever is drawn first."""
    camera = scene.Camera.at(0.0, 0.0)
    near, far = ellipsoid((0.5,) * 3, (1, 0, 0), RED), ellipsoid((0.5,) * 3, (-1, 0, 0), BLUE)
    for first, second in ((near, far), (far, near)):
        both = scene.Ellipsoids(
            *(np.concatenate([getattr(first, k), getattr(second, k)]) for k in ("centre", "spread", "colour"))
        )
        middle = scene.render(both, None, camera, (-1, 1, -1, 1), (41, 41))[20, 20]
        assert middle[0] > 0.5 > middle[2]


def test_the_ground_hides_what_is_below_it() -> None:
    camera = scene.Camera.at(0.3, 0.5)
    ground = scene.Plane(np.zeros(3), np.array([0.0, 0.0, 1.0]), np.zeros(3), radius=5.0)
    below = scene.render(ellipsoid((0.2,) * 3, (0, 0, -0.5), RED), ground, camera, (-1, 1, -1, 1), (60, 60))
    assert (below[..., 0] - below[..., 1] < 0.1).all()


def still_and_fallen(samples: int = 40) -> Result:
    """A person who stands, and from the middle on lies on the face: made up, to be drawn."""
    person = human(1.8, 80)
    system = person.system.replace(surfaces=(Plane("ground"),))
    return made_up(system, [segment_poses(system, place(person, "standing", clearance=2.0))] * (samples // 2)
                   + [segment_poses(system, place(person, "prone"))] * (samples // 2))  # fmt: skip


def made_up(system: System, poses: list[dict[str, tuple[np.ndarray, np.ndarray]]]) -> Result:
    bodies = tuple(body.name for body in system.bodies)
    joints = [system.joint_of(name) for name in bodies]
    p, n, f = len(poses), len(bodies), 200
    zero = np.zeros((p, n, 3))
    turned = np.array([[quaternion(pose[name][1]) for name in bodies] for pose in poses])
    sensed = np.zeros((f, len(system.sensors), 3))
    if system.sensors:
        sensed[:, 0, 0] = 500.0 * np.exp(-(((np.arange(f) / f - 0.6) / 0.02) ** 2))
    return Result(
        Recording(
            bodies=bodies,
            joints=tuple(joint.name for joint in joints),
            joint_types=tuple(joint.type for joint in joints),
            pairs=(),
            sensors=tuple(sensor.name for sensor in system.sensors),
            pose_time=np.linspace(0.0, 1.0, p),
            position=np.array([[pose[name][0] for name in bodies] for pose in poses]),
            orientation=turned,
            velocity=zero,
            angular_velocity=zero,
            acceleration=zero,
            angular_acceleration=zero,
            joint_rotation=zero,
            joint_torque=zero,
            joint_force=zero,
            joint_moment=zero,
            joint_energy=zero[..., 0],
            joint_loss=zero[..., 0],
            contact_force=np.zeros((p, 0, 3)),
            contact_point=np.zeros((p, 0, 3)),
            contact_depth=np.zeros((p, 0)),
            work=np.zeros((p, len(WORK_CLASSES))),
            kinetic=np.zeros(p),
            potential=np.ones(p),
            balance=np.zeros(p),
            time=np.arange(f) / f,
            sensor_acceleration=sensed,
            sensor_acceleration_local=sensed,
            sensor_angular_velocity_local=sensed,
            sensor_angular_acceleration_local=sensed,
            events=[Event(0.5, "touch", bodies[0], "ground", 1.0)],
            status="finished",
            message="",
            end_time=1.0,
            balance_error=0.0,
            steps=1,
            rejected=0,
            evaluations=1,
            wall_time=1.0,
            method="implicit",
            tolerance=1e-3,
        ),
        system=system,
        title="Made up [not run]",
    )


def quaternion(matrix: np.ndarray) -> np.ndarray:
    """By the eigenvector of the rotation: good for drawing tests."""
    k = np.array(
        [
            [matrix[0, 0] - matrix[1, 1] - matrix[2, 2], 0, 0, 0],
            [matrix[1, 0] + matrix[0, 1], matrix[1, 1] - matrix[0, 0] - matrix[2, 2], 0, 0],
            [matrix[2, 0] + matrix[0, 2], matrix[2, 1] + matrix[1, 2], matrix[2, 2] - matrix[0, 0] - matrix[1, 1], 0],
            [matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1], np.trace(matrix)],
        ]
    )
    x, y, z, w = np.linalg.eigh(k)[1][:, -1]
    return np.array([w, x, y, z])


def test_the_moments_are_the_first_the_last_and_what_lies_between() -> None:
    result = still_and_fallen()
    picked = chosen(result, 6)
    assert picked[0] == 0 and picked[-1] == 39
    assert 20 in picked  # the first touch
    assert picked == sorted(set(picked))


def test_the_picture_is_written(tmp_path: Path) -> None:
    path = motion(still_and_fallen(), tmp_path / "motion.png", dots=40)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_mechanism_without_shapes_sensors_and_ground_is_drawn_too(tmp_path: Path) -> None:
    system = System(
        (Body("bob", 1.0, np.ones(3)),), (Joint("hinge", "revolute", None, "bob", point_child=(0.0, 0.0, 1.0)),)
    )
    still = made_up(system, [segment_poses(system)] * 4)
    assert motion(still, tmp_path / "motion.png", dots=40).is_file()


def test_a_failed_run_is_drawn_up_to_where_it_failed(tmp_path: Path) -> None:
    result = still_and_fallen()
    position = result.recording.position.copy()
    position[30:] = np.nan
    failed = replace(
        result.recording, position=position, status="diverged", message="A state is no longer a finite number."
    )
    assert motion(Result(failed, geometry=result.geometry), tmp_path / "motion.png", dots=40).is_file()


def test_no_geometry_no_picture(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no geometry"):
        motion(Result(still_and_fallen().recording), tmp_path / "motion.png")
    with pytest.raises(InputError, match="cannot be written"):
        motion(still_and_fallen(), tmp_path / "none" / "motion.png", dots=20)


def test_the_helper_above_is_right() -> None:
    turn = segment_poses(human(1.8, 80).system, place(human(1.8, 80), "prone"))["pelvis"][1]
    assert np.linalg.norm(vector_of_quaternion(tuple(quaternion(turn)))) == pytest.approx(np.pi / 2)
