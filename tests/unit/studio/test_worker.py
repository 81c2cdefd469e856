"""The worker and the player of a browser tab: the newest job wins, a long one is ended, the clock keeps time."""

import threading
import time

import pytest

from vitruvian.studio import worker as worker_module
from vitruvian.studio.player import Player
from vitruvian.studio.worker import Worker


@pytest.fixture
def worker():
    made = Worker("test")
    yield made
    made.close()


def test_only_the_newest_of_the_waiting_jobs_is_done(worker):
    gate, done = threading.Event(), []
    worker.submit(lambda ticket: gate.wait(5.0))
    time.sleep(0.05)
    tickets = [worker.submit(lambda ticket, n=n: done.append(n)) for n in range(5)]
    gate.set()
    assert worker.join(5.0)
    assert done == [4]
    assert [ticket.cancelled for ticket in tickets] == [True] * 4 + [False]


def test_a_long_job_is_told_to_stop_when_a_newer_one_waits(worker, monkeypatch):
    monkeypatch.setattr(worker_module, "PATIENCE", 0.05)
    ended = []

    def long(ticket):
        begun = time.monotonic()
        while not ticket.to_stop and time.monotonic() - begun < 5.0:
            time.sleep(0.005)
        ended.append(time.monotonic() - begun)

    worker.submit(long)
    time.sleep(0.1)
    worker.submit(lambda ticket: ended.append("newer"))
    assert worker.join(5.0)
    assert ended[0] < 2.0 and ended[1] == "newer"


def test_a_short_job_is_finished_though_a_newer_one_waits(worker):
    """Otherwise nothing would be shown while somebody drags."""
    told = []

    def short(ticket):
        time.sleep(0.05)
        told.append(ticket.to_stop)

    worker.submit(short)
    time.sleep(0.01)
    worker.submit(lambda ticket: None)
    assert worker.join(5.0)
    assert told == [False]


def test_cancel_stops_the_running_job_and_forgets_the_one_that_waits(worker):
    seen, done = threading.Event(), []

    def long(ticket):
        seen.set()
        while not ticket.cancelled:
            time.sleep(0.005)
        done.append("cancelled")

    worker.submit(long)
    assert seen.wait(5.0)
    worker.submit(lambda ticket: done.append("never"))
    assert worker.cancel()
    assert worker.join(5.0)
    assert done == ["cancelled"]
    assert not worker.cancel()  # nothing left


def test_a_job_that_raises_does_not_end_the_worker(worker):
    done = []
    worker.submit(lambda ticket: 1 / 0)
    worker.join(5.0)
    worker.submit(lambda ticket: done.append(True))
    assert worker.join(5.0)
    assert done == [True]


def test_a_closed_worker_does_nothing(worker):
    done = []
    worker.close()
    assert worker.submit(lambda ticket: done.append(True)).cancelled
    time.sleep(0.05)
    assert not done and not worker._thread.is_alive()


def test_the_player_keeps_time_and_stops_at_the_end():
    shown, halted = [], threading.Event()
    player = Player(shown.append, halted.set)
    player.load(0.2)
    player.speed = 0.5
    begun = time.monotonic()
    player.play()
    assert halted.wait(5.0)
    passed = time.monotonic() - begun
    player.close()
    assert shown[-1] == 0.2 and not player.playing
    assert shown == sorted(shown)
    assert passed >= 0.2 / 0.5 - 0.01  # never faster than asked


def test_the_player_seeks_within_the_run_and_starts_again_from_its_end():
    shown = []
    player = Player(shown.append, lambda: None)
    player.load(1.0)
    player.seek(5.0)
    assert shown[-1] == 1.0
    player.play()
    time.sleep(0.1)
    player.pause()
    player.close()
    assert player.time < 0.5  # began again


def test_the_player_shows_nothing_before_there_is_a_run():
    player = Player(lambda moment: pytest.fail("nothing to show"), lambda: None)
    player.play()
    assert not player.playing
    player.close()
