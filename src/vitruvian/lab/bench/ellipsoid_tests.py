"""Cost of tests whether two ellipsoids touch: all methods in one run, on the same pairs. Times in us.

The method of the engine is a compiled kernel, called from Python like the others; inside a run there is no call cost.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from ...kernels import nearest
from ..evidence import Check
from ..impact import detection
from ..impact.detection import Placed
from ..verify.ellipsoid_contact import random_pair

ROUNDS = 3
PAIRS = 20

Pair = tuple[Placed, Placed]


def engine_gap(a: Placed, b: Placed) -> float:
    """Return the signed gap by the engine's kernel, without a guess [m]."""
    depth, _, _ = nearest.ellipsoids(
        tuple(a.semi_axes), tuple(a.turn.ravel()), tuple(b.semi_axes), tuple(b.turn.ravel()),
        tuple(a.centre - b.centre), (0.0, 0.0, 0.0),
    )  # fmt: skip
    return -float(depth)


#: way -> (function of a pair, what it gives)
WAYS: dict[str, tuple[Callable[[Placed, Placed], object], str]] = {
    "ellipsoids: the engine's kernel": (engine_gap, "distance, depth and normal; from Python, no guess"),
    "ellipsoids: Wang's algebraic test": (detection.wang, "apart or not"),
    "ellipsoids: Wang's separating plane": (detection.separating_plane, "a plane between them"),
    "ellipsoids: Eberly, one root": (detection.eberly, "apart or not"),
    "ellipsoids: Eberly, gradient walk": (detection.eberly_walk, "apart or not"),
    "ellipsoids: point to point, 1000 x 1000": (detection.point_to_point, "a distance that is too large"),
    "ellipsoids: optimiser": (detection.signed_gap, "distance, depth and normal; the oracle of the tests"),
    "on a plane: closed form": (lambda a, _: detection.plane_depth(a, (0.0,) * 3, (0.0, 0.0, 1.0)), "depth"),
    "on a plane: 1000 sampled points": (
        lambda a, _: detection.sampled_depth(a, (0.0,) * 3, (0.0, 0.0, 1.0), 1000), "a depth that is too small"
    ),
}  # fmt: skip


def rows(rounds: int = ROUNDS, pairs: int = PAIRS) -> list[Check]:
    """Measure the mean time of each method over random pairs, the best of several alternating rounds."""
    rng = np.random.default_rng(39)
    chosen = [random_pair(rng) for _ in range(pairs)]
    best = dict.fromkeys(WAYS, np.inf)
    for a, b in chosen[:1]:
        engine_gap(a, b)  # compiles
    for _ in range(rounds):
        for name, (way, _) in WAYS.items():
            started = perf_counter()
            for a, b in chosen:
                way(a, b)
            best[name] = min(best[name], (perf_counter() - started) / pairs)
    return [Check.measured(name, 1e6 * best[name], "us", note) for name, (_, note) in WAYS.items()]
