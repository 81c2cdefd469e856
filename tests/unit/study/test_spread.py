"""Intervals: medians and quantiles of the cases, drivers by rank correlation, chaos by twins, and their coverage."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.model.compile import compile_system
from vitruvian.study import spread
from vitruvian.study.case import Cases, columns
from vitruvian.study.design import values_at
from vitruvian.study.factor import applied, tissue_of
from vitruvian.study.spread import drivers_of, limits, rank_correlation, spread_study


def test_a_factor_multiplies_forces_of_tissue_and_joints_and_nothing_else():
    """Energy and torque of every joint law and curve grow by the factor; the damping beyond a limit stays."""
    from vitruvian.kernels import layout
    from vitruvian.model.tissue import Tissue, depth_of, stiffer

    compiled = compile_system(Scenario.load("fall-4m").build()[0])
    factors = {"factor.tissue.head": 3.0, "factor.tissue.all": 2.0, "factor.joint.stiffness": 4.0}
    assert (
        tissue_of(compiled.system, factors)["head"] == 6.0 and tissue_of(compiled.system, factors)["left_foot"] == 2.0
    )
    before, after = compiled.model, applied(compiled, factors).model
    own = layout.resistance
    slides = np.array([compiled.joints[j].endswith("_slide") for j in before.resistance_joint[:, 0]])
    assert slides.sum() == 3  # the springs along the body
    for column in (own.STIFFNESS_PLUS, own.SEAM_TOP, own.STIFFNESS_IN):
        assert np.array_equal(after.resistance[:, column], 4.0 * before.resistance[:, column])
    assert np.array_equal(after.resistance[:, own.VISCOSITY], before.resistance[:, own.VISCOSITY])
    assert np.allclose(after.resistance[:, own.LIMIT_DAMPING] * after.resistance[:, own.STIFFNESS_PLUS],
                       before.resistance[:, own.LIMIT_DAMPING] * before.resistance[:, own.STIFFNESS_PLUS])  # fmt: skip
    layers = (Tissue(1e5, 0.02, core=1e6, core_depth=0.03),)
    assert np.allclose(depth_of(stiffer(layers, 3.0))(np.array([3e3])), depth_of(layers)(np.array([1e3])))
    assert applied(compiled, {}) is compiled


@pytest.mark.needs_jit
@pytest.mark.parametrize("name", ["fall-4m", "pedestrian-2d", "pedestrian-side-left"])
def test_a_filled_template_is_the_full_build_bit_for_bit(name):
    """`Template.of` returns None if any number of a filled case differs from its full build; other paths have none."""
    study = spread_study(Scenario.load(name, {"solver.duration": 0.02}), cases=3)
    assert study.runs.template is not None
    filled, built = study.runs.row(study.inputs(1)), Cases(study.base, study.criteria).row(study.inputs(1))
    assert {k: v for k, v in filled.items() if k != "wall_time"} == {k: v for k, v in built.items() if k != "wall_time"}
    whole = study.result(1).recording
    assert whole.balance_error == filled["balance_error"] and whole.load_cells
    assert Cases(study.base, study.criteria, [{"human.mass": 80.0}]).template is None


def test_ranges_surround_the_values_of_the_scenario():
    study = spread_study(Scenario.load("pedestrian-side-left"))
    ranges = {variable.paths[0]: variable for variable in study.variables}
    speed = ranges["vehicle.speed"]
    assert np.allclose((speed.low, speed.high), np.multiply(40.0 / 3.6, limits("vehicle.speed")))
    assert limits("factor.tissue.head") == (0.5, 6.0)
    planar = spread_study(Scenario.load("pedestrian-2d"))
    assert not any("heading" in path or "lateral" in path for path in planar.paths)
    with pytest.raises(InputError, match="no person"):
        spread_study(Scenario.load("bouncing-ball"))


def test_drivers_are_found_by_rank_and_noise_is_not():
    random = np.random.default_rng(1)
    x, y, z = random.random((3, 200))
    found = drivers_of(np.exp(5.0 * x) - 2.0 * y, {"x": x, "y": y, "z": z})
    assert [driver.path for driver in found][:1] == ["x"] and "z" not in [driver.path for driver in found]
    assert found[0].correlation > 0.9


class Formula:
    """A simulator of cases whose outcome is a formula of four inputs; it takes the place of `study.case.Cases`."""

    def __init__(self, base, criteria, probes=()):
        self.columns = columns(base, criteria)

    def warm(self, values):
        """Compile nothing."""

    def row(self, values):
        """Return a row as a run gives it."""
        done = {"status": "finished", "reason": "", "contacts": "", "HIC15": Formula.of(values)}
        return {**dict.fromkeys(self.columns), **done}

    @staticmethod
    def of(values):
        """Return the outcome: curved, not monotonic in the heading, dominated by no input."""
        bent = values["factor.tissue.head"] ** 0.4 * values["human.start.clearance"] ** 1.25
        return (
            800.0 * bent * (1.0 + 0.1 * np.sin(40.0 * values["human.start.heading"]))
            + 50.0 * values["factor.joint.damping"]
        )


@pytest.mark.slow
def test_the_interval_covers_a_held_back_truth(monkeypatch):
    """Of 400 truths, drawn from the ranges, 86 to 94 % lie inside the interval that `spread` gives for 64 cases."""
    monkeypatch.setattr("vitruvian.study.study.Cases", Formula)
    random, base = np.random.default_rng(3), Scenario.load("fall-4m")
    ranges = spread_study(base).variables
    inside = 0
    for seed in range(400):
        truth = {path: column[0] for path, column in values_at(ranges, random.random((1, len(ranges)))).items()}
        found = spread(base, 64, seed, threads=1)["HIC15"]
        inside += found.low <= Formula.of(truth) <= found.high
    assert 0.86 <= inside / 400 <= 0.94


@pytest.mark.needs_jit
def test_spread_of_a_short_fall():
    """The feet touch, the head does not; the same seed gives the same bits on one and two threads."""
    scenario = Scenario.load("fall-1cm", {"solver.duration": 0.06, "human.start.clearance": "5 mm"})
    found, again = (spread(scenario, cases=12, seed=2, threads=n) for n in (1, 2))
    assert found.to_dict() == again.to_dict()
    head = found["head 3ms"]
    assert 0.0 < head.low <= head.median <= head.high and head.share == 1.0
    assert {driver.path for driver in head.drivers} <= set(found.inputs)
    time, low, high = found.bands["head"]
    other = again.bands["head"]
    assert np.array_equal(low, other[1]) and np.array_equal(high, other[2])
    assert (low <= high).all() and time[-1] == pytest.approx(0.06) and found["head 3ms"].median < high.max()
    assert [ghost.title.split(":")[0] for ghost in found.ghosts()] == ["5 % of HIC15", "95 % of HIC15"]
    assert found.rows["contacts"].str.startswith("left_foot").all() and "head_contact_time" not in str(found)
    with pytest.raises(InputError, match="no outcome"):
        found["head_contact_time"]


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_factor_on_tissue_fills_fronts_whose_force_falls(factor):
    """How much of a falling curve is left depends on the tissue in series; the table keeps its size."""
    base = Scenario.load("pedestrian-2d", {"solver.duration": "2 ms"})
    row = Cases(base, ["HIC15"]).row({"factor.tissue.all": factor})
    assert row["status"] == "finished", row["reason"]


def test_rank_correlations_are_those_of_scipy():
    """With ties, and of values in one order, whose correlation is 1."""
    from scipy.stats import spearmanr

    random = np.random.default_rng(0)
    pairs = [(random.normal(size=n), random.normal(size=n).round(1)) for n in (8, 64, 500)]
    for one, other in [*pairs, (np.arange(9.0), np.arange(9.0) ** 2), (np.arange(9.0), -np.arange(9.0))]:
        found, theirs = rank_correlation(one, other), spearmanr(one, other)
        assert np.allclose(found, (theirs.statistic, theirs.pvalue), rtol=1e-9, atol=1e-12)
