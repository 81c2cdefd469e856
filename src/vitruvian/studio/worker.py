"""One thread that does the newest job: a newer one takes the place of the one that waits, and ends a long one."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

_LOG = logging.getLogger(__name__)

#: a job that has run for less when a newer one arrives is finished and shown, so that dragging shows motion [s]
PATIENCE = 0.5


class Ticket:
    """The handle of a job, which reports whether the job is to stop."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._flag = threading.Event()
        self._begun = time.monotonic()

    @property
    def cancelled(self) -> bool:
        """True once this job has been cancelled."""
        return self._flag.is_set()

    @property
    def to_stop(self) -> bool:
        """True if it was cancelled, or has run for long while a newer job waits."""
        return self.cancelled or (self._worker.waiting and time.monotonic() - self._begun > PATIENCE)

    def begin(self) -> None:
        """The clock of the patience starts."""
        self._begun = time.monotonic()

    def cancel(self) -> None:
        """Ask it to stop."""
        self._flag.set()


Job = Callable[[Ticket], None]


class Worker:
    """A thread that runs one job and keeps at most one more waiting.

    A job gets a Ticket and must check it regularly. Jobs raise nothing: they report their errors themselves.
    """

    def __init__(self, name: str = "worker") -> None:
        self._change = threading.Condition()
        self._next: tuple[Job, Ticket] | None = None
        self._running: Ticket | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> bool:
        """True while a job waits for the running one."""
        return self._next is not None

    @property
    def busy(self) -> bool:
        """True while a job runs or waits."""
        return self._running is not None or self.waiting

    def submit(self, job: Job) -> Ticket:
        """Run this job next, instead of the waiting one."""
        with self._change:
            ticket = Ticket(self)
            if self._closed:
                ticket.cancel()
                return ticket
            if self._next is not None:
                self._next[1].cancel()
            self._next = (job, ticket)
            self._change.notify_all()
            return ticket

    def cancel(self) -> bool:
        """Stop the running job and forget the one that waits; True if there was any."""
        with self._change:
            any_job = self.busy
            if self._next is not None:
                self._next[1].cancel()
                self._next = None
            if self._running is not None:
                self._running.cancel()
            return any_job

    def close(self, timeout: float = 5.0) -> None:
        """Cancel everything and end the thread; waits for it for a while [s]."""
        self.cancel()
        with self._change:
            self._closed = True
            self._change.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout)

    def join(self, timeout: float = 60.0) -> bool:
        """Wait until there is nothing to do [s]; False if that took longer."""
        with self._change:
            return self._change.wait_for(lambda: not self.busy, timeout)

    def _work(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._next is not None or self._closed)
                if self._closed:
                    return
                assert self._next is not None
                job, self._running = self._next
                self._next = None
            self._running.begin()
            try:
                job(self._running)
            except Exception:
                _LOG.exception("a job of the studio failed")
            finally:
                with self._change:
                    self._running = None
                    self._change.notify_all()
