"""A result in a notebook: its summary as a table and its replay in a frame of its own."""

from __future__ import annotations

from ..sim.result import Result
from .answer_block import block
from .facts import facts
from .markup import Html, element, joined, table
from .report import replay_page
from .scene import drawable
from .words import capital, spoken

_HEIGHT = 560  # [px]


def shown(result: Result) -> str:
    """Markup for a notebook; the replay is a page inside it and cannot touch the notebook."""
    parts = [element("h4", result.title or result.name or "Result"), _summary(result)]
    if drawable(result):
        style = f"width:100%;height:{_HEIGHT}px;border:1px solid #dfe4ea;border-radius:8px"
        page = replay_page([result])
        parts.append(element("iframe", srcdoc=page, sandbox="allow-scripts", style=style, title="replay"))
    return joined(parts)


def _summary(result: Result) -> Html:
    summary = result.summary()
    rows = [[name, words, ""] for name, words in facts(result)]
    for name, peak in summary["peaks"].items():
        if peak["acceleration_g"] is None:
            continue
        rows.append(
            [f"{spoken(name)} peak acceleration", f"{peak['acceleration_g']:.1f} g", f"at {1e3 * peak['time']:.1f} ms"]
        )
        for criterion, found in peak.items():
            if isinstance(found, dict):
                unit = "" if found["unit"] == "-" else f" {found['unit']}"
                when = f"{1e3 * found['t1']:.1f} to {1e3 * found['t2']:.1f} ms"
                trust = f", {found['trust']}" if found["trust"] else ""
                rows.append([f"{spoken(name)} {criterion}", f"{found['value']:.4g}{unit}", when + trust])
    said = [element("p", element("strong", capital(result.headline)))] if result.headline else []
    return joined([*said, block(result.answer()), table(("", "", ""), rows)])
