"""The board on the right: injury criteria, charts, motion and files of the run, beside the run before."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from . import charts, tables
from .outcome import Outcome

if TYPE_CHECKING:
    from .session import Session

_NOTHING = "Nothing has run yet."
_ASPECT = 1.9  # height over width of the charts


class Board:
    """The widgets on the right of one tab."""

    def __init__(self, gui: Any, session: Session) -> None:
        self._gui = gui
        self._figure: charts.Figure | None = None
        self.panel = gui.add_panel()
        with self.panel.add_tab("Injury", icon="heart-rate-monitor"):
            self._criteria = gui.add_html(tables.empty(_NOTHING))
        with self.panel.add_tab("Charts", icon="chart-line"):
            self._legend = gui.add_html(tables.empty(_NOTHING))
            self._chart: Any = None
            self._chart_place = gui.add_folder(None)
        with self.panel.add_tab("Motion", icon="run"):
            self._motion = gui.add_html(tables.empty(_NOTHING))
        with self.panel.add_tab("Files", icon="files"):
            self._files(session)
        self.panel.dock_right()
        self.panel.set_width(430)

    def show_criteria(self, now: Outcome, before: Outcome | None) -> None:
        """The injury table of a run, which is looked at first."""
        self._criteria.content = tables.criteria(now.assessment, before.assessment if before else None)

    def show_course(self, now: Outcome, before: Outcome | None, time: float) -> None:
        """What happened when: contacts and charts, with the cursor at a time [s]."""
        self._motion.content = tables.motion(now.result, before.result if before else None)
        drawn = charts.charts(now.result, before.result if before else None)
        self._figure = charts.Figure(drawn, now.result.recording.end_time).at(time)
        self._legend.content = tables.legend(drawn)
        if self._chart is None:
            with self._chart_place:
                self._chart = self._gui.add_plotly(self._figure, aspect=_ASPECT)
        else:
            self._chart.figure = self._figure

    def cursor(self, time: float) -> None:
        """Move the cursor of the charts [s]."""
        if self._figure is not None and self._chart is not None:
            self._chart.figure = self._figure.at(time)

    def said(self, html: str) -> None:
        """An answer below the buttons of the files."""
        self._answer.content = html

    def _files(self, session: Session) -> None:
        gui = self._gui
        gui.add_html(tables.page("<h4>Save here</h4>"))
        name = gui.add_text("name", "my-scenario", hint="a file of that name in the working folder of the studio")
        save = gui.add_button("Save the scenario", icon="device-floppy")
        save.on_click(session.answering(lambda: session.save(name.value)))
        gui.add_html(tables.page("<h4>Download</h4>"))
        for kind, (label, icon) in session.downloads.items():
            button = gui.add_button(label, icon=icon)
            button.on_click(session.answering(partial(session.download, kind)))
        self._answer = gui.add_html("")
