"""The laboratory in one state: every formulation gives the engine's accelerations and joint reactions."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.human import human
from vitruvian.lab.example_system import (
    ROD,
    Evaluation,
    evaluate,
    every_joint,
    loaded,
    pendulum,
    random_body,
    random_configuration,
    random_joint,
)
from vitruvian.lab.formulations import FORMULATIONS, Mechanism, Stabilisation, kkt, simulate
from vitruvian.lab.formulations.catalogue import applies, make
from vitruvian.lab.formulations.constraint import Constraints, joint_coordinates
from vitruvian.lab.formulations.euler_angles import EulerAngles
from vitruvian.lab.formulations.euler_parameters import Formulation1
from vitruvian.lab.formulations.formulation import Absolute, Singular
from vitruvian.lab.formulations.jacobian import Coloured, colours
from vitruvian.lab.formulations.natural import Natural, basic_mass
from vitruvian.lab.formulations.orientation import (
    cross,
    euler_angles,
    euler_global_matrix,
    euler_local_matrix,
    euler_local_matrix_rate,
    euler_rotation,
    exponential,
    global_matrix,
    local_matrix,
    local_matrix_rate,
    parameters,
    product,
    rotation_matrix,
)
from vitruvian.lab.formulations.problem import Dependent
from vitruvian.lab.formulations.solvers import known, tableau
from vitruvian.lab.formulations.stabilise import Solution
from vitruvian.lab.formulations.start import consistent, projected
from vitruvian.model import Configuration, Joint, Resistance, System, Table
from vitruvian.model.compile import Compiled, compile_system
from vitruvian.scenario import Scenario

SPATIAL = [name for name in FORMULATIONS if name != "planar"]


def tree(seed: int = 5) -> tuple[System, Configuration]:
    """Every joint type with springs, loads and contact, in a random state."""
    system = loaded(every_joint())
    return system, random_configuration(system, np.random.default_rng(seed))


def difference(found: np.ndarray, wanted: np.ndarray) -> float:
    return float(abs(found - wanted).max() / abs(wanted).max())


def reactions_differ(mechanism: Mechanism, compiled: Compiled, wanted: Evaluation, loads: tuple) -> tuple[float, float]:
    force, moment = loads
    row = {joint.name: k for k, joint in enumerate(mechanism.joints)}
    rows = [row[name] for name in compiled.joints if name in row]
    bodies = [i for i, name in enumerate(compiled.joints) if name in row]
    return (
        difference(force[rows], wanted.joint_force[bodies]),
        difference(moment[rows] + wanted.joint_torque[bodies], wanted.joint_moment[bodies]),
    )


@pytest.mark.parametrize("linear", ["dense", "elimination", "sparse"])
@pytest.mark.parametrize("reference", ["centre", "joint"])
@pytest.mark.parametrize("name", SPATIAL)
def test_accelerations_and_multipliers_are_those_of_the_engine(name: str, reference: str, linear: str) -> None:
    system, start = tree()
    mechanism, compiled = Mechanism(system), compile_system(system)
    wanted = evaluate(compiled, start)
    assert wanted.touching.any()
    options = {} if name == "natural" else {"reference": reference}
    formulation = make(mechanism, name, **options)
    q, v = formulation.coordinates(mechanism.at(start))
    x, multiplier = kkt.solver(linear)(formulation.equations(0.0, q, v))
    if isinstance(formulation, Absolute):
        table_q, table_v = formulation.split(q, v)
        rate = formulation.accelerations(x).reshape(mechanism.n, -1)[:, 3:]
        alpha = np.einsum("nij,nj->ni", formulation.spin_matrix(table_q), rate) + formulation.spin_bias(
            table_q, table_v
        )
        assert difference(alpha, wanted.angular_acceleration) < 1e-12
    else:
        assert isinstance(formulation, Natural)
        assert difference(formulation.centre @ x.reshape(-1, 3), wanted.acceleration) < 1e-12
    force, moment = reactions_differ(mechanism, compiled, wanted, formulation.reactions(0.0, q, v, multiplier))
    assert force < 1e-11
    assert moment < 1e-11


def off_the_sphere(formulation: Absolute, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same motion with Euler parameters of length 1.05 that grow at 0.3/s, where they are velocities, too."""
    n = formulation.mechanism.n
    q, v = q.reshape(n, -1).copy(), v.reshape(n, -1).copy()
    if formulation.coordinate_rates:
        v[:, 3:] = 1.05 * v[:, 3:] + 0.3 * q[:, 3:]
    q[:, 3:] *= 1.05
    return q.ravel(), v.ravel()


PARAMETERS = [name for name in SPATIAL if name.startswith("euler-parameters")]


@pytest.mark.parametrize("reference", ["centre", "joint"])
@pytest.mark.parametrize("name", PARAMETERS)
def test_the_norm_of_the_euler_parameters_changes_no_motion(name: str, reference: str) -> None:
    """Item 11: spin, accelerations and reactions off the unit sphere are those of the engine."""
    system, start = tree()
    mechanism, compiled = Mechanism(system), compile_system(system)
    wanted = evaluate(compiled, start)
    formulation = make(mechanism, name, reference=reference)
    motion = mechanism.at(start)
    q, v = off_the_sphere(formulation, *formulation.coordinates(motion))
    found = formulation.motion(q, v)
    assert np.allclose(found.spin, motion.spin, atol=1e-12)
    assert np.allclose(found.velocity, motion.velocity, atol=1e-12)
    x, multiplier = kkt.dense(formulation.equations(0.0, q, v))
    table_q, table_v = formulation.split(q, v)
    rate = formulation.accelerations(x).reshape(mechanism.n, -1)[:, 3:]
    spun = np.einsum("nij,nj->ni", formulation.spin_matrix(table_q), rate)
    assert difference(spun + formulation.spin_bias(table_q, table_v), wanted.angular_acceleration) < 1e-12
    assert max(reactions_differ(mechanism, compiled, wanted, formulation.reactions(0.0, q, v, multiplier))) < 1e-11


@pytest.mark.parametrize("name", SPATIAL)
def test_the_spin_is_that_of_the_orientation_off_the_constraints(name: str) -> None:
    """Item 11: by central differences, with |p| or the shape of natural coordinates some hundredths off."""
    system, start = tree()
    mechanism = Mechanism(system)
    formulation = make(mechanism, name)
    rng = np.random.default_rng(6)
    q, v = (x + 0.02 * rng.normal(size=x.shape) for x in formulation.coordinates(mechanism.at(start)))
    h, rate = 1e-6, formulation.rates(q, v)
    before, now, after = (formulation.motion(q + t * rate, v) for t in (-h, 0.0, h))
    whirl = (after.rotation - before.rotation) / (2 * h) @ np.swapaxes(now.rotation, 1, 2)
    spin = np.stack((whirl[:, 2, 1], whirl[:, 0, 2], whirl[:, 1, 0]), axis=1)
    assert np.allclose(now.spin, spin, atol=1e-7)
    assert np.allclose((after.position - before.position) / (2 * h), now.velocity, atol=1e-7)


@pytest.mark.parametrize("name", PARAMETERS)
def test_constraint_rates_are_derivatives_off_the_unit_sphere(name: str) -> None:
    """Item 11: dC/dt and d2C/dt2 = J x - gamma by central differences; dC/dt had the wrong sign at |p| = 1.05."""
    system, start = tree()
    mechanism = Mechanism(system)
    formulation = make(mechanism, name)
    rng = np.random.default_rng(3)
    q, v = off_the_sphere(formulation, *formulation.coordinates(mechanism.at(start)))
    v = v + rng.normal(size=v.shape)  # velocities that the joints forbid
    equations = formulation.equations(0.0, q, v)
    acceleration = formulation.accelerations(kkt.dense(equations)[0])
    m, h = formulation.constraints.m, 1e-6

    def near(t: float) -> tuple[np.ndarray, np.ndarray]:
        value, rate, _, _ = formulation.violation(0.0, q + t * formulation.rates(q, v), v + t * acceleration)
        return value[:m], rate[:m]

    before, after = near(-h), near(h)
    assert difference((after[0] - before[0]) / (2 * h), equations.rate) < 1e-7
    # the accelerations solve J x = gamma, that is d2C/dt2 = 0
    assert abs(after[1] - before[1]).max() / (2 * h) < 1e-7 * abs(acceleration).max()


@pytest.mark.parametrize("name", ["euler-parameters-1", "euler-parameters-3", "euler-angles"])
def test_driven_joints_need_the_force_that_the_engine_says(name: str) -> None:
    rng = np.random.default_rng(8)
    kinds = [("a", "free", None), ("b", "revolute", "a"), ("c", "spherical", "b"), ("d", "universal", "c")]
    kinds += [("e", "cylindrical", "d"), ("f", "planar", "e"), ("g", "prismatic", "f"), ("h", "spherical", "g")]
    joints = [random_joint(kind, parent, child, rng) for child, kind, parent in kinds]
    moved = []
    for joint in joints[:-1]:
        tables = tuple(Table((0.0, 0.2, 0.5, 0.9), tuple(rng.normal(size=4)), "position") for _ in range(joint.dof))
        moved.append(Joint(**{**joint.__dict__, "motion": tables}))
    system = System(tuple(random_body(child, rng) for child, _, _ in kinds), (*moved, joints[-1]))
    start = Configuration(rates={joints[-1].name: (1.0, -2.0, 0.5)})
    compiled, mechanism = compile_system(system), Mechanism(system)
    wanted = evaluate(compiled, start, time=0.3)
    formulation = make(mechanism, name)
    motion = mechanism.at(start, 0.3)
    q, v = formulation.coordinates(motion)
    equations = formulation.equations(0.3, q, v)
    assert abs(equations.value).max() < 1e-13
    assert abs(equations.rate).max() < 1e-12
    _, multiplier = kkt.dense(equations)
    force, moment = reactions_differ(mechanism, compiled, wanted, formulation.reactions(0.3, q, v, multiplier))
    assert max(force, moment) < 1e-11


def test_rows_of_table_3_1_and_their_derivatives() -> None:
    system = every_joint()
    mechanism = Mechanism(system)
    rng = np.random.default_rng(4)
    motion = mechanism.at(random_configuration(system, rng))
    constraints = Constraints(mechanism)
    count = {"spherical": 3, "cylindrical": 4, "prismatic": 5, "universal": 4, "rigid": 6, "revolute": 5, "planar": 3}
    count["translational"] = 3
    for k, joint in enumerate(mechanism.joints):
        assert constraints.first[k + 1] - constraints.first[k] == count[joint.type]
    # any motion, also one that violates the joints: C, dC/dt and gamma belong together
    spin, accel = rng.normal(size=(2, mechanism.n, 3))
    velocity, push = rng.normal(size=(2, mechanism.n, 3))

    def at(t: float):
        turn = product(exponential(spin * t + 0.5 * accel * t * t), motion.orientation)
        from vitruvian.lab.formulations import Motion

        # the angular velocity of exp(a(t)) for small t, to second order
        angle, rate = spin * t + 0.5 * accel * t * t, spin + accel * t
        world_spin = rate + 0.5 * cross(angle, rate) + cross(angle, cross(angle, rate)) / 6.0
        place = motion.position + velocity * t + 0.5 * push * t * t
        return Motion(place, turn, velocity + push * t, world_spin)

    h = 1e-4
    rows = constraints.rows(at(0.0), 0.0)
    before, after = constraints.rows(at(-h), 0.0), constraints.rows(at(h), 0.0)
    assert np.allclose((after.value - before.value) / (2 * h), rows.rate, atol=1e-6)
    bodies = np.concatenate((np.concatenate((push, accel), axis=1), np.zeros((1, 6))))
    jacobian = np.concatenate((rows.linear, rows.angular), axis=2)
    expected = np.einsum("msk,msk->m", jacobian, bodies[constraints.body]) - rows.gamma
    assert np.allclose((after.rate - before.rate) / (2 * h), expected, atol=1e-5)


def test_matrices_of_the_parametrisations() -> None:
    rng = np.random.default_rng(1)
    p = rng.normal(size=(5, 4))
    p /= np.linalg.norm(p, axis=1)[:, None]
    rate = rng.normal(size=(5, 4))
    rate -= p * (p * rate).sum(axis=1)[:, None]
    turn = rotation_matrix(p)
    assert np.allclose(turn, global_matrix(p) @ np.swapaxes(local_matrix(p), 1, 2))  # eq. 3.61
    assert np.allclose(turn @ np.swapaxes(turn, 1, 2), np.eye(3))
    assert np.allclose(parameters(turn, p), p)
    h = 1e-6
    change = (rotation_matrix(p + h * rate) - rotation_matrix(p - h * rate)) / (2 * h)
    whirl = change @ np.swapaxes(turn, 1, 2)
    spin = 2.0 * np.einsum("nij,nj->ni", global_matrix(p), rate)
    assert np.allclose(np.stack((whirl[:, 2, 1], whirl[:, 0, 2], whirl[:, 1, 0]), axis=1), spin, atol=1e-8)
    # off the unit sphere, with a rate that leaves it (item 11)
    long, away = 1.05 * p, rate + 0.4 * p
    whirl = (rotation_matrix(long + h * away) - rotation_matrix(long - h * away)) / (2 * h) @ np.swapaxes(turn, 1, 2)
    spin = 2.0 * np.einsum("nij,nj->ni", global_matrix(long), away)
    assert np.allclose(np.stack((whirl[:, 2, 1], whirl[:, 0, 2], whirl[:, 1, 0]), axis=1), spin, atol=1e-8)
    assert np.allclose(np.swapaxes(turn, 1, 2) @ global_matrix(long), local_matrix(long))
    numeric = (local_matrix(long + h * away) - local_matrix(long - h * away)) / (2 * h)
    assert np.allclose(local_matrix_rate(long, away), numeric, atol=1e-8)
    # Euler angles: eqs 3.9, 3.16, 3.18 (E001), 3.35
    angles, rates = rng.uniform(0.2, 2.8, size=(5, 3)), rng.normal(size=(5, 3))
    turn = euler_rotation(angles)
    assert np.allclose(euler_angles(turn, angles), angles)
    assert np.allclose(np.swapaxes(turn, 1, 2) @ euler_global_matrix(angles), euler_local_matrix(angles))
    whirl = (
        (euler_rotation(angles + h * rates) - euler_rotation(angles - h * rates)) / (2 * h) @ np.swapaxes(turn, 1, 2)
    )
    spin = np.einsum("nij,nj->ni", euler_global_matrix(angles), rates)
    assert np.allclose(np.stack((whirl[:, 2, 1], whirl[:, 0, 2], whirl[:, 1, 0]), axis=1), spin, atol=1e-8)
    numeric = (euler_local_matrix(angles + h * rates) - euler_local_matrix(angles - h * rates)) / (2 * h)
    assert np.allclose(euler_local_matrix_rate(angles, rates), numeric, atol=1e-8)


def test_natural_mass_matrix_is_the_integral() -> None:
    """Eq. 7 with E069 against a sum over point masses, for any basis."""
    rng = np.random.default_rng(2)
    points, masses = rng.normal(size=(50, 3)), rng.uniform(0.1, 1.0, 50)
    points -= masses @ points / masses.sum()
    inertia = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, points, strict=True))
    origin, base = rng.normal(size=3), rng.normal(size=(3, 3))
    c = (points - origin) @ np.linalg.inv(base).T
    weights = np.concatenate((1.0 - c[:, :1], c), axis=1)
    expected = np.einsum("p,pa,pb->ab", masses, weights, weights)
    assert np.allclose(basic_mass(masses.sum(), inertia, origin, base), expected)


def test_counts_of_the_seeds() -> None:
    person = Mechanism(human(1.8, 80.0, axial="rigid").system)
    motion = person.at()
    formulation = make(person, "euler-parameters-1")
    counts = formulation.counts(0.0, *formulation.coordinates(motion))
    assert counts["unknowns"] == 136
    assert counts["multipliers"] == 48
    assert counts["degrees_of_freedom"] == 54
    natural = make(person, "natural")
    counts = natural.counts(0.0, *natural.coordinates(motion))
    assert counts["coordinates"] == 4 * 3 + 16 * 9
    assert counts["degrees_of_freedom"] == 54
    system, start = Scenario.load("free-flight-11").build()
    chain = Mechanism(system)
    planar = make(chain, "planar")
    counts = planar.counts(0.0, *planar.coordinates(chain.at(start)))
    assert (counts["coordinates"], counts["multipliers"], counts["degrees_of_freedom"]) == (33, 20, 13)


def test_silvas_joints_cost_no_equations() -> None:
    """A ball joint shares its point, a hinge also its axis: only the bodies' own equations are left."""
    rng = np.random.default_rng(3)
    bodies = (random_body("a", rng), random_body("b", rng), random_body("c", rng), random_body("d", rng))
    joints = (
        random_joint("free", None, "a", rng),
        random_joint("spherical", "a", "b", rng),
        random_joint("revolute", "b", "c", rng),
        random_joint("rigid", "c", "d", rng),
    )
    formulation = Natural(Mechanism(System(bodies, joints)))
    assert formulation.nodes.count == 4 + 3 + 2 + 0
    assert len(formulation.owner) == 6 + 6 + 5 + 0


def test_moment_along_the_points_needs_another_arm() -> None:
    """The special case after eq. 12: any moment, along r_ij too, turns the body as it should."""
    body = random_body("a", np.random.default_rng(6))
    mechanism = Mechanism(System((body,), (Joint("root", "free", None, "a"),)))
    formulation = Natural(mechanism)
    motion = mechanism.at()
    q, _ = formulation.coordinates(motion)
    along = formulation._frames(q.reshape(-1, 3))[0, :, 0]
    for moment in (along, np.array([0.3, -0.2, 0.9])):
        g = formulation.couples(motion, q, moment[None])
        for axis in np.eye(3):
            # virtual power in a unit spin about each axis
            _, v = formulation.coordinates(
                type(motion)(motion.position, motion.orientation, 0 * motion.spin, axis[None])
            )
            assert g.ravel() @ v == pytest.approx(moment @ axis, abs=1e-12)


def test_singular_angles_name_the_body() -> None:
    mechanism = Mechanism(human(1.8, 80.0).system)
    with pytest.raises(Singular, match="nutation of pelvis") as caught:
        EulerAngles(mechanism, offset="none").coordinates(mechanism.at())
    assert caught.value.body == "pelvis"
    assert "Use Euler parameters" in caught.value.reason
    formulation = EulerAngles(mechanism)
    q, _ = formulation.coordinates(mechanism.at())
    assert np.allclose(q.reshape(-1, 6)[:, 4], 0.5 * np.pi)


def test_projection_moves_as_little_as_can_be() -> None:
    """The projected velocity differs from the given one by something M-orthogonal to all that joints allow."""
    system = every_joint()
    mechanism = Mechanism(system)
    rng = np.random.default_rng(9)
    motion = mechanism.at(random_configuration(system, rng))
    wrong = type(motion)(
        motion.position + rng.normal(scale=0.01, size=motion.position.shape),
        product(exponential(rng.normal(scale=0.01, size=motion.spin.shape)), motion.orientation),
        motion.velocity + rng.normal(scale=0.1, size=motion.position.shape),
        motion.spin + rng.normal(scale=0.1, size=motion.spin.shape),
    )
    constraints = Constraints(mechanism)
    found, report = consistent(constraints, wrong)
    assert report.position > 1e-3
    assert report.position_after < 1e-12
    assert report.velocity_after < 1e-12
    assert "projected" in report.sentence
    kept, report = consistent(constraints, wrong, project=False)
    assert kept is wrong
    assert report.sentence.endswith("and was kept.")
    again = projected(constraints, found, 0.0)
    assert np.allclose(again.position, found.position, atol=1e-13)
    # M-orthogonality at the projected pose
    formulation = Formulation1(mechanism)
    rows = constraints.rows(found, 0.0)
    from vitruvian.lab.formulations.start import projected_velocities

    start = type(motion)(found.position, found.orientation, wrong.velocity, wrong.spin)
    moved = projected_velocities(constraints, start, 0.0)
    jacobian = formulation.scattered(np.concatenate((rows.linear, rows.angular), axis=2))
    change = np.concatenate((moved.velocity - start.velocity, moved.spin - start.spin), axis=1)
    inertia = mechanism.world_inertia(found)
    momentum = np.concatenate(
        (mechanism.mass[:, None] * change[:, :3], np.einsum("nij,nj->ni", inertia, change[:, 3:])), axis=1
    ).ravel()
    residual = np.linalg.lstsq(jacobian.T, momentum, rcond=None)[0] @ jacobian - momentum
    assert abs(residual).max() < 1e-12 * abs(momentum).max() * 1e2


def test_redundant_rows_are_found() -> None:
    rows = np.array([[1.0, 0, 0], [0, 1.0, 0], [1.0, 1.0, 0], [0, 0, 2.0]])
    kept = kkt.independent_rows(rows)
    assert len(kept) == 3
    assert np.linalg.matrix_rank(rows[kept]) == 3


def test_coloured_jacobian_is_the_derivative() -> None:
    """Against plain differences of dy/dt, column by column, in a state with joint torques and springs."""
    system, start = Scenario.load("free-flight-11").build()
    mechanism = Mechanism(system)
    for name in ("euler-parameters-1", "euler-parameters-3", "natural", "planar"):
        formulation = make(mechanism, name)
        q, v = formulation.coordinates(mechanism.at(start))
        solution = Solution(formulation, Stabilisation("baumgarte"), kkt.dense, _rows(formulation, q, v))
        problem = Dependent(formulation, solution, q, v)
        jacobian = Coloured(problem)
        found = jacobian(0.0, problem.start)
        columns = np.random.default_rng(1).choice(len(problem.start), 12, replace=False)
        for column in columns:
            step = np.zeros(len(problem.start))
            step[column] = 1e-6
            numeric = (problem.rate(0.0, problem.start + step) - problem.rate(0.0, problem.start - step)) / 2e-6
            assert np.allclose(found[:, column], numeric, rtol=1e-4, atol=1e-4 * max(1.0, abs(numeric).max()))
        if name != "natural":
            assert len(jacobian.groups) < 0.7 * len(problem.start)


def _rows(formulation, q, v):
    rows = kkt.independent_rows(formulation.independent_jacobian(0.0, q, v))
    return None if len(rows) == len(formulation.independent_jacobian(0.0, q, v)) else rows


def test_columns_of_a_colour_share_no_row() -> None:
    where = np.random.default_rng(0).random((30, 20)) < 0.1
    for group in colours(where):
        assert (where[:, group].sum(axis=1) <= 1).all()


@pytest.mark.parametrize("kind", ["revolute", "universal", "cylindrical", "prismatic", "planar"])
def test_coordinates_of_a_joint_are_read_from_poses(kind: str) -> None:
    rng = np.random.default_rng(12)
    joints = (random_joint("spherical", None, "a", rng), random_joint(kind, "a", "b", rng))
    system = System((random_body("a", rng), random_body("b", rng)), joints)
    start = random_configuration(system, rng)
    mechanism = Mechanism(system)
    values, rates, _ = joint_coordinates(joints[1], 0, 1, mechanism.at(start))
    assert values == pytest.approx(start.coordinates[joints[1].name])
    assert rates == pytest.approx(start.rates[joints[1].name])


def test_resistance_along_coordinates_is_the_engines() -> None:
    law = Resistance(
        "coordinate", (-0.1,) * 3, (0.2,) * 3, (5.0, 6.0, 7.0), (50.0,) * 3, (60.0,) * 3, (0.3, 0.4, 0.5), (0.05,) * 3
    )
    rng = np.random.default_rng(13)
    for kind in ("revolute", "universal", "cylindrical", "prismatic", "planar"):
        joint = random_joint(kind, "a", "b", rng)
        joints = (random_joint("spherical", None, "a", rng), Joint(**{**joint.__dict__, "resistance": law}))
        system = System((random_body("a", rng), random_body("b", rng)), joints)
        start = random_configuration(system, rng)
        mechanism = Mechanism(system)
        wanted = evaluate(compile_system(system), start)
        formulation = make(mechanism, "euler-parameters-3")
        q, v = formulation.coordinates(mechanism.at(start))
        x, _ = kkt.dense(formulation.equations(0.0, q, v))
        alpha = np.einsum("nij,nj->ni", mechanism.at(start).rotation, x[:, 3:])
        assert difference(alpha, wanted.angular_acceleration) < 1e-11, kind


def test_tables_of_fixed_solvers_are_consistent() -> None:
    """Row sums are the nodes; the weights integrate polynomials up to the order."""
    for name, order in (("ode1", 1), ("ode2", 2), ("ode3", 3), ("ode4", 4), ("ode5", 5), ("ode8", 8)):
        a, b, c = tableau(name)
        assert np.allclose(a.sum(axis=1), c, atol=1e-12)
        for power in range(order):
            assert b @ c**power == pytest.approx(1.0 / (power + 1), abs=1e-12)
    assert known("ode45") == "RK45"
    assert known("Gear") == "BDF"
    assert known("ode15i") == "IDA"


SWING = System((ROD,), (pendulum("spherical"),))
FLYING = System((ROD,), (Joint("root", "free", None, "rod"),))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"formulation": "euler-parameter"}, 'Did you mean "euler-parameters'),
        ({"formulation": "engine"}, "vitruvian.simulate runs it"),
        ({"formulation": "planar"}, "take"),
        ({"formulation": "natural", "reference": "joint"}, "does not take the options reference"),
        ({"reference": "foot"}, "accepted: centre, joint"),
        ({"formulation": "euler-angles", "offset": "mine"}, "accepted: start, none"),
        ({"solver": "ode46"}, 'Did you mean "ode4'),
        ({"solver": "ode4"}, "give step"),
        ({"stabilisation": "baumgart"}, 'Did you mean "baumgarte"?'),
        ({"stabilisation": "none+direct"}, "cannot be joined"),
        ({"stabilisation": "partitioning", "formulation": "euler-parameters-3"}, "Take euler-parameters-1"),
        ({"linear": "spars"}, 'Did you mean "sparse"?'),
        ({"duration": -1.0}, "greater than zero"),
        ({"velocity": {"rood": (1.0, 0.0, 0.0)}}, "there is no body 'rood'"),
    ],
)
def test_bad_input_says_what_can_be_used(options: dict, says: str) -> None:
    with pytest.raises(InputError, match=says.replace("?", r"\?").replace("[", r"\[")):
        simulate(SWING, **{"duration": 0.1, **options})


def test_what_cannot_be_joined() -> None:
    with pytest.raises(InputError, match="needs fixed steps"):
        simulate(SWING, duration=0.1, stabilisation=Stabilisation("baumgarte", alpha="auto"))
    with pytest.raises(InputError, match="a number"):
        Stabilisation("baumgarte", alpha="much")
    with pytest.raises(InputError, match="must be greater than zero"):
        Stabilisation("penalty", penalty=-1.0)
    assert "no joint" in applies(Mechanism(FLYING), "planar")
    with pytest.raises(InputError, match="a joint has this name already"):
        SWING.replace(loops=(Joint("hinge", "spherical", None, "rod"),))
    with pytest.raises(InputError, match="no prescribed motion and is not free"):
        SWING.replace(loops=(Joint("bar", "free", None, "rod"),))


def test_sundials_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from vitruvian.errors import MissingExtra

    monkeypatch.setitem(sys.modules, "sksundae", None)
    with pytest.raises(MissingExtra, match=r'pip install "vitruvian\[formulations\]"'):
        simulate(SWING, duration=0.1, solver="ode113")
