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
from vitruvian.evidence import verify
from vitruvian.evidence.check import shown

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
checks passed{rest}. A claim can be run alone: `vitruvian verify {first}`. Tests run the same functions.
"""

#: what a group of rows shows
CLAIMS = {
    "top": "A free body that spins about its unsteady middle axis follows Euler's equations (reference at 1e-12).",
    "pendulum": "The period at five amplitudes is the elliptic integral, for a hinge and for a ball joint.",
    "spherical-pendulum": "Energy and vertical angular momentum stay.",
    "spring-mass": "A damped oscillator, as a spring between points and as a joint.",
    "accelerated-support": "A pendulum on an accelerated support swings about the tilted vertical.",
    "rotating-support": "A pendulum on a rotating support, and the torque that drives it.",
    "scheduled-times": "Steps end exactly where a load jumps.",
    "order": "Halving the step divides the error by two to the order.",
    "free-flight": "17 bodies with random joint velocities, gravity off: momentum, angular momentum, energy.",
    "statures": "Stature and mass of a percentile are those of the growth charts, and the percentile comes back.",
    "people": "Anybody of 2 to 90 years stands as tall and weighs as much as asked, and no birthday moves mass.",
    "loads": "A person with a helmet, a backpack and more has the inertia that parallel axes say.",
    "energy-audit": "The work of every class of load adds up.",
    "locked-directions": "What a joint locks stays locked for 10 s.",
    "closed-loops": "Joint torque does no work round closed loops.",
    "torque-tables": "Torque curves of a joint return their tables and formulas.",
    "elastic-joints": "A limb that swings against each elastic law of a joint keeps its energy.",
    "joint-limits": "Every joint of a person, driven into each of its limits at 20 rad/s, gains no energy.",
    "dry-joints": "A dry torque stops a wheel when theory says so; a fading one takes the area under its curve.",
    "joint-losses": "What each joint stores and loses adds up to the energy audit.",
    "reactions": "Newton's and Euler's equations of every body, formed anew from accelerations and reactions.",
    "hanging-chain": "Statics of a chain and a cantilever.",
    "sliding-block": "A pressed sliding block stops once, from 200 speeds.",
    "pressed-standing": "A block at rest that is then pressed never feels more than 1 + d times the elastic force.",
    "restitution": "The rebound is the one asked for, for three exponents.",
    "contact-laws": "What a ball returns under every law that makes its damping from the restitution, Cr 0.05 to 0.95.",
    "contact-closed-forms": "Laws with a closed form of their own for the rebound, alone and in the engine.",
    "contact-engine": "Every law in the engine beside scipy, and no kinetic energy gained.",
    "contact-dent": "A permanent dent is found again: impacts slower than the first lose nothing.",
    "contact-dissipation": "No law makes energy, and none pulls unless it is told to.",
    "hertz-impact": "Peak force, depth and duration of an elastic impact.",
    "fast-impact": "10 m/s at suggested steps of 10 ms: the contact is not stepped over.",
    "rejection": "Rejecting every third step changes nothing beyond the tolerance.",
    "ellipsoid-distance": "Distance of 10,000 pairs of ellipsoids against their nearest points, found without normals.",
    "ellipsoid-overlap": "No direction parts overlapping ellipsoids by less than their depth.",
    "ellipsoid-invariance": "Depth and normal are the same for everyone who looks.",
    "contact-slopes": "The slope of the depth of every pair of shapes is its normal, also where they begin to touch.",
    "contact-loops": "An elastic contact does no work round closed loops, for every pair of convex shapes.",
    "impact-spheres": "Discrete impact of balls, by all three laws of restitution.",
    "impact-rod": "A rod strikes the ground at an angle: Newton, Poisson and Stronge differ, each by its closed form.",
    "impact-pendulum": "Kane's double pendulum with friction: Newton's law gains energy, the others do not.",
    "impact-energy": "Random impacts in space with friction: Stronge's law never adds energy.",
    "impact-cradle": "Newton's cradle, all contacts at once and one after the other.",
    "impact-balance": "Impulses balance: two bodies, and every body of a tree with all joint types.",
    "impact-stiff": "The engine's contact, made very stiff, goes to the discrete answer, Stronge's if slip turns.",
    "impact-foot": "A walking person's foot strikes the ground: impulse through the tree beside a very stiff contact.",
    "ellipsoid-tests": "Wang's and Eberly's tests against the sign of the distance by optimisation.",
    "sampled-surface": "A point-sampled surface: what its depth and its force owe to the number of points.",
    "ellipse-polyline": "An ellipse on the lines of a polygon in the plane, with the edge rule.",
    "planar-lines": "The engine's contact with a line is that of the reference, for random ellipses and lines.",
    "planar-constraints": "The constraints of the 2D pedestrian paper, misprints mended, are ours and close.",
    "planar-root": "The planar pedestrian on a car with a planar root, and with a free one.",
    "planar-formulation": "The planar pedestrian by multipliers and on the tree, in flight and in contact.",
    "vehicle-curves": "Regulatory impactors on the curves of vehicle parts give the figures these were made for.",
    "two-bodies": "Two turning bodies collide in flight: momentum stays, and two methods meet.",
    "moving-surfaces": "A surface on a driven or a very heavy body is the surface at rest, seen from a train.",
    "sticking": "A block on a slope: a bristle holds it, regularised friction lets it creep by its closed form.",
    "rolling": "A rolling ball, and a spheroid that rocks with and without friction.",
    "self-contact": "The segments of one person touch each other in a slip, and not when it stands.",
    "mujoco": "Accelerations at 200 random states of the same model in MuJoCo.",
    "mujoco-flight": "A free flight of 1 s of the same model in MuJoCo.",
    "pinocchio": "The same in Pinocchio.",
    "squeezer": "Andrews' squeezer, three loops, in the laboratory: the seven published angles (mazzia2008).",
    "bricard": "Bricard's mechanism, with a redundant row: energy, and the closed form of its angles.",
    "slider-crank": "A slider-crank: the speed of the crank that energy gives.",
    "four-bar": "A parallelogram four-bar: back after the period of the pendulum that it is.",
    "fall-energy": "The 4 m fall at the default tolerance accounts for its energy.",
    "fall-methods": "Two methods at very small steps meet, and the default steps come close to them.",
}


def section(name: str) -> str:
    """One claim, from a run of now."""
    parts = [f"\n## {name}\n\n{CLAIMS.get(name, '')}\n\n"]
    parts.append("| what | expected | got | tolerance | verdict |\n|---|---:|---:|---:|---|\n")
    for row in verify.check(name):
        numbers = (shown(row.expected, row.unit), shown(row.got, row.unit), shown(row.tolerance, row.unit, 2))
        verdict = row.verdict if row.passed or not row.note else f"{row.verdict}: {row.note}"
        parts.append(f"| {row.name} | {' | '.join(numbers)} | {verdict} |\n")
    return "".join(parts)


def page(names: list[str]) -> str:
    """The page in Markdown, the sections of these claims made anew."""
    written = PAGE.read_text(encoding="utf-8").split("\n## ")[1:] if PAGE.exists() else []
    old = {text.split("\n", 1)[0]: f"\n## {text.rstrip()}\n" for text in written}
    sections = [section(name) if name in names or name not in old else old[name] for name in verify.CHECKS]
    verdicts = re.findall(r"\| (ok|FAILED|skipped)[^|]* \|$", "".join(sections), flags=re.MULTILINE)
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
