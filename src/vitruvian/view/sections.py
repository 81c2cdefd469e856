"""The sections of a report: header, replay and charts, injury, contacts, energy, sources, how to make it again."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import data
from ..injury.assessment import Assessment
from ..injury.finding import Finding
from ..sim.audit import Contact
from ..sim.channel import WORK_CLASSES
from ..sim.result import Result
from . import answer_block
from .charts import MOST_SAMPLES, Chart
from .facts import facts
from .markup import Html, element, joined, paragraphs, table
from .replay_panel import panel
from .sources import software, sources
from .still import Still
from .words import capital, percent, quantity, sentence, spoken

#: criteria that come first, as cards, if there are any
_CARDS = ("HIC15", "head 3ms", "BrIC", "chest 3ms", "femur force", "HIC36", "SI")
_TERMS = (
    "AIS is the abbreviated injury scale, from 1 (minor) to 6; AIS3+ is a serious injury or worse. CFC is the class of "
    "the low-pass filter that standards ask for (SAE J211). Validated: measured values of people or cadavers, not used "
    "to build the model, contain ours. Compared: some do not, or they are of dummies. Unchecked: not compared."
)
_LONG = 90  # letters, from which a title is set smaller
_WORK = {
    "gravity": "gravity",
    "contact_elastic": "contact, elastic part",
    "contact_dissipated": "contact, lost",
    "friction": "friction",
    "joint_elastic": "joints, elastic part",
    "joint_dissipated": "joints, lost",
    "spring_elastic": "springs, elastic part",
    "spring_dissipated": "springs and dampers, lost",
    "external": "outer forces",
    "prescribed": "prescribed motion",
    "muscle": "muscles",
    "belt_elastic": "belts, elastic part",
    "belt_dissipated": "belts, lost",
    "airbag_elastic": "airbags, elastic part",
    "airbag_dissipated": "airbags, lost",
    "mode_elastic": "flexible bodies, elastic part",
    "mode_dissipated": "flexible bodies, lost",
}


def header(result: Result, title: str, assessment: Assessment) -> Html:
    """Return title, what happened, facts, verdict with cards, and the notes of the run, the gravest first."""
    answer = result.answer()
    parts = [
        element("p", "Vitruvian impact report", class_="brand"),
        element("h1", title, class_="long" if len(title) > _LONG else None),
        answer_block.what(answer),
        _facts(result),
    ]
    names = (*result.recording.bodies, *result.recording.joints)
    if not result.fine:
        message = sentence(result.message, names)
        parts.append(element("p", f"The run did not end well ({result.status}). {message}", class_="alarm"))
        if result.recording.pose_time.size and result.recording.pose_time[-1] < result.recording.end_time - 1e-9:
            last = 1e3 * result.recording.pose_time[-1]
            shown = f"Shown is what came up to {last:.1f} ms; the end of it may be astray already."
            parts.append(element("p", shown, class_="alarm"))
    if result.headline:
        parts.append(element("p", capital(result.headline), class_="headline"))
    if assessment.findings:
        parts += [answer_block.verdict(answer), _cards(assessment) if result.fine else Html("")]
    return element("header", *parts, answer_block.cautions(answer))


def _facts(result: Result) -> Html:
    rows = [
        element("div", element("dt", name), element("dd", words), class_="wide" if len(words) > _LONG else None)
        for name, words in facts(result)
    ]
    return element("dl", *rows, class_="facts")


def _cards(assessment: Assessment) -> Html:
    chosen: list[Finding] = []
    for name in _CARDS:
        rows = [f for f in assessment.findings if f.criterion == name and f.limit and f.recommended]
        if rows and len(chosen) < 5:
            chosen.append(max(rows, key=lambda finding: finding.value))
    cards = []
    for finding in chosen:
        share = finding.value / (finding.limit or 1.0)
        cards.append(
            element(
                "button",
                element("span", element("b", finding.criterion), _small(_title(finding.criterion)), class_="what"),
                element("span", quantity(finding.value, finding.unit), class_="value"),
                element("span", element("i", style=f"width:{min(100.0 * share, 100.0):.1f}%"), class_="bar"),
                element(
                    "span",
                    f"{100.0 * share:.0f} % of {quantity(finding.limit or 0.0, finding.unit)}"
                    + (f", {finding.trust}" if finding.trust else ""),
                    class_="of",
                ),
                class_="card above" if finding.exceeded else "card",
                type="button",
                data_time=f"{finding.t1:.6f}",
                title=f"{spoken(finding.place)}: {finding.verdict}. Show this moment.",
            )
        )
    return element("div", *cards, class_="cards") if cards else Html("")


def motion(result: Result, tree: dict[str, Any], shown: list[Chart], pictures: list[Still]) -> Html:
    replay = panel(tree["scene"], result) if "scene" in tree else Html("")
    boxes = [
        element(
            "figure",
            element("figcaption", chart.title, element("span", f" [{chart.unit}]", class_="unit")),
            element("div", id=f"chart-{chart.key}", class_="chart", data_key=chart.key),
            element("p", chart.note, class_="fine") if chart.note else Html(""),
        )
        for chart in shown
    ]
    about = (
        "One time for all: click a curve to show that moment, drag to zoom, double-click for all of it. "
        f"A curve of more than {MOST_SAMPLES} samples is drawn by the least and the largest value of each interval, so "
        "its peaks are exact."
    )
    moments = [
        element(
            "figure", element("img", src=still.address, alt=""), element("figcaption", f"{1e3 * still.time:.1f} ms")
        )
        for still in pictures
    ]
    still = element("div", *moments, class_="still") if moments else Html("")
    charts_ = element("div", *boxes, element("p", about, class_="fine screen"), class_="charts", id="charts")
    both = element("div", element("div", replay, still, class_="view3d"), charts_, class_="linked")
    return element("section", element("h2", "What happened"), both, id="motion")


def injury(assessment: Assessment) -> Html:
    """The table of criteria; those that are not recommended for the model apart."""
    if not assessment.findings:
        return Html("")
    usable = [finding for finding in assessment.findings if finding.recommended]
    others = [finding for finding in assessment.findings if not finding.recommended]
    parts = [element("h2", "Injury criteria")]
    if usable:
        parts += [element("p", assessment.verdict, class_="verdict"), _criteria(usable)]
    if others:
        summary = element(
            "summary", f"{len(others)} more values that are not recommended for a model of rigid segments"
        )
        parts.append(element("details", summary, _criteria(others)))
    about = (
        "Limits and risk curves were made for dummies, cadavers and volunteers, and a limit is no threshold of injury "
        "for one person. The population of each limit and curve is given with it."
    )
    parts += [element("p", about, class_="fine"), element("p", _TERMS, class_="fine")]
    parts += [element("p", note, class_="fine") for note in assessment.notes]
    if missing := "; ".join(f"{name} ({reason.rstrip('.')})" for name, reason in assessment.missing):
        parts.append(element("p", f"Not computed: {missing}.", class_="fine"))
    return element("section", *parts, id="injury")


def _criteria(findings: list[Finding]) -> Html:
    rows = []
    for f in findings:
        when = f"{1e3 * f.t1:.1f} ms" if f.t1 == f.t2 else f"{1e3 * f.t1:.1f} to {1e3 * f.t2:.1f} ms"
        where = ", ".join(part for part in (spoken(f.place), f.detail, f.filter) if part)
        limit = (
            joined([quantity(f.limit, f.unit), _small(f.limit_population)]) if f.limit is not None else f.limit_missing
        )
        chances = [risk for risk in f.risks if risk.outcome in ("AIS2+", "AIS3+")] or list(f.risks)
        trust = f"for this model: {f.standing}" if f.trust else ""
        rows.append(
            [
                joined([element("b", f.criterion), _small(_title(f.criterion)), _small(where)]),
                quantity(f.value, f.unit),
                element("button", when, type="button", class_="when", data_time=f"{f.t1:.6f}"),
                limit,
                _share(f),
                joined([element("div", risk.words) for risk in chances]),
                joined([f"{capital(f.verdict)}.", _small(trust)]),
            ]
        )
    headings = ("criterion", "value", "when", "limit", "of limit", "risk", "verdict")
    return table(headings, rows, numeric=(1,), class_="injury")


def _small(text: str) -> Html:
    return element("small", text) if text else Html("")


def _title(criterion: str) -> str:
    """The criterion in words, where that is not its name already."""
    title = str(data.tree("criteria").get(criterion, {}).get("title", ""))
    return "" if title == criterion else title


def _share(finding: Finding) -> Html:
    if finding.limit is None:
        return Html("")
    share = 100.0 * finding.value / finding.limit
    state = "above" if finding.exceeded and finding.recommended else "below"
    bar = element("span", element("i", style=f"width:{min(share, 100.0):.1f}%"), class_=f"bar {state}")
    return joined([element("span", f"{share:.0f} %", class_=state), bar])


def sequence(result: Result) -> Html:
    """The contact audit; first touches alone where there is none, as of a run that diverged."""
    rows = result.contacts()
    touches = result.summary()["first_contacts"]
    if not rows and not touches:
        return Html("")
    headings: tuple[str, ...] = ("", "who on what", "first touch", "speed [m/s]")
    about = "Speed is that of closing at the first touch."
    if rows:
        headings += ("peak [kN]", "at", "impulse [N s]", "lost [J]", "depth [mm]")
        made = [_contact(row) for row in rows]
        about += (
            " Peak is the largest force, lost is the energy that contact and friction took, and depth how far body and "
            "surface were pressed together."
        )
    else:
        made = [
            [f"{at}", f"{spoken(c['body'])} on {spoken(c['surface'])}", _moment(c["time"]), _speed(c["speed"])]
            for at, c in enumerate(touches, 1)
        ]
    shown = table(headings, made, numeric=(3, 4, 6, 7, 8), class_="sequence")
    heading = element("h2", "Contact sequence")
    return element("section", heading, shown, element("p", about, class_="fine"), id="sequence")


def _contact(row: Contact) -> list[str]:
    return [
        f"{row.order}",
        joined([f"{spoken(row.body)} on {spoken(row.other)}", _small(row.note)]),
        _moment(row.time),
        _speed(row.speed),
        f"{1e-3 * row.peak_force:.2f}",
        _moment(row.peak_time) if row.peak_force > 0.0 else "",
        f"{float(np.linalg.norm(row.impulse)):.1f}",
        f"{row.dissipated + row.friction:.1f}",
        f"{1e3 * row.depth:.1f}",
    ]


def _speed(value: float) -> str:
    return f"{max(value, 0.0) + 0.0:.2f}"


def _moment(time: float) -> Html:
    return element("button", f"{1e3 * time:.1f} ms", type="button", class_="when", data_time=f"{time:.6f}")


def energy(result: Result) -> Html:
    recording = result.recording
    if not len(recording.pose_time):
        return Html("")
    rows = [["kinetic energy at the start", f"{recording.kinetic[0]:.1f}"]]
    for place, name in enumerate(WORK_CLASSES):
        work = recording.work[-1, place]
        if abs(work) > 1e-9:
            rows.append([f"work of {_WORK[name]}", f"{work:+.1f}"])
    rows.append(["kinetic energy at the end", f"{recording.kinetic[-1]:.1f}"])
    rows.append(["not accounted for", f"{recording.balance[-1]:+.2g}"])
    about = (
        "Kinetic energy at the end is that at the start and the work of all loads on the bodies. What is missing was "
        f"never more than {percent(recording.balance_error)} of the energy put in."
    )
    return element(
        "section",
        element("h2", "Energy audit"),
        table(("", "[J]"), rows, numeric=(1,), class_="narrow"),
        element("p", about, class_="fine"),
        id="energy",
    )


def model(result: Result, assessment: Assessment) -> Html:
    recording = result.recording
    solver = (
        f"{len(recording.bodies)} bodies, {sum(kind != 'free' for kind in recording.joint_types)} joints, "
        f"{len(recording.pairs)} pairs that may touch. Integrator {recording.method}, tolerance "
        f"{recording.tolerance:.2g}, {recording.steps} steps ({recording.rejected} rejected), "
        f"{recording.wall_time:.3g} s on {result.provenance.get('cpu', 'this machine')}."
    )
    found = sources(result, assessment)
    rows = [[source.key, source.text, ", ".join(source.uses)] for source in found]
    listed = [table(("key", "reference", "used for"), rows, class_="sources")] if rows else []
    ours = "Numbers without a reference are estimates of this project; the data tables of the documentation name them."
    return element(
        "section",
        element("h2", "Model, data and sources"),
        element("p", solver),
        element("p", "To cite the program: ", software()),
        *listed,
        element("p", ours, class_="fine") if rows else Html(""),
        id="model",
    )


def reproduce(result: Result) -> Html:
    name = _file(result.name or "scenario")
    parts = [element("h2", "Reproduce")]
    if result.description:
        about = element("summary", "Description of the scenario, by its author")
        parts.append(element("details", about, paragraphs(result.description)))
    if result.command:
        parts += [element("p", "This result was made by"), element("pre", result.command, class_="command")]
    parts.append(table(("", "version"), result.provenance.items(), class_="narrow"))
    if result.scenario:
        same = "The same numbers come from the scenario below, saved as a file, with these versions:"
        full = element("summary", "Scenario with every default, in SI units")
        parts += [
            element("p", same, class_="same"),
            element("pre", f"vitruvian run {name}", class_="command"),
            element("details", full, element("pre", result.scenario, id="scenario", data_name=name)),
            element("button", "Save the scenario", type="button", id="save", class_="plain screen"),
        ]
    else:
        parts.append(element("p", "The run was set up in Python and holds no scenario.", class_="same"))
    return element("section", *parts, id="reproduce")


def _file(name: str) -> str:
    """A file name for a scenario."""
    plain = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)
    return f"{plain.strip('-') or 'scenario'}.toml"
