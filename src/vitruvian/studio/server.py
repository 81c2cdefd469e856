"""viser's server as the studio needs it: on this machine, for its own page only, and never through a public tunnel.

viser takes WebSocket connections from any page: a site in another tab could drive a server on this machine. Here every
request is looked at first. Its Host must be this machine (or, with --host, anything), which keeps out names
that a foreign site points at 127.0.0.1, and its Origin, which browsers always send along, must be this server.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import io
import socket
from collections.abc import Callable, Iterator
from typing import Any

import viser
import websockets.asyncio.server

from ..errors import InputError

LOOPBACK = "127.0.0.1"
#: what a browser on this machine may call it
_HERE = ("127.0.0.1", "localhost", "[::1]")
#: sent with every page: no other site may show it in a frame, and no browser may guess another type of content
PROTECTION = {
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_PORTS = 100  # that are tried, one after the other


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server at that address."""
    return host in ("127.0.0.1", "::1", "localhost")


def free_port(host: str, port: int) -> int:
    """Return the port, or the next free one; refuse an address that is not one of this machine."""
    if not 0 <= port <= 65535:
        raise InputError(f"--port is {port}; accepted 1 to 65535, or 0 for any that is free.")
    for attempt in range(port, min(port + _PORTS, 65536)):
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(
                host, attempt, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            with socket.socket(family, kind, protocol) as trial:
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                trial.bind(address)
                return int(trial.getsockname()[1])
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                reason = error.strerror or error
                raise InputError(
                    f"{host}:{attempt} cannot be listened at ({reason}). Leave --host out for this machine alone, "
                    "and take a --port above 1023."
                ) from None
    raise InputError(f"the ports {port} to {port + _PORTS - 1} are all in use; choose another one with --port.")


def refusal(host: str | None, origin: str | None, *, loopback: bool) -> str | None:
    """Return the reason why a request is refused, or None.

    host, origin  headers of the request; a browser sends the origin with every WebSocket
    loopback      whether the server is for this machine alone
    """
    name = (host or "").rpartition(":")[0] if ":" in (host or "").rpartition("]")[2] else host or ""
    if loopback and name.lower() not in _HERE:
        return f"this server does not answer to the name {name!r}"
    if origin is not None and origin.lower() != f"http://{host}".lower():
        return "pages of other sites may not use this server"
    return None


class Server(viser.ViserServer):
    """A server for the studio's own page.

    host, port  where it listens; the port must be free
    """

    def __init__(self, host: str, port: int, label: str) -> None:
        with _looked_at(loopback=is_loopback(host)), _quiet():
            super().__init__(host=host, port=port, label=label, verbose=False)

    def request_share_url(self, verbose: bool = True) -> str | None:
        """Nothing: the page cannot open a way in from outside."""
        return None

    def stop(self) -> None:
        """Close all connections and end the thread."""
        with _quiet():
            super().stop()


@contextlib.contextmanager
def _looked_at(*, loopback: bool) -> Iterator[None]:
    """While this lasts, a server that is opened refuses requests that are not its own page's."""
    opened = websockets.asyncio.server.serve

    @functools.wraps(opened)
    def serve(*arguments: Any, process_request: Callable[..., Any], **options: Any) -> Any:
        def answer(connection: Any, request: Any) -> Any:
            reason = refusal(request.headers.get("Host"), request.headers.get("Origin"), loopback=loopback)
            response = connection.respond(403, f"{reason}\n") if reason else process_request(connection, request)
            if response is not None:  # None opens a WebSocket
                for name, value in PROTECTION.items():
                    response.headers.pop(name, None)
                    response.headers[name] = value
            return response

        return opened(*arguments, process_request=answer, **options)

    websockets.asyncio.server.serve = serve  # type: ignore[assignment,misc]
    try:
        yield  # viser opens its server inside its constructor and waits until it listens
    finally:
        websockets.asyncio.server.serve = opened  # type: ignore[misc]


def _quiet() -> contextlib.AbstractContextManager[Any]:
    """viser announces itself on the screen; the command says what is to be said."""
    return contextlib.redirect_stdout(io.StringIO())
