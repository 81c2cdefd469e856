"""`vitruvian studio`: change, run and watch scenarios in the browser."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer


def command(
    name: str = typer.Argument("fall-4m", help="Scenario to begin with: a ready one, or a TOML file."),
    port: int = typer.Option(8080, "--port", help="Port; the next free one if it is in use, 0 for any."),
    host: str = typer.Option("127.0.0.1", "--host", help="Address to listen on; only this machine unless given."),
    out: Path = typer.Option(Path("out/studio"), "--out", help="Folder in which the page may save scenarios."),
    browser: bool = typer.Option(True, "--browser/--no-browser", help="Open the page in the browser."),
) -> None:
    """Open a page in the browser to change scenarios with sliders, run them and watch. Stop it with Ctrl-C."""
    from importlib.util import find_spec

    from ..errors import MissingExtra

    if find_spec("viser") is None:
        raise MissingExtra("viser", "studio", "vitruvian studio")

    from ..studio.launch import Studio
    from ..studio.server import is_loopback

    with _interrupted() as asked, Studio(name, folder=out, host=host, port=port) as studio:
        if not is_loopback(host):
            typer.echo(
                f"Warning: {host} can be reached from other machines, and there is no password: everybody who reaches "
                f"port {studio.port} can run simulations here and save scenarios in {out}.",
                err=True,
            )
        if port not in (0, studio.port):
            typer.echo(f"Port {port} is in use; taking {studio.port}.", err=True)
        print(f"The studio is at {studio.address} (Ctrl-C ends it).", flush=True)
        if browser:
            import webbrowser

            webbrowser.open(studio.address)
        while not asked.wait(0.5):
            pass
    print("The studio is closed.", flush=True)


@contextmanager
def _interrupted() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C or a termination signal sets."""
    asked = threading.Event()
    before = {number: signal.signal(number, lambda *_: asked.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
