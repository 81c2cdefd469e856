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

Printed by one run of `vitruvian bench --peers`, this version next to MuJoCo 4.0, on two cores of an ordinary server.

| measured | time or ratio | target |
|---|---|---|
| forward dynamics of 17 bodies | 0.89 µs | |
| forward dynamics, relative to Pinocchio | 0.195 | 0.33, reached |
| forward dynamics, relative to MuJoCo | 0.163 | 0.20, reached |
| forward dynamics with 16 joint torques and ground contact | 3.9 µs | 4 µs, reached |
| 4 m fall of the previous body, 1.5 s, default tolerance, recorded | 25 ms | |
| 4 m fall, relative to MuJoCo's soft contact at 1 ms steps, neither recording | 0.76 | 0.6, missed |
| 4 m fall with 15,001 sensor and 1,501 pose samples, relative to the same MuJoCo run | 1.05 | 1, missed |
| 16 falls on two threads, over MuJoCo's `rollout` | 0.71 | 3.5, missed |
| penetration of an ellipsoid into a plane | 19 ns | 30 ns, reached |
| penetration of two ellipsoids | 142 ns | 400 ns, reached |
| a person of 17 segments and a front of 500 triangles, four of them in contact | 10.9 µs | 15 µs, reached |
| slowest ready scenario (`aircraft-16g`), times faster than real time | 0.46 | 1, missed |
| belted sled at 15 km/h, times faster than real time | 11.4 | 4, reached |
| pedestrian struck from the side in 3D, 0.3 s | 56 ms | 60 ms, reached |
| 4 cars x 7 speeds x 4 people in 3D, 0.3 s each, two threads | 3.6 s | 6 s, reached |
| planar pedestrian, 0.3 s, rule `lines` of the paper | 15.9 ms | 20 ms, reached |
| planar pedestrian, 0.3 s, rule `surface` | 13.1 ms | 20 ms, reached |
| `vitruvian pedestrian` in 3D from the shell: first line | 2.5 s | |
| the same with the picture | 3.4 s | 3 s, missed |
| the same with all files | 3.9 s | |
| overhead of a case of a study, planar and spatial pedestrian | 2.9 and 7.6 ms | 0.3 ms, missed |
| 10,000 pedestrians on two threads, planar and spatial (from 64 cases) | 107 and 331 s | 60 and 160 s, missed |
| `--spread` of the 4 m fall, 64 cases and 8 twins | 3.4 s | 3 s, missed |
| a step with a loop over one without: hands in the air; a hand on the wheel | 1.31; 1.10 | 1.15, missed; reached |
| one flexible shank over a rigid one: ladder, 4 m fall, pedestrian | 1.42, 1.99, 1.17 | 1.6, missed in the fall |
| report of a run of 0.3 s; of a fall of 1.5 s | 0.5 s; 3.7 MB | 2 s, 12 MB, reached |
| studio: a new answer for the 4 m fall | 0.32 s | 1 s, reached |

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
