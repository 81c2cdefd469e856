"""Cost of the formulations compared with the engine: one evaluation of the 17-segment body. Times in us."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...human import human
from ...model.compile import compile_system, initial_state, make_work
from ..evidence import Check, least_time
from ..example_system import moving
from ..formulations import FORMULATIONS, Mechanism, kkt
from ..formulations.catalogue import applies, make
from ..kernels import measure

AIM_ENGINE, AIM_SPARSE = 50.0, 5.0  # times faster than dense Euler parameters; sparse against dense solution
REPEATS, ROUNDS = 10, 5


def rows(rounds: int = ROUNDS) -> list[Check]:
    """Measure the engine against dense Euler parameters, sparse against dense solution, and every formulation."""
    system = human(1.8, 80.0, axial="rigid").system
    start = moving(system)
    compiled, mechanism = compile_system(system), Mechanism(system)
    work, state = make_work(compiled), initial_state(compiled, start)
    many = 1000
    calls: dict[str, tuple[Callable[[], Any], int]] = {
        "engine": (
            lambda: measure.right_hand_side(compiled.model, work, state.memory, state.now.q, state.now.v, 0.0, many),
            many,
        )
    }
    for name in (name for name in FORMULATIONS if not applies(mechanism, name)):
        formulation = make(mechanism, name)
        q, v = formulation.coordinates(mechanism.at(start))
        solve = kkt.Sparse()
        calls[name] = (lambda f=formulation, q=q, v=v, solve=solve: solve(f.equations(0.0, q, v)), 1)  # type: ignore[misc]
        if name == "euler-parameters-1":
            equations = formulation.equations(0.0, q, v)
            calls["dense evaluation"] = (lambda f=formulation, q=q, v=v: kkt.dense(f.equations(0.0, q, v)), 1)  # type: ignore[misc]
            for linear in kkt.LINEAR:
                calls[linear] = (lambda solve=kkt.solver(linear), e=equations: solve(e), 1)  # type: ignore[misc]
    best = {name: _time(call, count, rounds) for name, (call, count) in calls.items()}
    sizes = "136 + 48 unknowns, the same body"
    table = [
        _plain("engine, full right-hand side, no contact", best["engine"], "17 segments"),
        _plain("Euler parameters, dense, whole evaluation", best["dense evaluation"], sizes),
        _least("engine faster than that", AIM_ENGINE, best["dense evaluation"] / best["engine"]),
        *(_plain(f"solution of the equations, {linear}", best[linear], sizes) for linear in kkt.LINEAR),
        _least("sparse faster than dense solution", AIM_SPARSE, best["dense"] / best["sparse"]),
    ]
    return table + [_plain(f"{name}, sparse", best[name], "whole evaluation") for name in calls if name in FORMULATIONS]


def _time(call: Callable[[], Any], count: int, rounds: int) -> float:
    """Return the least time of one of the `count` evaluations of a call [s]."""
    call()
    return least_time(call, rounds, REPEATS) if count == 1 else least_time(call, rounds) / count


def _plain(name: str, seconds: float, note: str) -> Check:
    return Check.measured(f"laboratory: {name}", 1e6 * seconds, "us", note)


def _least(name: str, aim: float, got: float) -> Check:
    return Check.at_least(f"laboratory: {name}", aim, got, "-", "times")
