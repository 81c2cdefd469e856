"""Muscles that are refused, their activation, and what a run of a muscle records."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.model import Body, Configuration, Joint, Muscle, MusclePoint, System, Table, constant
from vitruvian.model.compile import compile_system, initial_state, make_work
from vitruvian.model.muscle import activation_pieces
from vitruvian.model.muscle_table import lay_muscles
from vitruvian.scenario import Scenario
from vitruvian.sim.channel import WORK_CLASSES
from vitruvian.sim.simulate import simulate

HERE, THERE = MusclePoint(point=(0.0, 0.0, 0.0)), MusclePoint(point=(0.0, 0.0, 0.0), body="mass")
DRUM = MusclePoint(over="drum", radius=0.1, axis=(0.0, 1.0, 0.0), side=(0.0, 0.0, 1.0))


def hill(**more: object) -> Muscle:
    values = {"max_force": 100.0, "fibre_length": 0.1, "excitation": constant(0.5)} | more
    return Muscle("m", (HERE, THERE), **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (MusclePoint, "neither point nor over"),
        (lambda: MusclePoint(point=(0, 0, 0), over="a"), "point and over"),
        (lambda: MusclePoint(over="a", axis=(0, 1, 0)), "axis without a radius"),
        (lambda: MusclePoint(point=(0, 0, 0), radius=0.1), "body to wrap over"),
        (lambda: Muscle("m", (HERE,), force=constant(1.0)), "begin and end with a point"),
        (lambda: Muscle("m", (HERE, DRUM), force=constant(1.0)), "begin and end with a point"),
        (lambda: Muscle("m", (HERE, THERE)), "neither force nor max_force"),
        (lambda: Muscle("m", (HERE, THERE), force=constant(-1.0)), "'m': its force falls to -1 N"),
        (lambda: hill(excitation=constant(1.2)), "'m': its excitation reaches 1.2"),
        (lambda: hill(excitation=Table((0.0, 1.0), (-0.1, 1.0))), "'m': its excitation reaches -0.1"),
        (lambda: hill(activation=1.5), "'m': activation is 1.5"),
        (lambda: hill(fibre_length=None), "fibre_length is missing"),
        (lambda: hill(elastic_tendon=True), "needs a tendon_length"),
        (lambda: hill(excitation=Table((1.0, 0.5), (0.0, 1.0))), "times must increase"),
    ],
)
def test_wrong_input_is_refused(make: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        make()  # type: ignore[operator]


def hanging(*muscles: Muscle) -> System:
    bodies = (Body("drum", 1.0, np.full(3, 0.01)), Body("mass", 10.0, np.full(3, 0.1)))
    joints = (Joint("rest", "rigid", None, "drum"), Joint("root", "free", None, "mass"))
    return System(bodies, joints, muscles=muscles)


def laid(path: tuple[MusclePoint, ...], at: tuple[float, float, float] = (0.1, 0.0, -0.5), **more: object) -> None:
    values = {"force": constant(1.0)} | more
    compiled = compile_system(hanging(Muscle("pull", path, **values)))  # type: ignore[arg-type]
    state = initial_state(compiled, Configuration({"root": (*at, 1.0, 0.0, 0.0, 0.0)}))
    lay_muscles(compiled, state, make_work(compiled))


def test_a_path_that_cannot_be_is_refused_with_its_muscle_and_place() -> None:
    with pytest.raises(InputError, match="'pull' has no length"):
        laid((HERE, THERE), at=(0.0, 0.0, 0.0))
    with pytest.raises(InputError, match=r"'pull': place 0 of its path lies inside 'drum' \(place 1\)"):
        laid((HERE, DRUM, THERE))
    with pytest.raises(InputError, match=r"'pull': its path of 510 mm is not longer than its tendon of 600 mm"):
        laid((HERE, THERE), force=None, max_force=10.0, fibre_length=0.1, tendon_length=0.6)
    left, right = (MusclePoint(point=(x, 0.0, 0.05)) for x in (-0.3, 0.3))
    crossed = r"'pull': its path crosses itself inside 'drum' \(place 2\).* from place 0 to place 1"
    with pytest.raises(InputError, match=crossed):
        laid((left, right, DRUM, THERE), at=(-0.3, 0.0, -0.4))
    with pytest.raises(InputError, match="there is no body 'drumm'"):
        hanging(Muscle("m", (HERE, MusclePoint(over="drumm"), THERE), force=constant(1.0)))
    with pytest.raises(InputError, match="the body 'drum' has no shape"):
        laid((MusclePoint(point=(-0.3, 0, 0)), MusclePoint(over="drum"), THERE))


def test_activation_follows_the_exponential_of_its_time_constant() -> None:
    rows, knots = activation_pieces(hill(excitation=Table((0.0, 0.1), (0.0, 1.0), "step")))
    times = np.linspace(0.1, 0.2, 37)
    row = np.searchsorted(rows[1:, 0], times, side="right")
    since = times - rows[row, 0]
    a, b, c, d = rows[row, 1:].T
    assert np.allclose(a + since * (b + since * (c + since * d)), 1.0 - np.exp(-(times - 0.1) / 0.015), atol=2e-6)
    assert knots.tolist() == [0.0, 0.1]


@pytest.mark.parametrize("elastic", [False, True])
def test_a_run_records_muscles_and_accounts_for_their_work(elastic: bool, tmp_path: object) -> None:
    path = (MusclePoint(point=(-0.3, 0.0, 0.0)), DRUM, THERE)
    muscle = Muscle(
        "pull",
        path,
        max_force=400.0,
        fibre_length=0.2,
        tendon_length=0.6,
        excitation=constant(0.6),
        elastic_tendon=elastic,
    )
    start = Configuration({"root": (0.1, 0.0, -0.4, 1.0, 0.0, 0.0, 0.0)})
    run = simulate(hanging(muscle), start, duration=0.05)
    assert run.status == "finished"
    assert run.balance_error < 1e-4
    assert run.muscles == ("pull",)
    assert run.muscle_points == ("pull.0-point", "pull.1-drum", "pull.2-point")
    gained = run.kinetic[-1] + run.potential[-1] - run.kinetic[0] - run.potential[0]
    assert run.work[-1, WORK_CLASSES.index("muscle")] == pytest.approx(gained, rel=1e-4)
    assert np.all(run.muscle_force > 0.0)
    again = simulate(hanging(muscle), start, duration=0.02)
    rest = simulate(hanging(muscle), duration=0.03, resume=again.final)
    assert rest.final["q"] == pytest.approx(run.final["q"], abs=2e-5)


def test_functions_of_time_come_from_a_csv_file_with_units(tmp_path) -> None:
    data = {
        "schema": 1,
        "body": [{"name": "mass", "mass": 1.0, "shapes": [{"kind": "sphere", "radius": 0.1}]}],
        "muscle": [
            {
                "name": "m",
                "path": [{"point": [0, 0, 1]}, {"point": [0, 0, 0], "body": "mass"}],
                "force": {"file": "pull.csv", "column": "m"},
            }
        ],
        "solver": {"duration": 0.1},
    }
    (tmp_path / "pull.csv").write_text("time [ms], m [kN]\n0, 0\n100, 0.2\n", encoding="utf-8")
    scenario = Scenario(data, folder=tmp_path)
    (muscle,) = scenario.build()[0].muscles
    assert muscle.force == Table((0.0, 0.1), (0.0, 200.0), "linear")
    for text, sentence in (
        ("time [s], m [N]\n0, 1\n0, 2\n", "time decreases or stays: row 3"),
        ("time [s], m\n0, 1\n", 'the heading "m" has no unit'),
        ("time [s], m [deg]\n0, 1\n", "unit"),
        ("time [s], other [N]\n0, 1\n", "column is"),
    ):
        (tmp_path / "pull.csv").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=sentence):
            Scenario(data, folder=tmp_path).build()
