"""A tab without a browser, for tests and benchmarks: everything is computed and sent."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

from ..scenario import Scenario
from .kernels import Kernels
from .server import LOOPBACK, Server, free_port
from .session import Session


class HeadlessClient:
    """The part of a viser client that a session uses; it draws on the shared scene of a server.

    sent  files that were downloaded: name -> content
    """

    client_id = 0

    def __init__(self, server: Server) -> None:
        self.gui, self.scene = server.gui, server.scene
        self.camera = SimpleNamespace()
        self.sent: dict[str, bytes] = {}

    def atomic(self) -> contextlib.AbstractContextManager[None]:
        """Group messages; nothing to do without a browser."""
        return contextlib.nullcontext()

    def send_file_download(self, name: str, content: bytes, save_immediately: bool) -> None:
        """Keep the file."""
        self.sent[name] = content


@contextlib.contextmanager
def session(start: str, folder: Path, kernels: Kernels | None = None) -> Iterator[tuple[Session, HeadlessClient]]:
    """Open a session and its client; without `kernels` it has answered its first run, otherwise it waits for them."""
    server = Server(LOOPBACK, free_port(LOOPBACK, 0), label="headless")
    try:
        tab = HeadlessClient(server)
        made = Session(tab, folder, kernels or Kernels(), Scenario.load(start))
        try:
            if kernels is None:
                made.worker.join(600.0)
            yield made, tab
        finally:
            made.close()
    finally:
        server.stop()
