"""Fronts of vehicles and how they move: parts, curves, where they start, what is refused."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from itertools import pairwise
from math import cos, radians, sin

import numpy as np
import pytest

from vitruvian import Scenario, data
from vitruvian.errors import InputError
from vitruvian.lab.validate.impactors import ADULT, headform
from vitruvian.model import Contact, Ellipsoid
from vitruvian.model.contact import law_row
from vitruvian.model.contact_curve import SNAP
from vitruvian.world import Brake, front, fronts, positions, vehicle
from vitruvian.world.front_part import GRADES, PARTS, part_contact

SCENE = {
    "schema": 1,
    "human": {"height": 1.8, "mass": 80, "start": {"heading": "90 deg"}},
    "vehicle": {"front": "sedan", "speed": "40 km/h"},
    "surface": [{"name": "ground", "contact": "asphalt"}],
    "solver": {"duration": "0.05 s"},
}
BLOCK = {
    "schema": 1,
    "gravity": 0,
    "body": [
        {
            "name": "block",
            "mass": 20,
            "shapes": {"semi_axes": [0.2, 0.3, 0.4], "stiffness": 1e5},
            "start": {"position": [0, 0, 0.5]},
        }
    ],
    "vehicle": {"front": "sedan", "speed": 10},
    "solver": {"duration": "0.1 s"},
}


def changed(data, **changes):
    return Scenario(data).replace({path.replace("__", "."): value for path, value in changes.items()})


# --- fronts


@pytest.mark.parametrize("name", fronts())
def test_ready_fronts_go_from_below_upwards_and_back(name):
    ready = front(name)
    assert [part for part in PARTS if part in ready.parts] == list(dict.fromkeys(ready.parts))
    assert max(x for x, _ in ready.profile) == 0.0
    assert (np.diff([z for _, z in ready.profile]) > 0.0).all()
    assert (ready.surface().faces.normal[:, 0] > 0.0).all()  # every face looks ahead


def test_leading_edges_are_in_the_order_of_their_classes():
    height = {name: row["z_leading_edge"] for name, row in data.values("vehicle_front").items() if "z_bonnet" in row}
    assert height["sedan"] < height["small-car"] < 0.76 < height["suv"] < height["van"] <= 1.02  # [m]


@pytest.mark.parametrize("part", PARTS)
def test_curves_lose_energy_and_stiffer_grades_push_back_more(part):
    laws = []
    for grade in GRADES[:3]:  # of cars
        try:
            laws.append(part_contact(part, grade))
        except InputError as error:
            assert "accepted: " in str(error)
    assert laws
    for soft, stiff in pairwise(laws):
        for depth in (0.02, 0.05, 0.08):
            assert np.interp(depth, *np.array(soft.curve).T) < np.interp(depth, *np.array(stiff.curve).T)
    for law in laws:
        depth, force = np.array(law.curve).T
        stored = 0.5 * force[-1] ** 2 / law.unloading_stiffness
        assert stored < 0.35 * np.trapezoid(force, depth)


@pytest.mark.parametrize("name", ["bus", "tram"])
def test_flat_fronts_have_curves_of_a_panel_over_a_frame(name):
    """Curves of cars end soft: a tram at 124 km/h let a pelvis 0.5 m deep, a bus at 78 km/h an abdomen through."""
    ready, car = front(name).contacts, front("sedan").contacts
    for part in ("bumper", "leading_edge", "windscreen"):
        depth, force = np.array(ready[part].curve).T
        slope, last = np.diff(force) / np.diff(depth), (force[-1] - force[-2]) / (depth[-1] - depth[-2])
        assert ready[part] == part_contact(part, "heavy") != car[part]
        assert last == slope.max() >= 2e6
        assert depth[-1] <= 0.22 and force[-1] == 120e3
        for depth_of_both in (0.15, 0.2, 0.25):
            ours, theirs = (np.interp(depth_of_both, *np.array(law.curve).T) for law in (ready[part], car[part]))
            assert ours > theirs
        stored = 0.5 * force[-1] ** 2 / ready[part].unloading_stiffness
        assert stored < 0.35 * np.trapezoid(force, depth)
    assert front({"base": name, "grades": {"bumper": "medium"}}).contacts["bumper"] == part_contact("bumper", "medium")


@pytest.mark.parametrize("name", ["bus", "tram"])
@pytest.mark.parametrize("side", ["pedestrian-front", "pedestrian-side-left"])
def test_flat_fronts_stop_a_person_within_what_they_can_crush(name, side):
    """Up to 160 km/h nobody passes through; depth of flesh and front together."""
    changes = {"vehicle.front": name, "human.preset": "50M", "vehicle.speed": "160 km/h"}
    result = Scenario.load(side, changes).run(check=False)
    assert result.fine, result.recording.message
    assert max(row.depth for row in result.contacts() if row.other.startswith("front")) < 0.45


def test_a_front_without_an_edge_radius_gets_one_that_fits_its_ends():
    """A first segment of 141 mm was refused with the usual radius, which its round end uses up."""
    profile = [[-0.1, 0.25], [0, 0.35], [0, 0.55], [-0.1, 0.72], [-1.0, 0.95]]
    parts = ["spoiler", "bumper", "leading_edge", "bonnet"]
    made = front({"profile": profile, "parts": parts, "width": 1.7})
    assert 0.08 < made.edge_radius < 0.12


def test_glass_that_breaks_behind_soft_tissue_snaps():
    """The tissue cannot follow the fall of the glass: the force drops to where the depth in all is the same again."""
    glass = part_contact("windscreen")
    stiffness = 6e4
    pieces = law_row(glass, stiffness)[2][0]
    assert (np.diff(pieces[:, 0]) > 0.0).all()
    peak = int(np.argmax(np.diff(pieces[:, 1]) < 0.0))
    assert pieces[peak, 1] == max(force for depth, force in glass.curve if depth < 0.01)
    assert pieces[peak + 1, 0] == pytest.approx(pieces[peak, 0] + SNAP)
    depth = pieces[peak + 1, 0] - pieces[peak + 1, 1] / stiffness  # of the glass alone
    assert np.interp(depth, *np.array(glass.curve).T) == pytest.approx(pieces[peak + 1, 1])
    # the same law where the tissue can follow
    assert len(law_row(glass, 1e6)[2][0]) == len(glass.curve)


def test_tissue_restitution_is_the_slope_of_the_way_out():
    law = Contact(law="curve", curve=((0.0, 0.0), (0.1, 5000.0)), unloading_stiffness=1e6)
    row = {e: law_row(law.replace(tissue_restitution=e), 1e5)[1] for e in (1.0, 0.5)}
    slopes = {e: set(values) for e, values in row.items()}
    assert 1.0 / (1e-6 + 1e-5) in slopes[1.0]
    assert 1.0 / (1e-6 + 0.25e-5) in slopes[0.5]


def test_a_front_reads_back_from_its_table(tmp_path):
    mine = front({"base": "suv", "name": "mine", "grades": {"bonnet": "soft"}, "friction": 0.4, "width": "1.8 m"})
    assert front(mine.table()) == mine
    assert mine.contacts["bonnet"] == part_contact("bonnet", "soft", 0.4)
    text = 'base = "sedan"\nwidth = 1.6\n[contacts.bonnet]\nstiffness = 1e5\n'
    (tmp_path / "mycar.toml").write_text(text, encoding="utf-8")
    scenario = Scenario(SCENE | {"vehicle": {"front": "mycar.toml", "speed": 5}}, folder=tmp_path)
    again = Scenario(tomllib.loads(scenario.to_toml()))
    assert again == scenario
    assert again.table.vehicle[0].front["width"] == 1.6


def test_side_strips_run_along_bonnet_and_windscreen():
    """Both strips are the profile from the bonnet to the end of the windscreen, over the front by 5 mm."""
    sedan = front("sedan")
    left, right = sedan.strips()
    assert (left.name, right.name) == ("front_left", "front_right")
    assert left.parts == right.parts == ("wing", "pillar")
    assert left.place == (0.0, sedan.sides, 0.005) and right.place == (0.0, -sedan.sides, 0.005)
    corners = [sedan.profile[k] for k in range(len(sedan.parts)) if sedan.parts[k] in ("bonnet", "cowl", "windscreen")]
    assert list(left.profile[1:-1]) == corners
    assert left.profile[-1] == sedan.profile[sedan.parts.index("roof_edge")]
    assert front({"base": "sedan", "sides": 0}).strips() == front("bus").strips() == ()
    assert front({"base": "sedan", "width": 0.9}).sides == pytest.approx(0.5 * sedan.sides)
    assert front({"base": "sedan", "plan": [[-0.9, -0.1], [0.9, -0.1]]}).sides == 0.0


def test_the_cowl_is_where_bonnet_and_windscreen_meet():
    plain = data.values("vehicle_front")["sedan"]
    sedan = front("sedan")
    start = sedan.parts.index("cowl")
    before, base, behind = (np.array(sedan.profile[start + k]) for k in range(3))
    assert tuple(base) == (plain["x_windscreen"], plain["z_windscreen"])
    assert np.linalg.norm(base - before) == pytest.approx(plain["cowl"]) == np.linalg.norm(behind - base)


@pytest.mark.needs_jit
def test_a_headform_meets_more_on_cowl_wing_and_pillar_and_the_same_on_both_sides():
    """The force of a strip adds to that of the front; the middle of a front does not feel it."""
    car, bare = front("sedan"), front({"base": "sedan", "sides": 0})
    for part, least in (("bonnet", 1.5), ("windscreen", 5.0)):
        middle, left, right = (headform(car, ADULT, part, 0.5, y)[0] for y in (0.0, car.sides, -car.sides))
        assert middle == pytest.approx(headform(bare, ADULT, part, 0.5)[0], rel=1e-3)
        assert left == pytest.approx(right, rel=1e-3) and left > least * middle
    assert headform(car, ADULT, "cowl", 0.9)[0] > 1.5 * headform(car, ADULT, "bonnet", 0.5)[0]


CROSSING = [[-0.3, 0.2], [0, 0.5], [-0.3, 0.5], [-0.05, 0.3]]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("seden", 'accepted: small-car, sedan, .*Did you mean "sedan"'),
        ({"profile": [[0, 0.3], [0, 0.6]], "parts": ["bumper"]}, "width is missing"),
        ({"profile": CROSSING, "parts": ["bumper", "bonnet", "roof_edge"], "width": 1.7}, "crosses or touches"),
        (
            {"base": "sedan", "parts": ["bumper", "spoiler", *PARTS[2:6], *PARTS[5:]]},
            "'spoiler' comes after 'bumper'.*order is",
        ),
        (
            {"base": "sedan", "parts": ["bumpr", *PARTS[1:]]},
            r'parts\[0\]: the part "bumpr" is not known.*Did you mean "bumper"',
        ),
        ({"base": "sedan", "parts": ["bumper"]}, "1 names of segments for 9"),
        ({"base": "bus", "grades": {"bonnet": "soft"}}, '"bonnet" is not known; accepted: bumper'),
        ({"base": "bus", "grades": {"windscreen": "soft"}}, 'no grade "soft"; accepted: medium, stiff, heavy'),
        ({"base": "sedan", "sides": "89 cm"}, "sides is 0.89 m; accepted 0.12 to 0.84 m"),
        ({"base": "bus", "sides": "2 m"}, "accepted 0.12 to 1.215 m"),
        (
            {"profile": [[0, 0.3], [0, 0.6]], "parts": ["bumper"], "width": 1.7, "sides": 0.5},
            "along a bonnet or windscreen, and it has neither",
        ),
        ({"base": "sedan", "sides": 0.6, "plan": [[-0.9, -0.1], [0.9, -0.1]]}, "with a plan has no side strips"),
        ({"base": "sedan", "sides": 0, "grades": {"pillar": "stiff"}}, '"pillar" is not known'),
        ({"base": "sedan", "contacts": {"bonnet": {"stifness": 1e5}}}, "contacts.bonnet: .*Did you mean"),
        ({"profile": [[0.1, 0.3], [0.1, 0.6]], "parts": ["bumper"], "width": 1.7}, "foremost corner .* x = 0.1 m"),
        ({"profile": [[0, 0.6], [0, 0.3]], "parts": ["bumper"], "width": 1.7}, "from below upwards"),
        ({"profile": [[0, -0.1], [0, 0.3]], "parts": ["bumper"], "width": 1.7}, "below the ground"),
        ({"base": "sedan", "plan": [[-0.9, -0.1], [0, 0.1], [0.9, -0.1]]}, "moves the profile forward"),
        ({"base": "sedan", "plan": [[-0.5, -0.1], [0.5, -0.1]]}, "must go from -0.9 m to 0.9 m"),
        ({"base": "sedan", "colour": "red"}, "front.colour is not known"),
        ("nothing.toml", "there is no file"),
    ],
)
def test_refused_fronts(given, words):
    with pytest.raises(InputError, match=words):
        front(given)


def test_a_plan_keeps_faces_flat_and_its_middle_in_place():
    plan = ((-0.9, -0.2), (-0.5, -0.03), (0.0, 0.0), (0.5, -0.03), (0.9, -0.2))
    curved = front("sedan").replace(plan=plan, sides=0.0).surface()
    faces = curved.faces
    assert len(faces.faces) == 4 * 9
    for face, normal in zip(faces.faces, faces.normal, strict=True):
        corners = faces.vertices[list(face)]
        assert abs((corners - corners[0]) @ normal).max() < 1e-12
    assert faces.vertices[:, 0].max() == 0.0
    straight = front("sedan").surface().faces
    assert faces.vertices[faces.vertices[:, 1] == 0.0, ::2] == pytest.approx(straight.vertices[:10, ::2])


# --- where it starts


@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_the_front_touches_an_ellipsoid_where_it_should(turn):
    """A vertical face meets the rearmost point of a turned ellipsoid: centre minus sqrt(sum (a_i n_i)^2)."""
    wall = front({"profile": [[0, 0.0], [0, 3.0]], "parts": ["bumper"], "width": 2.0})
    axes = np.array([[cos(turn), 0, sin(turn)], [0, 1, 0], [-sin(turn), 0, cos(turn)]])
    ball = Ellipsoid((0.1, 0.2, 0.5))
    found = positions(wall, [("ball", [ball], (np.array([1.0, 0.3, 1.5]), axes))])
    assert found["ball"] == pytest.approx(1.0 - np.hypot(0.1 * cos(turn), 0.5 * sin(turn)), abs=1e-4)
    assert positions(wall, [("ball", [ball], (np.array([1.0, 1.3, 1.5]), axes))]) == {}


@pytest.mark.parametrize("name", fronts())
def test_the_first_body_is_found_without_the_others(name):
    """Bodies that are certainly met later are left out; the place of the first is the same to the last bit."""
    random, car = np.random.default_rng(0), front(name)
    for _ in range(10):
        bodies = [
            (
                str(k),
                [Ellipsoid(tuple(random.uniform(0.05, 0.4, 3)))],
                (random.uniform([-1, -1, 0.2], [1, 1, 1.8]), np.eye(3)),
            )
            for k in range(12)
        ]
        way = {"heading": float(random.uniform(0.0, 6.0)), "lateral": float(random.uniform(-0.3, 0.3))}
        every, some = positions(car, bodies, **way), positions(car, bodies, **way, first=True)
        assert min(some.values()) == min(every.values()) and some.keys() <= every.keys()


@pytest.mark.needs_jit
@pytest.mark.parametrize("heading", ["0 deg", "90 deg", "180 deg"])
@pytest.mark.parametrize("name", ["sedan", "van", "tram"])
def test_the_gap_is_the_time_of_touch(name, heading):
    """The engine's own geometry finds the first touch after gap/speed."""
    still = {"human__joints": "none", "gravity": 0}  # nothing moves the person before the touch
    scenario = changed(SCENE, human__start__heading=heading, vehicle__front=name, vehicle__gap="20 cm", **still)
    events = scenario.run().recording.events
    first = min(event.time for event in events if event.surface.startswith("front"))
    assert first == pytest.approx(0.2 / (40.0 / 3.6), abs=2e-5)


@pytest.mark.needs_jit
def test_a_way_may_have_any_heading():
    """The same impact along another way is the same impact."""
    ahead, askew = (
        changed(SCENE, vehicle__heading=f"{angle} deg", human__start__heading=f"{90 + angle} deg").run()
        for angle in (0, 130)
    )
    turn = radians(130.0)
    head = ahead.recording.bodies.index("head")
    there = ahead.recording.position[-1, head]
    expected = [cos(turn) * there[0] - sin(turn) * there[1], sin(turn) * there[0] + cos(turn) * there[1], there[2]]
    assert askew.recording.position[-1, head] == pytest.approx(expected, abs=1e-4)


def test_a_vehicle_that_starts_inside_the_person_is_refused():
    with pytest.raises(
        InputError, match=r"vehicle: position is 0 m, and there .* inside left_\w+; accepted up to -0\.\d+"
    ):
        changed(SCENE, vehicle__position=0).build()
    with pytest.raises(InputError, match=r"gap is -0\.1 m: .*inside the person"):
        changed(SCENE, vehicle__gap="-10 cm").build()
    with pytest.raises(InputError, match="both gap and position"):
        changed(SCENE, vehicle__gap=0.1, vehicle__position=-3).build()
    with pytest.raises(InputError, match="passes without contact"):
        changed(SCENE, vehicle__lateral="3 m").build()
    changed(SCENE, vehicle__position="-2 m").build()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"vehicle.speed": -3}, "speed is -3 m/s"),
        ({"vehicle.mass": 0}, "vehicle.mass is 0; it must be greater than 0"),
        ({"vehicle.brake": {"deceleration": 0}}, "deceleration is 0.0 m/s2"),
        ({"vehicle.brake": {"deceleration": 7, "from": -1}}, "brake.from is -1.0 s"),
        ({"vehicle.brake": {"deceleration": 7, "pitch": 1}}, "pitch is 1 rad"),
        ({"vehicle.brake": {"deceleration": 7, "pitch": 0.02}, "vehicle.mass": 1400}, "pitch goes with a vehicle"),
        ({"vehicle.brake": {"deceleration": 7}, "vehicle.speed": 0}, "stands already"),
        ({"vehicle.front": "lorry"}, 'vehicle.front is "lorry"; accepted: small-car'),
        ({"vehicle.grades": {"bonnet": "hard"}}, 'vehicle.grades.bonnet is "hard"; accepted: soft, medium, stiff'),
        ({"vehicle.rule": "points"}, "vehicle.rule .*accepted: surface"),
        ({"vehicle.colour": "red"}, "vehicle.colour is not known"),
    ],
)  # fmt: skip
def test_refused_vehicles(changes, words):
    with pytest.raises(InputError, match=words):
        Scenario(SCENE).replace(changes).build()


# --- how it moves


def speeds(brake, mass=None, time=(0.05, 0.3, 0.6, 3.0)):
    """Speed of a vehicle alone at some times [m/s]."""
    data = {
        "schema": 1,
        "body": [{"name": "far", "mass": 1, "shapes": {"semi_axes": [1, 1, 1]}, "start": {"position": [99, 0, 0.5]}}],
        "gravity": 0,
        "vehicle": {"front": "sedan", "speed": 10, "position": 0, "brake": brake} | ({"mass": mass} if mass else {}),
        "solver": {"duration": 3},
    }  # fmt: skip
    recording = Scenario(data).run().recording
    at = recording.bodies.index("vehicle")
    return [float(np.interp(t, recording.pose_time, recording.velocity[:, at, 0])) for t in time], recording


@pytest.mark.needs_jit
@pytest.mark.parametrize("mass", [None, 1400])
def test_braking_from_a_time_until_it_stands(mass):
    found, recording = speeds({"deceleration": 8, "from": "0.2 s", "rise": "1 ms"}, mass)
    assert found == pytest.approx([10.0, 9.2, 6.8, 0.0], abs=0.01)
    at = recording.bodies.index("vehicle")
    stopping = recording.position[-1, at, 0]
    assert stopping == pytest.approx(2.0 + 100.0 / 16.0, abs=0.01)  # v t + v^2/2a


@pytest.mark.needs_jit
@pytest.mark.parametrize("mass", [None, 1400])
def test_the_deceleration_builds_up(mass):
    """Linearly within 0.2 s: half of what the full one would take away; a slow vehicle stands before that."""
    found, _ = speeds({"deceleration": 8, "from": "0.2 s"}, mass)
    assert found == pytest.approx([10.0, 10.0 - 8.0 * 0.1**2 / 0.4, 10.0 - 8.0 * 0.3, 0.0], abs=0.01)
    with pytest.raises(InputError, match=r"brake\.rise is 0 s; accepted above 0"):
        Brake(8.0, rise=0.0)


def test_a_slow_vehicle_stands_before_its_brakes_pull_fully():
    (way,) = vehicle(front("sedan"), 0.3, 0.0, brake=Brake(8.0, 0.5, 0.2)).joint.motion
    pull = way.values[-1]
    assert -8.0 < pull < 0.0 and 0.3 + 0.5 * pull * (way.times[-1] - 0.5) == pytest.approx(0.0)


@pytest.mark.needs_jit
def test_pitch_lowers_the_nose_about_its_point():
    _, recording = speeds({"deceleration": 8, "pitch": "2 deg"})
    at = recording.bodies.index("vehicle")
    angle = radians(2.0)
    # the foremost point on the ground, 2 m before and 0.5 m below the point about which it turns
    height = 0.5 - 2.0 * sin(angle) - 0.5 * cos(angle)
    assert recording.position[0, at, 2] == pytest.approx(height, abs=1e-9)
    assert recording.position[-1, at, 2] == pytest.approx(height, abs=1e-9)
    _, later = speeds({"deceleration": 8, "pitch": "2 deg", "from": "0.5 s"})
    assert later.position[0, at, 2] == pytest.approx(0.0, abs=1e-9)
    assert later.position[-1, at, 2] == pytest.approx(height, abs=1e-6)


@pytest.mark.needs_jit
def test_a_finite_mass_is_slowed_by_what_it_strikes():
    """Momentum along the way is kept; the lighter the vehicle the more it is slowed."""
    light, heavy = (changed(BLOCK, vehicle__mass=mass).run().recording for mass in (200, 1400))
    for recording, mass in ((light, 200.0), (heavy, 1400.0)):
        block, car = (recording.bodies.index(name) for name in ("block", "vehicle"))
        momentum = 20.0 * recording.velocity[-1, block, 0] + mass * recording.velocity[-1, car, 0]
        assert momentum == pytest.approx(mass * 10.0, rel=1e-6)
        assert recording.velocity[-1, block, 0] > 5.0
    assert light.velocity[-1, 1, 0] < heavy.velocity[-1, 1, 0] < 10.0


def test_rails_are_prescribed_and_mass_is_free():
    sedan = front("sedan")
    assert vehicle(sedan, 10.0, -1.0).joint.motion is not None
    assert vehicle(sedan, 10.0, -1.0, mass=1200.0).joint.motion is None
    assert replace(Brake(7.0), pitch=0.02).pitch == 0.02
