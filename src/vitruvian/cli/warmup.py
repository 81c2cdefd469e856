"""`vitruvian warmup`: compile the kernels before they are needed."""

from __future__ import annotations

import typer


def command() -> None:
    """Compile the kernels, once per machine, so that the first run does not wait."""
    import time

    from .._jit import announcement, cache_folder, cache_is_cold
    from ..kernels import loop
    from ..scenario import Scenario

    if cache_is_cold(loop.advance):
        typer.echo(announcement(), err=True)
    started = time.perf_counter()
    Scenario.load("fall-4m", {"solver.duration": 0.001}).run()
    print(f"The kernels are ready after {time.perf_counter() - started:.1f} s; they lie in {cache_folder()}")
