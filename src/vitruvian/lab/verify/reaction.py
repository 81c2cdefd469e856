"""Joint reactions: Newton's and Euler's laws of every body, and statics. SI units."""

from __future__ import annotations

import numpy as np

from ...human import human, place
from ...model import Body, Configuration, Contact, Joint, Plane, System
from ...model.compile import Compiled, compile_system
from ...model.system import GRAVITY
from ..evidence import Check
from ..example_system import Evaluation, evaluate, every_joint, random_configuration, unit_quaternion

G = -GRAVITY[2]


def residual(compiled: Compiled, found: Evaluation) -> tuple[float, float]:
    """Return the largest |sum of forces - m a| over the largest force, and the same of moments and dL/dt [-].

    The sums hold the joint's load from the parent, those of the children with opposite sign, weight and contact.
    """
    system, number = compiled.system, {name: i for i, name in enumerate(compiled.bodies)}
    forces, moments, sizes, moment_sizes = [], [], [], []
    for i, name in enumerate(compiled.bodies):
        body = system.body(name)
        turn, spin = found.rotation[i], found.spin[i]
        about = turn @ body.inertia @ turn.T
        force = body.mass * (found.acceleration[i] - np.array(system.gravity))
        moment = about @ found.angular_acceleration[i] + np.cross(spin, about @ spin)
        parts, turns = [force.copy()], [moment.copy()]
        for j, other in enumerate(compiled.bodies):
            joint = system.joint_of(other)
            sign = 1.0 if j == i else -1.0 if joint.parent is not None and number[joint.parent] == i else 0.0
            if sign:
                arm = found.joint_point[j] - found.position[i]
                parts.append(-sign * found.joint_force[j])
                turns.append(-sign * (found.joint_moment[j] + np.cross(arm, found.joint_force[j])))
        for c, (touching_body, _) in enumerate(compiled.pairs):
            if touching_body == name and found.touching[c]:
                parts.append(-found.contact_force[c])
                turns.append(-np.cross(found.contact_point[c] - found.position[i], found.contact_force[c]))
        forces.append(np.linalg.norm(sum(parts)))
        moments.append(np.linalg.norm(sum(turns)))
        sizes.append(max(float(np.linalg.norm(part)) for part in parts))
        moment_sizes.append(max(float(np.linalg.norm(part)) for part in turns))
    return float(max(forces) / max(sizes)), float(max(moments) / max(moment_sizes))


def _standing(rng: np.random.Generator) -> tuple[System, Configuration]:
    """Return a person pressed into the ground in a random posture, so that several segments touch it."""
    person = human(1.8, 80.0, tissue="linear-1")  # layered tissue this deep would push with thousands of kilonewtons
    start = place(person, "prone" if rng.random() < 0.5 else "standing", clearance=-0.02)
    root = start.coordinates["root"]
    turned = {joint.name: unit_quaternion(rng) for joint in person.system.joints if joint.type == "spherical"}
    rates = {j.name: tuple(rng.normal(scale=3.0, size=j.dof).tolist()) for j in person.system.joints}
    surface = Plane("ground", contact=Contact(stiffness=1e9))
    return person.system.replace(surfaces=(surface,)), Configuration({**turned, "root": (0.0, 0.0, *root[2:])}, rates)


def newton_euler(states: int = 20) -> list[Check]:
    """Newton and Euler of every body, from accelerations and joint reactions; explicit, and in an implicit step."""
    rng = np.random.default_rng(11)
    rows = []
    tree = compile_system(every_joint())
    for step in (0.0, 1e-4):
        worst, touched = np.zeros(2), 0
        for _ in range(states):
            system, start = _standing(rng)
            compiled = compile_system(system)
            found = evaluate(compiled, start, step=step)
            touched += int(found.touching.sum())
            worst = np.maximum(worst, residual(compiled, found))
        for kind, value in zip(("forces", "moments"), worst, strict=True):
            name = f"reactions of a person on the ground, {kind}, step {step:g} s"
            rows.append(
                Check.close(name, 0.0, value, 1e-10, "-", f"of the largest; {touched} contacts in {states} states")
            )
        worst = np.zeros(2)
        for _ in range(states):
            start = random_configuration(tree.system, rng)
            worst = np.maximum(worst, residual(tree, evaluate(tree, start, step=step)))
        for kind, value in zip(("forces", "moments"), worst, strict=True):
            rows.append(Check.close(f"reactions of all joint types, {kind}, step {step:g} s", 0.0, value, 1e-10))
    return rows


def hanging_chain(links: int = 10) -> list[Check]:
    """Each joint of a chain at rest carries the weight below it; a cantilever's clamp carries weight times arm."""
    rng = np.random.default_rng(13)
    bodies = tuple(Body(f"link{i}", float(rng.uniform(0.5, 2.0)), np.array([0.01, 0.01, 0.01])) for i in range(links))
    names = [None, *(body.name for body in bodies)]
    chain = tuple(
        Joint(f"joint{i}", "spherical", names[i], body.name, (0.0, 0.0, -0.1 if i else 0.0), (0.0, 0.0, 0.1))
        for i, body in enumerate(bodies)
    )
    found = evaluate(compile_system(System(bodies, chain)), Configuration())
    below = np.array([sum(body.mass for body in bodies[i:]) * G for i in range(links)])
    off = float(abs(found.joint_force - np.outer(below, [0.0, 0.0, 1.0])).max())
    rows = [Check.close("hanging chain: force of every joint", 0.0, off, 1e-12 * below[0], "N", "the weight below it")]

    # a beam of rigid joints, turned anyhow
    beam = tuple(
        Joint(f"clamp{i}", "rigid", names[i], body.name, (0.1 if i else 0.0, 0.0, 0.0), (-0.1, 0.0, 0.0))
        for i, body in enumerate(bodies)
    )
    clamped = evaluate(compile_system(System(bodies, beam)), Configuration())
    arms = np.array([0.1 + 0.2 * i for i in range(links)])
    expected = float(sum(body.mass * G * arm for body, arm in zip(bodies, arms, strict=True)))
    got = -float(clamped.joint_moment[0, 1])
    rows.append(
        Check.close("cantilever: moment of the clamp", expected, got, 1e-12 * expected, "N m", "weight times arm")
    )
    return rows
