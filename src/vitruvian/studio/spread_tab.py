"""The spread of a run in the page: its outcomes over the ranges of the data tables, computed in the background."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from ..errors import VitruvianError
from ..study.case import unit
from ..study.spread import Interval, Spread, short, spread
from ..view.markup import Html, element
from . import tables
from .worker import Ticket, Worker

if TYPE_CHECKING:
    from .outcome import Outcome
    from .session import Session

CASES, FEWEST, MOST = 64, 16, 512
_FIXED = "\N{NO-BREAK SPACE}"
EVERY = 0.2  # between two messages on the progress [s]


class _Stopped(Exception):
    """The user stopped the spread."""


class SpreadTab:
    """The tab with the spread of the run that is shown; `vitruvian run --spread` gives the same numbers.

    found  the run whose spread was computed last, and that spread; None before the first
    """

    def __init__(self, gui: Any, session: Session) -> None:
        self._session = session
        self.found: tuple[Outcome, Spread] | None = None
        self.worker = Worker("studio-spread")
        gui.add_html(
            tables.page(
                element("p", "Stiffness, friction and start vary over the ranges of the data tables: how far do the "
                        "results move? One run alone does not show it.", class_="dim")
            )
        )  # fmt: skip
        self._cases = gui.add_slider("cases", FEWEST, MOST, 16, CASES, hint="runs; 8 more find chaotic outcomes")
        self._start = gui.add_button("Run the spread", icon="chart-histogram", hint="of the run that is shown")
        self._start.on_click(session.answering(self.start))
        self._stop = gui.add_button("Stop", icon="player-stop", disabled=True)
        self._stop.on_click(session.answering(self.stop))
        self._bar = gui.add_progress_bar(0.0)
        self._message = gui.add_html("")
        self._table = gui.add_html("")

    def start(self) -> None:
        """Compute the spread of the run that is shown."""
        outcome = self._session.now
        if outcome is None:
            self._message.content = tables.refusal("Nothing has run yet; press Run first.")
            return
        cases = int(self._cases.value)
        self.stop()
        self._stop.disabled = False
        self._message.content = tables.remark("Preparing the cases.")
        self.worker.submit(lambda ticket: self._compute(ticket, outcome, cases))

    def stop(self) -> None:
        """Stop the cases; a spread that was computed before stays."""
        self.worker.cancel()

    def close(self) -> None:
        """The tab of the browser is gone."""
        self.worker.close()

    def show(self, outcome: Outcome) -> None:
        """A run is shown: the table belongs to it, or to another one."""
        if self.found is not None:
            mine, found = self.found
            words = [] if mine is outcome else ["These intervals are of an earlier run. Run the spread again."]
            self._table.content = table(found, words)

    def _compute(self, ticket: Ticket, outcome: Outcome, cases: int) -> None:
        begun = said = time.monotonic()

        def progress(done: int, number: int, failed: int) -> None:
            nonlocal said
            if ticket.cancelled:
                raise _Stopped
            now = time.monotonic()
            if now - said > EVERY or done == number:
                said = now
                left = (now - begun) / done * (number - done)
                words = f"{done} of {number} cases, {failed} did not end well, about {left:.0f} s left"
                self._message.content = tables.remark(words)
                self._bar.value = 100.0 * done / number

        try:
            found = spread(outcome.scenario, cases, progress=progress)
        except _Stopped:
            self._message.content = tables.remark("Stopped.")
        except VitruvianError as error:
            self._message.content = tables.refusal(str(error))
        else:
            self._message.content = tables.remark(f"{cases} cases in {time.monotonic() - begun:.1f} s.")
            self._take(outcome, found)
        finally:
            self._bar.value = 0.0
            if not self.worker.waiting:
                self._stop.disabled = True

    def _take(self, outcome: Outcome, found: Spread) -> None:
        """Show a spread here, and its intervals with the answer, the charts and the report of its run."""
        self.found = outcome, found
        outcome.result.intervals = {one.name: (one.low, one.high) for one in found.intervals}
        outcome.result.bands = found.bands
        outcome.__dict__.pop("charts", None)  # they have bands now
        self._session.intervals_known(outcome)
        self.show(self._session.now or outcome)


def table(found: Spread, words: list[str]) -> str:
    """Return every outcome with its median, its 5-95 % interval, how often it happens and what drives it."""
    titles = ("outcome", "median", "5 to 95 %", "happens")
    head = element("tr", *(element("th", title) for title in titles))
    rows = [element("tr", *(element("td", cell) for cell in _cells(one))) for one in found.intervals]
    notes = [element("p", note, class_="note") for note in found.notes]
    alarms = [element("p", word, class_="alarm") for word in words]
    return tables.page(*alarms, element("h4", f"{len(found.rows)} cases"), element("table", head, *rows), *notes)


def _cells(one: Interval) -> tuple[str | Html, ...]:
    drivers = ", ".join(f"{short(driver.path)} {driver.correlation:+.2f}" for driver in one.drivers)
    name = f"{one.name.replace('_', ' ')} [{unit(one.name) or '-'}]" + " (chaotic)" * one.chaotic
    title = f"driven by {drivers} (rank correlation)" if drivers else "no input drives it alone"
    share = f"{100.0 * one.share:.0f} %"
    interval = f"{_number(one.low)} to {_number(one.high)}".replace(" ", _FIXED)
    return element("span", name, title=title), _number(one.median), interval, share


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100.0 else f"{value:.3g}"
