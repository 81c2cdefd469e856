"""One browser tab: its scenario and changes, its runs, what it shows. Tabs share nothing but the compiled kernels."""

from __future__ import annotations

import shlex
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError, VitruvianError
from ..scenario import Scenario, library, read_changes
from ..view.scene import Scene
from . import download, storage, tables
from .comparison import Comparison
from .controls import Changes, Control, Slider, changed, words
from .inputs import InputPanel
from .kernels import Kernels
from .outcome import Outcome
from .playback import PlaybackPanel
from .player import Player
from .results import ResultPanel
from .timeline_box import run_script
from .viewport import Viewport
from .worker import Ticket, Worker

SOON = 0.25  # a run that takes longer shows how far it is [s]
ONE_DRAG = 2.0  # live runs asked for this soon after the last are compared with what was there before the first [s]
CURSOR_EVERY = 0.2  # the charts' cursor moves while playing [s]
_ROOM = 1400  # width of a page that does not tell its own [px]
PREVIEW = 1e-6  # duration of a run that shows only the start [s]


class Asked(NamedTuple):
    """A requested run.

    picked  the count of picked scenarios at that time
    at      [s] of the monotonic clock
    live    while dragging
    """

    scenario: Scenario
    picked: int
    at: float
    live: bool


class Session:
    """The session of one browser tab.

    client   a viser client: its own gui, scene and camera
    folder   the working folder, into which the page may save
    kernels  shared by all tabs
    start    the scenario to begin with
    """

    def __init__(self, client: Any, folder: Path, kernels: Kernels, start: Scenario) -> None:
        self._client, self._folder, self._kernels = client, folder, kernels
        self._lock = threading.RLock()
        self._start = start
        self.base = self.scenario = start
        self.changes: Changes = {}
        self.now: Outcome | None = None
        self.before: Outcome | None = None
        self.comparison = Comparison(self)
        self.answered_in: float | None = None  # from pressing a button to the last message to the page [s]
        self.downloads = download.KINDS
        self._refused: str | None = None
        self._picked = 0  # how often another scenario was picked
        self.viewport = Viewport(client)
        self._previewing = False
        self._cursor_moved = self._shown_at = 0.0
        self._shown_live = False
        self.worker = Worker(f"studio-{getattr(client, 'client_id', 0)}")
        self.player = Player(
            lambda moment: self.attempt(lambda: self._show_moment(moment)), lambda: self.playback.playing(False)
        )
        self.inputs = InputPanel(client.gui, self, start.name)
        room = float(getattr(client.camera, "image_width", _ROOM))
        self.results = ResultPanel(client.gui, self, room)
        self.playback = PlaybackPanel(client.gui, self, room)
        self.inputs.show(start)
        self.run()

    # what buttons and sliders do

    def answering(self, act: Callable[[], Any]) -> Callable[[Any], None]:
        """Return a callback of a widget that calls `act` and shows its errors in the page."""

        def callback(event: Any) -> None:
            if event.client is None and event.client_id is None:
                return  # the value was set from here, not by a hand
            self.attempt(act)

        return callback

    def changing(self, act: Callable[[], Any]) -> Callable[[Any], None]:
        """Return a callback that reads a value of the page; callbacks run one after the other.

        viser calls from several threads. Had each read its value before waiting for its turn, an older value could be
        the last one to be taken.
        """

        def in_turn() -> None:
            with self._lock:
                act()

        return self.answering(in_turn)

    def attempt(self, act: Callable[[], Any]) -> None:
        """Do it; what is wrong is said in the page."""
        try:
            act()
        except VitruvianError as error:
            self.inputs.say(tables.refusal(str(error)))
        except Exception as error:  # users of the page do not see the terminal
            self.inputs.say(tables.refusal(f"An error inside Vitruvian: {type(error).__name__}: {error}"))

    def pick(self, name: str) -> None:
        """Another scenario, unchanged."""
        if name != self._start.name and name not in library():
            raise InputError(f"there is no ready scenario {name!r}.")
        self.worker.cancel()
        self.results.spread.stop()
        with self._lock:
            self._picked += 1
            self.base = self.scenario = self._start if name == self._start.name else Scenario.load(name)
            self.changes, self.before, self.now = {}, None, None
            self.player.pause()
            self.inputs.show(self.scenario)
        self.run()

    def change(self, control: Control, value: Any) -> None:
        """A control was moved."""
        with self._lock:
            try:
                self._accept({**self.changes, **control.write(value)}, control.key)
            except InputError:
                self._refused = control.key
                raise
            at_end = isinstance(control, Slider) and value in (control.low, control.high)
            if not (self._refused == control.key and at_end):  # a number that was typed and then cut to the range
                self._refused = None
        self._act_on_change(words(control, value))

    def set_text(self, text: str) -> None:
        """A change as on the command line: human.height = "165 cm"."""
        with self._lock:
            self._accept({**self.changes, **read_changes([text])})
            self._refused = None
        self._act_on_change(text.strip())

    def reset(self) -> None:
        """Back to the scenario as it was picked."""
        with self._lock:
            self._accept({})
            self._refused = None
            self.inputs.show(self.scenario)
        self._act_on_change("All changes are undone")

    def run(self) -> None:
        """Simulate the scenario as it is now."""
        self._submit_run(live=False)

    def cancel(self) -> None:
        """Stop the run."""
        if not self.worker.cancel():
            self.inputs.idle()

    def save(self, name: str) -> None:
        """Write the scenario into the working folder."""
        try:
            path = storage.save(self._folder, name, ".toml", self.scenario.to_toml())
        except InputError as error:
            self.results.said(tables.refusal(str(error)))
        else:
            command = shlex.join(["vitruvian", "run", str(path)])
            self.results.said(tables.remark(f"Saved as {path}. Run it with: {command}"))

    def download(self, kind: str) -> None:
        """Send a file to the browser."""
        if kind != "scenario" and self.now is None:
            self.results.said(tables.refusal("Nothing has run yet; press Run first."))
            return
        self.results.said(tables.remark("Preparing the file."))
        try:
            result, before = (run.result if run else None for run in (self.now, self.before))
            name, content = download.made(kind, self.scenario, result, before)
        except VitruvianError as error:
            self.results.said(tables.refusal(str(error)))
            return
        self._client.send_file_download(name, content, save_immediately=True)
        self.results.said(tables.remark(f"{name}, {len(content) / 1e6:.2f} MB."))

    def view(self) -> None:
        """Lay the viewer of the report over the page."""
        run_script(self._client.gui, self.comparison.view())

    def play(self) -> None:
        """Play the run."""
        self._leave_preview()
        self.player.play()
        self.playback.playing(self.player.playing)

    def pause(self) -> None:
        """Stop here."""
        self.player.pause()

    def seek(self, moment: float) -> None:
        """Stop and show a moment of the run [s]."""
        self._leave_preview()
        self.player.seek(moment)

    def look(self, camera: str) -> None:
        """Put the camera somewhere."""
        self.viewport.look(camera)

    def intervals_known(self, outcome: Outcome) -> None:
        """Show the answer and the charts of a run again, whose spread was computed."""
        with self._lock:
            if outcome is self.now:
                self.results.show_criteria(outcome, self.before)
                self.results.show_course(outcome, self.before, self.player.time, self.comparison.matched(outcome))

    def redraw(self) -> None:
        """Show the same again, with or without the ghost."""
        with self._lock:
            if self.now is not None:
                self._draw(self.now, self.before)

    def close(self) -> None:
        """The tab is gone."""
        self.player.close()
        self.results.spread.close()
        self.worker.close()

    # changes

    def _accept(self, changes: Changes, moved: str | None = None) -> None:
        """Take changes if the scenario holds with them, built and all; a control that is moved keeps its place."""
        storage.refuse_files(changes)
        scenario = changed(self.base, changes)
        scenario.build()
        self.scenario, self.changes = scenario, changes
        self.inputs.refresh(scenario, changes, moved)

    def _act_on_change(self, change: str) -> None:
        """Run at once, or say what was changed and show how it starts."""
        if self.now is not None:
            self.results.stale(on=True)
        if self.inputs.live.value:
            self._submit_run(live=True)
        else:
            scenario = self.scenario
            self.worker.submit(lambda ticket: self._preview(ticket, scenario, change))

    def _submit_run(self, *, live: bool) -> None:
        with self._lock:
            asked = Asked(self.scenario, self._picked, time.monotonic(), live)
        self.worker.submit(lambda ticket: self._run(ticket, asked))

    # jobs of the worker

    def _run(self, ticket: Ticket, asked: Asked) -> None:
        self.attempt(lambda: self._simulate(ticket, asked))
        if not self.worker.waiting:
            self.inputs.idle()

    def _simulate(self, ticket: Ticket, asked: Asked) -> None:
        if not self._kernels_there(ticket):
            return
        begun = time.monotonic()

        def progress(now: float, end: float) -> bool:
            if time.monotonic() - begun > SOON:
                self.inputs.working(f"Running: {now:.3f} of {end:g} s", now / end)
            return ticket.to_stop

        result = asked.scenario.run(progress, check=False)
        if result.status == "cancelled":
            if ticket.cancelled:
                self.inputs.say(
                    tables.remark(f"Cancelled at {result.recording.end_time:.3f} s; the run before is shown.")
                )
            return
        result.raise_if_empty()
        with self._lock:
            if asked.picked != self._picked:
                return  # of a scenario that is not looked at any more
            self._publish(Outcome(asked.scenario, result), asked)
        self.answered_in = time.monotonic() - asked.at
        if result.fine:
            if self._refused is None:
                self.inputs.say(
                    tables.remark(f"{result.recording.end_time:.3g} s simulated; answered in {self.answered_in:.2f} s.")
                )
        else:
            self.inputs.say(tables.refusal(f"The simulation did not end well ({result.status}). {result.message}"))

    def _preview(self, ticket: Ticket, scenario: Scenario, change: str) -> None:
        def act() -> None:
            if not self._kernels_there(ticket):
                return
            result = scenario.replace({"solver.duration": PREVIEW}).run(check=False)
            with self._lock:
                self.player.seek(0.0)
                self._draw(Outcome(scenario, result), self.now)
                self._previewing = True
            if self._refused is None:
                self.inputs.say(tables.remark(f"{change}; this is how it starts. Press Run."))

        self.attempt(act)
        if not self.worker.waiting:
            self.inputs.idle()

    def _kernels_there(self, ticket: Ticket) -> bool:
        while not self._kernels.wait(0.3):
            if ticket.cancelled:
                return False
            self.inputs.working(self._kernels.words, None)
        return True

    # what is shown

    def _publish(self, outcome: Outcome, asked: Asked) -> None:
        """A new run takes the place of the one before."""
        first = self.now is None
        same_drag = asked.live and self._shown_live and asked.at - self._shown_at < ONE_DRAG
        if not same_drag:
            self.before = self.now
        self.now, self._shown_live, self._shown_at = outcome, asked.live, time.monotonic()
        end = outcome.result.recording.end_time
        self.player.load(end)
        self.results.stale(on=outcome.scenario is not self.scenario)
        self.results.show_criteria(outcome, self.before)
        self.comparison.show(outcome)
        self.results.spread.show(outcome)
        self._draw(outcome, self.before)
        self.results.show_course(outcome, self.before, self.player.time, self.comparison.matched(outcome))
        self.playback.show(outcome.result)
        if first or not asked.live:
            self.viewport.frame()
        if not asked.live:
            self.player.time = 0.0
            self.play()

    def _draw(self, outcome: Outcome, ghost: Outcome | None) -> None:
        """Put a run on the scene, with another as a ghost."""
        ghost = ghost if self.playback.ghost.value else None
        self.viewport.draw(self._seen(outcome), None if ghost is None else self._seen(ghost), self.player.time)
        self._previewing = False

    def _seen(self, outcome: Outcome) -> Scene:
        return outcome.skinned if self.playback.skin.value else outcome.shapes

    def _leave_preview(self) -> None:
        with self._lock:
            if self._previewing and self.now is not None:
                self._draw(self.now, self.before)

    def _show_moment(self, moment: float) -> None:
        """The player came to a moment [s]."""
        with self._lock:
            if self._previewing:
                return  # the last step of a replay that was stopped to show how another run starts
            self.viewport.show(moment)
        self.playback.at(moment)
        if not self.player.playing or time.monotonic() - self._cursor_moved > CURSOR_EVERY:
            self._cursor_moved = time.monotonic()
            self.results.cursor(moment)
