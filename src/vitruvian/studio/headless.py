"""A tab without a browser, to measure and to test: everything is done and sent, and nobody looks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

from ..scenario import Scenario
from .kernels import Kernels
from .server import LOOPBACK, Server, free_port
from .session import Session


class Unwatched:
    """As much of a viser client as a session asks for; it talks through the shared scene of a server.

    sent  files that were downloaded: name -> content
    """

    client_id = 0

    def __init__(self, server: Server) -> None:
        self.gui, self.scene = server.gui, server.scene
        self.camera = SimpleNamespace()
        self.sent: dict[str, bytes] = {}

    def atomic(self) -> contextlib.AbstractContextManager[None]:
        """Nobody sees half a picture."""
        return contextlib.nullcontext()

    def send_file_download(self, name: str, content: bytes, save_immediately: bool) -> None:
        """Keep the file."""
        self.sent[name] = content


@contextlib.contextmanager
def session(start: str, folder: Path, kernels: Kernels | None = None) -> Iterator[tuple[Session, Unwatched]]:
    """A session that has answered its first run, and its tab; or that waits for the kernels that are given."""
    server = Server(LOOPBACK, free_port(LOOPBACK, 0), label="unwatched")
    try:
        tab = Unwatched(server)
        made = Session(tab, folder, kernels or Kernels(), Scenario.load(start))
        try:
            if kernels is None:
                made.worker.join(600.0)
            yield made, tab
        finally:
            made.close()
    finally:
        server.stop()
