"""The viewer of the report over the page of the studio: the same replay with all its tools, for up to four runs."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..sim.result import Result
from ..view.report import replay_page

MOST = 4  # runs side by side

_SCRIPT = """(() => {
  document.getElementById("studio-viewer")?.remove();
  const box = document.createElement("div");
  box.id = "studio-viewer";
  box.style.cssText = "position:fixed;inset:0;z-index:100000;background:#fff;display:flex;flex-direction:column";
  const close = document.createElement("button");
  close.textContent = "Back to the studio";
  close.style.cssText = "align-self:flex-end;margin:6px 12px;padding:4px 12px;border:1px solid #dadce0;" +
    "border-radius:6px;background:#fff;cursor:pointer;font:14px system-ui";
  close.onclick = () => box.remove();
  const frame = document.createElement("iframe");
  frame.style.cssText = "flex:1;border:0;width:100%%";
  frame.allow = "fullscreen";
  frame.srcdoc = %s;
  box.append(close, frame);
  document.body.append(box);
})();"""


def script(results: Sequence[Result], labels: Sequence[str]) -> str:
    """Return the script that lays the viewer over the page."""
    # "<" as an escape, so that no text of a page can end a script that holds it
    return _SCRIPT % json.dumps(replay_page(results, labels=labels)).replace("<", "\\u003c")
