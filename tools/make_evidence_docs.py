"""Writes docs/evidence.md: the table of `vitruvian verify`, from a run of now.

python tools/make_evidence_docs.py              all claims
python tools/make_evidence_docs.py NAME ...     these claims, and those that the page does not have yet
"""

from __future__ import annotations

import platform
import re
import sys
from pathlib import Path

from vitruvian import __version__
from vitruvian.lab import verify
from vitruvian.lab.evidence import shown

PAGE = Path(__file__).parents[1] / "docs" / "evidence.md"

HEAD = """# Evidence

<!-- made by tools/make_evidence_docs.py; do not edit -->

Four questions, kept apart, each with a command:

| command | question | state |
|---|---|---|
| `vitruvian verify` | Are the equations solved right? Closed forms, conservation, convergence, other engines. | below |
| `vitruvian bench` | How fast is it, beside a peer in the same run? | [how-to](how-to/evidence.md) |
| `vitruvian reproduce` | Do we get the published tables and figures the models come from? | a page a source |
| `vitruvian validate` | Are they the right equations? Measured people, cadavers and dummies. | a page a test |

Only the last question says whether a real person would move so.

Below is what `vitruvian verify` printed with version {version} on {machine}, Python {python}: {passed} of {total}
checks passed{rest}. A claim can be run alone: `vitruvian verify {first}`. Tests run the same functions. The last column
says what the number is compared with, or what it is a part of.
"""


def section(name: str) -> str:
    """One claim, from a run of now."""
    parts = [f"\n## {name}\n\n{verify.claim(name)}\n\n"]
    parts.append("| what | expected | got | tolerance | verdict | how |\n|---|---:|---:|---:|---|---|\n")
    for row in verify.check(name):
        numbers = (row.answer, shown(row.got, row.unit), shown(row.tolerance, row.unit, 2))
        parts.append(
            f"| {row.name} | {' | '.join(numbers)} | {row.verdict} | {row.note.replace('|', chr(92) + '|')} |\n"
        )
    return "".join(parts)


def page(names: list[str]) -> str:
    """The page in Markdown, the sections of these claims made anew."""
    written = PAGE.read_text(encoding="utf-8").split("\n## ")[1:] if PAGE.exists() else []
    old = {text.split("\n", 1)[0]: f"\n## {text.rstrip()}\n" for text in written}
    sections = [section(name) if name in names or name not in old else old[name] for name in verify.CHECKS]
    verdicts = re.findall(r"\| (ok|FAILED|skipped) \|", "".join(sections), flags=re.MULTILINE)
    counts = [(verdicts.count(word), said) for word, said in (("FAILED", "failed"), ("skipped", "skipped"))]
    head = HEAD.format(
        version=__version__,
        machine=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        passed=verdicts.count("ok"),
        total=len(verdicts),
        rest="".join(f", {number} {word}" for number, word in counts if number),
        first=next(iter(verify.CHECKS)),
    )
    return head + "".join(sections)


if __name__ == "__main__":
    PAGE.write_text(page(sys.argv[1:] or list(verify.CHECKS)), encoding="utf-8")
    sys.exit(0)
