"""Who may talk to the studio: its own page on this machine."""

import socket

import pytest

pytest.importorskip("viser")

from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from vitruvian.errors import InputError
from vitruvian.studio.server import Server, free_port, is_loopback, refusal


@pytest.mark.parametrize(
    ("host", "origin", "answered"),
    [
        ("127.0.0.1:8080", None, True),
        ("127.0.0.1:8080", "http://127.0.0.1:8080", True),
        ("localhost:8080", "http://localhost:8080", True),
        ("[::1]:8080", "http://[::1]:8080", True),
        ("LOCALHOST:8080", "http://localhost:8080", True),
        ("127.0.0.1:8080", "http://evil.example", False),
        ("127.0.0.1:8080", "http://127.0.0.1:9999", False),  # another server on this machine
        ("127.0.0.1:8080", "null", False),  # a file, or a frame in a sandbox
        ("evil.example:8080", "http://evil.example:8080", False),  # its name points at 127.0.0.1
        ("127.0.0.1.evil.example:8080", None, False),
        (None, None, False),
    ],
)
def test_only_its_own_page_is_answered(host, origin, answered):
    assert (refusal(host, origin, loopback=True) is None) == answered


def test_open_to_others_still_means_its_own_page_only():
    assert refusal("10.0.0.5:8080", "http://10.0.0.5:8080", loopback=False) is None
    assert refusal("10.0.0.5:8080", "http://evil.example", loopback=False) is not None


def test_a_foreign_page_cannot_connect():
    server = Server("127.0.0.1", free_port("127.0.0.1", 0), label="test")
    try:
        address = f"ws://127.0.0.1:{server.get_port()}"
        with pytest.raises(InvalidStatus, match="403"):
            connect(address, origin="http://evil.example", open_timeout=5).close()
        with connect(address, origin=f"http://127.0.0.1:{server.get_port()}", open_timeout=5):
            pass
        # nobody listens on other addresses of this machine
        assert server.get_host() == "127.0.0.1"
    finally:
        server.stop()


def test_the_page_cannot_open_a_tunnel():
    server = Server("127.0.0.1", free_port("127.0.0.1", 0), label="test")
    try:
        assert server.request_share_url() is None
        assert server._share_tunnel is None
    finally:
        server.stop()


def test_a_port_in_use_gives_the_next_one():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        found = free_port("127.0.0.1", port)
    assert port < found < port + 100


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70000), ("127.0.0.1", -1), ("203.0.113.7", 8080)])
def test_an_address_that_cannot_be_is_refused(host, port):
    with pytest.raises(InputError, match="--port"):
        free_port(host, port)


def test_what_is_this_machine_alone():
    assert is_loopback("127.0.0.1") and is_loopback("localhost") and is_loopback("::1")
    assert not is_loopback("0.0.0.0") and not is_loopback("192.168.1.2")


def test_no_other_site_may_show_the_page_in_a_frame():
    """Item 9: frame and content-type protection on the page and on refusals."""
    import http.client

    server = Server("127.0.0.1", free_port("127.0.0.1", 0), label="test")
    try:
        for host, status in ((f"127.0.0.1:{server.get_port()}", 200), ("evil.example", 403)):
            connection = http.client.HTTPConnection("127.0.0.1", server.get_port(), timeout=10)
            connection.request("GET", "/", headers={"Host": host})
            answer = connection.getresponse()
            assert answer.status == status
            assert answer.headers["X-Frame-Options"] == "DENY"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
            connection.close()
    finally:
        server.stop()
