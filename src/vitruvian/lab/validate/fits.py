"""Fits that anyone can repeat, as calibrations: computed in `joint_fits` and `tissue_fits`."""

from __future__ import annotations

from . import joint_fits, tissue_fits
from .calibration import Calibration, Fitted
from .target import targets


def legs() -> Calibration:
    """Fit the passive muscles of the leg to static moments."""
    return _calibration(joint_fits.fit_legs())


def swing() -> Calibration:
    """Fit the damping of the knee to the free swing of a relaxed leg."""
    return _calibration(joint_fits.fit_swing())


def neck() -> Calibration:
    """Fit both joints of the neck to the head of volunteers in a frontal sled test."""
    return _calibration(joint_fits.fit_neck())


def tissue() -> Calibration:
    """Fit stiffness and rebound of heel, head and shoulder to drops, presses and impactors."""
    found = _calibration(tissue_fits.fit_tissue())
    for name, value in found.answers.items():  # from SI to the unit of the target
        found.answers[name] = value / tissue_fits.TARGETS[name] * float(targets()[name].value)
    return found


def _calibration(fit: joint_fits.JointFit | tissue_fits.TissueFit) -> Calibration:
    values = tuple(Fitted(name, fitted, table, unit) for name, (fitted, table, unit) in fit.values.items())
    return Calibration(values, dict(fit.answers), fit.notes)
