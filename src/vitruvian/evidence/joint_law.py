"""Joint torque has a potential: it does no work round a closed loop. SI units."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from ..human import human
from ..kernels import joints, quaternion, rotation, types
from ..model.compile import Compiled, compile_system
from .check import Check

PANELS = 120  # of the quadrature round a loop
TURNS = 3  # harmonics of a random loop
JOINTS = ("lumbar", "upper_neck", "left_shoulder", "left_elbow", "right_wrist", "right_hip", "left_knee", "right_ankle")

Path = Callable[[float], tuple[np.ndarray, np.ndarray]]


def random_loop(rng: np.random.Generator, largest: float) -> Path:
    """A smooth closed path of rotation vectors [rad] below an angle: s from 0 to 2 pi gives it and its rate."""
    cosines, sines, middle = rng.normal(size=(TURNS, 3)), rng.normal(size=(TURNS, 3)), rng.normal(size=3)
    k = np.arange(1, TURNS + 1)[:, None]

    def raw(s: float) -> tuple[np.ndarray, np.ndarray]:
        c, n = np.cos(k * s), np.sin(k * s)
        return middle + (cosines * c + sines * n).sum(0), (k * (sines * c - cosines * n)).sum(0)

    size = largest / max(float(np.linalg.norm(raw(s)[0])) for s in np.linspace(0.0, 2.0 * np.pi, 400))
    return lambda s: tuple(size * part for part in raw(s))  # type: ignore[return-value]


Law = Callable[[tuple[float, ...]], tuple[Any, ...]]


def law_of(compiled: Compiled, row: int) -> Law:
    """The law of a resistance of a spherical joint: relative rotation -> energy, torque, stiffness, damping."""
    value, curve = compiled.model.resistance, compiled.model.curve
    code = compiled.model.resistance_joint[row, 1]
    if code == types.ROTATION_VECTOR:
        return lambda relative: joints.rotation_vector_law(value, curve, row, relative)
    law = joints.cone_law if code == types.CONE else joints.swing_twist_law
    return lambda relative: law(value, row, relative)


def loop_work(compiled: Compiled, row: int, path: Path) -> tuple[float, float, float]:
    """Work round a loop of the elastic torque, and of the torque by components; and the largest energy [J]."""
    value, curve = compiled.model.resistance, compiled.model.curve
    law = law_of(compiled, row)

    def powers(s: float) -> np.ndarray:
        theta, rate = (tuple(part.tolist()) for part in path(s))
        energy, torque, _, _ = law(quaternion.exponential(theta))
        plain = [-joints.axis_law(value, curve, row, k, theta[k])[1] for k in range(3)]
        spin = rotation.left_jacobian_dot(theta, rate)
        return np.array([np.dot(torque, spin), np.dot(plain, spin), energy])

    def stiffness(s: float) -> tuple[float, ...]:
        return law(quaternion.exponential(tuple(path(s)[0].tolist())))[2]

    # Gauss-Legendre between corners: where a limit is passed the stiffness changes
    edges = [0.0]
    for low, high in pairwise(np.linspace(0.0, 2.0 * np.pi, PANELS + 1).tolist()):
        edges += _corners(stiffness, low, high)
        edges.append(high)
    nodes, weights = np.polynomial.legendre.leggauss(8)
    work, plain, peak = 0.0, 0.0, 0.0
    for low, high in pairwise(edges):
        half = 0.5 * (high - low)
        found = np.array([powers(low + half * (1.0 + node)) for node in nodes])
        work += half * float(weights @ found[:, 0])
        plain += half * float(weights @ found[:, 1])
        peak = max(peak, float(found[:, 2].max()))
    return abs(work), abs(plain), peak


def _corners(stiffness: Callable[[float], tuple[float, ...]], low: float, high: float) -> list[float]:
    """Where the stiffness jumps between two places, found by bisection; more than one corner is split."""
    corners: list[float] = []
    while (first := stiffness(low)) != stiffness(high) and high - low > 1e-14:
        left, right = low, high
        while right - left > 4e-16 * (1.0 + right):
            middle = 0.5 * (left + right)
            if middle in (left, right):
                break
            left, right = (middle, right) if stiffness(middle) == first else (left, middle)
        corners.append(right)
        low = right
    return corners


def closed_loops(loops: int = 2) -> list[Check]:
    """Random closed paths of eight joints of a person, with the stiffness and limits of the table."""
    compiled = compile_system(human(1.8, 80.0).system)
    rng = np.random.default_rng(7)
    rows = []
    for name in JOINTS:
        body = compiled.joints.index(name)
        row = int(np.flatnonzero(compiled.model.resistance_joint[:, 0] == body)[0])
        worst, naive = 0.0, 0.0
        for _ in range(loops):
            work, plain, peak = loop_work(compiled, row, random_loop(rng, 1.5))
            worst, naive = max(worst, work / peak), max(naive, plain / peak)
        note = f"of the peak energy; the torque taken component by component would do {naive:.2g} of it"
        rows.append(Check.close(f"work round closed loops, {name}", 0.0, worst, 1e-9, "-", note))
    return rows
