"""The compiler changes no result: a fall onto the feet, the same within rounding with any compiler and Numba."""

from pathlib import Path

import numpy as np
import pytest

from vitruvian import Scenario

#: resultant head acceleration [g], made by Numba 0.68.1 and `vitruvian._compiler`
STORED = Path(__file__).with_name("head_acceleration.txt")


@pytest.mark.needs_jit
def test_a_fall_is_the_same_with_every_compiler():
    """Only the first impact is compared, because the body that folds afterwards amplifies rounding."""
    changes = {"human.start.clearance": "0.2 m", "solver.duration": "0.25 s", "human.body": "previous"}
    result = Scenario.load("fall-4m", changes).run(check=False)
    _, found = result.resultant_g("head")
    np.testing.assert_allclose(found[::100], np.loadtxt(STORED), rtol=1e-6, atol=1e-6)
