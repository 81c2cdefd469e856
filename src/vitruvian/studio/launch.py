"""The studio as a whole: one server, one session for each browser tab."""

from __future__ import annotations

import threading
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from ..scenario import Scenario
from .kernels import Kernels
from .server import LOOPBACK, Server, free_port
from .session import Session

FIRST = "fall-4m"
PORT = 8080
FOLDER = Path("out") / "studio"
_BRAND = (43, 108, 163)
_SKY, _HORIZON = (226, 233, 241), (250, 251, 252)


class Studio:
    """A running studio.

    start   name or file of the scenario with which every tab begins
    folder  into which pages may save
    host    address to listen at; this machine alone unless told otherwise
    port    the first to try; the next free one is taken

    with Studio() as studio:
        print(studio.address)
    """

    def __init__(
        self, start: str = FIRST, *, folder: str | Path = FOLDER, host: str = LOOPBACK, port: int = PORT
    ) -> None:
        self._start = Scenario.load(start)
        self._start.build()
        self.folder = Path(folder)
        self.host = host
        self.sessions: dict[int, Session] = {}
        self._lock = threading.Lock()
        # a tab that is closed in the middle of a run is no fault
        warnings.filterwarnings("ignore", message=r"Queued a \w+ on a closed connection")
        self.port = free_port(host, port)
        self._kernels = Kernels()
        self.server = Server(host, self.port, label="Vitruvian studio")
        self._furnish()
        self.server.on_client_connect(self._arrived)
        self.server.on_client_disconnect(self._left)

    @property
    def address(self) -> str:
        """The URL to open in a browser on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)
        return f"http://{host if ':' not in host or host.startswith('[') else f'[{host}]'}:{self.port}"

    def close(self) -> None:
        """End all sessions and the server."""
        with self._lock:
            sessions, self.sessions = list(self.sessions.values()), {}
        for session in sessions:
            session.close()
        self.server.stop()

    def __enter__(self) -> Studio:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _furnish(self) -> None:
        """Set up what all tabs share: theme, light and up direction, but nothing of a run."""
        gui, scene = self.server.gui, self.server.scene
        gui.configure_theme(brand_color=_BRAND, show_logo=False, show_share_button=False)
        gui.main_panel.dock_left()
        gui.main_panel.set_width(330)
        scene.set_up_direction("+z")
        scene.world_axes.visible = False
        scene.set_background_image(_sky(), format="png")

    def _arrived(self, client: Any) -> None:
        session = Session(client, self.folder, self._kernels, self._start)
        with self._lock:
            self.sessions[client.client_id] = session
        if client.client_id not in self.server.get_clients():  # closed before it was set up
            self._left(client)

    def _left(self, client: Any) -> None:
        with self._lock:
            session = self.sessions.pop(client.client_id, None)
        if session is not None:
            session.close()


def _sky() -> np.ndarray:
    """A picture behind everything, lighter towards the horizon (height, width, 3)."""
    down = np.linspace(0.0, 1.0, 64)[:, None, None]
    return np.broadcast_to((1.0 - down) * _SKY + down * np.array(_HORIZON), (64, 4, 3)).astype(np.uint8)
