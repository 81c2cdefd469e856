"""Quantities: the right factor for every unit, and a sentence for everything that is not a quantity."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vitruvian.errors import InputError, spelled
from vitruvian.units import LARGEST, UNITS, parse_unit, quantity, vector


# expected values from the definitions: inch 25.4 mm, pound 0.45359237 kg, g 9.80665 m/s^2
@pytest.mark.parametrize(
    ("text", "dimension", "expected"),
    [
        ("180 cm", "length", 1.8),
        ("6 ft", "length", 1.8288),
        ("10 in", "length", 0.254),
        ("80 kg", "mass", 80.0),
        ("176 lb", "mass", 79.83225712),
        ("5 g", "mass", 0.005),
        ("15 ms", "time", 0.015),
        ("20 deg", "angle", 0.3490658503988659),
        ("40 km/h", "velocity", 11.11111111111111),
        ("30 mph", "velocity", 13.4112),
        ("60 rpm", "angular velocity", 6.283185307179586),
        ("180 deg/s", "angular velocity", 3.141592653589793),
        ("5 g", "acceleration", 49.03325),
        ("180 deg/s^2", "angular acceleration", 3.141592653589793),
        ("10 kHz", "frequency", 10_000.0),
        ("4 kN", "force", 4000.0),
        ("1 lbf", "force", 4.4482216152605),
        ("12 N mm", "moment", 0.012),
        ("150 kN/m", "stiffness", 150_000.0),
        ("150 N/mm", "stiffness", 150_000.0),
        ("2 kN s/m", "damping", 2000.0),
        ("3 MN/m^1.5", "contact stiffness", 3e6),
        ("0.2 s/m", "contact damping", 0.2),
        ("3 N m/rad", "rotational stiffness", 3.0),
        ("1 N m/deg", "rotational stiffness", 57.29577951308232),
        ("8 N m s/rad", "rotational damping", 8.0),
        ("3 kg cm^2", "moment of inertia", 3e-4),
        ("1.05 g/cm^3", "density", 1050.0),
        ("0.0073 kg/cm", "mass per length", 0.73),
        ("2 kJ", "energy", 2000.0),
        ("17 GPa", "pressure", 1.7e10),
        ("60 %", "dimensionless", 0.6),
        ("18 months", "age", 1.5),
    ],
)
def test_known_values(text, dimension, expected):
    assert quantity(text, dimension) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "dimension", "expected"),
    [
        ("40km/h", "velocity", 40 / 3.6),
        ("  9.81  m/s2 ", "acceleration", 9.81),
        ("9.81 m/s²", "acceleration", 9.81),
        ("9.81 m/s**2", "acceleration", 9.81),
        ("9.81 m / s^2", "acceleration", 9.81),
        ("3 N·m/rad", "rotational stiffness", 3.0),
        ("3 N*m/rad", "rotational stiffness", 3.0),
        ("3 Nm/rad", "rotational stiffness", 3.0),
        ("5 µs", "time", 5e-6),
        ("-.5 m", "length", -0.5),
        ("+1e-3 m", "length", 1e-3),
        ("1.8", "length", 1.8),
        ("0.6 -", "dimensionless", 0.6),
    ],
)
def test_spellings(text, dimension, expected):
    assert quantity(text, dimension) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("number", [2, 2.0, np.float64(2), np.int64(2), np.float32(2)])
def test_bare_numbers_are_si(number):
    got = quantity(number, "length")
    assert got == 2.0
    assert type(got) is float


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("180 kg", 'human.height is "180 kg"; expected a length: m, cm, mm, ft, in'),
        ("180 CM", 'human.height is "180 CM"; expected a length: m, cm, mm, ft, in. Did you mean "cm"?'),
        ("180 furlong", 'human.height is "180 furlong"; expected a length: m, cm, mm, ft, in'),
        ("tall", 'human.height is "tall"; expected a length: m, cm, mm, ft, in'),
        ("", 'human.height is ""; expected a length: m, cm, mm, ft, in'),
        ("nan", 'human.height is "nan"; expected a length: m, cm, mm, ft, in'),
        ("5 ft 11 in", 'human.height is "5 ft 11 in"; expected a length: m, cm, mm, ft, in'),
        (
            "1,8 m",
            'human.height is "1,8 m"; expected a length: m, cm, mm, ft, in. '
            "Write a decimal point instead of the comma.",
        ),
        (True, "human.height is true; expected a length: m, cm, mm, ft, in"),
        (None, "human.height is nothing; expected a length: m, cm, mm, ft, in"),
        ([1.8], "human.height is [1.8]; expected a length: m, cm, mm, ft, in"),
        (math.nan, "human.height is nan; expected a finite number"),
        (-math.inf, "human.height is -inf; expected a finite number"),
        ("1e400 m", 'human.height is "1e400 m"; expected a finite number'),
    ],
)
def test_refusals(value, message):
    with pytest.raises(InputError) as caught:
        quantity(value, "length", "human.height")
    assert str(caught.value) == message


def test_an_integer_too_large_for_a_float_is_refused():
    with pytest.raises(InputError, match="expected a finite number"):
        quantity(10**400, "mass")


def test_a_wrong_dimension_is_the_programmers_mistake():
    with pytest.raises(ValueError, match='Did you mean "length"'):
        quantity(1.0, "lenght")


def test_vector():
    got = vector([0, "36 km/h", np.float64(-1.5)], "velocity", "human.start.velocity")
    assert got == (0.0, pytest.approx(10.0), -1.5)
    assert vector(np.array([1.0, 2.0]), "length", n=2) == (1.0, 2.0)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([0, 0], "start.velocity has 2 values; expected 3, each a velocity"),
        ("1 2 3", 'start.velocity is "1 2 3"; expected a list of 3 values, each a velocity'),
        (4.0, "start.velocity is 4.0; expected a list of 3 values, each a velocity"),
        ([0, 0, math.nan], "start.velocity[2] is nan; expected a finite number"),
        ([0, "2 m", 0], 'start.velocity[1] is "2 m"; expected a velocity: m/s, km/h, mm/s, mm/ms, ft/s, mph'),
    ],
)
def test_vector_refusals(value, message):
    with pytest.raises(InputError) as caught:
        vector(value, "velocity", "start.velocity")
    assert str(caught.value) == message


def test_parse_unit():
    assert parse_unit("cm") == (0.01, "length")
    assert parse_unit("kg/m3") == (1.0, "density")
    assert parse_unit("-") == (1.0, "dimensionless")
    assert parse_unit("g", "mass") == (1e-3, "mass")
    assert parse_unit("g", "acceleration") == (9.80665, "acceleration")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("g",), 'the unit "g" can be a mass or an acceleration; write the SI unit instead'),
        (("KN",), 'the unit "KN" is not known. Did you mean "kN"?'),
        (("cm", "mass"), 'the unit is "cm"; expected a mass: kg, g, t, lb'),
    ],
)
def test_parse_unit_refusals(arguments, message):
    with pytest.raises(InputError) as caught:
        parse_unit(*arguments)
    assert str(caught.value) == message


def test_first_unit_of_each_dimension_is_si():
    assert {dimension: next(iter(row.values())) for dimension, row in UNITS.items()} == dict.fromkeys(UNITS, 1.0)


EVERY_UNIT = [(unit, dimension) for dimension, row in UNITS.items() for unit in row]


@given(
    number=st.floats(min_value=-1e9, max_value=1e9, allow_nan=False),
    unit_and_dimension=st.sampled_from(EVERY_UNIT),
)
def test_every_number_in_every_unit_is_read_back(number, unit_and_dimension):
    unit, dimension = unit_and_dimension
    value = number * UNITS[dimension][unit]
    assume(abs(value) <= LARGEST.get(dimension, math.inf))
    assert quantity(f"{number!r} {unit}", dimension) == value


@given(unit_and_dimension=st.sampled_from(EVERY_UNIT), other=st.sampled_from(sorted(UNITS)))
def test_a_unit_of_another_dimension_is_refused(unit_and_dimension, other):
    unit, _ = unit_and_dimension
    if unit == "" or unit in UNITS[other]:
        return
    with pytest.raises(InputError, match="expected a"):
        quantity(f"1 {unit}", other)


@given(text=st.text(max_size=12))
def test_any_text_is_a_finite_number_or_an_input_error(text):
    try:
        assert math.isfinite(quantity(text, "length"))
    except InputError as error:
        assert spelled(text) in str(error)
