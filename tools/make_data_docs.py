"""Write docs/reference/data/: a page for every data table of the package, each number with its source.

python tools/make_data_docs.py           write the pages
python tools/make_data_docs.py --check   fail if one of them is not up to date
"""

from __future__ import annotations

import sys
from pathlib import Path

from vitruvian import data

FOLDER = Path(__file__).parents[1] / "docs" / "reference" / "data"

TITLES = {
    "lower_limb": (
        "Lower limb of the heel raise",
        "The model of Al Nazer's thesis: printed values, and values that it does not print (status estimated or taken "
        "from another source). Places are given with the leg upright. `vitruvian reproduce heel-raise` varies them.",
    ),
    "bone": (
        "Long bones that bend",
        "Tubes for the bones of people with `human.flexible`, at mid-shaft, for a bone of the given length. Radii grow "
        "with the length of the bone of a person, failure moments with its cube.",
    ),
    "segment_mass": (
        "Segment masses and moments of inertia",
        "Coefficients of m = constant + per_mass x body mass + per_height x stature, fractions of the body mass, and "
        "coefficients of the moments of inertia about the centre of mass; radii of gyration as fractions of a length. "
        "Paired segments: one side.",
    ),
    "segment_mass_age": (
        "Segment masses of children and the elderly",
        "Fractions of the body mass as printed; their sums differ a little from one. Paired segments: one side.",
    ),
    "segment_geometry": (
        "Segment geometry",
        "Semi-axes and centres as fractions of stature, standing upright with hanging arms; x forward from the ankle "
        "line, y left from the midline, z up from the floor. Paired segments are the right ones.",
    ),
    "proportion": (
        "Proportions of children",
        "Head size as a fraction of its adult size, and sitting height over stature, by age in years. The values are "
        "those of boys. Girls have the same values except for the head, which from 6 years on is interpolated linearly "
        "to that of a woman.",
    ),
    "joint_place": (
        "Joint places",
        "Fractions of stature in the same frame. Paired joints are the right ones.",
    ),
    "joint_resistance": (
        "Joint resistance",
        "Limits, stiffness inside and beyond them, and damping about the axes of the parent, for a body of 1.80 m and "
        "80 kg. Zero is standing with hanging arms, palms to the thighs. The column `motion` names the movement that a "
        "limit ends, on the right side. The left side is the mirror image: rotations about y keep their sign, those "
        "about x and z change it.",
    ),
    "joint_resistance_2": (
        "Joint resistance, measured",
        "The set recommended-2: the same quantities fitted to measurements, with the targets of the validation named "
        "in the notes, and estimates with their ranges. `end_moment` is the moment at the limit of an axis that is "
        "free in the share `free_share` of its range. `flexed` says how the lateral stiffness of the knee falls with "
        "flexion. `behind` and `below` place the joints of the neck. `fail` are the angles of failure "
        "(`human.failure`). Beyond the moment `hard_moment` the stiffness is `hard_stiffness`, in all directions of a "
        "joint or in one.",
    ),
    "passive_muscle": (
        "Passive muscles of the leg",
        "Torque exp(u/span), u the sum of arms times flexion angles of hip, knee and ankle, for a body of 80 kg. "
        "Fitted to measured moments of young adults (`vitruvian validate --calibrate legs`).",
    ),
    "joint_range_thesis": (
        "Joint limits of the thesis",
        "Table 4.3 as printed, right and left rows, in our axes (its X, Y, Z are our y, z, x). The set `thesis` uses "
        "it unchanged, errors included; `thesis-corrected` fixes them.",
    ),
    "joint_cone_silva": (
        "Cones and hinges of Silva",
        "Limits of the axis of a limb (z of the child) towards x, y, -x and -y of the seated posture, or of a hinge "
        "about y; right side. The assignment of the printed quadrants to movements is our interpretation.",
    ),
    "occupant_human50": (
        "Occupant, human",
        "The 50 % human male of the 12-body occupant. The moment about eta is as printed; times `inertia_factor` "
        "it is in kg m2. xi points forward, eta left, zeta up in the seated posture: thigh and forearm lie along xi.",
    ),
    "occupant_dummy50": (
        "Occupant, dummy",
        "The 50 % anthropomorphic dummy of the 12-body occupant, in the same form.",
    ),
    "range_of_motion": (
        "Range of motion by age and sex",
        "Passive; means of age groups, in years.",
    ),
    "flexibility": ("Flexibility by age and sex", "Flexindex of middle-aged people, and its decline per year."),
    "growth": (
        "Growth charts",
        "Stature and mass of children and adolescents by age in years: value = M (1 + L S z)^(1/L), with z standard "
        "deviations from the median.",
    ),
    "adult_size": (
        "Stature and mass of adults",
        "By decade of age in years, with the number of people measured.",
    ),
    "population": (
        "Populations",
        "Numbers of children in the sample behind the sizes of adults, and the correlation of the scores of stature "
        "and mass at one sex and age.",
    ),
    "spread": (
        "Ranges of a spread",
        "What `--spread` varies: factors on the tables of tissue and joints, friction, and small changes of the start. "
        "The ranges of estimated rows are choices of this package.",
    ),
    "preset": ("Presets", "Sizes of crash-test dummies."),
    "tissue": (
        "Tissue",
        "What gives way when a segment touches. `stiffness` is that of the tissue linear-1. The others make the "
        "layered tissue, K x^n / (1 - x/t)^m over a core: layer_stiffness K, thickness t, exponent n (1 unless given), "
        "hardening m, core_stiffness, and the rebound of both.",
    ),
    "segment_region": (
        "Regions of segments",
        "Shapes of the regions of thorax (chest, back, flank), head (vault, face) and foot (heel, forefoot), as "
        "fractions of the semi-axes of the segment, and the layered tissue of those that differ from the "
        "[segment](tissue.md).",
    ),
    "belt_tissue": (
        "Tissue under belts",
        "What makes the tissue of a segment stiffer and thinner under webbing, the share of its mass that moves with "
        "the webbing, and the impact speed for which the rebound holds ([theory](../../theory/belts.md#tissue)).",
    ),
    "axial": (
        "Axial give",
        'Springs and dampers along the body at the lumbar joint and the knees, of `human.axial = "compliant"`.',
    ),
    "common_tissue": (
        "Tissue in common",
        "Share of the tissue that two neighbouring segments have in common (`human.share_load`), by the joint between.",
    ),
    "bone_strength": (
        "Bones that break",
        "Limits of bones with `human.failure`: contact force, deflection of the tissue, bending moment of the shaft.",
    ),
    "joint_strength": (
        "Joint strength",
        "Largest torque of the muscles of a joint, as a share of weight times stature.",
    ),
    "wobble": ("Wobbling masses", "Soft mass of a segment that moves on the bone (`human.wobble`)."),
    "surface": ("Surfaces", "Ready contact parameters by name."),
    "vehicle_front": (
        "Vehicle fronts",
        "Corners of the profile, each named by the part that begins there: x forward from the foremost point, z up "
        "from the ground. All estimated.",
    ),
    "vehicle_curve": (
        "Force-penetration curves of vehicle parts",
        "Points of force over depth, and damping, by part and grade. All estimated.",
    ),
    "criterion_constant": (
        "Constants of injury criteria",
        "The numbers in the formulas of the [theory page](../../theory/injury.md).",
    ),
    "criterion_limit": (
        "Limits of injury criteria",
        "Limits of regulations and thresholds of studies, each for the subjects of its source: mostly dummies.",
    ),
    "neck_intercept": ("Neck intercepts", "Forces and moments at which Nij is one, by size of the dummy."),
    "risk_curve": (
        "Risk curves",
        "Lognormal: Phi((ln x - log_mean) / log_sd). Logistic: 1 / (1 + exp(intercept - slope x^power)), x over the "
        "divisor. Weibull: 1 - exp(-((x - threshold) / scale)^shape).",
    ),
    "measured_fall": (
        "Measured falls",
        "Quantities measured in falls, used by `vitruvian validate`. Low and high are the ends of a 95 % prediction "
        "interval.",
    ),
}

HEAD = """# Data tables

<!-- made by tools/make_data_docs.py; do not edit -->

Every number from the literature ships in a table with its source. The status says how far it can be trusted:

| status | meaning |
|---|---|
| sourced | read in the source |
| derived | computed from sourced numbers |
| recalled | a well-known value of the source, not looked up again; verify it before you publish |
| mixed | sourced and estimated parts |
| estimated | chosen here, for the reason in the note |
| unverified | from the literature, but we have not seen the page; verify it before you publish |

| table | rows | estimated rows |
|---|---:|---:|
"""
NOTE = "<!-- made by tools/make_data_docs.py; do not edit -->"


def pages() -> dict[str, str]:
    """Return file name -> text in Markdown."""
    head, made = HEAD, {}
    for name in data.TABLES:
        title, text = TITLES[name]
        rows = data.table(name)
        guessed = sum(row.status == "estimated" for row in rows)
        head += f"| [{title}]({file_of(name)}) | {len(rows)} | {guessed or ''} |\n"
        made[file_of(name)] = f"# {title}\n\n{NOTE}\n\n{text}\n\n{_table(name)}"
    made["index.md"] = head + "\nAll references are on the page [Sources](sources.md).\n"
    made["sources.md"] = f"# Sources\n\n{NOTE}\n\n{_sources()}"
    return made


def file_of(table: str) -> str:
    """Return the name of a table's page."""
    return table.replace("_", "-") + ".md"


def _table(name: str) -> str:
    rows = data.table(name)
    item = {
        "tissue": "segment",
        "wobble": "segment",
        "axial": "joint",
        "belt_tissue": "segment",
        "segment_region": "region",
        "common_tissue": "joint",
        "bone_strength": "segment",
        "joint_strength": "joint",
        "vehicle_curve": "part",
        "neck_intercept": "size",
        "risk_curve": "curve",
        "measured_fall": "fall",
        "proportion": "part",
        "growth": "what",
        "adult_size": "what",
        "population": "what",
        "spread": "what",
    }.get(name, name.partition("_")[0])
    ranged = any(row.low is not None for row in rows)
    columns = [item, "quantity", "value", "unit", *["low", "high"] * ranged]
    aged = name in (
        "range_of_motion",
        "flexibility",
        "segment_mass_age",
        "proportion",
        "growth",
        "adult_size",
        "population",
    )
    columns += ["sex"] * any(row.sex for row in rows) + ["age"] * aged + ["motion"] * any(row.movement for row in rows)
    columns += ["population"] * any(row.population for row in rows) + ["source", "where", "status", "note"]
    lines = [_line(columns), "|" + "---|" * len(columns)]
    for row in rows:
        cells = [row.item, row.quantity, f"{row.value:.12g}", row.unit]
        cells += ["" if end is None else f"{end:.12g}" for end in (row.low, row.high)] * ranged
        cells += [row.sex] * ("sex" in columns) + [row.age_group] * aged + [row.movement] * ("motion" in columns)
        cells += [row.population] * ("population" in columns)
        lines.append(_line([*cells, f"[{row.source}](sources.md#{row.source})", row.where, row.status, row.note]))
    return "\n".join(lines) + "\n"


def _sources() -> str:
    lines = []
    for key, entry in data.references().items():
        rest = (
            _plain(entry[name])
            for name in ("journal", "booktitle", "school", "institution", "publisher")
            if name in entry
        )
        place = " ".join(rest)
        number = entry.get("volume", entry.get("number", ""))
        pages = entry.get("pages", "").replace("--", "-")
        what = ", ".join(part for part in (place, number, pages, entry.get("year", "")) if part)
        author = _authors(entry["author"]) + ". " if "author" in entry else ""
        note = f" ({_plain(entry['note'])})" if "note" in entry else ""
        title = f"*{_plain(entry['title'])}*." + f" {what}" * bool(what)
        lines.append(f'- <a id="{key}"></a>**{key}**: {author}{title}{note}\n')
    return "".join(lines)


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _plain(text: str) -> str:
    return text.replace("{", "").replace("}", "")


def _authors(text: str) -> str:
    return _plain(text).replace(" and others", " et al.").replace(" and ", "; ").removesuffix(".")


def main() -> int:
    made = pages()
    if "--check" in sys.argv[1:]:
        old = [name for name, text in made.items() if not _same(FOLDER / name, text)]
        print(f"{', '.join(old)} old: run python tools/make_data_docs.py" if old else "the pages are up to date")
        return 1 if old else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
    return 0


def _same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    raise SystemExit(main())
