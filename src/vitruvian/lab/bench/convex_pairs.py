"""How fast is the depth of two convex shapes? Times on this machine, the best of several rounds. In ns a pair."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...human import human
from ...kernels import integrate, layout
from ...model import Plane, Shape
from ...model.compile import compile_system, initial_state, make_work
from ...model.pose import segment_poses
from ..evidence import Check, least_time
from ..kernels import measure
from ..verify import convex_depth

ROUNDS = 7
PAIRS = 2000
AIM_WARM = 400.0  # [ns]
AIM_PLANE = 30.0  # [ns]
STALE = 1e-3  # [rad], how far the guess is off: a body that turns at 10 rad/s in steps of 0.1 ms


def rows(rounds: int = ROUNDS) -> list[Check]:
    """Measure pairs of ellipsoids with and without a guess, apart and overlapping, and pairs of equal shapes."""
    pairs = convex_depth.random_pairs(PAIRS)
    found = convex_depth.depths(pairs)
    guess = _stale(found[:, 1:4])
    apart = found[:, 0] < 0.0
    warm = _best(lambda: convex_depth.depths(pairs, guess), PAIRS, rounds)
    note = f"guess off by 1 mrad, semi-axes to 1:{convex_depth.ASPECT:g}"
    plane = _on_a_plane(rounds)
    close = "17 segments whose bounding spheres reach the ground: depth, point, velocity"
    result = [
        Check.at_most("ellipsoid and plane", AIM_PLANE, plane, "ns", close),
        Check.at_most("ellipsoid and ellipsoid", AIM_WARM, warm, "ns", note),
    ]
    for name, chosen in (("apart", apart), ("overlapping", ~apart)):
        some = np.ascontiguousarray(pairs[chosen])
        cold = _best(lambda some=some: convex_depth.depths(some), len(some), rounds)  # type: ignore[misc]
        result.append(Check.measured(f"the same without a guess, {name}", cold, "ns", f"{len(some)} pairs"))
    for shape in convex_depth.FAMILY[2:]:
        name = f"{shape.kind} and {shape.kind}"
        result.append(Check.measured(name, _family(shape, rounds), "ns", "guess off by 1 mrad, apart"))
    return result


def _on_a_plane(rounds: int) -> float:
    """Return the time of an ellipsoid close to a fixed plane [ns]: segments of a person just on the ground."""
    person = human(1.8, 80.0, axial="rigid")
    poses = segment_poses(person.system)
    surfaces = tuple(
        Plane(f"under {b.name}", (0.0, 0.0, poses[b.name][0][2] - 0.5 * min(b.shapes[0].half_size)), only=(b.name,))
        for b in person.system.bodies
    )
    compiled = compile_system(person.system.replace(surfaces=surfaces))
    state, work = initial_state(compiled), make_work(compiled)
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    if not (work.pair[:, layout.pair.DEPTH] > 0.0).all():
        raise RuntimeError("the planes of the bench do not touch every segment")
    return _best(
        lambda: measure.pair_geometry(compiled.model, work.body, work.pair, 1000), 1000 * len(surfaces), rounds
    )


def _family(shape: Shape, rounds: int) -> float:
    """Return the time of a pair of equal shapes that are apart [ns]."""
    rng = np.random.default_rng(2)
    way = rng.normal(size=(PAIRS, 3))
    way *= 2.0 * shape.bound * rng.uniform(1.0, 1.5, size=(PAIRS, 1)) / np.linalg.norm(way, axis=1)[:, None]
    poses = np.hstack([convex_depth.rotations(rng, 2 * PAIRS).reshape(PAIRS, 18), way])
    found = convex_depth.convex_depths(shape, shape, poses)
    guess, tables = _stale(found[:, 1:4]), convex_depth.tables((shape, shape))
    return _best(lambda: measure.convex_depths(*tables, 0, 1, poses, guess, found), PAIRS, rounds)


def _stale(normal: np.ndarray) -> np.ndarray:
    """Return normals rotated by a small angle."""
    guess = normal + STALE * np.random.default_rng(1).normal(size=normal.shape) / np.sqrt(2.0)
    return guess / np.linalg.norm(guess, axis=1)[:, None]


def _best(call: Callable[[], object], pairs: int, rounds: int) -> float:
    """Return the least time of one of the pairs of a call [ns]."""
    call()
    return 1e9 * least_time(call, rounds) / pairs
