"""Fits that anyone can repeat, as calibrations: those of the joints are computed in `joint_fits`."""

from __future__ import annotations

from . import joint_fits
from .calibration import Calibration, Fitted


def legs() -> Calibration:
    """Fit the passive muscles of the leg to static moments."""
    return _calibration(joint_fits.fit_legs())


def swing() -> Calibration:
    """Fit the damping of the knee to the free swing of a relaxed leg."""
    return _calibration(joint_fits.fit_swing())


def neck() -> Calibration:
    """Fit both joints of the neck to the head of volunteers in a frontal sled test."""
    return _calibration(joint_fits.fit_neck())


def _calibration(fit: joint_fits.JointFit) -> Calibration:
    values = tuple(Fitted(name, fitted, table, unit) for name, (fitted, table, unit) in fit.values.items())
    return Calibration(values, dict(fit.answers), fit.notes)
