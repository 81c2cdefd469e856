"""The page of a reconstruction: odds, distributions of the unknown start, and what the evidence cannot decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .markup import Html, element, joined, table
from .replay import embedded_json
from .report import page, plotly
from .study_page import axes, charts

_BINS = 24


def reconstruction_page(title: str, answer: Mapping[str, Any], evidence: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the page as text.

    answer    reconstructions by hypothesis (`Reconstruction.to_dict`) and their odds
    evidence  by hypothesis: outcome -> what was found
    """
    figures: list[dict[str, Any]] = []
    sections: list[Html] = [
        element("p", "Vitruvian reconstruction", class_="brand"),
        element("h1", title),
        element("p", _verdict(answer), class_="verdict"),
    ]
    if answer["odds"]:
        rows = [[name, f"{100.0 * share:.3g} %"] for name, share in answer["odds"].items()]
        sections += [element("h2", "Odds of the hypotheses"), table(["hypothesis", "probability"], rows, numeric=[1])]
        sections.append(element("p", "All hypotheses were equally likely before the evidence.", class_="fine"))
    for name, one in answer["reconstructions"].items():
        sections += _hypothesis(name, one, figures)
    first = next(iter(evidence.values()), {})
    rows = [[name, _said(value)] for name, value in first.items()]
    sections += [element("h2", "Evidence"), table(["outcome", "found"], rows)]
    notice = "The answer is that of the model. Errors of the model that no range contains are not in it."
    sections.append(element("p", notice, class_="fine"))
    body = element("main", *sections)
    return page(title, body, [embedded_json("figures", figures), plotly()], scripts=("study.js",))


def _verdict(answer: Mapping[str, Any]) -> str:
    """Return the answer in a sentence."""
    if answer["odds"]:
        best = max(answer["odds"], key=lambda name: answer["odds"][name])
        weak = [name for name, one in answer["reconstructions"].items() if not one["reliable"]]
        doubt = f" The odds are not reliable yet ({', '.join(weak)}): run more cases and generations." if weak else ""
        return f"Most likely: {best}, {100.0 * answer['odds'][best]:.3g} %.{doubt}"
    (one,) = answer["reconstructions"].values()
    found = [f"{e['path']} {e['median']:.4g}, 90 % between {e['low']:.4g} and {e['high']:.4g}" for e in one["estimates"]
             if e["decided"]]  # fmt: skip
    return "; ".join(found) + "." if found else "The evidence decides none of the inputs."


def _hypothesis(name: str, one: Mapping[str, Any], figures: list[dict[str, Any]]) -> list[Html]:
    """Return the section of one hypothesis, and add its charts."""
    rows = [[e["path"], *(f"{e[key]:.4g}" for key in ("median", "low", "high")), "yes" if e["decided"] else "no"]
            for e in one["estimates"]]  # fmt: skip
    made = [_histogram(one["cases"][e["path"]], one["weight"], e) for e in one["estimates"]]
    words = f"{one['runs']} runs; the last generation is worth {one['effective']:.0f} independent cases."
    unsure = one["open"] or ["Nothing: every input is narrower than its range."]
    return [
        element("h2", name),
        element("p", words),
        table(["input (SI)", "median", "5 %", "95 %", "decided"], rows, numeric=range(1, 4)),
        charts(f"{name}: distributions after the evidence", made, figures),
        element("h3", "What the evidence cannot decide"),
        joined([element("p", line) for line in unsure]),
    ]


def _histogram(values: list[float], weight: list[float], estimate: Mapping[str, Any]) -> dict[str, Any]:
    """Return the chart of one input: probability of each interval."""
    trace = {"type": "histogram", "x": values, "y": weight, "histfunc": "sum", "nbinsx": _BINS,
             "marker": {"color": "#22577a"}}  # fmt: skip
    caption = f"{estimate['path']}: {estimate['median']:.4g} ({estimate['low']:.4g} to {estimate['high']:.4g}, 90 %)"
    return {"caption": caption, "data": [trace], "layout": axes(estimate["path"], "probability [-]")}


def _said(value: Any) -> str:
    """Return a piece of evidence in words."""
    if value is None:
        return "did not happen"
    if isinstance(value, bool):
        return "present" if value else "absent"
    if isinstance(value, list | tuple):
        return f"{value[0]:.4g} +- {value[1]:.2g}"
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {v if isinstance(v, str) else ', '.join(v)}" for key, v in value.items())
    return str(value)
