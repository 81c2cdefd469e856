"""The result panel on the right: injury criteria, charts, motion and files of the run and of the previous one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from . import tables
from .figure import WIDTH, Figure
from .measurement import charts as measured_charts
from .outcome import Outcome
from .spread_tab import SpreadTab

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..injury.assessment import Assessment
    from ..injury.match import Match
    from .session import Session

_BROAD, _NARROW = 1200, 290  # from which width of the page the panel is full, and its width below that [px]
_NOTHING = "Nothing has run yet."


class ResultPanel:
    """The widgets on the right of one tab.

    width  of the page [px]
    """

    def __init__(self, gui: Any, session: Session, width: float) -> None:
        self._gui = gui
        self._figure: Figure | None = None
        self.panel = gui.add_panel()
        with self.panel.add_tab("Injury", icon="heart-rate-monitor"):
            self._stale = gui.add_html("")
            self._answer_block = gui.add_html(tables.empty(_NOTHING))
            self._criteria = gui.add_html("")
        with self.panel.add_tab("Charts", icon="chart-line"):
            self._chart: Any = None
            self._chart_place = gui.add_folder(None)
        with self.panel.add_tab("Motion", icon="run"):
            self._motion = gui.add_html(tables.empty(_NOTHING))
        with self.panel.add_tab("Compare", icon="arrows-diff"):
            self._comparison(session)
        with self.panel.add_tab("Spread", icon="chart-histogram"):
            self.spread = SpreadTab(gui, session)
        with self.panel.add_tab("Files", icon="files"):
            self._files(session)
        self.panel.dock_right()
        self.panel.set_width(WIDTH + 30 if width >= _BROAD else _NARROW)

    def show_criteria(self, now: Outcome, before: Outcome | None) -> None:
        """Show the answer of a run and its injury table, which are looked at first."""
        self._answer_block.content = tables.answer(now.result.answer())
        self._criteria.content = tables.criteria(now.assessment, before.assessment if before else None)

    def stale(self, *, on: bool) -> None:
        """Dim all results while they belong to other values than those of the panel."""
        self._stale.content = tables.stale() if on else ""

    def show_compared(
        self, now: Assessment, kept: Sequence[tuple[str, Assessment]], measured: str, found: Sequence[Match]
    ) -> None:
        """Show the criteria of kept runs next to those of this one, and the ratings against measured curves."""
        self._compared.content = tables.compared(now, kept) + tables.ratings(measured, found)

    def show_course(self, now: Outcome, before: Outcome | None, time: float, found: Sequence[Match] = ()) -> None:
        """Show the course of a run: contacts and charts, with the cursor at a time [s].

        found  channels that were measured too; their charts come first
        """
        self._motion.content = tables.motion(now.result)
        end = now.result.recording.end_time
        self._figure = Figure([*measured_charts(list(found)), *now.charts], before.charts if before else (), end).at(
            time
        )
        if self._chart is None:
            with self._chart_place:
                self._chart = self._gui.add_plotly(self._figure, aspect=self._figure.aspect)
        else:
            self._chart.figure, self._chart.aspect = self._figure, self._figure.aspect

    def cursor(self, time: float) -> None:
        """Move the cursor of the charts [s]."""
        if self._figure is not None and self._chart is not None:
            self._chart.figure = self._figure.at(time)

    def said(self, html: str) -> None:
        """An answer below the buttons of the files."""
        self._answer.content = html

    def _comparison(self, session: Session) -> None:
        gui = self._gui
        keep = gui.add_button("Keep this run", icon="pin", hint="up to three, to compare the next ones with them")
        keep.on_click(session.changing(session.comparison.keep))
        view = gui.add_button("Open the viewer", icon="eye", hint="all runs in one replay: measure, plan, traces, film")
        view.on_click(session.changing(session.view))
        upload = gui.add_upload_button("Load measured curves", icon="upload", hint="CSV, or a zip of ISO-MME data")
        upload.on_upload(session.changing(lambda: session.comparison.upload(upload.value.name, upload.value.content)))
        forget = gui.add_button("Forget kept runs and curves", icon="eraser")
        forget.on_click(session.changing(session.comparison.forget))
        self._compared = gui.add_html("")

    def _files(self, session: Session) -> None:
        gui = self._gui
        gui.add_html(tables.heading("Save here"))
        name = gui.add_text("name", "my-scenario", hint="a file of that name in the working folder of the studio")
        save = gui.add_button("Save the scenario", icon="device-floppy")
        save.on_click(session.answering(lambda: session.save(name.value)))
        gui.add_html(tables.heading("Download"))
        for kind, (label, icon) in session.downloads.items():
            button = gui.add_button(label, icon=icon)
            button.on_click(session.answering(partial(session.download, kind)))
        self._answer = gui.add_html("")
