"""Flexibility by age and sex: the published means come back, and it falls with age."""

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.human import human
from vitruvian.human.flexibility import flexindex, flexindex_ratio, movements, range_of_motion, range_ratio


def test_the_published_means_come_back():
    assert flexindex(55.5, "male") == 30.5
    assert flexindex(55.5, "female") == 41.1
    assert np.degrees(range_of_motion("hip_flexion", 5.0, "male")) == pytest.approx(131.1)
    assert np.degrees(range_of_motion("knee_flexion", 32.0, "female")) == pytest.approx(141.9)


def test_a_year_costs_what_the_source_says():
    assert flexindex(50.0, "male") - flexindex(51.0, "male") == pytest.approx(0.008 * 30.5)
    assert flexindex(50.0, "female") - flexindex(51.0, "female") == pytest.approx(0.006 * 41.1)
    assert range_of_motion("hip_flexion", 77.0, "male") == pytest.approx(
        range_of_motion("hip_flexion", 57.0, "male") * (1.0 - 0.008 * 20.0)
    )


def test_women_are_more_flexible_and_the_old_less():
    for age in (10.0, 30.0, 60.0, 90.0):
        assert flexindex(age, "female") > flexindex(age, "male")
    ratios = [flexindex_ratio(age, "male") for age in (10.0, 32.0, 60.0, 90.0)]
    assert ratios[1] == 1.0 and (np.diff(ratios) < 0.0).all()
    for movement in movements():
        for sex in ("male", "female"):
            old = [range_of_motion(movement, age, sex) for age in (57.0, 69.0, 90.0)]
            assert (np.diff(old) < 0.0).all(), movement


def test_reference_is_one_and_hyperextension_is_left_alone():
    for movement in movements():
        assert range_ratio(movement, 32.0, "male") == 1.0
    assert range_ratio("knee_extension", 80.0, "female") == 1.0


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: flexindex(30.0, "mal"), 'Did you mean "male"'),
        (lambda: flexindex(1.0, "male"), "accepted 2 to 95 years"),
        (lambda: range_of_motion("hip_flexon", 30.0, "male"), 'Did you mean "hip_flexion"'),
        (lambda: range_ratio("knee_extension", 300.0, "male"), "accepted 2 to 95"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_a_person_of_sixty_has_the_limits_of_sixty():
    young, old = human(1.8, 80.0).system, human(1.8, 80.0, age=60, flexibility="age").system

    def limit(system, joint, side, axis):
        return getattr(system.joint(joint).resistance, f"limit_{side}")["xyz".index(axis)]

    ratio = range_ratio("hip_flexion", 60.0, "male")
    for side in ("left", "right"):
        name = f"{side}_hip"
        assert limit(old, name, "minus", "y") == pytest.approx(ratio * limit(young, name, "minus", "y"))
    assert limit(old, "right_elbow", "plus", "z") == pytest.approx(
        range_ratio("forearm_pronation", 60.0, "male") * limit(young, "right_elbow", "plus", "z")
    )
    # what nobody measured by the mean of the others; hinges stay hinges
    assert 0.9 < limit(old, "lumbar", "plus", "y") / limit(young, "lumbar", "plus", "y") < 1.0
    assert limit(old, "right_knee", "plus", "x") == limit(young, "right_knee", "plus", "x")
    assert limit(old, "right_knee", "minus", "y") == limit(young, "right_knee", "minus", "y")


@pytest.mark.parametrize("more", [{}, {"age": 40, "joints": "silva"}, {"age": 40, "joints": None}])
def test_flexibility_by_age_needs_an_age_and_limits(more):
    with pytest.raises(InputError, match="needs an age and the joints recommended"):
        human(1.8, 80.0, flexibility="age", **more)
