"""Runs that a user keeps and curves that were measured, next to the run of a tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import InputError
from . import measurement, viewer_window
from .outcome import Outcome

if TYPE_CHECKING:
    from ..injury.channels import Channels
    from ..injury.match import Match
    from .session import Session


class Comparison:
    """The runs and curves that the run of a tab is compared with.

    kept      names and runs
    measured  name of a file and its channels, or None
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.kept: list[tuple[str, Outcome]] = []
        self.measured: tuple[str, Channels] | None = None

    def keep(self) -> None:
        """Keep the run that is shown, to compare the next ones with it."""
        now = self._run()
        if len(self.kept) >= viewer_window.MOST - 1:
            raise InputError(
                f"{len(self.kept)} runs are kept; with the current one that is the most. Forget them first."
            )
        self.kept.append((f"run {len(self.kept) + 1}", now))
        self.show(now)

    def forget(self) -> None:
        """Drop the kept runs and the measured curves."""
        self.kept, self.measured = [], None
        self._again()

    def upload(self, name: str, content: bytes) -> None:
        """Take measured curves, and lay the run over the channels that both have."""
        channels = measurement.read(name, content)
        measurement.compared(channels, self._run().result)  # refused if nothing is in common
        self.measured = (name, channels)
        self._again()

    def view(self) -> str:
        """Lay the viewer of the report over the page: the run with the kept ones, or with the run before."""
        now, before = self._run(), self._session.before
        others = self.kept or ([("the run before", before)] if before else [])
        runs = [("this run", now), *((name, run) for name, run in others if run is not now)]
        labels = [name for name, _ in runs] if len(runs) > 1 else ()
        return viewer_window.script([run.result for _, run in runs], labels)

    def show(self, outcome: Outcome) -> None:
        """Show the criteria and ratings of a run next to the kept ones."""
        runs = [(name, run.assessment) for name, run in self.kept]
        self._session.results.show_compared(
            outcome.assessment, runs, self.measured[0] if self.measured else "", self.matched(outcome)
        )

    def matched(self, outcome: Outcome) -> list[Match]:
        """Return the channels of a run that were measured too; none if nothing is in common."""
        if self.measured is None:
            return []
        try:
            return measurement.compared(self.measured[1], outcome.result)
        except InputError:
            return []

    def _run(self) -> Outcome:
        if self._session.now is None:
            raise InputError("nothing has run yet; press Run first.")
        return self._session.now

    def _again(self) -> None:
        session, now = self._session, self._session.now
        if now is not None:
            self.show(now)
            session.results.show_course(now, session.before, session.player.time, self.matched(now))
