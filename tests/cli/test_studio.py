"""`vitruvian studio` from the shell: says where it is, warns, and ends at Ctrl-C."""

import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

pytest.importorskip("viser")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent otherwise on Windows")


class Running:
    """The command in a process of its own, which has said where the page is."""

    def __init__(self, folder, *words):
        command = [sys.executable, "-m", "vitruvian", "studio", "--no-browser", *words]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
        )
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+:(\d+)", line)
        assert found, line + self.process.stderr.read()
        self.address, self.port = found[0], int(found[1])

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


def test_it_serves_the_page_and_ends_at_ctrl_c(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        running = Running(tmp_path, "--port", str(port))
        assert running.port > port  # the next free one
        with urllib.request.urlopen(running.address, timeout=10) as answer:
            assert b"<html" in answer.read()[:2000].lower()
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{running.address}/%2e%2e/%2e%2e/_viser.py", timeout=10)
        stranger = urllib.request.Request(running.address, headers={"Host": f"evil.example:{running.port}"})
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(stranger, timeout=10)
        code, out, err = running.interrupt()
    assert code == 0 and "closed" in out
    assert f"Port {port} is in use" in err and "Warning" not in err and "Traceback" not in err
    assert list(tmp_path.iterdir()) == []  # nothing is written unless the page is told to save


def test_an_address_for_others_is_warned_of(tmp_path):
    running = Running(tmp_path, "--host", "0.0.0.0", "--port", "0")
    code, _, err = running.interrupt()
    assert code == 0 and "Warning: 0.0.0.0 can be reached from other machines" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fall-5m-nowhere"], "no scenario"),
        (["--port", "70000"], "--port is 70000"),
        (["--host", "no.such.host."], "--host"),
    ],
)
def test_wrong_input_is_refused(tmp_path, words, said):
    command = [sys.executable, "-m", "vitruvian", "studio", "--no-browser", *words]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 2 and said in ended.stderr and "Traceback" not in ended.stderr


def test_a_missing_package_is_named_with_its_extra(monkeypatch, capsys):
    from vitruvian.cli import main

    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit) as left:
        main(["studio", "--no-browser"])
    assert left.value.code == 2
    assert 'pip install "vitruvian[studio]"' in capsys.readouterr().err
