"""Ready pulses of sleds: their change of velocity, their corridor, and what is refused."""

from __future__ import annotations

import re

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.data import pulses, references, tree
from vitruvian.errors import InputError
from vitruvian.units import STANDARD_GRAVITY
from vitruvian.world import Pulse

SCENE = """
schema = 1
[sled]
{axis} = "{name}"
[[body]]
name = "b"
mass = 1
inertia = [1, 1, 1]
[solver]
duration = 0.01
"""


def pulse(name: str) -> Pulse:
    axis = tree("sled_pulses")[name]["axis"]
    row = Scenario.from_toml(SCENE.format(axis=axis, name=name)).table.sled
    return Pulse(**getattr(row, axis).given())


@pytest.mark.parametrize("name", pulses())
def test_a_pulse_is_what_its_description_says(name: str) -> None:
    words, found = pulses()[name], pulse(name)
    change = re.search(r"([\d.]+) (km/h|m/s)", words)
    peak = re.search(r"([\d.]+) g", words)
    assert change is not None and peak is not None
    factor = 3.6 if change[2] == "km/h" else 1.0
    assert abs(found.change) * factor == pytest.approx(float(change[1]), abs=0.51)
    assert np.abs(found.samples()[1]).max() / STANDARD_GRAVITY == pytest.approx(float(peak[1]), rel=0.01)
    item = tree("sled_pulses")[name]
    assert item["status"] in ("sourced", "recalled", "mixed", "estimated") and item["source"] in references()


@pytest.mark.parametrize(("name", "stop"), [("un-r129", (0.60, 0.70)), ("un-r16", (0.35, 0.45))])
def test_a_pulse_stops_the_sled_in_the_distance_of_its_regulation(name: str, stop: tuple[float, float]) -> None:
    times, values = pulse(name).samples()
    fine = np.linspace(0.0, times[-1], 20001)
    velocity = np.cumsum(np.interp(fine, times, values)) * fine[1]
    distance = float(np.sum(velocity - velocity[-1]) * fine[1])
    assert stop[0] - 0.005 < distance < stop[1] + 0.005


def test_the_frontal_pulse_is_inside_the_corridor() -> None:
    times, values = pulse("un-r129").samples()
    g = -np.array(values) / STANDARD_GRAVITY
    at = np.linspace(0.0, 0.12, 241)
    ours = np.interp(at, times, g, right=0.0)
    low = np.interp(at, [0.020, 0.050, 0.065, 0.100], [0.0, 20.0, 20.0, 0.0])
    high = np.interp(at, [0.0, 0.050, 0.080, 0.120], [10.0, 28.0, 28.0, 0.0])
    assert (ours >= low - 1e-9).all() and (ours <= high + 1e-9).all()


def test_unknown_names_and_wrong_axes_are_refused() -> None:
    with pytest.raises(InputError, match=r'sled.pulse is "un-r17"; accepted: un-r129, un-r16.*Did you mean'):
        Scenario.from_toml(SCENE.format(axis="pulse", name="un-r17"))
    with pytest.raises(InputError, match=r"sled.pulse: the pulse 'far-25.562-down' is one of sled.z"):
        Scenario.from_toml(SCENE.format(axis="pulse", name="far-25.562-down"))
