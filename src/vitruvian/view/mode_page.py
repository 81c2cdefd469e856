"""The modes of a bone as pictures and as a page that opens from disk. SI units."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .._files import write_text, writing
from ..flex.mode_report import ModeReport, along
from .markup import element, joined, table
from .report import page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEADINGS = ("mode", "frequency [Hz]", "motion", "in use", "switched off or on: missing energy [%]")
_SIZE = 0.2  # of the largest displacement in a picture, of the length of the bone
_AROUND = 12  # lines of the tube
#: from the axes of the bone to the picture (3, 2): along it, a little from its end, and between its y and z
_SEEN = np.array([[np.cos(0.35), 0.0], [-0.7071 * np.sin(0.35), 0.7071], [0.7071 * np.sin(0.35), 0.7071]])
_TURNED = np.radians(35.0)  # largest twist in a picture


def mode_rows(report: ModeReport) -> list[tuple[str, ...]]:
    """Return the rows of the table of modes, under HEADINGS."""
    return [
        (
            str(row.number),
            f"{row.frequency:.1f}",
            row.kind,
            "on" if row.on else "off",
            f"{100.0 * (report.energy + row.change):.2f} ({100.0 * row.change:+.2f})",
        )
        for row in report.rows
    ]


def summary(report: ModeReport) -> str:
    """Return what the modes in use leave out, in a sentence."""
    used = ", ".join(str(row.number) for row in report.rows if row.on)
    return (
        f"{report.bone}, modes {used}, under {report.load}: {100.0 * report.energy:.2f} % of the strain energy is "
        f"missing, and displacements are up to {100.0 * report.displacement:.2f} % of the largest one off."
    )


def mode_figure(report: ModeReport, number: int) -> Figure:
    """Draw one mode as a deflected tube, grey where the bone is straight."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 2.4), layout="constrained")
    axes = figure.add_subplot()
    row = report.rows[number - 1]
    moved = along(report.structure, report.shapes.shapes[:, number - 1])
    nodes = report.structure.nodes
    length = float(np.ptp(nodes[:, 0]))
    size = _TURNED if row.kind == "torsion" else _SIZE * length
    for scale, colour in ((0.0, "0.75"), (size, "#c0392b" if row.on else "#7f8c8d")):
        for line in _tube(nodes, scale * moved, 0.06 * length):
            axes.plot(*(line @ _SEEN).T, color=colour, linewidth=0.8)
    axes.set(xlim=(-0.08 * length, 1.25 * length), ylim=(-0.28 * length, 0.28 * length), aspect="equal")
    axes.set_axis_off()
    axes.set_title(f"{number}: {row.frequency:.0f} Hz, {row.kind}{'' if row.on else ' (off)'}", fontsize=9)
    return figure


def _tube(nodes: np.ndarray, moved: np.ndarray, radius: float) -> list[np.ndarray]:
    """Return lines along and around a tube that is moved at its nodes [m, rad]."""
    angle = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
    rim = radius * np.column_stack([np.zeros(_AROUND), np.cos(angle), np.sin(angle)])
    turned = rim[None] + np.cross(moved[:, None, 3:], rim[None])
    turned *= radius / np.linalg.norm(turned, axis=2, keepdims=True)
    places = (nodes + moved[:, :3])[:, None] + turned
    rings = [np.vstack([ring, ring[:1]]) for ring in places[::2]]
    return [*(places[:, k] for k in range(0, _AROUND, 3)), *rings]


def write_mode_page(report: ModeReport, folder: str | Path) -> list[Path]:
    """Write a picture of every mode, mode-1.png and so on, and modes.html with the table and all pictures."""
    folder, written, pictures = Path(folder), [], []
    folder.mkdir(parents=True, exist_ok=True)
    for row in report.rows:
        figure = mode_figure(report, row.number)
        path = folder / f"mode-{row.number}.png"
        with writing(path) as temporary:
            figure.savefig(temporary, format="png", dpi=110)
        written.append(path)
        pictures.append(_embedded(path, f"mode {row.number}"))
    body = element(
        "main",
        element("p", "Vitruvian modes", class_="brand"),
        element("h1", f"Modes of {report.bone}"),
        element("p", summary(report), class_="verdict"),
        table(HEADINGS, mode_rows(report), numeric=(0, 1, 4)),
        *pictures,
        element("p", "Frequencies with the inner joint clamped. Deflections are enlarged.", class_="fine"),
    )
    return [
        write_text(folder / "modes.html", page(f"Modes of {report.bone}", joined([body]), [], scripts=())),
        *written,
    ]


def _embedded(path: Path, words: str) -> str:
    """Return a picture as an element that needs no other file."""
    import base64

    text = base64.b64encode(path.read_bytes()).decode("ascii")
    return element("img", src=f"data:image/png;base64,{text}", alt=words)
