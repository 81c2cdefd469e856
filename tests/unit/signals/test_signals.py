"""Filters against the standards, scipy.signal and pyisomme; resampling, integrals and derivatives; bad input."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import signal

from vitruvian import signals
from vitruvian.errors import InputError
from vitruvian.signals.recursion import recursion

RATE = 20_000.0
TIME = np.arange(4000) / RATE
CLASSES = (60.0, 180.0, 600.0, 1000.0)
STANDARDS = (signals.ISO_6487, signals.SAE_J211)


@pytest.mark.parametrize("frequency_class", CLASSES)
@pytest.mark.parametrize("standard", STANDARDS)
def test_filter_keeps_level_and_slope(frequency_class: float, standard: str) -> None:
    """Odd reflection: a constant and a straight line come out as they went in, ends included."""
    for samples in (np.full(4000, 7.0), 3.0 + 50.0 * TIME):
        filtered = signals.cfc(TIME, samples, frequency_class, standard)
        # ISO 6487 starts with the mean of ten samples, 4.5 of them off a line; it has died out after the padding
        assert filtered == pytest.approx(samples, abs=2e-3 * (np.ptp(samples) > 0.0) + 1e-9)


@pytest.mark.parametrize("standard", STANDARDS)
@pytest.mark.parametrize("frequency_class", CLASSES)
def test_gain_is_what_comes_out(frequency_class: float, standard: str) -> None:
    """A sine comes out with the gain of the formula and without phase, at three frequencies of each class."""
    for share in (0.25, 1.0, 1.0 / 0.6):
        frequency = share * frequency_class
        time = np.arange(40_000) / RATE
        sine = np.sin(2.0 * np.pi * frequency * time)
        filtered = signals.cfc(time, sine, frequency_class, standard)
        middle = slice(15_000, 25_000)
        gain = signals.gain(frequency, frequency_class, RATE, standard)
        assert filtered[middle] == pytest.approx(gain * sine[middle], abs=1e-6)


@pytest.mark.parametrize("frequency_class", CLASSES)
@pytest.mark.parametrize("standard", STANDARDS)
def test_gain_lies_in_the_corridor_of_the_standards(frequency_class: float, standard: str) -> None:
    """The corridor of SAE J211 and ISO 6487: within +0.5, -1 dB up to the class, +0.5, -4 dB at class / 0.6, and then
    below a line that falls by 24 dB an octave (-30 dB at about 3.5 classes)."""
    rate = 100.0 * frequency_class

    def decibel(frequency: float) -> float:
        return 20.0 * np.log10(signals.gain(frequency, frequency_class, rate, standard))

    for share in (0.1, 0.5, 1.0):
        assert -1.0 <= decibel(share * frequency_class) <= 0.5
    assert -4.0 <= decibel(frequency_class / 0.6) <= -2.5
    assert decibel(frequency_class / 0.6) == pytest.approx(-3.0, abs=0.15)
    assert decibel(3.5 * frequency_class / 0.6) < -30.0
    octave = decibel(4.0 * frequency_class) - decibel(8.0 * frequency_class)
    assert octave == pytest.approx(24.0, abs=1.5)


def test_the_two_standards_differ_by_their_constant() -> None:
    """k = 1.25/0.6 and 2.0775: the gain at the class over 0.6 differs in the third digit."""
    iso, sae = (signals.gain(1000.0 / 0.6, 1000.0, 1e6, standard) for standard in STANDARDS)
    assert iso == pytest.approx(1.0 / (1.0 + (1.0 / 1.25) ** 4), rel=1e-4)
    assert sae == pytest.approx(1.0 / (1.0 + (1.0 / 0.6 / 2.0775) ** 4), rel=1e-4)
    assert iso > sae


def test_step_response() -> None:
    """The filtered step is antisymmetric about the step (zero phase), half high there; overshoot at most 8 %."""
    step = np.where(np.arange(4001) >= 2000, 1.0, 0.0)
    step[2000] = 0.5
    filtered = signals.cfc(np.arange(4001) / RATE, step, 180.0)
    assert filtered[2000] == pytest.approx(0.5, abs=1e-9)
    assert filtered + filtered[::-1] == pytest.approx(np.ones(4001), abs=1e-9)
    assert 1.0 < filtered.max() < 1.08


def test_filter_is_not_shifted() -> None:
    """The peak of a symmetric pulse stays at its sample; a filter that shifts by one sample would move it."""
    pulse = np.exp(-(((TIME - TIME[2000]) / 0.004) ** 2))
    assert int(np.argmax(signals.cfc(TIME, pulse, 180.0))) == 2000


@settings(max_examples=50, deadline=None)
@given(st.integers(20, 400), st.integers(0, 2**32 - 1))
def test_recursion_is_that_of_scipy(length: int, seed: int) -> None:
    samples = np.random.default_rng(seed).normal(size=(length, 3))
    sos = signals.sections(600.0, RATE)
    assert recursion(sos[0], samples) == pytest.approx(signal.sosfilt(sos, samples, axis=0), abs=1e-12)


@pytest.mark.parametrize(("frequency", "rate"), [(1000.0, 10e3), (60.0, 20e3), (10.0, 100e3)])
def test_a_recursion_with_a_long_memory_is_that_of_scipy(frequency: float, rate: float) -> None:
    """Poles close to one, so that every doubling counts: rounding grows with the memory, as it does in scipy."""
    samples = 5.0 + np.random.default_rng(3).normal(size=20000)
    sos = signals.sections(frequency, rate)
    assert recursion(sos[0], samples) == pytest.approx(signal.sosfilt(sos, samples), abs=1e-8)


def test_steady_start_is_that_of_scipy() -> None:
    """SAE J211 here: scipy's sosfiltfilt with odd padding of the same length."""
    samples = np.cumsum(np.random.default_rng(1).normal(size=4000))
    sos = signals.sections(600.0, RATE, signals.SAE_J211)
    expected = signal.sosfiltfilt(sos, samples, padtype="odd", padlen=200)
    assert signals.cfc(TIME, samples, 600.0, signals.SAE_J211) == pytest.approx(expected, abs=1e-9)


def test_against_pyisomme() -> None:
    """Its ISO 6487 is that of the annex and ours. Its "SAE-J211-1" is wrong: it takes the constant of ISO 6487, starts
    from zeros without any start-up treatment, and leaves the first sample zero; so it is not compared."""
    pyisomme, pandas = pytest.importorskip("pyisomme"), pytest.importorskip("pandas")
    samples = np.cumsum(np.random.default_rng(2).normal(size=4000))
    for letter, frequency_class in zip("DCBA", CLASSES, strict=True):
        channel = pyisomme.Channel(
            "11HEAD0000H3ACX0", data=pandas.DataFrame(samples.copy(), index=TIME), unit="m/s^2", info=[]
        )
        theirs = channel.cfc(letter, method="ISO-6487").get_data()
        assert signals.cfc(TIME, samples, frequency_class) == pytest.approx(theirs, abs=1e-8)


def test_vectors_are_filtered_by_component() -> None:
    samples = np.random.default_rng(3).normal(size=(4000, 3))
    whole = signals.cfc(TIME, samples, 180.0)
    for axis in range(3):
        assert whole[:, axis] == pytest.approx(signals.cfc(TIME, samples[:, axis], 180.0), abs=1e-12)


def test_filter_commutes_with_derivative_and_integral() -> None:
    pulse = np.exp(-(((TIME - 0.1) / 0.01) ** 2))
    before = signals.differentiate(TIME, signals.cfc(TIME, pulse, 180.0))
    after = signals.cfc(TIME, signals.differentiate(TIME, pulse), 180.0)
    assert before == pytest.approx(after, abs=1e-6 * np.abs(after).max())
    before = signals.integrate(TIME, signals.cfc(TIME, pulse, 180.0))
    after = signals.cfc(TIME, signals.integrate(TIME, pulse), 180.0)
    assert before == pytest.approx(after, abs=1e-6 * np.abs(after).max())


def test_integral_and_derivative_of_a_parabola() -> None:
    assert signals.differentiate(TIME, 4.0 * TIME**2) == pytest.approx(8.0 * TIME, abs=1e-9)
    assert signals.integrate(TIME, 8.0 * TIME, 2.0) == pytest.approx(2.0 + 4.0 * TIME**2, abs=1e-12)


def test_resultant() -> None:
    assert signals.resultant(np.array([[3.0, 0.0, 4.0], [1.0, 2.0, 2.0]])).tolist() == [5.0, 3.0]
    with pytest.raises(InputError, match="shape"):
        signals.resultant(np.zeros(3))


def test_resample_makes_even_steps() -> None:
    uneven = np.cumsum(np.random.default_rng(4).uniform(1e-4, 9e-4, 500))
    time, samples = signals.resample(uneven, 2.0 * uneven, 1000.0)
    assert np.diff(time) == pytest.approx(np.full(len(time) - 1, 1e-3))
    assert samples == pytest.approx(2.0 * time, abs=2e-3)


def test_resample_down_filters_first() -> None:
    """A tone above half the new rate does not come back as another one."""
    tone = np.sin(2.0 * np.pi * 900.0 * TIME)
    _, kept = signals.resample(TIME, tone, 1000.0)
    _, folded = signals.resample(TIME, tone, 1000.0, alias_filter=False)
    assert np.abs(kept[20:-20]).max() < 0.01 < 0.9 < np.abs(folded).max()
    with pytest.raises(InputError, match="not inside the record"):
        signals.resample(TIME, tone, 1000.0, stop=9.0)


def test_slow_sampling_warns_and_too_slow_is_refused() -> None:
    time = np.arange(100) * 1e-3
    with pytest.warns(
        signals.SampleRateWarning, match="1000 samples per second are too few for CFC 180, which wants 1800"
    ):
        signals.cfc(time, np.zeros(100), 180.0, name="head x")
    with pytest.raises(InputError, match=r"head x: 1000 samples per second cannot carry CFC 600"):
        signals.cfc(time, np.zeros(100), 600.0, name="head x")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        signals.cfc(np.arange(100) * 1e-4, np.zeros(100), 1000.0)


@pytest.mark.parametrize(
    ("time", "samples", "words"),
    [
        ([0.0, 1e-4, 2e-4], [0.0, np.nan, 1.0], "head x: sample 1 .*not a finite number"),
        ([0.0, 2e-4, 1e-4], [0.0, 1.0, 1.0], "head x: time 2 is 0.0001 s, before"),
        ([0.0, 1e-4, 1e-4], [0.0, 1.0, 1.0], "head x: time 2 .*the same as"),
        ([0.0, 1e-4, 5e-4], [0.0, 1.0, 1.0], "head x: .*not evenly spaced: step 1 .*resample"),
        ([0.0, 1e-4, np.inf], [0.0, 1.0, 1.0], "head x: time 2 is not a finite number"),
        ([0.0, 0.1, 0.2], [0.0, 1.0, 1.0], "head x: .*Are they in ms"),
        ([0.0, 100.0, 200.0], [0.0, 1.0, 1.0], "head x: .*Are they in us"),
        ([], [], "head x: the record is empty"),
        ([0.0, 1e-4, 2e-4], [0.0, 1.0], r"head x: the samples have the shape \(2,\)"),
        ([0.0], [1.0], "head x: one sample has no sampling rate"),
    ],
)
def test_bad_records_are_refused_with_channel_and_index(time: list, samples: list, words: str) -> None:
    with pytest.raises(InputError, match=words):
        signals.cfc(np.array(time), np.array(samples), 60.0, name="head x")


def test_fast_records_in_milliseconds_are_not_taken_for_slow_ones_in_seconds() -> None:
    time = np.arange(0.0, 40.0, 0.01)  # 40 ms at 100 kHz, in ms
    with pytest.raises(InputError, match=r"head: the times run from 0 to 39\.99 s .* Are they in ms\?"):
        signals.record(time, np.zeros_like(time), "acceleration_g", name="head")
    signals.record(time, np.zeros_like(time), "length", name="marker")  # a film of 100 pictures a second


def test_unknown_standard_and_class_are_refused() -> None:
    with pytest.raises(InputError, match="accepted: ISO 6487, SAE J211"):
        signals.cfc(TIME, TIME, 60.0, "J211")
    with pytest.raises(InputError, match="accepted: 60, 180, 600, 1000 or any above zero"):
        signals.cfc(TIME, TIME, -60.0)
