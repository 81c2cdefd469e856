"""Belts that are refused, ready belts, and what a run of a belt records."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.model import Belt, Body, Configuration, Ellipsoid, Joint, Retractor, System, Waypoint
from vitruvian.model.belt_table import lay_belts
from vitruvian.model.compile import compile_system, initial_state, make_work
from vitruvian.scenario import Scenario
from vitruvian.sim.channel import WORK_CLASSES
from vitruvian.sim.simulate import simulate

ENDS = {"anchor": (0.0, 0.0, 0.0)}


def belt(*path: dict[str, object], **more: object) -> Belt:
    return Belt("lap", tuple(Waypoint(**point) for point in path), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (Waypoint, "give one of anchor, ring and over"),
        (lambda: Waypoint(over="a", ring=(0, 0, 0)), "ring and over"),
        (lambda: Waypoint(over="a", body="b"), "has a body, too"),
        (lambda: Waypoint(over="a", friction=-1.0), "friction"),
        (lambda: belt(ENDS, {"over": "a"}), "begin and end with an anchor"),
        (lambda: belt(ENDS, ENDS, ENDS), "anchor inside the path"),
        (lambda: belt(ENDS, ENDS, loading=((0.0, 0.0), (0.1, -5.0))), "must increase"),
        (lambda: belt(ENDS, ENDS, slack=-1.0), "slack"),
        (lambda: Retractor(limit=0.0), "limit"),
    ],
)
def test_wrong_input_is_refused(make: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        make()  # type: ignore[operator]


def laid(*path: Waypoint) -> None:
    body = Body("solid", 5.0, np.full(3, 0.1), (Ellipsoid((0.1, 0.15, 0.2)),))
    compiled = compile_system(System((body,), (Joint("root", "free", None, "solid"),), belts=(Belt("lap", path),)))
    lay_belts(compiled, initial_state(compiled), make_work(compiled))


def test_an_anchor_inside_the_body_is_refused_with_its_depth() -> None:
    with pytest.raises(InputError, match=r"'lap': its anchor \(waypoint 0\) lies 50 mm inside 'solid'"):
        laid(Waypoint(anchor=(0.05, 0, 0)), Waypoint(over="solid"), Waypoint(anchor=(-0.1, -0.4, 0)))


def test_webbing_that_misses_the_body_is_refused_with_the_distance() -> None:
    with pytest.raises(InputError, match=r"'lap' misses 'solid'.*about 100 mm"):
        laid(Waypoint(anchor=(0.2, 0.5, 0)), Waypoint(over="solid"), Waypoint(anchor=(0.2, -0.5, 0)))


def test_a_body_without_a_round_shape_is_refused() -> None:
    from vitruvian.model import Box

    body = Body("box", 5.0, np.full(3, 0.1), (Box((0.1, 0.1, 0.1)),))
    path = (Waypoint(anchor=(0, 1, 0)), Waypoint(over="box"), Waypoint(anchor=(0, -1, 0)))
    with pytest.raises(InputError, match="'box' has box; webbing lies on ellipsoids"):
        compile_system(System((body,), (Joint("root", "free", None, "box"),), belts=(Belt("lap", path),)))


def thrown(grip: float, duration: float, up: float = 0.2, name: str = "pelvis") -> tuple[System, float]:
    """A body held by webbing in front of it."""
    body = Body(name, 20.0, np.array([0.2, 0.2, 0.2]), (Ellipsoid((0.11, 0.17, 0.12)),))
    path = (
        Waypoint(anchor=(-0.05, 0.3, -0.15)),
        Waypoint(over=name, grip=grip, side=(1.0, 0.0, up)),
        Waypoint(anchor=(-0.05, -0.3, -0.15)),
    )
    system = System((body,), (Joint("root", "free", None, name),), belts=(Belt("lap", path, slack=0.01),))
    return system, duration


@pytest.mark.needs_jit
def test_a_belt_holds_a_body_records_its_force_and_creates_no_energy() -> None:
    system, duration = thrown(1.0, 0.05)
    run = simulate(system, Configuration(rates={"root": (4.0, 0, 0, 0, 0, 0)}), duration=duration, pose_rate=2000.0)
    assert run.webbing == ("lap.0-anchor", "lap.1-pelvis", "lap.2-anchor")
    assert run.belt_force[:, 0].max() > 1000.0 and run.belt_force.min() > -1.0
    assert run.belt_force[:, 2].max() == 0.0
    assert run.position[:, 0, 0].max() < 0.15
    lost = run.work[:, WORK_CLASSES.index("belt_dissipated")]
    assert np.diff(lost).max() < 1e-3 and run.balance_error < 1e-4
    assert not any(event.kind == "submarining" for event in run.events)


def leaning(recline: float, angle: float, spin: float) -> tuple[System, Configuration]:
    """A pelvis that leans back [deg] and turns [rad/s], in a lap belt that falls rearwards [deg]."""
    system, _ = thrown(1.0, 0.0)
    down, half = np.radians(angle), np.radians(-0.5 * recline)
    ends = [Waypoint(anchor=(-0.3 * np.cos(down), side, -0.3 * np.sin(down))) for side in (0.3, -0.3)]
    belt = replace(system.belts[0], path=(ends[0], system.belts[0].path[1], ends[1]))
    place = {"root": (0, 0, 0, np.cos(half), 0, np.sin(half), 0)}
    return system.replace(belts=(belt,)), Configuration(place, {"root": (4.0, 0, 0, 0, spin, 0)})


@pytest.mark.needs_jit
@pytest.mark.parametrize(("recline", "angle"), [(20, 45), (60, 45), (30, 5)])
def test_a_lap_belt_stays_below_the_iliac_spines(recline: float, angle: float) -> None:
    run = simulate(*leaning(recline, angle, 0.0), duration=0.02)
    assert run.belt_force.max() > 1000.0
    assert not any(event.kind in ("lift", "submarining") for event in run.events)


def test_a_flat_belt_over_a_reclined_pelvis_is_refused() -> None:
    """Webbing with grip 1 slides up where the pelvis leans back 45 degrees more than the belt falls rearwards."""
    system, start = leaning(80, 0, 0.0)
    compiled = compile_system(system)
    with pytest.raises(InputError, match="does not hold 'pelvis': it would pull the pelvis upwards"):
        lay_belts(compiled, initial_state(compiled, start), make_work(compiled))


@pytest.mark.needs_jit
def test_a_pelvis_that_turns_backwards_slips_out_below_its_lap_belt() -> None:
    run = simulate(*leaning(30, 5, -40.0), duration=0.06, pose_rate=1000.0)
    (found,) = [event for event in run.events if event.kind == "submarining"]
    assert found.surface == "lap" and found.body == "pelvis"
    after = run.pose_time > found.time + 0.002
    assert after.any() and run.belt_force[after].max() == 0.0
    lost = run.work[:, WORK_CLASSES.index("belt_dissipated")]
    assert np.diff(lost).max() < 1e-3 and run.balance_error < 1e-4


@pytest.mark.needs_jit
def test_a_pelvis_that_pitches_forward_keeps_its_lap_belt() -> None:
    """The webbing holds a pelvis that turns forward by more than 60 degrees, as bone and thighs do."""
    run = simulate(*leaning(0, 45, 25.0), duration=0.08, pose_rate=1000.0)
    pitch = 2.0 * np.degrees(np.arctan2(run.orientation[:, 0, 2], run.orientation[:, 0, 0]))
    assert pitch.max() > 60.0 and run.belt_force.max() > 1000.0
    assert not any(event.kind in ("lift", "submarining") for event in run.events)


@pytest.mark.parametrize("type", ["lap", "shoulder", "three-point", "four-point"])
@pytest.mark.parametrize("model", ["occupant12", "human17"])
def test_ready_belts_lie_on_seated_people(type: str, model: str) -> None:
    size = 'preset = "50M"' if model == "human17" else ""
    text = (
        f'schema = 1\n[human]\nmodel = "{model}"\nposture = "seated"\n{size}\n[[belt]]\nname = "b"\ntype = "{type}"\n'
    )
    system, start = Scenario.from_toml(text + "[solver]\nduration = 0.1\n").build()
    compiled = compile_system(system)
    lay_belts(compiled, initial_state(compiled, start), make_work(compiled))


def test_a_belt_needs_either_a_path_or_a_type() -> None:
    text = 'schema = 1\n[human]\npreset = "50M"\n[[belt]]\nname = "b"\n[solver]\nduration = 0.1\n'
    with pytest.raises(InputError, match="either a path of waypoints or a type"):
        Scenario.from_toml(text)


def test_an_anchor_inside_another_segment_is_refused() -> None:
    ready = Scenario.load("sled-lateral")
    places = ([-0.05, 0.0, 0.75], [-0.1, -0.25, 0.3])
    ends = [{"anchor": place, "body": "sled"} for place in places]
    worn = [{"name": "lap", "path": [ends[0], {"over": "pelvis"}, ends[1]]}]
    scenario = Scenario({**ready.data, "belt": worn}, name="worn")
    with pytest.raises(InputError, match=r"mm inside '(abdomen|thorax)'"):
        scenario.run()
