"""Errors carry their exit code, survive a trip between processes, and suggest the nearest word."""

import pickle

import pytest

from vitruvian.errors import InputError, MissingExtra, SimulationError, VitruvianError, nearest


@pytest.mark.parametrize(("error", "exit_code"), [(InputError, 2), (MissingExtra, 2), (SimulationError, 1)])
def test_exit_codes(error, exit_code):
    assert issubclass(error, VitruvianError)
    assert error.exit_code == exit_code


def test_missing_extra_names_the_pip_command():
    text = str(MissingExtra("mujoco", "peers", "bench --peers"))
    assert text == (
        "bench --peers needs the package mujoco, which is not installed. "
        'Install it with: pip install "vitruvian[peers]"'
    )


@pytest.mark.parametrize("error", [InputError("wrong"), MissingExtra("mujoco", "peers", "bench --peers")])
def test_errors_pickle(error):
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)


@pytest.mark.parametrize(
    ("word", "choices", "suggestion"),
    [
        ("heigth", ["mass", "height"], ' Did you mean "height"?'),
        ("Height", ["mass", "height"], ' Did you mean "height"?'),
        ("KN", ["N", "kN", "MN"], ' Did you mean "kN"?'),
        ("Model", ["model", "Model"], ' Did you mean "Model"?'),
        ("colour", ["mass", "height"], ""),
        ("accel", ["velocity", "acceleration_local", "acceleration"], ' Did you mean "acceleration"?'),
        ("sensor", ["sensor_acceleration_local", "sensor_angular_velocity_local"], ""),
        ("height", [], ""),
    ],
)
def test_nearest(word, choices, suggestion):
    assert nearest(word, choices) == suggestion
