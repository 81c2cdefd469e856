"""Laws of many cases: filled together, they are the rows of `law_row` for stiffer tissue, bit for bit."""

import threading

import numpy as np
import pytest

from vitruvian.model.compile import compile_system
from vitruvian.model.contact import law_row
from vitruvian.model.contact_candidate import CURVES
from vitruvian.model.law_fill import pressed
from vitruvian.model.refill import Laws
from vitruvian.model.table import with_areas
from vitruvian.model.tissue import _PRESSED, FORCES, Tissue, joined_soft, stiffer
from vitruvian.scenario import Scenario

pytestmark = pytest.mark.needs_jit


@pytest.fixture(scope="module")
def laws():
    """A man before a car, whose trunk also touches his arms."""
    scenario = Scenario.load("pedestrian-side-left", {"human.self_contact": True})
    return Laws.of(compile_system(scenario.build()[0]))


def rows(laws, factors):
    """Numbers and curves of every row as `law_row` makes them, one after the other."""
    found = []
    for pair in laws.pairs:
        meeting = laws.compiled.meetings[pair]
        soft = joined_soft([stiffer(one, factors.get(body, 1.0)) for body, one in meeting.soft])
        found.append(law_row.__wrapped__(meeting.contact, soft, meeting.radius))
    return found


def check(laws, factors):
    model = laws.filled(laws.compiled.model, factors, {})
    for row, (_, floats, curves) in enumerate(rows(laws, factors)):
        assert np.array_equal(model.law[row], floats, equal_nan=True), laws.compiled.pairs[laws.pairs[row]]
        kind = model.law_kind[row]
        for number, curve in zip([kind[column] for column in CURVES if kind[column] >= 0], curves, strict=True):
            start, end = model.table_start[number : number + 2]
            assert np.array_equal(model.table[start:end], with_areas([curve]))


def test_rows_filled_together_are_those_of_one_after_the_other(laws):
    check(laws, {"head": 1.31, "thorax": 0.72, "left_foot": 1.2, "right_foot": 1.2})
    check(laws, {"left_forearm": 2.5})
    assert not any(
        _PRESSED in vars(layer) for meeting in laws.compiled.meetings for _, soft in meeting.soft for layer in soft
    )


def test_two_threads_fill_at_once(laws):
    wrong = []

    def work(seed):
        random = np.random.default_rng(seed)
        try:
            for _ in range(5):
                check(laws, {name: float(random.uniform(0.6, 1.6)) for name in ("head", "pelvis", "left_hand")})
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_pressed_layers_have_the_compressions_of_a_single_call():
    layer = Tissue(2e5, 0.02, exponent=1.4, core=3e6, core_depth=0.1)
    points = np.unique([*FORCES, 1e3, *np.linspace(5.0, 4e3, 33)])
    (known,) = pressed((layer,), 1.7, points)
    (alone,) = stiffer((layer,), 1.7)
    assert len(vars(known)[_PRESSED]) == 3 and _PRESSED not in vars(layer)
    for forces in (FORCES, points, np.array([7.0])):
        assert np.array_equal(known.compression(forces), alone.compression(forces))
        assert np.array_equal(known.depth(forces), alone.depth(forces))
        assert np.array_equal(known.compliance(forces), alone.compliance(forces))


def test_curves_that_fall_faster_than_a_soft_tissue_are_filled_one_by_one():
    """A part that breaks: the count of its pieces stays, so that a study can fill it."""
    contact = {"law": "curve", "curve": [[0, 0], [0.01, 4000], [0.012, 500], [0.05, 900]], "unloading_stiffness": 2e6}
    surface = {"name": "part", "shape": "plane", "contact": contact}
    one = Laws.of(compile_system(Scenario.load("fall-4m", {"surface": [surface]}).build()[0]))
    check(one, {"head": 0.2, "thorax": 0.3, "pelvis": 4.0})
