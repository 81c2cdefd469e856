"""The timeline of the replay panel: the script of the report, run in the studio's page by viser."""

from __future__ import annotations

import html
import json
from importlib.resources import files
from typing import Any

from ..sim.result import Result
from ..view.replay import asset
from ..view.timeline import plain


def script() -> str:
    """Return the script that shows the timelines of a page."""
    style = json.dumps(asset("timeline.css"))
    own = files(__package__).joinpath("assets", "timeline.js").read_text(encoding="utf-8")
    return f"(() => {{\n{asset('timeline.js')}\nconst TIMELINE_STYLE = {style};\n{own}\n}})();"


def markup(result: Result) -> str:
    """Return the element that the script turns into the timeline of a run."""
    data = html.escape(json.dumps(plain(result), allow_nan=False, separators=(",", ":")), quote=True)
    return f'<div class="studio-timeline" data-timeline="{data}"></div>'


def run_script(gui: Any, source: str) -> None:
    """Run a script in the page of a viser client."""
    from viser import _messages

    gui._websock_interface.queue_message(_messages.RunJavascriptMessage(source=source))


class TimelineBox:
    """The timeline of one tab.

    gui  the widgets of a viser client
    """

    def __init__(self, gui: Any) -> None:
        run_script(gui, script())
        self._html = gui.add_html("")

    def show(self, result: Result) -> None:
        """Show another run."""
        self._html.content = markup(result)
