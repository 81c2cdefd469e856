"""The replay with its controls, as markup; `assets/panel.js` brings it to life."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..sim.audit import together
from ..sim.result import Result
from . import bone_strain
from .charts import NOTHING
from .markup import Html, element, joined
from .scene import MARKED
from .words import spoken

_SPEEDS = ((1.0, "1"), (0.5, "1/2"), (0.2, "1/5"), (0.1, "1/10"), (0.05, "1/20"), (0.02, "1/50"), (0.01, "1/100"))
_TOUCHES = 8  # first touches with a button
_ACTIONS = {
    "measure": ("measure", "Click two points for their distance"),
    "picture": ("save picture", "Write what is shown as PNG, with the scale and the limits of the model"),
    "film": ("save film", "Record the run in real time and then slowly, as WebM"),
    "full": ("full screen", "Fill the screen with the replay"),
}
_VIEWS = ("oblique", "side", "left", "front", "back", "top", "plan")


def panel(tree: dict[str, Any], result: Result | None = None) -> Html:
    """The replay of a scene with its controls, and buttons for the moments of a result."""
    views = [element("button", name, type="button", data_view=name) for name in _VIEWS]
    boxes = _switches(tree)
    actions = [
        element("button", words, type="button", data_act=act, title=title) for act, (words, title) in _ACTIONS.items()
    ]
    options = joined(
        [
            element("div", *views, *actions, class_="options"),
            element("div", *boxes, class_="options"),
        ]
    )
    legend = element("p", *_legend(tree, result), class_="fine legend")
    moments = element("div", *(_moments(result) if result is not None else ()), class_="moments")
    return element(
        "div",
        element("div", class_="replay", id="replay"),
        element("p", "This browser cannot show the replay; the picture below shows the motion.", class_="sorry"),
        _controls(),
        element("div", id="timeline"),
        options,
        moments,
        legend,
        class_="panel",
        id="panel",
    )


def _controls() -> Html:
    """Return play, time, scrub bar and speed."""
    speeds = [element("option", f"{words} ×", value=f"{speed:g}") for speed, words in _SPEEDS]
    return element(
        "div",
        element("button", "Play", type="button", class_="play", aria_label="Play or pause"),
        element("output", "0.0 ms", class_="time", aria_live="off"),
        element(
            "div",
            element("input", type="range", class_="scrub", min="0", max="1", step="any", aria_label="Time"),
            class_="track",
        ),
        element("select", *speeds, class_="speed", aria_label="Speed"),
        class_="controls",
    )


def _switches(tree: dict[str, Any]) -> list[Html]:
    """Return a box for each layer that the scene has."""
    several = len(tree["actors"]) > 1
    people = any(actor["heads"] for actor in tree["actors"])
    first = tree["actors"][0]
    switches = {"follow": "follow", "forces": "forces"}
    switches |= (
        {"skin": "skin", "skeleton": "skeleton", "shapes": "contact shapes", "joints": "joints"} if people else {}
    )
    switches |= {"marks": "marks"} if first["strained"] or first["impacts"] else {}
    switches |= {"covers": "bodywork"} if any(part["kind"] == "cover" for part in first["parts"]) else {}
    switches |= {"map": "injury map"} if first["limits"] else {}
    switches |= {"labels": "labels"} if several or first["impacts"] else {}
    switches |= {"path": "paths"} if people else {}
    switches |= {"lines": "distances"} if first["lines"] else {}
    switches |= {"scale": "scale"}
    switches |= {"apart": "side by side"} if several else {}
    return [
        element("label", element("input", type="checkbox", data_show=key), words, class_="switch")
        for key, words in switches.items()
    ]


def _legend(tree: dict[str, Any], result: Result | None) -> list[str]:
    """Return the words and signs that explain the colours."""
    parts: list[str] = []
    if tree["largest"] > 1e-6:
        parts += [
            element("i", class_="dot force"),
            f"contact force: the longest arrow is {1e-3 * tree['largest']:.3g} kN, others go by the root; segments "
            "turn from yellow to dark red with it ",
        ]
    if any(actor["strained"] for actor in tree["actors"]):
        parts += [element("i", class_="dot strained"), f"joint more than {np.degrees(MARKED):.0f}° past its limit "]
    if result is not None and result.recording.points:
        parts.append("strain of the bone on its segment [microstrain]: ")
        for words, colour in bone_strain.legend():
            parts += [element("i", class_="dot", style=f"background: {colour}"), f"{words} "]
    if tree["actors"][0]["impacts"]:
        parts += [element("i", class_="dot impact"), "where a head struck "]
    if tree["ground"]:
        parts.append("· grid of 1 m")
    return parts


def _moments(result: Result) -> Iterator[Html]:
    """Buttons for the first touches and the windows of the head."""
    summary = result.summary()
    touches = together(summary["first_contacts"], result.roster)
    several = len({surface for _, surface, _, _ in touches}) > 1
    for body, surface, time, _ in touches[:_TOUCHES]:
        text = f"{spoken(body)}{f' on {spoken(surface)}' if several else ''} · {1e3 * time:.1f} ms"
        yield element("button", text, type="button", data_time=f"{time:.6f}", class_="touch")
    heads = sum(any(isinstance(found, dict) for found in peak.values()) for peak in summary["peaks"].values())
    for name, peak in summary["peaks"].items():
        for criterion, found in peak.items():
            if isinstance(found, dict) and found["value"] > NOTHING and found["t2"] > found["t1"]:
                who = f"{spoken(name)} " if heads > 1 else ""
                text = f"{who}{criterion} · {1e3 * found['t1']:.1f} to {1e3 * found['t2']:.1f} ms"
                yield element(
                    "button",
                    text,
                    type="button",
                    class_="window",
                    data_time=f"{found['t1']:.6f}",
                    data_end=f"{found['t2']:.6f}",
                    title=f"{criterion} of {spoken(name)}",
                )
