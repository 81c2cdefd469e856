"""`report.html`: a result on one page that opens from disk, with replay, linked charts, injury, audit and sources.

The page asks the network for nothing and says so to the browser (Content-Security-Policy). Every text that comes from
a scenario or a name goes through `markup`, which escapes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from .._files import MARK, write_text
from ..sim.result import Result
from . import replay, sections, timeline
from .charts import Chart, charts
from .markup import Html, element, joined
from .replay import Block, asset, embedded, embedded_json
from .replay_panel import panel
from .scene import Scene, drawable
from .still import stills

_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)


def write_report(result: Result, path: str | Path, *, against: Sequence[Result] = ()) -> Path:
    """Write the page; a file that is there is replaced only when the new one is whole. The options: see `report`."""
    return write_text(path, report(result, against=against))


def report(result: Result, *, against: Sequence[Result] = ()) -> str:
    """Return the page of a result as text; a run that diverged is shown up to its last valid sample.

    against  further results: ghosts in the replay, dotted curves of their accelerations
    """
    result, against = result.sound, [other.sound for other in against]
    assessment = result.injury()
    shown = charts(result, assessment, against)
    block = Block()
    tree: dict[str, Any] = {"charts": [_packed(chart, block) for chart in shown]}
    if drawable(result):
        tree["scene"] = replay.tree([Scene(one) for one in (result, *against)], block)
        tree["timeline"] = timeline.packed((result, *against), block)
    title = result.title or result.name or "Result"
    body = joined(
        [
            sections.header(result, title, assessment),
            sections.motion(result, tree, shown, stills(result) if drawable(result) else []),
            sections.injury(assessment),
            sections.sequence(result),
            sections.energy(result),
            sections.model(result, assessment),
            sections.reproduce(result),
        ]
    )
    data = [embedded_json("tree", tree), embedded("block", block.bytes())]
    if shown:
        data.append(plotly())
    return page(
        title, body, data, scripts=("folds.js", "replay.js", "tools.js", "timeline.js", "panel.js", "charts.js")
    )


def write_replay(results: Sequence[Result], path: str | Path, *, labels: Sequence[str] = ()) -> Path:
    """Write a page with nothing but the replay; see `replay_page`."""
    return write_text(path, replay_page(results, labels=labels))


def replay_page(results: Sequence[Result], *, labels: Sequence[str] = ()) -> str:
    """Return a page with only the replay: the first result solid, the others as ghosts or side by side.

    labels  names of the results, where their titles do not tell them apart
    """
    block = Block()
    tree: dict[str, Any] = {"scene": replay.tree([Scene(result) for result in results], block, labels), "charts": []}
    tree["timeline"] = timeline.packed(results, block, labels)
    title = ", ".join(dict.fromkeys(actor["title"] for actor in tree["scene"]["actors"]))
    body = element("main", element("h1", title, class_="small"), panel(tree["scene"]), class_="replay-only")
    data = [embedded_json("tree", tree), embedded("block", block.bytes())]
    return page(title, body, data, scripts=("folds.js", "replay.js", "tools.js", "timeline.js", "panel.js"))


def page(title: str, body: Html, data: Sequence[str], *, scripts: Sequence[str]) -> str:
    """A whole page with its style, data and scripts inside."""
    code = "\n".join(asset(name) for name in scripts)
    head = joined(
        [
            element("meta", charset="utf-8"),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
            element("meta", name="generator", content=MARK),
            element("title", title),
            element("style", Html(asset("page.css") + asset("timeline.css"))),
            element("noscript", element("style", Html(".still{display:grid}.panel,.charts{display:none}"))),
        ]
    )
    end = Html("".join(data) + f"<script>\n{code}\n</script>")
    return f"<!doctype html>\n{element('html', element('head', head), element('body', body, end), lang='en')}\n"


@cache
def plotly() -> str:
    """The script of plotly, from its package, as `charts.js` reads it; compressed once."""
    return embedded("plotly", files("plotly").joinpath("package_data", "plotly.min.js").read_bytes(), level=1)


# parts


def _packed(chart: Chart, block: Block) -> dict[str, Any]:
    return {
        "key": chart.key,
        "title": chart.title,
        "unit": chart.unit,
        "windows": [{"label": w.label, "start": w.start, "end": w.end} for w in chart.windows],
        "curves": [
            {
                "name": c.name,
                "faint": c.faint,
                "other": c.other,
                "x": block.add(c.time, "f4"),
                "y": block.add(c.value, "f4"),
            }
            for c in chart.curves
        ],
    }
