"""The playback panel at the bottom: play, pause, scrub, speed, camera, and the previous run as a ghost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..sim.result import Result
from .player import SPEEDS
from .timeline_box import TimelineBox
from .viewport import CAMERAS

if TYPE_CHECKING:
    from .session import Session

WIDTH = 520  # [px]
_LEAST = 270  # [px]
_PANELS = 640  # width of the panels on both sides of a narrow page [px]


class PlaybackPanel:
    """The widgets of the replay of one tab, in a window at the foot of the picture.

    width  of the page [px]
    """

    def __init__(self, gui: Any, session: Session, width: float) -> None:
        self._session = session
        self._panel = gui.add_panel()
        with self._panel.add_tab("Replay", icon="movie"):
            self.time = gui.add_slider("time [ms]", 0.0, 1.0, 0.1, 0.0)
            self.time.on_update(session.answering(lambda: session.seek(1e-3 * self.time.value)))
            self.timeline = TimelineBox(gui)
            self._play = gui.add_button("Play", icon="player-play")
            self._play.on_click(session.answering(self._toggle))
        with self._panel.add_tab("View", icon="camera"):
            self._speed = gui.add_dropdown("speed", tuple(SPEEDS), initial_value="1/4")
            self._speed.on_update(session.answering(self._set_speed))
            self._set_speed()
            camera = gui.add_button_group("camera", CAMERAS)
            camera.on_click(session.answering(lambda: session.look(camera.value)))
            self.skin = gui.add_checkbox(
                "skin", initial_value=True, hint="people as they look; else the shapes that touch"
            )
            self.skin.on_update(session.answering(session.redraw))
            self.ghost = gui.add_checkbox("ghost", initial_value=True, hint="the run before, in blue glass")
            self.ghost.on_update(session.answering(session.redraw))
        self._panel.float(x=10, y=-14, width=int(min(max(width - _PANELS, _LEAST), WIDTH)))

    def show(self, result: Result) -> None:
        """Show the times and events of a run."""
        self.time.max = max(round(1e3 * result.recording.end_time, 1), 0.1)
        self.timeline.show(result)

    def at(self, time: float) -> None:
        """The moment that is shown [s]."""
        self.time.value = round(1e3 * time, 1)

    def playing(self, on: bool) -> None:
        """The button says what it does next."""
        self._play.label, self._play.icon = ("Pause", "player-pause") if on else ("Play", "player-play")

    def _toggle(self) -> None:
        self._session.pause() if self._session.player.playing else self._session.play()

    def _set_speed(self) -> None:
        self._session.player.speed = SPEEDS[self._speed.value]
