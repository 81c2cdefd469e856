"""Joint torque has a potential: it does no work round a closed loop. SI units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from ...human import human
from ...kernels import joint_torque, layout, quaternion, rotation
from ...model import Body, Curve, Joint, Resistance, System, limit_curve
from ...model.compile import Compiled, compile_system
from ...model.pose import rotation_matrix
from ...sim.angle import cardan_xyz, cardan_yxz
from ..evidence import Check

PANELS = 480  # of the quadrature round a loop
TURNS = 3  # harmonics of a random loop
JOINTS = ("lumbar", "upper_neck", "left_shoulder", "left_elbow", "right_wrist", "right_hip", "left_knee", "right_ankle")

CONES = ("thoracolumbar", "lower_neck", "left_shoulder", "right_hip")

_KNOTS, _TORQUES = (-1.0, -0.3, 0.2, 1.0), (-40.0, -2.0, 1.0, 60.0)
_SPRINGS = Resistance(stiffness=(12.0, 0.0, 5.0))
#: a law of its own about y, springs about x and z
CURVED = {
    "linear table": replace(_SPRINGS, curve=(None, Curve(_KNOTS, _TORQUES), None)),
    "cubic table": replace(_SPRINGS, curve=(None, Curve(_KNOTS, _TORQUES, "cubic"), None)),
    "cubic table that falls and rises": replace(
        _SPRINGS, curve=(None, Curve((-1.0, -0.5, 0.0, 0.4, 1.0), (-30.0, 5.0, -4.0, 6.0, 40.0), "cubic"), None)
    ),
    # hip flexion of anderson1999, flexion towards minus y
    "exponential curve": replace(
        _SPRINGS,
        curve=(
            None,
            Curve((-2.2, 0.9), kind="exponential", terms=((-2.44, -5.05, -1.81), (1.51, 21.88, 0.6981))),
            None,
        ),
    ),
    "third-order limit": replace(_SPRINGS, curve=(None, limit_curve(-0.4, 0.5, 0.2, 226.0), None)),
}

Path = Callable[[float], tuple[np.ndarray, np.ndarray]]


def random_loop(rng: np.random.Generator, largest: float) -> Path:
    """Return a smooth closed path of rotation vectors [rad] below an angle: s from 0 to 2 pi gives it and its rate."""
    cosines, sines, middle = rng.normal(size=(TURNS, 3)), rng.normal(size=(TURNS, 3)), rng.normal(size=3)
    k = np.arange(1, TURNS + 1)[:, None]

    def raw(s: float) -> tuple[np.ndarray, np.ndarray]:
        c, n = np.cos(k * s), np.sin(k * s)
        return middle + (cosines * c + sines * n).sum(0), (k * (sines * c - cosines * n)).sum(0)

    size = largest / max(float(np.linalg.norm(raw(s)[0])) for s in np.linspace(0.0, 2.0 * np.pi, 400))
    return lambda s: tuple(size * part for part in raw(s))  # type: ignore[return-value]


Law = Callable[[tuple[float, ...]], tuple[Any, ...]]


def law_of(compiled: Compiled, row: int) -> Law:
    """Return the law of a resistance of a spherical joint: relative rotation -> energy, torque, stiffness, damping."""
    value, curve = compiled.model.resistance, compiled.model.curve
    code, sound = compiled.model.resistance_joint[row, 1], np.ones((len(value), 6))
    return lambda relative: joint_torque.ball_law(value, curve, sound, row, code, relative)


def loop_work(compiled: Compiled, row: int, path: Path) -> tuple[float, float, float]:
    """Return the work of the elastic torque along a loop, that by components, and the largest energy [J]."""
    value, curve = compiled.model.resistance, compiled.model.curve
    law, sound = law_of(compiled, row), np.ones((len(value), 6))

    def powers(s: float) -> np.ndarray:
        theta, rate = (tuple(part.tolist()) for part in path(s))
        energy, torque, _, _ = law(quaternion.exponential(theta))
        plain = [-joint_torque.axis_law(value, curve, sound, row, k, theta[k])[1] for k in range(3)]
        spin = rotation.left_jacobian_dot(theta, rate)
        return np.array([np.dot(torque, spin), np.dot(plain, spin), energy])

    def piece(s: float) -> tuple[float, ...]:
        return region(compiled, row, tuple(path(s)[0].tolist()))

    # Gauss-Legendre between corners: where a limit or a knot is passed the formula changes
    edges = [0.0]
    for low, high in pairwise(np.linspace(0.0, 2.0 * np.pi, PANELS + 1).tolist()):
        edges += _corners(piece, low, high)
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


def region(compiled: Compiled, row: int, theta: tuple[float, ...]) -> tuple[float, ...]:
    """Return the pieces of its law on which a joint is at a rotation vector [rad]; equal numbers are equal formulas."""
    value, curve = compiled.model.resistance[row], compiled.model.curve
    code = compiled.model.resistance_joint[row, 1]
    if code == layout.resistance_law.ROTATION_VECTOR:
        return tuple(x for k, a in enumerate(theta) for x in _piece(value, curve, k, a))
    w, x, y, z = quaternion.exponential(theta)
    matrix = rotation_matrix((w, x, y, z))
    if code in (layout.resistance_law.CARDAN_YXZ, layout.resistance_law.CARDAN_XYZ):
        if code == layout.resistance_law.CARDAN_YXZ:
            about_y, about_x, about_z = cardan_yxz(matrix).tolist()
            first, floating = about_y, about_x
        else:
            about_x, about_y, about_z = cardan_xyz(matrix).tolist()
            first, floating = about_x, about_y
        pieces = [x for k, a in enumerate((about_x, about_y, about_z)) for x in _piece(value, curve, k, a)]
        flexed = float(value[layout.resistance.FLEXED] > 0.0) * ((first > 0.0) + (first > -0.5 * np.pi))
        tight = np.sign(floating) * float(abs(floating) > value[layout.resistance.FLEXED_SLACK]) if flexed else 0.0
        return (*pieces, float(abs(floating) > value[layout.resistance.FENCE]), flexed, tight)
    ex, ey, ez = (
        matrix[:, 2] @ rotation_matrix(value[layout.resistance.CENTRE : layout.resistance.CENTRE + 4])
    ).tolist()
    rho, longitude = float(np.arctan2(np.hypot(ex, ey), ez)), float(np.arctan2(ey, ex))
    first = int(value[layout.resistance.RIM])
    knots = curve[first + 2 : first + 1 + int(curve[first, 0]), layout.curve.ANGLE]
    depth = rho - joint_torque.curve_law(curve, first, longitude)[1]
    deep = (
        depth / value[layout.resistance.CONE_WIDTH] if value[layout.resistance.RIM_STIFFNESS] < 0.0 else min(depth, 1.0)
    )
    twist = float((2.0 * np.arctan2(z, w) + np.pi) % (2.0 * np.pi) - np.pi)
    piece = float(np.searchsorted(knots, longitude)) if depth > 0.0 else -1.0
    faded = float(matrix[2, 2] < layout.resistance.FADE_COSINE)
    return (
        float(np.clip(np.ceil(deep), 0, 2)), piece, float(rho > value[layout.resistance.FENCE]), faded,
        *_piece(value, curve, 2, twist),
    )  # fmt: skip


def _piece(value: np.ndarray, curve: np.ndarray, k: int, a: float) -> list[float]:
    """Return which piece of `axis_law` component k is on at an angle [rad]."""
    found = [float(a > value[layout.resistance.LIMIT_PLUS + k]), float(a < value[layout.resistance.LIMIT_MINUS + k])]
    first = int(value[layout.resistance.CURVE + k])
    if first >= 0:
        pieces = int(curve[first, 0])
        knots = curve[first + 2 : first + 1 + pieces, 0] if pieces else curve[first, 2:4]
        found.append(float(np.searchsorted(knots, a)))
    apart = abs((a - value[layout.resistance.SEAM + k] + np.pi) % (2.0 * np.pi) - np.pi)
    return [*found, float(apart < value[layout.resistance.SEAM_WIDTH + k])]


def _corners(piece: Callable[[float], tuple[float, ...]], low: float, high: float) -> list[float]:
    """Return where the piece changes between two places, found by bisection; more than one corner is split."""
    corners: list[float] = []
    while (first := piece(low)) != piece(high) and high - low > 1e-14:
        left, right = low, high
        while right - left > 4e-16 * (1.0 + right):
            middle = 0.5 * (left + right)
            if middle in (left, right):
                break
            left, right = (middle, right) if piece(middle) == first else (left, middle)
        corners.append(right)
        low = right
    return corners


def closed_loops(loops: int = 2) -> list[Check]:
    """Joint torque does no work round random closed paths: joints of a person in two joint sets, and each law alone."""
    rng = np.random.default_rng(7)
    rows = []
    # 1 rad from the standing hip is up to 147 degrees from the axis of its cone
    for joints_set, names, largest in (("recommended", JOINTS, 1.5), ("silva", CONES, 1.0)):
        compiled = compile_system(human(1.8, 80.0, joints=joints_set).system)
        for name in names:
            body = compiled.joints.index(name)
            row = int(np.flatnonzero(compiled.model.resistance_joint[:, 0] == body)[0])
            worst, naive = 0.0, 0.0
            for _ in range(loops):
                work, plain, peak = loop_work(compiled, row, random_loop(rng, largest))
                worst, naive = max(worst, work / peak), max(naive, plain / peak)
            note = f"of the peak energy; the torque taken component by component would do {naive:.2g} of it"
            if joints_set == "silva":
                note = "of the peak energy; cone of circumduction"
            rows.append(Check.close(f"work round closed loops, {joints_set} {name}", 0.0, worst, 1e-9, "-", note))
    for name, resistance in CURVED.items():
        compiled = compile_system(_ball(resistance))
        worst = 0.0
        for _ in range(loops):
            work, _, peak = loop_work(compiled, 0, random_loop(rng, 1.5))
            worst = max(worst, work / peak)
        rows.append(Check.close(f"work round closed loops, {name}", 0.0, worst, 1e-9, "-", "of the peak energy"))
    return rows


def _ball(resistance: Resistance) -> System:
    """Return a body on a spherical joint."""
    return System((Body("limb", 1.0, np.ones(3)),), (Joint("ball", "spherical", None, "limb", resistance=resistance),))


def tables() -> list[Check]:
    """Torque tables and curves of a joint, on their knots and between: numpy, scipy and the printed formulas."""
    rows = []
    for name, resistance in CURVED.items():
        curve = resistance.curve[1]
        assert curve is not None
        formula, source = _formula(curve)
        places = np.union1d(curve.angles, np.linspace(curve.angles[0], curve.angles[-1], 200))
        known = formula(places)
        packed = curve.rows()
        found = np.array([joint_torque.curve_law(packed, 0, float(x))[1] for x in places])
        worst = float(np.abs(found - known).max() / np.abs(known).max())
        note = f"largest difference over largest torque; {source}"
        rows.append(Check.close(f"torque of {_article(name)}", 0.0, worst, 1e-12, "-", note))
    return rows


def _formula(curve: Curve) -> tuple[Callable[[np.ndarray], np.ndarray], str]:
    """Return the torque of a curve over its angle by an independent method, and its name."""
    from scipy.interpolate import PchipInterpolator

    if curve.terms:
        return lambda x: sum(a * np.exp(b * (x - c)) for a, b, c in curve.terms), "sum of A exp(B (a - C))"
    if curve.kind == "linear":
        return lambda x: np.interp(x, curve.angles, curve.torques), "numpy.interp"
    if curve.range is not None:
        (low, high), top, width = curve.range, curve.torques[-1], curve.angles[-1] - curve.range[1]

        def third_order(x: np.ndarray) -> np.ndarray:
            beyond = (np.maximum(x - high, 0.0) - np.maximum(low - x, 0.0)) / width
            return top * np.sign(beyond) * (3.0 * beyond**2 - 2.0 * np.abs(beyond) ** 3)

        return third_order, "3 x^2 - 2 x^3 of silva1997 eq. 25"
    return PchipInterpolator(curve.angles, curve.torques), "scipy's PchipInterpolator (fritsch1980)"


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
