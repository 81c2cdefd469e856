"""Boundary conditions for finite elements: the curves, read again from the file, give back motion and forces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from vitruvian.errors import InputError
from vitruvian.export import fe
from vitruvian.scenario import Scenario
from vitruvian.sim.result import Result

pytestmark = pytest.mark.needs_jit  # whole runs


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return Scenario.load("fall-1cm", {"solver.duration": 0.3, "human.start.angular_velocity": [0.5, 2.0, 0.3]})


@pytest.fixture(scope="module")
def fall(scenario: Scenario) -> Result:
    return scenario.run()


@pytest.fixture(scope="module")
def folder(fall: Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fe")
    assert [path.name for path in fe.write(fall, folder)] == [
        "main.k",
        "segments.k",
        "motion.k",
        "loads.k",
        "motion.csv",
        "loads.csv",
    ]
    return folder


def keywords(path: Path) -> list[tuple[str, list[str]]]:
    """Keywords and their cards, comments left out."""
    found: list[tuple[str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("$"):
            continue
        if line.startswith("*"):
            found.append((line, []))
        else:
            found[-1][1].append(line)
    assert found[0][0] == "*KEYWORD" and found[-1][0] == "*END"
    return found


def card(line: str, width: int = 10) -> list[float]:
    return [float(line[at : at + width]) for at in range(0, len(line), width)]


def curves(path: Path) -> dict[int, np.ndarray]:
    """Curve number -> (n, 2)."""
    found = {}
    for name, cards in keywords(path):
        if name == "*DEFINE_CURVE_TITLE":
            rows = np.array([card(line, 20) for line in cards[2:]])
            found[int(card(cards[1])[0])] = rows
    return found


def driven(path: Path, keyword: str, curve: int) -> dict[tuple[int, int], int]:
    """(part, degree of freedom) -> number of the curve."""
    cards = [card(cards[0]) for name, cards in keywords(path) if name == keyword]
    return {(int(row[0]), int(row[1])): int(row[curve]) for row in cards}


def test_the_curves_of_the_file_integrate_to_the_motion(fall: Result, folder: Path) -> None:
    """By Runge and Kutta's method: d/dt x = v, d/dt q = (0, w) q / 2, with curves straight between their points."""
    recording = fall.recording
    table, wanted = curves(folder / "motion.k"), driven(folder / "motion.k", "*BOUNDARY_PRESCRIBED_MOTION_RIGID", 3)
    assert len(wanted) == 6 * len(recording.bodies)
    curve = np.array(
        [[table[wanted[at + 1, dof]] for dof in (1, 2, 3, 5, 6, 7)] for at in range(len(recording.bodies))]
    )  # (body, 6, n, 2)
    clock, values = curve[0, 0, :, 0], np.moveaxis(curve[..., 1], 2, 0)  # [ms]; (n, body, 6)
    assert clock[::2] == pytest.approx(1e3 * recording.pose_time)
    place, turn = 1e3 * recording.position[0], recording.orientation[0]
    for k in range(len(clock) - 1):
        step = clock[k + 1] - clock[k]
        place = place + 0.5 * step * (values[k] + values[k + 1])[:, :3]
        for part in range(4):
            shares = (part / 4, (part + 0.5) / 4, (part + 1) / 4)
            first, middle, last = ((values[k] + share * (values[k + 1] - values[k]))[:, 3:] for share in shares)
            turn = turned(turn, first, middle, last, step / 4)
        if k % 2:
            assert place == pytest.approx(1e3 * recording.position[(k + 1) // 2], abs=1e-4)  # [mm]
            kept = Rotation.from_quat(np.roll(recording.orientation[(k + 1) // 2], -1, axis=1))
            got = Rotation.from_quat(np.roll(turn, -1, axis=1))
            assert np.degrees((got * kept.inv()).magnitude().max()) < 1e-4


def turned(turn: np.ndarray, first: np.ndarray, middle: np.ndarray, last: np.ndarray, step: float) -> np.ndarray:
    """Unit quaternions (n, 4) after a step with angular velocities (n, 3) at its start, middle and end."""

    def rate(q: np.ndarray, spin: np.ndarray) -> np.ndarray:
        scalar = -np.sum(spin * q[:, 1:], axis=1, keepdims=True)
        return 0.5 * np.hstack([scalar, q[:, :1] * spin + np.cross(spin, q[:, 1:])])

    one = rate(turn, first)
    two = rate(turn + 0.5 * step * one, middle)
    three = rate(turn + 0.5 * step * two, middle)
    return turn + step / 6.0 * (one + 2.0 * two + 2.0 * three + rate(turn + step * three, last))


def test_values_at_the_poses_alone_would_not_do(scenario: Scenario) -> None:
    """The reason for the point in the middle: without it the rotation drifts, with it it does not."""
    sharper = {"human.body": "previous", "human.start.clearance": "2 cm"}  # it meets the ground more sharply
    recording = scenario.replace(sharper).run().recording
    step = np.diff(recording.pose_time)[:, None, None]
    _, _, spin = fe.motion_curves(recording)
    straight = 0.5 * (spin[2::2] + spin[:-2:2])
    first, last = (fe._matrix(recording.orientation[sample]) for sample in (0, -1))
    drift = []
    for middle in (spin[1::2], straight):
        at = first
        for part in fe.turned_by(spin[:-2:2], middle, spin[2::2], step):
            at = part @ at
        drift.append(np.degrees(np.linalg.norm(fe._vector(at @ last.transpose(0, 2, 1)), axis=1)).max())
    assert drift[0] < 1e-9
    assert drift[1] > 0.01
    assert abs(spin[1::2]).max() < 1.5 * abs(spin[::2]).max()  # and it does not swing about for that


def test_a_steady_turn_is_integrated_exactly() -> None:
    """About one axis with a straight angular velocity: the angle is its mean times the time."""
    start, end = np.array([[0.0, 0.0, 2.0]]), np.array([[0.0, 0.0, 5.0]])
    turned = fe.turned_by(start, 0.5 * (start + end), end, np.array([[0.3]]))
    assert fe._vector(turned)[0] == pytest.approx([0.0, 0.0, 3.5 * 0.3])


def test_a_turning_axis_is_integrated_to_fourth_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """w(t) straight from one direction to another, against a tight integration."""
    start, end = np.array([[3.0, 0.0, 1.0]]), np.array([[0.0, 4.0, -2.0]])

    def rate(t: float, flat: np.ndarray) -> np.ndarray:
        x, y, z = start[0] + (end - start)[0] * t / 0.5
        return (np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) @ flat.reshape(3, 3)).ravel()

    exact = solve_ivp(rate, (0.0, 0.5), np.eye(3).ravel(), rtol=1e-12, atol=1e-12).y[:, -1].reshape(3, 3)
    errors = []
    for steps in (4, 8):
        monkeypatch.setattr(fe, "_FINE", steps)
        turned = fe.turned_by(start, 0.5 * (start + end), end, np.array([[0.5]]))[0]
        errors.append(abs(turned - exact).max())
    assert errors[1] < 1e-6 and errors[0] / errors[1] == pytest.approx(16.0, rel=0.1)


def test_forces_and_moments_move_the_bodies(scenario: Scenario) -> None:
    """Newton and Euler: contact and joint loads with gravity are mass times acceleration, for every body.

    Loads are those that the steps applied, accelerations those at the poses: they meet as the tolerance gets small.
    """
    scenario = scenario.replace({"solver.tolerance": 1e-7})
    result, system = scenario.run(), scenario.build()[0]
    recording = result.recording
    contact, joint = fe.body_loads(recording, result.geometry)
    turn = fe._matrix(recording.orientation)
    for at, name in enumerate(recording.bodies):
        body = system.body(name)
        force = body.mass * (recording.acceleration[:, at] - np.array(system.gravity))
        inertia = turn[:, at] @ body.inertia @ turn[:, at].transpose(0, 2, 1)
        spin = recording.angular_velocity[:, at]
        moment = np.einsum("nij,nj->ni", inertia, recording.angular_acceleration[:, at])
        moment += np.cross(spin, np.einsum("nij,nj->ni", inertia, spin))
        total = (contact + joint)[:, at]
        assert np.linalg.norm(total[:, :3] - force) < 0.002 * np.linalg.norm(force), name
        assert np.linalg.norm(total[:, 3:] - moment) < 0.02 * np.linalg.norm(moment), name


def test_what_is_struck_gets_the_opposite_load() -> None:
    """Of all bodies together only the ground's force is left, and Newton's law holds for the car: m a = its loads."""
    changes = {"vehicle.mass": 1300.0, "solver.duration": 0.15, "solver.tolerance": 1e-5}
    result = Scenario.load("pedestrian-side-left", changes).run()
    recording = result.recording
    contact, joint = fe.body_loads(recording, result.geometry)
    outer = [pair for pair, (_, other) in enumerate(recording.pairs) if other == "ground"]
    force, point = recording.contact_force[:, outer], np.nan_to_num(recording.contact_point[:, outer])
    assert contact[..., :3].sum(axis=1) == pytest.approx(force.sum(axis=1), abs=1e-6)
    about_origin = contact[..., 3:] + np.cross(recording.position, contact[..., :3])
    assert about_origin.sum(axis=1) == pytest.approx(np.cross(point, force).sum(axis=1), abs=1e-6)
    car = recording.bodies.index("vehicle")
    load, wanted = (contact + joint)[:, car, 0], 1300.0 * recording.acceleration[:, car, 0]
    assert abs(contact[:, car, 0]).max() > 3000.0  # [N]
    assert np.linalg.norm(load - wanted) < 0.005 * np.linalg.norm(wanted)


@pytest.mark.parametrize(("units", "metre", "second", "newton"), [
    ("mm-ms-kg", 1e3, 1e3, 1e-3), ("m-s-kg", 1.0, 1.0, 1.0), ("mm-s-t", 1e3, 1.0, 1.0),
])  # fmt: skip
def test_units_are_consistent(
    fall: Result, tmp_path: Path, units: str, metre: float, second: float, newton: float
) -> None:
    """A newton is a kilogram metre by second squared: 1e-3 kN in mm, ms, kg."""
    fe.write(fall, tmp_path, units=units)
    loads, named = curves(tmp_path / "loads.k"), driven(tmp_path / "loads.k", "*LOAD_RIGID_BODY", 2)
    recording = fall.recording
    contact, _ = fe.body_loads(recording, fall.geometry)
    foot = recording.bodies.index("left_foot")
    numbers = [number for number in loads if number // 100000 == 1 and (number % 100000) // 10 == foot + 1]
    assert sorted(number % 10 for number in numbers) == [1, 2, 3, 5, 6, 7]
    up, about_y = (loads[100000 + 10 * (foot + 1) + dof] for dof in (3, 6))
    assert up[:, 0] == pytest.approx(recording.pose_time * second)
    assert up[:, 1] == pytest.approx(contact[:, foot, 2] * newton, rel=1e-9, abs=1e-9)
    assert about_y[:, 1] == pytest.approx(contact[:, foot, 4] * newton * metre, rel=1e-9, abs=1e-9)
    assert (foot + 1, 3) in named
    text = (tmp_path / "main.k").read_text(encoding="utf-8")
    assert f"$ units: {fe.UNITS[units].names}" in text and f"part {foot + 1:4d}  left_foot" in text


def test_parts_have_the_masses_and_places_of_the_bodies(fall: Result, folder: Path) -> None:
    parts = [cards for name, cards in keywords(folder / "segments.k") if name == "*PART_INERTIA"]
    assert [cards[0] for cards in parts] == list(fall.recording.bodies)
    assert sum(card(cards[2])[3] for cards in parts) == pytest.approx(fall.geometry.body_mass.sum(), rel=1e-6)
    places = np.array([card(cards[2])[:3] for cards in parts])
    assert places == pytest.approx(1e3 * fall.recording.position[0], abs=1e-3)
    assert all(len(line) <= 80 for name, cards in keywords(folder / "segments.k") for line in cards)
    shells = next(cards for name, cards in keywords(folder / "segments.k") if name == "*ELEMENT_SHELL")
    nodes = next(cards for name, cards in keywords(folder / "segments.k") if name == "*NODE")
    used = {int(number) for line in shells for number in card(line, 8)[2:]}
    assert used == set(range(1, len(nodes) + 1))


@pytest.mark.parametrize(
    "number", [0.0, 1.0, -1.0, 0.1, -123456.789, 1.23456789e-12, -9.87654321e123, 1e9, 123456789.0]
)
def test_numbers_fit_their_fields(number: float) -> None:
    text = fe._card(number)
    assert len(text) == 10 and text[0] == " " and ("." in text or "e" in text)
    assert float(text) == pytest.approx(number, rel=1e-2)


def test_unknown_units_are_refused(fall: Result, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"accepted: mm-ms-kg, m-s-kg, mm-s-t"):
        fe.write(fall, tmp_path, units="inch")
