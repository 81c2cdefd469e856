"""Airbags: gas and force against closed forms, what is refused, and a run that is stored, continued and drawn."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.kernels import airbag as kernel
from vitruvian.lab.verify import airbag as evidence
from vitruvian.model import Airbag, Firing, Inflator
from vitruvian.sim.result import Result
from vitruvian.sim.simulate import simulate
from vitruvian.view.scene import Scene

FLOW = ((0.0, 0.0), (0.01, 1.0), (0.03, 0.0))
SCENE = """
schema = 1
gravity = 0
[[body]]
name = "ball"
mass = "5 kg"
shapes = [{ kind = "sphere", radius = "0.1 m" }]
start = { position = [0.6, 0, 0], velocity = ["-6 m/s", 0, 0] }
[[airbag]]
name = "bag"
place = [0, 0, 0]
axis = [1, 0, 0]
size = ["0.35 m", "0.33 m", "0.33 m"]
segments = ["ball"]
inflator = { flow = [[0, 0], ["5 ms", "2 kg/s"], ["45 ms", 0]], temperature = "600 K" }
fire = { time = "5 ms" }
vent = "12 cm^2"
[solver]
duration = "0.1 s"
"""


def test_nearest_point_of_an_ellipsoid_is_that_of_an_independent_search():
    rng = np.random.default_rng(3)
    for _ in range(20):
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        spread = turn * rng.uniform(0.05, 0.6, 3)
        offset = rng.normal(size=3)
        offset *= 1.5 / np.linalg.norm(offset)
        found, outside = kernel.nearest(tuple(offset), tuple(spread.ravel()))
        ways = rng.normal(size=(100_000, 3))
        points = offset + (ways / np.linalg.norm(ways, axis=1, keepdims=True)) @ spread.T
        assert outside
        least = np.linalg.norm(points, axis=1).min()
        assert least - 2e-3 < np.linalg.norm(found) <= least + 1e-12
    assert not kernel.nearest((0.1, 0.0, 0.0), (0.2, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.2))[1]


@pytest.mark.parametrize("claim", [evidence.closed, evidence.vented])
def test_gas_is_that_of_adiabatic_compression_and_of_an_independent_equation(claim):
    for check in claim():
        assert check.verdict == "ok", check


def test_a_bag_that_never_fires_does_nothing():
    system, start = evidence._ball(6.0, inflator=Inflator(flow=FLOW), fire=Firing(acceleration=1e6))
    run = simulate(system, start, duration=0.05)
    assert not run.airbag_pressure.any() and not run.airbag_force.any() and not run.airbag_size.any()
    assert run.velocity[-1, 0, 0] == pytest.approx(-6.0)


def test_a_run_is_stored_continued_and_drawn(tmp_path):
    whole = Scenario.from_toml(SCENE).run()
    part = Scenario.from_toml(SCENE.replace("0.1 s", "0.04 s")).run()
    rest = simulate(Scenario.from_toml(SCENE).check(), duration=0.06, resume=part.recording.final)
    assert rest.position[-1] == pytest.approx(whole.recording.position[-1], abs=1e-4)
    assert [event.kind for event in whole.recording.events] == ["fire"]
    whole.save(tmp_path / "run.nc")
    again = Result.load(tmp_path / "run.nc")
    assert (again.recording.airbag_pressure == whole.recording.airbag_pressure).all()
    (bag,) = Scene(again).stretched
    depth, *_, place = bag.boxes(len(again.recording.pose_time) - 1)[0]
    assert np.linalg.norm(depth) <= 0.35 + 1e-9 and not place.any()
    assert np.linalg.norm(bag.boxes(0)[0, 0]) < 1e-3


BAG = {"name": "bag", "place": (0, 0, 0), "size": (0.3, 0.3, 0.3), "segments": ("head",)}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, "no gas"),
        ({"pressure": -1.0}, "pressure"),
        ({"pressure": 1e3, "size": (0.3, 0.0, 0.3)}, "half width"),
        ({"pressure": 1e3, "axis": (0, 0, 0)}, "zero vector"),
        ({"pressure": 1e3, "segments": ()}, "segments is empty"),
        ({"pressure": 1e3, "segments": ("head", "head")}, "twice"),
        ({"pressure": 1e3, "heat_ratio": 1.0}, "heat_ratio"),
        ({"inflator": Inflator(flow=FLOW)}, "belong together"),
    ],
)
def test_a_bag_that_makes_no_sense_is_refused(change, words):
    with pytest.raises(InputError, match=words):
        Airbag(**(BAG | change))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('["ball"]', '["bal"]', "no body 'bal'"),
        ('{ time = "5 ms" }', "{ }", "either a time or an acceleration"),
        ('{ time = "5 ms" }', '{ time = "5 ms", delay = "1 ms" }', "delay goes with an acceleration"),
        ('["45 ms", 0]', '["4 ms", 0]', "times must increase"),
        ('"2 kg/s"', '"-2 kg/s"', "negative mass flow"),
        ('segments = ["ball"]', "", "person is missing"),
        ('size = ["0.35 m", "0.33 m", "0.33 m"]', "", "size is missing"),
        ('"12 cm^2"', '"12 cm"', "an area"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(old, new, words):
    assert old in SCENE
    with pytest.raises(InputError, match=words):
        Scenario.from_toml(SCENE.replace(old, new)).check()
