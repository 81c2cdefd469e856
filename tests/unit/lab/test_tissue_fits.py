"""The numbers of the tissue table are those of the fit."""

import pytest

from vitruvian.lab.validate.tissue_fits import FITS, TARGETS, fit_tissue


@pytest.mark.parametrize("segment", ["head"])
def test_the_table_holds_the_fit(segment: str) -> None:
    fit = fit_tissue((segment,))
    assert set(fit.targets) <= set(TARGETS) and segment in FITS
    for name, (fitted, table, _) in fit.values.items():
        assert table == pytest.approx(fitted, rel=0.02), name
    for target, value in fit.answers.items():
        assert value == pytest.approx(TARGETS[target], rel=0.05), target
