"""Contact between bodies, carried surfaces and friction laws: what a scenario may say, and what is refused."""

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.kernels import layout
from vitruvian.model import Body, BodyContact, Box, Capsule, Configuration, Contact, Ellipsoid, Joint, Plane, System
from vitruvian.model.compile import compile_system
from vitruvian.scenario import Scenario
from vitruvian.sim.simulate import simulate

BALL = Ellipsoid((0.1, 0.1, 0.1), stiffness=1e5)


def pair(**changes):
    bodies = tuple(Body(name, 1.0, np.ones(3), (BALL,)) for name in ("one", "two"))
    joints = tuple(Joint(f"{name}_root", "free", None, name) for name in ("one", "two"))
    options = {"contacts": (BodyContact("hit", ("one",), ("two",)),), "gravity": (0.0, 0.0, 0.0)} | changes
    return System(bodies, joints, **options)


def scenario(text):
    head = "schema = 1\n[solver]\nduration = 0.1\n"
    ball = '[[body]]\nname = "ball"\nmass = 1\nshapes = { semi_axes = [0.1, 0.1, 0.1] }\n'
    return Scenario.from_toml(head + ball + text, name="test")


def test_bodies_are_coupled_and_driven_ones_are_not():
    assert compile_system(pair()).model.candidate[:, layout.candidate.COUPLED].tolist() == [1]
    plane = Plane("wall", carrier="two")
    compiled = compile_system(pair(contacts=(), surfaces=(plane,)))
    assert compiled.pairs == (("one", "wall"),)  # not with its own carrier
    assert compiled.model.candidate[:, layout.candidate.COUPLED].tolist() == [1]


def test_joined_bodies_do_not_touch():
    bodies = tuple(Body(name, 1.0, np.ones(3), (BALL,)) for name in "abc")
    joints = (
        Joint("root", "free", None, "a"),
        Joint("j1", "spherical", "a", "b", (0, 0, 0.2)),
        Joint("j2", "spherical", "b", "c", (0, 0, 0.2)),
    )
    names = ("a", "b", "c")
    compiled = compile_system(System(bodies, joints, contacts=(BodyContact("self", names, names),)))
    assert compiled.pairs == (("a", "c"),)


def test_overlap_at_rest_is_taken_off():
    place = Configuration({"one_root": (0.15, 0, 0, 1, 0, 0, 0)})
    resting = pair(contacts=(BodyContact("hit", ("one",), ("two",), rest=(place,)),))
    assert compile_system(resting).model.candidate_offset == pytest.approx([-0.05], abs=1e-12)


def test_a_box_stands_on_its_corners_and_a_capsule_on_its_ends():
    for shape, points in ((Box((0.2, 0.2, 0.2), stiffness=1e5), 8), (Capsule(0.1, 0.3, stiffness=1e5), 2)):
        body = Body("b", 1.0, np.ones(3), (shape,))
        system = System((body,), (Joint("root", "free", None, "b"),), surfaces=(Plane("ground"),))
        assert len(compile_system(system).pairs) == points


@pytest.mark.needs_jit
def test_sampled_surface_is_stiffer_with_more_points():
    # thesis section 5.3 and E051: a force at every point in contact, so ten times the points, a fraction of the depth
    depths = {}
    for points in (0, 100, 1000):
        ball = Ellipsoid((0.2, 0.2, 0.2), stiffness=1e5, points=points)
        body = Body("ball", 1.0, ball.inertia(1.0), (ball,))
        system = System((body,), (Joint("root", "free", None, "ball"),), surfaces=(Plane("ground"),))
        start = Configuration({"root": (0, 0, 0.201, 1, 0, 0, 0)}, {"root": (0, 0, -2.0, 0, 0, 0)})
        depths[points] = simulate(system, start, duration=0.03, pose_rate=1e5).contact_depth.max()
    assert depths[1000] < 0.7 * depths[100] and depths[1000] < 0.7 * depths[0]
    with pytest.raises(InputError, match="points is 3; accepted 0"):
        Ellipsoid((0.2, 0.2, 0.2), points=3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"friction_law": "bristle"}, "needs a tangent_stiffness"),
        ({"friction_law": "viscous"}, "needs a tangent_damping"),
        ({"friction_law": "glue"}, "accepted: coulomb, bristle"),
        ({"stiffness": -1.0}, "stiffness"),
        ({"restitution": 1.2}, "accepted 0 to 1"),
        ({"restitution": 0.0}, "0.01 to 1"),
    ],
)
def test_refused_contacts(options, words):
    with pytest.raises(InputError, match=words):
        Contact(**options)


def test_unknown_bodies_are_named():
    with pytest.raises(InputError, match="contact 'hit': there is no body 'tow'"):
        pair(contacts=(BodyContact("hit", ("one",), ("tow",)),))
    with pytest.raises(InputError, match="carrier: there is no body 'truck'"):
        pair(surfaces=(Plane("wall", carrier="truck"),))
    with pytest.raises(InputError, match="names no body"):
        BodyContact("hit", (), ("one",))


def test_rigid_on_rigid_is_refused():
    bodies = tuple(Body(name, 1.0, np.ones(3), (Ellipsoid((0.1, 0.1, 0.1)),)) for name in ("one", "two"))
    joints = tuple(Joint(f"{name}_root", "free", None, name) for name in ("one", "two"))
    with pytest.raises(InputError, match="finite stiffness"):
        compile_system(System(bodies, joints, contacts=(BodyContact("hit", ("one",), ("two",)),)))


def test_shapes_in_a_scenario():
    text = '[[body]]\nname = "{0}"\nmass = 1\nshapes = {1}\n'
    for name, shape in (
        ("box", '{ kind = "box", size = ["20 cm", 0.2, 0.2] }'),
        ("capsule", '{ kind = "capsule", radius = 0.1, length = 0.2 }'),
        ("cylinder", '{ kind = "cylinder", radius = 0.1, length = 0.2 }'),
        ("sphere", '{ kind = "sphere", radius = 0.1 }'),
        ("superellipsoid", '{ kind = "superellipsoid", semi_axes = [0.1, 0.1, 0.2], exponents = [4, 4] }'),
    ):
        system, _ = scenario(text.format(name, shape)).build()
        assert system.body(name).shapes[0].kind == name
    with pytest.raises(InputError, match="radius is missing; the shape sphere needs it"):
        scenario(text.format("ball2", '{ kind = "sphere" }')).build()
    with pytest.raises(InputError, match="length does not fit the shape sphere"):
        scenario(text.format("ball2", '{ kind = "sphere", radius = 0.1, length = 1 }')).build()


def test_people_and_bodies_in_a_scenario():
    text = '[[contact]]\nname = "hit"\nbetween = ["human", "ball"]\ncontact = {{ stiffness = "100 kN/m" }}\n'
    person = "[human]\nheight = 1.8\nmass = 80\nself_contact = {}\n"
    system, _ = scenario(text.format() + person.format("true")).build()
    hit = next(contact for contact in system.contacts if contact.name == "hit")
    assert "left_hand" in hit.one and hit.other == ("ball",)
    own = next(contact for contact in system.contacts if contact.name == "self")
    assert own.one == own.other and len(own.rest) == 2
    with pytest.raises(InputError, match="self_contact"):
        scenario(person.format('"concret"')).build()
    with pytest.raises(InputError, match="there is no body 'bal'"):
        scenario(text.format().replace('"ball"', '"bal"') + person.format("false")).build()


@pytest.mark.needs_jit
def test_surfaces_that_hover_at_a_touch_do_not_hold_up_the_run():
    """The thighs of a man in flight just touch, without approach; each step was 10 us long because of them."""
    system, start = Scenario.load("fall-4m", {"human.self_contact": True}).build()
    assert simulate(system, start, duration=0.2, rate=1000.0).steps < 1000
