"""Women, children and the elderly: proportions, masses and joint ranges, and who is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vitruvian import data
from vitruvian.errors import InputError
from vitruvian.human import body_mass, human, place, presets, stature
from vitruvian.human.flexibility import range_ratio
from vitruvian.human.mass import TRUNK, _divided, count, segment_masses
from vitruvian.human.proportion import ARM, LEG, STACK, adult, proportions, sitting_height
from vitruvian.model import Ellipsoid
from vitruvian.model.pose import centre_of_mass, lowest_distance, segment_poses

sexes = st.sampled_from(["male", "female"])
ages = st.floats(2.0, 90.0)
people = st.tuples(sexes, ages, st.floats(1.0, 99.0), st.sampled_from(["us", "cz"]))


def somebody(who):
    sex, age, percentile, population = who
    return human(sex=sex, age=age, percentile=percentile, population=population)


# any person


@settings(max_examples=60, deadline=None)
@given(people)
def test_anybody_has_the_height_and_the_mass_asked_for(who) -> None:
    """And volume x density = mass, the left side mirrors the right, no mass or length is negative."""
    person = somebody(who)
    sized = person.dimensions
    assert person.height == stature(*who) and person.mass == body_mass(*who)
    assert abs(person.system.mass - person.mass) < 1e-12 * person.mass
    poses = segment_poses(person.system, place(person, "standing"))
    top = -lowest_distance(person.system, poses, (0.0, 0.0, 0.0), (0.0, 0.0, -1.0))
    bottom = lowest_distance(person.system, poses, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert top - bottom == pytest.approx(person.height, abs=1e-12)
    assert sum(sized.length[name] for name, _ in STACK) == pytest.approx(person.height, abs=1e-12)
    geometry = data.values("segment_geometry", person.sex)
    whole = {name: person.system.body(name).mass for name in person.segments}
    for joint in person.system.joints:
        if joint.name.endswith("_slide"):  # a segment slides on a link, which has a part of its mass
            whole[joint.child] += person.system.body(joint.parent).mass
    for name, mass in whole.items():
        plain = name.removeprefix("left_").removeprefix("right_")
        assert Ellipsoid(sized.semi_axes[plain]).volume * geometry[plain]["density"] == pytest.approx(mass, rel=1e-12)
    for name, (position, _) in poses.items():
        if name.startswith("left_"):
            assert np.abs(position * [1, -1, 1] - poses[name.replace("left_", "right_")][0]).max() < 1e-14
    assert centre_of_mass(person.system, poses)[1] == pytest.approx(0.0, abs=1e-14)
    assert min(sized.length.values()) > 0 and min(sized.masses.values()) > 0
    masses = [m for name, m in sized.masses.items() for _ in range(count(name))]
    assert list(whole.values()) == pytest.approx(masses, rel=1e-15)


@settings(max_examples=40, deadline=None)
@given(people)
def test_centre_of_mass_of_anybody_is_in_the_pelvis_or_just_above(who) -> None:
    """0.53 to 0.60 of the height: higher in children, whose heads are heavy."""
    person = somebody(who)
    poses = segment_poses(person.system, place(person, "standing"))
    assert 0.52 < centre_of_mass(person.system, poses)[2] / person.height < 0.62


@settings(max_examples=40, deadline=None)
@given(people)
def test_joints_join_and_their_ends_do_not_pass_each_other(who) -> None:
    sized = somebody(who).dimensions
    heights = [sized.place[joint][2] for _, joint in STACK if joint is not None]
    assert (np.diff(heights) > 0).all()
    assert sized.place["shoulder"][2] < sized.place["lower_neck"][2]
    assert sized.place["wrist"][2] - sized.length["hand"] > 0.25 * sized.height


# women


def test_a_woman_has_the_table_of_women() -> None:
    woman, man = human(1.70, 65, sex="female", mass_law="fractions"), human(1.70, 65)
    table = data.values("segment_mass", "female")
    for row in woman.mass_table():
        assert row.by_law == pytest.approx(65 * table[row.segment]["mass_fraction"])
    ours = human(1.70, 65, sex="female", mass_law="by-age").dimensions.masses
    rest = [m / woman.dimensions.masses[name] for name, m in ours.items() if name not in ("head", "neck")]
    assert np.ptp(rest) < 1e-12 and rest[0] == pytest.approx(1.0, abs=0.005)
    assert woman.dimensions.length["shank"] == pytest.approx(0.2475 * 1.70)
    assert woman.dimensions.masses["thigh"] > man.dimensions.masses["thigh"]
    assert abs(woman.dimensions.place["shoulder"][1]) < abs(man.dimensions.place["shoulder"][1])


def test_heads_of_women_hardly_go_with_their_mass() -> None:
    """At the reference body the fraction of deleva1996; a woman of twice the mass has not twice the head."""
    fractions = human(1.66, 62, sex="female", mass_law="fractions").dimensions.masses
    law = {"mass_law": "by-age"}
    assert human(1.66, 62, sex="female", **law).dimensions.masses == pytest.approx(fractions, rel=2e-4)
    light, heavy = (human(1.66, mass, sex="female", **law).dimensions.masses["head"] for mass in (45, 90))
    assert 1.1 < heavy / light < 1.25
    men = [human(1.66, mass).mass_table()[4] for mass in (45, 90)]
    assert heavy / light == pytest.approx(men[1].by_law / men[0].by_law, rel=1e-3)
    child, small, man = (human(preset=name, **law).dimensions.masses["head"] for name in ("6YO", "5F", "50M"))
    assert child < small < man
    assert small == pytest.approx(3.73, rel=0.15)  # of the dummy (hybrid3)


def test_a_woman_of_the_reference_has_the_printed_moments() -> None:
    """1.66 m, 62 kg: the ellipsoids of the reference table, to its digits."""
    moments = human(1.66, 62, sex="female", mass_law="by-age").dimensions.moments
    assert moments["thigh"] == pytest.approx([0.10543, 0.10543, 0.03486], rel=2e-3)
    assert moments["head"] == pytest.approx([0.0126, 0.01506, 0.01008], rel=1e-2)


def test_a_woman_without_an_age_has_the_ranges_of_young_women() -> None:
    woman, man = human(1.7, 65, sex="female").system, human(1.7, 65).system
    one, other = (system.joint("right_elbow").resistance.limit_minus[1] for system in (woman, man))
    assert one / other == pytest.approx(range_ratio("elbow_flexion", 32.0, "female"))
    assert human(1.7, 65, sex="female", joints="silva").flexibility == "reference"


# children


@pytest.mark.parametrize("sex", ["male", "female"])
def test_children_are_not_small_adults(sex) -> None:
    """The younger, the larger the head and the shorter the legs; sitting height is the one of the table."""
    years = [2, 3, 4, 6, 8, 10, 12]
    shapes = [proportions(sex, age) for age in (*years, None)]
    heads = [shape.length["head"] for shape in shapes]
    legs = [sum(shape.length[name] for name in LEG) for shape in shapes]
    assert (np.diff(heads) < 0).all()
    assert (np.diff(legs[:-1]) > 0).all()
    assert heads[0] > 1.6 * heads[-1]
    grown = 1.0 - sum(adult("male").length[name] for name in LEG)
    for age, leg in zip(years, legs, strict=False):
        assert 1.0 - leg == pytest.approx(grown * sitting_height(age) / sitting_height(None))


def test_a_head_is_almost_grown_at_six() -> None:
    """0.92 of its size at 18 for a child that will be as tall as the median; the body has two thirds of its height."""
    child, grown = (human(sex="male", age=age, percentile=50).dimensions for age in (6, 18))
    assert child.length["head"] / grown.length["head"] == pytest.approx(0.92, rel=1e-9)
    assert child.height / grown.height == pytest.approx(0.655, abs=0.005)


@pytest.mark.parametrize("sex", ["male", "female"])
def test_heads_grow(sex) -> None:
    """The head of the median child gains mass and volume all the way from 2 to 20 years, none of it in a jump."""
    years = np.arange(2.0, 20.01, 0.25)
    sizes = [(stature(sex, age), body_mass(sex, age)) for age in years]
    rows = [segment_masses(*size, sex=sex, age=age) for age, size in zip(years, sizes, strict=True)]
    masses = np.array([row.mass for found in rows for row in found if row.segment == "head"])
    axes = [
        tall * np.array(proportions(sex, age).semi_axes["head"]) for age, (tall, _) in zip(years, sizes, strict=True)
    ]
    volumes = np.prod(axes, axis=1)
    assert (np.diff(masses) > 0).all() and (np.diff(volumes) > 0).all()
    assert np.diff(masses).max() < 0.06


def test_heads_of_boys_agree_with_other_sources() -> None:
    """Head and neck within 8 % of jensen1986 at 6 and 12 years; heads within 12 % of the dummies'."""
    for age, share in ((6, 0.18164), (12, 0.1008)):
        child = human(sex="male", age=age, percentile=50)
        both = child.dimensions.masses["head"] + child.dimensions.masses["neck"]
        assert both == pytest.approx(share * child.mass, rel=0.08)
    assert human(preset="6YO").dimensions.masses["head"] == pytest.approx(3.47, rel=0.12)
    assert human(0.945, 15.47, age=3).dimensions.masses["head"] == pytest.approx(2.69, rel=0.12)


@pytest.mark.parametrize("age", [6.0, 12.0, 15.0])
def test_the_body_of_a_child_divides_as_jensen_says(age) -> None:
    masses = human(sex="male", age=age, percentile=50).dimensions.masses
    rows = {row.item: row.si for row in data.table("segment_mass_age") if row.age_group == f"{age:g}"}
    trunk = sum(masses[name] for name in TRUNK)
    for name in ("upper_arm", "forearm", "hand", "thigh", "shank", "foot"):
        assert masses[name] / trunk == pytest.approx(rows[name] / rows["trunk"], rel=1e-12)


@pytest.mark.parametrize("sex", ["male", "female"])
def test_nothing_jumps_with_a_birthday(sex) -> None:
    """Segment masses and places are continuous at every knot of the laws: same height and mass, a minute older."""
    for age, height, mass in (
        (6, 1.15, 21),
        (12, 1.5, 41),
        (15, 1.65, 55),
        (18, 1.7, 62),
        (64, 1.7, 75),
        (70, 1.7, 75),
    ):
        one, other = (human(height, mass, sex=sex, age=age + step).dimensions for step in (-1e-6, 1e-6))
        for name in one.masses:
            assert one.masses[name] == pytest.approx(other.masses[name], abs=1e-4), (age, name)
            assert one.centre[name] == pytest.approx(other.centre[name], abs=1e-5), (age, name)


@pytest.mark.parametrize("age", [2, 4, 6, 9, 12])
def test_feet_of_children_are_feet(age) -> None:
    """Half as broad as long or less, their soles on the floor, their tops near the ankle joint."""
    for percentile in (5, 50, 95):
        sized = human(sex="female", age=age, percentile=percentile).dimensions
        long, broad, high = sized.semi_axes["foot"]
        assert 0.35 < broad / long < 0.65
        assert sized.centre["foot"][2] == high
        assert 2.0 * high / sized.place["ankle"][2] == pytest.approx(1.0, abs=0.35)


def test_girls_are_built_as_boys_until_twelve() -> None:
    """Below the trunk in fractions of the stature; the heads are of one size in metres to six years."""
    girl, boy = proportions("female", 8.0).length, proportions("male", 8.0).length
    for name in (*LEG, *(segment for segment, _ in ARM)):
        assert girl[name] == pytest.approx(boy[name])
    law = {"mass_law": "by-age"}
    heads = [human(sex=sex, age=5, percentile=50, **law).dimensions.masses["head"] for sex in ("male", "female")]
    assert heads[0] == pytest.approx(heads[1])
    assert proportions("female", 17.9999).length["shank"] == pytest.approx(0.2475, abs=1e-4)


# the elderly


@pytest.mark.parametrize("sex", ["male", "female"])
def test_the_elderly_divide_as_jensen_and_fletcher_say(sex) -> None:
    masses = human(1.65, 70, sex=sex, age=75, mass_law="by-age").dimensions.masses
    fractions = _divided("elderly", sex)
    below = 70 - masses["head"] - masses["neck"]
    for name, value in fractions.items():
        assert masses[name] == pytest.approx(value * below, rel=1e-12)
    grown = {row.segment: row.mass for row in segment_masses(1.65, 70, sex=sex)}
    assert masses["head"] == pytest.approx(grown["head"]) and masses["thigh"] < grown["thigh"]


# joint ranges


def test_children_bend_further_and_the_old_less() -> None:
    """Hip flexion and knee flexion of men, over those of 20 to 44 years; the mirror image on the left."""
    limits = {}
    for age in (5, 32, 80):
        system = human(sex="male", age=age, percentile=50).system
        limits[age] = [
            system.joint("right_knee").resistance.limit_plus[1],
            -system.joint("left_hip").resistance.limit_minus[1],
        ]
    assert limits[5][0] > limits[32][0] > limits[80][0]
    assert limits[5][0] == pytest.approx(limits[32][0] * range_ratio("knee_flexion", 5, "male"))
    assert limits[80][1] == pytest.approx(limits[32][1] * range_ratio("hip_flexion", 80, "male"))


@settings(max_examples=40, deadline=None)
@given(sexes, ages)
def test_limits_of_anybody_enclose_zero_and_stay_below_half_a_turn(sex, age) -> None:
    person = human(sex=sex, age=age, percentile=50)
    for joint in person.system.joints[1:]:
        assert joint.resistance is not None
        assert max(joint.resistance.limit_minus) <= 0.0 <= min(joint.resistance.limit_plus)
        if joint.name.endswith("_slide"):  # [m]
            ends = joint.resistance.limit_plus[: joint.dof]
            assert ends == tuple(-end for end in joint.resistance.limit_minus[: joint.dof])
            assert max(ends) < 0.05 * person.height
        else:
            assert max(joint.resistance.limit_plus) < np.pi and min(joint.resistance.limit_minus) > -np.pi


def test_stiffness_goes_with_the_mass_and_damping_with_mass_and_height() -> None:
    child = human(preset="6YO")
    one, other = (system.joint("left_hip").resistance for system in (human(1.8, 80).system, child.system))
    ratio = child.mass / 80
    assert np.array(other.stiffness) / one.stiffness == pytest.approx(ratio)
    assert np.array(other.damping) / one.damping == pytest.approx(ratio * child.height / 1.8)


@pytest.mark.needs_jit
@pytest.mark.parametrize("who", [{"preset": "6YO"}, {"sex": "female", "age": 80, "percentile": 30}])
def test_anybody_in_free_flight_keeps_momentum_and_energy(who) -> None:
    from vitruvian.lab.verify.momentum import drifts
    from vitruvian.model import Configuration

    rng = np.random.default_rng(8)
    system = human(joints=None, **who).system.replace(gravity=(0.0, 0.0, 0.0))
    rates = {joint.name: tuple(rng.normal(scale=3.0, size=joint.dof).tolist()) for joint in system.joints}
    kept = drifts(system, Configuration(rates=rates), 0.3, method="dormand-prince", tolerance=1e-11, max_step=0.01)
    assert kept.max() < 1e-9


# presets and what overrides what


@pytest.mark.parametrize(
    ("preset", "sex", "age", "height", "mass"),
    [
        ("50M", "male", None, 69.0 * 0.0254, 172.3 * 0.45359237),
        ("5F", "female", None, 59.1 * 0.0254, 108.0 * 0.45359237),
        ("95M", "male", None, 1.88, 223 * 0.45359237),
        ("6YO", "male", 6.0, 45.0 * 0.0254, 51.6 * 0.45359237),
    ],
)
def test_presets_are_the_sizes_of_dummies(preset, sex, age, height, mass) -> None:
    person = human(preset=preset)
    assert (person.sex, person.age) == (sex, age)
    assert (person.height, person.mass) == pytest.approx((height, mass))
    assert preset in presets()


def test_height_and_mass_go_before_percentile_and_preset() -> None:
    assert human("150 cm", sex="female", age=35, percentile=5).height == 1.5
    assert human("150 cm", sex="female", age=35, percentile=5).mass == body_mass("female", 35, 5)
    assert human(mass=70, preset="50M").mass == 70 and human(mass=70, preset="50M").height == pytest.approx(1.7526)
    assert human(preset="50M", age=70).age == 70
    assert human(sex="female", age=10).mass == body_mass("female", 10, 50)  # the median where only an age is said
    assert human(age=10, population="cz").height == stature("male", 10, 50, "cz")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {},
            "human.height is missing. Give height and mass; or sex and age",
        ),
        ({"height": 1.8}, "human.mass is missing"),
        (
            {"height": 1.6, "mass": 60, "age": 35, "percentile": 5},
            "human.percentile is 5, but height and mass are both",
        ),
        ({"height": 1.6, "mass": 60, "preset": "5F"}, "human.preset is 5F, but height and mass are both given"),
        ({"percentile": 5}, "human.percentile is 5; it needs an age"),
        ({"age": 35, "percentile": 0}, "human.percentile is 0; accepted 1 to 99"),
        ({"age": 35, "percentile": 5, "population": "eu"}, 'human.population is "eu"; accepted: us, cz'),
        ({"height": 1.8, "mass": 80, "population": "cz"}, "nothing is taken from a population"),
        ({"preset": "5M"}, 'human.preset is "5M"; accepted: 50M, 5F, 95M, 6YO'),
        ({"preset": "5F", "sex": "male"}, "human.sex is 'male', but the preset 5F is female"),
        ({"preset": "5F", "percentile": 5}, "a preset has its own size"),
        ({"preset": "5F", "population": "cz"}, "a preset has its own size"),
        ({"preset": "6YO", "age": 35}, "the preset 6YO is of 6 years"),
        ({"preset": "5F", "age": 6}, "the preset 5F is an adult"),
        ({"preset": "50M", "height": 1.2}, "human.height is 1.2 m; accepted 1.45 m"),
        ({"height": 1.2, "mass": 12, "age": 6}, "human.mass is 12 kg; accepted"),
        ({"height": 1.3, "mass": 16, "age": 6}, "body mass index of 9.5 kg/m2; accepted 11 to 40"),
        ({"age": 35, "percentile": 5, "name": "anna", "population": "x"}, "human 'anna': population"),
    ],
)
def test_contradictions_are_refused(options, message) -> None:
    with pytest.raises(InputError) as error:
        human(**options)
    assert message in str(error.value)
