"""Left and right are mirror images: a mirrored scenario gives the mirrored motion.

The horizon is free flight and the first contacts, 0.1 s. Left and right are summed in another order, so the two runs
differ in the last digits; later a fall is chaotic, and what it makes of them would say nothing. Steps are fixed: the
last digit may decide whether an adaptive step is taken or repeated, which alone makes a difference of some 1e-7 m.
"""

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from vitruvian.human import human, place, posture
from vitruvian.human.mirror import mirrored_name, mirrored_point, mirrored_quaternion, mirrored_rotation
from vitruvian.human.posture import joint_names
from vitruvian.model import Configuration, held_at
from vitruvian.sim.simulate import simulate
from vitruvian.world import plane

pytestmark = pytest.mark.needs_jit

MIRROR = np.array([1.0, -1.0, 1.0])
AXIAL = np.array([1.0, -1.0, 1.0, -1.0])
vector = st.tuples(*[st.floats(-1.0, 1.0)] * 3)


def mirrored_start(start):
    coordinates, rates = {}, {}
    for joint, values in start.coordinates.items():
        if joint == "root":
            coordinates[joint] = (*mirrored_point(values[:3]), *mirrored_quaternion(values[3:]))
        else:
            coordinates[mirrored_name(joint)] = mirrored_quaternion(values) if len(values) == 4 else values
    for joint, values in start.rates.items():
        if joint == "root":
            rates[joint] = (*mirrored_point(values[:3]), *mirrored_rotation(values[3:]))
        else:
            rates[mirrored_name(joint)] = mirrored_rotation(values) if len(values) == 3 else values
    return Configuration(coordinates, rates)


def ground(normal, contact):
    return plane("ground", contact, normal=tuple(float(x) for x in normal / np.linalg.norm(normal)))


# without shrinking, which would take minutes
@settings(max_examples=12, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(
    sex=st.sampled_from(["male", "female"]),
    age=st.one_of(st.just(30.0), st.floats(3.0, 90.0)),
    percentile=st.floats(5.0, 95.0),
    joints=st.sampled_from(["recommended", "thesis-corrected", "silva", "silva-dummy"]),
    hinges=st.sampled_from(["spherical", "revolute"]),
    bent=st.dictionaries(st.sampled_from(joint_names()), vector, min_size=4, max_size=12),
    turning=st.dictionaries(st.sampled_from(joint_names()), vector, min_size=2, max_size=12),
    lean=vector,
    velocity=vector,
    spin=vector,
    slope=st.tuples(st.floats(-0.4, 0.4), st.floats(-0.4, 0.4)),
    contact=st.sampled_from(["concrete", "gym-mat", "wood-floor", "asphalt"]),
)
def test_a_mirrored_scenario_gives_the_mirrored_motion(
    sex, age, percentile, joints, hinges, bent, turning, lean, velocity, spin, slope, contact
):
    person = human(sex=sex, age=age, percentile=percentile, joints=joints, hinges=hinges)
    held = posture({"joints": {joint: [0.25 * x for x in turn] for joint, turn in bent.items()}, "orientation": lean})
    normal = np.array([*slope, 1.0])
    surface = ground(normal, contact)
    downwards = tuple(v - 4.0 * n for v, n in zip(velocity, (0.0, 0.0, 1.0), strict=True))
    start = place(
        person, held, clearance=0.02, velocity=downwards, angular_velocity=spin, plane=(surface.point, surface.normal)
    )
    types = {joint.name: joint.type for joint in person.system.joints}
    rates = {
        joint: tuple(3.0 * x for x in turn) if types[joint] == "spherical" else (3.0 * turn[1],)
        for joint, turn in turning.items()
    }
    start = start.replace(rates=rates)

    runs = []
    for begin, side in ((start, surface), (mirrored_start(start), ground(normal * MIRROR, contact))):
        system = held_at(person.system.replace(surfaces=(side,)), begin)
        runs.append(simulate(system, begin, duration=0.1, adaptive=False, step=1e-4, rate=1000.0, pose_rate=1000.0))
    one, other = runs
    assert one.status == other.status == "finished"
    assert one.events, "something touched"
    swap = [one.bodies.index(mirrored_name(body)) for body in one.bodies]
    assert np.abs(one.position[:, swap] * MIRROR - other.position).max() < 1e-9
    turned = one.orientation[:, swap] * AXIAL
    same = np.minimum(np.abs(turned - other.orientation).max(axis=2), np.abs(turned + other.orientation).max(axis=2))
    assert same.max() < 1e-9
