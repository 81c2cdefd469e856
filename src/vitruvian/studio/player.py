"""Plays a result: a clock that runs at some speed and says which moment is to be shown."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

RATE = 25.0  # moments shown in a second, at most
SPEEDS = {"real time": 1.0, "1/2": 0.5, "1/4": 0.25, "1/10": 0.1, "1/25": 0.04, "1/100": 0.01}


class Player:
    """A clock from 0 to the end of a run [s].

    show    called with a time [s] from the thread of the player while it plays, and from that of the caller else
    halted  called when it comes to the end or is stopped
    """

    def __init__(self, show: Callable[[float], None], halted: Callable[[], None]) -> None:
        self._show, self._halted = show, halted
        self._change = threading.Condition()
        self.time, self.end, self.speed = 0.0, 0.0, 0.1
        self._playing = self._closed = False
        self._thread = threading.Thread(target=self._run, name="player", daemon=True)
        self._thread.start()

    @property
    def playing(self) -> bool:
        """True while the clock runs."""
        return self._playing

    def load(self, end: float) -> None:
        """A new run that ends at a time [s]; stays at the moment that is shown, if it has it."""
        with self._change:
            self.end = end
            self.time = min(self.time, end)

    def play(self) -> None:
        """Continue, from the start if the time is at the end."""
        with self._change:
            if self._closed or self.end <= 0.0:
                return
            if self.time >= self.end * (1.0 - 1e-9):
                self.time = 0.0
            self._playing = True
            self._change.notify_all()

    def pause(self) -> None:
        """Stop here."""
        with self._change:
            was, self._playing = self._playing, False
        if was:
            self._halted()

    def seek(self, moment: float) -> None:
        """Stop and show a moment [s]."""
        self.pause()
        with self._change:
            self.time = min(max(moment, 0.0), self.end)
        self._show(self.time)

    def close(self) -> None:
        """End the thread."""
        with self._change:
            self._closed, self._playing = True, False
            self._change.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(2.0)

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._playing or self._closed)
                if self._closed:
                    return
            self._play_on()

    def _play_on(self) -> None:
        before = time.monotonic()
        while True:
            now = time.monotonic()
            with self._change:
                if not self._playing:
                    return
                self.time = min(self.time + self.speed * (now - before), self.end)
                moment, ended = self.time, self.time >= self.end
                self._playing = not ended
            before = now
            self._show(moment)
            if ended:
                self._halted()
                return
            time.sleep(max(0.0, 1.0 / RATE - (time.monotonic() - now)))
