"""Writes the gallery: ten questions of ten kinds of users, each with command, picture, answer, interval and limits.

python tools/make_gallery.py                 all entries
python tools/make_gallery.py slip sled       some of them; the other sections of the page stay as they are
python tools/make_gallery.py --cases 16      fewer cases for the intervals (default 32)

Every number is printed by a run of now: page docs/gallery.md, pictures docs/assets/gallery/NAME.png. Run it again after
every change of the physics.
"""

from __future__ import annotations

import io
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from vitruvian import Scenario, __version__
from vitruvian.sim.result import Result
from vitruvian.study import spread
from vitruvian.study.case import unit
from vitruvian.view import strip

DOCS = Path(__file__).parents[1] / "docs"
PICTURE = 760  # width [pixel]
CASES = 32
MOST_OUTCOMES = 6


@dataclass(frozen=True)
class Entry:
    """A question of one kind of user.

    outcomes  words that a column of the spread must contain to be listed; all columns if empty
    """

    name: str
    user: str
    question: str
    scenario: str
    changes: dict[str, object] = field(default_factory=dict)
    camera: str = "oblique"
    outcomes: tuple[str, ...] = ("HIC15", "chest 3ms", "femur force", "rest", "throw")

    @property
    def command(self) -> str:
        """Return the command that a user types for the answer."""
        return self._with("")

    def _with(self, option: str) -> str:
        parts = [f"vitruvian run {self.scenario}"]
        for path, value in self.changes.items():
            text = f'"{value}"' if isinstance(value, str) and " " in value else f"{value}"
            parts.append(f"--set {path}={text}")
        return " ".join([*parts, option]).strip()

    def interval_command(self, cases: int) -> str:
        """Return the command that prints the interval as well."""
        return self._with(f"--spread --cases {cases}")


ENTRIES = (
    Entry("slip", "Relative of an elderly person", "My grandmother (78, 158 cm, 62 kg) slips on tiles. How bad is it?",
          "slip", {"human.sex": "female", "human.age": 78, "human.height": "158 cm", "human.mass": 62,
                   "surface.ground.contact": "tiles"}),
    Entry("throw", "Expert witness", "A sedan at 40 km/h strikes a man from his left. Where does his head strike?",
          "pedestrian-side-left", camera="left"),
    Entry("ladder", "Safety officer", "A worker falls backward from a ladder, feet at 3 m. Does grass help?",
          "fall-ladder-3m", {"surface.ground.contact": "grass"}),
    Entry("child", "Paediatrician", "A child falls out of bed. Is a carpet enough?", "fall-bed-child",
          {"surface.floor.contact": "carpet"}),
    Entry("sled", "Test engineer", "How loaded is the chest of a man in the sled test at 15 km/h?", "sled-15kmh"),
    Entry("cyclist", "Road authority", "What does a sedan at 30 km/h do to a cyclist?", "pedestrian-cyclist",
          {"vehicle.speed": "30 km/h"}, camera="left"),
    Entry("tackle", "Sports scientist", "Two players collide head to head. What do their heads bear?", "head-to-head"),
    Entry("judo", "Judo coach", "A man falls backward from standing onto a judo mat. Does the mat protect his head?",
          "fall-standing-backward", {"surface.ground.contact": "judo-mat"}, camera="side"),
    Entry("fall", "Student of mechanics", "How hard does a man of 180 cm land who falls from 4 m?", "fall-4m"),
    Entry("stairs", "Architect", "A man falls down a flight of stairs. What is struck, and where does he lie?",
          "fall-stairs", camera="side"),
)  # fmt: skip

HEAD = f"""# Gallery: ten questions, answered

<!-- made by tools/make_gallery.py; do not edit -->

Every command, number and picture on this page was printed by version {__version__}. The intervals are those of
`--spread`: they contain what is not known about tissue, joints, friction and the start, not errors of the model.
"""


def section(entry: Entry, cases: int) -> str:
    """Run an entry, draw its picture, and return its section."""
    scenario = Scenario.load(entry.scenario, entry.changes)
    result = scenario.run()
    draw(entry, result)
    answer = result.answer()
    found = spread(scenario, cases, 0)
    chosen = [one for one in found.intervals if any(word in one.name for word in entry.outcomes)] or list(
        found.intervals
    )
    lines = [
        f"## {entry.question}",
        f"*{entry.user}*",
        f"```sh\n{entry.command}\n```",
        f"![{entry.question}](assets/gallery/{entry.name}.png)",
        " ".join(answer.what),
        f"**{answer.verdict}**",
    ]
    if answer.values:
        lines.append(_table(answer.headings(), answer.rows()))
    rows = [
        [f"{one.name} [{unit(one.name) or '-'}]", _number(one.median), f"{_number(one.low)} to {_number(one.high)}",
         f"{100.0 * one.share:.0f} %", "chaotic: no single run predicts it" if one.chaotic else ""]
        for one in chosen[:MOST_OUTCOMES]
    ]  # fmt: skip
    lines.append(f"Interval of {len(found.rows)} cases (`{entry.interval_command(cases)}`):")
    lines.append(_table(("outcome", "median", "5 to 95 %", "happens", ""), rows))
    limits = [*([f"Trust {answer.meaning}."] if answer.trust else []), *answer.people]
    limits += [one.text for one in answer.cautions] + list(found.notes)
    lines.append("Limits of validity:\n\n" + "\n".join(f"- {text}" for text in limits or ["No criterion was judged."]))
    return "\n\n".join(lines) + "\n"


def draw(entry: Entry, result: Result) -> None:
    """Draw the decisive moments into a small picture."""
    path = DOCS / "assets" / "gallery" / f"{entry.name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    strip(result, path, frames=4, camera=entry.camera, dots=120)
    with Image.open(path) as drawn:
        small = drawn.convert("RGB")
    small.thumbnail((PICTURE, PICTURE))
    packed = io.BytesIO()
    small.quantize(96).save(packed, "PNG", optimize=True)
    path.write_bytes(packed.getvalue())


def _table(headings: tuple[str, ...], rows: list[list[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "/") for cell in line) + " |" for line in lines)


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100.0 else f"{value:.3g}"


def main(arguments: list[str]) -> None:
    """Write the page."""
    cases = CASES
    if "--cases" in arguments:
        place = arguments.index("--cases")
        cases = int(arguments[place + 1])
        arguments = arguments[:place] + arguments[place + 2 :]
    unknown = set(arguments) - {entry.name for entry in ENTRIES}
    if unknown:
        raise SystemExit(f"there is no entry {sorted(unknown)}; accepted: {', '.join(e.name for e in ENTRIES)}.")
    page = DOCS / "gallery.md"
    before = page.read_text(encoding="utf-8") if page.exists() else ""
    kept = {text.partition("\n")[0]: f"## {text}" for text in re.split(r"^## ", before, flags=re.MULTILINE)[1:]}
    parts = []
    for entry in ENTRIES:
        if not arguments or entry.name in arguments or entry.question not in kept:
            print(entry.name, flush=True)
            parts.append(section(entry, cases))
        else:
            parts.append(kept[entry.question].rstrip() + "\n")
        page.write_text("\n".join([HEAD, *parts]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
