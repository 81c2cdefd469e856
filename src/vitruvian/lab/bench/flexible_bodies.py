"""Times and sizes of bodies that bend."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

import numpy as np

from ...flex import Interface, Material, craig_bampton, reduced, solid, tube_mesh
from ...model import Configuration
from ...model.compile import Compiled, compile_system
from ...scenario import Scenario
from ...sim.simulate import simulate
from ..evidence import Check

ROUNDS = 3
FALLS = 5  # interleaved runs with and without a bone that bends
BONE = Material(17e9, 0.3, 1900.0)
COARSE, FINE = (12, 1, 6), (16, 1, 9)  # hexahedra round, through and along the shank


def rows(rounds: int = ROUNDS) -> list[Check]:
    """Return the cost of bodies that bend: a heel raise, a reduction, a shank in falls, and the size of a body."""
    return [_heel_raise(rounds), *_reduction(rounds), *_falls()]


def _heel_raise(rounds: int) -> Check:
    """Time the heel raise with a shank of six modes, without recording at the rate of load cells."""
    scene = Scenario.load("heel-raise")
    shank = next(body for body in scene.data["body"] if body["name"] == "shank")
    shank["tube"] = {"outer": "37 mm", "inner": "27 mm", "young": "17 GPa"}
    system, start = Scenario(scene.data, name=scene.name).build()
    compiled, best = compile_system(system), float("inf")
    for _ in range(rounds + 1):
        begun = process_time()
        simulate(compiled, start, duration=2.0, rate=1000.0, pose_rate=500.0)
        best = min(best, process_time() - begun)
    return Check.at_most("heel raise, 2 s, shank of 6 modes", 1.0, best, "s", "CPU time")


def _reduction(rounds: int) -> Iterator[Check]:
    """Time the reduction of a shank of solids, and compare the size of bodies of two meshes."""
    sizes = {}
    for mesh in (COARSE, FINE):
        points, cells = tube_mesh(0.037, 0.027, 0.421, mesh)
        structure = solid(points, cells, BONE)
        corners = np.vstack([_corners(x) for x in (0.0, 0.421)])
        held = [int(np.linalg.norm(structure.nodes - corner, axis=1).argmin()) for corner in corners]
        best = float("inf")
        for _ in range(1 if mesh == COARSE else rounds):
            begun = process_time()
            body = reduced(
                "shank", structure, craig_bampton(structure, held, count=6), interfaces={"end": Interface(held[-1])}
            )
            best = min(best, process_time() - begun)
        sizes[structure.size] = sum(
            np.asarray(value).nbytes for value in vars(body).values() if hasattr(value, "nbytes")
        )
    few, many = sizes
    yield Check.at_most(f"reduction of a shank of {many} coordinates", 5.0, best, "s", "CPU time")
    yield Check.close(f"size of the body, {many} over {few} coordinates", 1.0, sizes[many] / sizes[few], 1e-9)


def _corners(x: float) -> np.ndarray:
    """Return three places round the shank at x (3, 3) [m]; three nodes at each end hold it."""
    angle = 2.0 * np.pi * np.arange(3) / 3.0
    return np.column_stack([np.full(3, x), 0.037 * np.cos(angle), 0.037 * np.sin(angle)])


def _falls() -> Iterator[Check]:
    """Compare runs with one shank of six modes with those of a rigid one, interleaved."""
    for name, duration in (("fall-ladder-3m", 1.5), ("fall-4m", 1.5), ("pedestrian-side-left", 0.4)):
        cases = [_compiled(name, {}), _compiled(name, {"human.flexible": ["left_shank"]})]
        times: list[list[float]] = [[], []]
        for _ in range(FALLS + 1):
            for (system, start), found in zip(cases, times, strict=True):
                begun = process_time()
                simulate(system, start, duration=duration, rate=1000.0, pose_rate=500.0)
                found.append(process_time() - begun)
        rigid, bent = (float(np.median(found[1:])) for found in times)
        yield Check.at_most(
            f"{name}, one flexible shank over a rigid one", 1.6, bent / rigid, "-", f"{1e3 * rigid:.0f} ms"
        )


def _compiled(name: str, changes: dict[str, object]) -> tuple[Compiled, Configuration]:
    system, start = Scenario.load(name, changes).build()
    return compile_system(system), start
