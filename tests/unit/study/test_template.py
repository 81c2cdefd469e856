"""A filled template refuses what a full build refuses."""

import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.study.case import REJECTED, Cases

pytestmark = pytest.mark.needs_jit


def test_a_filled_case_that_starts_deep_in_the_ground_is_rejected() -> None:
    """A study that varies human.start.clearance fills a template, and did not check where people start."""
    base = Scenario.load("fall-4m", {"solver.duration": 0.01})
    path = "human.start.clearance"
    cases = Cases(base, ("HIC15",), [{path: 0.5}, {path: 1.0}])
    assert cases.template is not None
    assert cases.row({path: 0.8})["status"] == "finished"
    row = cases.row({path: -1.0})
    assert row["status"] == REJECTED and "mm inside 'ground'; accepted up to 50 mm" in row["reason"]
    with pytest.raises(InputError, match="inside 'ground'"):
        cases.template.filled({path: -0.06})
