"""Write docs/evidence.md from a new run of `vitruvian verify`.

python tools/make_evidence_docs.py              all claims
python tools/make_evidence_docs.py NAME ...     only these claims, and those that are missing on the page
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

Four separate questions, each with a command:

| command | question | answer |
|---|---|---|
| `vitruvian verify` | Are the equations solved correctly? Closed forms, conservation, other engines. | below |
| `vitruvian bench` | How fast is it, compared with a peer in the same run? | [below](#speed) |
| `vitruvian reproduce` | Do we obtain the published tables and figures of the sources? | one page per source |
| `vitruvian validate` | Are they the right equations? Data of people, cadavers and dummies. | one page per test |

Only the last question says whether a real person would move like the model.

## Speed

Printed by `vitruvian bench --peers` on two cores of an ordinary server. A single number is of one run of this version
next to MuJoCo 4.0; two numbers are of two earlier runs.

| measured | time or ratio | target |
|---|---|---|
| forward dynamics of 17 bodies | 0.98 µs | |
| forward dynamics, relative to Pinocchio | 0.19 | 0.33, reached |
| forward dynamics, relative to MuJoCo | 0.16 | 0.20, reached |
| forward dynamics with 16 joint torques and ground contact | 3.9 µs | 4 µs, reached |
| 4 m fall of the previous body, 1.5 s, default tolerance, recorded | 37 ms | |
| 4 m fall, relative to MuJoCo's soft contact at 1 ms steps, neither recording | 1.11 | 0.6, missed |
| 4 m fall with 15,001 sensor and 1,501 pose samples, relative to the same MuJoCo run | 1.42 | 1, missed |
| 16 falls on two threads, over MuJoCo's `rollout` | 0.58 | 3.5, missed |
| penetration of an ellipsoid into a plane | 42 ns | 30 ns, missed |
| penetration of two ellipsoids | 213 and 233 ns | 400 ns, reached |
| a person of 17 segments and a front of 500 triangles, four of them in contact | 18 and 24 µs | 15 µs, missed |
| slowest ready fall (stairs), times faster than real time | 5.8 | 1, reached |
| pedestrian struck from the side in 3D, 0.3 s | 51 and 53 ms | 60 ms, reached |
| 4 cars x 7 speeds x 4 people in 3D, 0.3 s each, two threads | 5.2 and 5.6 s | 6 s, reached |
| planar pedestrian, 0.3 s, rule `lines` of the paper | 22 and 23 ms | 20 ms, missed |
| planar pedestrian, 0.3 s, rule `surface` | 17 and 16 ms | 20 ms, reached |
| `vitruvian pedestrian` in 3D from the shell: first line | 1.7 and 1.8 s | |
| the same with the picture | 2.2 and 2.3 s | 3 s, reached |
| the same with all files | 2.9 and 3.2 s | |
| report of a run of 0.3 s | 0.4 and 0.6 s, 3 MB | 2 s, 12 MB, reached |
| studio: a new answer for the 4 m fall | 0.4 and 0.5 s | 1 s, reached |

## Verify

The following sections show the output of `vitruvian verify` with version {version} on {machine}, Python {python}:
{passed} of {total} checks passed{rest}. To run one claim alone: `vitruvian verify {first}`. The tests run the same
functions. The last column gives the reference, or what the number is a part of.
"""


def section(name: str) -> str:
    """Run one claim and return its section."""
    parts = [f"\n## {name}\n\n{verify.claim(name)}\n\n"]
    parts.append("| what | expected | got | tolerance | verdict | how |\n|---|---:|---:|---:|---|---|\n")
    for row in verify.check(name):
        numbers = (row.answer, shown(row.got, row.unit), shown(row.tolerance, row.unit, 2))
        parts.append(
            f"| {row.name} | {' | '.join(numbers)} | {row.verdict} | {row.note.replace('|', chr(92) + '|')} |\n"
        )
    return "".join(parts)


def page(names: list[str]) -> str:
    """Return the page in Markdown; only the sections of these claims are run again."""
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
