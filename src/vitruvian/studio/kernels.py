"""Whether the compiled kernels are there: loaded, or compiled once per machine, in the background for all tabs."""

from __future__ import annotations

import threading
import time

from .._jit import announcement, cache_is_cold


class Kernels:
    """Loads the kernels of the engine in a thread of its own.

    compiling  True if they have to be compiled first
    """

    def __init__(self) -> None:
        from ..kernels import loop

        self.compiling = cache_is_cold(loop.advance)
        self._since = time.monotonic()
        self._ready = threading.Event()
        threading.Thread(target=self._load, name="kernels", daemon=True).start()

    def wait(self, timeout: float) -> bool:
        """True as soon as they are there; False after a while [s]."""
        return self._ready.wait(timeout)

    @property
    def words(self) -> str:
        """Return a sentence for users who wait."""
        if not self.compiling:
            return "Loading the kernels."
        passed = time.monotonic() - self._since
        return f"{announcement().capitalize()}; {passed:.0f} s have passed."

    def _load(self) -> None:
        from ..scenario import Scenario

        try:
            Scenario.load("fall-4m", {"solver.duration": 1e-6}).run(check=False)
        finally:
            self._ready.set()  # if it failed, so does the first run, and says why
